"""Orders along an axis, compiled and eager, against NumPy's stable sort: ties, NaN, lines short and long."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import current_target
from vitrify.errors import ArgumentError
from vitrify.ops.orders import place_of_rank, stable_order
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.program_steps import KernelStep

Array = np.ndarray[Any, Any]
SHAPES = [((5, 9), 1), ((6, 400), 1), ((300, 7), 0), ((2, 70, 3), 1), ((1, 1), 1), ((0, 4), 1), ((3000,), 0)]
DTYPES = ["float32", "float64", "int64", "int32", "uint8", "bool", "float16", "int8", "int16"]


def _some(cases: list[Any], dtype: str) -> list[Any]:
    """All cases for one dtype, every third for each other one: all of them together for three of those."""
    return cases if dtype == "float32" else cases[DTYPES.index(dtype) % 3 :: 3]


def _numbers(shape: tuple[int, ...], dtype: str) -> Array:
    made = np.random.default_rng(3).integers(0, 60, shape).astype(dtype)
    if dtype.startswith("float") and made.size > 8:
        flat = made.reshape(-1)
        for k, value in enumerate((np.nan, np.inf, -np.inf, -0.0, -np.nan, 0.0, np.nan)):
            flat[(k * 37 + 5) % flat.size] = value
    return made


def _expected(x: Array, axis: int, descending: bool) -> Array:
    """By the words of the definition, one line at a time, in Python."""
    if x.size == 0:
        return np.zeros(x.shape, np.int64)

    def order(line: Array) -> Array:
        numbers = [float(v) for v in line]

        def key(k: int) -> tuple[bool, float]:
            missing = numbers[k] != numbers[k]
            number = 0.0 if missing else numbers[k]
            return (not missing, -number) if descending else (missing, number)

        return np.array(sorted(range(len(line)), key=key), np.int64)

    return np.apply_along_axis(order, axis, x)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES[:7])
def test_orders_are_stable(dtype: str, descending: bool) -> None:
    for shape, axis in SHAPES:
        x = _numbers(shape, dtype)
        np.testing.assert_array_equal(stable_order(x, axis=axis, descending=descending), _expected(x, axis, descending))


@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_first_places(dtype: str, largest: bool, symbolic: bool) -> None:
    cases = [(shape, axis, k) for shape, axis in SHAPES for k in (1, 3, 70, 150) if k <= shape[axis]]
    for shape, axis, k in _some(cases, dtype if largest != symbolic else "float64"):

        def first(x: Any, k: int = k, axis: int = axis) -> Any:
            return vt.topk(x, k, axis, largest)

        spec = [vt.InputSpec([None] * len(shape) if symbolic else list(shape), dtype)]
        x = _numbers(shape, dtype)
        values, places = vt.to_static(first, input_spec=spec)(vt.to_tensor(x))
        expected = np.take(_expected(x, axis, largest), range(k), axis)
        np.testing.assert_array_equal(places.numpy(), expected)
        np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, expected, axis))


@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "bool", "float16"])
def test_elements_by_their_rank(dtype: str, symbolic: bool) -> None:
    def places(x: Any, ranks: Any) -> Any:
        return place_of_rank(x, ranks, axis)

    for shape, axis in [*SHAPES[:4], ((3, 5001), 1), ((0, 4), 1)]:
        x = _numbers(shape, dtype)
        if dtype == "int64" and x.size > 8:
            x.reshape(-1)[:2] = np.iinfo(dtype).min, np.iinfo(dtype).max
        count = tuple(5 if k == axis else size for k, size in enumerate(shape))
        ranks = np.random.default_rng(1).integers(-shape[axis], shape[axis], count)
        sizes = [None if symbolic and k == axis else size for k, size in enumerate(shape)]
        spec = [vt.InputSpec(sizes, dtype), vt.InputSpec(list(count), "int64")]
        compiled = vt.to_static(places, input_spec=spec)
        expected = np.take_along_axis(_expected(x, axis, False), ranks, axis)
        for run in (places, compiled):
            np.testing.assert_array_equal(run(vt.to_tensor(x), vt.to_tensor(ranks)).numpy(), expected)


def test_a_rank_outside_is_an_index_error() -> None:
    def places(x: Any, ranks: Any) -> Any:
        return place_of_rank(x, ranks, 0)

    for size in (4, 400, 0):
        x, ranks = vt.zeros([size]), vt.to_tensor([0, size])
        for run in (places, vt.to_static(places)):
            with pytest.raises(IndexError):
                run(x, ranks)


@pytest.mark.parametrize("name", ["median", "nanmedian", "quantile", "kthvalue", "low median"])
def test_ranks_of_long_lines_and_their_gradients(name: str) -> None:
    functions = {
        "median": lambda x: vt.median(x, -1),
        "nanmedian": lambda x: vt.nanmedian(x, -1),
        "quantile": lambda x: vt.quantile(x, [0.1, 0.77], -1),
        "kthvalue": lambda x: vt.kthvalue(x, 100, -1)[0],
        "low median": lambda x: vt.median(x, -1, mode="min")[0],
    }

    def gradient(x: Any) -> Any:
        x.stop_gradient = False
        made = functions[name](x)
        return made, vt.grad((made * made).sum(), [x])[0]

    x = np.random.default_rng(2).normal(size=(2, 3001)).astype("float32")
    found, expected = vt.to_static(gradient)(vt.to_tensor(x)), gradient(vt.to_tensor(x))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6)
    numpy: dict[str, Any] = {
        "median": np.median(x, -1), "nanmedian": np.median(x, -1), "quantile": np.quantile(x, [0.1, 0.77], -1),
        "kthvalue": np.sort(x, -1)[:, 99], "low median": np.sort(x, -1)[:, 1500],
    }  # fmt: skip
    np.testing.assert_allclose(found[0].numpy(), numpy[name], rtol=1e-6)


def test_more_places_than_elements_are_refused_as_in_eager_mode() -> None:
    def first(x: Any) -> Any:
        return vt.topk(x, 3)[0]

    compiled = vt.to_static(first, input_spec=[vt.InputSpec([2, None], "float32")])
    assert compiled(vt.to_tensor(np.eye(2, 3, dtype=np.float32))).tolist() == [[1, 0, 0], [1, 0, 0]]
    with pytest.raises(ArgumentError, match="k must be from 1"):
        compiled(vt.to_tensor(np.eye(2, dtype=np.float32)))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_sorted_values_and_their_gradient(dtype: str) -> None:
    for shape, axis in _some(SHAPES, dtype):
        for descending in (False, True):

            def both(x: Any, axis: int = axis, descending: bool = descending) -> Any:
                return vt.sort(x, axis, descending), vt.argsort(x, axis, descending)

            x = _numbers(shape, dtype)
            values, order = vt.to_static(both)(vt.to_tensor(x))
            expected = _expected(x, axis, descending)
            np.testing.assert_array_equal(order.numpy(), expected)
            np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, expected, axis))
    x = vt.to_tensor([[3.0, 1.0, 2.0, 1.0]], stop_gradient=False)
    (vt.sort(x, 1) * vt.to_tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [[4.0, 1.0, 3.0, 2.0]]


def test_no_line_is_sorted_by_numpy() -> None:
    def step(x: Any) -> Any:
        return vt.sort(x, 1), vt.argsort(x, 1), vt.topk(x, 2)[1]

    for shape in ((5, 12), (5, 1200), (1, 1200), (5, 3000), (5, None), (None, None)):
        compiled = vt.to_static(step, input_spec=[vt.InputSpec(list(shape), "float32")])
        assert "host call" not in compiled.dump("linearised")


KNOWN = {(1, 65), (1, 2048), (3, 5000), (2, 0)}  # lengths that get kernels of their own


@pytest.mark.parametrize(
    ("dtype", "descending"),
    [
        ("float32", False),
        ("float32", True),
        ("float64", True),
        ("int64", False),
        ("int32", True),
        ("uint8", False),
        ("bool", True),
    ],
)
def test_values_sorted_by_digits(dtype: str, descending: bool) -> None:
    """Single lines and long ones, of known and unknown length, with numbers far apart; zeros keep their signs' order."""

    def ordered(x: Any) -> Any:
        return vt.sort(x, 1, descending), vt.argsort(x, 1, descending)

    unknown = vt.to_static(ordered, input_spec=[vt.InputSpec([None, None], dtype)])
    for shape in ((1, 65), (2, 70), (1, 2047), (1, 2048), (3, 5000), (1, 66000), (1, 1), (1, 0), (2, 0), (0, 90)):
        x = _numbers(shape, dtype)
        if dtype == "int64" and x.size > 8:
            x.reshape(-1)[[3, 7, 5, 8]] = 2**63 - 1, -(2**63), -(2**40), 2**40
        if dtype.startswith("float") and x.size > 8:
            x.reshape(-1)[[3, 7, 8]] = np.finfo(dtype).max, np.finfo(dtype).tiny / 8, -0.0
        wanted = np.take_along_axis(x, stable_order(x, axis=1, descending=descending), 1)
        for compiled in (unknown, *([vt.to_static(ordered)] if shape in KNOWN else [])):
            values, order = compiled(vt.to_tensor(x))
            np.testing.assert_array_equal(values.numpy(), wanted)
            np.testing.assert_array_equal(order.numpy(), stable_order(x, axis=1, descending=descending))
            if dtype.startswith("float"):
                real = ~np.isnan(wanted)
                np.testing.assert_array_equal(np.signbit(values.numpy())[real], np.signbit(wanted)[real])


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_binary_search(dtype: str, symbolic: bool, right: bool) -> None:
    def places(sequence: Any, values: Any) -> Any:
        return vt.searchsorted(sequence, values, right=right)

    for table, shape in [((1,), (3,)), ((0,), (3,)), ((100,), (3, 200)), ((3, 17), (3, 300)), ((2, 8), (2, 0))]:
        sequence, values = np.sort(_numbers(table, dtype), -1), _numbers(shape, dtype)
        spec = [vt.InputSpec([None] * x.ndim if symbolic else list(x.shape), dtype) for x in (sequence, values)]
        found = vt.to_static(places, input_spec=spec)(vt.to_tensor(sequence), vt.to_tensor(values))
        lines = [
            np.searchsorted(s, v, "right" if right else "left")
            for s, v in zip(
                sequence if len(table) > 1 else [sequence], values if len(table) > 1 else [values], strict=True
            )
        ]
        np.testing.assert_array_equal(found.numpy(), np.stack(lines) if len(table) > 1 else lines[0])


