"""Tensors and tape never look at payloads: a toy tracer with opaque payloads gets the same results as eager mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import DType
from vitrify.base.errors import CaptureError
from vitrify.dygraph import random_generators as vr
from vitrify.dygraph import storage
from vitrify.dygraph.call_cache import EAGER
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.grad import grad
from vitrify.dygraph.modes import is_grad_enabled, no_grad
from vitrify.dygraph.tape import record
from vitrify.dygraph.tensor import Parameter, Tensor, wrap
from vitrify.ops.dispatch import using
from vitrify.ops.interpreter import Interpreter
from vitrify.ops.op import NONDIFFERENTIABLE, Op


@dataclass(eq=False)
class Opaque:
    """A value of a program: type in sight, elements out of it."""

    hidden: Any
    shape: tuple[int, ...]
    dtype: DType


class Toy(Interpreter):
    """The shortest tracer: unwraps payloads, runs the op, wraps results, and records the same tape as eager mode."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def lift(self, x: Tensor) -> Any:
        payload = x._storage.payload
        return payload.hidden if isinstance(payload, Opaque) else payload

    def lower(self, array: Any, dtype: DType) -> Tensor:
        return wrap(Opaque(array, array.shape, dtype), dtype)

    def apply(self, op: Op, args: tuple[Tensor, ...], attrs: dict[str, Any]) -> Any:
        self.log.append(op.name)
        with no_grad():
            made = EAGER.apply(op, tuple(wrap(self.lift(x), x.dtype) for x in args), attrs)
        many = isinstance(made, tuple)
        outs = tuple(self.lower(m.numpy(), m.dtype) for m in (made if many else (made,)))
        result: Any = outs if many else outs[0]
        if is_grad_enabled() and op.vjp is not NONDIFFERENTIABLE and any(not x.stop_gradient for x in args):
            record(op, args, result, attrs)
        return result

    def constant(self, data: Any, dtype: DType | None) -> Any:
        if isinstance(data, Tensor):
            return data
        made = EAGER.constant(data, dtype)
        return self.lower(made.numpy(), made.dtype)


def elements(x: Any) -> Any:
    return x._storage.payload.hidden.tolist()


def test_a_training_step() -> None:
    w = Parameter([1.0, 2.0])
    before = w._storage.payload
    touched: list[Tensor] = []
    storage.on_write = touched.append
    try:
        with using(Toy()):
            loss = (w * w * 3.0).sum()
            assert not loss.stop_gradient
            loss.backward()
            assert w.grad is not None
            assert elements(w.grad) == [6, 12]
            with no_grad():
                w._write(w - w.grad * 0.5, fresh=True)
            w.clear_grad()
            assert elements(w.grad) == [0, 0]
            assert elements(w) == [-2, -4]
    finally:
        storage.on_write = None
    assert len(touched) == 1
    assert touched[0] is w
    assert before.tolist() == [1, 2]  # the tracer may put the array back


def test_higher_orders_hooks_and_setitem() -> None:
    with using(Toy()):
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        y = x * x * x
        y.register_hook(lambda g: g * 2.0)
        (first,) = grad(y.sum(), x, create_graph=True)
        (second,) = grad(first.sum(), x)
        assert elements(second) == [12, 24]
        z = x * 2.0
        z[0] = x[1] * 5.0
        (dx,) = grad(z.sum(), x)
        assert elements(dx) == [0, 7]
        z.zero_()
        assert elements(z) == [0, 0]


def test_random_state_moves_on() -> None:
    vr.seed(4)
    expected = vr.rand([3]).tolist()
    vr.seed(4)
    array = vr.default_generator.state._storage.payload
    with using(Toy()):
        assert elements(vr.rand([3])) == expected
        assert elements(vr.default_generator.state) == [4, 3]
    vr.default_generator.state._storage.payload = array


def test_elements_are_asked_of_the_tracer() -> None:
    class Asking(Toy):
        def concretize(self, x: Tensor, kind: str) -> Any:
            return {"bool": True, "int": 3, "float": 1.5, "numpy": np.ones(2)}[kind]

    with using(Toy()):
        x = to_tensor([1.0])
        with pytest.raises(CaptureError, match="escaped"):
            bool(x)
    with using(Asking()):
        assert bool(x) is True
        assert int(x) == 3
        assert float(x) == 1.5
        assert x.numpy().tolist() == [1, 1]
