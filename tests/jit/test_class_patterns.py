"""`case int():`, `case float(k)`, `case Tensor()` of numbers that change between calls, sizes, and what runs give."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import Tensor


@dataclass
class Point:
    a: Any
    b: Any


def _of_an_argument(x: Any, n: Any) -> Any:
    match n:
        case bool():
            return x - 1
        case int():
            return x + 1
        case float(k):
            return x * k
    return x


def _of_a_run(x: Any, n: Any) -> Any:
    match int(x.sum()):
        case 6:
            return x
        case int(k):
            return x * k
    return "none"


def _of_a_product(x: Any, n: Any) -> Any:
    match n * 0.5:
        case int():
            return "int"
        case numbers.Real():
            return x * 2
    return "none"


def _of_a_size(x: Any, n: Any) -> Any:
    match x.shape[0], x.shape:
        case (Tensor(), _):
            return "tensor"
        case (int(k), [int(), *_]) if k > 1:
            return x * k
        case (int(), _):
            return x
    return "none"


def _of_tensors(x: Any, n: Any) -> Any:
    found = []
    for value in (x, n, x.sum(), x.shape[0], int(x.sum()), "s", None, [n]):
        match value:
            case Tensor():
                found.append("tensor")
            case bool() | int() | float():
                found.append("number")
            case str():
                found.append("str")
            case [int() | float() as k]:
                found.append(x * k)
            case _:
                found.append("other")
    return found


def _inside(x: Any, n: Any) -> Any:
    match {"k": n, "p": Point(x, n)}:
        case {"k": 2, "p": Point(Tensor(), _)}:
            return x - 1
        case {"k": int(k), "p": Point(Tensor() as t, b=int(m))}:
            return t * k + m
        case {"k": float(k)}:
            return x * k
    return "none"


def _of_arrays(x: Any, n: Any) -> Any:
    match x.numpy() * 2:
        case Tensor():
            return "tensor"
        case np.ndarray():
            return x + 3
    return "none"


@pytest.mark.parametrize(
    "fn",
    [_of_an_argument, _of_a_run, _of_a_product, _of_a_size, _of_tensors, _inside, _of_arrays],
    ids=lambda fn: fn.__name__,
)
def test_a_class_takes_what_stands_for_its_objects(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values, n in (([1.0, 2.0], 2), ([4.0, 2.0], 3), ([1.0], 4), ([1.0, 2.0, 4.0], 5), ([2.0], 0.5), ([2.0], 2.5)):
        assert repr(compiled(vt.to_tensor(values), n)) == repr(fn(vt.to_tensor(values), n))


def test_a_class_of_that_name_of_ones_own() -> None:
    class Real:
        __match_args__ = ("a",)

        def __init__(self, a: Any) -> None:
            self.a = a

    def fn(x: Any, n: Any) -> Any:
        match n:
            case Real(a):
                return x * a
            case _:
                return x

    compiled = vt.to_static(fn)
    for n in (2, 3, Real(4), Real(5)):
        assert compiled(vt.ones([2]), n).tolist() == fn(vt.ones([2]), n).tolist()
