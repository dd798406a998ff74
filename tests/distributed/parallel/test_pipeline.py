"""Pipelines: any number of stages and both schedules train as one rank does; tied parameters, scalers, clips, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn
from vitrify.distributed import fleet, run_ranks
from vitrify.distributed.fleet import meta_parallel as mp
from vitrify.distributed.parallel import segments
from vitrify.distributed.parallel.schedules import BACKWARD, FORWARD, order
from vitrify.errors import ArgumentError, ModeError

from .grids import IDS, LABELS, WORDS, Block, distance, loss_of, stages, start, whole_state

PARTS, ROWS = 4, 6
clip = nn.ClipGradByGlobalNorm


def pipe(number: int, schedule: str = "1F1B", captured: bool = False, scaler: bool = False) -> dict[str, Any]:
    """Three steps of training in stages."""
    start(pp_degree=number, accumulate_steps=PARTS, micro_batch_size=ROWS, schedule_mode=schedule)
    vt.seed(1)
    layers = stages()
    model = fleet.distributed_model(vt.to_static(layers) if captured else layers)
    optimizer = vt.optimizer.Adam(0.01, parameters=model.parameters(), grad_clip=clip(0.1))
    optimizer = fleet.distributed_optimizer(optimizer)
    scale = fleet.distributed_scaler(vt.amp.GradScaler(init_loss_scaling=64.0)) if scaler else None
    schedule_of_rates = vt.optimizer.lr.StepDecay(0.01, 1)
    losses = []
    for k in range(3):
        data = vt.to_tensor(IDS[k % 2]), vt.to_tensor(LABELS[k % 2])
        losses.append(model.train_batch(data, optimizer, schedule_of_rates, scale).item())
    most, data = model.most_live, (vt.to_tensor(IDS[0]), vt.to_tensor(LABELS[0]))
    evaluated, made = model.eval_batch(data, compute_loss=True).item(), model.eval_batch(data)
    group = fleet.get_hybrid_communicate_group().get_pipe_parallel_group()
    return {"losses": losses, "state": whole_state(layers, group), "most": most, "evaluated": evaluated,
            "made": [y.shape for y in made], "rate": schedule_of_rates.last_lr}  # fmt: skip


def one_rank() -> tuple[list[float], dict[str, Any]]:
    """The same training without a pipeline, of whole batches."""
    vt.seed(1)
    table, blocks = nn.Embedding(WORDS, 8), nn.LayerList([Block() for _ in range(3)])
    net = nn.LayerList([table, blocks])
    optimizer = vt.optimizer.Adam(0.01, parameters=net.parameters(), grad_clip=clip(0.1))
    losses = []
    for k in range(3):
        x = table(vt.to_tensor(IDS[k % 2]))
        for block in blocks:
            x = block(x)
        loss = loss_of(vt.matmul(vt.tanh(x), table.weight, transpose_y=True), vt.to_tensor(LABELS[k % 2]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    state = {"shared_layers.table.weight": table.weight.numpy()}
    for k, block in enumerate(blocks):
        state.update({f"{k + 1}.{name}": p.numpy() for name, p in block.state_dict().items()})
    return losses, state


@pytest.mark.parametrize("captured", [False, True], ids=["eager", "captured"])
@pytest.mark.parametrize("schedule", ["1F1B", "FThenB"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_stages_train_as_one_rank_does(number: int, schedule: str, captured: bool) -> None:
    losses, state = one_rank()
    for stage, found in enumerate(run_ranks(pipe, number, schedule, captured, ranks=number)):
        np.testing.assert_allclose(found["losses"], losses, rtol=1e-5)
        assert distance(found["state"], state) < 1e-5
        assert found["most"] == (PARTS if schedule == "FThenB" else min(PARTS, number - stage))
        assert found["made"] == ([[ROWS, 3, WORDS]] * PARTS if stage == number - 1 else [])
        assert found["rate"] == pytest.approx(0.01 * 0.1**3)


def test_schedules_have_the_same_bits() -> None:
    """Gradients of parts are added up in their order by both; the clip's norm alone depends on the stages."""
    for number in (1, 3):
        a, b = (run_ranks(pipe, number, schedule, ranks=number)[0] for schedule in ("1F1B", "FThenB"))
        assert a["losses"] == b["losses"] and distance(a["state"], b["state"]) == 0.0
        assert a["evaluated"] == b["evaluated"]


def test_a_scaler_changes_nothing_where_all_is_finite() -> None:
    for found in run_ranks(pipe, 2, "1F1B", False, True, ranks=2):
        np.testing.assert_allclose(found["losses"], one_rank()[0], rtol=1e-5)


def test_all_stages_skip_a_step_whose_gradients_are_not_finite_on_one() -> None:
    def run() -> Any:
        start(pp_degree=2, accumulate_steps=2, micro_batch_size=1)
        layers = mp.PipelineLayer(
            [mp.LayerDesc(nn.Linear, 2, 2), mp.LayerDesc(nn.Linear, 2, 1)], loss_fn=lambda y, t: (y * t).mean()
        )
        model = fleet.distributed_model(layers)
        optimizer = vt.optimizer.SGD(0.1, parameters=model.parameters())
        if dist.get_rank() == 0:
            layers.parameters()[0].register_hook(lambda g: g * np.inf)
        before = [p.numpy() for p in layers.parameters()]
        scaler = vt.amp.GradScaler(init_loss_scaling=8.0)
        model.train_batch((vt.ones([2, 2]), vt.ones([2, 1])), optimizer, scaler=scaler)
        return all(
            (p.numpy() == b).all() for p, b in zip(layers.parameters(), before, strict=True)
        ), scaler.state_dict()

    for same, state in run_ranks(run, ranks=2):
        assert same and vt.to_tensor(state["scale"]).item() == 4.0


