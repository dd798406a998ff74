"""PyLayer in all its forms: both conventions, contexts, options, and what goes wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import GradientError
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.eager import EagerInterpreter
from vitrify.dygraph.grad import grad
from vitrify.dygraph.modes import is_grad_enabled, no_grad
from vitrify.dygraph.pylayer import PyLayer, once_differentiable
from vitrify.dygraph.tensor import Tensor
from vitrify.ops.dispatch import using


def leaf(data: Any) -> Tensor:
    return to_tensor(data, dtype="float64", stop_gradient=False)


class Cube(PyLayer):
    """x³ with a saved input and a free attribute."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float = 1.0) -> Any:
        assert not is_grad_enabled()
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x * x * x * scale

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (x,) = ctx.saved_tensor()
        assert ctx.saved_tensors[0].tolist() == x.tolist()
        return g * x * x * (3.0 * ctx.scale)


def make(forward: Any, backward: Any) -> type[PyLayer]:
    return type("Made", (PyLayer,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


def grad_of(cls: type[PyLayer], *args: Any, **kwargs: Any) -> Any:
    out = cls.apply(*args, **kwargs)
    (out[0] if isinstance(out, (tuple, list)) else out).sum().backward()
    return [a.grad.tolist() if a.grad is not None else None for a in args if isinstance(a, Tensor)]


def test_forward_and_backward() -> None:
    x = leaf([1.0, 2.0])
    y = Cube.apply(x, scale=2.0)
    assert y.tolist() == [2, 16]
    assert not y.stop_gradient
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [6, 24]


def test_no_node_without_need() -> None:
    assert Cube.apply(to_tensor([1.0])).stop_gradient
    with no_grad():
        assert Cube.apply(leaf([1.0])).stop_gradient


def test_second_order() -> None:
    x = leaf(2.0)
    (first,) = grad(Cube.apply(x), x, create_graph=True)
    (second,) = grad(first, x)
    assert (first.item(), second.item()) == (12, 12)


def test_second_order_through_a_saved_output() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    exp = make(forward, lambda ctx, g: g * ctx.saved_tensor()[0])
    x = leaf(0.5)
    (first,) = grad(exp.apply(x), x, create_graph=True)
    (second,) = grad(first, x, create_graph=True)
    (third,) = grad(second, x)
    np.testing.assert_allclose([first.item(), second.item(), third.item()], np.exp(0.5))


def test_both_conventions_of_lengths() -> None:
    def forward(ctx: Any, a: float, x: Any, flag: bool, y: Any) -> Any:
        assert ctx.needs_input_grad == (False, True, False, True)
        return a * x * y

    per_tensor = make(forward, lambda ctx, g: (g * 2.0, g * 3.0))
    per_argument = make(forward, lambda ctx, g: (None, g * 2.0, None, g * 3.0))
    for cls in (per_tensor, per_argument):
        assert grad_of(cls, 2.0, leaf([1.0]), True, leaf([1.0])) == [[2], [3]]


def test_none_means_no_gradient() -> None:
    cls = make(lambda ctx, x, y: x + y, lambda ctx, g: (None, g))
    assert grad_of(cls, leaf([1.0]), leaf([1.0])) == [None, [1]]


def test_too_few_are_fine_when_not_needed() -> None:
    cls = make(lambda ctx, x, y: x + y, lambda ctx, g: g)
    assert grad_of(cls, leaf([1.0]), to_tensor([1.0], "float64")) == [[1], None]


def test_lists_of_tensors() -> None:
    def forward(ctx: Any, xs: Any, scale: float, named: Any = None) -> Any:
        return xs[0] * scale + xs[1] + named["z"]

    cls = make(forward, lambda ctx, g: (g * 2.0, g, g * 5.0))
    nested = make(forward, lambda ctx, g: ([g * 2.0, g], g * 5.0))
    for kind in (cls, nested):
        a, b, c = leaf([1.0]), leaf([1.0]), leaf([1.0])
        kind.apply([a, b], 2.0, named={"z": c}).backward()
        assert [t.grad.item() for t in (a, b, c) if t.grad is not None] == [2, 1, 5]


def test_several_outputs_and_materialised_gradients() -> None:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.append(h if h is None else h.tolist())
        return g

    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(len(seen) == 0)
        return x * 2.0, "text", x * 3.0

    cls = make(forward, backward)
    assert cls.apply(leaf([1.0]))[1] == "text"
    grad_of(cls, leaf([1.0]))
    grad_of(cls, leaf([1.0]))
    assert seen == [[0.0], None]


def test_outputs_without_gradient() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        y, z = x * 2.0, x * 3.0
        ctx.mark_non_differentiable(z)
        return y, z

    seen: list[Any] = []

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.append(h.tolist())
        return g

    cls = make(forward, backward)
    assert cls.apply(leaf([1.0]))[1].stop_gradient
    grad_of(cls, leaf([1.0]))
    assert seen == [[0.0]]


def test_returning_an_input() -> None:
    same = make(lambda ctx, x: x, lambda ctx, g: g * 7.0)
    with pytest.raises(ValueError, match=r"Made\.forward returned the leaf"):
        same.apply(leaf([1.0]))
    x = leaf([1.0])
    y = x * 1.0
    assert same.apply(y) is y
    y.backward()
    assert x.grad is not None
    assert x.grad.item() == 7.0

    def marked(ctx: Any, x: Any) -> Any:
        ctx.mark_not_inplace(x)
        return x

    z = leaf([1.0])
    out = make(marked, lambda ctx, g: g * 7.0).apply(z)
    assert out is not z
    out.backward()
    assert z.grad is not None
    assert z.grad.item() == 7.0


def test_in_place_forward() -> None:
    cls = make(lambda ctx, x: x.multiply_(3.0), lambda ctx, g: g * 3.0)
    x = leaf([2.0])
    y = x * 1.0
    cls.apply(y)
    y.backward()
    assert y.tolist() == [6.0]
    assert x.grad is not None
    assert x.grad.item() == 3.0


def test_gradients_are_cast_to_their_input() -> None:
    cls = make(lambda ctx, x: x * 1.0, lambda ctx, g: g.astype("float32"))
    x = leaf([1.0])
    cls.apply(x).backward()
    assert x.grad is not None
    assert x.grad.dtype == "float64"


def test_once_differentiable() -> None:
    modes: list[bool] = []

    @once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        modes.append(is_grad_enabled())
        return g

    x = leaf([1.0])
    (g,) = grad(make(lambda ctx, x: x * 1.0, backward).apply(x), x, create_graph=True)
    assert modes == [False]
    assert g.is_leaf  # nothing leads on from it, though create_graph=True gives gradients that may be differentiated


def test_nothing_saved_reads_as_none() -> None:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.saved_tensor())
        return g

    grad_of(make(lambda ctx, x: x * 1.0, backward), leaf([1.0]))
    assert seen == [None]


def test_saving_twice_is_an_error() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_backward(x)

    with pytest.raises(GradientError, match="twice"):
        make(forward, None).apply(leaf([1.0]))


def test_nested_structures_are_saved() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x, {"k": [x, 3]})
        return x * 1.0

    def backward(ctx: Any, g: Any) -> Any:
        _, nested = ctx.saved_tensor()
        assert nested["k"][1] == 3
        return g * nested["k"][0]

    assert grad_of(make(forward, backward), leaf([4.0])) == [[4.0]]


