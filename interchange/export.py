"""`export`: a layer or function as an ONNX model."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.files import Piece, place_file
from ..ir.core import Program
from ..ir.walk import walk
from ..jit.serialize.joined_outputs import Picked
from ..jit.serialize.save import Captured, captured_forward, evaluating
from ..ops.dims import Dim, never_negative
from ..ops.sizes import runtime_names
from ..ops.types import TensorType
from ..passes.algebra.decompose_ops import Decompose
from ..passes.manager import PassManager
from ..passes.pipelines import default_pipeline
from ..runtime.tensor_file import Array, bytes_of
from .control import as_condition, refuse, write_block
from .onnx_package import (
    ASSUMED_KEY,
    BUFFERS_KEY,
    DEFAULT_OPSET,
    IR_VERSION,
    LEAST_OPSET,
    MOST_OPSET,
    UNTRAINED_KEY,
    onnx_module,
)
from .writer import NewerOpset, Writer, field_start, names_read

_MOST_TRIED_TOGETHER = 2  # names of sizes
OPTIONS = frozenset({"output_spec", "with_hook", "clip_extra", "input_names_after_prune", "skip_prune_program"})
_MOST_BYTES = 2**31 - 2**20  # a protobuf message ends at 2 GiB
_LARGE = 2**16  # bytes from which on an initializer isn't copied
_GRAPH, _INITIALIZER, _RAW_DATA = 7, 5, 9  # numbers of fields: ModelProto.graph, GraphProto.initializer, TensorProto


def export(
    layer: Any, path: str | os.PathLike[str], input_spec: Any = None, opset_version: int | None = None, **configs: Any
) -> None:
    """Write a layer or function as an ONNX model, in inference mode.

    path: `.onnx` is added unless it is there; missing folders are made; the file appears whole or not at all.
    input_spec: InputSpecs or example tensors; not needed when `to_static` got one or the function was called. Sizes of
    None become dim_params. opset_version: 13 to 22, by default 18 or the first later one that has what is
    needed; an older one is raised to 13 with a warning.
    output_spec (option): numbers of the outputs to keep. Nested inputs and outputs become flat lists in order.
    Parameters are initializers under their names in `state_dict`; the model holds their present values.
    Warns where the model takes something for granted of open sizes, or of those of a call that no input_spec describes;
    the file's metadata say it, under `vitrify.assumed`.
    Errors: ArgumentError that names operations without an ONNX form; MissingDependencyError without the library onnx.

    >>> import vitrify as vt
    >>> vt.onnx.export(vt.nn.Linear(4, 2), "linear", [vt.static.InputSpec([None, 4])])  # doctest: +SKIP
    """
    target = _target(path)
    opset = None if opset_version is None else _opset(opset_version)
    unknown = sorted(set(configs) - OPTIONS)
    if unknown:
        raise ArgumentError(f"onnx.export has no option {unknown[0]!r}", remedy="it has " + ", ".join(sorted(OPTIONS)))
    with evaluating(layer):
        captured = captured_forward(layer, input_spec, configs)
    _tell_assumed(captured.program, input_spec is not None)
    made = _model(captured, opset)
    target.parent.mkdir(parents=True, exist_ok=True)
    place_file(target, made.pieces())


def _tell_assumed(program: Program, is_open: bool) -> None:
    """Warn of what was taken for granted of sizes: a model in this format takes others too, and can't refuse them.

    is_open: an input_spec says which sizes are open.
    """
    told = assumed(program)
    if is_open:  # sizes that have to be equal are compared by whoever computes with them
        told = [text for text in told if not text.endswith("== 0")]
    if not told:
        return
    if is_open:
        took = f"{program.name} takes for granted that"
        remedy = "onnxruntime doesn't check it, `vt.onnx.load` does; give a size as a number to have it fixed"
    else:
        took = f"{program.name} was captured from a call, and the model is right only for sizes with"
        remedy = (
            "give export an input_spec: with None for a size the model decides at its run, with a number it is fixed"
        )
    warnings.warn(f"{took} {', '.join(told)}; {remedy}", stacklevel=3)


def assumed(program: Program) -> list[str]:
    """What a program takes for granted of the sizes of its inputs."""
    return [f"{dim} {relation} 0" for relation, dim in program.constraints if not _always(relation, dim)]


def _always(relation: str, dim: Dim) -> bool:
    """Whether a condition holds for all sizes from 1, or is about sizes that the run itself makes.

    What can't be proved is tried: a warning of what no size has broken is none that helps.
    """
    if runtime_names(dim):
        return True
    least = dim.evaluate({name: Dim.symbol(name) + 1 for name in dim.symbols()})
    if relation == "==":
        return isinstance(least, int) and least == 0
    return never_negative(least) or all(dim.evaluate(sizes) >= 0 for sizes in _tried_sizes(sorted(dim.symbols())))


def _tried_sizes(names: list[str]) -> Iterator[dict[str, int]]:
    """Each of a few sizes for each of a few names; of more names all have the same size."""
    sizes = (*range(1, 20), 31, 32, 97, 128, 1000, 4099)
    if len(names) > _MOST_TRIED_TOGETHER:
        yield from (dict.fromkeys(names, size) for size in sizes)
    else:
        yield from (dict(zip(names, one, strict=True)) for one in itertools.product(sizes, repeat=len(names)))


def model_of(captured: Captured, opset: int) -> Any:
    """The ModelProto of a captured function, checked by onnx."""
    made = _model(captured, opset)
    made.proto.graph.initializer.extend(made.writer.tensor(name, array) for name, array in made.large.items())
    return made.proto


@dataclass(frozen=True)
class _Model:
    """A ModelProto without its large initializers, and these: a file is written from the arrays' own memory."""

    writer: Writer
    proto: Any
    large: Mapping[str, Array]

    def pieces(self) -> list[Piece]:
        """The file: the message's fields, those of the graph, and one initializer after the other."""
        graph, rest = self.proto.graph.SerializeToString(), type(self.proto)()
        rest.CopyFrom(self.proto)
        rest.ClearField("graph")
        held: list[Piece] = [graph]
        for name, array in self.large.items():
            head, data = self.writer.tensor(name, array, empty=True).SerializeToString(), bytes_of(array)
            head += field_start(_RAW_DATA, len(data))
            held += [field_start(_INITIALIZER, len(head) + len(data)), head, data]
        return [rest.SerializeToString(), field_start(_GRAPH, sum(map(len, held))), *held]


