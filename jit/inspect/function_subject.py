"""A compiled function as the subject of a report (runtime/observe/subject.py)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from ...base.errors import VitrifyError
from ...base.location import is_library_file
from ...runtime.observe.subject import Part, Routine, Subject, Verdict, Version
from ..call.cache import CacheEntry
from ..call.caller import Runner
from ..convert import convert
from ..switches import is_left_alone
from .certificate import Certificate


def subject_of(name: str, functions: Sequence[FunctionType], runner: Runner, entries: Sequence[CacheEntry],
               certify: Callable[[], Certificate]) -> Subject:  # fmt: skip
    """What is known of a function whose last program is that of `runner`. `certify` traces it once more."""
    verdicts, digest, notes = [], "", []
    if getattr(runner.executable, "steps", None) is None:
        notes.append("NumPy runs this function, operation by operation; the VM steps are those of its kernels.")
    try:
        certificate = certify()
    except VitrifyError as error:
        notes.append(f"There is no certificate: {error.message}.")
    else:
        digest = certificate.hash
        for s in certificate.statements:
            verdict = s.verdict if s.reached else "not taken"
            verdicts.append(Verdict(s.function, s.loc.file, s.loc.line, s.text, verdict, s.detail))
    return Subject(
        name, "compiled function", tuple(parts_of(runner)), tuple(routines(functions)), tuple(verdicts), digest,
        tuple(map(_version, entries)), tuple(notes),
    )  # fmt: skip


def routines(functions: Sequence[FunctionType]) -> Iterator[Routine]:
    """The user's functions that have a source, each once."""
    seen: set[tuple[str, int, str]] = set()
    for fn in functions:
        key = (fn.__code__.co_filename, fn.__code__.co_firstlineno, fn.__qualname__)
        if key in seen or is_library_file(fn.__code__.co_filename):
            continue
        seen.add(key)
        try:
            lines, first = inspect.getsourcelines(fn)
        except (OSError, TypeError):
            continue
        code, places = converted(fn)
        text = tuple(line.rstrip("\n") for line in lines)
        yield Routine(fn.__qualname__, fn.__code__.co_filename, max(first, 1), text, code, places)


def converted(fn: FunctionType) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The converted text of a function by lines, and the user's line of each; empty for what isn't converted."""
    if is_left_alone(fn):
        return (), ()
    try:
        conversion = convert(fn, None).conversion
    except VitrifyError:  # a generator, or code that ran as it is
        return (), ()
    places: dict[int, int] = {}
    _match([conversion.tree], ast.parse(conversion.text).body, places)
    lines = conversion.text.splitlines()
    return tuple(lines), tuple(places.get(k, 0) for k in range(1, len(lines) + 1))


def _match(trees: Sequence[Any], again: Sequence[Any], places: dict[int, int]) -> None:
    """Walk a tree beside the one parsed from its own text: line of the text -> line of the file."""
    for node, counterpart in zip(trees, again, strict=False):
        own, shown = getattr(node, "lineno", 0), getattr(counterpart, "lineno", 0)
        if own and shown:
            places.setdefault(shown, own)
        for (_, inner), (_, inner_counterpart) in zip(
            ast.iter_fields(node), ast.iter_fields(counterpart), strict=False
        ):
            pairs = (inner, inner_counterpart) if isinstance(inner, list) else ([inner], [inner_counterpart])
            if isinstance(pairs[0], list) and isinstance(pairs[1], list):
                _match(
                    [n for n in pairs[0] if isinstance(n, ast.AST)],
                    [n for n in pairs[1] if isinstance(n, ast.AST)],
                    places,
                )


def parts_of(runner: Runner) -> Iterator[Part]:
    """The programs that a runner runs: one, or forward and backward."""
    found = [_binding(bound) for free in runner.free.values() for bound in free]
    binding = next((b for b in found if b is not None), None)
    sizes = {} if binding is None else dict(binding.sizes)
    steps = getattr(runner.executable, "steps", None) if binding is None else binding.program
    pair = runner.pair
    if pair is None:
        yield Part("program", runner.trace.program, sizes, steps)
        return
    yield Part("forward", pair.made.forward, sizes, steps)
    ran = pair._backward
    tables = [bound.binding.program for bound in getattr(ran, "plan_sizes", ())]
    yield Part("backward", pair.made.backward, sizes, tables[0] if tables else getattr(ran, "steps", None))


def _binding(bound: Any) -> Any:
    """The VM's tables behind what runs a call: none while NumPy runs it."""
    found = getattr(bound, "binding", None)
    return getattr(getattr(bound, "_native", None), "binding", None) if found is None else found


def _version(entry: CacheEntry) -> Version:
    shown = ", ".join(f"{leaf.name}: {leaf.type}" for leaf in entry.trace.inputs.leaves)
    guards = (*(("", f"{d} {r} 0") for r, d in entry.program.constraints), *entry.guards.describe())
    return Version(entry.number, f"({shown})", entry.reason, entry.seconds, guards)
