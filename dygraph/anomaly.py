"""The search for the op that makes NaN or infinity: eager mode with a check of every result, forward and backward."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import NonFiniteError
from ..ops.dispatch import set_bottom
from ..ops.op import Op
from .eager import EAGER, EagerInterpreter
from .tensor import Tensor

_asked: list[bool] = []  # whether a check was asked for, by the flag or by blocks around


class CheckingInterpreter(EagerInterpreter):
    """Eager mode whose float results must be finite."""

    def again(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return NotImplemented  # every result has to come by `apply`

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        made = super().apply(op, args, attrs)
        for k, result in enumerate(made if isinstance(made, tuple) else (made,)):
            if result.dtype.category < 2 or not op.operands:
                continue
            array = result._storage.payload
            finite = np.isfinite(array)
            if not finite.all():
                given = "" if all(_is_finite(x) for x in args) else ", of operands that weren't finite"
                which = f"result {k} of {op.name}" if isinstance(made, tuple) else op.name
                raise NonFiniteError(
                    f"{which} has {int(np.isnan(array).sum())} NaN and {int(np.isinf(array).sum())} infinite elements "
                    f"among {array.size}{given}",
                    remedy="look at the operands of this line",
                )
        return made


def _is_finite(x: Tensor) -> bool:
    return x.dtype.category < 2 or bool(np.isfinite(x._storage.payload).all())


_CHECKING = CheckingInterpreter()


def check_nan_inf(enabled: bool) -> None:
    """Check every result of eager ops from here on, or no more: Paddle's FLAGS_check_nan_inf. NonFiniteError names the
    op and your line. Results inside compiled programs aren't checked.
    """
    set_bottom(_CHECKING if enabled else EAGER)
    _asked[:] = [bool(enabled)]


@contextmanager
def detect_anomaly(check_nan: bool = True) -> Iterator[None]:
    """Check every result of eager ops inside the block, those of gradients too; NonFiniteError names op and line."""
    before = bool(_asked and _asked[-1])
    set_bottom(_CHECKING if check_nan else EAGER)
    _asked.append(check_nan)
    try:
        yield
    finally:
        _asked.pop()
        set_bottom(_CHECKING if before else EAGER)
