"""Exchanges between simulated ranks: results, gradients, captured in loops and branches, and ranks that disagree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks
from vitrify.dygraph.call_cache import EAGER
from vitrify.errors import DTypeError, ExchangeError, KindError, ShapeError
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import walk
from vitrify.ops.op import OPS
from vitrify.passes.manager import PassManager
from vitrify.passes.pipelines import default_pipeline
from vitrify.runtime.compiler import compile_program

RANKS = 3
ARRAYS = np.random.default_rng(5).integers(-3, 4, (RANKS, RANKS, 2)).astype("float32")
JOINED = {
    "sum": ARRAYS.sum(0), "mean": ARRAYS.sum(0) / np.float32(RANKS), "max": ARRAYS.max(0), "min": ARRAYS.min(0),
    "prod": ARRAYS.prod(0),
}  # fmt: skip


def mine() -> Any:
    """This rank's operand."""
    x = vt.to_tensor(ARRAYS[dist.get_rank()])
    x.stop_gradient = False
    return x


@pytest.mark.parametrize("op", list(JOINED))
def test_all_reduce_gives_every_rank_the_joined_elements(op: str) -> None:
    def run() -> Any:
        x = mine().detach()
        dist.all_reduce(x, op)
        return x.numpy()

    for found in run_ranks(run, ranks=RANKS):
        np.testing.assert_array_equal(found, JOINED[op])


def _written(make: Callable[[Any], Any]) -> list[Any]:
    return run_ranks(lambda: make(mine().detach()), ranks=RANKS)


def test_the_exchanges_of_paddle() -> None:
    def reduced(x: Any) -> Any:
        dist.reduce(x, 1)
        return x.numpy()

    for rank, found in enumerate(_written(reduced)):
        np.testing.assert_array_equal(found, JOINED["sum"] if rank == 1 else ARRAYS[rank])

    def broadcast(x: Any) -> Any:
        dist.broadcast(x, 2)
        return x.numpy()

    for found in _written(broadcast):
        np.testing.assert_array_equal(found, ARRAYS[2])

    def gathered(x: Any) -> Any:
        all_of, at_root = [], []
        dist.all_gather(all_of, x)
        dist.gather(x, at_root, 1)
        return [a.numpy() for a in all_of], [a.numpy() for a in at_root]

    for rank, (all_of, at_root) in enumerate(_written(gathered)):
        np.testing.assert_array_equal(all_of, ARRAYS)
        assert len(at_root) == (RANKS if rank == 1 else 0)

    def parts(x: Any) -> Any:
        out, own, taken = [], vt.zeros([2]), vt.zeros([2])
        dist.alltoall(out, [x[k] for k in range(RANKS)])
        dist.reduce_scatter(own, [x[k] for k in range(RANKS)], dist.ReduceOp.MAX)
        dist.scatter(taken, [x[k] for k in range(RANKS)] if dist.get_rank() == 2 else None, 2)
        return [a.numpy() for a in out], own.numpy(), taken.numpy()

    for rank, (out, own, taken) in enumerate(_written(parts)):
        np.testing.assert_array_equal(out, ARRAYS[:, rank])
        np.testing.assert_array_equal(own, JOINED["max"][rank])
        np.testing.assert_array_equal(taken, ARRAYS[2, rank])


def test_send_and_recv_in_a_ring() -> None:
    def ring(x: Any) -> Any:
        rank, got = dist.get_rank(), vt.zeros(x.shape)
        if rank == 0:
            dist.send(x, 1)
            dist.recv(got, RANKS - 1)
        else:
            dist.recv(got, rank - 1)
            dist.send(x, (rank + 1) % RANKS)
        return got.numpy()

    for rank, found in enumerate(_written(ring)):
        np.testing.assert_array_equal(found, ARRAYS[rank - 1])


