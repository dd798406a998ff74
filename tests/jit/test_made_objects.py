"""Objects of plain classes that a function makes: what comes out holds the values of each call."""

from __future__ import annotations

import collections
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Out:
    def __init__(self, v: Any, n: Any) -> None:
        self.v, self.n = v, n

    def total(self) -> Any:
        return self.v.sum() * self.n


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a: Any) -> None:
        self.a, self.b = a, [a, 2]


class Sub(Out):
    def __init__(self, v: Any) -> None:
        super().__init__(v, 3)
        self.inner = types.SimpleNamespace(q=v * 3)


class Items(dict[Any, Any]):
    __getattr__ = dict.__getitem__


class Ordered(collections.OrderedDict[Any, Any]):
    def __getattr__(self, name: str) -> Any:
        return self[name]


class Namespace(dict[Any, Any]):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.__dict__ = self


keep = types.SimpleNamespace(last=None)


def returned(x: Any, n: Any) -> Any:
    return Out(x * 2, int(x.sum()))


def a_namespace(x: Any, n: Any) -> Any:
    return types.SimpleNamespace(logits=x * 2, n=n)


def with_slots(x: Any, n: Any) -> Any:
    return Slots(x + 1)


def nested(x: Any, n: Any) -> Any:
    return [Sub(x), {"k": Out(x, n)}], Out(x, n).total()


def changed_on_one_path(x: Any, n: Any) -> Any:
    out = Out(x, n)
    out.v = out.v * 2
    if x.sum() > 0:
        out.v = out.v + 1
    return out


def kept(x: Any, n: Any) -> Any:
    keep.last = Out(x * n, n)
    return x


def mappings(x: Any, n: Any) -> Any:
    return [kind(a=x * 2) for kind in (Items, Ordered, Namespace)], Namespace(a=x).a, Items(a=x).a, Ordered(a=x).a


def described(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            type(value),
            {k: described(v) for k, v in value.items()},
            vars(value) is value if vars_of(value) else None,
        )
    if isinstance(value, (list, tuple)):
        return type(value), [described(v) for v in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    names = getattr(type(value), "__slots__", None) or vars_of(value)
    return (type(value), {k: described(getattr(value, k)) for k in names}) if names else value


def vars_of(value: Any) -> list[str]:
    return list(getattr(value, "__dict__", ()))


FUNCTIONS = [returned, a_namespace, with_slots, nested, changed_on_one_path, kept, mappings]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_as_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n in (1, 2, 3, 4):
        x = vt.to_tensor([n - 2.5, 1.0])
        expected = described(fn(x, n)), described(keep)
        assert (described(compiled(x, n)), described(keep)) == expected


def test_each_call_makes_its_own() -> None:
    compiled = vt.jit.to_static(returned)
    assert compiled(vt.ones([2]), 1) is not compiled(vt.ones([2]), 1)


@pytest.mark.parametrize("kind", [Items, Ordered, Namespace])
def test_mappings_as_arguments(kind: Any) -> None:
    def fn(x: Any, o: Any) -> Any:
        o["b"] = x * 3
        return x * o["a"] * o.a

    def write(x: Any, o: Any) -> Any:
        o.c = x * 3
        return x

    compiled, written = vt.jit.to_static(fn), vt.jit.to_static(write)
    for k in range(3):
        x, o, p = vt.to_tensor([1.0 + k]), kind(a=vt.ones([1])), kind(a=vt.ones([1]))
        assert compiled(x, o).tolist() == fn(x, p).tolist()
        assert list(o) == list(p)
        assert o["b"].tolist() == p["b"].tolist()
        if kind is Namespace:
            written(x, o)
            assert o["c"].tolist() == o.c.tolist() == [3.0 + 3 * k]


def test_what_stands_in_two_places_is_refused() -> None:
    def twice(x: Any) -> Any:
        out = Out(x, 1)
        return out, out

    def itself(x: Any) -> Any:
        out = Out(x, 1)
        out.n = out
        return out

    for fn in (twice, itself):
        with pytest.raises(vt.errors.CaptureError, match="comes out in two places, or holds itself"):
            vt.jit.to_static(fn)(vt.ones([2]))


def test_a_weak_reference_to_a_made_object_is_refused() -> None:
    class Node:
        pass

    known: Any = weakref.WeakValueDictionary()
    nodes: list[Any] = []

    @vt.to_static
    def fn(x: Any, k: int) -> Any:
        node = known.get(k)
        if node is None:
            node = Node()
            known[k] = node
            nodes.append(node)
        node.h = x * k
        return node.h

    with pytest.raises(vt.errors.CaptureError, match="a weak reference to a Node that the function makes is kept"):
        fn(vt.ones([1]), 0)
