"""Steps over sizes that only a run knows: native where there is work, NumPy's elsewhere, the same errors and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ShapeError
from vitrify.runtime.schedule.growing import native_pieces


def counts(x: Any) -> Any:
    return vt.bincount(x), vt.bincount(x, minlength=7) * 2


def chosen(x: Any) -> Any:
    a = x[x > 0]
    centred = a - a.mean()
    return (centred * centred).sum(), vt.exp(-a), a[:, None] * vt.arange(3, dtype=x.dtype)


def products(x: Any) -> Any:
    rows = vt.reshape(x[x > 0.2], [-1, 1])
    return (rows * vt.ones([1, 4], dtype=x.dtype)).T @ rows


def frequent(x: Any) -> Any:
    found = vt.bincount(x[:-1] * 50 + x[1:])
    value, place = vt.topk(found, 4)
    return value, place // 50


def ranges(x: Any) -> Any:
    found = vt.nonzero(x > 0)[:, 0]
    return vt.cumsum(found, 0), x[found] + vt.cast(found, x.dtype)


def whole(n: int) -> Any:
    return vt.to_tensor(np.random.default_rng(n).integers(0, 40, n))


def floats(n: int) -> Any:
    return vt.to_tensor(np.random.default_rng(n).standard_normal(n))


CASES: list[tuple[Callable[[Any], Any], Callable[[int], Any]]] = [
    (counts, whole), (frequent, whole), (chosen, floats), (products, floats), (ranges, floats),
]  # fmt: skip


def arrays(made: Any) -> list[Any]:
    return [m.numpy() for m in (made if isinstance(made, tuple) else (made,))]


@pytest.mark.parametrize("least", [0, 10**9], ids=["native", "NumPy"])
@pytest.mark.parametrize(("function", "make"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_equals_eager_mode(
    function: Callable[[Any], Any], make: Callable[[int], Any], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the sizes are, in the second call with the same ones too."""
    monkeypatch.setattr(native_pieces, "LEAST_WORK", least)
    compiled = vt.to_static(function)
    for n in (30, 500, 30, 31):
        x = make(n)
        for a, b in zip(arrays(compiled(x)), arrays(function(x)), strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("least", [0, 10**9], ids=["native", "NumPy"])
def test_nothing_chosen(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes may be 0."""
    monkeypatch.setattr(native_pieces, "LEAST_WORK", least)

    def f(x: Any) -> Any:
        a = x[x > 100.0]
        return a * 2, a.sum()

    doubled, total = vt.to_static(f)(floats(40))
    assert doubled.shape == [0]
    assert total.item() == 0


@pytest.mark.parametrize("least", [0, 10**9], ids=["native", "NumPy"])
def test_sizes_that_do_not_fit(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes of two names are compared before native code runs; where they are equal it does."""
    monkeypatch.setattr(native_pieces, "LEAST_WORK", least)

    def f(x: Any, y: Any) -> Any:
        return x[x > 0] * 2 + y[y > 0]

    compiled = vt.to_static(f)
    x = floats(50)
    np.testing.assert_array_equal(compiled(x, x).numpy(), f(x, x).numpy())
    with pytest.raises(ShapeError, match="don't fit"):
        compiled(x, vt.concat([floats(49), vt.ones([9], dtype="float64")])[8:])
    np.testing.assert_array_equal(compiled(x, x).numpy(), f(x, x).numpy())


@pytest.mark.parametrize("least", [0, 10**9], ids=["native", "NumPy"])
def test_index_out_of_range(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is an IndexError with the user's line."""
    monkeypatch.setattr(native_pieces, "LEAST_WORK", least)

    def f(x: Any, places: Any) -> Any:
        return x[x > 0][places] * 2

    compiled = vt.to_static(f)
    places = vt.to_tensor([0, 1])
    assert compiled(floats(50), places).shape == [2]
    with pytest.raises(IndexError):
        compiled(floats(50), vt.to_tensor([0, 49]))
    assert compiled(floats(50), places).shape == [2]


def test_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backward program has pieces, too."""
    monkeypatch.setattr(native_pieces, "LEAST_WORK", 0)

    def f(x: Any) -> Any:
        a = x[x > 0]
        return (a * a * a).sum() + a.max()  # max: of no elements an error, so that the mask stays

    found = []
    for function in (f, vt.to_static(f)):
        x = floats(300)
        x.stop_gradient = False
        function(x).backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)


def test_neighbours_are_one_step() -> None:
    """Steps in a row are joined, and stages show them."""
    compiled = vt.to_static(lambda x: vt.exp(x[x > 0] * x[x <= 0]).max())  # the run sees whether the sizes fit
    x = vt.to_tensor(np.array([1.0, -1.0] * 1000))
    assert compiled(x).item() == vt.exp(x[x > 0] * x[x <= 0]).max().item()
    assert "piece multiply, exp" in compiled.dump("linearised")


@pytest.mark.parametrize("count", [3, 5, 8, 9, 16])
def test_two_selections_of_one_small_tensor_have_their_own_gradients(count):
    """Each adds to zeros of its own, which live as long as the piece: they were read where another value lay."""
    layer = vt.nn.Linear(2, 2)

    def step(x, m):
        p = layer(x)
        loss = p[m].sum() - 2 * p[~m].sum()
        loss.backward()
        return loss

    m = np.arange(count) % 2 == 0
    vt.to_static(step)(vt.ones([count, 2]), vt.to_tensor(m))
    wanted = float(np.where(m, 1.0, -2.0).sum())
    np.testing.assert_allclose(layer.weight.grad.numpy(), np.full((2, 2), wanted), rtol=1e-6)


def test_a_member_that_reads_a_kept_list_by_another_shape_is_in_a_piece_of_its_own() -> None:
    """What a branch keeps for gradients is taken out of a list of the VM: each call wrote it, and read the last one's."""
    vt.seed(3)
    gates, ups, downs = ([vt.nn.Linear(*sizes) for _ in range(2)] for sizes in ((8, 12), (8, 12), (12, 8)))

    def experts(x: Any, weight: Any, mask: Any) -> Any:
        out = vt.zeros_like(x)
        for k in range(2):
            rows = vt.nonzero(mask[k]).flatten()
            if rows.shape[0] == 0:
                continue
            picked = x[rows]
            made = downs[k](vt.nn.functional.silu(gates[k](picked)) * ups[k](picked))
            out = vt.index_add(out, rows, 0, made * weight[rows, 0].unsqueeze(-1))
        return out

    compiled = vt.to_static(experts)
    random = np.random.default_rng(0)
    for share in (1.0, 1.0, 0.5, 0.1, 0.7):
        x, weight = (vt.to_tensor(random.normal(size=(40, n)).astype("f")) for n in (8, 1))
        chosen_rows = (random.random((2, 40)) < share).astype("i8")
        chosen_rows[1] *= share > 0.2  # the second expert has no row once
        mask = vt.to_tensor(chosen_rows)
        gradients = []
        for function in (experts, compiled):
            result = function(x, weight, mask)
            result.square().sum().backward()
            gradients.append((result.numpy(), *(layer.weight.grad for layer in (*gates, *ups, *downs))))
            for layer in (*gates, *ups, *downs):
                layer.clear_gradients()
        for eager, found in zip(*gradients, strict=True):
            assert (eager is None) == (found is None)
            if eager is not None:
                np.testing.assert_allclose(found, eager, rtol=1e-4, atol=1e-5)
