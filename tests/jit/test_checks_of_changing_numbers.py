"""What eager mode checks of a number, and the dtypes it gives, are the same where a run knows the number."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt

_PLACES = [0, 1, 1]


def _outcome(fn: Any, *args: Any) -> Any:
    try:
        made = fn(*args)
    except (ValueError, TypeError) as error:
        return type(error)
    return made.dtype, made.tolist()


def test_the_least_length_of_a_count_is_checked_at_each_call() -> None:
    def count(x: Any, n: int) -> Any:
        return vt.bincount(x, minlength=n)

    compiled = vt.to_static(count)
    for n in (2, 3, 4, 5, -1, 0, -3, 7):
        x = vt.to_tensor(_PLACES)
        assert _outcome(compiled, x, n) == _outcome(count, x, n)
    assert _outcome(compiled, vt.to_tensor(_PLACES), -2) is vt.errors.ArgumentError


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "bool", "float32"])
@pytest.mark.parametrize("start", [0, 3])
def test_sums_of_rows_keep_their_dtype(dtype: str, start: int) -> None:
    def of_tensor(x: Any) -> Any:
        return sum(x, start)

    def of_list(x: Any) -> Any:
        rows = []
        for row in x:
            rows.append(row)  # noqa: PERF402 - a list that the loop fills
        return sum(rows, start)

    for fn in (of_tensor, of_list):
        compiled = vt.to_static(fn)
        for values in ([1, 2, 3], [100, 100, 100], [0, 1, 1, 1, 1]):
            x = vt.to_tensor(values).astype(dtype)
            assert _outcome(compiled, x) == _outcome(fn, x)


@pytest.mark.parametrize("kind", [int, float])
def test_complex_numbers_are_no_real_ones(kind: type) -> None:
    def convert(x: Any) -> Any:
        try:
            return kind(x[0]) + x
        except TypeError:
            return x * 2

    compiled = vt.to_static(convert)
    for value in (1 + 2j, 3 - 1j, 2 + 0j):
        x = vt.to_tensor([value])
        assert compiled(x).tolist() == convert(x).tolist() == [2 * value]
    bare = vt.to_static(lambda x: kind(x[0]))
    with pytest.raises(TypeError, match="complex"):
        bare(vt.to_tensor([1 + 2j]))
