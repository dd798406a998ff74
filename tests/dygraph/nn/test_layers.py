"""Linear, convolutions, normalisation, dropout, embedding and pooling against NumPy, gradients against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base import unique_name
from vitrify.base.errors import AxisError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import functional as F
from vitrify.dygraph.random_generators import seed

from .support import check_gradients, rand, tensor


def close(got: Any, wanted: Any, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(got.numpy(), wanted, rtol=tolerance, atol=tolerance)


def numpy_conv(x: Any, w: Any, stride: int, padding: int, groups: int = 1) -> Any:
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    n, _, h, width = x.shape
    out, part, kh, kw = w.shape
    y = np.zeros((n, out, (h - kh) // stride + 1, (width - kw) // stride + 1))
    for o in range(out):
        first = o // (out // groups) * part
        for i in range(y.shape[2]):
            for j in range(y.shape[3]):
                window = x[:, first : first + part, i * stride : i * stride + kh, j * stride : j * stride + kw]
                y[:, o, i, j] = (window * w[o]).sum((1, 2, 3))
    return y


def test_linear() -> None:
    layer = nn.Linear(3, 4).astype("float64")
    x = rand(2, 5, 3)
    close(layer(tensor(x)), x @ layer.weight.numpy() + layer.bias.numpy())
    assert nn.Linear(3, 4, bias_attr=False).bias is None
    check_gradients(layer, x)


def test_bilinear_flatten_identity() -> None:
    layer = nn.Bilinear(3, 4, 2).astype("float64")
    a, b = rand(5, 3), rand(5, 4, seed=1)
    close(layer(tensor(a), tensor(b)), np.einsum("ni,kij,nj->nk", a, layer.weight.numpy(), b))
    check_gradients(layer, a, b)
    assert nn.Flatten()(tensor(rand(2, 3, 4))).shape == [2, 12]
    assert nn.Identity(3, some=1)(5) == 5


@pytest.mark.parametrize(("stride", "padding", "groups"), [(1, 0, 1), (2, 1, 1), (1, 1, 2)])
def test_conv2d(stride: int, padding: int, groups: int) -> None:
    layer = nn.Conv2D(2, 4, 3, stride, padding, groups=groups).astype("float64")
    x = rand(2, 2, 5, 6)
    wanted = numpy_conv(x, layer.weight.numpy(), stride, padding, groups) + layer.bias.numpy()[:, None, None]
    close(layer(tensor(x)), wanted)
    check_gradients(layer, x)


def test_conv2d_other_margins_and_formats() -> None:
    layer = nn.Conv2D(1, 2, 3, padding=1, padding_mode="reflect").astype("float64")
    x = rand(1, 1, 5, 5)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="reflect")
    close(layer(tensor(x)), numpy_conv(padded, layer.weight.numpy(), 1, 0))
    last = nn.Conv2D(1, 2, 3, data_format="NHWC").astype("float64")
    wanted = numpy_conv(x, last.weight.numpy(), 1, 0).transpose(0, 2, 3, 1)
    close(last(tensor(x.transpose(0, 2, 3, 1))), wanted)


def test_conv1d_and_transpose() -> None:
    layer = nn.Conv1D(2, 3, 3, padding=1).astype("float64")
    x = rand(2, 2, 6)
    wanted = numpy_conv(np.pad(x, ((0, 0), (0, 0), (1, 1)))[:, :, None], layer.weight.numpy()[:, :, None], 1, 0)
    close(layer(tensor(x)), wanted[:, :, 0])
    check_gradients(layer, x)
    back = nn.Conv2DTranspose(3, 2, 3, stride=2, padding=1, output_padding=1).astype("float64")
    y = rand(1, 3, 4, 4)
    out = back(tensor(y))
    assert out.shape == [1, 2, 8, 8]
    # the transposed convolution is the adjoint of the convolution with the same filters: <conv(x), y> = <x, convT(y)>
    image = rand(1, 2, 8, 8, seed=3)
    forward = numpy_conv(image, back.weight.numpy(), 2, 1)
    np.testing.assert_allclose((forward * y).sum(), (image * out.numpy()).sum(), rtol=1e-9)
    check_gradients(back, y)


@pytest.mark.parametrize(("make", "shape"), [(nn.BatchNorm1D, (6, 3)), (nn.BatchNorm1D, (4, 3, 5)),
                                             (nn.BatchNorm2D, (3, 3, 2, 2))])  # fmt: skip
def test_batch_norm(make: Any, shape: tuple[int, ...]) -> None:
    layer = make(3, momentum=0.75).astype("float64")
    layer.weight.set_value(rand(3, seed=1))
    layer.bias.set_value(rand(3, seed=2))
    x = rand(*shape) * 3 + 1
    axes = tuple(k for k in range(x.ndim) if k != 1)
    wide = (1, 3) + (1,) * (x.ndim - 2)
    mean, var = x.mean(axes), x.var(axes)
    w, b = layer.weight.numpy().reshape(wide), layer.bias.numpy().reshape(wide)
    close(layer(tensor(x)), (x - mean.reshape(wide)) / np.sqrt(var.reshape(wide) + 1e-5) * w + b)
    close(layer._mean, 0.25 * mean)
    close(layer._variance, 0.75 + 0.25 * var)
    assert layer._mean.stop_gradient
    layer.eval()
    m, v = layer._mean.numpy().reshape(wide), layer._variance.numpy().reshape(wide)
    close(layer(tensor(x)), (x - m) / np.sqrt(v + 1e-5) * w + b)
    close(layer._mean, 0.25 * mean)
    check_gradients(layer, x)
    layer.train()
    check_gradients(make(3), x, tolerance=1e-5)


def test_batch_norm_use_global_stats() -> None:
    x = tensor(rand(4, 2), "float32")
    fixed = nn.BatchNorm1D(2, use_global_stats=True)
    close(fixed(x), x.numpy() / np.sqrt(1 + 1e-5))
    assert not fixed._mean.numpy().any()
    never = nn.BatchNorm1D(2, use_global_stats=False).eval()
    assert abs(float(never(x).mean())) < 1e-6
    assert never._mean.numpy().any()
    bare = nn.BatchNorm1D(2, weight_attr=False, bias_attr=False)
    assert [n for n, _ in bare.named_parameters()] == ["_mean", "_variance"]
    assert nn.BatchNorm2D(3, data_format="NHWC")(tensor(rand(2, 4, 4, 3), "float32")).shape == [2, 4, 4, 3]


def test_other_norms() -> None:
    x = rand(2, 4, 3, 3)

    def standard(a: Any, axes: Any, eps: float = 1e-5) -> Any:
        return (a - a.mean(axes, keepdims=True)) / np.sqrt(a.var(axes, keepdims=True) + eps)

    for layer, wanted in (
        (nn.LayerNorm([3, 3]), standard(x, (2, 3))),
        (nn.GroupNorm(2, 4), standard(x.reshape(2, 2, 18), 2).reshape(x.shape)),
        (nn.InstanceNorm2D(4), standard(x, (2, 3))),
        (nn.RMSNorm(3), x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)),
    ):
        close(layer.astype("float64")(tensor(x)), wanted)
        check_gradients(layer, x, tolerance=1e-5)


def test_dropout_keeps_the_mean_and_follows_the_seed() -> None:
    layer = nn.Dropout(0.25)
    x = tensor(np.ones((200, 200)), "float32")
    seed(3)
    first = layer(x).numpy()
    assert set(np.unique(first).round(4)) == {0.0, np.float32(1 / 0.75).round(4)}
    assert abs(first.mean() - 1) < 0.02
    assert (layer(x).numpy() != first).any()
    seed(3)
    np.testing.assert_array_equal(layer(x).numpy(), first)
    assert layer.eval()(x) is x
    other = nn.Dropout(0.25, mode="downscale_in_infer")
    assert set(np.unique(other(x).numpy())) == {0.0, 1.0}
    close(other.eval()(x), np.full((200, 200), 0.75))


def test_dropout_of_whole_channels() -> None:
    y = nn.Dropout2D(0.5)(tensor(np.ones((8, 16, 3, 3)), "float32")).numpy().reshape(128, 9)
    assert (y == y[:, :1]).all()
    assert 0 < (y[:, 0] == 0).sum() < 128
    rows = nn.Dropout(0.5, axis=0)(tensor(np.ones((64, 5)), "float32")).numpy()
    assert (rows == rows[:, :1]).all()
    alpha = nn.AlphaDropout(0.2)(tensor(np.random.default_rng(0).normal(size=(300, 300)), "float32")).numpy()
    assert abs(alpha.mean()) < 0.02
    assert abs(alpha.std() - 1) < 0.02


def test_gradient_of_dropout_is_its_mask() -> None:
    x = tensor(np.ones(50), "float32", grad=True)
    y = F.dropout(x, 0.5)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())


def test_embedding() -> None:
    layer = nn.Embedding(5, 3, padding_idx=-1)
    ids = to_tensor([[0, 4], [2, 0]])
    assert not layer.weight.numpy()[4].any()
    close(layer(ids), layer.weight.numpy()[ids.numpy()])
    layer(ids).sum().backward()
    np.testing.assert_array_equal(layer.weight.grad.numpy()[:, 0], [2, 0, 1, 0, 0])
    with pytest.raises(AxisError):
        layer(to_tensor([7]))
    check_gradients(nn.Embedding(4, 2), np.array([[0, 3, 3]]))


def test_pools() -> None:
    x = rand(2, 3, 4, 6)
    windows = x.reshape(2, 3, 2, 2, 3, 2).transpose(0, 1, 2, 4, 3, 5).reshape(2, 3, 2, 3, 4)
    for layer, wanted in (
        (nn.MaxPool2D(2), windows.max(-1)),
        (nn.AvgPool2D(2), windows.mean(-1)),
        (nn.AdaptiveAvgPool2D((2, 3)), windows.mean(-1)),
        (nn.AdaptiveMaxPool2D((2, 3)), windows.max(-1)),
        (nn.AdaptiveAvgPool2D(1), x.mean((2, 3), keepdims=True)),
    ):
        close(layer(tensor(x)), wanted)
        check_gradients(layer, x)
    line = x[:, :, 0]
    close(nn.MaxPool1D(2)(tensor(line)), line.reshape(2, 3, 3, 2).max(-1))
    close(nn.AvgPool1D(3)(tensor(line)), line.reshape(2, 3, 2, 3).mean(-1))
    close(nn.AdaptiveAvgPool1D(2)(tensor(line)), line.reshape(2, 3, 2, 3).mean(-1))
    close(nn.AdaptiveMaxPool1D(3)(tensor(line)), line.reshape(2, 3, 3, 2).max(-1))
    assert repr(nn.MaxPool2D(2)).startswith("MaxPool2D(kernel_size=2, stride=None")


def test_interpolate_nearest() -> None:
    x = rand(1, 2, 2, 3)
    wanted = x.repeat(2, axis=2).repeat(2, axis=3)
    close(F.interpolate(tensor(x), scale_factor=2), wanted)
    close(F.interpolate(tensor(x), size=[4, 6]), wanted)
    close(F.interpolate(tensor(wanted), size=[2, 3]), x)


def test_margins_by_axis_fit_tensors_of_their_rank() -> None:
    x = tensor(np.arange(6.0, dtype=np.float32).reshape(1, 2, 3))
    wide = nn.Pad3D([1, 2], data_format="NCL")
    close(wide(x), np.pad(x.numpy(), ((0, 0), (0, 0), (1, 2))))
    close(
        nn.Pad3D([1, 0, 0, 1], data_format="NCHW")(x.reshape([1, 1, 2, 3])),
        np.pad(x.numpy().reshape(1, 1, 2, 3), ((0, 0), (0, 0), (0, 1), (1, 0))),
    )
    with pytest.raises(ValueError, match="pad"):
        nn.Pad2D([1, 1, 1])(x.reshape([1, 1, 2, 3]))
    with pytest.raises(ValueError, match="Pad1D of NCL needs rank 3"):
        nn.Pad1D(1)(x.reshape([1, 1, 2, 3]))


@pytest.mark.parametrize("kind", ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"])
def test_rearrangements_refuse_settings_when_they_are_made(kind: str) -> None:
    made = getattr(nn, kind)
    with pytest.raises(ValueError, match="must be at least 1"):
        made(0)
    with pytest.raises(TypeError, match="must be an int"):
        made(2.0)
    with pytest.raises(ValueError, match="'NCHW' or 'NHWC', not 'X'"):
        made(2, "X")
    assert repr(made(2, "NHWC")).endswith("=2, data_format=NHWC)")
    assert "data_format" not in repr(made(2))


def test_a_cleared_gradient_of_a_sparse_embedding_has_no_rows() -> None:
    layers = [nn.Embedding(3, 2, sparse=sparse) for sparse in (True, False)]
    for layer in layers:
        layer(to_tensor([1])).sum().backward()
        assert layer.weight.grad is not None
        layer.clear_gradients()
    assert layers[0].weight.grad is None and layers[1].weight.grad is not None


def test_buffers_of_normalisation_have_paddles_names() -> None:
    with unique_name.guard():
        layers = [nn.BatchNorm2D(3), nn.BatchNorm2D(3, weight_attr=False), nn.SpectralNorm([2, 3])]
        names = [{k: v.name for k, v in layer.state_dict().items()} for layer in layers]
    assert (names[0]["_mean"], names[0]["_variance"]) == ("batch_norm2d_0.w_1", "batch_norm2d_0.w_2")
    assert (names[1]["_mean"], names[1]["_variance"]) == ("batch_norm2d_1.w_0", "batch_norm2d_1.w_1")
    assert names[2] == {"weight_u": "spectral_norm_0.w_0", "weight_v": "spectral_norm_0.w_1"}
