"""C code that can't have an element of a run raises an error of its own: no handler of the user's catches that."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError


def put(x: Any) -> Any:
    y = np.zeros(2)
    try:
        y[0] = x.sum()
    except (ValueError, TypeError):
        y[0] = -1
    return vt.to_tensor(y)


def put_float(x: Any) -> Any:
    y = np.zeros(2)
    try:
        y[0] = float(x[0])
    except Exception:
        return "failed"
    return y.tolist()


def packed(x: Any) -> Any:
    try:
        return struct.pack(">f", x[0])
    except struct.error:
        return "failed"


def filled(x: Any) -> Any:
    y = np.zeros(2)
    try:
        y.fill(x[0])
    except ValueError:
        return "failed"
    return y.tolist()


def unguarded(x: Any) -> Any:
    y = np.zeros(2)
    y[0] = x[0]
    return y


def packed_into(x: Any) -> Any:
    held = np.zeros(4, np.uint8)
    try:
        struct.pack_into(">f", held, 0, x[0])
    except struct.error:
        return "failed"
    return held


@pytest.mark.parametrize("function", [packed, packed_into])
def test_a_refusal_that_c_code_hides_is_raised(function: Callable[[Any], Any]) -> None:
    with pytest.raises(CaptureError, match="only a run of the program knows"):
        vt.to_static(function)(vt.to_tensor([2.0, 3.0]))


@pytest.mark.parametrize("function", [put, put_float, filled, unguarded])
def test_what_arrays_refuse_is_no_error_of_the_program(function: Callable[[Any], Any]) -> None:
    """They are arrays of the run in another attempt (see test_filled_arrays.py)."""
    x = vt.to_tensor([2.0, 3.0])
    found, expected = vt.to_static(function)(x), function(x)
    assert type(found) is type(expected)
    assert np.asarray(found).tolist() == np.asarray(expected).tolist()


def test_errors_that_c_code_raises_of_itself_are_caught() -> None:
    @vt.to_static
    def tried(x: Any) -> Any:
        y = np.zeros(2)
        try:
            y[5] = 1.0
        except IndexError:
            return x + 1
        return x

    assert tried(vt.ones([2])).tolist() == [2.0, 2.0]
