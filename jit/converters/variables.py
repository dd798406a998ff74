"""Variables that may be unbound: reads in doubt, `del`, globals and attributes of a construct's state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from ...base.class_marks import mark_of, own_dict
from ...base.dtype import int64
from ...base.errors import CaptureError
from ...base.frame_marks import fails_for_caller
from ...base.location import caller_loc
from ...base.pytree import TaggedValue
from ...dygraph.nn.layer import Layer
from ...dygraph.number import Number
from ...dygraph.tensor import Tensor
from ...ops.dims import Dim
from ..trace.assumed.own_attributes import is_kept_elsewhere, own_attribute, space_of
from ..trace.state.dynamic_lists import ListSegment, is_run_time_sized
from ..trace.state.rollback import MISSING, put
from ..trace.tracer import active
from .handlers import handled
from .regions.decisions import decide_on
from .regions.markers import Maybe, Poison, Undefined
from .stdlib.run_lists.lists import size_of

RETURN_VALUE = "return value"  # the marker's name, no variable's


def is_defined(value: Any) -> bool:
    """Whether a variable is bound (on some path at least)."""
    return type(value) is not Undefined


def load(name: str, value: Any) -> Any:
    """The value of a variable; UnboundLocalError where it is unbound, when the program runs if only that knows."""
    if not isinstance(value, Undefined):
        return value
    message = f"cannot access local variable '{name}' where it is not associated with a value"
    return _looked_at(name, value, message, UnboundLocalError)


def load_free(name: str, value: Any) -> Any:
    """The same for a variable of a function around this one: NameError."""
    if not isinstance(value, Undefined):
        return value
    message = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
    return _looked_at(name, value, message, NameError)


def bound(names: dict[str, Any], name: str, value: Any) -> Any:
    """`name := value` in an operand in a lambda (see ../transformers/lambda_names.py)."""
    names[name] = value
    return value


def named(names: dict[str, Any], name: str) -> Any:
    """The value of such a name."""
    return load(name, names.get(name, Undefined(name)))


def returned(value: Any) -> Any:
    """What a function returns that keeps its value in a variable: at its end that is bound."""
    return value.value if type(value) is Maybe else value


def not_returned(value: Any) -> Any:
    """The variable of what a function returns, at the start of an iteration, which runs only where none has returned.

    A tensor of an earlier iteration isn't read there. A container stays, as its items may be written.
    """
    return Undefined(RETURN_VALUE) if _is_immutable(value) else value


def _is_immutable(value: Any) -> bool:
    if type(value) is Maybe:
        return _is_immutable(value.value)
    if type(value) is tuple:
        return all(map(_is_immutable, value))
    return isinstance(value, (Tensor, Undefined, Dim, bool, int, float, complex, str, bytes, type(None)))


@fails_for_caller
def _looked_at(name: str, value: Any, message: str, error: type[NameError]) -> Any:
    """What a variable is that may be unbound."""
    if isinstance(value, Poison):
        value.fail()
    if not isinstance(value, Maybe):
        if not isinstance(value, Undefined):
            return value
        if value.name == RETURN_VALUE:
            return None  # no run gets here: loops that only a `return` ends have set it
        raise error(message)
    tracer = active()
    if isinstance(value.flag, Tensor):
        if tracer is None:
            raise CaptureError(f"`{name}` left the trace that made it", loc=caller_loc())
        if handled(broadly=True) and tracer.regions:
            decision = decide_on(tracer, tracer.flag(value.flag), ("bound", name))
            if decision.side is None:
                decision.split(f"whether `{name}` is bound is known only when the program runs")
            if decision.side == 1:
                raise error(message)
        else:
            tracer.builder.check(tracer.flag(value.flag), message, error.__name__)
    return _looked_at(name, value.value, message, error)


def matched(value: Any) -> Any:
    """The subject of a `match` that takes values apart: Python counts the elements of its lists."""
    value = load("the subject", value)
    segment = _segment_inside(value, set())
    if segment is not None:
        segment.fail()
    return value


@fails_for_caller
def has_length(value: Any, count: int, starred: bool) -> Any:
    """Whether a pattern of so many parts, or with a starred part besides them, fits a value."""
    value = load("the subject", value)
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
        return False
    tracer = active()
    if tracer is None or not is_run_time_sized(value):
        return len(value) >= count if starred else len(value) == count
    size = tracer.constant(size_of(list(value)), int64)
    return size >= count if starred else size == count


def _segment_inside(value: Any, seen: set[int]) -> ListSegment | None:
    """The first segment in a value, what it holds and its attributes."""
    if type(value) is ListSegment or isinstance(value, Tensor) or id(value) in seen:
        return value if type(value) is ListSegment else None
    seen.add(id(value))
    parts = (
        value
        if isinstance(value, (list, tuple))
        else (value if isinstance(value, dict) else _attributes(value)).values()
    )
    return next((found for part in parts if (found := _segment_inside(part, seen)) is not None), None)


def _attributes(value: Any) -> dict[str, Any]:
    is_object = not isinstance(value, (type, ModuleType, FunctionType, Layer))
    return (own_dict(value) or {}) if is_object else {}


def deleted(name: str, value: Any) -> Undefined:
    """`del name`."""
    load(name, value)
    return Undefined(name)


def variable(thunk: Callable[[], Any], name: str) -> Any:
    """A global, or the marker."""
    try:
        return thunk()
    except NameError:
        return Undefined(name)


@fails_for_caller
def attribute(base: Callable[[], Any], name: str, text: str) -> Any:
    """An attribute that its object has itself, or the marker."""
    owner = base()
    found = MISSING if is_kept_elsewhere(owner, name) else own_attribute(owner, name)
    return Undefined(text) if found is MISSING else found


def class_of(x: Any) -> type:
    """`x.__class__`; Python's own class for numbers and sizes of the trace."""
    if type(x) is Number:
        return x.kind
    return int if isinstance(x, Dim) else x.__class__


@fails_for_caller
def set_attribute(base: Callable[[], Any], name: str, value: Any) -> None:
    """Set or delete an attribute, if that changes anything."""
    owner = base()
    if is_kept_elsewhere(owner, name):
        return
    found = own_attribute(owner, name)
    if found is value:  # also one in doubt
        return
    if type(value) is Undefined:
        if found is not MISSING:
            delattr(owner, name)
        return
    if mark_of(type(value), "is_union", False) and (tracer := active()) is not None and tracer.style.in_steps:
        put(owner, name, value)  # it stays in doubt until code looks at it (see regions/items_in_doubt.py)
        tracer.in_doubt[id(owner)] = owner
        return
    if isinstance(value, Poison):
        value.fail()
    if isinstance(value, Maybe):
        raise CaptureError(
            f"the attribute {name!r} is set on one path only",
            loc=caller_loc(),
            remedy="set it before, or on all paths",
        )
    if type(value) is TaggedValue:  # at the end of a region: what counts it is told by no setter
        put(space_of(owner, name), name, value)
    else:
        setattr(owner, name, value)


def own(variables: dict[str, Any], names: str) -> dict[str, Any]:
    """What `locals()` found, without the names that the converted code has besides the user's."""
    users = set(names.split())
    return {name: value for name, value in variables.items() if name in users and type(value) is not Undefined}
