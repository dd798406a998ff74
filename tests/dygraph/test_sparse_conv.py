"""Convolutions and maxima over sparse images and volumes, against figures of PaddlePaddle 3.3.1 and dense ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import sparse
from vitrify.errors import ArgumentError, ShapeError
from vitrify.sparse import nn
from vitrify.sparse.nn import functional as F

SITES = [[0, 0, 0, 0], [0, 0, 1, 2], [0, 2, 1, 0], [3, 1, 2, 3]]  # n, d, h, w of four values
MIXED = [[0, 0, 0, 0], [0, 0, 1, 2], [2, 0, 1, 0], [1, 3, 2, 3]]  # others, not sorted
SHAPE = [1, 3, 3, 4, 2]
VALUES = np.arange(1, 9, dtype="float32").reshape(4, 2)


def weights(*shape: int, turn: int = 7) -> Any:
    w = vt.to_tensor((np.arange(np.prod(shape)) % turn - turn // 2).astype("float32").reshape(shape))
    w.stop_gradient = False
    return w


def volume(values: Any = VALUES, sites: Any = SITES) -> Any:
    return sparse.sparse_coo_tensor(sites, values, SHAPE)


FIGURES = {  # filter's shape, settings: the sites of the result, its values
    "plain": (
        (2, 2, 2, 2, 3), {},
        [[0] * 9, [0, 0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 0, 0, 1, 1], [1, 2, 0, 1, 2, 1, 2, 1, 2]],
        [[-15, -4, 7], [1, -2, 16], [-5, -2, 1], [5, 19, -16], [18, -13, -2], [-13, -2, 9], [7, 33, -32],
         [9, -15, -4], [-15, -4, 7]],
    ),
    "steps": (
        (2, 2, 2, 2, 3), {"stride": 2, "padding": 1},
        [[0] * 4, [0, 0, 1, 1], [0, 1, 0, 1], [2, 1, 2, 1]],
        [[-2, 5, 12], [0, 3, 6], [-6, 9, 24], [9, -15, -4]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", FIGURES)
def test_convolutions_of_volumes(name: str, compiled: bool) -> None:
    shape, settings, sites, wanted = FIGURES[name]
    bias = vt.to_tensor([0.5, -0.5, 1.0])

    def convolved(values: Any, weight: Any) -> Any:
        found = F.conv3d(volume(values, MIXED), weight, bias, **settings)
        return found.indices(), found.values(), found.to_dense()

    run = vt.to_static(convolved) if compiled else convolved
    indices, values, dense = run(vt.to_tensor(VALUES), weights(*shape))
    assert indices.tolist() == sites
    np.testing.assert_array_equal(values.numpy(), np.array(wanted) + [0.5, -0.5, 1.0])
    image = volume(VALUES, MIXED).to_dense()
    other = vt.nn.functional.conv3d(
        image, vt.transpose(weights(*shape), [4, 3, 0, 1, 2]), data_format="NDHWC", **settings
    )
    where = np.zeros(dense.shape[:-1], bool)
    where[tuple(sites)] = True
    np.testing.assert_allclose(other.numpy() + where[..., None] * bias.numpy(), dense.numpy(), rtol=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_of_convolutions(compiled: bool) -> None:
    def step(values: Any, weight: Any, bias: Any) -> Any:
        dense = F.conv3d(volume(values), weight, bias).to_dense()
        return vt.grad((dense * dense).sum(), [values, weight, bias])

    values, weight, bias = vt.to_tensor(VALUES), weights(2, 2, 2, 2, 1), vt.to_tensor([0.5])
    values.stop_gradient = bias.stop_gradient = False
    found = (vt.to_static(step) if compiled else step)(values, weight, bias)
    assert found[0].tolist() == [[-55, 0], [20, 85], [535, 560], [0, 51]]
    wanted = [-265, -318, 10, 56, 360, 446, -40, -50, -155, -186, 532, 618, 275, 330, -265, -318]
    assert found[1].reshape([-1]).tolist() == wanted
    assert found[2].tolist() == [-15]


@pytest.mark.parametrize("compiled", [False, True])
def test_submanifold_convolutions(compiled: bool) -> None:
    def step(values: Any, weight: Any) -> Any:
        found = F.subm_conv3d(volume(values), weight, vt.to_tensor([0.5]))
        dense = found.to_dense()
        return found.indices(), found.values(), vt.grad((dense * dense).sum(), [values, weight])

    values, weight = vt.to_tensor(VALUES), weights(3, 3, 3, 2, 1)
    values.stop_gradient = False
    indices, made, (by_values, by_weight) = (vt.to_static(step) if compiled else step)(values, weight)
    assert indices.tolist() == SITES and made.tolist() == [[5.5], [46.5], [89.5], [66.5]]
    assert by_values.tolist() == [[201, 391], [544, 816], [843, 1182], [624, 936]]
    places = {4: 179, 5: 358, 12: 1202, 13: 1514, 26: 2116, 27: 2532, 40: 1718, 41: 1990, 48: 55, 49: 66}
    assert {k: v for k, v in enumerate(by_weight.reshape([-1]).tolist()) if v} == places


def test_sites_in_any_order() -> None:
    order = [2, 0, 3, 1]
    mixed = sparse.sparse_coo_tensor(np.array(SITES)[:, order], VALUES[order], SHAPE)
    weight = weights(3, 3, 3, 2, 1)
    for call in (F.conv3d, F.subm_conv3d, F.subm_conv3d_igemm):
        np.testing.assert_array_equal(call(mixed, weight).numpy(), call(volume(), weight).numpy())
    np.testing.assert_array_equal(F.max_pool3d(mixed, 2).numpy(), F.max_pool3d(volume(), 2).numpy())


def test_convolutions_of_images() -> None:
    image = sparse.sparse_coo_tensor([[0, 0, 0], [0, 1, 2], [1, 1, 3]], VALUES[:3], [1, 3, 4, 2])
    found = F.conv2d(image, weights(2, 2, 2, 2, turn=5))
    assert found.shape == [1, 2, 3, 2] and found.indices().tolist() == [[0] * 5, [0, 0, 1, 1, 1], [0, 1, 0, 1, 2]]
    assert found.values().tolist() == [[8, -7], [-7, 3], [2, -6], [-6, 1], [12, -7]]
    assert F.subm_conv2d(image, weights(3, 3, 2, 2, turn=5)).values().tolist() == [[-4, 6], [1, 6], [1, 12]]


@pytest.mark.parametrize("compiled", [False, True])
def test_maxima_are_those_of_sites(compiled: bool) -> None:
    def step(values: Any) -> Any:
        found = F.max_pool3d(volume(values), 2, 1)
        dense = found.to_dense()
        return found.values(), vt.grad((dense * dense).sum(), [values])[0]

    values = vt.to_tensor(VALUES - 4)
    values.stop_gradient = False
    made, gradient = (vt.to_static(step) if compiled else step)(values)
    assert made.tolist() == [[1, 2], [1, 2], [-1, 0], [1, 2], [1, 2], [1, 2], [3, 4], [1, 2], [1, 2]]
    assert gradient.tolist() == [[0, 0], [-2, 0], [14, 28], [6, 8]]
    whole = F.max_pool3d(volume(VALUES - 4), 2, 2)
    assert whole.shape == [1, 1, 1, 2, 2] and whole.values().tolist() == [[1, 2]]


def test_layers(tmp_path: Any) -> None:
    net = vt.nn.Sequential(
        nn.Conv3D(2, 3, 2), nn.BatchNorm(3), nn.ReLU(), nn.SubmConv3D(3, 4, (1, 3, 3)), nn.MaxPool3D(2)
    )
    assert net(volume()).shape == [1, 1, 1, 1, 4]
    assert list(net.state_dict()) == [
        "0.weight", "0.bias", "1.weight", "1.bias", "1._mean", "1._variance", "3.weight", "3.bias"
    ]  # fmt: skip
    assert net[0].weight.shape == [2, 2, 2, 2, 3]
    assert repr(net[3]) == "SubmConv3D(3, 4, kernel_size=[1, 3, 3], data_format=NDHWC)"
    assert repr(net[4]) == "MaxPool3D(kernel_size=2, stride=None, padding=0)"
    net[1].set_state_dict({f"norm.{name}": value for name, value in net[1].state_dict().items()})  # an older file
    every = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    assert isinstance(every[1], nn.SyncBatchNorm) and every(volume()).shape == [1, 1, 1, 1, 4]
    assert nn.SubmConv2D(1, 2, 3, bias_attr=False).bias is None and nn.Conv2D(1, 2, 3, stride=2)._stride == [2, 2]

    @vt.to_static
    def run(values: Any) -> Any:
        return every(volume(values)).to_dense()

    every.eval()
    np.testing.assert_allclose(run(vt.to_tensor(VALUES)).numpy(), every(volume()).numpy(), rtol=1e-5, atol=1e-6)


def test_what_cannot_be_convolved() -> None:
    weight = weights(2, 2, 2, 2, 3)
    flat = sparse.sparse_coo_tensor([[0], [1]], [1.0], [2, 2])
    for error, call in (
        (ArgumentError, lambda: F.conv3d(volume().to_dense(), weight)),
        (ShapeError, lambda: F.conv3d(flat, weight)),
        (ShapeError, lambda: F.conv3d(volume(), weights(2, 2, 2, 3, 3))),
        (ShapeError, lambda: F.conv3d(volume(), weights(2, 2, 2, 3))),
        (ArgumentError, lambda: F.conv3d(volume(), weight, groups=2)),
        (ArgumentError, lambda: F.conv3d(volume(), weight, data_format="NCDHW")),
        (ArgumentError, lambda: F.conv3d(volume(), weight, padding="SAME")),
        (ArgumentError, lambda: F.subm_conv3d(volume(), weight)),
        (ArgumentError, lambda: F.max_pool3d(volume(), 2, ceil_mode=True)),
        (ArgumentError, lambda: nn.MaxPool3D(2, return_mask=True)),
        (ArgumentError, lambda: nn.SubmConv3D(2, 2, 3, backend="other")),
        (ArgumentError, lambda: nn.Conv3D(2, 2, 3, padding_mode="reflect")),
        (ArgumentError, lambda: nn.BatchNorm(2, data_format="NCHW")),
    ):
        with pytest.raises(error):
            call()
