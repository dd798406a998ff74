"""`match` over constants -> `if`/`elif`; every other `match` stays, for it looks at Python values only.

match mode:                      subject_1 = mode
    case "mean" | "avg":  ->     if subject_1 == "mean" or subject_1 == "avg":
        …                            …
    case _:                      else:
        …                            …
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..source.names import Names
from ..source.template import place
from .nodes import assign, both, constant, load


def as_if(node: ast.Match, names: Names) -> list[ast.stmt]:
    """The equivalent `if` statement, or nothing where a pattern takes values apart."""
    if not all(_is_simple(case) for case in node.cases):
        return []
    subject = names.fresh("subject")
    return [assign(subject, node.subject, node), *_chain(node.cases, subject)]


def _is_simple(case: ast.match_case) -> bool:
    match case.pattern:
        case ast.MatchValue() | ast.MatchSingleton() | ast.MatchAs(pattern=None):
            return True
        case ast.MatchOr(patterns=patterns):
            return all(isinstance(pattern, ast.MatchValue | ast.MatchSingleton) for pattern in patterns)
    return False


def _chain(cases: Sequence[ast.match_case], subject: str) -> list[ast.stmt]:
    if not cases:
        return []
    case, *others = cases
    tests = [test for test in (_test(case.pattern, subject), case.guard) if test is not None]
    bound = _bound(case.pattern, subject)
    if not tests:
        return [*bound, *case.body]
    if bound:  # a pattern that takes everything, with a guard
        return [*bound, ast.copy_location(ast.If(tests[0], case.body, _chain(others, subject)), case.pattern)]
    test = tests[0] if len(tests) == 1 else both(tests[0], tests[1], case.pattern)
    return [ast.copy_location(ast.If(test, case.body, _chain(others, subject)), case.pattern)]


def _bound(pattern: ast.pattern, subject: str) -> list[ast.stmt]:
    if isinstance(pattern, ast.MatchAs) and pattern.name is not None:
        return [assign(pattern.name, load(subject, pattern), pattern)]
    return []


def _test(pattern: ast.pattern, subject: str) -> ast.expr | None:
    match pattern:
        case ast.MatchValue(value=value):
            return _compare(subject, ast.Eq(), value, pattern)
        case ast.MatchSingleton(value=value):
            return _compare(subject, ast.Is(), constant(value, pattern), pattern)
        case ast.MatchOr(patterns=patterns):
            tests = [test for part in patterns if (test := _test(part, subject))]
            return place(ast.BoolOp(ast.Or(), tests), pattern)
    return None


def _compare(subject: str, operator: ast.cmpop, value: ast.expr, at: ast.AST) -> ast.expr:
    return place(ast.Compare(load(subject, at), [operator], [value]), at)
