"""Ranks are lost: the others go on from the last step that all have copied, as fewer ranks restored from it would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.errors import ArgumentError, RankLostError

from .elastic_training import dying, trained
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


def test_losses_one_after_the_other() -> None:
    found = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 2, (2, 1): 6})), ranks=3)
    assert [one is None for one in found] == [False, True, True]


def test_a_loss_while_the_ranks_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {0: 5, 2: 5})), ranks=3)
    monkeypatch.setattr(dist.elastic.Progress, "go_back", dying)
    found = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {0: 5})), ranks=3)
    assert found[0] is found[2] is None and found[1] == wanted[1]


@pytest.mark.parametrize("level", ["os", "os_g", "p_g_os"])
def test_sharded_training_goes_on_with_fewer_ranks(level: str) -> None:
    found = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 5}, level=level)), ranks=3)
    whole = dist.run_ranks(lambda: dist.elastic.run(lambda p: trained(p, {1: 5})), ranks=3)
    assert found[1] is None and found[0] == found[2] == whole[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "said", "without"),
    [
        ("one", "rank 0 of 2", "rank 1"), ("the first", "rank 1 of 2", "rank 0"),
        ("one after the other", "rank 0 of 1", "rank 1, 2"), ("another meanwhile", "rank 0 of 1", "rank 0, 2"),
        ("sharded", "rank 0 of 2", "rank 1"),
    ],
)  # fmt: skip
def test_killed_processes_are_left_out(open_mpi: str, case: str, said: str, without: str, tmp_path: Path) -> None:
    program = Path(__file__).parent / "elastic_program.py"
    done = launch(open_mpi, 3, tmp_path, program, case, options=("--elastic",))
    lines = done.stdout + done.stderr + "".join(file.read_text() for file in tmp_path.glob("*"))
    assert done.returncode == 0, lines
    assert f"{said} is done" in lines and f"finished without {without}" in done.stdout, lines


@pytest.mark.slow
def test_an_elastic_strategy_needs_a_library_that_can_lose_ranks(mpi: str, tmp_path: Path) -> None:
    if "openmpi" in mpi:
        pytest.skip("Open MPI can")
    done = launch(mpi, 2, tmp_path, Path(__file__).parent / "elastic_program.py", "one")
    assert done.returncode == 4
    assert "MissingDependencyError" in done.stdout + done.stderr
