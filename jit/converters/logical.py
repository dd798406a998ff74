"""`and`, `or`, `not`, comparison chains: Python values as in Python; tensors lazily, by an `if` of the program.

The right side runs only where the left one doesn't decide. Where it is a few cheap operations without effects, the
`if` is a logical operation instead.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import operator
import types
from collections.abc import Callable, KeysView
from typing import Any

from ...base.class_marks import is_of_dataclass
from ...base.dtype import bool_
from ...base.frame_marks import acts_for_caller, asks_for_caller
from ...base.pytree import flatten
from ...base.size import Size
from ...dygraph.number import Number, number_over
from ...dygraph.tensor import Tensor, wrap
from ...ir.core import Operation, Value
from ...ops.dims import Dim, is_open
from ...ops.failing import may_fail
from ...ops.op import OPS
from ...ops.sizes import runtime_names
from ..trace.assumed.structures import is_nested
from ..trace.known_values import known_flag
from ..trace.reachable import file_of
from ..trace.state.dynamic_lists import is_run_time_deque, is_run_time_sized, segment_in
from ..trace.tracer import Tracer, active
from .regions.branches import run_branches, tried
from .regions.markers import Poison, Tested
from .regions.region_state import Path
from .stdlib.iterations import RangeIterations
from .stdlib.iterators import taken
from .stdlib.outside_objects import read_of_part
from .stdlib.own_methods import is_users, own_method
from .stdlib.run_lists.lists import refuse_deque, tested, whole
from .while_loop import flag_of

Thunk = Callable[[], Any]
_METHODS: dict[str, tuple[str, str, Callable[[Any, Any], Any]]] = {  # and for the sides the other way round
    "<": ("__lt__", "__gt__", operator.lt), "<=": ("__le__", "__ge__", operator.le),
    ">": ("__gt__", "__lt__", operator.gt), ">=": ("__ge__", "__le__", operator.ge),
    "==": ("__eq__", "__eq__", operator.eq), "!=": ("__ne__", "__ne__", operator.ne),
}  # fmt: skip
_CHEAP = 12


@asks_for_caller
def and_(*operands: Thunk) -> Any:
    """`a and b and …`."""
    return _chain(operands, 0, is_and=True)


@asks_for_caller
def or_(*operands: Thunk) -> Any:
    """`a or b or …`."""
    return _chain(operands, 0, is_and=False)


@asks_for_caller
def _chain(operands: tuple[Thunk, ...], first: int, *, is_and: bool) -> Any:
    tracer = active()
    for k in range(first, len(operands)):
        value = operands[k]()
        if k == len(operands) - 1:
            return value
        if tracer is not None and isinstance(value, Tensor):
            return lazily(tracer, value, lambda k=k: _chain(operands, k + 1, is_and=is_and), operands, is_and=is_and)  # type: ignore[misc]
        truth = tested(value)  # of an object by a `__bool__` of the user's, in converted form
        if isinstance(truth, Tensor):
            rest = functools.partial(_chain, operands, k + 1, is_and=is_and)
            return _one_of(tracer, value, truth, rest, operands, is_and=is_and)  # type: ignore[arg-type]
        if bool(truth) is not is_and:
            return value
    raise AssertionError("no operands")


@asks_for_caller
def lazily(tracer: Tracer, left: Tensor, right: Thunk, functions: Any, *, is_and: bool) -> Any:
    """`left and right()` or `left or right()` for a tensor on the left."""
    path = tried(tracer, right, functions)
    if path is not None:
        decided = _is_pure(path) and _truth_of(path.returned) is (not is_and)
        path.discard()
        if decided and _is_flag(left):  # it decides, whatever the tensor on the left is
            return not is_and if _is_bool(left) and _is_bool(path.returned) else tracer.constant(not is_and, None)
        value = path.returned
        if _is_flag(left) and _is_cheap(path) and (_is_flag(value) or isinstance(value, bool)):
            value = right()
            made = OPS["logical_and" if is_and else "logical_or"](flag_of(tracer, left), flag_of(tracer, value))
            return number_over(made) if _is_bool(left) and _is_bool(value) else made

    return _one_of(tracer, left, left, right, functions, is_and=is_and)


@asks_for_caller
def _one_of(tracer: Tracer, left: Any, truth: Tensor, right: Thunk, functions: Any, *, is_and: bool) -> Any:
    """The left side where its truth decides, else the right one; the truth of it is known, too, if it can be."""

    def tested_too(x: Any, truth: Any) -> Any:
        return flag_of(tracer, truth) if _is_testable(truth) else None, x

    def tested_right() -> Any:
        value = right()
        return tested_too(value, value)

    ways = (tested_right, lambda: tested_too(left, truth))
    then, other = ways if is_and else ways[::-1]
    flag, found = run_branches(tracer, tracer.flag(truth), then, other, functions=functions)
    if isinstance(found, Poison) and isinstance(flag, Tensor):
        return Tested(found, flag)
    return found


def _truth_of(x: Any) -> bool | None:
    """What a bool, or a tensor that stands for one, is known to be."""
    payload = x._storage.payload if _is_flag(x) else None
    return x if isinstance(x, bool) else known_flag(payload) if isinstance(payload, Value) else None


def _is_pure(path: Path) -> bool:
    """Whether nothing is lost if it doesn't run, errors included."""
    operations = path.block.operations
    return not path.extras and all(o.is_pure and (not _may_fail(o) or o.op.family == "reduction") for o in operations)


