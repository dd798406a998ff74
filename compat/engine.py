"""What Paddle's programs ask about the engine below: modes, flags, types, guards. The answers of a CPU-only build."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.drawing import drawing
from ..base.dtype import ALL, DType, as_dtype
from ..base.errors import ArgumentError, AssertedError, KindError
from ..dygraph.anomaly import check_nan_inf
from ..dygraph.dense import DenseTensor
from ..dygraph.device import CPU, CPUPlace, as_place
from ..dygraph.tensor import Parameter, Tensor
from ..ops.op import OPS


class AnyPlace(CPUPlace):
    """A device that is told later. Errors: ArgumentError for any device but the CPU.

    >>> place = AnyPlace()
    >>> place.set_place(CPUPlace())
    >>> place == CPUPlace()
    True
    """

    def set_place(self, place: Any) -> None:
        """The CPU: there is no other."""
        as_place(place)


def as_plain_list(value: Any) -> Any:
    """A list or tuple as a list, None as it is, anything else as a list of it.

    >>> as_plain_list((1, 2)), as_plain_list(3), as_plain_list(None)
    ([1, 2], [3], None)
    """
    if value is None:
        return None
    return list(value) if isinstance(value, (list, tuple)) else [value]


_short_global_norm = [False]


def allow_short_global_norm(*flag: bool) -> bool:
    """Paddle's switch for float16 sums in `ClipGradByGlobalNorm`; kept, without effect: sums are float32 here."""
    if flag:
        _short_global_norm[0] = bool(flag[0])
    return _short_global_norm[0]


# where the answer here is another than that of Paddle's release
_OWN_FLAGS = {"FLAGS_enable_pir_api": False, "FLAGS_enable_pir_in_executor": False, "FLAGS_use_mkldnn": False}
# what only a build of Paddle's library decides: they are shown, no more
_OF_THE_BUILD = {
    "FLAGS_dump_chunk_info", "FLAGS_free_idle_chunk", "FLAGS_free_when_no_cache_hit", "FLAGS_print_allocator_trace_info"
}  # fmt: skip


class _Flags(dict[str, Any]):
    """Flags by name; a subscript that is written is checked as `set_flags` does."""

    def __setitem__(self, name: str, value: Any) -> None:
        set_flags({name: value})


@cache
def _flags() -> dict[str, Any]:
    """Every flag of Paddle's release with its default: programs save a flag, set it and put it back."""
    lines = Path(__file__).with_name("paddle_flags.tsv").read_text(encoding="utf-8").splitlines()
    known = {name: json.loads(value) for name, value in (line.split("\t") for line in lines)}
    return _Flags({**known, **_OWN_FLAGS})


def set_flags(flags: dict[str, Any]) -> None:
    """Set engine flags, `{"FLAGS_name": value}`. Those without a meaning here are kept and given back, no more.

    Errors: KindError for anything but a dict; ArgumentError for a name that doesn't begin with `FLAGS_`, and for one
    that a build decides.

    >>> set_flags({"FLAGS_cudnn_deterministic": True})
    >>> get_flags("FLAGS_cudnn_deterministic")
    {'FLAGS_cudnn_deterministic': True}
    """
    if not isinstance(flags, dict):
        raise KindError(f"set_flags takes a dict, not a {type(flags).__name__}", remedy='set_flags({"FLAGS_x": value})')
    for name in flags:
        _check_flag(name)
        if name in _OF_THE_BUILD:
            raise ArgumentError(f"the flag {name} is decided when the library is built")
    _flags().update(flags)
    if "FLAGS_check_nan_inf" in flags:
        check_nan_inf(bool(flags["FLAGS_check_nan_inf"]))


def put_flags(flags: dict[str, Any]) -> None:
    """Let the flags be those that `all_flags` gave."""
    known = _flags()
    known.clear()
    known.update(flags)
    check_nan_inf(bool(flags["FLAGS_check_nan_inf"]))


def get_flags(flags: str | list[str] | tuple[str, ...]) -> dict[str, Any]:
    """The values of engine flags by name. Errors: KindError, ArgumentError for one that is unknown and was never set.

    >>> get_flags(["FLAGS_enable_pir_api"])
    {'FLAGS_enable_pir_api': False}
    """
    names = [flags] if isinstance(flags, str) else flags
    if not isinstance(names, (list, tuple)):
        raise KindError(f"get_flags takes a name or a list of names, not a {type(flags).__name__}")
    for name in names:
        _check_flag(name)
        if name not in _flags():
            raise ArgumentError(f"the flag {name} is unknown and was never set")
    return {name: _flags()[name] for name in names}


