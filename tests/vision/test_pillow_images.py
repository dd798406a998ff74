"""Transforms of images of Pillow give such images. Pillow is a stand-in here; figures are those of PaddlePaddle 3.3.1."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from vitrify.vision import transforms
from vitrify.vision.transforms import functional as F


class Image:
    """What is used of `PIL.Image.Image`."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.size = array.shape[1], array.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.array, dtype)


@pytest.fixture(autouse=True)
def _pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("PIL.Image")
    module.Image, module.fromarray = Image, Image  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "PIL.Image", module)


PIXELS = (np.random.RandomState(3).rand(13, 17, 3) * 255).astype("uint8")
SUMS = {  # (width, height), sum of all bytes
    "brightness 0.3": (lambda x: F.adjust_brightness(x, 0.3), (17, 13)),
    "grey": (lambda x: F.to_grayscale(x), (17, 13)),
    "flipped": (lambda x: F.hflip(x), (17, 13)),
    "upside down": (lambda x: F.vflip(x), (17, 13)),
    "part": (lambda x: F.crop(x, 1, 2, 5, 6), (6, 5)),
    "middle": (lambda x: F.center_crop(x, 4), (4, 4)),
    "margins": (lambda x: F.pad(x, (1, 2), padding_mode="reflect"), (19, 17)),
    "small": (lambda x: F.resize(x, 6), (7, 6)),
    "turned": (lambda x: F.rotate(x, 90), (17, 13)),
    "colours": (lambda x: F.adjust_hue(x, 0.2), (17, 13)),
    "contrast": (lambda x: F.adjust_contrast(x, 1.4), (17, 13)),
    "saturation": (lambda x: F.adjust_saturation(x, 0.3), (17, 13)),
    "Resize": (transforms.Resize((6, 8)), (8, 6)),
    "Grayscale": (transforms.Grayscale(3), (17, 13)),
    "CenterCrop": (transforms.CenterCrop((4, 5)), (5, 4)),
}


@pytest.mark.parametrize("name", SUMS)
def test_images_of_pillow_stay_such(name: str) -> None:
    call, size = SUMS[name]
    found = call(Image(PIXELS))
    assert type(found) is Image and found.size == size and found.array.dtype == np.uint8
    assert isinstance(call(PIXELS), np.ndarray)


def test_one_channel_has_no_axis() -> None:
    assert F.to_grayscale(Image(PIXELS)).array.shape == (13, 17)
    assert F.to_grayscale(PIXELS).shape == (13, 17, 1)


def test_what_becomes_an_array_or_a_tensor() -> None:
    assert F.to_tensor(Image(PIXELS)).shape == [3, 13, 17]
    assert type(F.normalize(Image(PIXELS), [0, 0, 0], [1, 1, 1], "HWC")) is np.ndarray


def test_mixed_colours_are_cut() -> None:
    first = np.asarray(F.adjust_brightness(Image(PIXELS), 1.4))
    np.testing.assert_array_equal(first.ravel()[:8], [196, 252, 103, 182, 255, 255, 44, 72])
    assert int(first.astype(int).sum()) == 108158
    assert F.adjust_brightness(PIXELS, 1.4).ravel()[0] in (196, 197)
