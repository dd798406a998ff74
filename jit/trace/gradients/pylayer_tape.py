"""A PyLayer under a trace on the tape: its gradient where the function itself calls backward, and results that are
arguments.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from ....base.errors import ArgumentError, CaptureError
from ....base.location import caller_loc
from ....base.pytree import unflatten
from ....dygraph.modes import is_recording
from ....dygraph.tape import record_function
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Operation, Value
from ....ir.walk import walk
from ....passes.autodiff.block_vjps import callback_gradient
from ....passes.autodiff.reverse import gradient_place, inputs_of, located
from ..tracer import Tracer
from .pylayer_state import LayerState, apply_writes, changed, slot_of, typed
from .pylayer_trials import Trial


def refuse_leaves(cls: Any, tensors: Sequence[Tensor], returned: Iterable[int]) -> None:
    """ArgumentError, as in eager mode, for leaves that forward returns unchanged."""
    for number in returned:
        x = tensors[number]
        if not x.stop_gradient and x._node is None:
            raise ArgumentError(
                f"{cls.__name__}.forward returned the leaf {x.name} unchanged, which counts as an in-place write",
                loc=caller_loc(),
                remedy="call ctx.mark_not_inplace(x), or return x.clone()",
            )


def moved(tracer: Tracer, x: Tensor, result: Tensor) -> Tensor:
    """The argument itself as a result, at the result's place in the graph."""
    if result._node is None:
        return x
    tracer.aliases.write(tracer, x._storage)
    tracer.logs[-1].write(x)
    x._storage.payload = result._storage.payload
    x._node, x._slot, x._stop = result._node, result._slot, result._stop
    return x


def taped(
    tracer: Tracer, operation: Operation, kept: Sequence[bool], call: Trial, record: Any, slots: Sequence[int | None]
) -> list[Tensor]:  # fmt: skip
    """The results of a PyLayer's callback as tensors, on the tape where `kept` says they need gradients."""
    own = operation.results[: len(kept)]
    results = [wrap(v, v.dtype) for v in own]
    sources = [v for v in inputs_of(operation) if v in tracer.edges]
    if any(v in tracer.reached for v in inputs_of(operation)):
        tracer.reached.update(v for v in own if v.tensor_type.dtype.is_differentiable)
    if not sources or not any(kept):
        return results
    edges = [tracer.edges[v] for v in sources]
    places = [k for k, keep in enumerate(kept) if keep]
    outputs = [results[k] for k in places]

    def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
        arrived: list[Any] = [None] * len(operation.results)
        for k, g in zip(places, grads, strict=True):
            arrived[k] = None if g is None else tracer.partial.arrived(g)
        state = _state(tracer, operation, call, record, slots)
        if state is None:
            given = [(v, a) for v, a in zip(operation.results, arrived, strict=True) if a is not None]
            found = dict(zip(sources, tracer.gradients_through([operation], sources, given)[0], strict=True))
        else:
            found = _gradients(tracer, operation, arrived, *state)
        made = [None if (a := found.get(v)) is None else tracer.partial.made(a) for v in sources]
        if is_recording():
            _end(call.cls.__name__, sources, edges, [y for y in made if y is not None])
        return made

    record_function(operation.name, [wrap(v, v.dtype) for v in sources], outputs, backward, edges=edges)
    for k in places:
        if not results[k].stop_gradient:
            tracer.note(own[k], results[k])
    return results


