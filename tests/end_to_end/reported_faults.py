"""Programs of the kinds that users report as silently wrong under compilers of eager programs, in our own words.

Each is a function of tensors and numbers with the arguments of its calls; `test_reported_faults.py` runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import vitrify as vt

F = vt.nn.functional
nan, inf = float("nan"), float("inf")
Calls = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Program:
    """A program of one kind: `make` gives a fresh function, so that state starts anew for each way of running it."""

    kind: str
    name: str
    make: Callable[[], Callable[..., Any]]
    calls: Calls


PROGRAMS: list[Program] = []


def f32(*numbers: Any) -> Any:
    return np.array(numbers[0] if len(numbers) == 1 else numbers, np.float32)


def i64(*numbers: Any) -> Any:
    return np.array(numbers[0] if len(numbers) == 1 else numbers, np.int64)


def program(kind: str, *calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A program that is a plain function."""

    def keep(fn: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append(Program(kind, fn.__name__, lambda: fn, list(calls)))
        return fn

    return keep


def stateful(kind: str, *calls: tuple[Any, ...]) -> Callable[[Callable[[], Callable[..., Any]]], Any]:
    """A program with state: the function makes it anew."""

    def keep(make: Callable[[], Callable[..., Any]]) -> Callable[[], Callable[..., Any]]:
        PROGRAMS.append(Program(kind, make.__name__, make, list(calls)))
        return make

    return keep


SQUARE = np.arange(12, dtype=np.float32).reshape(3, 4) - 5.5

# ---- an argument that is written

KIND = "written arguments"


@program(KIND, (f32(1, 2, 3),), (f32(4, 5, 6),))
def adds_to_its_argument_and_reads_it(x):
    before = x * 1.0
    x.add_(vt.to_tensor(1.0))
    return before, x * 2.0


@program(KIND, (SQUARE, f32(1, 1, 1)), (SQUARE, f32(2, 2, 2)))
def writes_a_column_of_its_argument(x, v):
    x[:, 1] = v
    return x.sum(axis=0)


@program(KIND, (f32(1, 2, 3), f32(1, 1, 1)))
def swaps_two_arguments_in_place(x, y):
    kept = x.clone()
    x[:] = y
    y[:] = kept
    return x - y


@program(KIND, (f32(3, 1, 2), 0), (f32(3, 1, 2), 1), (f32(3, 1, 2), 2))
def writes_on_one_path_only(x, n):
    if n == 1:
        x[:] = x * 10.0
    return x + 1.0


@program(KIND, (f32(3, -1, 2),), (f32(-3, -1, 2),))
def writes_where_a_tensor_says_so(x):
    if x.sum() > 0:
        x[0] = 100.0
    return x * 1.0


@program(KIND, (SQUARE,))
def writes_in_a_loop(x):
    for k in range(3):
        x[k, k] = float(k)
        x[k] = x[k] * 2.0
    return x.sum()


@stateful(KIND, (f32(1, 2),), (f32(3, 4),), (f32(5, 6),))
def fills_a_list_of_the_caller():
    seen = []

    def step(x):
        seen.append(x * 2.0)
        return sum(seen, x), len(seen)

    return step


@stateful(KIND, (f32(1, 2),), (f32(3, 4),), (f32(5, 6),))
def keeps_a_running_mean_in_a_dict():
    state = {"mean": vt.zeros([2]), "n": 0}

    def step(x):
        state["n"] += 1
        state["mean"] = state["mean"] + (x - state["mean"]) / state["n"]
        return state["mean"]

    return step


# ---- views and aliases

KIND = "views and aliases"


@program(KIND, (f32(1, 2, 3),))
def writes_to_a_copy_and_reads_the_original(x):
    y = x.clone()
    y[0] = 50.0
    return x * 1.0, y


@program(KIND, (f32(1, 2, 3),))
def two_names_of_one_tensor(x):
    a = x * 1.0
    b = a
    a[1] = 9.0
    return b + 0.0, a


@program(KIND, (SQUARE,))
def writes_to_a_reshaped_copy(x):
    flat = vt.reshape(x * 1.0, [12])
    flat[5] = -1.0
    return vt.reshape(flat, [3, 4]), x


@program(KIND, (SQUARE,))
def writes_after_a_transpose_was_taken(x):
    a = x * 1.0
    t = vt.transpose(a, [1, 0])
    a[0, 1] = 77.0
    return a, t.shape[0]


@program(KIND, (f32(1, 2, 3),))
def the_same_tensor_twice_in_a_list(x):
    a = x * 1.0
    both = [a, a]
    both[0][2] = -4.0
    return both[1] * 1.0


@program(KIND, (f32(1, 2, 3),), (f32(-9, 2, 3),))
def writes_to_a_list_that_a_branch_chose(x):
    one, other = [x * 1.0], [x * 2.0]
    chosen = one if x.sum() > 0 else other
    chosen[0] = x * 5.0
    chosen.append(x)
    return one, other


@program(KIND, (f32(1, 2, 3), None))
def one_tensor_as_two_arguments(x, y):
    z = x if y is None else y
    x[0] = 5.0
    return z * 2.0


@program(KIND, (SQUARE,))
def overlapping_slices(x):
    a = x * 1.0
    a[1:] = a[:-1] * 1.0
    return a


@program(KIND, (f32(1, 2, 3, 4, 5, 6),))
def reversed_onto_itself(x):
    a = x * 1.0
    a[:] = vt.flip(a, [0])
    return a


@program(KIND, (SQUARE,))
def writes_to_rows_while_walking_them(x):
    a = x * 1.0
    total = vt.zeros([4])
    for k in range(3):
        total = total + a[k]
        a[k] = a[k] * 0.0
    return total, a


@program(KIND, (SQUARE[:, ::2],), (SQUARE.T,), (SQUARE[::-1],))
def strides_of_the_caller(x):
    return x * 2.0 + 1.0, x.sum(axis=0), x.shape


# ---- promotion of dtypes

KIND = "dtype promotion"


@program(KIND, (i64(1, 2, 3),))
def an_integer_tensor_divided(x):
    return x / 2, x // 2, x % 2, (x / 2).dtype == vt.float32


@program(KIND, (np.array([100, 27], np.int8),), (np.array([-128, 127], np.int8),))
def small_integers_wrap(x):
    return x + x, x * x, -x, abs(x)


@program(KIND, (np.array([2**31 - 1, -(2**31)], np.int32),))
def int32_overflows_alike(x):
    return x + 1, x * 2, x - 1


@program(KIND, (i64(2**62, -(2**63)),))
def int64_overflows_alike(x):
    return x * 4, x - 1, x + x


@program(KIND, (np.array([250, 3], np.uint8), np.array([10, 5], np.uint8)))
def unsigned_differences_wrap(x, y):
    return y - x, x + y, x * y


@program(KIND, (f32(1.5, 2.5),))
def a_float_and_a_python_int(x):
    return x + 1, x * 2, 3 - x, x // 1, (x * 2).dtype == vt.float32


@program(KIND, (i64(1, 2), f32(0.5, 0.25)))
def an_integer_and_a_float_tensor(n, x):
    return n + x, n * x, vt.where(n > 1, x, x * 0.5)


@program(KIND, (np.array([True, False, True]),))
def arithmetic_of_booleans(b):
    return b.astype("int64") + 1, b.astype("float32") * 0.5, (~b), (b & b), (b | ~b), b.astype("int32").sum()


@program(KIND, (np.array([True, True, True] * 100),))
def booleans_are_counted_not_wrapped(b):
    return b.sum(), b.astype("int64").sum(), b.astype("float32").mean()


@program(KIND, (i64(2**53 + 1, 2**62 + 1, -(2**53) - 1),))
def integers_through_floats(x):
    return x.astype("float32").astype("int64"), x.astype("float64").astype("int64"), x.astype("int32").astype("int64")


@program(KIND, (f32(1.9, -1.9, 300.7, -0.5),))
def floats_to_integers_truncate(x):
    return x.astype("int64"), x.astype("int32"), x.astype("bool")


@program(KIND, (np.array([1.0001, 2049.0, 65504.0], np.float16),))
def half_precision_rounds_at_each_step(x):
    return x + 1.0, x * 2.0, (x + 1.0) - x


@program(KIND, (f32(1 / 3),), (np.array(1 / 3, np.float64),))
def a_scalar_tensor_keeps_its_dtype(x):
    return x * 3.0, x + 1, x.dtype == vt.float32


@program(KIND, (1,), (True,), (1.0,), (2,))
def one_true_and_one_point_zero(n):
    return vt.to_tensor([3]) * n, vt.full([2], 7) * n


# ---- sizes that change

KIND = "dynamic shapes"
GROWING: Calls = [(np.arange(n, dtype=np.float32),) for n in (5, 6, 1, 0, 7, 2)]


@program(KIND, *GROWING)
def a_mean_by_the_size(x):
    return x.sum() / max(x.shape[0], 1), x.shape[0] * 2


@program(KIND, *GROWING)
def a_branch_on_the_size(x):
    if x.shape[0] > 4:
        return x[:4] * 2.0
    return x + 1.0


@program(KIND, *GROWING)
def a_loop_over_the_size(x):
    total = vt.zeros([])
    for k in range(x.shape[0]):
        total = total + x[k] * k
    return total


@program(KIND, *[(np.ones((a, b), np.float32),) for a, b in ((2, 3), (3, 2), (1, 3), (3, 1), (1, 1), (0, 2))])
def a_broadcast_that_depends_on_the_size(x):
    return x + x.sum(axis=0), x * x.mean(axis=1, keepdim=True)


@program(
    KIND, *[(np.ones((n, 4), np.float32), np.ones((m, 4), np.float32)) for n, m in ((2, 2), (2, 1), (1, 2), (3, 3))]
)
def sizes_that_are_equal_by_chance(x, y):
    return x + y, vt.concat([x, y], axis=0)


@program(KIND, *GROWING)
def a_reshape_by_quotients(x):
    n = x.shape[0]
    return vt.reshape(x[: n // 2 * 2], [2, n // 2]), n % 2


@program(KIND, *GROWING)
def halves_of_an_odd_size(x):
    n = x.shape[0] // 2
    return x[:n], x[n:], x[-1:] * 2.0


@program(KIND, *[(i64(0, 2, 1), np.eye(n, dtype=np.float32)) for n in (3, 4, 6)])
def indices_from_the_end(k, x):
    return x[-1], x[k], x[k, -1], x[::-1][0]


# ---- guards

KIND = "stale guards"


@stateful(KIND, (f32(1, 2), 1.0), (f32(1, 2), 3.0), (f32(1, 2), -1.0))
def an_attribute_that_changes():
    class Config:
        scale = 1.0

    config = Config()

    def step(x, scale):
        y = x * config.scale
        config.scale = scale
        return y

    return step


@stateful(KIND, (f32(1, 2),), (f32(1, 2),), (f32(1, 2),))
def a_counter_in_a_closure():
    n = 0

    def step(x):
        nonlocal n
        n += 1
        return x * n, n

    return step


@stateful(KIND, *[(f32(1, 2), flag) for flag in (True, False, True)])
def training_and_evaluation():
    layer = vt.nn.BatchNorm1D(2)

    def step(x, flag):
        layer.train() if flag else layer.eval()
        return layer(vt.stack([x, x * 3.0, x + 1.0]))

    return step


@stateful(KIND, (f32(1, 2), 0), (f32(1, 2), 1), (f32(1, 2), 2))
def a_function_that_is_replaced():
    class Model:
        act = staticmethod(lambda x: x * 2.0)

    model, others = Model(), [vt.exp, vt.tanh, vt.abs]

    def step(x, k):
        y = model.act(x)
        model.act = others[k]
        return y

    return step


@stateful(KIND, (f32(1, 2), "a"), (f32(1, 2), "b"), (f32(1, 2), "a"), (f32(1, 2), "c"))
def a_dict_that_gains_keys():
    table = {"a": 1.0}

    def step(x, key):
        y = x * sum(table.values()) + len(table)
        table[key] = 2.0
        return y, list(table)

    return step


@program(KIND, (f32(1, 2), 0.0), (f32(1, 2), -0.0), (f32(1, 2), nan), (f32(1, 2), inf))
def numbers_that_compare_equal(x, number):
    return x / (x * 0.0 + number), vt.full([1], number)


@program(KIND, (f32(1, 2), [1, 2]), (f32(1, 2), [1, 2, 3]), (f32(1, 2), (1, 2)), (f32(1, 2), [2, 1]))
def containers_as_arguments(x, items):
    return x * len(items) + items[0], type(items).__name__


@program(KIND, (f32(1, 2), None), (f32(1, 2), f32(3, 4)), (f32(1, 2), None))
def an_argument_that_may_be_none(x, y):
    return x if y is None else x + y


# ---- random numbers

KIND = "random numbers"


@stateful(KIND, (f32(1, 2, 3, 4),), (f32(1, 2, 3, 4),), (f32(1, 2, 3, 4),))
def dropout_draws_anew():
    vt.seed(5)
    return lambda x: F.dropout(x, 0.5, training=True)


@stateful(KIND, (3,), (3,), (4,))
def draws_of_one_call_differ():
    vt.seed(6)

    def step(n):
        a, b = vt.rand([n]), vt.rand([n])
        return a, b, vt.randn([2]), vt.randint(0, 100, [3])

    return step


@stateful(KIND, (f32(1, 2, 3),), (f32(-1, -2, -3),), (f32(1, 2, 3),))
def draws_on_one_path():
    vt.seed(7)

    def step(x):
        if x.sum() > 0:
            x = x + vt.rand([3])
        return x + vt.rand([3])

    return step


@stateful(KIND, (3,), (1,), (4,))
def draws_in_a_loop():
    vt.seed(8)

    def step(n):
        total = vt.zeros([2])
        for _ in range(vt.to_tensor(n)):
            total = total + vt.rand([2])
        return total

    return step


@stateful(KIND, (1,), (2,))
def a_seed_inside():
    def step(n):
        vt.seed(n)
        return vt.rand([3])

    return step


# ---- special values

KIND = "special values"
SPECIAL = f32([nan, 1.0, -inf, inf, -0.0, 0.0, 1e-42, -1e38, 3.4e38])


@program(KIND, (SPECIAL, SPECIAL[::-1].copy()))
def extremes_of_nan(x, y):
    return vt.maximum(x, y), vt.minimum(x, y), x.max(), x.min(), vt.argmax(x), vt.argmin(x)


@program(KIND, (SPECIAL,))
def comparisons_of_nan(x):
    return x == x, x != x, x < 1.0, x >= 1.0, vt.isnan(x), vt.isfinite(x), ~(x < 1.0)


@program(KIND, (SPECIAL,))
def signs_of_zero(x):
    return x * -1.0, 0.0 - x, -x, 1.0 / (x * 0.0), abs(x), vt.sign(x), x + 0.0, x - 0.0


@program(KIND, (SPECIAL,))
def rounding_and_remainders(x):
    return vt.floor(x), vt.ceil(x), vt.round(x), x % 3.0, x // 3.0, vt.trunc(x)


@program(KIND, (f32(0.5, 1.5, 2.5, -0.5, -1.5),))
def halves_round_to_even(x):
    return vt.round(x), vt.floor(x + 0.5)


@program(KIND, (SPECIAL,))
def clipping_keeps_nan(x):
    return vt.clip(x, -1.0, 1.0), F.relu(x), vt.maximum(x, vt.zeros([9]))


@program(KIND, (f32(1e20, 1e-30), f32(1e20, 1e-30)))
def quotients_are_not_products(x, y):
    return x / y / y, x * y * y, x / (y * y), 1.0 / vt.sqrt(x * 0.0)


@program(KIND, (f32(16777216.0, 1.0, -16777216.0),))
def sums_that_cancel(x):
    return (x[0] + x[1]) + x[2], (x[0] + x[2]) + x[1], (x + 12582912.0) - 12582912.0


@program(KIND, (SPECIAL,))
def powers_of_special_values(x):
    return x**2, x**0, x**-1, vt.sqrt(x), vt.exp(x), vt.log(x)


@program(KIND, (f32(-0.0, -inf, 4.0),))
def half_powers_at_minus_zero(x):
    return x**0.5


@program(KIND, (f32(nan, 1, 2, nan, 0),))
def sorting_with_nan(x):
    return vt.sort(x), vt.argsort(x), vt.topk(x, 2)[0]


# ---- empty arrays, no axes, strange sizes

KIND = "empty and scalar tensors"
EMPTY = np.zeros((0, 3), np.float32)


@program(KIND, (EMPTY,))
def sums_of_nothing(x):
    return x.sum(), x.sum(axis=0), x.sum(axis=1), x.mean(), vt.prod(x), (x > 0).all(), (x > 0).any()


@program(KIND, (EMPTY,))
def the_largest_of_nothing(x):
    return x.max()


@program(KIND, (EMPTY, np.ones((2, 3), np.float32)))
def nothing_joined_to_something(x, y):
    return vt.concat([x, y, x]), vt.matmul(x, vt.transpose(y, [1, 0])), vt.matmul(vt.transpose(x, [1, 0]), x)


@program(KIND, (EMPTY,))
def a_loop_over_nothing(x):
    total = vt.zeros([3])
    for row in x:
        total = total + row
    return total


@program(KIND, (f32(2.5),), (np.array(-1.0, np.float32),))
def tensors_without_axes(x):
    return vt.reshape(x, [1]), x.sum(), vt.stack([x, x]), vt.reshape(x * 2.0, [])


@program(KIND, (np.ones((1, 1), np.float32),), (np.ones((3, 1), np.float32),), (np.ones((1, 3), np.float32),))
def axes_of_one(x):
    return vt.squeeze(x), x + vt.transpose(x, [1, 0]), x.max(axis=1), vt.expand(x, [3, 3])


# ---- broadcasting in place

KIND = "broadcasting in place"


@program(KIND, (SQUARE, f32(1, 2, 3, 4)))
def adds_a_row_to_all(x, v):
    a = x * 1.0
    a += v
    a[0] *= v
    return a


@program(KIND, (SQUARE,))
def subtracts_its_own_row(x):
    a = x * 1.0
    a[:] = a - a[0]
    return a


@program(KIND, (SQUARE,))
def divides_by_its_own_maximum(x):
    a = x * 1.0
    a[:] = a / a.max(axis=1, keepdim=True)
    return a, a[1]


@program(KIND, (SQUARE, f32(1, 2, 3)))
def a_row_that_does_not_fit(x, v):
    a = x * 1.0
    a += v
    return a


@program(KIND, (SQUARE, i64(0, 0, 2)))
def repeated_indices(x, k):
    a, b = x * 1.0, vt.zeros([3])
    a[k] = a[k] + 1.0
    return a, vt.scatter(b, vt.to_tensor([1, 1, 2]), vt.ones([3]), overwrite=False)


@program(KIND, (SQUARE,))
def a_mask_that_is_written_through(x):
    a = x * 1.0
    a[a < 0] = 0.0
    return a, (a == 0).astype("int64").sum()


# ---- control flow

KIND = "control flow and exceptions"


@program(KIND, (f32(1, 2),), (f32(-1, -2),), (f32(0, 0),))
def several_returns(x):
    if x.sum() > 0:
        return x * 2.0
    if x.sum() < 0:
        return -x
    return x + 100.0


@program(KIND, (f32(1, 2),), (f32(-1, 2),))
def an_error_on_one_path(x):
    if x[0] < 0:
        raise ValueError("negative")
    return vt.sqrt(x)


@program(KIND, (f32(1, 2),), (f32(-3, 2),))
def an_error_that_is_caught(x):
    try:
        if x[0] < 0:
            raise ValueError("negative")
        y = x * 2.0
    except ValueError:
        y = x * 0.0
    finally:
        x = x + 1.0
    return x, y


@program(KIND, (f32(4, 0),), (f32(1, 0),))
def a_loop_that_ends_by_a_value(x):
    n = 0
    while x[0] > 0.1:
        x = x * 0.5
        n += 1
        if n == 5:
            break
    else:
        x = x - 1.0
    return x, n


@program(KIND, (f32(1, 2),), (f32(-1, 2),))
def short_circuits(x):
    return x if (x[0] > 0 and x[1] > 0) or x[0] < -5 else x * 0.0


# ---- gradients

KIND = "gradients"


def gradient(fn: Callable[..., Any]) -> Callable[..., Any]:
    def step(*args):
        for a in args:
            a.stop_gradient = False
        loss = fn(*args).sum()
        return loss, *vt.grad(loss, list(args), allow_unused=True)

    step.__name__ = fn.__name__
    return step


def graded(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(fn: Callable[..., Any]) -> Callable[..., Any]:
        return program("gradients", *calls)(gradient(fn))

    return keep


@graded((f32(0, 1, -1, 4),))
def where_guards_a_division(x):
    return vt.where(x == 0, vt.zeros([4]), 1.0 / x)


@graded((f32(0, 1, -1, 4),))
def where_before_the_root(x):
    safe = vt.where(x > 0, x, vt.ones([4]))
    return vt.where(x > 0, vt.sqrt(safe), vt.zeros([4]))


@graded((f32(-1, 0, 1, 2, nan),))
def clip_at_its_bounds(x):
    return vt.clip(x, -1.0, 1.0) * vt.to_tensor([1.0, 2.0, 3.0, 4.0, 5.0])


@graded((f32(1, 2, 2), f32(1, 1, 3)))
def extremes_that_tie(x, y):
    return vt.maximum(x, y) * 2.0 + vt.minimum(x, y)


@graded((f32(3, 1, 3, 2),))
def the_largest_twice(x):
    return x.max() * 2.0 + x.min()


@graded((f32(0, -0.0, 1, -1),))
def the_kink_of_relu_and_abs(x):
    return F.relu(x) + 3.0 * abs(x) + F.leaky_relu(x, 0.1)


@graded((f32(2, 1, 2), f32(1, 1, 1)))
def an_argument_that_is_not_used(x, y):
    return x * 2.0


@graded((f32(1, 2, 3),))
def a_detached_factor(x):
    return x * x.detach() + x.clone().detach()


@graded((f32(1, 2, 3),))
def a_write_between(x):
    y = x * 2.0
    y[0] = y[1] * 3.0
    return y * y


@graded((SQUARE,))
def a_row_that_is_replaced(x):
    y = x * 1.0
    y[1] = 0.0
    y[2] = y[2] * y[0]
    return y * x


@graded((f32(0.0, 2.0),))
def a_power_at_zero(x):
    return x**2.0 + x**1.0 + vt.sqrt(x + 1.0)


@graded((f32(1, 2), np.array(0.5, np.float32)))
def a_broadcast_scalar(x, s):
    return x * s + s
