"""Pipelines of static programs: any number of stages trains as one rank does; what stages keep, errors, grids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn, static
from vitrify.distributed import PipelineOptimizer, fleet, run_ranks
from vitrify.errors import ArgumentError, GuardError, KindError, MissingError, ModeError

from .static_stages import CLASSES, PARTS, State, X, Y, build, train, values_of

BITS = dict[str, bytes]


@pytest.fixture
def built() -> Iterator[tuple[static.Program, static.Program]]:
    """Programs of static mode."""
    vt.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        yield main, startup
    vt.disable_static()


def joined(found: list[tuple[list[Any], State]]) -> BITS:
    """Losses and the states of all stages."""
    losses = {tuple(loss.tobytes() for loss in losses) for losses, _ in found}
    assert len(losses) == 1  # all ranks get the loss
    bits = {name: value.tobytes() for _, state in found for name, value in state.items()}
    return {**bits, "losses": b"".join(losses.pop())}


def test_any_number_of_stages_has_the_bits_of_one() -> None:
    one = joined(run_ranks(train, 1, ranks=1))
    for stages in (2, 3, 4):
        assert joined(run_ranks(train, stages, "1F1B", ranks=stages)) == one
    assert joined(run_ranks(train, 3, "FThenB", ranks=3)) == one


@pytest.mark.parametrize("settings", [{"dropout": 0.4}, {"norm": True}], ids=["dropout", "norm"])
def test_random_numbers_and_statistics_are_those_of_one_stage(settings: dict[str, Any]) -> None:
    one = joined(run_ranks(train, 1, **settings, ranks=1))
    assert joined(run_ranks(train, 3, **settings, ranks=3)) == one


@pytest.mark.parametrize("parts", [1, 8])
def test_any_number_of_parts_trains_as_whole_batches_do(parts: int) -> None:
    ((losses, whole),) = run_ranks(train, 1, parts=0, ranks=1)
    for found, state in run_ranks(train, 2, parts=parts, ranks=2):
        np.testing.assert_allclose(found, losses, rtol=1e-5)
        for name, value in state.items():
            np.testing.assert_allclose(value, whole[name], atol=1e-5)


def test_norms_are_those_of_all_stages() -> None:
    ((_, whole),) = run_ranks(train, 1, parts=0, clip=True, ranks=1)
    for _, state in run_ranks(train, 3, clip=True, ranks=3):
        for name, value in state.items():
            np.testing.assert_allclose(value, whole[name], atol=1e-5)


def test_stages_beside_an_axis_of_data() -> None:
    degrees = {"pp_degree": 2, "dp_degree": 2}
    ((losses, whole),) = run_ranks(train, 1, parts=0, ranks=1)
    found = run_ranks(train, 2, parts=2, by_fleet=degrees, ranks=4)
    for step in range(3):
        np.testing.assert_allclose(np.mean([found[k][0][step] for k in (0, 3)]), losses[step], rtol=1e-5)
    for _, state in found:
        for name, value in state.items():
            np.testing.assert_allclose(value, whole[name], atol=1e-5)


def test_fleet_makes_a_pipeline_of_the_strategy() -> None:
    by_fleet = run_ranks(train, 2, "FThenB", by_fleet={"pp_degree": 2}, ranks=2)
    assert joined(by_fleet) == joined(run_ranks(train, 2, "FThenB", ranks=2))


def test_a_stage_has_its_own_parameters_and_states_alone() -> None:
    (_, first), (_, last) = run_ranks(train, 2, ranks=2)
    own = [{name for name in state if name.startswith(("w", "b")) and len(name) == 2} for state in (first, last)]
    assert own == [{"w0", "b0", "w1", "b1"}, {"w2", "b2", "w3", "b3", "w4", "b4"}]
    assert not first.keys() & last.keys()


def text_of(schedule: str) -> str:
    vt.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        _, loss = build(2)
        PipelineOptimizer(vt.optimizer.SGD(0.1), 3, schedule_mode=schedule).minimize(loss)
    kinds = [op.type for op in main.global_block().ops]
    vt.disable_static()
    return " ".join({"recv": "take", "send_start": "send"}[kind] for kind in kinds if kind in ("recv", "send_start"))


def test_the_schedule_is_seen_in_the_program() -> None:
    first, last = run_ranks(text_of, "FThenB", ranks=2)
    assert first == "send send send take take take"
    assert last == "take take take send send send"
    first, last = run_ranks(text_of, "1F1B", ranks=2)
    assert first == "send send take send take take"
    assert last == "take send take send take send"


def fetched(stages: int) -> list[Any]:
    vt.enable_static()
    vt.seed(3)
    main, startup = static.Program(), static.Program()
    startup.random_seed = 5
    with static.program_guard(main, startup):
        scores, loss = build(stages)
        hits = (scores.argmax(-1) == main.global_block().var("y").reshape([-1])).astype("float32").mean()
        _, pairs = PipelineOptimizer(vt.optimizer.SGD(0.0), PARTS).minimize(loss)
    executor, here = static.Executor(), dist.get_rank() == stages - 1
    executor.run(startup)
    gradients = [f"{p.name}@GRAD" for p, _ in pairs]
    found = executor.run(main, {"x": X, "y": Y}, [loss, *gradients, *([scores, hits] if here else [])])
    if not here:
        with pytest.raises(MissingError, match="stage 1 of the pipeline computes"):
            executor.run(main, feed={"x": X, "y": Y}, fetch_list=[scores])
    vt.disable_static()
    count = 1 + len(gradients)
    return [found[0], *found[count:], dict(zip(gradients, found[1:count], strict=True))]


def test_what_the_parts_made_is_fetched_as_one() -> None:
    ((loss, scores, hits, gradients),) = run_ranks(fetched, 1, ranks=1)
    assert scores.shape == (8, CLASSES)
    assert hits == pytest.approx((scores.argmax(-1) == Y.reshape(-1)).mean())
    first, last = run_ranks(fetched, 2, ranks=2)
    assert first[0].tobytes() == last[0].tobytes() == loss.tobytes()
    assert last[1].tobytes() == scores.tobytes()
    assert last[2].tobytes() == hits.tobytes()
    for name, gradient in {**first[-1], **last[-1]}.items():
        assert gradient.tobytes() == gradients[name].tobytes()


def tied(stages: int) -> tuple[list[Any], State]:
    """A table that the first stage reads rows of and the last one multiplies with; a loop in between."""
    vt.enable_static()
    vt.seed(3)
    main, startup = static.Program(), static.Program()
    startup.random_seed = 5
    with static.program_guard(main, startup):
        ids = static.data("ids", [2, 3], "int64")  # of one part
        table = static.create_parameter([7, 4], "float32", name="table")
        with static.device_guard("cpu:0"):
            h = nn.functional.embedding(ids, table)
            factor = static.data("factor", [2, 1])
        with static.device_guard(f"cpu:{stages - 1}"):
            h = vt.static.nn.cond(factor.mean() > 0.0, lambda: h * 2.0, lambda: h - 1.0)
            loss = (vt.matmul(vt.tanh(h), table, transpose_y=True) ** 2).mean()
        clip = nn.ClipGradByGlobalNorm(0.05)
        PipelineOptimizer(vt.optimizer.SGD(0.5, grad_clip=clip), 2).minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    feed = {"ids": np.arange(12).reshape(4, 3) % 7, "factor": np.array([[1], [1], [-1], [-1]], "float32")}
    losses = [executor.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(3)]
    state = values_of(main)
    vt.disable_static()
    return losses, state


def test_parameters_of_several_stages_and_branches() -> None:
    ((losses, whole),) = run_ranks(tied, 1, ranks=1)
    first, last = run_ranks(tied, 2, ranks=2)
    assert first[1]["table"].tobytes() == last[1]["table"].tobytes()
    np.testing.assert_allclose(last[0], losses, rtol=1e-6)
    np.testing.assert_allclose(last[1]["table"], whole["table"], atol=1e-6)


def counted() -> tuple[int, int]:
    vt.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        runs = static.create_global_var([1], 0, "int64", persistable=True, name="runs")
        parts = static.create_global_var([1], 0, "int64", persistable=True, name="parts")
        _, loss = build(2)
        vt.increment(runs)
        rows = (main.global_block().var("x")[:, :1] * 0.0 + 1.0).sum().astype("int64")
        vt.assign(parts + rows.reshape([1]), parts)
        PipelineOptimizer(vt.optimizer.SGD(0.1), PARTS).minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    for _ in range(2):
        executor.run(main, feed={"x": X, "y": Y})
    state = values_of(main)
    vt.disable_static()
    return int(state["runs"][0]), int(state["parts"][0])


def test_counters_count_runs_and_sums_of_feeds_count_parts() -> None:
    assert run_ranks(counted, ranks=2) == [(2, 16), (2, 16)]


def test_the_number_of_stages_is_checked() -> None:
    with pytest.raises(ArgumentError, match=r"2 stage\(s\) don't fit a pipeline of 3"):
        run_ranks(train, 2, ranks=3)


def backwards() -> None:
    vt.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            with static.device_guard("cpu:1"):
                h = static.nn.fc(static.data("x", [None, 3]), 2)
            with static.device_guard("cpu:0"):
                loss = static.nn.fc(h, 1).mean()
            PipelineOptimizer(vt.optimizer.SGD(0.1), 2).minimize(loss)
    finally:
        vt.disable_static()


def test_stages_go_forward() -> None:
    with pytest.raises(ArgumentError, match="of stage 0 reads what stage 1 makes") as error:
        run_ranks(backwards, ranks=2)
    assert "static.nn.fc(h, 1)" in str(error.value)


def uneven() -> None:
    vt.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            _, loss = build(1)
            PipelineOptimizer(vt.optimizer.SGD(0.1), 3).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        executor.run(main, feed={"x": X, "y": Y}, fetch_list=[loss])
    finally:
        vt.disable_static()


def test_rows_that_the_parts_cannot_share() -> None:
    with pytest.raises(GuardError, match="x_0=8"):
        run_ranks(uneven, ranks=1)


def test_arguments_are_checked(built: tuple[static.Program, static.Program]) -> None:
    main, _ = built
    _, loss = build(1)
    with pytest.raises(ArgumentError, match="0 parts"):
        PipelineOptimizer(vt.optimizer.SGD(0.1), 0)
    with pytest.raises(ArgumentError, match="no schedule_mode 'best'"):
        PipelineOptimizer(vt.optimizer.SGD(0.1), 2, schedule_mode="best")
    optimizer = PipelineOptimizer(vt.optimizer.SGD(0.1), 2)
    with pytest.raises(KindError, match="a Variable as loss"):
        optimizer.minimize(3.0)
    optimizer.minimize(loss)
    assert optimizer.get_lr() == 0.1
    with pytest.raises(ModeError, match="has gradients already"):
        optimizer.minimize(loss)
    with pytest.raises(ModeError, match="clone the program before minimize"):
        main.clone(for_test=True)
    assert [op.type for op in main.clone().global_block().ops] == [op.type for op in main.global_block().ops]


def test_operations_know_their_stage(built: tuple[static.Program, static.Program]) -> None:
    main, _ = built
    x = static.data("x", [2, 3])
    with static.device_guard("gpu:1"), static.device_guard("cpu:2"):
        y = x + 1.0
    with static.device_guard("gpu:all"):
        z = y * 2.0
    vt.tanh(z)
    devices = {op.type: op.attr("op_device") for op in main.clone().global_block().ops}
    assert devices["elementwise_add"] == "cpu:2"
    assert devices["elementwise_mul"] == devices["tanh"] == "cpu"


def test_fleet_in_static_mode_without_stages_averages_over_the_batch(
    built: tuple[static.Program, static.Program],
) -> None:
    def kinds() -> list[str]:
        strategy = fleet.DistributedStrategy()
        strategy.hybrid_configs = {"mp_degree": 2}
        fleet.init(is_collective=True, strategy=strategy)
        vt.enable_static()
        main = static.Program()
        with static.program_guard(main, static.Program()):
            loss = static.nn.fc(static.data("x", [None, 3]), 1).mean()
            fleet.distributed_optimizer(vt.optimizer.SGD(0.1)).minimize(loss)
        vt.disable_static()
        return [op.type for op in main.global_block().ops if op.type == "all_reduce"]

    assert run_ranks(kinds, ranks=2) == [[], []]
