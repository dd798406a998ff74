"""`save` and `load`: compiled functions and layers as artifacts (runtime/artifact.py), and back as layers."""

from __future__ import annotations

import math
import os
import threading
import types
import warnings
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ArtifactError, CaptureError, DTypeError, ShapeError
from ..base.pytree import Tree, flatten, unflatten
from ..dygraph.modes import GradMode, is_recording
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Parameter, Tensor
from ..ir.core import Program
from ..ir.input_spec import InputSpec
from ..ir.walk import clone_program
from ..ops.dispatch import _stack
from ..ops.infer import show_shape
from ..passes.dce import DeadCode
from .caller import Runner, feed_of
from .function import StaticFunction, _tracing, make_runner
from .marks import is_enabled
from .program_function import as_tensor
from .signature import array_of, checked_spec, flatten_spec, is_leaf
from .traced import InputLeaf, Inputs, OutputLeaf, Outputs, StateTensor, Trace

OPTIONS = {
    "output_spec", "with_hook", "combine_params", "clip_extra", "skip_forward", "input_names_after_prune",
    "skip_prune_program", "separate_parameters",
}  # fmt: skip


def save(layer: Any, path: str | os.PathLike[str], input_spec: Any = None, **configs: Any) -> None:
    """Save a layer, a compiled function or a plain function as an artifact, in its present train or eval mode.

    path: a folder to make; a name ending in .vt or .zip makes one file. input_spec: InputSpecs or example tensors; not
    needed when `to_static` got one or the function was called. output_spec (option): numbers of the outputs to keep.
    Errors: TypeError for other objects; ValueError for unknown options, an empty name, or no known inputs.
    """
    unknown = [k for k in configs if k not in OPTIONS]
    if unknown:
        raise ArgumentError(f"jit.save has no option {unknown[0]!r}", remedy="it has " + ", ".join(sorted(OPTIONS)))
    if not isinstance(layer, (Layer, StaticFunction, types.FunctionType, types.MethodType)):
        raise TypeError(f"jit.save takes a layer or a function, not {type(layer).__name__}")
    if not os.path.basename(os.fspath(path)):
        raise ArgumentError(f"jit.save needs a name at the end of the path, not {os.fspath(path)!r}")
    if not is_enabled():
        raise RuntimeError("jit.save needs enable_to_static(True)")
    checked_spec(input_spec)
    traces = {name: _trace_of(fn, input_spec) for name, fn in _methods(layer, input_spec, configs).items()}
    names = _state_names(layer, traces.values())
    _write(traces, names, path, configs.get("output_spec"))


def save_inference_model(
    path: str | os.PathLike[str], layer_or_program: Any, input_spec: Any = None, **configs: Any
) -> None:
    """Save a layer or function for inference (as `save` does), or a Program without state."""
    if not isinstance(layer_or_program, Program):
        save(layer_or_program, path, input_spec, **configs)
        return
    from ..runtime.artifact import Artifact, Method, save_artifact

    program = layer_or_program
    if program.state:
        raise ArgumentError(f"{program.name} has state, whose values a program doesn't hold", remedy="save the layer")
    feeds = [{"name": name, "type": str(v.type)} for name, v in zip(program.feeds, program.feed_values, strict=True)]
    leaf = {"kind": "leaf"}
    args = {"kind": "tuple", "children": [leaf] * len(feeds)}
    inputs = {"tree": {"kind": "tuple", "children": [args, {"kind": "dict", "keys": [], "children": []}]}, "leaves": feeds}
    fetches = [{"kind": "fetch", "number": k, "stop_gradient": True} for k in range(len(program.fetches))]
    tree = leaf if len(fetches) == 1 else {"kind": "tuple", "children": [leaf] * len(fetches)}
    save_artifact(Artifact({"forward": Method(program, inputs, {"tree": tree, "leaves": fetches})}), path, version=_version())


def _methods(layer: Any, input_spec: Any, configs: Mapping[str, Any]) -> dict[str, StaticFunction]:
    if isinstance(layer, StaticFunction):
        return {"forward": layer}
    if not isinstance(layer, Layer):
        return {"forward": StaticFunction(layer)}
    found: dict[str, StaticFunction] = {}
    for name in dir(type(layer)):
        if name != "forward" and isinstance(getattr(type(layer), name, None), StaticFunction):
            found[name] = getattr(layer, name)
    if found and input_spec is not None:
        raise ArgumentError(
            f"{type(layer).__name__} has several compiled methods ({', '.join(['forward', *found])}), so one input_spec "
            "can't be for all of them",
            remedy="give each its own in to_static(input_spec=...)",
        )
    if not configs.get("skip_forward"):
        forward = layer.forward
        found = {"forward": forward if isinstance(forward, StaticFunction) else StaticFunction(forward)} | found
    return found


