# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.changes import Counted as _Counted
from vitrify.dygraph.tensor import Tensor as _Tensor

class AbsTransform(Transform):
    """|x|. Not one to one: `inverse` gives the pair (-y, y)."""

class Transform(_Counted):
    """A map of random variables. Calling it with a distribution gives the distribution of what it makes of draws; with
    another Transform, the map of first that one, then this; with a tensor, `forward`."""
    def __call__(self, input: _Any) -> _Any:
        """Call self as a function."""
    def forward(self, x: _Any) -> _Tensor:
        """What x goes to."""
    def inverse(self, y: _Any) -> _Any:
        """What goes to y."""
    def forward_log_det_jacobian(self, x: _Any) -> _Any:
        """The logarithm of how much volume grows at x. NotImplementedError for maps that aren't one to one."""
    def inverse_log_det_jacobian(self, y: _Any) -> _Any:
        """The logarithm of how much volume grows on the way back from y."""
    def forward_shape(self, shape: _Sequence[_Any]) -> _Sequence[_Any]:
        """The shape of what values of this shape go to."""
    def inverse_shape(self, shape: _Sequence[_Any]) -> _Sequence[_Any]:
        """The shape of what goes to values of this shape."""

class AffineTransform(Transform):
    """loc + scale x.

    >>> from vitrify import to_tensor
    >>> float(AffineTransform(to_tensor(1.0), to_tensor(2.0)).forward(to_tensor(3.0)))
    7.0"""
    def __init__(self, loc: _Any, scale: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def loc(self) -> _Any:
        """What is added."""
    @property
    def scale(self) -> _Any:
        """What is multiplied with."""

class ChainTransform(Transform):
    """Several maps, the first one first."""
    transforms: _Any
    def __init__(self, transforms: _Sequence[Transform]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class ExpTransform(Transform):
    """e to the power x."""

class IndependentTransform(Transform):
    """A map whose last batch axes count as axes of one event: their stretch is added up."""
    def __init__(self, base: Transform, reinterpreted_batch_rank: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class PowerTransform(Transform):
    """x to the power `power`, for positive x."""
    def __init__(self, power: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def power(self) -> _Any:
        """The exponent."""

class SigmoidTransform(Transform):
    """1 / (1 + exp(-x))."""

class TanhTransform(Transform):
    """tanh(x)."""
