"""The one cache of eager mode: what a call is, as a key, and the stub that runs calls of that key.

A key holds the op or the planned function, of each tensor its dtype, its sizes and whether it needs a gradient, and of
everything else its type and value. The first call of a key runs in full. The second one makes a stub (stubs.py), which
later calls run: the results are the same, only preparation and checks are left out, which depend on the key alone. What
a key can't tell (tensors that decide about attributes, other interpreters, hooks on saved tensors) always runs in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from types import FunctionType
from typing import Any, TypeAlias, Union

import numpy as np
from numpy import ndarray

from ..base.boundary import shorten
from ..base.dtype import LOW_FLOATS, DType
from ..base.errors import VitrifyError
from ..base.flags import on_default_dtype
from ..base.size import ElementCount, Size
from ..ops.dispatch import bottoms, interpreters, set_bottom
from ..ops.effects import Effect
from ..ops.op import Op
from ..ops.planned import KEY_IN_DETAIL
from ..ops.types import TensorType
from .cuts import Cutting
from .eager import EagerInterpreter
from .modes import is_recording
from .plans import PlanMaker, stub_of
from .rule_stubs import RuleMaker, rule_stub
from .stubs import ANY, KernelList, NodesBy, OpCall, Operand, PlanStep, ShortKernel, Stub, given_by, stub_of_op
from .tape import NodeKind, OpNode, UnreadOperand
from .tensor import Parameter, Tensor

MOST_CALLS = 8192

# In place of a stub:
ONCE = "one such call so far"
NEVER = "such calls run in full"
IN_DETAIL = "sizes and the values of numbers count, too"

Entry: TypeAlias = Union[Stub, str]
Binary: TypeAlias = Callable[[Any, Any], Any]

_PLAIN = frozenset((int, ElementCount, str, type(None), DType))  # what a key holds as it is


@dataclass(frozen=True, slots=True)
class Makers:
    """What the compiler does for eager mode: it records functions and gradient rules, and joins kernels."""

    plan: PlanMaker
    rule: RuleMaker
    native: Callable[[KernelList], KernelList]
    short: Callable[[Any, Sequence[Any], Sequence[int], Any], ShortKernel | None]


class CallCache:
    """Stubs by key, of which the oldest go first. Any thread may look one up or put one in."""

    def __init__(self) -> None:
        self._stubs: dict[Any, Entry] = {}
        self._lock = Lock()
        self._epoch = 0
        self.find = self._stubs.get
        on_default_dtype.append(self.forget)

    def __len__(self) -> int:
        return len(self._stubs)

    def forget(self) -> None:
        """Forget all calls: what they depend on has changed."""
        with self._lock:
            self._epoch += 1
            self._stubs.clear()

    def entry(self, key: Any, make: Callable[[], Entry]) -> Entry:
        """What is known of the calls of a key, after one more. Errors: TypeError for a key without a hash."""
        entry = self.find(key)
        if entry is not None and entry is not ONCE:
            return entry
        epoch = self._epoch
        made = NEVER if entry is None else make()
        with self._lock:
            if epoch == self._epoch:
                if key not in self._stubs and len(self._stubs) >= MOST_CALLS:
                    del self._stubs[next(iter(self._stubs))]
                self._stubs[key] = ONCE if entry is None else made
        return made


class CachingInterpreter(EagerInterpreter):
    """Eager mode that knows calls which it has seen before."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = CallCache()
        self.find = self.calls.find
        self.makers: list[Makers] = []  # one, if the compiler is there

    def again(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], in_detail: bool = False) -> Any:
        """The result of a call whose key has a stub; NotImplemented for others. in_detail: as op.KEY_IN_DETAIL says."""
        numbers, all_shapes = KEY_IN_DETAIL if in_detail else op.key_form
        if not kwargs and 1 <= len(args) <= 2:  # the usual cases of what follows: x, and x with an attribute
            x = args[0]
            if (type(x) is Tensor or type(x) is Parameter) and type(array := x._storage.payload) is ndarray:
                tracked = not x._stop and is_recording()
                key: tuple[Any, ...] | None = None
                if len(args) == 1:
                    key = (op, x._dtype.name, tracked) if all_shapes else (op, x._dtype.name, array.shape, tracked)
                elif not all_shapes:
                    kind = type(tail := args[1])
                    if kind is list or kind is tuple or kind is Size:  # of sizes, as `_note` puts them into a key
                        for part in tail:
                            if type(part) is not int:
                                break
                        else:
                            key = op, x._dtype.name, array.shape, tracked, kind, len(tail), *tail
                    elif kind in _PLAIN:
                        key = op, x._dtype.name, array.shape, tracked, tail
                if type(stub := self.find(key)) is FunctionType:
                    return stub(x)
        parts: list[Any] = [op]
        operands: list[Any] = []
        for x in args:
            kind = type(x)
            if kind is Tensor or kind is Parameter:
                array = x._storage.payload
                if type(array) is not ndarray:
                    return NotImplemented
                shape = () if all_shapes else (array.shape,)
                parts += x._dtype.name, *shape, not x._stop and is_recording()
                operands.append(x)
            elif len(operands) < numbers and (kind is float or kind is int):
                parts.append(kind)
                operands.append(x)
            elif kind in _PLAIN:
                parts.append(x)
            elif kind is list or kind is Size:
                for part in x:
                    if type(part) is not int:
                        if not _note(x, kind, parts, operands):
                            return NotImplemented
                        break
                else:
                    parts += kind, len(x), *x
            elif not _note(x, kind, parts, operands):
                return NotImplemented
        if kwargs:
            for name, x in kwargs.items():
                parts.append(name)
                if not _note(x, type(x), parts, operands):
                    return NotImplemented
        key = tuple(parts)
        stub = self.find(key)
        if type(stub) is not FunctionType:
            return self._unknown(key, op, args, kwargs, operands, numbers)
        return stub(*operands)

    planned: Any = again

    def _unknown(self, key: Any, fn: Any, args: Any, kwargs: dict[str, Any], operands: list[Any], numbers: int) -> Any:
        """`again` for a key without a stub. No part of it: variables of a closure are slow everywhere."""
        stub = self.calls.entry(key, lambda: self._make(fn, args, kwargs, operands, numbers))
        if stub is IN_DETAIL:
            return self.again(fn, args, kwargs, True)
        return stub(*operands) if isinstance(stub, FunctionType) else NotImplemented

    def _make(self, fn: Any, args: Any, kwargs: dict[str, Any], operands: list[Any], numbers: int) -> Entry:
        """The stub of calls like this one."""
        if not operands or (type(fn) is Op and fn.effect is not Effect.PURE):  # making a stub runs it
            return NEVER
        try:
            if type(fn) is Cutting:
                return fn.stub(args, kwargs, operands) or NEVER
            if type(fn) is not Op:
                return self._make_planned(fn, args, kwargs, operands)
            return self._make_op(fn, args, kwargs, operands, numbers)
        except (VitrifyError, ValueError, TypeError, IndexError, ArithmeticError):
            return NEVER  # the call itself says what is wrong

    def _make_planned(self, fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], tensors: list[Tensor]) -> Entry:
        """The stub of a function over rows that is recorded as a plan."""
        if not self.makers:
            return NEVER
        recording, native = is_recording(), self.makers[0].native
        plan = self.makers[0].plan(fn, args, kwargs, tensors, [recording and not x._stop for x in tensors])
        if plan is None:
            return NEVER
        back = None if plan.backward is None else native(plan.backward)
        return stub_of(replace(plan, forward=native(plan.forward), backward=back), fn, args, kwargs, tensors)

    def _make_op(self, op: Op, args: Any, kwargs: dict[str, Any], operands: list[Any], numbers: int) -> Entry:
        """The stub of an op: its kernel, where preparing leaves the operands as they are; else a plan."""
        if len(args) < len(op.operands):  # an operand by name isn't in its place
            return NEVER
        values, attrs = op.bind(args, kwargs)
        if len(values) != len(operands) or any(a is not b for a, b in zip(values, operands, strict=True)):
            return NEVER  # a tensor among the attributes, a number in a list
        prepared: Any = None
        if not any(isinstance(x, Tensor) and x._dtype in LOW_FLOATS for x in values):
            prepared, attrs = (values, attrs) if op.prepare is None else op.prepared(self, list(values), attrs)
            prepared = [x if isinstance(x, Tensor) else self.constant(x, None) for x in prepared]
        if prepared is None or not _same(values, prepared):
            if _asks_integers(operands):
                return NEVER
            if numbers and (op.fits_all_shapes or any(not isinstance(x, Tensor) for x in operands)):
                return IN_DETAIL
            return self._make_planned(op.in_full, args, kwargs, operands)
        kernels, call = _op_call(op, attrs, values, prepared)
        if self.makers:
            kernels = self._shortened(kernels, call) if op.fits_all_shapes else self.makers[0].native(kernels)
        return stub_of_op(kernels, call)

    def _shortened(self, kernels: KernelList, call: OpCall) -> KernelList:
        """The one kernel of calls whose shapes aren't known, with a native one for few elements of one shape."""
        (step,) = kernels.steps
        numbers = [k for k, x in enumerate(call.operands) if x.is_number]
        dtypes = [x.dtype.numpy for x in call.operands]
        if call.several or len(numbers) == len(dtypes):
            return kernels
        short = self.makers[0].short(step.kernel, dtypes, numbers, call.made[0].numpy)
        return replace(kernels, steps=[replace(step, short=short)])

    def rule_of(self, node: OpNode, grads: tuple[Any, ...]) -> Any:
        """The gradients of a step of the tape by the stub of its rule; NotImplemented where the rule itself must run.

        The kind of a step keeps the stubs that fit it, by the gradients that arrive and those that are wanted.
        """
        kind, edges = node.kind, node.edges
        wanted = (edges[0] is not None,) if len(edges) == 1 else tuple([edge is not None for edge in edges])
        arrived = True if len(grads) == 1 else tuple([g is not None for g in grads])
        usual = kind.rules is not None
        for g, spec in zip(grads, kind.specs, strict=True):  # a hook may give other numbers
            if g is not None and (g._dtype is not spec.dtype or g._storage.payload.shape != spec.shape):
                usual = False
        stub = kind.rules.get((arrived, wanted)) if usual and kind.rules is not None else None
        if stub is None:
            if not self.makers:
                return NotImplemented
            try:
                stub = self.calls.entry(_rule_key(node, grads, wanted), lambda: self._make_rule(node, grads))
            except TypeError:  # an attribute without a hash
                return NotImplemented
            if type(stub) is not FunctionType:
                return NotImplemented
            if usual and kind.rules is not None:
                kind.rules[arrived, wanted] = stub
        return stub(node, grads)

    def _make_rule(self, node: OpNode, grads: tuple[Any, ...]) -> Entry:
        if node.op.effect is not Effect.PURE:
            return NEVER
        return rule_stub(self.makers[0].rule, self.makers[0].native, node, grads) or NEVER


