"""What a tensor says of the ranks that it is marked to lie on (distributed.shard_tensor)."""

from __future__ import annotations

from typing import Any


class Marks:
    """The mesh and the placements, None without a mark."""

    process_mesh: Any = None
    placements: Any = None

    def is_dist(self) -> bool:
        """Whether it is marked to lie on a grid of ranks."""
        return self.process_mesh is not None
