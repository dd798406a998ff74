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