def _trace_of(fn: StaticFunction, input_spec: Any) -> Trace:
    own = fn._input_spec
    if own is not None and input_spec is not None and flatten_spec(own) != flatten_spec(input_spec):
        raise ArgumentError(
            "the input_spec of save differs from that of to_static", remedy="give it in one of the two places only"
        )
    spec = own if own is not None else input_spec
    with GradMode(True):  # so that what is loaded can be trained
        if spec is not None:
            return fn.concrete_trace(spec)
        entries = [e for e in fn.program_cache if e.recording and e.guards.hold()]
        if not fn.program_cache and fn.function_spec.parameters:
            raise ArgumentError(
                f"{fn.function_spec.name} was never called, so its inputs are unknown",
                remedy="give save an input_spec, or call it once",
            )
        if len(fn.program_cache) > 1:
            warnings.warn(f"{fn.function_spec.name} has several programs; the last one is saved", stacklevel=4)
        if fn._last is not None and fn._last in entries:
            return fn._last.trace
        if fn._last is None:
            return fn.concrete_trace()
        last = fn._last.trace.inputs  # called in another mode: captured again with the same inputs
        with _tracing:
            return fn._trace(Inputs(last.tree, last.leaves, last.sizes))


def _state_names(layer: Any, traces: Any) -> dict[int, str]:
    """A name for the cell of each state tensor: its name in the layer's state_dict, else its own."""
    owner = layer._instance() if isinstance(layer, StaticFunction) and layer._instance is not None else layer
    owner = getattr(owner, "__self__", owner)
    names: dict[int, str] = {}
    if isinstance(owner, Layer):
        for name, tensor in [*owner.named_parameters(), *owner.named_buffers()]:
            names.setdefault(id(tensor._storage), name)
    taken = set(names.values())
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


def _tensor_of(entry: StateTensor) -> Tensor:
    found = entry.tensor if entry.slot == "data" else entry.tensor.grad
    if found is None:
        raise ArgumentError(f"{entry.name} is a gradient that is missing now", remedy="save in the state it was called in")
    return found


def _write(traces: dict[str, Trace], names: dict[int, str], path: Any, output_spec: Any) -> None:
    from ..runtime.artifact import Artifact, Method, save_artifact

    made = Artifact({})
    for name, trace in traces.items():
        if trace.grad_writes or trace.attribute_writes or trace.tensor_writes:
            warnings.warn(
                f"{trace.program.name} changes gradients, attributes or arguments; the saved program only computes", stacklevel=4
            )
        program, outputs = _pruned(trace, output_spec)
        for entry, saved in zip(trace.state, program.state, strict=True):
            tensor = _tensor_of(entry)
            saved.name = names[id(tensor._storage)]
            made.weights[saved.name] = np.array(tensor._storage.payload)
            made.entries[saved.name] = {"role": entry.role, "trainable": not tensor.stop_gradient}
        inputs = {
            "tree": _encode_tree(trace.inputs.tree),
            "leaves": [{"name": leaf.name, "type": str(leaf.type)} for leaf in trace.inputs.leaves],
        }
        leaves = [{"kind": o.kind, "number": o.number, "stop_gradient": o.stop_gradient} for o in outputs.leaves]
        made.methods[name] = Method(program, inputs, {"tree": _encode_tree(outputs.tree), "leaves": leaves})
        made.kernels.update(_kernels(trace))
    order = {name: k for k, name in enumerate(names.values())}
    made.entries = dict(sorted(made.entries.items(), key=lambda item: order[item[0]]))
    save_artifact(made, path, version=_version())


def _pruned(trace: Trace, output_spec: Any) -> tuple[Program, Outputs]:
    """The program and its outputs, only those numbered in `output_spec` where that is given."""
    program, outputs = clone_program(trace.program), trace.outputs
    leaves = list(outputs.leaves)
    tree = outputs.tree
    if output_spec is not None:
        if not all(isinstance(k, int) and 0 <= k < len(leaves) for k in output_spec):
            raise ArgumentError(f"output_spec must hold numbers of outputs below {len(leaves)}, not {output_spec!r}")
        leaves = [leaves[k] for k in output_spec]
        tree = Tree("leaf") if len(leaves) == 1 else Tree("tuple", None, tuple([Tree("leaf")] * len(leaves)))
    kept = sorted({leaf.number for leaf in leaves if leaf.kind == "fetch"})
    values = program.fetches
    program.body.terminator.set_operands([values[k] for k in kept])
    program.fetch_names = [program.fetch_names[k] for k in kept] if program.fetch_names else []
    DeadCode().run(program)
    moved = [OutputLeaf(o.kind, kept.index(o.number) if o.kind == "fetch" else o.number, o.stop_gradient) for o in leaves]
    return program, Outputs(tree, tuple(moved))


