# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor

class Task:
    """An exchange. Those of `sync_op=True` have ended when they are returned; so have those of captured functions, but
    for `isend`."""
    transport: _Any | None
    def __init__(self, request: _Any | None = None, targets: _Sequence[_Tensor] = ..., part: _Callable[[_Any, _int], _Any] | None = None) -> None:
        """targets: what the result is written into; `part(result, k)` is what the k-th of several gets."""
    def wait(self, timeout: _Any = None) -> _bool:
        """Wait until the exchange has ended; True. Errors: ExchangeError."""
    def is_completed(self) -> _bool:
        """Whether `wait` would return at once."""
