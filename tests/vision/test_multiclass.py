"""multiclass_nms beside a plain search, eagerly and compiled, for one image and several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ShapeError
from vitrify.vision.multiclass import multiclass_nms


def overlap(a: Any, b: Any, extra: float) -> float:
    wide = min(a[2], b[2]) - max(a[0], b[0]) + extra
    high = min(a[3], b[3]) - max(a[1], b[1]) + extra
    if wide <= 0 or high <= 0:
        return 0.0
    both = [(box[2] - box[0] + extra) * (box[3] - box[1] + extra) for box in (a, b)]
    return wide * high / (sum(both) - wide * high)


def plain(
    boxes: Any, scores: Any, least: float, first: int, most: int, bound: float, normalized: bool, background: int
):
    rows, places, counts = [], [], []
    for n in range(len(boxes)):
        kept: list[tuple[int, float, int]] = []
        for label in range(scores.shape[1]):
            if label == background:
                continue
            order = [m for m in np.argsort(-scores[n, label], kind="stable") if scores[n, label, m] > least]
            chosen: list[int] = []
            for m in order if first < 0 else order[:first]:
                if all(overlap(boxes[n, m], boxes[n, k], 0.0 if normalized else 1.0) <= bound for k in chosen):
                    chosen.append(m)
            kept += [(label, scores[n, label, m], m) for m in chosen]
        if 0 <= most < len(kept):
            kept = sorted(sorted(kept, key=lambda row: -row[1])[:most], key=lambda row: row[0])
        rows += [[label, score, *boxes[n, m]] for label, score, m in kept]
        places += [n * boxes.shape[1] + m for _, _, m in kept]
        counts.append(len(kept))
    return np.array(rows, "float32").reshape(-1, 6), np.array(places).reshape(-1, 1), np.array(counts)


def drawn(images: int, count: int, classes: int) -> tuple[Any, Any]:
    draw = np.random.RandomState(images * 100 + count)
    boxes = draw.rand(images, count, 4).astype("float32") * 20
    boxes[..., 2:] = boxes[..., :2] + draw.rand(images, count, 2).astype("float32") * 12 + 1
    return boxes, draw.rand(images, classes, count).astype("float32")


@pytest.mark.parametrize(
    ("images", "count", "settings"),
    [
        (2, 40, (0.3, 20, 10, 0.4, True, -1)),
        (3, 25, (0.5, -1, -1, 0.5, False, 0)),
        (1, 30, (0.01, 5, 100, 0.3, True, 2)),
        (1, 30, (0.999, 5, 100, 0.3, True, -1)),  # nothing is found
        (2, 12, (0.2, -1, 1, 0.9, True, -1)),
    ],
)
def test_equals_a_plain_search(images: int, count: int, settings: tuple[Any, ...]) -> None:
    boxes, scores = drawn(images, count, 3)
    *numbers, background = settings
    wanted = plain(boxes, scores, *settings)

    def search(b, s):
        return multiclass_nms(b, s, *numbers, background_label=background)

    for run in (search, vt.to_static(search)):
        made = run(vt.to_tensor(boxes), vt.to_tensor(scores))
        for mine, theirs in zip(made, wanted, strict=True):
            np.testing.assert_array_equal(mine.numpy(), theirs)


def test_wrong_shapes() -> None:
    boxes, scores = (vt.to_tensor(part) for part in drawn(1, 4, 2))
    with pytest.raises(ShapeError, match=r"boxes \[n, m, 4\]"):
        multiclass_nms(boxes[0], scores, 0.1, -1, -1)
