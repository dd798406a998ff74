"""Feeds that no `data` declared: variables made beforehand, and values in the middle of a program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static

X = np.arange(24, dtype="float32").reshape(2, 3, 4)


def declared(name: str, shape: Any = None) -> Any:
    return static.default_main_program().global_block().create_var(name=name, dtype="float32", shape=shape)


@pytest.mark.parametrize("shape", [[2, 3, 4], [-1, 3, 4]])
def test_a_declared_variable_is_fed(shape: list[int]) -> None:
    out = declared("out")
    static.default_main_program().global_block().append_op(
        type="scale", inputs={"X": declared("x", shape)}, outputs={"Out": out}, attrs={"scale": 2.0}
    )
    for _ in range(2):
        (found,) = static.Executor().run(feed={"x": X}, fetch_list=["out"])
        np.testing.assert_array_equal(found, X * 2)
    with pytest.raises(ValueError, match="feed x is missing"):
        static.Executor().run(fetch_list=[out])
    static.global_scope().var("x").get_tensor().set(X + 1)
    np.testing.assert_array_equal(static.Executor().run(fetch_list=[out])[0], (X + 1) * 2)


@pytest.mark.parametrize(
    ("kind", "attrs", "shape", "parts"),
    [
        ("layer_norm", {"begin_norm_axis": 2}, (2, 3), (2, 3, 4)),
        ("layer_norm", {"begin_norm_axis": 1}, (2,), (2, 12)),
        ("group_norm", {"groups": 3}, (2, 3), (2, 3, 4)),
    ],
)
def test_normalisations_give_their_moments(
    kind: str, attrs: dict[str, Any], shape: tuple[int, ...], parts: tuple[int, ...]
) -> None:
    outputs = {slot: declared(slot) for slot in ("Y", "Mean", "Variance")}
    block = static.default_main_program().global_block()
    block.append_op(type=kind, inputs={"X": declared("x", [2, 3, 4])}, outputs=outputs, attrs=attrs)
    y, mean, variance = static.Executor().run(feed={"x": X}, fetch_list=list(outputs))
    split = X.reshape(parts)
    assert mean.shape == variance.shape == shape
    np.testing.assert_allclose(mean, split.mean(-1), rtol=1e-6)
    np.testing.assert_allclose(variance, split.var(-1), rtol=1e-5)
    centred = (split - split.mean(-1, keepdims=True)) / np.sqrt(split.var(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(y, centred.reshape(X.shape), rtol=1e-5)


def test_an_inference_model_begins_in_the_middle(tmp_path: Path) -> None:
    x = static.data("x", [2, 3, 4])
    middle = x * 3.0
    middle.name = "middle"
    out = vt.nn.functional.dropout(middle, p=vt.uniform([1])) + 1.0
    static.Executor().run(static.default_startup_program())
    static.save_inference_model(str(tmp_path / "m"), [middle], [out], static.Executor())
    program, feeds, fetches = static.load_inference_model(str(tmp_path / "m"), static.Executor())
    assert feeds == ["middle"]
    (found,) = static.Executor().run(program, feed={"middle": X}, fetch_list=fetches)
    np.testing.assert_array_equal(found, X + 1)
    np.testing.assert_array_equal(static.Executor().run(feed={"x": X}, fetch_list=[middle])[0], X * 3)
