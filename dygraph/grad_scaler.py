"""Loss scaling for float16 training: gradients too small for the dtype are scaled up before, and down again after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import bool_, float32, int64
from ..base.errors import ArgumentError, StateError
from ..ops.dispatch import bottom, is_captured
from ..ops.op import OPS
from .modes import GradMode
from .tensor import Tensor


class GradScaler:
    """Multiplies losses by a factor and divides gradients by it; it falls when they overflow, else rises slowly.

    `scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()`: the step is left out where a gradient is
    infinite or NaN. All state is in tensors, so that a captured training step holds it too.
    """

    def __init__(
        self, enable: bool = True, init_loss_scaling: float = 2.0**16, incr_ratio: float = 2.0, decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000, decr_every_n_nan_or_inf: int = 1, use_dynamic_loss_scaling: bool = True,
    ) -> None:  # fmt: skip
        if not incr_ratio > 1.0:
            raise ArgumentError(f"GradScaler: incr_ratio must be above 1, not {incr_ratio}")
        if not 0.0 < decr_ratio < 1.0:
            raise ArgumentError(f"GradScaler: decr_ratio must be between 0 and 1, not {decr_ratio}")
        self._enable, self._dynamic = bool(enable), bool(use_dynamic_loss_scaling)
        self._init, self._incr_ratio, self._decr_ratio = float(init_loss_scaling), float(incr_ratio), float(decr_ratio)
        self._incr_every, self._decr_every = int(incr_every_n_steps), int(decr_every_n_nan_or_inf)
        self._scale = _state(self._init, float32)
        self._good, self._bad = _state(0, int64), _state(0, int64)
        self._found = _state(False, bool_)
        self._unscaled: set[int] = set()

    agree: Callable[[Any], Any] | None = None  # joins what ranks that share a model have found, bool[]

    def scale(self, var: Any) -> Any:
        """var times the factor; var itself when scaling is off."""
        if not self._enable:
            return var
        return var * (self._scale if var.dtype is float32 else OPS["cast"](self._scale, var.dtype))

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimiser's parameters by the factor; once per step, for clipping by hand."""
        if not self._enable:
            return
        if id(optimizer) in self._unscaled:
            raise StateError("unscale_ was called twice before update()", remedy="call it once per step")
        self._unscaled.add(id(optimizer))
        found: Any = None
        with GradMode(False):
            factor = 1.0 / self._scale
            for p in optimizer._parameter_list:
                if p.stop_gradient or p.grad is None:
                    continue
                wide = p.grad if p.grad.dtype is float32 else OPS["cast"](p.grad, float32)
                wide = wide * factor
                p.grad = wide if p.grad.dtype is float32 else OPS["cast"](wide, p.grad.dtype)
                bad = OPS["logical_not"](OPS["all"](OPS["isfinite"](p.grad)))
                found = bad if found is None else OPS["logical_or"](found, bad)
            if found is not None:
                self._found._write(OPS["logical_or"](self._found, found), fresh=True)
            if self.agree is not None:
                self._found._write(self.agree(self._found), fresh=True)

    def step(self, optimizer: Any) -> None:
        """Unscale, unless done, and step the optimiser where all gradients are finite."""
        self._guarded(optimizer, optimizer.step)

    def _guarded(self, optimizer: Any, step: Callable[[], Any]) -> Any:
        """The result of a step of the optimiser with unscaled gradients; None where the step was left out."""
        if not self._enable:
            return step()
        if id(optimizer) not in self._unscaled:
            self.unscale_(optimizer)
        if is_captured():
            return _step_unless(self._found, optimizer, step)
        return None if bool(self._found) else step()

    def update(self) -> None:
        """Let the factor fall or rise by what the last step met."""
        if not self._enable:
            return
        self._unscaled.clear()
        with GradMode(False):
            if self._dynamic:
                self._adapt()
            self._found._write(OPS["full"]([], False, bool_), fresh=True)

    def _adapt(self) -> None:
        where, cast = OPS["where"], OPS["cast"]
        found = self._found
        good, bad = where(found, 0, self._good + 1), where(found, self._bad + 1, 0)
        falls, rises = bad >= self._decr_every, good >= self._incr_every
        lower = OPS["maximum"](self._scale * self._decr_ratio, 1.0)
        higher = self._scale * self._incr_ratio
        higher = where(OPS["isfinite"](higher), higher, self._scale)
        self._scale._write(where(falls, lower, where(rises, higher, self._scale)), fresh=True)
        self._good._write(cast(where(rises, 0, good), int64), fresh=True)
        self._bad._write(cast(where(falls, 0, bad), int64), fresh=True)

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.minimize(*args, **kwargs)` with the scaled loss where no gradient overflowed, then `update`.

        The result is the optimiser's, ([], [(parameter, gradient)]), also where the step was left out.
        """
        done = self._guarded(optimizer, lambda: optimizer.minimize(*args, **kwargs))
        self.update()
        if done is None:
            done = [], [(p, p.grad) for p in optimizer._parameter_list if p.grad is not None]
        return done

    # ---- settings and state

    def is_enable(self) -> bool:
        """Whether it scales at all."""
        return self._enable

    def is_use_dynamic_loss_scaling(self) -> bool:
        """Whether the factor changes."""
        return self._dynamic

    def get_init_loss_scaling(self) -> float:
        """The factor at the start."""
        return self._init

    def set_init_loss_scaling(self, new_init_loss_scaling: float) -> None:
        """Start anew from another factor."""
        self._init = float(new_init_loss_scaling)
        self._scale.set_value(np.float32(self._init))

    def get_incr_ratio(self) -> float:
        """By what the factor rises."""
        return self._incr_ratio

    def set_incr_ratio(self, new_incr_ratio: float) -> None:
        """Set by what the factor rises: above 1."""
        if not new_incr_ratio > 1.0:
            raise ArgumentError(f"incr_ratio must be above 1, not {new_incr_ratio}")
        self._incr_ratio = float(new_incr_ratio)

    def get_decr_ratio(self) -> float:
        """By what the factor falls."""
        return self._decr_ratio

    def set_decr_ratio(self, new_decr_ratio: float) -> None:
        """Set by what the factor falls: between 0 and 1."""
        if not 0.0 < new_decr_ratio < 1.0:
            raise ArgumentError(f"decr_ratio must be between 0 and 1, not {new_decr_ratio}")
        self._decr_ratio = float(new_decr_ratio)

    def get_incr_every_n_steps(self) -> int:
        """After how many finite steps the factor rises."""
        return self._incr_every

    def set_incr_every_n_steps(self, new_incr_every_n_steps: int) -> None:
        """Set after how many finite steps the factor rises."""
        self._incr_every = int(new_incr_every_n_steps)

    def get_decr_every_n_nan_or_inf(self) -> int:
        """After how many infinite steps the factor falls."""
        return self._decr_every

    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: int) -> None:
        """Set after how many infinite steps the factor falls."""
        self._decr_every = int(new_decr_every_n_nan_or_inf)

    def state_dict(self) -> dict[str, Any]:
        """The factor, as an array, the counts and the settings; empty when scaling is off."""
        if not self._enable:
            return {}
        return {
            "scale": self._scale.numpy().reshape(1), "incr_ratio": self._incr_ratio, "decr_ratio": self._decr_ratio,
            "incr_every_n_steps": self._incr_every, "decr_every_n_nan_or_inf": self._decr_every,
            "incr_count": int(self._good), "decr_count": int(self._bad), "use_dynamic_loss_scaling": self._dynamic,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        if not self._enable:
            return
        if not state_dict:
            raise StateError("the state is empty: it was saved by a scaler that was switched off")
        self._init = float(np.asarray(state_dict["scale"]).reshape(()))
        self._scale.set_value(np.float32(self._init))
        self._incr_ratio, self._decr_ratio = float(state_dict["incr_ratio"]), float(state_dict["decr_ratio"])
        self._incr_every = int(state_dict["incr_every_n_steps"])
        self._decr_every = int(state_dict["decr_every_n_nan_or_inf"])
        self._good.set_value(np.int64(state_dict["incr_count"]))
        self._bad.set_value(np.int64(state_dict["decr_count"]))
        self._dynamic = bool(state_dict["use_dynamic_loss_scaling"])


AmpScaler = GradScaler


def _state(value: Any, dtype: Any) -> Any:
    """A tensor of a scaler's own, made in eager mode also while a function is captured."""
    made: Any = bottom().constant(np.array(value, dtype.numpy), dtype)
    made.persistable = True
    return made


def _step_unless(found: Tensor, optimizer: Any, step: Callable[[], Any]) -> Any:
    """Step, then take back what changed where `found` is true: a program's way to leave a step out."""
    with GradMode(False):
        for group in optimizer._groups:
            updated = [p for p in group.params if not p.stop_gradient and p.grad is not None]
            optimizer._expect_update(updated)
            for p in updated:
                for name, settings in optimizer._accumulator_types(p).items():
                    optimizer._accumulator(name, p, **settings)
        accumulators = [t for table in optimizer._accumulators.values() for t in table.values()]
        state = [*optimizer._parameter_list, *accumulators, *optimizer._updated.values()]
        before = {id(x): x.snapshot() for x in state}
        done = step()
        for x in [*state, *(flag for flag in optimizer._updated.values() if id(flag) not in before)]:
            x._write(OPS["where"](found, before.get(id(x), False), x), fresh=True)
    return done
