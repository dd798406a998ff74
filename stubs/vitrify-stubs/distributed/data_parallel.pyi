# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from vitrify.distributed.group import Group as _Group
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class DataParallel(_Layer):
    """A layer whose parameters are equal on all ranks of a group, and whose gradients are averaged over them.

    The first rank's parameters and buffers are given to all when it is made. A gradient is averaged when `backward`
    has added it up, in eager mode and in captured functions. Ranks with batches of one size get what one rank would
    get from all of them, if the loss is a mean. Every rank has to use the same parameters.

    >>> from vitrify.nn import Linear
    >>> list(DataParallel(Linear(2, 3)).state_dict())
    ['weight', 'bias']"""
    find_unused_parameters: _bool
    def __init__(self, layers: _Layer, strategy: _Any = None, comm_buffer_size: _int = 25, last_comm_buffer_size: _int = 1, find_unused_parameters: _bool = False, group: _Group | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def no_sync(self) -> _Iterator[None]:
        """Inside the block gradients stay this rank's own; the next backward pass outside of it averages their sum."""
    def forward(self, *inputs: _Any, **kwargs: _Any) -> _Tensor:
        """What the wrapped layer returns."""
    def state_dict(self, *args: _Any, **kwargs: _Any) -> _dict[_str, _Any]:
        """The wrapped layer's state, under its own names."""
    def set_state_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def load_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def set_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def scale_loss(self, loss: _Any) -> _Any:
        """The loss itself: gradients are averaged."""
    def apply_collective_grads(self) -> None:
        """Average the gradients that the parameters have now."""

class ParallelEnv:
    """The place of this rank among all.

    >>> ParallelEnv().rank, ParallelEnv().world_size
    (0, 1)"""
    trainer_endpoints: _tuple[_str, ...]
    current_endpoint: _str
    @property
    def rank(self) -> _int:
        """The number of this rank."""
    @property
    def local_rank(self) -> _int:
        """The number of this rank."""
    @property
    def dev_id(self) -> _int:
        """The device: there is one for each rank."""
    @property
    def device_id(self) -> _int:
        """The device: there is one for each rank."""
    @property
    def world_size(self) -> _int:
        """How many ranks there are."""
    @property
    def nranks(self) -> _int:
        """How many ranks there are."""
