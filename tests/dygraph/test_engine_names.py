"""What Paddle's engine calls a tensor's parts, for programs that use these names."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import vitrify as vt


def test_a_tensor_that_is_set_later() -> None:
    made = vt.Tensor()
    assert (made.shape, made.dtype, made._numel()) == ([0], vt.float32, 0)
    assert copy.deepcopy(made).shape == [0]
    made.set(np.arange(6).reshape(2, 3), vt.CPUPlace())
    assert made.tolist() == [[0, 1, 2], [3, 4, 5]] and made.dtype is vt.int64
    other = vt.Tensor()
    other._copy_from(made, vt.CPUPlace(), 1)
    assert other.tolist() == [[0, 1, 2]]
    other._clear()
    assert other.shape == [0]
    with pytest.raises(RuntimeError, match="result of an operation"):
        _made().set(np.ones(2))


def _made() -> vt.Tensor:
    x = vt.ones([2])
    x.stop_gradient = False
    return x * 2


def test_shared_memory() -> None:
    source, target = vt.arange(4), vt.Tensor()
    source._share_buffer_to(target)
    assert source.data_ptr() == target.data_ptr() and source._is_shared_buffer_with(target)
    assert not source._is_shared_buffer_with(source.clone())
    assert source._slice(1, 3).tolist() == [1, 2]


def test_kinds_and_versions() -> None:
    x = _made()
    assert x.type == vt.base.core.VarDesc.VarType.DENSE_TENSOR
    before = x.inplace_version
    x._bump_inplace_version()
    assert x.inplace_version == before + 1
    y = vt.ones([2])
    y.stop_gradient = False
    (y * 3).sum().backward()
    assert y._grad_value().tolist() == [3.0, 3.0]


def test_fill_takes_no_list() -> None:
    with pytest.raises(TypeError, match="list"):
        vt.ones([2]).fill_([1])


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "matmul"])
def test_operations_as_layers(name: str) -> None:
    x, y = vt.rand([2, 2]) + 1, vt.rand([2, 2]) + 1
    layer = getattr(vt.nn.quant, name)()
    assert isinstance(layer, vt.nn.quant.FloatFunctionalLayer)
    np.testing.assert_array_equal(layer(x, y).numpy(), getattr(vt, name)(x, y).numpy())


def test_rearrangements_as_layers() -> None:
    x, quant = vt.rand([2, 3]), vt.nn.quant
    assert quant.concat()([x, x], axis=1).shape == [2, 6]
    assert quant.reshape()(x, [3, 2]).shape == [3, 2]
    assert quant.transpose()(x, [1, 0]).shape == [3, 2]
    assert quant.flatten()(x).shape == [6]


def test_bucketize_needs_a_tensor() -> None:
    with pytest.raises(ValueError, match="must be a tensor"):
        vt.bucketize(None, vt.to_tensor([1.0, 2.0]))


def test_the_probability_of_dropout_as_a_tensor() -> None:
    layer = vt.nn.Dropout(p=vt.to_tensor(0.5))
    assert layer.p == 0.5
    with pytest.raises(ValueError, match="probability"):
        vt.nn.Dropout(p=vt.to_tensor(2.0))


def test_a_feed_as_a_tensor() -> None:
    made = vt.base.executor._as_lodtensor([1, 2], vt.CPUPlace(), vt.float64)
    assert made._dtype() is vt.float64 and np.array(made).tolist() == [1.0, 2.0]
    with pytest.raises(AssertionError, match="dtype is needed"):
        vt.base.executor._as_lodtensor(1, vt.CPUPlace())


def test_what_paddle_asserts() -> None:
    with pytest.raises(AssertionError, match="max > 0"):
        vt.nn.ClipGradByValue(-1.0)


def test_arguments_in_the_engines_order() -> None:
    place, array = vt.CPUPlace(), np.ones((2, 3), np.float32)
    make = vt.base.core.eager.Tensor
    made = make(array, place, True, False, "first", False)
    assert (made.name, made.persistable, made.stop_gradient, made.shape) == ("first", True, False, [2, 3])
    empty = make(vt.int64, [2, 0], "second", vt.base.core.VarDesc.VarType.LOD_TENSOR, True)
    assert (empty.name, empty.persistable, empty.dtype, empty.shape) == ("second", True, vt.int64, [2, 0])
    assert make(made, place, "third").name == "third" and make(array, place).dtype is vt.float32
    named = make(value=array, place=place, zero_copy=True, name="fourth", stop_gradient=False)
    assert (named.name, named.stop_gradient, named.persistable) == ("fourth", False, False)
    data = vt.base.core.DenseTensor()
    data.set(array, place)
    assert make(data, place).tolist() == make(data).tolist() == array.tolist()
    assert make(array, place, stop_gradient=False).stop_gradient is False
    with pytest.raises(TypeError, match="unknown argument 'colour'"):
        make(array, colour=1)


def test_copies_sums_and_gradients_of_the_engine() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    copied = x._copy_to(vt.CPUPlace(), True)
    assert (copied.tolist(), copied.stop_gradient) == ([1.0, 2.0], True)
    assert x._md5sum() == copied._md5sum() != vt.ones([2])._md5sum()
    assert x._place_str == "Place(cpu)" and x._is_initialized() and not vt.Tensor()._is_initialized()
    x._copy_gradient_from(vt.to_tensor([3.0, 4.0]))
    assert x.grad.tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="a gradient must be float32"):
        x._copy_gradient_from(vt.ones([3]))
    other = vt.zeros([5])
    x._share_underline_tensor_to(other)
    assert other.tolist() == [1.0, 2.0] and other._is_shared_underline_tensor_with(x)
    outside = vt.base.core.eager.scale(x, 2.0, 1.0, True, False)
    assert (outside.tolist(), outside.stop_gradient) == ([3.0, 5.0], True)


def test_parameters_by_shape() -> None:
    kind = vt.base.framework.EagerParamBase
    assert (kind([2, 3], "float64").shape, kind([], "float32").dtype) == ([2, 3], vt.float32)
    assert isinstance(vt.nn.Linear(1, 1).weight, kind) and not isinstance(vt.ones([1]), kind)
    for arguments in ((None, "float32"), ([1], None), ([-1], "float32")):
        with pytest.raises(ValueError, match="Parameter"):
            kind(*arguments)
