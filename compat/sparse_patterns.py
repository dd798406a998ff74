"""`incubate.asp`: n:m sparsity. At least `n` of each `m` neighbours are zero, in rows or in both directions."""

from __future__ import annotations

import math
from enum import Enum
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from ..base.errors import AssertedError, ShapeError


class MaskAlgo(Enum):
    """How masks are made: along rows, or for blocks of m x m elements, quickly or as well as possible."""

    MASK_1D = "get_mask_1d"
    MASK_2D_GREEDY = "get_mask_2d_greedy"
    MASK_2D_BEST = "get_mask_2d_best"


class CheckMethod(Enum):
    """How masks are checked: along rows, or along rows and columns."""

    CHECK_1D = "check_mask_1d"
    CHECK_2D = "check_mask_2d"

    @staticmethod
    def get_checking_method(mask_algo: MaskAlgo) -> CheckMethod:
        """The check that masks of an algorithm pass. Errors: AssertedError for another object."""
        if not isinstance(mask_algo, MaskAlgo):
            raise AssertedError(f"mask_algo must be a MaskAlgo, not {mask_algo!r}")
        return CheckMethod.CHECK_1D if mask_algo is MaskAlgo.MASK_1D else CheckMethod.CHECK_2D


def calculate_density(x: Any) -> float:
    """The share of elements that aren't zero.

    >>> calculate_density(np.array([[0, 1], [1, 1]]))
    0.75
    """
    array = np.asarray(x)
    return float(np.count_nonzero(array)) / array.size


