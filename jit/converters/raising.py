"""`raise` under a condition on a tensor: the path ends in a failing check of the program and leaves nothing behind.

The exception is made when the function is captured; what it holds of tensors is filled in when the program raises it.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any, NoReturn, TypeAlias

from ...base.causes import Links, chain_of, handled_now, link, raise_linked
from ...base.causes import made as made_of
from ...base.dtype import bool_
from ...base.errors import (
    ArgumentError,
    AssertedError,
    AxisError,
    CaptureError,
    CountError,
    DTypeError,
    KindError,
    ShapeError,
    SubscriptError,
    VitrifyError,
)
from ...base.location import Loc, caller_loc, entries, is_library_file, linked
from ...base.pytree import flatten
from ...base.stand_in_frames import traced
from ...dygraph.places import is_user
from ...ir.core import Value
from ...ops.control import callback, check
from ..serialize.shown_text import Raising
from ..trace.recursive_calls import Recurses
from ..trace.state.escapes import refuse_kept, with_origins
from ..trace.tracer import Tracer
from .frames import places_around, places_of
from .regions.decisions import Decision
from .stdlib.object_copies import is_changed
from .stdlib.strings import at_run_time, varies

_RAISE = dis.opmap["RAISE_VARARGS"]


# a PyLayer's code is no part of the program, nor is what it raises
_OPAQUE = ("jit/trace/gradients/traced_pylayer.py", "jit/trace/gradients/pylayer_trials.py")


class Raised:
    """What a path returns that ends in a `raise`."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class CaughtAround(CaptureError):
    """An iteration of a counted loop raises what code around the loop catches: the loop must be able to end early."""


class AlwaysRaises(CaptureError):
    """Every iteration of a loop raises an error, and only a run knows whether there is one."""

    def __init__(self, error: BaseException, loc: Loc) -> None:
        super().__init__(
            f"every iteration of this loop raises {type(error).__name__}, and only a run of the program knows whether "
            "there is an iteration",
            loc=loc,
            remedy="raise under an `if` with the loop's condition",
        )
        self.error = error


def throw(error: BaseException) -> NoReturn:
    """Raise an error, again."""
    raise error


def or_raised(
    tracer: Tracer, code: Callable[[], Any], decision: Decision | None = None, *, may_run: bool = False
) -> Callable[[], Any]:  # fmt: skip
    """`code` with a final `raise` of the user's turned into a check; it then returns a `Raised`.

    decision: the `if` that the code is a side of. Where code around it catches, what follows is traced once per path.
    may_run: it is an iteration of a loop that may have none.
    An error that Python itself raises on one of several paths counts as well: another path may be the one that runs.
    """

    def run() -> Any:
        try:
            with tracer.objects.locked.refusing():
                return code()
        except BaseException as error:  # broad: any class that the user's code raises, SystemExit and its own as well
            is_one_path = may_run or decision is not None or bool(tracer.regions and tracer.regions[-1].forced)
            loc = raised_at(error) or (failed_at(error) if is_one_path else None)
            if loc is None:
                raise
            loc = _called(loc, error)
            if isinstance(error, Recurses):  # handlers don't see it: the path is recorded anew
                tracer.builder.check(tracer.builder.constant(False, bool_), str(error))
                return Raised(error)
            if error in tracer.raised:  # an `if` both of whose paths raise: the program knows already
                return Raised(error)
            if decision is not None and handled(broadly=True):
                decision.split()
            _refuse_handlers(tracer, error, loc)
            if isinstance(error, StopIteration):
                _refuse_ends(tracer, decision, loc)
            _fail(tracer, error, loc)
            return Raised(error)

    return run


def _called(loc: Loc, error: BaseException) -> Loc:
    """The user's line that an exception comes from, with the calls that led there."""
    places = places_around(error.__traceback__)
    start = next((k for k, place in enumerate(places) if (place.file, place.line) == (loc.file, loc.line)), len(places))
    return linked(places[start:]) or loc


def is_users_error(error: BaseException) -> bool:
    """Whether an exception is one that the user's code raises, or Python or an operation in it."""
    return raised_at(error) is not None or failed_at(error) is not None


def left_to_the_program(tracer: Tracer, error: BaseException) -> bool:
    """Whether the program raises an error that ends the whole function: only a run knows what it says or what was shown
    before it.
    """
    loc = raised_at(error)
    if loc is None or isinstance(error, Recurses):
        return False
    if not tracer.callbacks and not varies_in_run(tracer, chain_of(error, tracer.standard.handled)[0]):
        return False
    _fail(tracer, error, _called(loc, error))
    return True


