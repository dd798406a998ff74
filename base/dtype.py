"""Element types: one row each, promotion, and what rows and back ends ask of them.

`float32` prints as `vitrify.float32` and is spelled `f32` in programs. A new dtype is a row of the table below: files,
kernels, ONNX and the ops that take all dtypes of a category follow. Tests: tests/base/test_dtype.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .errors import DTypeError
from .suggest import one_of

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
    onnx: int  # its number in ONNX's TensorProto.DataType
    llvm: str  # its type in kernels; empty for those that run on the rows' NumPy kernels
    accumulator: str  # the dtype in which its sums are formed
    package: ClassVar[str] = "vitrify"  # in whose name it prints: `paddle` where `import paddle` means this package
    # set where `import paddle` means this package: users' arrays hold bfloat16 numbers as their bits, uint16
    arrays_hold_bits: ClassVar[bool] = False

    @property
    def is_native(self) -> bool:
        """Whether kernels know it."""
        return bool(self.llvm)

    @property
    def safetensors(self) -> str:
        """Its name in safetensors files."""
        return self.short.upper()

    @property
    def is_floating(self) -> bool:
        return self.category == 2

    @property
    def is_integer(self) -> bool:
        return self.category == 1

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an integer dtype without negative numbers."""
        return self.numpy.kind == "u"

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
            return as_dtype(other) is self and not _names_bits(other)
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"{DType.package}.{self.name}"

    def __str__(self) -> str:
        return f"{DType.package}.{self.name}"

    def __int__(self) -> int:
        """Its number in PaddlePaddle's files (`VarDesc.VarType`).

        >>> int(float32), int(int64)
        (5, 3)
        """
        return _PADDLE_NUMBERS[self.name]

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __deepcopy__(self, memo: object) -> DType:
        return self


def _row(
    name: str, short: str, category: int, *, onnx: int, llvm: str = "", accumulator: str = "",
    numpy: np.dtype[Any] | None = None,
) -> DType:  # fmt: skip
    kind = np.dtype(name) if numpy is None else numpy
    return DType(name, short, category, kind.itemsize, kind, onnx, llvm, accumulator or name)


bool_ = _row("bool", "bool", 0, onnx=9, llvm="i8", accumulator="int64")
uint8 = _row("uint8", "u8", 1, onnx=2, llvm="i8", accumulator="int64")
int8 = _row("int8", "i8", 1, onnx=3, llvm="i8", accumulator="int64")
int16 = _row("int16", "i16", 1, onnx=5, llvm="i16", accumulator="int64")
int32 = _row("int32", "i32", 1, onnx=6, llvm="i32", accumulator="int64")
int64 = _row("int64", "i64", 1, onnx=7, llvm="i64")
float16 = _row("float16", "f16", 2, onnx=10, accumulator="float32")
bfloat16 = _row("bfloat16", "bf16", 2, onnx=16, accumulator="float32", numpy=_BFLOAT16)
float32 = _row("float32", "f32", 2, onnx=1, llvm="float")
float64 = _row("float64", "f64", 2, onnx=11, llvm="double")
complex64 = _row("complex64", "c64", 3, onnx=14)
complex128 = _row("complex128", "c128", 3, onnx=15)

_PADDLE_NUMBERS = {
    "bool": 0, "int16": 1, "int32": 2, "int64": 3, "float16": 4, "float32": 5, "float64": 6, "uint8": 20, "int8": 21,
    "bfloat16": 22, "complex64": 23, "complex128": 24,
}  # fmt: skip
_BITS = np.dtype(np.uint16)  # PaddlePaddle's arrays hold the bits of bfloat16
HAS_BFLOAT16 = _BFLOAT16.kind != "V" or _BFLOAT16.name == "bfloat16"
ALL: tuple[DType, ...] = tuple(
    d for d in list(globals().values()) if isinstance(d, DType) and (HAS_BFLOAT16 or d.name != "bfloat16")
)
LOW_FLOATS = (float16, bfloat16)  # storage only: ops compute in float32 and round (ops/op.py)
COMPLEX = tuple(d for d in ALL if d.is_complex)
FLOATS = tuple(d for d in ALL if d.is_floating and d.is_native)
INTEGERS = tuple(d for d in ALL if d.is_integer)
NUMBERS = FLOATS + (int32, int64)
SHORT_INTEGERS = tuple(d for d in INTEGERS if d not in NUMBERS)
ARITHMETIC = NUMBERS + SHORT_INTEGERS
NATIVE = tuple(d for d in ALL if d.is_native)
BY_SHORT = {d.short: d for d in ALL}
# names of C and of Python mean what NumPy takes them for
_BY_NAME: dict[str, DType] = {d.name: d for d in ALL} | {
    "half": float16, "float": float64, "double": float64, "short": int16, "int": int64, "long": int64, "bool_": bool_,
}  # fmt: skip
_BY_NUMPY: dict[np.dtype[Any], DType] = {d.numpy: d for d in ALL}
_BY_TYPE: dict[type, DType] = {bool: bool_, int: int64, float: float64, complex: complex128} | {
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
    if DType.arrays_hold_bits and HAS_BFLOAT16 and _names_bits(spec):
        return bfloat16
    if isinstance(spec, DType) or (isinstance(spec, str) and spec.rpartition(".")[2] == "bfloat16"):
        raise DTypeError("bfloat16 needs the package ml_dtypes", remedy="pip install ml_dtypes")
    remedy = one_of(spec, [d.name for d in ALL])
    if isinstance(spec, int):
        remedy += "; sizes go into one list, as in ones([2, 3])"
    raise DTypeError(f"{spec!r} is not a dtype", remedy=remedy)


def _names_bits(spec: Any) -> bool:
    return (
        spec == "uint16"
        if isinstance(spec, str)
        else spec is np.uint16 or (isinstance(spec, np.dtype) and spec == _BITS)
    )


def of_array(array: np.ndarray[Any, Any] | np.generic) -> DType:
    """The DType of a NumPy array; DTypeError for kinds without one (strings, objects, dates)."""
    found = _BY_NUMPY.get(array.dtype)
    if found is None:
        raise DTypeError(
            f"NumPy dtype {array.dtype} has no counterpart here", remedy="convert the array to a number type"
        )
    return found


def leaving(array: Any) -> Any:
    """An array as users get it: bfloat16 numbers as their bits, where `DType.arrays_hold_bits`."""
    if DType.arrays_hold_bits and array.dtype == bfloat16.numpy:
        return array.view(_BITS)
    return array


def entering(array: Any) -> Any:
    """The inverse: what an array of a user holds."""
    if DType.arrays_hold_bits and array.dtype == _BITS:
        return array.view(bfloat16.numpy)
    return array


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


# ---- whether a tensor may take on another dtype, where a result is written into it

Retyping = Callable[[DType, DType], bool]  # of the tensor's dtype and the result's


def never(_old: DType, _new: DType) -> bool:
    """The tensor keeps its dtype."""
    return False


def always(_old: DType, _new: DType) -> bool:
    """The tensor takes on the dtype of the result."""
    return True


def loses(old: DType, new: DType) -> bool:
    """It takes on floats in place of integers and complex numbers in place of real ones, which a cast would cut."""
    return new.category > max(old.category, 1)


def widens(old: DType, new: DType) -> bool:
    """It takes on a wider float dtype, and a complex one; integers don't become floats."""
    return new.is_complex or old.is_floating
