"""Images as tensors [c, h, w]: the same pictures as of arrays, tensors as results, and transforms inside programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.base.errors import ArgumentError, CaptureError, ShapeError
from vitrify.vision import transforms
from vitrify.vision.transforms import functional as F

PICTURE = np.random.default_rng(0).random((6, 8, 3)).astype(np.float32)
BYTES = (PICTURE * 255).astype(np.uint8)
AS_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "crop": lambda x: F.crop(x, 1, 2, 3, 4),
    "center_crop": lambda x: F.center_crop(x, (4, 4)),
    "hflip": F.hflip,
    "vflip": F.vflip,
    "pad": lambda x: F.pad(x, (1, 2, 3, 0), fill=0.5),
    "edges": lambda x: F.pad(x, 2, padding_mode="edge"),
    "mirror": lambda x: F.pad(x, 2, padding_mode="reflect"),
    "resize": lambda x: F.resize(x, (3, 5)),
    "shorter side": lambda x: F.resize(x, 3),
    "saturation": lambda x: F.adjust_saturation(x, 0.5),
    "hue": lambda x: F.adjust_hue(x, 0.2),
    "darker": lambda x: F.adjust_brightness(x, 0.5),
}
BY_PLACES: dict[str, Callable[[Any], Any]] = {
    "rotate": lambda x: F.rotate(x, 90, "bilinear", fill=1.0),
    "expand": lambda x: F.rotate(x, 30, expand=True),
    "affine": lambda x: F.affine(x, 10, (1, 2), 1.5, (3, 4), "bilinear"),
    "perspective": lambda x: F.perspective(x, [[0, 0], [7, 0], [7, 5], [0, 5]], [[1, 0], [7, 1], [6, 5], [0, 4]]),
    "normalize": lambda x: F.normalize(x, [0.5] * 3, [0.2, 0.3, 0.4], to_rgb=True),
    "grey": lambda x: F.to_grayscale(x, 3),
    "contrast": lambda x: F.adjust_contrast(x, 1.5),
    "erase": lambda x: F.erase(x, 1, 2, 3, 4, 0.25),
}


def tensor(picture: np.ndarray) -> vt.Tensor:
    return vt.to_tensor(np.ascontiguousarray(picture.transpose(2, 0, 1)))


@pytest.mark.parametrize("name", AS_ARRAYS)
def test_tensors_give_the_pictures_of_arrays(name: str) -> None:
    found = AS_ARRAYS[name](tensor(PICTURE))
    np.testing.assert_allclose(found.numpy().transpose(1, 2, 0), AS_ARRAYS[name](PICTURE), atol=4e-3)


@pytest.mark.parametrize("name", AS_ARRAYS | BY_PLACES)
def test_programs_hold_transforms(name: str) -> None:
    change = (AS_ARRAYS | BY_PLACES)[name]
    np.testing.assert_allclose(vt.to_static(change)(tensor(PICTURE)), change(tensor(PICTURE)), atol=1e-6)


@pytest.mark.parametrize("name", ["crop", "hflip", "pad", "resize", "darker"])
def test_bytes_stay_bytes(name: str) -> None:
    found = AS_ARRAYS[name](tensor(BYTES))
    assert found.dtype == vt.uint8
    assert abs(found.numpy().transpose(1, 2, 0).astype(int) - AS_ARRAYS[name](BYTES)).max() <= 1


def test_quarters_of_squares_are_exact() -> None:
    square = vt.arange(16, dtype="float32").reshape([1, 4, 4])
    np.testing.assert_allclose(F.rotate(square, 90).numpy()[0], np.rot90(square.numpy()[0]))
    found = F.affine(square, 0, (1, 0), 1.0, (0, 0), fill=9.0)
    assert found.numpy()[0, 0].tolist() == [9.0, 0.0, 1.0, 2.0]


def test_batches_and_sizes() -> None:
    batch = vt.ones([2, 3, 6, 8])
    assert F.resize(batch, 3).shape == [2, 3, 3, 4]
    assert F.rotate(batch, 90, expand=True).shape == [2, 3, 8, 6]
    assert F.to_grayscale(batch).shape == [2, 1, 6, 8]


@pytest.mark.parametrize(
    "change",
    [
        transforms.Resize((4, 4)), transforms.RandomCrop(5, padding=1), transforms.RandomResizedCrop(4),
        transforms.RandomRotation((30, 30)), transforms.RandomErasing(1.0, value=7.0), transforms.CenterCrop(4),
        transforms.RandomHorizontalFlip(1.0), transforms.Normalize(0.5, 0.5), transforms.Transpose((1, 2, 0)),
    ],
    ids=lambda change: type(change).__name__,
)  # fmt: skip
def test_classes_in_static_programs(change: Any) -> None:
    state = np.random.get_state()
    expected = change(tensor(PICTURE)).numpy()
    np.random.set_state(state)
    vt.enable_static()
    try:
        with static.program_guard(static.Program()):
            image = static.data("image", [3, 6, 8])
            (found,) = static.Executor().run(feed={"image": tensor_values()}, fetch_list=[change(image)])
    finally:
        vt.disable_static()
    np.testing.assert_allclose(found, expected, atol=1e-6)


def tensor_values() -> np.ndarray:
    return np.ascontiguousarray(PICTURE.transpose(2, 0, 1))


def test_erase_in_place() -> None:
    image = vt.zeros([1, 3, 3])
    assert F.erase(image, 0, 0, 2, 2, 5.0, inplace=True) is image
    assert image.sum() == 20.0


@pytest.mark.parametrize(
    "wrong, error, told",
    [
        (lambda: F.pad(vt.ones([3, 4, 4]), 1, padding_mode="symmetric"), ArgumentError, "for arrays"),
        (lambda: F.resize(vt.ones([4]), 2), ShapeError, "image as a tensor"),
        (lambda: F.to_grayscale(vt.ones([2, 4, 4])), ArgumentError, "one or three channels, not 2"),
        (lambda: F.adjust_hue(vt.ones([2, 4, 4]), 0.1), ArgumentError, "one or three channels, not 2"),
    ],
)
def test_mistakes(wrong: Callable[[], Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        wrong()


def test_a_size_that_only_a_run_knows() -> None:
    vt.enable_static()
    try:
        with static.program_guard(static.Program()), pytest.raises(CaptureError, match="image's size"):
            transforms.Resize(4)(static.data("image", [3, -1, -1]))
    finally:
        vt.disable_static()
