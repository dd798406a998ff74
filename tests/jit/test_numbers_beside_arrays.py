"""Sizes that change between calls, and other numbers of a run, given to NumPy: arrays and scalars with NumPy's dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

A = np.arange(3) + 1
F = A.astype("float32")


def _shown(value: Any) -> Any:
    return [_shown(v) for v in value] if isinstance(value, (list, tuple)) else (type(value).__name__, repr(value))


def _alike(fn: Callable[[Any], Any], givens: list[Any]) -> int:
    compiled = vt.to_static(fn)
    for given in givens:
        assert _shown(compiled(given)) == _shown(fn(given))
    return compiled.get_traced_count()


OPEN: dict[str, Callable[[Any], Any]] = {
    "integers": lambda n: (A * n, n * A, A + n, n - A, A // n, A % n, A**n, n**A, A / n, n / A),
    "floats": lambda n: (F * n, n * F, F + n, n - F, F // n, F % n, F**n, n**F, F / n, n / F),
    "small integers": lambda n: (A.astype("int8") * n, n + A.astype("int8"), A.astype("int8") / n),
    "scalars": lambda n: (np.float32(2) * n, n * np.float32(2), np.int64(2) ** n, n - np.int64(2), np.float64(2) / n),
    "comparisons": lambda n: (n > A, n < A, n == A, n != A, n >= A),
    "functions": lambda n: (np.sqrt(n), np.square(n), np.maximum(A, n), np.minimum(n, 4), np.power(n, 2), np.isnan(n)),
    "lists": lambda n: (np.prod([n, 2]), np.sum([n, 1]), np.max([n, 4]), np.min([n, 4]), np.mean([n, 4])),
    "lists with floats": lambda n: (np.sum([n, 1.5]), np.max([1.5, n])),
    "a result as a number": lambda n: (int(np.prod([n, 2])), float(np.sqrt(n)), int(np.ceil(n / 2))),
}


@pytest.mark.parametrize("name", OPEN)
def test_one_program_computes_with_all_sizes(name: str) -> None:
    fn = OPEN[name]
    assert _alike(lambda x: fn(x.shape[0]), [vt.ones([k]) for k in (3, 4, 5, 6)]) == 2


@pytest.mark.parametrize("name", OPEN)
def test_numbers_of_a_run_among_arrays(name: str) -> None:
    fn = OPEN[name]
    _alike(lambda t: fn(int(t)), [vt.to_tensor(k) for k in (3, 4)])


@pytest.mark.parametrize("name", OPEN)
def test_numbers_that_change_between_calls_among_arrays(name: str) -> None:
    _alike(OPEN[name], [3, 4, 5])


BOUND: dict[str, Callable[[Any], Any]] = {
    "array": lambda n: (np.array([n, 2]), np.asarray((n, n)), np.array([[n], [1]]), np.array([n / 2])),
    "an item": lambda n: _written(n),
    "full": lambda n: (np.full(2, n), np.full((n, 1), 2.5), np.zeros(n), np.eye(n), np.tile([1, 2], n)),
    "ranges": lambda n: (np.arange(n), np.arange(1, n), np.linspace(0, 1, n), np.repeat([1, 2], n)),
    "where": lambda n: (np.where(A > 1, n, 0), np.where(n < A, A, n), np.clip(A, 0, n)),
    "of lists": lambda n: (np.cumsum([0, n]), np.concatenate([[1], [n]]), np.sort([n, 1]), np.diff([0, n])),
    "scalar types": lambda n: (np.float32(n), np.int64(n), np.int8(n) * 2),
    "in place": lambda n: _in_place(n),
    "beside tensors": lambda n: (vt.to_tensor(np.array([n, 2]) * 2).tolist(), (vt.ones([1]) * np.sqrt(n)).dtype),
}


def _written(n: Any) -> Any:
    made = np.zeros(2)
    made[0] = n
    return made


def _in_place(n: Any) -> Any:
    made = np.ones(3)
    made *= n
    made[1:] += n
    return made


@pytest.mark.parametrize("name", BOUND)
def test_where_numpy_needs_the_number_each_size_has_a_program(name: str) -> None:
    fn = BOUND[name]
    _alike(lambda x: fn(x.shape[0]), [vt.ones([k]) for k in (3, 4, 5)])
    _alike(fn, [3, 4, 5])


def test_array_arguments_beside_floats_are_of_64_bits() -> None:
    def fn(a: Any) -> Any:
        return a * 1.5, 1.5 - a, a > 1.5, np.mean(a), np.sqrt(a), np.multiply(a, 1.5), np.where(a > 1, a, 0.5), a / F

    _alike(fn, [A, A + 1])


def test_elements_come_out_as_numpys_scalars() -> None:
    _alike(lambda x: (x.numpy().mean(), [x.numpy().sum() * 2]), [vt.ones([3]), vt.ones([4])])
    _alike(lambda a: (a[0], a.max(), a.astype("float32")[1]), [A, A + 1])


def test_a_saved_program_gives_numpys_scalars(tmp_path: Any) -> None:
    path = str(tmp_path / "made")
    vt.jit.save(vt.to_static(lambda x: (x * 2, x.numpy().mean())), path, input_spec=[vt.InputSpec([None])])
    loaded = vt.jit.load(path)(vt.to_tensor([1.0, 3.0]))
    assert _shown(loaded[1]) == _shown(np.float32(2.0))


def test_hashes_and_powers_of_sizes_are_pythons() -> None:
    def fn(x: Any) -> Any:
        n, m = x.shape
        return hash((n, 2)), hash((n, (m, "a"))), hash(n), pow(n, m, 7), n**m, 2**n, n**9, hash(frozenset([n, m]))

    _alike(fn, [vt.ones(s) for s in ([3, 2], [4, 5], [6, 7])])


def test_sets_of_sizes_have_pythons_order() -> None:
    def fn(x: Any) -> Any:
        n = x.shape[0]
        held = {n, 3, 17, 9, 24, n * 2}
        listed = [k for k in held]  # noqa: C416 (a loop over it)
        return listed, sorted(held), n in held, list({(n, 1), (3, 2), (n, 5)}), [*{n, 40, 8}], dict.fromkeys({n, 40, 8})

    _alike(fn, [vt.ones([k]) for k in (3, 4, 5, 8, 9)])
