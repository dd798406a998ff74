"""The merge of what a loop carries: its leaves stay carried, also where an iteration left them as they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .....base.class_marks import is_of_dataclass
from .....base.pytree import TaggedValue
from .....dygraph.tensor import Tensor, wrap
from .....ir.core import Value
from .....ops.dims import Dim
from .....ops.sizes import runtime_names
from .....ops.types import TensorType
from ....trace.known_values import known_array, known_size
from ....trace.reachable import is_plain_class
from ....trace.state.rollback import MISSING
from ....trace.tracer import Tracer
from ..joined_values import join_lists
from ..markers import Undefined
from ..same_values import same_value
from ..tagged_unions import TaggedUnion, members_of, undecided
from ..values import Build, Merge, label, show


class CarriedMerge(Merge):
    """Joins like Merge, but makes a pair of carried leaves even where both sides are equal."""

    carried: set[int]  # leaves of the value at the start of an iteration that the loop carries

    def start(self, template: Any, leaves: Sequence[Tensor]) -> None:
        """Join what a variable is at the start of an iteration. leaves: what the loop carries of it."""
        cells = {id(x._storage) for x in leaves}
        self.carried = {id(x) for x in leaves_of(template) if id(x._storage) in cells}

    def join(self, name: str, a: Any, b: Any) -> Build:
        lists = join_lists(self, name, a, b)
        if lists is not None:
            return lists
        if isinstance(a, Tensor) and id(a) in self.carried and same_value(a, b):
            return self._add((a, b), TensorType(a.dtype, tuple(a.shape)), not a.stop_gradient)
        if _holds(a, self.carried) and type(a) is type(b):
            made = self._structure(name, a, b)
            if made is not None:
                return made
        return Merge.join(self, name, a, b)


def _holds(value: Any, carried: set[int]) -> bool:
    if isinstance(value, (tuple, list)):
        return any(id(x) in carried or _holds(x, carried) for x in value)
    if isinstance(value, dict):
        return _holds(list(value.values()), carried)
    return False


def leaves_of(value: Any) -> list[Tensor]:
    """The tensors in a value."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [k for x in value for k in leaves_of(x)]
    if isinstance(value, dict):
        return [k for x in value.values() for k in leaves_of(x)]
    if is_of_dataclass(value):
        return [k for n in value.__dataclass_fields__ for k in leaves_of(getattr(value, n))]
    if type(value).__name__ == "Maybe":
        return leaves_of(value.value) + leaves_of(value.flag)
    return []


def constant(value: Any) -> Build:
    """A build of what no iteration changes."""
    return lambda _: value


def shifted(build: Build, first: int) -> Build:
    """A build over this slot's own leaves, from one over all pairs."""
    unused: list[Any] = [None] * first
    return lambda leaves: build([*unused, *leaves])


def after_loop(union: TaggedUnion, first: int) -> Build:
    """A variable that changes its type, from the loop's results."""
    return lambda results: union.value(results[first : first + len(union.leaf_types)])


def shifted_by(build: Build, first: int, link: Callable[[Any], Any]) -> Build:
    """A build over the results from `first` on, linked to what there was before."""
    return lambda results: link(build(results[first:]))


def or_before(tracer: Tracer, name: str, build: Build, before: Any, ran: Callable[[], Tensor | bool]) -> Build:
    """A build of what a variable is behind a loop: as before it where there was no iteration."""

    def made(results: Sequence[Tensor]) -> Any:
        flag = ran()
        if isinstance(flag, bool):
            return build(results) if flag else before
        return undecided(tracer, name, TaggedValue(flag, build(results), before))

    return made


def told_at_once(tracer: Tracer, ran: Tensor) -> Tensor | bool:
    """Whether a loop has an iteration, where sizes tell it, which are guarded then; else the flag of a run."""
    value = tracer.value_of(ran)
    known = known_array(value)
    if known is not None:
        return bool(known)
    operation = value.operation
    if operation is None or operation.name not in ("less_than", "greater_than"):
        return ran
    low, high = (known_size(x) for x in operation.operands)
    if operation.name == "greater_than":
        low, high = high, low
    left = None if low is None or high is None else high - low - 1
    if not isinstance(left, Dim):
        return ran if left is None else left >= 0
    return ran if runtime_names(left) else tracer.decide(">=", left)


def as_tensor(tracer: Tracer, x: Any, like: Tensor) -> Any:
    """An inner value of a loop (flag or index) after an iteration, as a tensor."""
    if isinstance(x, Value):
        return wrap(x, x.dtype)
    return x if isinstance(x, Tensor) else tracer.constant(x, like.dtype)


def change_of(name: str, a: Any, b: Any) -> tuple[str, str]:
    """What a variable is before a loop and becomes in an iteration, where no program carries that; and the remedy."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and type(a) is type(b):
        differ = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if _kind(x) != _kind(y)]
        if differ:
            return change_of(f"{name}[{differ[0]}]", a[differ[0]], b[differ[0]])
    if name == "return_value":
        kinds = dict.fromkeys(show(x) for x in (*members_of(a), *members_of(b)) if x is not MISSING)
        return (
            f"this loop returns values of too many types: {', '.join(list(kinds)[:4])}",
            "return values of one structure, shape and dtype, or leave the loop by `break` and return behind it",
        )
    remedy = "keep its shape and dtype the same in all iterations"
    before, after = _shown(a), _shown(b)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        if a.dtype is b.dtype:
            sizes = (str(TensorType(x.dtype, tuple(x.shape))).removeprefix(x.dtype.short) for x in (a, b))
            before, after = sizes
            return f"{label(name)} has shape {before} before the loop but {after} after one iteration", remedy
    elif isinstance(a, frozenset) and isinstance(b, frozenset):
        return (
            f"{label(name)} is changed in the iterations of this loop, and a program carries no set between them",
            "keep the members as the keys of a dict, or change the set outside of the loop",
        )
    elif before == after:
        after = f"another {type(b).__name__}"
    if is_plain_class(type(b)):
        remedy = "make the object before the loop and set its attributes in it, or make it behind the loop"
    return f"{label(name)} is {before} before the loop but {after} after one iteration", remedy


def _shown(x: Any) -> str:
    return "not there" if x is MISSING or type(x) is Undefined else show(x)


def _kind(x: Any) -> Any:
    return (
        (x.dtype, tuple(x.shape)) if isinstance(x, Tensor) else [_kind(v) for v in x] if type(x) is tuple else type(x)
    )