def _note(value: Any, kind: type, parts: list[Any], operands: list[Any]) -> bool:
    """Put what a call depends on into the parts of its key; False for what no key can tell."""
    if kind is list or kind is tuple or kind is slice or kind is Size:
        if kind is slice:
            value = value.start, value.stop, value.step
        parts += kind, len(value)
        for part in value:
            inner = type(part)
            if inner is int:
                parts.append(part)
            elif inner is Tensor and type(array := part._storage.payload) is ndarray:  # the usual case of the next one
                parts += part._dtype.name, array.shape, not part._stop and is_recording()
                operands.append(part)
            elif not _note(part, inner, parts, operands):
                return False
    elif kind in _PLAIN:
        parts.append(value)
    elif kind is Tensor or kind is Parameter:
        array = value._storage.payload
        if type(array) is not ndarray:
            return False
        parts += value._dtype.name, array.shape, not value._stop and is_recording()
        operands.append(value)
    elif kind is bool:
        parts += kind, value
    elif kind is float:
        parts += kind, value if value and value == value else repr(value)  # 0.0 == -0.0, nan != nan
    elif value is Ellipsis:
        parts.append(value)
    else:
        return False
    return True


def _rule_key(node: OpNode, grads: tuple[Any, ...], wanted: tuple[bool, ...]) -> tuple[Any, ...]:
    """What a gradient rule depends on: op, attributes, types, what arrives and what is wanted."""
    parts: list[Any] = ["rule", node.op, wanted]
    for x in (*node.operands, *(node.results or node.kind.specs), *grads):
        if x is None:
            parts.append(None)
        elif type(x) is UnreadOperand:
            parts += x.dtype.name, x.shape
        else:
            parts += x._dtype.name, x._storage.payload.shape
    for name, value in node.attrs.items():
        parts += name, type(value), repr(value) if type(value) is float else value
    return tuple(parts)


