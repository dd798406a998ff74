"""A debugger in captured code makes its calls eager, with a warning that names the line."""

from __future__ import annotations

import pdb
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The variables of each frame in which a debugger was opened."""
    frames: list[dict[str, Any]] = []

    def hook(*args: Any, **kwargs: Any) -> None:
        frames.append(dict(sys._getframe(1).f_locals))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    return frames


def test_breakpoint_makes_the_call_eager_and_says_so_once(met: list[dict[str, Any]]) -> None:
    @vt.jit.to_static
    def looked_at(x: Any) -> Any:
        y = x * 2.0
        if x.sum() > 0:
            breakpoint()
        return y + 1.0

    x = vt.to_tensor([1.0, 2.0])
    with pytest.warns(
        UserWarning, match=r"looked_at runs eagerly while this line opens a debugger: breakpoint\(\)"
    ) as w:
        np.testing.assert_array_equal(looked_at(x).numpy(), [3.0, 5.0])
    assert w[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        looked_at(x)
        looked_at(-x)
    assert len(met) == 2
    np.testing.assert_array_equal(met[0]["y"].numpy(), [2.0, 4.0])  # values, not placeholders
    assert looked_at.get_traced_count() == 0
    with pytest.raises(CaptureError, match="a debugger needs the values of a run"):
        looked_at.get_concrete_program(x)


def test_pdb_in_a_called_function(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    monkeypatch.setattr(pdb.Pdb, "set_trace", lambda self, *args: opened.append(1))

    def helper(x: Any) -> Any:
        pdb.Pdb().set_trace()
        return x + 1.0

    def safely(x: Any) -> Any:
        try:
            return helper(x)
        except Exception:
            return x

    monkeypatch.setattr(pdb.Pdb.set_trace, "__name__", "set_trace")
    monkeypatch.setattr(pdb.Pdb.set_trace, "__module__", "pdb")
    with pytest.warns(UserWarning, match="opens a debugger"):
        assert vt.jit.to_static(safely)(vt.to_tensor([1.0])).item() == 2.0
    assert opened == [1]


def test_a_breakpoint_that_is_switched_off_is_captured(
    met: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    @vt.jit.to_static
    def passed_over(x: Any) -> Any:
        breakpoint()
        return x + 1.0

    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    assert passed_over(vt.to_tensor([1.0])).item() == 2.0
    assert passed_over.get_traced_count() == 1
