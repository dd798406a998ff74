"""Backward over the tape: accumulation, hooks, retained graphs, higher orders, deep chains, threads."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DTypeError, GradientError, ShapeError
from vitrify.dygraph import storage
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.derivatives import hessian, jacobian
from vitrify.dygraph.grad import backward, grad
from vitrify.dygraph.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from vitrify.dygraph.tape import record_function
from vitrify.dygraph.tensor import Tensor, wrap


def leaf(data: Any) -> Tensor:
    return to_tensor(data, dtype="float64", stop_gradient=False)


def grads(*tensors: Tensor) -> list[Any]:
    return [None if t.grad is None else t.grad.tolist() for t in tensors]


def test_products_and_sums() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (x * y + x).sum().backward()
    assert grads(x, y) == [[4, 5], [1, 2]]


def test_gradients_add_up() -> None:
    x = leaf([1.0])
    for _ in range(3):
        (x * 2.0).backward()
    assert grads(x) == [[6.0]]


def test_shared_subexpressions() -> None:
    x = leaf(2.0)
    y = x * x
    (y * y + y).backward()
    assert grads(x) == [4 * 8 + 4]


def test_equal_gradients_of_two_leaves_are_separate_values() -> None:
    x, y = leaf([1.0]), leaf([1.0])
    (x + y).backward()
    assert x.grad is not None
    x.grad.zero_()
    assert grads(x, y) == [[0.0], [1.0]]


def test_a_given_gradient_is_not_kept_by_reference() -> None:
    x = leaf([1.0])
    g = to_tensor([2.0], dtype="float64")
    x.backward(g)
    g.zero_()
    assert grads(x) == [[2.0]]


def test_no_scalar_needed_and_weights() -> None:
    x = leaf([1.0, 2.0])
    (x * 3.0).backward()
    (x * 3.0).backward(to_tensor([1.0, 10.0], dtype="float64"))
    assert grads(x) == [[6, 33]]
    with pytest.raises(ShapeError, match=r"\[3\]"):
        (x * 3.0).backward(to_tensor([1.0, 1.0, 1.0]))


def test_integers_carry_no_gradient() -> None:
    x = leaf([1.5])
    assert x.astype("int64").stop_gradient
    assert (x > 1.0).stop_gradient


def test_outputs_need_gradients_iff_an_input_does() -> None:
    x, c = leaf([1.0]), to_tensor([1.0], dtype="float64")
    assert (c * c).stop_gradient
    assert not (c * x).stop_gradient
    assert not (c * x).is_leaf
    with no_grad():
        assert (c * x).stop_gradient


def test_backward_without_a_path_warns_and_does_nothing() -> None:
    x = to_tensor([1.0])
    with pytest.warns(UserWarning, match=r"no effect: .* needs no gradient") as caught:
        x.backward()
    assert x.grad is None
    assert caught[0].filename == __file__


def test_the_gradient_given_for_one_number_may_have_other_axes() -> None:
    x = leaf([2.0])
    (g,) = grad((x * x).sum(), [x], [to_tensor([3.0])])
    assert g.tolist() == [12.0]
    (x * x).backward(to_tensor(0.5))
    assert x.grad is not None
    assert x.grad.tolist() == [2.0]


def test_integers_take_part_where_somebody_asks_for_it() -> None:
    x = to_tensor([2, 3], stop_gradient=False)
    y = x.unsqueeze(0) * 4
    y.retain_grads()
    y.astype("float32").sum().backward()
    assert x.grad is not None
    assert (x.grad.tolist(), x.grad.dtype.name) == ([4, 4], "int64")
    assert y.grad is not None
    assert y.grad.tolist() == [[1, 1]]
    assert leaf([1.5]).astype("int64").stop_gradient


@pytest.mark.parametrize("retain_first", [True, False])
def test_a_retained_gradient_is_what_the_hooks_before_it_made(retain_first: bool) -> None:
    x = leaf([1.0, 2.0])
    y = x * 3.0
    if retain_first:
        y.retain_grads()
    y.register_hook(lambda g: g * 2.0)
    if not retain_first:
        y.retain_grads()
    y.register_hook(lambda g: g * 5.0)
    y.sum().backward()
    assert y.grad is not None
    assert x.grad is not None
    assert y.grad.tolist() == ([1.0, 1.0] if retain_first else [2.0, 2.0])
    assert x.grad.tolist() == [30.0, 30.0]


def test_the_graph_is_freed() -> None:
    x = leaf([2.0])
    y = x * x
    y.backward()
    with pytest.raises(GradientError, match="called twice"):
        y.backward()
    z = x * x
    z.backward(retain_graph=True)
    z.backward()
    assert grads(x) == [[12.0]]


def test_memory_is_freed_without_the_collector() -> None:
    gc.disable()
    try:
        x = leaf(np.ones(3))
        y = (x * x).exp().tanh()
        arrays = [weakref.ref(y), weakref.ref(y._node)]
        del y
        assert [a() for a in arrays] == [None, None]
    finally:
        gc.enable()


def test_clear_grad_reads_as_zero_and_costs_nothing() -> None:
    x = leaf([1.0, 2.0])
    (x * 2.0).backward()
    x.clear_grad()
    assert x._grad is None
    assert grads(x) == [[0, 0]]
    x.clear_grad()
    (x * 2.0).backward()
    assert grads(x) == [[2, 2]]
    x.clear_grad(set_to_zero=False)
    assert x.grad is None
    x.clear_gradient()
    assert x.grad is None
    assert x.gradient() is None


def test_grad_can_be_assigned() -> None:
    x = leaf([1.0])
    x.grad = to_tensor([5.0], dtype="float64")
    (x * 1.0).backward()
    assert grads(x) == [[6.0]]
    x.grad = None
    with pytest.raises(ShapeError):
        x.grad = to_tensor([1.0, 2.0])
    with pytest.raises(DTypeError):
        x.grad = 1.0  # type: ignore[assignment]


@pytest.fixture
def announced() -> Iterator[list[Tensor]]:
    """The tensors whose `.grad` changed during the test."""
    log: list[Tensor] = []
    storage.on_grad_write = lambda x, _: log.append(x)
    yield log
    storage.on_grad_write = None


def test_gradient_writes_are_announced(announced: list[Tensor]) -> None:
    x = leaf([1.0])
    (x * 2.0).backward()
    x.clear_grad()
    x.grad = None
    assert len(announced) == 3
    assert all(a is x for a in announced)


def test_hooks_on_leaves_and_between() -> None:
    x = leaf([1.0])
    y = x * 2.0
    seen: list[Any] = []
    first = y.register_hook(lambda g: g * 10.0)
    y.register_hook(lambda g: seen.append(g.item()))
    x.register_hook(lambda g: g + 1.0)
    (y + y).sum().backward(retain_graph=True)
    assert seen == [20.0]
    assert grads(x) == [[41.0]]
    assert first.remove()
    assert not first.remove()
    x.clear_grad()
    y.backward()
    assert grads(x) == [[3.0]]


def test_wrong_hooks() -> None:
    x = leaf([1.0])
    with pytest.raises(GradientError, match="stop_gradient"):
        to_tensor([1.0]).register_hook(print)
    x.register_hook(lambda g: g.reshape([1, 1]))
    with pytest.raises(ShapeError, match="hook"):
        (x * 1.0).backward()
    y = leaf([1.0])
    y.register_hook(lambda g: 3)  # type: ignore[arg-type, return-value]
    with pytest.raises(ArgumentError, match="hook"):
        (y * 1.0).backward()


def test_retained_gradients() -> None:
    x = leaf([3.0])
    y = x * 2.0
    y.retain_grads()
    (y * y).backward()
    assert grads(y, x) == [[12.0], [24.0]]


def test_a_failing_backward_leaves_grads_as_they_were() -> None:
    x = leaf([1.0])

    def fail(_: Any) -> Any:
        raise RuntimeError("no")

    y = x * 1.0
    y.register_hook(fail)
    with pytest.raises(RuntimeError, match="no"):
        (y + x).backward()
    assert x.grad is None


def test_grad_function() -> None:
    x, y, z = leaf(2.0), leaf(3.0), leaf(1.0)
    out = x * x * y
    assert [g.item() for g in grad(out, [x, y], retain_graph=True)] == [12, 4]
    assert x.grad is None
    assert grad(out, [x, z], retain_graph=True, allow_unused=True)[1] is None
    with pytest.raises(ValueError, match="don't depend"):
        grad(out, [x, z], retain_graph=True)
    assert grad(out, x, grad_outputs=to_tensor(10.0, "float64"))[0].item() == 120
    with pytest.raises(ValueError, match="only_inputs"):
        grad(out, x, only_inputs=False)


def test_grad_of_inner_tensors_several_outputs_and_constants() -> None:
    x = leaf(2.0)
    y = x * 3.0
    a, b = y * y, y + x
    gx, gy = grad([a, b], [x, y], [None, to_tensor(10.0, "float64")], retain_graph=True)
    assert (gy.item(), gx.item()) == (2 * 6 + 10, 3 * 22 + 10)
    assert grad(y * x, x, no_grad_vars=[y], retain_graph=True)[0].item() == 6.0
    with pytest.raises(ValueError, match="2 entries for 1"):
        grad(a, x, [None, None])


def test_grad_runs_only_what_leads_to_the_inputs() -> None:
    x, w = leaf(1.0), leaf(1.0)
    left = w * 2.0
    left.register_hook(lambda g: pytest.fail("not on the way"))
    deeper = left * 3.0
    node = record_function("never", [left], [deeper], lambda g: pytest.fail("not on the way"))
    assert grad(deeper + x * 2.0, x)[0].item() == 2.0
    assert not node.released


def test_second_and_third_order() -> None:
    x = leaf(0.7)
    (first,) = grad(x.tanh(), x, create_graph=True)
    (second,) = grad(first, x, create_graph=True)
    (third,) = grad(second, x)
    t = np.tanh(0.7)
    np.testing.assert_allclose(first.item(), 1 - t * t)
    np.testing.assert_allclose(second.item(), -2 * t * (1 - t * t))
    np.testing.assert_allclose(third.item(), (1 - t * t) * (6 * t * t - 2))


def test_gradient_penalty() -> None:
    x = leaf([1.0, 2.0])
    (g,) = grad((x * x * x).sum(), x, create_graph=True)
    (g * g).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 36 * np.array([1.0, 8.0]))  # type: ignore[union-attr]


def test_backward_with_create_graph() -> None:
    x = leaf(3.0)
    (x * x * x).backward(create_graph=True)
    first = x.grad
    assert first is not None
    x.clear_grad(set_to_zero=False)
    first.backward()
    assert grads(x) == [18.0]


def test_backward_of_several() -> None:
    x = leaf(2.0)
    backward([x * 2.0, x * x], [None, to_tensor(10.0, "float64")])
    assert grads(x) == [42.0]


def test_jacobian_and_hessian() -> None:
    x = leaf([1.0, 2.0])
    np.testing.assert_allclose(jacobian(x * x, x).numpy(), [[2, 0], [0, 4]])
    np.testing.assert_allclose(hessian((x * x * x).sum(), x).numpy(), [[6, 0], [0, 12]])
    b = leaf([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(jacobian(b * b, b, batch_axis=0).numpy(), [[[2, 0], [0, 4]], [[6, 0], [0, 8]]])


def test_long_chains_need_no_stack() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(50_000):
        y = y + 1.0
    y.backward()
    assert grads(x) == [1.0]
    del y


def test_long_chains_are_freed_without_a_crash() -> None:
    y = leaf(1.0)
    for _ in range(100_000):
        y = y * 1.0
    del y


def test_modes() -> None:
    assert is_grad_enabled()

    @no_grad
    def plain() -> bool:
        with enable_grad():
            assert is_grad_enabled()
        return is_grad_enabled()

    @no_grad()
    def called() -> bool:
        return is_grad_enabled()

    @no_grad()
    def numbers() -> Iterator[bool]:
        yield is_grad_enabled()
        yield is_grad_enabled()

    assert not plain()
    assert not called()
    for inside in numbers():
        assert not inside
        assert is_grad_enabled()
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
    with set_grad_enabled(False):
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_threads_have_their_own_mode_and_may_share_leaves() -> None:
    x = leaf(np.ones(8))
    seen: list[Any] = []

    def work() -> None:
        assert is_grad_enabled()
        for _ in range(50):
            seen.append(grad((x * x).sum(), x)[0].tolist())

    with no_grad():
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert seen == [[2.0] * 8] * 200


def test_functions_on_the_tape() -> None:
    """What a compiled program does: several outputs, a backward of its own, released once."""
    x = leaf([1.0, 2.0])
    outs = [wrap(x.numpy() * 2, x.dtype), wrap(x.numpy() * 3, x.dtype)]
    released: list[int] = []

    def pull(grads: tuple[Any, ...]) -> Any:
        a, b = grads
        return [(0.0 if a is None else a * 2.0) + (0.0 if b is None else b * 3.0)]

    record_function("program", [x], outs, pull, on_release=lambda: released.append(1))
    (outs[0] * 1.0).sum().backward()
    assert grads(x) == [[2, 2]]
    assert released == [1]


def test_a_seed_of_another_dtype_is_cast() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * 2.0).backward(vt.to_tensor([1.0, 3.0], dtype="float64"))
    assert x.grad.dtype == vt.float32
    assert x.grad.tolist() == [2.0, 6.0]