def _same(values: list[Any], prepared: list[Any]) -> bool:
    """Whether preparing left tensors as they are, and made numbers nothing but arrays of a dtype."""
    if len(values) != len(prepared):
        return False
    return all(
        after is before if isinstance(before, Tensor) else _is_number(before, after)
        for before, after in zip(values, prepared, strict=True)
    )  # fmt: skip


def _is_number(value: Any, tensor: Tensor) -> bool:
    array = tensor._storage.payload
    return array.shape == () and bool(array.tobytes() == np.array(value, array.dtype).tobytes())


def _asks_integers(operands: list[Any]) -> bool:
    """Whether gradients of integers or bools are wanted, which only the rules of the rows know how to give."""
    return is_recording() and any(isinstance(x, Tensor) and not x._stop and x._dtype.category < 2 for x in operands)


def _op_call(op: Op, attrs: dict[str, Any], values: list[Any], prepared: list[Tensor]) -> tuple[KernelList, OpCall]:
    """What the stub of a call is made of whose preparation left the operands as they are."""
    recording = is_recording()
    operands = [
        Operand(x._dtype, recording and isinstance(value, Tensor) and not value._stop, not isinstance(value, Tensor))
        for value, x in zip(values, prepared, strict=True)
    ]  # fmt: skip
    types = [TensorType(x._dtype, x._storage.payload.shape) for x in prepared]
    made = op.infer(*types, **attrs)
    several = isinstance(made, tuple)
    results: Any = made if several else (made,)
    slots = tuple(range(len(types), len(types) + len(results)))
    if several:
        step = PlanStep(partial(op.eager, **attrs), tuple(range(len(types))), slots, ANY, op.only_moves)
    else:
        kernel = op.kernel(types, attrs)
        gives = given_by(kernel, None if op.fits_all_shapes else results[0])
        step = PlanStep(kernel, tuple(range(len(types))), slots[0], gives, op.only_moves)
    nodes: Any = NodesBy.SHAPES if op.fits_all_shapes else NodesBy.CALL
    if not op.fits_all_shapes and all(type(d) is int for r in results for d in r.shape):
        specs = [UnreadOperand(t.dtype, t.shape) for t in types]
        outputs = [UnreadOperand(r.dtype, tuple(r.shape)) for r in results]
        asks = any(x.tracked and x.dtype.category < 2 for x in operands)
        nodes = NodeKind(op, attrs, specs, outputs, many=several, integers=asks, again=True)
    known = {} if op.fits_all_shapes else dict(enumerate([*types, *results]))
    kernels = KernelList(len(types), {}, [step], slots, known)
    return kernels, OpCall(op, attrs, operands, [r.dtype for r in results], several, nodes)


