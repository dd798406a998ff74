"""`count`, `index` and `remove` of lists and tuples whose elements, or the value that is looked for, only a run knows."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify.jit import to_static


def searched(x: Any, y: Any) -> Any:
    items = [y, x, y, x]
    return items.count(x), items.index(x), (x, *items).count(x), items.index(x, 2), items.index(y, -3, -1)


@pytest.mark.parametrize(("a", "b"), [(1, 2), (2, 1), (3, 3)])
@pytest.mark.parametrize("dtype", ["int64", "float32", "bool"])
def test_as_in_eager_mode(a: int, b: int, dtype: str) -> None:
    compiled = to_static(searched)
    for x, y in ((a, b), (b, a)):
        given = vt.to_tensor(x, dtype), vt.to_tensor(y, dtype)
        assert [int(n) for n in compiled(*given)] == list(searched(*given))


def test_nan_is_found_by_identity_only() -> None:
    def same(x: Any) -> Any:
        return [x, x * 1.0].count(x)

    nan = vt.to_tensor(float("nan"))
    assert int(to_static(same)(nan)) == same(nan) == 1


def test_numbers_among_tensors() -> None:
    def mixed(x: Any) -> Any:
        return [1, 2, x].count(2), [1, 2].index(2), [x, 5].count(5), (1, x, 3).index(3)

    compiled = to_static(mixed)
    for value in (1, 2, 3, 5):
        assert [int(n) for n in compiled(vt.to_tensor(value))] == list(mixed(vt.to_tensor(value)))


def test_a_value_that_is_not_there() -> None:
    def place(x: Any, y: Any) -> Any:
        return [y, y + 1].index(x)

    compiled = to_static(place)
    assert int(compiled(vt.to_tensor(5), vt.to_tensor(4))) == 1
    with pytest.raises(ValueError, match="isn't in the list"):
        compiled(vt.to_tensor(7), vt.to_tensor(4))
    with pytest.raises(ValueError, match="not in list"):
        place(vt.to_tensor(7), vt.to_tensor(4))
    with pytest.raises(ValueError, match="isn't in the list"):
        to_static(lambda x: [].index(x))(vt.to_tensor(1))


@pytest.mark.parametrize("a", [1, 2, 3])
def test_removed_as_in_eager_mode(a: int) -> None:
    def removed(x: Any, y: Any) -> Any:
        items = [x * 2, y, x * 3, y]
        items.remove(y)
        items.remove(y * 3)
        return items

    compiled = to_static(removed)
    for b in (2 * a, 3 * a, a):
        given = vt.to_tensor(a), vt.to_tensor(b)
        if 3 * b in (2 * a, 3 * a):
            assert [int(n) for n in compiled(*given)] == [int(n) for n in removed(*given)]
        else:
            for way in (compiled, removed):
                with pytest.raises(ValueError, match="not in list"):
                    way(*given)


def test_a_value_of_an_argument_is_removed() -> None:
    def first(items: list[Any], x: Any) -> Any:
        items.remove(x)
        return items[0] * x

    compiled = to_static(first)
    for a in (1, 2):
        lists = [[vt.to_tensor(1), vt.to_tensor(2), vt.to_tensor(2)] for _ in range(2)]
        assert int(compiled(lists[0], vt.to_tensor(a))) == int(first(lists[1], vt.to_tensor(a)))
        assert [int(n) for n in lists[0]] == [int(n) for n in lists[1]]


def test_a_class_of_ones_own_keeps_its_method() -> None:
    class Counted(list[Any]):
        def count(self, value: Any) -> Any:
            return value * len(self)

    held = Counted([1, 2, 3])
    assert int(to_static(lambda x: held.count(x))(vt.to_tensor(5))) == 15
