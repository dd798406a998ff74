"""A finished program inside another one: a loaded model that is called while a function is captured.

Its operations are recorded once more, on the caller's tensors, so that sizes, gradients and state are the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...base.errors import CaptureError, DTypeError, GuardError, ShapeError
from ...base.location import caller_loc
from ...base.pytree import Tree, unflatten
from ...dygraph.given_array import element
from ...dygraph.modes import GradMode, is_recording
from ...dygraph.number import number_over
from ...dygraph.tensor import Tensor, wrap
from ...dygraph.views import relate
from ...ir.core import Block, Operation, Value, is_list
from ...ir.walk import map_attrs, map_type, walk
from ...ops.dims import Dim, assume_equal, evaluate
from ...ops.infer import show_shape
from ...ops.sizes import fresh_size, runtime_names
from ...passes.autodiff.reverse import inputs_of
from .state.view_outputs import filled
from .traced import InputLeaf, OutputLeaf, Trace
from .tracer import Tracer


def inlined(tracer: Tracer, trace: Trace, leaves: Sequence[Tensor]) -> Any:
    """What a traced function gives for these tensors, recorded in the program that is being captured.

    Errors: DTypeError, ShapeError, GuardError where the tensors don't fit; CaptureError for results of several types.
    """
    _refuse_forms(trace.outputs.tree)
    return _Inlining(tracer, trace, leaves).result()


def _refuse_forms(tree: Tree) -> None:
    if tree.kind in ("either", "rows"):
        raise CaptureError(
            "a loaded program whose result has one of several types is called inside a captured function",
            loc=caller_loc(),
            remedy="call the loaded layer outside of compiled functions",
        )
    for child in tree.children:
        _refuse_forms(child)


class _Inlining:
    """One call: the caller's tensor for each value of the program."""

    def __init__(self, tracer: Tracer, trace: Trace, leaves: Sequence[Tensor]) -> None:
        self.tracer = tracer
        self.trace = trace
        self.leaves = leaves
        self.program = trace.program
        self.sizes: dict[str, Any] = {}
        self.fetched: list[Tensor] = []
        for leaf, x in zip(trace.inputs.leaves, leaves, strict=True):
            self._fit(leaf, x)
        self._learn_run_time_sizes()
        self._check_assumptions()
        self.callees = {name: tracer.callback_name(name) for name in trace.callbacks}
        tracer.callbacks.update({self.callees[name]: fn for name, fn in trace.callbacks.items()})
        given = [*leaves, *(entry.tensor for entry in trace.state)]
        self.tensors: dict[Value, Tensor] = dict(zip(self.program.body.args, given, strict=True))

    # ---- sizes

    def _fit(self, leaf: InputLeaf, x: Tensor) -> None:
        if x.dtype is not leaf.type.dtype:
            raise DTypeError(f"{leaf.name} must be {leaf.type}, not {x.dtype.short}{show_shape(x.shape)}")
        fits = len(x.shape) == leaf.type.rank
        for dim, size in zip(leaf.type.shape, x.shape, strict=False):
            wanted = self.sizes.setdefault(str(dim), size) if isinstance(dim, Dim) else dim
            fits = fits and assume_equal(wanted, size) is True
        if not fits:
            raise ShapeError(f"{leaf.name} must be {leaf.type}, not {x.dtype.short}{show_shape(x.shape)}")

    def _learn_run_time_sizes(self) -> None:
        """Sizes that only a run knows have names of their own in each program."""
        for operation in walk(self.program.body):
            values = [*operation.results, *(a for block in operation.blocks for a in block.args)]
            for name in sorted({n for v in values for n in runtime_names(v.type)}):
                if name not in self.sizes:
                    self.sizes[name] = fresh_size()

    def _check_assumptions(self) -> None:
        for relation, dim in self.program.constraints:
            value = evaluate(dim, self.sizes)
            if not ((value == 0) if relation == "==" else (value >= 0)):
                raise GuardError(
                    f"the loaded program takes {dim} {relation} 0 for granted, which doesn't hold for these sizes"
                )

    # ---- operations

    def result(self) -> Any:
        """Record all operations; the outputs in their structure."""
        for operation in self.program.body.operations:
            self._record(operation)
        return unflatten(self.trace.outputs.tree, iter([self._leaf(o) for o in self.trace.outputs.leaves]))

    def _leaf(self, leaf: OutputLeaf) -> Any:
        if leaf.cut is not None:
            found = self._leaf(replace(leaf, cut=None))
            base = None if leaf.cut.base is None else self._leaf(leaf.cut.base)
            others = [self._leaf(x) for x in leaf.cut.others]
            return relate(base, found, filled(leaf.cut, lambda k: self.fetched[k]), others)
        if leaf.form != "same":
            found = self._leaf(replace(leaf, form="same"))
            return found.detach() if leaf.form == "twin" else found.snapshot()
        if leaf.kind == "argument":
            return self.leaves[leaf.number]
        if leaf.kind == "state":
            return self.trace.state[leaf.number].tensor
        found = self.fetched[leaf.number]
        if leaf.kind == "fetch" and leaf.stop_gradient and not found.stop_gradient:
            return found.detach()  # its code ended the gradient
        if leaf.kind == "scalar":
            return element(found.detach())
        return number_over(found) if leaf.kind == "number" else found

    def _record(self, operation: Operation) -> None:
        if any(is_list(v) for v in (*operation.operands, *operation.results)):
            raise CaptureError(
                "a loaded program that holds gradients of a loop is called inside a captured function",
                loc=caller_loc(),
                remedy="call the loaded layer outside of compiled functions",
            )
        given = [self.tensors[v] for v in operation.operands]
        if operation.name == "return":
            self.fetched = given
        elif operation.name == "update":
            with GradMode(False):
                given[0]._write(given[1])
        elif operation.blocks or operation.name == "callback":
            self._record_whole(operation)
        elif not given or not operation.results:
            values = tuple(self.tracer.value_of(x) for x in given)
            made = self.tracer.builder.apply(operation.op, values, self._attrs(operation))
            if operation.results:
                self.tensors[operation.results[0]] = wrap(made, made.dtype)
        else:
            made = self.tracer.apply(operation.op, tuple(given), self._attrs(operation))
            results = made if isinstance(made, tuple) else (made,)
            self.tensors.update(zip(operation.results, results, strict=True))

    def _record_whole(self, operation: Operation) -> None:
        """An operation with blocks, or a call back into Python."""
        tracer = self.tracer
        values: dict[Value, Value] = {}
        is_tracked = False
        for value in inputs_of(operation):
            x = self.tensors[value]
            values[value] = tracer.value_of(x)
            if not x.stop_gradient:
                tracer.note(values[value], x)
                is_tracked = True
        made = tracer.builder.place(self._copied(operation, values))
        kept = [is_tracked and is_recording() and v.tensor_type.dtype.is_differentiable for v in made.results]
        self.tensors.update(zip(operation.results, tracer.results_of(made, kept), strict=True))

    def _copied(self, operation: Operation, values: dict[Value, Value]) -> Operation:
        made = Operation(
            operation.op, [values[v] for v in operation.operands], self._attrs(operation),
            [map_type(r.type, self.sizes) for r in operation.results], (), caller_loc(),
        )  # fmt: skip
        values.update(zip(operation.results, made.results, strict=True))
        for block in operation.blocks:
            inner = Block()
            for arg in block.args:
                values[arg] = inner.add_arg(map_type(arg.type, self.sizes), arg.hint)
            for part in block.operations:
                inner.append(self._copied(part, values))
            made.add_block(inner)
        return made

    def _attrs(self, operation: Operation) -> dict[str, Any]:
        attrs: dict[str, Any] = map_attrs(dict(operation.attrs), self.sizes)
        if operation.name == "callback":
            for name in ("callee", "gradient"):
                attrs[name] = self.callees.get(attrs[name], attrs[name])
        return attrs
