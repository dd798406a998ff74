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
