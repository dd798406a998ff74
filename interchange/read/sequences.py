"""Sequences and optionals. One is a list while the model is read: its length is known, its tensors need not be."""

from __future__ import annotations

from typing import Any

import numpy as np

from .node import Importer, Node, op


def items(n: Node, k: int) -> list[Any]:
    """Input `k` as a list. Errors: ArgumentError for a tensor."""
    found: Any = n[k]
    if not isinstance(found, list):
        raise n.refuse("a tensor where a sequence belongs")
    return found


def _place(n: Node, k: int, default: int) -> int:
    return int(n.number(k, "position")) if n.has(k) else default


def _at(n: Node) -> Any:
    held, place = items(n, 0), _place(n, 1, 0)
    if not -len(held) <= place < len(held):
        raise n.refuse(f"element {place} of a sequence of {len(held)}")
    return held[place]


def _insert(n: Node) -> Any:
    held = list(items(n, 0))
    held.insert(_place(n, 2, len(held)), n[1])
    return (held,)


def _erase(n: Node) -> Any:
    held = list(items(n, 0))
    place = _place(n, 1, len(held) - 1)
    if not -len(held) <= place < len(held):
        raise n.refuse(f"element {place} of a sequence of {len(held)}")
    del held[place]
    return (held,)


def _construct(n: Node) -> Any:
    return (n.given,)


def _empty(n: Node) -> Any:
    return ([],)


def _length(n: Node) -> Any:
    return n.graph.constant(np.int64(len(items(n, 0))))


def _split(n: Node) -> Any:
    x, axis = n[0], int(n.attribute("axis", 0))
    keeps, sizes = bool(n.attribute("keepdims", 1)), n.array(1)
    whole = x.shape[axis]
    if n.has(1):
        sizes = n.constant(1, "split")
    if not isinstance(whole, int):
        raise n.refuse(f"a size {whole} that is known at run time only")
    if sizes is None:
        parts = [1] * whole
    elif np.ndim(sizes) == 0:
        each = int(sizes)
        parts = [min(each, whole - start) for start in range(0, whole, each)]
    else:
        parts = [int(v) for v in sizes]
    made = op.split(x, parts, axis)
    return ([op.squeeze(v, axis) for v in made] if sizes is None and not keeps else made,)


def _concat(n: Node) -> Any:
    held, axis = items(n, 0), int(n.required("axis"))
    return op.stack(held, axis) if n.attribute("new_axis", 0) else op.concat(held, axis=axis)


# ---- optionals: a value, or nothing


def _optional(n: Node) -> Any:
    return (n.get(0),)


def _has_element(n: Node) -> Any:
    return n.graph.constant(np.bool_(n.has(0)))


def _get_element(n: Node) -> Any:
    return (n[0],)


ROWS: dict[str, Importer] = {
    "ConcatFromSequence": _concat,
    "Optional": _optional,
    "OptionalGetElement": _get_element,
    "OptionalHasElement": _has_element,
    "SequenceAt": _at,
    "SequenceConstruct": _construct,
    "SequenceEmpty": _empty,
    "SequenceErase": _erase,
    "SequenceInsert": _insert,
    "SequenceLength": _length,
    "SplitToSequence": _split,
}
TAKERS = frozenset({*ROWS, "Identity", "If", "Loop"})  # operators that take sequences
