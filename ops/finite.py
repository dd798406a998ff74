"""What is said of results that aren't finite, by eager mode and by programs that check them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .op import Op

REMEDY = "look at the operands of this line"


def complaint(op: Op, results: Sequence[Any], operands: Sequence[Any]) -> str | None:
    """The first float result with NaN or infinity among its elements, in words; None where all are finite.

    Rows without operands may make infinity: nothing went wrong in them.
    """
    if not operands:
        return None
    for k, array in enumerate(results):
        if array.dtype.kind in "biu" or np.isfinite(array).all():
            continue
        given = "" if all(map(_is_finite, operands)) else ", of operands that weren't finite"
        which = f"result {k} of {op.name}" if len(results) > 1 else op.name
        nans, infinite = int(np.isnan(array).sum()), int(np.isinf(array).sum())
        return f"{which} has {nans} NaN and {infinite} infinite elements among {array.size}{given}"
    return None


def _is_finite(array: Any) -> bool:
    return not isinstance(array, np.ndarray) or array.dtype.kind in "biu" or bool(np.isfinite(array).all())
