"""The user's own passes and rules, as pipelines see them. `add` and `remove` of passes are in additions.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..base.errors import ArgumentError
from ..ir.core import Program
from .algebra.rules import Rule, Table
from .manager import Pass

added_passes: list[tuple[Pass, str, str]] = []  # (pass, "before" or "after", name of another)
_rules: list[Rule] = []
_off: set[str] = set()


@dataclass(frozen=True)
class Rewrite(Pass):
    """Apply the user's own rules until none fits. It stands in the pipeline while there are some."""

    name = "rewrite"
    rules: tuple[Rule, ...] = ()

    def run(self, program: Program) -> bool:
        table = Table(self.rules)
        changed = False
        for _ in range(_MOST_ROUNDS):
            if not table.apply(program.body):
                break
            changed = True
        return changed


_MOST_ROUNDS = 8  # of a user's rules, which may undo each other


def extended(pipeline: Sequence[Pass]) -> tuple[Pass, ...]:
    """A pipeline with the passes that were added, and with the user's rules before each simplification."""
    rules = tuple(r for r in _rules if r.name not in _off)
    if not rules and not added_passes:
        return tuple(pipeline)
    out: list[Pass] = []
    for item in pipeline:
        if rules and item.name == "simplify":
            out.append(Rewrite(rules))
        out.append(item)
    for item, side, place in added_passes:
        k = next((k for k, p in enumerate(out) if p.name == place), None)
        if k is None:  # a part of the pipeline: the pass stands in another one
            continue
        out.insert(k + (side == "after"), item)
    return tuple(out)


# ---- rules


def rules() -> list[Rule]:
    """The user's own rules, in the order in which they are tried."""
    return list(_rules)


def put_rule(rule: Rule) -> None:
    """Add a rule that has been checked; one of the same name is replaced."""
    _rules[:] = [r for r in _rules if r.name != rule.name]
    _rules.append(rule)


def drop_rule(name: str) -> None:
    """Take a rule out. Errors: ArgumentError for one that isn't there."""
    if all(r.name != name for r in _rules):
        raise ArgumentError(f"there is no rule {name!r}", remedy=f"the rules are {[r.name for r in _rules]}")
    _rules[:] = [r for r in _rules if r.name != name]
    _off.discard(name)


def switch_rule(name: str, on: bool) -> None:
    """Let a rule apply, or not."""
    _off.discard(name) if on else _off.add(name)


def is_on(name: str) -> bool:
    """Whether a rule applies."""
    return name not in _off and any(r.name == name for r in _rules)
