"""Layers spread over ranks compute what whole ones do: results, gradients, eager and captured, and in static programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn, static
from vitrify.distributed import fleet, run_ranks
from vitrify.distributed.fleet import meta_parallel as mp
from vitrify.distributed.parallel.shared_values import added, shared, whole_of
from vitrify.errors import ArgumentError, AxisError, ModeError

from .grids import start

RANKS = (1, 2, 3, 4, 8)
X = np.random.default_rng(1).standard_normal((5, 24)).astype("float32")
IDS = np.array([[0, 23, 7], [5, 5, 12]])
LABELS = np.array([3, -100, 0, 23, 11])

LAYERS: dict[str, Callable[[bool], Any]] = {
    "columns": lambda whole: nn.Linear(24, 48) if whole else mp.ColumnParallelLinear(24, 48, has_bias=True),
    "rows": lambda whole: nn.Linear(24, 5) if whole else mp.RowParallelLinear(24, 5),
    "columns, rows": lambda whole: (
        nn.Sequential(nn.Linear(24, 48), nn.GELU(), nn.Linear(48, 24, bias_attr=False))
        if whole
        else nn.Sequential(
            mp.ColumnParallelLinear(24, 48, has_bias=True, gather_output=False),
            nn.GELU(),
            mp.RowParallelLinear(48, 24, has_bias=False, input_is_parallel=True),
        )
    ),
    "vocabulary": lambda whole: nn.Embedding(24, 5) if whole else mp.VocabParallelEmbedding(24, 5),
}


def parts_joined(tensor: Any, like: Any) -> Any:
    """The whole of a parameter's value or gradient."""
    if not getattr(like, "is_distributed", False):
        return tensor.numpy()
    parts = dist.all_gather_of(tensor, fleet.get_hybrid_communicate_group().get_model_parallel_group())
    return np.concatenate([p.numpy() for p in parts], like.split_axis)


def layer_run(name: str, whole: bool, captured: bool) -> list[Any]:
    """Result, gradient of the input, and each parameter with its gradient, of two calls."""
    start(mp_degree=dist.get_world_size())
    vt.seed(5)
    layer = LAYERS[name](whole)
    x = vt.to_tensor(IDS if name == "vocabulary" else X, stop_gradient=name == "vocabulary")

    def run(x: Any) -> Any:
        y = layer(x)
        (y * y * 0.5).sum().backward()
        return y

    call = vt.to_static(run) if captured else run
    found = [call(x).numpy(), call(x).numpy()]
    if x.grad is not None:
        found.append(x.grad.numpy())
    for p in layer.parameters():
        found += [parts_joined(p, p), parts_joined(p.grad, p)]
    return found


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
@pytest.mark.parametrize("name", list(LAYERS))
def test_a_spread_layer_computes_what_a_whole_one_does(name: str, captured: bool, ranks: int) -> None:
    (wanted,) = run_ranks(layer_run, name, True, False, ranks=1)
    for found in run_ranks(layer_run, name, False, captured, ranks=ranks):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)


def entropy_run(whole: bool, captured: bool) -> list[Any]:
    group = start(mp_degree=dist.get_world_size()) and fleet.get_hybrid_communicate_group().get_model_parallel_group()
    values = X.copy()
    values[0, 3], values[3, 0] = 200.0, -np.inf
    own = np.split(values, group.nranks, 1)[group.rank]
    x, label = vt.to_tensor(own, stop_gradient=False), vt.to_tensor(LABELS)

    def run(x: Any, label: Any) -> Any:
        if whole:
            losses = nn.functional.cross_entropy(x, label, reduction="none")
        else:
            losses = mp.ParallelCrossEntropy()(x, label)
        losses.sum().backward()
        return losses

    losses = (vt.to_static(run) if captured else run)(x, label)
    x.split_axis, x.is_distributed = 1, not whole
    return [losses.numpy().reshape(-1), parts_joined(x.grad, x)]


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
def test_cross_entropy_of_spread_classes(captured: bool, ranks: int) -> None:
    (wanted,) = run_ranks(entropy_run, True, False, ranks=1)
    assert wanted[0][1] == 0.0 and np.isfinite(wanted[0]).all()
    for found in run_ranks(entropy_run, False, captured, ranks=ranks):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


def test_gradients_of_gradients_count_the_loss_once() -> None:
    def second(ranks: int) -> float:
        group = dist.new_group()
        x = vt.to_tensor(np.arange(1.0, 3.0), stop_gradient=False)
        factors = np.split(np.arange(1.0, 7.0), ranks)[group.rank]
        y = added((shared(x, group).sum() ** 2 * vt.to_tensor(factors)).sum(), group)
        (first,) = vt.grad(y, x, create_graph=True)
        (again,) = vt.grad((first**2).sum(), x)
        return float(again[0].item())

    assert run_ranks(second, 1, ranks=1) == [2 * 2 * 42.0 * 126.0]
    for ranks in (2, 3):
        assert run_ranks(second, ranks, ranks=ranks) == run_ranks(second, 1, ranks=1) * ranks


