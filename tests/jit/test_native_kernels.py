"""Eager kernels joined into one native function give NumPy's bits, and leave alone what they can't do."""

from __future__ import annotations

import _thread
import gc
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.dtype import of_array
from vitrify.base.errors import VitrifyError
from vitrify.dygraph.stubs import KernelList, PlanStep, given_by
from vitrify.jit.call.native_kernels import MOST_ELEMENTS, native, short
from vitrify.nn import functional as F
from vitrify.ops.kernel_parts import parts_of
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.runtime.vm import loop_runner
from vitrify.runtime.vm.loop_runner import is_possible, loop_of

pytestmark = pytest.mark.skipif(not is_possible(), reason="no CPython with NumPy's C interface")
SPECIAL = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1e-45, 3e38, -1.0, 0.5]


def draw(seed: int, shape: tuple[int, ...], dtype: str = "float32", special: bool = True) -> Any:
    rng = np.random.default_rng(seed)
    array = rng.standard_normal(shape).astype(dtype)
    if special and array.size:
        with np.errstate(all="ignore"):
            places = rng.integers(0, array.size, 1 + array.size // 9)
            array.reshape(-1)[places] = rng.choice(np.array(SPECIAL, dtype), places.size)
    return array


def bits(array: Any) -> bytes:
    """The elements' bits; one NaN for all: NumPy itself gives another sign where an array begins at another place."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "f":
        array = np.where(array != array, np.array(np.nan, array.dtype), array)
    return array.tobytes()


def listed(name: str, arrays: list[Any], attrs: dict[str, Any]) -> KernelList:
    """The list of one op's kernel for arrays."""
    types = [TensorType(of_array(a), a.shape) for a in arrays]
    op = OPS[name]
    made = op.infer(*types, **attrs)
    kernel, count = op.kernel(types, attrs), len(arrays)
    step = PlanStep(kernel, tuple(range(count)), count, given_by(kernel, made))
    return KernelList(count, {}, [step], [count], dict(enumerate([*types, made])))


def check(name: str, arrays: list[Any], attrs: dict[str, Any], *, joined: bool = True) -> None:
    """The joined list gives the bits of the kernel; joined: whether there is a native function in it."""
    arrays = [a if a.flags.c_contiguous else a.copy("C") for a in arrays]
    kernels = listed(name, arrays, attrs)
    changed = native(kernels)
    assert any(step.writes for step in changed.steps) == joined
    (expected,), (got,) = kernels.function()(*arrays), changed.function()(*arrays)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    assert bits(got) == bits(expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["sum", "max", "min", "mean"])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((7,), (0,)), ((129,), (0,)), ((4096,), (0,)), ((3, 5), (0, 1)), ((8, 8), (1,)), ((8, 8), (0,)), ((2, 300), (1,)),
        ((300, 2), (1,)), ((300, 2), (0,)), ((2, 3, 40), (2,)), ((2, 3, 40), (1, 2)), ((2, 3, 40), (0, 1)),
        ((1, 9), (1,)), ((9, 1), (0,)), ((17, 1, 3), (0, 1)), ((5, 1), (0,)), ((2, 2, 1, 9), (1, 3)),
    ],
)  # fmt: skip
def test_reductions(name: str, dtype: str, shape: tuple[int, ...], axis: tuple[int, ...]) -> None:
    for seed in range(6):
        for keepdim in (False, True):
            for special in (False, True):
                x = draw(seed, shape, dtype, special)
                fits = sum(1 for _ in runs(shape, axis)) <= 2
                check(name, [x], {"axis": axis, "keepdim": keepdim}, joined=fits)
    for value in (0.0, -0.0):
        check(name, [np.full(shape, value, dtype)], {"axis": axis, "keepdim": False}, joined=fits)


def runs(shape: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    """The runs of folded and of kept axes."""
    before = None
    for k, size in enumerate(shape):
        if size > 1 and (k in axis) != before:
            before = k in axis
            yield before


def test_reductions_of_all_sizes() -> None:
    for size in [*range(2, 140), 255, 256, 257, 1000, 4095]:
        check("sum", [draw(size, (size,), special=False)], {"axis": (0,), "keepdim": False})
        check("max", [draw(size, (size,))], {"axis": (0,), "keepdim": False})
        if size < 100:
            check("sum", [draw(size, (3, size), special=False)], {"axis": (1,), "keepdim": True})
            check("min", [draw(size, (size, 5))], {"axis": (0,), "keepdim": True})


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "divide", "maximum", "less_than", "equal", "not_equal"]
)
def test_two_operands_broadcast(name: str, dtype: str) -> None:
    shapes = [((8, 8), (8, 8)), ((8, 8), (8, 1)), ((8, 8), (8,)), ((8, 1), (1, 8)), ((), (3, 4)), ((5,), ()), ((), ()),
              ((2, 3, 4), (4,)), ((2, 3, 4), (2, 1, 1)), ((2, 1, 4), (3, 1))]  # fmt: skip
    for a, b in shapes:
        deep = (a, b) == ((2, 1, 4), (3, 1))
        check(name, [draw(1, a, dtype), draw(2, b, dtype)], {}, joined=not deep)


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "rsqrt", "tanh", "sin", "neg", "abs", "expm1", "relu"])
def test_one_operand(name: str) -> None:
    for dtype in ("float32", "float64"):
        for shape in [(), (1,), (7,), (8, 8), (3, 5, 67)]:
            kernels = listed(name, [draw(3, shape, dtype)], {})
            if parts_of(kernels.steps[0].kernel):
                check(name, [draw(3, shape, dtype)], {})


