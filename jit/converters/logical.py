"""`and`, `or`, `not`, comparison chains: Python values as in Python; tensors lazily, by an `if` of the program.

The right side runs only where the left one doesn't decide. Where it is a few cheap operations without effects, the
`if` is a logical operation instead.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from ...base.dtype import bool_
from ...base.pytree import flatten
from ...base.size import Size
from ...dygraph.number import Number, number_over
from ...dygraph.tensor import Tensor, wrap
from ...ops.dims import Dim, is_open
from ...ops.op import OPS
from ...ops.sizes import runtime_names
from ..trace.state.dynamic_lists import is_run_time_sized, segment_in
from ..trace.tracer import Tracer, active
from .regions.branches import run_branches, tried
from .regions.markers import Poison, Tested
from .regions.region_state import Path
from .stdlib.lists import tested, whole
from .stdlib.own_methods import is_users, own_method
from .while_loop import flag_of

Thunk = Callable[[], Any]
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": lambda a, b: equals(a, b), "!=": lambda a, b: differ(a, b),
    "is": lambda a, b: identical(a, b), "is not": lambda a, b: not_(identical(a, b)),
    "in": lambda a, b: contains(a, b), "not in": lambda a, b: not_(contains(a, b)),
}  # fmt: skip
_CHEAP = 12


def and_(*operands: Thunk) -> Any:
    """`a and b and …`."""
    return _chain(operands, 0, is_and=True)


def or_(*operands: Thunk) -> Any:
    """`a or b or …`."""
    return _chain(operands, 0, is_and=False)


def _chain(operands: tuple[Thunk, ...], first: int, *, is_and: bool) -> Any:
    tracer = active()
    for k in range(first, len(operands)):
        value = operands[k]()
        if k == len(operands) - 1:
            return value
        if tracer is not None and isinstance(value, Tensor):
            return lazily(tracer, value, lambda k=k: _chain(operands, k + 1, is_and=is_and), operands, is_and=is_and)  # type: ignore[misc]
        if tracer is not None and (is_run_time_sized(value) or isinstance(value, Tested) or is_undecided(value)):
            ways = (functools.partial(_chain, operands, k + 1, is_and=is_and), functools.partial(_itself, value))
            then, other = ways if is_and else ways[::-1]
            return run_branches(tracer, tracer.flag(tested(value)), then, other, functions=operands)
        if bool(value) is not is_and:
            return value
    raise AssertionError("no operands")


def _itself(value: Any) -> Any:
    return value


def lazily(tracer: Tracer, left: Tensor, right: Thunk, functions: Any, *, is_and: bool) -> Any:
    """`left and right()` or `left or right()` for a tensor on the left."""
    path = tried(tracer, right, functions)
    if path is not None:
        path.discard()
        value = path.returned
        if _is_flag(left) and _is_cheap(path) and (_is_flag(value) or isinstance(value, bool)):
            value = right()
            return OPS["logical_and" if is_and else "logical_or"](flag_of(tracer, left), flag_of(tracer, value))

    def tested_too(x: Any) -> Any:
        return flag_of(tracer, x) if _is_testable(x) else None, x

    ways = (lambda: tested_too(right()), lambda: tested_too(left))
    then, other = ways if is_and else ways[::-1]
    flag, found = run_branches(tracer, tracer.flag(left), then, other, functions=functions)
    if isinstance(found, Poison) and isinstance(flag, Tensor):
        return Tested(found, flag)
    return found


def _is_testable(x: Any) -> bool:
    if isinstance(x, Tensor):
        return all(isinstance(d, int) and d == 1 for d in x.shape)
    return not isinstance(x, Poison) or isinstance(x, Tested)


def _is_flag(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype is bool_ and all(d == 1 for d in x.shape)


def _is_cheap(path: Path) -> bool:
    operations = path.block.operations
    return not path.extras and len(operations) <= _CHEAP and all(
        o.is_pure and not o.blocks and o.op.family in ("elementwise", "comparison", "") for o in operations
    )  # fmt: skip


def not_(value: Any) -> Any:
    """`not value`: Python's bool of a tensor, too."""
    tracer = active()
    value = tested(value)
    if tracer is None or not isinstance(value, Tensor):
        return not value
    with tracer.builder.active():
        made = OPS["logical_not"](tracer.flag(value))
    return number_over(wrap(made, made.dtype))


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
    if tracer is not None and x is not y:
        tracer.joints.ask(x, y)
        for side, other in ((x, y), (y, x)):
            if type(side) is Number and side.kind is bool and isinstance(other, bool):
                return side if other else not_(side)
    return x is y


