"""Artifacts at the level of programs and arrays: round trips, and every way a file can be bad."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import float32
from vitrify.base.errors import ArtifactError, CallbackError
from vitrify.ir.builder import new_program
from vitrify.ops.dims import Dim
from vitrify.ops.types import TensorType
from vitrify.runtime import artifact_parts, tensor_file
from vitrify.runtime.artifact import FORMAT, Artifact, Method, _checksum, load_artifact, save_artifact

N = Dim.symbol("N")
TABLE = np.arange(40, dtype=np.float32)


def artifact(*, callback: bool = False) -> Artifact:
    program, builder = new_program("scale")
    x = program.add_feed("x", TensorType(float32, (N, 40)))
    w = program.add_state("w", TensorType(float32, (40,)), "parameter")
    with builder.active():
        y = x * w + builder.constant(TABLE)
    if callback:
        (y,) = builder.callback("my.op", [y], [TensorType(float32, (N, 40))])
    builder.return_([y])
    weights = {"w": np.full(40, 3, np.float32)}
    return Artifact(
        {"forward": Method(program, {}, {})}, weights, {"w": {"role": "parameter"}}, {"k": "def body(): ..."}
    )


@pytest.fixture(params=["folder", "file.vt"])
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return save_artifact(artifact(), tmp_path / request.param, version="0.1")


@pytest.mark.parametrize("native", [True, False])
def test_round_trip(saved: Path, native: bool) -> None:
    loaded = load_artifact(saved)
    x = np.ones((2, 40), np.float32)
    (y,) = loaded.run([x], native=native)
    np.testing.assert_array_equal(y, x * 3 + TABLE)
    assert loaded.version == "0.1"
    assert loaded.kernels == {"k": "def body(): ..."}


def test_saving_is_reproducible(tmp_path: Path) -> None:
    files = [save_artifact(artifact(), tmp_path / name) for name in ("a.vt", "b.vt")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_nothing_temporary_is_left(saved: Path) -> None:
    assert [p.name for p in saved.parent.iterdir()] == [saved.name]


def test_missing_callbacks_are_named(tmp_path: Path) -> None:
    path = save_artifact(artifact(callback=True), tmp_path / "a.vt")
    with pytest.raises(CallbackError, match=r"not given: my\.op"):
        load_artifact(path)
    loaded = load_artifact(path, {"my.op": lambda a: a + 1})
    (y,) = loaded.run([np.zeros((1, 40), np.float32)])
    np.testing.assert_array_equal(y[0], TABLE + 1)


def parts(path: Path) -> dict[str, bytes]:
    if path.is_dir():
        return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path: Path, content: dict[str, bytes]) -> None:
    if path.is_dir():
        for file in [p for p in path.rglob("*") if p.is_file()]:
            file.unlink()
        for name, data in content.items():
            (path / name).parent.mkdir(exist_ok=True)
            (path / name).write_bytes(data)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in content.items():
                archive.writestr(name, data)


@pytest.mark.parametrize("part", ["program.ir", "weights.safetensors", "manifest.json", "kernels/k.py"])
@pytest.mark.parametrize("damage", ["truncate", "flip", "remove", "extend"])
def test_each_damaged_part_is_named(saved: Path, part: str, damage: str) -> None:
    content = parts(saved)
    data = content[part]
    match damage:
        case "truncate":
            content[part] = data[: len(data) // 2]
        case "flip":
            k = len(data) // 2
            content[part] = data[:k] + bytes([data[k] ^ 1]) + data[k + 1 :]
        case "remove":
            del content[part]
        case "extend":
            content[part] = data + b"x"
    rewrite(saved, content)
    with pytest.raises(ArtifactError, match=part.replace(".", r"\.")):
        load_artifact(saved).kernels["k"]  # they are read when they are asked for


def resealed(saved: Path, change: Any) -> None:
    """Change the parts and make all checksums fit again: what somebody on purpose could do."""
    content = parts(saved)
    manifest = json.loads(content.pop("manifest.json"))
    change(content, manifest)
    for name, data in content.items():
        manifest["parts"].setdefault(name, {})
        manifest["parts"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest["checksum"] = _checksum(manifest)
    rewrite(saved, content | {"manifest.json": json.dumps(manifest).encode()})


def test_an_invalid_program_is_refused(saved: Path) -> None:
    def change(content: dict[str, bytes], manifest: Any) -> None:
        content["program.ir"] = content["program.ir"].replace(b"multiply", b"no_such_op")

    resealed(saved, change)
    with pytest.raises(ArtifactError, match=r"program\.ir: is not a valid program"):
        load_artifact(saved)


def test_weights_that_do_not_fit_are_refused(saved: Path) -> None:
    def change(content: dict[str, bytes], manifest: Any) -> None:
        content["program.ir"] = content["program.ir"].replace(b"%w: f32[40] parameter", b"%w: f32[1] parameter")

    resealed(saved, change)
    with pytest.raises(ArtifactError, match=r"'w' is float32\[40\]|not a valid program"):
        load_artifact(saved)


@pytest.mark.parametrize("dtype", ["int8", "int32", "float64"])
def test_weights_of_another_dtype_are_refused(saved: Path, dtype: str) -> None:
    def change(content: dict[str, bytes], manifest: Any) -> None:
        arrays = tensor_file.from_bytes(content["weights.safetensors"])
        content["weights.safetensors"] = tensor_file.to_bytes(arrays | {"w": arrays["w"].astype(dtype)})

    resealed(saved, change)
    with pytest.raises(ArtifactError, match=rf"'w' is {dtype}\[40\], but program\.ir declares f32\[40\]"):
        load_artifact(saved)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "a/b/c", "..", "C:\\x"])
def test_paths_cannot_escape(saved: Path, name: str) -> None:
    def change(content: dict[str, bytes], manifest: Any) -> None:
        manifest["parts"][name] = {"bytes": 1, "sha256": ""}

    resealed(saved, change)
    with pytest.raises(ArtifactError, match="which no artifact has"):
        load_artifact(saved)


def test_links_are_refused(tmp_path: Path) -> None:
    saved = save_artifact(artifact(), tmp_path / "folder")
    outside = tmp_path / "outside"
    outside.write_bytes((saved / "program.ir").read_bytes())
    (saved / "program.ir").unlink()
    (saved / "program.ir").symlink_to(outside)
    with pytest.raises(ArtifactError, match=r"program\.ir: is a link"):
        load_artifact(saved)


def test_another_format_version_is_refused(saved: Path) -> None:
    resealed(saved, lambda content, manifest: manifest.update(format="vitrify.artifact/9"))
    with pytest.raises(ArtifactError, match=f"this version reads '{FORMAT}'"):
        load_artifact(saved)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"hello", b"\x80\x04\x95", bytes(1000)])
def test_foreign_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.vt"
    path.write_bytes(data)
    with pytest.raises(ArtifactError, match="not readable as an artifact"):
        load_artifact(path)


def test_foreign_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no such file"):
        load_artifact(tmp_path / "nothing")
    with pytest.raises(ArtifactError, match=r"manifest\.json: is missing"):
        load_artifact(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 3}')
    with pytest.raises(ArtifactError, match="is not that of an artifact"):
        load_artifact(tmp_path)


def test_a_truncated_zip_is_refused(tmp_path: Path) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    data = path.read_bytes()
    for cut in (1, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(ArtifactError):
            load_artifact(path)


def test_a_zip_whose_names_are_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.vt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest-\u00e9.json", b"{}")
    path.write_bytes(path.read_bytes().replace("\u00e9".encode(), b"\xc8\xc8"))
    with pytest.raises(ArtifactError, match="not readable as an artifact"):
        load_artifact(path)


@pytest.mark.parametrize("seed", range(60))
def test_no_flipped_byte_goes_unseen_or_leads_to_another_error(tmp_path: Path, seed: int) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    data = bytearray(path.read_bytes())
    k = int(np.random.default_rng(seed).integers(len(data)))
    data[k] ^= 1 << (seed % 8)
    path.write_bytes(bytes(data))
    try:
        loaded = load_artifact(path)
    except ArtifactError:
        return
    (y,) = loaded.run([np.ones((1, 40), np.float32)], native=False)  # a byte that says nothing, like a time stamp
    np.testing.assert_array_equal(y[0], 3 + TABLE)


def test_a_part_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    monkeypatch.setattr("vitrify.runtime.artifact_parts.MOST_TEXT", 100)
    with pytest.raises(ArtifactError, match="claims to unpack from"):
        load_artifact(path)


def test_kernels_are_read_only_when_asked_for(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    for kind in (artifact_parts._Folder, artifact_parts._Zip):
        own = kind.read
        monkeypatch.setattr(kind, "read", lambda self, part, own=own: (read.append(part), own(self, part))[1])
    loaded = load_artifact(saved)
    assert sorted(read) == ["manifest.json", "program.ir", "weights.safetensors"]
    assert dict(loaded.kernels) == {"k": "def body(): ..."} and read[3:] == ["kernels/k.py"]


def packed(path: Path, **sizes: bytes) -> None:
    """A zip whose entries are all deflated, with checksums that fit: the parts, and those given."""
    content = parts(path)
    manifest = json.loads(content.pop("manifest.json"))
    content |= {name.replace("__", "/").replace("_", "."): data for name, data in sizes.items()}
    facts = {n: {"bytes": len(d), "sha256": hashlib.sha256(d).hexdigest()} for n, d in content.items()}
    manifest["parts"] = facts
    manifest["checksum"] = _checksum(manifest)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (content | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, data, zipfile.ZIP_STORED if name.startswith("stored") else None)


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were read of entries of zips."""
    counts: list[int] = []
    read = zipfile.ZipExtFile.read

    def counted(self: zipfile.ZipExtFile, n: int = -1) -> bytes:
        data = read(self, n)
        counts.append(len(data))
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    return counts


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, unpacked: list[int]) -> None:
    bomb = b"// " + b" " * 60_000_000
    path = save_artifact(artifact(), tmp_path / "m.vt")
    text = parts(path)["program.ir"]
    packed(path, program_ir=text + bomb)
    assert path.stat().st_size < 100_000
    unpacked.clear()
    with pytest.raises(
        ArtifactError, match=r"m\.vt: program\.ir: claims to unpack from \d+ to 60\d+ bytes, no text does"
    ):
        load_artifact(path)
    assert not unpacked


