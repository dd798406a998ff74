"""Artifacts: programs with their weights as files that run anywhere, without the code that made them.

    program.ir            the text of `forward`; other methods: program.NAME.ir
    weights.safetensors   state entries by name, and the programs' large constants
    manifest.json         format, signature of each method, callbacks needed, size and SHA-256 of every part
    kernels/*.py          sources, for reading; loading never runs them

A directory, or one zip when the path ends in .vt or .zip. No pickle. Everything is checked before anything runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..base.errors import ArgumentError, ArtifactError, CallbackError, KindError, VitrifyError
from ..base.files import Content, near_file, pieces_of, place_file, place_folder
from ..ir.core import Program
from ..ir.parser import parse_program
from ..ir.printer import print_program
from ..ir.verifier import verify
from ..ir.walk import walk
from ..ops.create import ArrayData
from . import tensor_file
from .artifact_parts import Parts, Texts, opened
from .options import of_flags

Array = np.ndarray[Any, Any]
FORMAT = "vitrify.artifact/1"
ZIP_SUFFIXES = (".vt", ".zip")
MANIFEST, WEIGHTS = "manifest.json", "weights.safetensors"
MOST_MANIFEST = 64_000_000
_PART = re.compile(r"[A-Za-z0-9_][\w.-]*(/[A-Za-z0-9_][\w.-]*)?")


Adapt = Callable[[str, Callable[..., Any], Any, str], dict[str, Callable[..., Any]]]


@dataclass(slots=True)
class Method:
    """One program of an artifact. inputs and outputs: JSON descriptions of the nested values (see jit/save.py)."""

    program: Program
    inputs: Any = None
    outputs: Any = None


@dataclass(slots=True)
class Artifact:
    """What a file holds. weights: arrays by state entry; entries: facts about them (role, trainable)."""

    methods: dict[str, Method]
    weights: dict[str, Array] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    kernels: Mapping[str, str] = field(default_factory=dict)
    callbacks: dict[str, Callable[..., Any]] = field(default_factory=dict)
    callback_facts: dict[str, Any] = field(default_factory=dict)  # JSON, for whoever makes callables of user objects
    version: str = ""

    @property
    def callback_names(self) -> list[str]:
        """The Python callables that the programs call."""
        return sorted({n for m in self.methods.values() for n in callbacks_of(m.program)})

    def form_of(self, name: str) -> str:
        """How a callable is called: "array", or "layer" and "partial layer" (whose last result is a handle)."""
        return next(f[name] for f in (callbacks_of(m.program) for m in self.methods.values()) if name in f)

    def run(self, feeds: Sequence[Array], method: str = "forward", *, native: bool | None = None) -> list[Array]:
        """Run a method on arrays; the weights it updates are updated here too.

        native: compile it (the default where that is possible), or let the reference interpreter run it.
        """
        program = self.methods[method].program
        state = [self.weights[entry.name] for entry in program.state]
        if native is not False:
            from .compiler import compile_program  # loads LLVM: only where a program is run

            return compile_program(program, callbacks=self.callbacks, options=of_flags()).run(feeds, state)
        from ..ir.interpret import interpret

        fetched, after = interpret(program, feeds, state, self.callbacks)
        self.weights.update({entry.name: a for entry, a in zip(program.state, after, strict=True)})
        return fetched


def callbacks_of(program: Program) -> dict[str, str]:
    """Names and forms of the Python callables that a program calls, gradients aside."""
    return {str(o.attrs["callee"]): str(o.attrs["form"]) for o in walk(program.body) if o.name == "callback"}


def as_callback(name: str, fn: Callable[..., Any], facts: Any, form: str) -> dict[str, Callable[..., Any]]:
    """A function of arrays as what the program calls."""
    return {name: _without_handle(fn) if form != "array" else fn}


def _without_handle(fn: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arrays: Any) -> list[Any]:
        made = fn(*arrays)
        return [*(made if isinstance(made, (tuple, list)) else [made]), np.zeros((), np.int64)]

    return call


def raise_values(*arrays: Any) -> None:
    """What a program raises where nobody puts its exception together. Errors: CallbackError."""
    raise CallbackError(f"the program raises an exception with the values {', '.join(map(str, arrays)) or 'of none'}")


def find_callback(name: str, given: Mapping[str, Callable[..., Any]], facts: Any = None) -> Callable[..., Any] | None:
    """The callable for a name: under the whole name, without its number, or under its last part. Prints print, and
    exceptions are raised, if `facts` say what they consist of.

    >>> find_callback("model.Clip.2", {"Clip": max}) is max
    True
    """
    stem = re.sub(r"\.\d+$", "", name)
    found = next((given[n] for n in (name, stem, stem.rpartition(".")[2]) if n in given), None)
    if found is None and stem in ("print", "Print"):
        return print
    return raise_values if found is None and facts and stem.startswith("raise ") else found


# ---- writing


def save_artifact(artifact: Artifact, path: str | os.PathLike[str], *, version: str = "") -> Path:
    """Write an artifact; the target appears whole or not at all. Returns its path."""
    target = Path(path)
    if not target.name or str(path).endswith(("/", os.sep)):
        raise ArgumentError(f"an artifact needs the name of a file or folder, not {str(path)!r}")
    parts = _parts(artifact, version)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix in ZIP_SUFFIXES:
        _write_zip(target, parts)
    else:
        place_folder(target, parts, MANIFEST)
    return target


def _parts(artifact: Artifact, version: str) -> dict[str, Content]:
    arrays = dict(artifact.weights)
    parts: dict[str, Content] = {}
    for name, method in artifact.methods.items():
        constants: dict[str, ArrayData] = {}
        parts[_program_part(name)] = print_program(method.program, locs=True, constants=constants).encode()
        arrays.update({f"@{name}.{key}": data.array for key, data in constants.items()})
    parts[WEIGHTS] = tensor_file.to_pieces(arrays)
    for name, text in artifact.kernels.items():
        parts[f"kernels/{re.sub(r'[^A-Za-z0-9_]', '_', name)}.py"] = text.encode()
    manifest = {
        "format": FORMAT,
        "vitrify": version,
        "methods": {
            name: {
                "program": _program_part(name),
                "symbols": m.program.symbols,
                "inputs": m.inputs,
                "outputs": m.outputs,
            }
            for name, m in artifact.methods.items()
        },
        "state": artifact.entries,
        "callbacks": {name: artifact.callback_facts.get(name, {}) for name in artifact.callback_names},
        "parts": {name: _facts(content) for name, content in parts.items()},
    }
    manifest["checksum"] = _checksum(manifest)
    return parts | {MANIFEST: json.dumps(manifest, indent=1, ensure_ascii=False).encode()}


def _facts(content: Content) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    for piece in pieces_of(content):
        digest.update(piece)
        size += len(piece)
    return {"bytes": size, "sha256": digest.hexdigest()}


def _program_part(method: str) -> str:
    return "program.ir" if method == "forward" else f"program.{method}.ir"


def _checksum(manifest: Mapping[str, Any]) -> str:
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _write_zip(target: Path, parts: Mapping[str, Content]) -> None:
    if target.is_dir():
        raise ArgumentError(f"{target} is a folder", remedy="give the path of a file")

    def write(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for part, content in sorted(parts.items()):
                entry = zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_STORED if part == WEIGHTS else zipfile.ZIP_DEFLATED
                entry.external_attr = 0o600 << 16
                entry.file_size = sum(map(len, pieces_of(content)))
                with archive.open(entry, "w") as place:
                    for piece in pieces_of(content):
                        place.write(piece)

    place_file(target, write)


# ---- reading


def load_artifact(
    path: str | os.PathLike[str], callbacks: Mapping[str, Callable[..., Any]] | None = None, adapt: Adapt = as_callback
) -> Artifact:
    """Read and verify an artifact. Nothing of it is executed.

    callbacks: the Python callables it needs, by name; they take and return arrays, or are what `adapt` makes such of.
    Errors: ArtifactError says which part is wrong, and why; CallbackError names callables that are missing.
    """
    source = Path(path)
    if callbacks is not None and not isinstance(callbacks, Mapping):
        raise KindError(f"callbacks must be a dict of functions by name, not a {type(callbacks).__name__}")
    try:
        if not source.is_dir() and not source.is_file():
            raise ArtifactError(f"{path}: there is no such file or folder", remedy=lambda: near_file(path))
        with opened(source) as parts:
            return _Reader(str(path), parts, callbacks, adapt).read()
    except (zipfile.BadZipFile, UnicodeDecodeError, struct.error, NotImplementedError, EOFError, OSError) as error:
        raise ArtifactError(
            f"{path}: not readable as an artifact ({error})", remedy="load a file or folder written by vt.jit.save"
        ) from error


class _Reader:
    """Takes an artifact apart, trusting nothing in it."""

    def __init__(
        self, where: str, source: Parts, callbacks: Mapping[str, Callable[..., Any]] | None, adapt: Adapt
    ) -> None:
        self.where = where
        self.source = source
        self.callbacks = dict(callbacks or {})
        self.adapt = adapt
        self.manifest: dict[str, Any] = {}
        self.parts: dict[str, dict[str, Any]] = {}  # what the manifest says of each

    def fail(self, part: str, reason: str, cause: BaseException | None = None) -> ArtifactError:
        error = ArtifactError(f"{self.where}: {part}: {reason}", remedy="save the model again, or get an intact copy")
        error.__cause__ = cause
        return error

    def read(self) -> Artifact:
        self.read_manifest()
        self.read_parts()
        try:
            return self.build()
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self.fail(MANIFEST, f"malformed ({type(error).__name__}: {error})", error) from error

    def read_manifest(self) -> None:
        size = self.size(MANIFEST)
        if size is None:
            raise self.fail(MANIFEST, "is missing: this is no artifact of vitrify")
        if size > MOST_MANIFEST:
            raise self.fail(MANIFEST, f"has {size} bytes, more than any manifest")
        try:
            manifest = json.loads(self.take(MANIFEST))
        except (ValueError, RecursionError) as error:
            raise self.fail(MANIFEST, f"not readable as JSON ({error})", error) from error
        if not isinstance(manifest, dict) or not isinstance(manifest.get("format"), str):
            raise self.fail(MANIFEST, "is not that of an artifact of vitrify")
        if manifest["format"] != FORMAT:
            raise self.fail(MANIFEST, f"format {manifest['format']!r:.60} is unknown; this version reads {FORMAT!r}")
        if manifest.get("checksum") != _checksum(manifest):
            raise self.fail(MANIFEST, "its checksum differs: it was changed or damaged")
        self.manifest = manifest

    def size(self, part: str) -> int | None:
        try:
            return self.source.size(part)
        except ArtifactError as error:
            raise self.fail(part, error.message.partition(": ")[2]) from error

    def take(self, part: str) -> bytes:
        try:
            return self.source.read(part)
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
            raise self.fail(part, f"not readable ({error})", error) from error
        except Exception as error:  # broad: whatever the decompressor says of damaged data (zlib.error and others)
            raise self.fail(part, f"not readable ({error})", error) from error

    def read_parts(self) -> None:
        """Look at all parts, without reading them."""
        listed = self.manifest.get("parts")
        if not isinstance(listed, dict):
            raise self.fail(MANIFEST, "lists no parts")
        for part, facts in listed.items():
            if not _PART.fullmatch(part) or ".." in part:
                raise self.fail(MANIFEST, f"names a part {part!r:.80}, which no artifact has")
            size, declared = self.size(part), facts.get("bytes") if isinstance(facts, dict) else None
            if size is None:
                raise self.fail(part, "is missing")
            if size != declared:
                raise self.fail(part, f"has {size} bytes instead of {declared}: it is truncated or was changed")
            self.parts[part] = facts

    def content(self, part: str) -> bytes:
        """A part that is needed, as it was written."""
        if part not in self.parts:
            raise self.fail(part, "is missing")
        data, facts = self.take(part), self.parts[part]
        if len(data) != facts["bytes"] or hashlib.sha256(data).hexdigest() != facts.get("sha256"):
            raise self.fail(part, "its checksum differs: it was changed or damaged")
        return data

    def content_later(self, part: str) -> bytes:
        """A part that nobody needs to run a program, from the file as it is then."""
        try:
            with opened(Path(self.where)) as self.source:
                return self.content(part)
        except (zipfile.BadZipFile, OSError) as error:
            raise self.fail(part, f"not readable ({error})", error) from error

    def weights(self) -> dict[str, Array]:
        """The arrays. Weights are stored as they are: a small file can't ask for large ones."""
        if WEIGHTS in self.parts and self.source.is_packed(WEIGHTS):
            raise self.fail(WEIGHTS, "is packed, which weights of an artifact never are")
        try:
            return tensor_file.from_bytes(self.content(WEIGHTS))
        except ArtifactError as error:
            raise self.fail(WEIGHTS, error.message, error) from error

    def build(self) -> Artifact:
        arrays = self.weights()
        methods = {str(n): self.method(str(n), m, arrays) for n, m in self.manifest["methods"].items()}
        weights = {name: a for name, a in arrays.items() if not name.startswith("@")}
        kernels = Texts({n[8:-3]: n for n in self.parts if n.startswith("kernels/")}, self.content_later)
        entries = {str(k): dict(v) for k, v in self.manifest["state"].items()}
        facts = dict(self.manifest["callbacks"])
        version = str(self.manifest.get("vitrify", ""))
        made = Artifact(methods, weights, entries, kernels, {}, facts, version)
        wanted = {name: find_callback(name, self.callbacks, facts.get(name)) for name in made.callback_names}
        missing = [name for name, fn in wanted.items() if fn is None]
        if missing:
            raise CallbackError(
                f"{self.where} calls Python functions that were not given: {', '.join(missing)}",
                remedy=f"load it with callbacks={{{missing[0]!r}: …}}",
            )
        for name, fn in wanted.items():
            if not callable(fn):
                raise CallbackError(
                    f"{self.where}: callbacks[{name!r}] can't be called: it is a {type(fn).__name__}",
                    remedy="give a PyLayer class, or a function from arrays to arrays",
                )
            made.callbacks.update(self.adapt(name, fn, facts.get(name), made.form_of(name)))
        return made

    def method(self, name: str, facts: dict[str, Any], arrays: Mapping[str, Array]) -> Method:
        part = _program_part(name)
        prefix = f"@{name}."
        constants = {k[len(prefix) :]: ArrayData(a) for k, a in arrays.items() if k.startswith(prefix)}
        text = self.content(part)
        try:
            program = parse_program(text.decode(), constants)
            verify(program)
        except (VitrifyError, UnicodeDecodeError) as error:
            raise self.fail(part, f"is not a valid program: {error}", error) from error
        for value, entry in zip(program.state_values, program.state, strict=True):
            array = arrays.get(entry.name)
            kind = value.tensor_type
            if array is None:
                raise self.fail(WEIGHTS, f"has no {entry.name!r}, which {part} reads")
            if array.dtype != kind.dtype.numpy or array.shape != kind.shape:
                raise self.fail(
                    WEIGHTS, f"{entry.name!r} is {array.dtype}{list(array.shape)}, but {part} declares {kind}"
                )
        return Method(program, facts["inputs"], facts["outputs"])
