"""`fleet.auto.Engine` trains as the functions around it do, and refuses what it can't take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.distributed.fleet import auto


class Points(vt.io.Dataset):
    """Eight samples of two classes."""

    def __getitem__(self, index: int) -> Any:
        return np.full([4], index / 8, "float32"), np.array([index % 2], "int64")

    def __len__(self) -> int:
        return 8


def network() -> Any:
    vt.seed(1)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))


def engine(made: Any, merged: int = 1) -> auto.Engine:
    strategy = auto.Strategy()
    strategy.gradient_merge.enable, strategy.gradient_merge.k_steps = merged > 1, merged
    optimizer = vt.optimizer.SGD(0.1, parameters=made.parameters())
    return auto.Engine(made, nn.CrossEntropyLoss(), optimizer, vt.metric.Accuracy(), strategy=strategy)


@pytest.mark.parametrize("merged", [1, 2])
def test_it_trains_as_a_loop_does(merged: int) -> None:
    made, other = network(), network()
    history = engine(made, merged).fit(Points(), batch_size=2, epochs=2, steps_per_epoch=2, verbose=0)
    optimizer = vt.optimizer.SGD(0.1, parameters=other.parameters())
    for _ in range(2):
        for start in (0, 2):
            rows = [Points()[start], Points()[start + 1]]
            x, y = (vt.to_tensor(np.stack(column)) for column in zip(*rows, strict=True))
            (nn.functional.cross_entropy(other(x), y) / merged).backward()
            if merged == 1 or start:
                optimizer.step()
                optimizer.clear_grad()
    assert len(history["loss"]) == 2
    for a, b in zip(made.parameters(), other.parameters(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-7)


def test_evaluation_prediction_single_batches_and_files(tmp_path: Path) -> None:
    made = engine(network())
    found = made.evaluate(Points(), batch_size=4, verbose=0)
    assert set(found) == {"loss", "acc"}
    (batches,) = made.predict(Points(), batch_size=4, verbose=0)
    assert [b.shape for b in batches] == [(4, 2), (4, 2)]
    made.save(str(tmp_path / "m"))
    batch = next(iter(made.dataloader(Points(), batch_size=4, mode="train")))
    before = made.run(batch)["loss"]
    assert made.run(batch)["loss"] < before
    assert made.run(batch, mode="eval")["loss"] < before
    made.load(str(tmp_path / "m"))
    np.testing.assert_array_equal(made.run(batch[:1], mode="predict")["outputs"][0], batches[0])


def _with(part: str) -> auto.Strategy:
    strategy = auto.Strategy()
    getattr(strategy, part).enable = True
    return strategy


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: auto.Engine(model=3), TypeError, "must be a Layer"),
        (lambda: auto.Engine(loss="mse"), TypeError, "the loss"),
        (lambda: auto.Engine(optimizer="adam"), TypeError, "the optimizer"),
        (lambda: auto.Engine(metrics=["acc"]), TypeError, "a metric"),
        (lambda: auto.Engine(cluster="two"), TypeError, "the cluster"),
        (lambda: auto.Engine(strategy="none"), TypeError, "the strategy"),
        (lambda: auto.Engine(strategy=_with("sharding")), RuntimeError, "strategy.sharding isn't there"),
        (lambda: engine(network()).fit([1, 2]), TypeError, "needs a Dataset"),
        (lambda: engine(network()).prepare(), ValueError, "needs inputs_spec"),
        (lambda: engine(network()).prepare([3]), TypeError, "must be an InputSpec"),
        (lambda: engine(network()).prepare([], main_program=3), RuntimeError, "programs aren't taken"),
        (lambda: engine(network()).to_mode("sleep"), ValueError, "one of train"),
        (lambda: engine(network()).cost(mode="train"), ValueError, "needs inputs_spec"),
        (lambda: engine(network()).cost([vt.static.InputSpec([2, 4])]), RuntimeError, "isn't there"),
    ],
)
def test_what_it_cannot_take(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
