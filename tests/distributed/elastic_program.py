"""A program for `vitrify launch --elastic`: ranks are killed, and the others train on as in the simulator."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vitrify import distributed as dist
from vitrify.distributed import fleet

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.distributed.elastic_training import dying, trained

CASES: dict[str, Mapping[Any, int]] = {
    "one": {1: 5}, "the first": {0: 5}, "one after the other": {1: 2, (2, 1): 6}, "another meanwhile": {0: 5},
    "sharded": {1: 5},
}  # fmt: skip


def main() -> None:
    """The case is the first argument."""
    case = sys.argv[1]
    strategy = fleet.DistributedStrategy()
    strategy.elastic = True
    fleet.init(strategy=strategy)
    if case == "another meanwhile":
        dist.elastic.Progress.go_back = dying  # type: ignore[method-assign]
    level = "os_g" if case == "sharded" else ""

    def work() -> Any:
        return dist.elastic.run(lambda progress: trained(progress, CASES[case], level=level))

    found = work()
    wanted = [one for one in dist.run_ranks(work, ranks=3) if one is not None]
    assert [found] * dist.get_world_size() == wanted, (found, wanted)
    print(f"rank {dist.get_rank()} of {dist.get_world_size()} is done")


if __name__ == "__main__":
    main()
