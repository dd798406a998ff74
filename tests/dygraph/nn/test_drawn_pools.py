"""Pools over windows that one random number places: drawn by eager mode and by programs alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn


def images(*sizes: int) -> Any:
    return vt.to_tensor(np.random.default_rng(0).permutation(6 * int(np.prod(sizes))).reshape(2, 3, *sizes) / 7.0)


POOLS = [
    (nn.FractionalMaxPool2D(3), (7, 8)),
    (nn.FractionalMaxPool2D([3, 2], kernel_size=2), (7, 8)),
    (nn.FractionalMaxPool2D(3, return_mask=True), (7, 8)),
    (nn.FractionalMaxPool2D(3, kernel_size=3, return_mask=True), (9, 8)),
    (nn.FractionalMaxPool3D(2), (5, 6, 7)),
    (nn.FractionalMaxPool3D([2, 3, 3], kernel_size=2, return_mask=True), (6, 7, 8)),
    (nn.FractionalMaxPool2D(1, kernel_size=2), (4, 4)),
]


@pytest.mark.parametrize(("pool", "sizes"), POOLS)
def test_a_drawn_pool_is_the_one_of_its_number(pool: Any, sizes: tuple[int, ...]) -> None:
    x, compiled = images(*sizes), vt.to_static(pool)
    function = F.fractional_max_pool2d if len(sizes) == 2 else F.fractional_max_pool3d
    settings = {key: getattr(pool, key) for key in ("output_size", "kernel_size", "return_mask")}
    for seed in range(12):
        vt.seed(seed)
        u = min(max(float(vt.rand([1], x.dtype)), 1e-6), 1 - 1e-6)
        expected = function(x, random_u=u, **settings)
        for run in (pool, compiled):
            vt.seed(seed)
            found = run(x)
            for a, b in zip(vt.utils.flatten([found]), vt.utils.flatten([expected]), strict=True):
                assert a.tolist() == b.tolist()


def test_gradients_go_to_the_largest_elements() -> None:
    x = images(7, 8)
    x.stop_gradient = False
    found = []
    for run in (nn.FractionalMaxPool2D(3), vt.to_static(nn.FractionalMaxPool2D(3))):
        vt.seed(3)
        y = run(x)
        y.sum().backward()
        assert (x.grad * x).sum().item() == pytest.approx(y.sum().item())
        found.append(x.grad.tolist())
        x.clear_grad()
    assert found[0] == found[1]


def test_a_drawn_pool_is_saved(tmp_path: Path) -> None:
    vt.jit.save(nn.FractionalMaxPool2D(3), tmp_path / "pool", [vt.InputSpec([None, 3, 7, 8], "float64")])
    assert vt.jit.load(tmp_path / "pool")(images(7, 8)).shape == [2, 3, 3, 3]
