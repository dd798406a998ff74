"""A NumPy array among the arguments of a captured function: a tensor that is written in place as an array is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..base.errors import CaptureError
from ..base.location import caller_loc
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from .tensor import Tensor, wrap

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_BITS = ("and", "or", "xor", "lshift", "rshift")
_METHODS = ("partition", "put", "itemset", "resize", "setfield", "setflags")


class GivenArray(Tensor):
    """A tensor that stands for a NumPy array of the caller's, or for a view of one.

    base: for a view, the array behind it. made: the operation that makes the view from the value of its base. seen: the
    base's value from which this one was made. indexed: the array and the key that the view was indexed with, if it was.
    is_joint: the paths of an `if` end with different arrays here, so that a write has no single target.
    """

    base: GivenArray | None = None
    made: Callable[[Any], Any] | None = None
    seen: Any = None
    indexed: tuple[GivenArray, Any] | None = None
    is_joint: bool = False

    def now(self, value_of: Callable[[Tensor], Any]) -> Any:
        """The value that a view has now: made anew where its base was written."""
        assert self.base is not None
        assert self.made is not None
        now = value_of(self.base)
        return self._storage.payload if now is self.seen else self.made(now)

    def detach(self) -> Tensor:
        """A tensor with the same elements."""
        if self.base is not None:
            return wrap(current().value_of(self), self._dtype)  # type: ignore[attr-defined]  # a tracer
        made = Tensor.__new__(Tensor)
        made._storage, made._dtype = self._storage, self._dtype
        return made

    def copy(self, order: str = "C") -> GivenArray:
        """An array of its own."""
        return given_array(self.detach().snapshot())

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if type(found) is not GivenArray or found.base is None:
            return found
        if not found.ndim:
            return found.detach()  # a number, to NumPy
        found.indexed = (self, index)
        return found

    def _write(self, value: Tensor, *, fresh: bool = False) -> None:
        if self.is_joint:
            refuse_write("what is an array argument on one path of an `if`")
        if self.base is None:
            super()._write(value, fresh=fresh)
        elif self.indexed is None:
            refuse_write("a view of an array argument")
        else:
            array, index = self.indexed
            array[index] = value

    def fill(self, value: Any) -> None:
        """Set all elements."""
        self[...] = value

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self[...] = FUNCTIONS["sort"](self.detach(), axis=axis)


def given_array(x: Tensor) -> GivenArray:
    """`x`, which is without a gradient, as an array."""
    made = GivenArray.__new__(GivenArray)
    made._storage, made._dtype = x._storage, x._dtype
    return made


def joint(x: Tensor) -> GivenArray:
    """`x`, which is an array argument on one path of an `if`."""
    made = given_array(x)
    made.is_joint = True
    return made


def view_of(base: GivenArray, seen: Any, x: Tensor, made: Callable[[Any], Any]) -> GivenArray:
    """`x`, which `made` makes from the value of `base`, as a view of it."""
    view = given_array(x)
    view.base, view.seen, view.made = base, seen, made
    return view


def refuse_write(what: str) -> NoReturn:
    """A write that a program can't follow."""
    raise CaptureError(
        f"{what} is written in place, which a captured function can't do",
        loc=caller_loc(),
        remedy="pass a tensor, or write `a[...] = ...` to an array that is an argument",
    )


def _in_place(name: str) -> Callable[[GivenArray, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def method(self: GivenArray, other: Any) -> Any:
        made = plain(self.detach(), other)
        if made is NotImplemented:
            return made
        if made.dtype.category > self.dtype.category:
            refuse_write(f"an array of {self.dtype.name} given {made.dtype.name} elements")
        self[...] = made if made.dtype is self.dtype else OPS["cast"](made, self.dtype)
        return self

    method.__name__ = f"__i{name}__"
    return method


def _refused(name: str) -> Callable[..., NoReturn]:
    def method(self: GivenArray, *args: Any, **kwargs: Any) -> NoReturn:
        refuse_write(f"an array argument with {name}()")

    return method


for _name in (*_ARITHMETIC, *_BITS):
    setattr(GivenArray, f"__i{_name}__", _in_place(_name))
for _name in _METHODS:
    setattr(GivenArray, _name, _refused(_name))
