"""Values that Python takes for equal but that mean something else, in every place that a program takes for granted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import vitrify as vt

VALUES: list[Any] = [
    1, True, 1.0, 1 + 0j, 1 - 0j, 0, False, 0.0, -0.0, float("nan"), (1,), (True,), (1.0,), (0.0,), (-0.0,), "1", b"1",
    frozenset({1}), frozenset({True}), frozenset({(1,)}), frozenset({(True,)}), None,
]  # fmt: skip
GLOBAL: Any = None
Place = tuple[Callable[..., Any], Callable[[Any], None]]


def shown(value: Any) -> Any:
    """A value with the types of all that is in it."""
    inside = list(value) if isinstance(value, (tuple, list, set, frozenset, dict)) else []
    return type(value).__name__, [shown(v) for v in inside] or repr(value)


class Box:
    v: Any = None


def in_an_attribute() -> Place:
    box = Box()
    return lambda x: (x * 2.0, shown(box.v)), lambda v: setattr(box, "v", v)


def in_a_class() -> Place:
    class Kind(Box):
        v = None

    return lambda x: (x * 2.0, shown(Kind.v)), lambda v: setattr(Kind, "v", v)


def in_a_layer() -> Place:
    layer = vt.nn.Linear(2, 2)
    layer.v = None
    return lambda x: (x * 2.0, shown(layer.v)), lambda v: setattr(layer, "v", v)


def in_a_dict() -> Place:
    table: dict[str, Any] = {"v": None}
    return lambda x: (x * 2.0, shown(table["v"])), lambda v: table.__setitem__("v", v)


def in_a_list() -> Place:
    items: list[Any] = [None]
    return lambda x: (x * 2.0, shown(items[0])), lambda v: items.__setitem__(0, v)


def in_a_closure() -> Place:
    cell: Any = None

    def put(value: Any) -> None:
        nonlocal cell
        cell = value

    return lambda x: (x * 2.0, shown(cell)), put


def in_a_global() -> Place:
    return lambda x: (x * 2.0, shown(GLOBAL)), lambda v: globals().__setitem__("GLOBAL", v)


def in_a_set() -> Place:
    members: set[Any] = set()

    def put(value: Any) -> None:
        members.clear()
        members.add(value)

    return lambda x: (x * 2.0, shown(members)), put


def as_a_key() -> Place:
    table: dict[Any, int] = {}

    def put(value: Any) -> None:
        table.clear()
        table[value] = 1

    return lambda x: (x * 2.0, shown(table)), put


def as_a_default() -> Place:
    def fn(x: Any, v: Any = None) -> Any:
        return x * 2.0, shown(v)

    return fn, lambda v: setattr(fn, "__defaults__", (v,))


def deep_inside() -> Place:
    box = Box()
    nested = {"a": [(box,)]}
    return lambda x: (x * 2.0, shown(nested["a"][0][0].v)), lambda v: setattr(box, "v", v)


PLACES = (
    in_an_attribute, in_a_class, in_a_layer, in_a_dict, in_a_list, in_a_closure, in_a_global, in_a_set, as_a_key,
    as_a_default, deep_inside,
)  # fmt: skip


@contextmanager
def no_warnings() -> Iterator[None]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of being traced often
        yield


@pytest.mark.parametrize("place", PLACES, ids=lambda p: p.__name__)
def test_a_program_for_one_is_not_used_for_the_other(place: Callable[[], Place]) -> None:
    """Each value after each other one, so that some program is at hand that was made for an equal value."""
    fn, put = place()
    compiled, x = vt.to_static(fn), vt.to_tensor([1.0, 2.0])
    with no_warnings():
        for value in (*VALUES, *VALUES[::-1], *VALUES):
            put(value)
            assert compiled(x)[1] == shown_now(fn, x), repr(value)


def shown_now(fn: Callable[..., Any], x: Any) -> Any:
    return fn(x)[1]


def test_arguments_too() -> None:
    def fn(x: Any, v: Any) -> Any:
        return x * 2.0, shown(v)

    compiled, x = vt.to_static(fn), vt.to_tensor([1.0, 2.0])
    with no_warnings():
        for value in (*VALUES, *VALUES[::-1]):
            assert compiled(x, value)[1] == fn(x, value)[1], repr(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [([0.0], [-0.0]), ([1], [1.0]), ([1], [True]), ([0.0, 0.0], [0, 0]), ([1.0, 2.0], [[1.0, 2.0]])],
    ids=["sign", "float", "bool", "dtype", "shape"],
)
def test_arrays_too(one: list[Any], other: list[Any]) -> None:
    arrays = {"a": np.array(one)}

    def fn(x: Any) -> Any:
        return x + vt.to_tensor(arrays["a"]), 1.0 / (vt.to_tensor(arrays["a"]).astype("float32") * x)

    compiled, x = vt.to_static(fn), vt.to_tensor([1.0, 2.0])
    for array in (one, other, one):
        arrays["a"] = np.array(array)
        for found, expected in zip(compiled(x), fn(x), strict=True):
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_an_array_that_is_changed_in_place() -> None:
    array = np.array([0.0, 0.0])
    compiled, x = vt.to_static(lambda x: x / vt.to_tensor(array)), vt.to_tensor([1.0, 2.0], "float64")
    assert np.all(compiled(x).numpy() == np.inf)
    array *= -1.0
    assert np.all(compiled(x).numpy() == -np.inf)


def test_numbers_in_a_program_keep_their_sign() -> None:
    """`x / -0.0` beside `x / 0.0`: two constants, and not one."""
    compiled = vt.to_static(lambda x: (x / 0.0, x / -0.0, x * True, x * 1))
    x = vt.to_tensor([1.0, -0.0])
    with np.errstate(all="ignore"):
        for found, expected in zip(compiled(x), (x / 0.0, x / -0.0, x * 1, x * 1), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected.numpy())
            zero = expected.numpy() == 0
            np.testing.assert_array_equal(np.signbit(found.numpy())[zero], np.signbit(expected.numpy())[zero])


def test_a_defaultdict_with_another_factory_is_another_argument() -> None:
    def looked_up(x: vt.Tensor, table: defaultdict[str, int]) -> vt.Tensor:
        return x + table["n"]

    compiled, x, five = vt.to_static(looked_up), vt.to_tensor([1.0]), lambda: 5
    for factory, wanted in [(int, 1.0)] * 3 + [(five, 6.0)] * 2 + [(int, 1.0)]:
        table = defaultdict(factory, k=1)
        assert compiled(x, table).item() == wanted
        assert set(table) == {"k", "n"}
