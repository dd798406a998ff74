"""`save`: compiled functions and layers as artifacts (runtime/artifact.py). `load` is in load.py."""

from __future__ import annotations

import os
import types
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, CaptureError, KindError
from ...base.pytree import Tree, flatten
from ...base.suggest import one_of
from ...dygraph.modes import GradMode
from ...dygraph.nn.layer import Layer
from ...dygraph.storage import is_view, root_of
from ...dygraph.tensor import Tensor
from ...dygraph.views import steps_of
from ...ir.builder import at_end
from ...ir.core import Program
from ...ir.input_spec import InputSpec
from ...ir.walk import clone_program
from ...passes.algebra.dce import DeadCode
from ...passes.autodiff.reverse import connected
from ..call.signature import checked_spec, is_spec
from ..compiling import tracing_lock
from ..function import StaticFunction
from ..switches import is_enabled
from ..trace.gradients.gradient_hooks import drop_watches
from ..trace.traced import OutputLeaf, StateTensor, Trace, TraceInputs, TraceOutputs
from .flat_signature import depends_on_values, flat_order
from .joined_outputs import Picked, joined, one_value, picked
from .json_values import encode_tree
from .load import TranslatedLayer
from .save_specs import agrees, drop_inputs, kept_inputs, opened, output_numbers, settings_agree, specs_in
from .saved_writes import kept_writes, warn, warn_of_lost, with_replaced
from .shown_text import Printed, Raising

OPTIONS = {
    "output_spec", "with_hook", "combine_params", "clip_extra", "skip_forward", "input_names_after_prune",
    "skip_prune_program", "separate_parameters", "format",
}  # fmt: skip

_FETCHED = ("fetch", "number", "array", "scalar")  # kinds of results that are fetches of the program


def save(layer: Any, path: str | os.PathLike[str], input_spec: Any = None, **configs: Any) -> None:
    """Save a layer, a compiled function or a plain function as an artifact.

    A layer, or a method of one, is captured in evaluation mode, as in PaddlePaddle: dropout passes its input on, batch
    norm takes the running statistics. The layer keeps its own modes. What else a function calls has its present mode.
    With a layer its other methods are saved that `to_static` compiled, in the class or later.

    path: a folder to make; a name ending in .vt or .zip makes one file. input_spec: InputSpecs or example tensors; not
    needed when `to_static` got one or the function was called. output_spec (option): the outputs to keep: numbers in
    the structure's order, entries of the function's `outputs`, or results of its last call. An input_spec that names
    only some of the inputs, or input_names_after_prune (names), leaves out the others, which the outputs must not need.
    Without InputSpecs (example tensors, or the last call) the size of the batch is left open, where the function
    doesn't depend on it.
    with_hook (option): whether the forward hooks of the layer itself go into the program (True).
    format (option): "artifact", or "python": a folder with a readable model.py that runs with NumPy alone.
    Errors: TypeError for other objects; ValueError for unknown options, an empty name, or no known inputs.
    """
    unknown = [k for k in configs if k not in OPTIONS]
    if unknown:
        known = ["input_spec", *sorted(OPTIONS)]
        raise ArgumentError(f"jit.save has no option {unknown[0]!r}", remedy=one_of(unknown[0], known))
    if not isinstance(layer, (Layer, StaticFunction, types.FunctionType, types.MethodType)):
        raise KindError(f"jit.save takes a layer or a function, not {type(layer).__name__}")
    if os.fspath(path).endswith(("/", os.sep)) or not Path(path).name:
        raise ArgumentError(f"jit.save needs a name at the end of the path, not {os.fspath(path)!r}")
    if not is_enabled():
        raise CaptureError("jit.save captures the program, but capture is off", remedy="call enable_to_static(True)")
    chosen = configs.pop("format", "artifact")
    if chosen not in ("artifact", "python"):
        raise ArgumentError(f"jit.save has no format {chosen!r}", remedy="it writes 'artifact' and 'python'")
    checked_spec(input_spec)
    layer = getattr(layer, "_wrapped_layer", layer)  # of a wrapper for several processes
    if isinstance(layer, TranslatedLayer):
        traces = {name: method.trace for name, method in layer._methods.items()}
    else:
        with evaluating(layer):
            traces = {name: _trace_of(fn, input_spec) for name, fn in _methods(layer, input_spec, configs).items()}
            if isinstance(layer, Layer) and configs.get("with_hook", True) and "forward" in traces:
                traces["forward"] = _with_hooks(layer, traces["forward"])
    if not traces:
        warnings.warn("jit.save: without `forward` there is nothing to save", stacklevel=2)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return
    traces = {name: with_replaced(trace) for name, trace in traces.items()}
    names = _state_names(layer, traces.values())
    made = _artifact(traces, names, configs, input_spec, with_kernels=chosen == "artifact")
    if chosen == "python":
        from ...export.numpy_source.module import save_python  # reads the sources of the op table

        callbacks = {n: f for trace in traces.values() for n, f in trace.callbacks.items()}
        if any(isinstance(f, Printed) and f.says_more for f in callbacks.values()):
            warn("print()", "shows tensors alone in model.py", "save it with format='artifact', which keeps the text")
        save_python(made, path, callbacks, version=_version())
        return
    from ...runtime.artifact import save_artifact

    save_artifact(made, path, version=_version())


