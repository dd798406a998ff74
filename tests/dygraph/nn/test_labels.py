"""Labels of losses: those that name no class are refused, in eager mode and compiled."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt


@pytest.mark.parametrize("label", [-1, -5, 5, 100])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_a_label_that_names_no_class_is_refused(label: int, dtype: str) -> None:
    """Also one below 0, which as an index would count from the end; not the one that is ignored."""
    x, y = vt.rand([3, 5]), vt.to_tensor(np.array([0, label, 4], dtype))
    logp = vt.nn.functional.log_softmax(x)
    for loss in (vt.nn.functional.cross_entropy, lambda x, y: vt.nn.functional.nll_loss(logp, y)):
        for call in (loss, vt.to_static(loss)):
            with pytest.raises(vt.errors.AxisError, match=f"a label names no class: index {label} is outside"):
                call(x, y)
    ignored = vt.nn.functional.cross_entropy(x, y, ignore_index=label)
    wanted = -(logp[0, 0] + logp[2, 4]) / 2
    np.testing.assert_allclose(ignored.numpy(), wanted.numpy(), rtol=1e-6)


def test_smoothed_labels_by_number_count_as_such_whatever_soft_label_says() -> None:
    x = vt.to_tensor([[0.5, 1.0, -1.0], [0.0, 2.0, 0.5]])
    numbers, rows = vt.to_tensor([2, 0]), vt.to_tensor([[0, 0, 1], [1, 0, 0]])
    loss = vt.nn.functional.cross_entropy
    expected = loss(x, numbers, label_smoothing=0.1).item()
    for labels in (numbers, numbers.reshape([2, 1]), rows, rows.astype("float32")):
        assert loss(x, labels, soft_label=True, label_smoothing=0.1).item() == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ValueError, match="soft labels"):
        loss(x, numbers, soft_label=True)
