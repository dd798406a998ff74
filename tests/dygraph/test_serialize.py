"""save and load: every kind of value, atomic writes, and files that were cut, changed or never ours."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrify.base import dtype as dt
from vitrify.base.errors import ArgumentError, ArtifactError
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.dense import DenseTensor
from vitrify.dygraph.serialize import load, save
from vitrify.dygraph.tensor import Parameter, Tensor


def test_round_trip(tmp_path: Path) -> None:
    data = {
        "w": Parameter([[1.5, 2.5]]),
        "opt": {"step": 3, "lr": 1e-3, "flags": (True, None, "text"), "big": 2**70, 7: [1 + 2j]},
        "array": np.arange(6, dtype=np.int16).reshape(2, 3),
        "scalar": np.float32(2.5),
        "inf": [float("inf"), float("-inf")],
        "dtype": dt.float64,
        "empty": {"list": [], "tuple": (), "dict": {}, "tensor": to_tensor(np.zeros((0, 3)))},
    }
    save(data, tmp_path / "sub" / "model.pdparams")
    again = load(tmp_path / "sub" / "model.pdparams")
    assert again["w"].tolist() == [[1.5, 2.5]]
    assert isinstance(again["w"], Tensor)
    assert not again["w"].stop_gradient
    assert again["opt"] == data["opt"]
    assert again["array"].dtype == np.int16
    assert again["array"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert type(again["scalar"]) is np.float32
    assert again["inf"] == data["inf"]
    assert again["dtype"] is dt.float64
    assert again["empty"]["tensor"].shape == [0, 3]
    assert again["empty"]["tuple"] == ()


@pytest.mark.parametrize("dtype", dt.ALL)
def test_every_dtype(dtype: dt.DType, tmp_path: Path) -> None:
    x = to_tensor(np.array([[0, 1], [1, 0]]).astype(dtype.numpy))
    save({"x": x}, tmp_path / "a.pdparams")
    again = load(tmp_path / "a.pdparams")["x"]
    assert again.dtype is dtype
    assert again.tolist() == x.tolist()
    assert isinstance(load(tmp_path / "a.pdparams", return_numpy=True)["x"], np.ndarray)


def test_special_floats_keep_their_bits(tmp_path: Path) -> None:
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], np.float32)
    save(to_tensor(values), tmp_path / "a")
    assert load(tmp_path / "a").numpy().tobytes() == values.tobytes()


def test_shared_tensors_stay_shared(tmp_path: Path) -> None:
    x = to_tensor(np.ones(1000))
    save([x, x], tmp_path / "a")
    first, second = load(tmp_path / "a")
    assert first is second
    assert (tmp_path / "a").stat().st_size < 10_000


def test_loaded_tensors_are_writable_and_apart_from_the_file(tmp_path: Path) -> None:
    save(to_tensor([1.0]), tmp_path / "a")
    x = load(tmp_path / "a")
    x.add_(1.0)
    assert load(tmp_path / "a").tolist() == [1.0]


def test_streams() -> None:
    stream = io.BytesIO()
    save({"x": to_tensor([1.0])}, stream)
    stream.seek(0)
    assert load(stream)["x"].tolist() == [1.0]


def test_several_follow_each_other_in_a_stream() -> None:
    stream = io.BytesIO(b"before")
    stream.seek(6)
    for value in ({"x": to_tensor([1.0])}, [2, "b"], to_tensor([3])):
        save(value, stream)
    stream.write(b"after")
    stream.seek(6)
    assert load(stream)["x"].tolist() == [1.0]
    assert load(stream) == [2, "b"]
    assert load(stream).tolist() == [3]
    assert stream.read() == b"after"


def test_the_data_behind_a_tensor() -> None:
    stream = io.BytesIO()
    data = DenseTensor()
    data.set(np.ones((2, 1), np.float32))
    save({"w": data}, stream)
    stream.seek(0)
    assert load(stream)["w"].tolist() == [[1.0], [1.0]]
    data.set_recursive_sequence_lengths([[1, 1]])
    with pytest.raises(ArgumentError, match="can't write DenseTensor"):
        save(data, stream)


def test_the_file_is_ordinary_safetensors(tmp_path: Path) -> None:
    numpy_format = pytest.importorskip("safetensors.numpy")
    save({"a": {"b": to_tensor([1.0, 2.0])}, "n": 3}, tmp_path / "x.safetensors")
    assert numpy_format.load_file(tmp_path / "x.safetensors")["a.b"].tolist() == [1, 2]
    numpy_format.save_file({"w": np.arange(3)}, tmp_path / "y.safetensors")
    assert load(tmp_path / "y.safetensors")["w"].tolist() == [0, 1, 2]


class Odd:
    """Something that can't be saved."""


@pytest.mark.parametrize(
    "data", [Odd(), {"a": {"b": [Odd()]}}, {Odd(): 1}, np.array(["text"]), {1, 2}, b"bytes", print]
)
def test_what_is_not_saved(data: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="save can't write"):
        save(data, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_the_place_of_a_wrong_value_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"Odd at a\.1"):
        save({"a": [1, Odd()]}, tmp_path / "x")