def _kernels(trace: Trace) -> dict[str, str]:
    from .program_function import compile_lazily
    from .report import kernels

    return kernels([compile_lazily(trace.program, trace.callbacks)])


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("vitrify")
    except PackageNotFoundError:
        return ""


# ---- nested values as JSON


def _encode_tree(tree: Tree) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": tree.kind}
    if tree.kind == "const":
        made["value"] = _encode_constant(tree.data)
    elif tree.kind == "mapping":
        made.update(kind="dict", keys=[_encode_constant(k) for k in tree.data[1]])
    elif tree.kind == "dict":
        made["keys"] = [_encode_constant(k) for k in tree.data]
    elif tree.kind == "namedtuple":
        made.update(name=tree.data.__name__, fields=list(tree.data._fields))
    elif tree.kind == "dataclass":
        made.update(name=tree.data[0].__name__, fields=list(tree.data[1]))
    if tree.children:
        made["children"] = [_encode_tree(c) for c in tree.children]
    return made


def _encode_constant(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": value.hex() if math.isfinite(value) else repr(value)}
    if isinstance(value, Layer):
        return {"object": type(value).__name__}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return {type(value).__name__: [_encode_constant(v) for v in value]}
    raise ArgumentError(
        f"a {type(value).__name__} among the arguments or results can't be saved", remedy="use numbers, strings and tensors"
    )


class _Decoder:
    """JSON back to structures; whatever isn't as `save` writes it is an ArtifactError."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.made: dict[tuple[str, tuple[str, ...]], Any] = {}

    def fail(self, reason: str) -> ArtifactError:
        return ArtifactError(f"{self.where}: manifest.json: {reason}", remedy="save the model again")

    def tree(self, made: Any, depth: int = 0) -> Tree:
        if not isinstance(made, dict) or depth > 100:
            raise self.fail("a structure is malformed")
        kind = made.get("kind")
        children = tuple(self.tree(c, depth + 1) for c in made.get("children", ()))
        if kind == "leaf" and not children:
            return Tree("leaf")
        if kind == "const":
            return Tree("const", self.constant(made.get("value")))
        if kind in ("tuple", "list"):
            return Tree(kind, None, children)
        if kind == "dict" and len(made["keys"]) == len(children):
            return Tree("dict", tuple(self.constant(k) for k in made["keys"]), children)
        if kind in ("namedtuple", "dataclass") and len(made["fields"]) == len(children):
            fields = tuple(made["fields"])
            if not all(isinstance(f, str) and f.isidentifier() for f in (made["name"], *fields)):
                raise self.fail("a structure's names are malformed")
            if kind == "dataclass":
                return Tree("dataclass", (types.SimpleNamespace, fields), children)
            key = (made["name"], fields)
            if key not in self.made:
                self.made[key] = namedtuple(made["name"], fields, rename=True)  # noqa: PYI024 - the fields are data
            return Tree("namedtuple", self.made[key], children)
        raise self.fail(f"a structure of kind {kind!r:.40} is unknown")

    def constant(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, dict) and len(value) == 1:
            ((kind, inner),) = value.items()
            if kind == "int" and isinstance(inner, str) and len(inner) < 400:
                return int(inner)
            if kind == "float" and isinstance(inner, str):
                return float(inner) if inner in ("nan", "inf", "-inf") else float.fromhex(inner)
            if kind == "object" and isinstance(inner, str):
                return _Anything(inner)
            if kind in ("list", "tuple") and isinstance(inner, list):
                items = [self.constant(v) for v in inner]
                return items if kind == "list" else tuple(items)
        raise self.fail("a constant is malformed")


class _Anything:
    """Stands for an object that can't be saved, among a saved function's arguments."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<a {self.name}>"


# ---- loading


def load(
    path: str | os.PathLike[str], callbacks: Mapping[str, Callable[..., Any]] | None = None, **configs: Any
) -> TranslatedLayer:
    """Load an artifact as a layer: callable, trainable, with its parameters under their names.

    callbacks: the Python callables that its programs call, by name: functions of arrays, or PyLayer classes.
    Errors: ArtifactError for a missing, damaged or foreign file, CallbackError for callbacks that are missing.
    """
    from ..runtime.artifact import load_artifact

    given = {name: _as_callback(fn) for name, fn in (callbacks or {}).items()}
    try:
        return TranslatedLayer(load_artifact(path, given), str(path))
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, (ArtifactError, ArgumentError)):
            raise
        raise ArtifactError(f"{path}: manifest.json: malformed ({type(error).__name__}: {error})") from error


