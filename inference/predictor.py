"""Predictor: a compiled model, fed and read through handles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, DTypeError, ShapeError, StateError
from ..dygraph.tensor import Tensor
from ..ir.core import Program
from ..ir.interpret import bind_sizes
from ..ops.dims import Dim
from ..ops.types import TensorType
from ..runtime.compiler import compile_program
from ..runtime.options import of_flags
from ..runtime.vm.team import set_num_threads
from .config import MODEL_SUFFIXES, Config, DataType
from .older_tensors import PaddleTensor


class Handle:
    """One input or output of a predictor."""

    def __init__(self, name: str, kind: Any, is_input: bool) -> None:
        self._name, self._kind, self._is_input = name, kind, is_input
        self.array: Any = None

    def name(self) -> str:
        """Its name."""
        return self._name

    def shape(self) -> list[int]:
        """The shape of its data; before there is any, the model's, with -1 for open sizes."""
        if self.array is not None:
            return list(self.array.shape)
        return [-1 if isinstance(d, Dim) else d for d in self._kind.shape]

    def type(self) -> DataType:
        """The kind of its elements."""
        return DataType(self._kind.dtype.name)

    def reshape(self, shape: Sequence[int]) -> None:
        """Say which shape the next data have; what `copy_from_cpu` brings decides in the end."""
        if not self._is_input:
            raise StateError(f"{self._name} is an output: its shape comes from the run")
        if len(shape) != len(self._kind.shape):
            raise ShapeError(f"{self._name} has {len(self._kind.shape)} axes, not {len(shape)}")

    def copy_from_cpu(self, data: Any) -> None:
        """Give an input its data. Errors: StateError for an output; DTypeError, ShapeError for data that don't fit."""
        if not self._is_input:
            raise StateError(f"{self._name} is an output", remedy="read it with copy_to_cpu()")
        array = np.asarray(data.numpy() if isinstance(data, Tensor) else data)
        if array.dtype != self._kind.dtype.numpy:
            raise DTypeError(f"the input {self._name} takes {self._kind.dtype.name}, not {array.dtype}")
        fits = len(array.shape) == len(self._kind.shape) and all(
            isinstance(d, Dim) or d == n for d, n in zip(self._kind.shape, array.shape, strict=True)
        )
        if not fits:
            wanted = [-1 if isinstance(d, Dim) else d for d in self._kind.shape]
            raise ShapeError(f"the input {self._name} takes the shape {wanted}, not {list(array.shape)}")
        self.array = np.array(array, order="C")

    share_external_data = copy_from_cpu

    def copy_to_cpu(self) -> Any:
        """Its data, as an array of its own. Errors: StateError before the first run."""
        if self.array is None:
            raise StateError(f"{self._name} has no data yet", remedy="call predictor.run() first")
        return np.array(self.array)

    def lod(self) -> list[Any]:
        """Levels of detail: none."""
        return []


