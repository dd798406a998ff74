"""Equal programs: a random function, and the same one rewritten by rules that don't change what it computes.

A step is a rule's name and a place: a number from 0 to 1 that picks one of the spots where the rule fits. So the same
steps apply to a smaller function, and both functions shrink together.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.errors import CaptureError
from ...jit.api import to_static
from ..functions import random_arguments, random_function
from .checks import Coverage, Disagreement, stage, threads, verified
from .equal_rules import EXPRESSIONS, STATEMENTS
from .functions import REFUSALS, equal, load_function, outcome
from .shrink import shrink_text

Step = tuple[str, float]
RENAMED = "renamed"  # the one rule that is for the function as a whole


@dataclass(frozen=True)
class Pair:
    """A function's text and the steps that make its equal of it."""

    text: str
    steps: tuple[Step, ...]

    @property
    def other(self) -> str:
        """The text of the equal function."""
        return rewritten(self.text, self.steps)


def random_pair(seed: int) -> Pair:
    """A random function and three to eight steps; the same seed gives the same pair.

    >>> pair = random_pair(0)
    >>> pair.text != pair.other
    True
    """
    rng = random.Random(f"equal {seed}")
    names = sorted([RENAMED, *EXPRESSIONS, *STATEMENTS])
    steps = tuple((rng.choice(names), rng.random()) for _ in range(rng.randint(3, 8)))
    return Pair(random_function(seed, size=5 + seed % 7), steps)


def rewritten(text: str, steps: Sequence[Step]) -> str:
    r"""The text after these steps; a step whose rule fits nowhere leaves it as it is.

    >>> rewritten("def f(x, y, k, m):\n    return x + y", [("commute", 0.0)])
    'def f(x, y, k, m):\n    return y + x'
    """
    for number, (name, place) in enumerate(steps):
        if name == RENAMED:
            text = renamed(text, place, f"r{number}")
            continue
        tree = ast.parse(text)
        function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
        edits = _edits(name, function, f"r{number}")
        if edits:
            edits[int(place * len(edits))]()
            text = ast.unparse(ast.fix_missing_locations(tree))
    return text


def renamed(text: str, place: float, after: str) -> str:
    """A function's text with one of its local variables called otherwise."""
    tree = ast.parse(text)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names = sorted(bound - {a.arg for n in ast.walk(function) if isinstance(n, ast.arguments) for a in n.args})
    if not names:
        return text
    before = names[int(place * len(names))]
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == before:
            node.id = after
        elif isinstance(node, ast.Nonlocal):
            node.names = [after if n == before else n for n in node.names]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name == before:
            node.name = after
    return ast.unparse(tree)


def _edits(name: str, function: ast.FunctionDef, fresh: str) -> list[Callable[[], None]]:
    """What the rule could do to the function: one edit for each spot where it fits."""
    found: list[Callable[[], None]] = []
    if name in STATEMENTS:
        for body in _blocks(function):
            for k in range(len(body)):
                made = STATEMENTS[name](body, k, fresh)
                if made is not None:
                    found.append(_block_edit(body, made))
        return found
    for owner, field, index, node in _spots(function):
        new = EXPRESSIONS[name](node, fresh)
        if new is not None:
            found.append(_expression_edit(owner, field, index, new))
    return found


def _block_edit(body: list[ast.stmt], made: list[ast.stmt]) -> Callable[[], None]:
    def edit() -> None:
        body[:] = made

    return edit


def _expression_edit(owner: ast.AST, field: str, index: int | None, new: ast.expr) -> Callable[[], None]:
    def edit() -> None:
        if index is None:
            setattr(owner, field, new)
        else:
            getattr(owner, field)[index] = new

    return edit


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of a function's own scope."""
    found = []
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        items = getattr(node, name, None)
        if not isinstance(items, list):
            continue
        if items and isinstance(items[0], ast.stmt):
            found.append(items)
        for item in items:
            if not isinstance(item, ast.FunctionDef | ast.ClassDef):
                found += _blocks(item)
    return found


