"""What a loop leaves in several places: one object where its last iteration left one, or what was there before it."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt

from .shown_identities import shown


class State:
    def __init__(self) -> None:
        self.a = self.b = vt.zeros([1])
        self.c = vt.ones([1])
        self.d = {"k": self.a}
        self.xs = [self.c, self.a]


def two_places(s: Any, x: Any, n: int, v: Any) -> Any:
    for k in range(n):
        s.a = x + k
        s.d["k"] = s.a


def ends_by_a_tensor(s: Any, x: Any, n: int, v: Any) -> Any:
    y = s.a
    while y.sum() < n:
        y = y + 1
        s.a = y
    return y, y is s.a


def starts_from_another(s: Any, x: Any, n: int, v: Any) -> Any:
    y = x
    while y.sum() < n:
        y = y + 1
        s.b = y
    return y, y is s.b


def leaves_early(s: Any, x: Any, n: int, v: Any) -> Any:
    for k in range(5):
        t = x + k
        s.a = s.xs[0] = t
        if t.sum() > n:
            break
    s.b = t


def under_a_condition(s: Any, x: Any, n: int, v: Any) -> Any:
    for row in v:
        if (x * row).sum() > 0:
            s.c = s.d["k"] = x * row
    return s.a is s.b, s.c is s.d["k"]


def of_the_iteration_before(s: Any, x: Any, n: int, v: Any) -> Any:
    now = x
    for row in v:
        s.a = now
        now = now + row
        s.c = now
    return now, now is s.c, s.a is x


def swapped(s: Any, x: Any, n: int, v: Any) -> Any:
    for _ in range(n):
        s.a, s.c = s.c, s.a


def largest(s: Any, x: Any, n: int, v: Any) -> Any:
    s.c = x
    for row in v:
        x = x + row
        if x.sum() > s.c.sum():
            s.c = x
    return x, s.c, x is s.c


def one_from_outside(s: Any, x: Any, n: int, v: Any) -> Any:
    for row in v:
        if row.sum() > 0:
            s.a = s.c
        else:
            s.b = s.a
    return s.a is s.c, s.a is s.b


def one_in_another(s: Any, x: Any, n: int, v: Any) -> Any:
    for _ in range(n):
        for row in v:
            s.a = s.d["k"] = x * row
        s.b = s.a


def in_a_tuple(s: Any, x: Any, n: int, v: Any) -> Any:
    pair = (s.a, s.b)
    for row in v:
        pair = (pair[0] + row, pair[1])
        s.c = pair[0]
    s.a, s.b = pair
    return pair[0] is s.c


FUNCTIONS = [
    two_places, ends_by_a_tensor, starts_from_another, leaves_early, under_a_condition, of_the_iteration_before,
    swapped, largest, one_from_outside, one_in_another, in_a_tuple,
]  # fmt: skip
CALLS = [
    (2, 1.0, [1.0, -1.0, 2.0]), (0, 2.0, [-1.0, 1.0]), (3, 1.0, [-1.0, -2.0]), (1, 0.0, [2.0, 1.0]), (4, 2.0, [1.0]),
    (2, -1.0, [-3.0]), (5, -1.0, [1.0, 2.0]),
]  # fmt: skip


def others(result: Any) -> list[Any]:
    return [x for x in (result if isinstance(result, tuple) else (result,)) if not isinstance(x, vt.Tensor)]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_places_hold_the_objects_that_eager_mode_has_there(fn: Any) -> None:
    found = []
    for run in (fn, vt.to_static(fn)):
        s, seen = State(), []
        for n, value, rows in CALLS:
            x = vt.full([1], value)
            result = run(s, x, n, vt.to_tensor([[row] for row in rows]))
            seen.append((shown(vars(s), result, x), others(result)))
            for place in (s.a, s.b, s.c):
                place.add_(vt.full([1], 100.0))
            seen.append((shown(vars(s), result, x), []))
        found.append(seen)
    assert found[0] == found[1]


def test_a_result_of_no_iteration_needs_no_gradient() -> None:
    def fn(x: Any, w: Any, n: int) -> Any:
        y = x
        for _ in range(n):
            y = y * w
        return y

    compiled, w = vt.to_static(fn), vt.to_tensor([3.0], stop_gradient=False)
    for n in (2, 0, 3, 1, 0, 4):
        x = vt.to_tensor([2.0])
        assert (compiled(x, w, n).tolist(), compiled(x, w, n).stop_gradient) == ([2.0 * 3.0**n], n == 0)


def from_a_joined_place(s: Any, x: Any, n: int, v: Any) -> Any:
    if x.sum() > 1:
        s.a = s.c = vt.full([1], 4.0)
    while x.sum() < n:
        s.b = s.a
        x = x + 1
    s.a = x * 3
    return s.b is s.c


def beside_a_key_that_appears(s: Any, x: Any, n: int, v: Any) -> Any:
    y = x * 1
    while x.sum() < n:
        s.d["2"] = s.c
        if x.sum() > 2:
            s.d["k"] = y
        x = x + 1


def appended_each_time(s: Any, x: Any, n: int, v: Any) -> Any:
    for row in v:
        y = row * 2
        s.xs.append(y)
        s.d["k"] = y
    s.a = y


def appended_to_two_lists(s: Any, x: Any, n: int, v: Any) -> Any:
    for row in v:
        y = row * 2
        s.ys.append(y)
        s.xs.append(y)
    return y


def appended_a_number_of_times(s: Any, x: Any, n: int, v: Any) -> Any:
    for _ in range(n):
        s.a = s.a + 1
        s.xs.append(s.a)
    return s.a


@pytest.mark.parametrize("fn", [from_a_joined_place, beside_a_key_that_appears])
@pytest.mark.parametrize("first", [0, 2])
def test_a_loop_leaves_what_was_there_before(fn: Any, first: int) -> None:
    found = []
    for run in (fn, vt.to_static(fn)):
        s, seen = State(), []
        for value in (0.0, 1.5, 2.5, -1.0)[first:]:
            result = run(s, vt.full([1], value), 3, None)
            seen.append((shown(vars(s)), result))
        found.append(seen)
    assert found[0] == found[1]


@pytest.mark.parametrize("fn", [appended_each_time, appended_to_two_lists, appended_a_number_of_times])
def test_elements_of_a_grown_list_are_the_tensors_that_stand_elsewhere(fn: Any) -> None:
    found = []
    for run in (fn, vt.to_static(fn)):
        s, seen = State(), []
        s.ys = []
        for n in (2, 2, 3, 0, 4):
            result = run(s, vt.ones([1]), n, vt.to_tensor([[3.0], [4.0]]))
            seen.append(shown(vars(s), result))
            s.xs[-1].add_(vt.full([1], 100.0))
            seen.append(shown(vars(s), result))
        found.append(seen)
    assert found[0] == found[1]


def asks_of_two_carried(s: Any, x: Any, v: Any) -> Any:
    count = 0
    for row in v:
        if s.a is s.c:
            count = count + 1
        s.a = s.c = x * row
    return count


def asks_of_two_that_began_as_one(s: Any, x: Any, v: Any) -> Any:
    count = 0
    for row in v:
        count = count + (1 if s.a is s.b else 10)
        s.a = s.b = x * row
    return count


@pytest.mark.parametrize("fn", [asks_of_two_carried, asks_of_two_that_began_as_one])
def test_iterations_that_differ_in_what_is_one_are_one_piece_of_code_each(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for rows in ([[1.0], [2.0], [3.0]], [[3.0], [0.0], [1.0]]):
        v = vt.to_tensor(rows)
        assert compiled(State(), vt.ones([1]), v) == fn(State(), vt.ones([1]), v)


def asks_in_a_loop_that_a_tensor_ends(s: Any, x: Any) -> Any:
    count = 0
    while x.sum() < 9:
        x = x + 1
        if s.a is s.c:
            count = count + 1
        s.a = s.c = x
    return count


def asks_of_a_grown_list(s: Any, x: Any) -> Any:
    found = []
    while x.sum() < 9:
        x = x + 1
        found.append(x)
    return found[-1] is x


@pytest.mark.parametrize("fn", [asks_in_a_loop_that_a_tensor_ends, asks_of_a_grown_list])
def test_where_only_a_run_counts_them_the_question_is_refused(fn: Any) -> None:
    with pytest.raises(vt.errors.CaptureError, match=r"asks with `is` for two tensors that are, in .*, one tensor"):
        vt.to_static(fn)(State(), vt.ones([1]))


def written_behind_a_loop(v: Any, is_copied: bool) -> Any:
    best = v[0].clone()
    for row in v:
        if row.sum() > best.sum():
            best = row.clone()
    if is_copied:
        best = best.clone()
    best.add_(vt.ones([1]))
    return best


def test_what_a_refused_write_behind_a_loop_advises_works() -> None:
    v = vt.to_tensor([[1.0], [5.0], [3.0]])
    with pytest.raises(vt.errors.CaptureError, match=r"put `y = y\.clone\(\)` right before this line"):
        vt.to_static(written_behind_a_loop)(v, False)
    assert vt.to_static(written_behind_a_loop)(v, True).tolist() == [6.0]
    assert v.tolist() == [[1.0], [5.0], [3.0]]
