"""Names of a function: what every statement and header expression reads and writes, as bit sets.

One `NameScope` per function or lambda, one `Access` per unit (a simple statement, a test, an iterable, a loop
target, a `with` item, an `except` clause). A construct's accesses are a contiguous span of the units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import gast

from .exits import COMPREHENSIONS, is_suspendable

Function = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
Construct = gast.If | gast.While | gast.For


class Step(gast.If):
    """A statement in an `if` of its own (see transformers/steps.py)."""


@dataclass(slots=True)
class Access:
    """What one unit does with names: bits of the names read, perhaps written, and surely written."""

    reads: int = 0
    writes: int = 0
    sure: int = 0
    calls: bool = False
    loads: list[gast.Name] = field(default_factory=list)
    attributes: list[gast.Attribute] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class NameScope:
    """One function: its names, its units, and what the functions inside it do with its names."""

    node: Function
    parent: NameScope | None
    bits: dict[str, int] = field(default_factory=dict)
    params: int = 0
    bound: int = 0  # the function's own variables, parameters included
    nonlocals: int = 0
    globals: int = 0
    captured: int = 0  # read or written by a function or generator inside: alive for ever
    escaping: int = 0  # written by a function inside, so by any call
    deleted: int = 0  # unbound somewhere by `del`
    handlers: int = 0  # bound by `except … as`, unbound after it
    rebound: int = 0  # bound in another way as well
    unreached: int = 0  # bound only in code that is never reached
    in_thunk: int = 0  # bound by a walrus in an operand that becomes a lambda
    units: list[Access] = field(default_factory=list)
    access: dict[gast.AST, Access] = field(default_factory=dict)
    spans: dict[gast.AST, tuple[int, int]] = field(default_factory=dict)
    tests: dict[gast.For, gast.expr] = field(default_factory=dict)  # what a `for` with exits asks before each round
    children: dict[gast.AST, NameScope] = field(default_factory=dict)
    suspendable: bool = False

    def bit(self, name: str) -> int:
        """The bit of a name, a new one at the first meeting."""
        bit = self.bits.get(name)
        if bit is None:
            bit = self.bits[name] = 1 << len(self.bits)
        return bit

    def named(self, mask: int) -> Iterator[str]:
        """The names in a set of bits, in the order of their first appearance."""
        return (name for name, bit in self.bits.items() if bit & mask)

    @property
    def variables(self) -> int:
        """Names this function may write, without those that live in one `except` clause only."""
        return (self.bound | self.nonlocals | self.globals) & ~(self.handlers & ~self.rebound)

    @property
    def lasting(self) -> int:
        """Variables that others see: alive wherever we look."""
        return self.captured | self.nonlocals | self.globals | self.escaping

    def written(self, construct: gast.AST) -> int:
        """Variables that the construct may write, those written by calls in it included."""
        first, last = self.spans[construct]
        mask, calls = 0, False
        for unit in self.units[first:last]:
            mask |= unit.writes
            calls = calls or unit.calls
        return (mask & self.variables) | (self.escaping if calls else 0)

    def state(self, construct: gast.AST) -> int:
        """Variables that the construct's functions get and set: those that it writes; for a step, reads too."""
        found = self.written(construct)
        if isinstance(construct, Step):
            first, last = self.spans[construct]
            for unit in self.units[first:last]:
                found |= (unit.reads | (self.captured if unit.calls else 0)) & self.bound
        return found

    def owner(self, name: str) -> NameScope | None:
        """The function that `name` belongs to, seen from here; None for globals and the outside."""
        scope: NameScope | None = self
        while scope is not None:
            bit = scope.bits.get(name, 0)
            if bit & scope.bound:
                return scope
            if bit & scope.globals:
                return None
            scope = scope.parent
        return None


@dataclass(frozen=True, slots=True)
class Removed:
    """What the removal of jumps took out of the tree: tests of `for` loops with exits, names bound in dead code."""

    loop_tests: Mapping[gast.For, gast.expr] = field(default_factory=dict)
    unreached: Mapping[gast.AST, set[str]] = field(default_factory=dict)


def scopes_of(function: Function, removed: Removed) -> list[NameScope]:
    """The scopes of a function and of all functions inside it, outer before inner."""
    found: list[NameScope] = []
    _Collector(function, None, found, removed)
    for scope in found:
        _mark_escaping(scope)
    for scope in found:  # outer before inner, so a grandparent's variables arrive through the parent
        _inherit_escaping(scope)
    return found


def _mark_escaping(scope: NameScope) -> None:
    for name in scope.named(scope.nonlocals):
        if scope.parent is not None and (owner := scope.parent.owner(name)):
            owner.escaping |= owner.bit(name)


