"""Random functions that call themselves and each other, for property tests: the text of a module, from a seed."""

from __future__ import annotations

import random

BINARY = ("{} + {} * 0.5", "{} - {}", "{} * 0.5 + {}", "{} * {} * 0.25", "vt.maximum({}, {} * 0.75)")
UNARY = ("vt.sin({})", "vt.tanh({})", "-{}", "{} * 0.5", "{} + 0.125", "vt.abs({})")


def random_recursion(seed: int) -> tuple[str, int]:
    """The text of a module that defines `f0(n, a0, ...)` and a second function, of which each may call both; and how
    many arguments `f0` has beside the number `n`, from which it counts down.

    The arguments are floats of one shape; what the functions compute from them stays small.
    """
    writer = _Writer(seed)
    return writer.text(), writer.widths[0]


class _Writer:
    """Writes the two functions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.widths = [self.random.randint(1, 6) for _ in range(2)]
        self.results = [self.random.choice((1, 1, 2, 3)) for _ in range(2)]
        self.lines: list[str] = []
        self.calls = 0
        self.count = 0

    def text(self) -> str:
        """The module."""
        for k in range(2):
            self._function(k)
        return "\n".join(self.lines) + "\n"

    def _function(self, k: int) -> None:
        names = [f"a{j}" for j in range(self.widths[k])]
        self.calls, self.count = 0, 0
        self.lines += ["", f"def f{k}(n, {', '.join(names)}):", "    if n <= 0:"]
        self.lines += [f"        return {self._results(k, names)}"]
        known = names[:]
        for _ in range(self.random.randint(2, 5)):
            known = self._statement(known, 1)
        if not self.calls:
            known = self._call(known, 1)
        self.lines += [f"    return {self._results(k, known)}"]

    def _results(self, k: int, known: list[str]) -> str:
        """As many results as the function has; each is made of several values, so that few have no use."""
        return ", ".join(
            " + ".join(f"({self._expression([*known, *known[-3:]])}) * 0.5" for _ in range(3))
            for _ in range(self.results[k])
        )

    def _expression(self, known: list[str]) -> str:
        form = self.random.choice(BINARY + UNARY)
        return form.format(*(self.random.choice(known) for _ in range(form.count("{}"))))

    def _statement(self, known: list[str], depth: int) -> list[str]:
        kinds = [self._assign, self._assign, self._call]
        if depth < 3:
            kinds += [self._if, self._loop]
        return self.random.choice(kinds)(known, depth)

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _assign(self, known: list[str], depth: int) -> list[str]:
        name = self.random.choice([*known, self._new()])
        self._line(depth, f"{name} = {self._expression(known)}")
        return list(dict.fromkeys([*known, name]))

    def _call(self, known: list[str], depth: int) -> list[str]:
        """A call of either function; some arguments are handed on as they are, others changed or in other places."""
        if self.calls == 3:
            return self._assign(known, depth)
        self.calls += 1
        k = self.random.randrange(2)
        given = [self._argument(j, known) for j in range(self.widths[k])]
        names = [self._new() for _ in range(self.results[k])]
        count = self.random.choice(("n - 1", "n - 1", "n - 2", "n // 2"))
        self._line(depth, f"{', '.join(names)} = f{k}({', '.join([count, *given])})")
        return [*known, *names]

    def _argument(self, number: int, known: list[str]) -> str:
        mine = f"a{number}" if f"a{number}" in known else known[0]
        return self.random.choice((mine, self.random.choice(known), self._expression(known)))

    def _block(self, known: list[str], depth: int) -> None:
        for _ in range(self.random.randint(1, 2)):
            known = self._statement(known, depth)
        self._line(depth, f"{self.random.choice(known[:4])} = {self._expression(known)}")

    def _if(self, known: list[str], depth: int) -> list[str]:
        condition = self.random.choice(("n % 2 == 0", "n > 2", f"vt.sum({self.random.choice(known)}) > 0.3"))
        name = self._new()
        self._line(depth, f"{name} = {self._expression(known)}")
        known = [name, *known]
        self._line(depth, f"if {condition}:")
        self._block(known, depth + 1)
        self._line(depth, "else:")
        self._block(known, depth + 1)
        return known

    def _loop(self, known: list[str], depth: int) -> list[str]:
        name, counter = self._new(), self._new().replace("v", "k")
        self._line(depth, f"{name} = {self._expression(known)}")
        self._line(depth, f"{counter} = n * 0")
        self._line(depth, f"while {counter} < {self.random.choice(('2', 'n'))}:")
        self._block([name, *known], depth + 1)
        self._line(depth + 1, f"{counter} = {counter} + 1")
        return [name, *known]