def test_stale_saved_tensors() -> None:
    x = leaf([1.0])
    y = x * 1.0
    z = Cube.apply(y)
    y.add_(1.0)
    with pytest.raises(GradientError, match="overwritten in place"):
        z.backward()


def test_freed_graphs() -> None:
    z = Cube.apply(leaf([1.0]))
    z.backward(retain_graph=True)
    z.backward()
    with pytest.raises(GradientError, match="called twice through Cube"):
        z.backward()


@pytest.mark.parametrize(
    ("backward", "message"),
    [
        (lambda ctx, g: (g, g, g, g), "Made.backward returned 4 gradients: expected 2, received 4"),
        (lambda ctx, g: g, "Made.backward returned 1 gradients for 2 tensor inputs; input 1 needs one"),
        (lambda ctx, g: (g, g.sum()), r"a gradient of shape \[\] for input 1 of shape \[1\]"),
        (lambda ctx, g: (g, 3.0), "Made.backward returned float for input 1"),
        (lambda ctx, g: (g, g, g), "argument 2, which is no tensor"),
    ],
)  # fmt: skip
def test_wrong_backwards(backward: Any, message: str) -> None:
    cls = make(lambda ctx, x, y, k: x + y, backward)
    with pytest.raises(ValueError, match=message):
        cls.apply(leaf([1.0]), leaf([1.0]), 5).backward()


@pytest.mark.parametrize("result", [None, 3, (), (1, 2)])
def test_wrong_forwards(result: Any) -> None:
    with pytest.raises(ValueError, match=r"Made\.forward"):
        make(lambda ctx, x: result, None).apply(leaf([1.0]))


def test_defaults_are_not_implemented() -> None:
    with pytest.raises(NotImplementedError):
        PyLayer.apply(leaf([1.0]))
    with pytest.raises(NotImplementedError):
        PyLayer.backward(None)


def test_a_tracer_may_take_over() -> None:
    class Tracer(EagerInterpreter):
        def py_layer(self, cls: Any, args: Any, kwargs: Any) -> Any:
            return cls, args, kwargs

    with using(Tracer()):
        assert Cube.apply(1, scale=2.0) == (Cube, (1,), {"scale": 2.0})


def test_no_reference_cycle_through_saved_outputs() -> None:
    import gc
    import weakref

    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2.0
        ctx.save_for_backward(x, y)
        return y

    gc.disable()
    try:
        y = make(forward, lambda ctx, g: g).apply(leaf([1.0]))
        node = weakref.ref(y._node)
        del y
        assert node() is None
    finally:
        gc.enable()
