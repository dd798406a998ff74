# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Iterator as _Iterator
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.training.callback import Callback as _Callback

class History(_Callback):
    """The figures of a training by name, one per epoch: `history["loss"]`, `history["eval_acc"]`, `history["lr"]`.

    `history.steps` has those of each step. `history.plot("curves.svg")` draws all; in a notebook it shows by itself."""
    epoch: _list[_int]
    history: _dict[_str, _list[_float]]
    steps: _dict[_str, _list[_float]]
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, name: _str) -> _list[_float]: ...
    def __iter__(self) -> _Iterator[_str]: ...
    def __len__(self) -> _int: ...
    def on_train_batch_end(self, step: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Note the step's figures."""
    def on_epoch_end(self, epoch: _int, logs: _dict[_str, _Any] | None = None) -> None:
        """Note the epoch's figures."""
    def on_eval_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Note those of the evaluation."""
    def state_dict(self) -> _dict[_str, _Any]:
        """All figures."""
    def set_state_dict(self, state: _dict[_str, _Any]) -> None:
        """Go on from `state_dict`."""
    def plot(self, file: _str | _Path | None = None) -> _str:
        """The figures over the epochs as SVG, `eval_…` beside its namesake; the learning rate over the steps."""