def _model(captured: Captured, opset: int | None) -> _Model:
    program = captured.program
    if any(o.name == "update" for o in program.body.operations) and any(e.kind != "rng" for e in program.state):
        warnings.warn(f"{program.name} updates its state; the ONNX model only computes its outputs", stacklevel=3)
    if any(o.name == "callback" and not o.results for o in walk(program.body)):
        warnings.warn(
            f"{program.name} prints or calls Python in other ways; the ONNX model leaves that out", stacklevel=3
        )
    PassManager((Decompose(), *default_pipeline(fuse=False))).run(program)
    refuse([o for o in walk(program.body) if not o.is_terminator])
    size = sum(a.nbytes for a in captured.weights.values())
    if size > _MOST_BYTES:
        raise ArgumentError(f"the parameters have {size} bytes; one ONNX file holds less than 2 GiB")
    if opset is not None:
        return _written(captured, opset)
    chosen = DEFAULT_OPSET
    while True:
        try:
            return _written(captured, chosen)
        except NewerOpset as error:
            chosen = error.since


def _written(captured: Captured, opset: int) -> _Model:
    """The model of a program that is ready to be written. Errors: NewerOpset where the opset lacks an operator."""
    onnx, program = onnx_module(), captured.program
    w = Writer(opset)
    inputs = []
    weights: dict[str, Any] = {}
    large: dict[str, Array] = {}
    for entry, value in zip(program.state, program.state_values, strict=True):
        if entry.name in captured.weights and value not in w.names:
            array = np.asarray(captured.weights[entry.name])
            name = w.reserve(entry.name)
            if array.nbytes > _LARGE:
                large[name] = array
            else:
                weights[name] = w.tensor(entry.name, array)
            w.learn(value, entry.name)
    for name, value in zip(program.feeds, program.feed_values, strict=True):
        given = w.fresh(name)
        w.learn(value, given)
        inputs.append(w.info(given, value.tensor_type))
    fetched = write_block(w, program.body)
    outputs = _outputs(w, _chosen(w, captured, fetched), captured.output_names)
    read = w.names_read()
    initializers = [tensor for name, tensor in (weights | w.initializers).items() if name in read]
    large = {name: array for name, array in large.items() if name in read}
    graph = onnx.helper.make_graph(
        [*(tensor for name, tensor in w.constants.items() if name in read), *w.nodes],
        program.name,
        inputs,
        outputs,
        initializer=initializers,
    )
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=IR_VERSION, producer_name="vitrify"
    )
    saved = weights.keys() | large.keys()
    named = [e for e in program.state if e.name in saved and " " not in e.name]
    buffers = [e.name for e in named if e.kind == "buffer"]
    untrained = [e.name for e in named if e.name in captured.untrained]
    for key, listed in ((BUFFERS_KEY, buffers), (UNTRAINED_KEY, untrained)):
        if listed:
            model.metadata_props.add(key=key, value=" ".join(listed))
    if told := assumed(program):
        model.metadata_props.add(key=ASSUMED_KEY, value="; ".join(told))
    _check(onnx, model, w, large)
    return _Model(w, model, large)