def save_inference_model(
    path: str | os.PathLike[str], layer_or_program: Any, input_spec: Any = None, **configs: Any
) -> None:
    """Save a layer or function for inference (as `save` does), or a Program without state."""
    if not isinstance(layer_or_program, Program):
        save(layer_or_program, path, input_spec, **configs)
        return
    from ...runtime.artifact import Artifact, save_artifact
    from .flat_signature import flat_method

    program = layer_or_program
    if program.state:
        raise ArgumentError(f"{program.name} has state, whose values a program doesn't hold", remedy="save the layer")
    save_artifact(Artifact({"forward": flat_method(program, stop_gradient=True)}), path, version=_version())


@dataclass(slots=True)
class Captured:
    """One captured method for whoever writes it in a format of their own. weights: arrays by name of a state entry.

    chosen: what the outputs give in order, if flags choose between two of them (see `picked`). untrained: names of
    parameters that training leaves alone.
    """

    program: Program
    weights: dict[str, Any]
    output_names: list[str]
    chosen: list[Picked] = field(default_factory=list)
    untrained: set[str] = field(default_factory=set)


def captured_forward(layer: Any, input_spec: Any, configs: Mapping[str, Any]) -> Captured:
    """The program of a layer's `forward`, or of a function, with its state under the names that `save` gives.

    Its fetches are the outputs' tensors, one each and in order. Errors: as `save`.
    """
    if not isinstance(layer, (Layer, StaticFunction, types.FunctionType, types.MethodType)):
        raise KindError(f"a layer or a function is needed, not {type(layer).__name__}")
    if not is_enabled():
        raise CaptureError("saving captures the program, but capture is off", remedy="call enable_to_static(True)")
    checked_spec(input_spec)
    if isinstance(layer, TranslatedLayer):
        trace = layer._method("forward").trace
    else:
        fn = layer.forward if isinstance(layer, Layer) else layer
        trace = _trace_of(fn if isinstance(fn, StaticFunction) else StaticFunction(fn), input_spec)
    names = _state_names(layer, [trace])
    program, outputs = _pruned(trace, configs.get("output_spec"), {})
    weights: dict[str, Any] = {}
    untrained: set[str] = set()
    for entry, saved in zip(trace.state, program.state, strict=True):
        tensor = _tensor_of(entry)
        saved.name = names[id(tensor._storage)]
        weights[saved.name] = np.array(tensor._storage.payload)
        if entry.role == "parameter" and tensor.stop_gradient:
            untrained.add(saved.name)
    sources = {"argument": program.feed_values, "state": program.state_values}
    fetches = program.fetches
    leaves = [outputs.leaves[k] for k in flat_order(outputs.tree)]
    made = [sources.get(leaf.kind, fetches)[leaf.number] for leaf in leaves]
    program.body.terminator.set_operands(made)
    names_made = [f"output_{k}" for k in range(len(made))]
    program.fetch_names = names_made
    chosen = picked(outputs.tree, made) if depends_on_values(outputs.tree) else []
    return Captured(program, weights, list(names_made), chosen, untrained)


