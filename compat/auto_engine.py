"""`fleet.auto.Engine`: a network with its loss, optimizer and metrics, trained by compiled steps in one process."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, KindError, ModeError
from ..data import DataLoader
from ..data.dataset import Dataset, IterableDataset
from ..dygraph.nn.layer import Layer
from ..dygraph.optimizer.optimizer import Optimizer
from ..dygraph.tensor import Tensor
from ..ir.input_spec import InputSpec
from ..ops.dispatch import current
from ..static.variable import Variable
from ..training.metrics import Metric
from ..training.model import Model

_MODES = ("train", "eval", "predict")
_PARTS = (
    "amp", "recompute", "sharding", "gradient_merge", "pipeline", "fused_passes", "qat", "tuning", "dataset",
    "mp_optimization", "dp_optimization", "sp_optimization",
)  # fmt: skip


class _Part:
    """The settings of one technique; `enable` says whether it is used."""

    def __init__(self, **settings: Any) -> None:
        self.enable = False
        self.__dict__.update(settings)


class Strategy:
    """How an Engine trains. Of its parts only `gradient_merge` can be enabled: `k_steps` batches make one update, by
    the average of their gradients, or with `avg = False` the sum.

    >>> strategy = Strategy()
    >>> strategy.gradient_merge.enable, strategy.gradient_merge.k_steps = True, 4
    """

    gradient_merge: Any

    def __init__(self, config: Any = None) -> None:
        self.auto_mode, self.seed, self.split_data = "semi", None, True
        for name in _PARTS:
            setattr(self, name, _Part(**({"k_steps": 1, "avg": True} if name == "gradient_merge" else {})))

    def merged(self) -> int:
        """How many batches make one update. Errors: ModeError for a part that can't be enabled."""
        for name in _PARTS:
            if name != "gradient_merge" and getattr(self, name).enable:
                raise ModeError(f"Engine: strategy.{name} isn't there", remedy="leave it off")
        return int(self.gradient_merge.k_steps) if self.gradient_merge.enable else 1


