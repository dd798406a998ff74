"""Stand-ins of a trace where Python keeps them: in objects that no program puts together, in text, as a dict's key.

A number that changes between calls, or a size of an open axis, is a `Number` or a `Dim` while a function is traced. The
tracer fills them in at each call where it can reach them: in results that are lists, tuples, dicts or dataclasses, and
in what converted code computes. Elsewhere the object would keep what one call put there. So the error for it says where
its value comes from (`CallOrigins`): these numbers and sizes are bound, and the function is traced anew, with a program
per value. A number that comes from a tensor can't be bound: that is the user's to see.
"""

from __future__ import annotations

import gc
import re
import types
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ....base.class_marks import mark_of
from ....base.errors import CaptureError
from ....base.location import UNKNOWN, Loc, caller_loc
from ....base.pytree import constants_of, flatten, keys_of
from ....dygraph.number import Number
from ....dygraph.storage import held
from ....dygraph.tensor import Tensor
from ....ir.core import Block, Operation, Value
from ....ir.walk import walk_from
from ....ops.dims import Dim
from ....ops.effects import Effect
from ....ops.sizes import runtime_names
from ..reachable import is_bound, plain_of

E = TypeVar("E", bound=CaptureError)
TOKEN = re.compile("\x00([0-9]+)\x00")  # stands for a tensor in a text (see converters/stdlib/strings.py)
MOST = 20_000  # objects that are looked at behind one that leaves the function
_ATOMS = (bool, int, float, complex, bytes, type(None))
_CLOSED = (
    np.ndarray, np.generic, type, types.ModuleType, types.CodeType, types.FrameType, types.TracebackType,
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, Value,
    Operation, Block,
)  # fmt: skip
_OWN = ("vitrify.base.", "vitrify.ir.", "vitrify.jit.", "vitrify.ops.", "vitrify.passes.", "vitrify.runtime.")


@dataclass(frozen=True, slots=True)
class CallOrigins:
    """What tells a stand-in in one call: numbers among the arguments, those at other places, symbols of sizes.

    reduced: those of the places whose numbers the code divides by known ones, and takes what is left. of_conditions:
    they tell the conditions under which the code runs that fails.
    """

    numbers: frozenset[int] = frozenset()
    places: tuple[Any, ...] = ()
    sizes: frozenset[str] = frozenset()
    reduced: tuple[Any, ...] = ()
    of_conditions: bool = False


def with_origins(tracer: Any, error: E, stand_ins: Iterable[Any]) -> E:
    """The error, which says what would have to be bound so that it doesn't come up; nothing where only a run knows."""
    found = _Computed(tracer)
    if all(found.add(x) for x in stand_ins):
        error.origins = found.made()  # type: ignore[attr-defined]
    return error


def note_conditions(tracer: Any, error: Exception, flags: Iterable[Any]) -> None:
    """Take in under which conditions code ran that failed: where a call tells them, it needn't run in other calls."""
    found = _Computed(tracer)
    if not hasattr(error, "conditions"):
        error.conditions = found.made() if all(found.add(flag) for flag in flags) else None  # type: ignore[attr-defined]


def blame_conditions(error: Exception) -> None:
    """No other way of capture led past an error: what tells the conditions under which the code runs is to be bound."""
    if origins_in(error) is None and getattr(error, "conditions", None) is not None:
        error.origins = replace(error.conditions, of_conditions=True)  # type: ignore[attr-defined]


def origins_in(error: BaseException) -> CallOrigins | None:
    """What to bind so that an error doesn't come up; None where that is of no help."""
    return getattr(error, "origins", None)


def is_told_by_call(tracer: Any, x: Any) -> bool:
    """Whether numbers and sizes of a call tell what a value is."""
    found = _Computed(tracer)
    return found.add(x) and found.made() is not None


def bind_choices(tracer: Any, choices: Iterable[Any], what: str, x: Any = None) -> None:
    """CaptureError for what comes out and is an item that is in use elsewhere, if the numbers of a call say which one.

    With these bound it is that very item. What only a run tells comes out as an item of its own.
    """
    for index in choices:
        error = CaptureError(
            f"{what} comes out that is one of a list's items, and a number says which one",
            loc=_place_of(x) if x is not None else caller_loc(),
            remedy="clone() it",
        )
        if origins_in(with_origins(tracer, error, [index])) is not None:
            raise error