def _spots(node: ast.AST) -> list[tuple[ast.AST, str, int | None, ast.expr]]:
    """Where an expression is read as a value: its owner, field, position in the field, and itself."""
    found: list[tuple[ast.AST, str, int | None, ast.expr]] = []
    for field, value in ast.iter_fields(node):
        if field in ("pattern", "func", "args") and not isinstance(node, ast.Call) and field != "func":
            continue
        for k, item in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(item, ast.AST):
                continue
            plain = isinstance(item, ast.expr) and field not in ("func", "target", "targets", "iter", "context_expr")
            if plain and not any(isinstance(n, ast.NamedExpr | ast.Starred) for n in ast.walk(item)):
                found.append((node, field, k if isinstance(value, list) else None, item))  # type: ignore[arg-type]
            found += _spots(item)
    return found


def check_equal(
    text: str, steps: Sequence[Step], seed: int, coverage: Coverage | None = None, *, calls: int = 2
) -> str:
    """`check_pair` of a function and of what the steps make of it; the coverage counts the rules as constructs."""
    seen = Coverage() if coverage is None else coverage
    seen.constructs.update(name for name, _ in steps)
    return check_pair(text, rewritten(text, steps), seed, seen, calls=calls)


def check_pair(text: str, other: str, seed: int, coverage: Coverage | None = None, *, calls: int = 2) -> str:
    """Run two functions that should be equal, eagerly and compiled: "equal", or "refused" for a stated reason.

    Disagreement: values, gradients or errors of the four differ.
    """
    seen = Coverage() if coverage is None else coverage
    plain, changed = load_function(text, f"<one {seed}>"), load_function(other, f"<other {seed}>")
    one, two = (to_static(load_function(t, f"<{n} compiled {seed}>")) for t, n in ((text, "one"), (other, "other")))
    for number, call in enumerate(random_arguments(seed, calls)):
        expected = outcome(plain, call)
        _compare("eager", expected, outcome(changed, call), call)
        for name, fn in (("compiled", one), ("rewritten and compiled", two)):
            with stage(name), threads(1 + number % 2), verified():
                found = outcome(fn, call)
            if isinstance(found, CaptureError) and (reasons := [r for r in REFUSALS if r in str(found)]):
                seen.refusals[f"{name}: {reasons[0]}"] += 1
                return "refused"
            _compare(name, expected, found, call)
    return "equal"


def _compare(where: str, expected: object, found: object, call: tuple[object, ...]) -> None:
    told = f"k={call[2]}, m={call[3]}\n one  {expected}\n other {found}"
    if isinstance(expected, Exception) or isinstance(found, Exception):
        if type(expected).__name__ != type(found).__name__:
            raise Disagreement(f"{where}, {_kind(found)} instead of {_kind(expected)}", told)
        return
    assert isinstance(expected, tuple)
    assert isinstance(found, tuple)
    if not equal(expected[0], found[0]):
        raise Disagreement(where, told)
    if not all(np.allclose(a, b, rtol=1e-3, atol=1e-4) for a, b in zip(expected[1], found[1], strict=True)):
        raise Disagreement(f"{where}, gradients", told)


def _kind(made: object) -> str:
    return type(made).__name__ if isinstance(made, Exception) else "a result"


def shrink_pair(pair: Pair, fails: Callable[[Pair], bool], *, most: int = 120) -> Pair:
    """The pair with as few steps, then as few statements, as keep it failing."""
    k = 0
    while k < len(pair.steps):
        smaller = Pair(pair.text, pair.steps[:k] + pair.steps[k + 1 :])
        if fails(smaller):
            pair = smaller
        else:
            k += 1
    text = shrink_text(pair.text, lambda t: fails(Pair(t, pair.steps)), most=most)
    return Pair(text, pair.steps)
