# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from enum import EnumType as _EnumType
from typing import Any as _Any
from vitrify.static.scope import Scope as _Scope

class BuildStrategy(_Strategy):
    """Settings of Paddle's graph building: kept, without effect."""
    ReduceStrategy: _EnumType
    GradientScaleStrategy: _EnumType

class _Strategy:
    """Settings of Paddle's engine: kept, without effect."""
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class CompiledProgram:
    """A program as `Executor.run` takes it; everything is compiled here, with or without this.

    Errors: KindError for anything but a program."""
    program: _Any
    build_strategy: _Any
    def __init__(self, program: _Any, build_strategy: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def with_data_parallel(self, *_: _Any, **__: _Any) -> CompiledProgram:
        """The same: there is one device."""

class ExecutionStrategy(_Strategy):
    """Settings of Paddle's engine: kept, without effect."""

class Executor:
    """Runs programs. place: the CPU.

    >>> from .mode_guards import data, disable_static, enable_static, program_guard
    >>> enable_static()
    >>> main = Program()
    >>> with program_guard(main):
    ...     y = data("x", [None, 2]) * 2.0
    >>> Executor().run(main, feed={"x": np.ones((1, 2), "float32")}, fetch_list=[y])
    [array([[2., 2.]], dtype=float32)]
    >>> disable_static()"""
    place: _Any
    def __init__(self, place: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def close(self) -> None:
        """Release it: `run` is an error afterwards. Parameter servers wait no more for the programs that it ran."""
    def run(self, program: _Any = None, feed: _Any = None, fetch_list: _Any = None, feed_var_name: _str = 'feed', fetch_var_name: _str = 'fetch', scope: _Scope | None = None, return_numpy: _bool = True, use_program_cache: _bool = False, return_merged: _bool = True, use_prune: _bool = False) -> _list[_Any]:
        """Run the program once; the values of `fetch_list` (variables or names), as arrays or tensors.

        program: default the main program. feed: arrays by name. use_prune: no updates of state, only what the fetches
        need. It is compiled at the first run and after each change.
        Errors: ModeError (a RuntimeError) after `close`; KindError for a feed or fetches of another kind; ArgumentError
        for feeds that are missing or don't fit; MissingError for a fetch that isn't there, or state without a value."""
    def train_from_dataset(self, program: _Any = None, dataset: _Any = None, scope: _Scope | None = None, thread: _int = 0, debug: _bool = False, fetch_list: _Any = None, fetch_info: _Sequence[_str] | None = None, print_period: _int = 100) -> None:
        """Run a program once for each batch of a `distributed.QueueDataset` or `InMemoryDataset`, one after the other.

        fetch_list: what is printed every `print_period` batches, with the texts of `fetch_info` before it.
        thread, debug: without effect. Errors: ModeError without a data set; those of `run`, and of the data set."""
    def infer_from_dataset(self, program: _Any = None, dataset: _Any = None, scope: _Scope | None = None, thread: _int = 0, debug: _bool = False, fetch_list: _Any = None, fetch_info: _Sequence[_str] | None = None, print_period: _int = 100) -> None:
        """The same without updates of state."""
