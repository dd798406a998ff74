"""Paddle 3.3's `paddle.device` and `paddle.cuda` on a machine that only has a CPU, which is what this package uses."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ..dygraph import random_generators
from ..dygraph.device import as_place


def manual_seed(seed: int) -> None:
    """Start the random numbers anew."""
    random_generators.seed(seed)


manual_seed_all = manual_seed


def get_rng_state(device: Any = None) -> Any:
    """The state of the random numbers. Errors: ArgumentError for a device that isn't there."""
    as_place(device)
    return random_generators.default_generator.get_state()


def set_rng_state(new_state: Any, device: Any = None) -> None:
    """Go back to a state that `get_rng_state` gave. Errors: ArgumentError for a device that isn't there."""
    as_place(device)
    random_generators.set_rng_state(new_state)


def is_initialized() -> bool:
    """Whether there is a GPU in use: no."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether there is bfloat16: computed in float32, so with emulation only."""
    return including_emulation


def current_device() -> int:
    """The number of the GPU in use, as far as there is one: 0."""
    return 0


def is_current_stream_capturing() -> bool:
    """Whether calls of a GPU are being recorded: no."""
    return False


class device:  # noqa: N801 - Paddle's name
    """A block that runs on a device. Errors: ArgumentError for any but the CPU."""

    def __init__(self, device: Any) -> None:
        as_place(None if isinstance(device, int) and device < 0 else device)

    def __enter__(self) -> device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to undo."""