def _check_flag(name: Any) -> None:
    if not isinstance(name, str) or not name.startswith("FLAGS_"):
        raise ArgumentError(f"a flag's name begins with FLAGS_, unlike {name!r}")


def all_flags() -> dict[str, Any]:
    """All engine flags: Paddle's `core.globals()`.

    >>> "FLAGS_check_nan_inf" in all_flags()
    True
    """
    return _flags()


def use_pir_api() -> bool:
    """Whether programs are Paddle's PIR: no, they are vitrify's, behind the classic `Program` and `Block`.

    >>> use_pir_api()
    False
    """
    return False


def is_prim_enabled() -> bool:
    """Whether composite ops are taken apart by Paddle's own pass: no."""
    return False


def set_prim_enabled(value: bool) -> None:
    """Whether composite ops are taken apart by Paddle's own pass; they are rows and functions here, either way."""


_prim = False


def enable_prim() -> None:
    """Let `prim_enabled` say yes. It means nothing: composite ops are rows and functions here, either way."""
    global _prim
    _prim = True


def disable_prim() -> None:
    """Let `prim_enabled` say no."""
    global _prim
    _prim = False


def prim_enabled() -> bool:
    """Whether `enable_prim` was called."""
    return _prim


PARAMS_INFO_SUFFIX = ".pdiparams.info"  # what Paddle adds to a path for files that models have besides
PROPERTY_SUFFIX = ".meta"
PROGRAM_SUFFIX = ".json"


class VarDesc:
    """Paddle's numbering of types: `VarDesc.VarType.FP32` is the dtype `float32`."""

    class VarType:
        """Dtypes under their old names, and the kinds of variables."""

        BOOL = dt.bool_
        UINT8, INT8, INT16, INT32, INT64 = dt.uint8, dt.int8, dt.int16, dt.int32, dt.int64
        FP16, BF16, FP32, FP64 = dt.float16, dt.bfloat16, dt.float32, dt.float64
        COMPLEX64, COMPLEX128 = dt.complex64, dt.complex128
        FLOAT16, BFLOAT16, FLOAT32, FLOAT64 = FP16, BF16, FP32, FP64
        DENSE_TENSOR = LOD_TENSOR = "dense tensor"
        DENSE_TENSOR_ARRAY = LOD_TENSOR_ARRAY = "tensor array"
        SELECTED_ROWS, STEP_SCOPES, READER, RAW = "selected rows", "step scopes", "reader", "raw"


# Paddle has two numberings of dtypes, and tables from one to the other; here both are the dtypes
SAME_DTYPES = {kind: kind for kind in dt.ALL}


def set_eager_deletion_mode(threshold: float, fraction: float, use_fast: bool) -> None:
    """Paddle's setting for freeing memory early; without effect: memory is planned."""


paddle_type_to_proto_type = {dtype: dtype for dtype in ALL}  # there is one kind of dtypes


def convert_np_dtype_to_dtype_(np_dtype: Any) -> DType:
    """The dtype of a NumPy dtype, its name, or a dtype.

    >>> convert_np_dtype_to_dtype_(np.float32).name
    'float32'
    """
    if isinstance(np_dtype, DType):
        return np_dtype
    name = np.dtype(np_dtype).name
    return as_dtype("bfloat16" if name == "uint16" else name)  # Paddle keeps the bits of bfloat16 in uint16 arrays


def expected_place() -> CPUPlace:
    """Where new tensors are made: the CPU.

    >>> expected_place()
    Place(cpu)
    """
    return CPU


@contextmanager
def place_guard(place: Any = None) -> Iterator[None]:
    """A block whose tensors are made at a place: the CPU, or an ArgumentError."""
    as_place(place)
    yield


@contextmanager
def DygraphPirGuard() -> Iterator[None]:
    """A block whose programs are PIR in Paddle. There is one kind of program here: nothing changes."""
    yield


DygraphOldIrGuard = DygraphPirGuard


def switch_ir() -> None:
    """Paddle's switch between its two kinds of programs: there is one here."""


