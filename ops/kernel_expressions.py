"""Expressions of kernels: immutable trees, which op definitions write for one element and runtime/kernel builds on.

`str` gives an expression's text, in the language of kernels (a part of Python); `parse` reads it back. Python's
operators make trees: `Name("i") * 3 + 1`. Two expressions are equal if their texts are, so `==` compares trees; the
comparison inside a kernel is `equal(a, b)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import ClassVar, NoReturn, TypeAlias, Union

from ..base.errors import KernelError

Operand: TypeAlias = Union["Expr", str, int, float]

# How tightly an operator binds, as in Python: what binds less tightly than its place allows stands in brackets.
TERNARY, OR, AND, NOT, COMPARISON, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, SIGN, POWER, PRIMARY = range(1, 15)
_LEVELS = {
    "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT,
    "//": PRODUCT, "%": PRODUCT, "**": POWER,
}  # fmt: skip


class Expr:
    """An expression; its parts are expressions, too."""

    __slots__ = ("_text",)
    level: int = PRIMARY
    __iter__: ClassVar[None] = None  # `[]` is a load, not a sequence's

    def __init__(self) -> None:
        self._text: str | None = None

    @property
    def parts(self) -> tuple[Expr, ...]:
        return ()

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        """The same node over other parts."""
        assert not parts
        return self

    def _written(self) -> str:
        raise TypeError(f"{type(self).__name__} says nothing of its own")  # each kind of expression does

    def __str__(self) -> str:
        if self._text is None:
            self._text = self._written()
        return self._text

    def __repr__(self) -> str:
        return f"<{self}>"

    def within(self, level: int) -> str:
        """The text as an operand of something that binds so tightly."""
        return str(self) if self.level >= level else f"({self})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and str(self) == str(other))

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> NoReturn:
        raise TypeError(f"`{self}` has a value only when its kernel runs")

    def __add__(self, other: Operand) -> Expr:
        return Binary("+", self, expr(other))

    def __radd__(self, other: Operand) -> Expr:
        return Binary("+", expr(other), self)

    def __sub__(self, other: Operand) -> Expr:
        return Binary("-", self, expr(other))

    def __rsub__(self, other: Operand) -> Expr:
        return Binary("-", expr(other), self)

    def __mul__(self, other: Operand) -> Expr:
        return Binary("*", self, expr(other))

    def __rmul__(self, other: Operand) -> Expr:
        return Binary("*", expr(other), self)

    def __truediv__(self, other: Operand) -> Expr:
        return Binary("/", self, expr(other))

    def __rtruediv__(self, other: Operand) -> Expr:
        return Binary("/", expr(other), self)

    def __floordiv__(self, other: Operand) -> Expr:
        return Binary("//", self, expr(other))

    def __rfloordiv__(self, other: Operand) -> Expr:
        return Binary("//", expr(other), self)

    def __mod__(self, other: Operand) -> Expr:
        return Binary("%", self, expr(other))

    def __and__(self, other: Operand) -> Expr:
        return Binary("&", self, expr(other))

    def __or__(self, other: Operand) -> Expr:
        return Binary("|", self, expr(other))

    def __neg__(self) -> Expr:
        return Unary("-", self)

    def __invert__(self) -> Expr:
        return Unary("~", self)

    def __lt__(self, other: Operand) -> Expr:
        return Comparison("<", self, expr(other))

    def __le__(self, other: Operand) -> Expr:
        return Comparison("<=", self, expr(other))

    def __gt__(self, other: Operand) -> Expr:
        return Comparison(">", self, expr(other))

    def __ge__(self, other: Operand) -> Expr:
        return Comparison(">=", self, expr(other))

    def __getitem__(self, index: Operand) -> Load:
        return Load(self, expr(index))


class Symbol(Expr):
    """What has a name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = self._text = name

    def _written(self) -> str:
        return self.name


class Name(Symbol):
    """A local variable, `lo`, `hi`, or a constant of kernels (`inf`, `nan`, `back`)."""

    __slots__ = ()


