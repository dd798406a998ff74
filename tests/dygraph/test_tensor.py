"""The Tensor's face: facts, conversions to and from Python and NumPy, printing, DLPack, copies, parameters."""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.errors import ArgumentError, CaptureError, DTypeError, GradientError, ShapeError
from vitrify.base.flags import set_default_dtype
from vitrify.dygraph.conversions import from_dlpack, to_dlpack, to_tensor
from vitrify.dygraph.tensor import Parameter, Tensor, wrap
from vitrify.ops.op import OPS


class Symbolic:
    """Stands for a program's value: has a type, but no elements."""

    shape = (2, 3)
    dtype = dt.float32


def test_facts() -> None:
    x = to_tensor(np.zeros((2, 3), np.float64))
    assert (x.shape, x.ndim, x.size, x.dtype) == ([2, 3], 2, 6, dt.float64)
    assert x.stop_gradient
    assert x.is_leaf
    assert x.grad is None
    assert x.place == "cpu"
    assert len(x) == 2


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (1, dt.int64), (1.5, dt.float32), (True, dt.bool_), ([1, 2], dt.int64), ([1, 2.5], dt.float32),
        ([[True], [False]], dt.bool_), (np.float64(2.0), dt.float64), (np.arange(3, dtype=np.int32), dt.int32),
        (1 + 2j, dt.complex64), ([], dt.float32), ([np.float64(1)], dt.float32),
        ([np.array([1.0], np.float16)], dt.float32), ([np.int32(1)], dt.int32), (np.float16(1), dt.float16),
    ],
)  # fmt: skip
def test_dtypes_of_python_data(data: Any, dtype: dt.DType) -> None:
    x = to_tensor(data)
    assert x.dtype is dtype
    np.testing.assert_array_equal(x.numpy(), np.asarray(data, dtype.numpy))


def test_default_dtype_is_obeyed() -> None:
    set_default_dtype("float64")
    try:
        assert to_tensor([1.0]).dtype is dt.float64
    finally:
        set_default_dtype("float32")


def test_data_are_copied() -> None:
    array = np.zeros(3, np.float32)
    x = to_tensor(array)
    array[:] = 7
    assert x.tolist() == [0, 0, 0]
    x.numpy()[:] = 5
    np.asarray(x)[:] = 5
    assert x.tolist() == [0, 0, 0]


def test_lists_of_tensors_are_stacked() -> None:
    x = to_tensor([to_tensor([1.0, 2.0]), to_tensor([3.0, 4.0])])
    assert x.tolist() == [[1, 2], [3, 4]]
    assert to_tensor([[to_tensor(1.0), 2.0]]).shape == [1, 2]


def test_to_tensor_of_a_tensor_is_a_copy_without_history() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    y = to_tensor(x * 2)
    assert y.stop_gradient
    assert y.is_leaf
    y.zero_()
    z = to_tensor(x)
    z.zero_()
    assert x.tolist() == [1.0]


@pytest.mark.parametrize("data", ["text", [[1], [2, 3]], ["a"], object(), [None], {"a": 1}])
def test_what_cannot_become_a_tensor(data: Any) -> None:
    with pytest.raises((ArgumentError, DTypeError), match="can't become a tensor"):
        to_tensor(data)


def test_a_number_too_large_for_its_dtype() -> None:
    with pytest.raises(ArgumentError, match="doesn't fit into int32"):
        to_tensor(2**40, "int32")


def test_python_numbers() -> None:
    x = to_tensor([[2.5]])
    assert (float(x), int(x), bool(x), x.item(), complex(x)) == (2.5, 2, True, 2.5, 2.5 + 0j)
    assert [10, 11, 12][to_tensor(1)] == 11  # type: ignore[call-overload]
    assert to_tensor([1.0, 2.0]).item(1) == 2.0
    assert f"{x:.2f}" == "2.50"
    with pytest.raises(DTypeError):
        operator.index(x)


@pytest.mark.parametrize("convert", [bool, int, float, Tensor.item])
def test_many_elements_are_not_one_number(convert: Any) -> None:
    with pytest.raises(ValueError, match="2 elements"):
        convert(to_tensor([1.0, 2.0]))


def test_rank_zero_has_no_length() -> None:
    with pytest.raises(TypeError):
        len(to_tensor(1.0))
    with pytest.raises(TypeError):
        iter(to_tensor(1.0))


def test_array_protocol() -> None:
    x = to_tensor([1.0, 2.0])
    assert np.asarray(x).dtype == np.float32
    assert np.array(x, np.float64).dtype == np.float64
    view = x.__array__(copy=False)
    assert not view.flags.writeable
    x.add_(1.0)
    assert view.tolist() == [1, 2]  # a write is never seen through a view
    with pytest.raises(ValueError, match="without a copy"):
        x.__array__(np.float64, copy=False)


