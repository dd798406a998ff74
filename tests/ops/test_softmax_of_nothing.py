"""Softmax over no elements, attention without samples or queries, regions of no boxes: results without elements."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
import vitrify.nn.functional as F


@pytest.mark.parametrize("compiles", [False, True])
def test_softmax_over_an_axis_of_no_elements_has_none(compiles: bool) -> None:
    def both(x: Any) -> Any:
        return F.softmax(x), F.log_softmax(x, axis=1)

    run: Any = vt.to_static(both) if compiles else both
    x = vt.zeros([2, 0])
    x.stop_gradient = False
    made = run(x)
    assert [y.shape for y in made] == [[2, 0], [2, 0]]
    (made[0].sum() + made[1].sum()).backward()
    assert x.grad.shape == [2, 0]
    assert [y.shape for y in run(vt.zeros([0, 3]))] == [[0, 3], [0, 3]]
    assert run(vt.to_tensor([[0.0, 0.0]]))[0].tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("shape", [[0, 3, 2, 4], [2, 0, 2, 4]])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_without_samples_or_queries(shape: list[int], causal: bool) -> None:
    q, k = vt.zeros(shape), vt.zeros([shape[0], 3, 2, 4])
    q.stop_gradient = False

    def attend(q: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, k, is_causal=causal)

    for run in (attend, vt.to_static(attend)):
        made = run(q)
        assert made.shape == shape
        made.sum().backward()
        assert q.grad.shape == shape
    assert vt.nn.TransformerEncoderLayer(8, 2, 8)(vt.zeros([*shape[:2], 8])).shape == [*shape[:2], 8]


def test_regions_of_no_boxes() -> None:
    x, counts = vt.ones([1, 1, 4, 4]), vt.to_tensor([0], "int32")

    def align(x: Any, boxes: Any, counts: Any) -> Any:
        return vt.vision.ops.roi_align(x, boxes, counts, 2)

    compiled = vt.to_static(align)
    for boxes, number in ((vt.zeros([0, 4]), counts), (vt.to_tensor([[0.0, 0.0, 4.0, 4.0]]), counts + 1)):
        for run in (align, compiled):
            assert run(x, boxes, number).tolist() == vt.ones([boxes.shape[0], 1, 2, 2]).tolist()


def test_regions_that_a_run_finds_none_of() -> None:
    @vt.to_static
    def align(x: Any, boxes: Any, scores: Any) -> Any:
        kept = boxes[scores > 0.5]
        count = vt.to_tensor([kept.shape[0]], "int32")
        return vt.vision.ops.roi_align(x, kept, count, 2)

    x, boxes = vt.ones([1, 1, 4, 4]), vt.to_tensor([[0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 3.0, 3.0]])
    for scores, count in (([0.9, 0.1], 1), ([0.1, 0.1], 0), ([0.9, 0.9], 2)):
        assert align(x, boxes, vt.to_tensor(scores)).tolist() == vt.ones([count, 1, 2, 2]).tolist()
