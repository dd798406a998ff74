"""Scripts that reproduce a difference without the user's code: a program as text, and its arrays."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...base.files import place_file
from ...ir.core import Program
from ...ir.printer import print_program
from ...ir.walk import clone_program, walk
from ...passes.pipelines import PASSES
from .isolate import can_isolate, isolated
from .passes import CheckInputs
from .results import Difference
from .trail import OperationRun, Trail

Array = np.ndarray[Any, Any]
MOST_SHOWN = 64  # elements of an array that are written as numbers
DEEPEST = 6  # operations in a row that a rewrite may look at

_TEXT = '''"""{title}

`python {file}` needs vitrify alone; it exits with 1 while the fault is there.
"""

import base64
import sys
import zlib

import numpy as np

import vitrify as vt

nan, inf = np.nan, np.inf

PROGRAM = """\\
{program}
"""


def packed(text: str, dtype: str, shape: tuple) -> np.ndarray:
    """An array that is too large to be read."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype).reshape(shape)


FEEDS = [{feeds}]
STATE = [{state}]

if __name__ == "__main__":
    found = vt.jit.verify_program(
        vt.ir.parse(PROGRAM), FEEDS + STATE, passes={passes}, kernels={kernels}, gradients={gradients},
        tolerance={tolerance!r},
    )
    print(found)
    sys.exit(0 if found else 1)
'''


def write_script(difference: Difference, inputs: CheckInputs, path: Path) -> Path | None:
    """Write the script; None where a program calls back into Python, or the pass is the user's: no text holds these."""
    case = _case(difference, inputs)
    known = {item.name for item in PASSES}
    if case is None or any(item.name not in known for item in difference.passes or ()):
        return None
    program, feeds, state = case
    is_rule = difference.stage.endswith("gradient rules")
    names = None if difference.passes is None else [item.name for item in difference.passes]
    text = _TEXT.format(
        title=f"Reproduces: {difference.stage}: {difference.operation} differs.".replace("\\", "/"), file=path.name,
        program=print_program(program).rstrip(), feeds=_listed(feeds), state=_listed(state),
        passes=[] if is_rule or difference.stage.endswith("kernels") else names,
        kernels=difference.stage.endswith("kernels"), gradients=is_rule, tolerance=inputs.tolerance,
    )  # fmt: skip
    place_file(path.absolute(), text.encode())
    return path


def _case(difference: Difference, inputs: CheckInputs) -> tuple[Program, Sequence[Array], Sequence[Array]] | None:
    """The smallest program that shows it, and its arrays."""
    program = difference.program
    if program is None:
        return None
    if difference.arrays is not None:
        return program, difference.arrays, ()
    if difference.event is not None and can_isolate(difference.event.operation):
        found = _smallest(difference, inputs)
        if found is not None:
            return *found, ()
    if any(o.name == "callback" for o in walk(program.body)):
        return None
    return program, inputs.feeds, inputs.state


def _smallest(difference: Difference, inputs: CheckInputs) -> tuple[Program, list[Array]] | None:
    """The operation with as many of those before it as the fault takes; None where that isn't enough."""
    trail = inputs.trail(difference.program)
    event = next(
        (e for e in trail.events if e.operation is difference.event.operation and e.where == difference.where), None
    )
    if event is None:
        return None
    if difference.passes is None:  # a gradient rule: the operation is all
        return isolated([(event.operation, event.read)], trail.sizes)
    steps = [event]
    for _ in range(DEEPEST):
        program, feeds = isolated([(e.operation, e.read) for e in steps], trail.sizes)
        alone = CheckInputs(feeds, (), {}, inputs.tolerance)
        trial = clone_program(program)
        for item in difference.passes:
            item.run(trial)
        if alone.difference(program, alone.run(program), alone.run(trial)) is not None:
            return program, feeds
        more = _producers(steps, trail)
        if not more:
            break
        steps = [*more, *steps]
    return None


def _producers(steps: Sequence[OperationRun], trail: Trail) -> list[OperationRun]:
    """The last runs, before these steps, of the operations that make what the steps read."""
    inside = {e.operation for e in steps}
    wanted = {v.operation for e in steps for v in e.operation.operands} - inside - {None}
    place = trail.events.index(steps[0])
    found: list[OperationRun] = []
    for event in reversed(trail.events[:place]):
        if event.operation in wanted:
            wanted.discard(event.operation)
            if can_isolate(event.operation) and event.operation.operands:
                found.insert(0, event)
    return found


def _listed(arrays: Sequence[Any]) -> str:
    return ", ".join(_written(np.asarray(a)) for a in arrays)


def _written(array: Array) -> str:
    if array.size <= MOST_SHOWN and array.dtype.kind in "biufc" and array.dtype.isbuiltin:
        return f"np.array({array.tolist()!r}, {array.dtype.name!r}).reshape({array.shape})"
    data = base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes())).decode()
    return f"packed({data!r}, {array.dtype.name!r}, {array.shape})"
