# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Mapping as _Mapping
from os import PathLike as _PathLike
from typing import Any as _Any

class NativeModel:
    """A model in a library. Call it with one array per input; it gives one array per output, or the only one.

    limits: the largest sizes that calls will have, where that is less than what the library allows: it saves memory.
    Not for two threads at once: each needs its own. `inputs` and `outputs` describe the arrays, as the manifest does.
    Errors: TypeError for another number of arrays; ValueError for other shapes and dtypes; MemoryError for sizes
    beyond the library's limits; RuntimeError where a check of the program fails."""
    manifest: _dict[_str, _Any]
    inputs: _list[_dict[_str, _Any]]
    outputs: _list[_dict[_str, _Any]]
    def __init__(self, folder: _str | _PathLike[_str], limits: _Mapping[_str, _int] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def bind(self, name: _str, function: _Callable[..., _Any]) -> None:
        """Let the model call a function for the callback of that name: it takes NumPy's arrays and returns arrays.

        The first exception that it raises is raised by the call of the model. Errors: ValueError for an unknown name."""
    def split(self, count: _int, pool: _Any = None) -> None:
        """Split large steps of a run among the threads of a pool, such as a ThreadPoolExecutor; a count of 1: no more.

        pool.map(task, numbers) runs them. Results have the same bits for any count."""
    @property
    def state(self) -> _dict[_str, _Any]:
        """What the model keeps from call to call, by name: arrays over its own memory, to read and write."""
    def reset(self) -> None:
        """Give state the values that it had when the library was built."""
    def __call__(self, *arrays: _Any) -> _Any:
        """Compute the outputs."""
