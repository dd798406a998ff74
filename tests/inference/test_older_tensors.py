"""Tensors of PaddlePaddle 1's predictor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import inference
from vitrify.inference.older_tensors import PaddleBuf, PaddleDType, PaddleTensor


@pytest.mark.parametrize("dtype", ["float32", "int64", "int32", "uint8"])
def test_an_array_is_kept(dtype: str) -> None:
    array = np.arange(6, dtype=dtype).reshape(2, 3)
    made = PaddleTensor(array, "x")
    assert (made.name, made.shape, made.dtype, made.lod) == ("x", [2, 3], PaddleDType(dtype), [])
    assert made.data.tolist(dtype) == list(range(6))
    made.data.reset(array[::-1])
    np.testing.assert_array_equal(made.as_ndarray(), array[::-1])
    assert (made.data.length(), made.data.empty(), PaddleBuf([]).empty()) == (array.nbytes, False, True)
    assert made.data.float_data() == made.data.int64_data() == made.data.int32_data() == [3, 4, 5, 0, 1, 2]


def test_other_elements_are_told() -> None:
    with pytest.raises(ValueError, match="can't hold float64"):
        PaddleTensor(np.ones(2))
    with pytest.raises(ValueError, match="are int32, not float32"):
        PaddleTensor(np.ones(2, "int32")).data.tolist()


def test_a_predictor_takes_and_gives_them(tmp_path: Path) -> None:
    layer = vt.nn.Linear(2, 3)
    path = str(tmp_path / "model")
    vt.jit.save(layer, path, input_spec=[vt.static.InputSpec([None, 2], "float32", "x")])
    predictor: Any = inference.create_predictor(inference.Config(path))
    x = np.ones((4, 2), "float32")
    (found,) = predictor.run([PaddleTensor(x)])
    assert isinstance(found, PaddleTensor)
    assert found.name == predictor.get_output_names()[0]
    np.testing.assert_allclose(found.as_ndarray(), layer(vt.to_tensor(x)).numpy(), rtol=1e-6)