class Engine:
    """Training, evaluation and prediction of a network in a call each, as compiled programs of one process.

    model: a Layer. loss: a Layer or function of outputs and labels. metrics: one Metric or several. cluster: None.
    Errors: KindError (a TypeError) for arguments of other kinds; ModeError for parts of a strategy that aren't there.

    >>> from ..dygraph.nn import Linear, MSELoss
    >>> from ..dygraph.optimizer import SGD
    >>> from ..data.dataset import TensorDataset
    >>> network = Linear(2, 1)
    >>> engine = Engine(network, MSELoss(), SGD(0.1, parameters=network.parameters()))
    >>> data = TensorDataset([np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)])
    >>> len(engine.fit(data, batch_size=2, epochs=3, verbose=0)["loss"])
    3
    """

    def __init__(
        self, model: Any = None, loss: Any = None, optimizer: Any = None, metrics: Any = None, cluster: Any = None,
        strategy: Strategy | None = None,
    ) -> None:  # fmt: skip
        if model is not None and not isinstance(model, Layer) and not callable(model):
            raise KindError(f"Engine: the model must be a Layer, not a {type(model).__name__}")
        if loss is not None and not isinstance(loss, Variable) and not callable(loss):
            raise KindError(f"Engine: the loss must be a Layer or a function, not a {type(loss).__name__}")
        if optimizer is not None and not isinstance(optimizer, Optimizer):
            raise KindError(f"Engine: the optimizer must be an Optimizer, not a {type(optimizer).__name__}")
        self._metrics = list(metrics) if isinstance(metrics, (list, tuple)) else [] if metrics is None else [metrics]
        for metric in self._metrics:
            if not isinstance(metric, Metric):
                raise KindError(f"Engine: a metric must be a Metric, not a {type(metric).__name__}")
        if cluster is not None:
            raise KindError("Engine: the cluster must be None: there is one process")
        if strategy is not None and not isinstance(strategy, Strategy):
            raise KindError(f"Engine: the strategy must be an auto.Strategy, not a {type(strategy).__name__}")
        self._network, self._loss, self._optimizer = model, loss, optimizer
        self._strategy = strategy or Strategy()
        self._merged = self._strategy.merged()
        self._model: Model | None = None
        self._mode: str | None = None
        self._specs: list[InputSpec] = []
        self.history: Any = None

    # ---- loops

    def fit(
        self, train_data: Any, train_sample_split: int | None = None, batch_size: int = 1, epochs: int = 1,
        steps_per_epoch: int | None = None, log_freq: int = 10, save_dir: str | None = None, save_freq: int = 1,
        valid_data: Any = None, valid_sample_split: int | None = None, valid_freq: int = 1,
        valid_steps: int | None = None, collate_fn: Callable[..., Any] | None = None, callbacks: Any = None,
        verbose: int = 2, nvprof_range: Any = (-1, -1),
    ) -> Any:  # fmt: skip
        """Train on a Dataset for `epochs`; the history of figures.

        train_sample_split: how many fields of a sample are inputs (default 1). steps_per_epoch: the most batches.
        Errors: KindError for data of another kind, or samples of other things than arrays and numbers; ModeError in
        static mode.
        """
        data = self._loader(train_data, train_sample_split, batch_size, collate_fn, steps_per_epoch)
        evaluation = None
        if valid_data is not None:
            evaluation = self._loader(valid_data, valid_sample_split, batch_size, collate_fn, valid_steps)
        self.history = self._ready("train").fit(
            data, evaluation, epochs=epochs, eval_freq=valid_freq, log_freq=log_freq, save_dir=save_dir,
            save_freq=save_freq, callbacks=callbacks, verbose=verbose, accumulate_grad_batches=self._merged,
        )  # fmt: skip
        return self.history

    def evaluate(
        self, valid_data: Any, valid_sample_split: int | None = None, batch_size: int = 1, steps: int | None = None,
        log_freq: int = 10, collate_fn: Callable[..., Any] | None = None, callbacks: Any = None, verbose: int = 2,
    ) -> dict[str, Any]:  # fmt: skip
        """Losses and metrics over a Dataset, by name. Errors: as of `fit`."""
        data = self._loader(valid_data, valid_sample_split, batch_size, collate_fn, steps)
        made: dict[str, Any] = self._ready("eval").evaluate(
            data, log_freq=log_freq, callbacks=callbacks, verbose=verbose
        )
        return made

    def predict(
        self, test_data: Any, test_sample_split: int | None = None, batch_size: int = 1, steps: int | None = None,
        collate_fn: Callable[..., Any] | None = None, callbacks: Any = None, verbose: int = 2,
    ) -> list[Any]:  # fmt: skip
        """Per output of the network a list of its batches' arrays. Errors: as of `fit`."""
        data = self._loader(test_data, test_sample_split, batch_size, collate_fn, steps)
        return self._ready("predict").predict(data, callbacks=callbacks, verbose=verbose)

    def dataloader(
        self, dataset: Any, batch_size: int = 1, shuffle: bool = False, drop_last: bool = False,
        collate_fn: Callable[..., Any] | None = None, num_workers: int = 0, mode: str | None = None,
        sample_split: int | None = 1, **_: Any,
    ) -> DataLoader:  # fmt: skip
        """A loader of batches for `run`. Errors: KindError for data of another kind."""
        if mode is not None:
            self.to_mode(mode)
        self._specs = _specs_of(dataset, sample_split)
        return DataLoader(
            dataset, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last, collate_fn=collate_fn,
            num_workers=num_workers,
        )  # fmt: skip

    # ---- one batch

    def prepare(self, inputs_spec: Any = None, labels_spec: Any = None, mode: str | None = None, **given: Any) -> None:
        """Say what the inputs are, by InputSpecs, and what is to be done.

        Errors: ArgumentError (a ValueError) without them; KindError for other things; ModeError for programs.
        """
        if mode is not None:
            self.to_mode(mode)
        if any(value is not None for value in given.values()):
            raise ModeError("Engine.prepare: programs aren't taken", remedy="give the network and its InputSpecs")
        if inputs_spec is None:
            raise ArgumentError("Engine.prepare needs inputs_spec")
        self._specs = _checked(inputs_spec)
        if labels_spec is not None:
            _checked(labels_spec)

    def to_mode(self, mode: str) -> None:
        """What `run` does: "train", "eval" or "predict". Errors: ArgumentError."""
        if mode not in _MODES:
            raise ArgumentError(f"Engine: the mode must be one of {', '.join(_MODES)}, not {mode!r}")
        self._mode = mode

    def run(self, data: Sequence[Any], mode: str | None = None, **_: Any) -> dict[str, Any]:
        """One batch, a list of inputs and labels: `loss`, and `outputs` where it is a prediction."""
        if mode is not None:
            self.to_mode(mode)
        model, count = self._ready(self._mode or "train"), len(self._specs) or max(len(data) - 1, 1)
        inputs, labels = list(data[:count]), list(data[count:])
        if self._mode == "predict":
            return {"outputs": model.predict_batch(inputs)}
        made = model.eval_batch(inputs, labels) if self._mode == "eval" else model.train_batch(inputs, labels)
        losses = made[0] if isinstance(made, tuple) else made
        return {"loss": losses[0] if isinstance(losses, list) and len(losses) == 1 else losses}

    def cost(self, inputs_spec: Any = None, labels_spec: Any = None, mode: str | None = None) -> Any:
        """Errors: ArgumentError without inputs; else ModeError: there is no estimate of costs."""
        if inputs_spec is None and not self._specs:
            raise ArgumentError("Engine.cost needs inputs_spec", remedy="call prepare first")
        raise ModeError("Engine.cost isn't there", remedy="measure a run; vt.report shows what a program costs")

    # ---- files

    def save(self, path: str, training: bool = True) -> None:
        """`path.pdparams` and `path.pdopt` to train on, or an artifact for inference (training=False)."""
        self._ready("train" if training else "predict").save(path, training)

    def load(self, path: str, strict: bool = True, load_optimizer: bool = True) -> None:
        """Read what `save` wrote."""
        self._ready("predict").load(path, skip_mismatch=not strict, reset_optimizer=not load_optimizer)

    # ----

    def _ready(self, mode: str) -> Model:
        """The model with compiled steps. Errors: ModeError in static mode; KindError without a Layer."""
        self._mode = mode
        if current().is_static:
            raise ModeError("Engine trains layers that were made in eager mode", remedy="call disable_static() first")
        if not isinstance(self._network, Layer):
            raise KindError("Engine needs a Layer as its model")
        if self._model is None:
            self._model = Model(self._network)
            self._model.prepare(self._optimizer, self._loss, self._metrics, to_static=True)
        self._model.expect(self._specs, self._merged if self._strategy.gradient_merge.avg else 1)
        return self._model

    def _loader(
        self, data: Any, split: int | None, batch_size: int, collate: Callable[..., Any] | None, most: int | None
    ) -> Any:
        if isinstance(data, DataLoader):
            return data
        self._specs = _specs_of(data, split)
        if not isinstance(data, IterableDataset) and most is not None:
            data = _First(data, most * batch_size)
        return DataLoader(data, batch_size=batch_size, collate_fn=collate)


