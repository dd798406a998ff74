"""`load`: an artifact as a layer that is called, inspected and trained on."""

from __future__ import annotations

import copy
import os
import re
import tempfile
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...base import unique_name
from ...base.boundary import outward
from ...base.errors import (
    ArgumentError,
    ArtifactError,
    CallbackError,
    CaptureError,
    VitrifyError,
)
from ...base.flags import flags as process_flags
from ...dygraph.modes import amp_policy, is_recording
from ...dygraph.nn.layer import Layer
from ...dygraph.random_generators import default_generator
from ...dygraph.tensor import Parameter, Tensor
from ...ir.core import Program, Value
from ...ir.input_spec import InputSpec
from ...ops.dispatch import interpreters, is_captured
from ...runtime.observe.subject import Part, Subject
from ...runtime.options import of_flags
from ..call.call_stubs import CachedCall, make_call_stub, missed, native_call
from ..call.caller import MISS, Runner, feed_of, make_runner
from ..call.guards import Guards
from ..call.program_function import as_tensor
from ..call.signature import Leaf, array_of
from ..trace.traced import InputLeaf, OutputLeaf, StateTensor, Trace, TraceInputs, TraceOutputs
from .flat_signature import flat_order, flat_results
from .given_arguments import check_leaves, check_state, given_leaves
from .json_values import Decoder
from .shown_text import printed, raising


@outward
def load(
    path: str | os.PathLike[str],
    callbacks: Mapping[str, Callable[..., Any]] | None = None,
    *,
    structured: bool = False,
    **configs: Any,
) -> TranslatedLayer:
    """Load an artifact as a layer: callable, trainable, with its parameters under their names, in evaluation mode.

    As in PaddlePaddle `train()` and `eval()` set `training` and leave the program as it was saved: to train on with
    dropout and with new running statistics, load the parameters (`vt.load(path)`) into the network itself.

    path: what `save` got, or the prefix of an inference program with its parameters: PaddlePaddle's `.pdmodel` or
    `.json` with `.pdiparams`, or what `static.save_inference_model` wrote.
    callbacks: the Python callables that its programs call, by name ("module.Class" or "Class"): PyLayer classes, or
    functions from arrays to arrays.
    structured: results come in the tuples, lists and dicts of the saved function, with what isn't a tensor. Without it
    they are flat, as in PaddlePaddle: one tensor, or a list of tensors in the structure's order, those of a dict by
    its sorted keys. Results whose structure depends on values keep it.
    Errors: ArtifactError for a missing, damaged or foreign file, CallbackError for callbacks that are missing;
    ArgumentError that names the operations of PaddlePaddle's program that can't be read.
    """
    from ...runtime.artifact import load_artifact
    from ..paddle_models.paddle_files import MODEL_SUFFIXES, model_files

    files = None if Path(path).exists() and Path(path).suffix not in MODEL_SUFFIXES else model_files(path)
    if files is not None:
        from ..paddle_models.paddle_load import load_model  # loads the capturing half

        return TranslatedLayer(load_model(*files), str(path), structured=structured)
    try:
        return TranslatedLayer(load_artifact(path, callbacks, _adapt), str(path), structured=structured)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, VitrifyError):
            raise
        raise ArtifactError(f"{path}: manifest.json: malformed ({type(error).__name__}: {error})") from error


def _adapt(name: str, fn: Any, facts: Any, form: str) -> dict[str, Callable[..., Any]]:
    """What the program calls for a user's callable: a PyLayer class also brings its gradient."""
    from ...dygraph.pylayer import PyLayer
    from ...runtime.artifact import as_callback, raise_values

    if fn is print and facts:
        return {name: printed(name, facts)}
    if fn is raise_values and facts:
        return {name: raising(name, facts)}
    if not (isinstance(fn, type) and issubclass(fn, PyLayer)):
        return as_callback(name, fn, facts, form)
    from ..trace.gradients.traced_pylayer import Record

    if not facts:
        raise CallbackError(f"{name} was saved without the arguments of its call", remedy="give a function of arrays")
    tree = Decoder(name).tree(facts["arguments"])
    slots = tuple([None if k is None else int(k) for k in facts["slots"]])
    record = Record(fn, tree, tuple([bool(s) for s in facts["stops"]]), slots, int(facts["count"]))
    record.is_partial = form == "partial layer"
    if form != "array":
        return {name: record.forward_with_handle, f"{name}.backward": record.backward}
    return {name: record.forward}


