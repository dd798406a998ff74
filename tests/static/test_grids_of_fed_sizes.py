"""Grids whose size is fed."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify import static


@pytest.mark.parametrize("corners", [True, False])
def test_an_affine_grid_of_a_fed_size(corners: bool) -> None:
    theta = np.array([[[-0.7, -0.4, 0.3], [0.6, 0.5, 1.5]]], np.float32)
    vt.enable_static()
    try:
        main = static.Program()
        with static.program_guard(main, static.Program()):
            maps = static.data("maps", [1, 2, 3])
            maps.stop_gradient = False
            size = static.data("size", [4], "int32")
            grid = vt.nn.functional.affine_grid(maps, size, align_corners=corners)
            slope = static.gradients(grid, maps)
            run = static.Executor().run
            made = [
                run(main, feed={"maps": theta, "size": np.array(s, np.int32)}, fetch_list=[grid, *slope])
                for s in ([1, 2, 2, 3], [1, 2, 5, 4])
            ]
    finally:
        vt.disable_static()
    for (found, gradient), shape in zip(made, ([1, 2, 2, 3], [1, 2, 5, 4]), strict=True):
        x = vt.to_tensor(theta, stop_gradient=False)
        expected = vt.nn.functional.affine_grid(x, vt.to_tensor(shape), align_corners=corners)
        expected.backward()
        np.testing.assert_allclose(found, expected.numpy(), rtol=1e-6, atol=1e-6)
        assert x.grad is not None
        np.testing.assert_allclose(gradient, x.grad.numpy(), rtol=1e-5, atol=1e-5)
