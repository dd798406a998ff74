"""Metrics against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.metric import Accuracy, Auc, Metric, Precision, Recall, accuracy

SCORES = np.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]], np.float32)


@pytest.mark.parametrize("labels", [np.array([1, 1, 2, 2]), np.array([[1], [1], [2], [2]]), np.eye(3)[[1, 1, 2, 2]]])
def test_accuracy_takes_labels_in_each_form(labels: Any) -> None:
    metric = Accuracy((1, 2))
    right = metric.compute(vt.to_tensor(SCORES), vt.to_tensor(labels))
    assert metric.update(right) == [0.5, 1.0]
    metric.update(metric.compute(vt.to_tensor(SCORES[:1]), vt.to_tensor(labels[:1])))
    assert metric.accumulate() == [0.6, 1.0]
    assert metric.name() == ["acc_top1", "acc_top2"]
    metric.reset()
    assert metric.accumulate() == [0.0, 0.0]
    with pytest.raises(ValueError, match="don't fit"):
        metric.compute(vt.to_tensor(SCORES), vt.to_tensor(labels[:2]))


def test_accuracy_as_a_function() -> None:
    correct, total = vt.zeros([1], "int32"), vt.zeros([1], "int32")
    found = accuracy(vt.to_tensor(SCORES), vt.to_tensor([[1], [1], [2], [2]]), correct=correct, total=total)
    assert (found.item(), correct.item(), total.item()) == (0.5, 2, 4)
    with pytest.raises(TypeError, match="Tensor"):
        accuracy(SCORES, [1])


@pytest.mark.parametrize("k", [1, 2])
def test_accuracy_in_a_compiled_function(k: int) -> None:
    compiled = vt.to_static(lambda scores, labels: accuracy(scores, labels, k))
    for n in (4, 3, 2, 0):
        scores, labels = vt.to_tensor(SCORES)[:n], vt.to_tensor([[1], [1], [2], [2]])[:n]
        scores.stop_gradient = False
        found, expected = compiled(scores, labels), accuracy(scores, labels, k)
        assert (found.item(), found.shape, found.stop_gradient) == (expected.item(), [], True)
    correct, total = vt.zeros([1], "int32"), vt.zeros([1], "int64")
    vt.to_static(lambda x, y: accuracy(x, y, 1, correct, total))(vt.to_tensor(SCORES), vt.to_tensor([1, 1, 2, 2]))
    assert total.tolist() == [4]
    assert correct.item() == 4 * accuracy(vt.to_tensor(SCORES), vt.to_tensor([1, 1, 2, 2])).item()


def test_precision_and_recall() -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    chances, labels = rng.random(200), rng.integers(0, 2, 200)
    precision, recall = Precision(), Recall()
    for part in (slice(0, 120), slice(120, None)):
        precision.update(chances[part], labels[part])
        recall.update(vt.to_tensor(chances[part]), vt.to_tensor(labels[part]))
    assert precision.accumulate() == pytest.approx(sklearn.precision_score(labels, chances > 0.5))
    assert recall.accumulate() == pytest.approx(sklearn.recall_score(labels, chances > 0.5))
    assert (precision.name(), recall.name()) == ("precision", "recall")
    assert (Precision().accumulate(), Recall().accumulate()) == (0.0, 0.0)
    with pytest.raises(ValueError, match="3 predictions for 2 labels"):
        recall.update(chances[:3], labels[:2])


def test_the_area_under_the_curve() -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 500)
    chances = np.clip(rng.normal(0.4 + 0.2 * labels, 0.2), 0, 1)
    metric = Auc()
    metric.update(np.stack([1 - chances, chances], 1), labels[:, None])
    assert metric.accumulate() == pytest.approx(sklearn.roc_auc_score(labels, chances), abs=2e-4)
    metric.reset()
    assert metric.accumulate() == 0.0
    with pytest.raises(ValueError, match="probabilities"):
        metric.update([1.5], [1])
    with pytest.raises(ValueError, match="ROC"):
        Auc("PR")


def test_a_metric_without_its_methods_says_so() -> None:
    for name in ("reset", "update", "accumulate", "name"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(Metric(), name)()