def test_several_tensors_travel_between_stages_and_gradients_go_back() -> None:
    def fork(x: Any) -> Any:
        return x * 2.0, (x > 0).astype("int64"), x + 1.0

    def join(parts: Any) -> Any:
        a, sign, b = parts
        return a * b * sign.astype("float32")

    def run(number: int) -> Any:
        start(pp_degree=number, accumulate_steps=2, micro_batch_size=2)
        vt.seed(0)
        layers = mp.PipelineLayer(
            [nn.Linear(3, 3), fork, join, nn.Linear(3, 1)], loss_fn=lambda y, t: (y - t).square().mean(),
            seg_method=[0, 4] if number == 1 else [0, 2, 4], recompute_interval=0,
        )  # fmt: skip
        model = fleet.distributed_model(layers)
        optimizer = vt.optimizer.SGD(0.1, parameters=model.parameters())
        x = vt.to_tensor(np.random.default_rng(0).standard_normal((4, 3)).astype("float32"))
        losses = [model.train_batch((x, vt.ones([4, 1])), optimizer).item() for _ in range(3)]
        return losses, whole_state(layers, fleet.get_hybrid_communicate_group().get_pipe_parallel_group())

    (wanted,) = run_ranks(run, 1, ranks=1)
    for losses, state in run_ranks(run, 2, ranks=2):
        assert losses == wanted[0] and distance(state, wanted[1]) == 0.0


def test_activations_that_are_computed_again_give_the_same_bits() -> None:
    def run(every: int) -> Any:
        start(pp_degree=2, accumulate_steps=PARTS, micro_batch_size=ROWS)
        vt.seed(1)
        model = fleet.distributed_model(stages(recompute_interval=every))
        optimizer = vt.optimizer.SGD(0.1, parameters=model.parameters())
        data = vt.to_tensor(IDS[0]), vt.to_tensor(LABELS[0])
        return [model.train_batch(data, optimizer).item() for _ in range(3)]

    assert run_ranks(run, 0, ranks=2) == run_ranks(run, 1, ranks=2) == run_ranks(run, 2, ranks=2)


def test_batches_of_another_shape_follow_each_other() -> None:
    def run(number: int) -> Any:
        start(pp_degree=number, accumulate_steps=2, micro_batch_size=3)
        vt.seed(1)
        model = fleet.distributed_model(stages())
        optimizer = vt.optimizer.SGD(0.1, parameters=model.parameters())
        ids, labels = vt.to_tensor(IDS[0][:6]), vt.to_tensor(LABELS[0][:6])
        return [model.train_batch((ids[:, :k], labels[:, :k]), optimizer).item() for k in (3, 2, 3)]

    assert run_ranks(run, 3, ranks=3) == run_ranks(run, 1, ranks=1) * 3


@pytest.mark.parametrize("stage", range(4))
def test_the_order_of_a_stage(stage: int) -> None:
    for schedule in ("1F1B", "FThenB"):
        found = list(order(schedule, stage, 4, 6))
        for kind in (FORWARD, BACKWARD):
            assert [k for what, k in found if what == kind] == list(range(6))
        live = np.cumsum([1 if what == FORWARD else -1 for what, _ in found])
        assert live.min() == 0 and live.max() == (4 - stage if schedule == "1F1B" else 6)


def test_segments_are_those_of_paddle() -> None:
    assert segments(range(7), 3) == [0, 2, 4, 7]  # what PaddlePaddle 3.3.1 gives
    assert segments(range(6), 4) == [0, 1, 2, 4, 6]
    layers = [mp.LayerDesc(nn.Embedding, 2, 2), *[mp.LayerDesc(nn.Linear, 2, 2)] * 4, vt.tanh]
    assert segments(layers, 2, "layer:Linear") == [0, 3, 6]
    assert segments(layers, 4, "layer:linear") == [0, 2, 3, 4, 6]
    assert segments(layers, 2, [0, 1]) == segments(layers, 2, [0, 1, 6]) == [0, 1, 6]
    for method in ("layer:Conv", "layer:Embedding", "even", [0, 7], [1, 2, 6]):
        with pytest.raises(ArgumentError, match="PipelineLayer"):
            segments(layers, 2, method)
    with pytest.raises(ArgumentError, match=r"2 layer\(s\) can't be cut into 3 stages"):
        segments("ab", 3)


def wrong_rows() -> None:
    start(accumulate_steps=4, micro_batch_size=6)
    model = fleet.distributed_model(stages())
    model.train_batch((vt.to_tensor(IDS[0][:5]), vt.to_tensor(LABELS[0][:5])), None)


MISTAKES: dict[str, tuple[Any, type[Exception], str]] = {
    "rows": (wrong_rows, ArgumentError, "a batch of 5 rows isn't 4 parts of 6"),
    "stages": (lambda: stages(num_stages=2), ArgumentError, "2 stages don't fit a pipeline of 1"),
    "interleaved": (lambda: stages(num_virtual_pipeline_stages=2), ModeError, "interleaved"),
    "schedule": (
        lambda: start(schedule_mode="VPP") and fleet.distributed_model(stages()), ArgumentError, "schedule_mode 'VPP'",
    ),
    "no pipeline": (lambda: mp.PipelineParallel(nn.Linear(1, 1), None, None), ArgumentError, "not a Linear"),
    "no class": (lambda: mp.LayerDesc(vt.tanh), TypeError, "LayerDesc needs a class of layers"),
    "a call": (lambda: start() and fleet.distributed_model(stages())(1), ModeError, "train_batch"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(MISTAKES))
def test_mistakes_are_named(name: str) -> None:
    call, kind, said = MISTAKES[name]
    with pytest.raises(kind, match=said):
        run_ranks(call, ranks=1)
