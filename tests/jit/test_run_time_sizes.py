"""Sizes that only a run knows: eager mode, the program and its gradients agree, for rows, branches and loops."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ShapeError
from vitrify.ir.parser import parse_program
from vitrify.jit.call.program_function import gradient_program
from vitrify.passes.autodiff.differentiate import differentiate

X = np.array([[1.0, -2.0], [3.0, 4.0], [5.0, -6.0]])
N = vt.to_tensor


def squares(x: Any, n: Any) -> Any:
    return x[x > n] ** 2


def rows_by_mask(x: Any, n: Any) -> Any:
    return x[x[:, 0] > n] @ vt.ones([2, 3], dtype="float64")


def sum_of_picked(x: Any, n: Any) -> Any:
    return vt.masked_select(x, x > n).sum() * x


def picked_twice(x: Any, n: Any) -> Any:
    picked = x[x > n]
    return vt.concat([picked * 3, picked, x.reshape([-1])])


def softmax_of_picked(x: Any, n: Any) -> Any:
    return vt.nn.functional.softmax(x[x > n - 9], 0)


def mean_of_picked(x: Any, n: Any) -> Any:
    return x[x < n + 2].mean()


def first_rows(x: Any, n: Any) -> Any:
    return x[:n] * 2


def last_rows(x: Any, n: Any) -> Any:
    return x[n - 3 :, 0].exp()


def every_second(x: Any, n: Any) -> Any:
    return x[n::-1] - 1


def put_rows(x: Any, n: Any) -> Any:
    y = x * 1
    y[:n] = y[:n] * 5
    y[n:, 0] = 7
    return y


def numbers(x: Any, n: Any) -> Any:
    return vt.arange(0, n, dtype="float64") * x.sum()


def size_in_arithmetic(x: Any, n: Any) -> Any:
    return x * x[x > n].shape[0]


def zeros_of_that_size(x: Any, n: Any) -> Any:
    return vt.zeros([x[x > n].shape[0], 2], dtype="float64") + x[0]


def test_of_a_size(x: Any, n: Any) -> Any:
    if x[x > n].shape[0] > 2:
        return x * 2
    return x * 3


def other_size_per_path(x: Any, n: Any) -> Any:
    if n > 1:
        y = x[1:]
    else:
        y = vt.concat([x, x])
    return y * y


def picked_on_one_path(x: Any, n: Any) -> Any:
    y = x.reshape([-1])
    if n > 1:
        y = y[y > 0]
    return y.sum() * x


def grows_until(x: Any, n: Any) -> Any:
    h = x
    while h.shape[0] < n * 3:
        h = vt.concat([h * h * 0.1, x])
    return h


def grows_by_count(x: Any, n: Any) -> Any:
    h = x[:0]
    for i in range(n):
        h = vt.concat([h, x * (i + 1.0)])
    return h * h


def grows_until_break(x: Any, n: Any) -> Any:
    h = x
    for _ in range(5):
        h = vt.concat([h, x])
        if h.sum() > n * 6:
            break
    return h * 2


def shrinks(x: Any, n: Any) -> Any:
    while x.shape[0] > n:
        x = x[:-1] * 2
    return x


def picks_in_a_loop(x: Any, n: Any) -> Any:
    total = vt.zeros([], dtype="float64")
    for i in range(n):
        total = total + (x[x > i] ** 2).sum()
    return total * x


test_of_a_size.__test__ = False  # type: ignore[attr-defined]
FUNCTIONS = [
    squares, rows_by_mask, sum_of_picked, picked_twice, softmax_of_picked, mean_of_picked, first_rows, last_rows,
    every_second, put_rows, numbers, size_in_arithmetic, zeros_of_that_size, test_of_a_size, other_size_per_path,
    picked_on_one_path, grows_until, grows_by_count, grows_until_break, shrinks, picks_in_a_loop,
]  # fmt: skip


def value_and_gradient(fn: Callable[..., Any], n: int) -> tuple[Any, Any]:
    x = vt.to_tensor(X, stop_gradient=False)
    y = fn(x, vt.to_tensor(n))
    (y * y).sum().backward()
    return y.numpy(), x.grad.numpy()


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_compiled_equals_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n in (0, 1, 2, 3):
        value, gradient = value_and_gradient(fn, n)
        found, slope = value_and_gradient(compiled, n)
        assert found.shape == value.shape
        np.testing.assert_allclose(found, value)
        np.testing.assert_allclose(slope, gradient)
    assert len(compiled.program_cache) == 1


def test_integer_results() -> None:
    x = vt.to_tensor(np.array([[0, 3], [3, 1]]))

    def found(x: Any) -> Any:
        return vt.nonzero(x), vt.nonzero(x, as_tuple=True), vt.unique(x, True, True, True), vt.unique(x, axis=0)

    (places, columns, (values, first, inverse, counts), rows) = vt.jit.to_static(found)(x)
    assert places.tolist() == [[0, 1], [1, 0], [1, 1]]
    assert [np.ravel(c).tolist() for c in columns] == [[0, 1, 1], [1, 0, 1]]
    assert values.tolist() == [0, 1, 3] and first.tolist() == [0, 3, 1]
    assert inverse.tolist() == [0, 2, 2, 1] and counts.tolist() == [1, 1, 2]
    assert rows.tolist() == [[0, 3], [3, 1]]


def test_backward_inside_the_function() -> None:
    def step(x: Any, n: Any) -> Any:
        h = x
        while h.shape[0] < n:
            h = vt.concat([h * h * 0.1, x])
        (h[h > 0] ** 2).sum().backward()
        return x.grad

    for n in (0, 4, 9):
        grads = []
        for fn in (step, vt.jit.to_static(step)):
            x = vt.to_tensor(X, stop_gradient=False)
            grads.append(fn(x, vt.to_tensor(n)).numpy())
        np.testing.assert_allclose(*grads)


def test_sizes_that_do_not_fit_are_an_error_at_the_users_line() -> None:
    @vt.jit.to_static
    def clash(x: Any) -> Any:
        return x[x > 0] + x[x > 3]  # the line

    with pytest.raises(ShapeError, match=r"shapes \[4\] and \[2\] don't fit") as caught:
        clash(vt.to_tensor(X))
    assert "# the line" in str(caught.value)
    assert clash(vt.to_tensor(np.array([5.0, 6.0]))).tolist() == [10.0, 12.0]


def test_an_index_outside_fails_as_in_eager_mode() -> None:
    def third(x: Any) -> Any:
        return x[x > 0][vt.to_tensor(2)]

    compiled = vt.jit.to_static(third)
    assert float(compiled(vt.to_tensor([1.0, 2.0, 3.0]))) == 3.0
    with pytest.raises(IndexError):
        compiled(vt.to_tensor([1.0, -2.0, 3.0]))


def test_saved_and_loaded(tmp_path: Path) -> None:
    class Net(vt.nn.Layer):
        def forward(self, x: Any, n: Any) -> Any:
            h = x
            while h.shape[0] < n:
                h = vt.concat([h, x[x[:, 0] > 2]])
            return h

    net = Net()
    spec = [vt.static.InputSpec([None, 2], "float64"), vt.static.InputSpec([], "int64")]
    vt.jit.save(vt.jit.to_static(net, input_spec=spec), str(tmp_path / "net"))
    loaded = vt.jit.load(str(tmp_path / "net"))
    for n in (2, 6):
        expected = net(vt.to_tensor(X), vt.to_tensor(n))
        assert loaded(vt.to_tensor(X), vt.to_tensor(n)).tolist() == expected.tolist()


def test_explain_names_what_runs_on_the_host() -> None:
    compiled = vt.jit.to_static(lambda x: vt.unique(x[x > 0]).max())
    compiled(vt.to_tensor(X))
    assert "run by NumPy" in compiled.explain()
    assert "unique_values (" in compiled.explain() and "has a size that only the run knows" in compiled.explain()


def test_explain_names_nothing_that_kernels_pick() -> None:
    compiled = vt.jit.to_static(lambda x: x[x > 0].max())
    compiled(vt.to_tensor(X))
    assert "run by NumPy" not in compiled.explain()


def test_text_is_the_same_in_two_captures() -> None:
    def grown(x: Any, n: Any) -> Any:
        found = []
        for k in range(n):
            found.append(x * k)
        return vt.stack(found)

    texts = []
    for _ in range(2):
        fn = vt.to_static(grown)
        x = vt.ones([2])
        x.stop_gradient = False
        fn(x, vt.to_tensor(3)).sum().backward()
        texts.append(str(fn.program))
    assert texts[0] == texts[1]
    assert "u0" in texts[0]


def test_seeds_of_second_gradients_have_names_of_their_own() -> None:
    fn = vt.to_static(lambda x: x * x * x)
    x = vt.ones([2])
    fn(x)
    first = gradient_program(fn.program, differentiate(fn.program, [0]))
    second = gradient_program(first, differentiate(first, [0]))
    assert second.feeds == ["x", "gradient0", "gradient0_2"]
    assert str(parse_program(str(second))) == str(second)


def test_sizes_of_a_run_before_an_if_inside_a_manager() -> None:
    """The code before the `if` runs again for the other path, and tells the size again."""

    def counted(y: Any, most: float) -> Any:
        with contextlib.ExitStack():
            found = vt.bincount(y, minlength=4) + vt.bincount(y + 1, minlength=5)[1:]
            if y.sum() > most:
                return found * 2
        return found

    fn = vt.to_static(counted)
    for values, most in (([0, 2], 9.0), ([1, 1], 1.0), ([3, 3], 9.0)):
        assert fn(vt.to_tensor(values), most).tolist() == counted(vt.to_tensor(values), most).tolist()


def test_logging_managers_around_sizes_of_a_run(capsys: Any) -> None:
    @contextlib.contextmanager
    def section(name: str) -> Any:
        try:
            yield
        except ValueError as error:
            print(name, "failed", error)
            raise
        finally:
            print("left", name)

    def step(y: Any, most: float) -> Any:
        with section("a"):
            with section("b"):
                found = vt.bincount(y, minlength=4)
            if y.sum() > most:
                raise ValueError(f"sum {int(y.sum())}")
        return found

    shown = []
    for fn in (step, vt.to_static(step)):
        for most in (99.0, 1.0):
            with contextlib.suppress(ValueError):
                fn(vt.to_tensor([0, 3]), most)
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] and "a failed sum 3" in shown[0]
