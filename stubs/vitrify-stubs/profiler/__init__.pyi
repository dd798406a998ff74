# Written by `make stubs`; edits here are lost.

"""Profiles of what runs: `profile`, and PaddlePaddle's `Profiler`, `RecordEvent` and `make_scheduler`."""

from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from vitrify.compat.profiler import Profiler as Profiler
from vitrify.compat.profiler import Profiler as _Profiler
from vitrify.compat.profiler import ProfilerState as ProfilerState
from vitrify.compat.profiler import ProfilerState as _ProfilerState
from vitrify.compat.profiler import ProfilerTarget as ProfilerTarget
from vitrify.compat.profiler import RecordEvent as RecordEvent
from vitrify.compat.profiler import SortedKeys as SortedKeys
from vitrify.compat.profiler import SummaryView as SummaryView
from vitrify.runtime.observe.profile import Profile as Profile
from vitrify.runtime.observe.profile import Profile as _Profile

def export_chrome_tracing(dir_name: _str, worker_name: _str | None = None) -> _Callable[[_Profiler], None]:
    """What `on_trace_ready` takes: writes each finished cycle into a folder as a trace for Chrome and Perfetto.

    Errors: RuntimeError (ArgumentError of the export) where the folder can't be made."""

def make_scheduler(*, closed: _int, ready: _int, record: _int, repeat: _int = 0, skip_first: _int = 0) -> _Callable[[_int], _ProfilerState]:
    """A schedule of cycles of steps: `closed`, then `ready`, then `record`; `repeat` cycles, or without end for 0.

    skip_first: closed steps before the first cycle. Errors: ArgumentError for negative counts, or a cycle of no steps.

    >>> [make_scheduler(closed=1, ready=1, record=2, repeat=1)(k).name for k in range(5)]
    ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']"""

def profile() -> _Iterator[_Profile]:
    """Take a profile of what runs inside the block: kernels, lines, layers, eager ops, and compiling.

    The `Profile` is complete when the block ends; then it prints as tables, and `export(path)` writes a trace for
    Chrome or Perfetto. Eager operations run one by one meanwhile (eager mode's plans are off).
    Errors: ModeError inside another profile.

    >>> import vitrify as vt
    >>> f = vt.to_static(lambda x: vt.tanh(x) * 2)
    >>> with vt.profiler.profile() as p:
    ...     y = f(vt.ones([8]))
    >>> [row.name for row in p.kernels]
    ['tanh_multiply']"""
