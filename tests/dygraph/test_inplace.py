"""In-place writes: versions, views, sharing, gradients through them, stale saved tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DTypeError, GradientError, ShapeError
from vitrify.dygraph import storage
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.modes import no_grad
from vitrify.dygraph.tensor import Parameter, Tensor


@pytest.fixture
def written() -> Iterator[list[Tensor]]:
    """The tensors written in place during the test."""
    log: list[Tensor] = []
    storage.on_write = log.append
    yield log
    storage.on_write = None


def test_plus_equals_rebinds_and_methods_write() -> None:
    x = y = to_tensor([1.0])
    x += 1.0
    assert y.tolist() == [1.0]
    y.add_(1.0)
    assert y.tolist() == [2.0]
    assert y.inplace_version == 1


def test_a_write_reuses_the_memory_and_keeps_the_epoch() -> None:
    x = to_tensor([1.0, 2.0])
    memory, epoch = x._storage.payload, storage.counters.epoch
    x.set_value([3.0, 4.0])
    assert x._storage.payload is memory
    assert storage.counters.epoch == epoch
    assert x.tolist() == [3, 4]


def test_a_write_to_shared_memory_moves_it() -> None:
    x = to_tensor([[1.0, 2.0]])
    y = x.snapshot()
    epoch = storage.counters.epoch
    x.zero_()
    assert storage.counters.epoch == epoch + 1
    assert (x.tolist(), y.tolist()) == ([[0, 0]], [[1, 2]])
    y.fill_(7)
    assert (x.tolist(), y.tolist()) == ([[0, 0]], [[7, 7]])


def test_views_of_views_follow() -> None:
    x = to_tensor(np.arange(6.0))
    y = x.reshape([2, 3])
    z = y[1]
    y.add_(10.0)
    assert (x.tolist(), z.tolist()) == ([10, 11, 12, 13, 14, 15], [13, 14, 15])
    z.zero_()
    assert y.tolist() == [[10, 11, 12], [0, 0, 0]]


def test_detach_sees_writes() -> None:
    x = to_tensor([1.0, 2.0], stop_gradient=False)
    y = x.detach()
    y.add_(1.0)
    assert x.tolist() == [2, 3]
    assert x.inplace_version == 1
    z, kept = x.reshape([2, 1]), x.snapshot()  # the memory is shared now: the write moves it, and all twins follow
    y.add_(1.0)
    assert (x.tolist(), y.tolist(), z.tolist(), kept.tolist()) == ([3, 4], [3, 4], [[3], [4]], [2, 3])


def test_own_gives_private_memory() -> None:
    x = to_tensor([1.0])
    y = x.snapshot()
    x._storage.own()[:] = 5
    assert (x.tolist(), y.tolist()) == ([5], [1])


def test_a_constant_of_a_table_is_never_written() -> None:
    x = to_tensor([1.0]) * 3.0
    assert to_tensor(3.0).add_(1.0).item() == 4.0
    assert (to_tensor([1.0]) * 3.0).tolist() == x.tolist()


def test_writes_are_announced(written: list[Tensor]) -> None:
    x = to_tensor([1.0, 2.0])
    x.add_(1.0)
    x[0] = 5.0
    x.set_value([0.0, 0.0])
    x.zero_()
    assert len(written) == 4
    assert all(w is x for w in written)


def test_setitem() -> None:
    x = to_tensor([[1.0, 2.0], [3.0, 4.0]])
    x[0] = 9.0
    x[1, 1] = to_tensor(7.0)
    assert x.tolist() == [[9, 9], [3, 7]]
    x[...] = 0.0
    assert x.tolist() == [[0, 0], [0, 0]]


def test_gradients_flow_through_setitem() -> None:
    x = to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    v = to_tensor(5.0, stop_gradient=False)
    y = x * 2.0
    y[1] = v * v
    (y * to_tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad is not None
    assert v.grad is not None
    assert x.grad.tolist() == [2, 0, 200]
    assert v.grad.item() == 100.0


def test_gradients_flow_into_a_buffer() -> None:
    buffer = to_tensor([0.0, 0.0])
    v = to_tensor(3.0, stop_gradient=False)
    buffer[0] = v * 2.0
    assert not buffer.stop_gradient
    buffer.sum().backward()
    assert v.grad is not None
    assert v.grad.item() == 2.0


def test_in_place_ops_read_the_value_from_before() -> None:
    x = to_tensor([2.0], stop_gradient=False)
    y = x * 1.0
    y.multiply_(y)
    y.tanh_()
    y.add_(1.0)
    y.backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), 4 * (1 - np.tanh(4.0) ** 2), rtol=1e-2)


def test_leaves_that_need_gradients_are_protected() -> None:
    p = Parameter([1.0])
    for write in (lambda: p.add_(1.0), p.zero_, lambda: p.__setitem__(0, 1.0)):
        with pytest.raises(ValueError, match="leaf"):
            write()
    with no_grad():
        p.add_(1.0)
    p.set_value([5.0])
    assert p.tolist() == [5.0]
    assert not p.stop_gradient


def test_a_stale_tensor_is_an_error_that_names_both_lines() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    y = x * 2.0
    z = y * y  # used here
    y.add_(1.0)  # overwritten here
    with pytest.raises(GradientError) as caught:
        z.backward()
    message = str(caught.value)
    assert "operand 0 of multiply" in message
    assert "received tensor_version:1 != wrapper_version_snapshot:0" in message
    assert "# used here" in message
    assert "# overwritten here" in message
    assert isinstance(caught.value, RuntimeError)


def test_a_stale_result_is_an_error() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    y = x.exp()
    y.add_(1.0)
    with pytest.raises(GradientError, match="result of exp"):
        y.backward()


def test_an_overwritten_operand_that_no_rule_reads_is_fine() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    y = x * 2.0
    z = y + 1.0
    y.zero_()
    z.backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0]


def test_what_in_place_writes_refuse() -> None:
    x = to_tensor([1, 2])
    with pytest.raises(ShapeError, match=r"\[2\] to \[3, 2\]"):
        x.add_(to_tensor(np.zeros((3, 2), np.int64)))
    with pytest.raises(DTypeError, match="int64 to float32"):
        x.add_(1.5)
    with pytest.raises(ShapeError, match="set_value"):
        x.set_value([1, 2, 3])
    assert x.tolist() == [1, 2]
    assert x.inplace_version == 0


def test_set_value_casts_and_copies() -> None:
    x = to_tensor([1.0, 2.0])
    array = np.array([3.0, 4.0])
    x.set_value(array)
    array[:] = 0
    other = to_tensor([5.0, 6.0])
    y = to_tensor([0.0, 0.0])
    y.set_value(other)
    y.add_(1.0)
    assert (x.tolist(), other.tolist(), y.tolist()) == ([3, 4], [5, 6], [6, 7])


def test_copy_is_recorded_and_broadcasts() -> None:
    x = to_tensor([1.0, 2.0, 3.0])
    v = to_tensor(2.0, stop_gradient=False)
    x.copy_(v * v)
    x.sum().backward()
    assert v.grad is not None
    assert v.grad.item() == 12.0


@pytest.mark.parametrize("compiles", [lambda fn: fn, vt.to_static])
def test_the_gradient_of_a_copy_goes_to_a_leaf_too(compiles: Any) -> None:
    """Whether the target is of the graph or not; without recording the source has none."""

    def fn(x: Any, v: Any) -> Any:
        inner, outer, plain = x * 1.0, vt.zeros([3, 2]), x * 2.0
        inner.copy_(v, True)
        outer.copy_(v)
        with vt.no_grad():
            plain.copy_(v)
        return (inner * 3.0).sum() + (outer * 10.0).sum() + (plain * 100.0).sum() + (v * 0.5).sum()

    x, v = vt.ones([2]), vt.full([2], 5.0)
    x.stop_gradient = v.stop_gradient = False
    compiles(fn)(x, v).backward()
    assert v.grad.tolist() == [33.5, 33.5]
    assert x.grad.tolist() == [200.0, 200.0]


def test_reshaping_in_place() -> None:
    x = to_tensor(np.arange(4.0))
    x.reshape_([2, 2])
    assert x.tolist() == [[0, 1], [2, 3]]


def test_argument_errors_are_value_errors() -> None:
    assert issubclass(ArgumentError, ValueError)


RETYPED = [
    ("equal_", (vt.to_tensor([1.0, 5.0]),), [True, False]),
    ("not_equal_", (vt.to_tensor([1.0, 5.0]),), [False, True]),
    ("less_than_", (2.0,), [True, False]),
    ("greater_equal_", (2.0,), [False, True]),
    ("logical_and_", (vt.to_tensor([0.0, 3.0]),), [False, True]),
    ("logical_not_", (), [False, False]),
    ("cast_", ("int64",), [1, 2]),
    ("cumsum_", (0, "float64"), [1.0, 3.0]),
    ("add_", (vt.ones([2], "float64"),), [2.0, 3.0]),
    ("multiply_", (vt.ones([2], "complex64") * 2j,), [2j, 4j]),
    ("divide_", (vt.full([2], 2.0, "float64"),), [0.5, 1.0]),
    ("copysign_", (vt.full([2], -2.0, "float64"),), [-1.0, -2.0]),
]


@pytest.mark.parametrize(("name", "args", "wanted"), RETYPED, ids=[r[0] for r in RETYPED])
def test_methods_that_change_the_dtype_in_place(name: str, args: tuple, wanted: list) -> None:
    for call in (getattr(vt.Tensor, name), getattr(vt, name)):
        x = vt.to_tensor([1.0, 2.0])
        twin = x.detach()
        assert call(x, *args) is x
        assert x.tolist() == wanted
        assert x.dtype == (vt.complex64 if wanted[0] == 2j else vt.to_tensor(np.array(wanted)).dtype)
        assert x.inplace_version == 1
        assert (twin.tolist(), twin.dtype) == (wanted, x.dtype)  # one array, as in PaddlePaddle


def test_a_cast_in_place_is_in_the_graph() -> None:
    a = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    b = a * 3
    b.cast_("float64")
    (b * b).sum().backward()
    assert b.dtype == vt.float64
    assert a.grad.tolist() == [18.0, 36.0]
    kept = a * 2
    square = kept**2
    kept.cast_("float64")
    with pytest.raises(GradientError, match="overwritten in place"):
        square.sum().backward()


def test_where_writes_into_its_second_argument() -> None:
    x, y = vt.to_tensor([1.0, 2.0]), vt.to_tensor([5.0, 6.0])
    assert vt.where_(x > 1.5, x, y) is x
    assert x.tolist() == [5.0, 2.0]
    assert (x > 3.0).where_(x, 0.0) is x
    assert x.tolist() == [5.0, 0.0]
    with pytest.raises(ValueError, match="must be a tensor"):
        vt.where_(x > 1.0, 1, 2)


def test_cumsum_in_place_of_the_flattened_tensor() -> None:
    x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.cumsum_().tolist() == [1.0, 3.0, 6.0, 10.0]


def test_the_written_tensor_can_be_named() -> None:
    x = vt.ones([2, 2])
    assert vt.addmm_(input=x, x=vt.eye(2), y=vt.eye(2)) is x
    assert vt.exp_(x=x) is x
    with pytest.raises(TypeError, match="writes into a tensor"):
        vt.exp_(3.0)


@pytest.mark.parametrize("name", ["uniform_", "normal_", "exponential_", "bernoulli_", "cauchy_", "log_normal_"])
def test_what_random_numbers_replace_gets_a_gradient_of_zeros(name: str) -> None:
    a = vt.ones([3])
    a.stop_gradient = False
    b = a * 2
    b.retain_grads()
    getattr(b, name)()
    (b * 1.0).sum().backward()
    assert a.grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["reshape_", "flatten_", "unsqueeze_", "squeeze_"])
def test_what_sees_the_memory_stays_what_it_was_by_a_new_shape_in_place(name: str) -> None:
    x = to_tensor(np.arange(6.0).reshape(1, 2, 3))
    row = x[0, 1]
    copied = x.numpy()
    given = {"reshape_": ([3, 2],), "unsqueeze_": (0,), "squeeze_": (0,)}.get(name, ())
    getattr(x, name)(*given)
    x.add_(to_tensor(10.0, "float64"))
    assert row.tolist() == [13.0, 14.0, 15.0]
    assert copied.reshape(-1).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert x.numpy().reshape(-1).tolist() == [10.0, 11.0, 12.0, 13.0, 14.0, 15.0]


def test_the_tensor_of_an_unbound_method_may_be_named() -> None:
    x = to_tensor([-1.0, 4.0])
    assert vt.Tensor.clip_(x=x, min=0.0) is x
    assert vt.Tensor.scale(x=x, scale=2.0).tolist() == [0.0, 8.0]
    assert vt.Tensor.fill_(x=x, value=3).tolist() == x.tolist() == [3.0, 3.0]
    assert vt.Tensor.zero_(x=x) is x
    assert x.tolist() == [0.0, 0.0]
    with pytest.raises(TypeError):
        vt.Tensor.clip_(min=0.0)


def test_aliases_follow_a_change_of_the_dtype() -> None:
    """As in PaddlePaddle, where both are one array."""
    x = vt.ones([2])
    alias = x.detach()
    second = alias.detach()
    x.add_(vt.ones([2], "float64"))
    assert (x.dtype, alias.dtype, second.dtype) == (vt.float64,) * 3
    assert alias.tolist() == second.tolist() == [2.0, 2.0]
    alias.add_(vt.ones([2], "float64"))
    assert x.tolist() == [3.0, 3.0]
    x.cast_("int32")
    assert alias.dtype == vt.int32


def test_a_leaf_that_is_incremented_stays_one() -> None:
    x = vt.to_tensor(1.0, stop_gradient=False)
    assert vt.increment(x, 2.0) is x and x.is_leaf
    (x * 3).backward()
    assert (x.item(), x.grad.item()) == (3.0, 3.0)
    y = vt.to_tensor(1.0, stop_gradient=False)
    vt.increment(y * 2).backward()
    assert y.grad.item() == 2.0
