# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.training.callback import Callback as _Callback

class EarlyStopping(_Callback):
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
    def state_dict(self) -> _dict[_str, _Any]:
        """The best figure, and for how many evaluations there was none better."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Go on from `state_dict`."""

class LRScheduler(_Callback):
    """Call the learning rate schedule's `step()` after each training step (default) or after each epoch."""
    by_step: _bool
    by_epoch: _bool
    def __init__(self, by_step: _bool = True, by_epoch: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Step if by step."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Step if by epoch."""

class ModelCheckpoint(_Callback):
    """Save the model to `save_dir/<epoch>` after each `save_freq`-th epoch, and to `save_dir/final` at the end.

    monitor: also save to `save_dir/best` whenever this figure of the evaluations ("loss", "acc") got better; mode:
    "min", "max" or "auto" (by the figure's name). save_best_only: nothing but the best. save_steps: also save to
    `save_dir/last` after each so many steps of an epoch, so that `fit(resume=...)` can go on inside it."""
    save_freq: _int
    save_dir: _str | _Path | None
    save_steps: _int | None
    save_best_only: _bool
    watch: _Any
    def __init__(self, save_freq: _int = 1, save_dir: _str | _Path | None = None, *, monitor: _str | None = None, mode: _str = 'auto', save_best_only: _bool = False, save_steps: _int | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def on_train_begin(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Find the folder: that of `fit`, where none was given."""
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Save for a training that goes on inside an epoch."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Save this epoch's state."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Save the best state; the epoch's checkpoint learns what the evaluation has changed."""
    def on_train_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Save the final state."""
    def state_dict(self) -> _dict[_str, _Any]:
        """The best figure so far."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Go on from `state_dict`."""

class ReduceLROnPlateau(_Callback):
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
    def state_dict(self) -> _dict[_str, _Any]:
        """The best figure, and how long there was none better."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Go on from `state_dict`."""
