"""Eager calls of planned functions: one node of the tape, whose forward and backward are flat lists of NumPy kernels.

The second call with operands of the same types makes the plan (jit/call/compiled_plans.py records the function and
differentiates
the recording); later ones only run its steps. Where gradients of gradients are recorded the function itself runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

import numpy as np
from numpy import ndarray

from ..base.boundary import shorten
from ..base.dtype import DType
from ..base.errors import VitrifyError
from ..base.flags import flags
from ..ops.dispatch import _bottom, _stack, bottom
from ..ops.indexing import getitem
from ..ops.planned import set_runner
from . import saved
from .backward import gradients_of
from .eager import EAGER, _fresh, _result, _wrap
from .modes import GradMode, is_recording
from .plan_steps import Run
from .storage import Storage
from .tape import Node, attach, check_version, edge_of, record_function
from .tensor import Parameter, Tensor

MOST_PLANS = 1024
_interpreters = _stack.get


@dataclass(frozen=True, slots=True)
class EagerPlan:
    """How a call runs. kind: of the list that it returns, None for a single output.

    forward(*operands): the arrays of the outputs, then of what `backward` reads. dtypes: of the outputs.
    backward(*read, *gradients of the outputs `seeds`): the gradients of `gradients`, which count among `owners`, the
    operands that need some. `dtypes_after`: theirs.
    watched: operands and results whose memory is kept for backward, from the first run on.
    """

    forward: Run
    dtypes: tuple[DType, ...]
    kind: type | None
    backward: Run | None = None
    owners: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    gradients: tuple[int, ...] = ()
    dtypes_after: tuple[DType, ...] = ()
    watched: list[int] = field(default_factory=list)


Maker: TypeAlias = Callable[[Callable[..., Any], Any, dict[str, Any], list[Tensor], list[bool]], Union[EagerPlan, None]]

_plans: dict[Any, EagerPlan | None] = {}  # what is called with which operands -> its plan; None: it has none
_seen: set[Any] = set()  # what was called once
_own: dict[Callable[..., Any], Callable[..., Any]] = {}  # functions with an eager form that needs no plan, and that


def _make(fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], tensors: list[Tensor], recording: bool) -> Any:
    needs = [recording and not x._stop for x in tensors]
    return _maker[0](fn, args, kwargs, tensors, needs) if _maker else None


_maker: list[Maker] = []


def set_maker(make: Maker) -> None:
    """Install what makes plans of functions."""
    _maker[:] = [make]


def known(key: Any, make: Callable[[], EagerPlan | None]) -> EagerPlan | None:
    """The plan of a key, made when the key is seen for the second time. Errors: TypeError for one without a hash."""
    plan = _plans.get(key)
    if plan is None and key not in _plans and _is_again(key):
        if len(_plans) >= MOST_PLANS:
            del _plans[next(iter(_plans))]
        plan = _plans[key] = make()
    return plan


def _note(value: Any, parts: list[Any], tensors: list[Tensor], recording: bool) -> bool:
    """Put what a plan depends on into `parts`; False: something that no plan can depend on."""
    kind = type(value)
    if isinstance(value, Tensor):
        array = value._storage.payload
        if type(array) is not ndarray:
            return False
        parts += value._dtype.name, array.shape, recording and not value._stop
        tensors.append(value)
        return True
    if kind is list or kind is tuple:
        parts += kind, len(value)
        return all(_note(item, parts, tensors, recording) for item in value)
    if kind is slice:
        parts.append(kind)
        return all(_note(v, parts, tensors, recording) for v in (value.start, value.stop, value.step))
    parts += kind, repr(value) if kind is float else value  # 0.0 == -0.0
    return True


def _run(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if bottom() is not EAGER or saved.hooks:
        return NotImplemented
    if fn in _own:
        made = _own[fn](fn, *args, **kwargs)
        if made is not None:
            return made
    recording = is_recording()
    parts: list[Any] = [fn, flags.default_dtype.name]
    tensors: list[Tensor] = []
    for value in args:
        kind = type(value)
        if kind is Tensor or kind is Parameter:  # the usual case of what `_note` does
            array = value._storage.payload
            if type(array) is not ndarray:
                return NotImplemented
            parts += value._dtype.name, array.shape, recording and not value._stop
            tensors.append(value)
        elif not _note(value, parts, tensors, recording):
            return NotImplemented
    for name, value in kwargs.items():
        parts.append(name)
        if not _note(value, parts, tensors, recording):
            return NotImplemented
    key = tuple(parts)
    try:
        plan = known(key, lambda: _make(fn, args, kwargs, tensors, recording))
    except TypeError:  # an argument that can't be hashed
        return NotImplemented
    if plan is None:
        return NotImplemented
    arrays = [x._storage.payload for x in tensors]
    try:
        got = plan.forward(*arrays)
    except (ValueError, TypeError, IndexError, ArithmeticError, MemoryError, VitrifyError):
        return NotImplemented  # the function itself says what is wrong, in the user's line
    made = [_result(array, dtype, tensors, arrays) for array, dtype in zip(got, plan.dtypes, strict=False)]
    if plan.backward is not None:
        _record(fn, args, kwargs, plan, tensors, got[len(made) :], made)
    return made[0] if plan.kind is None else plan.kind(made)


def _is_again(key: Any) -> bool:
    """Whether a call was seen before; the first one runs the function itself."""
    if key in _seen:
        _seen.discard(key)
        return True
    if len(_seen) >= 4 * MOST_PLANS:
        _seen.clear()
    _seen.add(key)
    return False


class PlanNode(Node):
    """A call that ran as a plan: one node, whose backward is a line of kernels too."""

    __slots__ = ("args", "arrays", "cells", "count", "fn", "kwargs", "plan", "versions")

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    plan: EagerPlan
    arrays: tuple[Any, ...]  # that the plan's backward reads
    cells: list[Storage]  # of the operands and results among them
    versions: list[int]
    count: int  # of operands

    @property
    def name(self) -> str:
        return str(getattr(self.fn, "__self__", self.fn).__name__)  # of a row: its full call is kept

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        plan, kept = self.plan, self.arrays
        for number, cell, version in zip(plan.watched, self.cells, self.versions, strict=False):
            if cell.version != version:
                which = f"operand {number}" if number < self.count else f"result {number - self.count}"
                check_version(cell, version, f"{which} of {self.name}", self.place)
        if is_recording():
            return _again(self.fn, self.args, self.kwargs, grads)
        given = [grads[k] for k in plan.seeds]
        arrays = [
            np.zeros(self.specs[k].shape, self.specs[k].dtype.numpy) if g is None else g._storage.payload
            for k, g in zip(plan.seeds, given, strict=True)
        ]
        assert plan.backward is not None
        after = plan.backward(*kept, *arrays)
        real = [g for g in given if g is not None]
        owned = [g._storage.payload for g in real]
        found: list[Any] = [None] * len(self.edges)
        for number, array, dtype in zip(plan.gradients, after, plan.dtypes_after, strict=True):
            for k in kept:
                if k is array:
                    array = array.copy()
            found[number] = _result(array, dtype, real, owned)
        return found

    def release(self) -> None:
        self.released = True
        self.args, self.kwargs, self.arrays, self.cells = (), {}, (), []


def _record(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], plan: EagerPlan, tensors: list[Tensor],
    kept: tuple[Any, ...], made: list[Tensor],
) -> None:  # fmt: skip
    near = [*tensors, *made]
    if not plan.watched:  # the last number stands for "looked at"
        used = [k for k, x in enumerate(near) if any(_same_memory(x._storage.payload, array) for array in kept)]
        plan.watched.extend([*used, len(near)])
    node = PlanNode.__new__(PlanNode)
    node.fn, node.args, node.kwargs, node.plan, node.arrays = fn, args, kwargs, plan, kept
    node.cells = [near[k]._storage for k in plan.watched[:-1]]
    node.versions = [cell.version for cell in node.cells]
    node.count = len(tensors)
    node.edges = tuple([edge_of(tensors[k]) for k in plan.owners])
    attach(node, made)


def _same_memory(a: Any, b: Any) -> bool:
    return a is b or (b.base is not None and np.may_share_memory(a, b))


def _again(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], grads: tuple[Any, ...]) -> list[Any]:
    """Gradients that can be differentiated: of the function itself, run again. One per operand that needs one.

    Each operand is replaced by a twin, so that gradients end there even where one operand was computed from another.
    """
    twins: list[Tensor] = []
    with GradMode(True):
        given = [_twinned(a, twins) for a in args]
        made = fn(*given, **{name: _twinned(a, twins) for name, a in kwargs.items()})
    outputs = list(made) if isinstance(made, (list, tuple)) else [made]
    pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if g is not None and not y.stop_gradient]
    return gradients_of([y for y, _ in pairs], twins, [g for _, g in pairs], retain_graph=True, create_graph=True)


def _twinned(value: Any, twins: list[Tensor]) -> Any:
    """An argument whose tensors that need gradients are replaced by twins, which `twins` learns."""
    if isinstance(value, Tensor):
        if value._stop:
            return value
        twin = value.detach()
        record_function("operand", [value], [twin], lambda grads: grads)
        twins.append(twin)
        return twin
    if type(value) in (list, tuple):
        return type(value)(_twinned(item, twins) for item in value)
    return value


_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))


class ItemNode(Node):
    """A cut of a tensor by ints, slices, None and an Ellipsis."""

    __slots__ = ("fn", "key", "shape", "x")

    fn: Callable[..., Any]
    key: Any
    shape: tuple[int, ...]  # of the tensor when it was cut
    x: Tensor | None

    @property
    def name(self) -> str:
        return "getitem"

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        assert self.x is not None
        if is_recording():
            return _again(self.fn, (self.x, self.key), {}, grads)
        whole = np.zeros(self.shape, self.x._dtype.numpy)
        whole[self.key] = grads[0]._storage.payload
        return [_fresh(whole, self.x._dtype)]

    def release(self) -> None:
        self.released = True
        self.x = None


def _item(fn: Callable[..., Any], x: Tensor, key: Any) -> Tensor | None:
    """`x[key]` for a key of ints, slices, None and an Ellipsis: a view, as NumPy cuts it; None for other keys."""
    array = x._storage.payload
    if type(key) is tuple:
        for part in key:
            if type(part) not in _BASIC:
                return None
    elif type(key) not in _BASIC:
        return None
    asks = not x._stop and is_recording()
    if type(array) is not ndarray or (asks and x._dtype.category == 1):
        return None  # gradients of integers follow the rules of the rows
    try:
        cut = array[key]
    except (IndexError, ValueError, TypeError):
        return None  # the function itself says what is wrong
    if type(cut) is not ndarray:
        made = _fresh(np.asarray(cut), x._dtype)  # a number
    elif cut.flags.c_contiguous:
        made = _wrap(cut, (x,), [array])
    else:
        made = _fresh(cut.copy("C"), x._dtype)
    if asks and x._dtype.category >= 2:
        node = ItemNode.__new__(ItemNode)
        node.fn, node.x, node.key, node.shape = fn, x, key, array.shape
        above = x._node
        node.edges = ((x, 0) if above is None else (above, x._slot),)
        attach(node, (made,))
    return made


def _getitem(self: Tensor, index: Any) -> Any:
    """The elements that `index` names: ints, slices, None, an Ellipsis, integer and bool tensors."""
    try:
        if not _interpreters() and _bottom[0] is EAGER and not saved.hooks:
            made = _item(_cutting, self, index)
            if made is not None:
                return made
        return getitem(self, index)
    except VitrifyError as error:
        shorten(error)
        raise


_cutting = vars(getitem)["__wrapped__"]
_own[_cutting] = _item
Tensor.__getitem__ = _getitem  # type: ignore[method-assign]
set_runner(_run)