def operator(op: Op, slow: Binary) -> Binary:
    """The method of a binary operator. It builds the keys of its usual calls, two tensors or a tensor and a number,
    by itself, without a loop. slow: what carries out any call.
    """
    find, plain = EAGER.calls.find, not op.fits_all_shapes

    def method(x: Any, y: Any) -> Any:
        try:
            if interpreters() or bottoms[0] is not EAGER:
                return slow(x, y)
            kind = type(y)
            a = x._storage.payload
            if kind is Tensor or kind is Parameter:
                b = y._storage.payload
                if type(a) is not ndarray or type(b) is not ndarray:
                    return slow(x, y)
                gx, gy = not x._stop and is_recording(), not y._stop and is_recording()
                if plain:
                    stub = find((op, x._dtype.name, a.shape, gx, y._dtype.name, b.shape, gy))
                else:
                    stub = find((op, x._dtype.name, gx, y._dtype.name, gy))
            elif (kind is float or kind is int) and type(a) is ndarray and not plain:
                stub = find((op, x._dtype.name, not x._stop and is_recording(), kind))
            else:
                return slow(x, y)
            if type(stub) is FunctionType:
                made = stub(x, y)
                if made is not NotImplemented:
                    return made
            return slow(x, y)
        except VitrifyError as error:
            shorten(error)
            raise

    return method


EAGER = CachingInterpreter()
set_bottom(EAGER)
