"""`load`: an ONNX model as a layer. Nothing in the file is trusted."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

from ..base.errors import ArgumentError, ArtifactError, VitrifyError
from ..ir.core import Program
from ..ir.verifier import verify
from ..jit.serialize.flat_signature import flat_method
from ..jit.serialize.load import TranslatedLayer
from ..ops.dims import Dim
from ..passes.algebra.dce import DeadCode
from ..runtime.artifact import Artifact
from .onnx_package import ASSUMED_KEY, onnx_module

LEAST_READ, MOST_READ = 7, 28  # opsets
MOST_BYTES = 2**31  # of a protobuf message
_MOST_ASSUMED = 1 << 10  # conditions on sizes
_MOST_SHARED = 8  # times that the bytes of a file beside the model may be read, on average
Source = Union[str, "os.PathLike[str]", bytes]


def load(source: Source, constants: Mapping[str, Any] | None = None) -> TranslatedLayer:
    """An ONNX model as a layer: callable, compiled, trainable, saved again by `jit.save`.

    source: a path, or the bytes of a model. Floating initializers become parameters under their names (the statistics
    of batch normalisation: buffers), others constants; dim_params become symbolic sizes. constants: values for inputs
    of the model that have to be known while it is loaded, such as axes; they are no arguments of the layer any more.
    Errors: ArtifactError for a file that is missing, damaged or of an opset other than 7 to 28; ArgumentError that
    names all operators that aren't supported; MissingDependencyError without the library onnx.

    >>> import onnx.parser  # doctest: +SKIP
    >>> import vitrify as vt
    >>> text = '<ir_version: 8, opset_import: ["": 18]> halves (float[N] x) => (float[N] y) { y = Add(x, x) }'
    >>> layer = vt.onnx.load(onnx.parser.parse_model(text).SerializeToString())  # doctest: +SKIP
    >>> layer(vt.to_tensor([1.0, 2.0])).tolist()  # doctest: +SKIP
    [2.0, 4.0]
    """
    name, proto, folder = _parsed(source)
    try:
        return _layer(name, proto, folder, dict(constants or {}))
    except RecursionError as error:
        raise ArtifactError(f"{name}: graphs are nested too deeply") from error
    except _FAULTS as error:
        if isinstance(error, VitrifyError):
            raise
        raise ArtifactError(f"{name}: damaged ({type(error).__name__}: {error})") from error


# What fields of the wrong kind lead to, such as texts that are no UTF-8, which protobuf hands out as bytes.
_FAULTS = (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError)


def _layer(name: str, proto: Any, folder: Path | None, constants: dict[str, Any]) -> TranslatedLayer:
    opset = _opset(proto, name)
    proto = _without_functions(proto, name)
    from .read.model import ModelReader, unknown_operators

    proto = _with_definitions(proto, unknown_operators(proto), opset)
    unknown = unknown_operators(proto)
    if unknown:
        raise ArgumentError(
            f"{name}: operators that can't be read: {', '.join(unknown)}",
            remedy="export the model without them; docs/onnx.md lists what is read",
        )
    reader = ModelReader(proto, _program_name(proto), opset, _ExternalData(folder, name), constants)
    try:
        program = reader.read()
    except ArtifactError as error:
        error.message = f"{name}: {error.message}"
        raise
    program.constraints += _assumed(proto, program, name)
    DeadCode().run(program)
    verify(program)
    kept = {entry.name for entry in program.state}
    entries = {
        n: {"role": role, "trainable": role == "parameter" and n not in reader.frozen}
        for n, role in reader.roles.items()
        if n in kept
    }
    artifact = Artifact({"forward": flat_method(program, reader.inputs)}, reader.weights, entries)
    made = TranslatedLayer(artifact, name)
    return made.eval()


def _assumed(proto: Any, program: Program, name: str) -> list[tuple[str, Dim]]:
    """What a model of ours takes for granted of sizes: runs check it. Names that no input has are left out."""
    known = {n for v in program.feed_values for d in v.tensor_type.shape if isinstance(d, Dim) for n in d.symbols()}
    texts = [t for p in proto.metadata_props if p.key == ASSUMED_KEY for t in p.value.split("; ")]
    found: list[tuple[str, Dim]] = []
    for text in texts[:_MOST_ASSUMED]:
        dim, _, relation = text.removesuffix(" 0").rpartition(" ")
        if relation not in ("==", ">="):
            raise ArtifactError(f"{name}: {text!r} is nothing to take for granted of a size")
        size = Dim.parse(dim)
        if isinstance(size, Dim) and size.symbols() <= known:
            found.append((relation, size))
    return found


def _parsed(source: Source) -> tuple[str, Any, Path | None]:
    onnx = onnx_module()
    if isinstance(source, (bytes, bytearray, memoryview)):
        name, data, folder = "model", bytes(source), None
    else:
        path = Path(source)
        name, folder = str(path), path.parent
        if not path.is_file():
            raise ArtifactError(f"{name}: there is no such file")
        if path.stat().st_size > MOST_BYTES:
            raise ArtifactError(f"{name}: {path.stat().st_size} bytes are more than an ONNX file can have")
        data = path.read_bytes()
    try:
        proto = onnx.ModelProto.FromString(data)
    except Exception as error:  # broad: the classes of protobuf's errors differ between its versions
        raise ArtifactError(f"{name}: not an ONNX model, or a damaged one ({error})") from error
    if not proto.HasField("graph") or not proto.opset_import:
        raise ArtifactError(f"{name}: not an ONNX model, or a damaged one (it has no graph or no opset)")
    return name, proto, folder


def _opset(proto: Any, name: str) -> int:
    versions = [o.version for o in proto.opset_import if o.domain in ("", "ai.onnx")]
    if len(versions) != 1 or not LEAST_READ <= versions[0] <= MOST_READ:
        shown = ", ".join(map(str, versions)) or "none"
        raise ArtifactError(
            f"{name}: opset {shown} isn't read, {LEAST_READ} to {MOST_READ} are",
            remedy="convert the model with onnx.version_converter",
        )
    return int(versions[0])


def _without_functions(proto: Any, name: str) -> Any:
    if not proto.functions:
        return proto
    try:
        return onnx_module("onnx.inliner").inline_local_functions(proto)
    except Exception as error:  # broad: onnx raises its C++ errors as plain RuntimeError, ValueError and others
        raise ArtifactError(f"{name}: its functions can't be put in place ({error})") from error


def _with_definitions(proto: Any, unknown: list[str], opset: int) -> Any:
    """Operators that no row reads, replaced by what ONNX defines them as, where it does so by other operators."""
    defs = onnx_module("onnx.defs")
    defined = []
    for name in unknown:
        try:
            schema = defs.get_schema(name, opset, "")
        except defs.SchemaError:
            continue
        if schema.has_function or schema.has_context_dependent_function:
            defined.append(("", name))
    if not defined:
        return proto
    try:
        return onnx_module("onnx.inliner").inline_selected_functions(proto, defined, inline_schema_functions=True)
    except Exception:  # broad: onnx raises its C++ errors in many classes; what stays is refused by name
        return proto


def _program_name(proto: Any) -> str:
    stem = "".join(c if c.isalnum() or c == "_" else "_" for c in proto.graph.name) or "model"
    return f"_{stem}" if stem[0].isdigit() else stem


class _ExternalData:
    """Bytes of tensors that lie in files beside the model: inside its folder, no links, not beyond a file's end."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.folder = folder
        self.name = name
        self.read: dict[Path, int] = {}  # bytes read of each file

    def __call__(self, tensor: Any, size: int) -> bytes:
        facts = {e.key: e.value for e in tensor.external_data}
        path = self._path(tensor.name, facts.get("location", ""))
        offset, length = self._number(facts, "offset", 0), self._number(facts, "length", size)
        if length != size:
            raise ArtifactError(f"tensor {tensor.name!r} needs {size} bytes, {length} are given")
        there = path.stat().st_size
        if offset + length > there:
            raise ArtifactError(f"tensor {tensor.name!r}: {path.name} ends before byte {offset + length}")
        self.read[path] = self.read.get(path, 0) + length
        if self.read[path] > _MOST_SHARED * there:
            raise ArtifactError(f"tensor {tensor.name!r}: too many tensors share the bytes of {path.name}")
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)

    def _path(self, tensor: str, location: str) -> Path:
        if self.folder is None:
            raise ArtifactError(f"tensor {tensor!r} lies in a file of its own", remedy="load the model by its path")
        parts = Path(location).parts
        if not location or Path(location).is_absolute() or ".." in parts or "\\" in location or "\0" in location:
            raise ArtifactError(f"tensor {tensor!r}: the location {location!r} leads out of the model's folder")
        path = self.folder
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise ArtifactError(f"tensor {tensor!r}: {location!r} is a link")
        if not path.is_file():
            raise ArtifactError(f"tensor {tensor!r}: there is no file {location!r}")
        return path

    @staticmethod
    def _number(facts: Mapping[str, str], key: str, default: int) -> int:
        text = facts.get(key, "")
        if not text:
            return default
        if not text.isdecimal() or len(text) > 18:
            raise ArtifactError(f"{key} of external data is {text!r:.40}")
        return int(text)
