# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from enum import Enum as _Enum
from typing import Any as _Any
from vitrify.runtime.observe.profile import Profile as _Profile

class Profiler:
    """Profiles the steps that a schedule names; a context manager, or `start`, `step` …, `stop`.

    scheduler: a function from the step's number to a ProfilerState (`make_scheduler`), or (first, last) for the steps
    from `first` to before `last`; None: every step. on_trace_ready: called with the profiler at the end of each cycle.
    timer_only: only `step_info`. Operations are always counted; shapes and memory are part of `result`.
    Errors: ArgumentError for targets that aren't the CPU."""
    with_flops: _bool
    step_num: _int
    current_state: _Any
    def __init__(self, *, targets: _Iterable[_Any] | None = None, scheduler: _Callable[[_int], _Any] | _tuple[_int, _int] | None = None, on_trace_ready: _Callable[..., _Any] | None = None, record_shapes: _bool = False, profile_memory: _bool = False, timer_only: _bool = False, emit_nvtx: _bool = False, custom_device_types: _list[_str] | None = None, with_flops: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def result(self) -> _Profile:
        """The profile of the last cycle. Errors: ModeError before one has been recorded."""
    def __enter__(self) -> Profiler: ...
    def __exit__(self, *_: _object) -> None: ...
    def start(self) -> None:
        """Begin with step 0."""
    def step(self, num_samples: _int | None = None) -> None:
        """The next step begins. num_samples: of the step that ended, for `step_info`."""
    def stop(self) -> None:
        """End; a cycle that is being recorded is handed to `on_trace_ready`."""
    def step_info(self, unit: _str | None = None) -> _str:
        """The mean time and throughput of the steps since the last call."""
    def export(self, path: _str = '', format: _str = 'json') -> None:
        """Write the last cycle as a trace for Chrome and Perfetto. ArgumentError for other formats than json."""
    def summary(self, sorted_by: _Any = ..., op_detail: _bool = True, thread_sep: _bool = False, time_unit: _str = 'ms', views: _Any = None) -> None:
        """Print the tables of the last cycle."""

class ProfilerState(_Enum):
    """What a step is: not recorded, warming up, recorded, or recorded and the last of its cycle."""
    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3

class ProfilerTarget(_Enum):
    """What to look at. There is one device here, the CPU."""
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3

class RecordEvent:
    """A named range of a profile: a context manager, a decorator, or `begin()` and `end()`. Without a profile: nothing.

    >>> with RecordEvent("loading"):
    ...     pass"""
    name: _str
    event_type: _Any
    def __init__(self, name: _str, event_type: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def begin(self) -> None:
        """The range begins here."""
    def end(self) -> None:
        """The range ends here; without a `begin` nothing happens."""
    def __enter__(self) -> RecordEvent: ...
    def __exit__(self, *_: _object) -> None: ...
    def __call__(self, function: _Callable[..., _Any]) -> _Callable[..., _Any]:
        """Call self as a function."""

class SortedKeys(_Enum):
    """Orders of `Profiler.summary`. Tables here go by total time; the others are accepted and change nothing."""
    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7

class SummaryView(_Enum):
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
