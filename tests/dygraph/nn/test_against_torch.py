"""Values and gradients of nn.functional against torch, over a grid of arguments; skipped where torch is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import functional as F

torch = pytest.importorskip("torch")
T = torch.nn.functional
RNG = np.random.default_rng(7)


def draw(*shape: int, low: float = -2.0, high: float = 2.0) -> Any:
    return RNG.uniform(low, high, shape)


def compare(ours: Callable[..., Any], theirs: Callable[..., Any], *arrays: Any, tolerance: float = 1e-9) -> None:
    """Equal values, and equal gradients of a weighted sum with respect to the float arrays."""
    xs = [to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    ts = [torch.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
    found, wanted = ours(*xs), theirs(*ts)
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        np.testing.assert_array_equal(found[1].numpy(), wanted[1].numpy())
        found, wanted = found[0], wanted[0]
    assert list(found.shape) == list(wanted.shape)
    np.testing.assert_allclose(found.numpy(), wanted.detach().numpy(), rtol=tolerance, atol=tolerance)
    weights = np.random.default_rng(3).uniform(0.5, 1.5, tuple(wanted.shape))
    (found * to_tensor(weights)).sum().backward()
    (wanted * torch.tensor(weights)).sum().backward()
    for x, t in zip(xs, ts, strict=True):
        if t.requires_grad:
            expected = np.zeros(t.shape) if t.grad is None else t.grad.numpy()
            np.testing.assert_allclose(x.grad.numpy(), expected, rtol=tolerance, atol=tolerance)


def sizes(rank: int) -> tuple[int, ...]:
    return (7, 6, 5)[3 - rank :] if rank < 3 else (5, 7, 6)


CONVS: list[tuple[int, dict[str, Any]]] = [
    (rank, options)
    for rank in (1, 2, 3)
    for options in (
        {},
        {"stride": 2, "padding": 1},
        {"dilation": 2, "padding": 2, "groups": 2},
        {"stride": 3, "padding": 1, "groups": 4},
    )
]


@pytest.mark.parametrize(("rank", "options"), CONVS)
def test_convolutions(rank: int, options: dict[str, Any]) -> None:
    groups = options.get("groups", 1)
    x, w, b = draw(2, 4, *sizes(rank)), draw(8, 4 // groups, *(2, 3, 2)[:rank]), draw(8)
    ours, theirs = getattr(F, f"conv{rank}d"), getattr(T, f"conv{rank}d")
    compare(lambda *a: ours(*a, **options), lambda *a: theirs(*a, **options), x, w, b)
    back = draw(4, 8 // groups, *(2, 3, 2)[:rank])
    ours_t, theirs_t = getattr(F, f"conv{rank}d_transpose"), getattr(T, f"conv_transpose{rank}d")
    extra = {"output_padding": 1} if options.get("stride", 1) > 1 else {}
    compare(lambda *a: ours_t(*a, **options, **extra), lambda *a: theirs_t(*a, **options, **extra), x, back, b)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_convolutions_in_other_formats_and_paddings(rank: int) -> None:
    first, last = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}[rank]
    x, w = to_tensor(draw(2, 3, *sizes(rank))), to_tensor(draw(4, 3, *(3,) * rank))
    conv = getattr(F, f"conv{rank}d")
    pairs = [(1, 2), (0, 1), (2, 0)][:rank]
    wanted = conv(x, w, padding=[v for pair in pairs for v in pair]).numpy()
    swapped = to_tensor(np.moveaxis(x.numpy(), 1, -1))
    for found in (
        conv(x, w, padding=[list(p) for p in pairs]),
        conv(x, w, padding=[[0, 0], [0, 0], *map(list, pairs)], data_format=first),
    ):
        np.testing.assert_array_equal(found.numpy(), wanted)
    nested = [[0, 0], *map(list, pairs), [0, 0]]
    got = conv(swapped, w, padding=nested, data_format=last).numpy()
    np.testing.assert_allclose(np.moveaxis(got, -1, 1), wanted, rtol=1e-12)
    same = getattr(T, f"conv{rank}d")(torch.tensor(x.numpy()), torch.tensor(w.numpy()), padding="same")
    np.testing.assert_allclose(conv(x, w, padding="SAME").numpy(), same.numpy(), rtol=1e-9)
    assert conv(x, w, padding="VALID").shape == conv(x, w).shape
    for wrong in ([1] * 5, [[1, 1], [0, 0], *map(list, pairs)], "EVEN"):
        with pytest.raises(ValueError, match="padding"):
            conv(x, w, padding=wrong)
    with pytest.raises(ValueError, match="data_format"):
        conv(x, w, data_format="CHWN")


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_output_size_of_transposes(rank: int) -> None:
    x, w = draw(1, 2, *sizes(rank)), draw(2, 3, *(3,) * rank)
    conv, theirs = getattr(F, f"conv{rank}d_transpose"), getattr(T, f"conv_transpose{rank}d")
    wanted = theirs(torch.tensor(x), torch.tensor(w), stride=2, padding=1, output_padding=1)
    size = list(wanted.shape[2:])
    found = conv(to_tensor(x), to_tensor(w), stride=2, padding=1, output_size=size)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-9)
    with pytest.raises(ValueError, match="not both"):
        conv(to_tensor(x), to_tensor(w), stride=2, output_padding=1, output_size=size)
    with pytest.raises(ValueError, match="output_size"):
        conv(to_tensor(x), to_tensor(w), stride=2, output_size=[99] * rank)


POOLS: list[dict[str, Any]] = [
    {"kernel_size": 2},
    {"kernel_size": 3, "stride": 2, "padding": 1},
    {"kernel_size": 3, "stride": 2, "ceil_mode": True},
    {"kernel_size": 3, "stride": 3, "padding": 1, "ceil_mode": True},
]


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("options", POOLS)
def test_pools(rank: int, options: dict[str, Any]) -> None:
    x = draw(2, 3, *sizes(rank))
    ours, theirs = getattr(F, f"max_pool{rank}d"), getattr(T, f"max_pool{rank}d")
    compare(lambda a: ours(a, **options, return_mask=True), lambda a: theirs(a, **options, return_indices=True), x)
    compare(lambda a: ours(a, **options), lambda a: theirs(a, **options), x)
    average, reference = getattr(F, f"avg_pool{rank}d"), getattr(T, f"avg_pool{rank}d")
    for exclusive in (True, False):
        compare(
            lambda a, e=exclusive: average(a, **options, exclusive=e),
            lambda a, e=exclusive: reference(a, **options, count_include_pad=not e),
            x,
        )
    if rank > 1:
        compare(
            lambda a: average(a, **options, divisor_override=5),
            lambda a: reference(a, **options, divisor_override=5),
            x,
        )


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_adaptive_pools_and_unpooling(rank: int) -> None:
    x = draw(2, 3, *sizes(rank))
    average, maximum = getattr(F, f"adaptive_avg_pool{rank}d"), getattr(F, f"adaptive_max_pool{rank}d")
    averages, most = getattr(T, f"adaptive_avg_pool{rank}d"), getattr(T, f"adaptive_max_pool{rank}d")
    for size in (1, 2, 3, [3, 2, 4][:rank]):
        size = size[0] if isinstance(size, list) and rank == 1 else size
        compare(lambda a, s=size: average(a, s), lambda a, s=size: averages(a, s), x)
        compare(lambda a, s=size: maximum(a, s), lambda a, s=size: most(a, s), x)
        compare(lambda a, s=size: maximum(a, s, True), lambda a, s=size: most(a, s, return_indices=True), x)
    even = draw(2, 3, *(4, 6, 4)[:rank])
    y, places = getattr(T, f"max_pool{rank}d")(torch.tensor(even), 2, return_indices=True)
    ours, theirs = getattr(F, f"max_unpool{rank}d"), getattr(T, f"max_unpool{rank}d")
    index = places.numpy()
    compare(lambda a: ours(a, to_tensor(index), 2), lambda a: theirs(a, torch.tensor(index), 2), y.numpy())


def test_lp_and_fractional_pools() -> None:
    x = draw(2, 3, 8, low=0.1)
    compare(lambda a: F.lp_pool1d(a, 2.0, 3, 2), lambda a: T.lp_pool1d(a, 2.0, 3, 2), x, tolerance=1e-7)
    image = draw(2, 3, 7, 8, low=0.1)
    for p in (3.0, 2.0):
        compare(
            lambda a, p=p: F.lp_pool2d(a, p, [2, 3], 2),
            lambda a, p=p: T.lp_pool2d(a, p, (2, 3), 2),
            image,
            tolerance=1e-7,
        )
        assert F.lp_pool2d(to_tensor(image), p, 3, 2, ceil_mode=True).shape == [2, 3, 3, 4]
    y, places = F.fractional_max_pool2d(to_tensor(image), 3, random_u=0.3, return_mask=True)
    assert y.shape == [2, 3, 3, 3]
    np.testing.assert_array_equal(np.take_along_axis(image.reshape(2, 3, -1), places.numpy().reshape(2, 3, -1), 2),
                                  y.numpy().reshape(2, 3, -1))  # fmt: skip
    volume = F.fractional_max_pool3d(to_tensor(draw(1, 2, 6, 7, 8)), [2, 3, 3], kernel_size=2)
    assert volume.shape == [1, 2, 2, 3, 3]


RESIZES: list[tuple[int, str, bool]] = [
    (1, "linear", False), (1, "linear", True), (2, "bilinear", False), (2, "bilinear", True), (2, "bicubic", False),
    (2, "bicubic", True), (3, "trilinear", False), (3, "trilinear", True), (1, "nearest", False),
    (2, "nearest", False), (3, "nearest", False), (1, "area", False), (2, "area", False), (3, "area", False),
]  # fmt: skip


@pytest.mark.parametrize(("rank", "mode", "corners"), RESIZES)
def test_interpolate(rank: int, mode: str, corners: bool) -> None:
    x = draw(2, 3, *sizes(rank))
    for size in ([11, 9, 3][:rank], [3, 4, 5][:rank]):
        theirs = {} if mode in ("nearest", "area") else {"align_corners": corners}
        compare(
            lambda a, s=size: F.interpolate(a, size=s, mode=mode, align_corners=corners),
            lambda a, s=size, t=theirs: T.interpolate(a, size=s, mode=mode, **t),
            x,
        )
    if mode != "area":
        compare(
            lambda a: F.interpolate(a, scale_factor=2.0, mode=mode, align_corners=corners),
            lambda a: T.interpolate(a, scale_factor=2.0, mode=mode, **theirs),
            x,
        )


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("corners", [True, False])
def test_grid_sample(rank: int, padding: str, corners: bool) -> None:
    x, theta = draw(2, 3, *sizes(rank)), draw(2, rank, rank + 1, low=-0.9, high=0.9)
    shape = [2, 3, *(4, 5, 3)[:rank]]
    compare(
        lambda t: F.affine_grid(t, shape, align_corners=corners),
        lambda t: T.affine_grid(t, shape, align_corners=corners),
        theta,
    )
    grid = draw(2, *(4, 5, 3)[:rank], rank, low=-1.4, high=1.4)
    for mode in ("bilinear", "nearest"):
        options: dict[str, Any] = {"mode": mode, "padding_mode": padding, "align_corners": corners}
        compare(
            lambda a, g, o=options: F.grid_sample(a, g, **o), lambda a, g, o=options: T.grid_sample(a, g, **o), x, grid
        ) if mode == "bilinear" else compare(
            lambda a, o=options: F.grid_sample(a, to_tensor(grid), **o),
            lambda a, o=options: T.grid_sample(a, torch.tensor(grid), **o),
            x,
        )


def test_rearrangements() -> None:
    x = draw(2, 8, 4, 6)
    compare(lambda a: F.pixel_shuffle(a, 2), lambda a: T.pixel_shuffle(a, 2), x)
    compare(lambda a: F.pixel_unshuffle(a, 2), lambda a: T.pixel_unshuffle(a, 2), x)
    compare(lambda a: F.channel_shuffle(a, 4), lambda a: torch.nn.ChannelShuffle(4)(a), x)
    for options in ({}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding": (1, 2)}):
        ours = {f"{k}s": list(v) if isinstance(v, tuple) else v for k, v in options.items()}
        compare(lambda a, o=ours: F.unfold(a, [2, 3], **o), lambda a, o=options: T.unfold(a, (2, 3), **o), x)
        columns = T.unfold(torch.tensor(x), (2, 3), **options).numpy()
        compare(
            lambda a, o=ours: F.fold(a, [4, 6], [2, 3], **o),
            lambda a, o=options: T.fold(a, (4, 6), (2, 3), **o),
            columns,
        )
    compare(lambda a: F.local_response_norm(a, 3), lambda a: T.local_response_norm(a, 3), x)
    compare(lambda a: F.local_response_norm(a, 4, 0.1), lambda a: T.local_response_norm(a, 4, 0.1), x)
    for mode in ("constant", "reflect", "replicate", "circular"):
        compare(lambda a, m=mode: F.pad(a, [1, 2, 2, 1], mode=m), lambda a, m=mode: T.pad(a, (1, 2, 2, 1), mode=m), x)
    a, b = draw(4, 5), draw(4, 5)
    compare(F.pairwise_distance, T.pairwise_distance, a, b)
    compare(F.cosine_similarity, T.cosine_similarity, a, b)
    compare(F.bilinear, T.bilinear, a, draw(4, 3), draw(2, 5, 3), draw(2))
    compare(lambda v: F.normalize(v), lambda v: T.normalize(v), a)


ACTIVATIONS: list[tuple[str, str, dict[str, Any]]] = [
    (name, theirs or name, options)
    for name, theirs, options in (
        ("relu", "", {}), ("relu6", "", {}), ("elu", "", {"alpha": 0.7}), ("celu", "", {"alpha": 1.3}),
        ("selu", "", {}), ("gelu", "", {}), ("gelu", "", {"approximate": "tanh"}), ("silu", "", {}),
        ("mish", "", {}), ("sigmoid", "", {}), ("tanh", "", {}), ("log_sigmoid", "logsigmoid", {}),
        ("hardswish", "", {}), ("softsign", "", {}), ("tanhshrink", "", {}), ("softplus", "", {"beta": 2}),
        ("leaky_relu", "", {"negative_slope": 0.2}), ("softmax", "", {"-": 1}), ("log_softmax", "", {"-": 1}),
        ("glu", "", {"-": 1}),
    )
]  # fmt: skip


@pytest.mark.parametrize(("name", "theirs", "options"), ACTIVATIONS)
def test_activations(name: str, theirs: str, options: dict[str, Any]) -> None:
    x = draw(4, 6, low=-4.0, high=4.0)
    mine = {"axis" if k == "-" else k: v for k, v in options.items()}
    other = {"dim" if k == "-" else k: v for k, v in options.items()}
    compare(lambda a: getattr(F, name)(a, **mine), lambda a: getattr(T, theirs)(a, **other), x, tolerance=1e-7)


def test_activations_with_other_names() -> None:
    x = draw(4, 6, low=-4.0, high=4.0)
    compare(lambda a: F.hardtanh(a, -0.5, 2.0), lambda a: T.hardtanh(a, -0.5, 2.0), x)
    compare(lambda a: F.hardshrink(a, 0.7), lambda a: T.hardshrink(a, 0.7), x)
    compare(lambda a: F.softshrink(a, 0.7), lambda a: T.softshrink(a, 0.7), x)
    compare(lambda a: F.thresholded_relu(a, 0.5), lambda a: T.threshold(a, 0.5, 0.0), x)
    compare(lambda a: F.hardsigmoid(a, 1 / 6), T.hardsigmoid, x, tolerance=1e-7)
    compare(F.prelu, T.prelu, x, draw(6))
    compare(lambda a: F.rrelu(a, training=False), lambda a: T.rrelu(a, training=False), x, tolerance=1e-7)


N = draw(6, 5)
LABELS = np.array([0, 4, 2, 2, 1, 3])
SIGNS = np.sign(draw(6, 5))
LOSSES: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = [
    ("cross_entropy", "", (N, LABELS), {}),
    ("cross_entropy", "", (N, LABELS), {"ignore_index": 2}),
    ("cross_entropy", "", (N, LABELS), {"label_smoothing": 0.1}),
    ("cross_entropy", "", (N, LABELS, draw(5, low=0.1)), {}),
    ("cross_entropy", "", (N, LABELS), {"ignore_index": 2, "label_smoothing": 0.2}),
    ("nll_loss", "", (N, LABELS), {}),
    ("nll_loss", "", (draw(2, 3, 4), np.array([[0, 1, 2, 0], [1, 2, 0, 0]]), draw(3, low=0.1)), {}),
    ("l1_loss", "", (N, draw(6, 5)), {}),
    ("mse_loss", "", (N, draw(6, 5)), {}),
    ("smooth_l1_loss", "huber_loss", (N, draw(6, 5)), {"delta": 0.7}),
    ("binary_cross_entropy", "", (draw(6, low=0.1, high=0.9), draw(6, low=0.1, high=0.9)), {}),
    ("binary_cross_entropy_with_logits", "", (N, draw(6, 5, low=0, high=1)), {}),
    ("kl_div", "", (N, draw(6, 5, low=0.1, high=0.9)), {}),
    ("kl_div", "", (N, draw(6, 5)), {"log_target": True}),
    ("margin_ranking_loss", "", (draw(6), draw(6), np.sign(draw(6))), {"margin": 0.3}),
    ("hinge_embedding_loss", "", (N, SIGNS), {"margin": 0.8}),
    ("soft_margin_loss", "", (N, SIGNS), {}),
    ("multi_label_soft_margin_loss", "multilabel_soft_margin_loss", (N, (SIGNS + 1) / 2), {}),
    ("multi_label_margin_loss", "multilabel_margin_loss",
     (draw(3, 4), np.array([[3, 0, -1, 1], [2, -1, 0, 1], [0, 1, 2, 3]])), {}),
    ("multi_margin_loss", "", (N, LABELS), {"p": 1, "margin": 0.6}),
    ("multi_margin_loss", "", (N, LABELS), {"p": 2}),
    ("cosine_embedding_loss", "", (N, draw(6, 5), np.array([1, -1, 1, -1, 1, -1])), {"margin": 0.1}),
    ("triplet_margin_loss", "", (N, draw(6, 5), draw(6, 5)), {"swap": True}),
    ("triplet_margin_with_distance_loss", "", (N, draw(6, 5), draw(6, 5)), {"margin": 0.8}),
    ("poisson_nll_loss", "", (N, draw(6, 5, low=0.0, high=4.0)), {"full": True}),
    ("poisson_nll_loss", "", (draw(6, low=0.1), draw(6, low=0.0)), {"log_input": False}),
    ("gaussian_nll_loss", "", (N, draw(6, 5), draw(6, 5, low=0.1)), {"full": True}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:reduction")  # torch's advice on kl_div
@pytest.mark.parametrize("number", range(len(LOSSES)))
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses(number: int, reduction: str) -> None:
    name, theirs, arrays, options = LOSSES[number]
    reference = getattr(T, theirs or name)
    first, *rest = arrays
    inputs = 3 if name.startswith("triplet") else 2 if name in ("cosine_embedding_loss", "margin_ranking_loss") else 1
    chosen, others = [first, *rest[: inputs - 1]], rest[inputs - 1 :]

    def theirs_of(*given: Any) -> Any:
        more = [torch.tensor(a) for a in others]
        weights = {"weight": more.pop()} if name in ("cross_entropy", "nll_loss") and len(more) == 2 else {}
        return reference(*given, *more, **weights, **options, reduction=reduction)

    compare(
        lambda *given: getattr(F, name)(*given, *map(to_tensor, others), **options, reduction=reduction),
        theirs_of,
        *chosen,
        tolerance=1e-7,
    )


def test_labels_with_an_axis_of_size_one() -> None:
    column = F.cross_entropy(to_tensor(N), to_tensor(LABELS[:, None]), reduction="none")
    assert column.shape == [6, 1]
    wanted = T.cross_entropy(torch.tensor(N), torch.tensor(LABELS), reduction="none").numpy()
    np.testing.assert_allclose(column.numpy()[:, 0], wanted, rtol=1e-9)
    first = F.cross_entropy(to_tensor(draw(2, 3, 4)), to_tensor(np.array([[0, 1, 2, 0]] * 2)), axis=1)
    assert first.shape == []


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_ctc(reduction: str) -> None:
    scores = draw(9, 4, 6)
    labels = np.array([[1, 2, 2], [3, 3, 3], [5, 0, 0], [1, 4, 0]])
    lengths, sizes_ = np.array([9, 8, 5, 9]), np.array([3, 3, 1, 2])
    compare(
        lambda x: F.ctc_loss(x, to_tensor(labels), to_tensor(lengths), to_tensor(sizes_), 0, reduction),
        lambda x: T.ctc_loss(
            T.log_softmax(x, 2), torch.tensor(labels), torch.tensor(lengths), torch.tensor(sizes_), 0, reduction
        ),
        scores,
    )


@pytest.mark.parametrize("training", [True, False])
def test_norms(training: bool) -> None:
    x, w, b = draw(3, 4, 5, 2), draw(4), draw(4)
    mean, variance = draw(4), draw(4, low=0.5)
    compare(
        lambda a, w_, b_: F.batch_norm(a, to_tensor(mean), to_tensor(variance), w_, b_, training),
        lambda a, w_, b_: T.batch_norm(a, torch.tensor(mean), torch.tensor(variance), w_, b_, training),
        x, w, b, tolerance=1e-8,
    )  # fmt: skip
    compare(lambda *a: F.instance_norm(a[0], weight=a[1], bias=a[2]),
            lambda *a: T.instance_norm(a[0], weight=a[1], bias=a[2]), x, w, b, tolerance=1e-8)  # fmt: skip
    compare(lambda *a: F.group_norm(a[0], 2, 1e-5, a[1], a[2]), lambda *a: T.group_norm(a[0], 2, a[1], a[2]), x, w, b)
    scale, shift = draw(5, 2), draw(5, 2)
    compare(lambda *a: F.layer_norm(a[0], [5, 2], a[1], a[2]),
            lambda *a: T.layer_norm(a[0], [5, 2], a[1], a[2]), x, scale, shift)  # fmt: skip


def test_embedding_forms() -> None:
    index, table = np.array([[1, 3], [3, 0]]), draw(5, 4)
    compare(
        lambda w: F.embedding(to_tensor(index), w, padding_idx=3, scale_grad_by_freq=True),
        lambda w: (
            T.embedding(torch.tensor(index), w, scale_grad_by_freq=True)
            * torch.tensor((index != 3)[..., None].astype("float64"))
        ),
        table,
    )
    ours, theirs = to_tensor(table), torch.tensor(table)
    found = F.embedding(to_tensor(index), ours, max_norm=1.0)
    wanted = T.embedding(torch.tensor(index), theirs, max_norm=1.0)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-6)


def test_attention() -> None:
    q, k, v = draw(2, 5, 3, 4), draw(2, 6, 3, 4), draw(2, 6, 3, 4)
    mask = draw(2, 3, 5, 6)

    def theirs(a: Any, b: Any, c: Any, m: Any) -> Any:
        parts = [t.transpose(1, 2) for t in (a, b, c)]
        return T.scaled_dot_product_attention(*parts, m).transpose(1, 2)

    compare(F.scaled_dot_product_attention, theirs, q, k, v, mask, tolerance=1e-8)