def _as_callback(fn: Any) -> Callable[..., Any]:
    """A PyLayer class as a function of arrays; functions as they are."""
    from ..dygraph.pylayer import PyLayer, PyLayerContext, run_forward

    if not (isinstance(fn, type) and issubclass(fn, PyLayer)):
        return fn  # type: ignore[no-any-return]

    def call(*arrays: Any) -> Any:
        made = run_forward(fn, PyLayerContext(), [as_tensor(a) for a in arrays], {})
        return tuple([y.numpy() for y in made.tensors])

    return call


class TranslatedLayer(Layer):
    """A loaded artifact. Calling it runs `forward`; other saved methods are attributes."""

    def __init__(self, artifact: Any, path: str) -> None:
        super().__init__("translated_layer")
        self._path = path
        decoder = _Decoder(path)
        tensors = {name: _place(self, name, artifact.weights[name], facts) for name, facts in artifact.entries.items()}
        made = {name: _Loaded(name, m, tensors, artifact, decoder) for name, m in artifact.methods.items()}
        object.__setattr__(self, "_methods", made)
        object.__setattr__(self, "artifact", artifact)

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
        return super().__getattr__(name)  # type: ignore[misc]

    def program(self, method_name: str = "forward") -> Program:
        """The program of a method."""
        return self._method(method_name).trace.program

    def extra_repr(self) -> str:
        """The path it was loaded from."""
        return self._path


def _place(root: Layer, name: str, array: Any, facts: Mapping[str, Any]) -> Tensor:
    """A parameter or buffer at its dotted place in a tree of layers; the tensor."""
    role, trainable = facts.get("role"), bool(facts.get("trainable"))
    tensor: Tensor = Parameter(array, trainable=trainable, name=name) if role == "parameter" else as_tensor(np.array(array))
    if role not in ("parameter", "buffer"):
        return tensor
    *folders, last = name.split(".")
    layer = root
    for folder in folders:
        inner = layer._sub_layers.get(folder)
        if inner is None:
            inner = Layer()
            layer.add_sublayer(folder, inner)
        layer = inner
    if not last or hasattr(layer, last):  # a name of the layer's own, like `forward`
        last = f"{last}_"
    if role == "parameter":
        layer.add_parameter(last, tensor)
    else:
        layer.register_buffer(last, tensor)
    return tensor


