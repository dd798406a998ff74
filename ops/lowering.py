"""How a row becomes machine code: the vocabulary rows use. Carried out in runtime/lower/, which knows no op names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, Union

from .dims import DimLike
from .types import TensorType

Index: TypeAlias = list[str]


class PointContext(Protocol):
    """What a `Point` rule may ask while it writes the expression of one element."""

    attrs: dict[str, Any]
    inputs: Sequence[TensorType]
    output: TensorType

    def load(self, operand: int, index: Index) -> str:
        """The element of an operand at an index (one expression per axis); fuses through the producer."""

    def dim(self, size: DimLike) -> str:
        """A dimension as an int64 expression."""

    def let(self, expression: str) -> str:
        """Bind an expression to a local name once and return the name."""

    def literal(self, value: complex | float | bool, dtype: str) -> str:
        """A typed constant, e.g. `f32(0.5)`."""

    def checked_index(self, expression: str, size: str) -> str:
        """A data-dependent index: negative wraps, out of range raises IndexError at run time (memory-safe)."""

    def one_index(self, operand: int, size: DimLike) -> str:
        """`checked_index` of an operand without axes: checked once, before the elements, where that is possible, and
        not at all where the iterations of a loop keep it within bounds.
        """


@dataclass(frozen=True, slots=True)
class Scalar:
    """One element from one element of each operand: a template with {0}, {1}, … for the elements.

    `{T}`: short dtype of the result, also its constructor; `{t}`: short dtype of operand 0; `{name}`: the number in
    attribute `name`, typed like the result. Other templates may be given for operands of integers and bools, for
    results of bools, for integers made of floats, and (`single`) for floats where the result is one number: nothing
    then hides how long it takes.
    """

    template: str
    int_template: str | None = None
    bool_template: str | None = None
    bool_result: str | None = None
    cost: int = 1
    single: str | None = None
    whole: str | None = None

    def write(self, ctx: PointContext, loads: Sequence[str]) -> str:
        """The expression of one element, given the expressions of the operands' elements."""
        given = ctx.inputs[0].dtype if ctx.inputs else ctx.output.dtype
        made, size = ctx.output.dtype, ctx.output.size
        template = (
            (self.bool_result if made.is_bool else None)
            or (self.bool_template if given.is_bool else None)
            or (self.int_template if given.is_integer else None)
            or (self.whole if given.is_floating and made.is_integer else None)
            or (self.single if given.is_floating and isinstance(size, int) and size == 1 else None)
            or self.template
        )
        numbers = {k: ctx.literal(v, made.short) for k, v in ctx.attrs.items() if isinstance(v, (int, float))}
        return template.format(*loads, T=made.short, t=given.short, **numbers)


@dataclass(frozen=True, slots=True)
class Point:
    """The element at `index` as an expression: `fn(ctx, index) -> str`. `inline=False`: operands must be in memory.

    `alias(inputs, attrs) -> offset | None` says that the result is a contiguous piece of operand 0, starting at that
    element offset: then no code is needed at all.
    """

    fn: Callable[[Any, Index], str]
    inline: bool = True
    alias: Callable[[Sequence[TensorType], dict[str, Any]], DimLike | None] | None = None


@dataclass(frozen=True, slots=True)
class Reduce:
    """A reduction over attrs["axis"] (a tuple): accumulator type and start, combine and finish templates.

    `start` and templates may use {T} (accumulator type), {a} (accumulator), {x} (element), {n} (count, int64).
    """

    start: str
    combine: str
    finish: str = "{a}"
    accumulator: str | None = None
    merge: str | None = None


@dataclass(frozen=True, slots=True)
class Custom:
    """A loop nest written by the generator of this name in runtime/lower/, e.g. "window.max_pool"."""

    name: str


@dataclass(frozen=True, slots=True)
class Library:
    """A VM instruction of its own, e.g. "gemm"."""

    name: str


@dataclass(frozen=True, slots=True)
class Host:
    """No native form: a host call runs the row's `eager` kernel."""


HOST = Host()
Lowering: TypeAlias = Union[Scalar, Point, Reduce, Custom, Library, Host]
