"""`raise` under a condition on a tensor: the path ends in a failing check of the program and leaves nothing behind.

The exception is made when the function is captured; what it holds of tensors is filled in when the program raises it.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any, NoReturn

from ...base.causes import Links, chain_of, handled_now, link, raise_linked
from ...base.causes import made as made_of
from ...base.dtype import bool_
from ...base.errors import (
    ArgumentError,
    AxisError,
    CaptureError,
    DTypeError,
    KindError,
    MissingError,
    ShapeError,
    VitrifyError,
)
from ...base.frame_marks import asks_for_caller, captured, fails_for_caller, opaque, raises_for_caller
from ...base.location import Loc, caller_loc, is_library_file, linked
from ...base.pytree import Tree, flatten, unflatten
from ...base.stand_in_frames import traced
from ...dygraph.tensor import Tensor
from ...ir.core import Block, Value
from ...ops.control import callback, check
from ...ops.dims import Dim
from ..serialize.shown_text import Raising
from ..trace.arrays.made_arrays import refusing
from ..trace.recursive_calls import Recurses
from ..trace.state.escapes import TOKEN, refuse_kept, tells_late, with_origins
from ..trace.state.rollback import ATOMS, same
from ..trace.tracer import Tracer
from .frames import places_around, places_of
from .handlers import handled, is_caught
from .regions.decisions import Decision
from .stdlib.object_copies import is_changed
from .stdlib.strings import at_run_time, run_time_string, tensors_in, varies

_RAISE = dis.opmap["RAISE_VARARGS"]


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


@asks_for_caller
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
            with refusing(tracer):
                return code()
        except BaseException as error:  # broad: any class that the user's code raises, SystemExit and its own as well
            is_one_path = may_run or decision is not None or bool(tracer.regions and tracer.regions[-1].forced)
            loc = raised_at(error) or (failed_at(error) if is_one_path else None)
            if loc is None:
                if is_one_path:
                    _refuse_unknown(tracer, error)
                raise
            _end_path(tracer, decision, error, _with_calls(loc, error))
            return Raised(error)

    return run


def _end_path(tracer: Tracer, decision: Decision | None, error: BaseException, loc: Loc) -> None:
    """Record that a path ends with an exception, unless code around it has to see that."""
    if isinstance(error, Recurses):  # handlers don't see it: the path is recorded anew
        tracer.builder.check(tracer.builder.constant(False, bool_), str(error))
    elif error not in tracer.raised:  # else both paths of an `if` raise: the program knows already
        if decision is not None and handled(broadly=True):
            tracer.rolling.raising.add(decision.loc)
            decision.split()
        _refuse_handlers(tracer, error, loc)
        if isinstance(error, StopIteration):
            _refuse_ends(tracer, decision, loc)
        _emit_failure(tracer, error, loc)


def _refuse_unknown(tracer: Tracer, error: BaseException) -> None:
    """CaptureError where a handler of the user's would take an error of one path for one of all paths."""
    is_known = isinstance(error, CaptureError) or (_is_ours(type(error)) and not isinstance(error, VitrifyError))
    if tracer.is_static or is_known or not isinstance(error, Exception):
        return
    if is_caught(tracer, type(error)):
        raise CaptureError(
            f"one path of a condition can't be captured, and a handler around would take that for every path"
            f"\n  {type(error).__name__}: {error}",
            loc=_origin(error)[0] or caller_loc(),
            remedy="move the `try` around the call of the compiled function, or ask before whether it can fail",
        ) from error


def _with_calls(loc: Loc, error: BaseException) -> Loc:
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
    _emit_failure(tracer, error, _with_calls(loc, error))
    return True


_OPERATIONS = (ArgumentError, AxisError, DTypeError, KindError, MissingError, ShapeError)
_OF_CAPTURE = (RecursionError, MemoryError)  # its own depth and size


def failed_at(error: BaseException) -> Loc | None:
    """The user's line of an error of Python itself (a missing key, a division by zero) or of an operation (shapes that
    don't fit); else None.
    """
    loc, last = _origin(error)
    if isinstance(error, VitrifyError):
        return loc if isinstance(error, _OPERATIONS) else None
    if not isinstance(error, (Exception, SystemExit)) or isinstance(error, _OF_CAPTURE) or _is_ours(type(error)):
        return None
    if loc is None or last is None:
        return None
    code = last.tb_frame.f_code
    return loc if code.co_filename == loc.file or code in fails_for_caller else None