@pytest.mark.parametrize(
    ("dtype", "descending"),
    [
        ("float32", False),
        ("float32", True),
        ("float64", True),
        ("int64", False),
        ("int32", True),
        ("uint8", False),
        ("bool", True),
    ],
)
def test_merged_lines(dtype: str, descending: bool) -> None:
    """Lines of all lengths, ties and NaN among them, are ordered by a kernel, as by Python: above 2048 by digits."""
    for shape, axis in (((3, 33), 1), ((2, 64), 1), ((65, 3), 0), ((2, 500), 1), ((2048,), 0), ((2049,), 0)):

        def order(x: Any, axis: int = axis) -> Any:
            return vt.argsort(x, axis, descending)

        x = _numbers(shape, dtype)
        compiled = vt.to_static(order)
        np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), _expected(x, axis, descending))
        assert "host" not in compiled.dump("linearised")


def test_orders_in_a_loop_are_one_kernel() -> None:
    def ranks(x: Any) -> Any:
        total = x * 0.0
        for k in range(20):
            total = total + vt.argsort(x * (k - 9.5)).astype("float32")
        return total

    x = vt.to_tensor(_numbers((60,), "float32")[:40])
    compiled = vt.to_static(ranks)
    np.testing.assert_array_equal(compiled(x).numpy(), ranks(x).numpy())
    assert "host" not in compiled.dump("linearised")


