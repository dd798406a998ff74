"""Callbacks of `Model.fit`: progress, checkpoints, early stop, learning rate, logs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.boundary import Created
from ..base.errors import ArgumentError, KindError

__all__ = [
    "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger",
    "ReduceLROnPlateau",
]  # fmt: skip

Logs = dict[str, Any]


class Callback(Created):
    """Base: override the moments that matter. `self.model` is the Model, `self.params` facts about the run.

    Moments: on_{train,eval,predict}_{begin,end}(logs), on_epoch_{begin,end}(epoch, logs),
    on_{train,eval,predict}_batch_{begin,end}(step, logs). `logs` holds losses and metrics by name.
    """

    model: Any = None
    params: dict[str, Any]

    def set_params(self, params: dict[str, Any]) -> None:
        """Called before a run."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Called before a run."""
        self.model = model

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Before the first epoch."""

    def on_train_end(self, logs: Logs | None = None) -> None:
        """After the last epoch."""

    def on_eval_begin(self, logs: Logs | None = None) -> None:
        """Before an evaluation."""

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """After an evaluation."""

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        """Before predictions."""

    def on_predict_end(self, logs: Logs | None = None) -> None:
        """After predictions."""

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """Before an epoch."""

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """After an epoch of training."""

    def on_train_batch_begin(self, step: int, logs: Logs | None = None) -> None:
        """Before a training step."""

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """After a training step."""

    def on_eval_batch_begin(self, step: int, logs: Logs | None = None) -> None:
        """Before a batch of an evaluation."""

    def on_eval_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """After a batch of an evaluation."""

    def on_predict_batch_begin(self, step: int, logs: Logs | None = None) -> None:
        """Before a batch of predictions."""

    def on_predict_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """After a batch of predictions."""


class CallbackList:
    """Several callbacks as one: `callbacks.call("on_epoch_end", epoch, logs)`."""

    def __init__(self, callbacks: Iterable[Callback], model: Any, params: dict[str, Any]) -> None:
        self.callbacks = list(callbacks)
        for callback in self.callbacks:
            if not isinstance(callback, Callback):
                raise KindError(f"callbacks must be Callback objects, not a {type(callback).__name__}")
            callback.set_model(model)
            callback.set_params(params)

    def call(self, moment: str, *args: Any) -> None:
        """Call this moment of each."""
        for callback in self.callbacks:
            getattr(callback, moment)(*args)


class ProgBarLogger(Callback):
    """Progress on the terminal: a bar per epoch (verbose=1, by tqdm where installed) or a line per `log_freq` (2)."""

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        self.log_freq, self.verbose = log_freq, verbose
        self._bar: Any = None

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """Say which epoch."""
        if self.verbose:
            print(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self._begin("train")

    def on_eval_begin(self, logs: Logs | None = None) -> None:
        """Start the evaluation's progress."""
        if self.verbose:
            print("Eval begin...")
        self._begin("eval")

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        """Start the predictions' progress."""
        if self.verbose:
            print("Predict begin...")
        self._begin("predict")

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Show a step."""
        self._step(step, logs)

    on_eval_batch_end = on_predict_batch_end = on_train_batch_end

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Show the epoch's last figures."""
        self._end(logs)

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Show the evaluation's result."""
        self._end(logs)
        if self.verbose:
            print(f"Eval samples: {(logs or {}).get('samples', '?')}")

    def on_predict_end(self, logs: Logs | None = None) -> None:
        """Close the progress."""
        self._end(logs)

    def _begin(self, phase: str) -> None:
        self._steps = self.params.get("steps" if phase == "train" else f"{phase}_steps")
        if self.verbose == 1:
            try:
                from tqdm import tqdm
            except ImportError:
                self.verbose = 2
                return
            self._bar = tqdm(total=self._steps, unit="step", leave=True)

    def _step(self, step: int, logs: Logs | None) -> None:
        if self._bar is not None:
            self._bar.update(1)
            if (step + 1) % self.log_freq == 0:
                self._bar.set_postfix_str(_show(logs))
        elif self.verbose and (step + 1) % self.log_freq == 0:
            print(f"step {step + 1}/{self._steps or '?'} - {_show(logs)}")

    def _end(self, logs: Logs | None) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(_show(logs))
            self._bar.close()
            self._bar = None


def _show(logs: Logs | None) -> str:
    parts = []
    for name, value in (logs or {}).items():
        if name in ("samples", "step", "batch_size"):
            continue
        numbers = value if isinstance(value, (list, tuple)) else [value]
        parts.append(f"{name}: " + " ".join(f"{float(n):.4f}" for n in np.ravel(numbers)))
    return " - ".join(parts)


class ModelCheckpoint(Callback):
    """Save the model to `save_dir/<epoch>` after each `save_freq`-th epoch, and to `save_dir/final` at the end."""

    def __init__(self, save_freq: int = 1, save_dir: str | Path | None = None) -> None:
        if save_freq < 1:
            raise ArgumentError(f"ModelCheckpoint: save_freq must be at least 1, got {save_freq}")
        self.save_freq, self.save_dir = save_freq, save_dir

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Save this epoch's state."""
        if self.save_dir is not None and (epoch + 1) % self.save_freq == 0:
            self.model.save(str(Path(self.save_dir) / str(epoch)))

    def on_train_end(self, logs: Logs | None = None) -> None:
        """Save the final state."""
        if self.save_dir is not None:
            self.model.save(str(Path(self.save_dir) / "final"))


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


class CSVLogger(Callback):
    """A row of losses and metrics per epoch in a CSV file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._names: list[str] | None = None

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Write the row; the first one with the names."""
        row = {"epoch": epoch, **{k: np.ravel(v)[0] for k, v in (logs or {}).items()}}
        first = self._names is None
        self._names = self._names or list(row)
        with self.path.open("w" if first else "a", newline="") as file:
            writer = csv.DictWriter(file, self._names, extrasaction="ignore")
            if first:
                writer.writeheader()
            writer.writerow(row)


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
    return CallbackList(chosen, model, params)