class Predictor:
    """A saved model, compiled. `run()` takes the inputs' data and fills the outputs; `clone()` is for a thread."""

    def __init__(self, program: Program, state: dict[str, Any], executable: Any) -> None:
        self._program, self._state, self._executable = program, state, executable
        self._inputs = {
            n: Handle(n, v.tensor_type, True) for n, v in zip(program.feeds, program.feed_values, strict=True)
        }
        names = program.fetch_names or [f"output{k}" for k in range(len(program.fetches))]
        self._outputs = {n: Handle(n, v.tensor_type, False) for n, v in zip(names, program.fetches, strict=True)}

    @property
    def input_types(self) -> dict[str, TensorType]:
        """The types of the inputs by name, in order."""
        return {n: v.tensor_type for n, v in zip(self._program.feeds, self._program.feed_values, strict=True)}

    @property
    def output_types(self) -> dict[str, TensorType]:
        """The types of the outputs by name, in order."""
        return {n: v.tensor_type for n, v in zip(self._outputs, self._program.fetches, strict=True)}

    @property
    def program(self) -> Program:
        """What is run."""
        return self._program

    @property
    def has_state(self) -> bool:
        """Whether a run changes something that the next one sees."""
        return any(operation.name == "update" for operation in self._program.body.operations)

    def get_input_names(self) -> list[str]:
        """The names of the inputs, in order."""
        return list(self._inputs)

    def get_output_names(self) -> list[str]:
        """The names of the outputs, in order."""
        return list(self._outputs)

    def get_input_handle(self, name: str) -> Handle:
        """The handle of an input. Errors: ArgumentError."""
        return _found(self._inputs, name, "input")

    def get_output_handle(self, name: str) -> Handle:
        """The handle of an output. Errors: ArgumentError."""
        return _found(self._outputs, name, "output")

    get_input_tensor, get_output_tensor = get_input_handle, get_output_handle

    def zero_copy_run(self) -> Any:
        """Run on what the input handles hold."""
        return self.run()

    def get_input_tensor_shape(self) -> dict[str, list[int]]:
        """Shapes of the inputs by name."""
        return {n: h.shape() for n, h in self._inputs.items()}

    def run(self, inputs: Sequence[Any] | None = None) -> Any:
        """Run the model on the handles' data, or on `inputs` in order, whose results are then returned as a list.

        Errors: ArgumentError for too few inputs; StateError for an input without data.
        """
        if inputs is not None:
            if len(inputs) != len(self._inputs):
                raise ArgumentError(f"the model has {len(self._inputs)} inputs, {len(inputs)} were given")
            for handle, data in zip(self._inputs.values(), inputs, strict=True):
                handle.copy_from_cpu(data.as_ndarray() if isinstance(data, PaddleTensor) else data)
        feeds = []
        for name, handle in self._inputs.items():
            if handle.array is None:
                raise StateError(f"the input {name} has no data", remedy="get_input_handle(name).copy_from_cpu(array)")
            feeds.append(handle.array)
        state = [self._state[entry.name] for entry in self._program.state]
        bind_sizes(self._program, [*feeds, *state])
        made = self._executable.run(feeds, state)
        for handle, array in zip(self._outputs.values(), made, strict=True):
            handle.array = array
        if inputs is None:
            return True
        if any(isinstance(x, PaddleTensor) for x in inputs):
            return [PaddleTensor(a, name) for name, a in zip(self._outputs, made, strict=True)]
        return [Tensor(a) for a in made] if any(isinstance(x, Tensor) for x in inputs) else list(made)

    def clone(self, stream: Any = None) -> Predictor:
        """Another predictor over the same weights and kernels, with handles of its own: one per thread."""
        return Predictor(self._program, self._state, self._executable)

    def clear_intermediate_tensor(self) -> None:
        """Nothing to clear: memory is planned once and reused."""

    def try_shrink_memory(self) -> int:
        """0: nothing to give back."""
        return 0


class PredictorPool:
    """`size` predictors over one model: `pool.retrive(k)` gives the k-th."""

    def __init__(self, config: Config, size: int = 1) -> None:
        first = create_predictor(config)
        self._all = [first, *(first.clone() for _ in range(size - 1))]

    def retrieve(self, index: int) -> Predictor:
        """The predictor of a number."""
        return self._all[index]

    retrive = retrieve


def _found(handles: dict[str, Handle], name: str, what: str) -> Handle:
    if name not in handles:
        raise ArgumentError(f"the model has no {what} {name!r}", remedy=f"it has {', '.join(handles)}")
    return handles[name]


def create_predictor(config: Config) -> Predictor:
    """Load and compile the model of a Config.

    Errors: ArgumentError for missing files; ArtifactError, ParseError for damaged ones; CallbackError for a model that
    calls Python functions.
    """
    program, state, callbacks = load_model(config)
    if config._threads is not None:
        set_num_threads(config._threads)
    return Predictor(program, state, compile_program(program, callbacks=callbacks, options=of_flags()))


def load_model(config: Config) -> tuple[Program, dict[str, Any], dict[str, Any]]:
    """The program, its state by name, and its callbacks, of either kind of model."""
    prefix = config.prefix
    if any(prefix.with_name(prefix.name + suffix).is_file() for suffix in MODEL_SUFFIXES):
        from ..static.io import read_inference_model

        program, state = read_inference_model(prefix)
        return program, state, {}
    for path in (prefix, prefix.with_name(prefix.name + ".vt"), prefix.with_name(prefix.name + ".zip")):
        if path.exists():
            from ..runtime.artifact import load_artifact

            artifact = load_artifact(path)
            method = artifact.methods.get("forward") or next(iter(artifact.methods.values()))
            return method.program, dict(artifact.weights), artifact.callbacks
    raise ArgumentError(f"there is no model at {prefix}", remedy="give the path that jit.save got")


def get_version() -> str:
    """The version of the package."""
    from importlib.metadata import version

    return f"version: {version('vitrify')}"


def get_trt_compile_version() -> tuple[int, int, int]:
    """The release of TensorRT that this was built with: (0, 0, 0), none.

    >>> get_trt_compile_version()
    (0, 0, 0)
    """
    return 0, 0, 0


get_trt_runtime_version = get_trt_compile_version


def get_num_bytes_of_data_type(kind: DataType) -> int:
    """Bytes per element.

    >>> get_num_bytes_of_data_type(DataType.FLOAT32)
    4
    """
    return int(as_dtype(kind.value).numpy.itemsize)