NETWORKED = [
    ((19, 50), 1),
    ((3, 33, 16), 1),
    ((40, 24), 0),
    ((5, 17), 1),
    ((17, 64), 1),
    ((2, 40, 3), 1),
    ((8, 300), 1),
]
OF_SHORT_LINES = [((70, 3), 1), ((5, 64), 0), ((21, 7), 1), ((2, 16, 16), 2)]


@pytest.mark.parametrize(
    ("dtype", "descending"),
    [("float32", False), ("float32", True), ("float64", False), ("int64", True), ("int8", False), ("bool", True)],
)
def test_lines_that_are_sorted_together(dtype: str, descending: bool) -> None:
    for shape, axis in _some([*NETWORKED, *OF_SHORT_LINES], dtype):
        x = _numbers(shape, dtype)
        if dtype == "int64":
            x.reshape(-1)[::11], x.reshape(-1)[5::13] = np.iinfo(dtype).max, np.iinfo(dtype).min
        tensor = vt.to_tensor(x)
        compiled = vt.to_static(
            lambda t, axis=axis: (vt.sort(t, axis, descending), vt.argsort(t, axis, descending, stable=True))
        )
        values, places = (made.numpy() for made in compiled(tensor))
        expected = _expected(x, axis, descending)
        np.testing.assert_array_equal(places, expected)
        np.testing.assert_array_equal(values, np.take_along_axis(x, expected, axis))
        if dtype.startswith("float"):  # zeros keep their signs, in some order
            zeros = (values == 0) & np.signbit(values)
            assert zeros.sum() == ((x == 0) & np.signbit(x)).sum()
        np.testing.assert_array_equal(tensor.numpy(), x)