def _may_fail(operation: Operation) -> bool:
    return bool(operation.op.failures) and may_fail(operation.op, [v.shape for v in operation.operands])


def _is_testable(x: Any) -> bool:
    if isinstance(x, Tensor):
        return all(isinstance(d, int) and d == 1 for d in x.shape)
    if own_method(bool, x) is not None:
        return False  # who tests the result calls it
    return not isinstance(x, Poison) or isinstance(x, Tested)


def _is_flag(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype is bool_ and all(d == 1 for d in x.shape)


def _is_bool(x: Any) -> bool:
    """Whether it is a bool in eager mode."""
    return isinstance(x, bool) or (isinstance(x, Number) and x.kind is bool)


def _is_cheap(path: Path) -> bool:
    operations = path.block.operations
    return not path.extras and len(operations) <= _CHEAP and all(
        o.is_pure and not o.blocks and not _may_fail(o) and o.op.family in ("elementwise", "comparison", "")
        for o in operations
    )  # fmt: skip


@asks_for_caller
def not_(value: Any) -> Any:
    """`not value`: Python's bool of a tensor, too."""
    tracer = active()
    value = tested(value)
    if tracer is None or not isinstance(value, Tensor):
        return not value
    flag = tracer.flag(value)
    known = known_flag(flag)
    if known is not None:
        return not known
    with tracer.builder.active():
        made = OPS["logical_not"](flag)
    return number_over(wrap(made, made.dtype))


@asks_for_caller
def compare_chain(first: Any, *links: tuple[str, Thunk]) -> Any:
    """`a < b <= c`: each operand at most once."""
    tracer = active()
    left = first
    for k, (name, operand) in enumerate(links):
        right = operand()
        value = OPERATORS[name](left, right)
        if k == len(links) - 1:
            return value
        if tracer is not None and isinstance(value, Tensor):
            functions = [thunk for _, thunk in links]
            rest = links[k + 1 :]
            others = functools.partial(compare_chain, right, *rest)
            return lazily(tracer, value, others, functions, is_and=True)
        if not value:
            return value
        left = right
    raise AssertionError("no links")


def identical(x: Any, y: Any) -> Any:
    """`x is y`; an error for a variable that is one thing or another. A bool of the run is True where it holds."""
    for side in (x, y):
        if isinstance(side, Poison):
            side.fail()
    tracer = active()
    if tracer is not None and isinstance(x, Tensor) and isinstance(y, Tensor):
        tracer.identity.ask(x, y)
        found = tracer.chosen.are_one(x, y)
        if found is False and (tracer.chosen.known(x) is None or tracer.chosen.known(y) is None):
            tracer.aliases.ask(x, y)
        return found
    if tracer is not None and (is_nested(x) and is_nested(y)) and tracer.tuples.ask(tracer, x, y):
        return True
    if tracer is not None and x is not y:
        tracer.joints.ask(x, y)
        for side, other in ((x, y), (y, x)):
            if type(side) is Number and side.kind is bool and isinstance(other, bool):
                return side if other else not_(side)
    return x is y


@asks_for_caller
def equals(a: Any, b: Any) -> Any:
    """`a == b`. Lists and tuples are equal if their elements are; tensors among them tell when the program runs."""
    tracer = active()
    if tracer is None or not _by_elements(a, b):
        return compared("==", a, b)
    for side in (a, b):
        if (segment := segment_in(side)) is not None:
            segment.fail()
    if not _tell_late(a, b):
        return a == b
    if len(a) != len(b):
        return False
    if any(map(tells_equal, (*a, *b))):
        return _as_bool(and_(_true, *[_asking(x, y) for x, y in zip(a, b, strict=True)]))
    flags = [_equals(x, y) for x, y in zip(a, b, strict=True)]
    if not all(isinstance(flag, Tensor) or flag for flag in flags):
        return False
    unknown = [flag for flag in flags if isinstance(flag, Tensor)]
    return number_over(functools.reduce(OPS["logical_and"], unknown)) if unknown else True


def _true() -> bool:
    return True


@asks_for_caller
def differ(a: Any, b: Any) -> Any:
    """`a != b`: the operator's own, but for lists and tuples."""
    return not_(equals(a, b)) if _by_elements(a, b) else compared("!=", a, b)


@asks_for_caller
def compared(operation: str, a: Any, b: Any) -> Any:
    """A comparison by the methods of users' classes, in converted form, in the order in which Python asks them."""
    tracer = active()
    name, reflected, plain = _METHODS[operation]
    if tracer is not None and all(isinstance(side, (list, collections.deque)) for side in (a, b)):
        for side in (a, b):  # Python would compare lengths that aren't there yet
            refuse_deque(side, "it is compared")
            if is_run_time_sized(side) and (segment := segment_in(side)) is not None:
                segment.fail()
    if tracer is not None and _order_fields(operation, a, b):
        a, b = _compared_fields(a), _compared_fields(b)
    if tracer is not None and _are_ordered(operation, a, b):
        return ordered(tracer, operation, a, b)
    if tracer is None or not (_tells(a, name) or _tells(b, reflected)):
        return plain(a, b)
    sides = [(a, b, name), (b, a, reflected)]
    if type(a) is not type(b) and issubclass(type(b), type(a)):
        sides.reverse()
    for x, y, method in sides:
        found = _told(tracer, x, y, method)
        if found is not NotImplemented:
            return found
    if operation in ("==", "!="):
        return (a is b) is (operation == "==")
    return plain(a, b)  # which says that they can't be compared


def _are_ordered(operation: str, a: Any, b: Any) -> bool:
    """Whether two tuples or lists are ordered by elements that tensors compare."""
    is_order = operation not in ("==", "!=") and type(a) is type(b)
    return is_order and type(a) in (tuple, list) and not is_run_time_sized(a) and _tell_late(a, b)


def _order_fields(operation: str, a: Any, b: Any) -> bool:
    """Whether two objects are ordered as `dataclass` writes it: as tuples of their fields."""
    if operation in ("==", "!=") or type(a) is not type(b) or not is_of_dataclass(a):
        return False
    method = getattr(type(a), _METHODS[operation][0], None)
    return isinstance(method, types.FunctionType) and file_of(method) == "<string>"


@asks_for_caller
def ordered(tracer: Tracer, operation: str, a: Any, b: Any) -> Any:
    """`a < b` of tuples or lists: the first elements that differ decide, else the lengths."""
    for k, (x, y) in enumerate(zip(a, b, strict=False)):
        same = x is y or equals(x, y)
        if not isinstance(same, Tensor):
            if same:
                continue
            return compared(operation, x, y)
        rest = functools.partial(ordered, tracer, operation, a[k + 1 :], b[k + 1 :])
        here = functools.partial(compared, operation, x, y)
        return run_branches(tracer, tracer.flag(same), rest, here, functions=(lambda: (a, b),))
    return _METHODS[operation][2](len(a), len(b))


@asks_for_caller
def _told(tracer: Tracer, x: Any, y: Any, name: str) -> Any:
    if not _tells(x, name):
        return getattr(type(x), name)(x, y)
    if name == "__eq__" and _is_of_dataclass(x):
        return equals(_compared_fields(x), _compared_fields(y)) if type(x) is type(y) else NotImplemented
    if name != "__ne__" or is_users(type(x).__ne__):
        return tracer.call(types.MethodType(getattr(type(x), name), x), y)
    found = _told(tracer, x, y, "__eq__")  # Python inverts what it tells
    return found if found is NotImplemented else not_(found)


def _tells(x: Any, name: str) -> bool:
    """Whether a comparison is a method that the user wrote in the class of `x`."""
    method = getattr(type(x), name, None)
    if name == "__ne__" and method is object.__ne__:
        return _tells(x, "__eq__")
    return is_users(method) and (file_of(method) != "<string>" or (name == "__eq__" and _is_of_dataclass(x)))


def _is_of_dataclass(x: Any) -> bool:
    """Whether objects are compared as `dataclass` writes it: as tuples of their fields."""
    method = type(x).__eq__
    return is_of_dataclass(x) and isinstance(method, types.FunctionType) and file_of(method) == "<string>"


def _compared_fields(x: Any) -> tuple[Any, ...]:
    return tuple([getattr(x, field.name) for field in dataclasses.fields(x) if field.compare])


def tells_equal(x: Any) -> bool:
    """Whether `x` is of a user's class that tells itself what it is equal to: maybe by tensors."""
    return type(x).__module__ != "builtins" and _tells(x, "__eq__")


def _by_elements(a: Any, b: Any) -> bool:
    """Whether these are lists or tuples that are equal if their elements are; a shape is equal to a tuple, too."""
    kinds = {type(a), type(b)}
    return kinds <= {list, tuple, Size} and (len(kinds) == 1 or Size in kinds)


def is_undecided(x: object) -> bool:
    """Whether this is a size that only a run knows, or one that an InputSpec leaves open."""
    return isinstance(x, Dim) and (bool(runtime_names(x)) or is_open(x))


def _tell_late(*values: Any) -> bool:
    """Whether a run decides if these are equal: tensors are among them, or sizes that only it knows."""
    found = flatten(values, _is_leaf)[0]
    return any(isinstance(x, Tensor) or is_undecided(x) or tells_equal(x) for x in found)


def _is_leaf(x: object) -> bool:
    return isinstance(x, (Tensor, Dim)) or tells_equal(x)


@acts_for_caller
def contains(x: Any, items: Any) -> Any:
    """`x in items`: equal to one of them, where tensors can be involved."""
    tracer = active()
    method = None if tracer is None else own_method(operator.contains, items)
    if tracer is not None and method is not None:
        found = tracer.call(method, x)
        return found if isinstance(found, Tensor) else bool(found)
    if tracer is not None:
        read_of_part(tracer, operator.contains, items, x)
        items = taken(tracer, items, "`in`")
    if tracer is not None and isinstance(items, RangeIterations) and _is_whole(x):
        return items.holds(x)
    if tracer is not None and type(x) is Number and isinstance(items, range):
        inside = OPS["logical_and"](x >= min(items.start, items.stop + 1), x < max(items.start + 1, items.stop))
        return number_over(OPS["logical_and"](inside, (x - items.start) % items.step == 0)) if items else False
    if is_run_time_deque(items):
        items = list(items)
    if tracer is None or not isinstance(items, (list, tuple, set, frozenset, dict, KeysView, Tensor)):
        return x in items
    if isinstance(items, Tensor):
        return number_over(OPS["any"](x == items))
    if is_run_time_sized(items):
        return number_over(OPS["any"](x == whole(_tracer(), list(items)).stacks[0]))
    if isinstance(x, Dim):  # their hashes differ
        flags = [equals(x, y) for y in items]
        return True if True in [f for f in flags if not isinstance(f, Tensor)] else _any_of(flags)
    if isinstance(items, (set, frozenset, dict, KeysView)) and not isinstance(x, Number):
        return any(identical(x, y) for y in items) if isinstance(x, Tensor) else x in items  # tensors hash by identity
    if not _tell_late(x) and not any(_tell_late(y) for y in items):
        return x in items
    if any(map(tells_equal, (x, *items))):  # by methods, which Python asks until one of them says yes
        return _as_bool(or_(*[_asking(y, x) for y in items])) if items else False
    flags = [_equals(x, y) for y in items]
    return True if True in [f for f in flags if not isinstance(f, Tensor)] else _any_of(flags)


def _is_whole(x: Any) -> bool:
    return x.kind is not float if type(x) is Number else isinstance(x, (int, Dim))


@asks_for_caller
def _equals(x: Any, y: Any) -> Any:
    equal = x is y or equals(x, y)
    return flag_of(_tracer(), equal) if isinstance(equal, Tensor) else bool(equal)


@asks_for_caller
def _asking(x: Any, y: Any) -> Thunk:
    return lambda: _equals(x, y)  # a closure tells what it can reach, and so change


def _any_of(flags: list[Any]) -> Any:
    found: Any = False
    for flag in flags:
        if isinstance(flag, Tensor):
            found = OPS["logical_or"](found, flag) if isinstance(found, Tensor) else flag
    return _as_bool(found)


def _as_bool(x: Any) -> Any:
    return number_over(x) if type(x) is Tensor and not x.ndim else x


def _tracer() -> Tracer:
    tracer = active()
    assert tracer is not None
    return tracer


@asks_for_caller
def _not_identical(x: Any, y: Any) -> Any:
    return not_(identical(x, y))


@asks_for_caller
def _lacks(x: Any, items: Any) -> Any:
    return not_(contains(x, items))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: functools.partial(compared, name) for name in ("<", "<=", ">", ">=")},
    "==": equals, "!=": differ, "is": identical, "is not": _not_identical, "in": contains, "not in": _lacks,
}  # fmt: skip