def equals(a: Any, b: Any) -> Any:
    """`a == b`. Lists and tuples are equal if their elements are; tensors among them tell when the program runs."""
    tracer = active()
    if tracer is None or not _by_elements(a, b):
        return a == b
    for side in (a, b):
        if (segment := segment_in(side)) is not None:
            segment.fail()
    if not _tell_late(a, b):
        return a == b
    if len(a) != len(b):
        return False
    flags = [True if x is y else _equals(x, y) for x, y in zip(a, b, strict=True)]
    if not all(isinstance(flag, Tensor) or flag for flag in flags):
        return False
    unknown = [flag for flag in flags if isinstance(flag, Tensor)]
    return number_over(functools.reduce(OPS["logical_and"], unknown)) if unknown else True


def differ(a: Any, b: Any) -> Any:
    """`a != b`: the operator's own, but for lists and tuples, and objects for which Python asks their own `__eq__`."""
    return not_(equals(a, b)) if _by_elements(a, b) or _asks_equal(a, b) else a != b


_DIFFER: Any = object.__ne__


def _asks_equal(a: Any, b: Any) -> bool:
    """Whether `a != b` is `not a == b`: two objects of a class of the user's that says nothing else."""
    kind: Any = type(a)
    return kind is type(b) and kind.__ne__ is _DIFFER and is_users(kind.__eq__)


def _by_elements(a: Any, b: Any) -> bool:
    """Whether these are lists or tuples that are equal if their elements are; a shape is equal to a tuple, too."""
    kinds = {type(a), type(b)}
    return kinds <= {list, tuple, Size} and (len(kinds) == 1 or Size in kinds)


def is_undecided(x: object) -> bool:
    """Whether this is a size that only a run knows, or one that an InputSpec leaves open."""
    return isinstance(x, Dim) and (bool(runtime_names(x)) or is_open(x))


def _tell_late(*values: Any) -> bool:
    """Whether a run decides if these are equal: tensors are among them, or sizes that only it knows."""
    return any(isinstance(x, Tensor) or is_undecided(x) for x in flatten(values, _is_leaf)[0])


def _is_leaf(x: object) -> bool:
    return isinstance(x, (Tensor, Dim))


def contains(x: Any, items: Any) -> Any:
    """`x in items`: equal to one of them, where tensors can be involved."""
    tracer = active()
    method = None if tracer is None else own_method(operator.contains, items)
    if tracer is not None and method is not None:
        found = tracer.call(method, x)
        return found if isinstance(found, Tensor) else bool(found)
    if tracer is not None and type(x) is Number and isinstance(items, range):
        inside = OPS["logical_and"](x >= min(items.start, items.stop + 1), x < max(items.start + 1, items.stop))
        return number_over(OPS["logical_and"](inside, (x - items.start) % items.step == 0)) if items else False
    if tracer is None or not isinstance(items, (list, tuple, set, frozenset, dict, Tensor)):
        return x in items
    if isinstance(items, Tensor):
        return number_over(OPS["any"](x == items))
    if is_run_time_sized(items):
        return number_over(OPS["any"](x == whole(_tracer(), list(items)).stacks[0]))
    if isinstance(x, Dim):  # their hashes differ
        flags = [equals(x, y) for y in items]
        return True if True in [f for f in flags if not isinstance(f, Tensor)] else _any_of(flags)
    if isinstance(items, (set, frozenset, dict)) and not isinstance(x, Number):
        return any(x is y for y in items) if isinstance(x, Tensor) else x in items  # tensors hash by identity
    if not _tell_late(x) and not any(_tell_late(y) for y in items):
        return x in items
    flags = [True if x is y else _equals(x, y) for y in items]
    return True if True in [f for f in flags if not isinstance(f, Tensor)] else _any_of(flags)


def _equals(x: Any, y: Any) -> Any:
    equal = equals(x, y)
    return flag_of(_tracer(), equal) if isinstance(equal, Tensor) else bool(equal)


def _any_of(flags: list[Any]) -> Any:
    found: Any = False
    for flag in flags:
        if isinstance(flag, Tensor):
            found = OPS["logical_or"](found, flag) if isinstance(found, Tensor) else flag
    return number_over(found) if type(found) is Tensor and not found.ndim else found


def _tracer() -> Tracer:
    tracer = active()
    assert tracer is not None
    return tracer
