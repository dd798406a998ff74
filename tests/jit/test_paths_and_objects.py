"""Objects that several variables hold, and keys that are there on some paths only: the paths leave them as eager mode does.

Each function is captured the usual way, and in steps (one path more than none is too many).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.converters.regions import decisions

KEYS = ([0, 0], [1, 1], [2, 0], [3, 1])


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value


class Manager:
    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *error: object) -> None:
        pass


def maybe(x: Any, flag: Any) -> Any:
    if flag:
        return x
    return None


def either_list(xs: Any, ys: Any, flag: Any) -> Any:
    if flag:
        return xs
    return None if ys is None else ys


# ---- one list, dict or object, and several variables


def list_or_none(x: Any, k: Any) -> Any:
    xs, ys = [x], None
    if k[0] > 1:
        ys = xs
    z = x if ys is None else x * 2
    if ys is not None:
        ys.append(x * 2)
    return len(xs), xs, z


def one_of_two_lists(x: Any, k: Any) -> Any:
    xs, ys, zs = [x], [x * 2], None
    if k[0] > 1:
        zs = xs
    elif k[1] > 0:
        zs = ys
    if zs is not None:
        zs.append(x)
        zs[0] = zs[0] + 1
    return xs, ys, zs


def new_list_twice(x: Any, k: Any) -> Any:
    xs = ys = None
    if k[0] > 1:
        xs = ys = [x]
    n = 0
    if xs is not None:
        xs.append(x * 2)
    if ys is not None:
        n = len(ys)
    return n, xs, ys


def new_list_in_a_tuple(x: Any, k: Any) -> Any:
    xs = ys = None
    if k[0] > 1:
        xs = [x * 3]
        ys = (xs, 1)
    n = x
    if xs is not None:
        xs[0] = x * 7
    if ys is not None:
        n = ys[0][0]
    return n, xs, ys


def new_list_in_a_dict(x: Any, k: Any) -> Any:
    d: dict[str, Any] = {"l": None}
    xs = None
    if k[0] > 1:
        xs = [x * 3]
        d["l"] = xs
    n = x
    if xs is not None:
        xs[0] = x * 7
    if d["l"] is not None:
        n = d["l"][0]
    return n, xs, d


def new_lists_on_both_paths(x: Any, k: Any) -> Any:
    d: dict[str, Any] = {"l": None}
    if k[0] > 1:
        xs = [x * 3]
        d["l"] = xs
    else:
        xs = [x * 4]
        d["l"] = xs
    xs[0] = x * 7
    return d["l"][0], xs, d


def new_lists_of_two_lengths(x: Any, k: Any) -> Any:
    if k[0] > 1:
        xs = ys = [x * 3]
    else:
        xs = ys = [x * 4, x]
    xs.append(x * 7)
    zs = [ys, ys] if k[1] > 0 else [xs, ys]
    zs[0].append(x * 2)
    return len(ys), xs, ys


def object_or_none(x: Any, k: Any) -> Any:
    box, found = Box(x), None
    if k[0] > 1:
        found = box
    z = x if found is None else x + 1
    if found is not None:
        found.value = found.value * 2
    if k[1] > 0:
        found = None
    if found is not None:
        found.value = found.value + 2
    return box.value, z


def dict_or_none(x: Any, k: Any) -> Any:
    d, e = {"a": x}, None
    if k[0] > 1:
        e = d
    z = x if e is None else x + 1
    if e is not None:
        e["b"] = x * 2
    return d, z, len(d)


def list_of_kinds(x: Any, k: Any) -> Any:
    best = maybe(x, k[0] > 1)
    xs = [best, x]
    ys = xs
    ys.append(x * 2)
    if ys[0] is not None:
        ys.append(x * 4)
    return xs, ys, len(xs)


def list_in_a_dict(x: Any, k: Any) -> Any:
    d, xs = {"a": x}, [x]
    ys = xs if k[0] > 1 else None
    d["l"] = xs
    if ys is not None:
        ys.append(x)
    return d, xs


def list_from_a_call(x: Any, k: Any) -> Any:
    xs, ys = [x], [x * 2, x]
    found = either_list(xs, None, k[0] > 1)
    n = 0 if found is None else len(found)
    other = either_list(ys, None, k[1] > 0)
    if other is not None:
        other.append(x * 3)
    return xs, ys, n, found is None


# ---- keys of a dict in loops


def counted_in_a_loop(x: Any, k: Any) -> Any:
    d, n = {"a": x}, 0
    for _ in range(k[0]):
        n += len(d)
        d["b"] = x * 2
    return n, d


def asked_in_a_loop(x: Any, k: Any) -> Any:
    d, n, j = {"a": x}, 0, vt.to_tensor(0)
    while j < k[0]:
        j = j + 1
        if "b" in d:
            n += 1
        if k[1] > 0:
            d["b"] = x * 2
    return n, d


def deleted_in_a_loop(x: Any, k: Any) -> Any:
    d, n = {"a": x, "b": x}, 0
    for _ in range(k[0]):
        n += len(list(d.values()))
        d.pop("b", None)
    return n, d


# ---- what calls return


def calls_in_a_with(x: Any, k: Any) -> Any:
    best, n = None, 0
    with Manager():
        for j in range(9):
            best = maybe(x * j, k[0] > j)
        if best is None:
            n += 1
    return best, n


def calls_in_expressions(x: Any, k: Any) -> Any:
    flag = k[0] > 1
    n = 1 if maybe(x, flag) is None else 2
    if maybe(x, k[1] > 0) is not None and not isinstance(maybe(x, flag), vt.Tensor):
        n += 10
    pair = (maybe(x, flag), x)
    held = {"a": maybe(x * 2, flag)}
    return n, maybe(x, flag), pair, held, f"{maybe(None, flag) is None}", [maybe(x, flag)]


def calls_into_objects(x: Any, k: Any) -> Any:
    box = Box(x)
    box.value = maybe(x, k[0] > 1)
    box.value = maybe(x * 2, k[1] > 0) if box.value is None else box.value
    xs = [x]
    xs[0] = maybe(x, k[0] > 0)
    xs.append(maybe(x, k[1] > 0))
    return box.value, xs, xs[1] is None


CASES = [
    list_or_none, one_of_two_lists, new_list_twice, new_list_in_a_tuple, new_list_in_a_dict, new_lists_on_both_paths,
    new_lists_of_two_lengths, object_or_none, dict_or_none, list_of_kinds, list_in_a_dict,
    list_from_a_call, counted_in_a_loop, asked_in_a_loop, deleted_in_a_loop, calls_in_a_with,
    calls_in_expressions, calls_into_objects,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return {key: plain(v) for key, v in value.items()} if isinstance(value, dict) else value


def outcome(fn: Callable[..., Any], key: list[int]) -> Any:
    x = vt.to_tensor([0.5, -1.0], stop_gradient=False)
    found = fn(x, vt.to_tensor(key))
    total = sum((t.sum() for t in tensors(found)), x.sum())
    total.backward()
    assert x.grad is not None
    return plain(found), x.grad.numpy().tolist()


def tensors(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors(v)]
    if isinstance(value, dict):
        return tensors(list(value.values()))
    return [value] if isinstance(value, vt.Tensor) and not value.stop_gradient else []


@pytest.mark.parametrize("most", [64, 0], ids=["once", "in steps"])
@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_paths_leave_what_eager_mode_leaves(
    fn: Callable[..., Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", most)
    compiled = vt.jit.to_static(fn)
    for key in KEYS:
        assert outcome(compiled, key) == outcome(fn, key), key
