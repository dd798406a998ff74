"""`static.amp`: marks of PaddlePaddle's mixed precision in static programs, which keep their dtypes here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import ArgumentError

__all__ = [
    "AutoMixedPrecisionLists", "AutoMixedPrecisionListsBF16", "CustomOpLists", "convert_float_to_uint16", "decorate",
    "decorate_bf16", "fp16_guard",
]  # fmt: skip


@contextmanager
def fp16_guard() -> Iterator[None]:
    """The part of a static program that mixed precision may change: nothing changes it here.

    >>> with fp16_guard():
    ...     pass
    """
    yield


class AutoMixedPrecisionLists:
    """Names of ops for `decorate`: kept, without effect.

    Errors: ArgumentError for a name on both lists.

    >>> sorted(AutoMixedPrecisionLists(custom_white_list={"mean"}).white_list)
    ['mean']
    """

    def __init__(
        self, custom_white_list: Iterable[str] | None = None, custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None, dtype: str = "float16",
    ) -> None:  # fmt: skip
        self.white_list, self.black_list = set(custom_white_list or ()), set(custom_black_list or ())
        self.black_varnames, self.dtype = set(custom_black_varnames or ()), dtype
        both = self.white_list & self.black_list
        if both:
            raise ArgumentError(f"{', '.join(sorted(both))} stands on both lists")


CustomOpLists = AutoMixedPrecisionLists


class AutoMixedPrecisionListsBF16:
    """Names of ops for `decorate_bf16`: kept, without effect.

    Errors: ArgumentError for a name on both lists.

    >>> sorted(AutoMixedPrecisionListsBF16({"mean"}).bf16_list)
    ['mean']
    """

    def __init__(
        self, custom_bf16_list: Iterable[str] | None = None, custom_fp32_list: Iterable[str] | None = None,
        custom_fp32_varnames: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        kept = AutoMixedPrecisionLists(custom_bf16_list, custom_fp32_list, custom_fp32_varnames, "bfloat16")
        self.bf16_list, self.fp32_list, self.fp32_varnames = kept.white_list, kept.black_list, kept.black_varnames


class DecoratedOptimizer:
    """An optimiser as `decorate` gives it back: the same updates, as programs keep their dtypes."""

    def __init__(self, optimizer: Any, scale: float) -> None:
        self._optimizer, self._scale = optimizer, scale

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def amp_init(self, place: Any, scope: Any = None, test_program: Any = None, use_fp16_test: bool = False) -> None:
        """Nothing: parameters keep their dtypes."""

    def get_loss_scaling(self) -> float:
        """The factor of the loss that was asked for; none is needed here."""
        return self._scale

    def get_scaled_loss(self) -> None:
        """None: the loss isn't scaled."""


def decorate(
    optimizer: Any, amp_lists: AutoMixedPrecisionLists | None = None, *settings: Any,
    init_loss_scaling: float = 2.0**15, **further: Any,
) -> DecoratedOptimizer:  # fmt: skip
    """An optimiser for static programs with PaddlePaddle's settings of mixed precision, which have no effect here.

    The program computes in the dtypes that it was built with, so that losses need no scaling.
    """
    return DecoratedOptimizer(optimizer, float(init_loss_scaling))


def decorate_bf16(
    optimizer: Any, amp_lists: AutoMixedPrecisionListsBF16 | None = None, use_pure_bf16: bool = False,
    use_bf16_guard: bool | None = None,
) -> DecoratedOptimizer:  # fmt: skip
    """As `decorate`, with the settings for bfloat16: no effect here."""
    return DecoratedOptimizer(optimizer, 1.0)


def convert_float_to_uint16(in_list: Any) -> np.ndarray[Any, Any]:
    """The bits of bfloat16 numbers, cut off rather than rounded as PaddlePaddle does.

    >>> [hex(n) for n in convert_float_to_uint16([1.0, -2.0])]
    ['0x3f80', '0xc000']
    """
    return (np.asarray(in_list, "float32").view("uint32") >> 16).astype("uint16")
