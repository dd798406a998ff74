"""Lists that grow in loops of the program or under tensor tests: eager mode and the program agree, gradients too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

X = np.array([1.1, 0.7, -0.3])


def append_in_while(x: Any, n: Any) -> Any:
    xs, i = [], 0
    while i < n:
        xs.append(x * (i + 1.0))
        i = i + 1
    xs.append(x)
    return vt.stack(xs)


def returned(x: Any, n: Any) -> Any:
    xs, i = [x], vt.zeros([], dtype="int64")
    while i < n:
        xs.append(xs[-1] * x)
        i += 1
    return xs


def length_of_some(x: Any, n: Any) -> Any:
    xs: list[Any] = []
    for i in range(n):
        if x.sum() * i > 1.0:
            xs.append(x * i)
    return x * len(xs)


def concatenated(x: Any, n: Any) -> Any:
    xs = [x]
    for i in range(n):
        xs.append(x * i)
    return vt.concat(xs)


def iterated(x: Any, n: Any) -> Any:
    xs = [x]
    for i in range(n):
        xs.append(xs[i] * 2)
    total = x * 0
    for k, a in enumerate(xs):
        total = total + a * k
    for a, b in zip(xs, reversed(xs)):  # noqa: B905
        total = total + a * b
    return total


def used_as_stack(x: Any, n: Any) -> Any:
    todo, total, turns = [x], x * 0, 0
    while todo:
        total = total + todo.pop()
        turns = turns + 1
        if turns < n:
            todo.append(x * 2)
            todo.append(x * turns)
        if turns > 8:
            break
    return total


def set_items(x: Any, n: Any) -> Any:
    xs = [x, x * 2]
    for i in range(n):
        xs.append(x * i)
    xs[0] = x * 5
    xs[n] = xs[n] * 7
    xs[-1] = x
    return vt.stack(xs, axis=1)


def inserted_and_reversed(x: Any, n: Any) -> Any:
    xs = [x]
    for i in range(n):
        xs.insert(0, x * i)
        xs.insert(1, x * 9)
    first = xs.pop(0)
    xs.reverse()
    return sum(xs) * first, len(xs)


def sliced(x: Any, n: Any) -> Any:
    xs = [x]
    for i in range(n):
        xs.append(x * (i + 2))
    return vt.stack(xs[::-1] + xs[1:n] + [x])


def of_structures(x: Any, n: Any) -> Any:
    xs = []
    for i in range(n):
        xs.append((x * i, {"a": x.sum() + i}))
    total = x
    for a, d in xs:
        total = total + a * d["a"]
    return total, xs


def under_a_test(x: Any, n: Any) -> Any:
    xs = [x]
    if n > 1:
        xs.append(x * 2)
    return vt.stack(xs)


def push(xs: list[Any], x: Any) -> int:
    xs.append(x)
    return len(xs)


def in_a_helper(x: Any, n: Any) -> Any:
    xs: list[Any] = []
    k = 0
    for i in range(n):
        k = push(xs, x + i)
    return x * k + sum(xs, x)


def tensor_index(x: Any, n: Any) -> Any:
    xs = [x, x * 2, x * 3, x * 4]
    xs[n] = x * 5
    return xs[n] + xs[0]


def of_numbers(x: Any, n: Any) -> Any:
    xs = []
    for i in range(n):
        xs.append(i * 2)
    return x * max(xs + [1])


def extended_and_deleted(x: Any, n: Any) -> Any:
    xs = [x]
    while len(xs) < n:
        xs.extend([x, x * len(xs)])
    xs += [x]
    del xs[0]
    return vt.stack(xs, axis=1)


class Cached(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.cache: list[Any] = []

    def push(self, x: Any) -> None:
        self.cache.append(x)

    def forward(self, x: Any, n: Any) -> Any:
        self.cache = []
        for i in range(n):
            self.push(x * i)
        return sum(self.cache, x)


def in_an_attribute(x: Any, n: Any) -> Any:
    return Cached()(x, n)


def aliased_and_copied(x: Any, n: Any) -> Any:
    xs: list[Any] = []
    ys = xs
    for i in range(n):
        ys.append(x * i)
    zs = list(xs)
    zs.append(x)
    return vt.stack(zs) * len(xs)


def contained(x: Any, n: Any) -> Any:
    xs = [0]
    for i in range(n):
        xs.append(i)  # noqa: PERF402
    if 2 in xs:
        return x * 2
    return x


def truth(x: Any, n: Any) -> Any:
    xs = []
    for i in range(n):
        if x.sum() > i:
            xs.append(x)
    return vt.stack(xs).sum(0) if xs else x * 0


FUNCTIONS = [
    append_in_while, returned, length_of_some, concatenated, iterated, used_as_stack, set_items, inserted_and_reversed,
    sliced, of_structures, under_a_test, in_a_helper, tensor_index, of_numbers, extended_and_deleted, in_an_attribute,
    aliased_and_copied, contained, truth,
]  # fmt: skip


def tensors(value: Any) -> list[Any]:
    if isinstance(value, vt.Tensor):
        return [value]
    if isinstance(value, dict):
        return tensors(list(value.values()))
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors(v)]
    return [vt.to_tensor(float(value))]


def outcome(fn: Callable[..., Any], n: int) -> tuple[list[Any], Any]:
    x = vt.to_tensor(X, stop_gradient=False)
    found = tensors(fn(x, vt.to_tensor(n)))
    total = sum((t.astype("float64") ** 2).sum() for t in found)
    total.backward()
    return [t.numpy() for t in found], x.grad.numpy()


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_compiled_equals_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n in (1, 2, 3):
        expected, gradient = outcome(fn, n)
        found, slope = outcome(compiled, n)
        assert [f.shape for f in found] == [e.shape for e in expected]
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b)
        np.testing.assert_allclose(slope, gradient)


def test_a_list_of_the_world_outside_grows_at_each_call() -> None:
    net = Cached()
    compiled = vt.jit.to_static(Cached())
    for n in (2, 0, 3):
        x = vt.to_tensor(X)
        assert compiled(x, vt.to_tensor(n)).tolist() == net(x, vt.to_tensor(n)).tolist()
        assert [t.tolist() for t in compiled.cache] == [t.tolist() for t in net.cache]


def test_an_empty_list_has_nothing_to_pop() -> None:
    @vt.jit.to_static
    def drained(x: Any, n: Any) -> Any:
        xs = [x]
        for _ in range(n):
            xs.pop()
        return len(xs)

    assert int(drained(vt.to_tensor(X), vt.to_tensor(1))) == 0
    with pytest.raises(IndexError):
        drained(vt.to_tensor(X), vt.to_tensor(2))


def test_what_is_not_there_is_refused() -> None:
    def sorts(x: Any, n: Any) -> Any:
        xs = [x]
        for _ in range(n):
            xs.append(x)
        xs.sort()
        return xs

    with pytest.raises(CaptureError, match=r"list\.sort\(\) of a list whose length only a run knows"):
        vt.jit.to_static(sorts)(vt.to_tensor(X), vt.to_tensor(2))


class Unrolls(vt.nn.Layer):
    def forward(self, x: Any, n: Any) -> Any:
        xs = [x]
        while len(xs) < n:
            xs.append(xs[-1] * 2)
        return xs, vt.stack(xs)


def test_saved_and_loaded(tmp_path: Path) -> None:
    net = Unrolls()
    spec = [vt.static.InputSpec([3], "float64"), vt.static.InputSpec([], "int64")]
    vt.jit.save(vt.jit.to_static(Unrolls(), input_spec=spec), str(tmp_path / "net"))
    loaded = vt.jit.load(str(tmp_path / "net"))
    for n in (1, 4):
        expected, found = (fn(vt.to_tensor(X), vt.to_tensor(n)) for fn in (net, loaded))
        assert [t.tolist() for t in tensors(found)] == [t.tolist() for t in tensors(expected)]


@pytest.mark.parametrize("number", [-1, 1])
def test_one_path_appends_and_the_other_sets_an_item(number: int) -> None:
    def choose(x, k):
        items = [x, x * 0.5]
        if k > 0:
            items.append(x)
        else:
            items[0] = x * 2
            items[-1] = x * 3
        return items

    x, k = vt.to_tensor([1.0, 2.0]), vt.to_tensor(number)
    expected, found = choose(x, k), vt.to_static(choose)(x, k)
    assert [v.tolist() for v in found] == [v.tolist() for v in expected]


@pytest.mark.parametrize("numbers", [(1, 0), (0, 1), (1, 1), (0, 0)])
def test_a_list_of_one_kind_or_another(numbers: tuple[int, int]) -> None:
    def choose(x, k):
        items = [x, x * 0.5]
        best = None
        if k[1] > 0:
            best = x * 2
        if k[0] > 0:
            items.append(x if best is not None else best)
        return items, best

    x, k = vt.to_tensor([1.0, 2.0]), vt.to_tensor(numbers)
    plain = lambda made: [[None if v is None else v.tolist() for v in made[0]], made[1] is None]  # noqa: E731
    assert plain(vt.to_static(choose)(x, k)) == plain(choose(x, k))


@pytest.mark.parametrize("numbers", [(1, 2), (2, 3), (0, 2)])
def test_gradients_through_loops_that_lengthen_a_list_one_after_the_other(numbers: tuple[int, int]) -> None:
    def grown(x, k):
        items = [x]
        for _ in range(2):
            first = vt.tanh(items[0])
            for _ in range(k[1]):
                if k[0] == 1:
                    items.append(vt.tanh(first))
                else:
                    items[0] = vt.tanh(x * 2)
            items.append(first * 0.5)
        return items

    k = vt.to_tensor(numbers)
    gradients = []
    for fn in (grown, vt.to_static(grown)):
        x = vt.to_tensor(X, stop_gradient=False)
        vt.stack(fn(x, k)).sum().backward()
        gradients.append(x.grad.numpy())
    np.testing.assert_allclose(gradients[1], gradients[0], rtol=1e-6)


def named_then_chosen(x: Any) -> Any:
    found: list[Any] = []
    if x.sum() <= 4:
        found.append(1)
    found.append("end")
    rest = None
    if x.sum() > 4:
        rest = x
    return found, rest


def named_in_an_inner_function(x: Any) -> Any:
    found: list[Any] = []

    def attempt() -> Any:
        for j in range(2):
            try:
                if (x * j).sum() > 4:
                    return x
                found.append(j)
            finally:
                found.append("end")
        return None

    made = attempt()
    return found, None if made is None else made * 2


@pytest.mark.parametrize("fn", [named_then_chosen, named_in_an_inner_function])
def test_lists_with_texts_come_out_beside_what_is_one_thing_or_another(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for value in (0.0, 5.0, 0.0):
        x = vt.to_tensor([value, 1.0])
        (found, rest), (expected, other) = compiled(x), fn(x)
        assert found == expected
        assert (rest is None) == (other is None)
        assert rest is None or rest.tolist() == other.tolist()
