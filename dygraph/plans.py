"""Eager calls of planned functions: one node of the tape, whose forward and backward are flat lists of NumPy kernels.

The second call with operands of the same types makes the plan (jit/plans.py records the function and differentiates
the recording); later ones only run its steps. Where gradients of gradients are recorded the function itself runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

import numpy as np
from numpy import ndarray

from ..base.errors import VitrifyError
from ..base.flags import flags
from ..ops.dispatch import bottom
from ..ops.planned import set_runner
from ..ops.subscript import getitem
from . import saved
from .backward import gradients_of
from .eager import _QUIET, EAGER, _reset_errors, _set_errors, _wrap, from_array
from .modes import GradMode, is_recording
from .tape import check_version, record_function
from .tensor import Tensor

Step: TypeAlias = tuple[Callable[..., Any], tuple[int, ...], dict[str, Any], Union[int, tuple[int, ...]]]

MOST_PLANS = 1024


@dataclass(frozen=True, slots=True)
class Steps:
    """Kernels over numbered slots: first the operands, then constants (in `template`), then results."""

    template: list[Any]  # an array for each constant, None for all else
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]

    def run(self, operands: Sequence[Any]) -> list[Any]:
        """The arrays of all slots."""
        slots = [*operands, *self.template[len(operands) :]]
        token = _set_errors(_QUIET)
        try:
            for kernel, places, attrs, to in self.steps:
                made = kernel(*[slots[k] for k in places], **attrs)
                if type(to) is int:
                    slots[to] = made if type(made) is ndarray and made.flags.c_contiguous else _plain(made)
                else:
                    for k, m in zip(to, made, strict=True):  # type: ignore[arg-type]
                        slots[k] = _plain(m)
        finally:
            _reset_errors(token)
        return slots


def _plain(made: Any) -> Any:
    return np.asarray(made, order="C")


@dataclass(frozen=True, slots=True)
class Plan:
    """How a call runs. kind: of the list that it returns, None for a single output.

    owners: operands that need gradients. residuals: for each operand of `backward` that isn't a gradient, the forward
    slot. seeds: outputs whose gradients follow. gradients: which of `owners` the outputs of `backward` belong to.
    watched: operands and results whose memory is kept for backward, from the first run on.
    """

    forward: Steps
    kind: type | None
    backward: Steps | None = None
    owners: tuple[int, ...] = ()
    residuals: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    gradients: tuple[int, ...] = ()
    watched: list[int] = field(default_factory=list)


Maker: TypeAlias = Callable[[Callable[..., Any], Any, dict[str, Any], list[Tensor], list[bool]], Union[Plan, None]]

_plans: dict[Any, Plan | None] = {}  # what is called with which operands -> its plan; None: it has none
_seen: set[Any] = set()  # what was called once
_own: dict[Callable[..., Any], Callable[..., Any]] = {}  # functions with an eager form that needs no plan, and that


def _make(fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], tensors: list[Tensor], recording: bool) -> Any:
    needs = [recording and not x.stop_gradient for x in tensors]
    return _maker[0](fn, args, kwargs, tensors, needs) if _maker else None


_maker: list[Maker] = []


def set_maker(make: Maker) -> None:
    """Install what makes plans of functions."""
    _maker[:] = [make]


def known(key: Any, make: Callable[[], Plan | None]) -> Plan | None:
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
        parts.append((value._dtype.name, array.shape, recording and not value.stop_gradient))
        tensors.append(value)
        return True
    if kind is list or kind is tuple:
        parts.append((kind, len(value)))
        return all(_note(item, parts, tensors, recording) for item in value)
    if kind is slice:
        parts.append(kind)
        return all(_note(v, parts, tensors, recording) for v in (value.start, value.stop, value.step))
    parts.append((kind, repr(value) if kind is float else value))  # 0.0 == -0.0
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
        if not _note(value, parts, tensors, recording):
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
    operands, arrays = tuple(tensors), [x._storage.payload for x in tensors]
    try:
        slots = plan.forward.run(arrays)
    except (ValueError, TypeError, IndexError, ArithmeticError, VitrifyError):
        return NotImplemented  # the function itself says what is wrong, in the user's line
    made = [_wrap(slots[k], operands, arrays) for k in plan.forward.outputs]
    if plan.backward is not None:
        _record(fn, args, kwargs, plan, tensors, slots, made)
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


def _record(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], plan: Plan, tensors: list[Tensor],
    slots: list[Any], made: list[Tensor],
) -> None:  # fmt: skip
    kept = [slots[k] for k in plan.residuals]
    near = [*tensors, *made]
    if not plan.watched:  # the last number stands for "looked at"
        used = [k for k, x in enumerate(near) if any(_same_memory(x._storage.payload, array) for array in kept)]
        plan.watched.extend([*used, len(near)])
    cells = [near[k]._storage for k in plan.watched[:-1]]
    versions = [cell.version for cell in cells]
    owners = [tensors[k] for k in plan.owners]
    specs = [(made[k]._storage.payload.shape, made[k]._dtype.numpy) for k in plan.seeds]
    place: list[Any] = []  # of the call: the node itself would keep itself alive

    def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
        for number, cell, version in zip(plan.watched, cells, versions, strict=False):
            if cell.version != version:
                what = f"operand {number}" if number < len(tensors) else f"result {number - len(tensors)}"
                check_version(cell, version, f"{what} of {fn.__name__}", place[0])
        found: list[Any] = [None] * len(owners)
        if is_recording():
            return _again(fn, args, kwargs, grads)
        given = [grads[k] for k in plan.seeds]
        arrays = [np.zeros(*spec) if g is None else g._storage.payload for spec, g in zip(specs, given, strict=True)]
        assert plan.backward is not None
        after = plan.backward.run([*kept, *arrays])
        real = [g for g in given if g is not None]
        owned = [g._storage.payload for g in real]
        for number, slot in zip(plan.gradients, plan.backward.outputs, strict=True):
            array = after[slot]
            if any(array is k for k in kept):
                array = array.copy()
            found[number] = _wrap(array, tuple(real), owned)
        return found

    place.append(record_function(fn.__name__, owners, made, backward).place)


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
        if value.stop_gradient:
            return value
        twin = value.detach()
        record_function("operand", [value], [twin], lambda grads: grads)
        twins.append(twin)
        return twin
    if type(value) in (list, tuple):
        return type(value)(_twinned(item, twins) for item in value)
    return value


_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))


def _item(fn: Callable[..., Any], x: Tensor, key: Any) -> Tensor | None:
    """`x[key]` for a key of ints, slices, None and an Ellipsis: a view, as NumPy cuts it; None for other keys."""
    array = x._storage.payload
    parts = key if type(key) is tuple else (key,)
    asks = not x.stop_gradient and is_recording()
    if type(array) is not ndarray or not all(type(p) in _BASIC for p in parts) or (asks and x._dtype.is_integer):
        return None  # gradients of integers follow the rules of the rows
    try:
        made = _wrap(array[key], (x,), [array])
    except (IndexError, ValueError, TypeError):
        return None  # the function itself says what is wrong
    if asks and x._dtype.is_differentiable:

        def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
            if is_recording():
                return _again(fn, (x, key), {}, grads)
            whole = np.zeros(array.shape, array.dtype)
            whole[key] = grads[0]._storage.payload
            return [from_array(whole)]

        record_function("getitem", (x,), (made,), backward)
    return made


_own[vars(getitem)["__wrapped__"]] = _item
set_runner(_run)
