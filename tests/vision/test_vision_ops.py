"""`vision.ops` against their definitions, written as loops; captured; gradients. PaddlePaddle 3.3.1 gives the same values."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.vision import ops

RNG = np.random.default_rng(3)
X = RNG.normal(size=(2, 3, 7, 8)).astype("float64")
BOXES = np.array([[1.0, 2.0, 17.0, 12.0], [-3.0, 0.0, 8.0, 30.0], [4.0, 4.0, 5.0, 5.0]])
COUNTS = np.array([1, 2], "int32")
IMAGES = [0, 1, 1]


def _both(fn: Callable[..., Any], *args: Any) -> list[Any]:
    """The results in eager mode and compiled."""
    return [np.asarray(run(*map(vt.to_tensor, args)).numpy()) for run in (fn, vt.to_static(fn))]


def _bilinear(image: Any, y: float, x: float) -> Any:
    """The value at a place; places up to 1 outside have the edge's."""
    height, width = image.shape[-2:]
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(image.shape[:-2])
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = int(y), int(x)
    down, right = min(top + 1, height - 1), min(left + 1, width - 1)
    a, b = y - top, x - left
    upper = image[..., top, left] * (1 - b) + image[..., top, right] * b
    return upper * (1 - a) + (image[..., down, left] * (1 - b) + image[..., down, right] * b) * a


@pytest.mark.parametrize("ratio", [-1, 2])
@pytest.mark.parametrize("aligned", [True, False])
def test_roi_align(ratio: int, aligned: bool) -> None:
    wanted = np.zeros((3, 3, 2, 3))
    for r, (box, image) in enumerate(zip(BOXES * 0.4 - 0.5 * aligned, IMAGES, strict=True)):
        w, h = (box[2] - box[0], box[3] - box[1]) if aligned else (max(box[2] - box[0], 1), max(box[3] - box[1], 1))
        for p in range(2):
            for q in range(3):
                rows, columns = (ratio, ratio) if ratio > 0 else (math.ceil(h / 2), math.ceil(w / 3))
                for i in range(rows):
                    for j in range(columns):
                        y, x = box[1] + (p + (i + 0.5) / rows) * h / 2, box[0] + (q + (j + 0.5) / columns) * w / 3
                        wanted[r, :, p, q] += _bilinear(X[image], y, x) / (rows * columns)
    made = _both(lambda x, b, n: ops.roi_align(x, b, n, (2, 3), 0.4, ratio, aligned), X, BOXES, COUNTS)
    for found in made:
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_roi_pool() -> None:
    wanted = np.zeros((3, 3, 2, 3))
    for r, (box, image) in enumerate(zip(np.floor(BOXES * 0.4 + 0.5), IMAGES, strict=True)):
        w, h = max(box[2] - box[0] + 1, 1) / 3, max(box[3] - box[1] + 1, 1) / 2
        for p in range(2):
            for q in range(3):
                top, bottom = (int(np.clip(v + box[1], 0, 7)) for v in (math.floor(p * h), math.ceil((p + 1) * h)))
                left, right = (int(np.clip(v + box[0], 0, 8)) for v in (math.floor(q * w), math.ceil((q + 1) * w)))
                if bottom > top and right > left:
                    wanted[r, :, p, q] = X[image][:, top:bottom, left:right].max((1, 2))
    for found in _both(lambda x, b, n: ops.roi_pool(x, b, n, (2, 3), 0.4), X, BOXES, COUNTS):
        np.testing.assert_array_equal(found, wanted)
    assert ops.RoIPool(2, 0.4)(vt.to_tensor(X), vt.to_tensor(BOXES), vt.to_tensor(COUNTS)).shape == [3, 3, 2, 2]
    assert ops.RoIAlign(2, 0.4)(vt.to_tensor(X), vt.to_tensor(BOXES), vt.to_tensor(COUNTS)).shape == [3, 3, 2, 2]


def test_many_regions_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from vitrify.vision import regions

    args = vt.to_tensor(X), vt.to_tensor(BOXES), vt.to_tensor(COUNTS), 2, 0.4
    whole = ops.roi_align(*args)
    monkeypatch.setattr(regions, "_MOST_ELEMENTS", 1)
    np.testing.assert_array_equal(ops.roi_align(*args).numpy(), whole.numpy())


