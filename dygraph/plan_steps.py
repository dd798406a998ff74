"""Straight lines of NumPy kernels as one Python function: what a plan runs.

The function is printed and compiled, so that a step costs its kernel and two local variables, not a turn of a loop.
Equal lines of steps share their code; kernels and constants are names of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeAlias, Union

import numpy as np
from numpy import ndarray

from .constants import _QUIET, _reset_errors, _set_errors

Run: TypeAlias = Callable[..., tuple[Any, ...]]

MOST_LINES = 1024
_codes: dict[str, CodeType] = {}


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One kernel: the slots of its operands, and that of its result (several: a tuple).

    plain: the result is a contiguous array whatever the operands hold. None for the kernel: the operand itself.
    """

    kernel: Callable[..., Any] | None
    places: tuple[int, ...]
    to: Union[int, tuple[int, ...]]
    plain: bool = False


def compiled(count: int, constants: Mapping[int, Any], steps: Sequence[PlanStep], returned: Sequence[int]) -> Run:
    """A function of `count` arrays (slots 0, 1, ...) that gives the arrays of the slots `returned`.

    >>> steps = [PlanStep(np.multiply, (0, 1), 2, True), PlanStep(np.exp, (2,), 3, True)]
    >>> run = compiled(1, {1: np.array(2.0)}, steps, [3])
    >>> run(np.zeros(2))[0].tolist()
    [1.0, 1.0]
    """
    names: dict[int, str] = {k: f"v{k}" for k in range(count)} | {k: f"c{k}" for k in constants}
    space: dict[str, Any] = {f"c{k}": array for k, array in constants.items()}
    space |= {"ndarray": ndarray, "plain": _plain, "quiet": _QUIET, "enter": _set_errors, "leave": _reset_errors}
    lines = [f"def run({', '.join(names[k] for k in range(count))}):", " token = enter(quiet)", " try:"]
    for number, step in enumerate(steps):
        operands = ", ".join(names[k] for k in step.places)
        if step.kernel is None:
            assert type(step.to) is int
            names[step.to] = operands
            continue
        space[f"k{number}"] = step.kernel
        results = (step.to,) if type(step.to) is int else step.to
        for slot in results:  # type: ignore[union-attr]
            names[slot] = f"v{slot}"
        spelled = [names[slot] for slot in results]  # type: ignore[union-attr]
        lines.append(f"  {', '.join(spelled)}{'' if type(step.to) is int else ','} = k{number}({operands})")
        if not step.plain:
            lines += [f"  if type({v}) is not ndarray or not {v}.flags.c_contiguous: {v} = plain({v})" for v in spelled]
    lines += [f"  return ({''.join(f'{names[k]}, ' for k in returned)})", " finally:", "  leave(token)"]
    source = "\n".join(lines)
    code = _codes.get(source)
    if code is None:
        if len(_codes) >= MOST_LINES:
            _codes.clear()
        code = _codes[source] = compile(source, "<plan>", "exec")
    exec(code, space)
    run: Run = space["run"]
    return run


def _plain(made: Any) -> Any:
    return np.asarray(made, order="C")
