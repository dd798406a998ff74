"""Damaged files: artifacts, program texts, saved tensors, ONNX models and IDX data, changed at random or by grammar.

A loader must give a result or a typed error, in time and memory that the file's size bounds. What still loads as a
program must print and parse to itself, and run natively as the interpreter runs it, or fail as it fails.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import GuardError, VitrifyError
from ...data.idx import read_idx
from ...dygraph import serialize
from ...dygraph.conversions import to_tensor
from ...interchange.load import load as load_onnx
from ...ir.core import Program, is_list
from ...ir.interpret import interpret
from ...ir.parser import parse_program
from ...ir.printer import print_program
from ...ir.verifier import verify
from ...ir.walk import clone_program, equal_programs, walk
from ...ops.dims import concrete
from ...passes.algebra.dce import DeadCode
from ...runtime import tensor_file
from ...runtime.artifact import Artifact, Method, load_artifact, save_artifact
from ...runtime.compiler import compile_program
from ..programs import random_program
from .checks import Array, Coverage, Disagreement, same_lists, scratch
from .programs import BOUNDS

SECONDS = 10.0  # for a file of some kilobytes, on a machine that is busy
BYTES = 64 << 20
MOST_ELEMENTS = 1 << 16  # of a value of a program that is run
FORMS = ("artifact", "folder", "text", "tensors", "state", "onnx", "idx")
NUMBERS = ("0", "1", "-1", "2", "7", "255", "65536", "2147483648", "9223372036854775807", "-9223372036854775808")


@dataclass(frozen=True)
class Damaged:
    """A file of one form (`folder`: parts by name), and how it came about."""

    form: str
    data: bytes
    parts: dict[str, bytes]


def damaged_file(seed: int) -> Damaged:
    """A file made from an intact one by one to three changes; the same seed gives the same file.

    >>> damaged_file(5).form in FORMS
    True
    """
    rng = random.Random(f"file {seed}")
    form = FORMS[seed % len(FORMS)]
    if form == "onnx" and not _onnx_model():
        form = "tensors"  # the library onnx, which makes the model, isn't there
    if form != "folder":
        return Damaged(form, _changed(_intact(form, seed % 40), rng, text=form == "text"), {})
    parts = dict(_folder(seed % 40))
    name = rng.choice(["program.ir", "weights.safetensors", "manifest.json"])
    parts[name] = _changed(parts[name], rng, text=not name.startswith("weights"))
    _sign(parts)  # damage on purpose: the checksums fit
    return Damaged(form, b"", parts)


# ---- intact files


def intact_file(form: str, seed: int = 3) -> Damaged:
    """A file of this form that nothing happened to.

    >>> check_file(intact_file("idx"))
    'equal'
    """
    return Damaged(form, b"", dict(_folder(seed))) if form == "folder" else Damaged(form, _intact(form, seed), {})


@cache
def _folder(seed: int) -> dict[str, bytes]:
    program, _, state = random_program(seed, 8)
    names = [entry.name for entry in program.state]
    artifact = Artifact({"forward": Method(program)}, dict(zip(names, state, strict=True)))
    with scratch() as folder:
        path = save_artifact(artifact, folder / "model")
        return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}


@cache
def _intact(form: str, seed: int) -> bytes:
    rng = np.random.default_rng(seed)
    arrays = {"a": rng.standard_normal((3, 2)), "b.c": rng.integers(0, 9, 4), "d": np.array(True)}
    match form:
        case "artifact":
            program, _, state = random_program(seed, 8)
            names = [entry.name for entry in program.state]
            artifact = Artifact({"forward": Method(program)}, dict(zip(names, state, strict=True)))
            with scratch() as folder:
                return save_artifact(artifact, folder / "model.vt").read_bytes()
        case "text":
            return print_program(random_program(seed, 8)[0]).encode()
        case "tensors":
            return tensor_file.to_bytes(arrays)
        case "state":
            stream = io.BytesIO()
            serialize.save({"a": [to_tensor(a) for a in arrays.values()], "b": {"text": "x", "n": 3}}, stream)
            return stream.getvalue()
        case "onnx":
            return _onnx_model()
        case _:
            return bytes([0, 0, 8, 2]) + struct.pack(">II", 3, 4) + bytes(range(12))


@cache
def _onnx_model() -> bytes:
    try:
        from onnx.parser import parse_model
    except ImportError:
        return b""
    text = (
        '<ir_version: 8, opset_import: ["" : 17]> g (float[n, 4] x, int64[2] i) => (float[n, 2] y)'
        " <float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}, float[2] b = {0, 1}>"
        " { p = MatMul(x, w) q = Add(p, b) r = Relu(q) y = Gather<axis = 1>(r, i) }"
    )
    return bytes(parse_model(text).SerializeToString())


def _sign(parts: dict[str, bytes]) -> None:
    """Make sizes and checksums of the manifest fit, where it still is one."""
    with suppress(ValueError, TypeError, AttributeError, KeyError):
        manifest = json.loads(parts["manifest.json"])
        for name in manifest["parts"]:
            if name in parts:
                manifest["parts"][name] = {
                    "bytes": len(parts[name]), "sha256": hashlib.sha256(parts[name]).hexdigest()
                }  # fmt: skip
        rest = {k: v for k, v in manifest.items() if k != "checksum"}
        text = json.dumps(rest, sort_keys=True, ensure_ascii=False)
        manifest["checksum"] = hashlib.sha256(text.encode()).hexdigest()
        parts["manifest.json"] = json.dumps(manifest, ensure_ascii=False).encode()


# ---- damage


def _changed(data: bytes, rng: random.Random, *, text: bool) -> bytes:
    for _ in range(rng.randint(1, 3)):
        data = _change_of_grammar(data, rng) if text and rng.random() < 0.7 else _change_of_bytes(data, rng)
    return data


def _change_of_bytes(data: bytes, rng: random.Random) -> bytes:
    made, at, length = bytearray(data), rng.randint(0, len(data)), rng.randint(1, 30)
    match rng.randrange(6):
        case 0:
            del made[at:]
        case 1:
            del made[at : at + length]
        case 2:
            made[at:at] = made[at : at + length]
        case 3:
            made[at:at] = rng.randbytes(length)
        case 4 if at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        case _ if made:
            other = rng.randrange(len(made))
            made[at : at + length] = made[other : other + length]
    return bytes(made)


def _change_of_grammar(data: bytes, rng: random.Random) -> bytes:
    """Numbers, names, words and lines exchanged: the text often stays one that can be parsed."""
    text = data.decode("utf-8", "replace")
    patterns = (r"-?\d+", r"%\w+", r"\b[a-z]\w*\b", r"\[[^\[\]]*\]", r"[^\n]*\n")
    pattern = rng.choice(patterns)
    found = list(re.finditer(pattern, text))
    if not found:
        return data
    one, other = rng.choice(found), rng.choice(found)
    put = rng.choice(NUMBERS) if pattern == patterns[0] and rng.random() < 0.7 else other.group()
    if rng.random() < 0.1:
        put = ""
    return (text[: one.start()] + put + text[one.end() :]).encode()


# ---- the check


def check_file(case: Damaged, coverage: Coverage | None = None) -> str:
    """Load a damaged file: "refused" with a typed error, or "equal": what it holds runs alike in every way.

    Disagreement: another error, too much time or memory, or a loaded program that doesn't run as it is interpreted.
    """
    seen = Coverage() if coverage is None else coverage
    seen.constructs[f"file {case.form}"] += 1
    with scratch() as folder, _bounded(case.form):
        try:
            found = _LOADERS[case.form](case, folder)
        except VitrifyError:
            return "refused"
        except Exception as error:  # broad: a loader raises typed errors, whatever is in the file
            raise Disagreement(f"{case.form} loaded", f"{type(error).__name__}: {error}") from error
    if isinstance(found, Program):
        _check_program(found)
    return "equal"


@contextmanager
def _bounded(form: str) -> Iterator[None]:
    start = time.monotonic()
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    if peak > BYTES:
        raise Disagreement(f"{form} loaded", f"took {peak} bytes")
    if time.monotonic() - start > SECONDS:
        raise Disagreement(f"{form} loaded", f"took {time.monotonic() - start:.0f} seconds")


def _load_artifact(case: Damaged, folder: Path) -> Any:
    path = folder / "model.vt"
    path.write_bytes(case.data)
    return load_artifact(path).methods["forward"].program


def _load_folder(case: Damaged, folder: Path) -> Any:
    path = folder / "model"
    for name, data in case.parts.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    methods = load_artifact(path).methods
    return next(iter(methods.values())).program if methods else None


def _load_text(case: Damaged, folder: Path) -> Any:
    program = parse_program(case.data.decode("utf-8", "replace"))
    verify(program)
    return program


def _load_idx(case: Damaged, folder: Path) -> Any:
    (folder / "data").write_bytes(case.data)
    return read_idx(folder / "data")


_LOADERS: dict[str, Callable[[Damaged, Path], Any]] = {
    "artifact": _load_artifact,
    "folder": _load_folder,
    "text": _load_text,
    "tensors": lambda case, folder: tensor_file.from_bytes(case.data),
    "state": lambda case, folder: serialize.load(io.BytesIO(case.data)),
    "onnx": lambda case, folder: load_onnx(case.data).artifact.methods["forward"].program,
    "idx": _load_idx,
}


def _check_program(program: Program) -> None:
    """A stranger's program that was let in: its text comes back, and native code does what the interpreter does."""
    try:
        again = parse_program(print_program(program))
    except VitrifyError as error:
        raise Disagreement("text of a loaded program", str(error)) from error
    if not equal_programs(again, program):
        raise Disagreement("text of a loaded program", "the parsed text is another program")
    arrays = _arguments(program)
    if arrays is None or any(o.name == "callback" for o in walk(program.body)):
        return
    count = len(program.feeds)
    expected, found = (
        _outcome(program, arrays[:count], arrays[count:]),
        _native(program, arrays[:count], arrays[count:]),
    )
    if isinstance(found, GuardError):
        return  # what it claims of sizes doesn't hold: NumPy has no need to ask, native code refuses
    if isinstance(expected, Exception) or isinstance(found, Exception):
        if isinstance(expected, Exception) and isinstance(found, Exception):
            return
        raise Disagreement("loaded program compiled", f"interpreted {expected!r:.300}\ncompiled {found!r:.300}")
    try:
        same_lists(expected, found, "result", BOUNDS)
    except AssertionError as error:
        raise Disagreement("loaded program compiled", str(error)) from error


