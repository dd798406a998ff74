"""Checks of arguments in Paddle's words, for code that calls them: `base.data_feeder.check_variable_and_dtype` etc."""

from __future__ import annotations

from typing import Any

from ..base.dtype import DType, as_dtype
from ..base.errors import KindError
from ..dygraph.tensor import Tensor


def check_type(value: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = "") -> None:
    """Errors: KindError (a TypeError) unless `value` is of one of the types; a tensor is wherever a Variable is.

    >>> check_type(1, "axis", (int, str), "concat")
    """
    wanted = expected_type if isinstance(expected_type, tuple) else (expected_type,)
    if isinstance(value, wanted) or (isinstance(value, Tensor) and any(issubclass(t, Tensor) for t in wanted)):
        return
    names = ", ".join(t.__name__ for t in wanted)
    raise KindError(f"{op_name}: {input_name} must be of type {names}, not {type(value).__name__}. {extra_message}")


def check_dtype(dtype: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """Errors: KindError (a TypeError) unless `dtype` is one of the expected ones.

    >>> check_dtype("float32", "x", ["float32", "float64"], "mean")
    >>> check_dtype("float32", "x", [as_dtype("float32")], "mean")
    """
    allowed = expected_dtype if isinstance(expected_dtype, (list, tuple, set)) else [expected_dtype]
    known = {"uint16": "bfloat16"}  # how NumPy holds it
    spelled = [d.name if isinstance(d, DType) else str(d) for d in allowed]
    names = [known.get(name, name) for name in spelled]
    given = as_dtype(dtype)
    if given.name not in names:
        raise KindError(
            f"{op_name}: the dtype of {input_name} must be {', '.join(names)}, not {given.name}. {extra_message}"
        )


def check_variable_and_dtype(
    value: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = ""
) -> None:
    """Errors: KindError (a TypeError) for what isn't a tensor, or has another dtype."""
    check_type(value, input_name, Tensor, op_name, extra_message)
    check_dtype(value.dtype, input_name, expected_dtype, op_name, extra_message)


def check_shape(
    shape: Any, op_name: str, expected_shape_type: Any = (list, tuple, Tensor),
    expected_element_type: Any = (int, Tensor), expected_tensor_dtype: Any = ("int32", "int64"),
) -> None:  # fmt: skip
    """Errors: KindError (a TypeError) for what can't be a shape.

    >>> check_shape([2, 3], "full")
    """
    check_type(shape, "shape", expected_shape_type, op_name)
    for size in shape if isinstance(shape, (list, tuple)) else [shape]:
        if not isinstance(shape, Tensor):
            check_type(size, "an element of shape", expected_element_type, op_name)
        if isinstance(size, Tensor):
            check_dtype(size.dtype, "shape", list(expected_tensor_dtype), op_name)