def test_groups_exchange_on_their_own() -> None:
    def run() -> Any:
        x, group = vt.to_tensor([1.0 + dist.get_rank()]), dist.new_group([1, 3])
        if group.is_member():
            dist.all_reduce(x, group=group)
            dist.broadcast(x, 3, group=group)
        found: list[Any] = []
        dist.all_gather_object(found, group.rank)
        return x.item(), found, dist.get_world_size(group)

    assert run_ranks(run, ranks=4) == [(value, [-1, 0, -1, 1], 2) for value in (1.0, 6.0, 3.0, 6.0)]
    with pytest.raises(ValueError, match=r"rank 0 isn't in Group\(ranks=\[1, 2\]\)"):
        run_ranks(lambda: dist.barrier(dist.new_group([1, 2])), ranks=3)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    **{f"all_reduce {op}": lambda x, op=op: dist.all_reduce_of(x, op) for op in JOINED},
    "reduce_scatter": dist.reduce_scatter_of,
    "reduce_scatter mean": lambda x: dist.reduce_scatter_of(x, "mean"),
    "reduce_scatter max": lambda x: dist.reduce_scatter_of(x, "max"),
    "all_gather": dist.all_gather_of,
    "broadcast": lambda x: dist.broadcast_of(x, 1),
    "all_to_all": dist.all_to_all_of,
    "reduce": lambda x: OPS["reduce"](x, reduction="mean", root=2, ranks=RANKS),
    "gather": lambda x: OPS["gather_to"](x, root=2, ranks=RANKS),
    "scatter": lambda x: OPS["scatter_from"](x, root=2, ranks=RANKS),
}


@pytest.mark.parametrize("name", list(FUNCTIONS))
@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
def test_gradients_are_those_of_the_sum_of_all_ranks_losses(name: str, captured: bool) -> None:
    """Against differences: one element of one rank moves, and the losses of all ranks are added up."""
    fn = FUNCTIONS[name]
    start = np.random.default_rng(7).uniform(0.5, 2.0, (RANKS, RANKS, 2))

    def loss_of(x: Any) -> Any:
        y = fn(x)
        weight = vt.to_tensor(np.cos(np.arange(y.size)).reshape(y.shape) + dist.get_rank())
        return (y * y * weight).sum()

    def losses(values: Any) -> float:
        return sum(run_ranks(lambda: loss_of(vt.to_tensor(values[dist.get_rank()])).item(), ranks=RANKS))

    def gradient() -> Any:
        x = vt.to_tensor(start[dist.get_rank()])
        x.stop_gradient = False
        call = vt.to_static(loss_of) if captured else loss_of
        call(x).backward()
        return x.grad.numpy()

    found = np.stack(run_ranks(gradient, ranks=RANKS))
    for rank, k in ((0, 0), (1, 3), (2, 5)):
        step = np.zeros(start.shape)
        step[rank].reshape(-1)[k] = 1e-5
        slope = (losses(start + step) - losses(start - step)) / 2e-5
        assert abs(found[rank].reshape(-1)[k] - slope) < 1e-5 * max(1, abs(slope)), (rank, k)


@vt.to_static
def settle(x: Any) -> Any:
    """A loop and a branch that exchanged numbers decide: all ranks go the same way."""
    turns = 0
    while dist.all_reduce_of(x.sum(), "max") > 1.0:
        if dist.all_reduce_of(x[0], "min") > 0.25:
            x = x * 0.5
        else:
            x = x - dist.all_reduce_of(x, "mean") * 0.5
        turns += 1
    dist.barrier()
    return x, turns


def test_captured_in_loops_and_branches_as_eager() -> None:
    def run(fn: Callable[[Any], Any]) -> Any:
        x, turns = fn(vt.to_tensor([0.5 + dist.get_rank(), 2.0]))
        return x.numpy(), int(turns)

    for _ in range(3):  # captured, then by the two quicker ways of calling
        found = run_ranks(run, settle, ranks=RANKS)
        for (a, m), (b, n) in zip(found, run_ranks(run, settle.dygraph_function, ranks=RANKS), strict=True):
            np.testing.assert_array_equal(a, b)
            assert m == n > 1


def test_a_captured_function_is_one_for_each_rank() -> None:
    @vt.to_static
    def tell(x: Any) -> Any:
        return x + dist.get_rank() * 10 + dist.get_world_size()

    for ranks in (2, 3):
        assert run_ranks(lambda: tell(vt.zeros([])).item(), ranks=ranks) == [10.0 * k + ranks for k in range(ranks)]
    assert tell(vt.zeros([])).item() == 1.0