def test_equality_is_elementwise_and_hash_is_identity() -> None:
    x = to_tensor([1.0, 2.0])
    assert (x == to_tensor([1.0, 3.0])).tolist() == [True, False]
    assert (x != 1.0).tolist() == [False, True]
    assert (x == None) is False  # noqa: E711
    assert {x: 1}[x] == 1
    assert 2.0 in x
    assert 5.0 not in x


def test_printing() -> None:
    assert repr(to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])) == (
        "Tensor(shape=[2, 3], dtype=float32, place=Place(cpu), stop_gradient=True,\n"
        "       [[1., 2., 3.],\n        [4., 5., 6.]])"
    )
    assert repr(Parameter([1.0])).startswith("Parameter containing:\nTensor(shape=[1], dtype=float32")
    assert "traced" in repr(wrap(Symbolic(), dt.float32))


def test_dlpack_round_trip_keeps_value_semantics() -> None:
    array = np.arange(4.0)
    x = from_dlpack(array)
    assert x.tolist() == [0, 1, 2, 3]
    x.add_(1.0)
    assert array.tolist() == [0, 1, 2, 3]
    assert np.from_dlpack(x).tolist() == [1, 2, 3, 4]
    assert from_dlpack(to_dlpack(x)).tolist() == [1, 2, 3, 4]
    with pytest.raises(ArgumentError, match="DLPack"):
        from_dlpack(3)


def test_copies() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    y = copy.deepcopy(x)
    y.detach().zero_()
    assert x.tolist() == [1.0]
    assert not y.stop_gradient
    with pytest.raises(GradientError, match="leaf"):
        copy.deepcopy(x * 2)
    assert copy.copy(x).tolist() == [1.0]


@pytest.mark.parametrize("value", ["no", "", 0.5, []])
def test_stop_gradient_is_a_flag(value: Any) -> None:
    x = to_tensor([1.0])
    with pytest.raises(TypeError, match="stop_gradient is True or False"):
        x.stop_gradient = value
    assert x.stop_gradient is True


def test_parameters() -> None:
    p = Parameter([1.0, 2.0], name="w")
    assert (p.trainable, p.stop_gradient, p.persistable, p.name, p.need_clip) == (True, False, True, "w", True)
    with pytest.raises(ArgumentError, match="True or False"):
        p.trainable = "1"
    p.trainable = False
    assert p.stop_gradient
    q = copy.deepcopy(p)
    assert isinstance(q, Parameter)
    assert q.name != p.name
    q.set_value([5.0, 6.0])
    assert p.tolist() == [1, 2]
    assert Parameter([1.0]).name != Parameter([1.0]).name


def test_methods_come_from_the_table() -> None:
    x = to_tensor([0.0, 1.0])
    np.testing.assert_allclose(x.tanh().numpy(), np.tanh([0, 1]), rtol=1e-6)
    np.testing.assert_allclose(x.sum().numpy(), 1)
    assert x.astype("int64").dtype is dt.int64
    assert x.cast("float32") is x
    assert x.to("cpu") is x and x.to(other=x.astype("int64")).dtype is dt.int64
    with pytest.raises(ValueError, match="neither a dtype nor a device"):
        x.to("somewhere")
    assert x.to("cpu", "float64").dtype is dt.float64
    assert x.T.shape == [2]
    assert to_tensor([[1.0, 2.0]]).T.shape == [2, 1]
    assert {name for name, op in OPS.items() if op.method and op.public and not hasattr(Tensor, name)} == set()


def test_iteration_and_subscripts() -> None:
    x = to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert x[1, 0].item() == 3
    assert x[:, 1].tolist() == [2, 4]


def test_a_traced_tensor_that_escapes_is_named() -> None:
    x = wrap(Symbolic(), dt.float32)
    assert x.shape == [2, 3]
    for use in (lambda: x + 1.0, x.numpy, lambda: float(x)):
        with pytest.raises(CaptureError, match=r"f32\[2, 3\].*escaped"):
            use()


def test_shape_errors_are_typed() -> None:
    with pytest.raises(ShapeError, match=r"\[2\] and \[3\]"):
        to_tensor([1.0, 2.0]) + to_tensor([1.0, 2.0, 3.0])


def test_what_is_no_tensor_is_a_wrong_kind_and_a_wrong_value() -> None:
    for error in (TypeError, ValueError):
        with pytest.raises(error, match="NoneType can't become a tensor"):
            to_tensor(None)
