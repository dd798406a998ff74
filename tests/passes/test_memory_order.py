"""Reductions of transposed arrays: done as the elements lie in memory, with the values of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.passes.layout.memory_order import AxisOrder

NHWC = [0, 2, 3, 1]


def _windows(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.reshape([n, c, h // 4, 4, w // 5, 5]).transpose([0, 2, 4, 3, 5, 1]).reshape([-1, 20, c])


def _norm(y: Any, w: Any) -> Any:
    return F.layer_norm(y, y.shape[-1:]) * w


def _by_hand(x: Any, w: Any) -> Any:
    y = x.transpose(NHWC)
    d = y - y.mean(-1, keepdim=True)
    return d / vt.sqrt((d * d).mean(-1, keepdim=True) + 1e-5) + w


def _shared(x: Any, w: Any) -> Any:
    e = vt.exp(x.transpose(NHWC) * 0.1)
    return e, e.sum((1, 2)), e.max(-1), (e * w).sum(-1, keepdim=True) + x.transpose(NHWC)


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, w: x.transpose(NHWC).sum(-1),
    "over all axes": lambda x, w: x.transpose(NHWC).sum(),
    "rows": lambda x, w: x.reshape([-1, 20]).transpose([1, 0]).mean(1),
    "several axes": lambda x, w: x.transpose([1, 3, 0, 2]).max((0, 2), keepdim=True),
    "weighted": lambda x, w: (x.transpose(NHWC) * w).sum(-1),
    "norm": lambda x, w: _norm(x.transpose(NHWC), w),
    "norm and back": lambda x, w: _norm(x.transpose(NHWC), w).transpose([0, 3, 1, 2]) + x,
    "norm by hand": _by_hand,
    "softmax": lambda x, w: F.softmax(x.transpose(NHWC) + w, -1),
    "windows": lambda x, w: (_windows(x) * w).sum(-1),
    "norm of windows": lambda x, w: _norm(_windows(x), w),
    "read by others": _shared,
    "reduced again behind": lambda x, w: (x.transpose(NHWC) * w).transpose([0, 3, 1, 2]).sum((2, 3)),
    "any": lambda x, w: (x.transpose(NHWC) > 2).any(-1),
}
TOLERANCE = {"float32": 2e-6, "float64": 1e-14, "int64": 0}


def _arrays(dtype: str) -> list[Any]:
    rng = np.random.default_rng(0)
    return [(9 * rng.standard_normal(shape)).astype(dtype) for shape in ((3, 24, 8, 20), (24,))]


def _compare(found: Any, expected: Any, tolerance: float) -> None:
    for a, b in zip(_as_list(found), _as_list(expected), strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        scale = float(np.nanmax(np.abs(np.where(np.isfinite(b.numpy()), b.numpy(), 0)), initial=1))
        np.testing.assert_allclose(a.numpy(), b.numpy(), atol=tolerance * scale, rtol=tolerance)


def _as_list(found: Any) -> list[Any]:
    return list(found) if isinstance(found, (list, tuple)) else [found]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str, dtype: str) -> None:
    if dtype == "int64" and ("norm" in name or name in ("softmax", "read by others")):
        pytest.skip("of floats")
    arrays = [vt.to_tensor(a) for a in _arrays(dtype)]
    program = PROGRAMS[name]
    compiled = vt.to_static(program)
    _compare(compiled(*arrays), program(*arrays), TOLERANCE[dtype])


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in ("any", "read by others")])
def test_gradients(name: str) -> None:
    x, w = (vt.to_tensor(a) for a in _arrays("float64"))
    program = PROGRAMS[name]

    def gradients(x: Any, w: Any) -> Any:
        x.stop_gradient = w.stop_gradient = False
        return vt.grad((program(x, w) ** 2).sum(), [x, w], allow_unused=True)[0]

    _compare(vt.to_static(gradients)(x, w), gradients(x, w), 1e-12)


@pytest.mark.parametrize("name", ["sum", "several axes", "norm", "softmax", "windows"])
def test_special_values(name: str) -> None:
    x, w = _arrays("float32")
    x.reshape(-1)[::97] = np.inf
    x.reshape(-1)[5::301] = np.nan
    x.reshape(-1)[7::11] = -0.0
    tensors = vt.to_tensor(x), vt.to_tensor(w)
    _compare(vt.to_static(PROGRAMS[name])(*tensors), PROGRAMS[name](*tensors), 2e-6)


@pytest.mark.parametrize("shape", [(3, 24, 8, 20), (1, 24, 1, 7), (2, 24, 0, 20), (5, 24, 4, 1)])
def test_open_sizes(shape: tuple[int, ...]) -> None:
    def program(x: Any, w: Any) -> Any:
        y = x.transpose(NHWC)
        return _norm(y, w), y.sum(-1), y.mean((1, 2))

    compiled = vt.to_static(program, input_spec=[vt.InputSpec([None, 24, None, None]), vt.InputSpec([24])])
    x, w = np.random.default_rng(0).standard_normal(shape).astype("float32"), _arrays("float32")[1]
    with np.errstate(all="ignore"):
        _compare(compiled(vt.to_tensor(x), vt.to_tensor(w)), program(vt.to_tensor(x), vt.to_tensor(w)), 2e-6)


def test_sizes_that_only_a_run_knows() -> None:
    def program(x: Any) -> Any:
        chosen = x[x[:, 0] > 0]
        return chosen.transpose([1, 0]).sum(1), F.softmax(chosen.transpose([1, 0]), 0)

    x = vt.to_tensor(np.random.default_rng(0).standard_normal((200, 12)))
    _compare(vt.to_static(program)(x), program(x), 1e-14)


def test_reductions_of_a_transposed_array_leave_no_transpose() -> None:
    compiled = vt.to_static(PROGRAMS["norm and back"])
    compiled(*(vt.to_tensor(a) for a in _arrays("float32")))
    assert "transpose" not in str(compiled.dump("after fuse"))


def test_rows_of_few_elements_stay() -> None:
    compiled = vt.to_static(lambda x: x.transpose([1, 0]).sum(1))
    compiled(vt.to_tensor(np.ones((3, 6000), "float32")))
    assert "transpose" in str(compiled.dump("after memory_order"))


def test_shapes_of_what_is_broadcast() -> None:
    order = AxisOrder((4, 32, 3, 8), (0, 2, 3, 1), (1, 2, 1))
    assert order.members(1) == (2, 3)
    assert order.spread((24, 1)) == (1, 3, 8, 1)
    assert order.spread((32,)) == (1, 1, 1, 32)


def test_rows_with_others_in_their_own_order_are_transposed_first() -> None:
    def program(x: Any, w: Any, g: Any) -> Any:
        return (x.transpose(NHWC) * g).sum(-1), (x.transpose(NHWC) * g * w).sum((0, 1, 2))

    x, w = (vt.to_tensor(a) for a in _arrays("float64"))
    g = vt.to_tensor(np.random.default_rng(1).standard_normal((3, 8, 20, 24)))
    compiled = vt.to_static(program)
    _compare(compiled(x, w, g), program(x, w, g), 1e-13)
    assert any("transpose_f64" in str(kernel) for kernel in compiled.kernels.values())
