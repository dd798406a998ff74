"""Python numbers in a program: what operations among them give, and their use beside tensors.

A number is concrete at first (an argument, an attribute, a global of the call that is traced, with its `origin`): used
in operations it becomes an entry of the program's state that is filled in at each call; looked at by Python code
(`bool`, `int`, a dictionary's key) it is taken as it is, and guarded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....base.dtype import DType, bool_, float64, int64, of_scalar
from ....base.flags import flags
from ....base.frame_marks import fails_for_caller
from ....dygraph.number import KINDS, Number, number_over
from ....dygraph.storage import root_of
from ....dygraph.tensor import Tensor, wrap
from ....ops.arith import exact
from ....ops.dims import Dim
from ....ops.dispatch import current, innermost
from ....ops.infer import dtype_bounds
from ....ops.op import FUNCTIONS, OPS, Op
from .escapes import TOKEN

_BEYOND = 2.0**63  # the first float that an int64 doesn't hold
_SAMPLES = {bool_: False, int64: 0, float64: 0.0}
_DTYPES = {kind: dtype for dtype, kind in KINDS.items()}
_ARITHMETIC = frozenset(
    {
        "abs", "add", "divide", "equal", "floor_divide", "greater_equal", "greater_than", "less_equal", "less_than",
        "logical_and", "logical_not", "logical_or", "maximum", "minimum", "multiply", "neg", "not_equal", "pow",
        "remainder", "subtract", "where", "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right",
    }
)  # fmt: skip
# Python's functions that fail for some second operands
_PARTIAL: dict[str, Callable[[Any, Any], Any]] = {
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "pow": operator.pow,
    "shift_left": operator.lshift,
    "shift_right": operator.rshift,
}
_COMPLEX = (
    "a negative number to a fractional power is complex, which a number of a compiled function can't be\n"
    "  help: take abs() of it, or use a tensor, whose power is NaN"
)


def is_numbers(op: Op, args: tuple[Any, ...]) -> bool:
    """Whether an operation is one among Python numbers, at least one of them known only to a run."""
    some = False
    if op.name not in _ARITHMETIC:
        return False
    for x in args:
        if type(x) is Number:
            some = True
        elif not x.is_literal:
            return False
    return some


@fails_for_caller
def check_operands(tracer: Any, op: Op, args: tuple[Any, ...]) -> None:
    """What Python refuses among numbers ends the run with Python's error: a divisor that is zero, a negative shift, a
    negative power of zero. What is known now raises it here.
    """
    if op.name not in _PARTIAL:
        return
    if tracer.value_of(args[0]) in tracer.totals:
        _check_total(tracer, op, args)
        return
    first, second = (_known(tracer, x) for x in args)
    if second is not None:
        sample = 1.0 if _is_float(args[0]) else 1
        if op.name != "pow" and (second <= 0 if op.name.startswith("shift") else second == 0):
            _PARTIAL[op.name](sample, second)
    elif op.name.startswith("shift"):
        with tracer.builder.active():
            good = OPS["greater_equal"](tracer.value_of(args[1]), tracer.builder.constant(0, int64))
        tracer.check(good, _words(op.name, 1, -1), "ValueError")
    elif op.name != "pow":
        with tracer.builder.active():
            divisor = tracer.value_of(args[1])
            good = OPS["not_equal"](divisor, tracer.builder.constant(0, divisor.dtype))
        among = args[1:] if op.name == "divide" else args  # ints become floats for a division
        one = 1.0 if any(_is_float(x) for x in among) else 1
        tracer.check(good, _words(op.name, one, 0), "ZeroDivisionError")
    if op.name == "pow" and any(_is_float(x) for x in args):
        _check_power(tracer, args, first, second)


def _check_total(tracer: Any, op: Op, args: tuple[Any, ...]) -> None:
    """The sum of a list is a tensor; of one that is empty in a run it is a number, which zero doesn't divide."""
    start, size = tracer.totals[tracer.value_of(args[0])]
    if op.name != "divide" or not (type(args[1]) is Number or args[1].is_literal):
        return
    with tracer.builder.active():
        zero = tracer.builder.constant(0, int64)
        divides = OPS["not_equal"](tracer.value_of(args[1]), tracer.builder.constant(0, args[1].dtype))
        is_tensor = OPS["not_equal"](tracer.builder.constant(size, int64), zero)
        good = OPS["logical_or"](divides, is_tensor)
    tracer.check(good, _words(op.name, start, 0.0 if _is_float(args[1]) else 0), "ZeroDivisionError")


