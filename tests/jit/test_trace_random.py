"""Random functions over tensors with every kind of control flow: eager = program, values and gradients."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from vitrify.dygraph.modes import no_grad
from vitrify.dygraph.tensor import Parameter, Tensor
from vitrify.jit.api import to_static

VECTORS = "xyz"
NUMBERS = "ijk"


class Writer:
    """Writes one random function of a vector x, and integers k and a."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.budget = 18

    def function(self) -> str:
        self.lines = [
            "def f(x, k, a):",
            "    y = x * 0.5",
            "    z = x + 1.0",
            "    i = 1",
            "    j = a",
            "    fuel = 12",
        ]
        self.block(1, in_loop=False)
        self.put(1, f"return {self.vector()}, {self.number()}")
        return "\n".join(self.lines) + "\n"

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def block(self, depth: int, *, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, in_loop)

    def statement(self, depth: int, in_loop: bool) -> None:
        self.budget -= 1
        kinds = ["vector"] * 4 + ["number"] * 2 + ["in_place", "buffer"]
        if in_loop:
            kinds += ["jump"]
        if depth < 5 and self.budget > 0:
            kinds += ["branch"] * 5 + ["loop"] * 3 + ["result"]
        getattr(self, self.random.choice(kinds) + "_")(depth, in_loop)

    def vector_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"{self.pick('y', 'z')} = {self.vector()}")

    def number_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"{self.pick('i', 'j')} = {self.number()}")

    def in_place_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, self.pick("y = y * 1.0", "y = (y + z) * 0.5"))
        self.put(depth, self.pick("y[0] = 0.25", "y += z * 0.1", "y[1:] = z[1:]", "y *= 0.5"))

    def buffer_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, "with no_grad(): buffer.set_value(buffer * 0.5 + 1.0)")
        self.put(depth, f"z = z * {self.pick('0.5', '(buffer + 0.0)', 'w')}")

    def jump_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"if {self.test()}:")
        self.put(depth + 1, self.pick("break", "continue", f"return {self.vector()}, {self.number()}"))

    def result_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"if {self.test()}:")
        self.put(depth + 1, f"return {self.vector()}, {self.number()}")

    def branch_(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"if {self.test()}:")
        self.block(depth + 1, in_loop=in_loop)
        if self.random.random() < 0.3:
            self.put(depth, f"elif {self.test()}:")
            self.block(depth + 1, in_loop=in_loop)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop=in_loop)

    def loop_(self, depth: int, in_loop: bool) -> None:
        head = self.pick(
            f"for {self.pick('i', 'j')} in range(k):", "for j in range(2):", f"while {self.test()}:", "while True:",
            "for v, q in enumerate(x):", "for j in range(2, -1, -1):",
        )  # fmt: skip
        self.put(depth, head)
        self.put(depth + 1, "fuel = fuel - 1")
        self.put(depth + 1, "if fuel < 0: break")
        self.block(depth + 1, in_loop=True)
        if self.random.random() < 0.3:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop=in_loop)

    def vector(self) -> str:
        a, b = self.random.choice(VECTORS), self.random.choice(VECTORS)
        return self.pick(
            a, f"({a} + {b}) * 0.5", f"({a} * {b}).tanh()", f"{a} * {self.pick('w', '0.9', '(buffer + 0.0)')}",
            f"{a} - {b}.detach()",
            f"({a} if {self.test()} else {b})", f"{a} + {self.pick('i', 'j', '1')} * 0.1",
        )  # fmt: skip

    def number(self) -> str:
        a, b = self.random.choice(NUMBERS), self.random.choice(NUMBERS)
        return self.pick(a, f"{a} + 1", f"{a} - {b}", "2", f"(i if {self.test()} else {b})", f"{a} % 3")

    def test(self) -> str:
        a, b = self.random.choice(VECTORS), self.random.choice(NUMBERS)
        c = self.random.choice(NUMBERS)
        simple = self.pick(f"{a}.sum() > 0.3", f"{b} < {c}", f"{b} == 1", f"{a}[0] > {a}[1]", "a > 1", "k > 1")
        return self.pick(
            simple,
            simple,
            f"not ({simple})",
            f"{a}.sum() < 1.0 and {simple}",
            f"{b} > 0 or {simple}",
            f"0 < {b} <= {c}",
        )


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_eager_equals_program(start: int, from_text: Any, agrees: Any) -> None:
    for seed in range(start, start + 20):
        check(seed, from_text, agrees)


def check(seed: int, from_text: Any, agrees: Any) -> None:
    text = Writer(seed).function()
    buffer = Tensor(np.array([1.0, 0.5, 0.25], "float32"))
    w = Parameter(np.array([0.9, 1.1, 0.7], "float32"), name=f"w{seed}")
    module = from_text(text, buffer=buffer, w=w, no_grad=no_grad)
    numbers = random.Random(seed)
    for grad in (False, True):
        x = Tensor(np.array([numbers.uniform(-1, 1) for _ in range(3)], "float32"), stop_gradient=not grad)
        try:
            agrees(module.f, x, Tensor(np.array(numbers.randint(0, 3))), numbers.randint(0, 3), gradients=grad)
        except Exception as error:
            error.add_note(f"seed {seed}:\n{text}")
            raise


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_compiled_equals_eager(start: int, from_text: Any) -> None:
    for seed in range(start, start + 10):
        text = Writer(seed).function()
        numbers = random.Random(seed)
        x = np.array([numbers.uniform(-1, 1) for _ in range(3)], "float32")
        k, a = numbers.randint(0, 3), numbers.randint(0, 3)
        (want, left), (got, right) = (_run(text, from_text, x, k, a, wrap) for wrap in (lambda fn: fn, to_static))
        for one, other in zip(want, got, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed}:\n{text}")
        assert left == right


def _run(text: str, from_text: Any, x: Any, k: int, a: int, wrap: Any) -> tuple[list[Any], int]:
    """The result, the buffer, and the gradients of x and w."""
    buffer = Tensor(np.array([1.0, 0.5, 0.25], "float32"))
    w = Parameter(np.array([0.9, 1.1, 0.7], "float32"), name="w")
    given = Tensor(x, stop_gradient=False)
    module = from_text(text, buffer=buffer, w=w, no_grad=no_grad)
    vector, number = wrap(module.f)(given, Tensor(np.array(k)), a)
    if not vector.stop_gradient:
        vector.sum().backward()
    grads = [np.zeros(3) if t.grad is None else t.grad.numpy() for t in (given, w)]
    return [vector.numpy(), buffer.numpy(), *grads], int(number)