def _inherit_escaping(scope: NameScope) -> None:
    # A call in an inner function may write an outer function's variable through a third one.
    if scope.parent is None or isinstance(scope.node, gast.Lambda):
        return
    for name in list(scope.parent.named(scope.parent.escaping)):
        bit = scope.bit(name)
        if not bit & (scope.bound | scope.globals):
            scope.escaping |= bit


class _Collector:
    """Walks one function in the order of evaluation."""

    def __init__(self, function: Function, parent: NameScope | None, found: list[NameScope], removed: Removed) -> None:
        self.scope = NameScope(function, parent)
        self._found = found
        self._removed = removed
        found.append(self.scope)
        self._parameters(function.args)
        if isinstance(function, gast.Lambda):
            self._unit(function.body, function.body)
        else:
            self.scope.suspendable = parent is not None and is_suspendable(function)
            self._block(function.body)
        self._resolve_names()

    def _parameters(self, args: gast.arguments) -> None:
        for parameter in parameters_of(args):
            self.scope.params |= self.scope.bit(parameter.id)

    def _resolve_names(self) -> None:
        scope = self.scope
        declared = scope.nonlocals | scope.globals
        for unit in scope.units:
            scope.bound |= unit.writes
        for name in self._removed.unreached.get(scope.node, ()):
            scope.unreached |= scope.bit(name) & ~(scope.bound | scope.params | declared)
        scope.bound = (scope.bound | scope.params | scope.unreached) & ~declared
        if scope.parent is not None:
            self._tell_parent(scope, scope.parent)

    def _tell_parent(self, scope: NameScope, parent: NameScope) -> None:
        for name in scope.named(~scope.bound & ~scope.globals):
            parent.captured |= parent.bit(name)

    # statements

    def _block(self, statements: Iterable[gast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: gast.stmt) -> None:
        first = len(self.scope.units)
        match node:
            case gast.If() | gast.While():
                self._unit(node.test, node.test)
                self._block(node.body)
                self._block(node.orelse)
            case gast.For():
                self._unit(node.iter, node.iter)
                self._unit(node.target, node.target)
                if test := self._removed.loop_tests.get(node):
                    self.scope.tests[node] = test
                    self._unit(test, test)
                self._block(node.body)
                self._block(node.orelse)
            case gast.With() | gast.AsyncWith():
                for item in node.items:
                    self._unit(item, item)
                self._block(node.body)
            case gast.Try() | gast.TryStar():
                self._try(node)
            case gast.Match():
                self._match(node)
            case gast.Global():
                self._declare(node.names, is_global=True)
            case gast.Nonlocal():
                self._declare(node.names, is_global=False)
            case gast.FunctionDef() | gast.AsyncFunctionDef():
                self._function(node)
            case gast.ClassDef():
                self._class(node)
            case _:
                self._unit(node, node)
        if isinstance(node, gast.If | gast.While | gast.For):
            self.scope.spans[node] = (first, len(self.scope.units))

    def _declare(self, names: list[str], *, is_global: bool) -> None:
        for name in names:
            if is_global:
                self.scope.globals |= self.scope.bit(name)
            else:
                self.scope.nonlocals |= self.scope.bit(name)

    def _try(self, node: gast.Try | gast.TryStar) -> None:
        self._block(node.body)
        for handler in node.handlers:
            access = self._unit(handler, handler.type)
            if handler.name is not None:
                bit = self.scope.bit(handler.name.id)
                access.writes |= bit
                access.sure |= bit
                self.scope.handlers |= bit
                self.scope.deleted |= bit
            self._block(handler.body)
        self._block(node.orelse)
        self._block(node.finalbody)

    def _match(self, node: gast.Match) -> None:
        self._unit(node.subject, node.subject)
        for case in node.cases:
            access = self._unit(case, case.guard)
            for part in gast.walk(case.pattern):
                self._pattern(part, access)
            self._block(case.body)

    def _pattern(self, part: gast.AST, access: Access) -> None:
        name = getattr(part, "rest", None) if isinstance(part, gast.MatchMapping) else getattr(part, "name", None)
        if isinstance(name, str):
            access.writes |= self.scope.bit(name)
            self.scope.rebound |= self.scope.bit(name)
        elif isinstance(part, gast.Name):
            self._name(part, access, sure=False)

    def _function(self, node: gast.FunctionDef | gast.AsyncFunctionDef) -> None:
        access = self._unit(node, None)
        for part in (*node.decorator_list, *header_of(node)):
            self._expression(part, access)
        self._bind(node.name, access)
        self._child(node)

    def _class(self, node: gast.ClassDef) -> None:
        access = self._unit(node, None)
        for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self._expression(part, access)
        for statement in node.body:
            self._class_part(statement, access)
        self._bind(node.name, access)

    def _class_part(self, node: gast.AST, access: Access) -> None:
        # A class body reads our names, but its own are invisible to the functions in it.
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            self._child(node)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            access.reads |= self.scope.bit(node.id)
        access.calls = access.calls or isinstance(node, gast.Call)
        if not isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            for child in gast.iter_child_nodes(node):
                self._class_part(child, access)

    def _bind(self, name: str, access: Access) -> None:
        bit = self.scope.bit(name)
        access.writes |= bit
        access.sure |= bit
        self.scope.rebound |= bit

    def _child(self, node: Function) -> None:
        self.scope.children[node] = _Collector(node, self.scope, self._found, self._removed).scope

    # expressions

    def _unit(self, key: gast.AST, part: gast.AST | None) -> Access:
        access = Access()
        self.scope.units.append(access)
        self.scope.access[key] = access
        if part is not None:
            self._expression(part, access)
        return access

    def _expression(
        self,
        node: gast.AST,
        access: Access,
        hidden: frozenset[str] = frozenset(),
        sure: bool = True,
        thunk: bool = False,
    ) -> None:
        match node:
            case gast.Name():
                if node.id not in hidden:
                    self._name(node, access, sure=sure, thunk=thunk)
            case gast.Constant() | gast.expr_context() | gast.operator() | gast.cmpop():
                pass
            case gast.BoolOp(values=[first, *others]):
                self._expression(first, access, hidden, sure, True)
                for other in others:
                    self._expression(other, access, hidden, False, True)
            case gast.IfExp():
                self._expression(node.test, access, hidden, sure, thunk)
                self._expression(node.body, access, hidden, False, True)
                self._expression(node.orelse, access, hidden, False, True)
            case gast.Compare(comparators=[_, _, *_]):
                self._expression(node.left, access, hidden, sure, thunk)
                for comparator in node.comparators:
                    self._expression(comparator, access, hidden, False, True)
            case gast.Assert(msg=gast.expr() as message):
                self._expression(node.test, access, hidden, sure, thunk)
                self._expression(message, access, hidden, False, True)
            case gast.Lambda():
                for part in header_of(node):
                    self._expression(part, access, hidden, sure, thunk)
                self._child(node)
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                self._comprehension(node, access, hidden, thunk)
            case gast.AnnAssign(target=gast.Name() as target, value=None):  # it makes the name local, no more
                access.writes |= self.scope.bit(target.id)
                self.scope.rebound |= self.scope.bit(target.id)
            case gast.AugAssign(target=gast.Name() as target):
                self._expression(node.value, access, hidden)
                access.reads |= self.scope.bit(target.id)
                access.loads.append(target)
                self._name(target, access, sure=True)
            case gast.Import() | gast.ImportFrom():
                for alias in node.names:
                    self._bind(alias.asname or alias.name.split(".")[0], access)
            case _:
                if isinstance(node, gast.Call):
                    access.calls = True
                elif isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
                    access.attributes.append(node)
                for child in gast.iter_child_nodes(node):
                    self._expression(child, access, hidden, sure, thunk)

    def _name(self, node: gast.Name, access: Access, *, sure: bool, thunk: bool = False) -> None:
        bit = self.scope.bit(node.id)
        if isinstance(node.ctx, gast.Load):
            access.reads |= bit
            access.loads.append(node)
            return
        access.writes |= bit
        self.scope.rebound |= bit
        if isinstance(node.ctx, gast.Del):
            self.scope.deleted |= bit
            access.reads |= bit
            access.loads.append(node)
        elif sure:
            access.sure |= bit
        if thunk:
            self.scope.in_thunk |= bit

    def _comprehension(self, node: gast.expr, access: Access, hidden: frozenset[str], thunk: bool) -> None:
        assert isinstance(node, COMPREHENSIONS)
        first = node.generators[0]
        self._expression(first.iter, access, hidden, False, thunk)
        inner = hidden | {
            part.id
            for generator in node.generators
            for part in gast.walk(generator.target)
            if isinstance(part, gast.Name)
        }
        before = access.reads
        access.reads = 0
        for generator in node.generators:
            parts = [*generator.ifs] if generator is first else [generator.iter, *generator.ifs]
            for part in (generator.target, *parts):
                self._expression(part, access, inner, False, True)
        for part in (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,):
            self._expression(part, access, inner, False, True)
        if isinstance(node, gast.GeneratorExp):  # it may run later
            self.scope.captured |= access.reads
        access.reads |= before


def header_of(node: Function) -> Iterator[gast.expr]:
    """The expressions of a function's header that are evaluated where it is defined."""
    yield from node.args.defaults
    yield from (default for default in node.args.kw_defaults if default is not None)
    if isinstance(node, gast.Lambda):
        return
    if node.returns is not None:
        yield node.returns
    for parameter in parameters_of(node.args):
        if parameter.annotation is not None:
            yield parameter.annotation


def parameters_of(args: gast.arguments) -> Iterator[gast.Name]:
    """The parameters of a function, in the order of its header."""
    listed = (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg)
    return (parameter for parameter in listed if parameter is not None)
