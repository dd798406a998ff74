"""Recursion that a tensor's value ends: functions of the program that call themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.ir.walk import walk


def factorial(x: Any) -> Any:
    if x <= 1:
        return x
    return x * factorial(x - 1)


def factorial_from_one(n: Any) -> Any:
    return 1 if n <= 1 else n * factorial_from_one(n - 1)


def fibonacci(n: Any) -> Any:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n: Any) -> Any:
    return n == 0 or is_odd(n - 1)


def is_odd(n: Any) -> Any:
    return n != 0 and is_even(n - 1)


def not_odd(n: Any) -> Any:
    if n == 0:
        return n + 7
    return not_even(n - 1) * 2


def not_even(n: Any) -> Any:
    if n == 0:
        return n + 5
    return not_odd(n - 1) + 1


def ackermann(m: Any, n: Any) -> Any:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, n + 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def nested(n: Any, x: Any) -> Any:
    def below(k: Any) -> Any:
        if k <= 0:
            return x
        return x * 2 + below(k - 1)

    return below(n) + below(n - 1)


def hanoi(n: Any, a: Any, b: Any, *, cost: float = 1.0) -> Any:
    if n == 0:
        return a * 0
    return hanoi(n - 1, b, a, cost=cost) + a * cost + hanoi(n - 1, b, a, cost=cost)


def in_loops(n: Any, x: Any) -> Any:
    if n <= 0:
        return x
    total = x
    for _ in range(n):
        total = total + in_loops(n - 1, x * 0.5)
    return total


def catalan(n: Any) -> Any:
    if n == 0:
        return n + 1
    total = n * 0
    for i in range(n):
        total = total + catalan(vt.to_tensor(i)) * catalan(n - 1 - i)
    return total


def ended_by_a_loop(n: Any, x: Any) -> Any:
    total, other = x, 2
    while n > 0:
        n = n - 1
        total, other = total + ended_by_a_loop(n, x * 0.5) * other, total.sum()
    return total


def partitions(n: Any, largest: Any) -> Any:
    total, i = n * 0 + 1, n * 0 + 2
    while i <= largest:
        j = i
        while j <= n:
            total = total + partitions(n - j, i - 1)
            j = j + i
        i = i + 1
    return total


def structured(n: Any) -> Any:
    if n <= 0:
        return n, {"twice": n * 2.0}
    count, found = structured(n - 1)
    return count + 1, {"twice": found["twice"] * 2 + 1}


def polymorphic(n: Any, x: Any) -> Any:
    if n <= 0:
        return x.sum() * 1.0
    return polymorphic(n - 1, x * 0.5) + 1


def checked(n: Any) -> Any:
    if n < 0:
        raise ValueError("below zero")
    if n == 0:
        return n
    return 1 + checked(n - 2)


def power(x: Any, n: Any) -> Any:
    if n <= 0:
        return vt.sin(x)
    return x * power(x * 1.1, n - 1) + power(x, n - 2)


CALLS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (factorial, [(5,), (1,), (2.5,)]),
    (fibonacci, [(7,), (1,), (12,)]),
    (is_even, [(4,), (5,), (0,)]),
    (not_odd, [(4,), (5,), (0,)]),
    (ackermann, [(2, 2), (0, 3)]),
    (nested, [(3, 2.0), (0, 1.5)]),
    (hanoi, [(3, 1.0, 2.0), (0, 1.0, 2.0)]),
    (in_loops, [(3, 1.0), (0, 2.0)]),
    (catalan, [(5,), (0,)]),
    (ended_by_a_loop, [(3, 1.5), (0, 1.5)]),
    (partitions, [(6, 6), (0, 3)]),
    (structured, [(3,), (0,)]),
    (polymorphic, [(3, 4)]),
    (checked, [(4,)]),
    (power, [(0.5, 4), ([0.5, 0.25], 0)]),
]


def arrays(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in arrays(v)]
    if isinstance(value, dict):
        return arrays(list(value.values()))
    return [np.asarray(value)]


@pytest.mark.parametrize(("fn", "calls"), CALLS, ids=[fn.__name__ for fn, _ in CALLS])
def test_compiled_equals_eager(fn: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    compare(fn, calls, "ieee")


@pytest.mark.parametrize(("fn", "calls"), CALLS[1:4], ids=[fn.__name__ for fn, _ in CALLS[1:4]])
def test_reference_numerics_give_the_same(fn: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    compare(fn, calls, "reference")


def compare(fn: Callable[..., Any], calls: list[tuple[Any, ...]], numerics: str) -> None:
    compiled = vt.jit.to_static(fn, numerics=numerics)
    for call in calls:
        want, got = (arrays(f(*map(vt.to_tensor, call))) for f in (fn, compiled))
        for a, b in zip(want, got, strict=True):
            assert a.dtype == b.dtype, call
            np.testing.assert_allclose(a, b, rtol=1e-5)


def operations(compiled: Any) -> list[str]:
    return [o.name for o in walk(compiled.program.body)]


def test_the_program_has_one_function_and_calls_it() -> None:
    compiled = vt.jit.to_static(fibonacci)
    compiled(vt.to_tensor(3))
    assert operations(compiled).count("function") == 1
    assert operations(compiled).count("call") == 2
    assert "function %n {limit = " in str(compiled.program)


def test_an_argument_that_is_handed_on_as_it_is_is_read_from_outside() -> None:
    compiled = vt.jit.to_static(hanoi)
    compiled(vt.to_tensor(2), vt.to_tensor(1.0), vt.to_tensor(2.0))
    (made,) = [o for o in walk(compiled.program.body) if o.name == "function"]
    assert len(made.operands) == 3

    def scaled(x: Any, n: Any, w: Any) -> Any:
        return x if n <= 0 else w * scaled(x, n - 1, w)

    compiled = vt.jit.to_static(scaled)
    compiled(vt.ones([2]), vt.to_tensor(2), vt.ones([2]))
    (made,) = [o for o in walk(compiled.program.body) if o.name == "function"]
    assert len(made.operands) == 1


def test_a_number_of_python_on_one_path_is_a_tensor_of_the_program() -> None:
    compiled = vt.jit.to_static(factorial_from_one)
    assert compiled(vt.to_tensor(5)).item() == 120
    assert compiled(vt.to_tensor(1)).item() == 1


def test_what_python_values_end_is_written_out_as_before() -> None:
    def weighted(x: Any, n: int) -> Any:
        return x if n == 0 else x * weighted(x, n - 1)

    compiled = vt.jit.to_static(weighted)
    for n in (3, 4, 5):
        assert compiled(vt.to_tensor(2.0), n).item() == 2.0 ** (n + 1)
    assert "function" not in operations(compiled)

    def both(x: Any, n: int) -> Any:
        if n > 0:
            return both(x, n - 1) + n
        return x if x <= 0 else 1 + both(x - 1, 0)

    assert vt.jit.to_static(both)(vt.to_tensor(4), 3).item() == both(vt.to_tensor(4), 3).item()


class Tower(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x: Any, n: Any) -> Any:
        if n <= 0:
            return x
        return vt.tanh(self.inner(self(x, n - 1))) + x


def gradients(fn: Callable[..., Any], net: nn.Layer) -> list[Any]:
    for p in net.parameters():
        p.clear_gradient()
    x = vt.to_tensor([[0.3, 0.7, 0.1]], stop_gradient=False)
    y = fn(x, vt.to_tensor(4))
    y.sum().backward()
    return [y.numpy(), x.grad.numpy(), *(p.grad.numpy() for p in net.parameters())]


def test_a_layer_may_call_itself() -> None:
    vt.seed(3)
    net = Tower()
    want = gradients(net.forward, net)
    for numerics in ("ieee", "reference"):
        compiled = vt.jit.to_static(net.forward, numerics=numerics)
        for a, b in zip(want, gradients(compiled, net), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_gradients_from_outside_and_inside_equal_eager_ones() -> None:
    def inside(x: Any, n: Any) -> Any:
        power(x, n).sum().backward()
        return x.grad * 1

    for n in (0, 1, 5):
        found = []
        for fn in (power, vt.jit.to_static(power), vt.jit.to_static(power, numerics="reference")):
            x = vt.to_tensor([0.3, 0.7], stop_gradient=False)
            fn(x, vt.to_tensor(n)).sum().backward()
            found.append(x.grad.numpy())
        x = vt.to_tensor([0.3, 0.7], stop_gradient=False)
        found.append(vt.jit.to_static(inside)(x, vt.to_tensor(n)).numpy())
        np.testing.assert_allclose(found[1:], [found[0]] * 3, rtol=1e-4)


def test_second_gradients_are_those_of_eager_mode() -> None:
    def bend(x: Any, n: Any) -> Any:
        (first,) = vt.grad(power(x, n), x, create_graph=True)
        (second,) = vt.grad(first, x)
        return second

    want = bend(vt.to_tensor(0.6, stop_gradient=False), vt.to_tensor(3)).numpy()
    got = vt.jit.to_static(bend)(vt.to_tensor(0.6, stop_gradient=False), vt.to_tensor(3)).numpy()
    np.testing.assert_allclose(got, want, rtol=1e-4)


def tree_sum(node: Any, left: Any, right: Any, value: Any) -> Any:
    if node < 0:
        return vt.zeros([])
    return value[node] ** 2 + tree_sum(left[node], left, right, value) + tree_sum(right[node], left, right, value)


def test_a_tree_of_indices_is_walked_with_its_gradient() -> None:
    left, right = vt.to_tensor([1, 3, -1, -1]), vt.to_tensor([2, -1, -1, -1])
    value = vt.to_tensor([1.0, 2.0, 4.0, 8.0], stop_gradient=False)
    for fn in (tree_sum, vt.jit.to_static(tree_sum)):
        value.clear_gradient()
        made = fn(vt.to_tensor(0), left, right, value)
        made.backward()
        assert made.item() == 85
        np.testing.assert_array_equal(value.grad.numpy(), [2, 4, 8, 16])


def applied(fn: Callable[..., Any], n: Any, x: Any) -> Any:
    return fn(n, x)


def through_another(n: Any, x: Any) -> Any:
    if n <= 0:
        return x
    return applied(through_another, n - 1, x * 2) + 1


def test_other_functions_may_stand_between() -> None:
    args = vt.to_tensor(3), vt.to_tensor(1.5)
    assert vt.jit.to_static(through_another)(*args).item() == through_another(*args).item()


def test_gradients_end_where_eager_ones_do() -> None:
    def detached(x: Any, n: Any) -> Any:
        return x if n <= 0 else x * detached((x * 2).detach(), n - 1)

    def late(x: Any, n: Any) -> Any:  # the argument needs a gradient from the second call on
        return x * 1 if n <= 0 else late(x * weight, n - 1) * 2

    weight = vt.to_tensor(1.5, stop_gradient=False)
    for fn in (detached, late):
        found = []
        for run in (fn, vt.jit.to_static(fn)):
            x = vt.to_tensor(2.0, stop_gradient=fn is late)
            weight.clear_gradient()
            run(x, vt.to_tensor(3)).backward()
            found.append((x if fn is detached else weight).grad.item())
        assert found[0] == pytest.approx(found[1])


def test_a_training_step_may_have_recursion_in_it() -> None:
    losses = []
    for compile_it in (False, True):
        vt.seed(0)
        layer = nn.Linear(3, 3)
        optimizer = vt.optimizer.SGD(0.1, parameters=layer.parameters())

        def below(x: Any, n: Any) -> Any:
            return x if n <= 0 else vt.tanh(layer(below(x, n - 1)))  # noqa: B023

        def step(x: Any, n: Any) -> Any:
            loss = below(x, n).sum()
            loss.backward()
            optimizer.step()  # noqa: B023
            optimizer.clear_grad()  # noqa: B023
            return loss

        run = vt.jit.to_static(step) if compile_it else step
        losses.append([run(vt.ones([2, 3]), vt.to_tensor(n)).item() for n in (3, 2, 4)])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)


def test_what_a_function_raises_is_not_caught_around_it() -> None:
    def caught(n: Any) -> Any:
        try:
            return checked(n)
        except ValueError:
            return n * 0 - 1

    with pytest.raises(vt.errors.CaptureError, match="raised in a function of the program can't be caught around"):
        vt.jit.to_static(caught)(vt.to_tensor(4))

    def without_gradient(n: Any) -> Any:
        with vt.no_grad():
            return deep(n) * 2

    assert vt.jit.to_static(without_gradient)(vt.to_tensor(4)).item() == 8


def deep(n: Any) -> Any:
    if n <= 0:
        return n
    return 1 + deep(n - 1)


@pytest.mark.parametrize("numerics", ["ieee", "reference"])
def test_the_depth_has_pythons_limit_and_the_error_names_line_and_limit(numerics: str) -> None:
    compiled, limit = vt.jit.to_static(deep, numerics=numerics), sys.getrecursionlimit()
    assert compiled(vt.to_tensor(limit)).item() == limit
    for _ in range(2):
        with pytest.raises(RecursionError, match=f"`deep` calls itself more than {limit} times deep") as caught:
            compiled(vt.to_tensor(limit + 1))
        assert isinstance(caught.value, vt.errors.DepthError)
        assert "return 1 + deep(n - 1)" in str(caught.value)
        assert "setrecursionlimit" in str(caught.value)
    assert compiled(vt.to_tensor(5)).item() == 5
    assert sys.getrecursionlimit() == limit


def test_what_goes_too_deep_leaves_state_as_it_was() -> None:
    class Counter(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("seen", vt.zeros([]))

        def forward(self, n: Any) -> Any:
            self.seen.add_(vt.ones([]))
            return deep(n)

    net = vt.jit.to_static(Counter())
    net(vt.to_tensor(3))
    with pytest.raises(vt.errors.DepthError):
        net(vt.to_tensor(10**6))
    assert net.seen.item() == 1


def test_a_saved_function_still_calls_itself(tmp_path: Any) -> None:
    vt.seed(0)
    net = Tower()
    spec = [vt.static.InputSpec([None, 3], "float32", "x"), vt.static.InputSpec([], "int64", "n")]
    vt.jit.save(vt.jit.to_static(net, input_spec=spec), str(tmp_path / "tower"))
    loaded, x = vt.jit.load(str(tmp_path / "tower")), vt.ones([2, 3])
    for n in (0, 3):
        np.testing.assert_allclose(loaded(x, vt.to_tensor(n)).numpy(), net(x, vt.to_tensor(n)).numpy(), rtol=1e-5)
    around = vt.jit.to_static(lambda x, n: loaded(x, n) * 2)
    np.testing.assert_allclose(around(x, vt.to_tensor(2)).numpy(), net(x, vt.to_tensor(2)).numpy() * 2, rtol=1e-5)


def test_errors_and_prints_of_the_users_come_from_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.jit.to_static(checked)
    with pytest.raises(ValueError, match="below zero"):
        compiled(vt.to_tensor(3))

    def printing(n: Any) -> Any:
        if n <= 0:
            return n
        print("at", int(n) if not isinstance(n, vt.Tensor) else n.item())
        return 1 + printing(n - 1)

    compiled = vt.jit.to_static(printing)
    compiled(vt.to_tensor(1))
    capsys.readouterr()
    compiled(vt.to_tensor(2))
    assert capsys.readouterr().out.split() == ["at", "2", "at", "1"]


def test_tools_know_functions_and_calls(tmp_path: Any) -> None:
    spec = [vt.static.InputSpec([2], "float32", "x"), vt.static.InputSpec([], "int64", "n")]
    compiled = vt.jit.to_static(power, input_spec=spec)
    x, n = vt.to_tensor([0.3, 0.7]), vt.to_tensor(4)
    want = compiled(x, n).numpy()
    explained = str(compiled.explain())
    assert "control flow (`call`)" in explained
    assert "callback" not in explained
    assert "T1: recursive calls of the function" in str(compiled.cost())
    vt.jit.save(compiled, str(tmp_path / "power"), format="python")
    text = (tmp_path / "power" / "model.py").read_text()
    assert "def power(" in text
    space: dict[str, Any] = {"__name__": "model", "__file__": str(tmp_path / "power" / "model.py")}
    exec(compile(text, space["__file__"], "exec"), space)
    np.testing.assert_allclose(space["forward"](x.numpy(), n.numpy()), want, rtol=1e-5)
    with pytest.raises(
        vt.errors.ArgumentError, match=r"(?s)ONNX has no form for call \(line \d+\), function.*as a loop"
    ):
        vt.onnx.export(compiled, str(tmp_path / "power.onnx"), input_spec=spec)


# ---- refusals

kept: list[Any] = []


def writes_a_list(n: Any) -> Any:
    if n <= 0:
        return n
    kept.append(1)
    return 1 + writes_a_list(n - 1)


def writes_its_argument(n: Any, total: Any) -> Any:
    if n <= 0:
        return n
    total.add_(n)
    return 1 + writes_its_argument(n - 1, total)


def draws(x: Any, n: Any) -> Any:
    if n <= 0:
        return x
    return 1 + draws(nn.functional.dropout(x, 0.5), n - 1)


def grows(x: Any, n: Any) -> Any:
    if n <= 0:
        return x.sum()
    return 1 + grows(vt.concat([x, x]), n - 1)


def counts_in_python(x: Any, k: int) -> Any:
    if x <= 0:
        return x
    return k + counts_in_python(x - 1, k + 1)


def collects(x: Any, items: Any) -> Any:
    if x <= 0:
        return x
    return 1 + collects(x - 1, (*items, x))


def endless(x: Any) -> Any:
    return 1 + endless(x + 1)


def endless_in_a_loop(x: Any) -> Any:
    for _ in range(3):
        x = x + endless_in_a_loop(x + 1)
    return x


def none_or_tensor(n: Any) -> Any:
    if n <= 0:
        return None
    below = none_or_tensor(n - 1)
    return n if below is None else below + n


def another_dtype(n: Any) -> Any:
    if n <= 0:
        return n
    return another_dtype(n - 1) * 1.5


REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (writes_a_list, (3,), "writes to a list.*help: return what it computes, or write it as a loop"),
    (writes_its_argument, (3, 0), "changes an argument in place.*help: make a new value"),
    (draws, ([1.0], 3), "or draws random numbers"),
    (grows, ([1.0], 3), "the types of the arguments differ for each depth.*keep the shapes and dtypes"),
    (collects, (3, ()), "each call of `collects` has arguments of another structure.*pass what changes"),
    (endless, (3,), "`endless` calls itself on every path.*help: return without a call of itself"),
    (endless_in_a_loop, (3,), "calls itself on every path"),
    (none_or_tensor, (3,), "can't be one value of a program.*help: return values of the same type"),
    (another_dtype, (3,), "can't be one value of a program.*i64.*f32.*help: return values of the same type"),
]


@pytest.mark.parametrize(("fn", "args", "message"), REFUSED, ids=[fn.__name__ for fn, *_ in REFUSED])
def test_what_cannot_be_a_function_of_the_program_is_refused(
    fn: Callable[..., Any], args: tuple[Any, ...], message: str
) -> None:
    given = [a if isinstance(a, tuple) else vt.to_tensor(a) for a in args]
    with pytest.raises(vt.errors.CaptureError, match=f"(?s){message}") as caught:
        vt.jit.to_static(fn)(*given)
    assert f"{fn.__name__}" in str(caught.value)
    assert "test_recursion.py" in str(caught.value)
    assert not kept


def test_a_number_of_python_that_each_call_changes_is_named() -> None:
    with pytest.raises(vt.errors.CaptureError, match=r"another Python value: \d+, then \d+, and so on"):
        vt.jit.to_static(counts_in_python)(vt.to_tensor(3), 0)


def test_the_gradient_of_a_function_with_callbacks_is_refused() -> None:
    def printing(x: Any) -> Any:
        if x <= 0:
            return x
        print(x)
        return 1 + printing(x - 1) * x

    compiled = vt.jit.to_static(printing)
    with pytest.raises(vt.errors.GradientError, match=r"(?s)the gradient of `printing`.*take print\(\)"):
        compiled(vt.to_tensor(1.5, stop_gradient=False)).backward()


def _simpson(a: Any, b: Any, fa: Any, fm: Any, fb: Any, eps: Any) -> Any:
    m = (a + b) / 2
    low, high = (a + m) / 2, (m + b) / 2
    fl, fr = vt.sin(low) * low, vt.sin(high) * high
    whole = (b - a) / 6 * (fa + 4 * fm + fb)
    left, right = (m - a) / 6 * (fa + 4 * fl + fm), (b - m) / 6 * (fm + 4 * fr + fb)
    if vt.abs(left + right - whole) < 15 * eps:
        return left + right
    return _simpson(a, m, fa, fl, fm, eps / 2) + _simpson(m, b, fm, fr, fb, eps / 2)


def test_many_values_of_a_call_outlive_the_calls_in_it() -> None:
    given = [vt.to_tensor(v, dtype="float64") for v in (0.0, 3.0, 0.0, 1.4962424799060816, 0.4233600241796016, 1e-6)]
    assert float(vt.to_static(_simpson)(*given)) == float(_simpson(*given))


def test_a_gradient_function_that_makes_no_call_ends() -> None:
    def detached(x: Any, n: Any) -> Any:
        return x * 2 if n <= 0 else x + detached((x * 2).detach(), n - 1)

    for fn in (detached, vt.jit.to_static(detached)):
        x = vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
        fn(x, vt.to_tensor(3)).sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), [1.0, 1.0, 1.0])


def test_a_gradient_runs_only_those_calls_again_whose_results_it_needs() -> None:
    def added(x: Any, n: Any) -> Any:
        return x if n <= 0 else vt.sin(x) + added(x * 1.5, n - 1)

    def multiplied(x: Any, n: Any) -> Any:
        return x if n <= 0 else vt.sin(x) * multiplied(x * 1.5, n - 1)

    def bend(x: Any, n: Any, fn: Any) -> Any:
        (first,) = vt.grad(fn(x, n), x)
        return first

    for fn, again in ((added, False), (multiplied, True)):
        want = bend(vt.to_tensor(0.3, stop_gradient=False), vt.to_tensor(4), fn).item()
        compiled = vt.jit.to_static(bend)
        assert compiled(vt.to_tensor(0.3, stop_gradient=False), vt.to_tensor(4), fn).item() == pytest.approx(want)
        functions = [o for o in walk(compiled.program.body) if o.name == "function"]
        inside = [
            o.attrs["name"]
            for f in functions
            if f.attrs["name"].endswith(".grad")
            for o in walk(f.blocks[0])
            if o.name == "function"
        ]
        assert inside == ([fn.__name__] if again else [])
