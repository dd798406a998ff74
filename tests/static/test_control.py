"""Control flow of programs built by hand, with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.base.errors import ShapeError
from vitrify.static import nn


def run(fetches: Any, **feed: Any) -> list[Any]:
    exe = static.Executor()
    exe.run(static.default_startup_program())
    return exe.run(feed=feed, fetch_list=fetches)


@pytest.mark.parametrize(("value", "expected", "slope"), [(2.0, 6.0, 3.0), (-2.0, 4.0, -4.0)])
def test_cond(value: float, expected: float, slope: float) -> None:
    x = static.data("x", [1])
    x.stop_gradient = False
    y = nn.cond(x.sum() > 0.0, lambda: x * 3.0, lambda: x * x)
    (gx,) = static.gradients(y, x)
    a, b = run([y, gx], x=np.array([value], np.float32))
    assert (a.item(), b.item()) == (expected, slope)


def test_cond_returns_structures() -> None:
    x = static.data("x", [2])
    a, (b, c) = nn.cond(x.sum() > 0.0, lambda: (x, [x + 1.0, x + 2.0]), lambda: (x * 0.0, [x, x]))
    found = run([a, b, c], x=np.ones(2, np.float32))
    assert [f[0] for f in found] == [1, 2, 3]
    assert nn.cond(x.sum() > 0.0) is None
    with pytest.raises(TypeError, match="true_fn must be callable"):
        nn.cond(x.sum() > 0.0, 3)
    with pytest.raises(TypeError, match="condition"):
        nn.cond(3, lambda: x)


def test_cond_with_parameters_inside_and_nested() -> None:
    x = static.data("x", [2, 3])
    y = nn.cond(
        x.sum() > 0.0,
        lambda: nn.cond(x.mean() > 1.0, lambda: nn.fc(x, 2), lambda: nn.fc(x, 2)),
        lambda: nn.fc(x, 2),
    )
    loss = y.mean()
    pairs = static.append_backward(loss)
    assert len(pairs) == 6
    exe = static.Executor()
    exe.run(static.default_startup_program())
    scope = static.global_scope()
    for sign, name in ((2.0, "fc_0"), (0.5, "fc_1"), (-1.0, "fc_2")):
        feed = {"x": np.full((2, 3), sign, np.float32)}
        out, *grads = exe.run(feed=feed, fetch_list=[y, *[g for _, g in pairs]])
        w = np.array(scope.find_var(f"{name}.w_0").get_tensor())
        np.testing.assert_allclose(out, feed["x"] @ w, rtol=1e-5)
        moved = [p.name for (p, _), g in zip(pairs, grads, strict=True) if np.abs(g).sum() > 0]
        assert moved == [f"{name}.w_0", f"{name}.b_0"]


def test_while_loop() -> None:
    i, n = vt.full([1], 0, "int64"), static.data("n", [1], "int64")
    x = static.data("x", [2])
    x.stop_gradient = False
    _, end = nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * x], [i, x])
    (gx,) = static.gradients(end, x)
    a, g = run([end, gx], x=np.array([2, 3], np.float32), n=np.array([3]))
    np.testing.assert_allclose(a, [16, 81])
    np.testing.assert_allclose(g, [32, 108])


def test_while_loop_refuses() -> None:
    i = vt.full([1], 0, "int64")
    for arguments, message in (
        ((3, lambda i: i, [i]), "callable"),
        ((lambda i: i < 3, lambda i: i, 3), "list or tuple"),
    ):
        with pytest.raises(TypeError, match=message):
            nn.while_loop(*arguments)
    with pytest.raises(ValueError, match="empty"):
        nn.while_loop(lambda: True, lambda: 1, [])
    with pytest.raises(ValueError, match="2 values for 1"):
        nn.while_loop(lambda i: i < 3, lambda i: [i + 1, i], [i])
    with pytest.raises(TypeError, match="one bool"):
        nn.while_loop(lambda i: vt.ones([2]) > 0, lambda i: [i + 1], [i])


def test_case_and_switch_case() -> None:
    x = static.data("x", [1])
    number = static.data("k", [1], "int32")
    a = nn.case([(x.sum() < 1.0, lambda: x + 10.0), (x.sum() < 2.0, lambda: x + 20.0)], default=lambda: x + 30.0)
    b = nn.switch_case(number, {1: lambda: x + 1.0, 3: lambda: x + 3.0}, default=lambda: x + 9.0)
    for value, k, expected in ((0.5, 1, (10.5, 1.5)), (1.5, 3, (21.5, 4.5)), (5.0, 7, (35.0, 14.0))):
        found = run([a, b], x=np.array([value], np.float32), k=np.array([k], np.int32))
        assert tuple(f.item() for f in found) == expected


@pytest.mark.parametrize(
    ("branches", "error"),
    [
        (3, TypeError),
        ([(1, 2, 3)], TypeError),
        ([("a", lambda: None)], TypeError),
        ([(1, 3)], TypeError),
        ([(1, lambda: None), (1, lambda: None)], ValueError),
    ],
)
def test_switch_case_refuses(branches: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="switch_case"):
        nn.switch_case(vt.full([1], 1, "int32"), branches)


def test_print_and_assert(capsys: pytest.CaptureFixture[str]) -> None:
    x = static.data("x", [2])
    y = static.Print(x * 2.0, message="doubled") + 1.0
    static.Assert(x.sum() > 0.0, [x])
    assert run([y], x=np.ones(2, np.float32))[0].tolist() == [3, 3]
    text = capsys.readouterr().out
    assert "doubled" in text
    assert "[2. 2.]" in text
    with pytest.raises(ValueError, match="Assert failed"):
        run([y], x=-np.ones(2, np.float32))


def test_in_eager_mode_too() -> None:
    with vt.base.dygraph.guard():
        x = vt.to_tensor([2.0])
        assert nn.cond(x > 1.0, lambda: x * 2, lambda: x).item() == 4.0
        assert nn.case([(x > 3.0, lambda: 1)], default=lambda: 2) == 2
        assert nn.while_loop(lambda i: i < 5, lambda i: i + 2, [x])[0].item() == 6.0
        static.Assert(x > 1.0)
        with pytest.raises(ValueError, match="Assert"):
            static.Assert(x > 3.0, [x])


def test_static_pylayer() -> None:
    x = static.data("x", [2])
    x.stop_gradient = False
    y = nn.static_pylayer(lambda v: v * 2.0, [x], lambda g: g * 7.0)
    (gx,) = static.gradients(y, x)
    a, b = run([y, gx], x=np.ones(2, np.float32))
    assert (a.tolist(), b.tolist()) == ([2, 2], [7, 7])


# ---- py_func


def test_py_func_with_a_gradient() -> None:
    block = static.default_main_program().global_block()
    x = static.data("x", [-1, 3])
    x.stop_gradient = False
    out = block.create_var(name="out", dtype="float32", shape=[-1, 3])
    seen: list[int] = []

    def backward(*values: Any) -> Any:
        seen.append(len(values))
        y, dy = values
        return np.array(dy) * (np.array(y) > 0) * 5

    static.py_func(lambda a: np.maximum(np.array(a), 0), x, out, backward, skip_vars_in_backward_input=x)
    (gx,) = static.gradients((out * 2.0).sum(), x)
    a = np.array([[1, -1, 2]], np.float32)
    found, grad = run([out, gx], x=a)
    assert found.tolist() == [[1, 0, 2]]
    assert grad.tolist() == [[10, 0, 10]]
    assert seen == [2]


def test_py_func_with_several_ends() -> None:
    block = static.default_main_program().global_block()
    x, y = static.data("x", [2]), static.data("y", [2])
    x.stop_gradient = y.stop_gradient = False
    outs = [block.create_var(name=n, dtype="float32", shape=[2]) for n in ("a", "b")]
    static.py_func(
        lambda p, q: (np.array(p) + np.array(q), np.array(p) * np.array(q)), [x, y], outs,
        lambda p, q, a, b, da, db: (np.array(da) + np.array(db) * np.array(q), None),
    )  # fmt: skip
    gx, gy = static.gradients([outs[0] + outs[1]], [x, y])
    found = run([*outs, gx, gy], x=np.array([1, 2], np.float32), y=np.array([3, 4], np.float32))
    assert [f.tolist() for f in found] == [[4, 6], [3, 8], [4, 5], [0, 0]]


def test_py_func_without_results_and_without_gradient() -> None:
    seen: list[Any] = []
    x = static.data("x", [2])
    x.stop_gradient = False
    static.py_func(lambda a: seen.append(np.array(a).tolist()), x, None)
    out = static.default_main_program().global_block().create_var(name="o", dtype="float32", shape=[2])
    static.py_func(lambda a: np.array(a) * 2, x, out)
    (gx,) = static.gradients(out + x * 0.0, x)
    (grad,) = run([gx], x=np.ones(2, np.float32))
    assert seen == [[1, 1]]
    assert grad.tolist() == [0, 0]


def test_what_py_func_refuses() -> None:
    block = static.default_main_program().global_block()
    x = static.data("x", [2])
    out = block.create_var(name="out", dtype="float32", shape=[2])
    for arguments, error, message in (
        ((3, x, out), TypeError, "callable"),
        ((print, 3, out), TypeError, "x must be variables"),
        ((print, x, out, 3), TypeError, "backward_func"),
        ((print, x, block.create_var(name="no", dtype="float32")), ValueError, "shape of out no"),
    ):
        with pytest.raises(error, match=message):
            static.py_func(*arguments)
    with pytest.raises(TypeError, match="did you mean skip_vars_in_backward_input"):
        static.py_func(print, x, out, skip_var_in_backward_input=[x])
    with pytest.raises(ValueError, match="neither in x nor in out"):
        static.py_func(print, x, out, print, skip_vars_in_backward_input=[x * 2.0])


def test_py_func_elsewhere() -> None:
    with vt.base.dygraph.guard():
        x = vt.to_tensor([1.0, -2.0], stop_gradient=False)
        y = static.py_func(lambda a: vt.abs(a), x, x, lambda a, b, g: g * vt.sign(a))
        y.sum().backward()
        assert (y.tolist(), x.grad.tolist()) == ([1, 2], [1, -1])


def test_a_gradient_of_py_func_that_was_broadcast_is_summed() -> None:
    block = static.default_main_program().global_block()
    b, x = static.data("b", [1]), static.data("x", [2, 3])
    b.stop_gradient = x.stop_gradient = False
    out = block.create_var(name="sum", dtype="float32", shape=[2, 3])
    static.py_func(lambda p, q: np.array(p) + np.array(q), [b, x], out, lambda p, q, y, g: (np.array(g), np.array(g)))
    gb, gx = static.gradients([out * 2.0], [b, x])
    found = run([gb, gx], b=np.ones(1, np.float32), x=np.ones((2, 3), np.float32))
    assert [f.tolist() for f in found] == [[12.0], [[2.0] * 3] * 2]


def test_a_gradient_of_py_func_that_can_not_be_summed_is_refused() -> None:
    block = static.default_main_program().global_block()
    x = static.data("x", [3])
    x.stop_gradient = False
    out = block.create_var(name="sum", dtype="float32", shape=[3])
    static.py_func(lambda a: np.array(a), x, out, lambda a, y, g: np.ones((2, 2), np.float32))
    (gx,) = static.gradients([out], [x])
    with pytest.raises(ShapeError, match=r"returned a gradient of shape \[2, 2\] for input 0 of shape \[3\]"):
        run([gx], x=np.ones(3, np.float32))


def test_py_func_in_a_compiled_function_is_refused_with_the_remedy() -> None:
    @vt.jit.to_static
    def f(x: Any) -> Any:
        return static.py_func(lambda a: np.array(a), x, x)

    with vt.base.dygraph.guard(), pytest.raises(vt.errors.CaptureError, match="as a PyLayer"):
        f(vt.to_tensor([1.0, 2.0]))