def _check(onnx: Any, model: Any, w: Writer, large: Mapping[str, Array]) -> None:
    """Have onnx check the model; arrays that would be copied several times are inputs of what it sees."""
    seen = type(model)()
    seen.CopyFrom(model)
    for name, array in large.items():
        seen.graph.input.append(w.onnx.helper.make_tensor_value_info(name, w.element_type_of(array.dtype), array.shape))
    onnx.checker.check_model(seen, full_check=True)


def _chosen(w: Writer, captured: Captured, fetched: list[str]) -> list[tuple[str, TensorType]]:
    """The outputs' names and types: an If where a flag chooses, whose paths may give different shapes."""
    values = captured.program.fetches

    def one(what: Picked) -> tuple[str, TensorType]:
        if isinstance(what, int):
            return fetched[what], values[what].tensor_type
        flag, *paths = what
        asked = as_condition(w, values[flag], fetched[flag])
        kinds: list[TensorType] = []

        def write(path: Picked) -> list[tuple[str, TensorType]]:
            made = one(path)
            kinds.append(made[1])
            return [made]

        then, other = (
            w.graph(title, [], partial(write, path)) for title, path in zip(("then", "else"), paths, strict=True)
        )
        return w.node("If", asked, then_branch=then, else_branch=other), _of_either(w, *kinds)

    return [one(what) for what in captured.chosen or range(len(values))]


def _of_either(w: Writer, a: TensorType, b: TensorType) -> TensorType:
    """A type that two have in common: a size is a new name where they differ in it."""
    dims = zip(a.shape, b.shape, strict=True)
    return TensorType(a.dtype, tuple([x if x == y else Dim.symbol(w.fresh("size")) for x, y in dims]))


def _outputs(w: Writer, made_of: list[tuple[str, TensorType]], names: list[str]) -> list[Any]:
    """The graph's outputs under their own names: a node that makes one alone is renamed, others get an Identity."""
    fetched = [name for name, _ in made_of]
    made = []
    places = {name: (node, k) for node in w.nodes for k, name in enumerate(node.output)}
    read = {name for node in w.nodes for name in names_read(node)}
    for (name, kind), wanted in zip(made_of, names, strict=False):
        given = w.fresh(wanted)
        if name in places and name not in read and fetched.count(name) == 1:
            node, k = places.pop(name)
            node.output[k] = given
        else:
            w.node("Identity", name)
            w.nodes[-1].output[0] = given
        made.append(w.info(given, kind))
    return made


def _target(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if not isinstance(text, str) or text.endswith(("/", os.sep)) or not Path(text).name:
        raise ArgumentError(f"onnx.export needs a name at the end of the path, not {text!r}")
    return Path(text if text.endswith(".onnx") else f"{text}.onnx")


def _opset(version: int) -> int:
    if isinstance(version, bool) or not isinstance(version, int) or not 7 <= version <= MOST_OPSET:
        raise ArgumentError(f"opset_version must be from {LEAST_OPSET} to {MOST_OPSET}, not {version!r}")
    if version < LEAST_OPSET:
        warnings.warn(f"opset {version} lacks what is needed; the model is of opset {LEAST_OPSET}", stacklevel=3)
    return max(version, LEAST_OPSET)