def test_structures_that_contain_themselves(tmp_path: Path) -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ArgumentError, match="contains itself"):
        save(loop, tmp_path / "a")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(to_tensor([1.0]), tmp_path / "a")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        save(to_tensor([2.0]), tmp_path / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert load(tmp_path / "a").tolist() == [1.0]


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="path of a file"):
        save(1, tmp_path)
    with pytest.raises(ArtifactError, match="no such file"):
        load(tmp_path / "missing")


@pytest.fixture
def good(tmp_path: Path) -> bytes:
    """The bytes of a sound file."""
    save({"w": to_tensor([1.0, 2.0]), "n": [1, 2]}, tmp_path / "good")
    return (tmp_path / "good").read_bytes()


class Pipe(io.BytesIO):
    """A stream that is read to its end, as a file is."""

    def seekable(self) -> bool:
        return False


def refuse(data: bytes, message: str) -> None:
    with pytest.raises(ArtifactError, match=message):
        load(Pipe(data))


def with_header(good: bytes, change: Any) -> bytes:
    (length,) = struct.unpack("<Q", good[:8])
    header = json.loads(good[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + good[8 + length :]


def test_truncated_files(good: bytes) -> None:
    for size in range(len(good)):
        refuse(good[:size], "header|tensor|data")
    refuse(good + b"x", "belong to nothing")


def test_every_flipped_byte_of_the_data_is_seen(good: bytes) -> None:
    for place in range(len(good) - 8, len(good)):
        refuse(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :], "tensor 'w': its checksum differs")


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04 a zip file, say", b"\x80\x04\x95pickle" * 9, b"\xff" * 64, b"\0" * 64]
)
def test_foreign_files(data: bytes) -> None:
    refuse(data, "header|metadata|zip|pickle")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"shape": [10**15]}, "doesn't fit its 8 bytes"),
        ({"shape": [-2]}, "malformed"),
        ({"shape": [2.0]}, "malformed"),
        ({"shape": None}, "malformed"),
        ({"dtype": "F8"}, "dtype F8 is unknown"),
        ({"dtype": 3}, "malformed"),
        ({"data_offsets": [8, 16]}, "truncated"),
        ({"data_offsets": [0]}, "malformed"),
        ({"dtype": "F16", "data_offsets": [0, 4]}, "belong to nothing"),
        ({"dtype": "F16", "data_offsets": [4, 8]}, "gap"),
    ],
)
def test_lying_entries(good: bytes, entry: dict[str, Any], message: str) -> None:
    refuse(with_header(good, lambda h: h["w"].update(entry)), f"tensor 'w': .*{message}|data: .*{message}")


def test_changed_structure(good: bytes) -> None:
    refuse(with_header(good, lambda h: h["__metadata__"].update(structure="{}")), "structure: its checksum differs")
    refuse(with_header(good, lambda h: h["__metadata__"].update(format="other")), "format 'other' is unknown")
    refuse(with_header(good, lambda h: h["__metadata__"].update(crc32="[]")), "checksums")
    refuse(with_header(good, lambda h: h.update(__metadata__=[])), "metadata: not a table")


@pytest.mark.parametrize(
    "structure",
    ['{"call": "os.system"}', "[1]", '{"tensor": "v"}', '{"int": "x"}', '{"dict": [1]}', "{}", "[" * 100_000],
)
def test_structures_we_never_wrote(good: bytes, structure: str) -> None:
    import zlib

    sums = {"structure": structure, "structure_crc32": str(zlib.crc32(structure.encode()))}
    refuse(with_header(good, lambda h: h["__metadata__"].update(sums)), "structure")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.complex_numbers(allow_nan=False),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


@given(values)
@settings(max_examples=60, deadline=None)
def test_any_plain_structure_comes_back(value: Any) -> None:
    stream = io.BytesIO()
    save(value, stream)
    stream.seek(0)
    assert load(stream) == value


@pytest.mark.parametrize("shape", [[0, 2**62, 2**62], [0] + [1] * 100])
def test_shapes_that_no_array_has(shape: list[int]) -> None:
    head = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}).encode()
    with pytest.raises(ArtifactError, match="tensor 'w': no array has the shape"):
        load(io.BytesIO(struct.pack("<Q", len(head)) + head))


def test_places_that_read_alike_are_kept_apart(tmp_path: Path) -> None:
    data = {"a.b": to_tensor([1.0]), "a": {"b": to_tensor([2.0])}, "a.b#2": to_tensor([3.0]), 1: to_tensor([4.0]),
            "1": to_tensor([5.0]), "__metadata__": to_tensor([6.0])}  # fmt: skip
    save(data, tmp_path / "f")
    made = load(tmp_path / "f")
    assert [made["a.b"].item(), made["a"]["b"].item(), made["a.b#2"].item()] == [1.0, 2.0, 3.0]
    assert [made[1].item(), made["1"].item(), made["__metadata__"].item()] == [4.0, 5.0, 6.0]
