"""A Python number of a captured function that only a run of the program knows: a counter, an argument, `self.scale`."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import DType, bool_, float64, int64
from ..base.location import is_library_file
from ..base.size import teller
from ..ops.dims import Dim
from ..ops.dispatch import current, innermost, interpreters
from ..ops.op import OPS
from .storage import Storage
from .tensor import Tensor, wrap

KINDS: dict[DType, type] = {bool_: bool, int64: int, float64: float}
_DTYPES: dict[type, DType] = {kind: dtype for dtype, kind in KINDS.items()}

# beside them Python needs the number itself: how often they are repeated, or, as a program has no complex numbers of
# Python's, what it is
_REPEATED = (list, tuple, str, bytes, complex)
_NUMBERS = (bool, int, float)
MOST_RESIDUES = 64  # that are worth a program each


class Number(Tensor):
    """A bool, int or float without axes that takes part in operations as Python's number would.

    Beside tensors it only raises the category of the dtype; among numbers it keeps Python's width (int64, float64) and
    stays one. A captured function that returns it gives its caller a plain Python number.
    origin: where the number is found at each call, while that isn't part of the program yet (see
    jit/trace/state/traced_numbers.py).
    was_int: a float that stands for an int in a division. ranges: those that code asked it to be inside of.
    was_hashed: it is a key, so that it is guarded and compared as the number that it is now.
    root: the number at a place, and what was added to it to get this one. by_residue: what it leaves when it is divided
    is guarded, and known to Python code. residues: those (added, divisor). was_reduced: code asked for one.
    by_condition: whether conditions on it hold is guarded, and known to Python code.
    at_place: the number with the origin, where code finds this one instead: as one that only a run knows.
    """

    weak = True
    origin: Any = None
    was_int: bool = False
    ranges: tuple[tuple[float, float], ...] = ()
    was_hashed: bool = False
    root: tuple[Number, int] | None = None
    by_residue: bool = False
    by_condition: bool = False
    residues: tuple[tuple[int, int], ...] = ()
    was_reduced: bool = False
    at_place: Number | None = None

    def __getattribute__(self, name: str) -> Any:
        """What Python's number has; the rest is for code of this package."""
        if name[:1] != "_" and not is_library_file(sys._getframe(1).f_code.co_filename):
            kind = KINDS[object.__getattribute__(self, "_dtype")]
            if not hasattr(kind, name):
                raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name, obj=self)
        return object.__getattribute__(self, name)

    @property
    def kind(self) -> type:
        """bool, int or float."""
        return KINDS[self._dtype]

    def __hash__(self) -> int:
        made = hash(self.plain())
        if not self.was_hashed:
            self.was_hashed = True
            tracer: Any = innermost(current())
            if tracer.is_trace:
                tracer.note_hashed(self)
        return made

    def __eq__(self, other: object) -> Any:
        if self.was_hashed and (type(other) in _NUMBERS or (type(other) is Number and other.was_hashed)):
            return self.plain() == (other.plain() if isinstance(other, Number) else other)
        return super().__eq__(other)

    def plain(self) -> Any:
        """The number as it is now, for Python code that needs it: guarded; an error if only a run knows it."""
        return self.kind(self._number(self.kind))

    def is_inside(self, low: float, high: float) -> bool:
        """Whether low < number < high: of an attribute's number only this is guarded, not what it is."""
        if self.origin is None or isinstance(self.origin, int):
            return bool(low < self.plain() < high)
        self.ranges = (*self.ranges, (low, high))
        return bool(low < self._storage.payload.item() < high)

    def residue(self, divisor: Any) -> int | None:
        """`self % divisor` as Python knows it; None where the program computes it."""
        root, added = self.root or (self, 0)
        is_at_place = root.origin is not None and not isinstance(root.origin, int)
        if not is_at_place or root.kind is not int or type(divisor) is not int or not 1 < divisor <= MOST_RESIDUES:
            return None
        root.was_reduced = True
        if not root.by_residue:
            return None
        if (added, divisor) not in root.residues:
            root.residues = (*root.residues, (added, divisor))
        return int((root._storage.payload.item() + added) % divisor)

    def _moved(self, made: Any, added: Any) -> Any:
        """A number that is this one with another added to it."""
        if type(made) is Number and type(added) is int and self.kind is int:
            root, before = self.root or (self, 0)
            made.root = root, before + added
        return made

    def snapshot(self, *, private: bool = False) -> Tensor:
        """A tensor with the number's value in the run."""
        value = current().value_of(self)
        return wrap(value, self._dtype)

    def detach(self) -> Tensor:
        """The same: numbers have no gradient."""
        return self.snapshot()

    def __copy__(self) -> Number:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Number:
        return self

    def __repr__(self) -> str:
        tell = teller.get()
        if tell is not None:
            return tell(self)
        return repr(self.plain()) if self.origin is not None else super().__repr__()

    def __str__(self) -> str:
        return str(self.plain()) if self.origin is not None else super().__str__()

    def __format__(self, spec: str) -> str:
        return format(self.plain(), spec) if self.origin is not None else super().__format__(spec)

    def __add__(self, other: Any) -> Any:
        return self.plain() + other if type(other) is complex else self._moved(super().__add__(other), other)

    def __radd__(self, other: Any) -> Any:
        return other + self.plain() if type(other) is complex else self._moved(super().__radd__(other), other)

    def __sub__(self, other: Any) -> Any:
        if type(other) is complex:
            return self.plain() - other
        return self._moved(super().__sub__(other), -other if type(other) is int else None)

    def __mod__(self, other: Any) -> Any:
        known = self.residue(other)
        return super().__mod__(other) if known is None else known

    def __rsub__(self, other: Any) -> Any:
        return other - self.plain() if type(other) is complex else super().__rsub__(other)

    def __truediv__(self, other: Any) -> Any:
        return self.plain() / other if type(other) is complex else super().__truediv__(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.plain() if type(other) is complex else super().__rtruediv__(other)

    def __mul__(self, other: Any) -> Any:
        return other * self.plain() if isinstance(other, _REPEATED) else super().__mul__(other)

    def __rmul__(self, other: Any) -> Any:
        return other * self.plain() if isinstance(other, _REPEATED) else super().__rmul__(other)

    def __invert__(self) -> Any:
        return -self - 1

    def __pos__(self) -> Any:
        return self if self.kind is not bool else self + 0

    def __rpow__(self, other: Any) -> Any:
        whole = self.kind is not float and not isinstance(other, (float, Tensor))
        return other ** self.plain() if whole else super().__rpow__(other)

    def _as_float(self) -> Any:
        """float() of it, known or not."""
        return float(self) if self.origin is not None else number_over(OPS["cast"](self.snapshot(), float64))

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return pow(int(self), int(other), int(modulo))
        if isinstance(other, _NUMPYS) or (isinstance(other, Tensor) and other.is_ndarray):
            return NotImplemented
        if self.kind is not float and not isinstance(other, (float, Tensor)):
            return super().__pow__(other) if other >= 0 else self._as_float() ** other
        if self.kind is not float and isinstance(other, Number) and other.kind is not float:
            return self ** int(other)  # an int or a float, by the sign of the exponent
        return super().__pow__(other)


_KNOWN = (Tensor, Dim, bool, int, float, *_REPEATED)
_NUMPYS = (np.ndarray, np.generic)
_EQUALITY = ("__eq__", "__ne__")  # an object that is no number is none of them


def _operator(name: str, reflected: str) -> Callable[[Number, Any], Any]:
    """Python's operator `name`: another object's own method is asked, as beside Python's numbers."""
    own = vars(Number).get(name)

    def method(self: Number, other: Any) -> Any:
        # Tensors get their operators when all of this package is there: which of it comes first doesn't matter.
        return getattr(Tensor, name)(self, other) if own is None else own(self, other)

    def run(self: Number, other: Any) -> Any:
        kind = type(other)
        if isinstance(other, _NUMPYS) or (isinstance(other, Tensor) and other.is_ndarray):
            return NotImplemented  # what NumPy makes of it: see numpy_numbers.py
        if isinstance(other, _KNOWN):
            return method(self, other)
        if getattr(kind, reflected, None) is getattr(object, reflected, None):
            is_no_number = not (hasattr(kind, "__array__") or hasattr(kind, "__index__"))
            return NotImplemented if reflected in _EQUALITY and is_no_number else method(self, other)
        if kind.__module__.partition(".")[0] not in sys.stdlib_module_names:
            return NotImplemented
        if reflected in _EQUALITY:
            return method(self, other)
        return getattr(operator, name)(self.plain(), other)  # a fraction, a time: Python's numbers alone fit it

    return run


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and", "or", "xor", "lshift", "rshift")
_REFLECTED = {f"__{_name}__": f"__r{_name}__" for _name in _ARITHMETIC}
_REFLECTED |= {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}
_REFLECTED |= {"__eq__": "__eq__", "__ne__": "__ne__"}
for _name, _other in _REFLECTED.items():
    setattr(Number, _name, _operator(_name, _other))


def _delegate(name: str) -> property:
    return property(lambda self: _part(self, name), doc=f"Python's `{name}`.")


def _part(x: Number, name: str) -> Any:
    """A part of a number, or a method: those that a program can compute, of a number that only a run knows, too."""
    if x.origin is None and name in _COMPUTED:
        return _COMPUTED[name](x)
    return getattr(x.plain(), name)


def _is_integer(x: Number) -> Any:
    def run() -> Any:
        found = x.snapshot()
        is_whole = OPS["equal"](found, OPS["floor"](found))
        if x.kind is float:  # infinities aren't whole
            is_whole = OPS["logical_and"](is_whole, OPS["isfinite"](found))
        return number_over(is_whole)

    return run


_COMPUTED: dict[str, Callable[[Number], Any]] = {
    "is_integer": _is_integer, "real": lambda x: +x, "imag": lambda x: 0.0 if x.kind is float else 0,
    "conjugate": lambda x: lambda: +x, "numerator": lambda x: +x, "denominator": lambda x: 1,
}  # fmt: skip


# what Python's numbers have, and tensors have otherwise or not at all
for _name in (
    "as_integer_ratio", "bit_count", "bit_length", "conjugate", "denominator", "hex", "imag", "is_integer",
    "numerator", "real", "to_bytes",
):  # fmt: skip
    setattr(Number, _name, _delegate(_name))


def number_over(x: Tensor) -> Number:
    """The number that is the only element of a tensor without axes (bool, int64 or float64)."""
    made = Number.__new__(Number)
    made._storage, made._dtype = x._storage, x._dtype
    return made


class _CellOfNumber(Storage):
    """The cell of a number of one call. Eager code inside a trace (an initialiser draws) takes it as it is: guarded."""

    __slots__ = ("array", "number")

    def __init__(self, array: Any) -> None:
        self.number: Any = None
        super().__init__(array)

    @property
    def payload(self) -> Any:
        """The array, or the program's value."""
        active = interpreters()
        if active and not innermost(active[-1]).is_trace and isinstance(self.array, np.ndarray):
            traces = [found for interpreter in active if (found := innermost(interpreter)).is_trace]
            if traces:
                traces[-1].note_number(self.number, self.array)
        return self.array

    @payload.setter
    def payload(self, value: Any) -> None:
        self.array = value


def concrete_number(value: Any, origin: Any) -> Number:
    """A number with a value for now, found at `origin` at each call."""
    dtype = _DTYPES[type(value)]
    made = Number.__new__(Number)
    cell = _CellOfNumber(np.array(value, dtype.numpy))
    made._storage, made._dtype, made.origin = cell, dtype, origin
    cell.number = made
    return made


def dtype_of_number(kind: type) -> DType:
    """The dtype of a number of that type: bool, int or float."""
    return _DTYPES[kind]


def fits(value: object) -> bool:
    """Whether a Python value can be such a number: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -(2**63) <= value < 2**63)
