"""Exchanges in two parts: a start, other operations, and a wait that gives what the whole exchange gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks
from vitrify.distributed.forecast.recording import FINISH, PROGRESS, Recording
from vitrify.distributed.forecast.run_timed import lanes_of
from vitrify.distributed.simulator import _RankTransport
from vitrify.errors import ExchangeError
from vitrify.ops.exchange import OneProcess, Request
from vitrify.ops.op import OPS

RANKS = 3
ARRAYS = np.random.default_rng(9).integers(-3, 4, (RANKS, RANKS, 2)).astype("float64")
WHOLE: dict[str, dict[str, Any]] = {
    "all_reduce": {"reduction": "mean"}, "reduce_scatter": {"reduction": "sum"}, "all_gather": {}, "all_to_all": {},
    "broadcast": {"root": 2}, "reduce": {"reduction": "sum", "root": 1}, "gather_to": {"root": 1},
    "scatter_from": {"root": 1},
}  # fmt: skip


def parted(name: str, x: Any, attrs: dict[str, Any]) -> Any:
    """The exchange as a start, an operation and a wait."""
    ticket = OPS[f"{name}_start"](x, **attrs)
    between = (x * x).sum()
    return OPS[f"{name}_wait"](ticket, x, **attrs) * 1.0, between


@pytest.mark.parametrize("name", list(WHOLE))
@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
def test_start_and_wait_give_what_the_exchange_gives_and_its_gradient(name: str, captured: bool) -> None:
    attrs = {**WHOLE[name], "ranks": RANKS}

    def whole(x: Any) -> Any:
        return OPS[name](x, **attrs) * 1.0, (x * x).sum()

    def run(fn: Any) -> Any:
        call = vt.to_static(fn) if captured else fn
        x = vt.to_tensor(ARRAYS[dist.get_rank()])
        x.stop_gradient = False
        y, between = call(x)
        weight = vt.to_tensor(np.cos(np.arange(y.size)).reshape(y.shape) + dist.get_rank())
        (y * weight).sum().backward()
        return y.numpy(), x.grad.numpy(), between.numpy()

    expected = run_ranks(run, whole, ranks=RANKS)
    for mine, other in zip(run_ranks(run, lambda x: parted(name, x, attrs), ranks=RANKS), expected, strict=True):
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
def test_waits_in_another_order_and_ranks_that_wait_at_once(captured: bool) -> None:
    def two(x: Any) -> Any:
        attrs, other = {"reduction": "sum", "ranks": RANKS}, {"reduction": "max", "ranks": RANKS}
        if dist.get_rank() == 1:  # the same exchanges, each whole
            return dist.all_reduce_of(x), dist.all_reduce_of(x * 2, "max")
        first = OPS["all_reduce_start"](x, **attrs)
        y = x * 2
        second = OPS["all_reduce_start"](y, **other)
        b = OPS["all_reduce_wait"](second, y, **other)
        return OPS["all_reduce_wait"](first, x, **attrs), b

    def run() -> Any:
        call = vt.to_static(two) if captured else two
        return [t.numpy() for t in call(vt.to_tensor(ARRAYS[dist.get_rank()]))]

    for a, b in run_ranks(run, ranks=RANKS):
        np.testing.assert_array_equal(a, ARRAYS.sum(0))
        np.testing.assert_array_equal(b, 2 * ARRAYS.max(0))


def test_started_in_a_loop_and_waited_for_in_the_next_iteration() -> None:
    @vt.to_static
    def pipelined(x: Any, n: Any) -> Any:
        attrs = {"reduction": "max", "ranks": RANKS}
        ticket, given = OPS["all_reduce_start"](x, **attrs), x
        for _ in range(n):
            x = OPS["all_reduce_wait"](ticket, given, **attrs) * 0.5
            given = x + dist.get_rank()
            ticket = OPS["all_reduce_start"](given, **attrs)
        return OPS["all_reduce_wait"](ticket, given, **attrs)

    def run(fn: Any) -> Any:
        return fn(vt.to_tensor(ARRAYS[dist.get_rank()]), vt.to_tensor(4)).numpy()

    compiled, eager = run_ranks(run, pipelined, ranks=RANKS), run_ranks(run, pipelined.dygraph_function, ranks=RANKS)
    np.testing.assert_array_equal(compiled, eager)


def test_ranks_that_start_different_exchanges_are_named() -> None:
    def run() -> None:
        x = vt.ones([2 + dist.get_rank()])
        ticket = OPS["all_reduce_start"](x, reduction="sum", ranks=2)
        OPS["all_reduce_wait"](ticket, x, reduction="sum", ranks=2)

    with pytest.raises(ExchangeError, match=r"rank 0: all_reduce\(f32\[2\], sum\).*\n.*f32\[3\], sum\)") as caught:
        run_ranks(run, ranks=2)
    assert 'OPS["all_reduce_start"]' in str(caught.value)


def test_a_rank_may_end_while_others_wait_for_what_it_started() -> None:
    def run() -> Any:
        x = vt.ones([2])
        ticket = OPS["all_reduce_start"](x, reduction="sum", ranks=2)
        return OPS["all_reduce_wait"](ticket, x, reduction="sum", ranks=2).numpy() if dist.get_rank() else None

    assert run_ranks(run, ranks=2)[1].tolist() == [2.0, 2.0]


def test_send_and_recv_in_two_parts() -> None:
    @vt.to_static
    def swap(x: Any) -> Any:
        peer = 1 - dist.get_rank()
        kind = {"peer": peer, "shape": (2,), "dtype": vt.float32}
        coming = OPS["recv_start"](**kind)
        going = OPS["send_start"](x, peer=peer)
        y = OPS["recv_wait"](coming, **kind)
        OPS["send_wait"](going, x, peer=peer)
        return y

    def run(fn: Any) -> Any:
        return fn(vt.full([2], float(dist.get_rank()))).tolist()

    for fn in (swap, swap.dygraph_function):
        assert run_ranks(run, fn, ranks=2) == [[1.0, 1.0], [0.0, 0.0]]


def test_a_captured_training_step_overlaps_its_exchanges_and_keeps_its_bits() -> None:
    def trained(captured: bool) -> Any:
        vt.seed(4)
        layers = [vt.nn.Linear(600, 600), vt.nn.Tanh(), vt.nn.Linear(600, 600), vt.nn.Tanh(), vt.nn.Linear(600, 1)]
        net = vt.DataParallel(vt.nn.Sequential(*layers))
        optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

        def step(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        run = vt.to_static(step) if captured else step
        for k in range(3):
            run(vt.full([4, 600], 0.01 * (1 + dist.get_rank() + k)))
        text = run.dump() if captured else ""
        return [p.numpy() for p in net.parameters()], text

    eager, captured = run_ranks(trained, False, ranks=2), run_ranks(trained, True, ranks=2)
    for (a, _), (b, text) in zip(eager, captured, strict=True):
        for mine, other in zip(a, b, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
        started, waited = text.index("all_reduce_start"), text.index("all_reduce_wait")
        assert "group" in text[started:waited] or "matmul" in text[started:waited]
    assert all((x == y).all() for x, y in zip(captured[0][0], captured[1][0], strict=True))


def test_a_captured_step_lets_its_exchanges_go_on_while_it_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr(_RankTransport, "progress", lambda self: called.append(self.rank))

    @vt.to_static
    def fn(x: Any) -> Any:
        total = dist.all_reduce_of(x)
        return (x @ x) @ x + total  # the second product adds the total itself, so it waits

    def run() -> Any:
        return fn(vt.full([300, 300], 0.01 * (1 + dist.get_rank()))).numpy()

    for mine in run_ranks(run, ranks=2):
        assert mine.shape == (300, 300)
    assert sorted(called) == [0, 1]


def test_lanes_show_what_the_calls_of_a_transport_take() -> None:
    recording = Recording(OneProcess())
    trace = recording.begin()
    ticket = recording.start(Request("all_reduce", np.ones(3), (0,), "sum"))
    recording.progress()
    recording.finish(ticket)
    kinds = [act.kind for act in trace.acts]
    assert kinds == ["compute", "start", "compute", PROGRESS, "compute", FINISH]
    seen, finish = trace.acts[3], trace.acts[5]
    assert finish.ended is not None and seen.start <= finish.ended <= finish.start
    lanes = lanes_of([trace])[0]
    assert [s.kind for s in lanes.spans].count("exchange") == 2  # the start and the call between
    (behind,) = [s for s in lanes.spans if s.kind == "behind"]
    assert behind.end == finish.ended


def left_open(how: str) -> Any:
    """A part of an exchange that rank 0 starts alone, and nobody waits for; or ones with both parts."""
    rank = dist.get_rank()
    if how == "both parts":
        dist.all_reduce(vt.ones([2]), sync_op=False)
        (dist.isend if rank == 0 else dist.irecv)(vt.ones([2]), 1 - rank)
    elif rank == 0 and how == "all_reduce":
        dist.all_reduce(vt.ones([2]), sync_op=False)
    elif rank == 0:
        (dist.isend if how == "send" else dist.irecv)(vt.ones([2]), 1)
    return rank


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("send", "rank 0 has ended .* its send to rank 1: no recv there"),
        ("recv", "rank 0 has ended .* its recv from rank 1: no send there"),
        ("all_reduce", r"rank 0: all_reduce\(f32\[2\], sum\).*test_started_exchanges.py[^$]*rank 1: has ended"),
    ],
)
def test_a_part_that_stays_alone_is_an_error_at_the_end(how: str, said: str) -> None:
    with pytest.raises(ExchangeError, match=said) as caught:
        run_ranks(left_open, how, ranks=2)
    assert "test_started_exchanges.py" in str(caught.value)


def test_whole_exchanges_that_nobody_waits_for_are_carried_out() -> None:
    assert run_ranks(left_open, "both parts", ranks=2) == [0, 1]