def test_packed_weights_are_refused_before_they_are_unpacked(tmp_path: Path, unpacked: list[int]) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    packed(path)
    unpacked.clear()
    with pytest.raises(ArtifactError, match=r"weights\.safetensors: is packed"):
        load_artifact(path)
    assert sum(unpacked) < 10_000


def test_parts_that_nobody_uses_are_not_unpacked(tmp_path: Path, unpacked: list[int]) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    content = parts(path)
    extra = bytes(900_000)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("extra", extra)
    unpacked.clear()
    load_artifact(path)
    assert sum(unpacked) < sum(map(len, content.values())) + 10


def forged_index(path: Path, change: Any) -> None:
    """Write a zip with an index that says something else than is there."""
    with zipfile.ZipFile(path, "a") as archive:
        change(archive.infolist())
        archive._didModify = True  # type: ignore[attr-defined]


def entry(infos: list[zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    return next(i for i in infos if i.filename == name)


def overlap(infos: list[zipfile.ZipInfo]) -> None:
    entry(infos, "program.ir").header_offset = entry(infos, "weights.safetensors").header_offset


def lie(infos: list[zipfile.ZipInfo]) -> None:
    entry(infos, "weights.safetensors").file_size *= 1000


def run_over(infos: list[zipfile.ZipInfo]) -> None:
    info = entry(infos, "weights.safetensors")
    info.file_size = info.compress_size = 10_000_000


def link(infos: list[zipfile.ZipInfo]) -> None:
    entry(infos, "program.ir").external_attr = 0o120777 << 16


def encrypt(infos: list[zipfile.ZipInfo]) -> None:
    entry(infos, "program.ir").flag_bits |= 1


def method(infos: list[zipfile.ZipInfo]) -> None:
    entry(infos, "program.ir").compress_type = zipfile.ZIP_LZMA


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (overlap, "shares bytes with"), (lie, "claims .* bytes, .* are there"), (run_over, "beyond the end|shares bytes"),
        (link, "is a link"), (encrypt, "is encrypted"), (method, "packed in a way"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)  # fmt: skip
def test_a_forged_index_is_refused(tmp_path: Path, change: Any, said: str, unpacked: list[int]) -> None:
    path = save_artifact(artifact(), tmp_path / "m.vt")
    forged_index(path, change)
    with pytest.raises(ArtifactError, match=rf"m\.vt: .*({said})"):
        load_artifact(path)
    assert not unpacked


@pytest.mark.parametrize(
    "shape", [[0, 2**62, 2**62], [1] * 100, [2**70], [-1]], ids=["empty", "rank", "large", "negative"]
)
def test_weights_of_impossible_shapes(shape: list[int]) -> None:
    count = 1 if shape == [1] * 100 else 0
    head = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * count]}}).encode()
    with pytest.raises(ArtifactError):
        tensor_file.from_bytes(len(head).to_bytes(8, "little") + head + bytes(4 * count))


def test_weights_that_share_bytes() -> None:
    entries = {f"w{k}": {"dtype": "U8", "shape": [1000], "data_offsets": [0, 1000]} for k in range(50)}
    head = json.dumps(entries).encode()
    with pytest.raises(ArtifactError, match="shares bytes with 'w"):
        tensor_file.from_bytes(len(head).to_bytes(8, "little") + head + bytes(1000))


def test_a_folder_whose_inner_folder_is_a_link(tmp_path: Path) -> None:
    path = save_artifact(artifact(), tmp_path / "model")
    elsewhere = tmp_path / "elsewhere"
    (path / "kernels").rename(elsewhere)
    (path / "kernels").symlink_to(elsewhere)
    with pytest.raises(ArtifactError, match="is a link"):
        load_artifact(path)