def _check_power(tracer: Any, args: tuple[Any, ...], base: Any, exponent: Any) -> None:
    """Powers of floats: zero has no negative ones, and fractional ones of negative numbers are complex."""
    x, y = (tracer.value_of(v) for v in args)
    with tracer.builder.active():
        zero = tracer.builder.constant(0, x.dtype)
        if (base is None or base == 0) and (exponent is None or exponent < 0):
            good = OPS["not_equal"](x, zero)
            if exponent is None:
                good = OPS["logical_or"](good, OPS["greater_equal"](y, tracer.builder.constant(0, y.dtype)))
            tracer.check(good, _words("pow", 0.0, -1.0), "ZeroDivisionError")
        if (base is None or base < 0) and (exponent is None or exponent % 1 > 0):
            lowest = tracer.builder.constant(-np.inf, x.dtype)  # whose powers are real
            good = OPS["logical_not"](OPS["logical_and"](OPS["less_than"](x, zero), OPS["greater_than"](x, lowest)))
            if exponent is None:
                part = OPS["remainder"](y, tracer.builder.constant(1, y.dtype))  # NaN of infinite powers
                is_whole = OPS["logical_not"](OPS["greater_than"](part, tracer.builder.constant(0, y.dtype)))
                good = OPS["logical_or"](good, is_whole)
            tracer.check(good, _COMPLEX, "ArgumentError")


def _known(tracer: Any, x: Any) -> Any:
    """The Python number of an operand that was written as one; None: only a run, or each call, knows it."""
    maker = None if type(x) is Number else tracer.value_of(x).operation
    return maker.attrs["data"].array.item() if maker is not None and maker.name == "constant" else None


def _is_float(x: Any) -> bool:
    return x.dtype is float64 and not (type(x) is Number and x.was_int)


def _words(name: str, first: Any, second: Any) -> str:
    """What Python says of an operation that it refuses."""
    try:
        _PARTIAL[name](first, second)
    except (ZeroDivisionError, ValueError) as error:
        return str(error)
    raise AssertionError(name)


def _holds_value(data: Sequence[Any]) -> bool:
    """Whether a tensor, or a number of a run, is in a list or in a list there."""
    return any(isinstance(x, (Tensor, Dim)) or (isinstance(x, (list, tuple)) and _holds_value(x)) for x in data)


def stacked(tracer: Any, items: Sequence[Any], dtype: DType | None) -> Any:
    """A tensor of a list in which are tensors, numbers of a run and lists of these; None for one without such."""
    if not _holds_value(items):
        return None
    parts = [tracer.constant(item, dtype) for item in items]
    return FUNCTIONS["stack"](parts if dtype is None else list(map(exact, parts)))


def weakly(tracer: Any, x: Number, dtype: DType | None) -> Any:
    """A number as an operand of dtype `dtype` (None: the one that the Python number would get by itself)."""
    wanted = of_scalar(_SAMPLES[x.dtype], None, flags.default_dtype) if dtype is None else dtype
    if wanted is x.dtype:
        return x
    if wanted.is_integer and x.dtype is not bool_:
        _require_fit(tracer, x, wanted)
    made = OPS["cast"](wrap(tracer.value_of(x), x.dtype), wanted)
    if wanted in KINDS and dtype is not None:
        number = number_over(made)
        number.was_int = x.dtype is not float64
        return number
    made.is_literal = True
    return made


def _require_fit(tracer: Any, x: Number, dtype: DType) -> None:
    """A Python number that doesn't fit into an integer dtype ends the run with eager mode's error."""
    least, most = dtype_bounds(dtype)
    number = wrap(tracer.value_of(x), x.dtype)
    if x.dtype is float64:
        tracer.require(OPS["logical_not"](OPS["isnan"](number)), "cannot convert float NaN to integer", "ValueError")
        good = OPS["logical_and"](OPS["greater_than"](number, least - 1.0), OPS["less_than"](number, most + 1.0))
    else:
        good = OPS["logical_and"](OPS["greater_equal"](number, least), OPS["less_equal"](number, most))
    words = f"a Python number doesn't fit into {dtype.name}\n  help: use a wider dtype"
    tracer.require(good, words, "ArgumentError")


def item_of(x: Tensor) -> Number | Tensor:
    """`x.item()`: the element as a Python number of the run."""
    flat = (x if not x.ndim else OPS["reshape"](x, ())).detach()
    if flat.dtype.is_complex:
        return flat
    kind = bool_ if flat.dtype.is_bool else int64 if flat.dtype.is_integer else float64
    return _number_now(flat) if flat.dtype is kind else number_over(OPS["cast"](flat, kind))


