"""NumPy arrays that share memory, or that a handler of errors stands around: as in plain Python, or refused."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _both(a: Any, b: Any) -> Any:
    a[0] = 9
    b += 1
    return vt.to_tensor(a) + vt.to_tensor(b)


def _in_a_dict(a: Any, b: Any) -> Any:
    d = {"a": a, "b": b}
    d["a"] += 1
    return vt.to_tensor(d["b"]) * 2


@pytest.mark.parametrize("fn", [_both, _in_a_dict])
def test_one_array_twice_is_one_memory(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for is_one in (True, False, True, True, False):
        ours, theirs = ((a, a if is_one else a * 2) for a in (np.arange(3.0), np.arange(3.0)))
        np.testing.assert_array_equal(compiled(*ours).numpy(), fn(*theirs).numpy())
        np.testing.assert_array_equal(ours, theirs)


def test_one_array_twice_in_containers_is_one_memory() -> None:
    @vt.to_static
    def f(d: Any, x: Any) -> Any:
        d["a"] += 1
        return x + vt.to_tensor(d["b"][0])

    array = np.zeros(2)
    for k in (1.0, 2.0):
        assert f({"a": array, "b": [array]}, vt.to_tensor(np.zeros(2))).tolist() == [k, k]


def _overlapping(whole: Any) -> list[tuple[Any, Any]]:
    return [(whole, whole[1:]), (whole[:3], whole[2:]), (whole, whole[:]), (whole, vt.utils.dlpack.from_dlpack(whole))]


@pytest.mark.parametrize("number", range(4))
def test_arrays_that_overlap_are_refused_before_anything_is_written(number: int) -> None:
    @vt.to_static
    def f(a: Any, b: Any) -> Any:
        a += 1
        return b * 2

    f(np.zeros(2), np.zeros(2))
    whole = np.arange(5.0)
    for _ in range(2):
        with pytest.raises(
            vt.errors.ArgumentError, match=r"the array argument a, .* memory in common with the argument b"
        ):
            f(*_overlapping(whole)[number])
    assert whole.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_arrays_that_overlap_are_taken_where_neither_is_written() -> None:
    @vt.to_static
    def f(a: Any, b: Any) -> Any:
        return vt.to_tensor(a).sum() + vt.to_tensor(b).sum()

    whole = np.arange(5.0)
    assert [f(a, b).item() for a, b in _overlapping(whole)] == [20.0, 12.0, 20.0, 20.0]


def test_columns_of_one_array_do_not_overlap() -> None:
    @vt.to_static
    def f(a: Any, b: Any) -> Any:
        a += 1
        b *= 2
        return vt.to_tensor(a)

    whole = np.ones((3, 4))
    f(whole[:, ::2], whole[:, 1::2])
    assert whole.tolist() == [[2.0, 2.0, 2.0, 2.0]] * 3


def test_an_array_whose_elements_share_memory_is_not_written() -> None:
    @vt.to_static
    def f(a: Any) -> Any:
        a += 1
        return vt.to_tensor(a)

    array = np.lib.stride_tricks.as_strided(np.zeros(3), (3, 3), (0, 8))
    with pytest.raises(vt.errors.ArgumentError, match="elements that share memory"):
        f(array)


def test_an_array_that_the_function_also_has_from_outside_is_not_written() -> None:
    outside = np.ones(3)

    @vt.to_static
    def f(a: Any, x: Any) -> Any:
        a[0] = 5
        return x + outside

    x = vt.to_tensor(np.zeros(3))
    assert f(np.zeros(3), x).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(vt.errors.ArgumentError, match="with an array that the function has from outside"):
        f(outside, x)
    assert outside.tolist() == [1.0, 1.0, 1.0]


def test_a_read_only_array_fails_only_where_it_is_written() -> None:
    @vt.to_static
    def f(a: Any, x: Any) -> Any:
        if x.sum() > 0:
            a += 1
        return x + vt.to_tensor(a)

    array = np.zeros(2)
    array.flags.writeable = False
    assert f(array, vt.to_tensor(np.array([-1.0, 0.0]))).tolist() == [-1.0, 0.0]
    with pytest.raises(ValueError, match="read-only"):
        f(array, vt.to_tensor(np.array([1.0, 0.0])))


def _mapped(path: Path) -> Any:
    made = np.memmap(path / "elements", dtype=np.float64, mode="w+", shape=(3,))
    made[:] = [2.0, 1.0, 4.0]
    return made


def test_an_array_of_a_mapped_file_is_written(tmp_path: Path) -> None:
    @vt.to_static
    def f(a: Any) -> Any:
        a[0] = 7
        a += 1
        return vt.to_tensor(a)

    mapped = _mapped(tmp_path)
    assert f(mapped).tolist() == [8.0, 2.0, 5.0]
    assert f(mapped).tolist() == [8.0, 3.0, 6.0]
    assert mapped.tolist() == [8.0, 3.0, 6.0]
    assert f(np.zeros(3)).tolist() == [8.0, 1.0, 1.0]
    assert f.get_traced_count() == 1


def test_mapped_and_borrowed_memory_from_outside_is_not_written(tmp_path: Path) -> None:
    for outside in (_mapped(tmp_path), np.frombuffer(bytearray(24)), np.asarray((ctypes.c_double * 3)())):

        @vt.to_static
        def f(x: Any) -> Any:
            outside[0] = 5  # noqa: B023
            return x

        before = outside.tolist()
        with pytest.raises(vt.errors.CaptureError, match="an array that isn't an argument is written"):
            f(vt.to_tensor([1.0]))
        assert outside.tolist() == before
        outside[0] = 3  # the caller may write it again


@pytest.mark.parametrize("made", [np.zeros((1, 1)).view(np.matrix), np.ma.masked_array([1.0, 2.0], [0, 1])])
def test_arrays_with_another_arithmetic_are_refused(made: Any) -> None:
    with pytest.raises(vt.errors.KindError, match=f"an argument is a NumPy {type(made).__name__}"):
        vt.to_static(lambda a: a * a)(made)


OUTSIDE = np.zeros(3)


def _caught(x: Any) -> Any:
    try:
        OUTSIDE[0] = 1
    except ValueError:
        return x * 0
    return x


def _caught_by_any(x: Any) -> Any:
    y = x
    try:
        if x.sum() > 0:
            OUTSIDE[0] = 1
    except:  # noqa: E722
        y = x * 0
    finally:
        y = y + 1
    return y


def _suppressed(x: Any) -> Any:
    with contextlib.suppress(ValueError):
        OUTSIDE[0] = 1
        return x
    return x * 0


def _within_a_helper(x: Any) -> Any:
    try:
        return _suppressed(x)
    except Exception as error:
        return x * len(error.args)


@pytest.mark.parametrize("fn", [_caught, _caught_by_any, _suppressed, _within_a_helper])
def test_no_handler_of_the_users_ends_a_refusal(fn: Callable[..., Any]) -> None:
    with pytest.raises(vt.errors.CaptureError, match="an array that isn't an argument is written") as caught:
        vt.to_static(fn)(vt.to_tensor([1.0]))
    assert "OUTSIDE[0] = 1" in str(caught.value)
    assert not OUTSIDE.any()


def test_no_handler_of_the_users_ends_another_refusal() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        try:
            y = np.linalg.det(x.numpy())
        except RuntimeError:
            y = 0.0
        return x + y

    with pytest.raises(vt.errors.CaptureError, match=r"numpy\(\) of a tensor"):
        f(vt.to_tensor(np.eye(2)))


def test_handlers_see_the_errors_that_plain_python_has() -> None:
    @vt.to_static
    def f(x: Any, fails: bool) -> Any:
        try:
            with contextlib.suppress(KeyError):
                {}["nothing"]
            if fails:
                raise ValueError("read-only")
        except ValueError as error:
            return x * len(str(error))
        return x

    x = vt.to_tensor([2.0])
    assert f(x, True).item() == 18.0
    assert f(x, False).item() == 2.0
