"""What a kernel is made of, where that is loops of NumPy: what runs kernels may call these loops itself.

A kernel with `parts` does what they do, one after the other, bit for bit (tests/ops/test_specialised_kernels.py). The
operands of a part are numbers of the kernel's operands, negative numbers for results of parts before (-1: the first
part's), and arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias, TypeVar, Union

import numpy as np

from ..base.dtype import DType
from .lowering import Scalar

F = TypeVar("F", bound=Callable[..., Any])


class Move(Enum):
    """Parts that compute nothing."""

    COPY = 0  # the operand's elements, broadcast to the result's shape, in new memory
    CHOOSE = 1  # of the second operand where the first one is true, else of the third; all three are broadcast
    VIEW = 2  # the operand's memory in another shape


@dataclass(frozen=True, slots=True)
class Permute:
    """The operand's axes in another order: axis k of the result is axis perm[k]; new memory."""

    perm: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """The operands one after the other along an axis."""

    axis: int


@dataclass(frozen=True, slots=True)
class ReduceAxes:
    """`ufunc.reduce` over the axes `axis`."""

    ufunc: np.ufunc
    axis: tuple[int, ...]
    keepdim: bool


Part: TypeAlias = tuple[Union[np.ufunc, ReduceAxes, Move, Permute, Join], tuple[Any, ...]]


def of_parts(kernel: F, *parts: Part) -> F:
    """The kernel, which is known to consist of these parts."""
    kernel.parts = parts  # type: ignore[attr-defined]
    return kernel


def parts_of(kernel: Any) -> tuple[Part, ...]:
    """The parts of a kernel; none where nothing is known."""
    if isinstance(kernel, np.ufunc):
        return ((kernel, tuple(range(kernel.nin))),) if kernel.nout == 1 else ()
    return getattr(kernel, "parts", ())


def casting(before: DType, after: np.dtype[Any]) -> Callable[[Any], Any]:
    """The kernel that converts elements to another dtype."""
    parts = [(Move.CHOOSE, (0, np.ones((), after), np.zeros((), after)))] if before.is_bool else []
    return of_parts(lambda x: x.astype(after), *parts)


def integer_division(name: str) -> Scalar:
    """The lowering of a division. Vectors of integers are divided as floats, which CPUs can do; a single one is not."""
    plain = f"{name}_{{t}}({{0}}, {{1}})"
    return Scalar(plain, int_template=f"abreast_{plain}", int_single=plain)


# Products in place of `pow`, by the exponent; the functions are those of the prelude.
_WHOLE_POWERS = [(k, str(k) if k > 0 else f"_{-k}") for k in range(-8, 9) if k not in (0, 1)]
_HALF_POWERS = [(k + 0.5, f"{k}_5") for k in (1, 2, 3)]  # of 0.5 a square root differs at -0.0 and -inf
_INVERTED = [(-k - 0.5, f"_{k}_5") for k in (0, 1, 2, 3)]
POWERS = {float(k): f"pow{name}_{{t}}({{0}})" for k, name in (*_WHOLE_POWERS, *_HALF_POWERS, *_INVERTED)}
