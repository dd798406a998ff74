# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from collections.abc import Iterable as _Iterable
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created

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
    def state_dict(self) -> _dict[_str, _Any]:
        """What a resumed training needs of this callback: plain values, which checkpoints keep."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Take what `state_dict` gave; called after `on_train_begin` where a training is resumed."""
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
    def on_begin(self, mode: _str, logs: _dict[_str, _Any] | None = None) -> None:
        """Before a training, an evaluation or predictions: mode is "train", "eval" or "predict"."""
    def on_end(self, mode: _str, logs: _dict[_str, _Any] | None = None) -> None:
        """After it."""
    def on_epoch_begin(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before an epoch."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After an epoch."""
    def on_batch_begin(self, mode: _str, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Before a batch."""
    def on_batch_end(self, mode: _str, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """After a batch."""
