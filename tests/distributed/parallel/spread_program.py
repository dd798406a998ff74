"""A program for `vitrify launch`: grids of ranks over MPI give the bits of the simulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grids import IDS, LABELS, stages, start
from static_stages import train

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn
from vitrify.distributed import fleet
from vitrify.distributed.fleet import meta_parallel as mp


def stages_of(schedule: str, captured: bool) -> list[str]:
    """Losses and parameters of a pipeline."""
    start(pp_degree=dist.get_world_size(), accumulate_steps=4, micro_batch_size=6, schedule_mode=schedule)
    vt.seed(1)
    layers = stages()
    model = fleet.distributed_model(vt.to_static(layers) if captured else layers)
    optimizer = fleet.distributed_optimizer(vt.optimizer.Adam(0.01, parameters=model.parameters()))
    data = vt.to_tensor(IDS[0]), vt.to_tensor(LABELS[0])
    losses = [model.train_batch(data, optimizer).numpy().tobytes().hex() for _ in range(3)]
    return losses + [p.numpy().tobytes().hex() for p in layers.parameters()]


def parts_of(captured: bool) -> list[str]:
    """Losses and parameters of a model with spread layers."""
    start(mp_degree=dist.get_world_size())
    vt.seed(1)
    table = mp.VocabParallelEmbedding(12, 8)
    net = nn.Sequential(
        mp.ColumnParallelLinear(8, 16, has_bias=True, gather_output=False), nn.Tanh(),
        mp.RowParallelLinear(16, 12, input_is_parallel=True), mp.ColumnParallelLinear(12, 12, gather_output=False),
    )  # fmt: skip
    model = fleet.distributed_model(nn.Sequential(table, net))
    optimizer = vt.optimizer.Adam(0.01, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.1))
    optimizer, entropy = fleet.distributed_optimizer(optimizer), mp.ParallelCrossEntropy()

    def step(x: Any, y: Any) -> Any:
        loss = entropy(model(x), y).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    call = vt.to_static(step) if captured else step
    data = vt.to_tensor(IDS[0]), vt.to_tensor(LABELS[0])
    losses = [call(*data).numpy().tobytes().hex() for _ in range(3)]
    return losses + [p.numpy().tobytes().hex() for p in model.parameters()]


def static_of(schedule: str) -> list[str]:
    """Losses and parameters of a static program in stages."""
    losses, state = train(size := dist.get_world_size(), schedule, by_fleet={"pp_degree": size})
    return [array.tobytes().hex() for array in (*losses, *state.values())]


WORK: list[Callable[[], list[str]]] = [
    lambda: stages_of("1F1B", False), lambda: stages_of("FThenB", True), lambda: parts_of(False), lambda: parts_of(True),
    lambda: static_of("1F1B"), lambda: static_of("FThenB"),
]  # fmt: skip


def main() -> None:
    """Compare with the simulator."""
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    assert dist.get_backend() == "MPI"
    for k, work in enumerate(WORK):
        assert work() == dist.run_ranks(work, ranks=size)[rank], f"work {k}"
    print(f"rank {rank} of {size} is done")


if __name__ == "__main__":
    main()
