"""Models for the tests of grids of ranks: a language model in stages with a tied embedding, and fleets of any form."""

from __future__ import annotations

from typing import Any

import numpy as np

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn
from vitrify.distributed import fleet
from vitrify.distributed.fleet import meta_parallel as mp

WORDS, WIDTH = 12, 8
rng = np.random.default_rng(4)
IDS = rng.integers(0, WORDS, (2, 24, 3))
LABELS = rng.integers(0, WORDS, (2, 24, 3))


def start(**configs: Any) -> Any:
    """Begin a fleet: degrees of its grid, and the settings of pipelines."""
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {k: v for k, v in configs.items() if k.endswith("_degree")}
    strategy.pipeline_configs = {k: v for k, v in configs.items() if not k.endswith("_degree")}
    fleet.init(is_collective=True, strategy=strategy)
    return strategy


class Block(nn.Layer):
    """x + a net of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        return x + self.down(vt.tanh(self.up(x)))


def logits(layer: Any, x: Any) -> Any:
    """The embedding once more, as the last layer."""
    return vt.matmul(x, layer.weight, transpose_y=True)


def loss_of(found: Any, labels: Any) -> Any:
    return nn.functional.cross_entropy(found.reshape([-1, WORDS]), labels.reshape([-1]))


def stages(**settings: Any) -> Any:
    """The language model as a pipeline."""
    table = (nn.Embedding, WORDS, WIDTH)
    parts = [
        mp.SharedLayerDesc("table", table[0], None, "weight", *table[1:]),
        *[mp.LayerDesc(Block) for _ in range(3)],
        vt.tanh,
        mp.SharedLayerDesc("table", table[0], logits, "weight", *table[1:]),
    ]
    return mp.PipelineLayer(parts, loss_fn=loss_of, **settings)


def whole_state(model: Any, group: Any) -> dict[str, Any]:
    """The parameters of all ranks of a group that hold a model together; parts joined."""
    own = {name: p.numpy().tolist() for name, p in model.state_dict().items()}
    found: list[Any] = []
    dist.all_gather_object(found, own, group)
    return {name: np.array(value, "float32") for state in found for name, value in state.items()}


def distance(a: dict[str, Any], b: dict[str, Any]) -> float:
    """The largest difference between two states."""
    assert a.keys() == b.keys()
    return max(float(np.abs(a[k] - b[k]).max()) for k in a)
