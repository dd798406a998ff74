"""Random programs that cut views of tensors and write to them; the same text runs on NumPy's arrays, whose views are real."""

from __future__ import annotations

import random
from typing import Any

import numpy as np


class Array:
    """A NumPy array with the methods of a tensor that the programs use."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, key: Any) -> Array:
        parts = key if isinstance(key, tuple) else (key,)
        return Array(self.array[parts if ... in parts else (*parts, ...)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.array[key] = value.array.copy() if isinstance(value, Array) else value

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self.array)))

    def __len__(self) -> int:
        return len(self.array)

    def reshape(self, shape: Any) -> Array:
        return Array(self.array.reshape(shape))

    def flatten(self) -> Array:
        return Array(self.array.reshape(-1))

    def transpose(self, order: Any) -> Array:
        return Array(self.array.transpose(order))

    def unsqueeze(self, axis: int) -> Array:
        return Array(np.expand_dims(self.array, axis))

    def squeeze(self) -> Array:
        return Array(self.array.squeeze())

    def diagonal(self) -> Array:
        found = self.array.diagonal()
        found.flags.writeable = True
        return Array(found)

    def unbind(self, axis: int) -> list[Array]:
        found = np.moveaxis(self.array, axis, 0)
        return [Array(found[k, ...]) for k in range(len(found))]

    def detach(self) -> Array:
        return Array(self.array[...])

    def clone(self) -> Array:
        return Array(self.array.copy())

    def sum(self) -> Array:
        return Array(self.array.sum())

    def __float__(self) -> float:
        return float(self.array)

    def __gt__(self, other: float) -> Any:
        return self.array > other

    def __mul__(self, other: Any) -> Array:
        return Array(self.array * (other.array if isinstance(other, Array) else other))

    def add_(self, other: Any) -> Array:
        self.array += other.array.copy() if isinstance(other, Array) else other
        return self

    def scale_(self, other: float) -> Array:
        self.array *= other
        return self

    def fill_(self, value: float) -> Array:
        self.array[...] = value
        return self

    def copy_(self, other: Array) -> Array:
        self.array[...] = other.array.copy()
        return self


class Program:
    """The lines of a random program over `x`, a tensor [3, 4], and `n`, a number of rows."""

    def __init__(self, seed: int, *, branches: bool = False, state: bool = False, itself: bool = False) -> None:
        """state: with tensors from outside: `buf` [3, 4], and `first`, a view of it. itself: its tensors are returned."""
        self.random = random.Random(seed)
        self.branches = branches
        self.names = {"x": (3, 4)}  # with their shapes
        if state:
            self.names |= {"buf": (3, 4), "first": (4,)}
        self.lines: list[str] = []
        self.count = 0
        self.block(self.random.randint(6, 12), "")
        form = "{}" if itself else "{} * 1.0"
        self.lines += [f"return [{', '.join(form.format(name) for name in self.names)}]"]

    def text(self) -> str:
        return "def program(x, n):\n" + "\n".join("    " + line for line in self.lines)

    def name(self) -> str:
        return self.random.choice(list(self.names))

    def number(self) -> float:
        return self.random.choice([0.5, 1.0, 2.0, 3.0, -1.0])

    def block(self, count: int, indent: str) -> None:
        known = dict(self.names)
        for _ in range(count):
            choice = self.random.random()
            if choice < 0.45:
                self.cut(indent)
            elif self.branches and choice < 0.55:
                self.choose(indent)
            elif choice < 0.85 or not self.branches or len(indent) > 4:
                self.write(indent)
            else:
                self.branch(indent)
        if indent:
            self.names = known

    def cut(self, indent: str) -> None:
        name = self.name()
        shape = self.names[name]
        forms = ["[...]", ".detach()", ".flatten()", ".unsqueeze(0)", ".squeeze()", ".clone()"]
        if shape:
            k, size = self.random.randrange(len(shape)), shape[0]
            forms += [
                f"[{self.random.randrange(-size, size)}]",
                f"[{self.random.randrange(size)}:]",
                "[::2]",
                "[::-1]",
                "[None]",
            ]
            forms += ["[..., 0]", "[..., -1:]", f".unbind({k})[{self.random.randrange(shape[k])}]"]
            order = list(range(len(shape)))
            self.random.shuffle(order)
            forms += [f".transpose({order})"] * 2
            total = int(np.prod(shape))
            forms += [f".reshape({[total // d, d]})" for d in (1, 2, 3, 4) if total % d == 0]
        if len(shape) > 1:
            forms += ["[:, 0]", "[:, 1:]", "[1:, ::2]" if shape[0] > 1 else "[:, ::2]", ".diagonal()"]
        form = self.random.choice(forms)
        made = eval("x" + form, {"x": Array(np.zeros(shape))}).array.shape
        if not np.prod(made) or len(made) > 4:
            return
        self.count += 1
        new = f"v{self.count}"
        self.lines.append(f"{indent}{new} = {name}{form}")
        self.names[new] = made

    def write(self, indent: str) -> None:
        name = self.name()
        shape = self.names[name]
        forms = [
            f".add_({self.number()})",
            f".scale_({self.number()})",
            f".fill_({self.number()})",
            f"[...] = {self.number()}",
        ]
        if shape:
            forms += [
                f"[{self.random.randrange(shape[0])}] = {self.number()}",
                f"[{self.random.randrange(shape[0])}:] = {self.number()}",
            ]
        same = [other for other, s in self.names.items() if s == shape]
        forms += [f".add_({self.random.choice(same)})", f".copy_({self.random.choice(same)})"]
        self.lines.append(f"{indent}{name}{self.random.choice(forms)}")

    def choose(self, indent: str) -> None:
        """One name for either of two tensors, or for what an iteration leaves."""
        name = self.name()
        shape = self.names[name]
        others = [other for other, s in self.names.items() if s == shape]
        forms = ["", "[...]", ".clone()", ".detach()", " * 2.0"]
        self.count += 1
        new = f"v{self.count}"
        kind = self.random.choice(["if", "if else", "for"])
        first = f"{name}{self.random.choice(forms)}"
        self.lines.append(f"{indent}{new} = {first}")
        if kind == "for":
            self.lines.append(f"{indent}for k{len(indent)} in range(n):")
        else:
            self.lines.append(f"{indent}if {self.name()}.sum() > {self.number()}:")
        self.lines.append(
            f"{indent}    {new} = {self.random.choice([*others, new])}{self.random.choice([*forms, f'.add_({self.number()})'])}"
        )
        if kind == "if else":
            self.lines += [
                f"{indent}else:",
                f"{indent}    {new} = {self.random.choice(others)}{self.random.choice(forms)}",
            ]
        self.names[new] = shape

    def branch(self, indent: str) -> None:
        kind = self.random.choice(["if", "if else", "for", "rows"])
        if kind == "for":
            self.lines.append(f"{indent}for k{len(indent)} in range(n):")
            self.lines.append(f"{indent}    x[k{len(indent)}].add_({self.number()})")
            self.block(self.random.randint(1, 3), indent + "    ")
        elif kind == "rows":
            shaped = [name for name, shape in self.names.items() if shape]
            self.lines.append(f"{indent}for row in {self.random.choice(shaped)}:")
            self.lines.append(f"{indent}    row.add_({self.number()})")
        else:
            self.lines.append(f"{indent}if {self.name()}.sum() > {self.number()}:")
            self.block(self.random.randint(1, 3), indent + "    ")
            if self.lines[-1].startswith(f"{indent}if"):
                self.lines.append(f"{indent}    pass")
            if kind == "if else":
                self.lines.append(f"{indent}else:")
                self.block(self.random.randint(1, 3), indent + "    ")
                if self.lines[-1] == f"{indent}else:":
                    self.lines.append(f"{indent}    pass")


def run(program: Any, x: Any, n: Any) -> list[np.ndarray[Any, Any]]:
    """What a program gives, and what it leaves of its argument."""
    made = [*program(x, n), x]
    return [v.array.copy() if isinstance(v, Array) else v.numpy() for v in made]


def function(text: str) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)
    return space["program"]
