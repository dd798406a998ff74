"""Feeds: the sizes that they declare, and declared variables that turn out to be feeds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..ir.core import Value
from ..ops.dims import Dim
from ..ops.types import TensorType

_NAME = re.compile(r"[^A-Za-z0-9_]")


def sizes_of_feed(name: str, shape: Sequence[Any]) -> tuple[Any, ...]:
    """Sizes as a program knows them: a symbol for -1 or None. Errors: ArgumentError."""
    sizes: list[Any] = []
    stem = _NAME.sub("_", name)
    for k, size in enumerate(shape):
        if size is None or size == -1:
            sizes.append(Dim.symbol(f"{stem}_{k}"))
        elif isinstance(size, (int, np.integer)) and size >= 0:
            sizes.append(int(size))
        else:
            raise ArgumentError(f"data: {size!r} isn't a size", remedy="use -1 or None where it isn't known")
    return tuple(sizes)


def become_feed(x: Any, recorder: Any) -> Value:
    """Let a variable that was declared with its shape, and is read before an operation gives it a value, be a feed.

    As in Paddle it may be fed under its name, or a scope has its value.
    """
    kind = TensorType(x._dtype, sizes_of_feed(x.name, x._storage.payload.shape))
    value: Value = recorder.program.add_feed(x.name, kind)
    x._storage.payload = value
    x.is_data = True
    recorder.owner.keeps_feeds = True
    return value


def cut_at(program: Any, name: str, value: Value) -> None:
    """Let a value that operations compute be fed under its name instead: they read the feed."""
    feed = program.recorder.program.add_feed(name, TensorType(value.dtype, sizes_of_feed(name, _open(value.shape))))
    value.replace_by(feed)


def _open(shape: Sequence[Any]) -> list[Any]:
    return [-1 if isinstance(d, Dim) else d for d in shape]
