"""NumPy arrays that a compiled function returns or keeps: one array is one, and views are views of what they show."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Box:
    """Keeps what a function puts there."""

    kept: Any = None


def shown(found: Any) -> Any:
    if isinstance(found, (tuple, list)):
        return [shown(x) for x in found]
    return found.tolist() if hasattr(found, "tolist") else found


def both(program: Callable[[Callable[..., Any]], Any]) -> Any:
    """What a program gives in eager mode and with its functions compiled, which is the same."""
    eager, compiled = program(lambda fn: fn), program(vt.to_static)
    assert shown(compiled) == shown(eager)
    return shown(eager)


FORMS: dict[str, Callable[[Any], Any]] = {
    "tail": lambda a: a[1:],
    "reversed": lambda a: a[::-1],
    "every second": lambda a: a[::2],
    "reshaped": lambda a: a.reshape(2, 2),
    "row of reshaped": lambda a: a.reshape(2, 2)[1],
    "transposed": lambda a: a.reshape(2, 2).T,
    "chain": lambda a: a[1:][1:],
    "transposed by a function": lambda a: np.transpose(a.reshape(2, 2)),
    "reshaped by a function": lambda a: np.reshape(a, (2, 2)),
    "flipped by a function": lambda a: np.flip(a),
    "with an axis more": lambda a: np.expand_dims(a, 0),
    "row at a number": lambda a: a.reshape(2, 2)[int(a[1])],
}


@pytest.mark.parametrize("form", FORMS)
def test_views_of_an_argument(form: str) -> None:
    cut = FORMS[form]

    def program(wrap: Any) -> Any:
        fn, found = wrap(lambda a: cut(a)), []
        for _ in range(2):
            a = np.arange(4, dtype="float32")
            view = fn(a)
            view[...] = 50
            a[3] = 70
            found.append((a, view))
        return found

    both(program)


def test_views_of_an_argument_whose_size_is_open() -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(a: Any) -> Any:
            return a[1:], a[::-1], a.sum()

        found = []
        for n in (4, 6, 7):
            a = np.arange(n, dtype="float32")
            tail, turned, _ = fn(a)
            tail[0] = 50
            a[-1] = 70
            found.append((a, tail, turned))
        return found

    assert both(program)[2][1][0] == 50


def test_what_is_kept_is_a_view_too() -> None:
    def program(wrap: Any) -> Any:
        box = Box()

        @wrap
        def fn(a: Any) -> Any:
            box.kept = a[1:]
            return a[1:], a[::-1]

        found = []
        for _ in range(3):
            a = np.arange(4, dtype="float32")
            tail, turned = fn(a)
            tail[0] = 50
            a[3] = 70
            found.append((a, turned, box.kept))
        return found

    assert both(program)[0] == [[0, 50, 2, 70], [70, 2, 50, 0], [50, 2, 70]]


def test_a_computed_array_and_its_views() -> None:
    def program(wrap: Any) -> Any:
        box = Box()

        @wrap
        def fn(a: Any) -> Any:
            b = a * 2
            box.kept = b
            return b, b[1:], {"again": b}

        found = []
        for _ in range(2):
            b, tail, more = fn(np.arange(4, dtype="float32"))
            tail[0] = 50
            found.append((b, tail, box.kept, more["again"], b is box.kept, b is more["again"]))
        return found

    assert both(program)[1][-2:] == [True, True]


def test_two_views_of_an_array_that_stays_inside() -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(a: Any) -> Any:
            b = a + 1
            return b[1:], b[:-1]

        tail, head = fn(np.arange(4, dtype="float32"))
        tail[0] = 50
        return tail, head

    assert both(program)[1][1] == 50


def test_results_of_two_calls_are_apart() -> None:
    fn = vt.to_static(lambda a: (a * 2, a[1:]))
    a = np.arange(4, dtype="float32")
    first, second = fn(a), fn(a)
    first[0][:] = 0
    assert second[0].tolist() == [0, 2, 4, 6]
    assert np.shares_memory(first[1], second[1])


def test_a_written_argument_and_its_view() -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(a: Any) -> Any:
            tail = a[1:]
            a[2] = 9.0
            tail[0] = 8.0
            return tail

        a = np.arange(4, dtype="float32")
        tail = fn(a)
        tail[2] = 5.0
        return a, tail

    assert both(program) == [[0, 8, 9, 5], [8, 9, 5]]


def test_copies_stay_copies() -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(a: Any) -> Any:
            b = a.copy()
            return b, a[[1, 2]], a[1:].copy(), vt.to_tensor(b), b

        a = np.arange(4, dtype="float32")
        found = fn(a)
        a[:] = 7
        found[0][0] = 9
        return found

    both(program)


def test_elements_of_a_tensor_and_their_views() -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(x: Any) -> Any:
            r = (x * 2).numpy()
            return r, r[1:]

        whole, tail = fn(vt.arange(4, dtype="float32"))
        tail[0] = 50
        return whole, tail

    assert both(program)[0] == [0, 50, 4, 6]


@pytest.mark.parametrize("form", [lambda a: np.transpose(a), lambda a: np.reshape(a, (4,)), lambda a: np.squeeze(a)])
def test_a_view_that_a_function_of_numpy_makes_is_written(form: Any) -> None:
    def program(wrap: Any) -> Any:
        @wrap
        def fn(a: Any) -> Any:
            view = form(a)
            a[0, 1] = 7.0
            return view * 2

        a = np.arange(4, dtype="float32").reshape(2, 2)
        return fn(a), a

    both(program)


def test_an_array_that_the_function_makes_is_a_new_one_in_each_call() -> None:
    def program(wrap: Any) -> Any:
        box = Box()

        @wrap
        def fn(x: Any) -> Any:
            b = np.zeros(4)
            b[1] = 3.0
            box.kept = np.arange(3) * 2
            c = np.ones((2, 2)).T
            return x * 2, b, b[1:][::2], b, c, c[0], np.array(2.0)

        found = []
        for _ in range(4):
            y, b, part, again, c, row, number = fn(vt.ones([2]))
            found += [shown([y, b, part, c, row, number, box.kept]), b is again]
            part[0] = 9.0
            row[0] = 8.0
            number[()] = 7.0
            box.kept[0] = 5
            found += [shown([b, part, c, row, number, box.kept])]
        return found

    both(program)


@pytest.mark.parametrize("made", [lambda: np.arange(4.0), lambda: np.arange(8.0).reshape(2, 4)[1]])
def test_arrays_from_outside_are_themselves_and_views_of_them_can_be_written(made: Any) -> None:
    def program(wrap: Any) -> Any:
        table = made()
        fn = wrap(lambda x: (x * 2, table, table[1:], [table[::-1]]))
        found = []
        for _ in range(3):
            _, whole, tail, (turned,) = fn(vt.ones([2]))
            tail[0] += 9.0
            turned[0] += 1.0
            found.append((shown([whole, tail, turned]), whole is table))
        return found

    both(program)


def test_an_array_of_a_cache_is_that_of_the_cache() -> None:
    def program(wrap: Any) -> Any:
        @functools.lru_cache
        def table(n: int) -> Any:
            return np.arange(n)

        fn = wrap(lambda x: (x * 2, table(3)))
        first, second = fn(vt.ones([2]))[1], fn(vt.ones([2]))[1]
        return first is second, first is table(3)

    assert both(program) == [True, True]