# Not subclasses of `Name`: of `a < b` Python asks `b` first if its class is a subclass of that of `a`.
class Pointer(Symbol):
    """The kernel's argument `p0`, `p1`, …: a buffer."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        super().__init__(f"p{number}")
        self.number = number


class SizeSymbol(Symbol):
    """The kernel's argument `d0`, `d1`, …: a size that it gets at a call, int64."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        super().__init__(f"d{number}")
        self.number = number


class Literal(Expr):
    """A literal: an int (int64), a float (float64) or a bool."""

    __slots__ = ("level", "value")

    def __init__(self, value: float) -> None:
        self.value = value
        self._text = repr(value)
        self.level = SIGN if self._text[0] == "-" else PRIMARY

    def _written(self) -> str:
        return repr(self.value)


class Binary(Expr):
    """`left operator right`, of numbers."""

    __slots__ = ("left", "level", "operator", "right")

    def __init__(self, operator: str, left: Expr, right: Expr) -> None:
        self._text = None
        self.operator, self.left, self.right = operator, left, right
        self.level = _LEVELS[operator]

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Binary(self.operator, *parts)

    def _written(self) -> str:
        right_first = self.operator == "**"
        left, right = self.level + right_first, self.level + (not right_first)
        return f"{self.left.within(left)} {self.operator} {self.right.within(right)}"


class Unary(Expr):
    """`-x`, `~x` or `not x`."""

    __slots__ = ("level", "operand", "operator")

    def __init__(self, operator: str, operand: Expr) -> None:
        self._text = None
        self.operator, self.operand = operator, operand
        self.level = NOT if operator == "not" else SIGN

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Unary(self.operator, *parts)

    def _written(self) -> str:
        return f"{self.operator}{' ' * (self.operator == 'not')}{self.operand.within(self.level)}"


class Comparison(Expr):
    """`left operator right`, a truth value."""

    __slots__ = ("left", "operator", "right")
    level = COMPARISON

    def __init__(self, operator: str, left: Expr, right: Expr) -> None:
        self._text = None
        self.operator, self.left, self.right = operator, left, right

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Comparison(self.operator, *parts)

    def _written(self) -> str:
        return f"{self.left.within(COMPARISON + 1)} {self.operator} {self.right.within(COMPARISON + 1)}"


class Logic(Expr):
    """`a and b and …`, or `or`: later ones are computed only if the earlier ones don't decide."""

    __slots__ = ("items", "level", "operator")

    def __init__(self, operator: str, items: tuple[Expr, ...]) -> None:
        self._text = None
        self.operator, self.items = operator, items
        self.level = AND if operator == "and" else OR

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.items

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Logic(self.operator, parts)

    def _written(self) -> str:
        return f" {self.operator} ".join(item.within(self.level + 1) for item in self.items)


class Ternary(Expr):
    """`then if test else otherwise`: only the chosen one is computed."""

    __slots__ = ("otherwise", "test", "then")
    level = TERNARY

    def __init__(self, test: Expr, then: Expr, otherwise: Expr) -> None:
        self._text = None
        self.test, self.then, self.otherwise = test, then, otherwise

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.test, self.then, self.otherwise

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Ternary(*parts)

    def _written(self) -> str:
        return f"{self.then.within(OR)} if {self.test.within(OR)} else {self.otherwise.within(TERNARY)}"


class CallExpr(Expr):
    """A call of an intrinsic or of a function of the prelude."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: str, arguments: tuple[Expr, ...]) -> None:
        self._text = None
        self.function, self.arguments = function, arguments

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.arguments

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return CallExpr(self.function, parts)

    def _written(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


class Load(Expr):
    """An element of a buffer or of a local array."""

    __slots__ = ("index", "pointer")

    def __init__(self, pointer: Expr, index: Expr) -> None:
        self._text = None
        self.pointer, self.index = pointer, index

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.pointer, self.index

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        return Load(*parts)

    def _written(self) -> str:
        return f"{self.pointer.within(PRIMARY)}[{self.index}]"


ZERO, ONE = Literal(0), Literal(1)
TRUE, FALSE = Literal(True), Literal(False)


def expr(value: Operand) -> Expr:
    """An expression as it is, a number as a literal, text as the expression that it spells."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, str):
        return Name(value) if value.isidentifier() else parse(value)
    return Literal(value)


