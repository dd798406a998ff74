"""Tables of functions whose compiled form has to do what they do in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = np.array([-1.0, 2.0, -3.0], np.float32)


class Table:
    """Functions with the inputs that take every path of them."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}

    def row(self, *inputs: Any) -> Callable[[Any], Any]:
        """Test the decorated function of one tensor with each input (by default one that is all positive, one not)."""

        def add(fn: Any) -> Any:
            self.rows[fn.__name__] = (fn, inputs or (UP, DOWN))
            return fn

        return add

    def names(self) -> Any:
        """A decorator: one test for each row."""
        return pytest.mark.parametrize("name", list(self.rows))

    def check(self, name: str) -> None:
        """Eager equals compiled: structure, values, gradients and errors, on each input, twice."""
        fn, inputs = self.rows[name]
        compiled = vt.jit.to_static(fn)
        for data in (*inputs, *inputs):
            expected, found = outcome(fn, data), outcome(compiled, data)
            assert not any(expected[0] is kind for kind in (NameError, AttributeError)), expected  # the table's mistake
            same(expected, found)


def outcome(fn: Callable[..., Any], data: Any) -> Any:
    """What a call gives and the gradient that arrives, or its error."""
    x = vt.to_tensor(data, stop_gradient=False)
    try:
        given = fn(x)
    except Exception as error:  # broad: whatever the function raises
        return type(error), str(error)
    total = [leaf.sum() for leaf in _leaves(given) if isinstance(leaf, vt.Tensor) and not leaf.stop_gradient]
    if total:
        sum(total).backward()
    return given, None if x.grad is None else x.grad.numpy()


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, set):
        value = sorted(value)
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, (list, tuple)) else [value]


def same(expected: Any, found: Any) -> None:
    """Equal structure and values."""
    first, second = _leaves(expected), _leaves(found)
    assert len(first) == len(second), (expected, found)
    for a, b in zip(first, second, strict=True):
        if a is None or isinstance(a, (str, type)):
            assert a == b
        else:
            np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=2e-5, atol=1e-6)
