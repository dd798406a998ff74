"""NumPy's matmul as parameter blocks of the VM's GEMM: batch axes folded into at most two levels of strides."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base.target import current_target
from .virtual_machine import gemm_block

_READING = 4  # multiplications that take as long as reading an operand's element: what a product of few rows waits for

Shape = tuple[int, ...]
Item = tuple[np.ndarray[Any, Any], int, tuple[int, int, int]]


def gemm_blocks(
    a: Shape, b: Shape, out: Shape, transpose_a: bool, transpose_b: bool, alpha: float = 1.0, beta: float = 0.0
) -> Iterator[Item | None]:
    """Parameter blocks, chunk counts and element offsets of a, b, out; None stands for "fill the result with zeros"."""
    if math.prod(out) == 0:
        return
    if len(a) == 1:
        a, transpose_a = (1, *a), False
    if len(b) == 1:
        b, transpose_b = (*b, 1), False
    m, k = (a[-1], a[-2]) if transpose_a else (a[-2], a[-1])
    n = b[-2] if transpose_b else b[-1]
    if k == 0 and beta == 0.0:
        yield None
        return
    batch_a, batch_b = a[:-2], b[:-2]
    if math.prod(batch_b) == 1 and not transpose_a:  # one tall GEMM instead of many
        m, batch_a = m * math.prod(batch_a), ()
    levels = _levels(batch_a, batch_b, m * k, k * n, m * n)
    outer, inner = levels[:-2], levels[-2:]
    inner = [(1, 0, 0, 0)] * (2 - len(inner)) + inner
    for shift in _offsets(outer):
        (count, sa, sb, sc), (inner_count, ia, ib, ic) = inner
        block = gemm_block(
            m, n, k, alpha=alpha, beta=beta, transpose_a=int(transpose_a), transpose_b=int(transpose_b),
            batch=count, stride_a=sa, stride_b=sb,
            stride_c=sc, inner_batch=inner_count, inner_stride_a=ia, inner_stride_b=ib, inner_stride_c=ic,
            plain=int(not current_target().blas),
        )  # fmt: skip
        yield block, _chunks(count * inner_count, m, n, k), shift


def _chunks(count: int, m: int, n: int, k: int) -> int:
    """How many threads are worth a share of a batch of products: by its operations, or by what it reads."""
    work = 2 * count * max(m * n * k, _READING * (m * k + k * n + m * n))
    return int(2 ** bisect_right(current_target().threads.blas_flops, work))


def _levels(a: Shape, b: Shape, size_a: int, size_b: int, size_c: int) -> list[tuple[int, int, int, int]]:
    """(count, stride of a, b, c) per batch axis, outermost first, neighbours joined where the strides allow."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    levels: list[tuple[int, int, int, int]] = []
    for x, y in zip(reversed(a), reversed(b), strict=True):
        count = max(x, y) if 0 not in (x, y) else 0
        if count != 1:
            levels.append((count, 0 if x == 1 else size_a, 0 if y == 1 else size_b, size_c))
        size_a, size_b, size_c = size_a * x, size_b * y, size_c * count
    joined: list[tuple[int, int, int, int]] = []
    for level in levels:  # innermost first
        if joined and all(s == t * joined[-1][0] for s, t in zip(level[1:], joined[-1][1:], strict=True)):
            joined[-1] = (joined[-1][0] * level[0], *joined[-1][1:])
        else:
            joined.append(level)
    return joined[::-1]


def _offsets(levels: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, int, int]]:
    if not levels:
        yield 0, 0, 0
        return
    count, sa, sb, sc = levels[0]
    for k in range(count):
        for x, y, z in _offsets(levels[1:]):
            yield k * sa + x, k * sb + y, k * sc + z
