"""`match` over constants and sequences -> `if`/`elif`; every other `match` stays, for it looks at Python values only.
If it has guards, or constants inside of patterns of classes and mappings, Python says of each of its patterns whether
it fits, and the guard, or whether the part equals the constant, is asked afterwards.

match mode:                      subject_1 = mode
    case "mean" | "avg":  ->     if subject_1 == "mean" or subject_1 == "avg":
        …                            …
    case [x, *_]:                elif vt_rt.has_length(subject_1, 1, True):
        …                            x = subject_1[0]; …
    case _:                      else:
        …                            …
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from ..source.names import Names
from ..source.template import place
from .nodes import assign, constant, load, store

# classes of what a program may have open, as code calls them
_OPEN_CLASSES = {"int", "float", "bool", "Tensor", "ndarray", "Number", "Complex", "Real", "Rational", "Integral"}
Read = Callable[[], gast.expr]  # a new expression that reads a part of the subject


@dataclass(slots=True)
class _Taken:
    """What a pattern asks of the subject, and the names that it binds."""

    rt: str
    tests: list[gast.expr] = field(default_factory=list)
    bound: list[tuple[str, gast.expr]] = field(default_factory=list)

    def take(self, pattern: gast.pattern, read: Read) -> None:
        """Collect the questions of a pattern about what `read` gives."""
        match pattern:
            case gast.MatchValue(value=value):
                self.tests.append(_compare(read(), gast.Eq(), value, pattern))
            case gast.MatchSingleton(value=value):
                self.tests.append(_compare(read(), gast.Is(), constant(value, pattern), pattern))
            case gast.MatchOr(patterns=patterns):
                parts = _Taken(self.rt)
                for part in patterns:
                    parts.take(part, read)
                self.tests.append(place(gast.BoolOp(gast.Or(), parts.tests), pattern))
            case gast.MatchAs(name=str(name)):
                self.bound.append((name, read()))
            case gast.MatchSequence(patterns=patterns):
                self._take_parts(patterns, read, pattern)

    def _take_parts(self, parts: Sequence[gast.pattern], read: Read, at: gast.AST) -> None:
        star = next((k for k, part in enumerate(parts) if isinstance(part, gast.MatchStar)), None)
        count = len(parts) - (star is not None)
        asked: gast.expr = place(gast.Attribute(load(self.rt, at), "has_length", gast.Load()), at)
        given = [read(), constant(count, at), constant(star is not None, at)]
        self.tests.append(place(gast.Call(asked, given, []), at))
        for k, part in enumerate(parts):
            if isinstance(part, gast.MatchStar):
                if part.name is not None:
                    self.bound.append((part.name, _stretch(read(), k, k + 1 - len(parts), at)))
                continue
            number = k if star is None or k < star else k - len(parts)
            self.take(part, _part_of(read, number, at))


def with_open_classes(node: gast.Match, names: Names, rt: str) -> tuple[list[gast.stmt], gast.Match]:
    """The statement with other classes in place of those of numbers, tensors and arrays, and what makes these: what
    stands for a number in a program is none of Python's.
    """
    if not any(_is_open_class(part) for case in node.cases for part in gast.walk(case.pattern)):
        return [], node
    node, made = copy.deepcopy(node), list[gast.stmt]()
    patterns: list[Any] = [part for case in node.cases for part in gast.walk(case.pattern) if _is_open_class(part)]
    for pattern in patterns:
        name = names.fresh("class")
        asked: gast.expr = place(gast.Attribute(load(rt, pattern), "pattern_class", gast.Load()), pattern)
        made.append(assign(name, place(gast.Call(asked, [pattern.cls], []), pattern), pattern))
        pattern.cls = load(name, pattern)
    return made, node


def _is_open_class(pattern: Any) -> bool:
    if not isinstance(pattern, gast.MatchClass):
        return False
    return getattr(pattern.cls, "id", getattr(pattern.cls, "attr", None)) in _OPEN_CLASSES


def as_if(node: gast.Match, names: Names, rt: str) -> list[gast.stmt]:
    """The equivalent `if` statement, or nothing where patterns without guards take other values apart."""
    others = [case for case in node.cases if not _is_simple(case.pattern)]
    is_asked = any(case.guard is not None or _has_values(case.pattern) for case in node.cases)
    if others and not is_asked:
        return []
    subject = names.fresh("subject")
    return [assign(subject, node.subject, node), *_chain(node.cases, subject, names, rt)]


def _is_simple(pattern: gast.pattern) -> bool:
    match pattern:
        case gast.MatchValue() | gast.MatchSingleton() | gast.MatchAs(pattern=None):
            return True
        case gast.MatchOr(patterns=patterns):
            return all(isinstance(part, gast.MatchValue | gast.MatchSingleton) for part in patterns)
        case gast.MatchSequence(patterns=patterns):
            return all(isinstance(part, gast.MatchStar) or _is_simple(part) for part in patterns)
    return False


def _chain(cases: Sequence[gast.match_case], subject: str, names: Names, rt: str) -> list[gast.stmt]:
    if not cases:
        return []
    case, *others = cases
    at = case.pattern
    if not _is_simple(at):
        return _asked_of_python(case, others, subject, names, rt)
    taken = _Taken(rt)
    taken.take(at, lambda: load(subject, at))
    bound = [assign(name, value, at) for name, value in taken.bound]
    if case.guard is None:
        test = _all(taken.tests, at)
        inside = [*bound, *case.body]
        return inside if test is None else [_if(test, inside, _chain(others, subject, names, rt), at)]
    if not taken.tests:  # a pattern that takes everything, with a guard
        return [*bound, _if(case.guard, case.body, _chain(others, subject, names, rt), at)]
    named: list[gast.expr] = [place(gast.NamedExpr(store(name, at), value), at) for name, value in taken.bound]
    binding: list[gast.expr] = [place(gast.Tuple(named, gast.Load()), at)] if named else []
    test = _all([*taken.tests, *binding, case.guard], at)
    assert test is not None
    return [_if(test, case.body, _chain(others, subject, names, rt), at)]


def _asked_of_python(
    case: gast.match_case, others: Sequence[gast.match_case], subject: str, names: Names, rt: str
) -> list[gast.stmt]:  # fmt: skip
    """Python says whether such a pattern fits and binds its names; the guard is asked afterwards."""
    at, fits = case.pattern, names.fresh("fits")
    taken, pattern = _Taken(rt), at
    if _has_values(at):
        pattern = _opened(at, taken, names)
    way = gast.match_case(pattern, None, [assign(fits, constant(True, at), at)])
    named: list[gast.expr] = [place(gast.NamedExpr(store(name, at), value), at) for name, value in taken.bound]
    binding: list[gast.expr] = [place(gast.Tuple(named, gast.Load()), at)] if named else []
    test = _all([load(fits, at), *taken.tests, *binding, *([] if case.guard is None else [case.guard])], at)
    assert test is not None
    rest = _chain(others, subject, names, rt)
    asked: gast.stmt = place(gast.Match(load(subject, at), [way]), at)
    return [assign(fits, constant(False, at), at), asked, _if(test, case.body, rest, at)]


def _is_value(pattern: gast.pattern) -> bool:
    """Whether it is a constant, or one of several."""
    if isinstance(pattern, gast.MatchOr):
        return all(isinstance(part, gast.MatchValue | gast.MatchSingleton) for part in pattern.patterns)
    return isinstance(pattern, gast.MatchValue)


def _parts(pattern: Any) -> list[Any]:
    """What the pattern of a sequence, mapping, class or name is made of."""
    if isinstance(pattern, gast.MatchAs):
        return [] if pattern.pattern is None else [pattern.pattern]
    is_choice = isinstance(pattern, gast.MatchOr)
    return [] if is_choice else [*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())]


def _has_values(pattern: gast.pattern) -> bool:
    """Whether a pattern holds a constant at a place of its own."""
    return _is_value(pattern) or any(map(_has_values, _parts(pattern)))


def _opened(pattern: Any, taken: _Taken, names: Names) -> Any:
    """The pattern with fresh names for its constants, which `taken` asks about, and for its names."""
    if _is_value(pattern):
        name = names.fresh("part")
        taken.take(pattern, lambda: load(name, pattern))
        return place(gast.MatchAs(None, name), pattern)
    made = copy.copy(pattern)
    for key in ("name", "rest"):
        if (own := getattr(pattern, key, None)) is not None:
            setattr(made, key, fresh := names.fresh(key))
            taken.bound.append((own, load(fresh, pattern)))
    if isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        made.pattern = _opened(pattern.pattern, taken, names)
    for key in ("patterns", "kwd_patterns") if _parts(pattern) else ():
        if hasattr(pattern, key):
            setattr(made, key, [_opened(part, taken, names) for part in getattr(pattern, key)])
    return made


def _if(test: gast.expr, body: list[gast.stmt], orelse: list[gast.stmt], at: gast.AST) -> gast.stmt:
    return gast.copy_location(gast.If(test, body, orelse), at)


def _all(tests: list[gast.expr], at: gast.AST) -> gast.expr | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return place(gast.BoolOp(gast.And(), tests), at)


def _part_of(read: Read, number: int, at: gast.AST) -> Read:
    return lambda: place(gast.Subscript(read(), constant(number, at), gast.Load()), at)


def _stretch(whole: gast.expr, first: int, last: int, at: gast.AST) -> gast.expr:
    """The items of a starred name, as a list."""
    bounds = gast.Slice(constant(first, at), constant(last, at) if last else None, None)
    part: gast.expr = place(gast.Subscript(whole, place(bounds, at), gast.Load()), at)
    return place(gast.List([place(gast.Starred(part, gast.Load()), at)], gast.Load()), at)


def _compare(value: gast.expr, operator: gast.cmpop, other: gast.expr, at: gast.AST) -> gast.expr:
    return place(gast.Compare(value, [operator], [other]), at)
