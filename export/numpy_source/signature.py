"""Nested arguments and results, as an artifact's manifest describes them, in the words of Python source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...base.errors import ArgumentError
from .helpers import identifier


def constant_of(made: Any) -> Any:
    """A constant from its JSON form."""
    if isinstance(made, dict):
        ((kind, value),) = made.items()
        if kind == "int":
            return int(value)
        if kind == "float":
            return float.fromhex(value) if value not in ("inf", "-inf", "nan") else float(value)
        if kind in ("tuple", "list"):
            values = [constant_of(v) for v in value]
            return tuple(values) if kind == "tuple" else values
        return None  # an object that only stands in the signature
    return made


def parameters(tree: Mapping[str, Any], names: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """The parameters of a method and their structures; constants, which are part of the program, are left out."""
    args, named = tree["children"]
    left = iter(names)
    found: list[tuple[str, dict[str, Any]]] = []
    keys = [constant_of(k) for k in named.get("keys", ())]
    positions: list[Any] = [None] * len(args.get("children", ()))
    for k, (key, child) in enumerate(
        zip([*positions, *keys], [*args.get("children", ()), *named.get("children", ())], strict=True)
    ):
        inner = [next(left) for _ in range(leaf_count(child))]
        if inner:
            stem = str(key) if key is not None else (inner[0] if child["kind"] == "leaf" else f"argument_{k}")
            found.append((identifier(stem), child))
    return found


def leaf_count(tree: Mapping[str, Any]) -> int:
    """How many tensors a structure holds."""
    return 1 if tree["kind"] == "leaf" else sum(leaf_count(c) for c in tree.get("children", ()))


def paths(tree: Mapping[str, Any], text: str) -> Iterator[str]:
    """The expression for each tensor of a structure that the variable `text` holds."""
    kind, children = tree["kind"], tree.get("children", ())
    if kind == "leaf":
        yield text
        return
    if kind in ("tuple", "list"):
        steps = [f"[{k}]" for k in range(len(children))]
    elif kind == "dict":
        steps = [f"[{constant_of(k)!r}]" for k in tree["keys"]]
    elif kind in ("namedtuple", "dataclass"):
        steps = [f".{field}" for field in tree["fields"]]
    elif kind == "const":
        return
    else:
        raise ArgumentError(f"an argument nested as {kind!r} can't be written as Python source")
    for step, child in zip(steps, children, strict=True):
        yield from paths(child, text + step)


def built(tree: Mapping[str, Any], leaves: Iterator[str], classes: dict[str, list[str]]) -> str:
    """The expression that builds a structure from expressions for its leaves.

    >>> built({"kind": "list", "children": [{"kind": "leaf"}, {"kind": "const", "value": None}]}, iter("x"), {})
    '[x, None]'
    """
    kind = tree["kind"]
    if kind == "leaf":
        return next(leaves)
    if kind == "const":
        return repr(constant_of(tree.get("value")))
    parts = [built(c, leaves, classes) for c in tree.get("children", ())]
    if kind == "tuple":
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    if kind == "list":
        return f"[{', '.join(parts)}]"
    if kind == "dict":
        return "{" + ", ".join(f"{constant_of(k)!r}: {p}" for k, p in zip(tree["keys"], parts, strict=True)) + "}"
    if kind in ("namedtuple", "dataclass"):
        classes[tree["name"]] = list(tree["fields"])
        return f"{tree['name']}({', '.join(parts)})"
    if kind == "either":
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    raise ArgumentError(
        f"a result nested as {kind!r} can't be written as Python source",
        remedy="return a stacked tensor instead of a list whose length only a run knows",
    )


def numbers(tree: Mapping[str, Any], leaves: Iterator[Any]) -> list[Any]:
    """The arrays and numbers in a structure with these leaves, in order.

    >>> numbers({"kind": "tuple", "children": [{"kind": "const", "value": True}, {"kind": "leaf"}]}, iter([2.5]))
    [True, 2.5]
    """
    if tree["kind"] == "leaf":
        return [next(leaves)]
    if tree["kind"] == "const":
        value = constant_of(tree.get("value"))
        parts = value if isinstance(value, (tuple, list)) else [value]
        return [v for v in parts if isinstance(v, (bool, int, float))]
    parts = [numbers(c, leaves) for c in tree.get("children", ())]
    if tree["kind"] == "either":
        parts = [parts[1] if parts[0][0] else parts[2]]
    return [v for part in parts for v in part]
