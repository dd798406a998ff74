"""InputSpec: shapes with holes, names of sizes, Paddle's conversions and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import float32, float64, int64
from vitrify.base.errors import DTypeError
from vitrify.ir.input_spec import InputSpec, Symbols, input_types
from vitrify.ops.dims import Dim


class Fake:
    """Something like a tensor."""

    def __init__(self, shape: list[Any], dtype: Any, name: str | None = None) -> None:
        self.shape, self.dtype, self.name = shape, dtype, name


def test_holes() -> None:
    spec = InputSpec([None, -1, 3, np.int64(4), "batch"], "int64", "x", stop_gradient=True)
    assert spec.shape == (-1, -1, 3, 4, "batch")
    assert (spec.dtype, spec.name, spec.stop_gradient) == (int64, "x", True)
    assert repr(InputSpec((2,))) == "InputSpec(shape=(2,), dtype=vitrify.float32, name=None, stop_gradient=False)"


@pytest.mark.parametrize("shape", [3, "ab", None, {1: 2}])
def test_a_shape_is_a_list_or_tuple(shape: Any) -> None:
    with pytest.raises(TypeError, match="list or tuple"):
        InputSpec(shape)


@pytest.mark.parametrize("size", [-2, 1.5, True, "2x", "f32", "", [3]])
def test_wrong_sizes(size: Any) -> None:
    with pytest.raises(ValueError, match="size"):
        InputSpec([size, 2])


def test_a_wrong_dtype() -> None:
    with pytest.raises(DTypeError):
        InputSpec([2], "float7")


def test_from_tensor_and_numpy() -> None:
    assert InputSpec.from_tensor(Fake([2, Dim.symbol("N")], float64, "t")) == InputSpec([2, None], "float64", "t")
    assert InputSpec.from_tensor(Fake([2], float64, "t"), name="u").name == "u"
    assert InputSpec.from_numpy(np.ones((2, 3), np.int64), "a") == InputSpec([2, 3], "int64", "a")
    with pytest.raises(ValueError, match="takes a tensor"):
        InputSpec.from_tensor(3)


def test_batch() -> None:
    spec = InputSpec([64])
    assert spec.batch(4) is spec
    assert spec.shape == (4, 64)
    assert spec.unbatch() is spec
    assert spec.shape == (64,)
    assert spec.batch(np.array([8])).shape == (8, 64)
    with pytest.raises(ValueError, match="one element"):
        spec.batch(np.array([1, 2]))
    with pytest.raises(ValueError, match="one element"):
        spec.batch([1, 2])
    for wrong in (1.5, "4", True):
        with pytest.raises(TypeError, match="must be an int"):
            spec.batch(wrong)
    with pytest.raises(ValueError, match="no batch axis"):
        InputSpec([]).unbatch()


def test_hash_and_equality() -> None:
    a = InputSpec([None, 3], "float32", "x")
    assert a == InputSpec((-1, 3), float32, "x")
    assert hash(a) == hash(InputSpec((-1, 3), float32, "x"))
    assert hash(a) == hash(InputSpec((-1, 3), float32, "y"))
    assert a != InputSpec([None, 3], "float32", "y")
    assert a != InputSpec([None, 3], "float32", "x", stop_gradient=True)
    assert a != "x"


def test_types_share_one_supply_of_symbols() -> None:
    specs = [InputSpec([None, "N"]), InputSpec(["N", -1], "int64"), InputSpec([2])]
    assert [str(kind) for kind in input_types(specs)] == ["f32[M, N]", "i64[N, K]", "f32[2]"]


def test_symbols_never_run_out() -> None:
    supply = Symbols()
    names = [str(supply.fresh()) for _ in range(40)]
    assert len(set(names)) == 40
    assert names[:2] == ["N", "M"]