@contextmanager
def evaluating(layer: Any) -> Iterator[None]:
    """The layer (or the one that a method belongs to) in evaluation mode for a while, each sublayer as it was after."""
    owner = _owner_of(layer)
    if not isinstance(owner, Layer):
        yield
        return
    modes = [(part, part.training) for part in owner.sublayers(include_self=True)]
    owner.eval()
    try:
        yield
    finally:
        for part, training in modes:
            part.training = training


def _methods(layer: Any, input_spec: Any, configs: Mapping[str, Any]) -> dict[str, StaticFunction]:
    if isinstance(layer, StaticFunction):
        return {"forward": layer}
    if not isinstance(layer, Layer):
        return {"forward": StaticFunction(layer)}
    found: dict[str, StaticFunction] = {}
    for name in dir(type(layer)):
        if name != "forward" and isinstance(getattr(type(layer), name, None), StaticFunction):
            found[name] = getattr(layer, name)
    found |= {  # `layer.encode = to_static(layer.encode)`
        name: value for name, value in vars(layer).items()
        if name != "forward" and isinstance(value, StaticFunction) and _owner_of(value) is layer
    }  # fmt: skip
    if found and input_spec is not None:
        raise ArgumentError(
            f"{type(layer).__name__} has several compiled methods ({', '.join(['forward', *found])}), "
            "so one input_spec can't be for all of them",
            remedy="give each its own in to_static(input_spec=...)",
        )
    if not configs.get("skip_forward"):
        forward = layer.forward
        found = {"forward": forward if isinstance(forward, StaticFunction) else StaticFunction(forward)} | found
    return found


def _with_hooks(layer: Layer, trace: Trace) -> Trace:
    """The trace of a call of the layer, on which its own forward hooks are; that of `forward` without such."""
    if not (layer._forward_pre_hooks or layer._forward_post_hooks):
        return trace
    with GradMode(True), tracing_lock:
        made = StaticFunction(layer.__call__)._trace(
            TraceInputs(trace.inputs.tree, trace.inputs.leaves, trace.inputs.sizes)
        )
    made.program.name = trace.program.name
    return made


def _trace_of(fn: StaticFunction, input_spec: Any) -> Trace:
    own = fn._input_spec
    if (
        own is not None
        and input_spec is not None
        and not (agrees(specs_in(own), specs_in(input_spec)) and settings_agree(own, input_spec))
    ):
        raise ArgumentError(
            "the input_spec of save differs from that of to_static", remedy="give it in one of the two places only"
        )
    spec = own if own is not None else input_spec
    with GradMode(True):  # so that what is loaded can be trained
        if spec is not None:
            made = fn.concrete_trace(spec)
            if any(isinstance(x, InputSpec) for x in flatten(spec, is_spec)[0]):
                return made
            with tracing_lock:
                return opened(fn, made)
        entries = [e for e in fn._entries() if e.recording and e.guards.hold()]
        if not fn._entries() and fn.function_spec.parameters:
            raise ArgumentError(
                f"{fn.function_spec.name} was never called, so its inputs are unknown",
                remedy="give save an input_spec, or call it once",
            )
        if len(fn._entries()) > 1:
            warnings.warn(f"{fn.function_spec.name} has several programs; the last one is saved", stacklevel=4)
        if fn._last is not None and fn._last in entries:
            with tracing_lock:
                return opened(fn, fn._last.trace)
        if fn._last is None:
            return fn.concrete_trace()
        last = fn._last.trace.inputs  # called in another mode: captured again with the same inputs
        with tracing_lock:
            return opened(fn, fn._trace(TraceInputs(last.tree, last.leaves, last.sizes)))


