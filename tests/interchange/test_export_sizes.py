"""Models of open sizes at small sizes, by ONNX's reference: slices are cut as in Python, no axis is divided by 0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import GuardError
from vitrify.static import InputSpec

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


@pytest.mark.filterwarnings("ignore:.*takes for granted")
@pytest.mark.parametrize("name", CUTS)
def test_short_axes_are_cut_as_in_python(name: str, tmp_path: Path) -> None:
    from onnx.reference import ReferenceEvaluator

    vt.onnx.export(CUTS[name], tmp_path / "m", [vt.static.InputSpec([None])])
    model = ReferenceEvaluator(str(tmp_path / "m.onnx"))
    for n in range(7):
        x = np.arange(n, dtype="float32")
        (made,) = model.run(None, {model.input_names[0]: x})
        assert made.tolist() == CUTS[name](vt.to_tensor(x)).tolist(), n


def test_what_is_assumed_of_open_sizes_is_told_and_checked(tmp_path: Path) -> None:
    def fn(x: Any) -> Any:
        return vt.ones([x[:4].shape[0]])

    path = tmp_path / "m.onnx"
    with pytest.warns(UserWarning, match=r"fn takes for granted that N-4 >= 0; onnxruntime doesn't check it"):
        vt.onnx.export(fn, path, [InputSpec([None, 4])])
    assert [(p.key, p.value) for p in onnx.load(path).metadata_props] == [("vitrify.assumed", "N-4 >= 0")]
    loaded = vt.onnx.load(path)
    assert loaded(vt.ones([5, 4])).shape == [4]
    with pytest.raises(GuardError, match="assumes N >= 4"):
        loaded(vt.ones([2, 4]))


def test_what_is_assumed_is_read_with_care(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="takes for granted"):
        vt.onnx.export(lambda x: x[:4].sum(0), tmp_path / "m.onnx", [InputSpec([None, 4])])
    proto = onnx.load(tmp_path / "m.onnx")
    for text in ("N-4 > 0", "import os", "f(N) >= 0", "N-"):
        proto.metadata_props[0].value = text
        with pytest.raises(vt.errors.VitrifyError):
            vt.onnx.load(proto.SerializeToString())
    proto.metadata_props[0].value = "K-4 >= 0"  # of a size that no input has
    assert vt.onnx.load(proto.SerializeToString())(vt.ones([5, 4])).shape == [4]
