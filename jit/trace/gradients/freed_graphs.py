"""Which steps of the tape backward passes of a trace have freed: a second pass through one ends as in eager mode.

The trace keeps what the steps hold, as code may be traced again, and follows who frees them instead. A step that was
made where the pass runs is marked. One from outside of a branch or an iteration is freed on some paths only: steps of
one block that one pass frees share a flag, which paths join like other things that they write (`Freed` in
../../converters/regions/extras.py). A later pass requires that it doesn't hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....base.dtype import bool_
from ....dygraph.backward import freed
from ....dygraph.tape import Node
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Value
from ....ops.op import OPS

Flag = Any  # True, False, or a bool of the program
Group = tuple[int, ...]  # steps of one block that a pass frees, by identity


@dataclass(frozen=True, slots=True)
class _Ends:
    """What an `if` or a loop gives at one of its results: the steps that lead there, where a flag holds and not."""

    flag: Value  # a bool, or a count: whether it is positive
    makers: tuple[Node | None, Node | None]


class FreedGraphs:
    """The steps that passes of a trace have freed."""

    def __init__(self) -> None:
        self.flags: dict[Group, Flag] = {}  # whether they are freed
        self.steps: dict[Group, tuple[Node, ...]] = {}
        self._groups: dict[int, list[Group]] = {}  # those that a step is in
        self._blocks: dict[int, tuple[Node, tuple[_Ends, ...]]] = {}  # steps that stand for an `if` or a loop
        self._carried: dict[int, tuple[Node, Node | None]] = {}  # where an iteration begins: what the one before made

    def branches(self, node: Node, flag: Value, sides: Sequence[tuple[Any, Any]]) -> None:
        """`node` stands for an `if`, whose results are these on its two paths."""
        self._blocks[id(node)] = node, tuple(_Ends(flag, (_maker(a), _maker(b))) for a, b in sides)

    def iterations(self, node: Node, runs: Value, carried: Sequence[tuple[Node | None, Any]]) -> None:
        """`node` stands for a loop. runs: whether there is an iteration, or how many.

        carried: of each result, the step that an iteration finds it at, and what it leaves.
        """
        self._blocks[id(node)] = node, tuple(_Ends(runs, (_maker(end), None)) for _, end in carried)
        self._carried |= {id(start): (start, _maker(end)) for start, end in carried if start is not None}

    def walk(self, tracer: Any, visited: Sequence[tuple[Node, Sequence[Any], Flag]], frees: bool) -> None:
        """A pass has gone through steps: each with the gradients that arrived, and whether any did.

        The run ends where one of them was freed before; frees: the pass frees them.
        """
        found: dict[int, tuple[Node, Flag]] = {}
        for node, grads, arrived in visited:
            for step, reached in self._eager_steps(tracer, node, grads, arrived):
                known = found.get(id(step))
                found[id(step)] = step, reached if known is None else _either(known[1], reached)
        self._require(tracer, list(found.values()))
        if frees:
            self._free(tracer, list(found.values()))

    def _eager_steps(self, tracer: Any, node: Node, grads: Sequence[Any], arrived: Flag) -> Iterator[tuple[Node, Flag]]:
        """The steps of eager mode that a step of the trace stands for, and whether a run passes them."""
        if id(node) not in self._blocks:
            yield node, arrived
            return
        ends = {id(edge[0]) for edge in node.edges if edge is not None}
        for grad, end in zip(grads, self._blocks[id(node)][1], strict=True):
            if grad is None:
                continue
            there = tracer.partial.flag(grad)
            flag = wrap(end.flag, end.flag.dtype)
            if flag.dtype is not bool_:
                flag = OPS["greater_than"](flag, tracer.constant(0, flag.dtype))
            for maker, side in zip(end.makers, (flag, None), strict=True):
                if maker is None or id(maker) in ends:
                    continue
                reached = _both(OPS["logical_not"](flag) if side is None else side, True if there is None else there)
                yield from ((step, reached) for step in self._within(maker, ends))

    def _within(self, start: Node, ends: set[int]) -> Iterator[Node]:
        """The steps of a path, from its end to the steps around it."""
        stack: list[Any] = [start]
        seen = set(ends)
        while stack:
            node = stack.pop()
            if id(node) in seen or not isinstance(node, Node):
                continue
            seen.add(id(node))
            if id(node) in self._carried:
                stack.append(self._carried[id(node)][1])
            elif id(node) in self._blocks:
                stack += [maker for end in self._blocks[id(node)][1] for maker in end.makers]
            else:
                yield node
            stack += [edge[0] for edge in node.edges if edge is not None]

    def _require(self, tracer: Any, reached: Sequence[tuple[Node, Flag]]) -> None:
        asked: set[tuple[Any, int]] = set()
        for node, arrived in reached:
            if node.released and arrived is True and len(tracer.blocks) == 1:
                raise freed(node)
            for group in [None, *self._groups.get(id(node), ())]:
                flag = node.released if group is None else self.flags.get(group, False)
                if flag is False or (group, id(arrived)) in asked:
                    continue
                asked.add((group, id(arrived)))
                bad = _both(flag, arrived)
                good = tracer.constant(False, None) if bad is True else OPS["logical_not"](bad)
                error = freed(node)
                tracer.require(good, f"{error.message}\n  help: {error.remedy}", type(error).__name__)

    def _free(self, tracer: Any, reached: Sequence[tuple[Node, Flag]]) -> None:
        since = [log.since for log in tracer.logs]
        groups: dict[tuple[int, int], tuple[Flag, list[Node]]] = {}
        for node, arrived in reached:
            level = sum(node.order > start for start in since)
            if arrived is True and level == len(since):
                node.released = True
            else:
                groups.setdefault((level, id(arrived)), (arrived, []))[1].append(node)
        for arrived, nodes in groups.values():
            group = tuple(sorted(map(id, nodes)))
            if group not in self.steps:
                self.steps[group] = tuple(nodes)
                for node in nodes:
                    self._groups.setdefault(id(node), []).append(group)
            tracer.logs[-1].free(self, group)
            self.flags[group] = _either(self.flags.get(group, False), arrived)

    def is_older(self, group: Group, order: int) -> bool:
        """Whether steps were made before the one of that number."""
        return self.steps[group][0].order < order

    def name(self, group: Group) -> str:
        """What messages call the flag of steps."""
        return f"whether backward() has freed {self.steps[group][0].name}"


def _maker(x: Any) -> Node | None:
    return x._node if isinstance(x, Tensor) else None


def _both(a: Flag, b: Flag) -> Flag:
    if a is True or b is True:
        return b if a is True else a
    return OPS["logical_and"](a, b)


def _either(a: Flag, b: Flag) -> Flag:
    if a is True or b is True:
        return True
    if a is False or b is False or a is b:
        return b if a is False else a
    return OPS["logical_or"](a, b)
