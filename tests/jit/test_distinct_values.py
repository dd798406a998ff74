"""Guards and keys tell apart what Python's `==` doesn't: 1, True and 1.0; 0.0 and -0.0; numbers of NumPy and of Python."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

VALUES: list[Any] = [
    1,
    True,
    1.0,
    "1",
    b"1",
    (1,),
    (True,),
    (1.0,),
    None,
    1 + 0j,
    np.float64(1.0),
    np.int64(1),
    np.float32(1),
]
FLOATS = [0.0, -0.0, math.nan, math.inf, -math.inf, 0, False, 5e-324]


class Level(enum.IntEnum):
    ONE = 1


class Style(enum.Enum):
    A = 1
    B = 2


def x() -> Any:
    return vt.to_tensor([1.0])


def told(value: Any) -> str:
    """What tells the values apart, as Python code would."""
    return f"{type(value).__name__} {value!r}"


def _argument() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: list[Any] = [None]

    @vt.jit.to_static
    def fn(y: Any, value: Any) -> Any:
        return y * 2, told(value)

    return lambda: fn(x(), held[0])[1], lambda value: held.__setitem__(0, value)


def _in_a_list() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: list[Any] = [None]

    @vt.jit.to_static
    def fn(y: Any, values: Any) -> Any:
        return y * 2, told(values[1])

    return lambda: fn(x(), ["a", held[0]])[1], lambda value: held.__setitem__(0, value)


def _key_of_an_argument() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: list[Any] = [None]

    @vt.jit.to_static
    def fn(y: Any, values: Any) -> Any:
        return y * 2, told(next(iter(values)))

    return lambda: fn(x(), {held[0]: 3})[1], lambda value: held.__setitem__(0, value)


def _attribute() -> tuple[Callable[[], str], Callable[[Any], None]]:
    class Owner:
        value: Any = None

    owner = Owner()
    fn = vt.jit.to_static(lambda y: (y * 2, told(owner.value)))
    return lambda: fn(x())[1], lambda value: setattr(owner, "value", value)


def _attribute_of_a_layer() -> tuple[Callable[[], str], Callable[[Any], None]]:
    layer = vt.nn.Layer()
    layer.value = None
    fn = vt.jit.to_static(lambda y: (y * 2, told(layer.value)))
    return lambda: fn(x())[1], lambda value: setattr(layer, "value", value)


def _attribute_of_a_class() -> tuple[Callable[[], str], Callable[[Any], None]]:
    class Owner:
        value: Any = None

    fn = vt.jit.to_static(lambda y: (y * 2, told(Owner.value)))
    return lambda: fn(x())[1], lambda value: setattr(Owner, "value", value)


THE_GLOBAL: Any = None


def _global() -> tuple[Callable[[], str], Callable[[Any], None]]:
    def change(value: Any) -> None:
        global THE_GLOBAL
        THE_GLOBAL = value

    fn = vt.jit.to_static(lambda y: (y * 2, told(THE_GLOBAL)))
    return lambda: fn(x())[1], change


def _closure() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: Any = None

    def change(value: Any) -> None:
        nonlocal held
        held = value

    fn = vt.jit.to_static(lambda y: (y * 2, told(held)))
    return lambda: fn(x())[1], change


def _item() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: dict[str, Any] = {"k": None}
    fn = vt.jit.to_static(lambda y: (y * 2, told(held["k"])))
    return lambda: fn(x())[1], lambda value: held.__setitem__("k", value)


def _place_of_a_list() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: list[Any] = [None, None]
    fn = vt.jit.to_static(lambda y: (y * 2, told(held[1])))
    return lambda: fn(x())[1], lambda value: held.__setitem__(1, value)


def _key() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: dict[Any, Any] = {}

    def change(value: Any) -> None:
        held.clear()
        held[value] = 3

    fn = vt.jit.to_static(lambda y: (y * 2, told(next(iter(held)))))
    return lambda: fn(x())[1], change


def _member() -> tuple[Callable[[], str], Callable[[Any], None]]:
    held: set[Any] = set()

    def change(value: Any) -> None:
        held.clear()
        held.add(value)

    fn = vt.jit.to_static(lambda y: (y * 2, told(next(iter(held)))))
    return lambda: fn(x())[1], change


def _default() -> tuple[Callable[[], str], Callable[[Any], None]]:
    def plain(y: Any, value: Any = None) -> Any:
        return y * 2, told(value)

    fn = vt.jit.to_static(plain)
    return lambda: fn(x())[1], lambda value: setattr(plain, "__defaults__", (value,))


PLACES = [
    _argument, _in_a_list, _key_of_an_argument, _attribute, _attribute_of_a_layer, _attribute_of_a_class, _global,
    _closure, _item, _place_of_a_list, _key, _member, _default,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES, ids=lambda f: f.__name__.removeprefix("_").replace("_", " "))
@pytest.mark.parametrize(
    "values", [VALUES, FLOATS, [Level.ONE, 1, Style.A, Style.B, 1.0]], ids=["ones", "floats", "enums"]
)
def test_equal_values_of_two_kinds_are_told_apart(place: Any, values: list[Any]) -> None:
    call, change = place()
    for value in [*values, *reversed(values), *values[::2]]:
        change(value)
        assert call() == told(value)
        assert call() == told(value)


@pytest.mark.parametrize("first", [0.0, -0.0])
def test_zeros_of_two_signs_are_two_numbers_for_a_program(first: float) -> None:
    holder = vt.nn.Layer()
    holder.zero = first
    fn = vt.jit.to_static(lambda y: vt.full([1], holder.zero) + 0 * y)
    inverse = vt.jit.to_static(lambda y, k: y * k)
    for zero in (first, -first, first, -first):
        holder.zero = zero
        fn(x())
        assert math.copysign(1, inverse(x(), zero).item()) == math.copysign(1, zero)


def test_a_zero_that_changes_its_sign_is_written_back() -> None:
    class Owner:
        zero = 0.0

    owner = Owner()

    @vt.jit.to_static
    def fn(y: Any) -> Any:
        owner.zero = -0.0
        return y

    fn(x())
    assert math.copysign(1, owner.zero) == -1


def test_arrays_that_differ_in_the_sign_of_zero_or_the_dtype_are_told_apart() -> None:
    array = np.zeros(2, np.float32)
    fn = vt.jit.to_static(lambda y: y * float(np.copysign(1, array[0])))
    for sign in (1.0, -1.0, 1.0):
        array[0] = sign * 0.0
        assert fn(x()).item() == sign


def test_equal_objects_are_told_apart_by_what_they_are() -> None:
    class Point:
        def __init__(self, k: float) -> None:
            self.k = k

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Point)

        def __hash__(self) -> int:
            return 1

    fn = vt.jit.to_static(lambda y, p: y * p.k)
    for k in (2.0, 3.0, 2.0):
        assert fn(x(), Point(k)).item() == k
