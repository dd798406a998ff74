"""What a host gives to a library: weights from a file, a thread pool. And Python's results with the library's bits."""

from __future__ import annotations

import ctypes
import platform
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError
from vitrify.native.emulation import missing_emulator

from .conftest import Built
from .models import CASES, LARGE, compare, expected, mlp, numbers

pytestmark = [
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="libraries are for x86-64"),
]
OK, NULL, ALIGN, WEIGHTS, FILE = 0, 1, 6, 8, 9


# ---- weights beside the library ------------------------------------------------------------------------------------


def test_weights_lie_beside_the_library(built: Built) -> None:
    """Any reader of safetensors reads them; the library is as small as its code."""
    folder, model = built("mlp", weights="beside")
    found = load_file(folder / "mlp.safetensors")
    weights = {name: array for name, array in found.items() if not name.startswith("padding")}
    assert sum(array.nbytes for array in weights.values()) >= 4 * (64 * 64 * 2 + 64 * 10)
    np.testing.assert_array_equal(weights["0.weight"], model[0].weight.numpy())
    inside, _ = built("mlp")
    assert (folder / "libmlp.so").stat().st_size < (inside / "libmlp.so").stat().st_size - 30_000
    (x,) = CASES["mlp"].arrays
    first = vt.native.load(folder)(x)
    compare(first, expected(model, (x,)))
    np.testing.assert_array_equal(first, vt.native.load(inside)(x))


@pytest.mark.parametrize("name", ["decoder", "training", "lenet_of_any_batch"])
def test_first_values_of_state_come_from_the_file(name: str, built: Built) -> None:
    folder, model = built(name, weights="beside")
    loaded, case = vt.native.load(folder), CASES[name]
    for _ in range(2):
        compare(loaded(*case.arrays), expected(model, case.arrays))


@pytest.mark.parametrize("target", ["x86_64-linux-any", "wasm32"])
def test_other_platforms_read_weights_from_files(target: str, built: Built) -> None:
    if missing_emulator(target):
        pytest.skip(f"{missing_emulator(target)} isn't there")
    folder, model = built("mlp", target, weights="beside")
    compare(vt.native.emulate(folder, *CASES["mlp"].arrays), expected(model, CASES["mlp"].arrays))


class Library:
    """The functions of one library, through ctypes."""

    def __init__(self, folder: Path, name: str) -> None:
        found = ctypes.CDLL(str(folder / f"lib{name}.so"))
        for function in ("create", "last_error", "attach", "map", "unmap", "run", "memory"):
            setattr(self, function, getattr(found, f"{name}_{function}"))
        self.memory.restype, self.create.restype, self.last_error.restype = (
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_char_p,
        )
        self.create.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
        self.attach.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        self.map.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
        self.run.argtypes = (ctypes.c_void_p,) * 3
        self.unmap.argtypes = self.last_error.argtypes = (ctypes.c_void_p,)
        self.arena = np.empty(self.memory(None), np.uint8)
        self.model = self.create(self.arena.ctypes.data, self.arena.size)

    def mapped(self, file: Path) -> tuple[int, str]:
        code = self.map(self.model, str(file).encode())
        return code, self.last_error(self.model).decode()


def test_wrong_files_of_weights_give_codes(built: Built, tmp_path: Path) -> None:
    folder, _ = built("mlp", weights="beside")
    library, good = Library(folder, "mlp"), folder / "mlp.safetensors"
    x, y = np.ones((1, 64), "float32"), np.empty((1, 10), "float32")
    tables = [(ctypes.c_void_p * 2)(a.ctypes.data, 0) for a in (x, y)]
    assert library.run(library.model, *tables) == WEIGHTS
    assert library.last_error(library.model) == b"the model has no weights: call mlp_map or mlp_attach"
    content, bad = good.read_bytes(), tmp_path / "bad"
    for change, text in (
        (content[:-1], "longer or shorter"), (content + b"\0", "longer or shorter"), (content[:5], "no safetensors"),
        (b"\xff" * 8 + content[8:], "no safetensors"), (content.replace(b"F32", b"F64", 1), "have no 0."),
        (content.replace(b"[64]", b"[32]", 1), r"of F32[64] where"),
    ):  # fmt: skip
        bad.write_bytes(change)
        code, found = library.mapped(bad)
        assert (code, text in found) == (WEIGHTS, True), found
    assert library.mapped(tmp_path / "none") == (FILE, "the file of the weights can't be opened")
    assert library.mapped(tmp_path)[0] == FILE
    assert library.map(None, b"x") == library.attach(None, None, 0) == library.map(library.model, None) == NULL
    assert library.run(library.model, *tables) == WEIGHTS
    block = np.frombuffer(b"\0" + content, np.uint8)
    assert library.attach(library.model, block.ctypes.data + 1, len(content)) in (ALIGN, OK)
    assert library.mapped(good) == (OK, "")
    assert library.run(library.model, *tables) == OK
    library.unmap(library.model)
    assert library.run(library.model, *tables) == WEIGHTS


