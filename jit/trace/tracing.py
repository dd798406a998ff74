"""A Python function -> a program: its converted form runs once on tensors that stand for the program's values.

Whatever the run touches of the eager world is put back at the end, also when it fails; what it amounts to (state,
`.grad`s, arguments written in place, attributes) is part of the `Trace`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import MappingProxyType
from typing import Any

import numpy as np

from ...base.errors import CaptureError, VitrifyError
from ...base.frame_marks import capture_entry
from ...base.layer_scope import inside_layer
from ...base.location import caller_loc
from ...base.pytree import unflatten
from ...dygraph.amp import policy_inside_trace
from ...dygraph.given_array import given_array
from ...dygraph.modes import mode_put_back
from ...dygraph.nn.layer import Layer
from ...dygraph.number import Number
from ...dygraph.tensor import Tensor, wrap
from ...ir.core import Value
from ...ops.dims import deciding
from ...ops.dispatch import using
from ...ops.sizes import counting_anew
from ..call.signature import same_tensors, with_numbers
from ..construct_tracer import ConstructTracer
from ..converters.raising import raised_at
from ..converters.regions.paths import run_whole
from ..converters.stdlib.surroundings import ask_settings
from ..runtime import RUNTIME
from ..tracebacks import DebuggerCalled, call_of_itself, innermost_place
from .arrays.made_arrays import refusing
from .assumed.asked_tensors import require_none
from .attempts import Attempt
from .ending import Ending
from .gradients.gradient_hooks import drop_hooks, taken_hooks
from .reachable import roots_of
from .state.changing_numbers import numbers_at
from .state.containers import AliasedArguments, around, containers_in, numbered, shared
from .state.escapes import blame_conditions
from .state.rollback import drop
from .state.tensor_writes import hooks
from .state.traced_numbers import as_of_runs
from .traced import Assumption, Lessons, Trace, TraceInputs
from .tracer import Tracer

NOTHING: Mapping[Any, Assumption] = MappingProxyType({})


@capture_entry
def trace(
    fn: Callable[..., Any], inputs: TraceInputs, *, name: str = "main", places: Sequence[Assumption] = (),
    containers: Sequence[Any] = (), lessons: Lessons | None = None, replaced: Mapping[Any, Assumption] = NOTHING,
) -> Trace:  # fmt: skip
    """Capture one call of `fn` (a function or bound method) for arguments as `inputs` describes them.

    places: attributes, items and closure variables whose numbers the program takes anew at each call. containers: those
    among the call's arguments. lessons: what earlier traces for this call have taught; it is added to. replaced: where
    other code replaces tensors, which are looked up at each call.
    Errors: CaptureError, with the user's line, for what can't be captured; whatever else the user's code raises.
    """
    attempt = Attempt(lessons or Lessons())
    pinned: dict[int, Any] = {}
    while True:
        tracer = ConstructTracer(name, inputs.sizes or None, RUNTIME.call)
        attempt.prepare(tracer)
        tracer.replaced_outside = replaced
        try:
            made = _trace(fn, inputs, tracer, name, places, pinned)
            tracer.objects.iterators.require_unmoved()
            if attempt.shares_more(tracer):
                drop(made.new_state)
                continue
            attempt.succeed()
            made.work = tracer.builder.placed
            made.around = around(tracer, made.attribute_writes, containers, pinned)
            return made
        except AliasedArguments as aliased:
            drop(made.new_state)
            pinned = aliased.numbers
        except Exception as error:  # broad: whatever it is, another way may not lead to it
            tracer.objects.iterators.require_unmoved()
            if not attempt.learn(tracer, error):
                blame_conditions(error)
                raise


def _trace(
    fn: Callable[..., Any],
    inputs: TraceInputs,
    tracer: Tracer,
    name: str,
    places: Sequence[Assumption],
    pinned: Mapping[int, Any],
) -> Trace:
    tensors = _feeds(tracer, inputs)
    args, kwargs = unflatten(inputs.tree, iter(tensors))
    varied: list[Number] = []
    if inputs.numbers:
        args, kwargs = with_numbers((args, kwargs), inputs.numbers, inputs.varied, varied)
    args, kwargs = shared((args, kwargs), inputs.same, pinned)
    tracer.arguments = numbered([*args, *kwargs.values()], pinned.values())
    tracer.given = frozenset(id(c) for c in containers_in(pinned.values()))
    tracer.open_numbers = places
    with numbers_at(places, tracer.tuples.rebuilt, varied), tracer.objects.locked.held(), refusing(tracer):
        return _traced(fn, tracer, inputs, tensors, (args, kwargs), name, varied)


def _traced(
    fn: Callable[..., Any], tracer: Tracer, inputs: TraceInputs, tensors: list[Tensor],
    given: tuple[tuple[Any, ...], dict[str, Any]], name: str, varied: Sequence[Number],
) -> Trace:  # fmt: skip
    args, kwargs = given
    begun = {id(x._storage): x._storage.payload for x in tensors}  # what the arguments' cells hold before the run
    try:
        with (
            mode_put_back() as left,
            counting_anew(),
            hooks(),
            deciding(tracer.decide, tracer.is_open),
            using(tracer),
            policy_inside_trace(tracer),
        ):
            made: Trace | None = None
            as_of_runs(tracer, varied)
            try:
                with _layer_of(fn), tracer.entrances, tracer.standard.settings.left_alone():
                    tracer.objects.add([*args, *kwargs.values(), *roots_of([fn]), getattr(fn, "__self__", None)])
                    result = run_whole(tracer, lambda: RUNTIME.last_call(fn, *args, **kwargs))
                require_none(tracer)
                ask_settings(tracer)
                with _told_inside(tracer):
                    made = Ending(tracer, inputs, tensors, begun).finish(result)
            finally:
                tracer.logs[0].undo()
                new = tracer.objects.undo(keep_new=made is not None)
                if made is None:
                    drop_hooks(tracer)  # another attempt registers them anew
            made.new_state, made.recorded, made.grad_mode = new, tracer.recorded, left()
            made.hooks = taken_hooks(tracer)
            made.of_one_call = bool(tracer.parameters) or tracer.apart.first is not None or tracer.objects.filled
            return made
    except DebuggerCalled as met:
        raise met.error from None
    except VitrifyError as error:
        error.at(innermost_place(error.__traceback__))
        raise
    except RecursionError as error:
        if raised_at(error) is not None:
            raise  # by a statement of the user's
        tracer.recursed = True
        varies = tracer.recursion.varies
        raise CaptureError(
            f"{name} calls itself too often: capturing follows both sides of a tensor condition, so a call that only a "
            f"tensor's value ends never ends{f'; {varies}' if varies else ''}",
            loc=call_of_itself(error.__traceback__) or innermost_place(error.__traceback__),
            remedy="pass what changes from call to call as a tensor of a fixed shape, so that the program can call the "
            "function itself; write it as a loop; or end it by a Python number",
        ) from None


@contextmanager
def _told_inside(tracer: Tracer) -> Iterator[None]:
    """What the end of a capture refuses stands at the last line that ran, not at the one that called the function."""
    outside = caller_loc()
    try:
        yield
    except VitrifyError as error:
        place, told = tracer.builder.loc, error.loc or error.raised_at
        if place.file and told is not None and (told.file, told.line) == (outside.file, outside.line):
            error.loc = place
        raise


def _layer_of(fn: Callable[..., Any]) -> AbstractContextManager[None]:
    """A layer whose `forward` is captured by itself is the outermost one, as where a function calls it."""
    owner = getattr(fn, "__self__", None)
    whole = isinstance(owner, Layer) and getattr(fn, "__name__", "") == "forward"
    return inside_layer(owner) if whole else nullcontext()


def _feeds(tracer: Tracer, inputs: TraceInputs) -> list[Tensor]:
    """A tensor per feed; a tensor that is given twice is one: its writes and its gradient are seen under both names.

    Tensors that share memory share it in the trace. One that shares it with state is that very tensor.
    """
    made = [_feed(tracer, leaf) for leaf in inputs.leaves]
    for k in inputs.pinned:
        made[k] = inputs.leaves[k].example
    for k, first in enumerate(same_tensors([leaf.example for leaf in inputs.leaves])):
        if first is not None and first >= 0:
            made[k] = made[first]
        elif first is not None and k not in inputs.pinned:
            _share(made[~first], made[k])
            tracer.untaped.share(made[~first], made[k])
    tracer.detached.arguments = {id(x): x for x in made}
    feeds = zip(made, inputs.leaves, strict=True)
    tracer.examples = {v: f.example for x, f in feeds if isinstance(v := x._storage.payload, Value)}
    return made


def _share(x: Tensor, alias: Tensor) -> None:
    """Let two arguments share memory. Their value is that of the one that needs a gradient."""
    if not x.stop_gradient and not alias.stop_gradient:
        raise CaptureError(
            f"the arguments {x.name} and {alias.name} share memory, and both need gradients",
            remedy="pass a clone() of one of them",
        )
    if x.stop_gradient:
        x._storage.payload = alias._storage.payload
    alias._storage = x._storage


def _feed(tracer: Tracer, leaf: Any) -> Tensor:
    value = tracer.program.add_feed(leaf.name, leaf.type)
    made = wrap(value, leaf.type.dtype)
    made = given_array(made) if isinstance(leaf.example, np.ndarray) else made
    made._name, made.stop_gradient = leaf.name, leaf.stop_gradient
    if isinstance(leaf.example, Tensor):
        made._grad, made._grad_is_zero = leaf.example._grad, leaf.example._grad_is_zero
        tracer.asked.give(made, leaf.example)
        tracer.asked.layouts.give(made, leaf.example, tracer.hints or {})
        if not leaf.stop_gradient:
            tracer.met_hooks.take(made, leaf.example)
    if not leaf.stop_gradient:
        tracer.note(value, made)
    return made
