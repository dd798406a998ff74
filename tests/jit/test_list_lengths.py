"""Lists whose length a run tells, read by code that must know it: traced once per length, where these are few."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.ir.verifier import verify
from vitrify.jit.converters.regions import decisions

KEYS = ([0, 0, 0], [2, 0, 1], [0, 1, 2], [2, 2, 3], [2, 1, 0], [0, 2, 1], [0, 3, 3])


def total(first: Any, *others: Any) -> Any:
    for other in others:
        first = first + other * 0.5
    return first


def arguments_of_a_slice(x: Any, k: Any) -> Any:
    xs = [x, x * 2]
    if k[0] > 1:
        xs.append(x * 3)
    for _ in range(k[1]):
        xs.append(x)
    xs[-1] = x * 7
    first, second = total(x, *xs[:2]), total(x, *xs[1:3])
    return first, second, len(xs)


def arguments(x: Any, k: Any) -> Any:
    xs = [x, x * 2]
    if k[0] > 1:
        xs.append(x * 3)
    xs[-1] = x * 7
    return total(*xs), xs


def beside_numbers(x: Any, k: Any) -> Any:
    xs = [x, x * 2]
    if k[0] > 1:
        xs.append(x * 3)
    for _ in range(k[1]):
        xs.append(x)
    xs[-1] = x * 7
    y = sum(v * s for v, s in zip(xs, (0.5, 0.25), strict=False))
    return y, [name for name, _ in zip("abc", xs, strict=False)], xs


def beside_numbers_in_loops(x: Any, k: Any) -> Any:
    xs, i = [x], k[2] * 0
    while i < k[2]:
        xs.append(sum(v * s for v, s in zip(xs, (0.5, 0.25), strict=False)))
        for v, s in zip(xs, [1.0, 2.0], strict=False):
            x = x + v * s
        i = i + 1
    return x, xs


def unpacked(x: Any, k: Any) -> Any:
    xs = [x, x * 2]
    if k[0] > 1:
        xs.append(x * 3)
    xs[-1] = x * 7
    try:
        a, b = xs
    except ValueError:
        a, *b = xs
    return a, b


def library(x: Any, k: Any) -> Any:
    xs = [x, x * 2]
    if k[0] > 1:
        xs.append(x * 3)
    xs[-1] = x * 7
    ordered = sorted(xs, key=lambda v: v.sum()) if k[1] > 1 else [x]
    ys = list(xs)
    ys.sort(key=lambda v: v.sum())
    return ordered, xs.count(None), dict(enumerate(xs)), tuple(xs), ys, xs


CASES = [
    arguments_of_a_slice, arguments, beside_numbers, beside_numbers_in_loops, unpacked, library,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return np.round(value.numpy(), 5).tolist()
    if isinstance(value, dict):
        return [(key, plain(v)) for key, v in value.items()]
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def outcome(fn: Callable[..., Any], key: list[int]) -> Any:
    x = vt.to_tensor([1.0, -2.0, 3.0], stop_gradient=False)
    made = fn(x, vt.to_tensor(key))
    made[0].sum().backward() if isinstance(made[0], vt.Tensor) else made[-1][0].sum().backward()
    return plain(made), plain(x.grad)


@pytest.mark.parametrize("copies", [64, 0], ids=["paths", "statements"])
@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_results_are_those_of_eager_mode(
    fn: Callable[..., Any], copies: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", copies)
    compiled = vt.jit.to_static(fn)
    for key in KEYS:
        assert outcome(compiled, key) == outcome(fn, key), key


def test_any_number_of_elements_is_refused() -> None:
    def fn(x: Any, k: Any) -> Any:
        xs = [x]
        for _ in range(k[1]):
            xs.append(x)
        xs[0] = x * 2
        return total(*xs)

    with pytest.raises(vt.errors.CaptureError, match="a list whose length only a run of the program knows"):
        vt.jit.to_static(fn)(vt.ones([3]), vt.to_tensor([0, 2, 0]))


def test_what_an_element_more_needs_is_traced_once_per_length() -> None:
    def fn(x: Any, k: Any) -> Any:
        xs = [x, x * 2]
        if k[0] > 1:
            xs.append(x * 3)
        xs[-1] = x * 7
        return vt.tanh(total(*xs))

    compiled = vt.jit.to_static(fn)
    compiled(vt.ones([3]), vt.to_tensor([0, 0, 0]))
    assert str(compiled.concrete_trace().program).count("tanh") == 2


# ---- elements whose own sizes only a run knows


def rows_of_a_short_loop(x: Any, k: Any) -> Any:
    xs = [x]
    for e in vt.stack([x, x * 0.5]):
        xs.append(x[x > e.sum()])
    return [*xs, vt.concat(xs), len(xs)]


def rows_of_a_loop(x: Any, k: Any) -> Any:
    xs = []
    for i in range(k):
        xs.append(x[x > i])
    return vt.concat(xs)


def test_elements_of_sizes_of_their_own_in_a_loop_of_known_length() -> None:
    x, k = vt.to_tensor([-3.0, 0.5, 2.0]), vt.to_tensor(2)
    compiled = vt.to_static(rows_of_a_short_loop)
    *expected, count = rows_of_a_short_loop(x, k)
    for _ in range(2):
        *found, length = compiled(x, k)
        assert [a.tolist() for a in found] == [a.tolist() for a in expected]
        assert length == count == 3


def test_elements_of_sizes_of_their_own_in_a_loop_of_the_program_are_refused() -> None:
    with pytest.raises(
        CaptureError, match="must hold tensors or numbers of one dtype and shape; this one holds float32"
    ) as e:
        vt.to_static(rows_of_a_loop)(vt.to_tensor([1.0, 2.0]), vt.to_tensor(2))
    assert "concat it to one tensor in each iteration" in str(e.value)


def test_what_is_tried_and_left_leaves_no_size_that_nothing_defines() -> None:
    def grown(x, k):
        xs = [x, x]
        for e in vt.stack([x, x]):
            if k > 1:
                pass
            else:
                xs.append(e * 0.5)
        return xs

    compiled = vt.to_static(grown)
    assert len(compiled(vt.ones([3]), vt.to_tensor(0))) == 4
    verify(compiled.concrete_trace().program)


@pytest.mark.parametrize("number", [0, 2])
def test_an_array_before_the_elements_that_a_loop_appends(number: int) -> None:
    def grown(a, k):
        xs = [a]
        for e in vt.stack([a, a * 2]):
            if k > 1:
                pass
            else:
                xs.append(e)
        return xs

    a, k = np.arange(3, dtype="float32"), vt.to_tensor(number)
    compiled = vt.to_static(grown)
    for _ in range(2):
        found, expected = compiled(a, k), grown(a, k)
        assert [np.asarray(x).tolist() for x in found] == [np.asarray(x).tolist() for x in expected]


def test_arrays_are_written_where_constants_say() -> None:
    def written(x: Any) -> Any:
        i = vt.full([1], 0, "int64")
        array = vt.tensor.array_write(x, i)
        i = i + 1
        vt.tensor.array_write(x * 2, i, array)
        vt.increment(i)
        vt.tensor.array_write(x * 3, i, array)
        return len(array), vt.tensor.array_read(array, i) + vt.tensor.array_read(array, i - 1)

    count, total = vt.to_static(written)(vt.ones([2]))
    assert count == 3
    assert total.tolist() == written(vt.ones([2]))[1].tolist() == [5.0, 5.0]


def test_a_place_that_only_a_run_knows_is_told() -> None:
    @vt.to_static
    def written(x: Any) -> Any:
        return vt.tensor.array_write(x, x.sum().astype("int64"))

    with pytest.raises(CaptureError, match="only a run"):
        written(vt.zeros([1]))


def test_lengths_after_many_conditions_are_looked_up_once() -> None:
    """Both sides of each `if` lead to the list before it: going through all of them would take 2**30 steps."""

    def fn(x: Any) -> Any:
        out = []
        for i in range(30):
            if x[i] > 0:
                out.append(x[i])
                out.append(x[i] + 1)
        while len(out) > 5:
            out.pop(0)
        return sum(out)

    x = vt.to_tensor([float((k * 7) % 5 - 1) for k in range(30)])
    start = time.process_time()
    found = vt.to_static(fn)(x)
    assert time.process_time() - start < 20
    assert float(found) == float(fn(x))


@pytest.mark.parametrize("grows", ["in a loop", "on a path"])
def test_questions_about_a_list_of_a_runs_length_give_bools(grows: str) -> None:
    def fn(t: Any) -> Any:
        xs = [t]
        if grows == "on a path":
            if t < 4:
                xs.append(t * 2)
        else:
            while t < 4:
                t = t + 1
                xs.append(t * 1)
        return bool(xs), len(xs) > 2, not xs, len(xs), len(xs) == 2, len(xs) != 1

    compiled = vt.to_static(fn)
    for start in (1.0, 3.0, 5.0):
        assert repr(compiled(vt.to_tensor(start))) == repr(fn(vt.to_tensor(start)))


def test_a_list_of_a_runs_length_beside_a_text_is_refused() -> None:
    def fn(t: Any) -> Any:
        xs = [t]
        while t < 4:
            t = t + 1
            xs.append(t * 1)
        return dict(zip("abcdefgh", xs, strict=False))

    with pytest.raises(vt.errors.CaptureError, match="a list whose length only a run of the program knows"):
        vt.to_static(fn)(vt.to_tensor(1.0))
