"""Calls of planned functions: one node of the tape, whose forward and backward are flat lists of NumPy kernels.

jit/call/compiled_plans.py records a function and differentiates the recording; the call cache runs what it found. Where
gradients of gradients are recorded the function itself runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

import numpy as np

from ..base.dtype import DType
from .backward import gradients_of
from .modes import GradMode, is_recording
from .new_tensors import fresh, result
from .storage import Storage
from .stubs import KernelList, Operand, PlanTape, Run, Stub, stub_of_plan
from .tape import Node, check_version, record_function
from .tensor import Tensor


@dataclass(frozen=True, slots=True)
class EagerPlan:
    """How a call runs. kind: of the list that it returns, None for a single output.

    forward: from the operands to the outputs, then what `backward` reads. dtypes: of the outputs.
    backward: from these and the gradients of the outputs `seeds` to terms of the operands' gradients, in the order in
    which they are added up. owners: their operands; those behind them need a gradient and have no term. `dtypes_after`:
    the terms'.
    """

    forward: KernelList
    dtypes: tuple[DType, ...]
    kind: type | None
    backward: KernelList | None = None
    owners: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    dtypes_after: tuple[DType, ...] = ()


PlanMaker: TypeAlias = Callable[
    [Callable[..., Any], Any, dict[str, Any], list[Tensor], list[bool]], Union[EagerPlan, None]
]


def stub_of(plan: EagerPlan, fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], tensors: list[Tensor]) -> Stub:
    """The stub of calls like `fn(*args, **kwargs)`, a function of the tensors among the arguments."""
    tape = None
    if plan.backward is not None:
        numbers = iter(range(len(tensors)))
        form = _replaced(args, lambda _: _Place(next(numbers)))
        named = {name: _replaced(a, lambda _: _Place(next(numbers))) for name, a in kwargs.items()}
        tape = PlanTape(PlanNode, PlanCall(plan, plan.backward.function(), fn, form, named), plan.owners)
    operands = [Operand(x._dtype) for x in tensors]
    return stub_of_plan(plan.forward, operands, plan.dtypes, plan.kind, tape)


@dataclass(frozen=True, slots=True)
class _Place:
    """Stands for the operand of a number in the arguments of a call."""

    number: int


def _replaced(value: Any, replace: Callable[[Any], Any]) -> Any:
    """An argument with other objects for its tensors, or for the places of tensors."""
    if isinstance(value, (Tensor, _Place)):
        return replace(value)
    if type(value) in (list, tuple):
        return type(value)(_replaced(item, replace) for item in value)
    if type(value) is slice:
        return slice(*(_replaced(v, replace) for v in (value.start, value.stop, value.step)))
    return value


class PlanCall:
    """What the nodes of one stub have in common: the plan, its backward as a function, and how to call `fn` again.

    form, named: the arguments of `fn`, with places for tensors. watched: which of the operands and results have their
    memory kept for backward; known from the first call on.
    """

    __slots__ = ("backward", "fn", "form", "named", "plan", "watched")

    def __init__(
        self, plan: EagerPlan, backward: Run, fn: Callable[..., Any], form: Any, named: dict[str, Any]
    ) -> None:  # fmt: skip
        self.plan, self.backward, self.fn, self.form, self.named = plan, backward, fn, form, named
        self.watched: tuple[int, ...] | None = None

    def look(self, near: tuple[Tensor, ...], kept: tuple[Any, ...]) -> tuple[int, ...]:
        """Find out what is watched, from the operands and results of a call and what is kept of it."""
        used = [k for k, x in enumerate(near) if any(_same_memory(x._storage.payload, array) for array in kept)]
        self.watched = tuple(used)
        return self.watched


def _same_memory(a: Any, b: Any) -> bool:
    return a is b or (b.base is not None and np.may_share_memory(a, b))


class PlanNode(Node):
    """A call that ran as a plan: one node, whose backward is a list of kernels too."""

    __slots__ = ("arrays", "call", "cells", "operands", "versions")

    call: PlanCall
    operands: tuple[Tensor, ...]
    arrays: tuple[Any, ...]  # that the plan's backward reads
    cells: list[Storage]  # of the operands and results among them
    versions: list[int]

    @property
    def name(self) -> str:
        fn = self.call.fn
        return str(getattr(fn, "__self__", fn).__name__)  # of a row: its full call is kept

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        plan, kept, operands = self.call.plan, self.arrays, self.operands
        for number, cell, version in zip(self.call.watched or (), self.cells, self.versions, strict=True):
            if cell.version != version:
                count = len(operands)
                which = f"operand {number}" if number < count else f"result {number - count}"
                check_version(cell, version, f"{which} of {self.name}", self.place)
        if is_recording():
            return self.recorded_again(grads)
        given = [grads[k] for k in plan.seeds]
        arrays = [
            np.zeros(self.specs[k].shape, self.specs[k].dtype.numpy) if g is None else g._storage.payload
            for k, g in zip(plan.seeds, given, strict=True)
        ]
        after = self.call.backward(*kept, *arrays)
        real = [g for g in given if g is not None]
        found: list[Any] = [None] * len(self.edges)
        for number, (array, dtype) in enumerate(zip(after, plan.dtypes_after, strict=True)):
            for k in (*kept, *after[:number]):
                if k is array:
                    array = array.copy()
            alone = array.base is None and not any(g._storage.payload is array for g in real)
            found[number] = fresh(array, dtype) if alone else result(array, real)
        return found

    def recorded_again(self, grads: tuple[Any, ...]) -> list[Any]:
        """Gradients that can be differentiated: of the function itself, run again on the operands."""
        call, operands = self.call, self.operands
        args = [_replaced(a, lambda place: operands[place.number]) for a in call.form]
        named = {key: _replaced(a, lambda place: operands[place.number]) for key, a in call.named.items()}
        wanted = sorted(set(call.plan.owners))
        found = dict(zip(wanted, gradients_again(call.fn, args, named, grads), strict=True))
        return [found.pop(k, None) for k in call.plan.owners]

    def release(self) -> None:
        self.released = True
        self.operands, self.arrays, self.cells, self.versions = (), (), [], []


def gradients_again(fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], grads: tuple[Any, ...]) -> list[Any]:
    """Gradients of `fn(*args, **kwargs)` that can be differentiated, one per operand that needs one.

    Each operand is replaced by an alias, so that gradients end there even where one operand was computed from another.
    """
    aliases: list[Tensor] = []

    def aliased(x: Tensor) -> Tensor:
        if x._stop:
            return x
        alias = x.detach()
        record_function("operand", [x], [alias], lambda grads: grads)
        aliases.append(alias)
        return alias

    with GradMode(True):
        given = [_replaced(a, aliased) for a in args]
        made = fn(*given, **{name: _replaced(a, aliased) for name, a in kwargs.items()})
    outputs = list(made) if isinstance(made, (list, tuple)) else [made]
    pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if g is not None and not y.stop_gradient]
    return gradients_of([y for y, _ in pairs], aliases, [g for _, g in pairs], retain_graph=True, create_graph=True)
