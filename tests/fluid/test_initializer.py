"""Initialisers by their long names, which `nn.initializer` has too."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError
from vitrify.nn import initializer


def test_long_names_stand_in_both_modules() -> None:
    from vitrify.nn.initializer.xavier import XavierUniform

    for name in ("Constant", "Uniform", "Normal", "TruncatedNormal", "Xavier", "MSRA", "NumpyArray", "Bilinear"):
        assert getattr(initializer, f"{name}Initializer") is getattr(vt.fluid.initializer, f"{name}Initializer")
    assert XavierUniform is initializer.XavierUniform


def test_a_diagonal_in_uniform_numbers() -> None:
    vt.seed(3)
    start = initializer.UniformInitializer(-0.5, 0.5, 0, diag_num=3, diag_step=4, diag_val=7.0)
    weight = vt.nn.Linear(3, 4, weight_attr=vt.ParamAttr(initializer=start)).weight.numpy()
    assert np.argwhere(weight == 7.0).tolist() == [[0, 0], [1, 1], [2, 2]]
    assert np.all(np.abs(weight[weight != 7.0]) <= 0.5)
    with pytest.raises(ArgumentError, match="5 elements 5 apart"):
        vt.nn.Linear(3, 4, weight_attr=initializer.UniformInitializer(diag_num=5, diag_step=4))


def test_the_diagonal_in_a_startup_program() -> None:
    vt.enable_static()
    try:
        main, startup = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, startup):
            start = initializer.UniformInitializer(0.0, 1.0, diag_num=2, diag_step=2, diag_val=5.0)
            weight = vt.nn.Linear(2, 2, weight_attr=start).weight
        executor = vt.static.Executor()
        executor.run(startup)
        (found,) = executor.run(main, fetch_list=[weight])
    finally:
        vt.disable_static()
    assert np.diagonal(found).tolist() == [5.0, 5.0]


def test_gains_and_slopes() -> None:
    vt.seed(1)
    wide = initializer.XavierInitializer(uniform=True, gain=100.0).values([64, 64], vt.float32).numpy()
    assert 10.0 < np.abs(wide).max() < 22.0
    drawn = initializer.MSRAInitializer(uniform=False, negative_slope=1.0, nonlinearity="leaky_relu", mode="fan_out")
    assert type(drawn) is initializer.KaimingNormal
    near = initializer.TruncatedNormalInitializer(0.0, 1.0, a=-0.5, b=0.5).values([200], vt.float32).numpy()
    assert np.abs(near).max() <= 0.5
