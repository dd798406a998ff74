"""pad() with sizes that change between calls, or that only a run knows: those below 0 cut, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.errors import ShapeError

SIDES: dict[str, Callable[[Any, Any], Any]] = {
    "before": lambda x, n: F.pad(x, [n, 1]),
    "after": lambda x, n: F.pad(x, [0, n]),
    "both": lambda x, n: F.pad(x, [n, -n]),
    "alike": lambda x, n: F.pad(x, [n, n + 1], value=7.0),
    "computed on": lambda x, n: F.pad(x * 2, [n, 2])[1:] + 1,
    "summed": lambda x, n: F.pad(x, [n, 2]).sum() + F.pad(x, [2, n]).max(),
    "size": lambda x, n: F.pad(x, [0, n]).shape[0] * 10 + n,
}


def pairs_agree(fn: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    compiled = vt.to_static(fn)
    for args in calls:
        np.testing.assert_allclose(np.asarray(compiled(*args)), np.asarray(fn(*args)), err_msg=str(args))


@pytest.mark.parametrize("name", SIDES)
def test_a_number_that_changes(name: str) -> None:
    pairs_agree(SIDES[name], [(vt.to_tensor([1.0, 2.0, 4.0]), n) for n in (1, 2, 3, 0, -1, 2, -1)])


@pytest.mark.parametrize("name", SIDES)
def test_a_number_that_only_a_run_knows(name: str) -> None:
    def fn(x: Any, t: Any) -> Any:
        return SIDES[name](x, int(t))

    pairs_agree(fn, [(vt.to_tensor([1.0, 2.0, 4.0]), vt.to_tensor(n)) for n in (1, -1, 0, 3)])


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_modes_of_images(mode: str) -> None:
    def fn(x: Any, n: Any) -> Any:
        return F.pad(x, [n, 1, 1, n], mode=mode)

    x = vt.arange(12.0).reshape([1, 1, 3, 4])
    pairs_agree(fn, [(x, n) for n in (1, 2, 0, -1, -2, 1)])
    pairs_agree(fn, [(x, vt.to_tensor(n)) for n in (1, 2, 0, -1, -2, 1)])


def test_a_line_of_a_wanted_length() -> None:
    def fn(x: Any, like: Any) -> Any:
        return F.pad(x, [0, like.shape[0] - x.shape[0]]) + like

    pairs_agree(fn, [(vt.arange(float(n)), vt.ones([m])) for n, m in ((2, 4), (3, 5), (5, 3), (4, 4), (6, 2))])


@pytest.mark.parametrize("whose", ["a number's", "a tensor's"])
@pytest.mark.parametrize("mode", ["reflect", "circular"])
def test_margins_as_wide_as_the_axis(mode: str, whose: str) -> None:
    def fn(x: Any, n: Any) -> Any:
        return F.pad(x, [n, 1], mode=mode)

    compiled, x = vt.to_static(fn), vt.arange(4.0).reshape([1, 1, 4])
    for n in (1, 2, 3, 4, 9, 0, -1):
        given = n if whose == "a number's" else vt.to_tensor(n)
        if mode == "reflect" and n > 3:
            for call in (fn, compiled):
                with pytest.raises(ShapeError, match="too wide"):
                    call(x, given)
        else:
            np.testing.assert_array_equal(compiled(x, given).numpy(), fn(x, given).numpy())


@pytest.mark.parametrize("mode", ["reflect", "circular"])
def test_axes_too_short_for_a_margin(mode: str) -> None:
    def fn(x: Any) -> Any:
        return F.pad(x, [2, 1], mode=mode)

    def picked(x: Any) -> Any:
        return F.pad(x[x > 0].reshape([1, 1, -1]), [2, 1], mode=mode)

    compiled, of_a_mask = vt.to_static(fn), vt.to_static(picked)
    for n in (5, 4, 3, 1, 2, 6):
        x = vt.arange(float(n)) + 1
        for call, wanted, given in ((compiled, fn, x.reshape([1, 1, n])), (of_a_mask, picked, x)):
            if mode == "reflect" and n < 3:
                for each in (call, wanted):
                    with pytest.raises(ShapeError, match="too wide"):
                        each(given)
            else:
                np.testing.assert_array_equal(call(given).numpy(), wanted(given).numpy())


def test_what_a_mask_picks_in_a_wanted_length() -> None:
    def fn(x: Any) -> Any:
        picked = x[x > 0]
        return F.pad(picked, [0, 3 - picked.shape[0]])

    rows = ([1.0, -1.0, 2.0, -1.0, 4.0], [1.0, 2.0, 3.0, 4.0, 5.0], [-1.0] * 5)
    pairs_agree(fn, [(vt.to_tensor(row),) for row in rows])


@pytest.mark.parametrize("name", [name for name in SIDES if name != "size"])
def test_gradients(name: str) -> None:
    compiled = vt.to_static(lambda x, n: SIDES[name](x, int(n)).sum())
    for n in (1, -1, 0, 2):
        grads = []
        for call in (lambda x, n: SIDES[name](x, int(n)).sum(), compiled):
            x = vt.to_tensor([1.0, 2.0, 4.0], stop_gradient=False)
            call(x, vt.to_tensor(n)).backward()
            grads.append(x.grad.numpy())
        np.testing.assert_allclose(grads[1], grads[0])


def test_gradients_of_a_line_of_a_wanted_length() -> None:
    def fn(x: Any, like: Any) -> Any:
        return (F.pad(x, [0, like.shape[0] - x.shape[0]]) * like).sum()

    compiled = vt.to_static(fn)
    for n, m in ((2, 4), (3, 5), (5, 3), (7, 2)):
        grads = []
        for call in (fn, compiled):
            x = vt.to_tensor(np.arange(float(n), dtype="float32"), stop_gradient=False)
            call(x, vt.arange(float(m)) + 1).backward()
            grads.append(x.grad.numpy())
        np.testing.assert_allclose(grads[1], grads[0])


@pytest.mark.parametrize("first", [1, -1])
def test_more_than_there_is(first: int) -> None:
    def fn(x: Any, n: Any) -> Any:
        return F.pad(x, [n, 1])

    compiled = vt.to_static(fn)
    compiled(vt.ones([3]), vt.to_tensor(first))
    for call in (fn, compiled):
        with pytest.raises(ShapeError, match="pad cuts more elements than axis 0 has"):
            call(vt.ones([3]), vt.to_tensor(-5))


def test_more_than_a_mask_picks() -> None:
    def fn(x: Any) -> Any:
        return F.pad(x[x > 0], [-2, 0])

    compiled = vt.to_static(fn)
    for call in (fn, compiled):
        assert call(vt.to_tensor([1.0, 2.0, -1.0, 3.0])).tolist() == [3.0]
        with pytest.raises(ShapeError, match="pad cuts more elements than axis 0 has"):
            call(vt.to_tensor([1.0, -2.0, -1.0, -3.0]))


def test_signals_shorter_than_a_window() -> None:
    def fn(x: Any) -> Any:
        return vt.signal.stft(x, 4)

    compiled = vt.to_static(fn)
    for n in (8, 9, 2, 4, 3, 10):
        x = vt.arange(float(n))
        if n < 4:
            for call in (fn, compiled):
                with pytest.raises(ValueError, match="larger than the signal"):
                    call(x)
        else:
            np.testing.assert_allclose(compiled(x).numpy(), fn(x).numpy(), atol=1e-5)
