"""Damaged, foreign and missing files: saved models, saved tensors, data sets; layers and optimisers used wrongly."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.data import MNIST
from vitrify.errors import (
    ArgumentError,
    ArtifactError,
    DataError,
    DataNotFoundError,
    DTypeError,
    KindError,
    MissingError,
    NameTakenError,
    ShapeError,
    StateError,
)
from vitrify.jit.serialize.load import load as load_model

from .bad_input_support import World, arange, fails


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one model as `folder` and as `file.vt`, and what it gives for ones as `want.npy`."""
    root = tmp_path_factory.mktemp("models")
    vt.seed(1)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    spec = [vt.InputSpec([None, 3], name="x")]
    vt.jit.save(net, root / "folder", input_spec=spec)
    vt.jit.save(net, root / "file.vt", input_spec=spec)
    np.save(root / "want.npy", net(vt.ones([2, 3])).numpy())
    return root


# ---- saved models


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {str(p.relative_to(path)): p.read_bytes() for p in files}


def resigned(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest, and make its checksum fit: damage by hand, not by accident."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    manifest["checksum"] = hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    file.write_text(json.dumps(manifest, ensure_ascii=False))


def signed(folder: Path, part: str) -> None:
    """Make the manifest fit a changed part."""
    data = (folder / part).read_bytes()

    def change(manifest: dict[str, Any]) -> None:
        manifest["parts"][part] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    resigned(folder, change)


def truncated(folder: Path) -> None:
    file = folder / "weights.safetensors"
    file.write_bytes(file.read_bytes()[:-7])


def flipped(folder: Path) -> None:
    file = folder / "weights.safetensors"
    data = bytearray(file.read_bytes())
    data[-3] ^= 4
    file.write_bytes(data)


def other_program(folder: Path) -> None:
    file = folder / "program.ir"
    file.write_text(file.read_text().replace("matmul", "matnul"))
    signed(folder, "program.ir")


def huge_header(folder: Path) -> None:
    file = folder / "weights.safetensors"
    file.write_bytes(struct.pack("<Q", 1 << 62) + file.read_bytes()[8:])
    signed(folder, "weights.safetensors")


def huge_tensor(folder: Path) -> None:
    file = folder / "weights.safetensors"
    header = json.dumps({"0.weight": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}}).encode()
    file.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 8)
    signed(folder, "weights.safetensors")


def without(part: str) -> Callable[[Path], None]:
    return lambda folder: (folder / part).unlink()


def listing(name: str) -> Callable[[Path], None]:
    return lambda folder: resigned(folder, lambda m: m["parts"].update({name: {"bytes": 1, "sha256": ""}}))


def other_version(folder: Path) -> None:
    resigned(folder, lambda m: m.update(format="vitrify.artifact/9"))


def linked(folder: Path) -> None:
    (folder / "program.ir").rename(folder.parent / "elsewhere.ir")
    (folder / "program.ir").symlink_to(folder.parent / "elsewhere.ir")


def emptied(folder: Path) -> None:
    for file in folder.iterdir():
        shutil.rmtree(file) if file.is_dir() else file.unlink()


def scrambled(*keys: str) -> Callable[[Path], None]:
    def change(manifest: dict[str, Any]) -> None:
        inner: Any = manifest
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = ["x", {"y": None}]

    return lambda folder: resigned(folder, change)


DAMAGES: list[tuple[Callable[[Path], None], str]] = [
    (truncated, "weights.safetensors: has "),
    (flipped, "weights.safetensors: its checksum differs"),
    (other_program, "program.ir: is not a valid program"),
    (huge_header, "weights.safetensors"),
    (huge_tensor, "weights.safetensors"),
    (without("manifest.json"), "this is no artifact of vitrify"),
    (without("weights.safetensors"), "weights.safetensors: is missing"),
    (without("program.ir"), "program.ir: is missing"),
    (listing("../../outside"), "names a part '../../outside', which no artifact has"),
    (listing("/etc/hostname"), "names a part '/etc/hostname', which no artifact has"),
    (listing("a\\..\\b"), "which no artifact has"),
    (other_version, "format 'vitrify.artifact/9' is unknown; this version reads"),
    (linked, "program.ir: is a link"),
    (emptied, "this is no artifact of vitrify"),
    (scrambled("methods"), "manifest.json"),
    (scrambled("state"), "manifest.json"),
    (scrambled("callbacks"), "manifest.json"),
    (scrambled("parts"), "manifest.json"),
    (scrambled("methods", "forward", "inputs"), "manifest.json"),
    (scrambled("methods", "forward", "outputs", "leaves"), "manifest.json"),
    (scrambled("methods", "forward", "outputs", "tree"), "manifest.json"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "text"), DAMAGES, ids=[f"{k}-{t[:24]}" for k, (_, t) in enumerate(DAMAGES)])
