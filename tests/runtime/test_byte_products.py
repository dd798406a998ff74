"""Matmuls of bytes that are cast to int32: exact sums of the extreme bytes, too, with what follows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import TARGETS, Target, current_target, using_target
from vitrify.ir.parser import parse_program
from vitrify.passes.pipelines import pass_named

SHAPES = [
    ((64, 200), (200, 320)), ((64, 240), (240, 16)), ((5, 19), (19, 40)), ((9, 33), (33, 50)), ((300, 100), (100, 17)),
    ((2, 77, 130), (130, 65)), ((4, 16), (16, 16)), ((700, 1001), (1001, 48)), ((3, 40), (40, 40)), ((20, 5000), (5000, 20)),
]  # fmt: skip


@pytest.fixture
def threads() -> Iterator[None]:
    before = vt.get_num_threads()
    yield
    vt.set_num_threads(before)


def _bytes(dtype: str, shape: tuple[int, ...], seed: int) -> Any:
    limits = np.iinfo(dtype)
    made = np.random.default_rng(seed).integers(limits.min, limits.max, shape, dtype, endpoint=True)
    made[..., :2] = limits.min
    made[..., 2:5] = limits.max
    return made


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_sums_are_exact(dtype: str, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    x, y = _bytes(dtype, left, 1), _bytes("int8", right, 2)
    wide = x.astype("int32") @ y.astype("int32")
    tensors = vt.to_tensor(x), vt.to_tensor(y)
    alone = vt.to_static(lambda x, y: x.astype("int32") @ y.astype("int32"))
    np.testing.assert_array_equal(alone(*tensors).numpy(), wide)

    @vt.to_static
    def scaled(x: Any, y: Any) -> Any:
        sums = (x.astype("int32") @ y.astype("int32") + 7).astype("int64")
        return vt.clip(sums * 3 >> 9, -128, 127).astype("int8")

    expected = np.clip((wide.astype("int64") + 7) * 3 >> 9, -128, 127).astype("int8")
    np.testing.assert_array_equal(scaled(*tensors).numpy(), expected)


@pytest.mark.usefixtures("threads")
def test_sums_are_the_same_with_two_threads() -> None:
    x, y = _bytes("int8", (600, 130), 1), _bytes("int8", (130, 333), 2)
    product = vt.to_static(lambda x, y: x.astype("int32") @ y.astype("int32"))
    for count in (1, 2):
        vt.set_num_threads(count)
        made = product(vt.to_tensor(x), vt.to_tensor(y)).numpy()
        np.testing.assert_array_equal(made, x.astype("int32") @ y.astype("int32"))


@pytest.mark.skipif(not current_target().adds_byte_products, reason="this CPU adds no products of bytes")
def test_what_follows_is_in_the_kernel() -> None:
    layer = vt.to_static(lambda x, w, b: vt.clip(x.astype("int32") @ w.astype("int32") + b, 0, 127).astype("int8"))
    layer(*map(vt.to_tensor, (_bytes("uint8", (64, 40), 1), _bytes("int8", (40, 48), 2), np.arange(48, dtype="int32"))))
    assert [k for k in layer.kernels if "byte_matmul" in k] == list(layer.kernels)


def _with(features: str, kind: str = "avx512") -> Target:
    return replace(TARGETS[kind], features=TARGETS[kind].features + features)


@pytest.mark.parametrize(
    ("target", "there"),
    [
        (_with(",+avx512vnni"), True), (_with(""), False), (_with(",+avxvnni", "avx2"), True),
        (_with("", "avx2"), False), (_with(",+avxvnni", "sse4"), False),
    ],
)  # fmt: skip
def test_which_cpus_add_products_of_bytes(target: Target, there: bool) -> None:
    assert target.adds_byte_products is there


@pytest.mark.parametrize(
    ("left", "right", "flags", "found"),
    [
        ("i8[8, 40]", "i8[40, 32]", "false", True),
        ("u8[2, 8, 40]", "i8[40, 32]", "false", True),
        ("i8[8, 40]", "u8[40, 32]", "false", False),  # the unsigned ones are those of x
        ("i16[8, 40]", "i8[40, 32]", "false", False),
        ("i8[n, 40]", "i8[40, 32]", "false", False),
        ("i8[2, 40]", "i8[40, 32]", "false", False),
        ("i8[8, 40]", "i8[40, 8]", "false", False),
        ("i8[40, 40]", "i8[40, 40]", "true", False),
    ],
)
def test_which_matmuls_read_bytes(left: str, right: str, flags: str, found: bool) -> None:
    wide = [kind.replace("u8", "i32").replace("i8", "i32").replace("i16", "i32") for kind in (left, right)]
    made = wide[0].rsplit(", ", 1)[0] + ", " + wide[1].rsplit(", ", 1)[1]
    program = parse_program(
        f"""program @f(%x: {left}, %y: {right}) -> {made} {{
  %0 = cast %x {{dtype = i32}} : {wide[0]}
  %1 = cast %y {{dtype = i32}} : {wide[1]}
  %2 = matmul %0, %1 {{transpose_x = false, transpose_y = {flags}}} : {made}
  return %2
}}"""
    )
    with using_target(_with(",+avx512vnni")):
        assert pass_named("byte_products").run(program) is found
    assert ("byte_matmul" in str(program)) is found
    with using_target(_with("")):
        assert not pass_named("byte_products").run(program)