@pytest.mark.parametrize(("groups", "parts", "masked"), [(1, 1, False), (2, 1, True), (1, 2, True)])
def test_deform_conv2d(groups: int, parts: int, masked: bool) -> None:
    x, offset = RNG.normal(size=(2, 4, 5, 6)), RNG.normal(size=(2, 2 * parts * 6, 3, 3))
    weight, mask = RNG.normal(size=(2, 4 // groups, 3, 2)), np.abs(RNG.normal(size=(2, parts * 6, 3, 3)))
    wanted = np.zeros((2, 2, 3, 3))
    padded = np.pad(x, ((0, 0), (0, 0), (9, 9), (9, 9)))
    for n, o, i, j, c, k, m in np.ndindex(2, 2, 3, 3, 4 // groups, 3, 2):
        channel = o * groups // 2 * (4 // groups) + c
        tap = channel * parts // 4 * 6 + k * 2 + m
        y, z = 2 * i - 1 + k + offset[n, 2 * tap, i, j], 2 * j + m + offset[n, 2 * tap + 1, i, j]
        value = _bilinear(padded[n, channel], y + 9, z + 9)
        wanted[n, o, i, j] += value * weight[o, c, k, m] * (mask[n, tap, i, j] if masked else 1)

    def fn(x: Any, offset: Any, weight: Any, mask: Any) -> Any:
        return ops.deform_conv2d(x, offset, weight, None, 2, (1, 0), 1, parts, groups, mask if masked else None)

    for found in _both(fn, x, offset, weight, mask):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_gradients() -> None:
    """Against differences."""
    offset, weight = RNG.normal(size=(2, 8, 6, 7)), RNG.normal(size=(2, 3, 2, 2))
    cases: list[tuple[Callable[..., Any], list[Any]]] = [
        (lambda x: ops.roi_align(x, vt.to_tensor(BOXES), vt.to_tensor(COUNTS), 2, 0.4), [X]),
        (lambda x, o, w: ops.deform_conv2d(x, o, w), [X, offset, weight]),
    ]
    for fn, args in cases:
        tensors = [vt.to_tensor(a, stop_gradient=False) for a in args]
        made = fn(*tensors)
        scale = vt.to_tensor(RNG.normal(size=made.shape))
        (made * scale).sum().backward()
        for k, a in enumerate(args):
            step = RNG.normal(size=a.shape) * 1e-6
            ends = [fn(*[vt.to_tensor(b + s * step if j == k else b) for j, b in enumerate(args)]) for s in (1, -1)]
            difference = float(((ends[0] - ends[1]) * scale).sum()) / 2
            np.testing.assert_allclose(float((tensors[k].grad * vt.to_tensor(step)).sum()), difference, rtol=1e-4)


def _kept(boxes: Any, scores: Any, kinds: Any, bound: float) -> list[int]:
    found: list[int] = []
    for k in np.argsort(-scores, kind="stable"):
        for j in found:
            corners = np.minimum(boxes[k, 2:], boxes[j, 2:]) - np.maximum(boxes[k, :2], boxes[j, :2])
            common = np.prod(np.maximum(corners, 0))
            areas = sum(np.prod(boxes[i, 2:] - boxes[i, :2]) for i in (k, j))
            if kinds[k] == kinds[j] and common / (areas - common) > bound:
                break
        else:
            found.append(int(k))
    return found


def test_nms() -> None:
    boxes = np.sort(RNG.uniform(0, 10, (30, 2, 2)), 1).reshape(30, 4)
    scores, kinds, zeros = RNG.permutation(30).astype("float64"), RNG.integers(0, 3, 30), np.zeros(30)
    for found in _both(lambda b, s: ops.nms(b, 0.3, s), boxes, scores):
        assert found.tolist() == _kept(boxes, scores, zeros, 0.3)
    for found in _both(lambda b, s, c: ops.nms(b, 0.3, s, c, [0, 1, 2]), boxes, scores, kinds):
        assert found.tolist() == _kept(boxes, scores, kinds, 0.3)
    some = ops.nms(*map(vt.to_tensor, (boxes, 0.3, scores, kinds)), [0, 2], 4).tolist()
    assert some == [k for k in _kept(boxes, scores, kinds, 0.3) if kinds[k] != 1][:4]
    assert ops.nms(vt.to_tensor(boxes), 0.2).tolist() == _kept(boxes, -np.arange(30.0), zeros, 0.2)
    with pytest.raises(ValueError, match="categories"):
        ops.nms(vt.to_tensor(boxes), 0.3, vt.to_tensor(scores), vt.to_tensor(kinds))
    with pytest.raises(ValueError, match=r"boxes \[n, 4\]"):
        ops.nms(vt.ones([3, 5]))


@pytest.mark.parametrize("normalized", [True, False])
def test_box_coder_turns_back(normalized: bool) -> None:
    priors = vt.to_tensor([[1.0, 1.0, 4.0, 5.0], [2.0, 0.0, 6.0, 3.0]])
    targets, scales = vt.to_tensor([[1.0, 2.0, 3.0, 4.0]]), vt.to_tensor([[0.1, 0.1, 0.2, 0.2]] * 2)
    offsets = ops.box_coder(priors, scales, targets, "encode_center_size", normalized)
    width = 3.0 if normalized else 4.0
    center = 2.0 - (1 + width / 2)
    assert offsets.shape == [1, 2, 4]
    np.testing.assert_allclose(float(offsets[0, 0, 0]), center / width / 0.1, rtol=1e-5)
    boxes = ops.box_coder(priors, [0.1, 0.1, 0.2, 0.2], offsets, "decode_center_size", normalized)
    shift = 0.0 if normalized else 0.5  # PaddlePaddle's centre of a target leaves out the last element
    np.testing.assert_allclose(
        boxes.numpy() + shift * np.ones(4), np.tile([1.0, 2.0, 3.0, 4.0], (1, 2, 1)) + 0, atol=1e-5
    )
    across = vt.transpose(offsets, [1, 0, 2])
    again = ops.box_coder(priors, scales, across, "decode_center_size", normalized, axis=1)
    np.testing.assert_allclose(again.numpy()[:, 0], boxes.numpy()[0], rtol=1e-6)
    with pytest.raises(ValueError, match="use one of"):
        ops.box_coder(priors, None, targets, "encode")


def test_prior_box() -> None:
    feature, image = vt.zeros([1, 2, 2, 4]), vt.zeros([1, 3, 20, 40])
    boxes, variances = ops.prior_box(feature, image, [4.0], [9.0], [4.0], flip=True, clip=True)
    assert boxes.shape == variances.shape == [2, 4, 4, 4]
    halves = [(2, 2), (4, 1), (1, 4), (3, 3)]  # of ratio 1, 4, 1/4, and the mean of both sizes
    wanted = [[(15 - w) / 40, (15 - h) / 20, (15 + w) / 40, (15 + h) / 20] for w, h in halves]
    np.testing.assert_allclose(boxes[1, 1].numpy(), wanted, rtol=1e-6)
    assert variances[0, 0, 0].tolist() == np.array([0.1, 0.1, 0.2, 0.2], "float32").tolist()
    first, _ = ops.prior_box(feature, image, [4.0], [9.0], [4.0], min_max_aspect_ratios_order=True)
    np.testing.assert_allclose(first[1, 1].numpy(), [wanted[0], wanted[3], wanted[1]], rtol=1e-6)
    with pytest.raises(ValueError, match="max_sizes"):
        ops.prior_box(feature, image, [4.0, 5.0], [9.0])


@pytest.mark.parametrize("aware", [False, True])
def test_yolo_box(aware: bool) -> None:
    x = RNG.normal(size=(1, 2 * (7 + aware), 2, 3))
    size = np.array([[40, 50]], "int32")

    def fn(x: Any, s: Any) -> Any:
        return vt.concat(ops.yolo_box(x, s, [10, 13, 16, 30], 2, 0.5, 8, True, None, 1.2, aware, 0.4), -1)

    def sigmoid(v: Any) -> Any:
        return 1 / (1 + np.exp(-v))

    overlap, parts = (sigmoid(x[0, :2]), x[0, 2:]) if aware else (np.ones((2, 2, 3)), x[0])
    wanted = np.zeros((12, 6))
    for k, (a, i, j) in enumerate(np.ndindex(2, 2, 3)):
        tx, ty, tw, th, sure, *classes = parts.reshape(2, 7, 2, 3)[a, :, i, j]
        sure = sigmoid(sure) ** (0.6 if aware else 1) * overlap[a, i, j] ** 0.4
        if sure >= 0.5:
            cx, cy = (j + sigmoid(tx) * 1.2 - 0.1) * 50 / 3, (i + sigmoid(ty) * 1.2 - 0.1) * 40 / 2
            w, h = np.exp(tw) * (10, 16)[a] * 50 / 24, np.exp(th) * (13, 30)[a] * 40 / 16
            box = [max(cx - w / 2, 0), max(cy - h / 2, 0), min(cx + w / 2, 49), min(cy + h / 2, 39)]
            wanted[k] = [*box, *(sure * sigmoid(np.array(classes)))]
    for found in _both(fn, x, size):
        np.testing.assert_allclose(found[0], wanted, rtol=1e-6, atol=1e-9)
    with pytest.raises(ValueError, match="channels"):
        ops.yolo_box(vt.to_tensor(x), vt.to_tensor(size), [10, 13], 2, 0.5, 8)


def test_read_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x01\xff")
    assert ops.read_file(str(tmp_path / "a")).tolist() == [1, 255]


def test_a_layer_of_deformable_convolution() -> None:
    net = ops.DeformConv2D(4, 2, 3, groups=2, bias_attr=False)
    assert list(net.state_dict()) == ["weight"] and net.weight.shape == [2, 2, 3, 3]
    assert net(vt.ones([1, 4, 5, 5]), vt.zeros([1, 18, 3, 3])).shape == [1, 2, 3, 3]
    for wrong in (
        lambda: ops.DeformConv2D(3, 2, 3, groups=2),
        lambda: net(vt.ones([1, 4, 5, 5]), vt.zeros([1, 9, 3, 3])),
    ):
        with pytest.raises(ValueError, match=r"multiple|doesn't fit"):
            wrong()


def test_regions_by_levels_of_a_pyramid() -> None:
    sides = np.array([500.0, 30.0, 200.0, 33.0, 0.0, 230.0])
    boxes = np.stack([sides * 0, sides * 0, sides, sides], 1)
    expected = {2: [1, 3, 4], 3: [2], 4: [5], 5: [0]}

    def distribute(regions: Any, counts: Any) -> Any:
        return ops.distribute_fpn_proposals(regions, 2, 5, 4, 224, rois_num=counts)

    for run in (distribute, vt.to_static(distribute)):
        levels, places, counts = run(vt.to_tensor(boxes), vt.to_tensor([2, 4], dtype="int32"))
        for level, rows in enumerate(expected.values()):
            assert np.array_equal(levels[level], boxes[rows])
            assert counts[level].tolist() == [sum(r < 2 for r in rows), sum(r >= 2 for r in rows)]
        assert places.dtype == vt.int32 and np.array_equal(vt.concat(levels).numpy()[places.numpy()[:, 0]], boxes)
    assert ops.distribute_fpn_proposals(vt.to_tensor(boxes), 2, 3, 2, 1, pixel_offset=True)[2] is None


def test_levels_of_a_pyramid_are_in_order() -> None:
    for low, high in ((0, 2), (3, 3)):
        with pytest.raises(ValueError, match="levels"):
            ops.distribute_fpn_proposals(vt.ones([2, 4]), low, high, 4, 224)
    with pytest.raises(ValueError, match=r"boxes \[m, 4\]"):
        ops.distribute_fpn_proposals(vt.ones([2, 3]), 2, 5, 4, 224)


@pytest.mark.parametrize("counts", [[1, 1], [4, 4], [0, 0]])
@pytest.mark.parametrize("compiled", [False, True])
def test_counts_of_regions_add_up(compiled: bool, counts: list[int]) -> None:
    def pooled(x: Any, boxes: Any, n: Any) -> Any:
        return ops.roi_pool(x, boxes, n, 2)

    made = vt.to_static(pooled) if compiled else pooled
    with pytest.raises(ValueError, match="must add up to the boxes"):
        made(vt.to_tensor(X), vt.to_tensor(BOXES), vt.to_tensor(np.array(counts, "int32"))).numpy()


def test_no_gradient_goes_through_boxes_that_are_chosen_or_decoded() -> None:
    """As in PaddlePaddle: a loss of regions trains what they are cut from, and not what proposed them."""

    def loss(x: Any, boxes: Any, deltas: Any) -> tuple[Any, Any]:
        near = ops.box_coder(boxes, None, vt.unsqueeze(deltas, 1), "decode_center_size", axis=1)
        raw = vt.reshape(vt.concat([deltas] * 3, 0)[:7], [1, 7, 2, 2])
        decoded, scores = ops.yolo_box(raw, vt.to_tensor([[32, 32]], dtype="int32"), [10, 13], 2, 0.01, 8)
        levels, _, _ = ops.distribute_fpn_proposals(boxes, 2, 3, 2, 20)
        others = [near, decoded, scores, *levels]
        assert all(other.stop_gradient for other in others)
        regions = ops.roi_align(x, boxes, vt.to_tensor(COUNTS), 2, 0.4)
        return (regions * regions).sum(), sum((other.sum() for other in others), vt.zeros([]))

    def gradients(run: Callable[..., Any]) -> list[Any]:
        given = [vt.to_tensor(a, stop_gradient=False) for a in (X, BOXES, BOXES * 0.01)]
        made, other = run(*given)
        (made + other).backward()
        return [each.grad for each in given]

    eager, compiled = gradients(loss), gradients(vt.to_static(loss))
    assert eager[1:] == compiled[1:] == [None, None]
    np.testing.assert_allclose(compiled[0].numpy(), eager[0].numpy(), rtol=1e-9)
    assert np.abs(eager[0].numpy()).max() > 0
