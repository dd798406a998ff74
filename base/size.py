"""The sizes of a tensor's axes: a list that knows how many elements they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, ClassVar, SupportsIndex, TypeGuard, overload

from .frame_marks import acts_for_caller

# what stands for a number or size of a trace in a text that Python itself makes for the user, of a container say
teller: ContextVar[Callable[[Any], str] | None] = ContextVar("teller", default=None)


@acts_for_caller
class Size(list[Any]):
    """What `Tensor.shape` gives: a list of sizes, equal to a list and to a tuple of them.

    Parts of it, and sums with lists and tuples, are Sizes, too. It is printed as a list, and as `paddle.Size([2, 3])`
    where `import paddle` means this package.

    >>> Size([2, 3]) == [2, 3], Size([2, 3]).numel(), (4,) + Size([2, 3])[1:]
    (True, 6, [4, 3])
    """

    __slots__ = ()
    shown_as: ClassVar[str] = ""  # the name that is printed before the list

    def numel(self) -> Any:
        """How many elements a tensor of this shape has.

        >>> Size([2, 3, 4]).numel(), Size().numel()
        (24, 1)
        """
        total: Any = 1
        for size in self:
            total = total * size
        return total

    @overload
    def __getitem__(self, key: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        found = list.__getitem__(self, key)
        return Size(found) if type(key) is slice else found

    def __add__(self, other: Iterable[Any]) -> Size:
        return Size([*self, *other]) if isinstance(other, list | tuple) else NotImplemented

    def __radd__(self, other: Iterable[Any]) -> Size:
        return Size([*other, *self]) if isinstance(other, list | tuple) else NotImplemented

    def __mul__(self, times: SupportsIndex) -> Size:
        return Size(list.__mul__(self, times))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return f"{self.shown_as}({list.__repr__(self)})" if self.shown_as else list.__repr__(self)


class ElementCount(int):
    """What `Tensor.size` gives: how many elements there are; called, the sizes or one of them.

    >>> ElementCount(6, [2, 3]) == 6, ElementCount(6, [2, 3])(), ElementCount(6, [2, 3])(-1)
    (True, [2, 3], 3)
    """

    _sizes: tuple[int, ...]

    def __new__(cls, count: int, sizes: Iterable[int]) -> ElementCount:
        made = super().__new__(cls, count)
        made._sizes = tuple(sizes)
        return made

    def __call__(self, dim: int | None = None) -> Any:
        return Size(self._sizes) if dim is None else self._sizes[dim]

    def __reduce__(self) -> tuple[Any, ...]:
        return int, (int(self),)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a plain list or a Size: programs take it apart and build a list again."""
    return type(value) in _LISTS


_LISTS = frozenset((list, Size))