def _number_now(x: Tensor) -> Number:
    """The number that a tensor holds now: a later write in place doesn't reach it."""
    tracer: Any = innermost(current())  # a trace is running
    if root_of(x._storage) is not x._storage:  # of a view: many tensors write there
        return number_over(wrap(tracer.value_of(x), x.dtype))
    number = number_over(x.detach())
    tracer.aliases.keep(number)
    return number


def converted(x: Any, kind: type) -> Number:
    """`int(x)`, `float(x)` or `bool(x)` of a tensor with one element, a number, or a size.

    Errors: TypeError for int() and float() of a complex number, as Python has it.
    """
    if x.dtype.is_complex and kind is not bool:
        kind(0j)
    dtype = {bool: bool_, int: int64, float: float64}[kind]
    if x.dtype is dtype:
        return x if type(x) is Number else _number_now(x)
    if type(x) is Number:
        x = wrap(current().value_of(x), x.dtype)
    x = x.detach()
    if kind is int and x.dtype.is_floating:
        _require_whole(x)
    return number_over(OPS["cast"](x, dtype))


def _require_whole(x: Tensor) -> None:
    """`int(x)` of NaN, an infinity, or a float beyond 64 bits ends the run, the first two with Python's errors."""
    require = current().require
    require(OPS["logical_not"](OPS["isnan"](x)), "cannot convert float NaN to integer", "ValueError")
    wide = OPS["cast"](x, float64)
    fits = OPS["logical_and"](OPS["less_than"](wide, _BEYOND), OPS["greater_equal"](wide, -_BEYOND))
    require(fits, "cannot convert float infinity, or one of 2**63 or more, to a 64-bit integer", "OverflowError")


def as_python(x: Any) -> Any:
    """The Python number as it is now, guarded, where Python needs it; CaptureError if only a run knows it."""
    if type(x) is not Number:
        return x
    return x.plain()


def known_text(text: str, shown: Sequence[Any]) -> str:
    """A text with the numbers in it as they are now, guarded. Errors: CaptureError if only a run knows one."""
    return TOKEN.sub(lambda found: str(as_python(number_over(shown[int(found[1])]))), text)


@fails_for_caller
def as_attribute(tracer: Any, x: Any) -> Any:
    """An attribute of an operation: of a tensor with one element its number, as eager mode reads it."""
    if type(x) is Number or not isinstance(x, Tensor):
        return as_python(x)
    known = tracer.known(x)
    return as_python(x.item()) if known is None else known.item()


def handed_over(tracer: Any, x: Any) -> Any:
    """A number as an argument of code that isn't captured: Python's own where it is known, else a tensor."""
    if type(x) is not Number:
        return x
    if isinstance(x._storage.payload, np.ndarray):
        return x.plain()
    made = weakly(tracer, x, None)
    return made.snapshot() if type(made) is Number else made


def as_of_runs(tracer: Any, numbers: Sequence[Number]) -> None:
    """Let code find these numbers, which have an origin, as ones that only a run knows."""
    for x in numbers:
        found = number_over(x)  # what the program's state is found by
        cell: Any = x._storage
        found.origin, cell.number = x.origin, found
        x._storage, x.origin, x.at_place = wrap(tracer.value_of(found), x.dtype)._storage, None, found


def is_number(x: object) -> bool:
    """Whether `x` is a Python number, known now or at run time.

    Objects of subclasses (members of IntEnum, np.float64) are none, nor are complex numbers: a program can't make them.
    """
    return type(x) in _DTYPES or isinstance(x, (Dim, Number))


def are_scalars(*values: Any) -> bool:
    """Whether these are NumPy scalars, elements of arrays, or some of them such and the others Python numbers."""
    found = [isinstance(x, Tensor) and x.is_element for x in values]
    return any(found) and all(is_one or is_number(x) for is_one, x in zip(found, values, strict=True))


def sample_of(x: Any) -> Any:
    """A Python number of the same kind."""
    return _SAMPLES[x.dtype] if type(x) is Number else 0


def dtype_among(a: Any, b: Any) -> DType:
    """The dtype that holds either of two Python numbers."""
    return max((_dtype_of(a), _dtype_of(b)), key=lambda k: k.category)


def _dtype_of(x: Any) -> DType:
    if type(x) is Number:
        return x.dtype
    return bool_ if isinstance(x, bool) else float64 if isinstance(x, float) else int64