def _owner_of(layer: Any) -> Any:
    """The instance of a method, compiled or not; anything else itself."""
    owner = layer._instance if isinstance(layer, StaticFunction) and layer._instance is not None else layer
    return getattr(owner, "__self__", owner)


def _state_names(layer: Any, traces: Any) -> dict[int, str]:
    """A name for the cell of each state tensor: its name in the layer's state_dict, else its own."""
    owner = _owner_of(layer)
    names: dict[int, str] = {}
    if isinstance(owner, Layer):
        for name, tensor in [*owner.named_parameters(), *owner.named_buffers()]:
            names.setdefault(id(tensor._storage), name)
    taken = set(names.values())
    state = [entry for trace in traces for entry in trace.state]
    _require_no_views(state)
    for trace in traces:
        for entry in trace.state:
            key = id(_tensor_of(entry)._storage)
            if key not in names:
                stem = entry.name.lstrip("@") or "state"
                name, k = stem, 1
                while name in taken:
                    k += 1
                    name = f"{stem}_{k}"
                taken.add(name)
                names[key] = name
    return names


def _require_no_views(state: Sequence[StateTensor]) -> None:
    """A saved program holds each of its tensors on its own: none sees what is written to another one."""
    written = {id(root_of(entry.tensor._storage)) for entry in state if entry.updated and entry.slot == "data"}
    for entry in state:
        cell = entry.tensor._storage
        if entry.slot == "data" and is_view(cell) and id(root_of(cell)) in written:
            base = steps_of(entry.tensor)[0]
            raise ArgumentError(
                f"can't save: the function reads {entry.name}, a view of {base.name}, which the function writes",
                remedy="cut the view in the function itself, as in `self.buffer[0]`, or keep a clone()",
            )


def _tensor_of(entry: StateTensor) -> Tensor:
    found = entry.tensor if entry.slot == "data" else entry.tensor.grad
    if found is None:
        raise ArgumentError(
            f"{entry.name} is a gradient that is missing now", remedy="save in the state it was called in"
        )
    return found


def _artifact(
    traces: dict[str, Trace], names: dict[int, str], configs: Mapping[str, Any], input_spec: Any, with_kernels: bool
) -> Any:
    from ...runtime.artifact import Artifact, Method

    made = Artifact({})
    for name, trace in traces.items():
        kept = kept_writes(trace)
        warn_of_lost(trace, kept)
        program, outputs = _pruned(trace, configs.get("output_spec"), kept)
        keep = kept_inputs(trace, input_spec, configs.get("input_names_after_prune"))
        taken = trace.inputs if keep is None else drop_inputs(program, trace.inputs, keep)
        if keep is not None:
            at = {k: moved for moved, k in enumerate(keep)}
            leaves_out = [replace(o, number=at[o.number]) if o.kind == "argument" else o for o in outputs.leaves]
            outputs = TraceOutputs(outputs.tree, tuple(leaves_out))
        for k, (entry, saved) in enumerate(zip(trace.state, program.state, strict=True)):
            tensor = _tensor_of(entry)
            role = "buffer" if k in kept else entry.role  # an attribute that the function replaces
            saved.name = names[id(tensor._storage)]
            made.weights[saved.name] = np.array(tensor._storage.payload)
            made.entries[saved.name] = {"role": role, "trainable": not tensor.stop_gradient}
        inputs = {
            "tree": encode_tree(taken.tree),
            "leaves": [{"name": leaf.name, "type": str(leaf.type)} for leaf in taken.leaves],
        }
        leaves = [
            {"kind": o.kind, "number": o.number, "detached": o.stop_gradient, "form": o.form} for o in outputs.leaves
        ]
        made.methods[name] = Method(program, inputs, {"tree": encode_tree(outputs.tree), "leaves": leaves})
        if with_kernels:  # Python files have no use for them
            made.kernels = {**made.kernels, **_kernels(trace)}
        made.callback_facts.update(_callback_facts(trace))
    order = {name: k for k, name in enumerate(names.values())}
    made.entries = dict(sorted(made.entries.items(), key=lambda item: order[item[0]]))
    return made


