"""What operations with blocks (`if`, loops) give, on the tape.

Their gradients are taken by differentiating the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import CaptureError
from ...base.location import caller_loc
from ...dygraph.modes import is_recording
from ...dygraph.tape import edge_of, record_function
from ...dygraph.tensor import Tensor, wrap
from ...ir.builder import Builder
from ...ir.core import Operation, Value
from ...ir.walk import operations_after
from ...passes.autodiff.block_vjps import rule_of
from ...passes.autodiff.reverse import Arrived, Gradients, emitting, inputs_of, reverse
from .gradients.partial_gradients import PartialGradients
from .state.taped_memory import DetachedState, UntapedWrites


class BlockResults:
    """The part of the tracer (tracer.py) that knows which values gradients reach."""

    builder: Builder
    edges: dict[Value, Any]
    reached: set[Value]
    emitted: dict[tuple[Any, ...], tuple[list[Arrived | None], list[Operation]]]  # by what was differentiated
    partial: PartialGradients
    untaped: UntapedWrites
    detached: DetachedState
    value_of: Callable[[Tensor], Value]

    def note(self, value: Value, x: Tensor) -> None:
        """`value` is that of `x`, which needs a gradient."""
        if x.dtype.is_differentiable:
            if value not in self.reached:
                self.detached.needs_gradient(self, value, x)
            self.edges[value] = edge_of(x)
            self.reached.add(value)

    def note_outer(self, x: Any) -> None:
        """What a block may give as it is: a tensor from outside of the trace is an input then, as of an op."""
        if not isinstance(x, Tensor) or x.stop_gradient:
            return
        payload = x._storage.payload
        if not isinstance(payload, Value):
            self.note(self.value_of(x), x)
        elif self.untaped and (source := self.untaped.source_of(x, payload)) is not None:
            self.note(source, x)

    def results_of(self, operation: Operation, kept: Sequence[bool]) -> list[Tensor]:
        """The results of an operation with blocks as tensors, on the tape where `kept` says they need gradients."""
        own = operation.results[: len(kept)]  # a backward pass may have added others, if its code runs again
        results = [wrap(v, v.dtype) for v in own]
        sources = [v for v in inputs_of(operation) if v in self.edges]
        if any(v in self.reached for v in inputs_of(operation)):
            self.reached.update(v for v in own if v.tensor_type.dtype.is_differentiable)
        if not sources or not any(kept):
            return results
        differentiable = [y for y, keep in zip(results, kept, strict=True) if keep]
        self._record([operation], sources, [self.edges[v] for v in sources], differentiable)
        return results

    def _record(
        self, operations: list[Operation], sources: list[Value], edges: list[Any], outputs: list[Tensor]
    ) -> None:  # fmt: skip
        """One node for several operations that lead from `sources` to `outputs`; its backward differentiates them."""
        values = [self.value_of(y) for y in outputs]

        def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
            self.before_backward(operations)
            given = [(v, g) for v, g in zip(values, grads, strict=True) if g is not None]
            found, emitted = self.gradients_through(
                operations, sources, [(v, self.partial.arrived(g)) for v, g in given]
            )
            results = [None if a is None else self.partial.made(a) for a in found]
            if is_recording():  # create_graph: what was emitted can be differentiated again
                more = [self.value_of(g) for _, g in given]
                ends = [*edges, *(edge_of(g) for _, g in given)]
                self._record([*operations, *emitted], [*sources, *more], ends, [y for y in results if y is not None])
            return results

        record_function(operations[0].name, [wrap(v, v.dtype) for v in sources], outputs, backward, edges=edges)
        for y, value in zip(outputs, values, strict=True):
            if not y.stop_gradient:
                self.note(value, y)

    def before_backward(self, operations: Sequence[Operation]) -> None:
        """The function calls backward through these."""

    def gradients_through(
        self, operations: list[Operation], sources: list[Value], given: list[tuple[Value, Arrived]]
    ) -> tuple[list[Arrived | None], list[Operation]]:
        """Gradients of `sources`, and what was emitted for them; where code runs again, what is there from before.

        Differentiating a loop adds results to it, so a second time would give other operations than the first.
        """
        builder = self.builder
        key = builder.block, *operations, *sources, *given
        if builder.block in builder.recorded and key in self.emitted:
            known = self.emitted[key]
            if all(operation.parent is builder.block for operation in known[1]):  # they were not dropped
                return known
        found: list[Arrived | None] = []
        last = next(reversed(builder.block.operations), None)
        with emitting(builder, lambda: [v for a in found if a is not None for v in (a.gradient, a.there)]):
            gradients = Gradients()
            for value, arrived in given:
                gradients.add(value, arrived)
            reverse(builder, operations, gradients, sources, rule_of)
            found += gradients.shown(sources)
        made = found, list(operations_after(builder.block, last))
        if builder.block in builder.journals:  # its code may run again
            self.emitted[key] = made
        return made

    def carried(self, value: Value, needs_gradient: bool) -> Tensor:
        """A loop's argument as a tensor; gradients taken inside the loop end at it."""
        made = wrap(value, value.dtype)
        if needs_gradient and value.dtype.is_differentiable:

            def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
                raise CaptureError(
                    "backward() inside a captured loop reaches a value from an earlier iteration",
                    loc=caller_loc(),
                    remedy="detach() the value that the loop carries, or call backward() after the loop",
                )

            record_function("carried", [], [made], backward)
            self.note(value, made)
        return made
