"""Every transpiler, and every pair that goes together, on 1, 2, 3, 4 and 8 ranks: what one rank gets of all batches."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from vitrify import distributed as dist
from vitrify.distributed import run_ranks

from .launches import launch
from .pairs import ALONE, PAIRS, PARTS, SERVERS, TRIPLES, bound_of, by_one, trained
from .training import OPTIMIZERS, distance, net_of

SIZES = (1, 2, 3, 4, 8)


def compared(names: tuple[str, ...], size: int, captured: bool) -> None:
    """All trainers have the same bits, near those of one rank."""
    servers = SERVERS * ("servers" in names)
    found = run_ranks(trained, names, captured, ranks=size + servers)
    assert all(distance(found[0], other) == 0 for other in found[1:size])
    assert distance(found[0], by_one("merge" in names)) <= bound_of(names)


@pytest.mark.parametrize("names", [*ALONE, *PAIRS, *TRIPLES], ids=" + ".join)
def test_n_ranks_train_as_one(names: tuple[str, ...]) -> None:
    for size in SIZES:
        compared(names, size, False)


@pytest.mark.parametrize("names", [*ALONE, *PAIRS, *TRIPLES], ids=" + ".join)
def test_captured_steps_of_three_ranks(names: tuple[str, ...]) -> None:
    compared(names, 3, True)


def test_every_other_pair_is_refused_by_name() -> None:
    known = {frozenset(pair) for pair in [*PAIRS, ("merge", "sharding 1")]}

    def both(a: str, b: str) -> Any:
        net: Any = net_of()
        optimizer = OPTIMIZERS["momentum"](parameters=net.parameters())
        if "sharding 3" in (a, b):
            net = dist.ShardedParameters(net)
        for name in (a, b):
            optimizer = PARTS[name]().optimizer(optimizer)
        return optimizer

    for a, b in combinations(PARTS, 2):
        if frozenset((a, b)) in known:
            run_ranks(both, a, b, ranks=4)
            continue
        with pytest.raises(RuntimeError, match=r"don't go together: |parts already"):
            run_ranks(both, a, b, ranks=4)


@pytest.mark.slow
def test_all_of_them_over_mpi(each_mpi: str, tmp_path: Path) -> None:
    done = launch(each_mpi, 2, tmp_path, Path(__file__).parent / "pairs_program.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{2 * len([*ALONE, *PAIRS, *TRIPLES])} trained on 2 ranks" in done.stdout
