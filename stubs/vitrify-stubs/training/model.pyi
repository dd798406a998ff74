# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.training.history import History as _History

class Model:
    """Training, evaluation and prediction of `network` in a call each.

    `inputs`, `labels`: InputSpecs of the network's arguments and of the loss's further ones; they are needed where it
    can't be told from the data how many fields of a batch are inputs (default: all but the last), and to save for
    inference before a call. In static mode they must be given: each way of running has a program of its own.

    >>> from ..dygraph.nn import Linear, MSELoss
    >>> from ..dygraph.optimizer import SGD
    >>> network = Linear(2, 1)
    >>> model = Model(network)
    >>> model.prepare(SGD(0.1, parameters=model.parameters()), MSELoss())
    >>> losses = model.train_batch([np.ones((4, 2), np.float32)], [np.ones((4, 1), np.float32)])
    >>> len(losses), losses[0].shape
    (1, ())"""
    network: _Layer
    stop_training: _bool
    def __init__(self, network: _Layer, inputs: _Any = None, labels: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def expect(self, inputs: _Any, shares: _int = 1) -> None:
        """Set the InputSpecs of its inputs, and what gradients of a batch are divided by (batches of one update)."""
    def prepare(self, optimizer: _Any = None, loss: _Any = None, metrics: _Any = None, amp_configs: _Any = None, *, to_static: _bool = False) -> None:
        """Give the optimiser, the loss (a Layer or function of outputs and labels) and metrics.

        to_static: compile the whole training step, and the forward pass, as one program each. amp_configs: None or
        "O0" (mixed precision brings no speed on a CPU: use `amp.auto_cast` in a loop of your own).
        Errors: KindError for a loss that can't be called or metrics that are none; ArgumentError for amp_configs."""
    def parameters(self, *args: _Any, **kwargs: _Any) -> _list[_Any]:
        """The network's parameters."""
    def summary(self, input_size: _Any = None, dtype: _Any = None) -> _dict[_str, _int]:
        """A table of the network's layers; see `vitrify.summary`. Errors: ArgumentError without any input size."""
    def train_batch(self, inputs: _Any, labels: _Any = None, update: _bool = True) -> _Any:
        """One step. Returns the losses as arrays, `(losses, metrics)` where there are metrics.

        update=False adds up gradients without a step of the optimiser.
        Errors: StateError before `prepare` with an optimiser and a loss."""
    def eval_batch(self, inputs: _Any, labels: _Any = None) -> _Any:
        """Losses and metrics of a batch, without training. Errors: StateError before `prepare`."""
    def predict_batch(self, inputs: _Any) -> _list[_Any]:
        """The network's outputs for a batch, as arrays."""
    def fit(self, train_data: _Any = None, eval_data: _Any = None, batch_size: _int = 1, epochs: _int = 1, eval_freq: _int = 1, log_freq: _int = 10, save_dir: _str | _Path | None = None, save_freq: _int = 1, verbose: _int = 2, drop_last: _bool = False, shuffle: _bool = True, num_workers: _int = 0, callbacks: _Any = None, accumulate_grad_batches: _int = 1, num_iters: _int | None = None, *, initial_epoch: _int = 0, resume: _str | _Path | None = None) -> _History:
        """Train on a Dataset or DataLoader for `epochs`, with an evaluation after each `eval_freq`-th.

        Returns the figures of all epochs and steps; `.plot()` draws them. A pair of arrays `(inputs, labels)` is a data
        set, too. verbose: 0 silent, 1 a bar, 2 a line per `log_freq` steps. save_dir: where to save after each
        `save_freq`-th epoch. accumulate_grad_batches: gradients of so many batches make one update, also the rest at an
        epoch's end. num_iters: so many steps, in as many epochs as it takes; at most so many with `resume`, or of data
        without a length. initial_epoch: the number of the first epoch. resume: the path of a checkpoint (`save_dir/3`):
        weights, optimizer, schedule, random numbers, the order of samples and callbacks go on as if it hadn't stopped.
        Errors: StateError before `prepare`; KindError for data of another kind; ArtifactError for a checkpoint that
        misses files."""
    def evaluate(self, eval_data: _Any, batch_size: _int = 1, log_freq: _int = 10, verbose: _int = 2, num_workers: _int = 0, callbacks: _Any = None, num_iters: _int | None = None) -> _dict[_str, _Any]:
        """Losses and metrics over a data set, by name. Errors: KindError for data of another kind."""
    def predict(self, test_data: _Any, batch_size: _int = 1, num_workers: _int = 0, stack_outputs: _bool = False, verbose: _int = 1, callbacks: _Any = None) -> _list[_Any]:
        """Per output of the network: a tuple of its batches' arrays, or one array (stack_outputs=True)."""
    def save(self, path: _str, training: _bool = True) -> None:
        """`path.pdparams` and `path.pdopt` to train on, or an artifact for inference (training=False).

        Inside `fit`, as callbacks call it, also `path.pdstate`."""
    def save_position(self, path: _str) -> None:
        """Inside `fit`: write `path.pdstate`, how far the training has come, for `fit(resume=path)`."""
    def load(self, path: _str, skip_mismatch: _bool = False, reset_optimizer: _bool = False) -> None:
        """Read what `save` wrote. skip_mismatch: leave parameters that are missing or of another shape as they are.

        Errors: ArtifactError for missing or damaged files; StateError for parameters that don't fit."""