def test_passes_keep_every_exchange_in_order() -> None:
    """Equal exchanges are not merged, unread ones not removed, constant ones not taken out of a loop."""
    text = """program @p(%x: f32[4], %n: i64[]) -> f32[4] "out" {
  %0 = all_reduce %x {group = (), ranks = 2, reduction = "sum"} : f32[4]
  %1 = all_reduce %x {group = (), ranks = 2, reduction = "sum"} : f32[4]
  %2 = broadcast %x {group = (), ranks = 2, root = 0} : f32[4]
  %3 = for %n, %x : f32[4] (%k: i64[], %y: f32[4]) {
    %5 = all_reduce %x {group = (), ranks = 2, reduction = "max"} : f32[4]
    %6 = add %y, %x : f32[4]
    yield %6
  }
  barrier {group = (), ranks = 2}
  %4 = add %0, %1 : f32[4]
  %7 = add %4, %3 : f32[4]
  return %7
}
"""
    program = vt.ir.parse(text)
    PassManager([p for p in default_pipeline() if p.name not in ("bucket_exchanges", "overlap_exchanges")]).run(program)
    kept = [o.name for o in walk(program.body) if o.op.family == "collective"]
    assert kept == ["all_reduce", "all_reduce", "broadcast", "all_reduce", "barrier"]
    loop = str(program).partition("for %")[2].partition("barrier")[0]
    assert 'reduction = "max"' in loop


def disagreeing(case: str) -> None:
    rank = dist.get_rank()
    x = vt.ones([2])
    if case == "op" and rank == 1:
        dist.barrier()
    elif case == "shape":
        dist.all_reduce(vt.ones([2 + rank]))
    elif case == "reduction":
        dist.all_reduce(x, "max" if rank else "sum")
    elif case == "ended" and rank == 0:
        return
    elif case == "sends":
        dist.send(x, 1 - rank)
    else:
        dist.all_reduce(x)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("op", ["rank 0: all_reduce(f32[2], sum)", "rank 1: barrier()", "dist.barrier()"]),
        ("shape", ["f32[2]", "f32[3]", "dist.all_reduce(vt.ones([2 + rank]))"]),
        ("reduction", ["rank 0: all_reduce(f32[2], sum)", "rank 1: all_reduce(f32[2], max)"]),
        ("ended", ["rank 0: has ended", "rank 1: all_reduce(f32[2], sum)"]),
        ("sends", ["rank 0: send(f32[2]) with rank 1", "rank 1: send(f32[2]) with rank 0"]),
    ],
)
def test_ranks_that_disagree_are_named_with_their_lines(case: str, said: list[str]) -> None:
    for _ in range(3):  # calls that were seen before, too
        with pytest.raises(ExchangeError) as caught:
            run_ranks(disagreeing, case, ranks=2)
        for part in [*said, "test_exchanges.py:"]:
            assert part in str(caught.value)


def test_a_branch_that_ranks_take_differently_is_no_deadlock() -> None:
    @vt.to_static
    def branch(x: Any) -> Any:
        if x.sum() > 2:
            x = dist.all_reduce_of(x)
        return x

    with pytest.raises(ExchangeError, match=r"rank 0: has ended\n  rank 1: all_reduce") as caught:
        run_ranks(lambda: branch(vt.ones([2]) * (1 + dist.get_rank())), ranks=2)
    assert "x = dist.all_reduce_of(x)" in str(caught.value)


def test_the_first_rank_that_fails_is_the_error() -> None:
    def run() -> None:
        if dist.get_rank() == 1:
            raise KeyError("lost")
        dist.barrier()

    with pytest.raises(KeyError, match="lost") as caught:
        run_ranks(run, ranks=3)
    assert "on rank 1 of 3" in caught.value.__notes__


def test_ranks_have_random_streams_and_names_of_their_own() -> None:
    def run() -> Any:
        vt.seed(1)
        first = vt.rand([2])
        dist.barrier()
        layer = vt.nn.Linear(2, 2)
        dist.barrier()
        return [*first.tolist(), *vt.rand([2]).tolist()], layer.weight.name

    one = run_ranks(run, ranks=1)
    assert run_ranks(run, ranks=3) == one * 3