class _Computed:
    """Collects what some stand-ins are computed from."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.numbers: set[int] = set()
        self.places: dict[int, Any] = {}
        self.sizes: set[str] = set()
        self.seen: set[Value] = set()

    def made(self) -> CallOrigins | None:
        if not (self.numbers or self.places or self.sizes):
            return None
        numbers = [entry.tensor for entry in self.tracer.lifted.values() if type(entry.tensor) is Number]
        reduced = tuple([x.origin for x in numbers if x.was_reduced and not isinstance(x.origin, int)])
        return CallOrigins(frozenset(self.numbers), tuple(self.places.values()), frozenset(self.sizes), reduced)

    def add(self, x: Any) -> bool:
        """Whether numbers and sizes of the call tell what `x` is."""
        if isinstance(x, Dim):
            return self._size(x)
        if isinstance(x, Value):
            return self._value(x)
        if isinstance(x, Tensor):
            payload = x._storage.payload
            return self._value(payload) if isinstance(payload, Value) else self._number(x)
        if mark_of(type(x), "holds_stand_ins", False):
            return all(self.add(part) for part in flatten(list(vars(x).values()), _is_told_late)[0])
        return not isinstance(x, str) or all(self.add(self.tracer.strings[int(k)][0]) for k in TOKEN.findall(x))

    def _number(self, x: Tensor) -> bool:
        origin = x.origin if type(x) is Number else None
        if isinstance(origin, int):
            self.numbers.add(origin)
        elif origin is not None:
            self.places[id(origin)] = origin
        return origin is not None

    def _size(self, size: Dim) -> bool:
        told = {str(name): value for value, (name, *_) in self.tracer.named_sizes.items()}
        for name in runtime_names(size):
            if name not in told or not self._value(told[name]):
                return False
        known = size.symbols() - runtime_names(size)
        if self.tracer.hints is None or not known <= set(self.tracer.hints):
            return False
        self.sizes |= known
        return True

    def _value(self, value: Value) -> bool:
        stack = [value]
        while stack:
            value = stack.pop()
            if value in self.seen:
                continue
            self.seen.add(value)
            operation = value.operation
            if operation is None:
                if not self._argument(value):
                    return False
                continue
            for inner in walk_from(operation):
                if inner.results and inner.op.effect not in (Effect.PURE, Effect.TERMINATOR):
                    return False
                sizes = flatten(list(inner.attrs.values()), lambda v: isinstance(v, Dim))[0]
                if not all(self._size(v) for v in sizes):
                    return False
                self.seen.update(arg for block in inner.blocks for arg in block.args)
                stack += inner.operands
        return True

    def _argument(self, value: Value) -> bool:
        """An argument of a block: of the program, a number that a call fills in; of a loop that is still recorded,
        what it counts isn't known yet: any number may tell it.
        """
        lifted = [e for e in self.tracer.lifted.values() if type(e.tensor) is Number]
        if value.block is self.tracer.program.body:
            return any(e.value is value and self._number(e.tensor) for e in lifted)
        for entry in lifted:
            self._number(entry.tensor)
        self.sizes |= set(self.tracer.hints or ())
        return True


# ---- what objects hold


def refuse_kept(tracer: Any, value: Any, loc: Loc | None = None) -> None:
    """CaptureError where an object that no program puts together holds a number or size that changes between calls."""
    _, tree = flatten(value, lambda v: isinstance(v, (Tensor, Dim)))
    refuse_in(tracer, [*keys_of(tree), *constants_of(tree)], loc)


def refuse_in(tracer: Any, objects: Iterable[Any], loc: Loc | None = None) -> None:
    """The same for such objects themselves."""
    for holder in objects:
        if isinstance(holder, (*_ATOMS, str)):
            continue
        found = list(stand_ins_in(tracer, holder))
        if found:
            raise with_origins(tracer, _kept(tracer, holder, found[0], loc), found)
        dead = next(_made_in(tracer, holder), None)
        if dead is not None:
            raise _dead(tracer, holder, dead)
        if isinstance(holder, weakref.ref):
            _refuse_weak(tracer, holder(), loc)


def _refuse_weak(tracer: Any, x: Any, loc: Loc | None) -> None:
    """The error for a weak reference that would lead to the object of the capture, not to that of a call."""
    if id(x) in tracer.objects.fresh or next(_made_in(tracer, x), None) is not None:
        raise CaptureError(
            f"a weak reference to a {type(x).__name__} that the function makes is kept, but each call makes its own",
            loc=loc or caller_loc(),
            remedy="make the object outside of the compiled function, or keep it in a plain dict or list",
        )


def _kept(tracer: Any, holder: Any, x: Any, loc: Loc | None) -> CaptureError:
    what = "a size" if isinstance(x, Dim) else "a text" if isinstance(x, str) else "a number"
    where = f"a {type(holder).__name__}" if not isinstance(holder, (Tensor, Dim)) else "a dict's key"
    return CaptureError(
        f"{what} that only a run of the program knows is kept in {where}, which isn't made anew at each call",
        loc=loc or _place_of(x),
        remedy="keep it in a list, tuple, dict or dataclass, which a program fills in, or keep the tensor itself",
    )


def _place_of(x: Any, last: Loc = UNKNOWN) -> Loc:
    """Where a value was made; for what no operation made, the line `last`."""
    made = x._storage.payload if isinstance(x, Tensor) else None
    maker = made.operation if isinstance(made, Value) else None
    if maker is not None and maker.loc.file:
        return maker.loc
    return last if last.file else caller_loc()


def _dead(tracer: Any, holder: Any, x: Any) -> CaptureError:
    """The error for what comes out with a tensor of the trace inside, or with code that would compute with some."""
    lazy = mark_of(type(x), "is_lazy") or mark_of(type(holder), "is_lazy", "")
    what = f"a tensor ({x._storage.payload.type}) comes out in" if isinstance(x, Tensor) else "what comes out is"
    first = next((plain_of(c.original).__code__ for c in tracer.functions.values()), None)
    begin = UNKNOWN if first is None else Loc(first.co_filename, first.co_firstlineno)
    return CaptureError(
        f"{what} {lazy or f'a {type(holder).__name__}'}, which no program can make anew at each call",
        loc=_place_of(x, tracer.builder.loc if tracer.builder.loc.file else begin),
        remedy="make a list of its items"
        if lazy
        else "return the tensors in a list, tuple, dict, deque, dataclass or object of a plain class, and make the "
        "rest of them in the caller",
    )


def holds_made(tracer: Any, root: Any) -> bool:
    """Whether tensors, numbers, sizes or texts of the trace can be reached from an object, as far as made here."""
    found: Any = next(stand_ins_in(tracer, root), None)
    return found is not None or next(_made_in(tracer, root), None) is not None


def is_made(tracer: Any, x: Any) -> bool:
    """Whether a tensor stands for a value of the program, and isn't one from outside."""
    if not isinstance(x, Tensor) or isinstance(x, Number):
        return False
    return isinstance(held(x), Value) and id(x._storage) not in tracer.lifted


