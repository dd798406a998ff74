"""The merge of what a loop carries: its leaves stay carried, also where an iteration left them as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....dygraph.tensor import Tensor
from ....ops.types import TensorType
from .joined_lists import join_lists
from .same_values import same_value
from .tagged_unions import TaggedUnion
from .values import Build, Merge


class CarriedMerge(Merge):
    """Joins like Merge, but makes a pair of carried leaves even where both sides are equal."""

    carried: set[int]

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


def leaves_of(value: Any) -> list[int]:
    """Identities of the tensors in a value."""
    if isinstance(value, Tensor):
        return [id(value)]
    if isinstance(value, (tuple, list)):
        return [k for x in value for k in leaves_of(x)]
    if isinstance(value, dict):
        return [k for x in value.values() for k in leaves_of(x)]
    if hasattr(value, "__dataclass_fields__"):
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
