"""Kernels by their own names: what they compute, beside the functions and layers that compute the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.compat.kernels import C_OPS, LEGACY_C_OPS

F = nn.functional
rng = np.random.default_rng(5)


def floats(*shape: int) -> Any:
    return vt.to_tensor(rng.uniform(-1, 1, shape), stop_gradient=False)


IMAGES, VOLUMES = floats(2, 3, 7, 8), floats(1, 2, 4, 5, 6)
TRANSDUCED = (
    floats(2, 4, 3, 5),
    vt.to_tensor([[1, 2], [3, 1]], "int32"),
    vt.to_tensor([4, 3], "int32"),
    vt.to_tensor([2, 2], "int32"),
)
BOXES = vt.to_tensor([[[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0]]])
MATRIX, LABEL = floats(4, 5), vt.to_tensor([1, 0, 4, 2])
ROW = floats(2)


def fused(steps: list[str]) -> Any:
    return LEGACY_C_OPS.fused_elemwise_activation(VOLUMES, ROW, "axis", 1, "scale", 0.5, "functor_list", steps)


SAME: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    ("l1_norm", lambda: C_OPS.l1_norm(MATRIX), lambda: MATRIX.abs().sum()),
    ("squared_l2_norm", lambda: C_OPS.squared_l2_norm(MATRIX), lambda: (MATRIX * MATRIX).sum().reshape([1])),
    ("p_norm", lambda: C_OPS.p_norm(MATRIX, 3.0, 1, 1e-12, True, False), lambda: vt.norm(MATRIX, 3.0, 1, True)),
    ("p_norm of all", lambda: C_OPS.p_norm(MATRIX, 2.0, -1, 1e-12, True, True), lambda: vt.norm(MATRIX).reshape([1, 1])),
    ("bce_loss", lambda: C_OPS.bce_loss(MATRIX.abs(), MATRIX.abs()),
     lambda: F.binary_cross_entropy(MATRIX.abs(), MATRIX.abs(), reduction="none")),
    ("huber_loss", lambda: C_OPS.huber_loss(MATRIX, MATRIX * 2, 0.3),
     lambda: F.smooth_l1_loss(MATRIX, MATRIX * 2, "none", 0.3)),
    ("cross_entropy_with_softmax", lambda: C_OPS.cross_entropy_with_softmax(MATRIX, LABEL.reshape([4, 1])),
     lambda: (F.softmax(MATRIX), F.cross_entropy(MATRIX, LABEL, reduction="none").reshape([4, 1]))),
    ("shuffle_channel", lambda: C_OPS.shuffle_channel(IMAGES, 3), lambda: F.channel_shuffle(IMAGES, 3)),
    ("depthwise_conv2d", lambda: C_OPS.depthwise_conv2d(IMAGES, IMAGES[:1].transpose([1, 0, 2, 3])[:, :, :3, :3], [2, 1],
                                                       [1, 1], "EXPLICIT", 3, [1, 1], "AnyLayout"),
     lambda: F.conv2d(IMAGES, IMAGES[:1].transpose([1, 0, 2, 3])[:, :, :3, :3], None, [2, 1], [1, 1], [1, 1], 3)),
    ("pool2d", lambda: C_OPS.pool2d(IMAGES, [3, 2], [2, 2], [1, 0], True, False, "NCHW", "avg", False, False, "EXPLICIT"),
     lambda: F.avg_pool2d(IMAGES, [3, 2], [2, 2], [1, 0], True, False)),
    ("pool2d SAME", lambda: C_OPS.pool2d(IMAGES, 3, 2, 0, False, True, "NCHW", "max", False, False, "SAME"),
     lambda: F.max_pool2d(IMAGES, 3, 2, "SAME")),
    ("pool2d of all", lambda: C_OPS.pool2d(IMAGES, [3, 3], 1, 1, False, True, "NCHW", "avg", True, False, "SAME"),
     lambda: IMAGES.mean([2, 3], keepdim=True)),
    ("pool2d adaptive", lambda: C_OPS.pool2d(IMAGES, [3, 4], 1, 0, False, True, "NCHW", "avg", False, True, "EXPLICIT"),
     lambda: F.adaptive_avg_pool2d(IMAGES, [3, 4])),
    ("pool3d", lambda: C_OPS.pool3d(VOLUMES, 2, 2, 0, False, True, "NCDHW", "max", False, False, "EXPLICIT"),
     lambda: F.max_pool3d(VOLUMES, 2, 2)),
    ("max_pool2d_with_index", lambda: C_OPS.max_pool2d_with_index(IMAGES, [2, 2], [2, 2], [0, 0], False, False),
     lambda: F.max_pool2d(IMAGES, 2, 2, return_mask=True)),
    ("max_pool2d_with_index adaptive", lambda: C_OPS.max_pool2d_with_index(IMAGES, [2, 3], [1, 1], [0, 0], True, True),
     lambda: F.adaptive_max_pool2d(IMAGES, [2, 3], return_mask=True)),
    ("max_pool3d_with_index of all", lambda: C_OPS.max_pool3d_with_index(VOLUMES, [1] * 3, [1] * 3, [0] * 3, True)[0],
     lambda: VOLUMES.max([2, 3, 4], keepdim=True)),
    ("bilinear_interp by scale", lambda: C_OPS.bilinear_interp(IMAGES, None, None, None, "NCHW", -1, 3, 3, [2.0, 0.5],
                                                               "bilinear", False, 0),
     lambda: F.interpolate(IMAGES, scale_factor=[2.0, 0.5], mode="bilinear")),
    ("bilinear_interp by tensor", lambda: C_OPS.bilinear_interp(IMAGES, vt.to_tensor([4, 5]), None, None, "NCHW", -1, 3, 3,
                                                                [2.0], "bilinear", True, 1),
     lambda: F.interpolate(IMAGES, [4, 5], mode="bilinear", align_corners=True)),
    ("nearest_interp", lambda: C_OPS.nearest_interp(IMAGES, None, None, None, "NCHW", -1, 3, 4, [], "nearest", False, 0),
     lambda: F.interpolate(IMAGES, [3, 4])),
    ("trilinear_interp", lambda: C_OPS.trilinear_interp(VOLUMES, None, None, None, "NCHW", 2, 3, 4, [], "trilinear", True),
     lambda: F.interpolate(VOLUMES, [2, 3, 4], mode="trilinear", align_corners=True, data_format="NCDHW")),
    ("linear_interp", lambda: C_OPS.linear_interp(VOLUMES[0, 0], None, None, vt.to_tensor([0.5]), "NCHW", -1, -1, 9, [],
                                                  "linear", False, 1),
     lambda: F.interpolate(VOLUMES[0, 0], scale_factor=0.5, mode="linear", align_mode=1, data_format="NCW")),
    ("conv3d_transpose", lambda: C_OPS.conv3d_transpose(VOLUMES, vt.ones([2, 3, 1, 2, 2], "float64"), [1, 2, 1], [0, 0, 0], [], [],
                                                        "EXPLICIT", 1, [1, 1, 1], "NCHW"),
     lambda: F.conv3d_transpose(VOLUMES, vt.ones([2, 3, 1, 2, 2], "float64"), stride=[1, 2, 1])),
    ("warprnnt", lambda: C_OPS.warprnnt(*TRANSDUCED, 0, 0.0, 1), lambda: F.rnnt_loss(*TRANSDUCED, 0, 0.0, "none")),
    ("cross_entropy2", lambda: LEGACY_C_OPS.cross_entropy2(F.softmax(MATRIX), vt.to_tensor([[1], [0], [-100], [2]]))[0],
     lambda: F.cross_entropy(MATRIX, vt.to_tensor([[1], [0], [-100], [2]]), reduction="none")),
    ("multiclass_nms3", lambda: C_OPS.multiclass_nms3(BOXES, vt.to_tensor([[[0.5, 0.9, 0.8]]]), None, 0.1, -1, -1, 0.5, True, 1.0, -1)[1],
     lambda: vt.to_tensor([[1], [2]], "int32")),
    ("c_embedding", lambda: C_OPS.c_embedding(MATRIX, vt.to_tensor([[3, 6], [9, 2]]), 3),
     lambda: vt.stack([vt.stack([MATRIX[0], MATRIX[3]]), vt.zeros([2, 5], "float64")])),
    ("sparse_coo_tensor", lambda: vt.base.core.eager.sparse_coo_tensor(vt.to_tensor([[0, 1]]), vt.to_tensor([1.0, 2.0]), [3, 1]).to_dense(),
     lambda: vt.to_tensor([[1.0], [2.0], [0.0]])),
    ("index_select_strided", lambda: C_OPS.index_select_strided(VOLUMES, 3, -2), lambda: VOLUMES[:, :, :, 3]),
    ("yolo_box", lambda: C_OPS.yolo_box, lambda: vt.vision.ops.yolo_box),
    ("partial_sum", lambda: C_OPS.partial_sum([MATRIX, MATRIX], 1, 2), lambda: MATRIX[:, 1:3] * 2),
    ("fill_any", lambda: LEGACY_C_OPS.fill_any(MATRIX, "value", 3), lambda: vt.full_like(MATRIX, 3.0)),
    ("number_count", lambda: LEGACY_C_OPS.number_count(LABEL, "upper_range", 3), lambda: vt.to_tensor([1, 1, 1])),
    ("fused: binary(x, unary(y))", lambda: fused(["elementwise_mul", "scale"]),
     lambda: (VOLUMES * ROW.reshape([2, 1, 1, 1]) * 0.5, ROW.reshape([2, 1, 1, 1]) * 0.5)),
    ("fused, the smaller first", lambda: LEGACY_C_OPS.fused_elemwise_activation(
        ROW, VOLUMES, "axis", 1, "functor_list", ["elementwise_add", "relu"])[0],
     lambda: ROW.reshape([2, 1, 1, 1]) + F.relu(VOLUMES)),
    ("fused: unary(binary(x, y))", lambda: fused(["gelu", "elementwise_add"]),
     lambda: (F.gelu(VOLUMES + ROW.reshape([2, 1, 1, 1]), True), VOLUMES + ROW.reshape([2, 1, 1, 1]))),
    ("cumsum of a number", lambda: C_OPS.cumsum(vt.to_tensor(3.0), -1, False, False, True), lambda: vt.to_tensor(3.0)),
    ("top_k", lambda: LEGACY_C_OPS.top_k(MATRIX, "k", 2), lambda: vt.topk(MATRIX, 2)),
    ("flatten2", lambda: LEGACY_C_OPS.flatten2(VOLUMES, "axis", 2), lambda: VOLUMES.reshape([2, 120])),
    ("share_data", lambda: C_OPS.share_data(MATRIX), lambda: MATRIX),
]  # fmt: skip


def arrays(value: Any) -> list[Any]:
    return [x.numpy() if hasattr(x, "numpy") else x for x in (value if isinstance(value, (list, tuple)) else [value])]


@pytest.mark.parametrize(("name", "kernel", "function"), SAME, ids=[name for name, *_ in SAME])
def test_a_kernel_is_a_function(name: str, kernel: Callable[[], Any], function: Callable[[], Any]) -> None:
    found, expected = arrays(kernel()), arrays(function())
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12) if isinstance(b, np.ndarray) else [a] == [b]


def test_what_is_filled_and_what_is_no_kernel() -> None:
    x = vt.zeros([2, 2])
    assert C_OPS.full_(x, [2, 2], 1.5, x.dtype, None) is x
    assert x.tolist() == [[1.5, 1.5], [1.5, 1.5]]
    for name in ("run", "project", "import_module", "no_such_kernel"):  # what the module of kernels imports is none
        with pytest.raises(AttributeError, match="there is no op"):
            getattr(C_OPS, name)


def test_logits_with_weights_and_labels_that_are_left_out() -> None:
    x, label, weight = MATRIX.numpy(), np.array([[0.0, 1, -100, 1, 0.25]] * 4), rng.uniform(1, 2, (4, 5))
    expected = np.where(label == -100, 0, (1 - label) * x + weight * np.log1p(np.exp(-x)))
    given = (MATRIX, vt.to_tensor(label), vt.to_tensor(weight))
    found = C_OPS.sigmoid_cross_entropy_with_logits(*given, False, -100)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
    normal = C_OPS.sigmoid_cross_entropy_with_logits(*given, True, -100)
    np.testing.assert_allclose(normal.numpy(), expected / 16, rtol=1e-12)


def test_a_weight_is_divided_by_its_singular_value() -> None:
    found = C_OPS.spectral_norm(MATRIX, floats(5), floats(4), 1, 200, 1e-12)
    np.testing.assert_allclose(found.numpy(), MATRIX.numpy() / np.linalg.svd(MATRIX.numpy())[1][0], rtol=1e-6)


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("mode", ["LSTM", "GRU", "RNN_TANH", "RNN_RELU"])
def test_a_recurrent_kernel_is_its_layer(mode: str, bidirectional: bool) -> None:
    kinds: dict[str, Callable[..., Any]] = {
        "LSTM": nn.LSTM, "GRU": nn.GRU, "RNN_TANH": nn.SimpleRNN,
        "RNN_RELU": lambda *args, **rest: nn.SimpleRNN(*args, activation="relu", **rest),
    }  # fmt: skip
    layer = kinds[mode](3, 4, 2, direction="bidirect" if bidirectional else "forward", time_major=True)
    x, lengths = vt.to_tensor(rng.uniform(-1, 1, (5, 2, 3)).astype("float32")), vt.to_tensor([5, 3])
    cells = 4 if bidirectional else 2
    states = [vt.rand([cells, 2, 4]) for _ in range(2 if mode == "LSTM" else 1)]
    expected, last = layer(x, tuple(states) if len(states) > 1 else states[0], lengths)
    ends = ("", "_reverse")[: cells // 2]
    names = [f"{kind}_l{k}{end}" for k in range(2) for end in ends for kind in ("weight_ih", "weight_hh")]
    weights = [getattr(layer, name) for name in [*names, *(name.replace("weight", "bias") for name in names)]]
    out, dropped, found = C_OPS.rnn(x, states, weights, lengths, None, 0.0, bidirectional, 3, 4, 2, mode, 0, True)
    assert dropped is None
    np.testing.assert_array_equal(out.numpy(), expected.numpy())
    for a, b in zip(found, last if len(states) > 1 else [last], strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    with pytest.raises(ValueError, match="no mode 'GRUU'"):
        C_OPS.rnn(x, states[:1], weights, None, None, 0.0, bidirectional, 3, 4, 2, "GRUU", 0, True)


def quantised(x: Any, scale: Any, away: bool, bits: int = 4) -> Any:
    levels = 2 ** (bits - 1) - 1
    scaled = x / scale * levels
    return np.sign(scaled) * np.floor(np.abs(scaled) + 0.5) if away else np.round(scaled)


@pytest.mark.parametrize("round_type", [0, 1])
def test_numbers_are_quantised(round_type: int) -> None:
    x = MATRIX.numpy()
    scale, along = np.abs(x).max(), np.abs(x).max(0)
    whole, found_scale = C_OPS.fake_quantize_abs_max(MATRIX, 4, round_type)
    np.testing.assert_array_equal(whole.numpy(), quantised(x, scale, bool(round_type)))
    np.testing.assert_array_equal(found_scale.numpy(), [scale])
    back, _ = C_OPS.fake_quantize_dequantize_abs_max(MATRIX, 4, round_type)
    np.testing.assert_allclose(back.numpy(), quantised(x, scale, bool(round_type)) * scale / 7, rtol=1e-12)
    np.testing.assert_array_equal(vt.grad(back.sum(), MATRIX)[0].numpy(), np.ones((4, 5)))
    by_column, scales = C_OPS.fake_channel_wise_quantize_abs_max(MATRIX, 4, round_type, 1)
    np.testing.assert_array_equal(by_column.numpy(), quantised(x, along, bool(round_type)))
    np.testing.assert_array_equal(scales.numpy(), along)
    back, _ = C_OPS.fake_channel_wise_quantize_dequantize_abs_max(MATRIX, 4, round_type, 1)
    np.testing.assert_allclose(back.numpy(), quantised(x, along, bool(round_type)) * along / 7, rtol=1e-12)


def test_a_scale_follows_the_numbers() -> None:
    x, (scale, total, count) = MATRIX.numpy(), (vt.to_tensor([v], "float64") for v in (0.5, 2.0, 3.0))
    back, new, state, accumulated = C_OPS.fake_quantize_dequantize_moving_average_abs_max(
        MATRIX, scale, total, count, 0.9, 4, False, 1
    )
    assert [float(state), float(accumulated)] == pytest.approx([3.7, 1.8 + np.abs(x).max()])
    np.testing.assert_allclose(new.numpy(), accumulated.numpy() / state.numpy())
    limited = np.clip(x, -float(new), float(new))
    np.testing.assert_allclose(back.numpy(), quantised(limited, float(new), True) * float(new) / 7, rtol=1e-12)
    kept = C_OPS.fake_quantize_dequantize_moving_average_abs_max(MATRIX, scale, total, count, 0.9, 4, True, 1)
    assert [float(v) for v in kept[1:]] == [0.5, 3.0, 2.0]


def test_kernels_with_another_order_of_arguments() -> None:
    weight, bias, index = floats(3), floats(3), vt.to_tensor([1, 0])
    boxes, counts = vt.to_tensor([[0.0, 0, 3, 4], [1.0, 1, 5, 6]]), vt.to_tensor([1, 1], "int32")
    filters, images = floats(4, 3, 2, 2), IMAGES.astype("float32")
    wide, back = floats(2, 2, 1, 2, 2), floats(3, 2, 2, 2)
    same = [
        (C_OPS.group_norm(IMAGES, weight, bias, 1e-3, 3, "NCHW"), F.group_norm(IMAGES, 3, 1e-3, weight, bias)),
        (C_OPS.layer_norm(IMAGES, None, None, 1e-3, 2), F.layer_norm(IMAGES, [7, 8], epsilon=1e-3)),
        (C_OPS.instance_norm(IMAGES, weight, bias, 1e-3), F.instance_norm(IMAGES, weight=weight, bias=bias, eps=1e-3)),
        (C_OPS.conv2d(IMAGES, filters, [1, 2], [1, 0], "EXPLICIT", [1, 1], 1, "NCHW"),
         F.conv2d(IMAGES, filters, None, [1, 2], [1, 0])),
        (C_OPS.conv3d(VOLUMES, wide, [1, 1, 1], [0, 0, 0], "SAME", 1, [1, 1, 1], "NCDHW"),
         F.conv3d(VOLUMES, wide, None, 1, "SAME")),
        (C_OPS.conv2d_transpose(IMAGES, back, [2, 1], [1, 0], [1, 0], [], "EXPLICIT", 1, [1, 1], "NCHW"),
         F.conv2d_transpose(IMAGES, back, None, [2, 1], [1, 0], [1, 0])),
        (C_OPS.conv2d_transpose(IMAGES, back, [2, 2], [0, 0], [], [15, 17], "EXPLICIT"),
         F.conv2d_transpose(IMAGES, back, None, 2, output_size=[15, 17])),
        (C_OPS.argmax(MATRIX, 1, True, False, "int32"), vt.argmax(MATRIX, 1, True, "int32")),
        (C_OPS.argmin(MATRIX, 0, False, True), vt.argmin(MATRIX)),
        (C_OPS.index_add(MATRIX, index, MATRIX[:2], 0), vt.index_add(MATRIX, index, 0, MATRIX[:2])),
        (C_OPS.einsum([MATRIX, MATRIX], "ij,kj->ik")[0], vt.einsum("ij,kj->ik", MATRIX, MATRIX)),
        (C_OPS.histogram(MATRIX, None, 4, -1.0, 1.0), vt.histogram(MATRIX, 4, -1.0, 1.0)),
        (C_OPS.dropout(MATRIX, None, 0.5, True, "upscale_in_train", 0, False), MATRIX),
        (C_OPS.roi_align(images, boxes, counts, 2, 3, 0.5, 2, True),
         vt.vision.ops.roi_align(images, boxes, counts, (2, 3), 0.5, 2, True)),
        (C_OPS.roi_pool(images, boxes, counts, 2, 3, 0.5), vt.vision.ops.roi_pool(images, boxes, counts, (2, 3), 0.5)),
        (C_OPS.psroi_pool(IMAGES[:, :2].tile([1, 3, 1, 1]), boxes, counts, 2, 3, 1, 0.5),
         vt.vision.ops.psroi_pool(IMAGES[:, :2].tile([1, 3, 1, 1]), boxes, counts, (2, 3), 0.5)),
        (C_OPS.temporal_shift(IMAGES, 2, 0.25, "NHWC"), F.temporal_shift(IMAGES, 2, 0.25, data_format="NHWC")),
        (C_OPS.unfold(IMAGES, [2, 3], [1, 1], [0, 0, 0, 0], [1, 1]), F.unfold(IMAGES, [2, 3])),
        (C_OPS.std(MATRIX, [1], True, False), vt.std(MATRIX, 1, False, True)),
        (C_OPS.var(MATRIX, [0], False, True, 0.0), vt.var(MATRIX, 0, False)),
    ]  # fmt: skip
    for found, expected in same:
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_interpolation_of_lines_by_the_layout_of_images() -> None:
    x = vt.arange(6.0).reshape([1, 3, 2])
    made = vt._C_ops.linear_interp(x, None, None, None, "NHWC", 0, 0, 6, [], "linear", True, 1)
    assert made.shape == [1, 6, 2]
    assert made[0, :, 0].tolist() == pytest.approx([0.0, 0.8, 1.6, 2.4, 3.2, 4.0])


def test_running_functions_exclude_the_element_and_begin_at_the_end() -> None:
    x = vt.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert C_OPS.cumsum(x, 1, False, True, False).tolist() == [[0.0, 1.0, 3.0], [0.0, 4.0, 9.0]]
    assert C_OPS.cumsum(x, -1, False, False, True).tolist() == [[6.0, 5.0, 3.0], [15.0, 11.0, 6.0]]
    assert C_OPS.cumsum(x, 0, True, True, True).tolist() == [20.0, 18.0, 15.0, 11.0, 6.0, 0.0]
    assert C_OPS.cumprod(x, 0, True, False).tolist() == [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]]
    assert C_OPS.cumprod(x, 0, False, True).tolist() == [[4.0, 10.0, 18.0], [4.0, 5.0, 6.0]]
    made = C_OPS.logcumsumexp(x, 1, False, True, False)
    np.testing.assert_allclose(made[0], [np.finfo(np.float32).min, 1.0, np.logaddexp(1, 2)], rtol=1e-6)
    np.testing.assert_allclose(C_OPS.logcumsumexp(x, 1, False, False, True)[1, 1], np.logaddexp(5, 6), rtol=1e-6)


def test_proposals_by_levels_in_the_order_of_the_kernel() -> None:
    boxes, counts = vt.to_tensor([[0.0, 0.0, 10.0, 10.0], [0.0, 0.0, 200.0, 100.0]]), vt.to_tensor([1, 1], "int32")
    made = C_OPS.distribute_fpn_proposals(boxes, counts, 2, 5, 4, 224, False)
    told = vt.vision.ops.distribute_fpn_proposals(boxes, 2, 5, 4, 224, False, counts)
    assert [[x.tolist() for x in part] for part in made[:1]] == [[x.tolist() for x in part] for part in told[:1]]


def test_fused_steps_are_one_binary_and_one_unary() -> None:
    for steps, told in ((["softmax", "elementwise_add"], "no step 'softmax'"), (["relu", "tanh"], "one binary step")):
        with pytest.raises(ValueError, match=told):
            fused(steps)
