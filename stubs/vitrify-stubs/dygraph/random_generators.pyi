# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor

class Generator:
    """A stream of random numbers. `state`: int64[2], the seed and how many numbers were drawn."""
    state: _Tensor
    begins_anew: _bool
    def __init__(self, seed: _Any = 0, device: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def manual_seed(self, seed: _int) -> Generator:
        """Begin the stream of another seed."""
    def get_state(self) -> _Tensor:
        """A copy of the state."""
    def set_state(self, state: _Any) -> None:
        """Go back to a state that `get_state` gave."""
    def initial_seed(self) -> _int:
        """The seed of the stream."""
    def draw(self, row: _str, shape: _Sequence[_Any], dtype: _Any = None, moves: _Any = None, **attrs: _Any) -> _Any:
        """The next numbers, by a row of ops/random.py ("uniform", "normal", "randint"); moves the state on.

        moves: None, or whether it does, as a value without axes."""
