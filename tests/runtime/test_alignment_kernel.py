"""ctc_loss compiled: as eager mode, whose sums go over all places at once, and as a sum over all alignments by hand."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F

Array = np.ndarray[Any, Any]


def _loss_and_gradient(x: Any, labels: Any, times: Any, lengths: Any, blank: int) -> Any:
    x.stop_gradient = False
    loss = F.ctc_loss(x, labels, times, lengths, blank, reduction="none")
    return loss, vt.grad(F.ctc_loss(x, labels, times, lengths, blank, reduction="sum"), x)[0]


def _both(x: Array, labels: Any, times: Any, lengths: Any, blank: int = 0, **options: Any) -> list[list[Array]]:
    """Loss and gradient, eager and compiled."""

    def made(x: Any, labels: Any, times: Any, lengths: Any) -> Any:
        return _loss_and_gradient(x, labels, times, lengths, blank)

    results = []
    for function in (made, vt.to_static(made, **options)):
        given = [vt.to_tensor(x), *(vt.to_tensor(np.array(a)) for a in (labels, times, lengths))]
        results.append([m.numpy() for m in function(*given)])
    return results


def _log_softmax(x: Array) -> Array:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def _by_hand(x: Array, labels: list[int], blank: int) -> float:
    """-log of the sum over all paths that give the labels once repeats and then blanks are left out."""
    logp, total = _log_softmax(x.astype(np.float64)), 0.0
    for path in itertools.product(range(x.shape[1]), repeat=x.shape[0]):
        shown = [c for c, _ in itertools.groupby(path) if c != blank]
        if shown == labels:
            total += np.exp(sum(logp[t, c] for t, c in enumerate(path)))
    return float(-np.log(total)) if total else np.inf


@pytest.mark.parametrize("blank", [0, 3])
def test_sum_over_all_alignments(blank: int) -> None:
    x = np.random.default_rng(1).standard_normal((5, 4, 4))
    labels, lengths = [[1, 2, 1], [2, 2, 1], [1, 1, 1], [2, 1, 1]], [3, 2, 1, 0]
    expected = [_by_hand(x[:, b], labels[b][:n], blank) for b, n in enumerate(lengths)]
    for loss, _ in _both(x, labels, [5] * 4, lengths, blank):
        np.testing.assert_allclose(loss, expected, 1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lengths_repeats_and_what_cannot_be_aligned(dtype: str) -> None:
    rng = np.random.default_rng(2)
    x = (4 * rng.standard_normal((12, 6, 7))).astype(dtype)
    labels = rng.integers(1, 7, (6, 5))
    labels[0], labels[5] = 3, 2
    eager, compiled = _both(x, labels, [12, 4, 9, 1, 12, 5], [5, 5, 2, 1, 0, 5])
    assert (eager[0] == 0).tolist() == [False, True, False, False, False, True]
    for a, b in zip(eager, compiled, strict=True):
        np.testing.assert_allclose(a, b, 2e-5 if dtype == "float32" else 1e-11, 1e-6 if dtype == "float32" else 1e-13)


def test_certain_scores_keep_their_distance() -> None:
    x = np.full((40, 1, 3), -2000.0)
    x[:, :, 0] = 0
    eager, compiled = _both(x, [[1, 2]], [40], [2])
    np.testing.assert_allclose(eager[0], 4000 - np.log(40 * 39 / 2), 1e-10)
    for a, b in zip(eager, compiled, strict=True):
        np.testing.assert_allclose(a, b, 1e-10)


def test_sizes_left_open_and_numeric_gradient() -> None:
    rng = np.random.default_rng(3)
    spec = [
        vt.InputSpec([None, None, None], "float64"),
        *(vt.InputSpec(s, "int64") for s in ([None, None], [None], [None])),
    ]
    for times, count, classes, length in ((6, 2, 5, 2), (9, 3, 4, 3)):
        x, labels = rng.standard_normal((times, count, classes)), rng.integers(1, classes, (count, length))
        eager, compiled = _both(x, labels, [times] * count, [length] * count, input_spec=spec)
        for a, b in zip(eager, compiled, strict=True):
            np.testing.assert_allclose(a, b, 1e-11, 1e-13)
        step = np.zeros_like(x)
        step[1, 0, 2] = 1e-5
        up, down = (_both(x + s, labels, [times] * count, [length] * count)[1][0].sum() for s in (step, -step))
        np.testing.assert_allclose(compiled[1][1, 0, 2], (up - down) / 2e-5, 1e-6)


@pytest.mark.parametrize(("labels", "times", "lengths"), [([[9]], [4], [1]), ([[1]], [9], [1]), ([[1]], [4], [3])])
def test_indices_outside_are_refused(labels: Any, times: Any, lengths: Any) -> None:
    x = np.zeros((4, 1, 3))

    def loss(x: Any, *given: Any) -> Any:
        return F.ctc_loss(x, *given)

    for function in (loss, vt.to_static(loss)):
        with pytest.raises(IndexError, match=r"outside an axis|the length of"):
            function(vt.to_tensor(x), *(vt.to_tensor(np.array(a)) for a in (labels, times, lengths)))
