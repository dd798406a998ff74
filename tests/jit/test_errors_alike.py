"""What eager mode refuses a compiled function refuses, with the same class of error: sizes, indices, powers, numbers."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, CaptureError, DTypeError, KindError, ShapeError, VitrifyError
from vitrify.nn import functional as F

SIZES: dict[str, Callable[[Any], Any]] = {
    "zeros": lambda n: vt.zeros([n, n]),
    "a single size": lambda n: vt.ones(n),
    "full": lambda n: vt.full([n, 2], 1.5),
    "empty": lambda n: vt.empty([n]),
    "eye": lambda n: vt.eye(n),
    "linspace": lambda n: vt.linspace(0, 1, n),
    "reshape": lambda n: vt.arange(6).reshape([n, -1]),
    "expand": lambda n: vt.ones([1, 3]).expand([n, 3]),
    "broadcast_to": lambda n: vt.broadcast_to(vt.ones([1, 3]), [n, 3]),
    "tile": lambda n: vt.tile(vt.ones([3]), [n, 2]),
    "one_hot": lambda n: vt.nn.functional.one_hot(vt.to_tensor([0, 1]), n),
    "split": lambda n: vt.split(vt.ones([6, 2]), [n, -1]),
    "randn": lambda n: vt.randn([n]),
    "uniform": lambda n: vt.uniform([n]),
    "pad": lambda n: vt.nn.functional.pad(vt.ones([1, 1, 3]), [n, 0]),
    "sequence_mask": lambda n: vt.nn.functional.sequence_mask(vt.to_tensor([1, 2]), maxlen=n),
}
SHIFTS: dict[str, Callable[[Any], Any]] = {"roll": lambda n: vt.roll(vt.arange(5), n)}
PLACES: dict[str, Callable[[Any], Any]] = {
    "a slice's end": lambda n: vt.arange(5.0)[:n],
    "a slice's beginning": lambda n: vt.arange(5.0)[n:],
    "slice": lambda n: vt.slice(vt.arange(5.0), [0], [0], [n]),
    "range": lambda n: sum([vt.to_tensor(k) for k in range(n)], vt.to_tensor(0)),
}


def both(fn: Callable[..., Any], *args: Any, error: type[Exception], match: str = ".") -> None:
    """Both modes end with this class of error, on a first and on a second call."""
    compiled = vt.to_static(fn)
    for call in (fn, compiled, compiled):
        with pytest.raises(error, match=match):
            call(*args)


@pytest.mark.parametrize("name", [*SIZES, *SHIFTS])
@pytest.mark.parametrize("value", [3.5, float("nan"), True], ids=str)
def test_a_size_from_a_tensor_that_is_no_integer_is_refused(name: str, value: Any) -> None:
    fn = (SIZES | SHIFTS)[name]
    compiled = vt.to_static(fn)
    with pytest.raises(KindError, match="must be an int"):
        fn(vt.to_tensor(value))
    for _ in range(2):
        with pytest.raises(KindError, match=r"a size must be an int, not a (float32|bool) tensor"):
            compiled(vt.to_tensor(value))


@pytest.mark.parametrize("name", [name for name in SIZES if name != "pad"])  # margins below 0 cut in eager mode
def test_a_negative_size_from_a_tensor_is_refused(name: str) -> None:
    both(SIZES[name], vt.to_tensor(-2), error=ValueError)
    with pytest.raises(ArgumentError, match="a size can't be negative"):
        vt.to_static(SIZES[name])(vt.to_tensor(-2))


@pytest.mark.parametrize("name", [name for name in SIZES if name != "a single size"])
def test_a_size_from_a_tensor_of_several_elements_is_refused(name: str) -> None:
    both(SIZES[name], vt.to_tensor([2, 3]), error=ArgumentError, match="isn't one number")


@pytest.mark.parametrize("name", PLACES)
def test_places_from_tensors_must_be_integers_with_one_element(name: str) -> None:
    both(PLACES[name], vt.to_tensor(3.5), error=DTypeError, match="a float32 tensor can't be an index")
    both(PLACES[name], vt.to_tensor([2, 3]), error=ArgumentError, match="isn't one number")


def test_a_slice_between_other_things_than_ints_is_refused() -> None:
    both(lambda x: x[:1.5], vt.arange(5.0), error=KindError, match="bounded by ints, not 1.5")


@pytest.mark.parametrize("size", [2, 0, -1, 7, -8])
def test_a_shift_from_a_tensor_may_be_negative(size: int) -> None:
    def fn(x: Any, n: Any) -> Any:
        return vt.roll(x, n), vt.roll(x.reshape([5, 1]), [n, n + 1], [0, 1])

    for a, b in zip(fn(vt.arange(5), size), vt.to_static(fn)(vt.arange(5), vt.to_tensor(size)), strict=True):
        assert a.tolist() == b.tolist()


def test_an_index_of_a_list_must_be_one_integer() -> None:
    both(lambda n: [1.0, 2.0, 3.0][n], vt.to_tensor([2, 1]), error=ArgumentError, match="isn't one number")
    found = vt.to_static(lambda n: [1.0, 2.0, 3.0][n])(vt.to_tensor([2]))
    assert type(found) is float and found == 3.0


@pytest.mark.parametrize("name", ["sum", "softmax", "flip", "unsqueeze", "concat"])
def test_an_axis_from_a_tensor_must_be_an_integer(name: str) -> None:
    x = vt.ones([2, 3])
    fn = {
        "sum": lambda n: vt.sum(x, axis=n),
        "softmax": lambda n: vt.nn.functional.softmax(x, n),
        "flip": lambda n: vt.flip(x, n),
        "unsqueeze": lambda n: vt.unsqueeze(x, n),
        "concat": lambda n: vt.concat([x, x], axis=n),
    }[name]
    both(fn, vt.to_tensor(1.0), error=KindError, match="axis must be an int")


@pytest.mark.parametrize(
    "parts", [lambda x, n: vt.split(x, n), lambda x, n: vt.chunk(x, n), lambda x, n: vt.tensor_split(x, n)]
)
def test_a_number_of_parts_must_be_known_at_capture(parts: Callable[..., Any]) -> None:
    x = vt.ones([6, 2])
    assert [p.shape for p in parts(x, vt.to_tensor(2))] == [[3, 2], [3, 2]]
    with pytest.raises(CaptureError, match="the number of parts must be known"):
        vt.to_static(parts)(x, vt.to_tensor(2))


def test_sections_from_tensors_add_up_to_the_axis() -> None:
    fn = lambda n: [p * 1 for p in vt.split(vt.arange(6), [n, 2])]  # noqa: E731
    both(fn, vt.to_tensor(3), error=ArgumentError, match="add up to")
    assert [p.tolist() for p in vt.to_static(fn)(vt.to_tensor(4))] == [[0, 1, 2, 3], [4, 5]]


def test_a_size_that_divides_another_is_not_zero() -> None:
    with pytest.raises(ShapeError, match="is 0"):
        vt.to_static(lambda n: vt.unflatten(vt.arange(6), 0, [n, -1]))(vt.to_tensor(0))


@pytest.mark.parametrize("size", [-1, 0, 1, 3])
def test_sizes_that_a_run_tells_are_worked_out_or_copied_as_in_eager_mode(size: int) -> None:
    def fn(x: Any, n: Any) -> list[Any]:
        made = [x.reshape([n, 4]) * 2, x.reshape([n, -1]) if n.item() else x] if size != -1 else [x.reshape([n, 2, 2])]
        return [*made, vt.unflatten(x, 0, [n, 1])] if size in (-1, 3) else made

    x = vt.arange(12).reshape([3, 4]) if size != 1 else vt.arange(4).reshape([1, 4])
    eager, compiled = fn(x, vt.to_tensor(size)), vt.to_static(fn)(x, vt.to_tensor(size))
    assert [part.tolist() for part in compiled] == [part.tolist() for part in eager]


@pytest.mark.parametrize("shape", [[-1, 2], [-1, -2], [5, 2]])
def test_at_most_one_size_that_a_run_tells_is_worked_out(shape: list[int]) -> None:
    with pytest.raises(ValueError):  # a negative size, or another number of elements
        vt.to_static(lambda x, a, b: x.reshape([a, b]) + 1)(vt.arange(9), *map(vt.to_tensor, shape))


def test_a_run_tells_that_an_axis_keeps_its_size() -> None:
    fn = lambda x, n: vt.expand(x, [n, 2, n]) * 1  # noqa: E731
    x = vt.ones([1, 1, 3])
    assert vt.to_static(lambda x, n: vt.expand(x, [2, n, 3]) * 1)(x, vt.to_tensor(-1)).shape == [2, 1, 3]
    assert (
        vt.to_static(fn)(vt.ones([1, 1, 1]), vt.to_tensor(-1)).shape == fn(vt.ones([1, 1, 1]), vt.to_tensor(-1)).shape
    )


@pytest.mark.parametrize("number", [lambda t: t, lambda t: int(t), lambda t: t.item() + 0], ids=["t", "int", "item"])
def test_a_number_that_only_a_run_tells_is_a_size_like_a_tensor(number: Callable[[Any], Any]) -> None:
    def fn(x: Any, t: Any) -> Any:
        n = number(t)
        ages = vt.arange(0, n, dtype="int64").unsqueeze(0)
        image = x.reshape([1, 1, n, -1])
        return (
            ages.expand([3, n]) >= vt.to_tensor([[1], [2], [4]]),
            vt.broadcast_to(x[:1], [n, 1]).reshape([-1, n]),
            F.interpolate(image, size=[n, n], mode="bilinear"),
            F.adaptive_avg_pool2d(image, [n, n]),
            vt.full_like(x, n),
            vt.quantile(x, n * 0.125),
            F.dropout(x, n * 0.125, training=False, mode="downscale_in_infer"),
        )

    x, compiled = vt.arange(12).astype("float32"), vt.to_static(fn)
    for size in (2, 4, 3):
        eager, made = fn(x, vt.to_tensor(size)), compiled(x, vt.to_tensor(size))
        assert [part.shape for part in made] == [part.shape for part in eager]
        assert all(np.allclose(a.numpy(), b.numpy(), 1e-6) for a, b in zip(made, eager, strict=True))


@pytest.mark.parametrize("name", ["leaky_relu", "elu", "softplus"])
def test_an_attribute_that_only_a_run_tells_is_refused(name: str) -> None:
    fn = lambda x, t: getattr(F, name)(x, t)  # noqa: E731
    x = vt.to_tensor([-1.0, 2.0])
    assert fn(x, vt.to_tensor(2.0)).tolist() == getattr(F, name)(x, 2.0).tolist()
    with pytest.raises(CaptureError, match="only a run of the program knows"):
        vt.to_static(fn)(x, vt.to_tensor(2.0))
    known = vt.to_static(lambda x: getattr(F, name)(x, vt.to_tensor(2.0)))
    assert np.allclose(known(x).numpy(), getattr(F, name)(x, 2.0).numpy(), 1e-6)


def test_a_range_of_what_is_not_finite_is_refused() -> None:
    for value in (float("nan"), float("inf")):
        both(lambda n: vt.arange(n), vt.to_tensor(value), error=ArgumentError, match="arange needs finite numbers")
        both(lambda n: vt.arange(0, 5, n * 0), vt.to_tensor(0.0), error=ArgumentError, match="a step other than 0")


@pytest.mark.parametrize("value", [np.float64(3.0), np.float32(3.0), np.bool_(True), np.int8(3)], ids=repr)
def test_a_range_has_the_same_dtype_in_both_modes(value: Any) -> None:
    fn = lambda n: vt.arange(n)  # noqa: E731
    eager, compiled = fn(vt.to_tensor(value)), vt.to_static(fn)(vt.to_tensor(value))
    assert eager.dtype is compiled.dtype and eager.tolist() == compiled.tolist()


@pytest.mark.parametrize("value, error", [(float("nan"), ValueError), (float("inf"), OverflowError)])
def test_int_of_what_is_not_finite_is_pythons_error(value: float, error: type[Exception]) -> None:
    both(lambda x: vt.to_tensor(int(x)), vt.to_tensor(value), error=error, match="cannot convert float")
    with pytest.raises(OverflowError, match="64-bit"):
        vt.to_static(lambda x: vt.to_tensor(int(x)))(vt.to_tensor(1e30))
    assert vt.to_static(lambda x: vt.to_tensor(int(x)))(vt.to_tensor(-3.7)).tolist() == -3


# ---- powers of integers


def i32(*numbers: int) -> Any:
    return vt.to_tensor(np.array(numbers, "int32"))


NEGATIVE = "Integers to negative integer powers"


def test_integers_to_negative_powers_are_refused() -> None:
    both(lambda x, y: x**y, i32(1, 2, 3), i32(1, -1, 2), error=ValueError, match=NEGATIVE)
    both(lambda x, y: vt.pow(x, y), i32(1, 2, 3), vt.to_tensor(-2), error=ValueError, match=NEGATIVE)
    both(lambda x: x**-1, i32(1, 2, 3), error=ValueError, match=NEGATIVE)
    both(lambda x: 2**x, i32(1, -2), error=ValueError, match=NEGATIVE)
    both(lambda x, n: x**n, i32(1, 2, 3), -1, error=ValueError, match=NEGATIVE)


def test_a_number_that_becomes_a_negative_power_is_refused_at_that_call() -> None:
    fn = vt.to_static(lambda x, n: x**n)
    assert [fn(i32(1, 2, 3), n).tolist() for n in (1, 2, 3)] == [[1, 2, 3], [1, 4, 9], [1, 8, 27]]
    with pytest.raises(ValueError, match=NEGATIVE):
        fn(i32(1, 2, 3), -1)
    assert fn(i32(1, 2, 3), 0).tolist() == [1, 1, 1]


def test_negative_powers_on_a_path_that_is_not_taken_are_no_error() -> None:
    @vt.to_static
    def fn(x: Any, y: Any) -> Any:
        if (y >= 0).all():
            return x**y
        return x.astype("float32") ** y.astype("float32")

    assert fn(i32(2, 4), i32(3, 1)).tolist() == [8, 4]
    assert fn(i32(2, 4), i32(-1, 1)).tolist() == [0.5, 4.0]


def test_python_ints_to_negative_powers_are_floats() -> None:
    fn = vt.to_static(lambda n: 2**n)
    assert [fn(n) for n in (1, 2, 3, -1, 5, -2)] == [2, 4, 8, 0.5, 32, 0.25]


# ---- Python numbers beside tensors of narrower dtypes

BESIDE: dict[str, Callable[[Any, Any], Any]] = {
    "multiply": lambda x, n: x * n,
    "add": lambda x, n: n + x,
    "compare": lambda x, n: x < n,
    "floor_divide": lambda x, n: x // n,
    "where": lambda x, n: vt.where(x > 0, x, n),
    "an assignment": lambda x, n: assigned(x, n),
}


def assigned(x: Any, n: Any) -> Any:
    y = x.clone()
    y[0] = n
    return y


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("dtype, beyond", [("int32", 1 << 31), ("int8", -129), ("uint8", -1), ("int16", 1 << 40)])
def test_an_int_that_does_not_fit_is_refused_at_every_call(name: str, dtype: str, beyond: int) -> None:
    fn, x = BESIDE[name], vt.to_tensor(np.array([1, 2, 3], dtype))
    both(fn, x, beyond, error=ArgumentError, match=f"fit into {dtype}")
    compiled = vt.to_static(fn)
    for n in (1, 2, 3, 5):  # from the second call on it is an input
        assert compiled(x, n).tolist() == fn(x, n).tolist()
    for _ in range(2):
        with pytest.raises(ArgumentError, match=f"fit into {dtype}") as caught:
            compiled(x, beyond)
        assert "wider dtype" in str(caught.value)
    assert compiled(x, 7).tolist() == fn(x, 7).tolist()
    assert compiled.get_traced_count() <= 2


def test_an_int_that_the_run_computes_is_refused_where_it_does_not_fit() -> None:
    fn = vt.to_static(lambda x, n: x * (n * 1000))
    assert [fn(i32(1, 2), n).tolist() for n in (1, 2, 3)] == [[1000, 2000], [2000, 4000], [3000, 6000]]
    with pytest.raises(ArgumentError, match="fit into int32"):
        fn(i32(1, 2), 1 << 30)


def test_fill_values_and_bounds_must_fit_into_the_dtype() -> None:
    both(lambda: vt.full([2], 300, "int8"), error=ArgumentError, match="300 doesn't fit into int8")
    both(
        lambda x: vt.full_like(x, -1), vt.to_tensor(np.array([1], "uint8")), error=ArgumentError, match="fit into uint8"
    )
    both(lambda x: vt.clip(x, 0, 1 << 40), i32(1, 2), error=ArgumentError, match="fit into int32")


def test_the_errors_are_of_this_package_or_pythons_own() -> None:
    assert issubclass(ArgumentError, (VitrifyError, ValueError)) and issubclass(DTypeError, TypeError)


def test_eager_calls_that_are_repeated_refuse_numbers_as_first_ones_do() -> None:
    for dtype in ("int8", "uint8"):
        x = vt.to_tensor(np.array([1, 2, 3], dtype))
        for n in (1, 2, 1 << 31, 1 << 31):
            if n < 3:
                assert (x**n).tolist() == [1, 2**n, 3**n]
                continue
            with pytest.raises(ArgumentError, match="doesn't fit into"):
                x**n


def test_a_float_that_changes_fits_into_the_integers_it_becomes() -> None:
    fn = vt.to_static(lambda x, n: vt.maximum(x, vt.to_tensor(n, dtype=x.dtype)))
    x = vt.to_tensor(np.array([0, 1, 3], "uint8"))
    assert [fn(x, n).tolist() for n in (1.0, 2.5, -0.5, 255.9)] == [[1, 1, 3], [2, 2, 3], [0, 1, 3], [255] * 3]
    with pytest.raises(ArgumentError, match="fit into uint8"):
        fn(x, 256.0)
    with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
        fn(x, float("nan"))


# ---- errors that keep their class, and their place


def test_a_recursion_error_of_the_users_is_one() -> None:
    def fn(x: Any, fuel: int) -> Any:
        while True:
            fuel -= 1
            if fuel == 0:
                raise RecursionError("out of fuel")
            x = x + 1

    for call in (fn, vt.to_static(fn)):
        with pytest.raises(RecursionError, match=r"^out of fuel") as caught:
            call(vt.ones([2]), 3)
        assert not isinstance(caught.value, VitrifyError)


def test_an_error_of_a_size_names_the_size_of_the_call() -> None:
    def fn(x: Any, at: Any) -> Any:
        return vt.exp(x[at] - x[at].max())

    compiled, x = vt.to_static(fn), vt.ones([4])
    for n in (3, 2):
        compiled(x, vt.arange(n))
    for call in (fn, compiled):
        with pytest.raises(ShapeError, match=r"max of no elements: f32\[0\] over axis"):
            call(x, vt.arange(0))


def test_a_refusal_inside_the_standard_library_names_the_users_line() -> None:
    counts = collections.Counter(a=1, b=2, big=0)

    def fn(x: Any) -> Any:
        if x.sum() > 1.0:
            counts["big"] += 1
        return counts.most_common(1)

    with pytest.raises(CaptureError) as caught:
        vt.to_static(fn)(vt.ones([2]))
    assert caught.value.loc is not None
    assert (caught.value.loc.file, caught.value.loc.caller) == (__file__, None)


# ---- casts of floats that no integer holds: docs/limitations.md

BEYOND = [float("nan"), float("inf"), -float("inf"), 1e19, -1e19, 2.0**63, 2.0**31, -(2.0**31) - 1, 300.0, -1.5, 1e10]


@pytest.mark.parametrize("source", ["float32", "float64"])
@pytest.mark.parametrize("target", ["int8", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("count", [1, 11, 3000])
def test_casts_of_what_no_integer_holds_have_one_meaning(source: str, target: str, count: int) -> None:
    compiled = vt.to_static(lambda x: (x * 1).astype(target))
    for start in range(len(BEYOND) if count == 1 else 1):
        numbers = np.array((BEYOND[start:] * 300)[:count], source)
        wide = np.dtype("int64") if target == "int64" else np.dtype("int32")
        least = np.iinfo(wide).min
        held = [wide.type(least if not least <= x < -float(least) else int(x)) for x in numbers.tolist()]
        expected = np.array(held, wide).astype(target).tolist()
        assert vt.to_tensor(numbers).astype(target).tolist() == expected
        assert compiled(vt.to_tensor(numbers)).tolist() == expected
