"""Callbacks of `Model.fit`: checkpoints, early stop, learning rate. Progress: progress.py; logs: loggers.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from .callback import Callback, CallbackList, Logs
from .history import History
from .loggers import CSVLogger, TensorBoard, VisualDL
from .progress import ProgBarLogger

__all__ = [
    "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History", "LRScheduler", "ModelCheckpoint",
    "ProgBarLogger", "ReduceLROnPlateau", "TensorBoard", "VisualDL",
]  # fmt: skip


class ModelCheckpoint(Callback):
    """Save the model to `save_dir/<epoch>` after each `save_freq`-th epoch, and to `save_dir/final` at the end.

    monitor: also save to `save_dir/best` whenever this figure of the evaluations ("loss", "acc") got better; mode:
    "min", "max" or "auto" (by the figure's name). save_best_only: nothing but the best. save_steps: also save to
    `save_dir/last` after each so many steps of an epoch, so that `fit(resume=...)` can go on inside it.
    """

    def __init__(
        self, save_freq: int = 1, save_dir: str | Path | None = None, *, monitor: str | None = None,
        mode: str = "auto", save_best_only: bool = False, save_steps: int | None = None,
    ) -> None:  # fmt: skip
        if save_freq < 1:
            raise ArgumentError(f"ModelCheckpoint: save_freq must be at least 1, got {save_freq}")
        if save_best_only and monitor is None:
            raise ArgumentError("ModelCheckpoint: save_best_only needs a figure", remedy='pass monitor="loss"')
        self.save_freq, self.save_dir, self.save_steps = save_freq, save_dir, save_steps
        self.save_best_only = save_best_only
        self._last: str | None = None
        self.watch = None if monitor is None else _Watch("ModelCheckpoint", monitor, mode, 0.0)

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Find the folder: that of `fit`, where none was given."""
        if self.save_dir is None:
            self.save_dir = self.params.get("save_dir")

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Save for a training that goes on inside an epoch."""
        if self.save_steps is not None and (step + 1) % self.save_steps == 0:
            self._save("last")

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Save this epoch's state."""
        if (epoch + 1) % self.save_freq == 0 and not self.save_best_only:
            self._last = self._save(str(epoch))

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Save the best state; the epoch's checkpoint learns what the evaluation has changed."""
        if self._last is not None:
            self.model.save_position(self._last)
        value = None if self.watch is None else self.watch.value(logs)
        if self.watch is not None and value is not None and self.watch.better(value):
            self._save("best")

    def on_train_end(self, logs: Logs | None = None) -> None:
        """Save the final state."""
        if not self.save_best_only:
            self._save("final")

    def _save(self, name: str) -> str | None:
        if self.save_dir is None:
            return None
        path = str(Path(self.save_dir) / name)
        self.model.save(path)
        return path

    def state_dict(self) -> dict[str, Any]:
        """The best figure so far."""
        return {"best": None if self.watch is None else self.watch.best}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from `state_dict`."""
        if self.watch is not None:
            self.watch.best = state["best"]


class _Watch:
    """Whether a monitored figure got better by more than `min_delta`."""

    def __init__(self, who: str, monitor: str, mode: str, min_delta: float) -> None:
        if mode not in ("auto", "min", "max"):
            raise ArgumentError(f"{who}: mode must be 'auto', 'min' or 'max', not {mode!r}")
        up = mode == "max" or (mode == "auto" and "acc" in monitor)
        self.sign, self.min_delta, self.monitor = (1.0 if up else -1.0), abs(min_delta), monitor
        self.best: float | None = None

    def value(self, logs: Logs | None) -> float | None:
        found = (logs or {}).get(self.monitor)
        return None if found is None else float(np.ravel(found)[0])

    def better(self, value: float) -> bool:
        if self.best is not None and self.sign * (value - self.best) <= self.min_delta:
            return False
        self.best = value
        return True


class EarlyStopping(Callback):
    """Stop when `monitor` of the evaluations has not got better `patience` times in a row by more than `min_delta`.

    `baseline`: a value it has to beat first; `save_best_model`: keep the best state in the checkpoints' folder.
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        self.watch = _Watch("EarlyStopping", monitor, mode, min_delta)
        self.monitor, self.patience, self.verbose, self.baseline = monitor, patience, verbose, baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None
        self.stopped_epoch = self.wait_epoch = 0

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Start counting."""
        self.watch.best, self.wait_epoch = self.baseline, 0
        self.save_dir = self.params.get("save_dir")

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Compare, and stop the training if patience is over."""
        value = self.watch.value(logs)
        if value is None:
            return
        if self.watch.better(value):
            self.wait_epoch = 0
            if self.save_best_model and self.save_dir is not None:
                self.model.save(str(Path(self.save_dir) / "best_model"))
        else:
            self.wait_epoch += 1
        if self.wait_epoch >= max(self.patience, 1):
            self.model.stop_training = True
            if self.verbose:
                print(f"early stop: {self.monitor} has not got better than {self.watch.best} for {self.wait_epoch}")

    @property
    def best_value(self) -> float | None:
        """The best value so far."""
        return self.watch.best

    def state_dict(self) -> dict[str, Any]:
        """The best figure, and for how many evaluations there was none better."""
        return {"best": self.watch.best, "wait": self.wait_epoch}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from `state_dict`."""
        self.watch.best, self.wait_epoch = state["best"], state["wait"]


class LRScheduler(Callback):
    """Call the learning rate schedule's `step()` after each training step (default) or after each epoch."""

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        if by_step and by_epoch:
            raise ArgumentError("LRScheduler: by_step and by_epoch can't both be True")
        self.by_step, self.by_epoch = by_step, by_epoch

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Step if by step."""
        if self.by_step:
            self._step()

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Step if by epoch."""
        if self.by_epoch:
            self._step()

    def _step(self) -> None:
        schedule: Any = getattr(self.model._optimizer, "_learning_rate", None)
        if hasattr(schedule, "step"):
            schedule.step()


class ReduceLROnPlateau(Callback):
    """Multiply the learning rate by `factor` when `monitor` has not got better in `patience` evaluations."""

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        if factor >= 1.0:
            raise ArgumentError(f"ReduceLROnPlateau: factor must be below 1, got {factor}")
        self.watch = _Watch("ReduceLROnPlateau", monitor, mode, min_delta)
        self.factor, self.patience, self.cooldown, self.min_lr, self.verbose = (
            factor,
            patience,
            cooldown,
            min_lr,
            verbose,
        )
        self.wait = self.resting = 0

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Compare, and lower the rate if patience is over."""
        value = self.watch.value(logs)
        if value is None:
            return
        self.resting = max(self.resting - 1, 0)
        if self.watch.better(value) or self.resting:
            self.wait = 0
            return
        self.wait += 1
        optimizer = self.model._optimizer
        old = float(optimizer.get_lr())
        if self.wait >= self.patience and old > self.min_lr:
            optimizer.set_lr(max(old * self.factor, self.min_lr))
            self.wait, self.resting = 0, self.cooldown
            if self.verbose:
                print(f"learning rate {old} -> {optimizer.get_lr()}")

    def state_dict(self) -> dict[str, Any]:
        """The best figure, and how long there was none better."""
        return {"best": self.watch.best, "wait": self.wait, "resting": self.resting}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from `state_dict`."""
        self.watch.best, self.wait, self.resting = state["best"], state["wait"], state["resting"]


def standard(
    given: Callback | Sequence[Callback] | None, *, log_freq: int, verbose: int, save_freq: int, save_dir: Any,
    training: bool, model: Any, params: dict[str, Any],
) -> CallbackList:  # fmt: skip
    """The given callbacks, with a progress bar, checkpoints and the schedule's steps added where they are missing."""
    chosen: list[Any] = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
    if verbose and not any(isinstance(c, ProgBarLogger) for c in chosen):
        chosen.insert(0, ProgBarLogger(log_freq, verbose))
    if training and not any(isinstance(c, LRScheduler) for c in chosen):
        chosen.append(LRScheduler())
    if training and save_dir is not None and not any(isinstance(c, ModelCheckpoint) for c in chosen):
        chosen.append(ModelCheckpoint(save_freq, save_dir))
    chosen.sort(key=lambda callback: isinstance(callback, ModelCheckpoint))  # they save what the others have changed
    return CallbackList(chosen, model, params)


def config_callbacks(
    callbacks: Callback | Sequence[Callback] | None = None, model: Any = None, batch_size: int | None = None,
    epochs: int | None = None, steps: int | None = None, log_freq: int = 2, verbose: int = 2, save_freq: int = 1,
    save_dir: Any = None, metrics: Sequence[str] | None = None, mode: str = "train",
) -> CallbackList:  # fmt: skip
    """What `Model.fit` calls: the given callbacks and those that are always there, for loops of one's own.

    >>> called = config_callbacks(epochs=1, steps=2, verbose=0)
    >>> called.on_begin("train"), called.on_epoch_begin(0), [type(c).__name__ for c in called.callbacks]
    (None, None, ['LRScheduler'])
    """
    params = {
        "batch_size": batch_size, "epochs": epochs, "steps": steps, "verbose": verbose, "metrics": list(metrics or ()),
    }  # fmt: skip
    return standard(
        callbacks, log_freq=log_freq, verbose=verbose, save_freq=save_freq, save_dir=save_dir,
        training=mode == "train", model=model, params=params,
    )  # fmt: skip
