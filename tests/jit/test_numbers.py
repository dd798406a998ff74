"""Python numbers that change between calls: one program for all, and Python's numbers for the caller."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

X = [1.0, 2.0, 3.0]


def _same(got: Any, want: Any) -> None:
    assert type(got) is type(want), (got, want)
    if isinstance(want, vt.Tensor):
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-6)
        assert got.dtype is want.dtype
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for a, b in zip(got, want, strict=True):
            _same(a, b)
    else:
        assert got == want


def _chooses(x: Any, n: Any) -> Any:
    if n > 2:
        return x + n
    return x * 2


def _counts(x: Any, n: Any) -> Any:
    for k in range(n):
        x = x + k
    return x


def _keeps_kind(x: Any, n: Any) -> Any:
    return x * n if isinstance(n, int) else x / n


def _halves(x: Any, n: Any) -> Any:
    steps = 0
    while n > 0.5:
        n = n / 2
        steps += 1
    return x * n, steps, n


ARGUMENTS: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x, n: x * n + n, [0.1 * k for k in range(7)]),
    (lambda x, n: x * n + n // 2, list(range(7))),
    (lambda x, n: x / n - n**2, [1, 2, 3, 5]),
    (lambda x, n: (x, n + 1, n * 2.5, n > 2, n % 3, -n, abs(n)), list(range(7))),
    (lambda x, n: vt.where(x > n, x, n), [0.5, 1.5, 2.5, 3.5]),
    (lambda x, n: x.astype("int32") + n, list(range(4))),
    (lambda x, n: x.astype("int64") * n, [0.5, 1.5, 2.5]),
    (lambda x, n: x.astype("float64") * n, [0.1, 0.2, 0.3]),
    (lambda x, n: x[n], [0, 1, 2]),
    (lambda x, n: x + max(n, 2) + min(n, 3.5), [1, 2, 3, 4]),
    (lambda x, n: (int(n), float(n), bool(n), round(n)), [0.25, 1.5, 2.75]),
    (lambda x, n: x * n["a"][0] + n["b"], [{"a": [0.5 * k], "b": k} for k in range(4)]),
    (_chooses, list(range(6))),
    (_counts, list(range(5))),
    (_keeps_kind, list(range(1, 6))),
    (_halves, [1.0, 3.0, 10.0, 0.1]),
]


@pytest.mark.parametrize(("fn", "numbers"), ARGUMENTS)
def test_arguments_of_many_values_make_two_programs(fn: Callable[..., Any], numbers: list[Any]) -> None:
    compiled = vt.to_static(fn)
    for n in [*numbers, *numbers]:
        _same(compiled(vt.to_tensor(X), n), fn(vt.to_tensor(X), n))
    assert compiled.get_traced_count() <= 2, compiled.explain()


LOOKED_AT: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x, n: vt.zeros([n, 2]), [1, 2, 3]),
    (lambda x, n: [x, x * 2, x * 3][n], [0, 1, 2]),
    (lambda x, n: x * {0: 1.0, 1: 5.0, 2: 7.0}[n], [0, 1, 2]),
    (lambda x, n: x * math.sqrt(n), [1.0, 4.0, 9.0]),
    (lambda x, n: x.reshape([n, -1]).sum(axis=n - 1), [1, 1, 1]),
    (lambda x, n: (x, x * 2) if n == 1 else x, [0, 1, 2]),
    (lambda x, n: x * len("a" * n), [1, 2, 3]),
    (lambda x, n: round(n, 1), [2.75, 2.65, 0.05]),
]


@pytest.mark.parametrize(("fn", "numbers"), LOOKED_AT)
def test_numbers_that_python_looks_at_stay_right(fn: Callable[..., Any], numbers: list[Any]) -> None:
    compiled = vt.to_static(fn)
    for n in [*numbers, *numbers]:
        _same(compiled(vt.to_tensor(X), n), fn(vt.to_tensor(X), n))
    assert compiled.get_traced_count() <= len(numbers)


def test_an_int_a_float_and_a_bool_are_different_calls() -> None:
    fn = vt.to_static(lambda x, n: x.astype("int64") * n)
    assert [fn(vt.to_tensor(X), n).dtype for n in (1, 1.0, True)] == [vt.int64, vt.float32, vt.int64]


def test_keywords_in_any_order() -> None:
    fn = vt.to_static(lambda x, a=1, b=2.0: x * a - b)
    for k in range(4):
        assert fn(vt.to_tensor(X), b=0.5 * k, a=k).tolist() == [v * k - 0.5 * k for v in X]
        assert fn(vt.to_tensor(X), a=k, b=0.5 * k).tolist() == [v * k - 0.5 * k for v in X]
    assert fn.get_traced_count() == 2


def test_beyond_64_bits_is_by_value() -> None:
    fn = vt.to_static(lambda x, n: x + float(n % 7))
    assert [fn(vt.to_tensor(X), 2**70 + k).tolist()[0] for k in range(3)] == [1.0 + (2**70 + k) % 7 for k in range(3)]


def test_gradients_with_a_number() -> None:
    fn = vt.to_static(lambda x, s: (x * s).sum())
    for s in (0.5, 1.5, 2.5):
        x = vt.to_tensor(X, stop_gradient=False)
        fn(x, s).backward()
        assert x.grad.tolist() == [s] * 3
    assert fn.get_traced_count() == 2


@pytest.mark.parametrize(
    ("fn", "message"),
    [
        (lambda x, n: x + 6 / n, "division by zero"),
        (lambda x, n: x + 6 // n, "integer division or modulo by zero"),
        (lambda x, n: x + 6 % n, "integer modulo by zero"),
    ],
)
def test_division_by_zero_is_pythons(fn: Callable[..., Any], message: str) -> None:
    compiled = vt.to_static(fn)
    for n in (1, 2):
        compiled(vt.to_tensor(X), n)
    with pytest.raises(ZeroDivisionError, match=message):
        compiled(vt.to_tensor(X), 0)
    assert compiled(vt.to_tensor(X), 3).tolist() == fn(vt.to_tensor(X), 3).tolist()


class Plain:
    def __init__(self) -> None:
        self.scale, self.n, self.total, self.acc, self.calls, self.many = 0.5, 0, 0, 0.0, {"n": 0}, [0]

    def step(self, x: Any) -> Any:
        self.n += 1
        self.total += x.shape[0]
        self.acc += 0.1
        self.calls["n"] += 2
        self.many[0] -= 1
        return x * self.scale + self.n

    def test_step(self, x: Any) -> Any:
        if x.sum() > 3.0:
            self.n += 1
            self.acc += float(x.max())
        return x * self.n

    def loop_step(self, x: Any) -> Any:
        i = 0.0
        while x.sum() > i:
            self.n += 1
            i += 1.5
        return x + self.n, i


class Counting(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.n, self.scale = 0, 0.5

    def step(self, x: Any) -> Any:
        self.n += 1
        return x * self.scale + self.n


@pytest.mark.parametrize("method", ["step", "test_step", "loop_step"])
def test_counters_of_an_object_make_two_programs(method: str) -> None:
    ours, eager = Plain(), Plain()
    compiled = vt.to_static(getattr(ours, method))
    for k in range(6):
        ours.scale = eager.scale = 0.25 * k
        x = vt.to_tensor([0.5 * k] * (k % 3 + 1))
        _same(compiled(x), getattr(eager, method)(x))
        assert vars(ours) == vars(eager)
        assert {n: type(v) for n, v in vars(ours).items()} == {n: type(v) for n, v in vars(eager).items()}
    assert compiled.get_traced_count() <= 3, compiled.explain()


def test_counters_of_a_layer_stay_numbers() -> None:
    ours, eager = Counting(), Counting()
    compiled = vt.to_static(ours.step)
    for k in range(5):
        ours.scale = eager.scale = 0.25 * k
        _same(compiled(vt.to_tensor(X)), eager.step(vt.to_tensor(X)))
        assert (ours.n, type(ours.n)) == (eager.n, int)
    assert compiled.get_traced_count() == 2
    assert not list(ours.buffers())


LEVEL = 1.5
CALLS = 0


def _global_step(x: Any) -> Any:
    global CALLS
    CALLS += 1
    return x * LEVEL


def test_globals() -> None:
    global LEVEL, CALLS
    CALLS = 0
    compiled = vt.to_static(_global_step)
    for k in range(6):
        LEVEL = 1.5 * k
        assert compiled(vt.to_tensor(X)).tolist() == [1.5 * k * v for v in X]
    assert (CALLS, type(CALLS), compiled.get_traced_count()) == (6, int, 2)


def _counter() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    n, best = 0, -1.0

    def step(x: Any) -> Any:
        nonlocal n, best
        n += 1
        if x.max() > best:
            best = x.max().item()
        return x + n, n, best

    return step, lambda: (n, best)


def test_closure_variables() -> None:
    (ours, ours_now), (eager, eager_now) = _counter(), _counter()
    compiled = vt.to_static(ours)
    for k in (1.0, 3.0, 2.0, 5.0, 4.0):
        _same(compiled(vt.to_tensor([k, 0.5])), eager(vt.to_tensor([k, 0.5])))
        _same(ours_now(), eager_now())
    assert compiled.get_traced_count() <= 3, compiled.explain()


def test_a_number_that_becomes_something_else_is_noticed() -> None:
    thing = Plain()
    compiled = vt.to_static(lambda x: x * thing.scale)
    for value in (0.5, 1.5, 2.5, 3, vt.to_tensor(4.0), 5.5):
        thing.scale = value  # type: ignore[assignment]
        want = value.item() if isinstance(value, vt.Tensor) else value
        assert compiled(vt.to_tensor(X)).tolist() == [want * v for v in X]


def _found(x: Any) -> Any:
    found, count, total = False, 0, 0.0
    while count < x.sum():
        count += 1
        total += 0.1
        if x[0] * count > 2:
            found = True
    return found, count, total, x.sum().item(), int(x[1]), x.shape[0]


def test_numbers_of_loops_and_branches_come_out_as_pythons() -> None:
    compiled = vt.to_static(_found)
    for k in (1.0, 2.0, 0.0):
        _same(compiled(vt.to_tensor(X) * k), _found(vt.to_tensor(X) * k))
    assert compiled.get_traced_count() == 1


def test_texts_of_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    def shows(x: Any, n: Any) -> Any:
        print("n", n, n * 1.5)
        return x

    compiled = vt.to_static(shows)
    for n in (1, 2, 3):
        compiled(vt.to_tensor(X), n)
        ours = capsys.readouterr().out
        shows(vt.to_tensor(X), n)
        assert ours == capsys.readouterr().out
    assert compiled.get_traced_count() == 2


PYTHONS: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x, n: x * len(str(n)), [1, 10, 100]),
    (lambda x, n: x * len(f"{n:3d}"), [1, 10, 100000]),
    (lambda x, n: x * len(repr(n) + ",".join(map(str, [n, n]))), [1, 10, 100]),
    (lambda x, n: vt.full([2], n), [1, 2, 3]),
    (lambda x, n: vt.to_tensor(n), [1, 2, 3]),
    (lambda x, n: vt.to_tensor(n, dtype="float64"), [0.5, 1.5, 2.5]),
    (lambda x, n: vt.to_tensor([n, 1.0]), [0.5, 1.5, 2.5]),
    (lambda x, n: x * len([0] * n), [0, 1, 4]),
    (lambda x, n: x * 2**n, [1, 2, -1]),
    (lambda x, n: x * 2 if vt.is_tensor(n) or isinstance(n, vt.Tensor) or hasattr(n, "shape") else x, [1, 2, 3]),
    (lambda x, n: x * n.bit_length() + n.real, [1, 2, 8]),
    (lambda x, n: x * 2 if n.is_integer() else x, [0.5, 1.0, 2.5]),
    (lambda x, n: x.clip(0, n), [0, 1, 2]),
    (lambda x, n: vt.nn.functional.leaky_relu(-x, n), [0.5, 0.25, 0.1]),
    (lambda x, n: vt.nn.functional.softmax(x.reshape([1, 3]), n), [0, 1, -1]),
    (lambda x, n: x * divmod(n, 3)[0] + (-n) // 3 + (-n) % 3, [1, 2, 8]),
    (lambda x, n: x * 2 if n in {1, 3} else x, [1, 2, 3]),
    (lambda x, n: x * (n or 5) + (n and 3), [0, 1, 2]),
    (lambda x, n: x + (1 if not n else 2), [0, 1, 2]),
]


@pytest.mark.parametrize(("fn", "numbers"), PYTHONS)
def test_numbers_mean_what_pythons_mean(fn: Callable[..., Any], numbers: list[Any]) -> None:
    compiled = vt.to_static(fn)
    for n in [*numbers, *numbers]:
        _same(compiled(vt.to_tensor(X), n), fn(vt.to_tensor(X), n))
    assert compiled.get_traced_count() <= len(numbers)


class _Twice(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, factor: Any) -> Any:
        assert isinstance(factor, float)
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.factor


def test_a_py_layer_gets_plain_numbers() -> None:
    compiled = vt.to_static(lambda x, n: _Twice.apply(x, n))
    for n in (0.5, 1.5, 2.5):
        assert compiled(vt.to_tensor(X), n).tolist() == [n * v for v in X]


def test_saving_keeps_the_numbers_of_now(tmp_path: Any) -> None:
    layer = Counting()
    layer.forward = layer.step  # type: ignore[method-assign]
    compiled = vt.to_static(layer, input_spec=[vt.InputSpec([3], "float32")])
    for layer.scale in (0.5, 1.0, 2.0):
        want = compiled(vt.to_tensor(X)).tolist()
    layer.n -= 1
    with pytest.warns(UserWarning, match="stays as it is now in the saved model"):
        vt.jit.save(compiled, str(tmp_path / "model"))
    assert vt.jit.load(str(tmp_path / "model"))(vt.to_tensor(X)).tolist() == want


def test_not_of_a_tensor_is_pythons_bool_in_results() -> None:
    def negated(x):
        return not x, not (x > 2.0), [not (x < 1.0)]

    x = vt.to_tensor(1.5)
    assert negated(x) == vt.to_static(negated)(x) == (False, True, [True])
    assert all(type(item) is bool for item in vt.to_static(negated)(x)[:2])
