"""What native calls know of a result that gets its array behind the run, which says how large it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class MadeLater:
    """A result that a run leaves in a list of the VM.

    block: the address of the list's words (`ListWord`). sizes: the addresses of the numbers in memory that are its
    shape. take: gives the result as an array where it is large.
    """

    block: int
    sizes: tuple[int, ...]
    element: np.dtype[Any]
    take: Callable[[], np.ndarray[Any, Any]]
