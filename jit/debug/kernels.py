"""Compiled code beside the interpreter: the first operation whose kernel gives something else for the same operands."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.errors import VitrifyError
from ...ir.core import Operation, Program, is_list
from ...ir.walk import clone_program
from ...runtime.compiler import compile_program
from ...runtime.options import CompileOptions
from ...runtime.schedule.pipeline import schedule_of
from .comparison import Deviation, deviation, largest_ulp
from .isolate import can_isolate, isolated
from .passes import CheckInputs, result_names, without_handles
from .results import Difference, Stage
from .trail import OperationRun, Trail

Array = np.ndarray[Any, Any]


def check_kernels(program: Program, inputs: CheckInputs, label: str) -> tuple[Stage, Difference | None]:
    """Compile a program that went through its passes, run it, and compare; where it differs, find the operation."""
    start = time.perf_counter()
    expected = inputs.run(program)
    found = _run_compiled(program, inputs)
    worst = max([largest_ulp(a, b) for a, b in zip(expected, found, strict=True)], default=0.0)
    stage = Stage(f"{label}: kernels", worst, time.perf_counter() - start)
    wrong = inputs.difference(program, expected, found)
    if wrong is None:
        return stage, None
    located, culprit = _located(program, inputs, stage.name, wrong), _wrong_pass(program, inputs)
    if culprit is not None:
        note = f"without the pass {culprit} of the schedule there is no difference"
        located = replace(located, note=f"{located.note}; {note}" if located.note else note)
    return stage, located


def _run_compiled(program: Program, inputs: CheckInputs, schedule: tuple[str, ...] | None = None) -> list[Array]:
    options = CompileOptions(schedule=inputs.schedule if schedule is None else schedule)
    executable = compile_program(program, callbacks=inputs.callbacks, passes=(), options=options)
    state = [np.array(a, order="C") for a in inputs.state]
    fetched = executable.run([np.array(a, order="C") for a in inputs.feeds], state)
    return [*without_handles(program, fetched), *state]


def _wrong_pass(program: Program, inputs: CheckInputs) -> str | None:
    """The pass of the schedule without which the compiled program is right."""
    expected = inputs.run(program)
    passes = schedule_of(inputs.schedule)
    for left in [item.name for item in passes if not item.required]:
        found = _run_compiled(program, inputs, tuple(item.name for item in passes if item.name != left))
        if inputs.difference(program, expected, found) is None:
            return left
    return None


def _located(program: Program, inputs: CheckInputs, name: str, wrong: tuple[int, Deviation]) -> Difference:
    trail = inputs.trail(program)
    kept = _with_all_values(program, inputs, trail)
    suspect = None if kept is None else next((e for e in trail.events if e.operation is kept), None)
    events = trail.events if suspect is None else _inside(trail, suspect)
    compiled: dict[Any, tuple[Program, Any]] = {}
    for event in events:
        found = _alone(event, trail, inputs, name, compiled)
        if found is not None:
            return found
    number, apart = wrong
    source = program.fetches[number].operation if number < len(program.fetches) else None
    note = "no operation differs alone, on the same operands: look at the memory plan"
    return Difference(
        stage=name, operation=source.name if source else result_names(program)[number],
        loc=source.loc if source else None, deviation=apart, note=note, program=program,
    )  # fmt: skip


def _with_all_values(program: Program, inputs: CheckInputs, trail: Trail) -> Operation | None:
    """The first operation of the body whose result differs in a run that keeps all results."""
    mapping: dict[Any, Any] = {}
    trial = clone_program(program, mapping)
    kept = [
        o for o in program.body.operations
        if can_isolate(o) and o.operands and not any(map(is_list, o.results)) and o.results[0] in trail.values
    ]  # fmt: skip
    values = [r for o in kept for r in o.results]
    for value in values:
        trial.body.terminator.add_operand(mapping[value])
    if trial.fetch_names:
        trial.fetch_names += [f"kept{k}" for k in range(len(values))]
    first = len(program.fetches)
    try:
        found = _run_compiled(trial, inputs)[first : first + len(values)]
    except VitrifyError:
        return None
    for value, array in zip(values, found, strict=True):
        if deviation(trail.values[value][-1], array, inputs.tolerance) is not None:
            return value.operation
    return None


def _inside(trail: Trail, suspect: OperationRun) -> list[OperationRun]:
    """What ran inside an operation, then the operation itself."""
    place = first = trail.events.index(suspect)
    while first and _is_inside(trail.events[first - 1].operation, suspect.operation):
        first -= 1
    return trail.events[first : place + 1]


def _is_inside(operation: Operation, outer: Operation) -> bool:
    block = operation.parent
    while block is not None:
        if block.parent is outer:
            return True
        block = block.parent_block
    return False


def _alone(
    event: OperationRun, trail: Trail, inputs: CheckInputs, name: str, compiled: dict[Any, tuple[Program, Any]]
) -> Difference | None:  # fmt: skip
    """The difference of one operation compiled alone, on the operands that it had; None where there is none."""
    operation = event.operation
    if not operation.operands or not can_isolate(operation):
        return None
    key = operation, tuple([np.shape(a) for a in event.read])
    program, feeds = isolated([(operation, event.read)], trail.sizes)
    try:
        if key not in compiled:
            compiled[key] = program, compile_program(program, callbacks=inputs.callbacks, passes=())
        program, executable = compiled[key]
        found = executable.run(feeds)
    except VitrifyError:
        return None  # it can't stand alone; what holds it can
    wrong = replace(inputs, feeds=feeds, state=()).difference(program, event.made, found)
    if wrong is None:
        return None
    return Difference(
        stage=name, operation=operation.name, loc=operation.loc, deviation=wrong[1], where=event.where,
        result=wrong[0], program=program, arrays=feeds, passes=(),
    )  # fmt: skip
