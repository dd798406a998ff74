"""PaddlePaddle's `paddle.profiler` over `vt.profiler.profile`: a profiler with a schedule, and named ranges."""

from __future__ import annotations

import functools
import os
import socket
import time
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError, ModeError
from ..runtime.observe.profile import Profile
from ..runtime.observe.profiler import ProfileRecorder, note_range
from ..runtime.vm.clocked import now


class ProfilerState(Enum):
    """What a step is: not recorded, warming up, recorded, or recorded and the last of its cycle."""

    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3


class ProfilerTarget(Enum):
    """What to look at. There is one device here, the CPU."""

    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3


class SortedKeys(Enum):
    """Orders of `Profiler.summary`. Tables here go by total time; the others are accepted and change nothing."""

    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7


class SummaryView(Enum):
    """Parts of `Profiler.summary`."""

    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8


Scheduler = Callable[[int], ProfilerState]
_RECORDED = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)


def make_scheduler(*, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0) -> Scheduler:
    """A schedule of cycles of steps: `closed`, then `ready`, then `record`; `repeat` cycles, or without end for 0.

    skip_first: closed steps before the first cycle. Errors: ArgumentError for negative counts, or a cycle of no steps.

    >>> [make_scheduler(closed=1, ready=1, record=2, repeat=1)(k).name for k in range(5)]
    ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']
    """
    cycle = closed + ready + record
    if min(closed, ready, record, skip_first) < 0 or cycle == 0:
        raise ArgumentError("closed, ready, record and skip_first must be 0 or more, and not all 0")

    def state(step: int) -> ProfilerState:
        if step < 0:
            raise ArgumentError(f"steps are counted from 0, not {step}")
        repetition, place = divmod(step - skip_first, cycle)
        if step < skip_first or (0 < repeat <= repetition) or place < closed:
            return ProfilerState.CLOSED
        if place < closed + ready:
            return ProfilerState.READY
        return ProfilerState.RECORD if place < cycle - 1 else ProfilerState.RECORD_AND_RETURN

    return state


def export_chrome_tracing(dir_name: str, worker_name: str | None = None) -> Callable[[Profiler], None]:
    """What `on_trace_ready` takes: writes each finished cycle into a folder as a trace for Chrome and Perfetto.

    Errors: RuntimeError (ArgumentError of the export) where the folder can't be made.
    """
    try:
        Path(dir_name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"the folder {dir_name!r} can't be made: {error}") from error
    who = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def write(profiler: Profiler) -> None:
        when = time.strftime("%Y_%m_%d_%H_%M_%S") + f"_{time.time_ns() // 1000 % 1_000_000:06d}"
        profiler.export(str(Path(dir_name) / f"{who}_time_{when}.paddle_trace.json"), format="json")

    return write


class RecordEvent:
    """A named range of a profile: a context manager, a decorator, or `begin()` and `end()`. Without a profile: nothing.

    >>> with RecordEvent("loading"):
    ...     pass
    """

    def __init__(self, name: str, event_type: Any = None) -> None:
        self.name = name
        self.event_type = event_type
        self._start: int | None = None

    def begin(self) -> None:
        """The range begins here."""
        self._start = now()

    def end(self) -> None:
        """The range ends here; without a `begin` nothing happens."""
        if self._start is not None:
            note_range(self.name, self._start, now())
            self._start = None

    def __enter__(self) -> RecordEvent:
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with RecordEvent(self.name, self.event_type):
                return function(*args, **kwargs)

        return run


