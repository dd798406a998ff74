# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.training.callback import Callback as _Callback

class ProgBarLogger(_Callback):
    """Progress on the terminal: a bar per epoch (verbose=1), or a line per `log_freq` steps and for the last one (2).

    While kernels compile it says so, with their number."""
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
        """Show the evaluation's result: the mean loss over all samples, and the metrics."""
    def on_predict_end(self, logs: _dict[_str, _Any] | None = None) -> None:
        """Close the progress."""
