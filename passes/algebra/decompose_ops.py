"""Rows that only our kernels know become rows that every other system has, too: attention as matmuls and softmax,
windows as gathers and slices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...ir.builder import ahead_of
from ...ir.core import Program
from ...ir.walk import walk
from ...ops.arrange import gathered_windows
from ...ops.attention import decomposed, decomposed_gradient
from ...ops.image_columns import sliced_patches
from ..manager import Pass

_MEANINGS: dict[str, Callable[..., Any]] = {
    "attention": decomposed, "attention_grad": decomposed_gradient, "windows": gathered_windows,
    "patches": sliced_patches,
}  # fmt: skip


@dataclass(frozen=True)
class Decompose(Pass):
    """For ONNX, put matmuls and sums for `attention` and its gradient, gathers for `windows`, slices for `patches`."""

    name = "decompose"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if o.name in _MEANINGS]
        for operation in found:
            with ahead_of(operation).active():
                made = _MEANINGS[operation.name](*operation.operands, **operation.attrs)
            for result, value in zip(operation.results, made, strict=True):
                result.replace_by(value)
            operation.erase()
        return bool(found)