_OPERATIONS = (
    ArgumentError, AssertedError, AxisError, CountError, DTypeError, KindError, ShapeError, SubscriptError,
)  # fmt: skip
_FAILURES = (
    LookupError, ArithmeticError, TypeError, ValueError, AttributeError, NameError, AssertionError, StopIteration,
    OSError, ImportError, EOFError, BufferError, RuntimeError,
)  # fmt: skip
# where the user's calls, reads of variables and subscripts go through
_OURS = (
    "jit/converters/call.py",
    "jit/converters/for_loop.py",
    "jit/converters/variables.py",
    "jit/converters/stdlib/lists.py",
    "jit/trace/state/traced_arrays.py",
    "jit/converters/stdlib/builtin.py",
    "jit/converters/stdlib/iterators.py",
    "jit/trace/state/outside_iterators.py",
    "jit/converters/stdlib/mathematics.py",
    "jit/trace/state/traced_numbers.py",
)
_STAND_INS = (
    "jit/construct_tracer.py",
    "jit/converters/assert_statement.py",
    "jit/converters/dict_keys.py",
    "jit/converters/stdlib/adaptors.py",
)  # they raise for the user's line


def failed_at(error: BaseException) -> Loc | None:
    """The user's line of an error of Python itself (a missing key, a division by zero) or of an operation (shapes that
    don't fit); else None.
    """
    if isinstance(error, VitrifyError):
        return _innermost(error) if type(error) in _OPERATIONS else None
    if not isinstance(error, _FAILURES) or isinstance(error, RecursionError):  # the latter: a capture's own depth
        return None
    trace, user, last = error.__traceback__, None, ""
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        if last.endswith(_OPAQUE):
            return None
        if not is_library_file(last) and not last.startswith("<"):
            user = Loc(last, trace.tb_lineno)
        trace = trace.tb_next
    return user if user is not None and (last == user.file or last.endswith(_OURS)) else None


def _innermost(error: BaseException) -> Loc | None:
    trace, user = error.__traceback__, None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith(_OPAQUE):
            return None
        if not is_library_file(file) and not file.startswith("<"):
            user = Loc(file, trace.tb_lineno)
        trace = trace.tb_next
    return user


