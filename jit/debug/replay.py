"""Replay: a call run again line by line, up to the operation that went wrong, with the values of every step."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, NonFiniteError
from ...base.location import Loc, is_foreign, is_library_file
from ...base.pytree import flatten, map_leaves
from ...dygraph.anomaly import detect_anomaly
from ...dygraph.eager import from_array
from ...dygraph.tensor import Tensor
from ...ops.dispatch import at_bottom
from ...ops.finite import REMEDY, complaint
from ...ops.op import Op
from ..call.eager_calls import recorders
from ..call.signature import array_of
from ..function import StaticFunction
from ..switches import uncompiled
from ..trace.traced import Trace
from .sandbox import undone
from .trail import Trail
from .verify import Watching, as_static

Array = np.ndarray[Any, Any]
Debugger = Callable[[FrameType, "Replay"], object]
MOST_STEPS = 10_000


@dataclass(frozen=True)
class Recording:
    """One call: the function, its arguments and the state that it read, as they were. `error`: how it ended.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> record(lambda x: x + 1, to_tensor([1.0, 2.0])).nbytes
    8
    """

    function: StaticFunction
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    state: Sequence[tuple[Tensor, Array]] = ()
    error: BaseException | None = None

    @property
    def nbytes(self) -> int:
        """What it holds."""
        leaves = flatten((self.args, dict(self.kwargs)), _is_tensor)[0]
        arrays = [x._storage.payload for x in leaves] + [a for _, a in self.state]
        return sum(int(a.nbytes) for a in arrays)

    def __repr__(self) -> str:
        ended = "" if self.error is None else f", ended by {type(self.error).__name__}"
        return f"<recording of {self.function._signature.shown}: {self.nbytes} bytes{ended}>"


def record(fn: Any, *args: Any, **kwargs: Any) -> Recording:
    """Copy what a call would read: arguments, parameters, buffers, random state. Nothing runs but the capture.

    Errors: KindError for what isn't callable; CaptureError for what can't be captured.
    """
    static = as_static(fn)
    with undone([*args, *kwargs.values(), static._original()]):
        entry = static._entry(static._signature.call(args, kwargs))
    return _recorded(static, args, kwargs, entry.trace, None)


def _recorded(
    static: StaticFunction, args: tuple[Any, ...], kwargs: Mapping[str, Any], trace: Trace | None, error: Any
) -> Recording:  # fmt: skip
    copied = map_leaves(_copy, (args, dict(kwargs)), _is_tensor)
    tensors = [] if trace is None else [s.tensor for s in trace.state if s.slot == "data"]
    state = [(x, np.array(x._storage.payload)) for x in tensors]
    return Recording(static, copied[0], copied[1], state, error)


@contextmanager
def recording(check_nan: bool = False) -> Iterator[list[Recording]]:
    """Keep a recording of every call of a compiled function that fails inside the block, in the list that it gives.

    A call that goes well costs nothing more. check_nan: calls that make NaN or infinity fail, as by `detect_anomaly`.

    >>> with recording() as failed:
    ...     pass
    >>> failed
    []
    """
    made: list[Recording] = []

    def note(static: StaticFunction, args: tuple[Any, ...], kwargs: Mapping[str, Any], error: BaseException) -> None:
        entries = static._entries()
        last = static._last or (entries[-1] if entries else None)
        made.append(_recorded(static, args, kwargs, None if last is None else last.trace, error))

    with ExitStack() as stack:
        if check_nan:
            stack.enter_context(detect_anomaly())
        recorders.append(note)
        stack.callback(recorders.remove, note)
        yield made


@dataclass(frozen=True)
class ReplayStep:
    """One operation that ran: its op, the user's line, the iterations of the loops around it, its operands and results.

    locals: the variables of the user's function at that time; tensors are copies.
    """

    op: str
    loc: Loc
    where: str
    turns: tuple[int, ...]
    read: tuple[Array, ...]
    made: tuple[Array, ...]
    locals: Mapping[str, Any] = field(repr=False)

    @property
    def turn(self) -> int | None:
        """The number of the iteration of the innermost loop; None outside of loops."""
        return self.turns[-1] if self.turns else None

    def __str__(self) -> str:
        inside = f", in {self.where}" if self.where else ""
        values = [f"    {name} = {_short(value)}" for name, value in self.locals.items()]
        made = ", ".join(_short(a) for a in self.made)
        return "\n".join([f"{self.op}{inside}", self.loc.excerpt(), f"  made {made}", *values])


class Replay:
    """A call run again. `steps` are the operations up to the end, `here` the one that is looked at: at first the last.

    error: what ended the run: the user's exception, or NonFiniteError for the first NaN or infinity; None if the run
    stopped where it was told to, or went well.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.steps: deque[ReplayStep] = deque(maxlen=MOST_STEPS)
        self.position = -1
        self.error: BaseException | None = None
        self.frame: FrameType | None = None

    @property
    def here(self) -> ReplayStep:
        """The step that is looked at. Errors: ArgumentError where nothing ran."""
        if not self.steps:
            raise ArgumentError(f"no operation of {self.name} ran", remedy="look at `error` and `frame`")
        return self.steps[self.position]

    @property
    def locals(self) -> Mapping[str, Any]:
        """The user's variables at the step that is looked at; after an exception, those of the line that raised it."""
        if self.frame is not None and self.position == len(self.steps) - 1:
            return dict(self.frame.f_locals)
        return self.here.locals

    def back(self, count: int = 1) -> ReplayStep:
        """Look at an earlier step; at the first one if there aren't so many."""
        self.position = max(0, self.position - count)
        return self.here

    def forward(self, count: int = 1) -> ReplayStep:
        """Look at a later step; at the last one if there aren't so many."""
        self.position = min(len(self.steps) - 1, self.position + count)
        return self.here

    def find(self, *, line: int | None = None, turn: int | None = None, op: str | None = None) -> ReplayStep:
        """Look at the first step of this line, innermost iteration and op. Errors: ArgumentError for none."""
        for k, step in enumerate(self.steps):
            if line in (None, step.loc.line) and turn in (None, step.turn) and op in (None, step.op):
                self.position = k
                return step
        raise ArgumentError(f"{self.name} has no such step", remedy="the steps are in `steps`")

    def __str__(self) -> str:
        ended = "went well" if self.error is None else f"{type(self.error).__name__}: {self.error}"
        shown = f"\n{self.here}" if self.steps else ""
        return f"{self.name}, step {self.position + 1} of {len(self.steps)}; {ended}{shown}"

    __repr__ = __str__


