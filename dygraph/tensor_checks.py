"""`amp.debugging`: reports on the numbers of tensors, checks of what eager operations make, counts of them by dtype.

A check that stops at the first NaN is that of anomaly.py, inside compiled programs too; one that goes on and prints,
or that looks at some operations only, watches eager operations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from ..base.drawing import drawing
from ..base.errors import ArgumentError, KindError, NonFiniteError
from ..ops.dispatch import is_captured
from ..ops.finite import REMEDY
from ..ops.op import Op
from .anomaly import CheckingInterpreter, check_nan_inf, detect_anomaly, is_checking, unwatch, watch
from .conversions import to_tensor
from .eager import EagerInterpreter
from .random_generators import default_generator, seed
from .tensor import Tensor

__all__ = [
    "DebugMode", "TensorCheckerConfig", "check_layer_numerics", "check_numerics", "collect_operator_stats",
    "disable_operator_stats_collection", "disable_tensor_checker", "enable_operator_stats_collection",
    "enable_tensor_checker",
]  # fmt: skip

_SHORT = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
# by their names in ONNX: what PaddlePaddle's lists of operators call them
_LISTED = {
    "Add": "elementwise_add", "Sub": "elementwise_sub", "Mul": "elementwise_mul", "Div": "elementwise_div",
    "Max": "elementwise_max", "Min": "elementwise_min", "Pow": "elementwise_pow",
}  # fmt: skip


class DebugMode(Enum):
    """What to look for, and what to do then."""

    CHECK_NAN_INF_AND_ABORT = 0  # an error at the first NaN or infinity
    CHECK_NAN_INF = 1  # a printed line for each tensor with such
    CHECK_ALL_FOR_OVERFLOW = 2  # also where float32 has numbers that float16 hasn't
    CHECK_ALL = 3  # a printed line for every tensor of floats


# ---- the numbers of one tensor


def _stats(array: Any) -> tuple[list[int], list[float]]:
    """Counts of NaN, infinities and zeros; the largest, smallest and mean value."""
    wide = np.asarray(array, np.float64)
    counts = [int(np.isnan(wide).sum()), int(np.isinf(wide).sum()), int((wide == 0).sum())]
    if not wide.size:
        return counts, [0.0, 0.0, 0.0]
    finite = wide[~np.isnan(wide)]
    top, least = (float(finite.max()), float(finite.min())) if finite.size else (np.nan, np.nan)
    with np.errstate(invalid="ignore"):
        return counts, [top, least, float(wide.mean())]


def _line(array: Any, dtype: str, op_type: str, name: str, *, bad: bool) -> str:
    (nans, infs, zeros), (top, least, mean) = _stats(array)
    marks = "[PRECISION] [ERROR]" if bad else "[PRECISION]"
    counts = f"num_nan={nans}, num_inf={infs}, num_zero={zeros}" if bad else f"num_zero={zeros}"
    numbers = f"max={top:e}, min={least:e}, mean={mean:e}"
    where = f"[device=cpu, op={op_type}, tensor={name}, dtype={_SHORT.get(dtype, dtype)}]"
    return f"{marks} in {where}, numel={np.size(array)}, {counts}, {numbers}"


def _is_bad(array: Any, dtype: str, mode: DebugMode) -> bool:
    wide = np.asarray(array, np.float64)
    if not np.isfinite(wide).all():
        return True
    too_large = mode is DebugMode.CHECK_ALL_FOR_OVERFLOW and dtype == "float32"
    return bool(too_large and (np.abs(wide) > float(np.finfo(np.float16).max)).any())


def check_numerics(
    tensor: Any, op_type: str, var_name: str, debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT
) -> tuple[Any, Any]:
    """Look at a tensor: (i64[3] counts of NaN, infinities and zeros, f32[3] its largest, smallest and mean value).

    What is found is printed with op_type and var_name. Errors: NonFiniteError (a RuntimeError) for NaN and infinities,
    unless debug_mode says to go on.

    >>> check_numerics(to_tensor([1.0, 0.0, 3.0]), "pow", "res")[0].tolist()
    [0, 0, 1]
    """
    array, dtype = tensor._copied(), tensor.dtype.name
    bad = _is_bad(array, dtype, debug_mode)
    if bad or debug_mode is DebugMode.CHECK_ALL:
        print(_line(array, dtype, op_type, var_name, bad=bad))
    counts, numbers = _stats(array)
    if debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT and (counts[0] or counts[1]):
        raise NonFiniteError(
            f"there are NaN or infinite elements (num_nan={counts[0]}, num_inf={counts[1]}, num_zero={counts[2]}) in "
            f"{var_name} of {op_type}",
            remedy=REMEDY,
        )
    return to_tensor(np.array(counts, np.int64)), to_tensor(np.array(numbers, np.float32))


# ---- the results of all operations


class TensorCheckerConfig:
    """Which results of operations are checked, and what is done then; with `enable`, random numbers begin anew.

    checked_op_list, skipped_op_list: names of the only operations, or of those that are left out. debug_step: (first,
    end) of the calls of `enable_tensor_checker` that switch the check on. output_dir: a folder; lines go into its file
    `worker_cpu.log` instead of being printed. Other modes than CHECK_NAN_INF_AND_ABORT, and the lists, look at eager
    operations only.
    Errors: ArgumentError for settings of another form.
    """

    current_step_id = 0

    def __init__(
        self, enable: bool, debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT, output_dir: str | None = None,
        checked_op_list: Sequence[str] | None = None, skipped_op_list: Sequence[str] | None = None,
        debug_step: Sequence[int] | None = None, stack_height_limit: int = 1,
    ) -> None:  # fmt: skip
        for name, given in (("checked_op_list", checked_op_list), ("skipped_op_list", skipped_op_list)):
            if given is not None and not isinstance(given, (list, tuple)):
                raise ArgumentError(f"{name} must be a list or tuple, not {given!r}")
        if debug_step is not None:
            if not isinstance(debug_step, (list, tuple)) or len(debug_step) != 2 or debug_step[1] <= debug_step[0]:
                raise ArgumentError(f"debug_step must be two rising numbers, not {debug_step!r}")
        if not isinstance(debug_mode, DebugMode):
            raise ArgumentError(f"debug_mode must be a DebugMode, not {debug_mode!r}")
        self.enable, self.debug_mode, self.output_dir = enable, debug_mode, output_dir
        self.checked_op_list, self.skipped_op_list = checked_op_list, skipped_op_list
        self.debug_step, self.stack_height_limit = debug_step, stack_height_limit
        self.start_step: int | None = None if debug_step is None else debug_step[0]
        self.end_step: int | None = None if debug_step is None else debug_step[1]
        self.initial_seed = self.seed = default_generator.initial_seed()
        if enable:
            self._begin_anew()

    def _begin_anew(self) -> None:
        if not 0 <= self.seed <= np.iinfo(np.uint32).max:
            print("[Warning: Seed must be between 0 and 2**32 - 1")
            self.seed = 123
        seed(self.seed)
        drawing(np.random).seed(self.seed)
        drawing(random).seed(self.seed)
        print("AMP Debugging TensorCheckerConfig: seed ", self.seed)

    def update_and_check_step_id(self) -> bool:
        """Whether this call is one that checks; the next one is another step."""
        step = TensorCheckerConfig.current_step_id
        TensorCheckerConfig.current_step_id += 1
        if self.start_step is None or self.end_step is None:
            return self.enable
        return bool(self.enable and self.start_step <= step < self.end_step)

    def start_check_nan_inf(self) -> None:
        """Check from here on."""
        self.stop_check_nan_inf()
        is_whole = self.checked_op_list is None and self.skipped_op_list is None and self.output_dir is None
        if self.debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT and is_whole:
            check_nan_inf(True)
        else:
            _watcher.append(_WatchingInterpreter(self))
            watch(_watcher[-1])

    def stop_check_nan_inf(self) -> None:
        """Check no more."""
        disable_tensor_checker()


class _WatchingInterpreter(EagerInterpreter):
    """Eager mode that reports on results."""

    def __init__(self, config: TensorCheckerConfig) -> None:
        super().__init__()
        self.config = config

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        made = super().apply(op, args, attrs)
        if self._looks_at({op.name, _listed(op)}):
            for part in made if isinstance(made, tuple) else (made,):
                if part.dtype.is_floating:
                    self._report(op, part)
        return made

    def _looks_at(self, names: set[str]) -> bool:
        chosen, left = self.config.checked_op_list, self.config.skipped_op_list
        return (chosen is None or not names.isdisjoint(chosen)) and (left is None or names.isdisjoint(left))

    def _report(self, op: Op, part: Any) -> None:
        mode, array, dtype = self.config.debug_mode, part._storage.payload, part.dtype.name
        bad = _is_bad(array, dtype, mode)
        if not bad and mode is not DebugMode.CHECK_ALL:
            return
        line = _line(array, dtype, op.name, "", bad=bad)
        if self.config.output_dir is None:
            print(line)
        else:
            folder = Path(self.config.output_dir)
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "worker_cpu.log").open("a") as file:
                file.write(line + "\n")
        if bad and mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
            raise NonFiniteError(f"{op.name} made NaN or infinite elements", remedy=REMEDY)


_watcher: list[_WatchingInterpreter] = []


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Check the results of operations as the configuration says; call it at the beginning of each step."""
    if checker_config.update_and_check_step_id():
        checker_config.start_check_nan_inf()
    else:
        checker_config.stop_check_nan_inf()


