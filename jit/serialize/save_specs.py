"""Which inputs and outputs of a captured program are saved: what `output_spec` and `input_spec` of `jit.save` name."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...base.errors import ArgumentError
from ...base.pytree import Tree, flatten
from ...dygraph.tensor import Tensor
from ...ir.core import Program
from ...ir.input_spec import InputSpec
from ...ops.dims import Dim
from ...ops.sizes import size_names
from ...ops.types import TensorType
from ..call.caller import call_label
from ..call.signature import as_spec, is_spec
from ..trace.state.rollback import drop
from ..trace.traced import InputLeaf, Trace, TraceInputs, recorded_fetches


class OutputType(TensorType):
    """The type of one output of a function, and its number among the outputs. Equal to a TensorType that is equal."""

    __slots__ = ("number",)

    number: int

    def __init__(self, kind: TensorType, number: int) -> None:
        super().__init__(kind.dtype, kind.shape)
        object.__setattr__(self, "number", number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and (self.dtype, self.shape) == (other.dtype, other.shape)

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))


def output_numbers(trace: Trace, output_spec: Sequence[Any]) -> list[int]:
    """The outputs that are named: by number, by an entry of the function's `outputs`, or by a tensor that a call of the
    function gave. Errors: ArgumentError.
    """
    numbers = [_number(trace, item) for item in output_spec]
    if (
        None in numbers
        and len(numbers) == len(trace.outputs.leaves)
        and all(isinstance(x, Tensor) for x in output_spec)
    ):
        warnings.warn(
            "output_spec names tensors that aren't outputs, as many as there are: all are saved", stacklevel=5
        )
        return list(range(len(numbers)))
    if None in numbers or not all(0 <= k < len(trace.outputs.leaves) for k in numbers if k is not None):
        raise ArgumentError(
            f"output_spec must hold numbers of outputs below {len(trace.outputs.leaves)}, entries of the function's "
            f"`outputs`, or results of its last call that need gradients, not {output_spec!r:.200}"
        )
    return [k for k in numbers if k is not None]


def _number(trace: Trace, item: Any) -> int | None:
    if isinstance(item, int) and not isinstance(item, bool):
        return item
    if isinstance(item, OutputType):
        fetch: int | None = item.number
    elif isinstance(item, Tensor):
        made_here = getattr(item._node, "label", None) == call_label(trace)
        fetch = recorded_fetches(trace)[item._slot] if made_here else None
    else:
        return None
    found = [k for k, leaf in enumerate(trace.outputs.leaves) if (leaf.kind, leaf.number) == ("fetch", fetch)]
    return found[0] if found else None


def specs_in(input_spec: Any) -> list[InputSpec]:
    """The descriptions of tensors in an input_spec; plain values are passed over."""
    found, _ = flatten(input_spec, lambda v: is_spec(v) or isinstance(v, InputLeaf))
    return [
        InputSpec(list(x.shape), x.type.dtype, x.name) if isinstance(x, InputLeaf) else as_spec(x, "") for x in found
    ]


def opened(fn: Any, trace: Trace) -> Trace:
    """The trace again with the size of the batch left open, where that makes no other demands; else the trace itself.

    The batch is the first axis of the first input, and of those that begin with an axis of the same size.
    """
    shapes = [leaf.type.shape for leaf in trace.inputs.leaves]
    batch = next((shape[0] for shape in shapes if shape), None)
    if not isinstance(batch, int) or batch < 1 or trace.inputs.numbers or trace.program.symbols:
        return trace
    name = Dim.symbol("N")
    leaves = [
        replace(x, type=TensorType(x.type.dtype, (name, *shape[1:]) if shape and shape[0] == batch else shape))
        for x, shape in zip(trace.inputs.leaves, shapes, strict=True)
    ]
    try:
        made: Trace = fn._trace(TraceInputs(trace.inputs.tree, tuple(leaves)))
    except Exception:  # broad: what code does with a size that it can't know may fail with anything
        return trace
    before, after = ([(o.kind, o.number) for o in t.outputs.leaves] for t in (trace, made))
    state = [s.tensor for s in trace.state]
    same = before == after and len(state) == len(made.state)
    if made.program.constraints or not same or any(a is not b.tensor for a, b in zip(state, made.state, strict=True)):
        drop(made.new_state)
        return trace
    return made


def agrees(own: Sequence[InputSpec], given: Sequence[InputSpec]) -> bool:
    """Whether an input_spec of `save` names some inputs of a function's own, with fitting types."""
    by_name = {spec.name: spec for spec in own if spec.name}
    if len(given) > len(own):
        return False
    return all(_fits(by_name.get(spec.name or "", at), spec) for spec, at in zip(given, own, strict=False))


