"""Element types: names, categories, promotion. `float32` prints as `vitrify.float32` and spells `f32` in programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import DTypeError

try:
    import ml_dtypes

    _BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # an installation without its dependencies: all but bfloat16 works
    _BFLOAT16 = np.dtype("V2")


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type. Compared by identity; a string or NumPy dtype of the same name is equal too.

    >>> float32 == "float32", float32.short, float32.itemsize
    (True, 'f32', 4)
    """

    name: str
    short: str
    category: int  # 0 bool, 1 int, 2 float, 3 complex
    itemsize: int
    numpy: np.dtype[Any]

    @property
    def is_floating(self) -> bool:
        return self.category == 2

    @property
    def is_integer(self) -> bool:
        return self.category == 1

    @property
    def is_bool(self) -> bool:
        return self.category == 0

    @property
    def is_complex(self) -> bool:
        return self.category == 3

    @property
    def is_differentiable(self) -> bool:
        return self.category >= 2

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, DType) or other is None:
            return False
        try:
            return as_dtype(other) is self
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"vitrify.{self.name}"

    def __str__(self) -> str:
        return f"vitrify.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __deepcopy__(self, memo: object) -> DType:
        return self


def _make(name: str, short: str, category: int, numpy_name: str | np.dtype[Any]) -> DType:
    kind = np.dtype(numpy_name)
    return DType(name, short, category, kind.itemsize, kind)


bool_ = _make("bool", "bool", 0, "bool")
uint8 = _make("uint8", "u8", 1, "uint8")
int8 = _make("int8", "i8", 1, "int8")
int16 = _make("int16", "i16", 1, "int16")
int32 = _make("int32", "i32", 1, "int32")
int64 = _make("int64", "i64", 1, "int64")
float16 = _make("float16", "f16", 2, "float16")
bfloat16 = _make("bfloat16", "bf16", 2, _BFLOAT16)
float32 = _make("float32", "f32", 2, "float32")
float64 = _make("float64", "f64", 2, "float64")
complex64 = _make("complex64", "c64", 3, "complex64")
complex128 = _make("complex128", "c128", 3, "complex128")

HAS_BFLOAT16 = _BFLOAT16.kind != "V" or _BFLOAT16.name == "bfloat16"
LOW_FLOATS = (float16, bfloat16)  # storage only: ops compute in float32 and round (ops/op.py)
COMPLEX = (complex64, complex128)
ALL: tuple[DType, ...] = (
    bool_, uint8, int8, int16, int32, int64, float16, *((bfloat16,) if HAS_BFLOAT16 else ()), float32, float64,
    *COMPLEX,
)  # fmt: skip
FLOATS = (float32, float64)
INTEGERS = (uint8, int8, int16, int32, int64)
NUMBERS = FLOATS + (int32, int64)
BY_SHORT = {d.short: d for d in ALL}
_BY_NAME: dict[str, DType] = {d.name: d for d in ALL} | {
    "float": float32,
    "double": float64,
    "int": int64,
    "bool_": bool_,
}
_BY_NUMPY: dict[np.dtype[Any], DType] = {d.numpy: d for d in ALL}
_BY_TYPE: dict[type, DType] = {bool: bool_, int: int64, float: float32, complex: complex64} | {
    d.numpy.type: d for d in ALL
}


def as_dtype(spec: Any) -> DType:
    """The DType named by a DType, string (`"float32"`, `"f32"`, `"vitrify.float32"`), NumPy dtype or Python type.

    >>> as_dtype("f32") is float32, as_dtype(np.int64) is int64
    (True, True)
    """
    if isinstance(spec, DType) and (HAS_BFLOAT16 or spec is not bfloat16):
        return spec
    if isinstance(spec, str):
        name = spec.rpartition(".")[2]
        found = _BY_NAME.get(name) or BY_SHORT.get(name)
        if found is not None:
            return found
    elif isinstance(spec, type) and spec in _BY_TYPE:
        return _BY_TYPE[spec]
    elif isinstance(spec, np.dtype) and spec in _BY_NUMPY:
        return _BY_NUMPY[spec]
    if isinstance(spec, DType) or (isinstance(spec, str) and spec.rpartition(".")[2] == "bfloat16"):
        raise DTypeError("bfloat16 needs the package ml_dtypes", remedy="pip install ml_dtypes")
    raise DTypeError(f"{spec!r} is not a dtype", remedy="use one of " + ", ".join(d.name for d in ALL))


def of_array(array: np.ndarray[Any, Any] | np.generic) -> DType:
    """The DType of a NumPy array; DTypeError for kinds without one (strings, objects, dates)."""
    found = _BY_NUMPY.get(array.dtype)
    if found is None:
        raise DTypeError(
            f"NumPy dtype {array.dtype} has no counterpart here", remedy="convert the array to a number type"
        )
    return found


def promote(a: DType, b: DType) -> DType:
    """The common dtype of two tensors: the higher category wins, then the wider type; u8 with a signed int widens.

    >>> promote(int64, float32), promote(uint8, int8)
    (vitrify.float32, vitrify.int16)
    """
    if a is b:
        return a
    if a.category != b.category:
        low, high = (a, b) if a.category < b.category else (b, a)
        if high.is_complex and low is float64:
            return complex128
        return high
    if a in LOW_FLOATS and b in LOW_FLOATS:
        return float32
    return _BY_NUMPY[np.promote_types(a.numpy, b.numpy)]


def of_scalar(value: object, other: DType | None, default: DType) -> DType:
    """The dtype a Python number takes beside a tensor of dtype `other` (weak: it only raises the category)."""
    category = 0 if isinstance(value, (bool, np.bool_)) else 1 if isinstance(value, (int, np.integer)) else 2
    if isinstance(value, (complex, np.complexfloating)) and not isinstance(value, (float, int)):
        category = 3
    if other is not None and other.category >= category:
        return other
    if category == 3:
        return complex128 if other is float64 else complex64
    return (bool_, int64, default)[category]
