"""Memory that gradients are in, or are made from, belongs to nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


@pytest.mark.parametrize("on_paths", [False, True])
def test_equal_gradients_of_several_tensors_have_memory_of_their_own(on_paths: bool) -> None:
    def calls(compile_: Callable[[Any], Any]) -> list[Any]:
        leaves = [vt.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(3)]
        found = []

        def step(x: Any, sign: Any) -> Any:
            loss = (sum(leaves) * x).sum()
            if not on_paths or sign.sum() > 0:
                loss.backward()
            else:
                (loss * 2).backward()
            return loss

        run = compile_(step)
        for sign in (1.0, -1.0, 1.0):
            run(vt.to_tensor([5.0, 6.0]), vt.to_tensor([sign]))
            for k, p in enumerate(leaves):
                p.grad.scale_(1.0 + k)
            found.append([p.grad.tolist() for p in leaves])
        return found

    assert calls(vt.jit.to_static) == calls(lambda fn: fn)


def weighted(a: Any, w: Any) -> Any:
    return (vt.to_tensor(a) * w * w).sum()


def picked(a: Any, w: Any) -> Any:
    return (w[vt.to_tensor(a).astype("int64")] ** 3).sum()


def reshaped(a: Any, w: Any) -> Any:
    return ((vt.to_tensor(a).reshape([1, 2]) * w) ** 2).sum()


@pytest.mark.parametrize("is_recorded", [False, True])
@pytest.mark.parametrize("fn", [weighted, picked, reshaped])
def test_an_array_may_be_filled_anew_before_backward(fn: Callable[..., Any], is_recorded: bool) -> None:
    def gradients(run: Callable[..., Any]) -> list[Any]:
        found = []
        for first in (1.0, 0.0):
            a, w = np.array([first, 1.0], "float32"), vt.to_tensor([1.0, 2.0], stop_gradient=False)
            loss = run(a, w)
            a[:] = 7.0
            found.append(vt.grad(loss, [w], create_graph=is_recorded)[0].tolist())
        return found

    assert gradients(vt.jit.to_static(fn)) == gradients(fn)
