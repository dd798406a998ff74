"""What captured code may do with `t.numpy()`: that in which tensors and NumPy's arrays agree, dtypes included."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ....base.dtype import DType, bfloat16, float32, float64, int64
from ....base.errors import CaptureError, VitrifyError
from ....base.frame_marks import acts_for_caller
from ....base.location import caller_loc, is_library_file
from ....base.pytree import flatten
from ....dygraph.given_array import GivenArray, element, view_of
from ....dygraph.number import Number
from ....dygraph.run_array import RunArray, array_over
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Value
from ....ops.op import Op
from ....ops.types import TensorType
from ..state.traced_numbers import item_of
from .made_arrays import written_by

REMEDIES = {
    "bool": "test the tensor with `if`, `while`, `and`, `or`, `not` in captured code; generators, library functions "
    "and those marked not_to_static aren't captured",
    "int": "int(t) in captured code, arithmetic with it, range(t) and an index of a list or tensor work; the key of "
    "a dict, and code that isn't captured, need a number that is known while the function is captured",
    "float": "keep it a tensor: float(t) in captured code gives a 0-d tensor",
    "numpy": "use the tensor's own operations, or put NumPy code into a PyLayer",
}
_TESTS = frozenset({"equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"})
_PARTS = frozenset({"slice", "select", "slice_update", "select_update", "reshape", "cast", "unstack", "full"})
_VIEWS = frozenset({"slice", "select", "unstack", "transpose", "flip", "reshape"})
_ARITHMETIC = frozenset({"add", "subtract", "multiply", "neg", "abs"})
_PLACES = frozenset({"argmax", "argmin", "argsort", "array_order"})  # these give int64 of whatever dtype, as NumPy's do
_JOINING = frozenset({"concat"})  # of arrays of one dtype
_FAMILIES = frozenset({"elementwise", "reduction", "scan", "view"})  # NumPy's keep these dtypes as tensors' do:
_KEPT = frozenset({float32, float64, int64})


def array_of(tracer: Any, x: Tensor) -> RunArray:
    """The elements that a tensor has at this point of the run, as an array that later writes don't reach."""
    if x.dtype is bfloat16 and DType.arrays_hold_bits:
        raise refused(x)
    return array_over(wrap(tracer.value_of(x), x.dtype))


def listed(x: Tensor) -> Any:
    """`x.tolist()`: nested lists of numbers of the run, of a tensor whose sizes are known."""
    x = x.detach()
    return item_of(x) if not x.ndim else [listed(x[k]) for k in range(int(x.shape[0]))]


def refused(x: Tensor, kind: str = "numpy") -> CaptureError:
    """The error for elements that Python code wants to see."""
    kind = "numpy" if kind == "array" else kind
    shown = TensorType(x.dtype, tuple(x.shape))
    asking = None if kind == "numpy" else _library_function()
    if asking is not None:
        return CaptureError(
            f"`{asking}` needs a Python value, but only a run of the program knows that of the tensor it got",
            loc=caller_loc(),
            remedy="give it a number or bool that is known while the function is captured: an argument, an attribute "
            "or a global that isn't computed from a tensor",
        )
    return CaptureError(
        f"{kind}() of a tensor ({shown}) whose value only a run of the program knows",
        loc=caller_loc(),
        remedy=REMEDIES.get(kind, REMEDIES["numpy"]),
    )


