"""Transpilers: the program before and after, and that it computes the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static

F = vt.nn.functional
A = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype("float32")


def network(**settings: Any) -> tuple[Any, static.Executor]:
    """A trained network of two convolutions with batch norm and dropout."""
    x = static.data("x", [None, 3, 8, 8])
    h = F.relu(static.nn.batch_norm(static.nn.conv2d(x, 4, 3, **settings)))
    y = vt.mean(F.dropout(static.nn.batch_norm(static.nn.conv2d(h, 4, 3, groups=2, bias_attr=False)), 0.5), axis=[2, 3])
    vt.optimizer.SGD(0.1).minimize(vt.mean(vt.square(y)))
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for _ in range(3):
        exe.run(feed={"x": A}, fetch_list=[y])
    return y, exe


@pytest.mark.parametrize("bias", [None, False])
def test_batch_norm_goes_into_the_filters(bias: Any) -> None:
    y, exe = network(bias_attr=bias)
    test = static.default_main_program().clone(for_test=True)
    (expected,) = exe.run(test, feed={"x": A}, fetch_list=[y])
    before = str(test)
    assert static.InferenceTranspiler().transpile(test) is test
    types = [op.type for op in test.global_block().ops]
    assert types == [
        "conv2d",
        "elementwise_add",
        "relu",
        "conv2d",
        "elementwise_add",
        "reduce_mean",
        "square",
        "reduce_mean",
    ]  # the loss may be asked for
    assert "rsqrt" in before
    assert "rsqrt" not in str(test)
    (found,) = exe.run(test, feed={"x": A}, fetch_list=[y])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    (again,) = exe.run(feed={"x": A}, fetch_list=[y])  # the training program is as it was
    assert again.shape == expected.shape


def test_what_is_asked_for_stays() -> None:
    x = static.data("x", [None, 3, 8, 8])
    between = static.nn.conv2d(x, 4, 3, bias_attr=False)
    y = static.nn.batch_norm(between)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    test = static.default_main_program().clone(for_test=True)
    expected = exe.run(test, feed={"x": A}, fetch_list=[between, y])
    static.InferenceTranspiler().transpile(test)
    for a, b in zip(exe.run(test, feed={"x": A}, fetch_list=[between, y]), expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_memory_optimize_drops_what_leads_nowhere() -> None:
    x = static.data("x", [2])
    vt.exp(vt.tanh(x) * 2.0)
    kept = vt.tanh(x)
    total = static.create_global_var([2], 0.0, "float32", persistable=True)
    vt.assign(total + x, total)
    main = static.default_main_program()
    static.memory_optimize(main)
    types = [op.type for op in main.global_block().ops]
    assert "exp" not in types
    assert types.count("tanh") == 1
    exe = static.Executor()
    exe.run(static.default_startup_program())
    found = exe.run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[kept, total])
    np.testing.assert_allclose(found[0], np.tanh(np.ones(2)), rtol=1e-6)
    assert found[1].tolist() == [1.0, 1.0]


def test_what_transpilers_refuse() -> None:
    with pytest.raises(TypeError, match="inference_transpile needs a Program"):
        static.InferenceTranspiler().transpile("program")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="has no run"):
        static.Transpiler().transpile(static.Program())
