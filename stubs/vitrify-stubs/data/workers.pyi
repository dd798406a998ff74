# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from typing import Any as _Any

class WorkerInfo:
    """What a worker process knows about itself: its number, how many there are, its seed, its copy of the data set."""
    id: _int
    num_workers: _int
    seed: _int
    dataset: _Any
    def __init__(self, id: _int, num_workers: _int, seed: _int, dataset: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
