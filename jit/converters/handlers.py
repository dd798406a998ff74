"""Handlers around the code that runs now: the `except` clauses of the user's, by the exception tables of its code.

Where no handler is around, an operation that may fail is a check of the program: nothing follows its error.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeAlias

from ...base.frame_marks import capture_entry
from ...base.location import is_library_file
from ...dygraph.places import is_user
from ..trace.tracer import Tracer
from .regions.markers import Poison

# the instructions that load the classes of an `except` clause; None: it has none, or others than variables hold
_Clause: TypeAlias = tuple[dis.Instruction, ...] | None
_LOADS = frozenset(
    {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF", "LOAD_CONST"}
    | {"BUILD_TUPLE", "LOAD_FAST_CHECK"}
)
_WITHOUT_MEANING = ("CACHE", "EXTENDED_ARG", "NOT_TAKEN")


class _Handlers(NamedTuple):
    """What handles exceptions around an instruction: whether anything does, as `with` and `finally` do, and the clauses
    of each `except`, from the innermost outwards.
    """

    is_any: bool
    clauses: tuple[_Clause, ...]


_NONE = _Handlers(False, ())


def handled(*, broadly: bool = False, depth: int = 2) -> bool:
    """Whether an `except` of the user's is around; broadly: or a `with` or `finally`, which Python is to run.

    depth: frames between this one and the first to look at.
    """
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and frame.f_code not in capture_entry:
        code = frame.f_code
        if code.co_exceptiontable and not is_library_file(code.co_filename):
            found = _handlers(code, frame.f_lasti)
            if found.clauses or (broadly and found.is_any):
                return True
        frame = frame.f_back
    return False


def is_caught(tracer: Tracer, kind: type[BaseException], depth: int = 2) -> bool:
    """Whether code around may go on behind an exception of this class: an `except` clause, or a manager of a `with`.

    Not where code runs line by line while it builds a program. depth: frames between this one and the first to look at.
    """
    if not tracer.regions:
        return False
    if any(catches(kind) for catches in tracer.catching):
        return True
    frame: FrameType | None = sys._getframe(depth)
    entries = capture_entry.codes
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        known = is_user.get(file)  # some seventy frames are around each operation that may fail
        if known is None:
            known = is_user[file] = not is_library_file(file)
        if known:
            # most code handles nothing; to find what is known of some hashes it, with all of its constants
            clauses = _handlers(code, frame.f_lasti).clauses if code.co_exceptiontable else ()
            if clauses and any(_may_match(clause, frame, kind) for clause in clauses):
                return True
        elif id(code) in entries:
            break
        frame = frame.f_back
    return False


@functools.lru_cache(maxsize=4096)
def _handlers(code: CodeType, at: int) -> _Handlers:
    """What handles exceptions of the instruction at an offset."""
    targets = _targets(code, at)
    if not targets:  # most places: decoding a whole function would be the dearest part of an operation's trace
        return _NONE
    steps = [step for step in dis.get_instructions(code) if step.opname not in _WITHOUT_MEANING]
    starts = [_index_at(steps, target) for target in sorted(targets)]
    starts = [k for k in starts if steps[k].opname == "PUSH_EXC_INFO"]
    return _Handlers(bool(starts), tuple(clause for k in starts for clause in _clauses(steps, k + 1)))


def _targets(code: CodeType, at: int) -> set[int]:
    """Where an exception at an offset may go on: the code of clauses around it, from the innermost outwards.

    The table names one for each instruction. What a clause doesn't catch, and what it raises, is looked up from there.
    """
    table = dis._parse_exception_table(code)  # type: ignore[attr-defined]
    found: set[int] = set()
    new = {at}
    while new:
        reached = {entry.target for entry in table if any(entry.start <= place < entry.end for place in new)}
        new = reached - found
        found |= new
    return found


def _index_at(steps: Sequence[dis.Instruction], offset: int) -> int:
    return next(k for k, step in enumerate(steps) if step.offset >= offset)


def _clauses(steps: Sequence[dis.Instruction], first: int) -> list[_Clause]:
    """The clauses of the `except` whose code begins with a step; none where that is a `finally` or `with`."""
    found: list[_Clause] = []
    while steps[first].opname != "POP_TOP":
        ends = (k for k in range(first, len(steps)) if _ends_classes(steps[k].opname))
        end = next(ends, None)
        if end is None or steps[end].opname != "CHECK_EXC_MATCH":
            return found
        classes = tuple(steps[first:end])
        found.append(classes if all(step.opname in _LOADS for step in classes) else None)
        first = _index_at(steps, steps[end + 1].argval)  # where it goes on with another class
    return [*found, None]


def _ends_classes(name: str) -> bool:
    return "JUMP" in name or name == "CHECK_EXC_MATCH" or name.startswith(("RERAISE", "RETURN", "RAISE"))


def _may_match(clause: _Clause, frame: FrameType, kind: type[BaseException]) -> bool:
    """Whether a clause catches exceptions of a class. One that names something else than variables might."""
    if clause is None:
        return True
    stack: list[Any] = []
    for step in clause:
        name = step.argval
        if step.opname == "BUILD_TUPLE":
            stack[len(stack) - name :] = [tuple(stack[len(stack) - name :])]
        elif step.opname == "LOAD_ATTR":
            stack.append(getattr(stack.pop(), str(name), BaseException))
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            stack.append(frame.f_globals.get(name, getattr(builtins, name, BaseException)))
        elif step.opname == "LOAD_CONST":
            stack.append(name)
        else:
            stack.append(frame.f_locals.get(name, BaseException))
    kinds = stack[-1] if type(stack[-1]) is tuple else (stack[-1],)
    for each in kinds:
        if isinstance(each, Poison):  # a class of each path
            each.fail()
    return any(issubclass(kind, each) for each in kinds if isinstance(each, type))
