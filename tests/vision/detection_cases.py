"""Inputs of detection functions, and the file of what PaddlePaddle 3.3.1 computes from them.

`python tests/vision/detection_cases.py` with PaddlePaddle writes that file again.
"""

import json
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("detection_values.json")
ANCHORS, MASK = [10, 13, 16, 30, 33, 23, 30, 61], [1, 3]


def boxes(seed, *shape):
    """Boxes (x1, y1, x2, y2) within 18."""
    random = np.random.RandomState(seed)
    near = random.uniform(0, 10, (*shape, 2))
    return np.concatenate([near, near + random.uniform(1, 8, (*shape, 2))], -1).astype("float32")


def floats(seed, *shape, low=0.0):
    return np.random.RandomState(seed).uniform(low, 1, shape).astype("float32")


def truth(seed, images, count):
    """Boxes (centre, sides), the last of each image being none."""
    random = np.random.RandomState(seed)
    made = np.concatenate(
        [random.uniform(0.05, 0.95, (images, count, 2)), random.uniform(0.05, 0.6, (images, count, 2))], -1
    )
    made[:, -1] = 0
    return made.astype("float32")


def labels(seed, images, count, kinds):
    return np.random.RandomState(seed).randint(0, kinds, (images, count)).astype("int32")


def proposals(images, count, rows, columns):
    anchors = boxes(5, rows, columns, count) * 2
    sizes = np.array([[30.0, 40.0], [25.0, 21.0]], "float32")[:images]
    deltas = floats(6, images, 4 * count, rows, columns, low=-1.0)
    return [floats(4, images, count, rows, columns), deltas, sizes, anchors, floats(7, rows, columns, count, 4) + 0.5]


SUPPRESSED = {"score_threshold": 0.2, "post_threshold": 0.1, "nms_top_k": -1, "keep_top_k": -1, "return_index": True}
LOSS = {"anchors": ANCHORS, "anchor_mask": MASK, "class_num": 3, "ignore_thresh": 0.5, "downsample_ratio": 32}
REGIONS = np.array([[1, 2, 8, 9], [0, 0, 3.5, 2.2], [4, 4, 4.1, 4.1], [30, 30, 40, 40], [2.5, 1.5, 20, 30]], "float32")
PLACED = [floats(1, 2, 12, 10, 12, low=-1.0), REGIONS, np.array([2, 3], "int32")]
TAUGHT = [floats(8, 2, 16, 3, 3, low=-1.0) * 2, truth(9, 2, 4), labels(10, 2, 4, 3)]
CASES = {
    "linear": ("matrix_nms", [boxes(1, 2, 9), floats(2, 2, 3, 9)], SUPPRESSED),
    "gaussian": ("matrix_nms", [boxes(3, 1, 9), floats(4, 1, 2, 9)], SUPPRESSED | {"use_gaussian": True}),
    "pixels": ("matrix_nms", [boxes(1, 2, 9), floats(2, 2, 3, 9)],
               SUPPRESSED | {"normalized": False, "background_label": -1, "keep_top_k": 5, "nms_top_k": 6}),
    "nothing": ("matrix_nms", [boxes(1, 2, 9), floats(2, 2, 3, 9)], SUPPRESSED | {"score_threshold": 2.0}),
    "bins": ("psroi_pool", PLACED, {"output_size": (2, 3)}),
    "scaled bins": ("psroi_pool", PLACED, {"output_size": 2, "spatial_scale": 0.5}),
    "loss": ("yolo_loss", TAUGHT, LOSS),
    "sharp loss": ("yolo_loss", TAUGHT, LOSS | {"use_label_smooth": False, "scale_x_y": 1.2, "ignore_thresh": 0.1}),
    "proposals": ("generate_proposals", proposals(2, 2, 3, 4), {"return_rois_num": True}),
    "proposals of pixels": ("generate_proposals", proposals(2, 2, 3, 4),
        {"return_rois_num": True, "pixel_offset": True, "pre_nms_top_n": 12, "post_nms_top_n": 3, "nms_thresh": 0.3}),
    "no proposals": ("generate_proposals", proposals(1, 2, 3, 4), {"return_rois_num": True, "min_size": 1e4}),
}  # fmt: skip
DIFFERENTIABLE = ("psroi_pool", "yolo_loss")


def results(framework, name, call=None):
    """The results of a case as lists, and the gradient of the first input where there is one."""
    function, arrays, settings = CASES[name]
    given = [framework.to_tensor(array) for array in arrays]
    run = call or getattr(framework.vision.ops, function)
    given[0].stop_gradient = function not in DIFFERENTIABLE
    made = run(*given, **settings)
    listed = list(made) if isinstance(made, (tuple, list)) else [made]
    if function in DIFFERENTIABLE:
        (listed[0] * listed[0]).sum().backward()
        listed.append(given[0].grad)
    return [{"dtype": str(each.dtype).rpartition(".")[2], "values": each.numpy().round(5).tolist()} for each in listed]


if __name__ == "__main__":
    import paddle

    FILE.write_text("{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(results(paddle, n))}" for n in CASES) + "\n}\n")
