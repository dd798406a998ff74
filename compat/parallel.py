"""`distributed` of one process: rank 0 of 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.errors import ArgumentError
from ..dygraph.nn.layer import Layer


def get_rank(group: Any = None) -> int:
    """The number of this process: 0.

    >>> get_rank(), get_world_size()
    (0, 1)
    """
    return 0


def get_world_size(group: Any = None) -> int:
    """How many processes there are: 1."""
    return 1


def is_initialized() -> bool:
    """Whether several processes work together: no."""
    return False


def init_parallel_env() -> ParallelEnv:
    """Nothing to set up for one process."""
    return ParallelEnv()


class ParallelEnv:
    """The place of this process among all: the first of one.

    >>> ParallelEnv().rank, ParallelEnv().world_size
    (0, 1)
    """

    rank = local_rank = dev_id = device_id = 0
    world_size = nranks = 1
    current_endpoint = ""
    trainer_endpoints: tuple[str, ...] = ()


def spawn(func: Callable[..., Any], args: tuple[Any, ...] = (), nprocs: int = -1, **_: Any) -> None:
    """Run `func(*args)`. Errors: ArgumentError for more than one process."""
    if nprocs > 1:
        raise ArgumentError(f"spawn: {nprocs} processes were asked for; only one is supported")
    func(*args)


class DataParallel(Layer):
    """A layer whose gradients are averaged among processes; there is one, so the layer itself in a wrapper.

    >>> from vitrify.nn import Linear
    >>> DataParallel(Linear(2, 3)).state_dict().keys()
    dict_keys(['weight', 'bias'])
    """

    def __init__(self, layers: Layer, *_: Any, find_unused_parameters: bool = False, **__: Any) -> None:
        super().__init__()
        self._layers = layers
        object.__setattr__(self, "_wrapped_layer", layers)  # what jit.save saves
        self.find_unused_parameters = find_unused_parameters

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the wrapped layer returns."""
        return self._layers(*inputs, **kwargs)

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The wrapped layer's state, under its own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Set the wrapped layer's state."""
        return self._layers.set_state_dict(*args, **kwargs)

    load_dict = set_dict = set_state_dict

    def scale_loss(self, loss: Any) -> Any:
        """The loss itself."""
        return loss

    def apply_collective_grads(self) -> None:
        """Nothing: there is nobody to exchange gradients with."""
