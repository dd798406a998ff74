"""`except` around operations that fail by their data: the handler runs in a compiled function as it does in an eager one."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
import vitrify.nn.functional as F

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
REGULAR = [[2.0, 1.0], [1.0, 3.0]]
NEGATIVE = [[-2.0, 1.0], [1.0, -3.0]]
FAR, NEAR = 5, 1


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    try:
        return plain(fn(*args))
    except Exception as error:  # broad: whatever the function raises is compared
        return type(error), str(error).splitlines()[0]


def plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.dtype.name, [round(float(v), 4) for v in value.flatten().tolist()], tuple(value.shape)
    if isinstance(value, (tuple, list)):
        return type(value), [plain(v) for v in value]
    return type(value), value


def cholesky(a: Any, i: Any) -> Any:
    return vt.linalg.cholesky(a)


def upper_cholesky(a: Any, i: Any) -> Any:
    return vt.linalg.cholesky(a, upper=True)


def inv(a: Any, i: Any) -> Any:
    return vt.linalg.inv(a)


def solve(a: Any, i: Any) -> Any:
    return vt.linalg.solve(a, vt.ones([2, 1]))


def triangular(a: Any, i: Any) -> Any:
    return vt.linalg.triangular_solve(a - 2.0 * vt.eye(2), vt.ones([2, 1]))


def power(a: Any, i: Any) -> Any:
    return vt.linalg.matrix_power(a, -1)


def row(a: Any, i: Any) -> Any:
    return a[i]


def column(a: Any, i: Any) -> Any:
    return a[:, i]


def rows(a: Any, i: Any) -> Any:
    return a[vt.stack([i, i * 0])]


def points(a: Any, i: Any) -> Any:
    return a[vt.stack([i * 0, i]), vt.stack([i, i * 0])]


def negative(a: Any, i: Any) -> Any:
    return a[-i - 1]


def gather(a: Any, i: Any) -> Any:
    return vt.gather(a, i.reshape([1]), axis=1)


def gather_nd(a: Any, i: Any) -> Any:
    return vt.gather_nd(a, vt.stack([i * 0, i]).reshape([1, 2]))


def along(a: Any, i: Any) -> Any:
    return vt.take_along_axis(a, i.reshape([1, 1]), 1)


def put(a: Any, i: Any) -> Any:
    return vt.put_along_axis(a, i.reshape([1, 1]), vt.ones([1, 1]), 1)


def written(a: Any, i: Any) -> Any:
    b = a.clone()
    b[i] = 7.0
    return b


def scattered(a: Any, i: Any) -> Any:
    return vt.scatter(a, i.reshape([1]), vt.ones([1, 2]))


def embedding(a: Any, i: Any) -> Any:
    return F.embedding(i.reshape([1]), a)


def masked(a: Any, i: Any) -> Any:
    return vt.masked_scatter(a, a > 0.0, a[a > i.astype("float32") - 4.0])


def of_a_selection(a: Any, i: Any) -> Any:
    return a[a > 1.5][i]


def side_by_side(a: Any, i: Any) -> Any:
    return vt.concat([a[a > 1.5].reshape([1, -1]), a[a > i.astype("float32") - 3.5].reshape([1, -1])])


def in_another_shape(a: Any, i: Any) -> Any:
    return a[a > 1.5].reshape([3, 1])


def labels(a: Any, i: Any) -> Any:
    return F.cross_entropy(a, vt.stack([i, i]))


def divided(a: Any, i: Any) -> Any:
    return 1 / int(i - 5)


def floor_divided(a: Any, i: Any) -> Any:
    return 7 // int(i - 5)


def remainder(a: Any, i: Any) -> Any:
    return 7 % int(i - 5)


def whole(a: Any, i: Any) -> Any:
    return int(a[0, 0] / (i - 5).astype("float32"))


def logarithm(a: Any, i: Any) -> Any:
    return math.log(3 - int(i))


def root(a: Any, i: Any) -> Any:
    return math.sqrt(3 - int(i))


def item(a: Any, i: Any) -> Any:
    return [10, 20, 30][int(i)]


def largest(a: Any, i: Any) -> Any:
    return a[a > i.astype("float32")].max()


def place_of_largest(a: Any, i: Any) -> Any:
    return a[a > i.astype("float32")].argmax()


FAILING = [
    cholesky, upper_cholesky, inv, solve, triangular, power, row, column, rows, points, negative, gather, gather_nd,
    along, put, written, scattered, embedding, labels, divided, floor_divided, remainder, whole, logarithm, root, item,
    largest, place_of_largest, masked, of_a_selection, side_by_side, in_another_shape,
]  # fmt: skip
ARGUMENTS = [(SINGULAR, FAR), (REGULAR, NEAR), (NEGATIVE, FAR), (REGULAR, FAR), (SINGULAR, NEAR)]


@pytest.mark.parametrize("operation", FAILING, ids=lambda f: f.__name__)
def test_the_handler_runs(operation: Callable[..., Any]) -> None:
    def caught(a: Any, i: Any) -> Any:
        try:
            found = operation(a, i)
        except (ValueError, LookupError, ArithmeticError) as error:
            return a * 2, isinstance(error, ValueError), isinstance(error, LookupError)
        return found, True, "done"

    compiled, failed = vt.jit.to_static(caught), 0
    for a, i in ARGUMENTS:
        args = vt.to_tensor(a), vt.to_tensor(i)
        wanted = outcome(caught, *args)
        failed += wanted[1][2][1] != "done"
        assert outcome(compiled, *args) == wanted
    assert 0 < failed < len(ARGUMENTS)


def test_another_handler_does_not_run() -> None:
    def missed(a: Any, i: Any) -> Any:
        try:
            return a[i]
        except (KeyError, TypeError):
            return a[0] * 0

    compiled = vt.jit.to_static(missed)
    a = vt.to_tensor(REGULAR)
    assert compiled(a, vt.to_tensor(NEAR)).tolist() == REGULAR[1]
    with pytest.raises(IndexError):
        compiled(a, vt.to_tensor(FAR))


def test_the_first_clause_that_fits_runs_and_else_and_finally_do() -> None:
    def clauses(a: Any, i: Any) -> Any:
        told = []
        try:
            found = a[i] + vt.linalg.inv(a)[0]
        except KeyError:
            told.append("key")
        except IndexError:
            told.append("index")
        except Exception:  # broad: a clause after those that fit
            told.append("other")
        else:
            told.append("else")
            a = a + found
        finally:
            told.append("finally")
        return told, a

    compiled = vt.jit.to_static(clauses)
    for a, i in ARGUMENTS:
        args = vt.to_tensor(a), vt.to_tensor(i)
        assert outcome(compiled, *args) == outcome(clauses, *args)


def test_a_jitter_that_grows_until_the_factorisation_succeeds() -> None:
    def factor(a: Any) -> Any:
        jitter = 1e-6
        for k in range(6):
            try:
                return vt.linalg.cholesky(a + jitter * vt.eye(2)), k
            except Exception:  # broad: the usual idiom
                jitter *= 100
        raise ArithmeticError("not positive definite")

    compiled = vt.jit.to_static(factor)
    for shift in (0.0, 0.5, 50.0, 1e6, -1.0):
        a = vt.to_tensor(SINGULAR) - shift * vt.eye(2)
        assert outcome(compiled, a) == outcome(factor, a)


def test_in_a_loop_of_the_program_and_around_one() -> None:
    def inside(table: Any, places: Any) -> Any:
        total, missed = table[0] * 0.0, 0
        for k in places:
            try:
                total = total + table[k]
            except IndexError:
                missed += 1
        return total, missed

    def around(table: Any, places: Any) -> Any:
        total = table[0] * 0.0
        try:
            for k in places:
                total = total + table[k]
        except IndexError:
            return total, "missed"
        return total, "all"

    for fn in (inside, around):
        compiled = vt.jit.to_static(fn)
        for places in ([0, 1, 1], [1, 7, 0], [-2, -3, 9], [9, 9, 9]):
            args = vt.to_tensor(REGULAR), vt.to_tensor(places)
            assert outcome(compiled, *args) == outcome(fn, *args)


def test_in_a_helper_and_past_a_manager() -> None:
    class Swallowing:
        def __enter__(self) -> None:
            return None

        def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
            return kind is not None and issubclass(kind, IndexError)

    def look_up(a: Any, i: Any) -> Any:
        return a[i] * 3.0

    def helper(a: Any, i: Any) -> Any:
        try:
            return look_up(a, i)
        except LookupError:
            return a[0]

    def suppressed(a: Any, i: Any) -> Any:
        found = a[0]
        with contextlib.suppress(IndexError):
            found = look_up(a, i)
        return found

    def swallowed(a: Any, i: Any) -> Any:
        found = a[0]
        with Swallowing():
            return look_up(a, i)
        return found

    for fn in (helper, suppressed, swallowed):
        compiled = vt.jit.to_static(fn)
        for i in (NEAR, FAR, -2, -3):
            args = vt.to_tensor(REGULAR), vt.to_tensor(i)
            assert outcome(compiled, *args) == outcome(fn, *args)


def test_the_error_says_what_eager_mode_says() -> None:
    def said(a: Any, i: Any) -> Any:
        try:
            return a[i]
        except IndexError as error:
            raise KeyError("no such row") from error

    def raised_again(a: Any, i: Any) -> Any:
        try:
            return vt.linalg.inv(a) + a[i]
        except ValueError:
            i = i + 1
            raise

    def of_a_selection(a: Any, i: Any) -> Any:
        try:
            return a[a > 1.5][i] + a[a > i.astype("float32")].max()
        except ValueError:
            i = i + 1
            raise

    for fn in (said, raised_again, of_a_selection):
        compiled = vt.jit.to_static(fn)
        for a, i in ARGUMENTS:
            args = vt.to_tensor(a), vt.to_tensor(i)
            assert outcome(compiled, *args) == outcome(fn, *args)


def test_the_message_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(a: Any, i: Any) -> Any:
        try:
            return a[i]
        except IndexError as error:
            print("no row:", error)
            return a[0]

    vt.jit.to_static(printed)(vt.to_tensor(REGULAR), vt.to_tensor(FAR))
    first = capsys.readouterr().out
    printed(vt.to_tensor(REGULAR), vt.to_tensor(FAR))
    assert first == capsys.readouterr().out


def test_gradients_of_what_the_handler_gives() -> None:
    def guarded(a: Any, i: Any) -> Any:
        try:
            found = a[i] * 2.0
        except IndexError:
            found = a[0] * 5.0
        return found.sum()

    for i in (NEAR, FAR):
        grads = []
        for fn in (guarded, vt.jit.to_static(guarded)):
            a = vt.to_tensor(REGULAR, stop_gradient=False)
            fn(a, vt.to_tensor(i)).backward()
            grads.append(a.grad.tolist())
        assert grads[0] == grads[1]


def test_without_a_handler_nothing_is_traced_twice() -> None:
    @vt.jit.to_static
    def plain_read(a: Any, i: Any) -> Any:
        return a[i]

    plain_read(vt.to_tensor(REGULAR), vt.to_tensor(NEAR))
    assert "refuses" not in str(plain_read.program) and " if " not in str(plain_read.program)
