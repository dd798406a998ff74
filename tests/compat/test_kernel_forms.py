"""Kernels whose arguments and results differ from those of the function that does the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.compat.kernels import C_OPS

F, V = nn.functional, vt.vision.ops
rng = np.random.default_rng(5)


def floats(*shape: int) -> Any:
    return vt.to_tensor(rng.uniform(0.1, 1, shape).astype("float32"))


def ints(values: Any, dtype: str = "int64") -> Any:
    return vt.to_tensor(np.array(values, dtype))


X, IMAGES, SQUARE, LINE = floats(4, 3), floats(2, 3, 4, 4), floats(3, 3), floats(8)
FROM, TO, SEGMENTS = ints([0, 1, 2]), ints([1, 2, 0]), ints([0, 0, 1, 1])
BOXES = vt.to_tensor([[[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.1, 1.0], [2.0, 2.0, 3.0, 3.0]]])
SCORES = vt.to_tensor([[[0.9, 0.8, 0.7], [0.6, 0.5, 0.95]]])
YOLO, SIZES, ANCHORS = floats(1, 14, 3, 3), ints([[32, 32]], "int32"), [10, 13, 16, 30]
SHIFTS, FILTERS = (floats(2, 18, 4, 4), floats(2, 9, 4, 4)), floats(2, 3, 3, 3)
EMISSIONS, MOVES, LENGTHS = floats(2, 3, 4), floats(4, 4), ints([3, 2])
LOGITS, TARGETS = floats(5, 2, 4), ints([[1, 2], [2, 3]], "int32")

SAME: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    ("norm", lambda: C_OPS.norm(X, 1, 1e-10, False)[0], lambda: F.normalize(X, axis=1)),
    ("frobenius_norm", lambda: C_OPS.frobenius_norm(X, [0, 1], False, False), lambda: vt.linalg.norm(X)),
    ("prod", lambda: C_OPS.prod(X, [0], True, False), lambda: vt.prod(X, 0, True)),
    ("prod of all", lambda: C_OPS.prod(X, [0], False, True), lambda: vt.prod(X)),
    ("mean_all", lambda: C_OPS.mean_all(X), lambda: X.mean()),
    ("variance", lambda: C_OPS.variance(X, [0], True), lambda: vt.var(X, 0, False, True)),
    ("elementwise_pow", lambda: C_OPS.elementwise_pow(X, X), lambda: X**X),
    ("identity_loss", lambda: C_OPS.identity_loss(X, 0), lambda: X.sum()),
    ("linear_v2", lambda: C_OPS.linear_v2(X, SQUARE, SQUARE[0], True), lambda: F.linear(X, SQUARE.T, SQUARE[0])),
    ("batch_fc", lambda: C_OPS.batch_fc(floats(2, 3, 4) * 0, floats(2, 4, 5), vt.ones([2, 5])),
     lambda: vt.ones([2, 3, 5])),
    ("tanh_shrink", lambda: C_OPS.tanh_shrink(X), lambda: F.tanhshrink(X)),
    ("eigvalsh", lambda: C_OPS.eigvalsh(SQUARE, "L", False)[0], lambda: vt.linalg.eigvalsh(SQUARE)),
    ("matrix_rank", lambda: C_OPS.matrix_rank(SQUARE, 0.0, True, False), lambda: vt.linalg.matrix_rank(SQUARE)),
    ("matrix_rank_tol", lambda: C_OPS.matrix_rank_tol(SQUARE, vt.to_tensor(0.5), False, False),
     lambda: vt.linalg.matrix_rank(SQUARE, 0.5)),
    ("matrix_rank_atol_rtol", lambda: C_OPS.matrix_rank_atol_rtol(SQUARE, vt.to_tensor(0.5), None, False),
     lambda: vt.linalg.matrix_rank(SQUARE, 0.5)),
    ("slogdet_v2", lambda: C_OPS.slogdet_v2(SQUARE)[1], lambda: vt.linalg.slogdet(SQUARE)[1]),
    ("lu", lambda: C_OPS.lu(SQUARE, True)[2], lambda: vt.linalg.lu(SQUARE, get_infos=True)[2]),
    ("kldiv_loss", lambda: C_OPS.kldiv_loss(X, X, "none", True), lambda: F.kl_div(X, X, "none", True)),
    ("warpctc", lambda: C_OPS.warpctc(LOGITS, TARGETS, ints([5, 5]), ints([2, 2]), 0, False)[:, 0],
     lambda: F.ctc_loss(LOGITS, TARGETS, ints([5, 5]), ints([2, 2]), 0, "none")),
    ("hsigmoid_loss", lambda: C_OPS.hsigmoid_loss(X, SEGMENTS, floats(5, 3) * 0, None, None, None, 6, False)[0],
     lambda: F.hsigmoid_loss(X, SEGMENTS, 6, floats(5, 3) * 0)),
    ("edit_distance", lambda: C_OPS.edit_distance(TARGETS, TARGETS + 1, ints([2, 2]), ints([2, 2]), False)[1],
     lambda: vt.to_tensor([[2.0], [2.0]])),
    ("viterbi_decode", lambda: C_OPS.viterbi_decode(EMISSIONS, MOVES, LENGTHS, False)[1],
     lambda: vt.text.viterbi_decode(EMISSIONS, MOVES, LENGTHS, False)[1]),
    ("fft_c2c", lambda: C_OPS.fft_c2c(X.astype("complex64"), [0, 1], "ortho", True), lambda: vt.fft.fft2(X, norm="ortho")),
    ("fft_r2c", lambda: C_OPS.fft_r2c(X, [1], "backward", True, True), lambda: vt.fft.rfft(X)),
    ("fft_r2c of both sides", lambda: C_OPS.fft_r2c(X, [1], "backward", True, False), lambda: vt.fft.fft(X)),
    ("fft_c2r", lambda: C_OPS.fft_c2r(X.astype("complex64"), [1], "backward", False, 5), lambda: vt.fft.irfft(X, 5)),
    ("frame", lambda: C_OPS.frame(LINE, 4, 2, -1), lambda: vt.signal.frame(LINE, 4, 2)),
    ("overlap_add", lambda: C_OPS.overlap_add(SQUARE, 2, -1), lambda: vt.signal.overlap_add(SQUARE, 2)),
    ("stft", lambda: C_OPS.stft(LINE[None], LINE[:4], 4, 2, False, True),
     lambda: vt.signal.stft(LINE[None], 4, 2, window=LINE[:4], center=False)),
    ("affine_channel", lambda: C_OPS.affine_channel(IMAGES, SQUARE[0], SQUARE[1], "NCHW"),
     lambda: IMAGES * SQUARE[0].reshape([3, 1, 1]) + SQUARE[1].reshape([3, 1, 1])),
    ("lp_pool2d", lambda: C_OPS.lp_pool2d(IMAGES, [2, 2], [2, 2], [0, 0], False, True, "NCHW", "", False, False,
                                          "EXPLICIT", 2.0), lambda: F.lp_pool2d(IMAGES, 2.0, 2)),
    ("unpool", lambda: C_OPS.unpool(*F.max_pool2d(IMAGES, 2, return_mask=True), [2, 2], [2, 2], [0, 0], [4, 4], "NCHW"),
     lambda: F.max_unpool2d(*F.max_pool2d(IMAGES, 2, return_mask=True), 2)),
    ("fractional_max_pool2d", lambda: C_OPS.fractional_max_pool2d(IMAGES, [2, 2], [0, 0], 0.5, True)[0],
     lambda: F.fractional_max_pool2d(IMAGES, 2, None, 0.5)),
    ("deformable_conv", lambda: C_OPS.deformable_conv(IMAGES, SHIFTS[0], FILTERS, SHIFTS[1], [1, 1], [1, 1], [1, 1], 1,
                                                      1, 64),
     lambda: V.deform_conv2d(IMAGES, SHIFTS[0], FILTERS, None, 1, 1, mask=SHIFTS[1])),
    ("pad", lambda: C_OPS.pad(X, [1, 0, 2, 1], 7.0), lambda: F.pad(X, [1, 0, 2, 1], value=7.0)),
    ("pad3d", lambda: C_OPS.pad3d(IMAGES[None], [1, 0, 0, 1, 1, 1], "reflect", 0.0, "NCDHW"),
     lambda: F.pad(IMAGES[None], [1, 0, 0, 1, 1, 1], "reflect", data_format="NCDHW")),
    ("rrelu", lambda: C_OPS.rrelu(X - 0.5, 0.1, 0.3, True), lambda: F.rrelu(X - 0.5, 0.1, 0.3, False)),
    ("box_coder", lambda: C_OPS.box_coder(BOXES[0], None, BOXES[0], "encode_center_size", True, 0, [0.1, 0.1, 0.2, 0.2]),
     lambda: V.box_coder(BOXES[0], [0.1, 0.1, 0.2, 0.2], BOXES[0])),
    ("prior_box", lambda: C_OPS.prior_box(IMAGES, IMAGES, [2.0], [4.0], [1.0, 2.0], [0.1, 0.1, 0.2, 0.2], True, True,
                                          2.0, 1.0, 0.5, False)[0],
     lambda: V.prior_box(IMAGES, IMAGES, [2.0], [4.0], [1.0, 2.0], flip=True, clip=True, steps=[2.0, 1.0])[0]),
    ("matrix_nms", lambda: C_OPS.matrix_nms(BOXES, SCORES, 0.1, 3, 2, 0.0, False, 2.0, -1, True)[0],
     lambda: V.matrix_nms(BOXES, SCORES, 0.1, 0.0, 3, 2, background_label=-1)[0]),
    ("yolo_box", lambda: C_OPS.yolo_box(YOLO, SIZES, ANCHORS, 2, 0.01, 32, True, 1.1, False, 0.5)[0],
     lambda: V.yolo_box(YOLO, SIZES, ANCHORS, 2, 0.01, 32, scale_x_y=1.1)[0]),
    ("yolo_loss", lambda: C_OPS.yolo_loss(YOLO, BOXES[:, :2], ints([[0, 1]], "int32"), None, ANCHORS, [0, 1], 2, 0.7, 32,
                                          True, 1.0),
     lambda: V.yolo_loss(YOLO, BOXES[:, :2], ints([[0, 1]], "int32"), ANCHORS, [0, 1], 2, 0.7, 32)),
    ("segment_pool", lambda: C_OPS.segment_pool(X, SEGMENTS, "MEAN"), lambda: vt.geometric.segment_mean(X, SEGMENTS)),
    ("send_u_recv", lambda: C_OPS.send_u_recv(X, FROM, TO, "MAX", [0]), lambda: vt.geometric.send_u_recv(X, FROM, TO, "max")),
    ("send_ue_recv", lambda: C_OPS.send_ue_recv(X, X[:3], FROM, TO, "MUL", "SUM", [3]),
     lambda: vt.geometric.send_ue_recv(X, X[:3], FROM, TO, "mul", "sum", 3)),
    ("send_uv", lambda: C_OPS.send_uv(X, X, FROM, TO, "ADD"), lambda: vt.geometric.send_uv(X, X, FROM, TO)),
    ("reindex_graph", lambda: C_OPS.reindex_graph(FROM, ints([8, 0, 4]), ints([1, 1, 1], "int32"), None, None)[0],
     lambda: vt.geometric.reindex_graph(FROM, ints([8, 0, 4]), ints([1, 1, 1], "int32"))[0]),
    ("slice", lambda: C_OPS.slice(X, [0], [1], [2], [1], [0]), lambda: X[1]),
    ("set_value", lambda: C_OPS.set_value(X, [0, 0], [1, 3], [1, 2], [0, 1], [0], [], [2], [7.0, 8.0])[0],
     lambda: vt.stack([vt.to_tensor(7.0), X[0, 1], vt.to_tensor(8.0)])),
    ("set_value_with_tensor", lambda: C_OPS.set_value_with_tensor(X, X[:1, :1], [3], [0], [-3], [0], [], [0])[3],
     lambda: X[0, :1].expand([3])),
    ("split_with_num", lambda: C_OPS.split_with_num(X, 2, 0)[1], lambda: X[2:]),
    ("expand_as", lambda: C_OPS.expand_as(X[:1], None, [2, 3]), lambda: X[:1].expand([2, 3])),
    ("repeat_interleave_with_tensor_index", lambda: C_OPS.repeat_interleave_with_tensor_index(X, ints([1, 2, 0, 1]), 0),
     lambda: X[ints([0, 1, 1, 3])]),
    ("tensor_unfold", lambda: C_OPS.tensor_unfold(LINE, 0, 4, 2), lambda: vt.unfold(LINE, 0, 4, 2)),
    ("trans_layout", lambda: C_OPS.trans_layout(X, [1, 0]), lambda: X.T),
    ("view_dtype", lambda: C_OPS.view_dtype(X, "int32"), lambda: X.view("int32")),
    ("view_shape", lambda: C_OPS.view_shape(X, [3, 4]), lambda: X.reshape([3, 4])),
    ("view_slice", lambda: C_OPS.view_slice(X, 1, 3), lambda: X[1:3]),
    ("shape64", lambda: C_OPS.shape64(X), lambda: ints([4, 3])),
    ("memcpy_d2h", lambda: C_OPS.memcpy_d2h(X, 0), lambda: X),
    ("eye", lambda: C_OPS.eye(2, 3, "float32", vt.CPUPlace()), lambda: vt.eye(2, 3)),
    ("tril_indices", lambda: C_OPS.tril_indices(3, 3, 0, "int64", vt.CPUPlace()), lambda: vt.tril_indices(3, 3, 0)),
    ("triu_indices", lambda: C_OPS.triu_indices(3, 3, 0, "int64", vt.CPUPlace()), lambda: vt.triu_indices(3, 3, 0)),
    ("fill", lambda: C_OPS.fill(X, 2.0), lambda: vt.full([4, 3], 2.0)),
    ("fill_", lambda: C_OPS.fill_(vt.zeros([2]), 2.0), lambda: vt.full([2], 2.0)),
    ("increment_", lambda: C_OPS.increment_(vt.zeros([1]), 2.0), lambda: vt.full([1], 2.0)),
    ("dropout_", lambda: C_OPS.dropout_(X.clone(), None, 0.5, True, "upscale_in_train", 0, False), lambda: X),
    ("silu_", lambda: C_OPS.silu_(X.clone()), lambda: F.silu(X)),
    ("full_int_array", lambda: C_OPS.full_int_array([4, 3], "int64", vt.CPUPlace()), lambda: ints([4, 3])),
    ("full_with_tensor", lambda: C_OPS.full_with_tensor(vt.to_tensor(2.0), [2], "float32"), lambda: vt.full([2], 2.0)),
    ("full_batch_size_like", lambda: C_OPS.full_batch_size_like(X, [-1, 2], "float32", 2.0, 0, 0, vt.CPUPlace()),
     lambda: vt.full([4, 2], 2.0)),
    ("assign_value_", lambda: C_OPS.assign_value_(vt.zeros([2]), [2], "float32", [1.0, 2.0], vt.CPUPlace()),
     lambda: vt.to_tensor([1.0, 2.0])),
    ("assign_out_", lambda: C_OPS.assign_out_(X, vt.zeros([4, 3])), lambda: X),
    ("add_position_encoding", lambda: C_OPS.add_position_encoding(vt.zeros([1, 2, 4]), 1.0, 2.0)[0, 0],
     lambda: vt.to_tensor([0.0, 0.0, 2.0, 2.0])),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "function"), [pair[1:] for pair in SAME], ids=[pair[0] for pair in SAME])
def test_a_kernel_computes_what_its_function_does(kernel: Callable[[], Any], function: Callable[[], Any]) -> None:
    made, expected = kernel(), function()
    assert made.dtype is expected.dtype
    np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


def test_accuracy_counts_rows() -> None:
    label, found = ints([[0], [1], [1], [1]]), ints([[0], [1], [2], [1]])
    assert [x.item() for x in C_OPS.accuracy(X[:, :1], found, label)] == [0.75, 3, 4]


def test_margin_cross_entropy_gives_probabilities_first() -> None:
    probabilities, loss = C_OPS.margin_cross_entropy(X, ints([0, 1, 2, 1]), True, 0, 0, 1, 1.0, 0.5, 0.0, 2.0)
    np.testing.assert_allclose(probabilities.sum(1).numpy(), np.ones(4), rtol=1e-6)
    assert loss.shape == [4, 1]


@pytest.mark.parametrize("is_test", [False, True])
def test_batch_norm_gives_its_averages(is_test: bool) -> None:
    mean, variance = vt.zeros([3]), vt.ones([3])
    made = C_OPS.batch_norm(IMAGES, mean, variance, None, None, is_test, 0.9, 1e-5, "NCHW", False, False)
    assert made[1] is mean
    used = (IMAGES - made[3].reshape([3, 1, 1])) * made[4].reshape([3, 1, 1])
    np.testing.assert_allclose(made[0].numpy(), used.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(mean.numpy(), 0 if is_test else 0.1 * made[3].numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("draw", "low", "high"),
    [
        (lambda: C_OPS.gaussian_inplace_(vt.zeros([4000]), 2.0, 0.1, 0), 1.9, 2.1),
        (lambda: C_OPS.uniform_inplace_(vt.zeros([4000]), 2.0, 4.0, 0, 0, 0, 1.0), 2.9, 3.1),
        (lambda: C_OPS.exponential_(vt.zeros([4000]), 0.5), 1.8, 2.2),
        (lambda: C_OPS.truncated_gaussian_random([4000], 1.0, 1.0, 0, -1.0, 3.0, "float32", vt.CPUPlace()), 0.9, 1.1),
        (lambda: C_OPS.uniform_random_batch_size_like(X, [-1, 900], 0, 0, 0.0, 2.0, 0, 0, 0, 1.0, "float32"), 0.9, 1.1),
        (lambda: C_OPS.dirichlet(vt.ones([500, 2])), 0.49, 0.51),
    ],
)
def test_drawn_numbers_have_their_mean(draw: Callable[[], Any], low: float, high: float) -> None:
    assert low < float(draw().mean()) < high


def test_class_centres_hold_the_labels() -> None:
    renamed, centres = C_OPS.class_center_sample(ints([1, 3, 5]), 10, 4, 0, 0, 1, False, 0)
    assert centres.numpy()[renamed.numpy()].tolist() == [1, 3, 5]


@pytest.mark.parametrize("sizes", [([], [7, 5]), ([2.5, 1.5], [10, 6]), ([], [2, 1])])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_nearest_elements_with_corners_that_stay(sizes: tuple[list[float], list[int]], layout: str) -> None:
    factors, (height, width) = sizes
    x = IMAGES if layout == "NCHW" else IMAGES.transpose([0, 2, 3, 1])
    given = (-1, -1) if factors else (height, width)
    made = C_OPS.nearest_interp(x, None, None, None, layout, -1, *given, factors, "nearest", True, 0)
    rows, columns = (np.floor(np.linspace(0, 3, n) + 0.5).astype(int) for n in (height, width))
    expected = IMAGES.numpy()[:, :, rows][..., columns]
    np.testing.assert_array_equal(made.numpy(), expected if layout == "NCHW" else expected.transpose(0, 2, 3, 1))
