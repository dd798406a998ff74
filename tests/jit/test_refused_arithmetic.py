"""What Python refuses to compute among numbers, where a tensor gives one of them: the same error, at the same calls."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

OPERATIONS: list[Callable[[Any, Any], Any]] = [
    operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.lshift, operator.rshift,
]  # fmt: skip


def _outcome(fn: Callable[..., Any], *args: Any) -> Any:
    try:
        return fn(*args)
    except (ArithmeticError, ValueError) as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


@pytest.mark.parametrize(
    ("operation", "kind"),
    [*((o, int) for o in OPERATIONS), *((o, float) for o in OPERATIONS[:4])],  # no shifts of floats
)
def test_with_a_number_of_the_code(operation: Callable[[Any, Any], Any], kind: type) -> None:
    shifts = operation in (operator.lshift, operator.rshift)
    for other in (0, -1, 2) if shifts else (0, 0.0, -1, -1.0, 2, 0.5):

        def f(t: Any, other: Any = other) -> Any:
            return operation(kind(t), other)

        def caught(t: Any, other: Any = other) -> Any:
            try:
                return operation(kind(t), other)
            except ArithmeticError:
                return t * 2

        compiled, catching = vt.to_static(f), vt.to_static(caught)
        for value in (3.0, 0.0):
            t = vt.to_tensor(value)
            wanted, found = _outcome(f, t), _outcome(compiled, t)
            if isinstance(wanted, str) and operation is operator.truediv:  # ints are floats by then
                wanted, found = wanted.replace("float d", "d"), found.replace("float d", "d")
            assert type(found) is type(wanted) and found == pytest.approx(wanted), (other, value)
            plain, result = _outcome(caught, t), _outcome(catching, t)
            assert float(result) == pytest.approx(float(plain)) if not isinstance(plain, str) else result == plain


def test_with_two_numbers_of_a_run() -> None:
    for operation in (operator.truediv, operator.floordiv, operator.mod, operator.pow):

        def f(t: Any, operation: Any = operation) -> Any:
            return operation(float(t[0]), float(t[1]))

        compiled = vt.to_static(f)
        for pair in ((3.0, 2.0), (0.0, -1.0), (2.0, 0.0), (0.0, 0.0), (-2.0, 3.0), (-2.0, -2.0), (0.0, 0.5)):
            t = vt.to_tensor(pair, "float64")
            assert _outcome(compiled, t) == pytest.approx(_outcome(f, t)), (operation, pair)


def test_a_power_that_is_complex_ends_the_run() -> None:
    compiled = vt.to_static(lambda t: float(t) ** 0.5)
    assert compiled(vt.to_tensor(4.0)) == 2.0
    assert compiled(vt.to_tensor(float("-inf"))) == float("inf")  # as Python has it
    with pytest.raises(ValueError, match="fractional power is complex"):
        compiled(vt.to_tensor(-4.0))


def test_an_int_to_a_negative_power_is_a_float() -> None:
    compiled = vt.to_static(lambda t: int(t) ** -2)
    for value in (4, -3):
        found = compiled(vt.to_tensor(value))
        assert type(found) is float and found == value**-2


class Counter:
    """What holds a number."""

    n: float = 0


@pytest.mark.parametrize(
    "failing",
    [
        lambda x, n: math.log(n), lambda x, n: math.sqrt(n - 1), lambda x, n: math.acos(2 - n), lambda x, n: math.exp(1000 - n),
        lambda x, n: 1 / n, lambda x, n: float(x.sum()) / n, lambda x, n: n**-1.0, lambda x, n: int(x.sum()) << (int(n) - 1),
    ],
)  # fmt: skip
def test_what_fails_on_a_path_fails_where_that_runs(failing: Callable[[Any, Any], Any]) -> None:
    def f(held: Counter, x: Any) -> Any:
        if x.sum() > 0:
            return x
        return x * failing(x, held.n)

    def run(call: Callable[..., Any]) -> list[Any]:
        held, seen = Counter(), []
        for n, sign in ((0, 1), (1, 1), (1, -1), (2, -1), (0, -1), (0, 1)):
            held.n = n
            seen.append(_outcome(lambda x: [round(v, 4) for v in call(held, x).tolist()], vt.full([2], float(sign))))
        return [v.partition(":")[0] if isinstance(v, str) else v for v in seen]

    assert run(vt.to_static(f)) == run(f)
