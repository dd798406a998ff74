"""Static analysis of a function without jumps: scopes, definite assignment, liveness. Facts are keyed by node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from .definitions import Definitions, definitions_of
from .liveness import Live, live_after
from .scopes import Function, NameScope, Removed, Step, scopes_of


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the transformers ask about a function and the functions inside it."""

    scopes: dict[gast.AST, NameScope]
    definitions: dict[NameScope, Definitions]
    live: Live
    loads: set[gast.Name]  # reads that must be checked, because the name may be marked as unbound

    def is_marked(self, scope: NameScope, name: str) -> bool:
        """Whether `name`, seen from `scope`, may hold the marker for "not bound"."""
        owner = scope.owner(name)
        return owner is not None and bool(self.definitions[owner].undefined & owner.bits[name])

    def know_copy(self, old: gast.AST, new: gast.AST) -> None:
        """What is known of a node holds for a copy of it, too."""
        if old in self.scopes:
            self.scopes[new] = self.scopes[old]
        if isinstance(new, gast.Name) and old in self.loads:
            self.loads.add(new)


def facts_of(function: Function, removed: Removed, unchecked: Iterable[str] = (), *, has_jumps: bool = False) -> Facts:
    """Analyse `function`; names in `unchecked` are ours and never read unbound.

    has_jumps: some `break`, `continue` or `return` is left in it, so that any variable may be read after any construct.
    """
    scopes = scopes_of(function, removed)
    if has_jumps:
        scopes[0].captured = -1  # all bits
    definitions = {scope: Definitions() if scope.suspendable else definitions_of(scope) for scope in scopes}
    live: Live = {}
    for scope in scopes:
        if not scope.suspendable:
            live.update(live_after(scope))
    facts = Facts({scope.node: scope for scope in scopes}, definitions, live, set())
    return Facts(facts.scopes, definitions, live, set(_loads(facts, set(unchecked))))


def _loads(facts: Facts, unchecked: set[str]) -> Iterable[gast.Name]:
    for scope in facts.scopes.values():
        maybe = facts.definitions[scope].maybe
        for unit in scope.units:
            for name in unit.loads:
                ours = scope.bits[name.id] & scope.bound
                if (not ours or name in maybe) and name.id not in unchecked and facts.is_marked(scope, name.id):
                    yield name


__all__ = ["Definitions", "Facts", "Function", "NameScope", "Removed", "Step", "facts_of"]
