"""`sync_op=False`, `isend` and `irecv`: tasks that go on, and tensors that are read or written before they have ended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks
from vitrify.errors import CaptureError, ExchangeError

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


def test_a_captured_ring_sends_first_and_goes_on() -> None:
    @vt.to_static
    def passed_on(x: Any) -> Any:
        rank, size = dist.get_rank(), dist.get_world_size()
        y = vt.zeros_like(x)
        sent = dist.isend(x, (rank + 1) % size)
        x += 10.0  # the send has what was there before
        dist.irecv(y, (rank - 1) % size).wait()
        return y * 2 + x * 0, sent.wait() and sent.wait()

    @vt.to_static
    def nobody_waits(x: Any) -> Any:
        y = vt.zeros_like(x)
        dist.isend(x, (dist.get_rank() + 1) % RANKS)
        z = vt.exp(x)  # may use the memory of x
        dist.recv(y, (dist.get_rank() - 1) % RANKS)
        return y + z * 0

    def run(fn: Any) -> Any:
        return [fn(vt.to_tensor([1.0 + dist.get_rank()] * 3)) for _ in range(2)]

    for rank, found in enumerate(run_ranks(run, passed_on, ranks=RANKS)):
        for y, ended in found:
            assert ended and y.tolist() == [2.0 * (1 + (rank - 1) % RANKS)] * 3
    for rank, calls in enumerate(run_ranks(run, nobody_waits, ranks=RANKS)):
        assert [y.tolist() for y in calls] == [[1.0 + (rank - 1) % RANKS] * 3] * 2


def test_a_captured_send_behind_a_receive_that_waits_is_refused() -> None:
    @vt.to_static
    def late(x: Any, waits: bool) -> Any:
        y = vt.zeros_like(x)
        task = dist.irecv(y, 1 - dist.get_rank())
        if waits:
            task.wait()
        dist.isend(x, 1 - dist.get_rank())
        return y

    def run() -> None:
        late(vt.ones([2]), False)

    with pytest.raises(CaptureError, match=r"(?s)isend behind irecv.*call isend before irecv"):
        run_ranks(run, ranks=2)

    def in_turn() -> Any:
        if dist.get_rank() == 1:
            dist.send(vt.full([2], 3.0), 0)
            x = vt.zeros([2])
            dist.recv(x, 0)
            return x.tolist()
        return late(vt.ones([2]), True).tolist()

    assert run_ranks(in_turn, ranks=2) == [[3.0, 3.0], [1.0, 1.0]]
