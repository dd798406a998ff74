"""The cache of eager calls: nothing that a user can see depends on whether a call was seen before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import VitrifyError
from vitrify.dygraph.call_cache import EAGER, MOST_CALLS, CallCache
from vitrify.dygraph.eager import EagerInterpreter
from vitrify.nn import functional as F
from vitrify.ops.dispatch import set_bottom

SPECIAL = np.array([[0.0, -0.0, np.nan, np.inf], [-np.inf, 1e-45, 3e38, -1.5], [1.0, 2.0, -3.0, 0.5]])
LABELS = vt.to_tensor(np.array([1, 0, 3]))
CALLS: dict[str, Callable[[Any], Any]] = {
    "x + x": lambda x: x + x,
    "x * 2.5": lambda x: x * 2.5,
    "-0.0 - x": lambda x: -0.0 - x,
    "2 / x": lambda x: 2 / x,
    "x == x": lambda x: x == x,
    "x @ x.T": lambda x: x @ x.T,
    "exp": vt.exp,
    "relu": F.relu,
    "gelu": F.gelu,
    "softmax": F.softmax,
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1]),
    "cross_entropy": lambda x: F.cross_entropy(x[:3, :4], LABELS),
    "sum": lambda x: x.sum(),
    "sums of rows": lambda x: x.sum(-1, keepdim=True),
    "mean": lambda x: x.mean(),
    "max": lambda x: x.max(0),
    "reshape": lambda x: x.reshape([-1]),
    "transpose": lambda x: x.transpose([1, 0]),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x.unsqueeze(0).squeeze(0),
    "flatten": lambda x: x.flatten(),
    "stack": lambda x: vt.stack([x, x], 1),
    "concat": lambda x: vt.concat([x, x], -1),
    "split": lambda x: vt.split(x, 2, axis=1)[1],
    "unbind": lambda x: vt.unbind(x)[0],
    "one row": lambda x: x[1],
    "a column": lambda x: x[:, 1],
    "rows by number": lambda x: x[LABELS % 3],
    "cast": lambda x: x.astype("float64"),
    "with another dtype": lambda x: x + vt.ones([1], "float64"),
}


def bits(x: Any) -> tuple[Any, ...]:
    array = x.numpy()
    if array.dtype.kind == "f":  # the sign of NaN depends on where NumPy's vectors begin
        array = np.where(array != array, np.array(np.nan, array.dtype), array)
    return str(array.dtype), array.shape, array.tobytes()


def outcome(fn: Callable[[Any], Any], array: Any, needs: bool) -> tuple[Any, ...]:
    """What a user sees of a call: elements, the tape, gradients, what shares memory with what."""
    x = vt.to_tensor(array, stop_gradient=not needs)
    y = fn(x)
    gradient = None
    if not y.stop_gradient and vt.is_grad_enabled():
        (y * 0.5).sum().backward()
        gradient = bits(x.grad)
    leaf = y.is_leaf
    with vt.no_grad():
        y.detach().fill_(7)
    return bits(x), bits(fn(x)), y.stop_gradient, leaf, gradient


def in_full(fn: Callable[[Any], Any], array: Any, needs: bool) -> tuple[Any, ...]:
    """The same without the cache."""
    set_bottom(EagerInterpreter())
    try:
        return outcome(fn, array, needs)
    finally:
        set_bottom(EAGER)


@pytest.mark.parametrize("name", CALLS)
def test_calls_seen_before_give_the_same(name: str) -> None:
    """First, second and third calls, with changes of dtype, sizes and gradient between them."""
    fn = CALLS[name]
    single, double = SPECIAL.astype("float32"), SPECIAL
    wide = np.linspace(-2, 2, 48, dtype="float32").reshape(4, 12)
    for array in (single, double, wide, single, single[:, ::-1], double, wide, single):
        for needs in (False, True, True, False):
            assert outcome(fn, array, needs) == in_full(fn, array, needs)
        with vt.no_grad():
            assert outcome(fn, array, True) == in_full(fn, array, True)


@pytest.mark.parametrize("name", ["x + x", "x @ x.T", "softmax", "sum", "reshape", "stack", "one row"])
def test_modes_between_calls_are_seen(name: str) -> None:
    fn, seen, rounded = CALLS[name], [], set()
    x = vt.to_tensor(np.linspace(-1, 1, 16, dtype="float32").reshape(4, 4), stop_gradient=False)
    for _ in range(4):
        assert fn(x).dtype == vt.float32 and not fn(x).stop_gradient
        with vt.amp.auto_cast(level="O2", dtype="bfloat16"):
            rounded.add(bits(fn(x).astype("float32")))
        with vt.autograd.saved_tensors_hooks(lambda t: seen.append(t) or t, lambda t: t):
            (fn(x) * x.sum()).sum().backward()
        with vt.no_grad():
            assert fn(x).stop_gradient
    assert len(seen) % 4 == 0 and seen
    assert len(rounded) == 1


def test_hooks_on_gradients_between_calls_are_seen() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    got = []
    for turn in range(4):
        y = x * 3.0
        if turn % 2:
            y.register_hook(lambda g: g * 10)
        (y * y).sum().backward()
        got.append(x.grad.tolist())
        x.clear_grad()
    assert got == [[18.0, 36.0], [180.0, 360.0]] * 2


def test_numbers_count_by_value_where_operands_are_converted() -> None:
    x = vt.to_tensor([1, 2])
    for _ in range(3):
        for number in (1.5, 2.5, -0.5):
            assert (x * number).tolist() == [number, 2 * number]
    for number in (1, 2.0, 1, True, -0.0, 0.0):
        y = vt.to_tensor([1.0]) * number
        assert y.tolist() == [float(number)] and np.signbit(y.numpy()[0]) == np.signbit(float(number))


def test_a_number_that_does_not_fit_is_refused_each_time() -> None:
    x = vt.to_tensor(np.array([1, 2], "int8"))
    for _ in range(3):
        assert (x + 3).tolist() == [4, 5]
        with pytest.raises(VitrifyError, match="300"):
            x + 300


def test_attributes_of_equal_value_and_other_type_are_other_calls() -> None:
    x = vt.ones([2, 3])
    for _ in range(3):
        assert vt.sum(x, 1, None, True).shape == [2, 1]
        assert vt.sum(x, 1, None, False).shape == [2]
        with pytest.raises(VitrifyError):
            vt.sum(x, 1.0)


def test_a_tensor_that_decides_about_an_attribute_is_read_in_each_call() -> None:
    x = vt.ones([2, 6])
    for _ in range(3):
        for sizes in ([3, 4], [12], [4, 3]):
            assert x.reshape(vt.to_tensor(sizes)).shape == sizes


def test_the_cache_is_bounded_and_the_oldest_go_first() -> None:
    cache = CallCache()
    for k in range(MOST_CALLS + 5):
        cache.entry(k, lambda: "stub")
    assert len(cache) == MOST_CALLS
    assert cache.find(4) is None and cache.find(5) is not None


def test_what_was_made_before_a_change_is_not_kept() -> None:
    cache = CallCache()
    cache.entry("key", lambda: "stub")

    def make() -> str:
        cache.forget()
        return "stub of before"

    assert cache.entry("key", make) == "stub of before"
    assert cache.find("key") is None


def test_threads_share_the_cache() -> None:
    wrong: list[Any] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for turn in range(300):
            rows = int(rng.integers(1, 9))
            array = rng.standard_normal((rows, 4)).astype("float32")
            x = vt.to_tensor(array, stop_gradient=turn % 2 == 0)
            y = (x * 2 + x).reshape([4, rows]).sum(1)
            if not x.stop_gradient:
                y.sum().backward()
                if x.grad.numpy().tobytes() != np.full((rows, 4), 3, "float32").tobytes():
                    wrong.append(x.grad)
            if not np.allclose(y.numpy(), (array * 2 + array).reshape(4, rows).sum(1), rtol=1e-5, atol=1e-6):
                wrong.append(y)
            if turn % 50 == 0:
                EAGER.calls.forget()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
