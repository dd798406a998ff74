"""Random functions of branches and loops: which gradients there are, and what they are, as in eager mode, on each path."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.testing.fuzz.functions import load_function

SEEDS = range(int(os.environ.get("VITRIFY_FUZZ_SEED", "0")), int(os.environ.get("VITRIFY_FUZZ_SEED", "0")) + 24)
LEAVES = ("x", "y", "p")
PATHS = [(c, d, n) for c in (1.0, -1.0) for d in (1.0, -1.0) for n in (0, 1, 3)]


class Source:
    """The text of a function of three leaves; inside: it calls backward() itself."""

    def __init__(self, seed: int, inside: bool) -> None:
        self.random, self.inside = random.Random(seed), inside

    def text(self) -> str:
        """The whole function."""
        end = "(a + b).sum().backward()" if self.inside else "return a.sum(), b.sum()"
        lines = ["def f(x, y, p, c, d, n):", "    a, b = x * 1.0, y * 0.5", *self.block("    ", 0, 3), f"    {end}"]
        return "\n".join(["import vitrify as vt", "", *lines, ""])

    def expression(self) -> str:
        """A new value of a variable."""
        own, any_ = self.random.choice("ab"), self.random.choice(("a", "b", *LEAVES))
        other = self.random.choice(("a", "b", *LEAVES))
        return self.random.choice((
            f"{own} + {any_}", f"{own} * {any_}", f"vt.tanh({any_})", f"{any_} * 0.5", f"{own}.detach() + {any_}",
            f"{own} - {any_} * 0.5", f"vt.concat([{any_}[:1], {other}[1:]])", f"vt.where(c > 0, {any_}, {other})",
        ))  # fmt: skip

    def block(self, indent: str, depth: int, budget: int) -> list[str]:
        """Statements; depth: of loops around, budget: of blocks inside."""
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(indent, depth, budget)]

    def statement(self, indent: str, depth: int, budget: int) -> list[str]:
        """One of them."""
        kind, inner = self.random.randrange(10), indent + "    "
        conditions = ["c > 0", "d > 0", "n > 1"] + ["i % 2 == 0", "i > 0"] * bool(depth)
        if budget and kind in (5, 6):
            found = [f"{indent}if {self.random.choice(conditions)}:", *self.block(inner, depth, budget - 1)]
            return found + [f"{indent}else:", *self.block(inner, depth, budget - 1)] * self.random.randrange(2)
        if budget and kind in (7, 8) and depth < 2:
            count = self.random.choice(("n", "n - 1", "2"))
            found = [f"{indent}for i in range({count}):", *self.block(inner, depth + 1, budget - 1)]
            return found + [f"{inner}if d * i > 0:", f"{inner}    break"] * (self.random.random() < 0.2)
        if self.inside and kind == 9 and not depth:
            product = f"({self.random.choice('ab')} * {self.random.choice(LEAVES)})"
            return [f"{indent}{product}.sum().backward(retain_graph=True)"]
        return [f"{indent}{self.random.choice('ab')} = {self.expression()}"]


def gradients(fn: Callable[..., Any], c: float, d: float, n: int) -> list[Any]:
    """Of the leaves on one path; without `backward()` in the function, through one of its results or both."""
    given = [vt.to_tensor(np.array(v, "float32"), stop_gradient=False) for v in ([0.1, 0.2], [0.3, 0.4], [0.5, 0.25])]
    results = fn(*given, vt.to_tensor(c), vt.to_tensor(d), vt.to_tensor(n))
    if results is not None:
        chosen = results if n == 1 else results[:1] if c > 0 else results[1:]
        found = [r for r in chosen if not r.stop_gradient]
        if found:
            sum(found[1:], found[0]).backward()
    return [None if x.grad is None else x.grad.numpy() for x in given]


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_are_those_of_eager_mode(seed: int) -> None:
    text = Source(seed, inside=seed % 2 == 0).text()
    eager, compiled = load_function(text, f"<eager {seed}>"), vt.to_static(load_function(text, f"<compiled {seed}>"))
    for path in PATHS:
        for name, a, b in zip(LEAVES, gradients(eager, *path), gradients(compiled, *path), strict=True):
            told = f"seed {seed}, path {path}, the gradient of {name}\n{text}"
            assert (a is None) is (b is None), told
            if a is not None:
                np.testing.assert_allclose(b, a, rtol=1e-3, atol=1e-4, err_msg=told)
