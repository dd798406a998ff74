"""Nested Python values as JSON, for the manifest of artifacts, and back, trusting nothing."""

from __future__ import annotations

import math
import types
from collections import namedtuple
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, ArtifactError
from ...base.pytree import Tree
from ...dygraph.nn.layer import Layer

_NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float}


def encode_tree(tree: Tree) -> dict[str, Any]:
    """A structure as JSON. ArgumentError for constants that can't be written down."""
    if tree.kind == "own" and not any(c.leaf_count for c in tree.children[1:]):
        return encode_tree(tree.children[0])  # of a deque, set or own list its items; whoever loads it has no class
    made: dict[str, Any] = {"kind": tree.kind}
    if tree.kind == "const":
        made["value"] = _encode_constant(tree.data)
    elif tree.kind == "number":
        made["type"] = tree.data.__name__
    elif tree.kind == "mapping":
        facts, count = tree.data, len(tree.data.keys)
        further = {n: c for n, c in zip(facts.attributes, tree.children[count:], strict=True) if c.leaf_count}
        tree = Tree("dict", (*facts.keys, *further), (*tree.children[:count], *further.values()))
        made.update(kind="dict", keys=[_encode_constant(k) for k in tree.data])
    elif tree.kind == "dict":
        made["keys"] = [_encode_constant(k) for k in tree.data]
    elif tree.kind == "namedtuple":
        made.update(name=tree.data.__name__, fields=list(tree.data._fields))
    elif tree.kind == "dataclass":
        made.update(name=tree.data[0].__name__, fields=list(tree.data[1]))
    elif tree.kind == "own":
        raise ArgumentError("an object with items and attributes among the results can't be saved")
    if tree.children:
        made["children"] = [encode_tree(c) for c in tree.children]
    return made


def _encode_constant(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": value.hex() if math.isfinite(value) else repr(value)}
    if isinstance(value, Layer):
        return {"object": type(value).__name__}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        return {"array": [value.dtype.name, list(value.shape), np.ascontiguousarray(value).tobytes().hex()]}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return {type(value).__name__: [_encode_constant(v) for v in value]}
    raise ArgumentError(
        f"a {type(value).__name__} among the arguments or results can't be saved",
        remedy="use numbers, strings and tensors",
    )


class Decoder:
    """JSON back to structures; whatever isn't as `save` writes it is an ArtifactError."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.made: dict[tuple[str, tuple[str, ...]], Any] = {}

    def fail(self, reason: str) -> ArtifactError:
        return ArtifactError(f"{self.where}: manifest.json: {reason}", remedy="save the model again")

    def tree(self, made: Any, depth: int = 0, *, in_rows: bool = False) -> Tree:
        if not isinstance(made, dict) or depth > 100:
            raise self.fail("a structure is malformed")
        kind = made.get("kind")
        in_rows = in_rows or kind == "rows"
        children = tuple(self.tree(c, depth + 1, in_rows=in_rows) for c in made.get("children", ()))
        if kind == "leaf" and not children:
            return Tree("leaf")
        if kind == "number" and in_rows and not children and str(made.get("type")) in _NUMBERS:
            return Tree(kind, _NUMBERS[made["type"]])
        if kind == "const":
            return Tree("const", self.constant(made.get("value")))
        if kind == "either" and len(children) == 3 and children[0].kind == "leaf":
            return Tree(kind, None, children)
        if kind in ("tuple", "list", "spliced") or (kind == "rows" and len(children) == 1):
            return Tree(kind, None, children)
        if kind == "dict" and len(made["keys"]) == len(children):
            return Tree("dict", tuple(self.constant(k) for k in made["keys"]), children)
        if kind in ("namedtuple", "dataclass") and len(made["fields"]) == len(children):
            fields = tuple(made["fields"])
            if not all(isinstance(f, str) and f.isidentifier() for f in (made["name"], *fields)):
                raise self.fail("a structure's names are malformed")
            if kind == "dataclass":
                return Tree("dataclass", (types.SimpleNamespace, fields), children)
            key = (made["name"], fields)
            if key not in self.made:
                self.made[key] = namedtuple(made["name"], fields, rename=True)
            return Tree("namedtuple", self.made[key], children)
        raise self.fail(f"a structure of kind {kind!r:.40} is unknown")

    def constant(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, dict) and len(value) == 1:
            ((kind, inner),) = value.items()
            if kind == "int" and isinstance(inner, str) and len(inner) < 400:
                return int(inner)
            if kind == "float" and isinstance(inner, str):
                return float(inner) if inner in ("nan", "inf", "-inf") else float.fromhex(inner)
            if kind == "object" and isinstance(inner, str):
                return Anything(inner)
            if kind == "array" and isinstance(inner, list) and len(inner) == 3:
                return self.array(*inner)
            if kind in ("list", "tuple") and isinstance(inner, list):
                items = [self.constant(v) for v in inner]
                return items if kind == "list" else tuple(items)
        raise self.fail("a constant is malformed")

    def array(self, dtype: Any, shape: Any, data: Any) -> np.ndarray:
        if isinstance(dtype, str) and isinstance(shape, list) and isinstance(data, str):
            try:
                return np.frombuffer(bytes.fromhex(data), dtype).reshape(shape).copy()
            except (TypeError, ValueError) as error:
                raise self.fail("an array is malformed") from error
        raise self.fail("an array is malformed")


class Anything:
    """Stands for an object that can't be saved, among a saved function's arguments."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<a {self.name}>"
