"""The user's own passes and rules in the pipeline: where they stand, and how they are put there and taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..base.errors import ArgumentError, KindError
from ..ir.core import Program
from .manager import Pass
from .rules import Rule, Table

_added: list[tuple[Pass, str, str]] = []  # (pass, "before" or "after", name of another)
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


_MOST_ROUNDS = 8


def add(item: Pass, *, before: str | None = None, after: str | None = None) -> Pass:
    """Put a pass of your own into the pipeline of what is compiled from now on, for the whole process; returns it.

    before, after: the name of the pass beside which it stands (its first place); by default it is the last one before
    fusion. A program is verified after it.
    Errors: KindError for what isn't a Pass; ArgumentError for a name that is taken or not there.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Nothing(Pass):
    ...     name = "nothing"
    ...     def run(self, program):
    ...         return False
    >>> add(Nothing(), after="cse").name
    'nothing'
    >>> remove("nothing")
    """
    from .pipelines import default_pipeline

    if not isinstance(item, Pass):
        raise KindError(f"a pass is an object of a class that is a Pass, not {type(item).__name__}",
                        remedy="derive it from vt.passes.Pass, and pass an instance")  # fmt: skip
    if before is not None and after is not None:
        raise ArgumentError("a pass stands before or after another one, not both")
    names = [p.name for p in default_pipeline()]
    if item.name in names:
        raise ArgumentError(f"the pipeline has a pass {item.name!r}", remedy="give yours another name, or remove() it")
    place = before or after or "contract"
    if place not in names:
        raise ArgumentError(f"the pipeline has no pass {place!r}", remedy=f"it has {', '.join(dict.fromkeys(names))}")
    _added.append((item, "after" if after is not None else "before", place))
    return item


def remove(item: Pass | str) -> None:
    """Take a pass out again. Errors: ArgumentError for one that wasn't added."""
    found = [entry for entry in _added if item in (entry[0], entry[0].name)]
    if not found:
        raise ArgumentError(f"no pass {item if isinstance(item, str) else item.name!r} was added")
    _added.remove(found[0])


@contextmanager
def added(item: Pass, *, before: str | None = None, after: str | None = None) -> Iterator[Pass]:
    """Have a pass in the pipeline inside the block, as `add` puts it there."""
    add(item, before=before, after=after)
    try:
        yield item
    finally:
        remove(item)


def extended(pipeline: Sequence[Pass]) -> tuple[Pass, ...]:
    """A pipeline with the passes that were added, and with the user's rules before each simplification."""
    rules = tuple(r for r in _rules if r.name not in _off)
    if not rules and not _added:
        return tuple(pipeline)
    out: list[Pass] = []
    for item in pipeline:
        if rules and item.name == "simplify":
            out.append(Rewrite(rules))
        out.append(item)
    for item, side, place in _added:
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
