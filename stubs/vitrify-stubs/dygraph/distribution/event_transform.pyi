# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from vitrify.dygraph.distribution.transform import Transform as _Transform

class ReshapeTransform(_Transform):
    """Events of one shape as events of another with as many elements.

    >>> ReshapeTransform([2, 3], [6]).forward_shape([5, 2, 3])
    (5, 6)"""
    def __init__(self, in_event_shape: _Sequence[_int], out_event_shape: _Sequence[_int]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def in_event_shape(self) -> _tuple[_int, ...]:
        """The shape of what it takes."""
    @property
    def out_event_shape(self) -> _tuple[_int, ...]:
        """The shape of what it gives."""

class SoftmaxTransform(_Transform):
    """Shares exp(x) / sum(exp(x)) of the last axis. Not one to one."""

class StackTransform(_Transform):
    """Several maps, one for each place along `axis`."""
    def __init__(self, transforms: _Sequence[_Transform], axis: _int = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def transforms(self) -> _list[_Transform]:
        """The maps."""
    @property
    def axis(self) -> _int:
        """The axis along which they stand."""

class StickBreakingTransform(_Transform):
    """n numbers to n + 1 shares: each takes its part sigmoid(x - log(how many are to follow)) of what is left.

    Source: Stan Reference Manual, Unit simplex."""