def raised_at(error: BaseException) -> Loc | None:
    """The line of the user's `raise` statement that an exception comes from, or of an operation that data make fail;
    None for errors of any other origin.
    """
    if isinstance(error, Recurses):
        return error.loc
    if is_of_run(error):
        return _innermost(error) or caller_loc()
    trace, called, user = error.__traceback__, False, None
    while trace is not None and trace.tb_next is not None:
        if not is_library_file(trace.tb_frame.f_code.co_filename):
            user = Loc(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        called |= trace.tb_frame.f_code.co_filename.endswith(_OPAQUE)
        trace = trace.tb_next
    if trace is None or called:
        return None
    code = trace.tb_frame.f_code
    if code.co_filename.endswith(_STAND_INS):
        return user or caller_loc()
    if is_library_file(code.co_filename) or code.co_code[trace.tb_lasti] != _RAISE:
        return None
    return Loc(code.co_filename, trace.tb_lineno)


def of_run(error: VitrifyError) -> VitrifyError:
    """Mark an operation's error that a condition of the program decides: it is raised as the user's `raise` does."""
    error.__dict__["is_of_run"] = True
    return error


def is_of_run(error: BaseException) -> bool:
    """Whether a condition of the program decides whether an operation raises this."""
    return isinstance(error, VitrifyError) and "is_of_run" in vars(error)


def _refuse_handlers(tracer: Tracer, error: BaseException, loc: Loc) -> None:
    """CaptureError where an `except` around a loop would see the exception: it comes when the program runs."""
    if handled(broadly=True):
        what = "function" if tracer.recursion.open else "loop"
        raise CaughtAround(
            f"a {type(error).__name__} raised in a {what} of the program can't be caught around the {what}",
            loc=loc,
            remedy=f"move the `try` into the {what} or around the call of the compiled function, or use `if`",
        ) from error


def _refuse_ends(tracer: Tracer, decision: Decision | None, loc: Loc) -> None:
    """CaptureError where a run decides whether an iterator of the user's ends: Python asks it while capturing."""
    error = CaptureError(
        "whether this iterator ends is known only when the program runs",
        loc=loc,
        remedy="write it as a generator function, or loop over a range",
    )
    raise error if decision is None else with_origins(tracer, error, [decision.flag])


def handled(*, broadly: bool = False, depth: int = 2) -> bool:
    """Whether an `except` of the user's is around; broadly: or a `with` or `finally`, which Python is to run.

    depth: frames between this one and the first to look at.
    """
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and id(frame.f_code) not in entries:
        code = frame.f_code
        if code.co_exceptiontable and not is_library_file(code.co_filename) and _catches(code, frame.f_lasti, broadly):
            return True
        frame = frame.f_back
    return False


@functools.lru_cache(maxsize=4096)
def _catches(code: CodeType, at: int, broadly: bool) -> bool:
    """Whether an `except` clause covers the instruction at an offset; `finally` and `with` count broadly only."""
    for target in _targets(code, at):
        names = []
        for instruction in dis.get_instructions(code):
            if instruction.offset >= target and instruction.opname != "CACHE":
                names.append(instruction.opname)
                if "JUMP" in instruction.opname or instruction.opname in ("RERAISE", "CHECK_EXC_MATCH"):
                    break
        if (
            (broadly and names[:1] == ["PUSH_EXC_INFO"])
            or "CHECK_EXC_MATCH" in names
            or names[:2] == ["PUSH_EXC_INFO", "POP_TOP"]
        ):
            return True
    return False


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


def is_caught(tracer: Tracer, kind: type[BaseException], depth: int = 2) -> bool:
    """Whether code around may go on behind an exception of this class: an `except` clause, or a manager of a `with`.

    Not where code runs line by line while it builds a program. depth: frames between this one and the first to look at.
    """
    if not tracer.regions:
        return False
    if any(catches(kind) for catches in tracer.catching):
        return True
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        known = is_user.get(file)  # some seventy frames are around each operation that may fail
        if known is None:
            known = is_user[file] = not is_library_file(file)
        if known:
            # most code handles nothing; to find what is known of some hashes it, with all of its constants
            clauses = _clauses(code, frame.f_lasti) if code.co_exceptiontable else ()
            if clauses and any(_may_match(clause, frame, kind) for clause in clauses):
                return True
        elif id(code) in entries:
            break
        frame = frame.f_back
    return False


_Clause: TypeAlias = tuple[dis.Instruction, ...] | None  # what gives the classes that it names; None: it names none


@functools.lru_cache(maxsize=4096)
def _clauses(code: CodeType, at: int) -> tuple[_Clause, ...]:
    """The `except` clauses around the instruction at an offset."""
    found: list[_Clause] = []
    targets = _targets(code, at)
    if not targets:  # most places: decoding a whole function would be the dearest part of an operation's trace
        return ()
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    for target in sorted(targets):
        k = next(k for k, step in enumerate(steps) if step.offset >= target)
        if steps[k].opname != "PUSH_EXC_INFO":
            continue
        named: list[dis.Instruction] = []
        for step in steps[k + 1 :]:
            if step.opname == "CHECK_EXC_MATCH":
                found.append(tuple(named))
                break
            if step.opname == "POP_TOP" and not named:
                found.append(None)
            if step.opname not in _LOADS:
                break
            named.append(step)
        else:
            continue
        if found and found[-1] is not None:
            found += _further(steps, step.offset)
    return tuple(found)


def _further(steps: list[dis.Instruction], at: int) -> list[_Clause]:
    """The clauses behind the one whose class is tested at an offset."""
    found: list[_Clause] = []
    while True:
        k = next(k for k, step in enumerate(steps) if step.offset == at)
        if "JUMP" not in steps[k + 1].opname:
            return [*found, None]
        k = next(n for n, step in enumerate(steps) if step.offset == steps[k + 1].argval)
        named: list[dis.Instruction] = []
        while steps[k].opname in _LOADS:
            named.append(steps[k])
            k += 1
        if steps[k].opname != "CHECK_EXC_MATCH":
            return [*found, None] if steps[k].opname == "POP_TOP" and not named else found
        found.append(tuple(named))
        at = steps[k].offset


_LOADS = frozenset(
    {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF", "LOAD_CONST"}
    | {"BUILD_TUPLE", "LOAD_FAST_CHECK"}
)


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
    return any(issubclass(kind, k) for k in kinds if isinstance(k, type))


def _fail(tracer: Tracer, error: BaseException, loc: Loc) -> None:
    """Record that the program raises this exception here, with those that it came from."""
    if error is tracer.standard.handled:
        _call_back(tracer, type(error), _raise_handled, [], loc)
        return
    chain, links = chain_of(error, tracer.standard.handled)
    is_operations = isinstance(error, VitrifyError) and type(error) in _OPERATIONS
    is_outside = any(id(each) in tracer.objects.kept for each in chain)  # who catches it gets that very object
    if (not is_operations or is_of_run(error)) and (is_outside or varies_in_run(tracer, chain)):
        _fail_with_values(tracer, error, loc)
        return
    words = [_words(each) for each in chain]
    if all(word is not None for word in words):
        (kind, message), *causes = [word for word in words if word is not None]
        attrs: dict[str, Any] = {"message": message, "error": kind}
        if links != _UNLINKED:
            attrs |= {"causes": tuple(causes), "links": links}
        tracer.builder.emit(check, [tracer.builder.constant(False, bool_)], attrs, [], loc=loc)
        return
    parts, assembled = taken_apart(tracer, error)
    for part in parts:
        refuse_kept(tracer, part, loc)
    _call_back(tracer, type(error), lambda *_: raise_linked(assembled(parts)), [], loc)


def _raise_handled(*_: Any) -> NoReturn:
    """Raise what the caller handles: a bare `raise` has no other exception."""
    error = handled_now() or sys.exception()  # which capture may have raised before
    if error is None:
        raise RuntimeError("No active exception to reraise")
    raise error


_UNLINKED: Links = ((-1, -1, False),)


def varies_in_run(tracer: Tracer, errors: Sequence[BaseException]) -> bool:
    """Whether exceptions hold what only a run knows, or what the call has changed."""
    held = [(error.args, vars(error)) for error in errors]
    return bool(flatten(held, varies)[0]) or is_changed(tracer, held)


def _words(error: BaseException) -> tuple[str, str] | None:
    """The class and message that make an exception; None where they don't."""
    kind, args = type(error), error.args
    if isinstance(error, VitrifyError):
        help_ = f"\n  help: {error.remedy}" if error.remedy else ""
        return (kind.__name__, f"{error.message}{help_}") if kind in _OPERATIONS else None
    if getattr(builtins, kind.__name__, None) is not kind or vars(error):
        return None
    if not args:
        return kind.__name__, ""
    return (kind.__name__, args[0]) if len(args) == 1 and type(args[0]) is str and args[0] else None


def _fail_with_values(tracer: Tracer, error: BaseException, loc: Loc) -> None:
    """An exception that holds tensors, or strings made from them: it is put together when the program raises it."""
    parts, assembled = taken_apart(tracer, error)
    values, filled = at_run_time(tracer, parts)
    chain, links = chain_of(error, tracer.standard.handled)
    _call_back(tracer, type(error), Raising(filled, [type(each) for each in chain], links, assembled), values, loc)


def taken_apart(
    tracer: Tracer, error: BaseException
) -> tuple[list[tuple[tuple[Any, ...], dict[str, Any]]], Callable[[Any], BaseException]]:  # fmt: skip
    """Arguments and attributes of an exception, and of those that it came from, and a function from them, as a run has
    them, to the exception. Its traceback shows the user's lines, without the variables there.
    """
    chain, links = chain_of(error, tracer.standard.handled)
    traces = [places_of(each.__traceback__) for each in chain]
    kinds, objects = [type(each) for each in chain], None if varies_in_run(tracer, chain) else chain
    notes = [list(vars(each).get("__notes__", ())) for each in chain]

    def assembled(parts: Any) -> BaseException:
        for each, known in zip(objects or (), notes, strict=False):
            if "__notes__" in vars(each):
                each.__notes__ = list(known)  # without those of earlier calls
        made = objects or [made_of(kind, *part) for kind, part in zip(kinds, parts, strict=True)]
        return link([traced(places, each) for places, each in zip(traces, made, strict=True)], links)

    return [(each.args, dict(vars(each))) for each in chain], assembled


def _call_back(
    tracer: Tracer, kind: type[BaseException], again: Callable[..., Any], values: Sequence[Value], loc: Loc
) -> None:  # fmt: skip
    name = tracer.callback_name(f"raise {kind.__name__}")
    tracer.callbacks[name] = again
    attrs = {"callee": name, "outputs": (), "gradient": None, "form": "array"}
    tracer.builder.emit(callback, values, attrs, [], loc=loc)
