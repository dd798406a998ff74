"""Kinds of faults that users report of compilers of eager programs, re-enacted: eager mode and the compiled function agree.

docs/reported-faults.md lists the programs by kind.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.pytree import flatten, map_leaves

from .reported_faults import PROGRAMS, Program

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reported-faults.md"


def tensors(call: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(vt.to_tensor(a) if isinstance(a, np.ndarray) else a for a in call)


def is_tensor(x: object) -> bool:
    return isinstance(x, vt.Tensor)


def outcome(fn: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Results and arguments afterwards, or the error's class."""
    args = tensors(call)
    try:
        made = fn(*args)
    except (ValueError, TypeError, IndexError, RuntimeError) as error:
        return type(error).__name__
    return map_leaves(lambda t: t.numpy(), (made, args), is_tensor)


def check_same(found: Any, expected: Any, what: str) -> None:
    """Equal: structure, types, integers; floats within rounding, with zeros' signs, infinities and NaN."""
    one, other = (
        flatten(found, lambda x: isinstance(x, np.ndarray)),
        flatten(expected, lambda x: isinstance(x, np.ndarray)),
    )
    assert len(one[0]) == len(other[0]), f"{what}: {found} instead of {expected}"
    for a, b in zip(one[0], other[0], strict=True):
        if not isinstance(b, np.ndarray):
            assert (type(a), repr(a)) == (type(b), repr(b)), what
            continue
        assert (a.dtype, a.shape) == (b.dtype, b.shape), what
        if b.dtype.kind in "biu":
            np.testing.assert_array_equal(a, b, err_msg=what)
            continue
        np.testing.assert_allclose(a, b, rtol=2e-3 if b.dtype.itemsize == 2 else 1e-6, atol=1e-44, err_msg=what)
        zeros = (a == 0) & (b == 0)
        np.testing.assert_array_equal(np.signbit(a[zeros]), np.signbit(b[zeros]), err_msg=what)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p.kind}-{p.name}".replace(" ", "_"))
def test_compiled_is_eager(program: Program) -> None:
    """Every call in order, twice over: what the first calls leave behind is there for the later ones."""
    with np.errstate(all="ignore"):
        eager = program.make()
        expected = [outcome(eager, call) for call in (*program.calls, *program.calls)]
        compiled = vt.to_static(program.make())
        found = [outcome(compiled, call) for call in (*program.calls, *program.calls)]
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        check_same(a, b, f"call {number}")


def test_the_comparison_can_fail() -> None:
    x = np.array([0.0, 1.0], np.float32)
    for other in (-x, x.astype(np.float64), x[:1], x + 1e-3, np.array([0, 1]), "ValueError", [x, x]):
        with pytest.raises(AssertionError):
            check_same(x, other, "a call")


def test_there_are_many_programs_of_every_kind() -> None:
    assert len(PROGRAMS) >= 60
    assert len({p.kind for p in PROGRAMS}) >= 9
    assert len({p.name for p in PROGRAMS}) == len(PROGRAMS)


def test_the_page_lists_every_program() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for program in PROGRAMS:
        assert f"`{program.name}`" in text, f"{PAGE.name} lacks {program.name}"
        assert program.kind in text.lower()