def disable_tensor_checker() -> None:
    """Check no more."""
    while _watcher:
        unwatch(_watcher.pop())
    if is_checking():
        check_nan_inf(False)


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a layer's `forward`: each eager operation in it must make finite numbers.

    Errors: KindError unless its first input is a tensor; NonFiniteError. Inside captured functions it does nothing:
    `set_flags({"FLAGS_check_nan_inf": True})` looks into compiled programs.
    """

    @wraps(func)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not args or not isinstance(args[0], Tensor):
            raise KindError(f"check_layer_numerics: the first input of {type(self).__name__} must be a tensor")
        if is_captured():
            return func(self, *args, **kwargs)
        with detect_anomaly():
            return func(self, *args, **kwargs)

    return checked


# ---- which operations there were


class _CountingInterpreter(CheckingInterpreter):
    """Eager mode that counts its operations by the dtypes of their results."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, Counter[int]] = {}

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        run = super().apply if is_checking() else super(CheckingInterpreter, self).apply
        made = run(op, args, attrs)
        first = made[0] if isinstance(made, tuple) else made
        column = ("float16", "bfloat16", "float32", first.dtype.name).index(first.dtype.name)
        self.counts.setdefault(_listed(op), Counter())[column] += 1
        return made


def _listed(op: Op) -> str:
    return _LISTED.get(op.onnx, op.name) if isinstance(op.onnx, str) else op.name


_counting: list[_CountingInterpreter] = []


def enable_operator_stats_collection() -> None:
    """Count eager operations from here on."""
    while _counting:
        unwatch(_counting.pop())
    _counting.append(_CountingInterpreter())
    watch(_counting[-1])


def disable_operator_stats_collection() -> None:
    """Count no more, and print how many operations of each kind there were, by dtype."""
    if not _counting:
        return
    counter = _counting.pop()
    unwatch(counter)
    titles = (" Op Name ", " FP16 Calls ", " BF16 Calls ", " FP32 Calls", " Other Calls ")
    print(f"<{' op list ':-^120}>")
    print(" | ".join([f"<{titles[0]:-^40}", *(f"{title:-^17}" for title in titles[1:])]) + ">")
    for name, counts in sorted(counter.counts.items()):
        print(f"  {name:<40}" + "".join(f"|  {counts[column]:<17}" for column in range(4)))
    print(f"<{f' op count: {len(counter.counts)} ':-^120}>\n")


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Count the eager operations of a block, and print them at its end."""
    enable_operator_stats_collection()
    try:
        yield
    finally:
        disable_operator_stats_collection()
