"""What running an op does besides computing its results. DCE, CSE and reordering obey it."""

from __future__ import annotations

from enum import Enum


class Effect(Enum):
    """PURE: nothing. CALLBACK: runs Python (kept, in order). COLLECTIVE: exchanges arrays with other processes (kept,
    in order). STATE: writes program state. TERMINATOR: ends a block.

    Random ops are pure: they take the generator's state as an operand (see ops/random.py).
    """

    PURE = "pure"
    CALLBACK = "callback"
    COLLECTIVE = "collective"
    STATE = "state"
    TERMINATOR = "terminator"
