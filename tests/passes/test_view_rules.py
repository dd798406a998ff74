"""Every rewrite of views, before and after, on hostile numbers of every kind, on empty arrays and on single elements."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.dtype import DType
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.algebra.simplify import Simplify
from vitrify.passes.algebra.view_rules import VIEWS
from vitrify.passes.fusion.gather_pushdown import GatherPushdown
from vitrify.testing.numbers import hostile_numbers

NUMBERS = (dt.float16, dt.float32, dt.float64, dt.int8, dt.uint8, dt.int32, dt.int64, dt.complex64, dt.bool_)
ORDERED = tuple(d for d in NUMBERS if not d.is_complex and not d.is_bool)
SHAPES = ((), (1,), (0,), (3, 4), (0, 4), (2, 1, 5))
Case = tuple[str, Callable[..., Any], tuple[DType, ...], int]  # the rewrite, what it applies to, dtypes, least rank


def call(name: str, *args: Any, **attrs: Any) -> Any:
    return OPS[name](*args, **attrs)


def reverse(x: Value) -> list[int]:
    return list(range(x.ndim))[::-1]


def twice(x: Value) -> Any:
    one = call("reshape", x, [1, *x.shape])
    return call("concat", [one, one], 0)


def lines(x: Value) -> Any:
    """Places along the last axis, the last first, one after the other for all rows."""
    return call("arange", x.shape[-1], x.shape[-1] - 1, -1, dt.int64)


CASES: list[Case] = [
    ("_same", lambda x: call("cast", x, x.dtype), NUMBERS, 0),
    ("_same", lambda x: call("reshape", x, list(x.shape)), NUMBERS, 0),
    ("_same", lambda x: call("broadcast_to", x, list(x.shape)), NUMBERS, 0),
    ("_reshape_of_reshape", lambda x: call("reshape", call("reshape", x, [*x.shape, 1]), [1, *x.shape]), NUMBERS, 0),
    ("_transpose_of_nothing", lambda x: call("transpose", x, list(range(x.ndim))), NUMBERS, 1),
    ("_transpose_of_transpose", lambda x: call("transpose", call("transpose", x, reverse(x)), reverse(x)), NUMBERS, 2),
    (
        "_broadcast_of_broadcast",
        lambda x: call("broadcast_to", call("broadcast_to", x, [2, *x.shape]), [3, 2, *x.shape]),
        NUMBERS,
        0,
    ),
    ("_whole_slice", lambda x: call("slice", x, [0] * x.ndim, list(x.shape)), NUMBERS, 1),
    ("_concat_of_one", lambda x: call("concat", [x], 0), NUMBERS, 1),
    ("_folded_ones", lambda x: call("max", call("reshape", x, [*x.shape, 1]), axis=[x.ndim]), ORDERED, 1),
    ("_folded_ones", lambda x: call("min", call("reshape", x, [1, *x.shape]), axis=[0], keepdim=True), ORDERED, 1),
    (
        "_implicit_broadcast",
        lambda x: call("maximum", twice(x), call("broadcast_to", call("reshape", x, [1, *x.shape]), [2, *x.shape])),
        ORDERED[1:],  # float16 is computed in float32: a cast is between
        1,
    ),
    (
        "_element_so_far",
        lambda x: call("take_along_axis", x, call("running_place", x, axis=x.ndim - 1), axis=x.ndim - 1),
        ORDERED,
        1,
    ),
    (
        "_index_of_lines",
        lambda x: call("put_along_axis", x, call("broadcast_to", lines(x), list(x.shape)), x, axis=x.ndim - 1),
        NUMBERS,
        2,
    ),
    (
        "_index_of_lines",
        lambda x: call("take_along_axis", x, call("broadcast_to", lines(x), list(x.shape)), axis=x.ndim - 1),
        NUMBERS,
        2,
    ),
    (
        "_outer_product",
        lambda x: call(
            "matmul", call("reshape", x, [*x.shape, 1]), call("reshape", x, [*x.shape[:-1], 1, x.shape[-1]])
        ),
        (dt.float32, dt.float64, dt.int64),
        1,
    ),
    (
        "_outer_product",
        lambda x: call(
            "matmul",
            *[call("reshape", x, [*x.shape[:-1], *ends]) for ends in ((1, x.shape[-1]), (x.shape[-1], 1))],
            transpose_x=True,
            transpose_y=True,
        ),
        (dt.float32, dt.float64),
        1,
    ),
    (
        "_transposed_factor",
        lambda x: call("matmul", call("transpose", x, reverse(x)), x),
        (dt.float32, dt.float64),
        2,
    ),
]


def program_of(make: Callable[..., Any], *kinds: TensorType) -> Program:
    program, builder = new_program("views")
    with builder.active():
        builder.return_([make(*(program.add_feed(f"x{k}", kind) for k, kind in enumerate(kinds)))])
    verify(program)
    return program


def outcome(program: Program, *arrays: Any) -> Any:
    with np.errstate(all="ignore"):
        (made,), _ = interpret(program, arrays)
    return made


def check(program: Program, *arrays: Any) -> None:
    before = outcome(program, *arrays)
    assert Simplify().run(program)
    verify(program)
    after = outcome(program, *arrays)
    assert (after.dtype, after.shape) == (before.dtype, before.shape)
    assert after.tobytes() == before.tobytes()


def filled(dtype: DType, shape: tuple[int, ...]) -> Any:
    numbers = hostile_numbers(dtype)
    return np.resize(numbers, shape).astype(dtype.numpy)


@pytest.mark.parametrize(("name", "make", "dtypes", "rank"), CASES, ids=[f"{k}{c[0]}" for k, c in enumerate(CASES)])
def test_views_keep_every_bit(name: str, make: Callable[..., Any], dtypes: tuple[DType, ...], rank: int) -> None:
    ran = 0
    for dtype, shape in itertools.product(dtypes, SHAPES):
        if len(shape) < rank or (name == "_transposed_factor" and len(shape) != 2):
            continue
        check(program_of(make, TensorType(dtype, shape)), filled(dtype, shape))
        ran += 1
    assert ran >= len(dtypes)


def test_widening_before_a_cast() -> None:
    """All ways through a wider dtype of the same category, to any dtype that can hold the number."""
    for narrow, wide, last in itertools.product(NUMBERS, repeat=3):
        if narrow.category != wide.category or wide.numpy.itemsize < narrow.numpy.itemsize or last is wide:
            continue
        numbers = filled(narrow, (40,))
        if last.is_integer:  # beyond their range, and for NaN, NumPy promises nothing
            limits = np.iinfo(last.numpy)
            real = numbers.real.astype(np.float64)
            with np.errstate(invalid="ignore"):
                numbers = numbers[np.isfinite(real) & (real >= limits.min) & (real < limits.max)]
        program = program_of(
            lambda x, wide=wide, last=last: call("cast", call("cast", x, wide), last), TensorType(narrow, numbers.shape)
        )
        before = outcome(program, numbers)
        Simplify().run(program)
        after = outcome(program, numbers)
        assert after.dtype == before.dtype
        np.testing.assert_array_equal(after, before, err_msg=f"{narrow} to {wide} to {last}")


def test_picking_first_keeps_every_bit() -> None:
    for dtype in (dt.float32, dt.float64):
        values = filled(dtype, (2, 64))
        index = np.array([[3], [60]])
        for row in ("exp", "tanh", "sqrt", "neg", "abs", "isnan"):
            program = program_of(
                lambda x, k, row=row: call("take_along_axis", call(row, x), k, axis=1),
                TensorType(dtype, values.shape),
                TensorType(dt.int64, index.shape),
            )
            before = outcome(program, values, index)
            assert GatherPushdown().run(program), row
            assert outcome(program, values, index).tobytes() == before.tobytes(), row


def test_filters_over_images_of_one_pixel_are_a_matmul() -> None:
    """The same products, added in another order."""
    attrs = {"stride": (2, 1), "padding": ((0, 0), (0, 0)), "dilation": (1, 3), "groups": 1}
    x, w = np.random.default_rng(0).standard_normal((2, 3, 5)).astype(np.float32)
    kinds = [TensorType(dt.float32, (3, 5, 1, 1))] * 2
    program = program_of(lambda a, b: call("conv2d", a, b, **attrs), *kinds)
    before = outcome(program, x.reshape(3, 5, 1, 1), w.reshape(3, 5, 1, 1))
    assert Simplify().run(program)
    assert [o.name for o in walk(program.body) if o.op.is_contraction] == ["matmul"]
    np.testing.assert_allclose(outcome(program, x.reshape(3, 5, 1, 1), w.reshape(3, 5, 1, 1)), before, rtol=1e-5)
    for changed in ({"groups": 5}, {"padding": ((1, 1), (0, 0))}):
        kinds = [
            TensorType(dt.float32, (3, 5, 1, 1)),
            TensorType(dt.float32, (5, 1 if "groups" in changed else 5, 1, 1)),
        ]
        program = program_of(lambda a, b, changed=changed: call("conv2d", a, b, **attrs | changed), *kinds)
        Simplify().run(program)
        assert any(o.name == "conv2d" for o in walk(program.body))


def signal_conv(pads: Any, value: float = 0.0, mode: str = "constant", padding: Any = ((0, 0), (1, 0))) -> Program:
    """A convolution over a signal with margins, as `conv1d` makes it."""

    def make(x: Any, w: Any) -> Any:
        margins = call("pad", x, pads, mode, value)
        row = call("reshape", margins, (*margins.shape[:2], 1, margins.shape[2]))
        return call("conv2d", row, w, padding=padding, dilation=(1, 2), groups=1, stride=(1, 1))

    return program_of(make, TensorType(dt.float32, (2, 3, 9)), TensorType(dt.float32, (4, 3, 1, 3)))


def test_margins_of_zeros_are_the_convolutions_own() -> None:
    program = signal_conv(((0, 0), (0, 0), (4, 1)))
    rng = np.random.default_rng(0)
    check(program, *(rng.standard_normal(s).astype("float32") for s in ((2, 3, 9), (4, 3, 1, 3))))
    (conv,) = (o for o in walk(program.body) if o.name == "conv2d")
    assert conv.attrs["padding"] == ((0, 0), (5, 1))


def test_margins_of_images_are_the_convolutions_own() -> None:
    def make(x: Any, w: Any) -> Any:
        return call("conv2d", call("pad", x, ((0, 0), (0, 0), (1, 2), (0, 3))), w, padding=1, groups=1, stride=2)

    program = program_of(make, TensorType(dt.float64, (1, 2, 5, 6)), TensorType(dt.float64, (3, 2, 3, 3)))
    rng = np.random.default_rng(0)
    check(program, *(rng.standard_normal(s) for s in ((1, 2, 5, 6), (3, 2, 3, 3))))
    (conv,) = (o for o in walk(program.body) if o.name == "conv2d")
    assert conv.attrs["padding"] == ((2, 3), (1, 4))


@pytest.mark.parametrize(
    "given",
    [
        {"pads": ((0, 0), (0, 0), (4, 1)), "value": 1.0},
        {"pads": ((0, 0), (0, 0), (4, 1)), "mode": "reflect"},
        {"pads": ((1, 0), (0, 0), (4, 1))},
    ],
    ids=["of ones", "reflected", "of the batch"],
)
def test_other_margins_stay(given: dict[str, Any]) -> None:
    program = signal_conv(**given)
    Simplify().run(program)
    (conv,) = (o for o in walk(program.body) if o.name == "conv2d")
    assert conv.attrs["padding"] == ((0, 0), (1, 0))


def test_every_rewrite_of_views_has_a_case() -> None:
    known = {rewrite.__name__ for rewrites in VIEWS.values() for rewrite in rewrites}
    assert known == {name for name, *_ in CASES} | {"_cast_of_cast", "_conv_of_pixels", "_conv_of_padded"}
