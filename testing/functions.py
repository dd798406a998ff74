"""Random Python functions over tensors for property tests: `random_function(seed)` gives the text of one.

A function takes `x` and `y` (f32[3]), `k` (i64[4], small numbers) and `m` (a plain int), and uses what users write:
branches, loops with jumps, containers, helpers, closures, comprehensions, generators, exceptions, attributes. Tests
hang on `k`, `m` and counters, whose values are exact, and float values stay small: eager and compiled may differ by
rounding but never by a branch.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass, field
from typing import Any

import numpy as np

HEADER = '''\
class Box:
    """An object with attributes that the function changes."""

    def __init__(self, value):
        self.value = value
        self.count = 0

    def put(self, value, flag):
        if flag:
            self.value = value
        else:
            self.count += 1
        return self.count


def pick(a, b, flag):
    if flag:
        return a
    return b * 0.5


def maybe(a, flag):
    if flag:
        return a


def parts(a, flag):
    for row in range(3):
        if flag and row == 1:
            continue
        yield a * 0.5 + row


class Scaled(Box):
    """A subclass with a property, a call and an overridden method."""

    @property
    def rate(self):
        return 0.5 + 0.25 * (self.count % 2)

    def __call__(self, t):
        return t * self.rate

    def put(self, value, flag):
        return super().put(value * self.rate, flag) + 1


class Depth:
    """A context manager that counts on a box."""

    def __init__(self, box):
        self.box = box

    def __enter__(self):
        self.box.count += 1
        return self

    def __exit__(self, *error):
        self.box.count -= 1


def spread(first, *others, scale=0.5, **named):
    for other in others:
        first = first + other * scale
    return vt.tanh(first + sum(named.values(), 0.0 * first))


def chained(a, flag):
    yield a
    yield from parts(a, flag)

'''


@dataclass
class Scope:
    """The names of each kind that are surely bound at this point."""

    vecs: list[str]
    ints: list[str]
    lists: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    def copy(self) -> Scope:
        return Scope(*(list(v) for v in (self.vecs, self.ints, self.lists, self.boxes, self.options)))


class Writer:
    """Writes one random function: `Writer(seed).text()`."""

    def __init__(self, seed: int, *, tensors: bool = True, size: int = 14) -> None:
        self.random = random.Random(seed)
        self.tensors = tensors
        self.budget = size
        self.lines: list[str] = []
        self.number = 0
        self.loops = 0

    def text(self) -> str:
        """The whole module."""
        self.lines = [
            "xs = [x, y * 0.5]",
            "box = Box(x)",
            "scaled = Scaled(y)",
            "d = {'a': x}",
            "best = None",
            "c = 0",
            "i = vt.to_tensor(0)",
        ]
        scope = Scope(["x", "y"], ["c"], ["xs"], ["box", "scaled"], ["best"])
        self.block(0, scope, jumps=False, returns=True)
        outputs = [*scope.vecs[:4], "c", "xs", "d", "box.value", "box.count", "scaled.value", "scaled.count", "best"]
        self.lines.append(f"return {', '.join(outputs)}")
        return HEADER + "def f(x, y, k, m):\n" + textwrap.indent("\n".join(self.lines), "    ") + "\n"

    # ---- pieces

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, items: list[str]) -> str:
        return self.random.choice(items)

    def fresh(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def vec(self, scope: Scope, deep: int = 0) -> str:
        """An expression of a f32[3] tensor that stays within a few units."""
        a, b = self.pick(scope.vecs), self.pick(scope.vecs)
        forms = [
            a, f"vt.tanh({a})", f"{a} * 0.5 + {b} * 0.25", f"{a} * 0.5 - 0.5", f"vt.maximum({a}, {b})", f"-{a}",
            f"vt.tanh({a} * {b})", f"pick({a}, {b}, {self.test(scope)})", f"({a} if {self.test(scope)} else {b} * 0.5)",
            f"vt.tanh({self.pick(scope.lists)}[0])", f"vt.tanh(sum({self.pick(scope.lists)}))",
            f"{self.pick(scope.boxes)}.value * 0.5", f"(lambda t: t * 0.5)({a})", "d['a'] * 0.5",
            f"vt.tanh(vt.stack({self.pick(scope.lists)}).sum(axis=0))",
            f"vt.tanh(sum([v * 0.5 for v in {self.pick(scope.lists)}]))", f"vt.tanh({a}) + {a}.sum() * 0.1",
            f"scaled({a})", f"spread({a}, {b})", f"spread({a}, *xs[:2], scale=0.25, more={b})",
            f"vt.tanh(sum(v * s for v, s in zip({self.pick(scope.lists)}, (0.5, 0.25))))",
            f"vt.tanh(sum([v for n, v in enumerate({self.pick(scope.lists)}) if n % 2 == 0]))",
            f"vt.tanh({{n: v * 0.5 for n, v in enumerate([{a}, {b}])}}[m % 2])",
        ]  # fmt: skip
        if scope.options:
            name = self.pick(scope.options)
            forms.append(f"({name} if {name} is not None else {a}) * 0.5")
        return self.pick(forms)

    def test(self, scope: Scope) -> str:
        plain = [
            f"m > {self.random.randint(0, 3)}",
            f"{self.pick(scope.ints)} < 2",
            f"len({self.pick(scope.lists)}) > 2",
        ]
        place = self.random.randrange(4)
        tensor = [
            f"k[{place}] > {self.random.randint(0, 3)}", f"k[{place}] % 2 == 0", "k.sum() > 6", "(i < 1)",
            f"0 < k[{place}] < 3",
            f"(k[{place}] > 1 and m > 0)", f"not k[{place}] > 1", f"(k[{place}] == 0 or k[0] > 2)",
        ]  # fmt: skip
        return self.pick(tensor if self.tensors and self.chance(0.75) else plain)

    # ---- statements

    def block(self, depth: int, scope: Scope, *, jumps: bool, returns: bool) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, scope, jumps=jumps, returns=returns)

    def statement(self, depth: int, scope: Scope, *, jumps: bool, returns: bool) -> None:
        self.budget -= 1
        kinds = ["assign"] * 4 + ["augment", "append", "item", "attribute", "option", "swap", "key", "method", "chain"]
        if jumps:
            kinds += ["jump"] * 2
        if self.budget > 0 and depth < 4:
            kinds += ["branch"] * 4 + ["while_", "for_range", "for_items", "try_", "helper", "generator", "counted"]
            kinds += ["match_", "closure", "finally_", "collected", "with_", "unpack", "chained"]
            if returns:
                kinds.append("early")
        getattr(self, "_" + self.pick(kinds))(depth, scope, jumps, returns)

    def _assign(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        new = self.chance(0.4) and len(scope.vecs) < 6
        name = self.fresh("v") if new else self.pick(scope.vecs)
        self.put(depth, f"{name} = {self.vec(scope)}")
        if new:
            scope.vecs.append(name)

    def _augment(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        if self.chance(0.5):
            self.put(depth, f"{self.pick(scope.ints)} += {self.pick(['1', 'm'])}")
        else:
            name = self.pick(scope.vecs)
            self.put(depth, f"{name} = {name} * 0.5")
            self.put(depth, f"{name} += 0.25")

    def _append(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"{self.pick(scope.lists)}.append({self.vec(scope)})")

    def _item(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"{self.pick(scope.lists)}[{self.pick(['0', '-1'])}] = {self.vec(scope)}")

    def _attribute(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"{self.pick(scope.boxes)}.value = {self.vec(scope)}")

    def _method(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"{self.pick(scope.boxes)}.put({self.vec(scope)}, {self.test(scope)})")

    def _option(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        name = self.pick(scope.options)
        self.put(
            depth, self.pick([f"{name} = {self.vec(scope)}", f"{name} = maybe({self.vec(scope)}, {self.test(scope)})"])
        )

    def _swap(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        a, b = self.pick(scope.vecs), self.pick(scope.vecs)
        self.put(depth, f"{a}, {b} = {b}, {a} * 0.5")

    def _key(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"d['{self.pick(['a', 'b'])}'] = {self.vec(scope)}")

    def _chain(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        name = self.pick(scope.vecs)
        self.put(depth, f"if (w := {self.vec(scope)}) is not None and {self.test(scope)}:")
        self.put(depth + 1, f"{name} = w * 0.5")

    def _jump(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"if {self.test(scope)}:")
        self.put(depth + 1, self.pick(["break", "continue"]))

    def _early(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"if {self.test(scope)}:")
        self.put(depth + 1, f"return {self.pick([self.vec(scope), 'None', f'{self.vec(scope)}, c', 'xs', 'c'])}")

    def _branch(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"if {self.test(scope)}:")
        self.block(depth + 1, scope.copy(), jumps=jumps, returns=returns)
        if self.chance(0.3):
            self.put(depth, f"elif {self.test(scope)}:")
            self.block(depth + 1, scope.copy(), jumps=jumps, returns=returns)
        if self.chance(0.5):
            self.put(depth, "else:")
            self.block(depth + 1, scope.copy(), jumps=jumps, returns=returns)

    def _loop_body(self, depth: int, scope: Scope, returns: bool) -> None:
        self.block(depth + 1, scope.copy(), jumps=True, returns=returns)
        if self.chance(0.25):
            self.put(depth, "else:")
            self.block(depth + 1, scope.copy(), jumps=False, returns=returns)

    def _while_(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        name = self.fresh("t")
        self.put(depth, f"{name} = {'vt.to_tensor(0)' if self.tensors else '0'}")
        self.put(depth, f"while {name} < {f'k[{self.random.randrange(4)}]' if self.tensors else 'm'}:")
        self.put(depth + 1, f"{name} = {name} + 1")
        self._loop_body(depth, scope, returns)

    def _for_range(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        count = f"k[{self.random.randrange(4)}]" if self.tensors and self.chance(0.6) else self.pick(["m", "2", "3"])
        self.put(depth, f"for {self.fresh('j')} in range({count}):")
        self._loop_body(depth, scope, returns)

    def _for_items(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        form = self.pick([
            f"for e in vt.stack([{self.pick(scope.vecs)}, {self.pick(scope.vecs)}]):",
            f"for n, e in enumerate([{self.pick(scope.vecs)}, {self.pick(scope.vecs)}]):",
            f"for e, g in zip([x, y], [{self.pick(scope.vecs)}, {self.pick(scope.vecs)}]):",
            "for e in reversed([x, y]):",
        ])  # fmt: skip
        self.put(depth, form)
        inner = scope.copy()
        inner.vecs.append("e")
        self.block(depth + 1, inner, jumps=True, returns=returns)

    def _counted(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        name = self.fresh("p")
        self.put(depth, f"{name} = 0")
        self.put(depth, f"while {name} < 3:")
        self.put(depth + 1, f"{name} += 1")
        self._loop_body(depth, scope, returns)

    def _generator(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"for e in parts({self.pick(scope.vecs)}, {self.test(scope)}):")
        inner = scope.copy()
        inner.vecs.append("e")
        self.block(depth + 1, inner, jumps=True, returns=False)

    def _try_(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, scope.copy(), jumps=False, returns=False)
        self.put(depth + 1, f"if {self.test(scope)}:")
        self.put(depth + 2, "raise ValueError('no')")
        self.put(depth, "except ValueError:")
        self.block(depth + 1, scope.copy(), jumps=False, returns=False)

    def _helper(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        name = self.fresh("h")
        self.put(depth, f"def {name}(a, b=0.5):")
        self.put(depth + 1, "nonlocal c")
        self.put(depth + 1, f"if {self.test(scope)}:")
        self.put(depth + 2, "c += 1")
        self.put(depth + 2, "return a * b")
        self.put(depth + 1, "return vt.tanh(a)")
        target = self.pick(scope.vecs)
        self.put(depth, f"{target} = {name}({self.pick(scope.vecs)})")

    def _match_(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        subject, cases = self.random.choice([
            ("m % 3", ["0", "1 | 2", "_"]),
            ("(m, len(xs))", ["(0, _)", "(_, 2)", f"(n, _) if {self.test(scope)}", "_"]),
            ("xs", ["[_, _]", "[_, *_]", "_"]),
            ("best", ["None", "_"]),
        ])  # fmt: skip
        self.put(depth, f"match {subject}:")
        for case in cases:
            self.put(depth + 1, f"case {case}:")
            self.block(depth + 2, scope.copy(), jumps=jumps, returns=returns)

    def _closure(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        """A function that changes containers of the function around it."""
        name, kept = self.fresh("f"), self.pick(scope.lists)
        self.put(depth, f"def {name}(v):")
        self.put(depth + 1, f"if {self.test(scope)}:")
        self.put(depth + 2, f"{kept}.append(v * 0.5)")
        self.put(depth + 1, "else:")
        self.put(depth + 2, self.pick([f"{kept}[0] = v", "d['a'] = v", "box.value = v"]))
        for _ in range(self.random.randint(1, 2)):
            self.put(depth, f"{name}({self.vec(scope)})")

    def _finally_(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, "try:")
        self.put(depth + 1, f"if {self.test(scope)}:")
        self.put(depth + 2, "raise KeyError('k')")
        self.block(depth + 1, scope.copy(), jumps=False, returns=False)
        self.put(depth, "except (KeyError, IndexError) as error:")
        self.put(depth + 1, "c += len(error.args)")
        self.put(depth, "else:")
        self.block(depth + 1, scope.copy(), jumps=False, returns=False)
        self.put(depth, "finally:")
        self.put(depth + 1, "c += 1")

    def _collected(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        """Comprehensions inside a loop."""
        name, target = self.fresh("q"), self.pick(scope.vecs)
        self.put(depth, f"for {name} in range({self.pick(['m', '2', 'k[1]' if self.tensors else '3'])}):")
        made = self.pick([
            f"[v * 0.5 for v in {self.pick(scope.lists)} if {self.test(scope)}]", f"[{target}, *xs[:1]]",
            f"[a * b for a in [x, y] for b in ({target}, 0.5)]", "list(d.values())",
        ])  # fmt: skip
        self.put(depth + 1, f"{target} = vt.tanh(sum({made}, {target} * 0.5))")

    def _with_(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, "with Depth(box) as deep:")
        self.block(depth + 1, scope.copy(), jumps=False, returns=False)
        self.put(depth + 1, "c += deep.box.count")

    def _unpack(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        a, b = self.pick(scope.vecs), self.pick(scope.vecs)
        forms = [
            f"{a}, *rest = [{b}, x, y]", f"*rest, {a} = ({b}, x * 0.5)", f"({a}, _), rest = ({b}, 1), [x]",
            f"{a} = rest = {b} * 0.5", f"{a}: object = {b}",
        ]  # fmt: skip
        self.put(depth, self.pick(forms))
        self.put(depth, f"assert len(xs) > 0, 'empty'{self.pick(['', '  # never'])}")

    def _chained(self, depth: int, scope: Scope, jumps: bool, returns: bool) -> None:
        self.put(depth, f"for e in chained({self.pick(scope.vecs)}, {self.test(scope)}):")
        inner = scope.copy()
        inner.vecs.append("e")
        self.block(depth + 1, inner, jumps=True, returns=False)


def random_function(seed: int, *, tensors: bool = True, size: int = 14) -> str:
    """The text of a module with a random function `f(x, y, k, m)`; the same seed gives the same text.

    tensors: tests and loop bounds may depend on tensors. size: about how many statements.

    >>> "def f(x, y, k, m):" in random_function(0)
    True
    """
    return Writer(seed, tensors=tensors, size=size).text()


def random_arguments(seed: int, count: int = 4) -> list[tuple[Any, Any, Any, int]]:
    """Arguments for calls of a random function: arrays x, y, k and the int m, so that different paths are taken.

    >>> [len(call) for call in random_arguments(0, 2)]
    [4, 4]
    """
    rng = np.random.default_rng(seed)
    floats = [rng.uniform(-1, 1, (2, 3)).astype(np.float32) for _ in range(count)]
    return [(a, b, rng.integers(0, 4, 4), int(rng.integers(0, 4))) for a, b in floats]