def test_what_an_exchange_refuses() -> None:
    for wrong, message in [
        (lambda: dist.all_reduce(vt.ones([2], "int32"), "mean"), "mean of int32"),
        (lambda: dist.all_reduce([1.0]), "needs a Tensor, not a list"),
        (lambda: dist.all_to_all_of(vt.ones([4])), "first axis of 2"),
        (lambda: dist.send(vt.ones([1]), dist.get_rank()), "is this rank itself"),
        (lambda: dist.broadcast(vt.ones([1]), 5), "no rank 5 in a run of 2"),
        (lambda: dist.all_reduce(vt.ones([1]), group=[0, 1]), "what new_group gave"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            run_ranks(wrong, ranks=2)


def test_no_sync_averages_the_sum_of_several_backward_passes() -> None:
    def run() -> Any:
        net = vt.DataParallel(vt.nn.Linear(2, 1))
        x = vt.to_tensor(ARRAYS[dist.get_rank()])
        with net.no_sync():
            net(x).sum().backward()
        own = net._layers.weight.grad.numpy()
        net(x * 2).sum().backward()
        return own, net._layers.weight.grad.numpy()

    expected = ARRAYS.sum(1)
    for rank, (own, both) in enumerate(run_ranks(run, ranks=RANKS)):
        np.testing.assert_allclose(own[:, 0], expected[rank], rtol=1e-6)
        np.testing.assert_allclose(both[:, 0], 3 * expected.mean(0), rtol=1e-6)


def test_a_parameter_that_only_some_ranks_use_is_an_error() -> None:
    def run() -> None:
        net = vt.DataParallel(vt.nn.Linear(2, 1))
        if dist.get_rank() == 0:
            net(vt.ones([1, 2])).sum().backward()

    with pytest.raises(ExchangeError, match=r"rank 0: all_reduce.*\n  rank 1: has ended"):
        run_ranks(run, ranks=2)


WRITTEN = """
program @f(%p: f32[2, 4]) -> (f32[4]) {
  %a = reduce_scatter %p {reduction = "mean", group = GROUP, ranks = 2} : f32[4]
  return %a
}
"""


def compiled(program: Any, arrays: Any) -> Any:
    return compile_program(program).run(arrays)


@pytest.mark.parametrize(
    ("group", "ranks", "expected"),
    [
        ("()", 1, r"exchanges among 2 ranks \(reduce_scatter\); the run has 1 ranks"),
        ("()", 3, r"exchanges among 2 ranks \(reduce_scatter\); the run has 3 ranks"),
        ("(0, 2)", 2, r"among the ranks 0, 2 \(reduce_scatter\); the run has no rank 2"),
        ("(1, 2)", 3, r"among the ranks 1, 2 \(reduce_scatter\); the run has rank 0, which isn't one of them"),
        ("(0, 1, 2)", 3, r"among the ranks 0, 1, 2 \(reduce_scatter\); the run has a group of 3"),
    ],
)
@pytest.mark.parametrize("way", [interpret, compiled])
def test_a_program_for_other_ranks_says_so(way: Any, group: str, ranks: int, expected: str) -> None:
    program = parse_program(WRITTEN.replace("GROUP", group))
    with pytest.raises(ExchangeError, match=expected):
        run_ranks(way, program, [np.ones((2, 4), "float32")], ranks=ranks)


def test_a_program_for_two_ranks_runs_on_two() -> None:
    program = parse_program(WRITTEN.replace("GROUP", "()"))
    for found in run_ranks(interpret, program, [np.ones((2, 4), "float32")], ranks=2):
        np.testing.assert_array_equal(found[0][0], np.ones(4, "float32"))


def test_gradients_are_averaged_in_one_order_whatever_a_rank_has_run_before() -> None:
    """A function that a rank has run before is one node of its tape; on the others it is many."""

    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w = self.create_parameter([3])
            self.act = vt.nn.PReLU(3)

        def forward(self, x: Any) -> Any:
            return self.act(x * self.w)

    def gradients(net: Any, x: Any) -> Any:
        (net(x) ** 2).sum().backward()
        return {name: p.grad.tolist() for name, p in net.state_dict().items()}

    def run(warm: bool) -> Any:
        x = vt.to_tensor([[1.0, -2.0, 0.5]]) * (dist.get_rank() + 1)
        own = [gradients(Net(), x) for _ in range(2)] if warm and dist.get_rank() == 0 else []
        vt.seed(0)
        return gradients(vt.DataParallel(Net()), x), len(own)

    EAGER.calls.forget()
    (cold, _), (other, _) = run_ranks(run, False, ranks=2)
    EAGER.calls.forget()
    (warm, count), (last, _) = run_ranks(run, True, ranks=2)
    assert (cold, warm, count) == (other, last, 2)
    assert warm == cold


class Own:
    """Of the user's own."""


def test_objects_are_copied_to_each_rank() -> None:
    def run() -> tuple[list[Any], list[Any]]:
        rank, found = dist.get_rank(), list[Any]()
        plain = {"set": {rank, 5}, "more": (1, 2.5, None, b"x", 1j, frozenset([True])), 3: [np.float32(1.5), "text"]}
        dist.all_gather_object(found, [plain, np.arange(3) * rank, vt.full([2], float(rank))])
        assert found[rank][0] == plain and found[rank][0] is not plain
        listed: list[Any] = [(rank,), {7}] if rank == 1 else [Own(), None]
        dist.broadcast_object_list(listed, 1)
        return [[own, array.tolist(), x.tolist()] for own, array, x in found], listed

    first, second = run_ranks(run, ranks=2)
    assert first == second
    assert first[0][1][0]["set"] == {1, 5} and type(first[0][1][0][3][0]) is np.float32
    assert [part[1:] for part in first[0]] == [[[0, 0, 0], [0.0, 0.0]], [[0, 1, 2], [1.0, 1.0]]]
    assert first[1] == [(1,), {7}]
    with pytest.raises(KindError, match="all_gather_object can't send a Own to other ranks"):
        dist.all_gather_object([], {"own": [Own()]})


@pytest.mark.parametrize("op", ["sum", "max"])
def test_a_target_that_cannot_take_the_result_is_an_error_before_the_exchange(op: str) -> None:
    def run(target: Any) -> None:
        dist.reduce_scatter(target, [vt.ones([2]), vt.ones([2])], op)

    before = vt.zeros([3])
    with pytest.raises(ShapeError, match=r"reduce_scatter: a tensor \[3\] can't take a part of shape \[2\]"):
        run_ranks(run, before, ranks=2)
    with pytest.raises(DTypeError, match="a int64 tensor can't take parts of float32"):
        run_ranks(run, vt.zeros([2], dtype="int64"), ranks=2)


def test_an_error_without_a_text_is_named() -> None:
    told: list[str] = []

    def run() -> None:
        if dist.get_rank() == 1:
            raise ValueError
        try:
            dist.barrier()
        except ExchangeError as error:
            told.append(str(error))

    with pytest.raises(ValueError, match="on rank 1 of 2"):
        run_ranks(run, ranks=2)
    assert "rank 1: has failed: ValueError\n" in told[0]


def test_the_inner_optimizer_of_sharded_states_has_whole_ones() -> None:
    def run() -> None:
        net = vt.nn.Linear(4, 1)
        inner = vt.optimizer.Adam(0.1, parameters=net.parameters())
        optimizer = dist.ShardedStates(1).optimizer(inner)
        net(vt.ones([2, 4])).mean().backward()
        optimizer.step()
        whole = inner.state_dict()
        assert [s.shape for name, s in whole.items() if "moment1" in name] == [[4, 1], [1]]
        inner.set_state_dict(whole)
        other = vt.nn.Linear(4, 1)  # its parameters have other names
        again = dist.ShardedStates(1).optimizer(vt.optimizer.Adam(0.1, parameters=other.parameters()))
        again.set_state_dict(whole)
        for (name, value), (key, same) in zip(whole.items(), again.state_dict().items(), strict=True):
            assert name == key == "parameter_names" or (name != key and (value.numpy() == same.numpy()).all())
        for name, value in optimizer.state_dict().items():
            assert name == "parameter_names" or (value.numpy() == whole[name].numpy()).all()

    run_ranks(run, ranks=2)
