"""Helpers of PaddlePaddle's own modules that public repositories import, and GPU queries of a build without GPUs."""

from __future__ import annotations

import copy
import functools
import logging
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, KindError
from ..distributed import get_rank
from ..distributed.exchanges import all_gather
from ..dygraph.nn.rnn import RNN
from ..dygraph.random_generators import default_generator
from ..dygraph.tensor import Tensor
from ..ops.dims import Dim
from ..ops.op import OPS
from ..static import default_main_program, in_dynamic_mode
from .kernel_places import uniform_random_batch_size_like as sized_like


def setup_logger(output: str | None = None, name: str = "hapi", log_level: int = logging.INFO) -> logging.Logger:
    """A logger that writes to standard output, on the first rank, and to the file `output`, or `log.txt` of a folder.

    Errors: OSError for a file that can't be written.
    """
    made, rank = logging.getLogger(name), get_rank()
    made.setLevel(log_level)
    made.propagate = False
    handlers: list[logging.Handler] = []
    if rank == 0 and not made.handlers:
        handlers.append(logging.StreamHandler(sys.stdout))
    if output is not None:
        path = Path(output) if output.endswith((".txt", ".log")) else Path(output, "log.txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(f"{path}.rank{rank}" if rank else path, encoding="utf-8"))
    for handler in handlers:
        handler.setLevel(log_level)
        handler.setFormatter(logging.Formatter("%(asctime)s - %(name)s - %(levelname)s - %(message)s"))
        made.addHandler(handler)
    return made


class DataFeeder:
    """Feeds for an executor out of samples: each has one entry for each variable of `feed_list`, or of its names.

    Errors: KindError for other things in the list, ArgumentError for samples with another number of entries.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> with vt.static.program_guard(vt.static.Program()):
    ...     feeder = DataFeeder([vt.static.data("x", [None, 2]), vt.static.data("y", [None, 1], "int64")])
    >>> vt.disable_static()
    >>> {name: array.shape for name, array in feeder.feed([([1, 2], 0), ([3, 4], 1), ([5, 6], 0)]).items()}
    {'x': (3, 2), 'y': (3, 1)}
    """

    def __init__(self, feed_list: Sequence[Any], place: Any = None, program: Any = None) -> None:
        block = (default_main_program() if program is None else program).global_block()
        self._variables = [block.var(entry) if isinstance(entry, str) else entry for entry in feed_list]
        for variable in self._variables:
            if not isinstance(variable, Tensor):
                raise KindError(f"DataFeeder takes variables and names of them, not a {type(variable).__name__}")

    def feed(self, iterable: Iterable[Sequence[Any]]) -> dict[str, np.ndarray]:
        """The arrays for `Executor.run(feed=…)`, by the variables' names."""
        samples = list(iterable)
        for sample in samples:
            if len(sample) != len(self._variables):
                raise ArgumentError(f"a sample has {len(sample)} entries for {len(self._variables)} variables")
        return {
            variable.name: _column([sample[k] for sample in samples], variable)
            for k, variable in enumerate(self._variables)
        }


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Any:
    """A variable of the main program that an operation will give a value; in eager mode an empty tensor.

    >>> create_tensor("int64").shape
    [0]
    """
    if in_dynamic_mode():
        return Tensor(np.zeros(0, as_dtype(dtype).numpy))
    return default_main_program().global_block().create_var(name=name, dtype=dtype, persistable=persistable)


def cudnn_version() -> int:
    """-1: there is no cuDNN."""
    return -1


def _column(entries: list[Any], variable: Any) -> np.ndarray:
    """One array of the entries, in the variable's dtype and number of axes."""
    array = np.asarray(entries, variable.dtype.numpy)
    sizes = [-1 if isinstance(size, Dim) else size for size in variable._storage.payload.shape]
    return array if array.ndim == len(sizes) else array.reshape(sizes)


def convert_attention_mask(attn_mask: Any, dtype: Any) -> Any:
    """A mask that is added to scores: True and 1 become 0, False and 0 become -1e9; floats stay.

    >>> from vitrify import to_tensor
    >>> convert_attention_mask(to_tensor([True, False]), "float32").tolist()
    [0.0, -1000000000.0]
    """
    wanted = as_dtype(dtype)
    if attn_mask is None or attn_mask.dtype == wanted:
        return attn_mask
    cast = OPS["cast"](attn_mask, wanted)
    return cast if attn_mask.dtype.is_floating else (cast - 1.0) * 1e9


def convert_param_attr_to_list(param_attr: Any, n: int) -> list[Any]:
    """One attr for each of n parameters, from one for all or a list of n. Errors: ArgumentError for other lengths."""
    if isinstance(param_attr, (list, tuple)):
        if len(param_attr) != n:
            raise ArgumentError(f"{n} parameters need {n} attrs, not {len(param_attr)}")
        return [None if attr is True else attr for attr in param_attr]
    if isinstance(param_attr, bool) or param_attr is None:
        return [None if param_attr is True else param_attr] * n
    return [copy.deepcopy(param_attr) for _ in range(n)]


def all_gather_rows(x: Any) -> Any:
    """The rows of all ranks' tensors, one after the other.

    >>> from vitrify import ones
    >>> all_gather_rows(ones([2, 3])).shape
    [2, 3]
    """
    gathered: list[Any] = []
    all_gather(gathered, x)
    return OPS["concat"](gathered, axis=0)


def no_gpu(*_: Any, **__: Any) -> NoReturn:
    """Errors: ArgumentError, as PaddlePaddle's CPU builds raise."""
    raise ArgumentError("there is no GPU to ask: vitrify computes on the CPU")


def get_logger(name: str, level: int | str, fmt: str | None = None) -> logging.Logger:
    """A logger that writes to stderr by itself, its lines in the format `fmt`."""
    made, handler = logging.getLogger(name), logging.StreamHandler()
    made.setLevel(level)
    if fmt:
        handler.setFormatter(logging.Formatter(fmt, "%a %b %d %H:%M:%S"))
    made.addHandler(handler)
    made.propagate = False  # the root's handlers would write each line again
    return made


def empty_cache() -> None:
    """Nothing: there is no GPU whose memory could be given back."""


def convert_to_list(value: Any, n: int, name: str, dtype: type = int) -> list[Any]:
    """A number n times, or a list of n numbers as it is.

    Errors: ArgumentError (a ValueError) for another kind or length.

    >>> convert_to_list(2, 3, "stride"), convert_to_list([1, 2], 2, "stride")
    ([2, 2, 2], [1, 2])
    """
    found = [value] * n if isinstance(value, dtype) else list(value) if isinstance(value, (list, tuple)) else []
    if len(found) != n or not all(isinstance(x, dtype) for x in found):
        raise ArgumentError(f"{name} must be of {dtype.__name__}, or a list of {n} of them, not {value!r}")
    return found


class OptimizerState(Enum):
    """What a GradScaler has done with an optimizer's gradients since the last `update`."""

    INIT = 0
    UNSCALED = 1
    STEPPED = 2


def deprecate_stat_dict(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which takes its argument `state_dict` also as `stat_dict`, an older spelling."""

    @functools.wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        if "stat_dict" in kwargs:
            warnings.warn("the argument `stat_dict` is called `state_dict`", DeprecationWarning, stacklevel=2)
            kwargs["state_dict"] = kwargs.pop("stat_dict")
        return function(*args, **kwargs)

    return renamed


class EOFException(Exception):
    """What a run raises where the loader of its program (`from_generator(iterable=False)`) has no more batches."""


def default_cpu_generator() -> Any:
    """The generator that functions draw from: `seed` sets it."""
    return default_generator


def along_time(
    cell: Any, inputs: Any, initial_states: Any = None, sequence_length: Any = None, time_major: bool = False,
    is_reverse: bool = False, **kwargs: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """`nn.layer.rnn.rnn`: what `nn.RNN(cell, is_reverse, time_major)` gives."""
    return RNN(cell, is_reverse, time_major)(inputs, initial_states, sequence_length, **kwargs)  # type: ignore[no-any-return]


def uniform_random_batch_size_like(
    input: Any, shape: Sequence[int], dtype: Any = "float32", input_dim_idx: int = 0, output_dim_idx: int = 0,
    min: float = -1.0, max: float = 1.0, seed: int = 0,
) -> Any:  # fmt: skip
    """Uniform numbers of a shape whose axis `output_dim_idx` is as long as the axis `input_dim_idx` of `input`."""
    return sized_like(input, shape, input_dim_idx, output_dim_idx, min, max, seed, dtype=dtype)


def prepare_distributed_context(place: Any = None) -> None:
    """Nothing: ranks need no preparation."""
