# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any

class GradScaler:
    """Multiplies losses by a factor and divides gradients by it; it falls when they overflow, else rises slowly.

    `scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()`: the step is left out where a gradient is
    infinite or NaN. All state is in tensors, so that a captured training step holds it too."""
    agree: _Callable[[_Any], _Any] | None
    def __init__(self, enable: _bool = True, init_loss_scaling: _float = 65536.0, incr_ratio: _float = 2.0, decr_ratio: _float = 0.5, incr_every_n_steps: _int = 2000, decr_every_n_nan_or_inf: _int = 1, use_dynamic_loss_scaling: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def scale(self, var: _Any) -> _Any:
        """var times the factor; var itself when scaling is off."""
    def unscale_(self, optimizer: _Any) -> None:
        """Divide the gradients of an optimiser's parameters by the factor; once per step, for clipping by hand."""
    def step(self, optimizer: _Any) -> None:
        """Unscale, unless done, and step the optimiser where all gradients are finite."""
    def update(self) -> None:
        """Let the factor fall or rise by what the last step met."""
    def minimize(self, optimizer: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """`optimizer.minimize(*args, **kwargs)` with the scaled loss where no gradient overflowed, then `update`.

        The result is the optimiser's, ([], [(parameter, gradient)]), also where the step was left out."""
    def is_enable(self) -> _bool:
        """Whether it scales at all."""
    def is_use_dynamic_loss_scaling(self) -> _bool:
        """Whether the factor changes."""
    def get_init_loss_scaling(self) -> _float:
        """The factor at the start."""
    def set_init_loss_scaling(self, new_init_loss_scaling: _float) -> None:
        """Start anew from another factor."""
    def get_incr_ratio(self) -> _float:
        """By what the factor rises."""
    def set_incr_ratio(self, new_incr_ratio: _float) -> None:
        """Set by what the factor rises: above 1."""
    def get_decr_ratio(self) -> _float:
        """By what the factor falls."""
    def set_decr_ratio(self, new_decr_ratio: _float) -> None:
        """Set by what the factor falls: between 0 and 1."""
    def get_incr_every_n_steps(self) -> _int:
        """After how many finite steps the factor rises."""
    def set_incr_every_n_steps(self, new_incr_every_n_steps: _int) -> None:
        """Set after how many finite steps the factor rises."""
    def get_decr_every_n_nan_or_inf(self) -> _int:
        """After how many infinite steps the factor falls."""
    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: _int) -> None:
        """Set after how many infinite steps the factor falls."""
    def state_dict(self) -> _dict[_str, _Any]:
        """The factor, as an array, the counts and the settings; empty when scaling is off."""
    def load_state_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Go on from what `state_dict` gave."""