class _First(Dataset[Any]):
    """The first samples of a data set."""

    def __init__(self, data: Any, most: int) -> None:
        self.data, self.count = data, min(most, len(data))

    def __getitem__(self, index: int) -> Any:
        return self.data[index]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.count))


def _specs_of(data: Any, split: int | None) -> list[InputSpec]:
    """What the first sample says of the inputs."""
    if not isinstance(data, (Dataset, IterableDataset)):
        raise KindError(f"Engine needs a Dataset or IterableDataset, not a {type(data).__name__}")
    sample = next(iter(data)) if isinstance(data, IterableDataset) else data[0]
    fields = list(sample) if isinstance(sample, (list, tuple)) else [sample]
    specs = []
    for k, item in enumerate(fields):
        if not isinstance(item, (np.ndarray, Tensor, numbers.Number)):
            raise KindError(f"Engine: a sample has arrays, tensors and numbers, not a {type(item).__name__}")
        array: Any = item if isinstance(item, Tensor) else np.asarray(item)
        specs.append(InputSpec([None, *array.shape], array.dtype, f"in{k}"))
    return specs[: split or max(len(specs) - 1, 1)]


def _checked(specs: Any) -> list[InputSpec]:
    found = list(specs) if isinstance(specs, (list, tuple)) else [specs]
    for spec in found:
        if not isinstance(spec, InputSpec):
            raise KindError(f"Engine: a spec must be an InputSpec, not a {type(spec).__name__}")
    return found
