"""Equal programs: every rule leaves a function's results as they are; a compiler that tells equal functions apart is found."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from vitrify.jit import function as jit_function
from vitrify.testing.functions import random_arguments, random_function
from vitrify.testing.fuzz import KINDS, check_pair, fuzz, random_pair
from vitrify.testing.fuzz.equal import RENAMED, Pair, rewritten
from vitrify.testing.fuzz.equal_rules import EXPRESSIONS, STATEMENTS
from vitrify.testing.fuzz.functions import equal, load_function, outcome

RULES = sorted([RENAMED, *EXPRESSIONS, *STATEMENTS])


@pytest.mark.parametrize("first", [50_000, 50_003])
def test_equal_functions_agree(first: int) -> None:
    report = fuzz(["equal"], seed=first, count=3)
    assert not report.found, str(report)
    assert report.counts["equal", "equal"] >= 2


@pytest.mark.parametrize("name", RULES)
def test_each_rule_fits_somewhere_and_changes_nothing(name: str) -> None:
    """In eager mode, over functions that it rewrites at three places each."""
    texts = (ast.unparse(ast.parse(random_function(seed, size=10))) for seed in range(100))
    if name == "else_as_rest":
        texts = (rewritten(text, [("rest_as_else", 0.5)]) for text in texts)
    pairs = ((text, rewritten(text, [(name, place) for place in (0.1, 0.5, 0.9)])) for text in texts)
    tried = list(islice(((text, other) for text, other in pairs if other != text), 3))
    assert len(tried) == 3
    for seed, (text, other) in enumerate(tried):
        for call in random_arguments(seed, 2):
            one, two = (outcome(load_function(t, f"<{seed}>"), call) for t in (text, other))
            assert type(one) is type(two), (one, two)
            if not isinstance(one, Exception):
                assert equal(one[0], two[0])
                assert equal(one[1], two[1])


def test_a_pair_is_made_again_from_its_seed() -> None:
    assert random_pair(5) == random_pair(5) != random_pair(6)
    assert random_pair(5).other == random_pair(5).other


TEXT = """
def f(x, y, k, m):
    v1 = x * 0.5
    if m > 100:
        v1 = v1 * 2.0
    return v1, y
"""


def test_a_compiler_that_tells_equal_functions_apart_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = jit_function.StaticFunction.__call__

    def wrong(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, *args, **kwargs)
        return (made[0] * 1.5, *made[1:]) if "r1" in self.__wrapped__.__code__.co_varnames else made

    monkeypatch.setattr(jit_function.StaticFunction, "__call__", wrong)
    pair = Pair(TEXT, (("commute", 0.0), ("temporary", 0.0), ("dict", 0.5)))
    kind = KINDS["equal"]
    assert kind.fails(pair, 0, "rewritten and compiled")
    small = kind.shrink(pair, 0, "rewritten and compiled")
    assert [name for name, _ in small.steps] in (["temporary"], ["commute", "temporary"])
    assert "m > 100" not in small.text
    script = kind.script(small, 0, "rewritten and compiled")
    scope: dict[str, Any] = {}
    exec(compile(script, "script.py", "exec"), scope)
    assert "# by " in script
    monkeypatch.undo()
    scope["test_equal_functions_agree"]()


def test_functions_that_are_not_equal_disagree() -> None:
    with pytest.raises(AssertionError, match="eager"):
        check_pair(TEXT, TEXT.replace("0.5", "0.25"), 0)


def test_scripts_are_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(
        EXPRESSIONS, "commute", lambda node, fresh: ast.Constant(3) if isinstance(node, ast.BinOp) else None
    )
    monkeypatch.setattr("vitrify.testing.fuzz.equal.random_function", lambda seed, size: TEXT)
    monkeypatch.setattr("vitrify.testing.fuzz.run.random_pair", lambda seed: Pair(TEXT, (("commute", 0.0),)))
    report = fuzz(["equal"], seed=1, count=1, into=tmp_path)
    assert [kind for kind, _, _ in report.found] == ["equal"]
    assert "check_pair(ONE, OTHER, 1)" in report.scripts[0].read_text()