def test_a_damaged_model_is_refused(models: Path, tmp_path: Path, damage: Any, text: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models / "folder", folder)
    damage(folder)
    before = contents(folder)
    fails(lambda: vt.jit.load(folder), ArtifactError, text, "vt.jit.load(folder)")
    assert contents(folder) == before


def test_foreign_and_missing_models(models: Path, tmp_path: Path) -> None:
    fails(lambda: vt.jit.load(tmp_path / "none"), ArtifactError, "there is no such file or folder", 'tmp_path / "none"')
    foreign = tmp_path / "foreign.vt"
    for data in (b"", b"hello", b"\x80\x04\x95pickle", b"PK\x03\x04" + bytes(40)):
        foreign.write_bytes(data)
        fails(lambda: vt.jit.load(foreign), ArtifactError, "not readable as an artifact", "vt.jit.load(foreign)")
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("a.txt", "b")
    fails(lambda: vt.jit.load(foreign), ArtifactError, "this is no artifact of vitrify", "vt.jit.load(foreign)")
    data = (models / "file.vt").read_bytes()
    foreign.write_bytes(data[: len(data) // 2])
    fails(lambda: vt.jit.load(foreign), ArtifactError, "not readable as an artifact", "vt.jit.load(foreign)")


def test_a_zip_bomb_is_refused_quickly(models: Path, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.vt"
    with zipfile.ZipFile(models / "file.vt") as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != "manifest.json":
                new.writestr(name, old.read(name))
        new.writestr("manifest.json", b" " * 200_000_000)
    start = time.perf_counter()
    fails(lambda: vt.jit.load(bomb), ArtifactError, "manifest.json", "vt.jit.load(bomb)")
    assert time.perf_counter() - start < 5


def mutate(data: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, cut out, doubled, put in, or overwritten by a stretch from elsewhere."""
    made = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at, length = int(rng.integers(len(made) + 1)), int(rng.integers(1, 30))
        match int(rng.integers(6)):
            case 0:
                del made[at:]
            case 1:
                del made[at : at + length]
            case 2:
                made[at:at] = made[at : at + length]
            case 3:
                made[at:at] = rng.bytes(length)
            case 4 if at < len(made):
                made[at] ^= 1 << int(rng.integers(8))
            case _ if len(made):
                other = int(rng.integers(len(made)))
                made[at : at + length] = made[other : other + length]
    return bytes(made)


def attempt(path: Path, want: Any) -> bool:
    """Load and run; True if refused. Any other error fails the test; what loads gives the right numbers."""
    try:
        model = load_model(path)
    except ArtifactError as error:
        named = str(path) in str(error)
    else:
        np.testing.assert_array_equal(model(vt.ones([2, 3])).numpy(), want)
        return False
    assert named
    return True


def test_mutated_models(models: Path, tmp_path: Path) -> None:
    """Folders and files with random damage; often the manifest is made to fit, so that the parsers see it."""
    rng = np.random.default_rng(7)
    want = np.load(models / "want.npy")
    refused = 0
    tracemalloc.start()
    start = time.perf_counter()
    for k in range(150):
        file = tmp_path / "file.vt"
        file.write_bytes(mutate((models / "file.vt").read_bytes(), rng))
        refused += attempt(file, want)
        folder = tmp_path / "folder"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(models / "folder", folder)
        part = ("program.ir", "weights.safetensors", "manifest.json")[k % 3]
        (folder / part).write_bytes(mutate((folder / part).read_bytes(), rng))
        if part == "manifest.json":
            try:
                resigned(folder, lambda manifest: None)
            except (ValueError, TypeError, AttributeError):
                pass
            refused += attempt(folder, want)
        elif k % 2:
            refused += attempt(folder, want)
        else:
            signed(folder, part)
            try:  # it may still be a valid model, of other numbers: then it loads and runs, or says why not
                load_model(folder)(vt.ones([2, 3]))
            except (ArtifactError, ShapeError, DTypeError, ArgumentError):
                refused += 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused > 200
    assert time.perf_counter() - start < 60
    assert peak < 300e6


def test_calls_of_a_loaded_model(models: Path) -> None:
    model = vt.jit.load(models / "folder")
    fails(lambda: model(arange(2, 5)), ShapeError, "x must be f32[N, 3]", "model(arange(2, 5))")
    integers = arange(2, 3, dtype="int64")
    fails(lambda: model(integers), DTypeError, "x must be f32[N, 3], not int64[2, 3]", "model(integers)")
    fails(lambda: model(arange(2, 3), 1), ArgumentError, "forward takes 1 arguments (x: f32[N, 3]), not 2", "model(")
    fails(lambda: model("a"), ArgumentError, "x must be a tensor f32[N, 3], not str", 'model("a")')
    fails(lambda: model.program("other"), ArgumentError, "has no method 'other'", "it has forward")
    assert model(arange(2, 3)).shape == [2, 2]


def test_wrong_saves_leave_what_is_there(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "model"
    shutil.copytree(models / "folder", path)
    before = contents(path)
    net, spec = nn.Linear(3, 2), [vt.InputSpec([None, 3])]
    fails(lambda: vt.jit.save(net, path), ArgumentError, "was never called, so its inputs are unknown", "jit.save(net")
    fails(lambda: vt.jit.save(3, path), KindError, "takes a layer or a function, not int", "vt.jit.save(3, path)")
    fails(lambda: vt.jit.save(net, path, spec, foo=1), ArgumentError, "no option 'foo'", "foo=1")
    fails(lambda: vt.jit.save(net, f"{tmp_path}/", spec), ArgumentError, "needs a name at the end", "tmp_path")
    fails(lambda: vt.jit.save(net, path, [vt.InputSpec([None, 5])]), ShapeError, "must be 3", "vt.jit.save(net")
    assert contents(path) == before
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


# ---- saved tensors


@pytest.mark.parametrize("seed", range(40))
def test_mutated_state_files(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "state.pdparams"
    vt.save({"a": vt.ones([3]), "b": [1, 2.5, "text", None], "c": {"d": np.zeros((2, 2))}}, path)
    path.write_bytes(mutate(path.read_bytes(), np.random.default_rng(seed)))
    before = path.read_bytes()
    message = "state.pdparams"
    try:
        vt.load(path)
    except ArtifactError as error:
        message = str(error)
    assert "state.pdparams" in message
    assert path.read_bytes() == before


def test_state_files(tmp_path: Path) -> None:
    path = tmp_path / "state.pdparams"
    fails(lambda: vt.load(path), ArtifactError, "there is no such file", "vt.load(path)")
    vt.save(nn.Linear(3, 4).state_dict(), path)
    whole = path.read_bytes()
    fails(lambda: vt.save({"a": object()}, path), ArgumentError, "save can't write object at a", 'vt.save({"a"')
    fails(lambda: vt.save({}, tmp_path), ArgumentError, "save needs the path of a file", "vt.save({}, tmp_path)")
    assert path.read_bytes() == whole
    path.write_bytes(whole[:-9])
    fails(lambda: vt.load(path), ArtifactError, "the file is truncated", "vt.load(path)")
    path.write_bytes(b"\x80\x04\x95 a pickle, say")
    fails(lambda: vt.load(path), ArtifactError, "pickle, byte 2: ", "vt.load(path)")


# ---- data


def idx(dims: tuple[int, ...], data: bytes) -> bytes:
    return bytes([0, 0, 8, len(dims)]) + b"".join(struct.pack(">i", d) for d in dims) + data


@pytest.mark.parametrize(
    ("images", "labels", "text"),
    [
        (idx((2, 28, 28), bytes(1568))[:-1], idx((2,), bytes(2)), "train-images-idx3-ubyte"),
        (idx((2, 28, 28), bytes(1568)), idx((3,), bytes(3)), "2"),
        (idx((2, 28, 28), bytes(1568)), idx((2,), bytes([3, 200])), "label"),
        (b"hello", idx((2,), bytes(2)), "train-images-idx3-ubyte"),
        (b"", idx((2,), bytes(2)), "train-images-idx3-ubyte"),
        (idx((2**31 - 1, 2**15, 2**15), b""), idx((2,), bytes(2)), "train-images-idx3-ubyte"),
        (idx((2, 28, 28), bytes(1568)), gzip.compress(idx((2,), bytes(2)), mtime=0)[:-9], "train-labels-idx1-ubyte"),
    ],
)
def test_damaged_data_files(tmp_path: Path, images: bytes, labels: bytes, text: str) -> None:
    for name, data in (("images-idx3", images), ("labels-idx1", labels)):
        (tmp_path / f"train-{name}-ubyte{'.gz' if data[:2] == bytes([31, 139]) else ''}").write_bytes(data)
    fails(lambda: MNIST(tmp_path), DataError, text, "MNIST(tmp_path)")


def test_a_data_folder_without_the_files(tmp_path: Path) -> None:
    fails(lambda: MNIST(tmp_path), DataNotFoundError, "train-images-idx3-ubyte", "MNIST(tmp_path)")
    fails(lambda: MNIST(tmp_path / "none"), DataNotFoundError, "none", 'MNIST(tmp_path / "none")')
    fails(lambda: MNIST(tmp_path, mode="x"), ArgumentError, "mode must be 'train' or 'test', got 'x'", 'mode="x"')
    assert issubclass(DataNotFoundError, FileNotFoundError)


# ---- layers and optimisers


class Unready(nn.Layer):
    def __init__(self) -> None:
        self.inner = nn.ReLU()


MISUSES: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda w: setattr(w.net[0], "weight", 3), KindError, "Linear.weight holds a Parameter; it can't become a int"),
    (lambda w: setattr(w.net, "0", 3), KindError, "holds a Layer; it can't become a int"),
    (lambda w: setattr(w.net[1], "_mean", 3), KindError, "_mean holds a buffer; it can't become a int"),
    (lambda w: w.net.add_parameter("a.b", w.net[0].weight), NameTakenError, "must not be empty or contain '.'"),
    (lambda w: w.net.add_parameter("a", 3), KindError, "needs a Parameter or None, got a int"),
    (lambda w: w.net.add_parameter(3, w.net[0].weight), KindError, "must be a string, not a int"),
    (lambda w: w.net.add_sublayer("", nn.ReLU()), NameTakenError, "must not be empty"),
    (lambda w: w.net.register_buffer("a", 3), KindError, "needs a Tensor or None, got a int"),
    (lambda w: w.net[0].weight.set_value(np.zeros((2, 2))), ShapeError, "set_value got shape [2, 2], the tensor has"),
    (lambda w: w.net.set_state_dict({"0.weight": arange(2)}, strict=True), StateError, "'0.weight' has shape [2]"),
    (lambda w: w.net.set_state_dict(3), KindError, "needs a dict of tensors, not a int"),
    (lambda w: Unready(), StateError, "Unready.inner is set before the layer is ready"),
    (lambda w: nn.Linear("a", 2), ArgumentError, "in_features must be an int of at least 0, not 'a'"),
    (lambda w: nn.Conv2D(3, 4, 3, groups=2), ArgumentError, "in_channels (3) must be a multiple of groups (2)"),
    (lambda w: nn.Dropout(1.5), ArgumentError, "must be a number from 0 to 1, not 1.5"),
    (lambda w: vt.optimizer.SGD(0.1), MissingError, "an optimiser needs its parameters"),
    (lambda w: vt.optimizer.SGD(0.1, parameters=w.net[0].weight), KindError, "a list of Parameters, not a single one"),
    (lambda w: vt.optimizer.SGD(0.1, parameters=[3]), KindError, "must be Tensors, not a int"),
    (lambda w: vt.optimizer.SGD(0.1, parameters=[]), ArgumentError, "the list of parameters is empty"),
    (lambda w: vt.optimizer.SGD("a", parameters=w.net.parameters()), KindError, "must be a number, not a str"),
    (lambda w: vt.optimizer.Adam(0.1, beta1=2.0, parameters=w.net.parameters()), ArgumentError, "beta1 must be from 0"),
    (lambda w: w.opt.set_state_dict({"foo": arange(2)}), StateError, "'foo' belongs to no parameter of this Adam"),
    (lambda w: w.opt.set_lr("a"), KindError, "number"),
    (lambda w: vt.optimizer.lr.StepDecay("a", 2), KindError, "learning_rate must be a number, not a str"),
    (lambda w: vt.optimizer.lr.StepDecay(0.1, 0), ArgumentError, "StepDecay needs step_size >= 1"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MISUSES)))
def test_misuse_of_layers_and_optimisers(number: int) -> None:
    call, kind, text = MISUSES[number]
    world = World()
    world.step((world.net(arange(5, 3)) ** 2).mean())
    with world.unchanged():
        fails(lambda: call(world), kind, text)
    world.step((world.net(arange(5, 3)) ** 2).mean())


def test_a_rate_that_a_scheduler_sets() -> None:
    rate = vt.optimizer.lr.StepDecay(0.1, 2)
    opt = vt.optimizer.SGD(rate, parameters=nn.Linear(2, 2).parameters())
    fails(lambda: opt.set_lr(0.5), RuntimeError, "the learning rate is set by a scheduler", "opt.set_lr(0.5)")
    assert opt.get_lr() == 0.1
