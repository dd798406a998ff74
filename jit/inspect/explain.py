"""`fn.explain()`: the programs of a compiled function, why each was made, what it cost, and what fusion left apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.shown import Sections
from ...base.table import table
from ...passes.fusion.unfused import Apart, unfused
from ...runtime.schedule.loop_kernels import loop_notes
from ..call.cache import CacheEntry, Family, explain

PHASES = ("capture", "gradient", "passes", "lower", "schedule", "kernels")
FEW = 12  # pairs of neighbours that are listed


def explained(name: str, families: Sequence[Family], last: CacheEntry | None, gave_up: str | None) -> Sections:
    """The whole text."""
    parts = [explain(name, families)]
    entries = sorted((e for f in families for e in f.entries), key=lambda e: e.number)
    if entries:
        columns = range(1, 1 + len(PHASES))
        parts.append("time in seconds\n" + table(["", *PHASES], [_times(e) for e in entries], right=columns))
    if last is not None:
        on_host = getattr(last.runner.executable, "host_steps", ())
        if on_host:
            parts.append("\n  ".join(["run by NumPy, not native code, in the last program:", *on_host]))
        parts += schedule_of(last)
        parts += loops_of(last)
        parts += left_apart(unfused(last.runner.executable_source))
    if gave_up is not None:
        parts.append(f"runs uncompiled, because: {gave_up}")
    return Sections(parts)


def _times(entry: CacheEntry) -> list[str]:
    """Seconds per phase; what isn't one of the others is capture. The backward program counts once it was compiled."""
    pair = entry.runner.pair
    forward = dict(entry.runner.executable.report.seconds)
    gradient = 0.0 if pair is None else pair.seconds
    capture = max(0.0, entry.seconds - gradient - sum(forward.values()))
    if pair is not None and pair._backward is not None:
        for phase, seconds in pair._backward.report.seconds.items():
            forward[phase] = forward.get(phase, 0.0) + seconds
    spent: dict[str, Any] = {"capture": capture, "gradient": gradient, **forward}
    return [f"#{entry.number}", *(f"{spent.get(phase, 0.0):.3f}" for phase in PHASES)]


def schedule_of(entry: CacheEntry) -> list[str]:
    """The passes that the steps of a program went through, with the time of each."""
    spent = entry.runner.executable.report.schedule
    listed = ", ".join(f"{name} {seconds * 1e3:.1f}" for name, seconds in spent.items())
    return [f"schedule of the last program, in ms: {listed}"] if spent else []


def loops_of(entry: CacheEntry) -> list[str]:
    """The loops of a program, and what runs each: a loop kernel or the VM, and why."""
    steps = getattr(entry.runner.executable, "steps", None)
    lines = [f"  {o.name} ({o.loc.short()}): {what}" for o, what in loop_notes(steps)] if steps is not None else []
    return ["\n".join(["loops of the last program:", *lines])] if lines else []


def left_apart(found: Sequence[Apart]) -> list[str]:
    """Neighbours in kernels of their own: a line for each pair, then what each rule means and what one can do."""
    if not found:
        return []
    lines = [f"  {a.producer} | {a.consumer}{_at(a)}: {a.rule}{_detail(a)}" for a in found[:FEW]]
    if len(found) > FEW:
        lines.append(f"  … and {len(found) - FEW} more (fn.unfused)")
    rules = {a.rule: a for a in found}
    lines += [f"    {rule}: {a.why}{f'; {a.edit}' if a.edit else ''}" for rule, a in rules.items()]
    pairs = f"{len(found)} pair{'s' if len(found) > 1 else ''} of neighbours"
    return ["\n".join([f"in kernels of their own in the last program ({pairs}):", *lines])]


def _at(apart: Apart) -> str:
    return f" ({apart.loc.short()})" if apart.loc.file else ""


def _detail(apart: Apart) -> str:
    return f" ({apart.detail})" if apart.detail else ""