class TranslatedLayer(Layer):
    """A loaded artifact. Calling it runs `forward`; other saved methods are attributes."""

    is_state = True  # of the user's, like other layers: its hooks, attributes and parameters may change

    def __init__(self, artifact: Any, path: str, *, structured: bool = False) -> None:
        super().__init__("translated_layer")
        self._path, self._structured = path, structured
        decoder = Decoder(path)
        tensors = {name: _place(self, name, artifact.weights[name], facts) for name, facts in artifact.entries.items()}
        made = {name: _Loaded(name, m, tensors, artifact, decoder, structured) for name, m in artifact.methods.items()}
        object.__setattr__(self, "_methods", made)
        object.__setattr__(self, "artifact", artifact)
        self.eval()

    def __deepcopy__(self, memo: dict[int, Any]) -> TranslatedLayer:
        made = memo[id(self)] = type(self).__new__(type(self))
        memo[id(self.artifact)] = self.artifact  # what the file says
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    def __copy__(self) -> TranslatedLayer:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __reduce__(self) -> Any:
        """For pickles: the file with its present parameters and buffers, and its mode."""
        from ...runtime.artifact import save_artifact

        state = [s for method in self._methods.values() for s in method.trace.state]
        now = {s.name: np.array(s.tensor._storage.payload) for s in state}
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "model.vt")
            save_artifact(replace(self.artifact, weights={**self.artifact.weights, **now}), made)
            return _of_bytes, (made.read_bytes(), self._path, self._structured, self.training)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the saved `forward`."""
        return self._method("forward")(args, kwargs)

    def _method(self, name: str) -> _Loaded:
        found = self._methods.get(name)
        if found is None:
            raise ArgumentError(f"{self._path} has no method {name!r}", remedy="it has " + ", ".join(self._methods))
        return found  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        methods = self.__dict__.get("_methods", {})
        if name in methods:
            method = methods[name]
            return lambda *args, **kwargs: method(args, kwargs)
        return super().__getattr__(name)

    def _input_spec(self, method_name: str = "forward") -> list[InputSpec]:
        """What the tensors of a method's arguments are, in order."""
        leaves = self._method(method_name).trace.inputs.leaves
        return [InputSpec(list(leaf.shape), leaf.dtype, leaf.name) for leaf in leaves]

    def _output_spec(self, method_name: str = "forward") -> list[InputSpec]:
        """What the tensors are that a method computes, in order; named by it, as in PaddlePaddle."""
        kinds = [value.tensor_type for value in self._method(method_name).trace.program.fetches]
        shapes = [[d if isinstance(d, int) else -1 for d in kind.shape] for kind in kinds]
        return [InputSpec(shapes[i], kind.dtype, f"output_{i}") for i, kind in enumerate(kinds)]

    def program(self, method_name: str = "forward") -> Program:
        """The program of a method."""
        return self._method(method_name).trace.program

    def _as_subject(self) -> Subject:
        """What `vt.report` shows."""
        from ..inspect.function_subject import parts_of  # loads the rewriting half

        parts: list[Part] = []
        for name, method in self._methods.items():
            runners = list(method._runners.values())
            made = list(parts_of(runners[-1])) if runners else [Part(name, method.trace.program)]
            parts += [replace(part, name=name if len(made) == 1 else f"{name}: {part.name}") for part in made]
        return Subject(Path(self._path).name, "loaded artifact", tuple(parts))

    def extra_repr(self) -> str:
        """The path it was loaded from."""
        return self._path


