"""Profiles of what runs: `profile`, and PaddlePaddle's `Profiler`, `RecordEvent` and `make_scheduler`."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.compat.profiler import (
    Profiler,
    ProfilerState,
    ProfilerTarget,
    RecordEvent,
    SortedKeys,
    SummaryView,
    export_chrome_tracing,
    make_scheduler,
)
from vitrify.runtime.observe.profile import Profile
from vitrify.runtime.observe.profiler import profile

__all__ = [
    "Profile", "Profiler", "ProfilerState", "ProfilerTarget", "RecordEvent", "SortedKeys", "SummaryView",
    "export_chrome_tracing", "make_scheduler", "profile",
]  # fmt: skip

__path__: list[str] = []  # modules below it are found by the tables of PaddlePaddle's names
_tell_unknown_names(__name__)