def test_weights_that_lie_in_the_library_cannot_be_replaced(built: Built) -> None:
    library = Library(built("mlp")[0], "mlp")
    assert library.mapped(Path("x")) == (WEIGHTS, "the weights lie in the library")


def test_other_weights_of_the_same_shapes_are_read(built: Built, tmp_path: Path) -> None:
    """A library stays, its file changes: a model that was trained on."""
    shutil.copytree(built("mlp", weights="beside")[0], tmp_path / "m")
    vt.seed(77)
    other = mlp()
    vt.native.build(other, CASES["mlp"].spec, tmp_path / "other", name="mlp", weights="beside")
    shutil.copy(tmp_path / "other" / "mlp.safetensors", tmp_path / "m")
    compare(vt.native.load(tmp_path / "m")(*CASES["mlp"].arrays), expected(other, CASES["mlp"].arrays))


def test_a_file_that_is_not_the_model_s_is_an_error_in_python(built: Built, tmp_path: Path) -> None:
    shutil.copytree(built("mlp", weights="beside")[0], tmp_path / "m")
    save_file({"a": np.ones(3)}, tmp_path / "m" / "mlp.safetensors")
    with pytest.raises(ValueError, match="the weights have no 0"):
        vt.native.load(tmp_path / "m")
    with pytest.raises(ArgumentError, match="weights is 'below'"):
        vt.native.build(mlp(), CASES["mlp"].spec, tmp_path / "n", weights="below")


# ---- threads -------------------------------------------------------------------------------------------------------


class Wide(nn.Layer):
    """Steps that are large enough to split: rows, sums, a convolution, a product."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.out = nn.Conv2D(4, 16, 3, padding=1), nn.Linear(1024, 256)

    def forward(self, x: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        y = vt.nn.functional.softmax(self.conv(x).reshape([-1, 1024]))
        return self.out(vt.tanh(y) * 30.0), y.sum()


def test_a_pool_runs_parts_of_steps_and_changes_no_bit(tmp_path: Path) -> None:
    vt.native.build(Wide(), [vt.InputSpec([4, 4, 32, 32])], tmp_path / "m")
    x = numbers(4, 4, 32, 32)
    wanted = vt.native.load(tmp_path / "m")(x)
    threads: set[int] = set()

    class Pool(ThreadPoolExecutor):
        def map(self, function: Any, *numbers: Any, **options: Any) -> Any:
            def noted(k: int) -> Any:
                threads.add(threading.get_ident())
                return function(k)

            return super().map(noted, *numbers, **options)

    with Pool(3) as pool:
        for count in (2, 3, 7):
            loaded = vt.native.load(tmp_path / "m")
            loaded.split(count, pool)
            for a, b in zip(loaded(x), wanted, strict=True):
                np.testing.assert_array_equal(a, b)
        assert threads and threading.get_ident() not in threads
        threads.clear()
        loaded.split(1)
        loaded(x)
        assert not threads
    loaded.split(2, pool)  # it has ended
    with pytest.raises(RuntimeError, match="cannot schedule new futures"):
        loaded(x)


# ---- the bits of Python --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["x86_64-linux", "x86_64-linux-v2"])
def test_python_gives_the_library_s_bits(model_name: str, target: str, built: Built) -> None:
    if target != "x86_64-linux" and list(CASES | LARGE).index(model_name) % 2:
        pytest.skip("every other model for the other level: their libraries are there for other tests")
    case = (CASES | LARGE)[model_name]
    folder, model = built(model_name, target)
    loaded, here = vt.native.load(folder), vt.native.reference(model, case.spec, target)
    for _ in range(case.runs):
        found, wanted = loaded(*case.arrays), here(*case.arrays)
        for a, b in zip(*(one if isinstance(one, tuple) else (one,) for one in (found, wanted)), strict=True):
            assert a.shape == b.shape
            assert a.tobytes() == b.tobytes()


def test_code_of_other_cpus_is_no_reference() -> None:
    with pytest.raises(ArgumentError, match="code for aarch64-linux doesn't run here"):
        vt.native.reference(mlp(), CASES["mlp"].spec, "aarch64-linux")