def _by_memory(trace: Trace, leaf: OutputLeaf) -> OutputLeaf:
    """A further tensor over a weight's memory: in a file that is another tensor over the weight."""
    if leaf.kind != "outside" or not isinstance(trace.outside[leaf.number], Tensor):
        return leaf
    cell = trace.outside[leaf.number]._storage
    number = next(k for k, entry in enumerate(trace.state) if entry.slot == "data" and entry.tensor._storage is cell)
    return OutputLeaf("state", number, leaf.stop_gradient, "twin")


def _pruned(
    trace: Trace, output_spec: Any, kept_state: Mapping[int, TraceOutputs]
) -> tuple[Program, TraceOutputs]:  # fmt: skip
    """The program and its outputs, only those numbered in `output_spec` if given; kept_state: see kept_writes."""
    program, outputs = clone_program(trace.program), trace.outputs
    for state, written in kept_state.items():
        at_end(program.body).update(program.state_values[state], one_value(program, written))
    drop_watches(program)
    cut = _detached(trace)
    leaves = [replace(_by_memory(trace, o), stop_gradient=k in cut) for k, o in enumerate(outputs.leaves)]
    tree = outputs.tree
    if output_spec is not None:
        leaves = [leaves[k] for k in output_numbers(trace, output_spec)]
        tree = Tree("leaf") if len(leaves) == 1 else Tree("tuple", None, tuple([Tree("leaf")] * len(leaves)))
    tree, leaves = joined(program, tree, leaves)
    in_order = [leaves[k] for k in flat_order(tree)]
    kept = list(dict.fromkeys(leaf.number for leaf in in_order if leaf.kind in _FETCHED))
    values = program.fetches
    program.body.terminator.set_operands([values[k] for k in kept])
    program.fetch_names = [program.fetch_names[k] for k in kept] if program.fetch_names else []
    DeadCode().run(program)
    moved = [replace(o, number=kept.index(o.number) if o.kind in _FETCHED else o.number) for o in leaves]
    return program, TraceOutputs(tree, tuple(moved))


def _detached(trace: Trace) -> set[int]:
    """Of the results those, by number, that the code cut from their graph though a gradient would reach them."""
    given = [
        v for v, leaf in zip(trace.program.feed_values, trace.inputs.leaves, strict=True) if not leaf.stop_gradient
    ]
    states = zip(trace.program.state_values, trace.state, strict=True)
    reached = connected(trace.program.body, [*given, *(v for v, s in states if not s.tensor.stop_gradient)])
    fetches = trace.program.fetches
    leaves = enumerate(trace.outputs.leaves)
    return {k for k, o in leaves if o.kind == "fetch" and o.stop_gradient and fetches[o.number] in reached}


def _kernels(trace: Trace) -> dict[str, str]:
    from ..call.program_function import compile_lazily
    from ..inspect.stages import kernels

    made = kernels([compile_lazily(trace.program, trace.callbacks)])
    return {name: str(text) for name, text in made.items()}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("vitrify")
    except PackageNotFoundError:
        return ""


def _callback_facts(trace: Trace) -> dict[str, Any]:
    """How the PyLayers of a program are called, where that can be written down."""
    found: dict[str, Any] = {}
    for name, callback in trace.callbacks.items():
        if isinstance(callback, Printed):
            shown = callback.shown.facts()
            if shown is None:
                warn("print() of objects", "shows tensors alone in the saved model", "print an f-string of them")
            else:
                found[name] = shown
            continue
        if isinstance(callback, Raising):
            said = callback.facts()
            if said is not None:
                found[name] = said
            continue
        record: Any = getattr(callback, "__self__", None)
        if not hasattr(record, "slots") or name.endswith(".backward"):
            continue
        if record.state:
            raise CaptureError(
                f"{record.state.what} uses state that the function changes: a saved model has no place for it",
                remedy="hand the state over as arguments and results of the PyLayer",
            )
        try:
            arguments = encode_tree(record.tree)
        except ArgumentError:
            continue
        found[name] = {"arguments": arguments, "slots": record.slots, "stops": record.stops, "count": record.count}
    return found
