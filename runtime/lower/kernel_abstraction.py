"""Kernels whose texts differ in sizes only, as kernels of one text that takes those sizes as dims."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..kernel_cache import KernelSource
from .kernel import Kernel, kernel_source

# Sizes of loops and of index arithmetic. Numbers elsewhere are values, or lengths of arrays on the stack.
_SIZE = re.compile(r"(?<=range\()\d+(?=\))|(?<= \* )\d+\b(?![.(])|(?<= // )\d+\b(?![.(])|(?<= % )\d+\b(?![.(])")


def skeleton(source: KernelSource) -> str:
    """What kernels that `abstracted` makes into one have in common."""
    return _SIZE.sub("?", source.identity)


def abstracted(kernels: Sequence[Kernel]) -> list[Kernel]:
    """The kernels, all of one skeleton, with one text: sizes in which they differ are dims behind those they have."""
    first = kernels[0].source
    columns = list(zip(*([int(n) for n in _SIZE.findall(k.source.body)] for k in kernels), strict=True))
    added = list(dict.fromkeys(column for column in columns if len(set(column)) > 1))
    if not added:
        return list(kernels)
    names = {column: f"d{first.dims + number}" for number, column in enumerate(added)}
    spelled = iter(columns)
    _, _, body = first.body.partition("\n")
    body = _SIZE.sub(lambda found: names.get(next(spelled), found[0]), body)
    source = kernel_source(first.name, body, kernels[0].slots, first.dims + len(added))
    return [replace(k, source=source, dims=[*k.dims, *(c[row] for c in added)]) for row, k in enumerate(kernels)]