def test_choices_and_copies() -> None:
    condition = np.random.default_rng(0).random((6, 7)) > 0.5
    for dtype in ("float32", "float64", "int64", "int32", "bool"):
        x, y = (draw(k, s, special=False).astype(dtype) for k, s in ((1, (6, 7)), (2, (7,))))
        check("where", [condition, x, y], {})
        check("where", [condition[:, :1], x, y[:1].reshape(())], {})
        check("broadcast_to", [y], {"shape": (6, 7)})
        check("transpose", [x], {"perm": (1, 0)})
        check("concat", [x, x[:2], y[None]], {"axis": 0})
        check("concat", [x, x[:, :3].copy()], {"axis": 1})
    check("transpose", [draw(1, (2, 3, 4))], {"perm": (2, 0, 1)})
    check("transpose", [draw(1, (2, 3, 4))], {"perm": (2, 1, 0)}, joined=False)
    check("cast", [condition], {"dtype": vt.float32})


def test_large_and_empty_arrays_stay_with_numpy() -> None:
    check("sum", [draw(1, (MOST_ELEMENTS + 1,))], {"axis": (0,), "keepdim": False}, joined=False)
    check("broadcast_to", [draw(1, (1,))], {"shape": (MOST_ELEMENTS + 1,)}, joined=False)
    check("exp", [draw(1, (0, 3))], {}, joined=False)
    check("sum", [draw(1, (0, 3))], {"axis": (0,), "keepdim": False}, joined=False)


def test_a_result_and_its_views_that_are_asked_for() -> None:
    """Two views of one buffer, and the buffer itself, come out of a joined list."""
    kind, flat, tall = (TensorType(vt.float32, s) for s in ((2, 3), (6,), (3, 2)))
    reshape = OPS["reshape"]
    views = [reshape.kernel([kind], {"shape": s}) for s in ((6,), (3, 2))]
    steps = [PlanStep(np.exp, (0,), 1), *(PlanStep(v, (1,), 2 + k, given_by(v, flat)) for k, v in enumerate(views))]
    x = draw(1, (2, 3))
    for returned in ([2, 3], [1, 2, 3], [3, 1], [2]):
        kernels = KernelList(1, {}, steps, returned, {0: kind, 1: kind, 2: flat, 3: tall})
        joined = native(kernels)
        assert any(step.writes for step in joined.steps)
        for a, b in zip(kernels.function()(x), joined.function()(x), strict=True):
            assert a.shape == b.shape and a.tobytes() == b.tobytes()


def test_a_kernel_that_breaks_its_word_is_refused() -> None:
    """A native function would read past the end of an array that is shorter than its op says."""
    kind = TensorType(vt.float32, (8,))
    steps = [PlanStep(lambda x: x[:2].copy(), (0,), 1), PlanStep(np.exp, (1,), 2)]
    run = native(KernelList(1, {}, steps, [2], dict.fromkeys(range(3), kind))).function()
    with pytest.raises(TypeError, match="another type"):
        run(draw(1, (8,)))


