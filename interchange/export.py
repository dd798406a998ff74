"""`export`: a layer or function as an ONNX model."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.files import place_file
from ..ir.core import Program
from ..ir.walk import walk
from ..jit.serialize.save import Captured, captured_forward, evaluating
from ..passes.algebra.decompose_ops import Decompose
from ..passes.manager import PassManager
from ..passes.pipelines import default_pipeline
from .control import refuse, write_block
from .onnx_package import BUFFERS_KEY, DEFAULT_OPSET, IR_VERSION, LEAST_OPSET, MOST_OPSET, onnx_module
from .writer import Writer

OPTIONS = frozenset({"output_spec", "with_hook", "clip_extra", "input_names_after_prune", "skip_prune_program"})
_MOST_BYTES = 2**31 - 2**20  # a protobuf message ends at 2 GiB


def export(
    layer: Any, path: str | os.PathLike[str], input_spec: Any = None, opset_version: int | None = None, **configs: Any
) -> None:
    """Write a layer or function as an ONNX model, in inference mode.

    path: `.onnx` is added unless it is there; missing folders are made; the file appears whole or not at all.
    input_spec: InputSpecs or example tensors; not needed when `to_static` got one or the function was called. Sizes of
    None become dim_params. opset_version: 13 to 22, default 18; an older one is raised to 13 with a warning.
    output_spec (option): numbers of the outputs to keep. Nested inputs and outputs become flat lists in order.
    Parameters are initializers under their names in `state_dict`; the model holds their present values.
    Errors: ArgumentError that names operations without an ONNX form; MissingDependencyError without the library onnx.

    >>> import vitrify as vt
    >>> vt.onnx.export(vt.nn.Linear(4, 2), "linear", [vt.static.InputSpec([None, 4])])  # doctest: +SKIP
    """
    target = _target(path)
    opset = _opset(opset_version)
    unknown = sorted(set(configs) - OPTIONS)
    if unknown:
        raise ArgumentError(f"onnx.export has no option {unknown[0]!r}", remedy="it has " + ", ".join(sorted(OPTIONS)))
    with evaluating(layer):
        captured = captured_forward(layer, input_spec, configs)
    model = model_of(captured, opset)
    data = model.SerializeToString()
    target.parent.mkdir(parents=True, exist_ok=True)
    place_file(target, data)


def model_of(captured: Captured, opset: int) -> Any:
    """The ModelProto of a captured function, checked by onnx."""
    onnx = onnx_module()
    program = captured.program
    if any(o.name == "update" for o in program.body.operations) and any(e.kind != "rng" for e in program.state):
        warnings.warn(f"{program.name} updates its state; the ONNX model only computes its outputs", stacklevel=3)
    PassManager((Decompose(), *default_pipeline(fuse=False))).run(program)
    refuse([o for o in walk(program.body) if not o.is_terminator])
    size = sum(a.nbytes for a in captured.weights.values())
    if size > _MOST_BYTES:
        raise ArgumentError(f"the parameters have {size} bytes; one ONNX file holds less than 2 GiB")
    w = Writer(opset)
    inputs = []
    weights: dict[str, Any] = {}
    for entry, value in zip(program.state, program.state_values, strict=True):
        if entry.name in captured.weights and value not in w.names:
            weights[w.reserve(entry.name)] = w.tensor(entry.name, np.asarray(captured.weights[entry.name]))
            w.learn(value, entry.name)
    for name, value in zip(program.feeds, program.feed_values, strict=True):
        given = w.fresh(name)
        w.learn(value, given)
        inputs.append(w.info(given, value.tensor_type))
    fetched = write_block(w, program.body)
    outputs = _outputs(w, program, fetched, captured.output_names)
    initializers = _used(w, weights | w.initializers)
    graph = onnx.helper.make_graph(
        [*_used(w, w.constants), *w.nodes], program.name, inputs, outputs, initializer=initializers
    )
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=IR_VERSION, producer_name="vitrify"
    )
    buffers = [e.name for e in program.state if e.kind == "buffer" and e.name in weights and " " not in e.name]
    if buffers:
        model.metadata_props.add(key=BUFFERS_KEY, value=" ".join(buffers))
    onnx.checker.check_model(model, full_check=True)
    return model


def _outputs(w: Writer, program: Program, fetched: list[str], names: list[str]) -> list[Any]:
    """The graph's outputs under their own names: a node that makes one alone is renamed, others get an Identity."""
    made = []
    places = {name: (node, k) for node in w.nodes for k, name in enumerate(node.output)}
    read = {name for node in w.nodes for name in _names_read(node)}
    for value, name, wanted in zip(program.fetches, fetched, names, strict=True):
        given = w.fresh(wanted)
        if name in places and name not in read:
            node, k = places.pop(name)
            node.output[k] = given
        else:
            w.node("Identity", name)
            w.nodes[-1].output[0] = given
        made.append(w.info(given, value.tensor_type))
    return made


def _names_read(node: Any) -> Iterator[str]:
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from _names_read(inner)


def _used(w: Writer, tensors: dict[str, Any]) -> list[Any]:
    read = {name for node in w.nodes for name in _names_read(node)}
    return [tensor for name, tensor in tensors.items() if name in read]


def _target(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if not isinstance(text, str) or text.endswith(("/", os.sep)) or not Path(text).name:
        raise ArgumentError(f"onnx.export needs a name at the end of the path, not {text!r}")
    return Path(text if text.endswith(".onnx") else f"{text}.onnx")


def _opset(version: int | None) -> int:
    if version is None:
        return DEFAULT_OPSET
    if isinstance(version, bool) or not isinstance(version, int) or not 7 <= version <= MOST_OPSET:
        raise ArgumentError(f"opset_version must be from {LEAST_OPSET} to {MOST_OPSET}, not {version!r}")
    if version < LEAST_OPSET:
        warnings.warn(f"opset {version} lacks what is needed; the model is of opset {LEAST_OPSET}", stacklevel=3)
    return max(version, LEAST_OPSET)
