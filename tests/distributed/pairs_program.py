"""A program for `vitrify launch`: each transpiler and pair trains over MPI as in the simulator, bit by bit, and as one rank.

With parameter servers half of the ranks are servers.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vitrify import distributed as dist

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.distributed.pairs import ALONE, PAIRS, TRIPLES, bound_of, by_one, trained
from tests.distributed.training import distance


def main() -> None:
    """Train all of them in one group of processes, eagerly and captured."""
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    assert dist.get_backend() == "MPI"
    count = 0
    for names in [*ALONE, *PAIRS, *TRIPLES]:
        for captured in (False, True):
            found = trained(names, captured, size // 2)
            dist.barrier()
            wanted = dist.run_ranks(trained, names, captured, size // 2, ranks=size)[rank]
            if found is None:  # a server
                assert wanted is None
            else:
                assert distance(found, wanted) == 0, names
                one = dist.run_ranks(by_one, "merge" in names, ranks=1)[0]
                assert distance(found, one) <= bound_of(names), names
            count += 1
    if rank == 0:
        print(f"{count} trained on {size} ranks")


if __name__ == "__main__":
    main()
