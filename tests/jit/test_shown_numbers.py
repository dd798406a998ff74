"""Python numbers that change between calls, where compiled code shows them: Python's doubles, in Python's widths."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def products(x: Any, n: int) -> Any:
    print(n * 0.1, 0.1 / n, [n - 0.1], {"a": n**0.5})
    print(x.shape[0] * 0.1, int(x.sum()) * 0.1, float(x.sum()) / 3)
    return x


def widths(x: Any, n: int) -> Any:
    total, product = str(int(x.sum())), str(n * 0.1)
    print(f"{total:>8}|{product:<25}|{n!r:^7}|{n!s:>4}")
    print("%-9s|" % total, "%8s|%r" % (str(n), n))  # noqa: UP031 (one of the ways)
    return x


@pytest.mark.parametrize("fn", [products, widths])
def test_as_in_eager_mode(fn: Any, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(fn)
    for n in (3, 6, 7, 12):
        x = vt.ones([n])
        fn(x, n)
        eager = capsys.readouterr().out
        compiled(x, n)
        assert capsys.readouterr().out == eager


class Table:
    """A method that remembers its results."""

    @functools.lru_cache(None)  # noqa: B019 (a user's)
    def of(self, k: int) -> int:
        return k * 2


def test_a_method_under_lru_cache() -> None:
    table = Table()

    def f(x: Any) -> Any:
        return x * table.of(3)

    compiled = vt.to_static(f)
    for k in (1.0, 2.0, 3.0):
        assert compiled(vt.full([2], k)).tolist() == f(vt.full([2], k)).tolist()


class Ordered:
    """Objects with an order, which can be iterated over."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Any:
        return iter(range(self.n))

    def __lt__(self, other: Any) -> bool:
        return bool(self.n < other.n)


def test_the_least_of_objects_that_can_be_iterated_over() -> None:
    def run(decorate: Any) -> Any:
        m = Ordered(1)

        def f(x: Any) -> Any:
            m.n += 1
            return x * min(m, Ordered(3)).n

        compiled = decorate(f)
        return [compiled(vt.ones([1])).tolist() for _ in range(4)]

    assert run(vt.to_static) == run(lambda f: f)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_digamma_close_to_its_poles(dtype: str) -> None:
    x = vt.to_tensor(np.array([-1e-30, -1e-18, -1e-10, 1e-30], dtype))
    np.testing.assert_allclose(vt.digamma(x).numpy(), -1.0 / x.numpy(), rtol=1e-6)


def test_thresholded_relu_keeps_nan() -> None:
    def f(x: Any) -> Any:
        return vt.nn.functional.thresholded_relu(x)

    x = vt.to_tensor([np.nan, np.inf, -np.inf, -0.0, 1.0, 2.0])
    want = [np.nan, np.inf, 0.0, 0.0, 0.0, 2.0]
    np.testing.assert_array_equal(f(x).numpy(), want)
    np.testing.assert_array_equal(vt.to_static(f)(x).numpy(), want)


def test_widths_and_precisions_that_change_between_calls(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(x: Any, width: int) -> Any:
        print(f"{x.sum().item():{width}.{width - 5}f}|{width:>{width}}|")
        return f"{width:0{width}d}", x

    compiled = vt.to_static(shown)
    for width in (6, 7, 8, 9):
        assert compiled(vt.ones([1]), width)[0] == shown(vt.ones([1]), width)[0]
        first, second = capsys.readouterr().out.splitlines()
        assert first == second
