"""Python's arithmetic on sizes that an InputSpec leaves open, and bounds of tables made of them: as in eager mode."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError, ShapeError
from vitrify.static import InputSpec

SIZES = (1, 2, 3, 5, 8, 13)
WORK: dict[str, Callable[[Any], Any]] = {
    "the last bit": lambda n: n & 1,
    "some bits": lambda n: (n & 6) + (7 & n),
    "or": lambda n: (n | 8) + (4 | n),
    "xor": lambda n: (n ^ 3) * 10 + (5 ^ n),
    "shifts": lambda n: (n >> 1) * 100 + (n << 2),
    "shifts by it": lambda n: (1 << n) + (100 >> n),
    "signs": lambda n: ~n + +n,
    "divmod": lambda n: divmod(n, 3)[0] + divmod(17, n)[1],
    "floats": lambda n: 2.5 // n + 7.5 % n,
    "pow": lambda n: pow(n, 2, 5),
    "parts": lambda n: n.real + n.imag + n.numerator * n.denominator + n.conjugate() + n.as_integer_ratio()[0],
    "rounded": lambda n: round(n) + round(n, 2) + round(n / 2),
    "math": lambda n: math.gcd(n, 6) + math.ceil(n / 2) + math.floor(n / 3) + math.log2(n),
}
NEEDED: dict[str, Callable[[Any], Any]] = {
    "bit_length": lambda n: n.bit_length(),
    "bit_count": lambda n: n.bit_count(),
    "isqrt": math.isqrt,
    "comb": lambda n: math.comb(n, 2),
    "a power modulo": lambda n: pow(3, n, 7),
    "rounded to tens": lambda n: round(n, -1),
}


def of_size(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: x.sum() * 0 + fn(x.shape[0])


@pytest.mark.parametrize("name", WORK)
def test_numbers_made_of_an_open_size(name: str) -> None:
    fn = of_size(WORK[name])
    static = vt.jit.to_static(fn, input_spec=[InputSpec([None, 2])])
    for n in SIZES:
        assert static(vt.ones([n, 2])).item() == pytest.approx(fn(vt.ones([n, 2])).item(), rel=1e-6)


@pytest.mark.parametrize("name", NEEDED)
def test_where_python_needs_the_number_the_error_has_the_line(name: str, tmp_path: Path) -> None:
    fn = NEEDED[name]

    def take(x: Any) -> Any:
        n = x.shape[0]
        return x * fn(n)

    with pytest.raises(CaptureError, match=r"test_open_numbers\.py"):
        vt.jit.save(take, str(tmp_path / "saved"), [InputSpec([None, 2])])
    assert vt.jit.to_static(take)(vt.ones([3, 2])).tolist() == take(vt.ones([3, 2])).tolist()


def test_plus_of_a_number_that_a_tensor_gives() -> None:
    assert vt.jit.to_static(lambda x: x + +int(x[0]))(vt.ones([1])).item() == 2.0


TABLE = np.arange(40, dtype="float32").reshape(10, 4)
PIECES: dict[str, Callable[[Any, Any], Any]] = {
    "the last": lambda t, m: t[-m:],
    "from ten": lambda t, m: t[10 - m :],
    "the first": lambda t, m: t[:m],
    "all but the last": lambda t, m: t[:-m],
    "between": lambda t, m: t[m - 2 : m + 2],
    "backwards": lambda t, m: t[m::-1],
    "strided": lambda t, m: t[-m::2],
}


@pytest.mark.parametrize("name", PIECES)
def test_pieces_of_a_table_with_an_open_bound(name: str) -> None:
    cut, table = PIECES[name], vt.to_tensor(TABLE)

    def fn(x: Any) -> Any:
        return cut(table, x.shape[0])

    static = vt.jit.to_static(fn, input_spec=[InputSpec([None])])
    for m in (0, 1, 2, 3, 7, 9, 10, 11, 13):
        assert static(vt.ones([m])).tolist() == fn(vt.ones([m])).tolist(), m


@pytest.mark.parametrize("name", ["the last", "from ten", "the first"])
def test_positions_of_a_table_are_added(name: str) -> None:
    cut, table = PIECES[name], vt.to_tensor(TABLE)

    def fn(x: Any) -> Any:
        return x + cut(table, x.shape[1])

    static = vt.jit.to_static(fn, input_spec=[InputSpec([None, None, 4])])
    for m in (1, 5, 9, 10):
        x = vt.ones([2, m, 4])
        assert static(x).tolist() == fn(x).tolist()
    with pytest.raises(ShapeError, match="don't broadcast"):
        static(vt.ones([2, 12, 4]))


def test_a_list_of_places_holds_open_sizes() -> None:
    def fn(x: Any) -> Any:
        return x[[0, x.shape[0] - 1]]

    static = vt.jit.to_static(fn, input_spec=[InputSpec([None, 2])])
    for n in (1, 2, 6):
        x = vt.to_tensor(np.arange(2.0 * n).reshape(n, 2))
        assert static(x).tolist() == fn(x).tolist()
