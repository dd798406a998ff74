"""Leaves that a function makes and gives to its caller beside what it computed from them.

A program is one step of the caller's tape: gradients pass from its results to its arguments and to state. A leaf among
its results is none of these, so nothing would arrive in its `.grad`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph.tape import Node
from ....dygraph.tensor import Tensor
from ..state.view_outputs import from_outside
from ..tracer import loc_of_value


def check_leaves(
    out: Sequence[Any], is_known: Callable[[Tensor], bool], cells: Container[int], used_before: Mapping[int, Tensor]
) -> None:
    """Refuse results that were computed from a leaf among them, or from one that needed a gradient after its first use.

    out: what comes out; is_known: of tensors that the function didn't make; cells: those of the program's state;
    used_before: tensors from outside that were used before the function set their `stop_gradient` to False.
    Errors: CaptureError.
    """
    tensors = [x for x in out if isinstance(x, Tensor) and not x.stop_gradient]
    for x in tensors:
        if x._node is not None and not x._node.released and x._slot in (x._node.retained or {}):
            _refuse_retained(x)
    made = (x for x in tensors if x._node is None and id(x._storage) not in cells)
    leaves = {id(x): x for x in made if not (is_known(x) or from_outside(x))}
    leaves |= {key: x for key, x in used_before.items() if not x._stop}
    waiting = [x._node for x in tensors if x._node is not None] if leaves else []
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node.released:
            continue
        seen.add(id(node))
        for edge in node.edges:
            if edge is not None and id(edge[0]) in leaves:
                _refuse(edge[0], was_used=id(edge[0]) in used_before)
            if edge is not None and isinstance(edge[0], Node):
                waiting.append(edge[0])


def _refuse_retained(x: Tensor) -> NoReturn:
    loc = loc_of_value(x)
    raise CaptureError(
        f"{x.name} is to keep its gradient (retain_grads), and comes out of the function: a backward pass in the "
        "caller meets the function as one step, and not what lies inside",
        loc=loc if loc.file else caller_loc(),
        remedy="call backward() in the function and return `.grad`",
    )


def _refuse(leaf: Tensor, *, was_used: bool) -> NoReturn:
    if was_used:
        raise CaptureError(
            f"{leaf.name} is used before its stop_gradient is set to False, and again afterwards: a backward pass in "
            "the caller would take both uses for one",
            loc=caller_loc(),
            remedy="set stop_gradient before the first use, or use `.detach()` before it",
        )
    loc = loc_of_value(leaf)
    raise CaptureError(
        f"{leaf.name} is made by the function as a leaf that needs a gradient, and comes out together with what is "
        "computed from it: a backward pass in the caller couldn't reach it",
        loc=loc if loc.file else caller_loc(),
        remedy="call backward() in the function and return `.grad`, or make the leaf in the caller and pass it",
    )
