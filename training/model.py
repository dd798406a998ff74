"""Model: a network with an optimiser, a loss and metrics, and the loops around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..base.boundary import created, outward
from ..base.errors import ArgumentError, ArtifactError, KindError, StateError
from ..base.html import code, folded
from ..data.dataset import Dataset, IterableDataset, TensorDataset
from ..data.loader import DataLoader
from ..dygraph.modes import no_grad
from ..dygraph.nn.layer import Layer
from ..dygraph.serialize import load as load_state
from ..dygraph.serialize import save as save_state
from ..dygraph.tensor import Tensor
from ..jit import api as jit_api
from ..jit.serialize import save as jit_saving
from ..static import in_dynamic_mode
from .callbacks import CallbackList, History, standard
from .metrics import Metric, as_metrics
from .resume import Position, set_random_states
from .static_steps import StaticSteps, values_in_scope
from .summary import summary

Logs = dict[str, Any]


@created
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
    (1, ())
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None) -> None:
        if not isinstance(network, Layer):
            raise KindError(f"Model needs a Layer, not a {type(network).__name__}")
        self.network = network
        self._inputs = _listed(inputs)
        self._labels = _listed(labels)
        self._optimizer: Any = None
        self._loss: Callable[..., Any] | None = None
        self._metrics: list[Metric] = []
        self._train_step: Callable[..., Any] = self._eager_step
        self._forward: Callable[..., Any] = network
        self.stop_training = False
        self._shares = 1  # what gradients of a batch are divided by
        self._position: Position | None = None
        self._static = None if in_dynamic_mode() else StaticSteps(network, self._inputs, self._labels)
        if self._static is not None:
            self._static.prepare(None, None, [])

    def expect(self, inputs: Any, shares: int = 1) -> None:
        """Set the InputSpecs of its inputs, and what gradients of a batch are divided by (batches of one update)."""
        self._inputs, self._shares = _listed(inputs), shares

    def __repr__(self) -> str:
        names = [type(x).__name__ for x in (self._optimizer, self._loss) if x is not None]
        names += [type(metric).__name__ for metric in self._metrics]
        steps = ", compiled steps" if self._forward is not self.network else ""
        count = sum(parameter.size for parameter in self.network.parameters())
        return f"<Model of {type(self.network).__name__}: {', '.join([f'{count:,} parameters', *names])}{steps}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>" + folded("network", code(repr(self.network)))

    # ---- setting up

    @outward
    def prepare(
        self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None, *,
        to_static: bool = False,
    ) -> None:  # fmt: skip
        """Give the optimiser, the loss (a Layer or function of outputs and labels) and metrics.

        to_static: compile the whole training step, and the forward pass, as one program each. amp_configs: None or
        "O0" (mixed precision brings no speed on a CPU: use `amp.auto_cast` in a loop of your own).
        Errors: KindError for a loss that can't be called or metrics that are none; ArgumentError for amp_configs.
        """
        if loss is not None and not callable(loss):
            raise KindError(f"prepare: the loss must be a Layer or a function, not a {type(loss).__name__}")
        if amp_configs not in (None, "O0", {}, {"level": "O0"}):
            raise ArgumentError(
                f"prepare: amp_configs={amp_configs!r} isn't supported", remedy="use amp.auto_cast in a training loop"
            )
        self._optimizer, self._loss, self._metrics = optimizer, loss, as_metrics(metrics)
        if self._static is not None:
            self._static.prepare(optimizer, loss, self._metrics)
            return
        self._train_step = jit_api.to_static(self._eager_step) if to_static else self._eager_step
        self._forward = jit_api.to_static(self.network.__call__) if to_static else self.network

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The network's parameters."""
        return self.network.parameters(*args, **kwargs)

    def summary(self, input_size: Any = None, dtype: Any = None) -> dict[str, int]:
        """A table of the network's layers; see `vitrify.summary`. Errors: ArgumentError without any input size."""
        size = input_size if input_size is not None else list(self._inputs) or None
        if size is None:
            raise ArgumentError("summary needs input_size, as the Model has no InputSpecs")
        return summary(self.network, size, dtype)

    # ---- one batch

    def _eager_step(self, inputs: list[Any], labels: list[Any], update: bool) -> tuple[list[Any], list[Any]]:
        outputs = _listed(self.network(*inputs))
        losses = self._losses(outputs, labels)
        total = sum(losses[1:], losses[0])
        (total if self._shares == 1 else total / self._shares).backward()
        if update:
            self._optimizer.step()
            self._optimizer.clear_grad()
        return losses, outputs

    def _losses(self, outputs: list[Any], labels: list[Any]) -> list[Any]:
        assert self._loss is not None
        return _listed(self._loss(*outputs, *labels))

    @outward
    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """One step. Returns the losses as arrays, `(losses, metrics)` where there are metrics.

        update=False adds up gradients without a step of the optimiser.
        Errors: StateError before `prepare` with an optimiser and a loss.
        """
        self._need("train_batch", optimizer=True)
        if self._static is not None:
            if not update:
                raise ArgumentError("train_batch(update=False) isn't there in static mode")
            return self._static_results(*self._static.run("train", _listed(inputs), _listed(labels)))
        self.network.train()
        given = _tensors(inputs), _tensors(labels)
        losses, outputs = self._train_step(*given, update)
        return self._results(losses, outputs, given[1])

    @outward
    @no_grad()
    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Losses and metrics of a batch, without training. Errors: StateError before `prepare`."""
        if self._static is not None:
            return self._static_results(*self._static.run("eval", _listed(inputs), _listed(labels)))
        self.network.eval()
        given = _tensors(labels)
        outputs = _listed(self._forward(*_tensors(inputs)))
        losses = self._losses(outputs, given) if self._loss is not None and given else []
        return self._results(losses, outputs, given)

    @outward
    @no_grad()
    def predict_batch(self, inputs: Any) -> list[Any]:
        """The network's outputs for a batch, as arrays."""
        if self._static is not None:
            return self._static.run("predict", _listed(inputs), [])[1]
        self.network.eval()
        return [x.numpy() for x in _listed(self._forward(*_tensors(inputs)))]

    def _static_results(self, losses: list[Any], outputs: list[Any], counted: list[list[Any]]) -> Any:
        if not self._metrics:
            return losses
        figures = [metric.update(*part) for metric, part in zip(self._metrics, counted, strict=True)]
        return (losses, figures) if losses else figures

    def _results(self, losses: list[Any], outputs: list[Any], labels: list[Any]) -> Any:
        found = [x.numpy() for x in losses]
        if not self._metrics:
            return found
        figures = []
        for metric in self._metrics:
            with no_grad():
                prepared = metric.compute(*[x.detach() for x in outputs], *labels)
            figures.append(metric.update(*(prepared if isinstance(prepared, tuple) else (prepared,))))
        return (found, figures) if losses else figures

    def _need(self, who: str, *, optimizer: bool) -> None:
        if (optimizer and self._optimizer is None) or self._loss is None:
            raise StateError(
                f"{who} needs {'an optimiser and ' if optimizer else ''}a loss", remedy="call model.prepare(...) first"
            )

    # ---- loops

    @outward
    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: int = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | Path | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
        *,
        initial_epoch: int = 0,
        resume: str | Path | None = None,
    ) -> History:
        """Train on a Dataset or DataLoader for `epochs`, with an evaluation after each `eval_freq`-th.

        Returns the figures of all epochs and steps; `.plot()` draws them. A pair of arrays `(inputs, labels)` is a data
        set, too. verbose: 0 silent, 1 a bar, 2 a line per `log_freq` steps. save_dir: where to save after each
        `save_freq`-th epoch. accumulate_grad_batches: gradients of so many batches make one update, also the rest at an
        epoch's end. num_iters: so many steps, in as many epochs as it takes; at most so many with `resume`, or of data
        without a length. initial_epoch: the number of the first epoch. resume: the path of a checkpoint (`save_dir/3`):
        weights, optimizer, schedule, random numbers, the order of samples and callbacks go on as if it hadn't stopped.
        Errors: StateError before `prepare`; KindError for data of another kind; ArtifactError for a checkpoint that
        misses files.
        """
        self._need("fit", optimizer=True)
        _refuse_labels(train_data, eval_data)
        train = self._loader(train_data, batch_size, shuffle, drop_last, num_workers)
        evaluation = None if eval_data is None else self._loader(eval_data, batch_size, False, False, num_workers)
        if num_iters is not None and resume is None and (length := _length(train, None)):
            epochs = initial_epoch + num_iters // length + 1
        params: dict[str, Any] = {
            "epochs": epochs, "steps": _length(train, num_iters), "verbose": verbose, "batch_size": batch_size,
            "save_dir": None if save_dir is None else str(save_dir), "metrics": ["loss", *self._names()],
            "eval_steps": None if evaluation is None else _length(evaluation, None), "eval_freq": eval_freq,
            "accumulate_grad_batches": accumulate_grad_batches, "num_iters": num_iters,
        }  # fmt: skip
        history = History()
        calls = standard(
            [history, *_callbacks(callbacks)], log_freq=log_freq, verbose=verbose, save_freq=save_freq,
            save_dir=save_dir, training=True, model=self, params=params,
        )  # fmt: skip
        self._position = Position(initial_epoch, calls)
        self.stop_training = False
        calls.call("on_train_begin", {})
        random = None if resume is None else self._resume(str(resume), train, calls)
        try:
            self._epochs(train, evaluation, calls, params, random)
        finally:
            self._position = None
        return history

    def _epochs(
        self, train: DataLoader, evaluation: DataLoader | None, calls: CallbackList, params: dict[str, Any], random: Any
    ) -> None:
        """All epochs from the present position on. random: see `_train_epoch`."""
        position, left = self._position, params["num_iters"]
        logs: Logs = {}
        assert position is not None
        for epoch in range(position.epoch, params["epochs"]):
            params["first_step"] = position.step
            calls.call("on_epoch_begin", epoch, {})
            logs, steps = self._train_epoch(train, calls, params["accumulate_grad_batches"], left, random)
            left, random = None if left is None else left - steps, None
            position.end_epoch(train)
            calls.call("on_epoch_end", epoch, logs)
            if evaluation is not None and epoch % params["eval_freq"] == 0:
                self._evaluate(evaluation, calls, None)
            if self.stop_training or left == 0:
                break
        calls.call("on_train_end", logs)

    def _resume(self, path: str, train: DataLoader, calls: CallbackList) -> dict[str, Any]:
        """Load a checkpoint; the random states are set where the training goes on."""
        assert self._position is not None
        if self._static is not None:
            self._static.ready("train", True)
        self.load(path)
        return self._position.load(path, train, calls)

    def _train_epoch(
        self, data: DataLoader, calls: CallbackList, accumulate: int, most: int | None, random: dict[str, Any] | None
    ) -> tuple[Logs, int]:
        """An epoch from the present position on. random: the states to set before the first batch that isn't passed."""
        position = self._position
        assert position is not None
        self._reset_metrics()
        logs: Logs = {}
        passed = position.step
        if not passed:
            position.begin_epoch(data)
        most = None if most is None else most + passed
        batches, length = _first(data, most), _length(data, most)
        for _ in islice(batches, passed):
            pass
        if random is not None:
            set_random_states(random)
        step = passed - 1
        for step, batch in batches:
            inputs, labels = self._split(batch)
            calls.call("on_train_batch_begin", step, logs)
            result = self.train_batch(inputs, labels, update=(step + 1) % accumulate == 0 or step + 1 == length)
            logs = self._logs(result, step, _rows(inputs))
            position.step = step + 1
            calls.call("on_train_batch_end", step, logs)
        return logs, step + 1 - passed

    @outward
    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
        num_iters: int | None = None,
    ) -> Logs:
        """Losses and metrics over a data set, by name. Errors: KindError for data of another kind."""
        data = self._loader(eval_data, batch_size, False, False, num_workers)
        params = {"eval_steps": _length(data, num_iters), "verbose": verbose, "metrics": ["loss", *self._names()]}
        calls = standard(
            callbacks, log_freq=log_freq, verbose=verbose, save_freq=1, save_dir=None, training=False,
            model=self, params=params,
        )  # fmt: skip
        logs = self._evaluate(data, calls, num_iters)
        return {name: value for name, value in logs.items() if name not in ("step", "batch_size", "samples")}

    def _evaluate(self, data: DataLoader, calls: CallbackList, most: int | None) -> Logs:
        self._reset_metrics()
        calls.call("on_eval_begin", {"steps": _length(data, most), "metrics": ["loss", *self._names()]})
        logs: Logs = {}
        samples, total = 0, np.zeros(0)
        for step, batch in _first(data, most):
            inputs, labels = self._split(batch)
            calls.call("on_eval_batch_begin", step, logs)
            rows = _rows(inputs)
            logs = self._logs(self.eval_batch(inputs, labels), step, rows)
            weighted = rows * np.asarray(logs.get("loss", []), np.float64)
            total = weighted if not total.size else total + weighted
            samples += rows
            calls.call("on_eval_batch_end", step, logs)
        if total.size:
            logs["loss"] = [float(x) / samples for x in total]
        logs["samples"] = samples
        calls.call("on_eval_end", logs)
        return logs

    @outward
    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Any = None,
    ) -> list[Any]:
        """Per output of the network: a tuple of its batches' arrays, or one array (stack_outputs=True)."""
        data = self._loader(test_data, batch_size, False, False, num_workers)
        params = {"predict_steps": _length(data, None), "verbose": verbose}
        calls = standard(
            callbacks, log_freq=1, verbose=verbose, save_freq=1, save_dir=None, training=False,
            model=self, params=params,
        )  # fmt: skip
        calls.call("on_predict_begin", {})
        found: list[list[Any]] = []
        for step, batch in _first(data, None):
            inputs = self._split(batch)[0] if self._inputs else _listed(batch)[: self._input_count(batch)]
            calls.call("on_predict_batch_begin", step, {})
            found.append(self.predict_batch(inputs))
            calls.call("on_predict_batch_end", step, {"batch_size": _rows(inputs)})
        calls.call("on_predict_end", {})
        columns: list[Any] = list(zip(*found, strict=True))
        return [np.concatenate(column) for column in columns] if stack_outputs else columns

    def _input_count(self, batch: Any) -> int:
        """Test data may come without labels: the network's own number of arguments decides."""
        fields = len(_listed(batch))
        code = type(self.network).forward.__code__
        takes_any = bool(code.co_flags & 0x04)
        return fields if takes_any else min(fields, code.co_argcount - 1)

    def _split(self, batch: Any) -> tuple[list[Any], list[Any]]:
        fields = _listed(batch)
        count = len(self._inputs) or max(len(fields) - (len(self._labels) or 1), 1)
        return fields[:count], fields[count:]

    def _loader(self, data: Any, batch_size: int, shuffle: bool, drop_last: bool, workers: int) -> DataLoader:
        if isinstance(data, DataLoader):
            return data
        if isinstance(data, (tuple, list)) and len(data) > 1 and all(isinstance(x, (np.ndarray, Tensor)) for x in data):
            data = TensorDataset(list(data))
        if isinstance(data, IterableDataset):
            return DataLoader(data, batch_size=batch_size, drop_last=drop_last, num_workers=workers)
        if isinstance(data, Dataset) or (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
            return DataLoader(data, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last, num_workers=workers)
        raise KindError(f"Model needs a Dataset or a DataLoader, not a {type(data).__name__}")

    def _names(self) -> list[str]:
        return [name for metric in self._metrics for name in _listed(metric.name())]

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()

    def _logs(self, result: Any, step: int, rows: int) -> Logs:
        losses = result[0] if self._metrics and isinstance(result, tuple) else [] if self._metrics else result
        logs: Logs = {"loss": [float(np.ravel(x)[0]) for x in losses]} if losses else {}
        for metric in self._metrics:
            figures = metric.accumulate()
            values = figures if isinstance(figures, list) else [figures]
            logs.update(zip(_listed(metric.name()), values, strict=True))
        return logs | {"step": step, "batch_size": rows}

    # ---- files

    @outward
    def save(self, path: str, training: bool = True) -> None:
        """`path.pdparams` and `path.pdopt` to train on, or an artifact for inference (training=False).

        Inside `fit`, as callbacks call it, also `path.pdstate`.
        """
        if not training:
            jit_saving.save(self.network, path, self._inputs or None)
            return
        read = (lambda state: state) if self._static is None else values_in_scope
        save_state(read(self.network.state_dict()), path + ".pdparams")
        if self._optimizer is not None:
            save_state(read(self._optimizer.state_dict()), path + ".pdopt")
        self.save_position(path)

    def save_position(self, path: str) -> None:
        """Inside `fit`: write `path.pdstate`, how far the training has come, for `fit(resume=path)`."""
        if self._position is not None:
            self._position.save(path)

    @outward
    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Read what `save` wrote. skip_mismatch: leave parameters that are missing or of another shape as they are.

        Errors: ArtifactError for missing or damaged files; StateError for parameters that don't fit.
        """
        base = path.removesuffix(".pdparams")
        self.network.set_state_dict(load_state(base + ".pdparams"), strict=not skip_mismatch)
        if self._optimizer is None or reset_optimizer:
            return
        if not Path(base + ".pdopt").exists():
            raise ArtifactError(f"{base}.pdopt is missing", remedy="pass reset_optimizer=True to start it anew")
        self._optimizer.set_state_dict(load_state(base + ".pdopt"))


def _callbacks(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _tensors(values: Any) -> list[Any]:
    return [x if isinstance(x, Tensor) else Tensor(np.asarray(x)) for x in _listed(values)]


def _rows(inputs: list[Any]) -> int:
    shape: Any = getattr(inputs[0], "shape", ()) if inputs else ()
    return int(shape[0]) if len(shape) else 1


def _length(loader: DataLoader, most: int | None) -> int | None:
    if loader.batch_sampler is None or not hasattr(loader.batch_sampler, "__len__"):
        return most
    return len(loader) if most is None else min(len(loader), most)


def _first(loader: DataLoader, most: int | None) -> Iterator[tuple[int, Any]]:
    for step, batch in enumerate(loader):
        if most is not None and step >= most:
            return
        yield step, batch


def _refuse_labels(train: Any, evaluation: Any) -> None:
    """Errors: KindError for `fit(inputs, labels)`: arrays whose samples aren't alike can't be two data sets."""
    arrays = all(isinstance(x, (np.ndarray, Tensor)) for x in (train, evaluation))
    if arrays and tuple(train.shape[1:]) != tuple(evaluation.shape[1:]):
        raise KindError(
            "fit(train_data, eval_data): the second argument is data to evaluate on, not labels",
            remedy="put both into one argument: fit((inputs, labels)), or vt.io.TensorDataset([inputs, labels])",
        )