def replay(
    fn: Any, *args: Any, line: int | None = None, turn: int | None = None, debugger: bool | Debugger = False,
    **kwargs: Any,
) -> Replay:  # fmt: skip
    """Run a call again eagerly, up to the operation that makes NaN, infinity or an error, and keep every step.

    fn: a Recording, or a function, compiled or not, with its arguments: a call that failed has changed nothing, so the
    same call can be replayed right after it. Whatever the run writes is undone. line, turn: stop behind the first
    operation of this line, or of this iteration of the innermost loop, instead. debugger: True opens pdb at the user's
    line while its variables are alive; a function is called with the frame and the Replay.
    Errors: KindError for what isn't callable.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> def scaled(x):
    ...     y = x * 2
    ...     return y / 0
    >>> again = replay(scaled, to_tensor([1.0]))
    >>> again.here.op, again.back().op, again.here.made
    ('divide', 'multiply', (array([2.], dtype=float32),))
    """
    recorded = fn if isinstance(fn, Recording) else None
    if recorded is None:
        static = as_static(fn)
        given: tuple[tuple[Any, ...], Mapping[str, Any]] = (args, kwargs)
    else:
        static, given = recorded.function, (recorded.args, recorded.kwargs)
    call = static._signature.call(given[0], dict(given[1]))
    state = () if recorded is None else recorded.state
    roots = [*given[0], *given[1].values(), static._original(), getattr(static._original(), "__self__", None)]
    made = Replay(static._signature.shown)
    tensors = [x for x, _ in state] + [x for x in call.leaves if _is_tensor(x)]
    with undone(roots, tensors):
        for x, array in state:
            x._storage.replace(np.array(array))
        iterations = _Iterations(static, call)
        with undone(roots, tensors), uncompiled(), at_bottom(_Stepping(made, iterations, line, turn, debugger)):
            try:
                static._original()(*call.args, **call.kwargs)
            except _Stopped:
                pass
            except Exception as error:  # broad: whatever the user's code raises is what is looked for
                made.error = error
                made.frame = _innermost(error)
                if debugger and made.frame is not None and not isinstance(error, NonFiniteError):
                    _open(debugger, made.frame, made)
    made.position = len(made.steps) - 1
    return made


class _Stopped(BaseException):
    """Ends a replay where it was told to stop; no `except Exception` of the user's catches it."""


