"""A program for `vitrify launch --elastic`: a rank is killed, and the others train on as in the simulator."""

from __future__ import annotations

import sys
from pathlib import Path

from vitrify import distributed as dist

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.distributed.elastic_training import trained


def main() -> None:
    """Rank 1 of three is killed in its sixth step."""
    found = dist.elastic.run(lambda progress: trained(progress, {1: 5}))
    wanted = dist.run_ranks(lambda: dist.elastic.run(lambda progress: trained(progress, {1: 5})), ranks=3)
    assert found == wanted[0], (found, wanted)
    print(f"rank {dist.get_rank()} of {dist.get_world_size()} is done")


if __name__ == "__main__":
    main()
