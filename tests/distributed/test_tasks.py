"""`sync_op=False`, `isend` and `irecv`: tasks that go on, and tensors that are read or written before they have ended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks
from vitrify.errors import ExchangeError

RANKS = 3


def test_a_task_goes_on_until_it_is_waited_for() -> None:
    def run() -> Any:
        x = vt.full([2], 1.0 + dist.get_rank())
        task = dist.all_reduce(x, sync_op=False)
        before = task.is_completed()
        dist.barrier()  # now all have started it
        return before, task.is_completed(), task.wait(), task.wait(), x.tolist()

    assert run_ranks(run, ranks=RANKS) == [(False, True, True, True, [6.0, 6.0])] * RANKS


READS = {
    "numpy": lambda x: x.numpy().tolist(), "op": lambda x: (x * 1.0).tolist(), "view": lambda x: x[0:2].tolist(),
    "detached": lambda x: x.detach().tolist(), "dist.wait": lambda x: dist.wait(x) or x.tolist(),
    "written": lambda x: x.add_(vt.zeros([2])).tolist(), "printed": lambda x: str(x) and x.tolist(),
}  # fmt: skip


@pytest.mark.parametrize("how", list(READS))
def test_a_tensor_that_is_read_before_its_task_has_ended_waits(how: str) -> None:
    def run() -> Any:
        x = vt.full([2], 1.0 + dist.get_rank())
        dist.all_reduce(x, sync_op=False)
        return READS[how](x)

    assert run_ranks(run, ranks=RANKS) == [[6.0, 6.0]] * RANKS


def test_a_compiled_function_that_reads_the_tensor_as_its_state_waits() -> None:
    def run() -> Any:
        x = vt.full([2], 1.0)

        @vt.to_static
        def add(y: Any) -> Any:
            return x + y

        found = []
        for _ in range(4):  # captured, then by the quicker ways of calling
            dist.all_reduce(x, sync_op=False)
            found.append(add(vt.zeros([2])).tolist()[0])
        return found

    assert run_ranks(run, ranks=2) == [[2.0, 4.0, 8.0, 16.0]] * 2


def test_the_operand_may_be_written_to_and_lists_are_filled() -> None:
    def run() -> Any:
        rank = dist.get_rank()
        x, found, all_of, target = vt.full([2], float(rank)), [], [], vt.zeros([2])
        first = dist.all_gather(found, x, sync_op=False)
        x.fill_(7.0)
        dist.alltoall(all_of, [vt.full([1], 10.0 * rank + k) for k in range(RANKS)], sync_op=False)
        dist.reduce_scatter(target, [vt.ones([2])] * RANKS, sync_op=False)
        dist.broadcast(x, 1, sync_op=False)
        assert first.wait()
        return [t.tolist()[0] for t in (*found, *all_of, target, x)]

    expected = [[0.0, 1.0, 2.0, *(10.0 * k + rank for k in range(RANKS)), 3.0, 7.0] for rank in range(RANKS)]
    assert run_ranks(run, ranks=RANKS) == expected


def test_a_ring_of_isend_and_irecv() -> None:
    def run() -> Any:
        rank, x, got = dist.get_rank(), vt.full([2], float(dist.get_rank())), vt.zeros([2])
        tasks = [dist.irecv(got, (rank - 1) % RANKS), dist.isend(x, (rank + 1) % RANKS)]
        x.fill_(-1.0)
        assert all(task.wait() for task in tasks)
        return got.tolist()[0]

    assert run_ranks(run, ranks=RANKS) == [2.0, 0.0, 1.0]


@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
def test_gradients_flow_through_tasks(captured: bool) -> None:
    def loss_of(x: Any) -> Any:
        y = x * 2.0
        task = dist.all_reduce(y, sync_op=False)
        assert task.is_completed() and task.wait()
        return (y * (1.0 + dist.get_rank())).sum()

    def run() -> Any:
        x = vt.ones([2])
        x.stop_gradient = False
        loss = (vt.to_static(loss_of) if captured else loss_of)(x)
        loss.backward()
        return loss.item(), x.grad.tolist()

    assert run_ranks(run, ranks=2) == [(8.0, [6.0, 6.0]), (16.0, [6.0, 6.0])]


def test_tasks_of_ranks_that_disagree_or_end() -> None:
    def disagree() -> None:
        x = vt.ones([2 + dist.get_rank()])
        dist.all_reduce(x, sync_op=False)
        np.asarray(x)

    with pytest.raises(ExchangeError, match=r"rank 0: all_reduce\(f32\[2\], sum\)"):
        run_ranks(disagree, ranks=2)

    def leave() -> None:
        if dist.get_rank() == 0:
            x = vt.ones([2])
            left.append(x)
            dist.all_reduce(x, sync_op=False)

    left: list[Any] = []
    with pytest.raises(ExchangeError, match="rank 1: has ended"):
        run_ranks(leave, ranks=2)
    with pytest.raises(ExchangeError, match="rank 0 has ended without a wait for all_reduce"):
        left[0].numpy()


def test_alone_a_task_has_ended() -> None:
    x = vt.ones([2])
    task = dist.all_reduce(x, sync_op=False)
    assert task.is_completed() and task.wait() and x.tolist() == [1.0, 1.0]
