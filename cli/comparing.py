"""`diff`: two targets beside each other: signature, program text, weights, and results on the same inputs."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dygraph.modes import no_grad
from ..ir.core import Program
from ..ir.diff import diff as program_diff
from ..ir.walk import clone_program
from .inputs import Given, given
from .outcome import Exit, Outcome
from .target import Target, arrays_of, read

Array = np.ndarray[Any, Any]
MOST_LINES = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `diff`."""
    parser.add_argument("other", help="the target to compare with")
    parser.add_argument("--run", action="store_true", help="call both on the same inputs and compare the results")
    parser.add_argument("--ulp", type=int, default=0, help="results may differ by so many units in the last place")


def run(options: argparse.Namespace) -> Outcome:
    """Compare; the exit code is 1 when anything differs."""
    first, second = (
        read(text, method=options.method, callbacks=options.callbacks) for text in (options.target, options.other)
    )
    inputs = given(options.input, options.size, options.seed)
    for target in (first, second):
        if not target.is_artifact:
            target.prepared(inputs)
    program = _program_diff(first, second)
    weights = _weight_diff(_weights(first), _weights(second))
    data: dict[str, Any] = {"first": first.text, "second": second.text, "program": program, "weights": weights}
    results = _result_diff(first, second, inputs, options.ulp) if options.run else []
    if options.run:
        data["results"] = results
    differs = bool(program or weights or any(not r["equal"] for r in results))
    return Outcome({**data, "equal": not differs}, _text(data, differs), Exit.FOUND if differs else Exit.DONE)


def _program_diff(first: Target, second: Target) -> list[str]:
    """The lines that differ. Names that a process hands out count for nothing: the program's, those of parameters."""
    text = program_diff(_renamed(first.program), _renamed(second.program))
    return [f"--- {first.text}", f"+++ {second.text}", *text.splitlines()] if text else []


def _renamed(program: Program) -> Program:
    made = clone_program(program)
    made.name = "program"
    for value, entry in zip(made.state_values, made.state, strict=True):
        value.hint = re.sub(r"\W", "_", f"state_{entry.name}")
    return made


def _weights(target: Target) -> dict[str, Array]:
    if target.is_artifact:
        return dict(target.subject.artifact.weights)
    return {s.name: s.tensor.numpy() for s in target.trace.state if s.slot == "data"}


def _weight_diff(first: Mapping[str, Array], second: Mapping[str, Array]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name in sorted({*first, *second}):
        a, b = first.get(name), second.get(name)
        if a is None or b is None:
            found.append({"name": name, "what": "only in the " + ("second" if a is None else "first")})
        elif a.dtype != b.dtype or a.shape != b.shape:
            found.append({"name": name, "what": f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"})
        elif a.tobytes() != b.tobytes():
            found.append({"name": name, "what": "values differ", **_distance(a, b)})
    return found


def _distance(a: Array, b: Array) -> dict[str, Any]:
    """How far two arrays of one type are apart: elements that differ, the largest difference, in ULP for floats."""
    same = (a == b) | ((a != a) & (b != b))
    facts: dict[str, Any] = {"elements": int((~same).sum()), "of": a.size}
    if a.size and a.dtype.kind in "iuf":
        wide = np.abs(a.astype(np.float64) - b.astype(np.float64))
        facts["largest"] = float(np.nanmax(np.where(same, 0.0, wide), initial=0.0))
        if a.dtype.kind == "f":
            facts["ulp"] = float(
                np.nanmax(np.where(same, 0.0, wide / np.spacing(np.abs(a)).astype(np.float64)), initial=0)
            )
    return facts


def _result_diff(first: Target, second: Target, inputs: Given, ulp: int) -> list[dict[str, Any]]:
    with no_grad():
        results = []
        for target in (first, second):
            args, kwargs = target.arguments(inputs)
            results.append(arrays_of(target.function(*args, **kwargs)))
    if len(results[0]) != len(results[1]):
        return [{"name": "number of outputs", "equal": False, "what": f"{len(results[0])} and {len(results[1])}"}]
    found = []
    for (name, a), (_, b) in zip(*results, strict=True):
        if a.dtype != b.dtype or a.shape != b.shape:
            what = f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
            found.append({"name": name, "equal": False, "what": what})
        else:
            facts = _distance(a, b)
            found.append({"name": name, "equal": not facts["elements"] or facts.get("ulp", ulp + 1) <= ulp, **facts})
    return found


def _text(data: Mapping[str, Any], differs: bool) -> str:
    lines: list[str] = list(data["program"][:MOST_LINES])
    if len(data["program"]) > MOST_LINES:
        lines.append(f"… {len(data['program']) - MOST_LINES} more lines")
    lines += [f"weight {_line(row)}" for row in data["weights"]]
    lines += [f"output {_line(row)}" for row in data.get("results", ()) if row.get("elements", 1)]
    return "\n".join([*lines, "they differ" if differs else "no difference"])


def _line(row: Mapping[str, Any]) -> str:
    what = row.get("what", "values differ")
    if "elements" in row:
        what += f" in {row['elements']:,} of {row['of']:,} elements"
    if "largest" in row:
        what += f", by {row['largest']:.3g} at most"
    if "ulp" in row:
        what += f" ({row['ulp']:.3g} ULP)"
    return f"{row['name']}: {what}"
