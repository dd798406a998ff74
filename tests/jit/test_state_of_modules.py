"""Data of the user's other modules: guarded, and written at each call, as those of the function's own module are."""

from __future__ import annotations

import functools
import operator
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt

settings = types.ModuleType("users_settings")
settings.inner = types.ModuleType("users_settings.inner")  # type: ignore[attr-defined]


class Box:
    """An object with one attribute."""

    value = 1


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    Box.value = 1
    state = {
        "table": {"a": 1},
        "box": types.SimpleNamespace(value=1),
        "Box": Box,
        "count": 0,
        "items": [],
        "last": None,
    }
    vars(settings).update(state)
    vars(settings.inner).update({"table": {"a": 1}, "count": 0})
    sys.modules["users_settings"] = settings
    yield
    del sys.modules["users_settings"]


def _table(value: int) -> None:
    settings.table["a"] = value


def _box(value: int) -> None:
    settings.box.value = value


def _class(value: int) -> None:
    settings.Box.value = value


def _inner(value: int) -> None:
    settings.inner.table["a"] = value


def _another(value: int) -> None:
    settings.table = {"a": value}


@pytest.mark.parametrize(
    ("read", "change"),
    [
        (lambda x: x + settings.table["a"], _table),
        (lambda x: x + settings.table["a"], _another),
        (lambda x: x + settings.box.value, _box),
        (lambda x: x + settings.Box.value, _class),
        (lambda x: x + settings.inner.table["a"], _inner),
    ],
)
def test_a_change_from_outside_is_seen(read: Callable[[Any], Any], change: Callable[[int], None]) -> None:
    compiled, x = vt.to_static(read), vt.ones([2])
    for value in (1, 7, 7, 9):
        change(value)
        assert compiled(x).tolist() == read(x).tolist() == [1.0 + value] * 2


def counts(x: Any) -> Any:
    settings.count += 1
    settings.inner.count -= 2
    return x * settings.count + settings.inner.count


def tables(x: Any) -> Any:
    settings.table["n"] = settings.table.get("n", 0) + 1
    settings.items.append(settings.table["n"])
    return x * settings.table["n"]


def keeps(x: Any) -> Any:
    settings.last = x.sum() if settings.last is None else settings.last + x.sum()
    return x * settings.last


def makes(x: Any) -> Any:
    settings.made = getattr(settings, "made", 0) + 1
    return x * settings.made


@pytest.mark.parametrize("function", [counts, tables, keeps, makes])
def test_a_write_happens_at_each_call(function: Callable[[Any], Any]) -> None:
    def run(call: Callable[[Any], Any]) -> Any:
        vars(settings).pop("made", None)
        vars(settings).update({"table": {}, "items": [], "count": 0, "last": None})
        settings.inner.count = 0
        results = [call(vt.full([2], k + 1.0)).tolist() for k in range(4)]
        last = None if settings.last is None else settings.last.tolist()
        made = getattr(settings, "made", None)
        return results, settings.count, settings.inner.count, settings.table, settings.items, last, made

    assert run(vt.to_static(function)) == run(function)


def test_what_a_module_counts_is_one_program() -> None:
    compiled = vt.to_static(counts)
    for _ in range(6):
        compiled(vt.ones([2]))
    assert len(compiled.program_cache) <= 2


def test_attributes_that_a_getter_reads_are_guarded() -> None:
    box = types.SimpleNamespace(value=1, inner=types.SimpleNamespace(value=0))
    get, get_two = operator.attrgetter("value"), operator.attrgetter("inner.value", "value")
    for read in (lambda x: x * get(box), lambda x: x * sum(get_two(box))):
        compiled = vt.to_static(read)
        for value in (1, 2, 3):
            box.value, box.inner.value = value, value * 2
            assert compiled(vt.ones([1])).tolist() == read(vt.ones([1])).tolist()


class Registry:
    """Items of a class."""

    table: dict[str, int] = {}
    asked: dict[str, int] = {}

    def __class_getitem__(cls, key: str) -> int:
        cls.asked[key] = cls.asked.get(key, 0) + 1
        return cls.table[key]


def test_items_of_a_class_are_asked_for_at_each_call() -> None:
    Registry.asked.clear()
    for read in (lambda x, key: x * Registry[key], lambda x, key: x * Registry["p"]):
        compiled = vt.to_static(read)
        for value in (2, 3, 3):
            Registry.table["p"] = value
            assert compiled(vt.ones([1]), "p").tolist() == [value]
    assert Registry.asked == {"p": 6}


recent: OrderedDict[int, Any] = OrderedDict()


def test_an_ordered_dict_of_numbers_is_put_into_order() -> None:
    def latest(x: Any, k: int) -> Any:
        recent[k] = x
        recent.move_to_end(k, last=False)
        return x + len(recent)

    def run(call: Callable[..., Any]) -> Any:
        recent.clear()
        results = [call(vt.full([1], 1.0 + n), k).tolist() for n, k in enumerate((1, 2, 1, 3, 2))]
        return results, list(recent), [type(k) for k in recent], [v.tolist() for v in recent.values()]

    assert run(vt.to_static(latest)) == run(latest)


def test_what_is_registered_later_is_called() -> None:
    @functools.singledispatch
    def scaled(value: Any, x: Any) -> Any:
        return x

    compiled = vt.to_static(lambda value, x: scaled(value, x))
    assert compiled("a", vt.ones([1])).tolist() == [1.0]
    scaled.register(str, lambda value, x: x * 10)
    assert compiled("a", vt.ones([1])).tolist() == [10.0]
    assert compiled(None, vt.ones([1])).tolist() == [1.0]


def test_what_a_key_of_a_comparison_reads_is_guarded() -> None:
    sign = types.SimpleNamespace(value=1)
    key = functools.cmp_to_key(lambda a, b: (a - b) * sign.value)
    compiled = vt.to_static(lambda x: x * sorted([2, 1, 3], key=key)[0])
    for value, least in ((1, 1.0), (-1, 3.0), (1, 1.0)):
        sign.value = value
        assert compiled(vt.ones([1])).tolist() == [least]