def test_no_warning_follows_a_native_overflow() -> None:
    x = vt.to_tensor(np.array([3e38, 1.0], "float32"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(4):
            assert np.isinf((x.sum() * 10.0).item())
            assert F.softmax(x).tolist() == [1.0, 0.0]
            np.ones(3, "float32") + np.ones(3, "float32")
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        np.float32(3e38) * np.array([10.0], "float32")


def test_without_numpys_interface_everything_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = listed("exp", [draw(1, (4,))], {})
    monkeypatch.setattr("vitrify.jit.call.native_kernels.is_possible", lambda: False)
    assert native(kernels) is kernels
    loop_of.cache_clear()
    monkeypatch.setattr(loop_runner, "is_possible", lambda: False)
    assert loop_of(np.exp, ("f", "f")) is None
    loop_of.cache_clear()


def test_unaligned_arrays_are_copied() -> None:
    raw = np.zeros(33, np.uint8)
    crooked = raw[1:].view("float32")
    crooked[:] = np.arange(8)
    x = vt.to_tensor(crooked)
    assert not crooked.flags.aligned and x._storage.payload.flags.aligned
    assert [F.softmax(x).sum().item() for _ in range(3)] == [pytest.approx(1.0)] * 3


@pytest.mark.parametrize("fn", [F.softmax, F.log_softmax, F.gelu, F.silu, lambda x: F.layer_norm(x, x.shape[-1])])
def test_functions_give_the_bits_of_their_ops(fn: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for dtype in ("float32", "float64"):
        for shape in [(8, 8), (3, 130), (1, 5), (2, 3, 4), (70, 70)]:
            array = draw(5, shape, dtype)
            with monkeypatch.context() as plain:
                plain.setattr("vitrify.dygraph.call_cache.CachingInterpreter.planned", lambda *_: NotImplemented)
                expected = fn(vt.to_tensor(array)).numpy()
            for _ in range(3):
                assert bits(fn(vt.to_tensor(array)).numpy()) == bits(expected)


def short_names() -> list[str]:
    """Ops of any shape whose kernel is one loop of NumPy."""
    found = []
    for name, op in OPS.items():
        if op.fits_all_shapes and len(op.operands) <= 2:
            types = [TensorType(vt.float32, (3,))] * len(op.operands)
            try:
                kernel, made = op.kernel(types, {}), op.infer(*types)
            except VitrifyError:  # not of floats
                continue
            assert isinstance(made, TensorType)
            if short(kernel, [np.dtype("float32")] * len(types), [], made.dtype.numpy) is not None:
                found.append(name)
    return found


def test_the_short_kernels() -> None:
    assert {"add", "multiply", "divide", "maximum", "less_than", "exp", "log", "sqrt", "relu", "neg"} <= set(
        short_names()
    )


@pytest.mark.parametrize("name", short_names())
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_short_kernels_have_numpys_bits(name: str, dtype: str) -> None:
    op = OPS[name]
    for shape in [(), (1,), (0,), (7,), (3, 0, 2), (8, 8), (2, 3, 4, 5), (MOST_ELEMENTS,), (MOST_ELEMENTS + 1,)]:
        arrays = [draw(k, shape, dtype) for k in range(len(op.operands))]
        with np.errstate(all="ignore"):
            expected = np.asarray(op.kernel([TensorType(of_array(a), a.shape) for a in arrays], {})(*arrays))
        for _ in range(3):  # in full, in full again, by the stub
            got = op(*[vt.to_tensor(a) for a in arrays]).numpy()
            assert got.dtype == expected.dtype and got.shape == expected.shape
            assert bits(got) == bits(expected)


@pytest.mark.parametrize("number", [2, 2.5, -0.0, float("nan"), float("inf")])
def test_short_kernels_take_numbers_and_other_shapes(number: float) -> None:
    for call in (lambda x, y: x * y, lambda x, y: y - x, lambda x, y: x < y, lambda x, y: vt.maximum(x, vt.to_tensor(y, x.dtype))):  # fmt: skip
        for shape in [(5,), (2, 3), ()]:
            x = draw(1, shape, "float64")
            with np.errstate(all="ignore"):
                results = [call(vt.to_tensor(x), number).numpy() for _ in range(3)]
            assert len({bits(r) for r in results}) == 1
    a, b = draw(1, (4, 5)), draw(2, (5,))
    for _ in range(3):  # a stub that has seen one shape broadcasts, and refuses as before
        np.testing.assert_array_equal((vt.to_tensor(a) + vt.to_tensor(a)).numpy(), a + a)
        np.testing.assert_array_equal((vt.to_tensor(a) + vt.to_tensor(b)).numpy(), a + b)
        with pytest.raises(vt.errors.ShapeError):
            vt.to_tensor(a) + vt.to_tensor(b[:3])


def test_an_op_may_be_the_first_function_of_a_thread() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    for _ in range(3):
        vt.exp(x)
    faults: list[Any] = []
    before, sys.unraisablehook = sys.unraisablehook, faults.append
    try:
        _thread.start_new_thread(vt.exp, (x,))  # no frame of Python calls it
        later = threading.Thread(target=lambda: None)
        for _ in range(50):
            later = threading.Thread(target=vt.exp, args=(x,))
            later.start()
            later.join()
    finally:
        sys.unraisablehook = before
    assert faults == []


@pytest.mark.usefixtures("others_set_aside")
def test_functions_outlive_a_definition_that_the_cache_forgot() -> None:
    """Two threads that ask for the definition at once make two: functions of the one that is forgotten still run."""
    x = draw(1, (5,), special=False)
    loop = loop_of(np.negative, ("f", "f"))
    assert loop is not None
    call = loop_runner.LoopCall(*loop, [loop_runner.LoopOperand(0, 4), loop_runner.LoopOperand(1, 4)], 5)
    runs = []
    for _ in range(20):
        loop_runner._method.cache_clear()
        runs.append(loop_runner.make_runner([call], [0, 0]))
    gc.collect()
    rubbish = [bytes(32) for _ in range(1000)]
    for run in runs:
        out = np.zeros_like(x)
        run(x, out)
        assert out.tobytes() == (-x).tobytes()
    assert len(rubbish) == 1000