def test_any_number_of_lines_is_sorted_together() -> None:
    for length in (40, 5):
        compiled = vt.to_static(lambda x: vt.argsort(x, 1), input_spec=[vt.InputSpec([None, length], "float32")])
        for lines in (1, 9, 0, 16):
            x = _numbers((lines, length), "float32")
            np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), _expected(x, 1, False))


def _spread(dtype: str, shape: tuple[int, ...]) -> list[Array]:
    """Numbers of a dtype from its whole range, from a small one, and all equal."""
    rng = np.random.default_rng(8)
    if dtype.startswith("float"):
        made = (rng.standard_normal(shape) * 10.0 ** rng.integers(-30, 30, shape)).astype(dtype)
        made.flat[:7] = [np.nan, np.inf, -np.inf, 0.0, -0.0, -np.nan, np.nan]
        return [made, np.floor(np.nan_to_num(made, posinf=3.0, neginf=1.0) % 7), np.full(shape, np.nan, dtype)]
    ends = np.iinfo(dtype)
    wide = rng.integers(ends.min, ends.max, shape, dtype, endpoint=True)
    wide.flat[:3] = ends.max, ends.min, ends.max
    return [wide, rng.integers(max(ends.min, -9), 9, shape, dtype), np.full(shape, 5, dtype)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16", "uint8"])
def test_long_lines_are_ordered_by_digits(dtype: str) -> None:
    for shape, axis in (((2, 2100), 1), ((2050, 3), 0), ((5000,), 0)):
        for descending in (False, True):

            def order(x: Any, axis: int = axis, descending: bool = descending) -> Any:
                return vt.argsort(x, axis, descending)

            compiled = vt.to_static(order)
            for x in _spread(dtype, shape):
                places = compiled(vt.to_tensor(x)).numpy()
                np.testing.assert_array_equal(places, _expected(x, axis, descending))
            assert any("radix" in text or "counts" in text for text in compiled.kernels.values())


@pytest.mark.parametrize("name", ["argsort", "sort", "median"])
def test_pieces_of_a_range_have_memory_of_their_own(name: str) -> None:
    """A range isn't divided into more pieces than there is memory for; here it would be into all of its 25 lines."""
    compiled = vt.to_static(lambda x: getattr(vt, name)(x, 1), input_spec=[vt.InputSpec([25, 70000], "float64")])
    kernels = [s.kernel for s in linearise(compiled._runner().executable.program).steps if isinstance(s, KernelStep)]
    with_memory = [k for k in kernels if k is not None and any(slot.role == "scratch" for slot in k.slots)]
    assert [k.parts for k in with_memory] == [current_target().threads.pieces]
    assert with_memory[0].extent == 25 and with_memory[0].work > 64 * current_target().threads.chunk


def _alike(kind: str, size: int) -> Array:
    """Numbers of which the highest digits tell most apart, or hardly any, or some that stand far from their places."""
    rng = np.random.default_rng(5)
    if kind == "apart":
        return rng.standard_normal(size)
    near = 1 + rng.integers(0, size, size) * 2.0**-52
    if kind == "alike":
        return np.where(rng.random(size) < 0.01, -near * 1e30, near)
    made = rng.permutation(np.arange(1.0, size + 1))
    made[rng.integers(0, size, 40)] = near[:40]
    return made


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kind", ["apart", "alike", "few alike"])
def test_digits_that_do_not_tell_all_elements_apart(kind: str, descending: bool) -> None:
    """What the highest digits leave is inserted, and where that is much, all digits are looked at."""

    def ordered(x: Any) -> Any:
        return vt.sort(x, 0, descending), vt.argsort(x, 0, descending)

    compiled = vt.to_static(ordered, input_spec=[vt.InputSpec([None], "float64")])
    for size in (65, 2049, 9001):
        x = _alike(kind, size)
        values, order = compiled(vt.to_tensor(x))
        expected = stable_order(x, axis=0, descending=descending)
        np.testing.assert_array_equal(order.numpy(), expected)
        np.testing.assert_array_equal(values.numpy(), x[expected])


@pytest.mark.parametrize(
    ("dtype", "descending"),
    [("float32", False), ("float32", True), ("float64", True), ("int32", False), ("int64", True)],
)
def test_long_lines_are_sorted_side_by_side(dtype: str, descending: bool) -> None:
    """By a network whose table isn't on the stack; the last group of lines isn't full."""
    for shape, axis in _some([((17, 2500), 1), ((3000, 16), 0), ((4000, 25), 0)], dtype):
        x = _numbers(shape, dtype)
        if dtype.startswith("float"):
            x = x * np.random.default_rng(8).choice(np.array([1.0, -1e-9, 1e9, 0.0], dtype), shape)
        compiled = vt.to_static(lambda t, axis=axis: (vt.sort(t, axis, descending), vt.argsort(t, axis, descending)))
        values, order = compiled(vt.to_tensor(x))
        expected = stable_order(x, axis=axis, descending=descending)
        wanted = np.take_along_axis(x, expected, axis)
        np.testing.assert_array_equal(order.numpy(), expected)
        np.testing.assert_array_equal(values.numpy(), wanted)
        real = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(values.numpy())[real], np.signbit(wanted)[real])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16", "uint8"])
