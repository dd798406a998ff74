"""What the networks of compile_functions.py and those in torch and jax (peers/compile_*.py) share: sizes and batches.

A batch is made by NumPy from its size, so that all libraries get the same numbers. Nothing here imports a library of
networks: the peers' interpreter has no vitrify.
"""

import numpy as np

CLASSES, TOKENS, LENGTH = 1000, 1000, 128

GHOSTS = [  # of GhostNet's blocks: side, middle, result, squeezes, stride
    (3, 16, 16, 0, 1), (3, 48, 24, 0, 2), (3, 72, 24, 0, 1), (5, 72, 40, 1, 2), (5, 120, 40, 1, 1), (3, 240, 80, 0, 2),
    (3, 200, 80, 0, 1), (3, 184, 80, 0, 1), (3, 184, 80, 0, 1), (3, 480, 112, 1, 1), (3, 672, 112, 1, 1),
    (5, 672, 160, 1, 2), (5, 960, 160, 0, 1), (5, 960, 160, 1, 1), (5, 960, 160, 0, 1), (5, 960, 160, 1, 1),
]  # fmt: skip

MOBILES = [  # of MobileNetV3-small's blocks: side, middle, result, squeezes, hardswish in place of ReLU, stride
    (3, 16, 16, 1, 0, 2), (3, 72, 24, 0, 0, 2), (3, 88, 24, 0, 0, 1), (5, 96, 40, 1, 1, 2), (5, 240, 40, 1, 1, 1),
    (5, 240, 40, 1, 1, 1), (5, 120, 48, 1, 1, 1), (5, 144, 48, 1, 1, 1), (5, 288, 96, 1, 1, 2), (5, 576, 96, 1, 1, 1),
    (5, 576, 96, 1, 1, 1),
]  # fmt: skip

RESNET = (3, 4, 6, 3)  # blocks of ResNet-50's stages
DENSE = (6, 12, 24, 16)  # layers of DenseNet-121's blocks


def divisible(width, by=8):
    """The nearest multiple of `by`, but never more than a tenth below."""
    near = max(by, int(width + by / 2) // by * by)
    return near + by if near < 0.9 * width else near


def pixels(count, generator):
    return [generator.standard_normal((count, 3, 224, 224)).astype("float32")]


def labelled(count, generator):
    return [*pixels(count, generator), generator.integers(0, CLASSES, count)]


def rows(count, generator):
    return [generator.standard_normal((32 * count, 784)).astype("float32"), generator.integers(0, 10, 32 * count)]


def lines(count, generator):
    return [generator.integers(0, TOKENS, (count, LENGTH)) for _ in range(2)]


BATCHES = {
    "mlp_step": rows, "mobilenet_v3_small": pixels, "mobilenet_v3_small_step": labelled, "resnet50": pixels,
    "densenet121": pixels, "ghostnet_step": labelled, "vit_tiny_step": labelled, "gpt_step": lines,
}  # fmt: skip


def arrays(name, count):
    """A network's arguments for so many images or lines."""
    return BATCHES[name](count, np.random.default_rng(count))
