"""Detectors exported and run by onnxruntime: suppression of boxes, whose results' number only a run knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.vision import ops

onnx = pytest.importorskip("onnx")
Spec = vt.static.InputSpec


def boxes_of(count: int, seed: int) -> Any:
    """Boxes that overlap much: corners within 20, sides of 4 to 12."""
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 20, (count, 2))
    return np.concatenate([corner, corner + rng.uniform(4, 12, (count, 2))], 1).astype("float32")


def check(model: Any, specs: list[Any], calls: list[list[Any]], path: Path) -> Any:
    """Export, and the same results as in eager mode; the kinds of nodes."""
    vt.onnx.export(model, path / "model", specs)
    made = onnx.load(path / "model.onnx")
    onnx.checker.check_model(made, full_check=True)
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(str(path / "model.onnx"), providers=["CPUExecutionProvider"])
    for arrays in calls:
        found = session.run(None, {i.name: a for i, a in zip(session.get_inputs(), arrays, strict=True)})
        wanted = model(*(vt.to_tensor(a) for a in arrays))
        for mine, theirs in zip(wanted if isinstance(wanted, tuple) else [wanted], found, strict=True):
            np.testing.assert_allclose(theirs, mine.numpy(), rtol=1e-5, atol=1e-5)
    return [node.op_type for node in made.graph.node]


def test_boxes_of_any_number_are_suppressed(tmp_path: Path) -> None:
    def kept(boxes: Any, scores: Any) -> Any:
        best = ops.nms(boxes, 0.4, scores)
        return boxes[best], scores[best]

    calls = [[boxes_of(n, n), np.random.default_rng(n).random(n).astype("float32")] for n in (1, 12, 60)]
    kinds = check(kept, [Spec([None, 4]), Spec([None])], calls, tmp_path)
    assert kinds.count("NonMaxSuppression") == 1


def test_boxes_compete_within_their_category(tmp_path: Path) -> None:
    def kept(boxes: Any, scores: Any, kinds: Any) -> Any:
        return ops.nms(boxes, 0.3, scores, kinds, [0, 3, 7], top_k=9)

    rng = np.random.default_rng(2)
    calls = [[boxes_of(n, n), rng.random(n).astype("float32"), rng.choice([0, 3, 7], n)] for n in (5, 50)]
    check(kept, [Spec([None, 4]), Spec([None]), Spec([None], "int64")], calls, tmp_path)


def test_proposals_and_their_regions(tmp_path: Path) -> None:
    def regions(x: Any, scores: Any, deltas: Any) -> Any:
        side = vt.arange(4, dtype="float32") * 8
        across, down = vt.broadcast_to(side, [4, 4]), vt.broadcast_to(vt.unsqueeze(side, 1), [4, 4])
        anchors = vt.unsqueeze(vt.stack([across, down, across + 12, down + 12], -1), 2)
        sizes = vt.to_tensor([[32.0, 32.0]])
        boxes, sure, counts = ops.generate_proposals(
            scores, deltas, sizes, anchors, vt.ones_like(anchors), 12, 5, 0.5, return_rois_num=True
        )
        return ops.roi_align(x, boxes, counts, 2, 0.25, sampling_ratio=2), sure

    rng = np.random.default_rng(4)
    drawn = [rng.random(s).astype("float32") for s in ((1, 3, 8, 8), (1, 1, 4, 4), (1, 4, 4, 4))]
    check(regions, [Spec([1, 3, 8, 8]), Spec([1, 1, 4, 4]), Spec([1, 4, 4, 4])], [drawn], tmp_path)
