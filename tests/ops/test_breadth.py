"""Mathematics, statistics and rearrangement against torch and NumPy: values, gradients, eager and captured."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, AxisError, DTypeError, KindError, ShapeError

X = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 4))
Y = np.random.default_rng(1).uniform(0.5, 3.0, (3, 4))
J = np.array([[3, 12, 7, 0], [5, 4, -9, 6], [1, 1, 2, 8]])
V = np.array([1.0, np.nan, -3.0, 2.0, 7.0])
S = np.array([1.0, 2.0, 2.0, 5.0])

# name, call over the library `m`, arrays. The call must mean the same in torch.
PAIRS: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("lgamma", lambda m, x: m.lgamma(x), (Y,)),
    ("digamma", lambda m, x: m.digamma(x), (X,)),
    ("polygamma", lambda m, x: m.polygamma(x, 2) if m is vt else m.polygamma(2, x), (Y,)),
    ("multigammaln", lambda m, x: m.multigammaln(x, 2) if m is vt else m.special.multigammaln(x, 2), (Y + 1,)),
    ("i0", lambda m, x: m.i0(x), (X * 9,)),
    ("i1", lambda m, x: m.i1(x) if m is vt else m.special.i1(x), (X * 9,)),
    ("i0e", lambda m, x: m.i0e(x) if m is vt else m.special.i0e(x), (X * 40,)),
    ("i1e", lambda m, x: m.i1e(x) if m is vt else m.special.i1e(x), (X * 40,)),
    ("erfinv", lambda m, x: m.erfinv(x), (X / 2.1,)),
    ("logit", lambda m, x: m.logit(x), (Y / 3.2,)),
    ("logit eps", lambda m, x: m.logit(x, 0.3), (Y / 3.2,)),
    ("hypot", lambda m, x, y: m.hypot(x, y), (X, Y)),
    ("logaddexp", lambda m, x, y: m.logaddexp(x, y), (X, Y)),
    ("sinc", lambda m, x: m.sinc(x), (X,)),
    ("copysign", lambda m, x, y: m.copysign(x, y), (X, -Y)),
    ("frac", lambda m, x: m.frac(x), (X,)),
    ("deg2rad", lambda m, x: m.deg2rad(x), (X,)),
    ("rad2deg", lambda m, x: m.rad2deg(x), (X,)),
    ("lerp", lambda m, x, y: m.lerp(x, y, 0.3), (X, Y)),
    ("nan_to_num", lambda m, x: m.nan_to_num(x, 2.0), (V,)),
    ("addmm", lambda m, a, x, y: m.addmm(a, x, y, beta=0.5, alpha=2.0), (X[:, :3], X, Y.T)),
    ("baddbmm", lambda m, a, x, y: m.baddbmm(a, x, y, beta=0.5, alpha=2.0), (X[None, :, :3], X[None], Y.T[None])),
    ("inner", lambda m, x, y: m.inner(x, y), (X, Y)),
    ("kron", lambda m, x, y: m.kron(x, y), (X, Y[:2, :3])),
    ("kron of ranks", lambda m, x, y: m.kron(x, y), (X[0], Y[:2])),
    ("cross", lambda m, x, y: m.cross(x, y, 0) if m is vt else m.cross(x, y, dim=0), (X, Y)),
    ("renorm", lambda m, x: m.renorm(x, 2.0, 0, 1.5), (X,)),
    ("diff", lambda m, x: m.diff(x, 2), (X,)),
    ("trapezoid", lambda m, y, x: m.trapezoid(y, x), (X, Y)),
    ("cumulative_trapezoid", lambda m, y: m.cumulative_trapezoid(y, dx=0.5), (X,)),
    ("trace", lambda m, x: m.trace(x), (X,)),
    ("diagonal", lambda m, x: m.diagonal(x, 1), (X,)),
    ("diagonal below", lambda m, x: m.diagonal(x, -1, 1, 0), (X,)),
    ("diag", lambda m, x: m.diag(x, 1), (X[0],)),
    ("diag below", lambda m, x: m.diag(x, -2), (X[0],)),
    ("diag of a matrix", lambda m, x: m.diag(x, -1), (X,)),
    ("diagflat", lambda m, x: m.diagflat(x, 1), (X[:2, :2],)),
    ("diag_embed", lambda m, x: m.diag_embed(x, 1), (X,)),
    ("diag_embed of axes", lambda m, x: m.diag_embed(x, -1, 0, 2), (X,)),
    ("diagonal_scatter", lambda m, x, y: m.diagonal_scatter(x, y, 1), (X, Y[0, :3])),
    ("diagonal_scatter below", lambda m, x, y: m.diagonal_scatter(x, y, -1), (X, Y[0, :2])),
    ("select_scatter", lambda m, x, y: m.select_scatter(x, y, 1, 2), (X, Y[:, 0])),
    ("cartesian_prod", lambda m, x, y: m.cartesian_prod([x, y]) if m is vt else m.cartesian_prod(x, y), (X[0], Y[1])),
    ("combinations", lambda m, x: m.combinations(x, 2, True), (X[0],)),
    ("block_diag", lambda m, x, y: m.block_diag([x, y]) if m is vt else m.block_diag(x, y), (X, Y[0])),
    ("meshgrid", lambda m, x, y: m.meshgrid(x, y)[1] if m is vt else m.meshgrid(x, y, indexing="ij")[1], (X[0], Y[0])),
    ("hstack", lambda m, x, y: m.hstack([x, y]), (X, Y)),
    ("vstack", lambda m, x, y: m.vstack([x, y]), (X[0], Y[0])),
    ("dstack", lambda m, x, y: m.dstack([x, y]), (X, Y)),
    ("column_stack", lambda m, x, y: m.column_stack([x, y]), (X[:, 0], Y)),
    ("atleast_3d", lambda m, x: m.atleast_3d(x), (X,)),
    ("tensor_split", lambda m, x: m.tensor_split(x, 3, 1)[0], (X,)),
    ("tensor_split at", lambda m, x: m.tensor_split(x, (1, 3), 1)[1], (X,)),
    ("hsplit", lambda m, x: m.hsplit(x, 2)[1], (X,)),
    ("rot90", lambda m, x: m.rot90(x, 1, [0, 1]), (X,)),
    ("rot90 back", lambda m, x: m.rot90(x, -1, [0, 1]), (X,)),
    ("repeat_interleave", lambda m, x: m.repeat_interleave(x, 2, 1), (X,)),
    ("take", lambda m, x: m.take(x, m.arange(5)), (X,)),
    ("unfold", lambda m, x: x.unfold(1, 2, 1), (X,)),
    ("as_strided", lambda m, x: m.as_strided(x, (2, 3), (1, 2), 1), (X,)),
    ("nansum", lambda m, x: m.nansum(x), (V,)),
    ("nanmean", lambda m, x: m.nanmean(x), (V,)),
    ("quantile", lambda m, x: m.quantile(x, 0.3, 1), (X,)),
    ("quantile all", lambda m, x: m.quantile(x, 0.7), (X,)),
    ("nanquantile", lambda m, x: m.nanquantile(x, 0.4), (V,)),
    ("kthvalue", lambda m, x: m.kthvalue(x, 2, 1)[0], (X,)),
    ("median min", lambda m, x: m.median(x, 1, mode="min")[0] if m is vt else m.median(x, 1)[0], (X,)),
    ("cummax", lambda m, x: m.cummax(x, 1)[0], (X,)),
    ("cummin", lambda m, x: m.cummin(x, 0)[0], (X,)),
    ("logcumsumexp", lambda m, x: m.logcumsumexp(x, 1), (X * 200,)),
    ("msort", lambda m, x: m.msort(x), (X,)),
    ("stanh", lambda m, x: m.stanh(x) if m is vt else 1.7159 * m.tanh(0.67 * x), (X,)),
    ("scale", lambda m, x: m.scale(x, 2.0, 1.0, False) if m is vt else (x + 1.0) * 2.0, (X,)),
    ("index_put add", lambda m, x, y: m.index_put(x, (m.arange(2), m.arange(2)), y, True), (X, Y[0, :2])),
]  # fmt: skip


def _scattered(m: Any, mode: str, own: bool, x: Any, v: Any) -> Any:
    places = np.array([[0, 2, 1, 0], [0, 1, 1, 2]])
    if m is vt:
        return vt.put_along_axis(x, vt.to_tensor(places), v, 0, mode, own, broadcast=False)
    return x.scatter_reduce(0, m.tensor(places), v, {"mul": "prod"}.get(mode, mode), include_self=own)


PAIRS += [
    (f"put {mode} {own}", lambda m, x, v, mode=mode, own=own: _scattered(m, mode, own, x, v), (Y, X[:2] + 3))
    for mode in ("mul", "mean", "amin", "amax")
    for own in (True, False)
]


def _total(made: Any) -> Any:
    return (made * made).sum()


@pytest.mark.parametrize(("call", "arrays"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_values_and_gradients_are_those_of_torch(call: Callable[..., Any], arrays: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    ours = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    made, expected = call(vt, *ours), call(torch, *theirs)
    np.testing.assert_allclose(made.numpy(), expected.detach().numpy(), rtol=1e-7, atol=1e-12)
    if np.isfinite(expected.detach().numpy()).all():
        _total(made).backward()
        _total(expected).backward()
        for a, b in zip(ours, theirs, strict=True):
            ours_grad = np.zeros(a.shape) if a.grad is None else a.grad.numpy()
            theirs_grad = np.zeros(a.shape) if b.grad is None else b.grad.numpy()
            np.testing.assert_allclose(ours_grad, theirs_grad, rtol=1e-6, atol=1e-10)


WHOLE: list[tuple[str, Callable[..., Any], Any]] = [
    ("gcd", lambda: vt.gcd(vt.to_tensor(J), vt.to_tensor(6)), np.gcd(J, 6)),
    ("lcm", lambda: vt.lcm(vt.to_tensor(J), vt.to_tensor(4)), np.lcm(J, 4)),
    ("left shift", lambda: vt.bitwise_left_shift(vt.to_tensor(J), vt.to_tensor(2)), J << 2),
    ("right shift", lambda: vt.bitwise_right_shift(vt.to_tensor(J), vt.to_tensor(1)), J >> 1),
    ("logical shift", lambda: vt.bitwise_right_shift(vt.to_tensor([-2]), vt.to_tensor([1]), False), [2**63 - 1]),
    ("signbit", lambda: vt.signbit(vt.to_tensor([-0.0, 0.0, -3.0])), [True, False, True]),
    ("nextafter", lambda: vt.nextafter(vt.to_tensor(X), vt.to_tensor(Y)), np.nextafter(X, Y)),
    ("heaviside", lambda: vt.heaviside(vt.to_tensor([-1.0, 0.0, 2.0]), vt.to_tensor(0.5)), [0.0, 0.5, 1.0]),
    ("ldexp", lambda: vt.ldexp(vt.to_tensor(X), vt.to_tensor([0, 1, 2, -3])), np.ldexp(X, [0, 1, 2, -3])),
    ("frexp", lambda: vt.frexp(vt.to_tensor(X))[0], np.frexp(X)[0]),
    ("sgn", lambda: vt.sgn(vt.to_tensor([3 + 4j, 0j])), [0.6 + 0.8j, 0]),
    ("isposinf", lambda: vt.isposinf(vt.to_tensor([np.inf, -np.inf, 1.0])), [True, False, False]),
    ("isneginf", lambda: vt.isneginf(vt.to_tensor([np.inf, -np.inf, 1.0])), [False, True, False]),
    ("isreal", lambda: vt.isreal(vt.to_tensor([1 + 0j, 1j])), [True, False]),
    ("count_nonzero", lambda: vt.count_nonzero(vt.to_tensor(J), 0), np.count_nonzero(J, 0)),
    ("median", lambda: vt.median(vt.to_tensor(X)), np.median(X)),
    ("median of NaN", lambda: vt.median(vt.to_tensor(V)), np.nan),
    ("nanmedian", lambda: vt.nanmedian(vt.to_tensor(V)), np.nanmedian(V)),
    ("nanmedian of axes", lambda: vt.nanmedian(vt.to_tensor(X), [0, 1]), np.median(X)),
    ("quantiles", lambda: vt.quantile(vt.to_tensor(X), [0.1, 0.9], [0, 1]), np.quantile(X, [0.1, 0.9])),
    ("mode", lambda: vt.mode(vt.to_tensor([[2, 1, 2, 1, 3]]))[0], [1]),
    ("mode place", lambda: vt.mode(vt.to_tensor([[2, 1, 2, 1, 3]]))[1], [3]),
    ("kthvalue place", lambda: vt.kthvalue(vt.to_tensor([5, 1, 3]), 2)[1], 2),
    ("histogram", lambda: vt.histogram(vt.to_tensor(X), 5, -1, 1), np.histogram(X, 5, (-1, 1))[0]),
    ("density", lambda: vt.histogram(vt.to_tensor(X), 5, density=True), np.histogram(X, 5, density=True)[0]),
    ("weights", lambda: vt.histogram(vt.to_tensor(X), 5, weight=vt.to_tensor(Y)), np.histogram(X, 5, weights=Y)[0]),
    ("bin edges", lambda: vt.histogram_bin_edges(vt.to_tensor(X), 4), np.histogram_bin_edges(X, 4)),
    ("bincount", lambda: vt.bincount(vt.to_tensor([1, 3, 1]), minlength=6), [0, 2, 0, 1, 0, 0]),
    ("bincount of weights", lambda: vt.bincount(vt.to_tensor([1, 3, 1]), vt.to_tensor([0.5, 1.0, 2.0])), [0, 2.5, 0, 1]),
    ("searchsorted", lambda: vt.searchsorted(vt.to_tensor(S), vt.to_tensor(Y)), np.searchsorted(S, Y)),
    ("bucketize", lambda: vt.bucketize(vt.to_tensor(Y), vt.to_tensor(S), right=True), np.searchsorted(S, Y, "right")),
    ("isin", lambda: vt.isin(vt.to_tensor(J), vt.to_tensor([1, 5, 12])), np.isin(J, [1, 5, 12])),
    ("isin inverted", lambda: vt.isin(vt.to_tensor(J), vt.to_tensor([1, 5]), invert=True), ~np.isin(J, [1, 5])),
    ("cummax places", lambda: vt.cummax(vt.to_tensor([1, 3, 3, 2]))[1], [0, 1, 2, 2]),
    ("repeats", lambda: vt.repeat_interleave(vt.to_tensor(X), vt.to_tensor([1, 0, 2]), 0), np.repeat(X, [1, 0, 2], 0)),
    ("unique_consecutive", lambda: vt.unique_consecutive(vt.to_tensor([1, 1, 2, 2, 2, 1])), [1, 2, 1]),
    ("runs", lambda: vt.unique_consecutive(vt.to_tensor([1, 1, 2, 1]), True, True)[1], [0, 0, 1, 2]),
    ("run lengths", lambda: vt.unique_consecutive(vt.to_tensor([1, 1, 2, 1]), True, True)[2], [2, 1, 1]),
    ("runs of rows", lambda: vt.unique_consecutive(vt.to_tensor([[1, 2], [1, 2], [3, 4]]), axis=0), [[1, 2], [3, 4]]),
    ("tril_indices", lambda: vt.tril_indices(3, 4, 1), np.stack(np.tril_indices(3, 1, 4))),
    ("triu_indices", lambda: vt.triu_indices(3), np.stack(np.triu_indices(3))),
    ("grid by xy", lambda: vt.meshgrid(vt.to_tensor([1, 2]), vt.to_tensor([3, 4, 5]), indexing="xy")[0], [[1, 2]] * 3),
    ("second by xy", lambda: vt.meshgrid([vt.to_tensor([1, 2]), vt.to_tensor([3, 4])], indexing="xy")[1], [[3, 3], [4, 4]]),
    ("logspace", lambda: vt.logspace(0.0, 3.0, 4, 2.0), [1.0, 2.0, 4.0, 8.0]),
    ("vander", lambda: vt.vander(vt.to_tensor(X[0]), 3), np.vander(X[0], 3)),
    ("rising vander", lambda: vt.vander(vt.to_tensor(X[0]), 3, True), np.vander(X[0], 3, True)),
    ("multiplex", lambda: vt.multiplex([vt.to_tensor(X), vt.to_tensor(Y)], vt.to_tensor([[1], [0], [1]])), [Y[0], X[1], Y[2]]),
    ("crop", lambda: vt.crop(vt.to_tensor(X), [2, -1], [1, 1]), X[1:, 1:]),
    ("reduce_as", lambda: vt.reduce_as(vt.to_tensor(X), vt.to_tensor(Y[:1])), X.sum(0, keepdims=True)),
    ("slice_scatter", lambda: vt.slice_scatter(vt.zeros([4]), vt.ones([2]), [0], [0], [4], [2]), [1, 0, 1, 0]),
    ("shard_index", lambda: vt.shard_index(vt.to_tensor([1, 9, 12]), 20, 2, 0), [1, 9, -1]),
    ("take clipped", lambda: vt.take(vt.to_tensor(J), vt.to_tensor([99, -3]), "clip"), [8, 3]),
    ("take wrapped", lambda: vt.take(vt.to_tensor(J), vt.to_tensor([13, -1]), "wrap"), [12, 8]),
    ("view of bits", lambda: vt.to_tensor([1.0]).view("int32"), [0x3F800000]),
    ("gammainc", lambda: vt.gammainc(vt.to_tensor([1.0]), vt.to_tensor([2.0])), [1 - np.exp(-2.0)]),
    ("gammaincc", lambda: vt.gammaincc(vt.to_tensor([1.0]), vt.to_tensor([2.0])), [np.exp(-2.0)]),
    ("is_empty", lambda: vt.is_empty(vt.zeros([0, 3])), True),
    ("block of index_put", lambda: vt.index_put(vt.zeros([3]), (vt.to_tensor([True, False, True]),), 2.0), [2, 0, 2]),
    ("fill_constant", lambda: vt.tensor.fill_constant([2], "int64", 3), [3, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), [w[1:] for w in WHOLE], ids=[w[0] for w in WHOLE])
def test_values(call: Callable[[], Any], expected: Any) -> None:
    np.testing.assert_allclose(call().numpy(), expected, rtol=2e-6)


CAPTURED: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("special", lambda x: vt.lgamma(x * x + 1) + vt.i0e(x), (X,)),
    ("diagonals", lambda x: vt.diag_embed(vt.diagonal(x, 1)) + vt.trace(x), (X,)),
    ("statistics", lambda x: vt.median(x, 1) + vt.quantile(x, 0.3, 1), (X,)),
    ("running", lambda x: vt.cummax(x, 1)[0] + vt.logcumsumexp(x, 1), (X,)),
    ("arranged", lambda x: vt.rot90(vt.repeat_interleave(x, 2, 0)), (X,)),
    ("consecutive", lambda x: vt.unique_consecutive(x), (np.array([1, 1, 2, 1]),)),
    ("found", lambda x: vt.isin(x, vt.to_tensor([1, 2])), (J,)),
]


@pytest.mark.parametrize(("call", "arrays"), [c[1:] for c in CAPTURED], ids=[c[0] for c in CAPTURED])
def test_a_captured_function_gives_the_same(call: Callable[..., Any], arrays: tuple[Any, ...]) -> None:
    given = [vt.to_tensor(a) for a in arrays]
    np.testing.assert_allclose(vt.jit.to_static(call)(*given).numpy(), call(*given).numpy(), rtol=1e-10)


ZERO_DIM = ["lgamma", "digamma", "i0", "i1", "i0e", "erfinv", "deg2rad", "rad2deg", "sinc", "stanh", "frac", "logit", "nan_to_num", "median", "nanmedian", "quantile1", "nansum", "nanmean", "diagflat", "scale", "cummax1", "kthvalue1", "mode1"]  # fmt: skip


@pytest.mark.parametrize("name", ZERO_DIM)
def test_zero_dim_tensors(name: str) -> None:
    x = vt.to_tensor(0.5, stop_gradient=False)
    calls: dict[str, Callable[[], Any]] = {
        "quantile1": lambda: vt.quantile(x, 0.5),
        "cummax1": lambda: vt.cummax(x)[0],
        "kthvalue1": lambda: vt.kthvalue(x, 1)[0],
        "mode1": lambda: vt.mode(x)[0],
    }
    out = calls[name]() if name in calls else getattr(vt, name)(x)
    assert out.shape == ([1, 1] if name == "diagflat" else [])
    out.sum().backward()
    assert x.grad.shape == []


ERRORS: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    (KindError, "row and col", lambda: vt.tril_indices(4, -1)),
    (KindError, "offset must be an int", lambda: vt.triu_indices(4, 4, 2.5)),
    (ArgumentError, "'ij' or 'xy'", lambda: vt.meshgrid(vt.ones([2]), indexing="yx")),
    (ArgumentError, "k must be", lambda: vt.kthvalue(vt.to_tensor(X), 9)),
    (ArgumentError, "from 0 to 1", lambda: vt.quantile(vt.to_tensor(X), 1.5)),
    (ArgumentError, "mode must be", lambda: vt.median(vt.to_tensor(X), mode="max")),
    (ArgumentError, "bins", lambda: vt.histogram(vt.to_tensor(X), 0)),
    (ArgumentError, "integers from 0", lambda: vt.bincount(vt.to_tensor([-1]))),
    (ArgumentError, "n must be", lambda: vt.polygamma(vt.to_tensor(X), -1)),
    (ArgumentError, "axis1 and axis2", lambda: vt.diagonal(vt.to_tensor(X), 0, 1, 1)),
    (ShapeError, "size 3", lambda: vt.cross(vt.zeros([2, 2]), vt.zeros([2, 2]))),
    (ShapeError, "matrix", lambda: vt.diag(vt.zeros([2, 2, 2]))),
    (ShapeError, "repeats", lambda: vt.repeat_interleave(vt.to_tensor(X), vt.to_tensor([1, 2]), 0)),
    (DTypeError, "gcd doesn't take", lambda: vt.gcd(vt.to_tensor(X), vt.to_tensor(X))),
]


@pytest.mark.parametrize(("kind", "message", "call"), ERRORS, ids=[e[1] for e in ERRORS])
def test_errors_name_the_argument(kind: type[Exception], message: str, call: Callable[[], Any]) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_in_place_twins_write_and_are_functions() -> None:
    x = vt.to_tensor([0.25, 4.0])
    assert vt.sqrt_(x) is x
    assert x.tolist() == [0.5, 2.0]
    x.lerp_(vt.zeros([2]), 0.5)
    assert x.tolist() == [0.25, 1.0]


@contextlib.contextmanager
def static_mode() -> Iterator[None]:
    vt.enable_static()
    try:
        yield
    finally:
        vt.disable_static()


def test_numbers_that_are_tensors() -> None:
    """A tensor where a number may stand: eager, compiled and in a static program."""

    def padded(x: Any, value: Any) -> Any:
        return vt.nn.functional.pad(x, [1, 0], value=value)

    def counted(x: Any, least: Any) -> Any:
        return vt.bincount(x, minlength=least)

    for fn, x, number, expected in (
        (padded, np.array([1.0, 2.0], np.float32), np.array([3.0]), [3.0, 1.0, 2.0]),
        (counted, np.array([1, 3, 1]), np.array([6]), [0, 2, 0, 1, 0, 0]),
    ):
        given = vt.to_tensor(x), vt.to_tensor(number)
        assert fn(*given).tolist() == vt.jit.to_static(fn)(*given).tolist() == expected
        with static_mode(), vt.static.program_guard(vt.static.Program()):
            places = [vt.static.data(name, list(a.shape), a.dtype) for name, a in (("x", x), ("number", number))]
            made = fn(*places)
            (found,) = vt.static.Executor().run(feed={"x": x, "number": number}, fetch_list=[made])
        assert found.tolist() == expected


def _edits(a: list[int], b: list[int]) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(_edits(a[1:], b) + 1, _edits(a, b[1:]) + 1, _edits(a[1:], b[1:]) + (a[0] != b[0]))


@pytest.mark.parametrize("compiled", [False, True])
def test_edit_distances_are_the_shortest(compiled: bool) -> None:
    draw = np.random.default_rng(3)
    hyps, refs = draw.integers(0, 3, (12, 5)), draw.integers(0, 3, (12, 4))
    sizes, counts = draw.integers(0, 6, 12), draw.integers(1, 5, 12)
    fn = vt.nn.functional.edit_distance
    fn = vt.jit.to_static(fn) if compiled else fn
    given = [vt.to_tensor(a) for a in (hyps, refs)]
    expected = [_edits(h[:n].tolist(), r[:m].tolist()) for h, r, n, m in zip(hyps, refs, sizes, counts, strict=True)]
    count, found = fn(*given, False, None, vt.to_tensor(sizes), vt.to_tensor(counts))  # PaddlePaddle's order
    assert found[:, 0].tolist() == expected
    assert count.tolist() == [12]
    whole = [_edits(h.tolist(), r.tolist()) / 4 for h, r in zip(hyps, refs, strict=True)]
    assert fn(*given)[1][:, 0].tolist() == whole


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (([[1]], [[1]], True, [0]), ArgumentError, "ignored_tokens"),
        (([[1]], [[1]], True, None, vt.to_tensor([1]), vt.to_tensor([0])), ArgumentError, "length 0"),
        (([[1]], [[1], [2]]), ShapeError, "differ in number"),
        (([1], [[1]]), ShapeError, "needs sequences"),
        (([[1]], [[1]], True, None, vt.to_tensor([2])), AxisError, "edit_distance"),
    ],
)
def test_mistakes_with_edit_distances(given: tuple[Any, ...], kind: type[Exception], message: str) -> None:
    hyps, refs, *rest = given
    with pytest.raises(kind, match=message):
        vt.nn.functional.edit_distance(vt.to_tensor(hyps), vt.to_tensor(refs), *rest)


def test_integers_in_a_gaussian_loss() -> None:
    whole = [np.array([1, 2, 3]), np.array([2, 2, 5]), np.array([1, 2, 4])]
    made = vt.nn.functional.gaussian_nll_loss(*map(vt.to_tensor, whole))
    exact = 0.5 * (np.log(whole[2]) + (whole[0] - whole[1]) ** 2 / whole[2]).mean()
    np.testing.assert_allclose(float(made), exact, rtol=1e-6)


def test_bins_of_a_range_without_extent() -> None:
    assert vt.histogram_bin_edges(vt.to_tensor([0.0, 1.0, 2.0]), 2, 1, 1).tolist() == [0.5, 1.0, 1.5]
    assert vt.histogram(vt.to_tensor([0.0, 1.0, 2.0]), 2, 1, 1).tolist() == [1, 2]


HISTOGRAMS: dict[str, Any] = {
    "bins": lambda x, w: vt.histogram(x, 7),
    "density": lambda x, w: vt.histogram(x, 7, density=True),
    "weights": lambda x, w: vt.histogram(x, 7, weight=w),
    "weighted density": lambda x, w: vt.histogram(x, 7, weight=w, density=True),
    "edges": lambda x, w: vt.histogram_bin_edges(x, 7),
    "computed range": lambda x, w: vt.histogram(x, 7, float(x.min()) - 1, float(x.max()) + 1),
    "half computed": lambda x, w: vt.histogram_bin_edges(x, 7, x.min(), 99.0),
    "range computed as none": lambda x, w: vt.histogram(x, 7, float(x.min() * 0), float(x.max() * 0)),
    "places": lambda x, w: vt.bincount(x.abs().astype("int64"), minlength=int(x.max()) + 3),
}


@pytest.mark.parametrize("name", HISTOGRAMS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_the_range_of_a_histogram_in_a_program(name: str, dtype: str) -> None:
    compiled = vt.to_static(HISTOGRAMS[name])
    for values in (X[0] * 3, X[1] * 3, [2.0] * 4):
        x, w = vt.to_tensor(values).astype(dtype), vt.to_tensor([0.5, 1.0, 2.0, 3.0])
        x.stop_gradient = dtype == "int64"
        found, expected = compiled(x, w), HISTOGRAMS[name](x, w)
        assert (found.dtype, found.stop_gradient) == (expected.dtype, expected.stop_gradient)
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    "fn", [lambda x: vt.histogram(x), lambda x: vt.histogram_bin_edges(x), lambda x: vt.histogram(x, 5, x.max(), 0.0)]
)
def test_bad_ranges_of_histograms_in_programs(fn: Any) -> None:
    for call in (fn, vt.to_static(fn)):
        with pytest.raises(ArgumentError, match=r"isn't finite|max must be at least min"):
            call(vt.to_tensor([1.0, np.inf]))


def test_gradients_of_frexp_and_of_counts() -> None:
    x = vt.to_tensor([1.5, 3.0, 0.25, 0.0, -6.0])
    x.stop_gradient = False
    mantissa, exponent = vt.frexp(x)
    assert vt.grad(mantissa.sum(), [x], retain_graph=True)[0].tolist() == [0.5, 0.25, 2.0, 0.0, 0.125]
    assert vt.grad(exponent.sum(), [x])[0].tolist() == [0.0] * 5
    assert vt.grad(vt.norm(x, p=0), [x])[0].tolist() == [0.0] * 5
    assert vt.norm(x, p=0).item() == 4


@pytest.mark.parametrize("captured", [False, True])
def test_a_gaussian_loss_refuses_negative_variances(captured: bool) -> None:
    def loss(x: vt.Tensor, variance: vt.Tensor) -> vt.Tensor:
        return vt.nn.functional.gaussian_nll_loss(x, x, variance)

    call = vt.to_static(loss) if captured else loss
    x = vt.to_tensor([1.0, 2.0])
    assert float(call(x, vt.to_tensor([1.0, 1.0]))) == 0.0
    with pytest.raises(ValueError, match="variance has elements below 0"):
        call(x, vt.to_tensor([1.0, -1.0]))


def test_a_gaussian_loss_of_a_program_refuses_negative_variances() -> None:
    with vt.static.program_guard(main := vt.static.Program()):
        vt.enable_static()
        try:
            x, variance = vt.static.data("x", [2]), vt.static.data("variance", [2])
            loss = vt.nn.functional.gaussian_nll_loss(x, x, variance)
        finally:
            vt.disable_static()
    one, feed = vt.static.Executor(), {"x": np.ones(2, "float32")}
    assert one.run(main, feed | {"variance": np.ones(2, "float32")}, [loss])[0] == 0.0
    with pytest.raises(ValueError, match="variance has elements below 0"):
        one.run(main, feed | {"variance": -np.ones(2, "float32")}, [loss])


PLANES, KERNEL, PAIR = np.arange(16.0).reshape(1, 1, 4, 4), np.ones((1, 1, 2, 2)), np.array([2, 3])


@pytest.mark.parametrize(
    "call",
    [
        lambda f, x, w, pair: f.max_pool2d(x, pair),
        lambda f, x, w, pair: f.avg_pool2d(x, 2, stride=pair, padding=pair - pair),
        lambda f, x, w, pair: f.adaptive_avg_pool2d(x, pair),
        lambda f, x, w, pair: f.adaptive_max_pool2d(x, pair),
        lambda f, x, w, pair: f.conv2d(x, w, stride=pair),
        lambda f, x, w, pair: f.conv2d(x, w, padding=pair),
        lambda f, x, w, pair: f.conv2d(x, w, dilation=pair),
        lambda f, x, w, pair: f.conv2d_transpose(x, w, stride=pair, padding=pair - 2),
        lambda f, x, w, pair: vt.unsqueeze(x, pair),
        lambda f, x, w, pair: vt.squeeze(x, pair - 2),
        lambda f, x, w, pair: vt.sum(x, pair),
    ],
)
def test_arrays_for_lists_of_numbers(call: Any) -> None:
    class Numbers(list):
        def __sub__(self, other: Any) -> list[int]:
            return [a - b for a, b in zip(self, other if isinstance(other, list) else [other] * 2, strict=True)]

    given = vt.nn.functional, vt.to_tensor(PLANES), vt.to_tensor(KERNEL)
    np.testing.assert_array_equal(call(*given, PAIR).numpy(), call(*given, Numbers([2, 3])).numpy())


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64"])
def test_copysign_keeps_integers(dtype: str) -> None:
    x, y = np.array([1, 0, 3]).astype(dtype), np.array([1, 1, 0]).astype(dtype)
    y = -y if dtype.startswith("int") else y
    made = vt.copysign(vt.to_tensor(x), vt.to_tensor(y))
    np.testing.assert_array_equal(made.numpy(), np.copysign(x, y).astype(dtype), strict=True)
    if dtype.startswith("int"):
        assert vt.copysign(vt.to_tensor(x), -2).numpy().tolist() == [-1, 0, -3]


def test_copysign_of_broadcast_zeros() -> None:
    made = vt.copysign(vt.to_tensor([-0.0, 0.0]), vt.to_tensor([[-1.0, 1.0], [1.0, -1.0]]))
    assert np.signbit(made.numpy()).tolist() == [[True, False], [False, True]]
    assert vt.copysign(vt.to_tensor([1, 2]), vt.to_tensor([[-1], [1]])).tolist() == [[-1, -2], [1, 2]]


def test_copysign_of_floats_of_two_widths() -> None:
    made = vt.copysign(vt.to_tensor([1.0, 2.0]).astype("float16"), vt.to_tensor([-1.0, 1.0]))
    assert made.dtype == vt.float32
    assert made.tolist() == [-1.0, 2.0]


def test_a_list_of_numbers_is_one_tensor_of_at_least_some_axes() -> None:
    assert vt.atleast_1d([1, 2, 3]).tolist() == [1, 2, 3]
    assert vt.atleast_2d([1, 2, 3]).tolist() == [[1, 2, 3]]
    assert [x.tolist() for x in vt.atleast_1d([vt.to_tensor(1), vt.to_tensor([2])])] == [[1], [2]]


def test_index_select_takes_one_axis_of_numbers() -> None:
    x = vt.to_tensor(np.eye(3))
    assert vt.index_select(x, vt.to_tensor([[2], [0]])).shape == [2, 3]
    with pytest.raises(ValueError, match=r"index_select needs an index \[count\]"):
        vt.index_select(x, vt.to_tensor([[0, 1], [2, 1]]))


@pytest.mark.parametrize("p", [3, 3.0, 4.0])
def test_norms_of_odd_and_even_orders(p: float) -> None:
    x = np.random.default_rng(0).standard_normal((4, 5))
    np.testing.assert_allclose(vt.linalg.norm(vt.to_tensor(x), p, 1).numpy(), np.linalg.norm(x, p, 1), rtol=1e-12)


def test_distances_of_many_rows_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    norms = sys.modules["vitrify.ops.matrix_norms"]
    x, y = (np.random.default_rng(k).standard_normal((2, 7, 3)) for k in range(2))
    a, b = vt.to_tensor(x, stop_gradient=False), vt.to_tensor(y)
    whole = vt.cdist(a, b, 3.0)
    (slope,) = vt.grad(whole.sum(), a)
    monkeypatch.setattr(norms, "_MOST_DIFFERENCES", 100)
    parts = vt.cdist(a, b, 3.0)
    np.testing.assert_array_equal(parts.numpy(), whole.numpy())
    np.testing.assert_allclose(vt.grad(parts.sum(), a)[0].numpy(), slope.numpy(), rtol=1e-12)


REFUSED = [
    (lambda x: vt.signal.stft(x, 8, hop_length=0), ValueError, "hop_length"),
    (lambda x: vt.signal.stft(x, 8, win_length=0), ValueError, "win_length"),
    (lambda x: vt.signal.stft(x, 17), ValueError, "n_fft 17 is larger than the signal"),
    (lambda x: vt.signal.istft(vt.signal.stft(x, 8), 8, hop_length=9), ValueError, "leaves gaps"),
    (
        lambda x: vt.signal.istft(vt.signal.stft(x, 8), 8, window=vt.ones([8], "complex64")),
        ValueError,
        "complex window",
    ),
    (lambda x: vt.linalg.multi_dot([12, 12]), TypeError, "list of matrices"),
    (lambda x: vt.masked_select(x, x), TypeError, "mask must be bool, not float32"),
    (lambda x: vt.allclose(x, x, rtol=True), TypeError, "rtol must be a number"),
    (lambda x: vt.isclose(x, x, equal_nan=1), TypeError, "equal_nan must be a bool"),
    (lambda x: vt.argmax(x, dtype="float32"), TypeError, "int32 or int64"),
]


@pytest.mark.parametrize(("call", "kind", "told"), REFUSED, ids=[told for *_, told in REFUSED])
def test_arguments_that_paddle_refuses(call: Any, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        call(vt.ones([16]))


def test_the_exponential_of_a_number_as_a_matrix() -> None:
    x = vt.to_tensor(2.0, stop_gradient=False)
    made = vt.linalg.matrix_exp(x)
    made.backward()
    assert made.shape == [] and float(made) == pytest.approx(np.exp(2.0)) == float(x.grad)


@pytest.mark.parametrize(("equation", "expected"), [
    ("ij->jiji", np.einsum("ij,jk,il->jikl", X[:2, :3], np.eye(3), np.eye(2))),
    ("ij->iii", np.einsum("i,ij,ik->ijk", X[:2, :3].sum(1), np.eye(2), np.eye(2))),
])  # fmt: skip
def test_labels_that_the_result_repeats_lie_on_diagonals(equation: str, expected: np.ndarray) -> None:
    x = vt.to_tensor(X[:2, :3], stop_gradient=False)
    made = vt.einsum(equation, x)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(vt.to_static(lambda v: vt.einsum(equation, v))(x).numpy(), expected, rtol=1e-6)
    made.sum().backward()
    assert x.grad.tolist() == [[1.0] * 3] * 2
