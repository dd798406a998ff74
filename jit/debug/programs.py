"""Verification of a program: every pass, the kernels, and the gradient rules of its operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...base.flags import flags
from ...ir.core import Program
from ...ir.verifier import verify as check_program
from ...ir.walk import clone_program
from ...passes.manager import Pass
from ...passes.pipelines import default_pipeline, pass_named
from .kernels import check_kernels
from .passes import CheckInputs, check_passes
from .repro import write_script
from .results import Difference, Stage, Verification
from .slopes import check_rules

TOLERANCE = 1e-4
Array = np.ndarray[Any, Any]


def verify_program(
    program: Program, arrays: Sequence[Any], *,
    callbacks: Mapping[str, Callable[..., Any]] | None = None, passes: Sequence[Pass | str] | None = None,
    kernels: bool = True, gradients: bool = False, tolerance: float = TOLERANCE, script: str | Path | None = None,
    schedule: Sequence[str] | None = None,
) -> Verification:  # fmt: skip
    r"""Compare a program with itself after each pass, and with its compiled form, on these arrays.

    The interpreter over NumPy says what is right. arrays: one for each feed, then one for each state. passes: those to
    run, or their names (None: the usual ones). gradients: compare the gradient rule of each operation with finite
    differences, too. tolerance: in parts of an element's size, for float32; for float64 its square. script: write a
    file there that reproduces the difference. schedule: the names of the passes that the compiled program's steps go
    through, or those to leave out, each with a minus (`-loop_kernels`).
    Errors: VerifyError for a program that isn't valid; GuardError for arrays that don't fit it.

    >>> from vitrify.ir.parser import parse_program
    >>> text = "program @f(%x: f32[2]) -> f32[2] {\n  %0 = neg %x : f32[2]\n  return %0\n}"
    >>> bool(verify_program(parse_program(text), [np.ones(2, "float32")], kernels=False))
    True
    """
    check_program(program)
    every, count = [np.asarray(a) for a in arrays], len(program.feeds)
    chosen_schedule = flags.schedule if schedule is None else tuple(schedule)
    inputs = CheckInputs(every[:count], every[count:], callbacks or {}, tolerance, chosen_schedule)
    chosen = default_pipeline() if passes is None else [pass_named(p) if isinstance(p, str) else p for p in passes]
    stages, difference = check_stages(program, inputs, program.name, chosen, kernels=kernels, gradients=gradients)
    return finished(program.name, stages, difference, inputs, script)


def check_stages(
    program: Program, inputs: CheckInputs, label: str, passes: Sequence[Pass] | None = None, *, kernels: bool = True,
    gradients: bool = False,
) -> tuple[list[Stage], Difference | None]:  # fmt: skip
    """All stages of a program up to the first that differs. The program stays as it is."""
    stages: list[Stage] = []
    if gradients:
        stage, difference = check_rules(program, inputs.trail(program), label)
        stages.append(stage)
        if difference is not None:
            return stages, difference
    trial = clone_program(program)
    for stage, difference in check_passes(trial, default_pipeline() if passes is None else passes, inputs, label):
        stages.append(stage)
        if difference is not None:
            return stages, difference
    if kernels:
        stage, difference = check_kernels(trial, inputs, label)
        stages.append(stage)
        return stages, difference
    return stages, None


def finished(
    name: str, stages: list[Stage], difference: Difference | None, inputs: CheckInputs, script: str | Path | None
) -> Verification:  # fmt: skip
    """The outcome, with the script written if there is something to reproduce and a place for it."""
    path = None
    if difference is not None and script is not None:
        path = write_script(difference, inputs, Path(script))
    return Verification(name, stages, difference, path)
