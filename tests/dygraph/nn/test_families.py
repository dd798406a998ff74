"""Layers that are a function and settings, those of volumes, and the transformer: values, shapes, errors, compiled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import VitrifyError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import functional as F
from vitrify.dygraph.random_generators import seed
from vitrify.jit import to_static

from .support import check_gradients, rand, tensor

LINE, IMAGE, VOLUME = rand(2, 4, 6), rand(2, 4, 6, 8), rand(2, 4, 4, 6, 4)
LAYERS: list[tuple[Any, tuple[Any, ...], Callable[..., Any]]] = [
    (nn.ChannelShuffle(2), (IMAGE,), lambda x: F.channel_shuffle(x, 2)),
    (nn.PixelShuffle(2), (IMAGE,), lambda x: F.pixel_shuffle(x, 2)),
    (nn.PixelUnshuffle(2), (IMAGE,), lambda x: F.pixel_unshuffle(x, 2)),
    (nn.Unfold(2, strides=2), (IMAGE,), lambda x: F.unfold(x, 2, 2)),
    (nn.Fold([4, 5], 2), (rand(2, 8, 12),), lambda x: F.fold(x, [4, 5], 2)),
    (nn.LocalResponseNorm(3), (IMAGE,), lambda x: F.local_response_norm(x, 3)),
    (nn.PairwiseDistance(keepdim=True), (LINE, LINE[::-1]), lambda x, y: F.pairwise_distance(x, y, keepdim=True)),
    (nn.CosineSimilarity(axis=2), (LINE, LINE[::-1]), lambda x, y: F.cosine_similarity(x, y, 2)),
    (nn.Upsample(scale_factor=2, mode="bilinear"), (IMAGE,), lambda x: F.upsample(x, None, 2, "bilinear")),
    (nn.UpsamplingNearest2D([3, 4]), (IMAGE,), lambda x: F.interpolate(x, [3, 4])),
    (nn.UpsamplingBilinear2D(scale_factor=2), (IMAGE,),
     lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True)),
    (nn.Pad1D([1, 2], mode="reflect"), (LINE,), lambda x: F.pad(x, [1, 2], "reflect", 0.0, "NCL")),
    (nn.Pad2D(1, value=2.0), (IMAGE,), lambda x: F.pad(x, [1, 1, 1, 1], "constant", 2.0, "NCHW")),
    (nn.Pad3D([1, 0, 2, 1, 0, 1], "replicate"), (VOLUME,), lambda x: F.pad(x, [1, 0, 2, 1, 0, 1], "replicate")),
    (nn.ZeroPad1D(1), (LINE,), lambda x: F.pad(x, [1, 1], "constant", 0.0, "NCL")),
    (nn.ZeroPad2D([1, 2, 3, 4]), (IMAGE,), lambda x: F.zeropad2d(x, [1, 2, 3, 4])),
    (nn.ZeroPad3D(1), (VOLUME,), lambda x: F.pad(x, [1] * 6)),
    (nn.Unflatten(1, [2, -1]), (LINE,), lambda x: x.reshape([2, 2, 2, 6])),
    (nn.Softmax2D(), (IMAGE,), lambda x: F.softmax(x, 1)),
    (nn.MaxPool3D(2), (VOLUME,), lambda x: F.max_pool3d(x, 2)),
    (nn.AvgPool3D(2, divisor_override=3), (VOLUME,), lambda x: F.avg_pool3d(x, 2, divisor_override=3)),
    (nn.AdaptiveAvgPool3D([2, 3, 1]), (VOLUME,), lambda x: F.adaptive_avg_pool3d(x, [2, 3, 1])),
    (nn.AdaptiveMaxPool1D(4), (LINE,), lambda x: F.adaptive_max_pool1d(x, 4)),
    (nn.AdaptiveMaxPool3D([None, 2, 3]), (VOLUME,), lambda x: F.adaptive_max_pool3d(x, [None, 2, 3])),
    (nn.LPPool1D(2.0, 2), (abs(LINE),), lambda x: F.lp_pool1d(x, 2.0, 2)),
    (nn.LPPool2D(3.0, 2), (abs(IMAGE),), lambda x: F.lp_pool2d(x, 3.0, 2)),
    (nn.FractionalMaxPool2D(3, random_u=0.5), (IMAGE,), lambda x: F.fractional_max_pool2d(x, 3, None, 0.5)),
    (nn.FractionalMaxPool3D(2, random_u=0.5), (VOLUME,), lambda x: F.fractional_max_pool3d(x, 2, None, 0.5)),
    (nn.CosineEmbeddingLoss(0.1), (rand(3, 4), rand(3, 4, seed=1), np.array([1, -1, 1])),
     lambda a, b, y: F.cosine_embedding_loss(a, b, y, 0.1)),
    (nn.GaussianNLLLoss(True), (LINE, LINE[::-1], abs(LINE)), lambda a, b, v: F.gaussian_nll_loss(a, b, v, True)),
    (nn.PoissonNLLLoss(False), (abs(LINE), abs(LINE)), lambda a, b: F.poisson_nll_loss(a, b, False)),
    (nn.SoftMarginLoss("sum"), (LINE, np.sign(LINE)), lambda a, b: F.soft_margin_loss(a, b, "sum")),
    (nn.MultiLabelSoftMarginLoss(), (LINE, (LINE > 0) * 1.0), F.multi_label_soft_margin_loss),
    (nn.MultiLabelMarginLoss(), (rand(2, 3), np.array([[1, -1, 0], [2, 0, -1]])), F.multi_label_margin_loss),
    (nn.MultiMarginLoss(2), (rand(2, 3), np.array([1, 2])), lambda a, b: F.multi_margin_loss(a, b, 2)),
    (nn.TripletMarginWithDistanceLoss(lambda a, b: (a - b).abs().sum(-1)), (LINE, LINE[::-1], LINE * 2),
     lambda a, b, c: F.triplet_margin_with_distance_loss(a, b, c, lambda a, b: (a - b).abs().sum(-1))),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(LAYERS)))
def test_layers_call_their_function(number: int) -> None:
    layer, arrays, function = LAYERS[number]
    inputs = [to_tensor(a) for a in arrays]
    np.testing.assert_array_equal(layer(*inputs).numpy(), function(*inputs).numpy())
    assert type(layer).__name__ in repr(layer)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(LAYERS)))
def test_layers_compiled(number: int) -> None:
    """With gradients, and for batches of three sizes, of which the later ones share a program."""
    layer, arrays, _ = LAYERS[number]
    compiled = to_static(lambda *xs: layer(*xs))
    for times in (1, 2, 3):
        batches = [np.concatenate([a] * times) for a in arrays]
        eager, captured = ([to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in batches] for _ in range(2))
        wanted, found = layer(*eager), compiled(*captured)
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-9, atol=1e-12)
        wanted.sum().backward()
        found.sum().backward()
        for x, y in zip(eager, captured, strict=True):
            if not x.stop_gradient and x.grad is not None:
                np.testing.assert_allclose(y.grad.numpy(), x.grad.numpy(), rtol=1e-8, atol=1e-11)


def test_signatures_are_shown_and_checked() -> None:
    assert str(inspect.signature(nn.MaxPool2D)).startswith("(kernel_size, stride=None, padding=0, return_mask=False")
    for wrong in (
        lambda: nn.MaxPool2D(), lambda: nn.ELU(1.0, None, 2.0), lambda: nn.Upsample(sizes=3),
        lambda: nn.Pad2D([1, 2, 3]), lambda: nn.Pad1D(1, mode="mirror"), lambda: nn.RReLU(0.5, 0.1),
        lambda: nn.RReLU(0, 0.5), lambda: nn.functional.rrelu(vt.ones([2]), 0.1, 1),
        lambda: nn.SoftMarginLoss("max"), lambda: nn.HSigmoidLoss(3, 1),
        lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 10, [5, 3]), lambda: nn.SpectralNorm([2, 3], dim=2),
    ):  # fmt: skip
        with pytest.raises(VitrifyError):
            wrong()


CONVOLUTIONS = [
    (nn.Conv3D(2, 4, 2, stride=2, padding=1, groups=2), (1, 2, 3, 4, 3)),
    (nn.Conv1DTranspose(2, 3, 3, stride=2, output_padding=1), (2, 2, 4)),
    (nn.Conv3DTranspose(2, 4, 2, stride=2, padding=1, groups=2), (1, 2, 2, 3, 2)),
    (nn.Conv3D(1, 2, (1, 2, 2), padding=[[0, 1], [1, 1], [0, 0]], padding_mode="replicate"), (1, 1, 2, 3, 3)),
]


@pytest.mark.parametrize("number", range(len(CONVOLUTIONS)))
def test_convolutions_of_other_ranks(number: int) -> None:
    layer, shape = CONVOLUTIONS[number]
    check_gradients(layer, rand(*shape))
    assert layer(tensor(rand(*shape))).ndim == len(shape)


def test_unpooling_undoes_pooling() -> None:
    x = tensor(abs(rand(1, 2, 4, 4)))
    y, places = nn.MaxPool2D(2, return_mask=True)(x)
    back = nn.MaxUnPool2D(2)(y, places)
    np.testing.assert_array_equal(nn.MaxPool2D(2)(back).numpy(), y.numpy())
    assert np.count_nonzero(back.numpy()) == 8
    assert nn.MaxUnPool1D(2)(*nn.MaxPool1D(2, return_mask=True)(tensor(LINE))).shape == [2, 4, 6]
    assert nn.MaxUnPool3D(2)(*nn.MaxPool3D(2, return_mask=True)(tensor(VOLUME))).shape == [2, 4, 4, 6, 4]


@pytest.mark.parametrize(("make", "shape"), [(nn.BatchNorm3D, (3, 2, 2, 3, 2)), (nn.SyncBatchNorm, (3, 2, 4))])
def test_batch_norms_of_other_ranks(make: Any, shape: tuple[int, ...]) -> None:
    layer, x = make(2).astype("float64"), rand(*shape)
    axes = (0, *range(2, len(shape)))
    wanted = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)
    np.testing.assert_allclose(layer(tensor(x)).numpy(), wanted, rtol=1e-9)


def test_sync_batch_norm_replaces_others() -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3), nn.Sequential(nn.BatchNorm1D(3, bias_attr=False)))
    kept = net[1].weight
    made = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    assert isinstance(made[1], nn.SyncBatchNorm)
    assert isinstance(made[2][0], nn.SyncBatchNorm)
    assert made[1].weight is kept
    assert made[2][0].bias is None


def test_old_batch_norm() -> None:
    layer = nn.BatchNorm(4, act="relu", is_test=True)
    x = to_tensor(IMAGE.astype("float32"))
    np.testing.assert_allclose(layer(x).numpy(), np.maximum(x.numpy() / np.sqrt(1 + 1e-5), 0), rtol=1e-6)
    assert sorted(layer.state_dict()) == ["_mean", "_variance", "bias", "weight"]


@pytest.mark.parametrize(
    ("act", "expected"),  # as PaddlePaddle 3.3.1 computes them from -4, -0.5, 2
    [("hard_swish", [0.0, -0.2083, 1.6667]), ("hard_sigmoid", [0.0, 0.4, 0.9]), ("brelu", [0.0, 0.0, 2.0]),
     ("hard_shrink", [-4.0, -0.5, 2.0]), ("logsigmoid", [-4.0181, -0.9741, -0.1269])],
)  # fmt: skip
def test_old_batch_norm_takes_operators_of_the_first_release(act: str, expected: list[float]) -> None:
    layer = nn.BatchNorm(1, act=act, is_test=True, epsilon=0.0)
    x = to_tensor(np.array([[-4.0], [-0.5], [2.0]], "float32"))
    np.testing.assert_allclose(layer(x).numpy().ravel(), expected, atol=1e-4)
    layer._act = None
    np.testing.assert_allclose(layer(x).numpy(), x.numpy())


def test_spectral_norm_layer_finds_the_largest_singular_value() -> None:
    weight = rand(4, 3, 2)
    layer = nn.SpectralNorm([4, 3, 2], dim=1, power_iters=50, dtype="float64")
    largest = np.linalg.svd(weight.transpose(1, 0, 2).reshape(3, 8))[1][0]
    np.testing.assert_allclose(layer(tensor(weight)).numpy(), weight / largest, rtol=1e-6)
    assert sorted(layer.state_dict()) == ["weight_u", "weight_v"]


def test_random_layers() -> None:
    seed(3)
    x = tensor(np.ones((40, 50, 1, 2, 2)))
    y = nn.Dropout3D(0.4)(x).numpy()
    assert set(np.round(np.unique(y), 6)) == {0.0, round(1 / 0.6, 6)}
    assert (y.reshape(2000, 4).std(1) == 0).all()
    assert abs((y == 0).mean() - 0.4) < 0.05
    z = nn.FeatureAlphaDropout(0.3)(tensor(rand(40, 50, 4))).numpy()
    dropped = z.std(2) < 1e-9
    assert abs(dropped.mean() - 0.3) < 0.05
    wide = tensor(-np.ones(4000))
    slopes = -nn.RReLU(0.2, 0.6)(wide).numpy()
    assert (slopes >= 0.2).all()
    assert (slopes <= 0.6).all()
    assert abs(slopes.mean() - 0.4) < 0.02
    soft = F.gumbel_softmax(tensor(rand(500, 4)), temperature=0.5)
    np.testing.assert_allclose(soft.numpy().sum(-1), 1.0, rtol=1e-9)
    hard = F.gumbel_softmax(tensor(np.log([[0.1, 0.6, 0.3]] * 3000), grad=True), hard=True)
    np.testing.assert_allclose(hard.numpy().mean(0), [0.1, 0.6, 0.3], atol=0.04)
    kept, classes = F.class_center_sample(to_tensor(np.array([7, 2, 7, 5])), 20, 6)
    np.testing.assert_array_equal(classes.numpy()[kept.numpy()], [7, 2, 7, 5])
    assert kept.tolist() == [2, 0, 2, 1]
    assert classes.shape == [6]
    assert classes.tolist()[:3] == [2, 5, 7]
    assert len(set(classes.tolist())) == 6
    assert F.class_center_sample(to_tensor(np.array([7, 2, 7, 5])), 20, 2)[1].tolist() == [2, 5, 7]
    compiled = vt.to_static(lambda label: F.class_center_sample(label, 20, 6))
    kept, classes = compiled(to_tensor(np.array([7, 2, 7, 5])))
    assert (kept.tolist(), classes.tolist()[:3], len(set(classes.tolist()))) == ([2, 0, 2, 1], [2, 5, 7], 6)


def test_in_place_twins() -> None:
    x = tensor(rand(3, 4))
    wanted = np.maximum(x.numpy(), 0)
    assert F.relu_(x) is x
    np.testing.assert_array_equal(x.numpy(), wanted)
    for name, more in (("elu_", (0.5,)), ("hardtanh_", (-0.2, 0.2)), ("leaky_relu_", ()), ("softmax_", (0,)),
                       ("tanh_", ()), ("thresholded_relu_", (0.1,))):  # fmt: skip
        x = tensor(rand(3, 4))
        expected = getattr(F, name[:-1])(tensor(rand(3, 4)), *more).numpy()
        assert getattr(F, name)(x, *more) is x
        np.testing.assert_array_equal(x.numpy(), expected)


def test_temporal_shift_and_masks() -> None:
    x = rand(4, 4, 1, 1)
    frames = x.reshape(2, 2, 4)
    wanted = frames.copy()
    wanted[:, 0, 0], wanted[:, 1, 0] = 0, frames[:, 0, 0]
    wanted[:, 1, 1], wanted[:, 0, 1] = 0, frames[:, 1, 1]
    np.testing.assert_array_equal(F.temporal_shift(tensor(x), 2, 0.25).numpy(), wanted.reshape(x.shape))
    last = F.temporal_shift(tensor(x.transpose(0, 2, 3, 1)), 2, 0.25, data_format="NHWC")
    np.testing.assert_array_equal(last.numpy().transpose(0, 3, 1, 2), wanted.reshape(x.shape))
    lengths = to_tensor(np.array([1, 3]))
    assert F.sequence_mask(lengths).tolist() == [[1, 0, 0], [1, 1, 1]]
    assert str(F.sequence_mask(lengths, 4, "float32").dtype).endswith("float32")
    ids = to_tensor(np.array([[[2, 2], [6, 1]], [[3, 9], [6, 1]], [[0, 1], [9, 0]]]))
    parents = to_tensor(np.array([[[0, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 1]]]))
    assert F.gather_tree(ids, parents).tolist() == [[[2, 2], [1, 6]], [[3, 3], [6, 1]], [[0, 1], [9, 0]]]
    with pytest.raises(TypeError, match="gather_tree doesn't take float32"):
        F.gather_tree(ids.astype("float32"), parents)


def test_beams_of_a_number_of_times_that_only_a_run_knows() -> None:
    def found(ids: Any, parents: Any, count: Any) -> Any:
        kept, came = [], []
        k = count * 0
        while k < count:
            kept.append(ids[k])
            came.append(parents[k])
            k = k + 1
        return F.gather_tree(vt.stack(kept), vt.stack(came))

    ids = to_tensor(np.array([[[2, 2], [6, 1]], [[3, 9], [6, 1]], [[0, 1], [9, 0]]]))
    parents = to_tensor(np.array([[[0, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 1]]]))
    compiled = to_static(found)
    for count in (3, 2, 1):
        expected = F.gather_tree(ids[:count], parents[:count])
        np.testing.assert_array_equal(compiled(ids, parents, to_tensor(count)).numpy(), expected.numpy())
    with pytest.raises(ValueError, match="beams"):
        F.gather_tree(ids, parents[:, :1])


def test_containers_of_parameters() -> None:
    made = nn.ParameterDict([("a", nn.Linear(1, 2).weight)])
    made["b"] = nn.Linear(2, 2).weight
    made.update({"a": nn.Linear(3, 1).weight})
    assert list(made.keys()) == ["a", "b"]
    assert [p.shape for p in made.values()] == [[3, 1], [2, 2]]
    assert sorted(made.state_dict()) == ["a", "b"]
    del made["b"]
    assert "b" not in made
    with pytest.raises(KeyError):
        made["b"]
    assert made.pop("a").shape == [3, 1]
    assert len(made) == 0


def test_birnn_is_two_rnns() -> None:
    forward, backward = nn.GRUCell(3, 4), nn.GRUCell(3, 4)
    x, lengths = to_tensor(rand(2, 5, 3).astype("float32")), to_tensor(np.array([5, 3]))
    y, (first, second) = nn.BiRNN(forward, backward)(x, None, lengths)
    one, state = nn.RNN(forward)(x, None, lengths)
    two, back = nn.RNN(backward, is_reverse=True)(x, None, lengths)
    np.testing.assert_array_equal(y.numpy(), np.concatenate([one.numpy(), two.numpy()], 2))
    np.testing.assert_array_equal(first.numpy(), state.numpy())
    np.testing.assert_array_equal(second.numpy(), back.numpy())
    with pytest.raises(ValueError, match="one size"):
        nn.BiRNN(nn.GRUCell(3, 4), nn.GRUCell(2, 4))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_outputs_behind_the_length_are_the_cells(reverse: bool, compiled: bool) -> None:
    """As in PaddlePaddle: the state stays, the outputs go on; layers with a kernel there have zeros."""
    layer = nn.RNN(nn.GRUCell(3, 4), is_reverse=reverse)
    x = to_tensor(rand(1, 5, 3).astype("float32"))
    run = vt.jit.to_static(layer) if compiled else layer
    y, last = run(x, None, to_tensor(np.array([3])))
    if reverse:
        kept = layer.cell.get_initial_states(batch_ref=x)
    else:
        kept = last
        np.testing.assert_array_equal(y[:, 2].numpy(), last.numpy())
    for t in (3, 4):
        np.testing.assert_allclose(y[:, t].numpy(), layer.cell(x[:, t], kept)[0].numpy(), rtol=1e-5, atol=1e-6)
    projected, _ = nn.LSTM(3, 4, proj_size=2)(x, None, to_tensor(np.array([3])))
    assert projected[:, 3:].abs().min().item() > 0
    assert nn.GRU(3, 4)(x, None, to_tensor(np.array([3])))[0][:, 3:].abs().max().item() == 0


def test_class_trees() -> None:
    seed(0)
    layer = nn.HSigmoidLoss(4, 6).astype("float64")
    x, labels = rand(6, 4), np.arange(6)
    w, b = layer.weight.numpy(), layer.bias.numpy()[:, 0]
    losses = layer(tensor(x), to_tensor(labels)).numpy()[:, 0]
    for k in labels:
        total, code = 0.0, int(k) + 6
        for bit in range(3):
            if bit < code.bit_length() - 1:
                score = w[(code >> (bit + 1)) - 1] @ x[k] + b[(code >> (bit + 1)) - 1]
                total += np.log1p(np.exp(score)) - score * (code >> bit & 1)
            else:
                total += np.log(2)
        np.testing.assert_allclose(losses[k], total, rtol=1e-9)
    check_gradients(nn.HSigmoidLoss(4, 6), x, labels)
    tree = (to_tensor(np.array([[0, 2, -1], [1, 0, 2]])), to_tensor(np.array([[1, 0, -1], [0, 1, 1]])))
    assert nn.HSigmoidLoss(4, 3, is_custom=True)(to_tensor(x[:2].astype("float32")), None, *tree).shape == [2, 1]
    model = nn.AdaptiveLogSoftmaxWithLoss(5, 12, [4, 8], div_value=2.0, head_bias=True).astype("float64")
    inputs, target = rand(7, 5), np.array([0, 3, 4, 7, 8, 11, 2])
    every = model.log_prob(tensor(inputs)).numpy()
    np.testing.assert_allclose(np.exp(every).sum(1), 1.0, rtol=1e-9)
    output, loss = model(tensor(inputs), to_tensor(target))
    np.testing.assert_allclose(output.numpy(), every[np.arange(7), target], rtol=1e-9)
    np.testing.assert_allclose(float(loss), -output.numpy().mean(), rtol=1e-9)
    np.testing.assert_array_equal(model.predict(tensor(inputs)).numpy(), every.argmax(1))


def test_other_losses() -> None:
    chances, labels = abs(rand(3, 4, 2)), np.array([[[0], [1], [1], [0]]] * 3)
    hot = np.eye(2)[labels[..., 0]]
    share = 1 - 2 * (chances * hot).sum((1, 2)) / (chances.sum((1, 2)) + hot.sum((1, 2)) + 1e-5)
    np.testing.assert_allclose(float(F.dice_loss(tensor(chances), to_tensor(labels))), share.mean(), rtol=1e-9)
    a, p, y = rand(4, 3), rand(4, 3, seed=1), np.array([0, 1, 0, 2])
    scores = a @ p.T
    logp = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    target = (y[:, None] == y) / (y[:, None] == y).sum(1, keepdims=True)
    cross = (target * -(target * logp).sum(1, keepdims=True)).sum(0).mean()
    wanted = cross + ((a**2).sum(1).mean() + (p**2).sum(1).mean()) * 0.25 * 0.002
    np.testing.assert_allclose(float(F.npair_loss(tensor(a), tensor(p), to_tensor(y))), wanted, rtol=1e-9)
    cosines, pick = rand(4, 5), np.array([1, 0, 4, 2])
    moved = cosines.copy()
    moved[np.arange(4), pick] = np.cos(0.9 * np.arccos(cosines[np.arange(4), pick]) + 0.3) - 0.1
    logits = moved * 8
    expected = np.log(np.exp(logits).sum(1)) - logits[np.arange(4), pick]
    loss, soft = F.margin_cross_entropy(
        tensor(cosines), to_tensor(pick), 0.9, 0.3, 0.1, 8.0, return_softmax=True, reduction=None
    )
    np.testing.assert_allclose(loss.numpy()[:, 0], expected, rtol=1e-9)
    np.testing.assert_allclose(soft.numpy().sum(1), 1.0, rtol=1e-9)


def test_transducer_loss_is_the_sum_over_paths() -> None:
    scores = rand(2, 3, 3, 4)
    logp = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
    labels, times, lengths = np.array([[1, 2], [3, 0]]), np.array([3, 2]), np.array([2, 1])

    def total(n: int, t: int, u: int) -> float:
        here = logp[n, t, u]
        if t == times[n] - 1 and u == lengths[n]:
            return float(np.exp(here[0]))
        value = np.exp(here[0]) * total(n, t + 1, u) if t < times[n] - 1 else 0.0
        return float(value + (np.exp(here[labels[n, u]]) * total(n, t, u + 1) if u < lengths[n] else 0.0))

    wanted = [-np.log(total(n, 0, 0)) for n in range(2)]
    more = (to_tensor(labels), to_tensor(times), to_tensor(lengths))
    np.testing.assert_allclose(F.rnnt_loss(tensor(scores), *more, reduction="none").numpy(), wanted, rtol=1e-9)

    class Loss(nn.Layer):
        def forward(self, x: Any) -> Any:
            return nn.RNNTLoss(fastemit_lambda=0.0, reduction="none")(x, *more)

    check_gradients(Loss(), scores)
    layer = nn.CTCLoss(blank=1, reduction="sum")
    found = layer(tensor(rand(5, 1, 3)), *map(to_tensor, (np.array([[2, 0]]), np.array([5]), np.array([2]))))
    assert found.shape == []


@pytest.mark.parametrize("before", [True, False])
def test_a_decoder_with_caches_decodes_step_by_step(before: bool) -> None:
    seed(1)
    layer = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, normalize_before=before)
    decoder = nn.TransformerDecoder(layer, 2, nn.LayerNorm(8)).astype("float64")
    memory, target = tensor(rand(2, 4, 8)), tensor(rand(2, 3, 8, seed=1))
    mask = tensor(np.triu(np.full((3, 3), -np.inf), 1))
    whole = decoder(target, memory, mask).numpy()
    cache = decoder.gen_cache(memory)
    for t in range(3):
        y, cache = decoder(target[:, t : t + 1], memory, None, None, cache)
        np.testing.assert_allclose(y.numpy()[:, 0], whole[:, t], rtol=1e-8, atol=1e-10)
    assert len(decoder.gen_cache(memory, do_zip=True)) == 2
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2).astype("float64")
    y, cache = encoder(target[:, :2], None, encoder.gen_cache(target))
    z, _ = encoder(target[:, 2:], None, cache)
    assert y.shape == [2, 2, 8]
    assert z.shape == [2, 1, 8]


def test_parts_of_attention_for_derived_layers():
    seed(4)
    layer, x = nn.MultiHeadAttention(6, 2), tensor(rand(2, 3, 6))
    q, k, v = layer._prepare_qkv(x, x, x)
    scores = F.softmax((q @ k.transpose([0, 1, 3, 2])) * 3**-0.5)
    y = layer.out_proj((scores @ v).transpose([0, 2, 1, 3]).reshape([2, 3, 6]))
    np.testing.assert_allclose(y.numpy(), layer(x, x, x).numpy(), rtol=1e-5, atol=1e-6)
    again, k2, v2, cache = layer._prepare_qkv(x, x, x, layer.Cache(k, v))
    assert (again.shape, k2.shape, v2.shape, cache.k is k2) == ([2, 2, 3, 3], [2, 2, 6, 3], [2, 2, 6, 3], True)
    fixed = layer._prepare_qkv(x, None, None, layer.gen_cache(x, x, layer.StaticCache))
    assert fixed[1].tolist() == k.tolist()


def test_a_mask_with_more_rows_than_queries_repeats_them():
    seed(4)
    layer, x = nn.MultiHeadAttention(4, 2), tensor(rand(2, 1, 4))
    mask = tensor(rand(1, 2, 3, 1))
    y = layer(x, x, x, mask)
    expected = layer(x, x, x).numpy()  # of one key: any weights add up to 1
    np.testing.assert_allclose(y.numpy(), np.repeat(expected, 3, 1), rtol=1e-5)
    np.testing.assert_allclose(to_static(layer)(x, x, x, mask).numpy(), y.numpy(), rtol=1e-5)


@pytest.mark.parametrize("sizes", [(3, 0), (0, 2), (0, 0)])
def test_a_linear_layer_without_features(sizes):
    layer, x = nn.Linear(*sizes), tensor(np.ones((2, sizes[0]), np.float32))
    y = layer(x)
    assert y.tolist() == [[0.0] * sizes[1]] * 2
    y.sum().backward()
    assert layer.weight.grad.shape == list(sizes)
    assert to_static(layer)(x).tolist() == y.tolist()


def test_transformer_masks() -> None:
    seed(1)
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, activation="gelu", weight_attr=[None, None]).astype("float64")
    mask = model.generate_square_subsequent_mask(3)
    assert np.isneginf(mask.numpy()[0, 1:]).all()
    src, tgt = tensor(rand(2, 4, 8)), tensor(rand(2, 3, 8, seed=1))
    allowed = np.tril(np.ones((3, 3)))
    wanted = model(src, tgt, None, mask.astype("float64")).numpy()
    for kind in ("bool", "int64"):
        found = model(src, tgt, None, to_tensor(allowed.astype(kind)))
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9)
    y, weights = nn.MultiHeadAttention(8, 2, need_weights=True)(to_tensor(rand(1, 3, 8).astype("float32")))
    assert weights.shape == [1, 2, 3, 3]
    assert y.shape == [1, 3, 8]
    out, nothing = F.flash_attention(*[tensor(rand(1, 3, 2, 4))] * 3, causal=True)
    assert out.shape == [1, 3, 2, 4]
    assert nothing is None


@pytest.mark.parametrize("itself", [True, False])
def test_caches_are_heads_first(itself: bool) -> None:
    seed(2)
    layer = nn.MultiHeadAttention(6, 2).astype("float64")
    x, memory = tensor(rand(1, 3, 6)), tensor(rand(1, 4, 6, seed=1))
    if itself:
        cache = layer.gen_cache(x)
        assert cache.k.shape == [1, 2, 0, 3]
        _, cache = layer(x[:, :2], cache=cache)
        assert cache.k.shape == [1, 2, 2, 3]
        second, cache = layer(x[:, 2:], cache=cache)
        np.testing.assert_allclose(second.numpy(), layer(x).numpy()[:, 2:], rtol=1e-9)
    else:
        fixed = layer.gen_cache(memory, memory, nn.MultiHeadAttention.StaticCache)
        assert fixed.k.shape == [1, 2, 4, 3]
        found, same = layer(x, memory, memory, None, fixed)
        assert same is fixed
        np.testing.assert_allclose(found.numpy(), layer(x, memory, memory).numpy(), rtol=1e-9)
    short = nn.MultiHeadAttention(6, 2)
    mask = tensor(np.zeros((3, 3)), "float64")
    assert str(short(x.astype("float32"), attn_mask=mask).dtype).endswith("float32")


@pytest.mark.parametrize("attr", [[False], [False, True], [False, False, True], False])
def test_attrs_of_a_transformer(attr: Any) -> None:
    model = nn.Transformer(4, 2, 1, 1, 8, bias_attr=attr)
    layer = model.decoder.layers[0]
    assert layer.self_attn.q_proj.bias is None
    assert (layer.linear1.bias is None) == (attr in ([False], False))
    assert (model.encoder.layers[0].linear2.bias is None) == (attr in ([False], False))


@pytest.mark.parametrize("dtype", ["int8", "complex64", "bool", "float16"])
def test_a_layer_becomes_of_any_dtype(dtype: str) -> None:
    layer = nn.Linear(2, 2)
    layer.register_buffer("kept", to_tensor(np.array([3.0], "float32")))
    assert layer.astype(dtype) is layer
    assert {str(x.dtype).rpartition(".")[2] for x in (layer.weight, layer.bias, layer.kept)} == {dtype}