def test_parts_joined_give_each_rank_its_part_of_the_gradient() -> None:
    def run() -> Any:
        group = dist.new_group()
        x = vt.to_tensor([[1.0], [2.0]], stop_gradient=False)
        y = whole_of(x * (1 + group.rank), 1, group)
        (y * vt.to_tensor([[1.0, 10.0, 100.0]])).sum().backward()
        return y.tolist(), x.grad.tolist()

    for rank, (y, gradient) in enumerate(run_ranks(run, ranks=3)):
        assert y == [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]
        assert gradient == [[10.0**rank * (1 + rank)]] * 2


def test_indices_outside_of_the_whole_vocabulary_are_errors() -> None:
    def run(index: int) -> None:
        start(mp_degree=2)
        mp.VocabParallelEmbedding(8, 2)(vt.to_tensor([index]))

    run_ranks(run, 7, ranks=2)
    for index in (8, -1):
        with pytest.raises(AxisError):
            run_ranks(run, index, ranks=2)


def test_what_can_not_be_spread_evenly_is_named() -> None:
    def run() -> None:
        start(mp_degree=2)
        mp.ColumnParallelLinear(4, 5)

    with pytest.raises(ArgumentError, match=r"ColumnParallelLinear: 5 can't be spread evenly over 2 ranks"):
        run_ranks(run, ranks=2)


def test_without_a_fleet_several_ranks_have_no_grid() -> None:
    with pytest.raises(ModeError, match=r"fleet\.init"):
        run_ranks(lambda: mp.RowParallelLinear(4, 4), ranks=2)


SPLITS: dict[str, Callable[[Any, int], Any]] = {
    "rows": lambda x, n: dist.split(x, (24, 6), "linear", axis=0, num_partitions=n),
    "columns": lambda x, n: dist.split(x, (24, 6), "linear", axis=1, num_partitions=n, bias_attr=False),
    "vocabulary": lambda x, n: dist.split(vt.cast(x, "int64"), (24, 6), "embedding", num_partitions=n),
}


@pytest.mark.parametrize("how", list(SPLITS))
def test_split_in_a_static_program(how: str) -> None:
    def run() -> Any:
        vt.enable_static()
        vt.seed(2)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            loss = (SPLITS[how](static.data("x", [None, 24]), dist.get_world_size()) ** 2).mean()
            vt.optimizer.SGD(0.5).minimize(loss, startup)
        executor = static.Executor()
        executor.run(startup)
        feed = {"x": np.abs(np.rint(X))}
        return [float(executor.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(3)]

    (wanted,) = run_ranks(run, ranks=1)
    assert wanted[2] < wanted[0]
    for ranks in (2, 3):
        for found in run_ranks(run, ranks=ranks):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
    with pytest.raises(ModeError, match="static program"):
        SPLITS[how](vt.ones([2, 24]), 1)


def dropped(captured: bool) -> list[Any]:
    start(mp_degree=2, dp_degree=2)
    mp.model_parallel_random_seed(7)
    tracker = mp.get_rng_state_tracker()

    def run(x: Any) -> Any:
        with tracker.rng_state():
            own = nn.functional.dropout(x, 0.5)
        return own, nn.functional.dropout(x, 0.5)

    call = vt.to_static(run) if captured else run
    return [y.numpy().tolist() for _ in range(2) for y in call(vt.ones([64]))]


def test_named_streams_differ_between_parts_of_a_layer_only() -> None:
    eager, captured = run_ranks(dropped, False, ranks=4), run_ranks(dropped, True, ranks=4)
    assert eager == captured
    own, both = [r[0] for r in eager], [r[1] for r in eager]
    assert own[0] == own[2] != own[1] == own[3]  # ranks 0 and 2 differ in their data
    assert both == [both[0]] * 4
    assert eager[0][0] != eager[0][2] and eager[0][1] != eager[0][3]


def test_streams_are_kept_and_errors_named() -> None:
    tracker = mp.RNGStatesTracker()
    tracker.add("a", 3)
    kept = tracker.get_states_tracker()
    assert (list(tracker.states_), tracker.seeds_) == (["a"], {3})
    with tracker.rng_state("a"):
        first = vt.rand([4]).tolist()
    tracker.set_states_tracker(kept)
    with tracker.rng_state("a"):
        assert vt.rand([4]).tolist() == first
    for wrong in (lambda: tracker.add("a", 4), lambda: tracker.add("b", 3), lambda: tracker.rng_state("c").__enter__()):
        with pytest.raises(ArgumentError, match="RNGStatesTracker"):
            wrong()
