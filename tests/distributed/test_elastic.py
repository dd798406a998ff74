"""Ranks are lost: the others go on from the last step that all have copied, as fewer ranks restored from it would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.errors import ArgumentError, RankLostError

from .elastic_training import trained
from .launches import launch


def states_at(step: int) -> Any:
    """States of three ranks after so many steps."""
    found: list[Any] = []

    def rank() -> None:
        class Until(dist.elastic.Progress):
            def _copy(self) -> None:
                super()._copy()
                if self.step == step and dist.get_rank() == 0:
                    found.append([{k: vt.to_tensor(v.numpy()) if hasattr(v, "numpy") else v for k, v in s.items()}
                                  for s in (o.state_dict() for o in self._objects)])  # fmt: skip

        trained(Until(), {})

    dist.run_ranks(rank, ranks=3)
    return found[0]


@pytest.mark.parametrize("every", [1, 2])
def test_the_others_equal_two_ranks_restored_from_that_step(every: int) -> None:
    found = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 5}), every=every), ranks=3)
    assert found[1] is None and found[0] == found[2]
    first = 5 // every * every
    start = states_at(first)
    wanted = dist.run_ranks(lambda: trained(dist.elastic.Progress(), {}, start, first), ranks=2)
    assert found[0] == wanted[0]


@pytest.mark.parametrize("killed", [{0: 3}, {0: 2, 2: 2}, {2: 0}])
def test_any_ranks_may_be_lost(killed: dict[int, int]) -> None:
    found = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, killed)), ranks=3)
    left = [k for k in range(3) if k not in killed]
    assert [found[k] is None for k in range(3)] == [k in killed for k in range(3)]
    assert all(found[k] == found[left[0]] for k in left)


def test_checkpoints_in_a_folder_do_as_copies(tmp_path: Path) -> None:
    def work(folder: Path | None) -> Any:
        return dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 5}), every=2, folder=folder), ranks=3)

    assert work(tmp_path) == work(None)
    assert [path.name for path in tmp_path.iterdir()] == ["step-8"]


def test_too_few_ranks_end_the_run() -> None:
    with pytest.raises(RankLostError, match="2 ranks are left, and the run needs 3"):
        dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 5}), least=3), ranks=3)
    with pytest.raises(ArgumentError, match="at least 1 step"):
        dist.elastic.Progress(0)


def test_without_elastic_run_a_lost_rank_is_an_error() -> None:
    def rank() -> None:
        if dist.get_rank() == 1:
            dist.elastic.kill()
        dist.barrier()

    with pytest.raises(RankLostError, match="lost: rank 1"):
        dist.run_ranks(rank, ranks=3)


def test_batches_are_shared_anew() -> None:
    def train(progress: Any) -> list[int]:
        sampler = vt.io.DistributedBatchSampler(range(24), 2)
        progress.track()
        for k, batch in enumerate(progress.batches(sampler)):
            if k == 2 and dist.get_rank() == 1 and dist.get_world_size() == 3:
                dist.elastic.kill()
            dist.barrier()
            seen.setdefault(dist.get_world_size(), []).extend(batch)
        return []

    seen: dict[int, list[int]] = {}
    dist.run_ranks(lambda: dist.elastic.run(train), ranks=3)
    assert sorted({*seen[2]}) == list(range(12, 24)) and {*range(12)} <= {*seen[3]}


@pytest.mark.slow
def test_a_killed_process_is_left_out(open_mpi: str, tmp_path: Path) -> None:
    done = launch(open_mpi, 3, tmp_path, Path(__file__).parent / "elastic_program.py", options=("--elastic",))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rank 0 of 2 is done" in done.stdout and "finished without rank 1" in done.stdout
