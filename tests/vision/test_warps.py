"""Rotations, affine maps and perspectives of images."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError
from vitrify.vision.transforms import RandomAffine, RandomPerspective, RandomRotation, affine, perspective, rotate
from vitrify.vision.transforms import functional as F

PICTURE = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
SQUARE = np.arange(25, dtype=np.float32).reshape(5, 5)
CORNERS = [[0, 0], [6, 0], [6, 4], [0, 4]]


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
@pytest.mark.parametrize("angle, turns", [(0, 0), (90, 1), (180, 2), (-90, 3), (360, 0)])
def test_right_angles_are_exact(angle: int, turns: int, interpolation: str) -> None:
    turned = rotate(SQUARE, angle, interpolation, center=(2, 2))
    np.testing.assert_allclose(turned, np.rot90(SQUARE, turns), rtol=1e-5, atol=1e-5)
    assert turned.dtype == np.float32


def test_expand_keeps_the_corners() -> None:
    assert rotate(PICTURE, 90, expand=True).shape == (7, 5, 3)
    assert rotate(PICTURE, 45, expand=True).shape == (9, 9, 3)
    assert rotate(PICTURE, 45).shape == PICTURE.shape


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
def test_moving_by_whole_pixels(interpolation: str) -> None:
    moved = affine(PICTURE, 0, (2, 1), 1.0, (0, 0), interpolation, fill=(9, 8, 7))
    assert (moved[1:, 2:] == PICTURE[:-1, :-2]).all()
    assert (moved[0] == [9, 8, 7]).all()


def test_the_identity_and_a_mirror_as_perspectives() -> None:
    assert (perspective(PICTURE, CORNERS, CORNERS) == PICTURE).all()
    mirrored = [CORNERS[i] for i in (1, 0, 3, 2)]
    assert (perspective(PICTURE, CORNERS, mirrored) == PICTURE[:, ::-1]).all()


def test_bilinear_blends_with_the_fill() -> None:
    half = affine(np.full((1, 3), 10.0, np.float32), 0, (0.5, 0), 1.0, (0, 0), "bilinear", fill=2)
    assert half.tolist() == [[6.0, 10.0, 10.0]]


def test_grey_empty_and_tensor_images() -> None:
    assert rotate(np.zeros((4, 4), np.uint8), 30).shape == (4, 4)
    assert rotate(np.zeros((0, 3), np.float32), 30, fill=1).shape == (0, 3)
    assert rotate(vt.ones([1, 4, 5]), 180).shape == [1, 4, 5]
    assert F.rotate is rotate and F.affine is affine and F.perspective is perspective


def test_what_is_refused() -> None:
    with pytest.raises(ArgumentError, match="interpolation"):
        rotate(PICTURE, 10, "bicubic")
    with pytest.raises(ArgumentError, match="fill"):
        rotate(PICTURE, 10, fill=(1, 2))
    with pytest.raises(ArgumentError, match="not invertible"):
        affine(PICTURE, 0, (0, 0), 0.0, (0, 0))
    with pytest.raises(ArgumentError, match="line"):
        perspective(PICTURE, CORNERS, [[0, 0], [1, 1], [2, 2], [3, 3]])
    with pytest.raises(ArgumentError, match="four points"):
        perspective(PICTURE, CORNERS[:3], CORNERS)
    with pytest.raises(ArgumentError, match="degrees"):
        RandomRotation(-1)
    with pytest.raises(ArgumentError, match="scale"):
        RandomAffine(1, scale=(0, 1))
    with pytest.raises(ArgumentError, match="prob"):
        RandomPerspective(2)


def test_random_ones_repeat_with_the_seed_and_stay_in_range() -> None:
    for made in (RandomRotation(30), RandomAffine(10, (0.2, 0.2), (0.8, 1.2), (1, 2, 3, 4)), RandomPerspective(1.0)):
        drawn = []
        for _ in range(2):
            np.random.seed(3)
            drawn.append(made(PICTURE))
        assert drawn[0].shape == PICTURE.shape
        assert (drawn[0] == drawn[1]).all()
        np.random.seed(4)
        assert (made(PICTURE) != drawn[0]).any()
    assert all(20 <= RandomRotation((20, 25))._get_params(()) <= 25 for _ in range(20))
    assert RandomPerspective(0.0)(PICTURE) is PICTURE
    start, end = RandomPerspective(1.0).get_params(7, 5, 0.5)
    assert start == CORNERS
    assert all(0 <= x <= 6 and 0 <= y <= 4 for x, y in end)


@pytest.mark.parametrize("kind", ["array", "tensor"])
def test_corners_of_small_images_may_go_anywhere(kind: str) -> None:
    picture = np.arange(48, dtype=np.float32).reshape(4, 4, 3)
    given = picture if kind == "array" else vt.to_tensor(picture.transpose(2, 0, 1))
    for seed in range(40):
        np.random.seed(seed)
        made = np.asarray(RandomPerspective(1.0, 1.0)(given))
        assert made.shape == given.shape  # type: ignore[attr-defined]
        assert np.isfinite(made).all()
    flat = np.ones((1, 4, 3), np.float32)
    assert (RandomPerspective(1.0, 1.0)(flat) == flat).all()


def test_a_corner_may_have_no_source() -> None:
    """The map of (0, 0) is at infinity, so that its last number is 0."""
    square = [[0, 0], [3, 0], [3, 3], [0, 3]]
    moved = perspective(np.arange(16.0).reshape(4, 4), square, [[0, 2], [2, 1], [3, 1], [2, 2]], fill=-1)
    assert moved.shape == (4, 4)
    assert moved[2, 0] == 0  # where the corner has moved to
