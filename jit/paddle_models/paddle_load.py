"""`load_model`: PaddlePaddle's files as an artifact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.errors import ArgumentError, ArtifactError, ParseError, VitrifyError
from ...dygraph import serialize
from ...ir.core import Program
from ...ir.parser import parse_program
from ...ir.verifier import verify
from ...passes.algebra.dce import DeadCode
from ...runtime.artifact import Artifact
from ..serialize.flat_signature import flat_method
from .desc import read_desc
from .paddle_files import is_foreign
from .params import read_params
from .pir import read_pir
from .program_reader import ProgramReader

MOST_BYTES = 2**31  # of a program; parameters may be larger


def load_model(model: Path, params: Path) -> Artifact:
    """A `.pdmodel` or `.json` with its `.pdiparams`, of PaddlePaddle or of `static.save_inference_model`, as an
    artifact.

    Errors: ArgumentError (a ValueError) for missing files and for operations that can't be read, all by name;
    ArtifactError or ParseError for damaged files; DTypeError for element types without a counterpart.
    """
    if not model.is_file():
        raise _missing(model)
    if model.stat().st_size > MOST_BYTES:
        raise ArtifactError(f"{model}: {model.stat().st_size} bytes are more than a program has")
    data = model.read_bytes()
    if is_foreign(data):
        return read_model(str(model), data, params.read_bytes() if params.is_file() else None, params)
    if not params.is_file():
        raise _missing(params)
    return _own(data, params)


def _missing(file: Path) -> ArgumentError:
    return ArgumentError(f"there is no file {file}", remedy="give the path_prefix of save_inference_model")


def read_model(where: str, data: bytes, params: bytes | None, file: Path = Path("parameters")) -> Artifact:
    """As `load_model`, of PaddlePaddle's bytes. where: how messages call the program. params: None where there is no
    such file, as for programs without parameters.
    """
    try:
        found = read_pir(where, data) if data[:1] == b"{" else read_desc(where, data)
        names = {v.name for v in found.parameters.values()}
        if names and params is None:
            raise _missing(file)
        arrays = read_params(str(file), params or b"", names)
        reader = ProgramReader(where, found, arrays)
        program = reader.read()
    except RecursionError as error:
        raise ArtifactError(f"{where}: blocks are nested too deeply") from error
    except _FAULTS as error:
        if isinstance(error, VitrifyError):
            raise
        raise ArtifactError(f"{where}: damaged ({type(error).__name__}: {error})") from error
    DeadCode().run(program)
    verify(program)
    return _artifact(program, reader.weights, reader.roles, reader.inputs)


_FAULTS = (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError)


def _own(data: bytes, params: Path) -> Artifact:
    program = parse_text(data)
    weights = serialize.load(params, return_numpy=True)
    return _artifact(program, weights, {entry.name: entry.kind for entry in program.state}, program.feeds)


def parse_text(data: bytes) -> Program:
    """The program of a text. Errors: ParseError."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ParseError("this is no text of a program", remedy="give what serialize_program returned") from error
    return parse_program(text)


def _artifact(program: Program, weights: dict[str, Any], roles: dict[str, str], names: list[str]) -> Artifact:
    kept = {entry.name for entry in program.state}
    entries = {n: {"role": role, "trainable": role == "parameter"} for n, role in roles.items() if n in kept}
    return Artifact({"forward": flat_method(program, names)}, {n: weights[n] for n in kept}, entries)
