"""How PaddlePaddle's loader joins samples, for programs that call it: arrays stay arrays, and tensors tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..data.collate import collate_by
from ..dygraph.tensor import Tensor
from ..ops.op import FUNCTIONS


def default_collate_fn(batch: Sequence[Any]) -> Any:
    """Samples stacked field by field. Errors: DataError where they don't fit together.

    >>> default_collate_fn([(1, "a"), (2, "b")])
    [array([1, 2]), ['a', 'b']]
    """
    return collate_by(batch, _stacked)


def _stacked(items: list[Any]) -> Any:
    return FUNCTIONS["stack"](items, axis=0) if isinstance(items[0], Tensor) else np.stack([*map(np.asarray, items)])


def default_convert_fn(batch: Any) -> Any:
    """A sample as it is; sequences in it become lists.

    >>> default_convert_fn((1, {"a": (2, 3)}))
    [1, {'a': [2, 3]}]
    """
    if isinstance(batch, (Tensor, np.ndarray, str, bytes)):
        return batch
    if isinstance(batch, Mapping):
        return {key: default_convert_fn(each) for key, each in batch.items()}
    return [default_convert_fn(each) for each in batch] if isinstance(batch, Sequence) else batch