class _Loaded:
    """One method of a loaded artifact: checks arguments, runs its program, rebuilds the outputs."""

    def __init__(self, name: str, method: Any, tensors: Mapping[str, Tensor], artifact: Any, decoder: _Decoder) -> None:
        self.name = name
        program = method.program
        tree = decoder.tree(method.inputs["tree"])
        names = [str(leaf["name"]) for leaf in method.inputs["leaves"]]
        if len(names) != len(program.feeds) or tree.leaf_count != len(names):
            raise decoder.fail(f"the signature of {name} doesn't fit its program")
        leaves = tuple(InputLeaf(n, v.tensor_type) for n, v in zip(names, program.feed_values, strict=True))
        outputs = Outputs(decoder.tree(method.outputs["tree"]), tuple(_leaf_of(o) for o in method.outputs["leaves"]))
        limits = {"fetch": len(program.fetches), "argument": len(leaves), "state": len(program.state)}
        if outputs.tree.leaf_count != len(outputs.leaves) or any(
            not 0 <= o.number < limits[o.kind] for o in outputs.leaves
        ):
            raise decoder.fail(f"the outputs of {name} don't fit its program")
        state = [StateTensor(tensors[e.name], e.name, e.kind, _is_updated(program, k)) for k, e in enumerate(program.state)]
        self.trace = Trace(program, Inputs(tree, leaves), outputs, state, callbacks=dict(artifact.callbacks))
        self._runners: dict[Any, Runner] = {}
        self._lock = threading.Lock()

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _stack.get():
            raise CaptureError(
                f"a loaded program ({self.name}) is called inside a captured function",
                remedy="mark the calling function with not_to_static, or call the loaded layer outside",
            )
        leaves = self._leaves(args, kwargs)
        feeds = [feed_of(array_of(x)) for x in leaves]
        flags = tuple([not isinstance(x, Tensor) or x.stop_gradient for x in leaves])
        key = (is_recording(), flags, tuple([s.tensor.stop_gradient for s in self.trace.state]))
        runner = self._runners.get(key)
        if runner is None:
            with self._lock:
                runner = self._runners[key] = self._make(flags)
        shapes = tuple([a.shape for a in feeds])
        free = runner.free.get(shapes)
        if free is None:
            free = runner.admit(shapes, feeds)
        return runner.run(leaves, feeds, free)

    def _make(self, flags: Sequence[bool]) -> Runner:
        trace = self.trace
        inputs = tuple(InputLeaf(x.name, x.type, stop) for x, stop in zip(trace.inputs.leaves, flags, strict=True))
        tracked = not all(flags) or any(not s.tensor.stop_gradient for s in trace.state)
        leaves = tuple(
            OutputLeaf(o.kind, o.number, not tracked) if o.kind == "fetch" else o for o in trace.outputs.leaves
        )
        outputs = Outputs(trace.outputs.tree, leaves)
        return make_runner(
            Trace(trace.program, Inputs(trace.inputs.tree, inputs), outputs, trace.state, callbacks=trace.callbacks)
        )

    def _leaves(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The tensors of a call in the program's order, checked against its types."""
        expected = unflatten(self.trace.inputs.tree, iter(self.trace.inputs.leaves))
        leaves: list[Any] = []
        count = len(expected[0])
        given = list(args)
        named = dict(kwargs)
        for leaf in expected[0][len(given) :]:
            if isinstance(leaf, InputLeaf) and leaf.name in named:
                given.append(named.pop(leaf.name))
        if len(given) != count or set(named) != set(expected[1]):
            raise ArgumentError(f"{self.name} takes {count} arguments ({self._shown()}), not {len(args) + len(kwargs)}")
        for k, (value, wanted) in enumerate(zip(given, expected[0], strict=True)):
            _match(value, wanted, f"argument {k}", leaves)
        for key, wanted in expected[1].items():
            _match(named[key], wanted, key, leaves)
        sizes: dict[str, int] = {}
        for x, leaf in zip(leaves, self.trace.inputs.leaves, strict=True):
            _check_leaf(x, leaf, sizes)
        return leaves

    def _shown(self) -> str:
        return ", ".join(f"{leaf.name}: {leaf.type}" for leaf in self.trace.inputs.leaves)


def _leaf_of(made: Mapping[str, Any]) -> OutputLeaf:
    kind, number = made["kind"], made["number"]
    if kind not in ("fetch", "argument", "state") or type(number) is not int:
        raise TypeError("an output is malformed")
    return OutputLeaf(kind, number, bool(made["stop_gradient"]))


def _is_updated(program: Program, number: int) -> bool:
    value = program.state_values[number]
    return any(o.name == "update" and k == 0 for o, k in value.uses)


def _match(value: Any, wanted: Any, name: str, leaves: list[Any]) -> None:
    """Collect the tensors of an argument; ArgumentError where it isn't built as the saved one."""
    if isinstance(wanted, InputLeaf):
        if not is_leaf(value):
            if not isinstance(value, (int, float, bool, list)):
                raise ArgumentError(f"{wanted.name} must be a tensor {wanted.type}, not {type(value).__name__}")
            value = np.asarray(value, wanted.type.dtype.numpy)
        leaves.append(value)
        return
    before, tree = flatten(wanted, lambda v: isinstance(v, InputLeaf))
    if not before:
        same = isinstance(wanted, _Anything) or (type(value) is type(wanted) and (value == wanted or value != value))
        if not same:
            raise ArgumentError(f"{name} was {wanted!r} when the program was saved, so it can't be {value!r}")
        return
    given, given_tree = flatten(value, is_leaf)
    kinds = (tree.kind, len(tree.children)), (given_tree.kind, len(given_tree.children))
    if kinds[0] != kinds[1] or len(given) != len(before):
        raise ArgumentError(f"{name} isn't nested as when the program was saved: {len(before)} tensors in a {tree.kind}")
    leaves += given


def _check_leaf(x: Any, leaf: InputLeaf, sizes: dict[str, int]) -> None:
    array = array_of(x)
    if array.dtype != leaf.type.dtype.numpy:
        raise DTypeError(f"{leaf.name} must be {leaf.type}, not {array.dtype}{show_shape(array.shape)}")
    fits = array.ndim == leaf.type.rank
    for dim, size in zip(leaf.type.shape, array.shape, strict=False):
        fits = fits and (dim == size if isinstance(dim, int) else sizes.setdefault(str(dim), size) == size)
    if not fits:
        known = ", ".join(f"{k} = {v}" for k, v in sizes.items())
        where = f" (with {known})" if known else ""
        raise ShapeError(f"{leaf.name} must be {leaf.type}{where}, its shape is {show_shape(array.shape)}")