class _Iterations:
    """In which iterations of which loops an operation of a line ran, by the captured program, in order."""

    def __init__(self, static: StaticFunction, call: Any) -> None:
        self.waiting: dict[Any, list[Any]] = {}
        try:
            entry = static._entry(call)
        except Exception:  # broad: what can't be captured has no loops of a program
            return
        arrays = entry.runner.state.arrays(call.numbers, call.leaves) or ()
        feeds = [np.array(array_of(x)) for x in call.leaves]
        trail = Trail.of(entry.trace.program, feeds, [np.array(a) for a in arrays], entry.trace.callbacks)
        runs = [(e.operation, e.iterations) for e in trail.events]
        runs += [] if trail.failed is None else [(trail.failed, trail.failed_iterations)]
        for operation, iterations in runs:
            loc = operation.loc
            self.waiting.setdefault((operation.name, loc.file, loc.line), []).append(iterations)

    def of(self, op: str, loc: Loc) -> tuple[str, tuple[int, ...]]:
        """The iterations of the next run of an op at a line: in words, and as numbers."""
        queue = self.waiting.get((op, loc.file, loc.line))
        if not queue:
            return "", ()
        iterations = queue.pop(0) if len(queue) > 1 else queue[0]
        return ", ".join(str(t) for t in reversed(iterations)), tuple(t.number for t in iterations)


class _Stepping(Watching):
    """Eager mode that keeps every step and stops at the first that goes wrong."""

    def __init__(
        self, made: Replay, iterations: _Iterations, line: int | None, turn: int | None, debugger: bool | Debugger
    ) -> None:  # fmt: skip
        super().__init__()
        self.made, self.iterations, self.line, self.turn, self.debugger = made, iterations, line, turn, debugger
        self.copies: dict[tuple[int, int], Tensor] = {}

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        given = tuple(np.array(x._storage.payload) for x in args)
        made = super().apply(op, args, attrs)
        results = tuple(np.array(m._storage.payload) for m in (made if isinstance(made, tuple) else (made,)))
        frame = _user_frame()
        if frame is None:
            return made
        loc = Loc(frame.f_code.co_filename, frame.f_lineno)
        where, numbers = self.iterations.of(op.name, loc)
        step = ReplayStep(op.name, loc, where, numbers, given, results, self._locals(frame))
        self.made.steps.append(step)
        self.made.position = len(self.made.steps) - 1
        words = complaint(op, results, given)
        asked = self.line is not None or self.turn is not None
        if asked:
            if self.line in (None, loc.line) and self.turn in (None, step.turn):
                self._stop(frame, None)
        elif words is not None:
            self._stop(frame, NonFiniteError(words + (f", in {where}" if where else ""), loc=loc, remedy=REMEDY))
        return made

    def _stop(self, frame: FrameType, error: NonFiniteError | None) -> None:
        self.made.error = error
        if self.debugger:
            _open(self.debugger, frame, self.made)
        raise _Stopped

    def _locals(self, frame: FrameType) -> dict[str, Any]:
        return {name: self._kept(value) for name, value in frame.f_locals.items()}

    def _kept(self, value: Any) -> Any:
        """A tensor as it is now; other things themselves."""
        if not isinstance(value, Tensor) or not isinstance(value._storage.payload, np.ndarray):
            return value
        return _copy(value)


def _open(debugger: bool | Debugger, frame: FrameType, made: Replay) -> None:
    if callable(debugger):
        debugger(frame, made)
        return
    import pdb

    session = pdb.Pdb()
    session.reset()
    session.interaction(frame, None)


def _user_frame() -> FrameType | None:
    """The innermost frame of the user's."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def _innermost(error: BaseException) -> FrameType | None:
    """The innermost frame of the user's that an exception went through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if not _is_ours(trace.tb_frame):
            found = trace.tb_frame
        trace = trace.tb_next
    return found


def _is_ours(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return is_library_file(file) or is_foreign(file)


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def _copy(x: Tensor) -> Tensor:
    made = from_array(np.array(x._storage.payload), x._dtype)
    made.stop_gradient = x.stop_gradient
    return made


def _short(value: Any) -> str:
    if isinstance(value, Tensor):
        value = value._storage.payload
    if isinstance(value, np.ndarray):
        elements = np.array2string(value, threshold=8, edgeitems=2, separator=", ").replace("\n", "")
        return f"{elements} ({value.dtype}{list(value.shape)})"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