def _arguments(program: Program) -> list[Array] | None:
    """Arrays for a program's arguments; None where it asks for much memory or many iterations."""
    sizes = dict.fromkeys(program.symbols, 2)
    rng = np.random.default_rng(0)
    for operation in walk(program.body):
        numbers = [n for n in _numbers(operation.attrs) if abs(n) > MOST_ELEMENTS]
        if numbers or operation.name == "while":
            return None
        for result in operation.results:
            if not is_list(result) and not _is_small(result.tensor_type.shape, sizes):
                return None
    made = []
    for value in program.body.args:
        if is_list(value) or not _is_small(value.tensor_type.shape, sizes):
            return None
        shape = concrete(value.tensor_type.shape, sizes)
        drawn = rng.uniform(-1, 1, shape) if value.dtype.is_floating else rng.integers(0, 2, shape)
        made.append(np.asarray(drawn).astype(value.dtype.numpy))
    return made


def _is_small(shape: Any, sizes: dict[str, int]) -> bool:
    try:
        return int(np.prod([float(d) for d in concrete(shape, sizes)])) <= MOST_ELEMENTS
    except (KeyError, TypeError, ValueError, AssertionError, VitrifyError):
        return False


def _numbers(attrs: Any) -> Iterator[float]:
    if isinstance(attrs, dict):
        attrs = tuple(attrs.values())
    if isinstance(attrs, (tuple, list)):
        for item in attrs:
            yield from _numbers(item)
    elif isinstance(attrs, int | float) and attrs == attrs:
        yield attrs
    elif hasattr(attrs, "array") and attrs.array.dtype.kind in "iu" and attrs.array.size:
        yield float(np.abs(attrs.array.astype(np.float64)).max())


def _outcome(program: Program, feeds: list[Array], state: list[Array]) -> list[Array] | Exception:
    made = clone_program(program)
    try:
        DeadCode().run(made)  # what nobody reads may be left out, errors included
        fetched, after = interpret(made, feeds, state)
    except Exception as error:  # broad: what a stranger's program raises
        return error
    return [*fetched, *after]


def _native(program: Program, feeds: list[Array], state: list[Array]) -> list[Array] | Exception:
    held = [a.copy() for a in state]
    try:
        fetched = compile_program(program).run(feeds, held)
    except Exception as error:  # broad: compared with what the interpreter did
        return error
    return [*fetched, *held]
