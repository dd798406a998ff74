"""The base of all callbacks of `Model.fit`, and several of them as one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.boundary import Created
from ..base.errors import KindError

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

    def state_dict(self) -> dict[str, Any]:
        """What a resumed training needs of this callback: plain values, which checkpoints keep."""
        return {}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Take what `state_dict` gave; called after `on_train_begin` where a training is resumed."""

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

    def on_begin(self, mode: str, logs: Logs | None = None) -> None:
        """Before a training, an evaluation or predictions: mode is "train", "eval" or "predict"."""
        self.call(f"on_{mode}_begin", logs)

    def on_end(self, mode: str, logs: Logs | None = None) -> None:
        """After it."""
        self.call(f"on_{mode}_end", logs)

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """Before an epoch."""
        self.call("on_epoch_begin", epoch, logs)

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """After an epoch."""
        self.call("on_epoch_end", epoch, logs)

    def on_batch_begin(self, mode: str, step: int, logs: Logs | None = None) -> None:
        """Before a batch."""
        self.call(f"on_{mode}_batch_begin", step, logs)

    def on_batch_end(self, mode: str, step: int, logs: Logs | None = None) -> None:
        """After a batch."""
        self.call(f"on_{mode}_batch_end", step, logs)
