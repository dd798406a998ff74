"""How a row becomes machine code: the vocabulary rows use. Carried out in runtime/lower/, which knows no op names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, Union

from .dims import DimLike
from .kernel_expressions import CallExpr, Expr, Literal, Name, Operand, expr, parse, replaced
from .types import TensorType

Index: TypeAlias = list[Expr]


class PointContext(Protocol):
    """What a `Point` rule may ask while it makes the expression of one element."""

    attrs: dict[str, Any]
    inputs: Sequence[TensorType]
    output: TensorType

    def load(self, operand: int, index: Index) -> Expr:
        """The element of an operand at an index (one expression per axis); fuses through the producer."""

    def dim(self, size: DimLike) -> Expr:
        """A dimension as an int64 expression."""

    def let(self, expression: Expr) -> Expr:
        """Bind an expression to a local name once and return the name."""

    def literal(self, value: complex | float | bool, dtype: str) -> Expr:
        """A typed constant, e.g. `f32(0.5)`."""

    def checked_index(self, operand: int, index: Index, size: DimLike) -> Expr:
        """An element of an operand as an index: negative wraps, out of range raises IndexError at run time
        (memory-safe).
        """

    def one_index(self, operand: int, size: DimLike) -> Expr:
        """`checked_index` of an operand without axes: checked once, before the elements, where that is possible, and
        not at all where the iterations of a loop keep it within bounds.
        """


@dataclass(frozen=True, slots=True)
class Scalar:
    """One element from one element of each operand: a template with {0}, {1}, … for the elements.

    `{T}`: short dtype of the result, also its constructor; `{t}`: short dtype of operand 0; `{name}`: the number in
    attribute `name`, typed like the result. Other templates may be given for operands of integers and bools, for
    results of bools, for integers made of floats, for operand 1 a literal (`by_number`; of integers only above 0), and
    (`single` for floats, `int_single`) where the result is one number: nothing then hides how long it takes.
    cost: in simple operations, where memory hides a part. row_cost: where each of many rows would compute it again.
    """

    template: str
    int_template: str | None = None
    bool_template: str | None = None
    bool_result: str | None = None
    cost: int = 1
    single: str | None = None
    int_single: str | None = None
    whole: str | None = None
    by_number: Mapping[float, str] | None = None
    row_cost: int = 0

    def write(self, ctx: PointContext, loads: Sequence[Expr]) -> Expr:
        """The expression of one element, given the expressions of the operands' elements."""
        given = ctx.inputs[0].dtype if ctx.inputs else ctx.output.dtype
        made, size = ctx.output.dtype, ctx.output.size
        is_one = isinstance(size, int) and size == 1
        template = (
            (self.bool_result if made.is_bool else None)
            or (self.bool_template if given.is_bool else None)
            or self._by_number(loads, only_positive=made.is_integer)
            or (self.int_single if given.is_integer and is_one else None)
            or (self.int_template if given.is_integer else None)
            or (self.whole if given.is_floating and made.is_integer else None)
            or (self.single if given.is_floating and is_one else None)
            or self.template
        )
        numbers = {k: ctx.literal(v, made.short) for k, v in ctx.attrs.items() if isinstance(v, (int, float))}
        return fill(template, loads, {"T": made.short, "t": given.short}, numbers)

    def _by_number(self, loads: Sequence[Expr], *, only_positive: bool) -> str | None:
        if self.by_number is None or len(loads) < 2:
            return None
        number = loads[1].arguments[0] if isinstance(loads[1], CallExpr) and len(loads[1].arguments) == 1 else loads[1]
        if not isinstance(number, Literal) or (only_positive and number.value < 0):
            return None
        return next((template for k, template in self.by_number.items() if k == number.value), None)


@dataclass(frozen=True, slots=True)
class Point:
    """The element at `index`: `fn(ctx, index) -> Expr`. `inline=False`: operands must be in memory.

    `alias(inputs, attrs) -> offset | None` says that the result is a contiguous piece of operand 0, starting at that
    element offset: then no code is needed at all. `cost`: of an element, in simple operations. `picks`: elements lie
    where the numbers of an operand say. `apart(inputs, attrs)` says that the generator `own` of runtime/lower/ computes
    the result in less than an expression for each element.
    """

    fn: Callable[[Any, Index], Expr]
    inline: bool = True
    alias: Callable[[Sequence[TensorType], dict[str, Any]], DimLike | None] | None = None
    cost: int = 1
    picks: bool = False
    beside: int | None = None
    own: str = ""
    apart: Callable[[Sequence[TensorType], dict[str, Any]], bool] | None = None


@dataclass(frozen=True, slots=True)
class Reduce:
    """A reduction over attrs["axis"] (a tuple): accumulator type and start, combine and finish templates.

    `start` and templates may use {T} (accumulator type), {a} (accumulator), {x} (element), {n} (count, int64).
    `neutral`: an element that changes no result, of no elements either.
    """

    start: str
    combine: str
    finish: str = "{a}"
    accumulator: str | None = None
    merge: str | None = None
    neutral: int | None = None

    @property
    def is_flag(self) -> bool:
        """Whether the result is known once the accumulator isn't what it started from: `any` and `all`."""
        return self.accumulator is not None and self.combine.startswith(("{a} |", "{a} &"))


@dataclass(frozen=True, slots=True)
class Custom:
    """A loop nest written by the generator of this name in runtime/lower/, e.g. "window.max_pool".

    may_fail: whether it may end with an error whatever its operands' dtypes; with integers, indices, it always may.
    """

    name: str
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Library:
    """An instruction of the VM of its own, e.g. "gemm"."""

    name: str


@dataclass(frozen=True, slots=True)
class Host:
    """No native form: the VM makes a host call, and Python runs the `eager` kernel of the op definition."""


HOST = Host()
Lowering: TypeAlias = Union[Scalar, Point, Reduce, Custom, Library, Host]


def fill(
    template: str, elements: Sequence[Operand], types: dict[str, str], fields: dict[str, Expr] | None = None
) -> Expr:
    """A template with expressions in place of {0}, {1}, … and {name}, and names of types in place of theirs.

    >>> str(fill("exp_{t}({0}) * {scale}", [Name("x") + 1], {"t": "f32"}, {"scale": Name("s")}))
    'exp_f32(x + 1) * s'
    """
    fields = fields or {}
    places = [f"hole_{k}" for k in range(len(elements))]
    names = {name: f"hole_{name}" for name in fields}
    tree = parse(template.format(*places, **types, **names))
    values = dict(zip([*places, *names.values()], [*map(expr, elements), *fields.values()], strict=True))
    return replaced(tree, lambda part: values.get(part.name) if isinstance(part, Name) else None)