def _of_bytes(data: bytes, path: str, structured: bool, training: bool) -> TranslatedLayer:
    """A loaded artifact from the bytes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "model.vt")
        made.write_bytes(data)
        found = load(made, structured=structured)
    found._path, found.training = path, training
    return found


def _place(root: Layer, name: str, array: Any, facts: Mapping[str, Any]) -> Tensor:
    """A parameter or buffer at its dotted place in a tree of layers; the tensor. Random numbers have the process's."""
    role, trainable = facts.get("role"), bool(facts.get("trainable"))
    if role == "rng" and np.shape(array) == tuple(default_generator.state.shape):
        return default_generator.state  # `vt.seed` decides what a loaded program draws, too
    tensor: Tensor = (
        Parameter(array, trainable=trainable, name=unique_name.generate(name))
        if role == "parameter"
        else as_tensor(np.array(array))
    )
    if role not in ("parameter", "buffer"):
        return tensor
    *folders, last = re.split(r"(?<=.)\.(?!\.)", name)  # a layer's own name may begin or end with a dot
    layer = root
    for folder in folders:
        inner = layer._sub_layers.get(folder)
        if inner is None:
            inner = Layer()
            layer.add_sublayer(folder, inner)
        layer = inner
    if not last or hasattr(layer, last):  # a name of the layer's own, like `forward`
        last = f"{last}_"
    if isinstance(tensor, Parameter):
        layer.add_parameter(last, tensor)
    else:
        layer.register_buffer(last, tensor)
    return tensor


