"""matrix_nms, psroi_pool, yolo_loss and generate_proposals against recorded values of PaddlePaddle."""

import json

import numpy as np
import pytest

import vitrify as vt
from tests.vision.detection_cases import CASES, DIFFERENTIABLE, FILE, LOSS, PLACED, TAUGHT, proposals, results
from vitrify.base.errors import ArgumentError, ShapeError
from vitrify.vision import ops

RECORDED = json.loads(FILE.read_text())


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_paddles(name):
    got = results(vt, name)
    assert [each["dtype"] for each in got] == [each["dtype"] for each in RECORDED[name]]
    for ours, theirs in zip(got, RECORDED[name], strict=True):
        expected = np.array(theirs["values"])
        np.testing.assert_allclose(np.array(ours["values"]).reshape(expected.shape), expected, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", CASES)
def test_captured_results_are_eager_ones(name):
    function, _, settings = CASES[name]
    plain = getattr(ops, function)
    whole = vt.jit.to_static(lambda *given: plain(*given, **settings))
    for _ in range(2):
        got = results(vt, name, lambda *given, **_settings: whole(*given))
        expected = results(vt, name)
        assert [each["dtype"] for each in got] == [each["dtype"] for each in expected]
        for ours, eager in zip(got, expected, strict=True):
            np.testing.assert_allclose(ours["values"], eager["values"], rtol=1e-4, atol=2e-5)


def test_gradients_of_two_boxes_in_one_cell_add_up():
    """Paddle keeps that of the last one: see docs/reference/coverage.md."""
    x, boxes, kinds = (vt.to_tensor(each) for each in TAUGHT)
    x.stop_gradient = False
    together = vt.concat([boxes[:, :1], boxes[:, :1] * 1.001], 1)
    loss = ops.yolo_loss(x, together, kinds[:, :2], **LOSS)
    loss.sum().backward()
    step = 1e-3
    place = np.unravel_index(np.abs(x.grad.numpy()).argmax(), x.shape)
    moved = []
    for sign in (1, -1):
        array = TAUGHT[0].astype("float64")
        array[place] += sign * step
        moved.append(ops.yolo_loss(vt.to_tensor(array), together.astype("float64"), kinds[:, :2], **LOSS).sum().item())
    assert x.grad.numpy()[place] == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-2)


def test_a_layer_of_bins():
    x, boxes, count = (vt.to_tensor(each) for each in PLACED)
    np.testing.assert_array_equal(
        ops.PSRoIPool((2, 3))(x, boxes, count).numpy(), ops.psroi_pool(x, boxes, count, (2, 3)).numpy()
    )


@pytest.mark.parametrize("name", [n for n in CASES if CASES[n][0] in DIFFERENTIABLE])
def test_wrong_shapes_are_refused(name):
    function, arrays, settings = CASES[name]
    with pytest.raises(ShapeError, match=function):
        getattr(ops, function)(vt.ones([1, 5, 3, 3]), *map(vt.to_tensor, arrays[1:]), **settings)


def test_refusals():
    with pytest.raises(ShapeError, match="matrix_nms"):
        ops.matrix_nms(vt.ones([3, 4]), vt.ones([1, 2, 3]), 0.1, 0.1, -1, -1)
    with pytest.raises(ArgumentError, match="eta"):
        ops.generate_proposals(*map(vt.to_tensor, proposals(1, 2, 3, 4)), eta=0.9)
    with pytest.raises(ArgumentError, match="anchor_mask"):
        ops.yolo_loss(*map(vt.to_tensor, TAUGHT), **LOSS | {"anchor_mask": [7, 3]})
