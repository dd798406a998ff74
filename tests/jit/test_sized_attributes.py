"""Attributes that hold a size which a call brings: the verifier takes them, and they are saved and loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.ir.verifier import verify
from vitrify.jit import to_static

SIZED: dict[str, Any] = {
    "roll": lambda x: vt.roll(x, x.shape[0] // 2),
    "arange": lambda x: vt.arange(x.shape[0], 3 * x.shape[0], 2),
    "linspace": lambda x: vt.linspace(0, 1, x.shape[0]),
    "eye": lambda x: vt.eye(x.shape[0]),
    "pad": lambda x: F.pad(x, [0, x.shape[0]]),
    "one_hot": lambda x: F.one_hot(vt.zeros([2], "int64"), x.shape[0]),
    "dropout": lambda x: F.dropout(x, 0.0),
    "randperm": lambda x: vt.randperm(x.shape[0]).sum(),
    "slice": lambda x: x[x.shape[0] // 2 :],
    "repeat_interleave": lambda x: vt.repeat_interleave(x, x.shape[0]),
}


@pytest.mark.parametrize("name", SIZED)
def test_sizes_that_a_call_brings_are_attributes_of_programs_that_are_saved(name: str, tmp_path: Path) -> None:
    compiled = to_static(SIZED[name], input_spec=[vt.InputSpec([None], "float32")])
    verify(compiled.concrete_trace().program)
    vt.jit.save(compiled, str(tmp_path / "sized"))
    x = vt.arange(6).astype("float32")
    np.testing.assert_array_equal(vt.jit.load(str(tmp_path / "sized"))(x).numpy(), SIZED[name](x).numpy())