def is_computed(tracer: Any, x: Any) -> bool:
    """Whether a tensor is one that the function has made, not an argument either."""
    if not is_made(tracer, x):
        return False
    value: Value = held(x)
    return value.operation is not None or value.block is not tracer.program.body


def _made_in(tracer: Any, root: Any) -> Iterator[Any]:
    """Tensors of the trace, and iterators of captured code, that can be reached from an object."""
    for x in reached(tracer, root):
        if is_made(tracer, x) or mark_of(type(x), "is_lazy") is not None:
            yield x


def stand_ins_in(tracer: Any, root: Any) -> Iterator[Any]:
    """Numbers, sizes and texts of the trace that can be reached from an object, as far as the function made it."""
    for x in reached(tracer, root):
        if _is_told_late(x) and (type(x) is Number or not isinstance(x, Tensor)):  # others: see _made_in
            yield x


def reached(tracer: Any, root: Any) -> Iterator[Any]:
    """What can be reached from an object, as far as the function made it."""
    known = tracer.objects.kept
    seen: set[int] = set()
    stack = [root]
    while stack and len(seen) < MOST:
        x = stack.pop()
        if isinstance(x, _ATOMS) or id(x) in seen:
            continue
        seen.add(id(x))
        yield x
        if not (_is_told_late(x) or isinstance(x, (str, *_CLOSED)) or id(x) in known):
            stack += _behind(x, known)


def _is_told_late(x: object) -> bool:
    is_text = isinstance(x, str) and tells_late(x)
    return is_text or isinstance(x, (Tensor, Dim)) or mark_of(type(x), "holds_stand_ins", False)


def tells_late(text: str) -> bool:
    """Whether a text is made from tensors."""
    return str.__contains__(text, "\x00") and TOKEN.search(text) is not None


def _behind(x: Any, known: Any) -> list[Any]:
    """What an object holds itself."""
    if isinstance(x, types.GeneratorType):
        return [] if x.gi_frame is None else list(x.gi_frame.f_locals.values())
    if isinstance(x, types.FunctionType):
        cells = [c.cell_contents for c in x.__closure__ or () if id(c) not in known and is_bound(c)]
        return [*cells, x.__defaults__, x.__kwdefaults__, x.__dict__]
    if type(x).__module__.startswith(_OWN) and not isinstance(x, (list, tuple, dict)):
        return []
    return gc.get_referents(x)
