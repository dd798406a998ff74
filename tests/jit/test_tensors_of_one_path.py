"""What an `if` leaves is the tensor of one path: which places hold one object, and which gradients it needs."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt

from .shown_identities import shown


class State:
    def __init__(self) -> None:
        self.a = self.b = self.c = vt.zeros([1])
        self.d: dict[str, Any] = {"k": vt.ones([1])}
        self.xs: list[Any] = [vt.full([1], 7.0)]
        self.count = 0


def two_places_then_written(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1:
        s.a = s.b = x * 2
    s.a.add_(vt.full([1], 10.0))


def one_inside_another(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1:
        s.a = s.b = x * 2
        if x.sum() > 2:
            s.c = s.a
    return s.a is s.c, s.b is s.c


def attribute_list_and_key(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1:
        s.a = x * 2
        s.xs.append(s.a)
        s.d["k"] = s.d[str(len(s.d))] = s.a
    return len(s.d)


def list_under_two_conditions(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 0:
        if x.sum() > 2:
            s.xs.append(s.c)
        s.a = s.xs[0]
    return s.a is s.c


def replaced_on_one_path(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1:
        s.a = x * 3
    return s.a, s.b


def chosen_of_two(s: Any, x: Any, n: int) -> Any:
    y = x * 1
    s.d["k"] = y if x.sum() > 1 else s.b
    if x.sum() > 1:
        s.a = y if x.sum() > 2 else s.c
    return s.a is s.d["k"]


def written_on_one_path(s: Any, x: Any, n: int) -> Any:
    y = x * 1
    s.c = y
    if x.sum() > 0:
        s.a = x * 4
        y.add_(vt.ones([1]))
        if x.sum() < 2:
            s.d["m"] = s.xs[0]
    return s.c


def by_a_number(s: Any, x: Any, n: int) -> Any:
    return s.a if n > 2 else s.xs[0] if n > 1 else x


def by_numbers_in_turn(s: Any, x: Any, n: int) -> Any:
    if n > 1:
        return s.d["k"]
    if n > 0:
        return s.a
    return x


def appended_on_the_way(s: Any, x: Any, n: int) -> Any:
    y = x * 1
    if x.sum() > 1:
        if x.sum() > 2:
            y = s.c
        s.xs.append(y)
    return y


def long_list_cleared_or_longer(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 2.5:
        s.xs.clear()
        s.xs.extend([s.b, s.c, s.a] * 3)
    elif x.sum() > 1:
        s.xs.append(s.b)
        s.b = x
    return s.b


def key_added_beside_a_replaced_one(s: Any, x: Any, n: int) -> Any:
    s.d["k"] = s.b = x * 1
    if x.sum() > 1.7:
        s.d["k"] = s.c + 1
        s.d["2"] = s.c + 1


def appended_before_a_loop(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1.7:
        s.xs.append(s.b)
    if x.sum() > 1:
        while x.sum() < 2:
            s.xs[0] = s.c + 1
            x = x + 1


def appended_before_a_key_is_added(s: Any, x: Any, n: int) -> Any:
    if x.sum() > 1.7:
        s.xs.append(s.b)
    if x.sum() > 1:
        s.xs[0] = s.c
        s.d[str(len(s.d))] = x * 1


def key_added_of_what_a_tuple_returns(s: Any, x: Any, n: int) -> Any:
    y = x * 1
    if x.sum() > 1.7:
        pass
    else:
        s.d["2"] = y
    return y, {"y": y}


def appended_with_a_new_key_or_replaced(s: Any, x: Any, n: int) -> Any:
    s.xs[0] = s.b = s.c + 2
    if x.sum() > 1.7:
        s.xs.append(x)
        s.d["2"] = x * 3
    else:
        s.b = s.c + 2


FUNCTIONS = [
    key_added_of_what_a_tuple_returns, appended_with_a_new_key_or_replaced,
    appended_before_a_loop, appended_before_a_key_is_added,
    key_added_beside_a_replaced_one,
    appended_on_the_way, long_list_cleared_or_longer,
    two_places_then_written, one_inside_another, attribute_list_and_key, list_under_two_conditions,
    replaced_on_one_path, chosen_of_two, written_on_one_path, by_a_number, by_numbers_in_turn,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_places_hold_the_objects_of_the_path_that_ran(fn: Any) -> None:
    found = []
    for run in (fn, vt.to_static(fn)):
        s, seen = State(), []
        for n, value in enumerate((3.0, 0.0, 1.5, 2.0, -1.0)):
            x = vt.full([1], value)
            result = run(s, x, n)
            seen.append((shown(vars(s), result, x), [r for r in [result] if not isinstance(r, (vt.Tensor, tuple))]))
            for place in (s.a, s.xs[-1], s.d["k"]):
                place.add_(vt.full([1], 100.0))
            seen.append((shown(vars(s)), []))
        found.append(seen)
    assert found[0] == found[1]


def detached_after(s: Any, w: Any, x: Any, n: int) -> Any:
    y = x * w
    if n > 2:
        y = y.detach()
    return y, y + 1


def detached_by_a_counter(s: Any, w: Any, x: Any, n: int) -> Any:
    s.count += 1
    s.a = x * w
    if s.count % 3 == 0:
        s.a = s.a.detach()
    return s.a * 2, s.a


def flag_set(s: Any, w: Any, x: Any, n: int) -> Any:
    h = x.detach()
    if n % 2:
        h.stop_gradient = False
    return h * 2


def one_condition_in_another(s: Any, w: Any, x: Any, n: int) -> Any:
    y = x * w
    if n % 2:
        if n > 2:
            y = y.detach()
        else:
            y = y + 1
    return y


def sum_of_two(s: Any, w: Any, x: Any, n: int) -> Any:
    y = x * w if n > 1 else x.detach()
    z = x * w if n > 2 else x * 1
    return y + z, y, z


def two_conditions_in_turn(s: Any, w: Any, x: Any, n: int) -> Any:
    y = w * x if n > 3 else x
    z = y * 2
    if n % 2:
        z = z.detach()
    return z


def in_a_place_that_one_path_empties(s: Any, w: Any, x: Any, n: int) -> Any:
    s.a = None if n == 0 else x * w
    if n > 2:
        s.a = s.a.detach()
    return s.a if n else x


GRADIENTS = [
    detached_after, detached_by_a_counter, flag_set, one_condition_in_another, sum_of_two, two_conditions_in_turn,
    in_a_place_that_one_path_empties,
]  # fmt: skip


@pytest.mark.parametrize("fn", GRADIENTS)
def test_a_number_tells_whether_a_result_needs_a_gradient(fn: Any) -> None:
    found = []
    for run in (fn, vt.to_static(fn)):
        s, w = State(), vt.full([1], 3.0)
        w.stop_gradient = False
        seen: list[Any] = []
        for n in (0, 1, 2, 3, 4, 0, 3, 1):
            results = run(s, w, vt.full([1], 5.0), n)
            results = results if isinstance(results, tuple) else (results,)
            seen.append([(x.tolist(), x.stop_gradient, x is s.a) for x in results])
            if not results[0].stop_gradient:
                results[0].sum().backward()
                seen.append(w.grad.tolist() if w.grad is not None else None)
                w.clear_grad()
        found.append(seen)
    assert found[0] == found[1]
