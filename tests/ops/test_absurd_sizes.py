"""Sizes that no machine has, ranks that no array has, and attributes of another kind: typed errors, in both modes alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import KindError, MemoryLimitError, ShapeError, VerifyError, VitrifyError
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.jit.api import to_static

F = vt.nn.functional
HUGE, BEYOND = 10**15, 2**62  # elements: more than can be mapped, more than can be addressed


def x() -> Any:
    return vt.ones([2, 3])


IMPOSSIBLE: dict[str, Callable[[], Any]] = {  # shapes that no array has, whatever the machine
    "zeros beside 0": lambda: vt.zeros([0, BEYOND, BEYOND]),
    "broadcast beside 0": lambda: vt.broadcast_to(vt.zeros([0, 1, 1]), [0, BEYOND, BEYOND]),
    "reshape beside 0": lambda: vt.zeros([0]).reshape([0, BEYOND, BEYOND]),
    "zeros": lambda: vt.zeros([1] * 100),
    "reshape": lambda: x().reshape([1] * 100 + [6]),
    "expand": lambda: vt.ones([1]).expand([1] * 100),
    "tile": lambda: vt.tile(x(), [1] * 100),
    "unsqueeze": lambda: vt.unsqueeze(x(), list(range(100))),
}
TOO_LARGE: dict[str, Callable[[], Any]] = {
    "zeros": lambda: vt.zeros([HUGE]),
    "zeros 2**62": lambda: vt.zeros([BEYOND]),
    "zeros 2**70": lambda: vt.zeros([2**70]),
    "zeros [2**62, 2**62]": lambda: vt.zeros([BEYOND, BEYOND]),
    "full": lambda: vt.full([HUGE], 1.5),
    "rand": lambda: vt.rand([HUGE]),
    "randint": lambda: vt.randint(0, 5, [BEYOND]),
    "arange": lambda: vt.arange(HUGE) + 1,
    "eye": lambda: vt.eye(10**8) * 2,
    "expand": lambda: vt.ones([1]).expand([HUGE]) * 2,
    "broadcast_to": lambda: vt.broadcast_to(vt.ones([1]), [BEYOND]) * 2,
    "tile": lambda: vt.tile(x(), [HUGE, 1]),
    "tile 2**62": lambda: vt.tile(x(), [BEYOND]),
    "pad": lambda: F.pad(x(), [HUGE, 0, 0, 0]),
    "one_hot": lambda: F.one_hot(vt.to_tensor([1]), HUGE),
    "add": lambda: vt.ones([10**7, 1]) + vt.ones([1, 10**8]),
    "matmul": lambda: vt.ones([10**7, 1]) @ vt.ones([1, 10**8]),
    "repeat_interleave": lambda: vt.repeat_interleave(x(), HUGE),
    "Linear": lambda: vt.nn.Linear(BEYOND, 4),
}
OTHER_KINDS: dict[str, Callable[[], Any]] = {
    "zeros": lambda: vt.zeros(["3"]),
    "zeros of a float": lambda: vt.zeros([2.5]),
    "zeros of a bool": lambda: vt.zeros([True]),
    "full": lambda: vt.full([2], "a"),
    "full_like": lambda: vt.full_like(x(), "a"),
    "clip": lambda: vt.clip(x(), "a", 1),
    "clip by a list": lambda: vt.clip(x(), [1, 2], None),
    "topk": lambda: vt.topk(x(), "a"),
    "reshape": lambda: x().reshape("a"),
    "tile": lambda: vt.tile(x(), "a"),
    "sum": lambda: x().sum(axis="a"),
    "roll": lambda: vt.roll(x(), "a"),
    "transpose": lambda: x().transpose(["a", "b"]),
    "softmax": lambda: F.softmax(x(), axis="a"),
}


def test_an_operator_whose_dtypes_were_seen_before_says_it_too() -> None:
    assert (vt.ones([2, 1]) + vt.ones([1, 2])).shape == [2, 2]  # from here on the operator knows float32
    with pytest.raises(MemoryLimitError):
        vt.ones([10**7, 1]) + vt.ones([1, 10**8])


def modes(fn: Callable[[], Any]) -> list[Callable[[], Any]]:
    return [fn, fn, to_static(fn)]  # eager calls twice: a second one takes a shorter way


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_shapes_that_no_array_has(name: str) -> None:
    for run in modes(IMPOSSIBLE[name]):
        with pytest.raises(ShapeError, match=r"an array has at most 64|multiply to more than an array can have"):
            run()


@pytest.mark.parametrize("name", TOO_LARGE)
def test_sizes_beyond_all_memory(name: str) -> None:
    for run in modes(TOO_LARGE[name]):
        with pytest.raises(MemoryError) as caught:
            run()
        assert isinstance(caught.value, MemoryLimitError), caught.value
        assert caught.value.remedy


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_attributes_of_another_kind(name: str) -> None:
    for run in modes(OTHER_KINDS[name]):
        with pytest.raises(VitrifyError) as caught:
            run()
        assert isinstance(caught.value, (KindError, TypeError, ValueError))


def test_an_attribute_of_another_kind_is_shown() -> None:
    with pytest.raises(KindError, match=r"clip doesn't take min='a', max=1: could not convert string to float: 'a'"):
        vt.clip(x(), "a", 1)


@pytest.mark.parametrize("numerics", ["fast", "reference"])
def test_sizes_that_only_a_call_knows(numerics: str) -> None:
    outer = to_static(lambda a, b: a.unsqueeze(1) * b, input_spec=[vt.InputSpec([None]), vt.InputSpec([None])],
                      numerics=numerics)  # fmt: skip
    assert outer(vt.ones([2]), vt.ones([3])).shape == [2, 3]
    with pytest.raises(MemoryLimitError):
        outer(vt.ones([10**7]), vt.ones([10**8]))
    grown = to_static(lambda n: vt.zeros([n]) + 1, numerics=numerics)
    assert grown(vt.to_tensor(3)).shape == [3]
    for size in (HUGE, BEYOND):
        with pytest.raises(MemoryLimitError):
            grown(vt.to_tensor(size))
    assert grown(vt.to_tensor(2)).shape == [2]


TEXTS = {
    "rank": f"program @f() -> f32[{', '.join(['1'] * 100)}] {{\n  %0 = full {{dtype = f32, fill_value = 0.0, "
    f"shape = ({', '.join(['1'] * 100)})}} : f32[{', '.join(['1'] * 100)}]\n  return %0\n}}",
    "beside 0": f"program @f(%x: f32[0, {BEYOND}, {BEYOND}]) -> f32[0, {BEYOND}, {BEYOND}] {{\n  return %x\n}}",
    "bytes": f"program @f(%x: f64[{BEYOND}]) -> f64[{BEYOND}] {{\n  return %x\n}}",
}


@pytest.mark.parametrize("name", TEXTS)
def test_types_of_a_program_that_no_array_has(name: str) -> None:
    with pytest.raises(VerifyError, match=r"an array has at most 64|more than an array can have|can be addressed"):
        verify(vt.ir.parse(TEXTS[name]))


def test_the_interpreter_names_the_operation_that_has_no_memory() -> None:
    kind = "f32[100000000, 100000000]"
    text = (
        "program @f(%x: f32[100000000, 1], %y: f32[1, 100000000]) -> f32[100000000, 100000000] {\n"
        f"  %0 = add %x, %y : {kind}\n  return %0\n}}"
    )
    arrays = [np.broadcast_to(np.float32(1), shape) for shape in ((10**8, 1), (1, 10**8))]
    with pytest.raises(MemoryLimitError, match=r"add makes f32.*: it takes 40,000,000,000,000,000 bytes \(35.5 PiB\)"):
        interpret(vt.ir.parse(text), arrays)


FAR_INTS: dict[str, Callable[[int], Any]] = {  # with ints beyond 64 bits
    "tril": lambda n: vt.tril(x(), n),
    "triu": lambda n: vt.triu(x(), n),
    "roll": lambda n: vt.roll(x(), n, 1),
    "diagonal": lambda n: vt.diagonal(x(), n),
    "trace": lambda n: vt.trace(x(), n),
    "tril_indices": lambda n: vt.tril_indices(3, 4, n),
    "triu_indices": lambda n: vt.triu_indices(3, 4, n),
    "tril_indices of rows": lambda n: vt.tril_indices(n),
    "arange": lambda n: vt.arange(n),
    "arange from": lambda n: vt.arange(n, 0, -1),
    "one_hot": lambda n: F.one_hot(vt.to_tensor([1]), n),
    "max_pool2d": lambda n: F.max_pool2d(vt.ones([1, 1, 4, 4]), n),
    "stride of max_pool2d": lambda n: F.max_pool2d(vt.ones([1, 1, 4, 4]), 2, n),
    "avg_pool1d": lambda n: F.avg_pool1d(vt.ones([1, 1, 4]), n),
    "conv2d": lambda n: F.conv2d(vt.ones([1, 1, 4, 4]), vt.ones([1, 1, 2, 2]), stride=n),
    "conv3d": lambda n: F.conv3d(vt.ones([1, 1, 4, 4, 4]), vt.ones([1, 1, 2, 2, 2]), dilation=n),
}


@pytest.mark.parametrize("number", [2**62, 2**63, -(2**63), 2**64, -(2**70)])
@pytest.mark.parametrize("name", FAR_INTS)
def test_ints_beyond_64_bits_are_right_or_typed_errors_in_both_modes(name: str, number: int) -> None:
    found: list[Any] = []
    for run in modes(lambda: FAR_INTS[name](number)):
        try:
            found.append(run().numpy().tolist())
        except VitrifyError as error:
            found.append(type(error))
    assert found[0] == found[1] == found[2]
