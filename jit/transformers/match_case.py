"""`match` over constants and sequences -> `if`/`elif`; every other `match` stays, for it looks at Python values only.

match mode:                      subject_1 = mode
    case "mean" | "avg":  ->     if subject_1 == "mean" or subject_1 == "avg":
        …                            …
    case [x, *_]:                elif vt_rt.has_length(subject_1, 1, True):
        …                            x = subject_1[0]; …
    case _:                      else:
        …                            …
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..source.names import Names
from ..source.template import place
from .nodes import assign, constant, load, store

Read = Callable[[], ast.expr]  # a new expression that reads a part of the subject


@dataclass(slots=True)
class _Taken:
    """What a pattern asks of the subject, and the names that it binds."""

    rt: str
    tests: list[ast.expr] = field(default_factory=list)
    bound: list[tuple[str, ast.expr]] = field(default_factory=list)

    def take(self, pattern: ast.pattern, read: Read) -> None:
        """Collect the questions of a pattern about what `read` gives."""
        match pattern:
            case ast.MatchValue(value=value):
                self.tests.append(_compare(read(), ast.Eq(), value, pattern))
            case ast.MatchSingleton(value=value):
                self.tests.append(_compare(read(), ast.Is(), constant(value, pattern), pattern))
            case ast.MatchOr(patterns=patterns):
                parts = _Taken(self.rt)
                for part in patterns:
                    parts.take(part, read)
                self.tests.append(place(ast.BoolOp(ast.Or(), parts.tests), pattern))
            case ast.MatchAs(name=str(name)):
                self.bound.append((name, read()))
            case ast.MatchSequence(patterns=patterns):
                self._take_parts(patterns, read, pattern)

    def _take_parts(self, parts: Sequence[ast.pattern], read: Read, at: ast.AST) -> None:
        star = next((k for k, part in enumerate(parts) if isinstance(part, ast.MatchStar)), None)
        count = len(parts) - (star is not None)
        asked: ast.expr = place(ast.Attribute(load(self.rt, at), "has_length", ast.Load()), at)
        given = [read(), constant(count, at), constant(star is not None, at)]
        self.tests.append(place(ast.Call(asked, given, []), at))
        for k, part in enumerate(parts):
            if isinstance(part, ast.MatchStar):
                if part.name is not None:
                    self.bound.append((part.name, _stretch(read(), k, k + 1 - len(parts), at)))
                continue
            number = k if star is None or k < star else k - len(parts)
            self.take(part, _part_of(read, number, at))


def as_if(node: ast.Match, names: Names, rt: str) -> list[ast.stmt]:
    """The equivalent `if` statement, or nothing where a pattern takes other values apart."""
    if not all(_is_simple(case.pattern) for case in node.cases):
        return []
    subject = names.fresh("subject")
    return [assign(subject, node.subject, node), *_chain(node.cases, subject, rt)]


def _is_simple(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchValue() | ast.MatchSingleton() | ast.MatchAs(pattern=None):
            return True
        case ast.MatchOr(patterns=patterns):
            return all(isinstance(part, ast.MatchValue | ast.MatchSingleton) for part in patterns)
        case ast.MatchSequence(patterns=patterns):
            return all(isinstance(part, ast.MatchStar) or _is_simple(part) for part in patterns)
    return False


def _chain(cases: Sequence[ast.match_case], subject: str, rt: str) -> list[ast.stmt]:
    if not cases:
        return []
    case, *others = cases
    at = case.pattern
    taken = _Taken(rt)
    taken.take(at, lambda: load(subject, at))
    bound = [assign(name, value, at) for name, value in taken.bound]
    if case.guard is None:
        test = _all(taken.tests, at)
        inside = [*bound, *case.body]
        return inside if test is None else [_if(test, inside, _chain(others, subject, rt), at)]
    if not taken.tests:  # a pattern that takes everything, with a guard
        return [*bound, _if(case.guard, case.body, _chain(others, subject, rt), at)]
    named: list[ast.expr] = [place(ast.NamedExpr(store(name, at), value), at) for name, value in taken.bound]
    binding: list[ast.expr] = [place(ast.Tuple(named, ast.Load()), at)] if named else []
    test = _all([*taken.tests, *binding, case.guard], at)
    assert test is not None
    return [_if(test, case.body, _chain(others, subject, rt), at)]


def _if(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.If(test, body, orelse), at)


def _all(tests: list[ast.expr], at: ast.AST) -> ast.expr | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return place(ast.BoolOp(ast.And(), tests), at)


def _part_of(read: Read, number: int, at: ast.AST) -> Read:
    return lambda: place(ast.Subscript(read(), constant(number, at), ast.Load()), at)


def _stretch(whole: ast.expr, first: int, last: int, at: ast.AST) -> ast.expr:
    """The items of a starred name, as a list."""
    bounds = ast.Slice(constant(first, at), constant(last, at) if last else None)
    part: ast.expr = place(ast.Subscript(whole, place(bounds, at), ast.Load()), at)
    return place(ast.List([place(ast.Starred(part, ast.Load()), at)], ast.Load()), at)


def _compare(value: ast.expr, operator: ast.cmpop, other: ast.expr, at: ast.AST) -> ast.expr:
    return place(ast.Compare(value, [operator], [other]), at)
