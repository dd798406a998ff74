"""Liveness and definite assignment, asked directly."""

from __future__ import annotations

import textwrap

import gast
import pytest

from vitrify.jit.analysis import Removed, facts_of


def _facts(text):
    tree = gast.parse(textwrap.dedent(text)).body[0]
    facts = facts_of(tree, Removed())
    return tree, facts, facts.scopes[tree]


def _first(tree, kind):
    return next(node for node in gast.walk(tree) if isinstance(node, kind))


LIVE = [
    ("def f(c):\n if c:\n  x = 1\n  y = 2\n return x", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n  y = 2\n x = 3\n return x", gast.If, set()),
    ("def f(c):\n if c:\n  x = 1\n if c:\n  x = 3\n return x", gast.If, {"x", "c"}),
    ("def f(c):\n if c:\n  x = 1\n return lambda: x", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n return (x for _ in c)", gast.If, {"x", "c"}),
    ("def f(n):\n while n:\n  x = n\n  n = x - 1", gast.While, {"n"}),
    ("def f(n):\n while n:\n  n = n - 1\n  x = n\n return x", gast.While, {"n", "x"}),
    ("def f(n):\n p = 0\n for i in n:\n  q = p\n  p = i", gast.For, {"p"}),
    ("def f(n):\n for i in n:\n  pass\n return i", gast.For, {"i"}),
    ("def f(c):\n try:\n  if c:\n   x = 1\n  x = g()\n except E:\n  return x", gast.If, {"x", "E", "g"}),
    ("def f(c):\n try:\n  if c:\n   x = 1\n finally:\n  print(x)", gast.If, {"x", "print"}),
    ("def f(c):\n with c:\n  if c:\n   x = 1\n  x = g()\n return x", gast.If, {"x", "g"}),
    ("def f(c):\n if c:\n  global x\n  x = 1", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n [x for x in c]", gast.If, {"c"}),
    ("def f(c):\n if c:\n  x = 1\n [x for x in x]", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n x += 1", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n del x", gast.If, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n c and (x := 2)\n return x", gast.If, {"c", "x"}),
    ("def f(c):\n if c:\n  x = 1\n (x := 2)\n return x", gast.If, set()),
]


@pytest.mark.parametrize(("text", "kind", "names"), LIVE)
def test_live(text, kind, names):
    tree, facts, scope = _facts(text)
    node = _first(tree, kind)
    assert set(scope.named(facts.live[node])) == names


UNDEFINED = [
    ("def f(c):\n if c:\n  x = 1\n return x", {"x"}, {"x"}),
    ("def f(c):\n x = 0\n if c:\n  x = 1\n return x", set(), set()),
    ("def f(c):\n if c:\n  x = 1\n else:\n  x = 2\n return x", {"x"}, set()),
    ("def f(c):\n if c:\n  raise E\n else:\n  x = 2\n return x", {"x"}, set()),
    ("def f(c):\n for x in c:\n  pass\n return x", {"x"}, {"x"}),
    ("def f(c):\n while c:\n  x = 1\n  c = x", {"x"}, set()),
    ("def f(x):\n if x:\n  del x\n return x", {"x"}, {"x"}),
    ("def f(c):\n try:\n  x = g()\n except E:\n  x = 1\n if c:\n  x = 2\n return x", set(), set()),
    ("def f(c):\n try:\n  x = g()\n except E:\n  pass\n if c:\n  x = 2\n return x", {"x"}, {"x"}),
    ("def f(c):\n try:\n  pass\n finally:\n  x = 1\n if c:\n  x = 2\n return x", set(), set()),
    ("def f(c):\n y = c and (x := 1)\n return x", {"x"}, {"x"}),
    ("def f(c):\n with c as x:\n  if c:\n   x = 1\n return x", set(), set()),
    ("def f(c):\n with c:\n  x = 0\n if c:\n  x = 1\n return x", {"x"}, {"x"}),
    ("def f(c):\n if c:\n  x = 1\n return lambda: x", {"x"}, {"x"}),
]


@pytest.mark.parametrize(("text", "undefined", "checked"), UNDEFINED)
def test_undefined_and_checked(text, undefined, checked):
    _, facts, scope = _facts(text)
    assert set(scope.named(facts.definitions[scope].undefined)) == undefined
    assert {name.id for name in facts.loads} == checked
