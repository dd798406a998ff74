"""Callbacks that write figures down: CSV files, TensorBoard, VisualDL."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import MissingDependencyError
from .callback import Callback, Logs

HIDDEN = ("step", "batch_size", "samples")


def scalars(logs: Logs | None) -> dict[str, float]:
    """The figures of logs as numbers by name; of several losses each has its number in the name."""
    found: dict[str, float] = {}
    for name, value in (logs or {}).items():
        if name not in HIDDEN:
            numbers = np.ravel(value)
            for k, number in enumerate(numbers):
                found[name if len(numbers) == 1 else f"{name}{k}"] = float(number)
    return found


class CSVLogger(Callback):
    """A row per epoch in a CSV file: losses and metrics, those of the evaluation as `eval_…`, and the learning rate.

    append: keep the rows that a file has, for a training that is resumed.
    """

    def __init__(self, path: str | Path, *, append: bool = False) -> None:
        self.path, self.append = Path(path), append
        self._rows: list[dict[str, Any]] = []

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Start the file."""
        self._rows = []
        if self.append and self.path.exists():
            with self.path.open(newline="") as file:
                self._rows = list(csv.DictReader(file))

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Write the epoch's row."""
        row: dict[str, Any] = {"epoch": epoch, **scalars(logs)}
        optimizer = getattr(self.model, "_optimizer", None)
        if optimizer is not None:
            row["lr"] = float(optimizer.get_lr())
        self._rows = [*(r for r in self._rows if int(r["epoch"]) != epoch), row]
        self._write()

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Add the evaluation of the last epoch to its row."""
        if self._rows:
            self._rows[-1].update({f"eval_{name}": value for name, value in scalars(logs).items()})
            self._write()

    def _write(self) -> None:
        """The whole file: a column may have come."""
        names = list(dict.fromkeys(name for row in self._rows for name in row))
        with self.path.open("w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(self._rows)


class _Scalars(Callback, ABC):
    """Gives figures to `add(name, value, step)`: train/… after `log_freq` steps each, eval/… after each evaluation."""

    def __init__(self, log_dir: str | Path, log_freq: int = 1) -> None:
        self.log_dir, self.log_freq = str(log_dir), log_freq
        self._steps = 0

    @abstractmethod
    def open(self) -> Callable[[str, float, int], None]:
        """Make the writer; what it takes figures by."""

    def close(self) -> None:
        """Finish the files."""

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Open the files."""
        self._add, self._steps = self.open(), 0

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Write the step's figures."""
        self._steps += 1
        if self._steps % self.log_freq == 0:
            figures = scalars(logs) | {"lr": float(self.model._optimizer.get_lr())}
            for name, value in figures.items():
                self._add(f"train/{name}", value, self._steps)

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Write the evaluation's figures."""
        if hasattr(self, "_add"):
            for name, value in scalars(logs).items():
                self._add(f"eval/{name}", value, self._steps)

    def on_train_end(self, logs: Logs | None = None) -> None:
        """Close the files."""
        self.close()

    def state_dict(self) -> dict[str, Any]:
        """How many steps were counted."""
        return {"steps": self._steps}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Go on counting."""
        self._steps = state["steps"]


class TensorBoard(_Scalars):
    """Losses, metrics and the learning rate for TensorBoard: `tensorboard --logdir LOG_DIR` shows them.

    log_freq: steps between two points. Errors: MissingDependencyError where the package tensorboard isn't installed.
    """

    def open(self) -> Callable[[str, float, int], None]:
        """TensorBoard's own writer."""
        self._writer = library("tensorboard.summary", "TensorBoard").Writer(self.log_dir)
        return lambda name, value, step: self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        """Finish the file of events."""
        self._writer.close()


class VisualDL(_Scalars):
    """Losses, metrics and the learning rate for VisualDL: `visualdl --logdir LOG_DIR` shows them.

    log_freq: steps between two points. Errors: MissingDependencyError where the package visualdl isn't installed.
    """

    def open(self) -> Callable[[str, float, int], None]:
        """VisualDL's own writer."""
        self._writer = library("visualdl", "VisualDL").LogWriter(logdir=self.log_dir)
        return lambda name, value, step: self._writer.add_scalar(tag=name, value=value, step=step)

    def close(self) -> None:
        """Finish the file of events."""
        self._writer.close()


def library(name: str, who: str) -> Any:
    """An optional package. Errors: MissingDependencyError."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingDependencyError(f"{who} needs the package {package}", remedy=f"pip install {package}") from error
