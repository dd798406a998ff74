# Written by `make stubs`; edits here are lost.

from abc import ABC as _ABC
from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.training.callback import Callback as _Callback

class CSVLogger(_Callback):
    """A row per epoch in a CSV file: losses and metrics, those of the evaluation as `eval_…`, and the learning rate.

    append: keep the rows that a file has, for a training that is resumed."""
    path: _Path
    append: _bool
    def __init__(self, path: _str | _Path, *, append: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_train_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Start the file."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Write the epoch's row."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Add the evaluation of the last epoch to its row."""

class TensorBoard(_Scalars):
    """Losses, metrics and the learning rate for TensorBoard: `tensorboard --logdir LOG_DIR` shows them.

    log_freq: steps between two points. Errors: MissingDependencyError where the package tensorboard isn't installed."""
    def open(self) -> _Callable[[_str, _float, _int], None]:
        """TensorBoard's own writer."""
    def close(self) -> None:
        """Finish the file of events."""

class _Scalars(_Callback, _ABC):
    """Gives figures to `add(name, value, step)`: train/… after `log_freq` steps each, eval/… after each evaluation."""
    log_dir: _str
    log_freq: _int
    def __init__(self, log_dir: _str | _Path, log_freq: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def open(self) -> _Callable[[_str, _float, _int], None]:
        """Make the writer; what it takes figures by."""
    def close(self) -> None:
        """Finish the files."""
    def on_train_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Open the files."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Write the step's figures."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Write the evaluation's figures."""
    def on_train_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Close the files."""
    def state_dict(self) -> _dict[_str, _Any]:
        """How many steps were counted."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Go on counting."""

class VisualDL(_Scalars):
    """Losses, metrics and the learning rate for VisualDL: `visualdl --logdir LOG_DIR` shows them.

    log_freq: steps between two points. Errors: MissingDependencyError where the package visualdl isn't installed."""
    def open(self) -> _Callable[[_str, _float, _int], None]:
        """VisualDL's own writer."""
    def close(self) -> None:
        """Finish the file of events."""
