"""Learning rates that change: schedulers. `step()` moves on; the optimiser's learning-rate tensor follows at once."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ...base.boundary import Created
from ...base.errors import ArgumentError, KindError
from ...base.suggest import tell_unknown_names
from ...ops.dispatch import current
from .rate import ReadByRuns, number, require_eager, write_rate

__all__ = [
    "CosineAnnealingDecay", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialDecay", "InverseTimeDecay",
    "LRScheduler", "LambdaDecay", "LinearLR", "LinearWarmup", "MultiStepDecay", "MultiplicativeDecay",
    "NaturalExpDecay", "NoamDecay", "OneCycleLR", "PiecewiseDecay", "PolynomialDecay", "ReduceOnPlateau",
    "StepDecay",
]  # fmt: skip


class LRScheduler(ReadByRuns, Created):
    """Base: a subclass computes the rate of the step `last_epoch` in `get_lr()`.

    Calling the scheduler gives the current rate. Making one takes the first step, to last_epoch + 1.
    """

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        rate = number("learning_rate", learning_rate)
        if rate < 0:
            raise ArgumentError(f"learning_rate must be at least 0, not {rate}")
        self.base_lr, self.last_lr = rate, rate
        self.last_epoch, self.verbose = last_epoch, verbose
        self._tensors: list[Any] = []
        self.step()

    def __call__(self) -> float:
        rate = current().rate_of(lambda: self.last_lr)
        return self.last_lr if rate is NotImplemented else rate

    def get_lr(self) -> float:
        """The rate of step `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr()")

    def step(self, epoch: int | None = None) -> None:
        """Move on by one, or to `epoch`. Inside a captured function this happens in each call."""
        if self._later(epoch=epoch):
            return
        require_eager(f"{type(self).__name__}.step() was called")
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self.last_lr = float(self.get_lr())
        self._publish()
        self._tell()

    def _later(self, *given: Any, **named: Any) -> bool:
        """While a function is captured: leave the step to the program's runs."""
        return current().step_scheduler(self, self._alive(), given, named)

    def _alive(self) -> list[Any]:
        return [tensor for reference in self._tensors if (tensor := reference()) is not None]

    def _publish(self) -> None:
        for tensor in self._alive():
            write_rate(tensor, self.last_lr)

    def _tell(self) -> None:
        if self.verbose:
            print(f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {self.last_lr}.")

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: without the tensors of optimisers, which bind theirs again."""
        return {**self.__dict__, "_tensors": []}

    def bind(self, tensor: Any) -> None:
        """Keep the learning-rate tensor of an optimiser at this scheduler's rate."""
        self.unbind(tensor)
        self._tensors.append(weakref.ref(tensor))
        write_rate(tensor, self.last_lr)

    def unbind(self, tensor: Any) -> None:
        """Let go of a tensor (and of those that are gone)."""
        self._tensors = [r for r in self._tensors if r() is not None and r() is not tensor]

    def state_keys(self) -> None:
        """Set `self.keys`, the names of what state_dict() holds; a subclass may name others."""
        self.keys = ["last_epoch", "last_lr"]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule is, not its settings: what state_keys() names.

        >>> StepDecay(0.5, step_size=2).state_dict()
        {'last_epoch': 0, 'last_lr': 0.5}
        """
        self.state_keys()
        read = current().read_scheduler
        return {k: read(self, k, getattr(self, k), late=True) for k in self.keys if hasattr(self, k)}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go to where `state_dict` was taken. Errors: ArgumentError when it lacks an entry."""
        own = LRScheduler.state_dict(self)
        missing = sorted(set(own) - set(state_dict))
        if missing:
            raise ArgumentError(f"the state of {type(self).__name__} lacks {', '.join(missing)}")
        for key in own:
            setattr(self, key, state_dict[key])
        self._publish()

    set_dict = set_state_dict


class NoamDecay(LRScheduler):
    """rate * d_model^-0.5 * min(step^-0.5, step * warmup_steps^-1.5) (Vaswani et al., 2017)."""

    def __init__(
        self, d_model: int, warmup_steps: int, learning_rate: float = 1.0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if d_model <= 0 or warmup_steps <= 0:
            raise ArgumentError(f"NoamDecay needs d_model and warmup_steps > 0, not {d_model} and {warmup_steps}")
        self.d_model, self.warmup_steps = d_model, warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        falling = self.last_epoch**-0.5 if self.last_epoch else 1.0
        return float(self.base_lr * self.d_model**-0.5 * min(falling, self.warmup_steps**-1.5 * self.last_epoch))


class PiecewiseDecay(LRScheduler):
    """values[k] before boundaries[k], the last value after them."""

    def __init__(
        self, boundaries: Sequence[int], values: Sequence[float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if len(values) != len(boundaries) + 1:
            raise ArgumentError(f"PiecewiseDecay needs one value more than boundaries, not {len(values)}")
        self.boundaries, self.values = list(boundaries), list(values)
        super().__init__(0.1, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.values[sum(self.last_epoch >= b for b in self.boundaries)]


class ExponentialDecay(LRScheduler):
    """rate * gamma ** step.

    >>> ExponentialDecay(0.5, gamma=0.5, last_epoch=1)()
    0.125
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return float(self.base_lr * self.gamma**self.last_epoch)


class NaturalExpDecay(ExponentialDecay):
    """rate * exp(-gamma * step)."""

    def get_lr(self) -> float:
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(ExponentialDecay):
    """rate / (1 + gamma * step)."""

    def get_lr(self) -> float:
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class PolynomialDecay(LRScheduler):
    """From rate to end_lr in decay_steps, along (1 - step / decay_steps) ** power; `cycle`: again and again."""

    def __init__(
        self, learning_rate: float, decay_steps: int, end_lr: float = 0.0001, power: float = 1.0, cycle: bool = False,
        last_epoch: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        if decay_steps <= 0 or power <= 0:
            raise ArgumentError(f"PolynomialDecay needs decay_steps and power > 0, not {decay_steps} and {power}")
        self.decay_steps, self.end_lr, self.power, self.cycle = decay_steps, end_lr, power, cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        steps, at = self.decay_steps, self.last_epoch
        if self.cycle:
            steps *= max(math.ceil(at / steps), 1)
        else:
            at = min(at, steps)
        return float((self.base_lr - self.end_lr) * (1 - at / steps) ** self.power + self.end_lr)


class LinearWarmup(LRScheduler):
    """From start_lr to end_lr in warmup_steps, then `learning_rate`: a number, or a scheduler that starts there."""

    def __init__(
        self, learning_rate: float | LRScheduler, warmup_steps: int, start_lr: float, end_lr: float,
        last_epoch: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        if warmup_steps <= 0 or not start_lr <= end_lr:
            raise ArgumentError("LinearWarmup needs warmup_steps > 0 and start_lr <= end_lr")
        if not isinstance(learning_rate, LRScheduler):
            number("learning_rate", learning_rate)
        self.learning_rate = learning_rate
        self.warmup_steps, self.start_lr, self.end_lr = warmup_steps, start_lr, end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        at = self.last_epoch - self.warmup_steps
        if at < 0:
            return self.start_lr + (self.end_lr - self.start_lr) * self.last_epoch / self.warmup_steps
        if not isinstance(self.learning_rate, LRScheduler):
            return self.learning_rate
        self.learning_rate.step(at)
        return self.learning_rate()

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        if isinstance(self.learning_rate, LRScheduler) and "LinearWarmup_LR" in state_dict:
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])
        super().set_state_dict(state_dict)


class StepDecay(LRScheduler):
    """rate * gamma ** (step // step_size).

    >>> scheduler = StepDecay(0.5, step_size=2, gamma=0.1)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(scheduler(), 3))
    ...     scheduler.step()
    >>> rates
    [0.5, 0.5, 0.05, 0.05]
    """

    def __init__(
        self, learning_rate: float, step_size: int, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not isinstance(step_size, int):
            raise KindError(f"StepDecay: step_size must be an int, not {step_size!r}")
        if step_size < 1 or gamma >= 1.0:
            raise ArgumentError(f"StepDecay needs step_size >= 1 and gamma < 1, not {step_size} and {gamma}")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return float(self.base_lr * self.gamma ** (self.last_epoch // self.step_size))


class MultiStepDecay(LRScheduler):
    """rate * gamma ** (how many milestones are reached)."""

    def __init__(
        self, learning_rate: float, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        if not isinstance(milestones, (list, tuple)):
            raise KindError(f"MultiStepDecay: milestones must be a list, not {milestones!r}")
        self.milestones, self.gamma = list(milestones), gamma
        if self.milestones != sorted(set(self.milestones)) or gamma >= 1.0:
            raise ArgumentError(f"MultiStepDecay needs rising milestones and gamma < 1, not {milestones} and {gamma}")
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return float(self.base_lr * self.gamma ** sum(self.last_epoch >= m for m in self.milestones))


class LambdaDecay(LRScheduler):
    """rate * lr_lambda(step)."""

    def __init__(
        self, learning_rate: float, lr_lambda: Callable[[int], float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not callable(lr_lambda):
            raise KindError(f"lr_lambda must be a function, not a {type(lr_lambda).__name__}")
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(LambdaDecay):
    """The rate times lr_lambda(1), lr_lambda(2), … of all steps so far."""

    def get_lr(self) -> float:
        rate = self.base_lr
        for k in range(1, self.last_epoch + 1):
            rate = rate * self.lr_lambda(k)
        return rate


class CosineAnnealingDecay(LRScheduler):
    """Between rate and eta_min along half a cosine of T_max steps (Loshchilov, Hutter, SGDR, 2017)."""

    def __init__(
        self, learning_rate: float, T_max: int, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not isinstance(T_max, int):
            raise KindError(f"T_max must be an int, not {T_max!r}")
        number("eta_min", eta_min)
        if T_max < 1:
            raise ArgumentError(f"T_max must be an int of at least 1, not {T_max!r}")
        self.T_max, self.eta_min = T_max, float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines of T_0, T_0 * T_mult, T_0 * T_mult², … steps, each from rate to eta_min (SGDR)."""

    def __init__(
        self, learning_rate: float, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        if not all(isinstance(v, int) and v >= 1 for v in (T_0, T_mult)):
            raise ArgumentError(f"T_0 and T_mult must be ints of at least 1, not {T_0} and {T_mult}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        at, period = self.last_epoch, self.T_0
        if self.T_mult == 1:
            at %= period
        while at >= period:
            at, period = at - period, period * self.T_mult
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * at / period)) / 2


class LinearLR(LRScheduler):
    """rate times a factor from start_factor to end_factor in total_steps; each rate is made from the one before."""

    def __init__(
        self, learning_rate: float, total_steps: int, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
        last_epoch: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1 or total_steps < 1:
            raise ArgumentError("LinearLR needs factors from 0 to 1, start_factor above 0, and total_steps >= 1")
        self.total_steps, self.start_factor, self.end_factor = total_steps, start_factor, end_factor
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        at, last, change = self.last_epoch, self.total_steps, self.end_factor - self.start_factor
        grown = change / (last * self.start_factor + (at - 1) * change) if 0 < at <= last else 0.0
        return (self.last_lr if at else self.base_lr * self.start_factor) * (1 + grown)


class OneCycleLR(LRScheduler):
    """Up from max_learning_rate / divide_factor, down to end_learning_rate (Smith, Topin, Super-Convergence, 2018).

    phase_pct: the share of total_steps that it goes up; three_phase: then as long down to the first rate, then to the
    end. anneal_strategy: "cos" or "linear". Errors: ArgumentError beyond total_steps.
    """

    def __init__(
        self, max_learning_rate: float, total_steps: int, divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001, phase_pct: float = 0.3, anneal_strategy: str = "cos",
        three_phase: bool = False, last_epoch: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        top, end = number("max_learning_rate", max_learning_rate), number("end_learning_rate", end_learning_rate)
        if not isinstance(total_steps, int):
            raise KindError(f"OneCycleLR: total_steps must be an int, not {total_steps!r}")
        if top < 0 or end < 0 or total_steps <= 0:
            raise ArgumentError("OneCycleLR needs rates of at least 0 and total_steps above 0")
        number("phase_pct", phase_pct)
        if not 0.0 <= phase_pct <= 1.0 or (three_phase and phase_pct >= 0.5):
            raise ArgumentError(
                f"OneCycleLR: phase_pct must be from 0 to 1, below 0.5 in three phases, not {phase_pct}"
            )
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentError(f'anneal_strategy must be "cos" or "linear", not {anneal_strategy!r}')
        self.max_lr, self.initial_lr, self.min_lr = top, top / float(divide_factor), end
        self.total_steps, self.anneal_strategy = total_steps, anneal_strategy
        peak, last = phase_pct * total_steps - 1, total_steps - 1
        self._bounds = [0.0, peak, 2 * phase_pct * total_steps - 2, last] if three_phase else [0.0, peak, last]
        self._rates = [self.initial_lr, top, *([self.initial_lr] if three_phase else []), end]
        super().__init__(self.initial_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        at = self.last_epoch
        if at > self.total_steps:
            raise ArgumentError(f"OneCycleLR ends at step {self.total_steps}, this is step {at}")
        phase = next((k for k in range(1, len(self._bounds)) if at <= self._bounds[k]), len(self._bounds) - 1)
        share = (at - self._bounds[phase - 1]) / (self._bounds[phase] - self._bounds[phase - 1])
        first, last = self._rates[phase - 1], self._rates[phase]
        if self.anneal_strategy == "cos":
            return last + (first - last) / 2.0 * (math.cos(math.pi * share) + 1)
        return (last - first) * share + first


class CyclicLR(LRScheduler):
    """Up from base to max_learning_rate in step_size_up steps and down again in step_size_down, over and over.

    mode: "triangular", "triangular2" (half as high each cycle) or "exp_range" (times exp_gamma ** step); or scale_fn
    of the cycle's number or, with scale_mode "iterations", of the step. Source: Smith, Cyclical Learning Rates, 2017.
    """

    def __init__(
        self, base_learning_rate: float, max_learning_rate: float, step_size_up: int,
        step_size_down: int | None = None, mode: str = "triangular", exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle", last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        base = number("base_learning_rate", base_learning_rate)
        top = number("max_learning_rate", max_learning_rate)
        down = step_size_up if step_size_down is None else step_size_down
        if min(base, top) < 0 or min(step_size_up, down) <= 0:
            raise ArgumentError("CyclicLR needs rates of at least 0 and step sizes above 0")
        scales: dict[str, tuple[Callable[[float], float], str]] = {
            "triangular": (lambda cycle: 1.0, "cycle"),
            "triangular2": (lambda cycle: 1.0 / 2.0 ** (cycle - 1), "cycle"),
            "exp_range": (lambda step: exp_gamma**step, "iterations"),
        }
        if scale_fn is None and mode not in scales:
            raise ArgumentError(f"CyclicLR: mode must be one of {', '.join(scales)}, not {mode!r}")
        if scale_mode not in ("cycle", "iterations"):
            raise ArgumentError(f'CyclicLR: scale_mode must be "cycle" or "iterations", not {scale_mode!r}')
        self.scale_fn, self.scale_mode = (scale_fn, scale_mode) if scale_fn is not None else scales[mode]
        self.max_lr, self.cycle_size, self.step_up_pct = top, step_size_up + down, step_size_up / (step_size_up + down)
        super().__init__(base, last_epoch, verbose)

    def get_lr(self) -> float:
        cycle = 1 + self.last_epoch // self.cycle_size
        share = 1.0 + self.last_epoch / self.cycle_size - cycle
        up = self.step_up_pct
        height = share / up if share <= up else (1.0 - share) / (1.0 - up)
        factor = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return self.base_lr + (self.max_lr - self.base_lr) * height * factor


class ReduceOnPlateau(LRScheduler):
    """Multiplies the rate by `factor` when the metric given to `step` hasn't improved for more than `patience` steps.

    threshold: what counts as better, relative ("rel") or absolute ("abs"); cooldown: steps after a reduction whose
    metrics aren't looked at.
    """

    def __init__(
        self, learning_rate: float, mode: str = "min", factor: float = 0.1, patience: int = 10,
        threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0, min_lr: float = 0,
        epsilon: float = 1e-8, verbose: bool = False,
    ) -> None:  # fmt: skip
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs") or factor >= 1.0:
            raise ArgumentError('ReduceOnPlateau needs mode "min" or "max", threshold_mode "rel" or "abs", factor < 1')
        self.mode, self.factor, self.patience, self.cooldown = mode, factor, patience, cooldown
        self.threshold, self.threshold_mode, self.min_lr, self.epsilon = threshold, threshold_mode, min_lr, epsilon
        self.cooldown_counter, self.num_bad_epochs = 0, 0
        self.best = math.inf if mode == "min" else -math.inf
        super().__init__(learning_rate, -1, verbose)

    def get_lr(self) -> float:
        return self.last_lr

    def state_keys(self) -> None:
        """The step, the rate, the best metric and what is counted."""
        self.keys = ["cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr"]

    def step(self, metrics: Any = None, epoch: int | None = None) -> None:  # type: ignore[override]
        """Tell the metric (a number or a tensor with one element) of the step that ended."""
        if self._later(metrics, epoch):
            return
        require_eager("ReduceOnPlateau.step() was called")
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if metrics is None:
            return
        if getattr(metrics, "size", 1) != 1:
            raise ArgumentError(f"ReduceOnPlateau needs a metric of one element, not {metrics!r}")
        value = number("metrics", metrics.item() if hasattr(metrics, "item") else metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self._is_better(value):
            self.best, self.num_bad_epochs = value, 0
            return
        self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            new = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - new > self.epsilon:
                self.last_lr = new
                self._publish()
                self._tell()

    def _is_better(self, value: float) -> bool:
        best = self.best
        if math.isinf(best):
            return value < best if self.mode == "min" else value > best
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return value < best - margin if self.mode == "min" else value > best + margin


tell_unknown_names(__name__)
