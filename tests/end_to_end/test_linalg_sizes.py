"""Linear algebra, transforms and dtypes compiled once for unknown sizes: equal to eager mode at every size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

Sizes = list[tuple[tuple[int, ...], ...]]
N = None

CASES: list[tuple[str, Any, list[list[int | None]], Sizes]] = [
    ("attention", lambda q, k: vt.einsum("bqhd,bkhd->bhqk", q, k), [[N, N, 2, 4], [N, N, 2, 4]], [((2, 3, 2, 4), (2, 5, 2, 4)), ((1, 4, 2, 4), (1, 4, 2, 4))]),
    ("chain", lambda a, b, c: vt.einsum("ij,jk,kl->il", a, b, c), [[N, N], [N, 3], [3, N]], [((2, 5), (5, 3), (3, 4)), ((1, 2), (2, 3), (3, 7))]),
    ("diagonal", lambda a: vt.einsum("ii->i", a), [[N, N]], [((4, 4),), ((2, 2),)]),
    ("qr", lambda a: vt.linalg.qr(a)[1], [[N, 3]], [((5, 3),), ((4, 3),)]),
    ("svdvals", vt.linalg.svdvals, [[N, 3]], [((5, 3),), ((2, 3),)]),
    ("inv", lambda a: vt.linalg.inv(a @ a.T + vt.eye(3)), [[3, N]], [((3, 5),), ((3, 2),)]),
    ("lu", lambda a: vt.linalg.lu(a)[0], [[N, 3]], [((4, 3),), ((6, 3),)]),
    ("lstsq", lambda a, b: vt.linalg.lstsq(a, b)[0], [[N, 3], [N, 2]], [((6, 3), (6, 2)), ((4, 3), (4, 2))]),
    ("cdist", vt.cdist, [[N, 3], [N, 3]], [((2, 3), (4, 3)), ((5, 3), (1, 3))]),
    ("cov", vt.linalg.cov, [[3, N]], [((3, 7),), ((3, 4),)]),
    ("rfft", lambda a: vt.abs(vt.fft.rfft(a)), [[N, N]], [((2, 6),), ((3, 9),)]),
    ("stft", lambda a: vt.abs(vt.signal.stft(a, 8, 2)), [[N, N]], [((2, 30),), ((3, 41),)]),
    ("frame", lambda a: vt.signal.frame(a, 4, 2), [[N]], [((12,),), ((11,),)]),
    ("complex", lambda a: vt.abs(vt.exp(vt.complex(a, a) * 0.5j)), [[N, 5]], [((3, 5),), ((1, 5),)]),
    ("bfloat16", lambda a: (a.astype("bfloat16") * 2).astype("float32"), [[N, 5]], [((3, 5),), ((1, 5),)]),
]  # fmt: skip


@pytest.mark.needs("ml_dtypes")
@pytest.mark.parametrize(("fn", "specs", "sizes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_one_program_for_all_sizes(fn: Any, specs: list[list[int | None]], sizes: Sizes) -> None:
    compiled = vt.to_static(fn, input_spec=[vt.InputSpec(s, "float32") for s in specs])
    for shapes in sizes:
        arrays = [np.random.default_rng(k).normal(size=s).astype("float32") for k, s in enumerate(shapes)]
        made, expected = compiled(*map(vt.to_tensor, arrays)), fn(*map(vt.to_tensor, arrays))
        np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=2e-3, atol=2e-4)


L = vt.linalg
GRADIENTS: dict[str, Any] = {
    "qr": lambda x: sum(part.abs().sum() for part in L.qr(x)),
    "qr, complete": lambda x: L.qr(x, "complete")[1].abs().sum(),
    "svd, full": lambda x: L.svd(x, full_matrices=True)[1].sum(),
    "svd, full, vectors": lambda x: L.svd(x, full_matrices=True)[0].abs().sum(),
    "lu": lambda x: L.lu(x)[0].abs().sum(),
    "pinv": lambda x: L.pinv(x).sum(),
    "lstsq": lambda x: L.lstsq(x, vt.ones([x.shape[0], 2]))[0].sum(),
}


def _with_gradient(fn: Any, size: tuple[int, int]) -> list[Any]:
    x = vt.to_tensor(np.random.default_rng(3).normal(size=size), stop_gradient=False)
    try:
        y = fn(x)
        y.backward()
    except vt.errors.GradientError as error:
        return [error.message]
    assert x.grad is not None
    return [y.numpy(), x.grad.numpy()]


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_tall_wide_and_square_matrices(name: str) -> None:
    """Each size in turn: the programs in between have open sizes, and assume which of both is larger."""
    fn = GRADIENTS[name]
    compiled = vt.to_static(fn)
    for size in ((2, 4), (7, 4), (1, 4), (4, 4), (4, 7)):
        made, expected = _with_gradient(compiled, size), _with_gradient(fn, size)
        assert len(made) == len(expected), (size, made, expected)
        for m, e in zip(made, expected, strict=True):
            if isinstance(e, str):
                assert m == e
            else:
                np.testing.assert_allclose(m, e, rtol=1e-6, atol=1e-8, err_msg=str(size))


def test_gradients_of_matrices_with_as_many_rows_as_a_run_finds() -> None:
    def fn(x: Any) -> Any:
        return L.lu(x[x[:, 0] > 0])[0].abs().sum()

    x = np.random.default_rng(0).normal(size=(8, 4))
    x[:, 0] = [1, 2, 3, 4, 5, -1, 6, -1]
    a, b = (vt.to_tensor(x, stop_gradient=False) for _ in range(2))
    vt.to_static(fn)(a).backward()
    fn(b).backward()
    np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-6)  # type: ignore[union-attr]