def _is_ours(kind: type) -> bool:
    """Whether a class is one of this package: it ends something in the capture itself."""
    return kind.__module__.partition(".")[0] == __name__.partition(".")[0]


def raised_at(error: BaseException) -> Loc | None:
    """The line of the user's `raise` statement that an exception comes from, or of an operation that data make fail;
    None for errors of any other origin.
    """
    if isinstance(error, Recurses):
        return error.loc
    loc, last = _origin(error)
    if is_of_run(error):
        return loc or caller_loc()
    if last is None:
        return None
    code = last.tb_frame.f_code
    if code in raises_for_caller or code in captured:
        return loc or caller_loc()
    if isinstance(error, SystemExit) and code in fails_for_caller:  # sys.exit() is a `raise`
        return loc
    if is_library_file(code.co_filename) or code.co_code[last.tb_lasti] != _RAISE:
        return None
    return Loc(code.co_filename, last.tb_lineno)


def are_one(a: Exception, b: Exception) -> bool:
    """Whether two exceptions come from the same `raise`, in two runs of an iteration, with the same plain values."""
    if type(a) is not type(b) or raised_at(a) != raised_at(b) or len(a.args) != len(b.args):
        return False
    held = [*zip(a.args, b.args, strict=True), *((vars(a)[n], vars(b)[n]) for n in vars(a).keys() & vars(b).keys())]
    return all(not (_is_plain(x) and _is_plain(y)) or same(x, y) for x, y in held)


def _is_plain(value: Any) -> bool:
    """Whether a value is the same in each run: no tensor, nor a text that a run fills in."""
    return isinstance(value, ATOMS) and not (isinstance(value, str) and tells_late(value))


def _origin(error: BaseException) -> tuple[Loc | None, TracebackType | None]:
    """The user's innermost line in an exception's traceback, and the innermost entry; neither where it comes out of a
    PyLayer.
    """
    trace, loc, last = error.__traceback__, None, None
    while trace is not None:
        code = trace.tb_frame.f_code
        if code in opaque:
            return None, None
        if not is_library_file(code.co_filename) and not code.co_filename.startswith("<"):
            loc = Loc(code.co_filename, trace.tb_lineno)
        trace, last = trace.tb_next, trace
    return loc, last


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
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_name != "__next__":
        frame = frame.f_back
    if frame is None:
        return
    error = CaptureError(
        "whether this iterator ends is known only when the program runs",
        loc=loc,
        remedy="give `next` a default, write it as a generator function, or loop over a range",
    )
    raise error if decision is None else with_origins(tracer, error, [decision.flag])


def _emit_failure(tracer: Tracer, error: BaseException, loc: Loc) -> None:
    """Record that the program raises this exception here, with those that it came from."""
    if error is tracer.standard.handled:
        _emit_callback(tracer, type(error), _raise_handled, [], loc)
        return
    chain, links = chain_of(error, tracer.standard.handled)
    is_operations = isinstance(error, _OPERATIONS)
    is_outside = any(id(each) in tracer.objects.kept for each in chain)  # who catches it gets that very object
    if (not is_operations or is_of_run(error)) and (is_outside or varies_in_run(tracer, chain)):
        parts, assembled = taken_apart(tracer, error)
        values, filled = at_run_time(tracer, parts)
        raising = Raising(filled, [type(each) for each in chain], links, assembled)
        _emit_callback(tracer, type(error), raising, values, loc)
        return
    told = [_kind_and_message(each) for each in chain]
    if all(each is not None for each in told):
        (kind, message), *causes = [each for each in told if each is not None]
        attrs: dict[str, Any] = {"message": message, "error": kind}
        if links != _UNLINKED:
            attrs |= {"causes": tuple(causes), "links": links}
        tracer.builder.emit(check, [tracer.builder.constant(False, bool_)], attrs, [], loc=loc)
        return
    parts, assembled = taken_apart(tracer, error)
    for part in parts:
        refuse_kept(tracer, part, loc)
    _emit_callback(tracer, type(error), lambda *_: raise_linked(assembled(parts)), [], loc)


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


