"""Items of lists by a counter that counts on, as a ring buffer's: a program for each remainder, not for each count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .appended_lists_support import plain

many_programs = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")


def t(*values: float) -> Any:
    return vt.to_tensor(np.array(values, "float32"))


class Ring:
    """An object of the user's."""

    def __init__(self) -> None:
        self.buf = [t(k, 1) for k in range(4)]
        self.i = 0
        self.j = 1
        self.held: list[Any] = []


Step = Callable[[Ring, Any], Any]


def ring(o: Ring, x: Any) -> Any:
    o.buf[o.i % 4] = x * 2
    o.i += 1
    return vt.stack(o.buf).sum()


def counted_first(o: Ring, x: Any) -> Any:
    o.i += 1
    o.buf[o.i % len(o.buf)] = x * 2
    return vt.stack(o.buf).sum()


def behind(o: Ring, x: Any) -> Any:
    o.buf[o.i % 4] = x * 2
    o.i = o.i + 1
    return o.buf[(o.i - 3) % 4], o.i


def down(o: Ring, x: Any) -> Any:
    o.buf[o.i % 4] = x
    o.i -= 1
    return vt.stack(o.buf).sum()


def several(o: Ring, x: Any) -> Any:
    for k in range(3):
        o.buf[o.i % 4] = x * k
        o.i += 1
    return vt.stack(o.buf).sum()


def beside_another(o: Ring, x: Any) -> Any:
    o.buf[o.i % 4] = x
    o.buf[(o.i + o.j) % 4] = x * 3
    o.i += 1
    return vt.stack(o.buf).sum()


def by_half(o: Ring, x: Any) -> Any:
    o.buf[o.i // 2 % 4] = x
    o.i += 1
    return vt.stack(o.buf).sum()


def nothing(o: Ring, k: int) -> None:
    pass


def jumps(o: Ring, k: int) -> None:
    if k == 6:
        o.i = -3
    if k == 9:
        o.i = 2**40


def replaces(o: Ring, k: int) -> None:
    if k == 5:
        o.buf[1] = t(7, 7)
    if k == 8:
        o.buf = list(o.buf)
    if k == 10:
        o.i = True


def shares(o: Ring, k: int) -> None:
    if k >= 5:
        o.buf[0] = o.buf[1]


def writes(o: Ring, k: int) -> None:
    for x in o.buf:
        x.add_(1)


def holds(o: Ring, k: int) -> None:
    o.j = k
    o.held.append(o.buf[k % 4])


def _run(step: Step, between: Callable[[Ring, int], None], is_compiled: bool) -> tuple[list[Any], int]:
    o = Ring()
    fn = vt.to_static(lambda x: step(o, x)) if is_compiled else lambda x: step(o, x)
    seen, results = [], []
    for k in range(14):
        results.append(fn(t(k, 1)))
        between(o, k)
        seen.append((plain(results), plain(o.buf), o.i, plain(o.held)))
    return seen, fn.get_traced_count() if is_compiled else 0  # type: ignore[attr-defined]


@many_programs
@pytest.mark.parametrize("step", [ring, counted_first, behind, down, several])
def test_a_program_for_each_remainder(step: Step) -> None:
    eager, _ = _run(step, nothing, False)
    compiled, count = _run(step, nothing, True)
    assert compiled == eager
    assert count <= 8


@many_programs
@pytest.mark.parametrize("between", [jumps, replaces, shares, writes, holds])
@pytest.mark.parametrize("step", [ring, behind, beside_another, by_half])
def test_whatever_other_code_does(step: Step, between: Callable[[Ring, int], None]) -> None:
    eager, _ = _run(step, between, False)
    compiled, _ = _run(step, between, True)
    assert compiled == eager