def settings_agree(own: Any, given: Any) -> bool:
    """Whether the plain values that two input_specs have in the same places mean one function."""
    if not isinstance(own, (list, tuple)) or not isinstance(given, (list, tuple)):
        return True
    pairs = zip(own, given, strict=False)
    return all(specs_in(pair) or same_setting(*pair) for pair in pairs)


def same_setting(first: Any, second: Any) -> bool:
    """Whether two arguments that aren't tensors mean one function: they are equal, or neither can be hashed.

    >>> same_setting([1, 2, 3], [1, 2, 3]), same_setting([1, 2, 3], [1, 3, 2])
    (True, False)
    """
    return bool(_hashable(first) == _hashable(second))


def _hashable(value: Any) -> Any:
    """Lists and dicts as tuples; None for what can't be told by its value."""
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    try:
        hash(value)
    except TypeError:
        return None
    return value


def _fits(own: InputSpec, given: InputSpec) -> bool:
    if own.dtype is not given.dtype or len(own.shape) != len(given.shape):
        return False
    pairs = zip(own.shape, given.shape, strict=True)
    return all(a == b or not (_is_known(a) and _is_known(b)) for a, b in pairs)


def _is_known(size: Any) -> bool:
    return isinstance(size, int) and size >= 0


def kept_inputs(trace: Trace, input_spec: Any, names_kept: Sequence[str] | None = None) -> list[int] | None:
    """The numbers of the inputs that an input_spec names, or that have the names to keep; None for all of them.

    Errors: ArgumentError for a name that no input has.
    """
    leaves = trace.inputs.leaves
    names = [leaf.name for leaf in leaves]
    if names_kept is not None:
        unknown = [name for name in names_kept if name not in names]
        if unknown:
            raise ArgumentError(f"input_names_after_prune: no input is called {unknown[0]!r}: {', '.join(names)}")
        return sorted(names.index(name) for name in names_kept)
    given = [] if input_spec is None else specs_in(input_spec)
    if not given or len(given) >= len(leaves):
        return None
    return sorted({names.index(s.name) if s.name in names else k for k, s in enumerate(given)})


def drop_inputs(program: Program, inputs: TraceInputs, keep: Sequence[int]) -> TraceInputs:
    """Take the other inputs out of a pruned program. Errors: ArgumentError where the outputs need one of them."""
    for k in reversed(range(len(inputs.leaves))):
        if k in keep:
            continue
        if program.feed_values[k].uses:
            raise ArgumentError(
                f"the outputs that are saved need the input {inputs.leaves[k].name}",
                remedy="name it in input_spec, or leave the output out by output_spec",
            )
        del program.body.args[k], program.feeds[k]
    for k, value in enumerate(program.body.args):
        value.index = k
    known = size_names([value.type for value in program.body.args])
    program.constraints = [c for c in program.constraints if c[1].symbols() <= known]
    children = tuple([Tree("leaf")] * len(keep))
    tree = Tree("tuple", None, (Tree("tuple", None, children), Tree("dict", ())))
    return replace(inputs, tree=tree, leaves=tuple([inputs.leaves[k] for k in keep]))