class _Loaded:
    """One method of a loaded artifact: checks arguments, runs its program, rebuilds the outputs."""

    def __init__(
        self,
        name: str,
        method: Any,
        tensors: Mapping[str, Tensor],
        artifact: Any,
        decoder: Decoder,
        structured: bool = False,
    ) -> None:
        self.name = name
        program = method.program
        tree = decoder.tree(method.inputs["tree"])
        names = [str(leaf["name"]) for leaf in method.inputs["leaves"]]
        if len(names) != len(program.feeds) or tree.leaf_count != len(names):
            raise decoder.fail(f"the signature of {name} doesn't fit its program")
        leaves = tuple(InputLeaf(n, v.tensor_type) for n, v in zip(names, program.feed_values, strict=True))
        outputs = TraceOutputs(
            decoder.tree(method.outputs["tree"]), tuple(_leaf_of(o) for o in method.outputs["leaves"])
        )
        limits = {
            "fetch": len(program.fetches),
            "number": len(program.fetches),
            "array": len(program.fetches),
            "scalar": len(program.fetches),
            "argument": len(leaves),
            "state": len(program.state),
        }
        if outputs.tree.leaf_count != len(outputs.leaves) or any(
            not 0 <= o.number < limits[o.kind] for o in outputs.leaves
        ):
            raise decoder.fail(f"the outputs of {name} don't fit its program")
        roles = {name: str(facts.get("role")) for name, facts in artifact.entries.items()}
        state = [
            StateTensor(tensors[e.name], e.name, roles[e.name], _is_updated(program, k))
            for k, e in enumerate(program.state)
        ]
        self.trace = Trace(program, TraceInputs(tree, leaves), outputs, state, callbacks=dict(artifact.callbacks))
        flat = TraceOutputs(flat_results(outputs.tree), tuple([outputs.leaves[k] for k in flat_order(outputs.tree)]))
        self._results = outputs if structured else flat
        self._runners: dict[Any, Runner] = {}
        self._stubs: dict[Any, CachedCall] = {}  # short paths of calls with tensors alone; the last one is tried first
        self._last: CachedCall = missed
        self._first: CachedCall = missed  # native code for calls like the latest one
        self._lock = threading.Lock()

    def __deepcopy__(self, memo: dict[int, Any]) -> _Loaded:
        """The same program with copies of its tensors; random numbers have the process's state."""
        made = memo[id(self)] = copy.copy(self)
        own = default_generator.state
        state = [s if s.tensor is own else replace(s, tensor=copy.deepcopy(s.tensor, memo)) for s in self.trace.state]
        made.trace = replace(self.trace, state=state)
        made._runners, made._stubs, made._last, made._first = {}, {}, missed, missed
        made._lock = threading.Lock()
        return made

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if (found := self._first(args, kwargs)) is not MISS:
            return found
        if interpreters() and is_captured():
            return self._inside(args, kwargs)
        found = self._last(args, kwargs)
        return self._call_slowly(args, kwargs) if found is MISS else found

    def _call_slowly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves = self._leaves(args, kwargs)
        feeds = [feed_of(array_of(x)) for x in leaves]
        flags = tuple([not isinstance(x, Tensor) or x.stop_gradient for x in leaves])
        key = (is_recording(), flags, tuple([s.tensor.stop_gradient for s in self.trace.state]))
        runner = self._runners.get(key)
        if runner is None:
            with self._lock:
                runner = self._runners[key] = self._make(flags)
        if runner.state.arrays() is None:
            check_state(self.trace)
        shapes = tuple([a.shape for a in feeds])
        free = runner.free.get(shapes)
        if free is None:
            free = runner.admit(shapes, feeds)
        if not kwargs and len(args) == len(leaves) and all(isinstance(x, Tensor) for x in args):
            self._remember(runner, (key, amp_policy(), process_flags.default_dtype), leaves, shapes)
        return runner.run(leaves, feeds, free)

    def _remember(self, runner: Runner, key: Any, leaves: Sequence[Any], shapes: Any) -> None:
        """Take the short path for the next call like this one."""
        key = key, tuple([type(x) for x in leaves])
        made = self._stubs.get(key)
        if made is None:
            leaf_types = [Leaf(type(x), x._dtype, x.ndim, x.stop_gradient) for x in leaves]
            guards = Guards((), [(s.tensor, s.tensor.stop_gradient) for s in self.trace.state])
            made = self._stubs[key] = make_call_stub(runner, guards, leaf_types, shapes, is_recording(), None)
        self._last, self._first = made, native_call(made)

    def _inside(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call while a function is captured: the program becomes part of that one."""
        from ..trace.inlining import inlined  # loads the capturing half, which is there: a trace is running
        from ..trace.tracer import active

        tracer = active()
        if tracer is None:
            raise CaptureError(
                f"a loaded program ({self.name}) is called where operations are only recorded",
                remedy="call the loaded layer in eager mode or inside a function compiled with to_static",
            )
        leaves = [x if isinstance(x, Tensor) else as_tensor(np.array(x)) for x in self._leaves(args, kwargs, False)]
        return inlined(tracer, replace(self.trace, outputs=self._results), leaves)

    def _make(self, flags: Sequence[bool]) -> Runner:
        trace = self.trace
        inputs = tuple(InputLeaf(x.name, x.type, stop) for x, stop in zip(trace.inputs.leaves, flags, strict=True))
        tracked = is_recording() and (not all(flags) or any(not s.tensor.stop_gradient for s in trace.state))
        wanted: Collection[Value] = ()
        if tracked:
            from ...passes.autodiff.reverse import connected  # loads the rewriting half, as gradients do

            given = [v for v, stop in zip(trace.program.feed_values, flags, strict=True) if not stop]
            states = zip(trace.program.state_values, trace.state, strict=True)
            wanted = connected(trace.program.body, [*given, *(v for v, s in states if not s.tensor.stop_gradient)])
        values = trace.program.fetches
        leaves = tuple(
            replace(o, stop_gradient=o.stop_gradient or values[o.number] not in wanted) if o.kind == "fetch" else o
            for o in self._results.leaves
        )
        outputs = TraceOutputs(self._results.tree, leaves)
        return make_runner(
            Trace(
                trace.program, TraceInputs(trace.inputs.tree, inputs), outputs, trace.state, callbacks=trace.callbacks
            ),
            of_flags(),
        )

    def _leaves(self, args: tuple[Any, ...], kwargs: dict[str, Any], checked: bool = True) -> list[Any]:
        """The tensors of a call in the program's order, checked against its types if that is asked for."""
        leaves = given_leaves(self.name, self.trace.inputs, args, kwargs)
        if checked:
            check_leaves(leaves, self.trace.inputs.leaves)
        return leaves


def _leaf_of(made: Mapping[str, Any]) -> OutputLeaf:
    kind, number = made["kind"], made["number"]
    if kind not in ("fetch", "number", "array", "scalar", "argument", "state") or type(number) is not int:
        raise TypeError("an output is malformed")
    form = made.get("form", "same")  # archives of older releases don't say
    if form not in ("same", "twin", "copy"):
        raise TypeError("an output is malformed")
    return OutputLeaf(kind, number, bool(made.get("detached")), form)


def _is_updated(program: Program, number: int) -> bool:
    value = program.state_values[number]
    return any(o.name == "update" and k == 0 for o, k in value.uses)