def _kind_and_message(error: BaseException) -> tuple[str, str] | None:
    """The class and message that an exception is made of; None where it holds more."""
    kind, args = type(error), error.args
    if isinstance(error, VitrifyError):
        help_ = f"\n  help: {error.remedy}" if error.remedy else ""
        return (kind.__name__, f"{error.message}{help_}") if isinstance(error, _OPERATIONS) else None
    if getattr(builtins, kind.__name__, None) is not kind or not issubclass(kind, Exception) or vars(error):
        return None
    if not args:
        return kind.__name__, ""
    return (kind.__name__, args[0]) if len(args) == 1 and type(args[0]) is str and args[0] else None


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


def _emit_callback(
    tracer: Tracer, kind: type[BaseException], call: Callable[..., Any], values: Sequence[Value], loc: Loc
) -> None:  # fmt: skip
    name = tracer.callback_name(f"raise {kind.__name__}")
    tracer.callbacks[name] = call
    attrs = {"callee": name, "outputs": (), "gradient": None, "form": "array"}
    tracer.builder.emit(callback, values, attrs, [], loc=loc)


# ---- out of a loop


@dataclass(slots=True)
class _Told:
    """One exception, with what varies in its arguments and attributes."""

    error: Exception
    leaves: list[Any]
    tree: Tree

    def is_like(self, other: _Told) -> bool:
        """Whether the same values vary."""
        return self.tree.kind == other.tree.kind and [*map(_kind_of, self.leaves)] == [*map(_kind_of, other.leaves)]


def _kind_of(leaf: Any) -> Any:
    return len(TOKEN.findall(leaf)) if isinstance(leaf, str) else type(leaf)


@dataclass(slots=True)
class CarriedErrors:
    """Exceptions that end a loop of the program and are caught around it, by the marks that say which has ended it.

    What they hold of the run leaves the loop, too: tensors and numbers of the iteration, and strings made from them.
    outside: the blocks around the loop.
    """

    tracer: Tracer
    outside: Sequence[Block]
    has_changed: bool = False  # whether one holds other kinds of values than in the trials before
    _of: dict[str, _Told] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget them: the loop is traced anew."""
        self._of = {}

    def marked(self, error: Exception) -> tuple[Any, ...]:
        """What an iteration carries out that ends with an exception: its mark, and the values in it."""
        mark = f"{type(error).__name__} {len(self._of)}"
        mark = next((m for m, told in self._of.items() if are_one(told.error, error)), mark)
        leaves, tree = flatten([(each.args, vars(each)) for each in self._chain(error)], self._is_inner)
        known, told = self._of.get(mark), _Told(error, leaves, tree)
        self.has_changed = self.has_changed or (known is not None and not told.is_like(known))
        self._of[mark] = told
        return mark, *(x for leaf in leaves for x in self._values(leaf))

    def ended(self, marked: tuple[Any, ...]) -> Exception:
        """The exception behind the loop, with the values that the loop has left."""
        mark, *values = marked
        told, given = self._of[mark], iter(values)
        parts = unflatten(told.tree, iter([self._filled(leaf, given) for leaf in told.leaves]))
        for each, (args, attributes) in zip(self._chain(told.error), parts, strict=True):
            each.args = args
            vars(each).update(attributes)
        return told.error

    def _chain(self, error: Exception) -> list[BaseException]:
        return chain_of(error, self.tracer.standard.handled)[0]

    def _is_inner(self, x: object) -> bool:
        """Whether a value, or what a string is made of, is one of the iteration."""
        if isinstance(x, str):
            return varies(x) and any(map(self._is_inner, tensors_in(self.tracer, x)))
        if isinstance(x, Tensor):
            payload = x._storage.payload
            return isinstance(payload, Value) and payload.block not in self.outside
        return isinstance(x, Dim)

    def _values(self, leaf: Any) -> list[Any]:
        return tensors_in(self.tracer, leaf) if isinstance(leaf, str) else [leaf]

    def _filled(self, leaf: Any, given: Iterator[Any]) -> Any:
        if not isinstance(leaf, str):
            return next(given)
        tracer = self.tracer
        specs = [tracer.strings[int(k)][1] for k in TOKEN.findall(leaf)]
        tokens = iter([tracer.string_of(next(given), spec) for spec in specs])
        return run_time_string(TOKEN.sub(lambda _: next(tokens), str.__str__(leaf)))
