"""What `print` shows when a program runs, and what its exceptions say: structures with places for values, as data that
a saved model can hold.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ...base.causes import Links, link, made, raise_linked
from ...base.errors import ArgumentError
from ...base.pytree import Tree, unflatten
from ...dygraph.eager import from_array
from ...dygraph.printing import format_tensor
from ...dygraph.tensor import Parameter, Tensor
from ...ops.dispatch import bottom, using
from .json_values import Decoder, encode_tree

CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda x: x, "r": repr, "s": str, "a": ascii}
_ARRAYS = {"", "array", "scalar", "parameter"}
_SPEC = re.compile(r"(?:\D|(?<!\d)\d{1,4}(?!\d))*")  # no width that takes the machine's memory


@dataclass(frozen=True, slots=True)
class ShownLeaf:
    """A string with values between its parts, or, without parts, one value itself.

    specs: how each value is formatted; plain: which are Python numbers; stops: their `stop_gradient`; arrays: which
    NumPy shows, as arrays ("array") or as scalars ("scalar"); those that are parameters ("parameter").
    """

    parts: list[str] | None
    specs: list[str]
    plain: list[bool]
    stops: list[bool]
    arrays: list[str]

    def filled(self, values: Sequence[Tensor]) -> Any:
        """The string, or the value."""
        if self.parts is None:
            return _given(values[0], self.plain[0], self.arrays[0])
        given = map(_given, values, self.plain, self.arrays)
        shown = [_text_of(x, spec) for x, spec in zip(given, self.specs, strict=True)]
        return "".join(a + b for a, b in zip(self.parts, [*shown, ""], strict=True))


def _given(x: Tensor, is_number: bool, array: str) -> Any:
    """What the code has: a Python number, a tensor, an array or a scalar of NumPy's."""
    if is_number or not array:
        return x.item() if is_number else x
    if array == "parameter":
        return _as_parameter(x)
    return x.numpy() if array == "array" else x.numpy()[()]


def _as_parameter(x: Tensor) -> Parameter:
    made = Parameter.__new__(Parameter)
    made.__dict__.update(x.__dict__)
    return made


def _text_of(value: Any, spec: str) -> str:
    if spec[:2] == "!%":
        return str(spec[1:] % value)
    if spec[:2] in ("!r", "!s", "!a"):
        return format(CONVERSIONS[spec[1]](value), spec[2:])
    return format_tensor(value, spec) if isinstance(value, Tensor) else format(value, spec)


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
            whole = unflatten(self.tree, iter(parts))
            return whole if self.assembled is None else self.assembled(whole)

    def facts(self) -> dict[str, Any] | None:
        """All of it as JSON; None where it holds objects."""
        if self.assembled is not None:
            return None
        try:
            tree = encode_tree(self.tree)
        except ArgumentError:
            return None
        leaves = [_facts_of(x) for x in self.leaves]
        return {"tree": tree, "leaves": leaves}


def _facts_of(leaf: ShownLeaf) -> dict[str, Any]:
    facts = {"parts": leaf.parts, "specs": leaf.specs, "plain": leaf.plain}
    return facts | {"arrays": leaf.arrays} if any(leaf.arrays) else facts


def _tensor(array: Any, stop: bool) -> Tensor:
    x = from_array(np.array(array))
    x.stop_gradient = stop
    return x


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


class Raising:
    """A `raise` of the program's, of exceptions whose arguments hold values: what a run makes of them is raised.

    kinds, links: the exception's class, and of those that it came from (base/causes.py); assembled: a function from
    their arguments and attributes to the exception, where more is known of it, as its places in the code.
    """

    def __init__(
        self, shown: ShownValues, kinds: Sequence[type[BaseException]], links: Links,
        assembled: Callable[[Any], BaseException] | None = None,
    ) -> None:  # fmt: skip
        self.shown, self.kinds, self.links = shown, kinds, links
        self.assembled = assembled or self._assembled

    def _assembled(self, parts: Any) -> BaseException:
        return link([made(kind, *part) for kind, part in zip(self.kinds, parts, strict=True)], self.links)

    def __call__(self, *arrays: Any) -> NoReturn:
        raise_linked(self.assembled(self.shown(*arrays)))

    def facts(self) -> dict[str, Any] | None:
        """All of it as JSON; None where it holds objects, or classes that aren't Python's own."""
        facts = self.shown.facts() if all(_python_s_own(k.__name__) is k for k in self.kinds) else None
        return facts and facts | {"kinds": [k.__name__ for k in self.kinds], "links": [list(x) for x in self.links]}


def _python_s_own(name: str) -> type[BaseException] | None:
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def printed(where: str, facts: Any) -> Printed:
    """A saved `print`. ArtifactError for malformed facts."""
    return Printed(_shown(Decoder(where), facts, "a print"))


def raising(where: str, facts: Any) -> Raising:
    """A saved `raise`. ArtifactError for malformed facts."""
    decoder = Decoder(where)
    shown = _shown(decoder, facts, "a raise")
    kinds = [kind for name in facts["kinds"] if (kind := _python_s_own(str(name))) is not None]
    links = tuple([(int(cause), int(context), bool(suppressed)) for cause, context, suppressed in facts["links"]])
    parts = shown.tree.children
    fits = len(parts) == len(kinds) == len(links) == len(facts["kinds"]) > 0 and all(
        -1 <= place < len(kinds) for cause, context, _ in links for place in (cause, context)
    )
    if not fits or not all(_is_part(part) for part in parts):
        raise decoder.fail("a raise is malformed")
    return Raising(shown, kinds, links)


def _is_part(tree: Tree) -> bool:
    """Whether this is the structure of a tuple of arguments and a dict of attributes."""
    return tree.kind == "tuple" and [c.kind for c in tree.children] == ["tuple", "dict"]


def _shown(decoder: Decoder, facts: Any, what: str) -> ShownValues:
    tree = decoder.tree(facts["tree"])
    leaves = [_leaf(decoder, leaf, what) for leaf in facts["leaves"]]
    if tree.leaf_count != len(leaves):
        raise decoder.fail(f"{what} is malformed")
    return ShownValues(tree, leaves)


def _leaf(decoder: Decoder, facts: Any, what: str) -> ShownLeaf:
    parts, specs = facts["parts"], [str(s) for s in facts["specs"]]
    plain = [bool(p) for p in facts["plain"]]
    arrays = [str(a) for a in facts.get("arrays", [""] * len(specs))]
    fits = len(plain) == len(specs) == len(arrays) and set(arrays) <= _ARRAYS
    fits = fits and all(_SPEC.fullmatch(s) and len(s) < 100 for s in specs)
    texts: Iterator[str] = iter(parts or [])
    if not fits or (
        len(parts) != len(specs) + 1 or not all(isinstance(t, str) for t in texts) if parts else len(specs) != 1
    ):
        raise decoder.fail(f"{what} is malformed")
    return ShownLeaf(parts, specs, plain, [True] * len(specs), arrays)  # a loaded model's tensors want no gradients
