"""Functions with too many paths: items and attributes that some paths set stay in doubt between the statements."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.converters.regions import decisions

KEYS = ([0, 0, 0], [2, 1, 0], [0, 0, 2], [3, 1, 0], [0, 2, 2], [2, 2, 2], [2, 0, 2], [0, 2, 0])


@pytest.fixture(autouse=True)
def few_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """One path more than none is too many, so that every function here is traced in steps."""
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 0)
    monkeypatch.setattr(decisions, "MOST_STEPS", 4000)


def maybe(x: Any, flag: Any) -> Any:
    if flag:
        return x
    return None


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.count = 0


@dataclass
class Pair:
    first: Any
    second: Any = None


def read_later(x: Any, k: Any) -> Any:
    d = {"a": x}
    if k[0] > 1:
        d["b"] = x * 2
    y = d["a"] + 1
    if k[1] > 1:
        y = d.get("b", y)
    n = len(d)
    found = "b" in d
    return y, n, found, list(d), d


def set_on_the_other_path(x: Any, k: Any) -> Any:
    d = {"a": x}
    if k[0] > 1:
        d["b"] = x * 2
    d["c"] = x * 3
    if k[1] > 1:
        d["b"] = x * 4
    if k[2] > 1:
        del d["a"]
    return list(d), d


def deleted(x: Any, k: Any) -> Any:
    d = {"a": x, "b": x * 2, "c": x * 3}
    if k[0] > 1:
        del d["b"]
    if k[1] > 1:
        d.pop("b", None)
    if k[2] > 1:
        d["b"] = x
    return list(d), d, len(d)


def through_functions(x: Any, k: Any) -> Any:
    d, log = {"a": x}, []

    def put(name: str, flag: Any) -> int:
        if flag:
            d[name] = x * len(d)
        return len(d)

    def names() -> Any:
        return list(d)

    first = put("b", k[0] > 1)
    second = put("b", k[2] > 1) + put("d", k[1] > 1)
    log.append(names())
    return first, second, log, names(), d


def in_unrolled_loops(x: Any, k: Any) -> Any:
    d, n = {"a": x}, 0
    for j in range(2):
        if k[j] > 1:
            d[j] = x * j
        if k[j] > 0:
            continue
        n += len(d)
    while len(d) < 3:
        d[10 + len(d)] = x
        n += 1
    for name in d:
        n += 1 if name == "a" else 2
    return n, list(d), d


def in_loops_of_the_program(x: Any, k: Any) -> Any:
    d, n = {"a": x}, 0
    for _ in range(k[0]):
        if k[1] > 1:
            d["in"] = x * 2
        n += len(d)
    i = k[2] * 1
    while i > 0 and "z" not in d:
        if i == 2:
            d["z"] = x
        i = i - 1
    return n, list(d), d


def attributes(x: Any, k: Any) -> Any:
    box, pair = Box(None), Pair(None)
    if k[0] > 1:
        box.value = x
        box.extra = x * 2
    if k[1] > 1:
        pair.second = (x, x)
    if box.value is None:
        box.count += 1
    y = pair.second[0] if pair.second is not None else x * 3
    extra = box.extra if hasattr(box, "extra") else y
    pair.first = maybe(x, k[2] > 1)
    third = x.sum() if pair.first is None else pair.first.sum() * 2
    return y, extra, third, box.count, box.value, pair


def several_names_of_one(x: Any, k: Any) -> Any:
    d = {"a": x}
    box, other, pair = Box(d), d, [d, x]
    if k[0] > 1:
        other["b"] = x * 2
    if k[1] > 1:
        box.value["c"] = x * 3
    n = len(pair[0])
    pair[0]["d"] = x * 4
    m = len(other)
    return n, m, list(d), d is pair[0], d, pair, box.value


def copies(x: Any, k: Any) -> Any:
    d = {"a": x}
    if k[0] > 1:
        d["b"] = x * 2
    e = dict(d)
    f = copy.copy(d)
    if k[1] > 1:
        e["c"] = x
    f.update(e)
    g = {**d, "z": 1}
    return len(d), len(e), len(f), g, {n: v * 2 for n, v in d.items()}


def handlers(x: Any, k: Any) -> Any:
    d, n = {"a": x}, 0
    try:
        if k[0] > 1:
            d["b"] = x * 2
        y = d["b"] + 1
        n += len(d)
        if k[1] > 1:
            raise ValueError(len(d))
    except KeyError:
        y = x * 5
        d["k"] = y
    except ValueError as error:
        y = x * error.args[0]
        if k[2] > 1:
            del d["b"]
    finally:
        n += len(d) * 10
    return y, n, list(d), d


@contextlib.contextmanager
def counting(d: dict[Any, Any], log: list[Any]) -> Iterator[None]:
    log.append(len(d))
    yield
    log.append(len(d))


def managers(x: Any, k: Any) -> Any:
    d, log = {"a": x}, []
    if k[0] > 1:
        d["b"] = x * 2
    with counting(d, log):
        best = maybe(x, k[2] > 0)
        if k[1] > 1:
            d["c"] = x * 3
        n = 1 if best is None else 2
    return log, list(d), d, n


def numbered(d: dict[Any, Any]) -> Iterator[Any]:
    for name in list(d):
        yield d[name] * len(d)
    yield len(d)


def generators(x: Any, k: Any) -> Any:
    d, total = {"a": x}, x * 0
    if k[0] > 1:
        d["b"] = x * 2
    made = numbered(d)
    for v in numbered(d):
        total = total + v
        if k[1] > 1:
            d["c"] = x * 3
    if k[2] > 1:
        total = total * 2
    return total, sum(made), list(d)


def raised(x: Any, k: Any) -> Any:
    d = {"a": x}
    if k[0] > 1:
        d["b"] = x * 2
    if k[1] > 1:
        raise KeyError(len(d))
    if k[2] > 1 and len(d) > 1:
        raise KeyError("two")
    return d


def lists(x: Any, k: Any) -> Any:
    xs: list[Any] = [x, None]
    if k[0] > 1:
        xs[1] = x * 2
    if k[1] > 1:
        xs[0] = (x, x)
    xs.insert(0, 1)
    n = 0 if xs[2] is None else 1
    xs.reverse()
    y = xs[1][0] if isinstance(xs[1], tuple) else xs[1] * 3
    return n, y, len(xs), xs


def created_inside(x: Any, k: Any) -> Any:
    d: dict[Any, Any] = {}
    if k[0] > 0:
        e = {"a": x}
        if k[1] > 1:
            e["b"] = x * 2
        d["e"] = e
        pair = [e, e]
        pair[0]["c"] = x
    else:
        pair = [d, d]
    if k[2] > 1:
        pair[1]["f"] = x
    return len(pair[0]), list(pair[1]), pair[0] is pair[1], d


def in_place(x: Any, k: Any) -> Any:
    d = {"a": x * 1}
    if k[0] > 1:
        d["b"] = x * 2
    if "b" in d:
        d["b"].add_(x)
    if k[1] > 1 and "b" in d:
        d["b"][0] = 9.0
    y = d["b"] * 1 if "b" in d else x
    return y, d


class Table:
    """What Python calls without a call in the text."""

    def __init__(self) -> None:
        self.items: dict[Any, Any] = {}

    @property
    def size(self) -> int:
        return len(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, key: Any) -> bool:
        return key in self.items

    def __setitem__(self, key: Any, value: Any) -> None:
        self.items[key] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __add__(self, other: int) -> int:
        return len(self.items) + other


def implicit_calls(x: Any, k: Any) -> Any:
    table, best = Table(), maybe(x, k[2] > 0)
    if k[0] > 1:
        table["a"] = x
    n = table.size
    m = len(table) + (table + 1)
    found = "a" in table
    y = 0 if best is None else 1
    if table:
        y = y + 10
    return n, m, found, y, list(table)


def views_and_partials(x: Any, k: Any) -> Any:
    d: dict[Any, Any] = {}
    best, lists = maybe(x, k[2] > 0), collections.defaultdict(list)
    count, keys, length = functools.partial(len, d), d.keys(), d.__len__
    if k[0] > 1:
        d["a"] = x
    if k[1] > 1:
        lists["q"].append(x)
    n, m, o = count(), len(keys), length()
    y = 0 if best is None else 1
    r = list(map(len, [d, d]))
    return n, m, o, y, r, sorted([3, 1, 2], key=lambda q: q * len(d)), len(lists), list(lists)


def names_of_attributes(x: Any, k: Any) -> Any:
    box, best = Box(x), maybe(x, k[2] > 0)
    if k[0] > 1:
        box.extra = x
        box.other = 1
    n, m = hasattr(box, "extra"), getattr(box, "other", 7)
    names = sorted(vars(box))
    y = 0 if best is None else 1
    return n, m, names, y


def whole_lists(x: Any, k: Any) -> Any:
    xs: list[Any] = [1, None]
    best = maybe(x, k[2] > 0)
    if k[0] > 1:
        xs[1] = "s"
    shown, count, same, found = f"{xs[1]}", xs.count(None), xs == [1, None], None in xs
    a, b = xs
    y = 0 if best is None else 1
    return shown, count, same, found, a, b, tuple(xs), y


def early_returns(x: Any, k: Any) -> Any:
    if k[0] > 1:
        if k[1] > 0:
            return x * 2, 1
    best = maybe(x, k[2] > 1)
    return x, best, best


def early_objects(x: Any, k: Any) -> Any:
    d = {"a": x}
    if k[0] > 1:
        if k[1] > 0:
            return x * 2, False
    else:
        d["b"] = x * 3
    best = maybe(x, k[2] > 1)
    return d, best is None


CASES = [
    implicit_calls,
    views_and_partials,
    names_of_attributes,
    whole_lists,
    read_later,
    set_on_the_other_path,
    deleted,
    through_functions,
    in_unrolled_loops,
    in_loops_of_the_program,
    attributes,
    several_names_of_one,
    copies,
    handlers,
    managers,
    generators,
    raised,
    lists,
    created_inside,
    in_place,
]


def plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (Box, Pair)):
        return plain(vars(value))
    return [(key, plain(v)) for key, v in value.items()] if isinstance(value, dict) else value


def outcome(fn: Callable[..., Any], key: list[int], *more: Any) -> Any:
    x = vt.to_tensor([0.5, -1.0, 2.0], stop_gradient=False)
    try:
        return plain(fn(x, vt.to_tensor(key), *more))
    except KeyError as error:
        return repr(error)


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_results_and_errors_are_those_of_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for key in KEYS:
        assert outcome(compiled, key) == outcome(fn, key), key


def test_a_generator_that_python_runs_does_not_go_back() -> None:
    def fn(x: Any, k: Any) -> Any:
        made = (x * n for n in range(4))
        best, first = maybe(x, k[0] > 0), next(made)
        if best is None:
            first = first + next(made)
        return first, sum(made)

    with pytest.raises(vt.errors.CaptureError, match=r"next\(\) on a generator stands under a condition"):
        vt.jit.to_static(fn)(vt.ones([3]), vt.to_tensor([0, 0, 0]))


@pytest.mark.parametrize("fn", [early_returns, early_objects], ids=["values", "objects"])
def test_what_returns_early_on_some_paths_can_be_saved(fn: Callable[..., Any], tmp_path: Path) -> None:
    compiled = vt.jit.to_static(fn, input_spec=[vt.InputSpec([3], "float32"), vt.InputSpec([3], "int64")])
    vt.jit.save(compiled, tmp_path / "model")
    loaded = vt.jit.load(tmp_path / "model")
    for key in KEYS:
        assert outcome(loaded, key) == outcome(fn, key), key


@pytest.mark.filterwarnings("ignore::vitrify.jit.RecompileWarning")
def test_objects_of_the_caller_are_left_as_eager_mode_leaves_them() -> None:
    def fn(x: Any, k: Any, d: Any, box: Any) -> Any:
        if k[0] > 1:
            d["b"] = x * 2
            box.extra = x
        n = len(d)
        if k[1] > 1:
            d.pop("a")
        best = maybe(x, k[2] > 1)
        return n if best is None else n + 1

    compiled = vt.jit.to_static(fn)
    for key in KEYS:
        ends = []
        for one in (compiled, fn):
            d, box = {"a": vt.ones([3])}, Box(None)
            ends.append((outcome(one, key, d, box), plain(d), plain(box)))
        assert ends[0] == ends[1], key


def test_keys_do_not_multiply_the_paths() -> None:
    """Eight keys that are there or not: 2 to the 8th ways through the end, but the statements see two each."""

    def many(x: Any, k: Any) -> Any:
        first, second = {"a": x}, Box(x)
        for j in range(4):
            if k[j] > 0:
                first["b"] = x * j
            else:
                second.extra = x * j
            best = maybe(x, k[j] > 1)
            x = x + 1 if best is None else best * 2
        x = x * 2
        y = vt.tanh(x)
        return y, len(first)

    compiled = vt.jit.to_static(many)
    for key in ([0] * 4, [1] * 4, [0, 1, 2, 0]):
        got, want = (fn(vt.ones([3]), vt.to_tensor(key)) for fn in (compiled, many))
        np.testing.assert_allclose(got[0].numpy(), want[0].numpy())
        assert int(got[1]) == want[1]
    assert str(compiled.concrete_trace().program).count("tanh") == 1
