"""Weights of PaddlePaddle and PyTorch: read without running anything; whatever isn't data is refused by name."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.pickles import PickleReader
from vitrify.errors import ArtifactError, KindError, StateError

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def make(load_file: Callable[[Path], ModuleType]) -> Any:
    """The fuzzer, which makes files of both kinds byte by byte."""
    return load_file(TOOLS / "fuzz_loaders.py")


def _load(data: bytes, **options: Any) -> Any:
    return vt.load(io.BytesIO(data), **options)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_state_of_paddle(make: Any, protocol: int) -> None:
    found = _load(make.paddle_state(protocol))
    assert isinstance(found["fc.weight"], vt.Tensor) and found["fc.weight"].tolist() == [
        [0.0, 1.0, 2.0],
        [3.0, 4.0, 5.0],
    ]
    assert found["fc.bias"].dtype is vt.float64 and found["fc.bias"].shape == [3, 2]
    assert found["short"].dtype is vt.bfloat16 and found["short"].astype("float32").tolist() == [1.0, 2.0]
    assert found["LR_Scheduler"] == {"last_epoch": 3, "last_lr": 0.1, "milestones": [1, 2, (3, None, True)]}
    assert "StructuredToParameterName@@" not in found
    assert isinstance(_load(make.paddle_state(protocol), return_numpy=True)["fc.weight"], np.ndarray)


def test_tensors_with_names_and_other_values() -> None:
    array = np.arange(4, dtype=">f4").reshape(2, 2)
    state = OrderedDict(net=("linear_0.w_0", array), flags=[True, 2**40, -1.5, "é", b"b", {1, 2}], same=None)
    state["same"] = state["net"]
    for protocol in (2, 4):
        found = _load(pickle.dumps(state, protocol))
        assert found["net"].tolist() == [[0.0, 1.0], [2.0, 3.0]] and found["flags"][:5] == [
            True,
            2**40,
            -1.5,
            "é",
            b"b",
        ]
        assert sorted(found["flags"][5]) == [1, 2]
    assert _load(pickle.dumps(("x", array))).shape == [2, 2]


def test_a_paddle_checkpoint_goes_into_a_layer(tmp_path: Path) -> None:
    net, file = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3)), tmp_path / "net.pdparams"
    state = {name: np.full(value.shape, k, "float32") for k, (name, value) in enumerate(net.state_dict().items())}
    file.write_bytes(pickle.dumps(state, 4))
    assert net.set_state_dict(vt.load(file)) == ([], [])
    assert net[0].bias.tolist() == [1.0] * 3
    file.write_bytes(pickle.dumps({name: value + 1 for name, value in state.items()}, 2))
    assert vt.interop.load_paddle_state_dict(net, file) == ([], [])
    assert net[1]._variance.tolist() == [6.0] * 3


def test_a_file_of_torch(make: Any) -> None:
    good = make.samples()
    found = _load(good["torch"])
    assert found["state_dict"]["weight"].tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]  # by its strides
    assert int(found["state_dict"]["steps"]) == 2 and found["epoch"] == 3 and found["lr"] == [True, None, "x"]
    assert _load(good["torch old"])["weight"].tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]


@pytest.mark.parametrize(
    ("kind", "dtype"), [("BFloat16", "bfloat16"), ("Half", "float16"), ("Bool", "bool"), ("ComplexFloat", "complex64")]
)
def test_dtypes_of_torch(make: Any, kind: str, dtype: str) -> None:
    size = vt.zeros([1], dtype).numpy().itemsize
    state = [make.tensor("0", kind, 2, (2,), (1,)), make.Call("torch Size", (1, 2)), make.Global("torch float32")]
    tensor, shape, named = _load(make.torch_zip(state, {"0": bytes(2 * size)}))
    assert tensor.dtype.name == dtype and tensor.shape == [2] and shape == (1, 2) and named is vt.float32


class _Bad:
    def __reduce__(self) -> Any:
        return os.system, ("echo run",)


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (_Bad(), "posix.system"),
        ({"steps": range(3)}, "range"),
        ({"kind": np.dtype("O")}, "dtype 'O8'"),
        (np.array(["a"]), "dtype 'U1'"),
        (np.array([object], object), "dtype 'O8'"),
        ({(1, 2): 3}, "a key of type tuple"),
        ({2**70: 3}, "a key of type int"),
        (print, "builtins.print"),
    ],
)
def test_other_values_are_refused_by_name(value: Any, part: str) -> None:
    for protocol in (2, 4):
        with pytest.raises(ArtifactError, match=r"only|dtype|it holds|key") as caught:
            _load(pickle.dumps(value, protocol))
        assert part.replace("posix", os.name) in str(caught.value).replace("__builtin__", "builtins")


def test_torch_files_that_are_refused(make: Any) -> None:
    one = {"0": bytes(24)}
    cases = {
        "argparse.Namespace": make.torch_zip({"args": make.Call("argparse Namespace")}, {}),
        "torch.storage._load_from_bytes": make.torch_zip(make.Call("torch.storage _load_from_bytes", "x"), {}),
        "beyond its storage": make.torch_zip(make.tensor("0", "Float", 6, (3, 3), (3, 1)), one),
        "no storage '1'": make.torch_zip(make.tensor("1", "Float", 6, (6,), (1,)), one),
        "has 24 bytes, not 7 numbers": make.torch_zip(make.tensor("0", "Float", 7, (6,), (1,)), one),
        "another byte order": make.torch_zip(make.tensor("0", "Float", 6, (6,), (1,)), one, b"big"),
        "times as large": make.torch_zip(make.tensor("0", "Float", 6, (2**40,), (0,)), one),
        "without a storage": make.torch_zip(make.tensor("0", "Float", 6, (-1,), (1,)), one),
        "reference to something else": make.torch_zip(make.Reference("module", 1, 2, 3, 4), one),
        "another size": make.torch_old(make.tensor("0", "Float", 6, (6,), (1,)), {"0": (5, bytes(24))}),
    }  # fmt: skip
    for part, data in cases.items():
        with pytest.raises(ArtifactError, match=part):
            _load(data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("net/data.pkl", make.assembled({}))
    with pytest.raises(ArtifactError, match="compressed"):
        _load(packed.getvalue())
    np.savez(packed := io.BytesIO(), a=np.ones(2))
    with pytest.raises(ArtifactError, match=r"read an \.npz with numpy\.load"):
        _load(packed.getvalue())


def test_structures_that_would_grow(make: Any) -> None:
    shared: Any = []
    for _ in range(150):
        shared = [shared, shared]  # 2**150 paths, 150 lists
    found = _load(pickle.dumps(shared, 4))
    assert found[0] is found[1]
    circular: Any = []
    circular.append(circular)
    with pytest.raises(ArtifactError, match="contains itself"):
        _load(pickle.dumps(circular, 4))
    reader = PickleReader("file", b"\x80\x02" + b"}" * 5_000_000 + b".", {})
    with pytest.raises(ArtifactError, match="opcodes"):
        reader.read()


def test_mutated_files_run_nothing_and_give_typed_errors() -> None:
    """In a process of its own: an audit hook can't be removed. tools/fuzz_loaders.py has run 10,000 of each kind of weights, 1,200 of programs."""
    found = subprocess.run([sys.executable, TOOLS / "fuzz_loaders.py", "60", "7"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert [line.split(":")[0] for line in found.stdout.splitlines()] == [
        "paddle 2", "paddle 4", "torch", "torch old", "pickle in torch's zip", ".pdmodel", ".pdiparams",
        ".json",
    ]  # fmt: skip


def test_mutated_models_run_nothing_and_give_typed_errors() -> None:
    """Files of vitrify's own, of ONNX and of safetensors; tools/fuzz_models.py has run 10,000 of each."""
    pytest.importorskip("onnx")
    found = subprocess.run([sys.executable, TOOLS / "fuzz_models.py", "12", "7"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert [line.split(":")[0] for line in found.stdout.splitlines()] == [
        "net.safetensors, whole", "state.vt, whole", "net.vt, whole", ".onnx, plain", ".onnx, net",
        "saved program, weights.safetensors", "saved program, manifest.json", "saved program, program.ir",
    ]  # fmt: skip


def test_every_truncation_is_refused(make: Any) -> None:
    for good in list(make.samples().values())[:4]:
        for size in range(0, len(good), 7):
            with pytest.raises(ArtifactError):
                _load(good[:size])


def test_load_torch_state_says_what_it_did(make: Any, tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.PReLU(), nn.BatchNorm1D(3), nn.Linear(3, 3))
    names = {
        "0.weight": (3, 2),
        "0.bias": (3,),
        "1.weight": (1,),
        "2.running_mean": (3,),
        "2.running_var": (3,),
        "3.weight": (4, 3),
        "head": (1,),
    }
    state, storages = {}, {}
    for k, (name, shape) in enumerate(names.items()):
        values = np.arange(np.prod(shape), dtype="float32") + k
        strides = tuple(int(s) for s in np.cumprod((1, *shape[:0:-1]))[::-1])
        state[f"module.{name}"] = make.tensor(str(k), "Float", values.size, shape, strides)
        storages[str(k)] = values.tobytes()
    state["module.2.num_batches_tracked"] = state["module.1.weight"]
    file = tmp_path / "net.pt"
    file.write_bytes(make.torch_zip({"epoch": 3, "state_dict": state}, storages))
    report = vt.interop.load_torch_state(net, file)
    assert net[0].weight.tolist() == [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]] and net[1]._weight.tolist() == [2.0]
    assert net[2]._mean.tolist() == [3.0, 4.0, 5.0]
    assert report.loaded["2._variance"] == "module.2.running_var" and report.transposed == ["0.weight"]
    assert report.missing == ["2.weight", "2.bias", "3.weight", "3.bias"] and report.unexpected == ["module.head"]
    assert (
        list(report.misfits) == ["module.3.weight"]
        and "another shape" in str(report)
        and "5 tensors loaded" in str(report)
    )
    mapped = vt.interop.load_torch_state(
        nn.Linear(1, 1), {"a": np.ones((1, 1)), "b": np.ones(1)}, {"a": "weight", "b": None}
    )
    assert mapped.loaded == {"weight": "a"} and mapped.unexpected == []
    with pytest.raises(KindError, match="dict of tensors"):
        vt.interop.load_torch_state(net, [1])
    with pytest.raises(StateError, match="missing"):
        vt.interop.load_torch_state_dict(nn.Linear(2, 3), {"weight": np.ones((3, 2))})


def test_what_torch_itself_writes(torch: Any, tmp_path: Path) -> None:
    theirs = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3), torch.nn.PReLU(4), torch.nn.Flatten(), torch.nn.Linear(16, 5)
    )
    net = nn.Sequential(nn.Conv2D(1, 4, 3), nn.PReLU(4), nn.Flatten(), nn.Linear(16, 5))
    x = np.random.default_rng(1).normal(size=(2, 1, 4, 4)).astype("float32")
    for k, zipped in enumerate((True, False)):
        file = tmp_path / f"{k}.pt"
        torch.save(theirs.state_dict(), file, _use_new_zipfile_serialization=zipped)
        report = vt.interop.load_torch_state(net, file)
        assert not (report.missing or report.unexpected or report.misfits)
        np.testing.assert_allclose(
            net(vt.to_tensor(x)).numpy(), theirs(torch.tensor(x)).detach().numpy(), rtol=1e-5, atol=1e-5
        )