def test_with_pir_api(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of Paddle's tests, which run once per kind of program: there is one, so once."""
    return func


test_with_pir_api.__test__ = False  # type: ignore[attr-defined] # not a test for pytest
test_with_dygraph_pir = test_with_old_ir_only = test_with_pir_api


def wrap_decorator(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator whose functions keep their names and signatures.

    >>> @wrap_decorator
    ... def loud(func):
    ...     def run(*args):
    ...         return func(*args) + "!"
    ...     return run
    >>> @loud
    ... def greet(name):
    ...     return "hello " + name
    >>> greet.__name__, greet("you")
    ('greet', 'hello you!')
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        return wraps(func)(decorator(func))

    return wraps(decorator)(decorate)


signature_safe_contextmanager = contextmanager


def create_lod_tensor(data: Any, recursive_seq_lens: Any, place: Any = None) -> DenseTensor:
    """The data of a tensor with the lengths of its sequences. Of a list of sequences the rows have one element each.

    Errors: KindError for other kinds of data; AssertedError for lengths that aren't those of the list's sequences;
    ArgumentError for lengths that don't add up to the number of rows.

    >>> made = create_lod_tensor(np.ones((3, 1)), [[2, 1]])
    >>> made.shape(), made.lod()
    ([3, 1], [[0, 2, 3]])
    >>> np.array(create_lod_tensor([[1, 2], [3]], [[2, 1]])).tolist()
    [[1], [2], [3]]
    """
    if not isinstance(data, (list, np.ndarray, DenseTensor)):
        raise KindError(f"data must be an array, a list or a DenseTensor, not a {type(data).__name__}")
    if isinstance(data, list):
        lengths = [[len(sequence) for sequence in data]]
        if lengths != [list(level) for level in recursive_seq_lens]:
            raise AssertedError(f"the sequences have the lengths {lengths}, not {recursive_seq_lens}")
        values = np.array([item for sequence in data for item in sequence])
        data = values.reshape(*values.shape, 1)
    made = DenseTensor()
    made.set(np.asarray(data), place)
    made.set_recursive_sequence_lengths(recursive_seq_lens)
    return made


def create_random_int_lodtensor(
    recursive_seq_lens: Any, base_shape: Any, place: Any, low: int, high: int
) -> DenseTensor:
    """`create_lod_tensor` of integers from low to high, as many rows of `base_shape` as the lengths say.

    >>> create_random_int_lodtensor([[2, 3]], [4], CPUPlace(), 0, 9).shape()
    [5, 4]
    """
    if not isinstance(base_shape, (list, tuple)):
        raise AssertedError(f"base_shape must be a list, not a {type(base_shape).__name__}")
    shape = [sum(recursive_seq_lens[-1]), *base_shape]
    values = drawing(np.random).randint(low, high + 1, shape, np.int64)
    return create_lod_tensor(values, recursive_seq_lens, place)


def as_lodtensor(data: Any, place: Any = None, dtype: Any = None) -> DenseTensor:
    """The data of a tensor of `data`, as executors make it. Errors: AssertedError for numbers without a dtype.

    >>> np.array(as_lodtensor([1, 2], None, "float32")).tolist()
    [1.0, 2.0]
    """
    as_place(place)
    if dtype is None and isinstance(data, (int, float, list, tuple)):
        raise AssertedError(f"a dtype is needed for a {type(data).__name__}", remedy="pass dtype, or an array")
    return DenseTensor(Tensor(data if isinstance(data, Tensor) else np.asarray(data), dtype))


def strip_grad_suffix(name: str) -> str:
    """`x` for `x@GRAD`, for its later parts and for gradients of gradients; other names stay as they are.

    >>> strip_grad_suffix("x@GRAD@RENAME@0"), strip_grad_suffix("grad/grad/x@GRAD@GRAD")
    ('x', 'x')
    >>> strip_grad_suffix("x@GRAD_slice_0@GRAD")
    'x@GRAD_slice_0'
    """
    kept = re.match(r"(?:grad/)*(.*?)(?:@GRAD(?=@|$).*)?$", name)
    return name if kept is None else kept[1]


def as_list(x: Any) -> list[Any]:
    """A list of x: of its items for a list or tuple, empty for None.

    >>> as_list(None), as_list((1, 2)), as_list(3)
    ([], [1, 2], [3])
    """
    return [] if x is None else list(x) if isinstance(x, (list, tuple)) else [x]


def grad_var_suffix() -> str:
    """What names of gradients end in: `@GRAD`."""
    return "@GRAD"


class OpProtoHolder:
    """What is known of each op: `OpProtoHolder.instance().get_op_proto("tanh").inputs`.

    >>> OpProtoHolder.instance().get_op_proto("cast").attrs
    ['dtype']
    """

    @classmethod
    def instance(cls) -> OpProtoHolder:
        """One of them; all are alike."""
        return cls()

    def get_op_proto(self, type: str) -> SimpleNamespace:
        """The row's type, inputs and attrs, by name. Errors: ArgumentError for an op that isn't there."""
        row = OPS.get(type)
        if row is None:
            raise ArgumentError(f"there is no op {type!r}")
        return SimpleNamespace(type=row.name, inputs=[x.lstrip("*") for x in row.operands], attrs=list(row.attrs))


def is_parameter(x: Any) -> bool:
    """Whether x is a parameter."""
    return isinstance(x, Parameter)


@contextmanager
def tracer_guard(tracer: Any) -> Iterator[None]:
    """A block in which Paddle's eager mode has another tracer: `None`, and nothing is computed in it."""
    yield


def append_grad_suffix(name: str) -> str:
    """The name of a variable's gradient.

    >>> append_grad_suffix("x")
    'x@GRAD'
    """
    return f"{name}@GRAD"


def disable_signal_handler() -> None:
    """Nothing: no signal handlers are installed."""


def check_shape(shape: Any) -> None:
    """Check a shape: a list or tuple of ints of at least 0 (and integer tensors), or an integer tensor.

    Errors: KindError for other objects, ArgumentError for negative sizes.

    >>> check_shape([2, 3])
    """
    if isinstance(shape, Tensor):
        sizes: Any = [shape]
    elif isinstance(shape, (list, tuple)):
        sizes = shape
    else:
        raise KindError(f"a shape must be a list, a tuple or a tensor, not a {type(shape).__name__}")
    for size in sizes:
        if isinstance(size, Tensor):
            if not size.dtype.is_integer:
                raise KindError(f"sizes must be integers, not a tensor of {size.dtype.name}")
        elif not isinstance(size, (int, np.integer)) or isinstance(size, bool):
            raise KindError(f"sizes must be ints, not {size!r}")
        elif size < 0:
            raise ArgumentError(f"sizes must be at least 0, not {size}")


class LazyGuard:
    """A context in which Paddle makes layers without values. Here their parameters have values at once.

    >>> with LazyGuard():
    ...     print("made")
    made
    """

    def __enter__(self) -> LazyGuard:
        return self

    def __exit__(self, *error: object) -> None: ...


def deprecated(
    update_to: str = "", since: str = "", reason: str = "", level: int = 0
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: calls warn that the function is deprecated and name what to use.

    level: 0 and 1 warn (DeprecationWarning), 2 makes the call a RuntimeError.
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        parts = [f"{func.__module__}.{func.__name__} is deprecated"]
        parts += [f"since {since}"] if since else []
        text = " ".join(parts) + (f"; use {update_to}" if update_to else "") + (f": {reason}" if reason else "")

        @wraps(func)
        def run(*args: Any, **kwargs: Any) -> Any:
            if level == 2:
                raise RuntimeError(text)
            warnings.warn(text, DeprecationWarning, stacklevel=2)
            return func(*args, **kwargs)

        return run

    return decorate


def try_import(module_name: str, err_msg: str | None = None) -> Any:
    """Import an optional library. Errors: ImportError with `err_msg`, or with the command that installs it.

    >>> try_import("json").dumps([1])
    '[1]'
    """
    from importlib import import_module

    try:
        return import_module(module_name)
    except ImportError as error:
        name = module_name.partition(".")[0]
        raise ImportError(err_msg or f"{module_name} isn't installed: pip install {name}") from error


def run_check() -> None:
    """Compile and run a small program, and say that it works."""
    from ..jit import to_static

    total = to_static(lambda x: (x * 2).sum())(Tensor(np.ones(4, np.float32)))
    if float(total) != 8.0:
        raise RuntimeError(f"vitrify computes 2+2+2+2 = {float(total)}")
    print("vitrify works on this machine.")
