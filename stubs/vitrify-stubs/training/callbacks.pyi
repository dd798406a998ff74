# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Iterable as _Iterable
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created

class CSVLogger(Callback):
    """A row of losses and metrics per epoch in a CSV file."""
    path: _Path
    def __init__(self, path: _str | _Path) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Write the row; the first one with the names."""

class Callback(_Created):
    """Base: override the moments that matter. `self.model` is the Model, `self.params` facts about the run.

    Moments: on_{train,eval,predict}_{begin,end}(logs), on_epoch_{begin,end}(epoch, logs),
    on_{train,eval,predict}_batch_{begin,end}(step, logs). `logs` holds losses and metrics by name."""
    model: _Any
    params: _dict[_str, _Any]
    def set_params(self, params: _dict[_str, _Any]) -> None:
        """Called before a run."""
    def set_model(self, model: _Any) -> None:
        """Called before a run."""
    def on_train_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Before the first epoch."""
    def on_train_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """After the last epoch."""
    def on_eval_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Before an evaluation."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """After an evaluation."""
    def on_predict_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Before predictions."""
    def on_predict_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """After predictions."""
    def on_epoch_begin(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before an epoch."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After an epoch of training."""
    def on_train_batch_begin(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before a training step."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After a training step."""
    def on_eval_batch_begin(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before a batch of an evaluation."""
    def on_eval_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After a batch of an evaluation."""
    def on_predict_batch_begin(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before a batch of predictions."""
    def on_predict_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After a batch of predictions."""

class CallbackList:
    """Several callbacks as one: `callbacks.call("on_epoch_end", epoch, logs)`."""
    callbacks: _Any
    def __init__(self, callbacks: _Iterable[Callback], model: _Any, params: _dict[_str, _Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def call(self, moment: _str, *args: _Any) -> None:
        """Call this moment of each."""

class EarlyStopping(Callback):
    """Stop when `monitor` of the evaluations has not got better `patience` times in a row by more than `min_delta`.

    `baseline`: a value it has to beat first; `save_best_model`: keep the best state in the checkpoints' folder."""
    watch: _Any
    monitor: _str
    patience: _int
    verbose: _int
    baseline: _float | None
    save_best_model: _bool
    save_dir: _str | None
    stopped_epoch: _int
    wait_epoch: _int
    def __init__(self, monitor: _str = 'loss', mode: _str = 'auto', patience: _int = 0, verbose: _int = 1, min_delta: _float = 0, baseline: _float | None = None, save_best_model: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_train_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Start counting."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Compare, and stop the training if patience is over."""
    @property
    def best_value(self) -> _float | None:
        """The best value so far."""

class LRScheduler(Callback):
    """Call the learning rate schedule's `step()` after each training step (default) or after each epoch."""
    by_step: _bool
    by_epoch: _bool
    def __init__(self, by_step: _bool = True, by_epoch: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Step if by step."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Step if by epoch."""

class ModelCheckpoint(Callback):
    """Save the model to `save_dir/<epoch>` after each `save_freq`-th epoch, and to `save_dir/final` at the end."""
    save_freq: _int
    save_dir: _str | _Path | None
    def __init__(self, save_freq: _int = 1, save_dir: _str | _Path | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Save this epoch's state."""
    def on_train_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Save the final state."""

class ProgBarLogger(Callback):
    """Progress on the terminal: a bar per epoch (verbose=1, by tqdm where installed) or a line per `log_freq` (2)."""
    log_freq: _int
    verbose: _int
    def __init__(self, log_freq: _int = 1, verbose: _int = 2) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_epoch_begin(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Say which epoch."""
    def on_eval_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Start the evaluation's progress."""
    def on_predict_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Start the predictions' progress."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Show a step."""
    def on_eval_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Show a step."""
    def on_predict_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Show a step."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Show the epoch's last figures."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Show the evaluation's result."""
    def on_predict_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Close the progress."""

class ReduceLROnPlateau(Callback):
    """Multiply the learning rate by `factor` when `monitor` has not got better in `patience` evaluations."""
    watch: _Any
    factor: _float
    patience: _int
    cooldown: _int
    min_lr: _float
    verbose: _int
    wait: _int
    resting: _int
    def __init__(self, monitor: _str = 'loss', factor: _float = 0.1, patience: _int = 10, verbose: _int = 1, mode: _str = 'auto', min_delta: _float = 0.0001, cooldown: _int = 0, min_lr: _float = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Compare, and lower the rate if patience is over."""
