"""Results that a flag chooses, exported: one output each, of the shape that the run gives it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

onnx = pytest.importorskip("onnx")
Spec = vt.static.InputSpec


def grown(x: Any) -> Any:
    """Columns are added until all rows are large, as words are to sentences."""
    done = vt.zeros([x.shape[0]], dtype="bool")
    steps = []
    for _ in range(3):
        x = vt.concat([x, x[:, -1:] * 2], axis=1)
        steps.append(x)
        done = done | (x[:, -1] > 9)
        if done.all():
            break
    return x, sum(each.sum() for each in steps), {"first": steps[0], "last": x[:, -1]}


def cut(x: Any) -> Any:
    """Two paths with a result each, of open sizes."""
    if x.sum() > 6:
        return x[1:] * 2
    return vt.concat([x, x])


def other_axes(x: Any) -> Any:
    """A matrix on one path and a line on the other, which no output has in one: the flag and both."""
    return x * 2 if x.sum() > 6 else x[0]


def leaves(made: Any) -> list[Any]:
    if isinstance(made, dict):
        made = [made[key] for key in sorted(made)]
    return [leaf for each in made for leaf in leaves(each)] if isinstance(made, (list, tuple)) else [made.numpy()]


@pytest.mark.parametrize(("model", "spec", "outputs"), [(grown, [2, 2], 4), (grown, [None, 2], 4), (cut, [None, 2], 1)])
def test_a_chosen_result_is_one_output(
    model: Callable[[Any], Any], spec: list[Any], outputs: int, tmp_path: Path
) -> None:
    vt.onnx.export(model, tmp_path / "model", [Spec(spec)])
    made = onnx.load(tmp_path / "model.onnx")
    onnx.checker.check_model(made, full_check=True)
    assert len(made.graph.output) == outputs
    again = vt.onnx.load(tmp_path / "model.onnx")
    shapes = set()
    for value in (5.0, 3.0, -1.0):
        x = np.full((2, 2), value, "float32")
        found, wanted = leaves(again(vt.to_tensor(x))), leaves(model(vt.to_tensor(x)))
        shapes.add(tuple(array.shape for array in wanted))
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert len(shapes) > 1


def test_paths_with_other_axes_stay_apart(tmp_path: Path) -> None:
    vt.onnx.export(other_axes, tmp_path / "model", [Spec([2, 2])])
    assert len(onnx.load(tmp_path / "model.onnx").graph.output) == 3
