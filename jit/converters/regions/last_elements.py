"""Elements of lists of run-time length behind a loop: which tensors they are.

The last element of a list that a loop made longer is the tensor that the loop leaves elsewhere, too, if it is one.
Elements that no iteration changes are those from before the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....base.pytree import LEAF, Rows, Spliced, TaggedValue
from ....base.size import is_list
from ....dygraph.tensor import Tensor
from ...trace.state.chosen_tensors import is_one_tensor
from ...trace.state.dynamic_lists import ListSegment
from ...trace.tracer import Tracer
from ..stdlib.list_lengths import part_of
from ..stdlib.list_stacks import PendingStack


class LastElements:
    """What a loop carries: values before it, at both ends of an iteration, and behind it. ran: see `CarriedTensors`.

    before: the values of the loop's variables before it.
    """

    def __init__(
        self, tracer: Tracer, starts: Sequence[Any], leaves: Sequence[Any], ends: Sequence[Any],
        results: Sequence[Tensor], ran: Any, before: Sequence[Any],
    ) -> None:  # fmt: skip
        self._tracer = tracer
        self._ran = ran
        self._of: dict[int, tuple[Tensor, Any, Tensor]] = {}  # stack -> itself, the one before, its last element
        self._behind = {id(x): (x, y) for x, y in reversed(list(zip(ends, results, strict=False))) if is_one_tensor(x)}
        segments = [x for items in before if is_list(items) for x in items if type(x) is ListSegment]
        ways = {id(x.stacks[0]): x.ways for x in segments if x.ways is not None and len(x.stacks) == 1}
        self._ways: dict[int, Any] = {}  # stack that no iteration changes -> the elements
        for stack, start, leaf, end in zip(results, starts, leaves, ends, strict=False):
            first, now = _only_stack(start), _only_stack(end)
            if id(first) in ways and now is leaf:
                self._ways[id(stack)] = ways[id(first)]
            last = end.parts[-1][1] if type(end) is PendingStack and end.parts[-1:] else None
            if is_one_tensor(last) and end.parts[-1][0] == "element" and id(last) in self._behind:
                self._of[id(stack)] = stack, start, self._behind[id(last)][1]

    def behind(self, x: Tensor) -> Tensor | None:
        """What a tensor of the last iteration is behind the loop; None where nothing holds it but the lists."""
        found = self._behind.get(id(x))
        return None if found is None else found[1]

    def told(self, value: Any) -> Any:
        """A value behind the loop; segments of it know their last elements."""
        for segment in value if (self._of or self._ways) and is_list(value) else ():
            if type(segment) is ListSegment and id(segment.stacks[0]) in self._ways:
                segment.ways = self._ways[id(segment.stacks[0])]
            elif type(segment) is ListSegment and segment.tree is LEAF and id(segment.stacks[0]) in self._of:
                self._tell(segment)
        return value

    def _tell(self, segment: ListSegment) -> None:
        _, start, last = self._of[id(segment.stacks[0])]
        before = part_of(segment, slice(None, -1))
        ways: Any = Spliced((Rows(before.stacks, LEAF), [last]))
        if self._ran is not None:
            stack = start.make(self._tracer) if type(start) is PendingStack else start
            ways = TaggedValue(self._ran, ways, Spliced((Rows((stack,), LEAF),)))
        segment.ways = ways


def _only_stack(x: Any) -> Any:
    """The stack that a list's leaf is, where no element is added."""
    if type(x) is PendingStack:
        return x.parts[0][1] if len(x.parts) == 1 and x.parts[0][0] == "stack" else None
    return x