def call(function: str, *arguments: Operand) -> CallExpr:
    """`function(arguments…)`."""
    return CallExpr(function, tuple(map(expr, arguments)))


def select(test: Operand, then: Operand, otherwise: Operand) -> CallExpr:
    """One of two numbers, both of which are computed."""
    return call("select", test, then, otherwise)


def ternary(test: Operand, then: Operand, otherwise: Operand) -> Ternary:
    """One of two numbers, of which only the chosen one is computed."""
    return Ternary(expr(test), expr(then), expr(otherwise))


def smaller(*items: Operand) -> CallExpr:
    """`min` of integers."""
    return call("min", *items)


def larger(*items: Operand) -> CallExpr:
    """`max` of integers."""
    return call("max", *items)


def equal(a: Operand, b: Operand) -> Comparison:
    """`a == b`."""
    return Comparison("==", expr(a), expr(b))


def differ(a: Operand, b: Operand) -> Comparison:
    """`a != b`."""
    return Comparison("!=", expr(a), expr(b))


def invert(a: Operand) -> Unary:
    """`not a`."""
    return Unary("not", expr(a))


def all_of(*items: Operand) -> Expr:
    """`a and b and …`; of one item, the item."""
    made = tuple(map(expr, items))
    return made[0] if len(made) == 1 else Logic("and", made)


def any_of(*items: Operand) -> Expr:
    """`a or b or …`; of one item, the item."""
    made = tuple(map(expr, items))
    return made[0] if len(made) == 1 else Logic("or", made)


def is_leaf(value: Expr) -> bool:
    """Whether it is a name or a literal: nothing is computed."""
    return isinstance(value, (Symbol, Literal))


def walk(value: Expr) -> Iterator[Expr]:
    """The expression and all that it is made of, each before its parts."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        yield value
        parts = value.parts
        if parts:
            waiting.extend(parts[::-1])


def replaced(value: Expr, instead: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with what `instead` answers in place of parts, from the outside in; None leaves a part."""
    found = instead(value)
    if found is not None:
        return found
    old = value.parts
    if not old:
        return value
    new, changed = [], False
    for part in old:
        made = replaced(part, instead)
        changed = changed or made is not part
        new.append(made)
    return value.with_parts(tuple(new)) if changed else value


# ---- from text ----------------------------------------------------------------------------------------------------

_BINARY = {
    ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>", ast.Add: "+", ast.Sub: "-",
    ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
_UNARY = {ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


@lru_cache(maxsize=4096)
def parse(text: str) -> Expr:
    """The expression that a text spells. KernelError if it isn't one of kernels.

    >>> str(parse("((a + b)) * exp_f32(c)"))
    '(a + b) * exp_f32(c)'
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise KernelError(f"not an expression of kernels: {text!r}: {error.msg}") from None
    return from_ast(tree)


def from_ast(node: ast.expr) -> Expr:
    """The expression of a node of Python's."""
    match node:
        case ast.Name(id=name):
            return _name(name)
        case ast.Constant(value=bool() | int() | float() as value):
            return Literal(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Literal(-value)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return Unary(_UNARY[type(op)], from_ast(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return Binary(_BINARY[type(op)], from_ast(left), from_ast(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            return Comparison(_COMPARISONS[type(op)], from_ast(left), from_ast(right))
        case ast.BoolOp(op=op, values=values):
            return Logic("and" if isinstance(op, ast.And) else "or", tuple(map(from_ast, values)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return Ternary(from_ast(test), from_ast(body), from_ast(orelse))
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
            return CallExpr(function, tuple(map(from_ast, arguments)))
        case ast.Subscript(value=value, slice=index):
            return Load(from_ast(value), from_ast(index))
    raise KernelError(f"not an expression of kernels: {ast.unparse(node)!r}")


def _name(name: str) -> Symbol:
    if name[1:].isdigit() and name[0] in "pd":
        return Pointer(int(name[1:])) if name[0] == "p" else SizeSymbol(int(name[1:]))
    return Name(name)