def _state(
    tracer: Tracer, operation: Operation, call: Trial, record: Any, slots: Sequence[int | None]
) -> tuple[str, LayerState, list[Value]] | None:  # fmt: skip
    """The callback of a backward that reads or writes what the function has changed or may read (see pylayer_state.py),
    its state, and the program's values for that; None for any other.
    """
    name = f"{call.cls.__name__}.backward"
    changes, given = changed(tracer, call.roots, name)
    key = record, [s.signature() for s in changes], [s.tree for s in changes]
    known = next((made for found, *made in tracer.layers.backwards if _same(found, key)), None)
    if known is None:
        state = LayerState(name, tuple(changes))
        values = operation.operands[: len(call.types)]
        trial = Trial(tracer, call.cls, call.tree, call.types, call.stops, values, state, given)
        written, left = trial.backward(slots)
        tracer.layers.left += [(place, name, caller_loc()) for place in left]
        there = {id(s.owner) for s in changes if s.kind == "cell"}
        cells = tuple(w.owner for w in written if w.kind == "cell" and id(w.owner) not in there)
        state = LayerState(name, (*changes, *map(slot_of, cells)), tuple(typed(w, ()) for w in written))
        callee = operation.attrs["gradient"]
        if state:
            callee = tracer.callback_name(callee)
            tracer.callbacks[callee] = record.backward_within(state)
            tracer.layers.callbacks[callee] = call.roots, name
        known = [state, cells, callee]
        tracer.layers.backwards.append((key, *known))
    state, cells, callee = known
    return (callee, state, [*given, *map(tracer.elements_of, cells)]) if state else None


def _gradients(
    tracer: Tracer, operation: Operation, arrived: Sequence[Any], callee: str, state: LayerState, more: Sequence[Value]
) -> dict[Value, Any]:  # fmt: skip
    """What the callback gives; the function's own state gets what it writes."""
    if not any(a is not None and a.there is None for a in arrived):
        raise CaptureError(
            f"{state.what} uses state that the function changes or may read, and only some runs call it",
            loc=caller_loc(),
            remedy="call backward() in the branch itself, or hand the state over as arguments and results",
        )
    with tracer.builder.active(), located(tracer.builder, gradient_place(operation)):
        found, values = callback_gradient(tracer.builder, operation, arrived, callee, more, state.types)
    apply_writes(tracer, state.written, values, (), ())
    return dict(found)


def refuse_state_in_blocks(tracer: Tracer, operations: Sequence[Operation]) -> None:
    """CaptureError where the backward of a PyLayer in a branch or loop uses state that the function changes or may
    read: the gradient of the block runs it, and has no place for state.
    """
    inner = [o for outer in operations for block in outer.blocks for o in walk(block) if o.name == "callback"]
    for operation in inner:
        known = next(
            (k for _, _, k in tracer.layers.forwards if f"{k.name}.backward" == operation.attrs["gradient"]), None
        )
        if known is None:
            continue
        call, what = known.call, f"{known.call.cls.__name__}.backward"
        args, kwargs = unflatten(call.tree, itertools.repeat(None))
        slots, _ = changed(tracer, [call.cls.backward, *args, *kwargs.values()], what)
        if known.backward is None:
            written, left = call.backward(known.record.slots)
            known.backward = [w for w in written if w.kind not in ("item", "same")]
            left += [(w.owner, w.key) for w in written if w.kind in ("item", "same")]  # which runs change then
            tracer.layers.left += [(place, what, operation.loc) for place in left]
        if slots or known.backward:
            raise CaptureError(
                f"{what} uses state that the function changes or may read, and backward() goes through a branch or "
                "loop around it",
                loc=operation.loc,
                remedy="call backward() in the branch or loop itself, or hand the state over by ctx in forward",
            )


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:  # broad: constants of any type, whose comparison may fail
        return False


def _end(name: str, sources: Sequence[Value], edges: Sequence[Any], grads: Sequence[Tensor]) -> None:
    """Gradients of gradients end here with an error: the code of backward isn't part of the program."""

    def backward(_: tuple[Any, ...]) -> Sequence[Any]:
        raise CaptureError(
            f"a second derivative through {name} in a compiled function, where {name}.backward is Python code",
            loc=caller_loc(),
            remedy="write its computation as a function of operations, or take the second derivative in eager mode",
        )

    record_function(f"{name}.backward", [wrap(v, v.dtype) for v in sources], grads, backward, edges=edges)
