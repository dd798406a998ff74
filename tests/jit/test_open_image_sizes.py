"""Functions of images whose height and width an InputSpec leaves open: one saved program for all sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.static import InputSpec

F = vt.nn.functional
SHAPES = [(2, 3, 8, 8), (1, 3, 6, 10), (3, 3, 5, 7), (2, 3, 16, 12), (1, 3, 1, 4)]
RESIZED: list[dict[str, Any]] = [
    {"size": [4, 4]},
    {"size": [1, 9]},
    {"scale_factor": 2},
    {"scale_factor": 2.0},
    {"scale_factor": [1, 1.5]},
    {"scale_factor": 2, "recompute_scale_factor": True},
]


def random(*shape: int) -> Any:
    return vt.to_tensor(np.random.RandomState(sum(shape)).rand(*shape).astype("float32"))


def agree(tmp_path: Path, fn: Callable[..., Any], specs: Any, calls: Any) -> None:
    """A loaded program gives what eager mode does, for images of each size."""
    vt.jit.save(vt.jit.to_static(fn, input_spec=specs), str(tmp_path / "saved"))
    loaded = vt.jit.load(str(tmp_path / "saved"))
    for args in calls:
        expected, found = fn(*args), loaded(*args)
        both = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
        for one, other in both:
            assert one.shape == other.shape
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=2e-6, atol=2e-6)


def agree_on_images(tmp_path: Path, fn: Callable[[Any], Any], shapes: Any = SHAPES) -> None:
    agree(tmp_path, fn, [InputSpec([None, 3, None, None], "float32")], [(random(*shape),) for shape in shapes])


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
@pytest.mark.parametrize("asked", RESIZED, ids=str)
def test_images_are_resized(tmp_path: Path, mode: str, asked: dict[str, Any]) -> None:
    agree_on_images(tmp_path, lambda x: F.interpolate(x, mode=mode, **asked))


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("asked", RESIZED, ids=str)
def test_images_are_resized_with_their_corners(tmp_path: Path, mode: str, asked: dict[str, Any]) -> None:
    agree_on_images(tmp_path, lambda x: F.interpolate(x, mode=mode, align_corners=True, **asked))


def test_images_are_resized_to_sizes_of_others(tmp_path: Path) -> None:
    agree_on_images(tmp_path, lambda x: F.interpolate(x, size=[x.shape[2] * 2, x.shape[3] + 1], mode="bilinear"))
    agree_on_images(tmp_path, lambda x: F.interpolate(x, size=x.shape[2:], mode="bilinear", align_mode=1))
    specs = [InputSpec([None, 3, None, None], "float32")] * 2
    calls = [(random(1, 3, 5, 4), random(2, 3, 9, 3)), (random(2, 3, 2, 8), random(1, 3, 1, 4))]
    agree(tmp_path, lambda x, y: F.interpolate(x, size=y.shape[2:], mode="bilinear"), specs, calls)


def test_half_a_size_is_rounded_down(tmp_path: Path) -> None:
    agree_on_images(tmp_path, lambda x: F.interpolate(x, scale_factor=0.5), SHAPES[:4])


def test_an_image_that_would_lose_all_its_elements_is_refused() -> None:
    static = vt.jit.to_static(
        lambda x: F.interpolate(x, scale_factor=0.5), input_spec=[InputSpec([1, 3, None, None], "float32")]
    )
    assert static(random(1, 3, 2, 5)).shape == [1, 3, 1, 2]
    with pytest.raises(vt.errors.VitrifyError, match="leaves no elements"):
        static(random(1, 3, 1, 5))


def test_lines_and_volumes_are_resized(tmp_path: Path) -> None:
    line, volume = [InputSpec([1, 2, None], "float32")], [InputSpec([1, 2, None, None, 3], "float32")]
    agree(
        tmp_path,
        lambda x: F.interpolate(x, 5, mode="linear", data_format="NCW"),
        line,
        [(random(1, 2, n),) for n in (1, 4, 9)],
    )
    agree(
        tmp_path, lambda x: F.interpolate(x, [1, 4, 4], mode="trilinear", data_format="NCDHW"), volume,
        [(random(1, 2, n, n + 2, 3),) for n in (1, 3, 6)],
    )  # fmt: skip


def test_a_scale_that_is_no_short_fraction_gives_a_size_of_the_run() -> None:
    static = vt.jit.to_static(
        lambda x: F.interpolate(x, scale_factor=0.7), input_spec=[InputSpec([1, 3, None, 8], "float32")]
    )
    for height in (3, 10, 13):
        x = vt.arange(3.0 * height * 8).reshape([1, 3, height, 8])
        expected = F.interpolate(x, scale_factor=0.7)
        assert expected.shape == [1, 3, int(height * 0.7), 5]
        np.testing.assert_array_equal(static(x).numpy(), expected.numpy())


@pytest.mark.parametrize("size", [2, [3, 2], [3, None], [None, 1], 7])
def test_pools_that_adapt(tmp_path: Path, size: Any) -> None:
    agree_on_images(tmp_path, lambda x: F.adaptive_avg_pool2d(x, size))
    agree_on_images(tmp_path, lambda x: F.adaptive_max_pool2d(x, size))
    agree_on_images(tmp_path, lambda x: F.adaptive_max_pool2d(x, size, return_mask=True))


def test_pools_that_adapt_lines_volumes_and_areas(tmp_path: Path) -> None:
    line, volume = [InputSpec([1, 2, None], "float32")], [InputSpec([1, 2, None, None, 3], "float32")]
    agree(
        tmp_path,
        lambda x: (F.adaptive_avg_pool1d(x, 3), F.adaptive_max_pool1d(x, 3)),
        line,
        [(random(1, 2, n),) for n in (1, 4, 9)],
    )
    calls = [(random(1, 2, n, n + 2, 3),) for n in (1, 3, 6)]
    agree(tmp_path, lambda x: (F.adaptive_avg_pool3d(x, 2), F.adaptive_max_pool3d(x, 2)), volume, calls)
    agree_on_images(tmp_path, lambda x: F.interpolate(x, size=[4, 3], mode="area"))


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize("corners", [True, False])
def test_images_are_sampled(tmp_path: Path, mode: str, padding: str, corners: bool) -> None:
    specs = [InputSpec([None, 3, None, None], "float32"), InputSpec([None, None, None, 2], "float32")]
    calls = [(random(*shape), random(shape[0], 3, 4, 2) * 3 - 1.5) for shape in SHAPES]
    agree(tmp_path, lambda x, g: F.grid_sample(x, g, mode, padding, corners), specs, calls)


def test_images_are_turned(tmp_path: Path) -> None:
    def turned(x: Any) -> Any:
        theta = vt.to_tensor([[[0.5, -0.5, 0.1], [0.5, 0.5, 0.0]]]).expand([x.shape[0], 2, 3])
        return F.grid_sample(x, F.affine_grid(theta, x.shape))

    agree_on_images(tmp_path, turned, SHAPES[:4])


def test_gradients_pass() -> None:
    def loss(x: Any) -> Any:
        y = F.interpolate(x, scale_factor=2, mode="bilinear") * 2
        return (
            (F.adaptive_avg_pool2d(y, 3) ** 2).sum()
            + F.adaptive_max_pool2d(x, 2).sum()
            + F.interpolate(x, [2, 2]).sum()
        )

    static = vt.jit.to_static(loss, input_spec=[InputSpec([None, 3, None, None], "float32", stop_gradient=False)])
    for shape in SHAPES[:3]:
        found = []
        for fn in (loss, static):
            x = random(*shape)
            x.stop_gradient = False
            fn(x).backward()
            found.append(x.grad.numpy())
        np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)
    assert static.get_traced_count() == 1


@pytest.mark.parametrize(
    "name", ["conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]
)
def test_a_filter_that_a_spec_leaves_open_has_a_program_for_each_window(name: str) -> None:
    rank = int(name[4])
    fn = vt.jit.to_static(getattr(F, name), input_spec=[InputSpec([None] * (rank + 2), "float32")] * 2)
    for size in (2, 3, 2):
        for side in (5, 6):
            x, weight = random(1, 2, *[side] * rank), random(2, 2, *[size] * rank)
            x.stop_gradient = weight.stop_gradient = False
            found, expected = fn(x, weight), getattr(F, name)(x, weight)
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5)
            for a, b in zip(vt.grad(found.sum(), [x, weight]), vt.grad(expected.sum(), [x, weight]), strict=True):
                np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5)
    assert len(fn.program_cache) == 2


def test_a_filter_that_is_open_where_nothing_is_called_is_refused(tmp_path: Path) -> None:
    fn = vt.jit.to_static(F.conv2d, input_spec=[InputSpec([None] * 4, "float32")] * 2)
    with pytest.raises(CaptureError, match="an InputSpec leaves it open"):
        vt.jit.save(fn, str(tmp_path / "saved"))
