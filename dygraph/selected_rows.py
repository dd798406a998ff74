"""`SelectedRows`: some rows of a table, by their numbers, as PaddlePaddle holds gradients of sparse embeddings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .dense import DenseTensor


class SelectedRows:
    """Rows of a table of `height` rows: `get_tensor()` has one row for each number in `rows()`, which may repeat.

    >>> import numpy as np
    >>> some = SelectedRows([0, 4], 10)
    >>> some.get_tensor().set(np.ones([2, 3], "float32"))
    >>> some.rows(), some.height(), some.get_tensor().shape()
    ([0, 4], 10, [2, 3])
    """

    def __init__(self, rows: Sequence[int] = (), height: int = 0) -> None:
        self._tensor = DenseTensor()
        self.set_rows(rows)
        self.set_height(height)

    def rows(self) -> list[int]:
        """The numbers of the rows."""
        return list(self._rows)

    def set_rows(self, rows: Sequence[int]) -> None:
        """Set the numbers of the rows."""
        self._rows = [int(n) for n in rows]

    def height(self) -> int:
        """How many rows the table has."""
        return self._height

    def set_height(self, height: int) -> None:
        """Set how many rows the table has."""
        self._height = int(height)

    def get_tensor(self) -> DenseTensor:
        """The rows' elements."""
        return self._tensor

    def numel(self) -> int:
        """How many elements the rows have."""
        shape = self._tensor.shape()
        return math.prod(shape) if shape else 0

    def sync_index(self) -> None:
        """Nothing: the numbers of the rows are looked up where they are."""
