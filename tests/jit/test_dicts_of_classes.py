"""Dicts of other classes than `dict`: they stay of their class, and only code that ran adds keys to them."""

from __future__ import annotations

import functools
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.jit.converters.regions import decisions


class Named(dict[str, Any]):
    """A dict with an attribute, and with methods that must not run by themselves."""

    def __init__(self, name: str = "", **items: Any) -> None:
        super().__init__(**items)
        self.name = name

    def __missing__(self, key: str) -> int:
        self[key] = 0
        return 0

    def get(self, key: str, default: Any = None) -> Any:
        return self[key]

    def copy(self) -> Named:
        raise AssertionError


class Filling(dict[str, Any]):
    """Adds what is missing."""

    def __missing__(self, key: str) -> list[Any]:
        made = self[key] = []
        return made


def _append(stats: Any, key: str) -> None:
    stats[key].append(1)


def _count(stats: Any, key: str) -> None:
    stats[key] += 1


def _add(stats: Any, key: str) -> None:
    stats[key].add(1)


def _count_inside(stats: Any, key: str) -> None:
    stats[key]["n"] += 1


def _ask(stats: Any, key: str) -> None:
    if key not in stats:
        stats[key] = []
    stats.setdefault(key, []).append(2)


OUTSIDE: dict[str, tuple[Callable[[], Any], Callable[[Any, str], None]]] = {
    "lists": (lambda: defaultdict(list), _append),
    "numbers": (lambda: defaultdict(int), _count),
    "sets": (lambda: defaultdict(set), _add),
    "counters": (lambda: defaultdict(Counter), _count_inside),
    "deques": (lambda: defaultdict(functools.partial(deque, maxlen=5)), _append),
    "a counter": (Counter, _count),
    "a user's": (Filling, _append),
    "a user's with its own get": (lambda: Named("a"), _count),
    "asked": (lambda: defaultdict(list), _ask),
    "an ordered dict": (lambda: OrderedDict(other=[]), _ask),
}


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("values", [(-1.0, -1.0, -1.0), (-1.0, 1.0, -1.0, 1.0), (1.0, 1.0, -1.0)])
def test_keys_of_the_path_not_taken_are_absent(name: str, values: tuple[float, ...]) -> None:
    make, hit = OUTSIDE[name]
    found = []
    for compile_ in (lambda fn: fn, vt.jit.to_static):
        stats = make()

        def step(x: Any, stats: Any = stats) -> Any:
            if x.sum() > 0:
                hit(stats, "big")
            else:
                hit(stats, "small")
            return x

        fn = compile_(step)
        seen = []
        for v in values:
            fn(vt.full([2], v))
            seen.append((list(dict.items(stats)), type(stats)))
        found.append(repr(seen))
    assert found[0] == found[1]


def _both(x: Any) -> Any:
    d: Any = defaultdict(list)
    d["q"].append(x)
    c: Any = Counter()
    if x.sum() > 0:
        d["q"].append(x * 2)
        c["l"] += 1
    return d, c


def _rows(x: Any) -> Any:
    d: Any = defaultdict(list)
    c: Any = Counter()
    for row in x:
        if row > 0:
            c["pos"] += 1
        else:
            d["neg"].append(row)
    return d, c


def _counted(x: Any) -> Any:
    d: Any = defaultdict(int)
    c: Any = Counter()
    for row in x:
        if row > 0:
            c["pos"] += 1
        else:
            d["neg"] += 2
    return d, c


def _by_key(x: Any) -> Any:
    c: Any = Counter()
    for row in x:
        c["pos" if row > 0 else "neg"] += 1
    return c


def _orders(x: Any) -> Any:
    o: Any = OrderedDict()
    if x.sum() > 0:
        o["a"], o["b"] = x, x * 2
    else:
        o["b"], o["a"] = x * 3, x
    return o


def _attributes(x: Any) -> Any:
    d = Named("first", k=x)
    if x.sum() > 0:
        d["k"] = x * 2
        d.name = "second"
    return d


def _attribute_tensors(x: Any) -> Any:
    d = Named("first", k=x)
    d.name = x  # type: ignore[assignment]
    if x.sum() > 0:
        d["k"], d.name = x * 2, x * 3
    else:
        d["other"] = x
    return d


def _chosen(x: Any) -> Any:
    a: Any = defaultdict(list, k=[x])
    b: Any = defaultdict(list, k=[x * 2])
    return a if x.sum() > 0 else b


def _factories(x: Any) -> Any:
    a: Any = defaultdict(list, k=x)
    b: Any = defaultdict(int, k=x * 2)
    return a if x.sum() > 0 else b


def _deleted(x: Any) -> Any:
    d: Any = defaultdict(list, k=[x], other=[x])
    for row in x:
        if row > 0 and "k" in d:
            del d["k"]
    return d


def _grouped(x: Any) -> Any:
    d: Any = defaultdict(list)
    for row in x:
        d["p" if row > 0 else "n"].append(row * row)
    return sum(d["p"]) * 2 + (sum(d["n"]) if d["n"] else 0)


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        own = {k: _shown(v) for k, v in vars(value).items()} if hasattr(value, "__dict__") else {}
        items = [(k, _shown(v)) for k, v in dict.items(value)]
        return type(value), getattr(value, "default_factory", None), items, own
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    return value.tolist() if isinstance(value, vt.Tensor) else value


INSIDE = [_both, _counted, _by_key, _orders, _attributes, _attribute_tensors, _chosen, _factories, _deleted, _grouped]


@pytest.mark.parametrize("fn", INSIDE)
def test_a_dict_that_the_function_makes_keeps_its_class(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for values in ([1.0, 2.0], [-1.0, 0.5], [-1.0, -2.0]):
        x = vt.to_tensor(values)
        assert _shown(compiled(x)) == _shown(fn(x))


def _appended(x: Any) -> Any:
    d: Any = defaultdict(list)
    for row in x:
        if row < 0:
            d["neg"].append(row)
    return d


def _set_by_default(x: Any) -> Any:
    d: Any = {}
    for row in x:
        if row < 0:
            d.setdefault("neg", []).append(row)
    return d


def _nested(x: Any) -> Any:
    d: Any = {}
    for row in x:
        if row < 0:
            d.setdefault("neg", {}).setdefault("rows", []).append(row)
    return d


def _beside_a_count(x: Any) -> Any:
    d: Any = {}
    n = 0
    for row in x:
        if row > 0:
            n += 1
        else:
            d.setdefault("neg", []).append(row)
    return d, n


FILLING = [_appended, _set_by_default, _nested, _beside_a_count, _rows]


@pytest.mark.parametrize("fn", FILLING)
def test_what_a_loop_writes_into_an_item_in_doubt_is_kept_or_refused(
    fn: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if fn is _rows:  # refused for two rows and for three: after a few paths, not after thousands
        monkeypatch.setattr(decisions, "MOST_STEPS", 128)
    compiled, refused = vt.jit.to_static(fn), set()
    for values in ([1.0, 2.0], [-1.0, 0.5], [-1.0, -2.0], [-1.0, 2.0, -2.0], [-1.0, -3.0, -2.0]):
        x = vt.to_tensor(values)
        if len(values) in refused and len(values) > 2:
            continue  # a shape is refused whatever the values are; two rows show it, three take seconds each time
        try:
            found = compiled(x)
        except CaptureError:
            assert fn in (_nested, _beside_a_count, _rows)
            refused.add(len(values))
            continue
        assert _shown(found) == _shown(fn(x))
