# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from typing import Any as _Any

class Marks:
    """The mesh and the placements, None without a mark."""
    process_mesh: _Any
    placements: _Any
    def is_dist(self) -> _bool:
        """Whether it is marked to lie on a grid of ranks."""
