"""The last element of a list that a loop made longer: the tensor that the loop leaves elsewhere, too, if it is one."""

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
    """What a loop carries: values before it, at the end of an iteration, and behind it. ran: see `CarriedTensors`."""

    def __init__(
        self, tracer: Tracer, starts: Sequence[Any], ends: Sequence[Any], results: Sequence[Tensor], ran: Any
    ) -> None:
        self._tracer = tracer
        self._ran = ran
        self._of: dict[int, tuple[Tensor, Any, Tensor]] = {}  # stack -> itself, the one before, its last element
        self._behind = {id(x): (x, y) for x, y in reversed(list(zip(ends, results, strict=False))) if is_one_tensor(x)}
        for stack, start, end in zip(results, starts, ends, strict=False):
            last = end.parts[-1][1] if type(end) is PendingStack and end.parts[-1:] else None
            if is_one_tensor(last) and end.parts[-1][0] == "element" and id(last) in self._behind:
                self._of[id(stack)] = stack, start, self._behind[id(last)][1]

    def behind(self, x: Tensor) -> Tensor | None:
        """What a tensor of the last iteration is behind the loop; None where nothing holds it but the lists."""
        return self._behind.get(id(x), (x, None))[1]

    def told(self, value: Any) -> Any:
        """A value behind the loop; segments of it know their last elements."""
        for segment in value if self._of and is_list(value) else ():
            if type(segment) is ListSegment and segment.tree is LEAF and id(segment.stacks[0]) in self._of:
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
