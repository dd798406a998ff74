"""Rows of bits: of integers, and of bools as integers of one bit. Shifts: numeric.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import INTEGERS
from . import bounds
from .bounds import Rule
from .families import elementwise
from .lowering import Scalar
from .op import NONDIFFERENTIABLE

BITS = (*INTEGERS, dt.bool_)


def _bitwise(name: str, doc: str, eager: Any, sign: str, operator: str, rule: Rule | None = None) -> Any:
    return elementwise(
        name,
        doc,
        operands="x y",
        eager=eager,
        scalar=Scalar(f"{{T}}({{0}} {sign} {{1}})", bool_template=f"({{0}} {sign} {{1}})"),
        vjp=NONDIFFERENTIABLE,
        dtypes=BITS,
        operator=operator,
        commutative=True,
        bounds=rule,
    )


bitwise_and = _bitwise(
    "bitwise_and", "Bits set in both integers; `and` of bools.", np.bitwise_and, "&", "and", bounds.bitwise_and
)
bitwise_or = _bitwise("bitwise_or", "Bits set in either integer; `or` of bools.", np.bitwise_or, "|", "or")
bitwise_xor = _bitwise("bitwise_xor", "Bits set in just one integer; inequality of bools.", np.bitwise_xor, "^", "xor")
bitwise_not = elementwise(
    "bitwise_not",
    "All bits inverted; `not` of bools.",
    eager=np.invert,
    scalar=Scalar("{T}(~{0})", bool_template="(not {0})"),
    vjp=NONDIFFERENTIABLE,
    dtypes=BITS,
    operator="invert",
)
