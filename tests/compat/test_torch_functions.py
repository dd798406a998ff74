"""`paddle.compat`: functions that give what PyTorch's give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import compat

X = np.array([[3.0, 1.0, 2.0], [6.0, 6.0, 4.0]], "float32")


def test_extremes() -> None:
    x = vt.to_tensor(X)
    assert (float(compat.max(x)), float(compat.min(x))) == (6.0, 1.0)
    for made in (compat.max(x, 1), compat.max(x, dim=1), compat.max(x, -1, keepdim=False)):
        assert (made.values.tolist(), made.indices.tolist()) == ([3.0, 6.0], [0, 0])
    assert compat.min(x, dim=0, keepdim=True).indices.shape == [1, 3]
    assert compat.max(x, x.flip(0)).tolist() == compat.max(x, other=x.flip(0)).tolist() == [[6.0, 6.0, 4.0]] * 2
    assert compat.max(vt.to_tensor(2.0), 0).indices.item() == 0
    for wrong in (lambda: compat.max(x, None), lambda: compat.max(x, 1, True, 2), lambda: compat.max(x, axis=1)):
        with pytest.raises(vt.errors.KindError, match="doesn't take these arguments"):
            wrong()


def test_orders_and_medians() -> None:
    x = vt.to_tensor(X)
    made = compat.sort(x, dim=1, descending=True)
    assert (made.values.tolist(), made.indices.tolist()) == ([[3.0, 2.0, 1.0], [6.0, 6.0, 4.0]], [[0, 2, 1], [0, 1, 2]])
    assert compat.sort(vt.to_tensor(1.0)).values.item() == 1.0
    assert float(compat.median(x)) == 3.0
    assert compat.median(x, 0).values.tolist() == [3.0, 1.0, 2.0]
    assert compat.nanmedian(vt.to_tensor([[np.nan, 2.0, 5.0]]), dim=1).values.tolist() == [2.0]
    values, places = vt.zeros([2]), vt.zeros([2], "int64")
    assert compat.median(x, 1, out=(values, places)).values is values
    assert (values.tolist(), places.tolist()) == ([2.0, 6.0], [2, 0])


def test_parts() -> None:
    x = vt.arange(5)
    assert [p.tolist() for p in compat.split(x, 2)] == [[0, 1], [2, 3], [4]]
    assert [p.tolist() for p in compat.split(x, [1, 4])] == [[0], [1, 2, 3, 4]]
    assert [p.shape for p in compat.split(vt.zeros([0, 2]), 3)] == [[0, 2]]
    for sizes in (0, -1, [6, -1]):
        with pytest.raises(vt.errors.ArgumentError, match="split: "):
            compat.split(x, sizes)
    with pytest.raises(vt.errors.KindError, match="no argument 'axis'"):
        compat.split(x, 2, axis=0)


def test_others() -> None:
    x = vt.to_tensor(X)
    assert compat.equal(x, x) is True
    assert (compat.equal(x, x + 1), compat.equal(x, x[:1]), compat.equal(x, x.astype("int64"))) == (False, False, True)
    assert compat.unique(x).tolist() == [1.0, 2.0, 3.0, 4.0, 6.0]
    assert [p.tolist() for p in compat.unique(x[1], return_counts=True)] == [[4.0, 6.0], [1, 2]]
    assert compat.slogdet(vt.to_tensor([[2.0, 0.0], [0.0, -1.0]])).sign.item() == -1.0
    seed = compat.seed()
    first = vt.rand([2]).tolist()
    vt.seed(seed)
    assert vt.rand([2]).tolist() == first
    with pytest.raises(AttributeError, match="no attribute 'maxx'"):
        compat.maxx


def test_in_programs() -> None:
    def both(x: Any) -> Any:
        values, places = compat.max(x, dim=1)
        low, where = compat.sort(x, 1)
        return values, places, low, where, *compat.split(x, 2, 1)

    x = vt.to_tensor(X)
    for a, b in zip(vt.to_static(both)(x), both(x), strict=True):
        assert a.numpy().tolist() == b.numpy().tolist()


def test_layers() -> None:
    nn, F = compat.nn, compat.nn.functional
    x = vt.arange(16).astype("float32").reshape([1, 1, 4, 4])
    outer = nn.AvgPool2D(2, padding=1)(x)
    assert outer[0, 0, 0].tolist() == [0.0, 0.75, 0.75]  # the margin counts
    assert nn.AvgPool2D(2, padding=1, count_include_pad=False)(x)[0, 0, 0].tolist() == [0.0, 1.5, 3.0]
    assert nn.AvgPool1d(2)(vt.ones([1, 1, 4])).tolist() == [[[1.0, 1.0]]]
    assert nn.AvgPool3D(2, divisor_override=4)(vt.ones([1, 1, 2, 2, 2])).item() == 2.0
    assert nn.Unfold(kernel_size=2)(x).shape == [1, 4, 9]
    assert F.unfold(x, vt.to_tensor([2, 2]), stride=2).shape == [1, 4, 4]
    layer = nn.Linear(4, 2)
    assert (layer.weight.shape, nn.Linear(4, 2, bias=False).bias) == ([2, 4], None)
    assert (layer.weight.abs() <= 0.5).all()
    np.testing.assert_allclose(layer(x).numpy(), x.numpy() @ layer.weight.numpy().T + layer.bias.numpy(), rtol=1e-5)
    assert "in_features=4, out_features=2, bias=True" in repr(layer)
    y = vt.to_tensor(X)
    assert nn.Softmax()(y).tolist() == F.softmax(y, 1).tolist() == vt.nn.functional.softmax(y, 1).tolist()
    assert F.softmax(y[0]).tolist() == vt.nn.functional.softmax(y[0], 0).tolist()
    with pytest.raises(vt.errors.KindError, match="no argument 'axis'"):
        nn.Softmax(axis=1)


@pytest.mark.parametrize(
    ("mode", "other"), [("constant", "constant"), ("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_margins(mode: str, other: str) -> None:
    x = np.arange(12.0, dtype="float32").reshape(1, 3, 4)
    made = compat.nn.functional.pad(vt.to_tensor(x), [1, 2, 0, 1][: 4 if mode == "constant" else 2], mode)
    around = [(0, 0), (0, int(mode == "constant")), (1, 2)]
    assert made.tolist() == np.pad(x, around, other).tolist()
    for sizes in ([1], [1] * 8):
        with pytest.raises(vt.errors.ArgumentError, match="pairs of sizes for 3 axes"):
            compat.nn.functional.pad(vt.to_tensor(x), sizes, mode)
