"""Random loops that write to parts of arrays, by index, box, view and branch: compiled code gives what eager mode does,
values and gradients, in a second call, too.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError, GradientError

SHAPES = {"x": (6, 5), "y": (6, 5), "z": (5, 6, 3), "w": (9,)}


class Writer:
    """Writes one function. views: names of views and copies with their shapes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def function(self) -> str:
        self.lines = ["def f(x, y, z, w, u, i, j, n):", "    x, y, z, w = x.clone(), y.clone(), z.clone(), w.clone()"]
        self.lines.append("    s = u[0] * 0.1")
        for _ in range(self.random.randint(1, 2)):
            self.loop(1, "k", self.random.choice(["5", "5", "n", "1, 5"]))
        return "\n".join([*self.lines, "    return x, y, z, w, s", ""])

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def loop(self, depth: int, name: str, limits: str, views: dict[str, tuple[int, ...]] | None = None) -> None:
        self.put(depth, f"for {name} in range({limits}):")
        self.put(depth + 1, "pass")
        self.block(depth + 1, name, dict(views or {}))

    def block(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choices(
                ["write", "view", "through", "swap", "branch", "total", "names", "whole", "loop"],
                [8, 3, 2, 2, 2 * (depth < 4), 1, 0.5, 0.6, depth < 4],
            )[0]
            getattr(self, "_" + kind)(depth, loop, views)

    def index(self, size: int, loop: str) -> str:
        choices = [
            str(self.random.randrange(-size, size)), f"{size - 1} - {loop}", f"{loop} % {self.random.randint(1, size)}",
            f"i[{loop}]", f"j[{loop}] % {size}",
        ]  # fmt: skip
        choices += [f"{loop} - 1"] * (size > 3) + [loop, loop, f"j[{loop}]"] * (size > 4) + [f"{loop} + 1"] * (size > 5)
        return self.random.choice(choices)

    def key(self, name: str, loop: str) -> tuple[str, tuple[int, ...]]:
        """A subscript and the shape of what it names."""
        sizes, parts, shape = SHAPES[name], list[str](), list[int]()
        count = self.random.randint(1, len(sizes))
        for size in sizes[:count]:
            if self.random.random() < 0.65:
                parts.append(self.index(size, loop))
                continue
            start = self.random.randrange(size)
            stop, step = self.random.randint(start + 1, size), self.random.choice([1, 1, 2])
            start, stop, step = self.random.choice([(0, size, 1), (start, stop, step)])
            parts.append(f"{start}:{stop}:{step}")
            shape.append(len(range(start, stop, step)))
        return ", ".join(parts), (*shape, *sizes[count:])

    def number(self, loop: str) -> str:
        name = self.random.choice(list(SHAPES))
        cell = f"{name}[{', '.join(self.index(size, loop) for size in SHAPES[name])}]"
        return self.random.choice([f"u[{loop}]", "0.5", cell, f"{cell} * 0.5", "s"])

    def value(self, shape: tuple[int, ...], loop: str, views: dict[str, tuple[int, ...]]) -> str:
        fitting = [name for name, other in views.items() if other == shape]
        if fitting and self.random.random() < 0.5:
            return f"{self.random.choice(fitting)} * 0.9 + {self.number(loop)}"
        for _ in range(6):
            name = self.random.choice(list(SHAPES))
            key, made = self.key(name, loop)
            if made == shape:
                return f"vt.sin({name}[{key}] + {self.number(loop)})"
        return self.number(loop)

    def _write(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        name = self.random.choice(list(SHAPES))
        key, shape = self.key(name, loop)
        self.put(depth, f"{name}[{key}] {self.random.choice(['=', '=', '+=', '-='])} {self.value(shape, loop, views)}")

    def _view(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        name = self.random.choice(list(SHAPES))
        key, shape = self.key(name, loop)
        self.count += 1
        self.put(depth, f"v{self.count} = {name}[{key}]{self.random.choice(['', '', '.clone()', ' + 0'])}")
        views[f"v{self.count}"] = shape

    def _through(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        if views:
            name, shape = self.random.choice(list(views.items()))
            self.put(depth, f"{name}[{self.random.choice(['0', '-1', ':']) if shape else '...'}] = {self.number(loop)}")

    def _swap(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        name = self.random.choice(list(SHAPES))
        for _ in range(6):
            (one, shape), (other, second) = self.key(name, loop), self.key(name, loop)
            if shape == second:
                self.put(depth, f"{name}[{one}], {name}[{other}] = {name}[{other}] + 0, {name}[{one}].clone()")
                return

    def _branch(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        self.put(depth, f"if u[{loop}] > {self.random.choice(['0', 's', '0.3'])}:")
        self.put(depth + 1, "pass")
        self.block(depth + 1, loop, dict(views))
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.put(depth + 1, "pass")
            self.block(depth + 1, loop, dict(views))

    def _total(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        self.put(depth, f"s = s * 0.5 + {self.random.choice('xyw')}.sum() * 0.01")

    def _names(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        self.put(depth, "x, y = y, x")

    def _whole(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        name = self.random.choice("xyw")
        self.put(depth, f"{name} = {name} * 0.95")

    def _loop(self, depth: int, loop: str, views: dict[str, tuple[int, ...]]) -> None:
        self.loop(depth, "l" + loop, self.random.choice(["4", "n", "1, 4"]), views)


def _function(seed: int) -> Callable[..., Any]:
    text, file = Writer(seed).function(), f"<part writes {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"vt": vt}
    exec(compile(text, file, "exec"), space)
    made: Callable[..., Any] = space["f"]
    return made


def _arguments(seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    floats = [rng.standard_normal(shape) for shape in (*SHAPES.values(), (9,))]
    whole = [rng.integers(-3, 3, 9), rng.integers(0, 5, 9)]
    return [*(vt.to_tensor(a, stop_gradient=False) for a in floats), *map(vt.to_tensor, whole), 4]


def _with_gradients(fn: Callable[..., Any]) -> Callable[..., Any]:
    def both(*given: Any) -> Any:
        made = fn(*given)
        total = sum([(part * part).sum() for part in made], 0.0 * given[0].sum())
        return (*made, *vt.grad(total, list(given[:5]), allow_unused=True))

    return both


def _compare(fn: Callable[..., Any], seed: int) -> None:
    compiled = vt.to_static(fn)
    for call in range(2):
        try:
            wanted = fn(*_arguments(seed + call))
            made = compiled(*_arguments(seed + call))
        except (CaptureError, GradientError):  # names that swap on one path; what a gradient needs was overwritten
            return
        for one, other in zip(made, wanted, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(24))
def test_values(seed: int) -> None:
    _compare(_function(seed), seed)


@pytest.mark.parametrize("seed", range(101, 117))
def test_gradients(seed: int) -> None:
    _compare(_with_gradients(_function(seed)), seed)
