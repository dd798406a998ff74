"""`static.nn.nce`: the loss by hand, its samples, its checks, and training with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static

pytestmark = pytest.mark.usefixtures("static_mode")
CLASSES, ROWS = 6, 5


def run(times: int = 1, **options: Any) -> list[np.ndarray]:
    start = static.Program()
    with static.program_guard(main := static.Program(), start):
        x, label = static.data("x", [None, 3]), static.data("label", [None, 2], "int64")
        options = {k: v() if callable(v) else v for k, v in options.items()}
        loss = static.nn.nce(
            x, label, CLASSES, param_attr=vt.ParamAttr(initializer=vt.nn.initializer.Constant(0.5)), **options
        )
    executor, scope = static.Executor(), static.Scope()
    executor.run(start, scope=scope)
    feed = {"x": np.ones((ROWS, 3), "float32"), "label": np.ones((ROWS, 2), "int64")}
    given = {"weights": np.arange(ROWS, dtype="float32")} if "sample_weight" in options else {}
    return [executor.run(main, feed | given, [loss], scope=scope)[0] for _ in range(times)]


def test_equal_weights_give_one_loss_whatever_is_drawn() -> None:
    made, drawn = 1 / (1 + np.exp(-1.5)), 4
    noise = drawn / CLASSES
    exact = -2 * np.log(made / (made + noise)) - drawn * np.log(noise / (made + noise))
    (loss,) = run(num_neg_samples=drawn)
    np.testing.assert_allclose(loss, np.full((ROWS, 1), exact), rtol=1e-5)
    (scaled,) = run(num_neg_samples=drawn, sample_weight=lambda: static.data("weights", [None]), bias_attr=False)
    np.testing.assert_allclose(scaled[:, 0], exact * np.arange(ROWS), rtol=1e-5)


@pytest.mark.parametrize(("seed", "alike"), [(7, True), (0, False)])
def test_a_seed_of_its_own_draws_the_same_in_every_run(seed: int, alike: bool) -> None:
    first, second = run(2, sampler="log_uniform", seed=seed)
    assert (first == second).all() == alike


def test_classes_are_drawn_by_their_chances() -> None:
    (loss,) = run(sampler="custom_dist", custom_dist=[0, 0, 1, 0, 0, 0], num_neg_samples=2)
    made = 1 / (1 + np.exp(-1.5))
    np.testing.assert_allclose(loss, np.full((ROWS, 1), -2 * np.log(2 / (made + 2))), rtol=1e-5)


def test_training_tells_labels_from_noise() -> None:
    start = static.Program()
    with static.program_guard(main := static.Program(), start):
        x, label = static.data("x", [None, CLASSES]), static.data("label", [None, 1], "int64")
        loss = static.nn.nce(x, label, CLASSES, num_neg_samples=3).mean()
        vt.optimizer.SGD(0.5).minimize(loss)
    executor, scope = static.Executor(), static.Scope()
    executor.run(start, scope=scope)
    feed = {"x": np.eye(CLASSES, dtype="float32"), "label": np.arange(CLASSES)[:, None]}
    losses = [float(executor.run(main, feed, [loss], scope=scope)[0]) for _ in range(60)]
    assert np.mean(losses[-10:]) < 0.7 * np.mean(losses[:5])


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        (lambda x, y: (np.ones((2, 3)), y), TypeError, "input must be a variable"),
        (lambda x, y: (x, y.astype("int32")), TypeError, "label must be of int64"),
        (lambda x, y: (x.astype("float16"), y), TypeError, "input must be of float32 or float64"),
        (lambda x, y: (x[0], y), ValueError, "two axes"),
    ],
)
def test_mistakes(given: Any, kind: type[Exception], text: str) -> None:
    x, label = static.data("x", [None, 3]), static.data("label", [None, 1], "int64")
    with pytest.raises(kind, match=text):
        static.nn.nce(*given(x, label), CLASSES)


@pytest.mark.parametrize("options", [{"sampler": "normal"}, {"sampler": "custom_dist", "custom_dist": [0.5, 0.5]}])
def test_samplers_that_there_are_not(options: dict[str, Any]) -> None:
    x, label = static.data("x", [None, 3]), static.data("label", [None, 1], "int64")
    with pytest.raises(ValueError, match="nce: "):
        static.nn.nce(x, label, CLASSES, **options)