class Profiler:
    """Profiles the steps that a schedule names; a context manager, or `start`, `step` …, `stop`.

    scheduler: a function from the step's number to a ProfilerState (`make_scheduler`), or (first, last) for the steps
    from `first` to before `last`; None: every step. on_trace_ready: called with the profiler at the end of each cycle.
    timer_only: only `step_info`. Operations are always counted; shapes and memory are part of `result`.
    Errors: ArgumentError for targets that aren't the CPU.
    """

    def __init__(
        self, *, targets: Iterable[ProfilerTarget] | None = None, scheduler: Scheduler | tuple[int, int] | None = None,
        on_trace_ready: Callable[..., Any] | None = None, record_shapes: bool = False, profile_memory: bool = False,
        timer_only: bool = False, emit_nvtx: bool = False, custom_device_types: list[str] | None = None,
        with_flops: bool = False,
    ) -> None:  # fmt: skip
        others = [t for t in targets or () if t is not ProfilerTarget.CPU]
        if others:
            raise ArgumentError(f"there is no {others[0].name} here", remedy="profile ProfilerTarget.CPU")
        self._scheduler = _scheduler(scheduler)
        self._ready = on_trace_ready
        self._timer_only = timer_only
        self.with_flops = with_flops
        self.step_num = 0
        self.current_state = ProfilerState.CLOSED
        self._recorder: ProfileRecorder | None = None
        self._result: Profile | None = None
        self._steps: list[tuple[float, int | None]] = []
        self._last = 0.0

    @property
    def result(self) -> Profile:
        """The profile of the last cycle. Errors: ModeError before one has been recorded."""
        if self._result is None:
            raise ModeError("no step has been recorded yet", remedy="run steps that the scheduler records, then stop()")
        return self._result

    def __enter__(self) -> Profiler:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin with step 0."""
        self._last = time.perf_counter()
        self.step_num = 0
        self._move(self._scheduler(0))

    def step(self, num_samples: int | None = None) -> None:
        """The next step begins. num_samples: of the step that ended, for `step_info`."""
        moment = time.perf_counter()
        self._steps.append((moment - self._last, num_samples))
        self.step_num += 1
        before, after = self.current_state, self._scheduler(self.step_num)
        if before is ProfilerState.RECORD_AND_RETURN or (before in _RECORDED and after not in _RECORDED):
            self._finish()
        self._move(after)
        self._last = time.perf_counter()

    def stop(self) -> None:
        """End; a cycle that is being recorded is handed to `on_trace_ready`."""
        if self._recorder is not None:
            self._finish()
        self.current_state = ProfilerState.CLOSED

    def step_info(self, unit: str | None = None) -> str:
        """The mean time and throughput of the steps since the last call."""
        steps, self._steps = self._steps, []
        if not steps:
            return ""
        seconds = sum(t for t, _ in steps)
        samples = [n for _, n in steps if n is not None]
        rate = (sum(samples) if samples else len(steps)) / seconds if seconds else 0.0
        name = (unit or "samples") if samples else "steps"
        return f" batch_cost: {seconds / len(steps):.5f} s ips: {rate:.3f} {name}/s"

    def export(self, path: str = "", format: str = "json") -> None:
        """Write the last cycle as a trace for Chrome and Perfetto. ArgumentError for other formats than json."""
        if format != "json":
            raise ArgumentError(f"profiles aren't written as {format!r}", remedy='use format="json"')
        self.result.export(path)

    def summary(
        self, sorted_by: SortedKeys = SortedKeys.CPUTotal, op_detail: bool = True, thread_sep: bool = False,
        time_unit: str = "ms", views: Any = None,
    ) -> None:  # fmt: skip
        """Print the tables of the last cycle."""
        if self._result is not None:
            print(self._result)

    def _move(self, state: ProfilerState) -> None:
        self.current_state = state
        if state in _RECORDED and self._recorder is None and not self._timer_only:
            self._recorder = ProfileRecorder()
            self._recorder.start()

    def _finish(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        recorder.stop()
        self._result = recorder.profile
        if self._ready is not None:
            self._ready(self)


def _scheduler(given: Scheduler | tuple[int, int] | None) -> Scheduler:
    if given is None:
        return lambda step: ProfilerState.RECORD
    if callable(given):
        return given
    first, last = given
    if not 0 <= first < last:
        raise ArgumentError(f"scheduler={given!r} names no steps", remedy="give (first, last) with first < last")
    return make_scheduler(closed=max(first - 1, 0), ready=int(first > 0), record=last - first, repeat=1)
