"""Models of open sizes at small sizes, by ONNX's reference: slices are cut as in Python, no axis is divided by 0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

onnx = pytest.importorskip("onnx")

CUTS: dict[str, Callable[[Any], Any]] = {
    "the last": lambda x: x[-3:],
    "all but the last": lambda x: x[:-1],
    "between both": lambda x: x[-3:-1],
    "backwards": lambda x: x[::-1],
    "backwards to the third last": lambda x: x[:-3:-1],
    "the last backwards": lambda x: x[-1:-4:-1],
    "every second of the last": lambda x: x[-5::2],
    "pieces": lambda x: vt.concat([x[-2:], x[:-2] * 2]),
    "turned": lambda x: vt.roll(x, 2, 0),
    "turned by half": lambda x: vt.roll(x, x.shape[0] // 2, 0),
    "turned back by a third": lambda x: vt.roll(x, -(x.shape[0] // 3), 0),
}


@pytest.mark.parametrize("name", CUTS)
def test_short_axes_are_cut_as_in_python(name: str, tmp_path: Path) -> None:
    from onnx.reference import ReferenceEvaluator

    vt.onnx.export(CUTS[name], tmp_path / "m", [vt.static.InputSpec([None])])
    model = ReferenceEvaluator(str(tmp_path / "m.onnx"))
    for n in range(7):
        x = np.arange(n, dtype="float32")
        (made,) = model.run(None, {model.input_names[0]: x})
        assert made.tolist() == CUTS[name](vt.to_tensor(x)).tolist(), n
