"""`inspect`: what is in an artifact, or what a function was compiled to. Runs nothing of an artifact."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.table import table
from ..ir.core import Program
from ..ir.walk import walk
from ..jit.inspect.stages import stages
from ..runtime.observe.cost import cost_of, steps_of
from .inputs import given
from .outcome import Outcome, UsageError
from .target import Target, read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `inspect`."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--stage", metavar="NAME", help='the program\'s text after a stage, e.g. "captured", "after fuse"'
    )
    shown.add_argument("--stages", action="store_true", help="the names of all stages")
    shown.add_argument("--code", action="store_true", help="the rewritten source (functions only)")
    shown.add_argument("--kernels", action="store_true", help="the sources of the kernels")
    shown.add_argument("--plan", action="store_true", help="the memory plan (functions only)")
    shown.add_argument(
        "--cost", action="store_true", help="operations, bytes, calls and peak memory; with --size exact"
    )
    shown.add_argument("--explain", action="store_true", help="entries, guards and misses (functions only)")


def run(options: argparse.Namespace) -> Outcome:
    """Show what was asked for; without options a summary."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    if not target.is_artifact:
        target.prepared(given(options.input, options.size, options.seed))
    if options.stage or options.stages:
        return _stages(target, options.stage)
    if options.code:
        return Outcome({"code": target.compiled().code}, target.compiled().code)
    if options.kernels:
        return _kernels(target)
    if options.plan:
        plan = target.compiled().memory_plan
        facts = {"sizes": plan.sizes, "peak": plan.peak, "total": plan.total, "stored": plan.stored}
        buffers = [
            dict(zip(("name", "type", "bytes", "offset", "first", "last"), b, strict=True)) for b in plan.buffers
        ]
        return Outcome({**facts, "lower_bound": plan.lower_bound, "buffers": buffers}, str(plan))
    if options.cost:
        return _cost(target, options)
    if options.explain:
        return Outcome({"explain": target.compiled().explain()}, target.compiled().explain())
    return _summary(target)


def _cost(target: Target, options: argparse.Namespace) -> Outcome:
    found = cost_of(steps_of(target.program)) if target.is_artifact else target.compiled().cost()
    sizes = given((), options.size, 0).sizes
    found = found.at(**sizes) if sizes else found
    data = found.to_dict()
    if found.symbols:
        return Outcome(data, str(found))
    estimate = found.time()
    data["time"] = {"seconds": estimate.seconds, "error": estimate.error, "partial": estimate.partial}
    return Outcome(data, f"{found}\nestimated time {estimate}")


def _stages(target: Target, name: str | None) -> Outcome:
    found = stages(target.program)
    if name is None:
        return Outcome({"stages": [n for n, _ in found]}, "\n".join(n for n, _ in found))
    wanted = name.strip().lower()
    for stage, text in reversed(found):
        if stage in (wanted, f"after {wanted}"):
            return Outcome({"stage": stage, "program": text}, text)
    raise UsageError(f"there is no stage {name!r}", remedy="the stages are " + ", ".join(n for n, _ in found))


def _kernels(target: Target) -> Outcome:
    found = target.subject.artifact.kernels if target.is_artifact else target.compiled().kernels
    text = "\n".join(f"# ---- {name}\n{source}" for name, source in found.items())
    return Outcome({"kernels": dict(found)}, text or "no kernels")


def _summary(target: Target) -> Outcome:
    trace = target.trace
    program = trace.program
    data: dict[str, Any] = {
        "target": target.text,
        "kind": "artifact" if target.is_artifact else "function",
        "name": program.name,
        "inputs": [{"name": leaf.name, "type": str(leaf.type)} for leaf in trace.inputs.leaves],
        "outputs": [str(value.type) for value in program.fetches],
        "symbols": list(program.symbols),
        "state": _state(program),
        "operations": _counts(program),
    }
    if target.is_artifact:
        artifact = target.subject.artifact
        data |= {"methods": list(artifact.methods), "version": artifact.version, "callbacks": artifact.callback_names}
    return Outcome(data, _text(data))


def _state(program: Program) -> dict[str, Any]:
    """How many entries of each role the program reads, with their sizes."""
    found: dict[str, dict[str, int]] = {}
    for value, entry in zip(program.state_values, program.state, strict=True):
        kind = value.tensor_type
        size = kind.size if isinstance(kind.size, int) else 0
        row = found.setdefault(entry.kind, {"entries": 0, "elements": 0, "bytes": 0})
        row["entries"] += 1
        row["elements"] += size
        row["bytes"] += size * kind.dtype.itemsize
    return found


def _counts(program: Program) -> dict[str, int]:
    found: dict[str, int] = {}
    for operation in walk(program.body):
        if not operation.is_terminator:
            found[operation.name] = found.get(operation.name, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _text(data: dict[str, Any]) -> str:
    lines = [f"{data['kind']} {data['target']}: {data['name']}"]
    if data.get("methods"):
        lines.append(f"methods    {', '.join(data['methods'])}")
    if data.get("version"):
        lines.append(f"saved by   vitrify {data['version']}")
    lines.append("inputs     " + (", ".join(f"{i['name']}: {i['type']}" for i in data["inputs"]) or "none"))
    lines.append("outputs    " + (", ".join(data["outputs"]) or "none"))
    if data.get("callbacks"):
        lines.append("calls back " + ", ".join(data["callbacks"]))
    for role, row in data["state"].items():
        lines.append(f"{role:10} {row['entries']} entries, {row['elements']:,} elements, {row['bytes']:,} bytes")
    rows = [[name, count] for name, count in data["operations"].items()]
    return "\n".join([*lines, "", table(["operation", "count"], rows, right=[1])])
