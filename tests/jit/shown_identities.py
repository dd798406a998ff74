"""Values of tensors with the objects that they are, for tests that compare identity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import vitrify as vt


def tensors(value: Any) -> Iterator[Any]:
    """Those in a value, in order."""
    if isinstance(value, vt.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors(part)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def shown(*values: Any) -> Any:
    """The values, with a number for each object."""
    numbers: dict[int, int] = {}
    return [(x.tolist(), numbers.setdefault(id(x), len(numbers))) for x in tensors(list(values))]