def test_modes_of_lines(dtype: str) -> None:
    for shape, axis in (((3, 70), 1), ((130, 2), 0), ((9,), 0), ((4000,), 0)):
        compiled = vt.to_static(lambda x, axis=axis: vt.mode(x, axis))
        for x in _spread(dtype, shape):
            expected = vt.mode(vt.to_tensor(x), axis)
            for got, want in zip(compiled(vt.to_tensor(x)), expected, strict=True):
                np.testing.assert_array_equal(got.numpy(), want.numpy())


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8"])
@pytest.mark.parametrize("inverted", [False, True])
def test_membership(dtype: str, inverted: bool) -> None:
    """By a table of the numbers' range, and by a hash table where that is long."""
    compiled = vt.to_static(lambda x, y: vt.isin(x, y, invert=inverted))
    rng = np.random.default_rng(9)
    for count, known in ((40, 1), (600, 300), (3, 2000)):
        for x, y in zip(_spread(dtype, (count,)), _spread(dtype, (max(known, 3),)), strict=True):
            taken = y[:known]
            x[: count // 2] = taken[rng.integers(0, known, count // 2)]
            want = np.isin(x, taken, invert=inverted)
            np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(taken)).numpy(), want)
            np.testing.assert_array_equal(vt.isin(vt.to_tensor(x), vt.to_tensor(taken), invert=inverted).numpy(), want)
    of_two = compiled(vt.to_tensor(np.arange(4)), vt.to_tensor(np.array([2, 9], "int32")))  # by sorting
    np.testing.assert_array_equal(of_two.numpy(), np.isin(np.arange(4), [2, 9], invert=inverted))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_kth_values_of_short_lines(dtype: str) -> None:
    for x in _spread(dtype, (300, 9)):
        order = _expected(x, 1, False)
        for k in (1, 4, 9):
            values, places = vt.to_static(lambda x, k=k: vt.kthvalue(x, k))(vt.to_tensor(x))
            np.testing.assert_array_equal(places.numpy(), order[:, k - 1])
            np.testing.assert_array_equal(values.numpy(), x[np.arange(300), order[:, k - 1]])


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((33,), 0), ((8, 5), 1), ((37, 40), 1), ((24, 16), 0), ((2, 5, 24), 1), ((33, 3), 0), ((300,), 0)],
)
def test_sorted_zeros_stay_in_order(shape: tuple[int, ...], axis: int, dtype: str, descending: bool) -> None:
    choice = np.array([0.0, -0.0, -0.0, 0.0, 1.0, -1.0, np.nan, np.inf, -np.inf])
    compiled = vt.to_static(lambda t: vt.sort(t, axis, descending))
    for few in (2, 4, len(choice)):
        x = np.random.default_rng(few).choice(choice[:few], shape).astype(dtype)
        order = stable_order(x, axis=axis, descending=descending)
        expected = np.take_along_axis(x, order, axis)
        for found in (vt.sort(vt.to_tensor(x), axis, descending), compiled(vt.to_tensor(x))):
            np.testing.assert_array_equal(found.numpy(), expected)
            at = expected == 0
            np.testing.assert_array_equal(np.signbit(found.numpy()[at]), np.signbit(expected[at]))
