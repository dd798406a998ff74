"""Data-parallel training: each rank has the whole model and a part of the batch; gradients are averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ..base.errors import ArgumentError, ModeError
from ..dygraph.nn.layer import Layer
from ..ops.dispatch import current, is_captured
from .exchanges import all_reduce_of, broadcast
from .group import Group, chosen_group, here
from .simulator import run_ranks


class ParallelEnv:
    """The place of this rank among all.

    >>> ParallelEnv().rank, ParallelEnv().world_size
    (0, 1)
    """

    current_endpoint = ""
    trainer_endpoints: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        """The number of this rank."""
        return here()[0]

    local_rank = rank

    @property
    def dev_id(self) -> int:
        """The device: there is one for each rank."""
        return 0

    device_id = dev_id

    @property
    def world_size(self) -> int:
        """How many ranks there are."""
        return here()[1]

    nranks = world_size


def spawn(func: Callable[..., Any], args: tuple[Any, ...] = (), nprocs: int = -1, **_: Any) -> list[Any]:
    """Run `func(*args)` on `nprocs` ranks that are threads of this process, one at a time (`run_ranks`); their results.

    For ranks that run side by side start the program by `vitrify launch -n N`.
    """
    return run_ranks(func, *args, ranks=max(nprocs, 1))


class DataParallel(Layer):
    """A layer whose parameters are equal on all ranks of a group, and whose gradients are averaged over them.

    The first rank's parameters and buffers are given to all when it is made. A gradient is averaged when `backward`
    has added it up, in eager mode and in captured functions. Ranks with batches of one size get what one rank would
    get from all of them, if the loss is a mean. Every rank has to use the same parameters.

    >>> from vitrify.nn import Linear
    >>> list(DataParallel(Linear(2, 3)).state_dict())
    ['weight', 'bias']
    """

    def __init__(
        self, layers: Layer, strategy: Any = None, comm_buffer_size: int = 25, last_comm_buffer_size: int = 1,
        find_unused_parameters: bool = False, group: Group | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(layers, Layer):
            raise ArgumentError(f"DataParallel needs a Layer, not a {type(layers).__name__}")
        self._layers = layers
        object.__setattr__(self, "_wrapped_layer", layers)  # what jit.save saves
        self.find_unused_parameters = find_unused_parameters
        self._group, self._averages = chosen_group(group), True
        self._own: set[int] = set()  # parameters whose `.grad` isn't averaged yet
        if self._group.nranks > 1:
            synchronise(layers, self._group)
            for parameter in layers.parameters():
                if not parameter.stop_gradient:
                    parameter.register_hook(partial(self._arrives, parameter))

    def _arrives(self, parameter: Any, gradient: Any) -> Any:
        """What is added to `.grad` of a parameter: the mean of what arrives, with what `no_sync` left."""
        if getattr(parameter, "exchanged_by_optimizer", False):
            return gradient  # a transpiled optimizer's stage does it
        if is_captured():
            if not current().ask(self._is_averaging):  # asked again before each run
                raise ModeError("no_sync() holds in eager mode: a captured function would average its gradients",
                                remedy="add the losses up before one backward, or call it eagerly")  # fmt: skip
        elif not self._averages:
            self._own.add(id(parameter))
            return gradient
        elif id(parameter) in self._own:
            self._own.discard(id(parameter))
            if parameter.grad is not None:
                gradient = gradient + parameter.grad
                parameter.clear_grad(set_to_zero=False)
        return all_reduce_of(gradient, "mean", self._group)

    def _is_averaging(self) -> bool:
        return self._averages

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Inside the block gradients stay this rank's own; the next backward pass outside of it averages their sum."""
        before, self._averages = self._averages, False
        try:
            yield
        finally:
            self._averages = before

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
        """The loss itself: gradients are averaged."""
        return loss

    def apply_collective_grads(self) -> None:
        """Average the gradients that the parameters have now."""
        average_gradients(self._layers.parameters(), self._group)


def synchronise(layer: Layer, group: Group | None = None) -> None:
    """Give every rank the parameters and buffers of the group's first. Errors: ArgumentError for sharded parameters."""
    chosen = chosen_group(group)
    if any(hasattr(p, "whole_shape") for p in layer.parameters()):
        raise ArgumentError("the model's parameters are sharded: each rank has its own part",
                            remedy="ShardedParameters needs no DataParallel")  # fmt: skip
    for tensor in [*layer.parameters(), *layer.buffers()]:
        broadcast(tensor, chosen.ranks[0], chosen)


def average_gradients(parameters: Any, group: Group | None = None) -> None:
    """Replace `.grad` of parameters by its mean over the ranks; those without one are left out."""
    chosen = chosen_group(group)
    if chosen.nranks == 1:
        return
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad = all_reduce_of(parameter.grad, "mean", chosen)
