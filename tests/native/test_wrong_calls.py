"""Random calls of a library, most of them wrong: each gives 0 or a code with a text, and touches only what it may.

Arrays and the model lie between pages that nobody may touch: a read or write beyond them ends this process.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .guarded import fenced
from .models import CASES, mlp

pytestmark = [
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif(
        (platform.machine(), sys.platform) != ("x86_64", "linux"), reason="libraries and the pages are Linux's"
    ),
]
CODES = {
    0: "", 1: "null|no shape", 2: "shape|sizes don't fit", 3: "isn't from|arena is too small", 5: "overlaps",
    6: "aligned",
}  # fmt: skip


class Tensor(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("shape", ctypes.c_void_p))


def library_of(folder: Path, target: str) -> Any:
    case = CASES["mlp_of_any_batch"]
    vt.native.build(mlp(), case.spec, folder, target, name="m", limits={"n": 6})
    found = ctypes.CDLL(str(folder / "libm.so"))
    found.m_create.restype, found.m_memory.restype, found.m_last_error.restype = (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_char_p,
    )
    found.m_memory.argtypes = (ctypes.c_void_p,)
    found.m_create.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    found.m_run.argtypes, found.m_last_error.argtypes = (ctypes.c_void_p,) * 3, (ctypes.c_void_p,)
    return found


@pytest.mark.parametrize("target", ["x86_64-linux", "x86_64-linux-any"])
def test_random_calls(target: str, tmp_path: Path) -> None:
    library, random = library_of(tmp_path / "m", target), np.random.default_rng(1)
    room = {n: fenced((library.m_memory((ctypes.c_int64 * 1)(n)),), "uint8", True) for n in (0, 2, 6)}
    arrays = {n: (fenced((n, 64), "float32", True), fenced((n, 10), "float32", True)) for n in range(8)}
    codes = []
    for _ in range(1500):
        arena = room[int(random.choice([0, 2, 6]))]
        size = int(random.choice([arena.size, arena.size, arena.size, random.integers(0, arena.size)]))
        model = library.m_create(arena.ctypes.data, size)
        if model is None:
            assert size < arena.size
            continue
        code = wrong_call(library, model, arrays, random)
        text = library.m_last_error(model).decode()
        assert code in CODES
        assert bool(code) == bool(text)
        assert not code or any(part in text for part in CODES[code].split("|")), (code, text)
        codes.append(code)
    assert set(codes) == set(CODES), "all kinds of mistakes were met"


def wrong_call(library: Any, model: int, arrays: Any, random: np.random.Generator) -> int:
    """A call whose arrays are as large as their shapes say, if the library would look at them at all."""
    n = int(random.integers(0, 8))
    x, y = arrays[n]
    shapes = [(ctypes.c_int64 * 2)(n, 64), (ctypes.c_int64 * 2)(n, 10)]
    places = [x.ctypes.data, y.ctypes.data]
    tables = [ctypes.addressof(shape) for shape in shapes]
    which = int(random.integers(0, 2))
    match random.integers(0, 8):
        case 0:
            places[which] = 0
        case 1:
            tables[which] = 0
        case 2:
            shapes[which][int(random.integers(0, 2))] = int(random.choice([-(2**63), -1, 7, 2**62, 2**63 - 1]))
        case 3:
            places[which] -= int(random.integers(1, 4))
        case 4:
            places[1] = places[0]
    inputs, outputs = (Tensor * 1)(Tensor(places[0], tables[0])), (Tensor * 1)(Tensor(places[1], tables[1]))
    pointers = [ctypes.addressof(inputs), ctypes.addressof(outputs)]
    if random.random() < 0.05:
        pointers[which] = 0
    return int(library.m_run(model, *pointers))
