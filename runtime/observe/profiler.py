"""Takes profiles: the clocked VM in place of the VM, eager mode with a clock, and spans of compiling.

While no profile is taken nothing of this is in any call's way: both are exchanged when one begins, and put back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...base.errors import ModeError
from ...base.events import listen
from ...base.layer_scope import in_layer, layer_path, remember
from ...base.location import Loc, caller_loc
from ...ops import dispatch
from ...ops.interpreter import Delegate, Interpreter
from ...ops.types import TensorType
from ...ops.work import bytes_of, work_of
from ..vm import team, virtual_machine
from ..vm.binding import Binding, binding_at
from ..vm.clocked import MOST_EVENTS, Notes, clocked, now
from ..vm.native_source.layout import Status
from .profile import EagerSum, Profile, ProfileEvent, ProgramNotes

_START_TEAM, _HOST_CALL = int(Status.START_TEAM), int(Status.HOST_CALL)
_taking: list[ProfileRecorder] = []


@contextmanager
def profile() -> Iterator[Profile]:
    """Take a profile of what runs inside the block: kernels, lines, layers, eager ops, and compiling.

    The `Profile` is complete when the block ends; then it prints as tables, and `export(path)` writes a trace for
    Chrome or Perfetto. Eager operations run one by one meanwhile (eager mode's plans are off).
    Errors: ModeError inside another profile.

    >>> import vitrify as vt
    >>> f = vt.to_static(lambda x: vt.tanh(x) * 2)
    >>> with vt.profiler.profile() as p:
    ...     y = f(vt.ones([8]))
    >>> [row.name for row in p.kernels]
    ['tanh_multiply']
    """
    recorder = ProfileRecorder()
    recorder.start()
    try:
        yield recorder.profile
    finally:
        recorder.stop()


def note_range(name: str, start: int, end: int) -> None:
    """Put a range of the user's (nanoseconds, `clocked.now`) into the profile that is being taken, if one is."""
    for recorder in _taking:
        recorder.note_range(name, start, end)


@dataclass(slots=True)
class _Program:
    """One binding that ran: its notes, and when it waits for Python, since when."""

    binding: Binding
    notes: Notes
    entries: int = 0
    calls: int = 0
    nanoseconds: int = 0
    waiting: tuple[int, int] | None = None  # row, since
    python: dict[int, list[int]] = field(default_factory=dict)  # row -> nanoseconds, calls


class ProfileRecorder:
    """Collects one profile between `start` and `stop`. Several threads may run meanwhile."""

    def __init__(self) -> None:
        self.profile = Profile()
        self._programs: dict[int, _Program] = {}
        self._closing = ExitStack()
        self._eager: dict[tuple[str, Loc, str], EagerSum] = {}
        self._timed: _TimedEager | None = None

    def start(self) -> None:
        """Exchange the VM and eager mode, and listen to spans."""
        if _taking:
            raise ModeError("a profile is being taken already", remedy="end that one first: profiles don't nest")
        self._native = clocked()  # compiled or loaded before the clock runs
        _taking.append(self)
        self._closing.enter_context(listen(self._span))
        self._timed = _TimedEager(dispatch.bottom(), self._op)
        dispatch.set_bottom(self._timed)
        virtual_machine.enter_by(self._enter)
        self.profile.started = now()

    def stop(self) -> None:
        """Put both back and hand over what was collected."""
        self.profile.ended = now()
        virtual_machine.enter_by(None)
        if self._timed is not None and dispatch.bottom() is self._timed:
            dispatch.set_bottom(self._timed.inner)
        self._closing.close()
        _taking.remove(self)
        for header, program in self._programs.items():
            self.profile.programs.append(_handed_over(header, program))
        self.profile.eager = dict(self._eager)

    # ---- compiled programs

    def _enter(self, header: int) -> int:
        program = self._programs.get(header)
        if program is None:
            binding = binding_at(header)
            if binding is None:  # a worker of the team
                return virtual_machine.plainly(header)
            program = self._programs[header] = _Program(binding, Notes(header, len(binding.steps_of_rows)))
        start = now()
        if program.waiting is not None:
            self._came_back(program, start)
        status = self._native(program.notes.address)
        while status == _START_TEAM:
            team.start(virtual_machine.plainly)
            status = self._native(program.notes.address)
        end = now()
        program.entries += 1
        program.nanoseconds += end - start
        if status == _HOST_CALL:
            program.waiting = program.binding.header.pc - 1, end
        else:
            program.calls += 1
        self._event("call", program.binding.program.name, start, end, owner=header)
        return status

    def _came_back(self, program: _Program, at: int) -> None:
        """Python has done a host call: charge it to the row, unless that call failed."""
        assert program.waiting is not None
        (row, since), program.waiting = program.waiting, None
        if program.binding.header.pc != 0:
            sums = program.python.setdefault(row, [0, 0])
            sums[0] += at - since
            sums[1] += 1
            self._event("python", "Python", since, at)

    # ---- eager mode and compiling

    def _op(self, op: Any, args: tuple[Any, ...], made: Any, attrs: dict[str, Any], start: int, end: int) -> None:
        place = caller_loc(3, chain=1)
        key = (op.name, place, layer_path())
        sums = self._eager.get(key)
        if sums is None:
            sums = self._eager[key] = EagerSum()
        sums.calls += 1
        sums.nanoseconds += end - start
        values = [x for a in args for x in (a if isinstance(a, (list, tuple)) else (a,)) if hasattr(x, "dtype")]
        given = [TensorType(x.dtype, tuple(x.shape)) for x in values]
        results = [TensorType(x.dtype, tuple(x.shape)) for x in (made if isinstance(made, tuple) else (made,))]
        sums.bytes += int(bytes_of([*given, *results]))
        try:
            work = work_of(op, given, results, {**op.attrs, **attrs})
        except (TypeError, IndexError, KeyError):  # operands that preparing would have changed
            work = None
        sums.add_work(work)
        self._event("op", op.name, start, end, place)

    def note_range(self, name: str, start: int, end: int) -> None:
        """A range that the user named."""
        self._event("range", name, start, end)

    def _span(self, name: str, start: float, end: float) -> None:
        self._event("compile", name, int(start * 1e9), int(end * 1e9))

    def _event(self, kind: str, name: str, start: int, end: int, place: Loc | None = None, owner: int = 0) -> None:
        profile = self.profile
        if kind == "compile" or len(profile.events) < MOST_EVENTS:
            profile.events.append(ProfileEvent(kind, name, start, end, threading.get_ident(), place, owner))
        else:
            profile.dropped += 1


def _handed_over(header: int, program: _Program) -> ProgramNotes:
    notes = program.notes
    count = min(notes.events_seen, MOST_EVENTS)
    return ProgramNotes(
        header, program.binding.program.name, program.binding.sizes, list(program.binding.steps_of_rows), notes.sums,
        notes.events[:count].copy(), notes.events_seen - count, program.calls, program.nanoseconds, program.python,
    )  # fmt: skip


class _TimedEager(Delegate):
    """Eager mode with a clock: hands every op to the interpreter that it stands for."""

    wraps_layers = True

    def __init__(self, eager: Interpreter, note: Callable[..., None]) -> None:
        super().__init__(eager)
        self._note = note
        self._state = threading.local()

    def again(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self._timed(self.inner.again, op, args, kwargs)

    def planned(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return NotImplemented  # its ops are timed one by one

    def rule_of(self, node: Any, grads: tuple[Any, ...]) -> Any:
        return NotImplemented

    def apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return self._timed(self.inner.apply, op, args, attrs)

    def _timed(self, run: Callable[..., Any], op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        state = self._state
        if getattr(state, "busy", False):  # an op that another one calls is part of that one
            return run(op, args, attrs)
        state.busy = True
        try:
            start = now()
            made = run(op, args, attrs)
            end = now()
            remember(getattr(made[0] if isinstance(made, tuple) and made else made, "_node", None))
        finally:
            state.busy = False
        if made is not NotImplemented:
            self._note(op, args, made, attrs, start, end)
        return made

    def forward_of(self, layer: Any) -> Callable[..., Any]:
        """The layer's own `forward`, which knows meanwhile whose it is."""
        return in_layer(layer, layer.forward)
