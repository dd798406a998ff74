"""How far the random factors of transforms go."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, KindError


def factor_range(
    value: Any, name: str, center: float = 1, bound: tuple[float, float] = (0, float("inf")),
    clip_first_on_zero: bool = True,
) -> list[float] | tuple[float, float] | None:  # fmt: skip
    """From how far to how far a random factor goes, given one number or the two; None: it is always `center`.

    >>> factor_range(0.25, "brightness")
    [0.75, 1.25]
    """
    if isinstance(value, (int, float)):
        if value < 0:
            raise ArgumentError(f"{name} is one number, so it must not be negative: {value}")
        low = center - value
        value = [max(low, 0) if clip_first_on_zero else low, center + value]
    elif not isinstance(value, (tuple, list)) or len(value) != 2:
        raise KindError(f"{name} must be a number or two of them, not {value!r}")
    elif not bound[0] <= value[0] <= value[1] <= bound[1]:
        raise ArgumentError(f"{name}: {value} isn't in order and within {bound}")
    return None if value[0] == value[1] == center else value