def _rows(mat: Any, m: int) -> Any:
    """The matrix in pieces [rows, pieces, m] of its rows, with zeros at the end."""
    array = np.asarray(mat)
    if array.ndim != 2:
        raise AssertedError(f"a matrix is needed, not an array with {array.ndim} axes")
    rows, columns = array.shape
    padded = np.zeros((rows, -(-columns // m) * m), array.dtype)
    padded[:, :columns] = array
    return padded.reshape(rows, padded.shape[1] // m, m)


def _blocks(mat: Any, m: int) -> Any:
    """The matrix in blocks [down, across, m, m], with zeros below and to the right."""
    across = _rows(mat, m)
    down = _rows(across.reshape(across.shape[0], across.shape[1] * m).T, m)
    columns, pieces, _ = down.shape
    return down.reshape(columns // m, m, pieces, m).transpose(2, 0, 3, 1)


def _from_blocks(blocks: Any, like: Any) -> Any:
    down, across, m, _ = blocks.shape
    whole = blocks.transpose(0, 2, 1, 3).reshape(down * m, across * m)
    return whole[: like.shape[0], : like.shape[1]].astype(like.dtype)


def _sparse(pieces: Any, n: int, m: int) -> bool:
    return bool(np.all(np.count_nonzero(pieces, axis=-1) <= m - n))


def check_mask_1d(mat: Any, n: int, m: int) -> bool:
    """Whether at least `n` of each `m` neighbours in a row are zero; rows are continued with zeros.

    >>> check_mask_1d(np.array([[0, 1, 0, 1]]), 2, 4)
    True
    """
    array = np.asarray(mat)
    return _sparse(_rows(array.reshape(1, -1) if array.ndim < 2 else array, m), n, m)


def check_mask_2d(mat: Any, n: int, m: int) -> bool:
    """Whether in each block of m x m elements every row, or every column, has `n` zeros: PaddlePaddle's test."""
    filled = _blocks(mat, m) != 0
    rows, columns = ((filled.sum(axis=axis) <= m - n).all(axis=-1) for axis in (-1, -2))
    return bool((rows | columns).all())


def get_mask_1d(mat: Any, n: int, m: int) -> Any:
    """Zeros for the `n` smallest of each `m` neighbours in a row, ones for the others.

    >>> get_mask_1d(np.array([[0, 1, 5, 4]]), 2, 4).tolist()
    [[0, 0, 1, 1]]
    """
    array = np.asarray(mat)
    pieces = _rows(array, m)
    mask = np.ones_like(pieces)
    np.put_along_axis(mask, np.argsort(np.abs(pieces), axis=-1, kind="stable")[..., :n], 0, axis=-1)
    return mask.reshape(array.shape[0], mask.shape[1] * m)[:, : array.shape[1]]


def get_mask_2d_greedy(mat: Any, n: int, m: int) -> Any:
    """Ones for the largest elements of each block, as long as its row and column have fewer than m - n of them."""
    array = np.asarray(mat)
    blocks = _blocks(array, m)
    mask = np.zeros_like(blocks)
    for place in np.ndindex(blocks.shape[:2]):
        block, kept = blocks[place], mask[place]
        for at in np.argsort(np.abs(block), axis=None, kind="stable")[::-1]:
            row, column = divmod(int(at), m)
            if kept[row].sum() < m - n and kept[:, column].sum() < m - n:
                kept[row, column] = 1
    return _from_blocks(mask, array)


@cache
def _patterns(n: int, m: int) -> Any:
    """All masks [count, m, m] with m - n ones in each row and at most as many in each column."""
    lines = [np.isin(np.arange(m), ones) for ones in combinations(range(m), m - n)]
    found = (np.stack(rows) for rows in product(lines, repeat=m))
    return np.array([rows for rows in found if rows.sum(0).max() <= m - n], np.float64)


def get_mask_2d_best(mat: Any, n: int, m: int) -> Any:
    """The mask of each block that keeps the largest sum of absolute values, of all with `n` zeros a row and column."""
    array = np.asarray(mat)
    blocks, patterns = _blocks(array, m), _patterns(n, m)
    sums = np.abs(blocks.reshape(*blocks.shape[:2], m * m)).astype(np.float64) @ patterns.reshape(len(patterns), -1).T
    return _from_blocks(patterns[np.argmax(sums, axis=-1)], array)


_ALGORITHMS = {
    MaskAlgo.MASK_1D: get_mask_1d, MaskAlgo.MASK_2D_GREEDY: get_mask_2d_greedy, MaskAlgo.MASK_2D_BEST: get_mask_2d_best,
}  # fmt: skip
_CHECKS = {CheckMethod.CHECK_1D: check_mask_1d, CheckMethod.CHECK_2D: check_mask_2d}


def _as_matrix(array: Any) -> Any:
    """Vectors as one row; axes before the last as rows; of four axes the third are the columns."""
    if array.ndim not in (1, 2, 3, 4):
        raise ShapeError(f"sparsity is for arrays with 1 to 4 axes, not {array.ndim}")
    moved = np.moveaxis(array, 2, -1) if array.ndim == 4 else array
    return moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1])


def create_mask(tensor: Any, func_name: MaskAlgo = MaskAlgo.MASK_1D, n: int = 2, m: int = 4) -> Any:
    """Ones for the elements that stay, zeros for the others: an array like `tensor`, which has 1 to 4 axes.

    Errors: AssertedError where `func_name` is no MaskAlgo, ShapeError for more axes.
    """
    if not isinstance(func_name, MaskAlgo):
        raise AssertedError(f"func_name must be a MaskAlgo, not {func_name!r}")
    array = np.asarray(tensor)
    mask = _ALGORITHMS[func_name](_as_matrix(array), n, m)
    if array.ndim == 4:
        a, b, columns, d = array.shape
        return np.moveaxis(mask.reshape(a, b, d, columns), -1, 2).astype(array.dtype)
    return mask.reshape(array.shape).astype(array.dtype)


def check_sparsity(tensor: Any, func_name: CheckMethod = CheckMethod.CHECK_1D, n: int = 2, m: int = 4) -> bool:
    """Whether an array with 1 to 4 axes has this sparsity.

    Errors: AssertedError where `func_name` is no CheckMethod, ShapeError for more axes.
    """
    if not isinstance(func_name, CheckMethod):
        raise AssertedError(f"func_name must be a CheckMethod, not {func_name!r}")
    return _CHECKS[func_name](_as_matrix(np.asarray(tensor)), n, m)