@acts_for_caller
def unhidden(tracer: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A call of code that isn't captured. C code that can't have an element makes an error of its own of the refusal,
    which handlers of the user's would take for one of the program: then the refusal is raised.
    """
    before = len(tracer.refusals)
    try:
        return fn(*args, **kwargs)
    except Exception as error:  # broad: whatever C code raises
        hidden = tracer.refusals[-1] if len(tracer.refusals) > before else None
        hidden = None if isinstance(error, VitrifyError) and error is not hidden else hidden
        has_outside = bool(tracer.objects.locked.arrays)
        tracer.arrays.refuse(error, hidden, written_by(fn, args, kwargs) or None, has_outside=has_outside)
        raise


def _library_function() -> str | None:
    """The function of this package that user code called, if it looks at a tensor; None for code of the user's."""
    frame: FrameType | None = sys._getframe(2)
    found = None
    while frame is not None and is_library_file(frame.f_code.co_filename):
        name, folder = frame.f_code.co_name, frame.f_globals.get("__name__", "").split(".")[1:2]
        if name in ("__bool__", "__int__", "__float__", "__index__"):
            found = None  # `bool(t)`, for whoever calls it
        elif frame.f_code.co_qualname == name and name[0] != "_" and folder in (["ops"], ["dygraph"]):
            found = name
        elif name == "forward" and folder == ["dygraph"]:
            found = frame.f_code.co_qualname.partition(".")[0]  # a layer
        frame = frame.f_back
    return found


def as_array(op: Op, args: tuple[Any, ...], result: Any) -> Any:
    """The result of an operation, an array if one is what NumPy would give.

    Errors: CaptureError where NumPy computes otherwise than tensors, or might.
    """
    for x in args:
        if type(x) is RunArray or x.is_element:
            break
    else:  # most operations have none of these
        return result
    made = _array_or_tensor(op, args, result)
    is_scalar = any(x.is_element for x in args) and isinstance(made, Tensor) and not made.ndim
    among = is_scalar and all(x.is_element or x.is_literal or type(x) is Number for x in args)
    return element(made) if among else made


def _array_or_tensor(op: Op, args: tuple[Any, ...], result: Any) -> Any:
    arrays = [x for x in args if type(x) is RunArray]
    others = [x for x in args if isinstance(x, Tensor) and type(x) is not RunArray]
    if not arrays or any(not (x.is_literal or type(x) is Number) for x in others) or op.name in _TESTS:
        return result  # beside tensors an array is one, too; what a comparison gives is for conditions
    converted = op.name == "cast" or any(x.converted for x in arrays)
    if op.name not in _PARTS and (converted or not _agrees(op, arrays, result)):
        raise refused(arrays[0])
    if isinstance(result, tuple):
        return tuple(array_over(y, converted) for y in result)
    return array_over(result, converted)


def as_view(builder: Any, op: Op, args: tuple[Any, ...], values: list[Any], attrs: dict[str, Any], result: Any) -> Any:
    """The result of an operation, as a view where NumPy gives one of an array."""
    base = args[0] if args else None
    if not isinstance(base, GivenArray) or not (op.family == "view" or op.name in _VIEWS):
        return result
    many, rest = isinstance(result, tuple), tuple(values[1:])

    def made(k: int) -> Callable[[Any], Any]:
        def again(value: Any) -> Any:
            found = builder.apply(op, (value, *rest), attrs)
            return found[k] if many else found

        return again

    found = enumerate(result if many else (result,))
    views = tuple(view_of(base, values[0], x, made(k), (op.name, rest, attrs, k)) for k, x in found)
    return views if many else views[0]


def _agrees(op: Op, arrays: list[RunArray], result: Any) -> bool:
    """Whether NumPy's result has the same dtype: where both keep that of the arrays."""
    dtype = arrays[0].dtype
    if op.name in _PLACES:
        return True
    if isinstance(result, tuple) or any(x.dtype is not result.dtype for x in arrays):
        return False
    if op.name in _JOINING:
        return True
    if op.name in _ARITHMETIC:
        return not dtype.is_bool
    return op.family in _FAMILIES and dtype in _KEPT


def holds_value(given: Any) -> bool:
    """Whether a value of the program is among arguments, or in lists there."""
    leaves = flatten(given, lambda x: isinstance(x, Tensor))[0]
    return any(isinstance(x, Tensor) and isinstance(x._storage.payload, Value) for x in leaves)


def reads_at_run_time(array: np.ndarray[Any, Any], key: Any) -> bool:
    """Whether only a run knows where an array from outside is read: by an array, mask, tensor or number of the run."""
    if array.dtype.kind not in "biufc":
        return False
    parts = [part for k in (key if type(key) is tuple else (key,)) for part in _bounds_of(k)]
    return any(isinstance(x, Tensor) and getattr(x, "origin", None) is None for x in parts)


def _bounds_of(key: Any) -> tuple[Any, ...]:
    return (key.start, key.stop, key.step) if isinstance(key, slice) else (key,)


def part_of_array(tracer: Any, array: np.ndarray[Any, Any], key: Any) -> RunArray:
    """`array[key]`, of the elements that it has now: they are guarded. The part can't be written: it may be a view."""
    keys = tuple([k.detach() if isinstance(k, GivenArray) else k for k in (key if type(key) is tuple else (key,))])
    whole: Tensor = tracer.constant(array, None)
    part = array_over(whole[keys if type(key) is tuple else keys[0]].detach())
    part.is_joint = True
    return part
