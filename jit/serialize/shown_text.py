"""What `print` shows when a program runs: a structure with places for values, as data that a saved model can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...base.pytree import Tree, unflatten
from ...dygraph.eager import from_array
from ...dygraph.printing import format_tensor
from ...dygraph.tensor import Tensor
from ...ops.dispatch import bottom, using
from .json_values import Decoder, encode_tree

CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda x: x, "r": repr, "s": str, "a": ascii}
_SPEC = re.compile(r"(?:\D|(?<!\d)\d{1,4}(?!\d))*")  # no width that takes the machine's memory


@dataclass(frozen=True, slots=True)
class ShownLeaf:
    """A string with values between its parts, or, without parts, one value itself.

    specs: how each value is formatted; plain: which are Python numbers; stops: their `stop_gradient`.
    """

    parts: list[str] | None
    specs: list[str]
    plain: list[bool]
    stops: list[bool]

    def filled(self, values: Sequence[Tensor]) -> Any:
        """The string, or the value."""
        if self.parts is None:
            return values[0].item() if self.plain[0] else values[0]
        shown = [_text_of(x, spec, plain) for x, spec, plain in zip(values, self.specs, self.plain, strict=True)]
        return "".join(a + b for a, b in zip(self.parts, [*shown, ""], strict=True))


def _text_of(x: Tensor, spec: str, is_number: bool) -> str:
    value = x.item() if is_number else x
    if spec[:2] == "!%":
        return str(spec[1:] % value)
    if spec[:2] in ("!r", "!s", "!a"):
        return format(CONVERSIONS[spec[1]](value), spec[2:])
    return format(value, spec) if is_number else format_tensor(x, spec)


class ShownValues:
    """A function from a program's arrays to what is shown. assembled: puts objects together, which no file can hold."""

    def __init__(self, tree: Tree, leaves: Sequence[ShownLeaf], assembled: Callable[[Any], Any] | None = None) -> None:
        self.tree = tree
        self.leaves = leaves
        self.assembled = assembled

    def __call__(self, *arrays: Any) -> Any:
        with using(bottom()):
            given = iter(arrays)
            parts = [leaf.filled([_tensor(next(given), stop) for stop in leaf.stops]) for leaf in self.leaves]
            made = unflatten(self.tree, iter(parts))
            return made if self.assembled is None else self.assembled(made)

    def facts(self) -> dict[str, Any] | None:
        """All of it as JSON; None where it holds objects."""
        if self.assembled is not None:
            return None
        try:
            tree = encode_tree(self.tree)
        except ArgumentError:
            return None
        leaves = [{"parts": x.parts, "specs": x.specs, "plain": x.plain} for x in self.leaves]
        return {"tree": tree, "leaves": leaves}


def _tensor(array: Any, stop: bool) -> Tensor:
    made = from_array(np.array(array))
    made.stop_gradient = stop
    return made


class Printed:
    """A `print` of the program's."""

    def __init__(self, shown: ShownValues) -> None:
        self.shown = shown

    @property
    def says_more(self) -> bool:
        """Whether it shows anything but tensors."""
        args, *_ = self.shown.tree.children or (self.shown.tree,)
        return any(c.kind != "leaf" for c in args.children) or any(leaf.parts for leaf in self.shown.leaves)

    def __call__(self, *arrays: Any) -> None:
        args, kwargs = self.shown(*arrays)
        print(*args, **kwargs)


def printed(where: str, facts: Any) -> Printed:
    """A saved `print`. ArtifactError for malformed facts."""
    decoder = Decoder(where)
    tree = decoder.tree(facts["tree"])
    leaves = [_leaf(decoder, made) for made in facts["leaves"]]
    if tree.leaf_count != len(leaves):
        raise decoder.fail("a print is malformed")
    return Printed(ShownValues(tree, leaves))


def _leaf(decoder: Decoder, made: Any) -> ShownLeaf:
    parts, specs = made["parts"], [str(s) for s in made["specs"]]
    plain = [bool(p) for p in made["plain"]]
    fits = len(plain) == len(specs) and all(_SPEC.fullmatch(s) and len(s) < 100 for s in specs)
    texts: Iterator[str] = iter(parts or [])
    if not fits or (
        len(parts) != len(specs) + 1 or not all(isinstance(t, str) for t in texts) if parts else len(specs) != 1
    ):
        raise decoder.fail("a print is malformed")
    return ShownLeaf(parts, specs, plain, [True] * len(specs))  # a loaded model's tensors want no gradients
