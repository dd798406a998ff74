"""Random functions over ints, with every statement that jumps: converted equals original."""

from __future__ import annotations

import itertools
import random

import pytest

NAMES = "abcde"


class Writer:
    """Writes one random function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.budget = 26
        self.loops = 0

    def function(self) -> str:
        self.lines = ["def f(a, b):", "    c = 0", "    fuel = 60", "    log = []"]
        if self.random.random() < 0.3:
            self.lines += ["    def up(k):", "        nonlocal c, d", "        if k > 1:", "            c += k"]
            self.lines += ["            d = c", "        return c", "    if a > 9: d = 0", "    log.append(up(a))"]
        self.block(1, in_loop=False, finally_=False)
        if self.random.random() < 0.8:
            self.lines.append(f"    return log, {self.expression()}")
        return "\n".join(self.lines) + "\n"

    def block(self, depth: int, *, in_loop: bool, finally_: bool) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, in_loop=in_loop, finally_=finally_)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int, *, in_loop: bool, finally_: bool) -> None:
        self.budget -= 1
        simple = depth > 5 or self.budget < 0
        kinds = ["assign"] * 4 + ["augment", "log", "delete"] + ["jump"] * (0 if finally_ else 3)
        if not simple:
            kinds += ["if"] * 5 + ["while", "for"] * 2 + ["try", "with", "match"]
        getattr(self, "_" + self.random.choice(kinds))(depth, in_loop, finally_)

    def _assign(self, depth, in_loop, finally_):
        self.put(depth, f"{self.name()} = {self.expression()}")

    def _augment(self, depth, in_loop, finally_):
        self.put(depth, f"{self.name()} += {self.expression()}")

    def _log(self, depth, in_loop, finally_):
        self.put(depth, f"log.append({self.expression()})")

    def _delete(self, depth, in_loop, finally_):
        self.put(depth, f"del {self.name()}" if self.random.random() < 0.3 else "pass")

    def _jump(self, depth, in_loop, finally_):
        choices = ["return " + self.expression(), "return", "raise ValueError(a)"] + ["break", "continue"] * 3 * in_loop
        self.put(depth, self.random.choice(choices))

    def _if(self, depth, in_loop, finally_):
        self.put(depth, f"if {self.test()}:")
        self.block(depth + 1, in_loop=in_loop, finally_=finally_)
        if self.random.random() < 0.3:
            self.put(depth, f"elif {self.test()}:")
            self.block(depth + 1, in_loop=in_loop, finally_=finally_)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop=in_loop, finally_=finally_)

    def _while(self, depth, in_loop, finally_):
        self.put(depth, f"while {self.random.choice([self.test(), 'True'])}:")
        self.put(depth + 1, "fuel -= 1")
        self.put(depth + 1, "if fuel < 0: raise KeyError")
        self._loop_rest(depth, in_loop, finally_)

    def _for(self, depth, in_loop, finally_):
        self.put(depth, f"for {self.name()} in range({self.random.choice(['a', 'b', '3', 'len(log)'])}):")
        self.put(depth + 1, "fuel -= 1")
        self.put(depth + 1, "if fuel < 0: raise KeyError")
        self._loop_rest(depth, in_loop, finally_)

    def _loop_rest(self, depth, in_loop, finally_):
        # Jumps of a loop inside `finally` stay inside it, but `return` doesn't: so none there.
        self.block(depth + 1, in_loop=not finally_, finally_=finally_)
        if self.random.random() < 0.3:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop=in_loop, finally_=finally_)

    def _try(self, depth, in_loop, finally_):
        self.put(depth, "try:")
        self.block(depth + 1, in_loop=in_loop, finally_=finally_)
        handled = self.random.random() < 0.7
        if handled:
            error = self.random.choice(["ValueError", "NameError", "(ValueError, ZeroDivisionError)"])
            self.put(depth, f"except {error}{self.random.choice([' as e', ' as d', ''])}:")
            self.put(depth + 1, "log.append('caught')")
            self.block(depth + 1, in_loop=in_loop, finally_=finally_)
            if self.random.random() < 0.4:
                self.put(depth, "else:")
                self.block(depth + 1, in_loop=in_loop, finally_=finally_)
        if not handled or self.random.random() < 0.4:
            self.put(depth, "finally:")
            self.block(depth + 1, in_loop=in_loop, finally_=True)

    def _with(self, depth, in_loop, finally_):
        manager = self.random.choice(["suppress(ValueError)", "suppress(NameError)", "nullcontext(a)"])
        self.put(depth, f"with {manager}:")
        self.block(depth + 1, in_loop=in_loop, finally_=finally_)

    def _match(self, depth, in_loop, finally_):
        self.put(depth, f"match {self.expression()}:")
        for pattern in self.random.choice(
            [
                ["0", "1 | 2"],
                ["0", "_"],
                [
                    "d",
                ],
                ["[]", "int()"],
            ]
        ):
            self.put(depth + 1, f"case {pattern}:")
            self.block(depth + 2, in_loop=in_loop, finally_=finally_)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def atom(self) -> str:
        return self.random.choice([*NAMES, "a", "b", "c", "1", "2", "3"])

    def expression(self) -> str:
        a, b, c = self.atom(), self.atom(), self.atom()
        return self.random.choice(
            [a, f"{a} + {b}", f"{a} - {b}", f"{a} % ({b} or 1)", f"({a} if {self.test()} else {b})", f"({a} or {b})",
             f"({a} and {b})", f"(d := {a})", f"({a} and (e := {b}))", f"sum(i for i in range(3) if i < {a} <= {c})"]
        )  # fmt: skip

    def test(self) -> str:
        a, b, c = self.atom(), self.atom(), self.atom()
        return self.random.choice(
            [f"{a} < {b}", f"{a} == {b}", f"{a} <= {b} < {c}", f"not {a}", f"{a} > 1 and {b} < 3", f"{a} or {b} == 2"]
        )


@pytest.mark.parametrize("start", range(0, 400, 20))
def test_converted_equals_original(start, from_text, same):
    import contextlib

    for seed in range(start, start + 20):
        text = Writer(seed).function()
        module = from_text(text, suppress=contextlib.suppress, nullcontext=contextlib.nullcontext)
        same(module.f, itertools.product(range(-1, 4), repeat=2))
