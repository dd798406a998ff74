"""Attributes that come up, change and go after a function was captured: of tensors, functions, modules, views, lists."""

from __future__ import annotations

import abc
import collections
import collections.abc
import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


def x() -> Any:
    return vt.ones([2])


def one(v: Any) -> Any:
    return v


class Rows(collections.UserList):  # type: ignore[type-arg]
    """A list of one's own."""


class Table(collections.UserDict):  # type: ignore[type-arg]
    """A dict of one's own."""


class Chain(collections.ChainMap):  # type: ignore[type-arg]
    """Several dicts as one."""


class Keyed:
    """Can be referred to weakly."""


def tag_of_a_tensor(run: Any) -> Any:
    w = x()
    f = run(lambda x: x + 100 if getattr(w, "tag", 0) == 3 else x)
    yield f(x())
    for value in (3, 4, 3):
        w.tag = value
        yield f(x())
    del w.tag
    yield f(x())


def mark_of_a_parameter(run: Any) -> Any:
    net = nn.Linear(2, 2)

    def total(x: Any) -> Any:
        found = x.sum()
        for p in net.parameters():
            if not getattr(p, "no_decay", False):
                found = found + 1
        return found

    f = run(total)
    for marked in ((), (net.bias,), (net.bias, net.weight)):
        for p in marked:
            p.no_decay = True
        yield f(x())
        yield f(x())


def asked_by_handlers(run: Any) -> Any:
    w = x()

    def ask(x: Any) -> Any:
        try:
            return x * w.factor
        except AttributeError:
            return x

    f = run(ask)
    yield f(x())
    for factor in (3.0, 4.0):
        w.factor = factor
        yield f(x())


def whether_a_tensor_has_one(run: Any) -> Any:
    w, v = x(), x()
    v.tag = 1
    f = run(lambda x: (x, hasattr(w, "tag"), hasattr(v, "tag"), hasattr(v, "other")))
    yield f(x())
    w.tag = 1
    yield f(x())
    v.other = 2
    yield f(x())
    del v.tag
    yield f(x())


def name_of_a_tensor(run: Any) -> Any:
    w = x()
    f = run(lambda x: x * 2 if w.name == "a" else x)
    for name in ("a", "b", "a", "c"):
        w.name = name
        yield f(x())


def name_of_one_in_a_list(run: Any) -> Any:
    kept = [x()]
    f = run(lambda x: (x, kept[0].name))
    for name in ("a", "b", "a", "c"):
        kept[0] = x()
        kept[0].name = name
        yield f(x())


def persistable(run: Any) -> Any:
    w = x()
    f = run(lambda x: (x, w.persistable))
    yield f(x())
    for value in (True, False, True):
        w.persistable = value
        yield f(x())


def attribute_of_a_function(run: Any) -> Any:
    def helper(x: Any) -> Any:
        return x

    f = run(lambda x: helper(x) * getattr(helper, "k", 1))
    yield f(x())
    for value in (4, 5):
        helper.k = value  # type: ignore[attr-defined]
        yield f(x())


def attribute_of_a_module(run: Any) -> Any:
    module: Any = types.ModuleType("of_a_user")
    f = run(lambda x: x * getattr(module, "k", 1))
    yield f(x())
    for value in (4, 5):
        module.k = value
        yield f(x())


def attribute_of_a_partial(run: Any) -> Any:
    made: Any = functools.partial(one)
    f = run(lambda x: x * getattr(made, "k", 1))
    yield f(x())
    made.k = 4
    yield f(x())


def read_only_view(run: Any) -> Any:
    d: dict[str, Any] = {}
    view = types.MappingProxyType(d)
    f = run(lambda x: (x * view.get("a", 1), len(view), "b" in view))
    yield f(x())
    for key, value in (("a", 4), ("b", 5), ("a", 6)):
        d[key] = value
        yield f(x())


def kept_views(run: Any) -> Any:
    d: dict[str, Any] = {"a": 1}
    keys, values, items = d.keys(), d.values(), d.items()
    f = run(lambda x: (x * sum(values), "b" in keys, [v for _, v in items]))
    for k in range(4):
        yield f(x())
        d["b"] = k


def rows(run: Any) -> Any:
    made: Any = Rows([1, 2])
    f = run(lambda x: (x * len(made), sum(made), made[-1], list(made)))
    for k in range(4):
        yield f(x())
        made.append(k)
    made.data = [5]
    yield f(x())


def table(run: Any) -> Any:
    made: Any = Table(a=1)
    f = run(lambda x: (x * made["a"], "b" in made, dict(made), made.get("b", 7)))
    for k in range(4):
        yield f(x())
        made["b"] = k
    made["a"] = 9
    yield f(x())


def chain(run: Any) -> Any:
    first, second = {"a": 1}, {"b": 2}
    made: Any = Chain(first, second)
    f = run(lambda x: (x * made["b"], "c" in made, len(made)))
    yield f(x())
    second["b"] = 3
    yield f(x())
    first["b"] = 4
    yield f(x())
    second["c"] = 5
    yield f(x())


def weak_set(run: Any) -> Any:
    kept = [Keyed(), Keyed()]
    made = weakref.WeakSet(kept[:1])
    f = run(lambda x: x * len(made))
    yield f(x())
    made.add(kept[1])
    yield f(x())
    kept.pop()
    yield f(x())


def registered_classes(run: Any) -> Any:
    class Shape(metaclass=abc.ABCMeta):
        """What others may count as."""

        @abc.abstractmethod
        def area(self) -> float: ...

    class Circle:
        """A shape only when it is registered."""

    class Row:
        """A sequence only when it is registered."""

    circle, row = Circle(), Row()

    def ask(x: Any) -> Any:
        match circle:
            case Shape():
                found = x * 3
            case _:
                found = x
        return found, isinstance(circle, Shape), isinstance(row, collections.abc.Sequence)

    f = run(ask)
    yield f(x())
    Shape.register(Circle)
    yield f(x())
    collections.abc.Sequence.register(Row)
    yield f(x())
    yield f(x())


FORMS: list[Callable[[Any], Any]] = [
    tag_of_a_tensor, mark_of_a_parameter, asked_by_handlers, whether_a_tensor_has_one, name_of_a_tensor,
    name_of_one_in_a_list, persistable, attribute_of_a_function, attribute_of_a_module, attribute_of_a_partial,
    read_only_view, kept_views, rows, table, chain, weak_set, registered_classes,
]  # fmt: skip


def shown(found: Any) -> Any:
    if isinstance(found, (tuple, list)):
        return [shown(v) for v in found]
    return found.tolist() if isinstance(found, vt.Tensor) else found


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_the_next_call_sees_it(form: Any) -> None:
    eager, captured = ([shown(v) for v in form(run)] for run in (lambda f: f, vt.to_static))
    assert captured == eager
