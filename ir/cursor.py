"""The parser's place in the tokens, and the parts below operations: types, dims and attribute values.

All sizes are bounded (nesting, operators per dim, elements of a splat), so that no text takes more than memory
proportional to its length.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from ..base.dtype import BY_SHORT, DType
from ..base.errors import ParseError
from ..ops.create import ArrayData
from ..ops.dims import Atom, Dim, DimLike, floordiv, maximum
from ..ops.sizes import note_name
from ..ops.types import ListType, TensorType, ValueType
from .lexer import Token, error_at, tokens_of
from .literals import KEYWORDS, MOST_SPLAT, bits_of

MOST_NESTING = 64
MOST_OPERATORS = 512  # in one dim
MOST_ATOMS = 4096  # symbols in one dim when multiplied out
MOST_BITS = 13_000  # of a coefficient; Python prints no more than 4300 digits
T = TypeVar("T")


class Cursor:
    """Walks over the tokens of a text; every complaint is a ParseError with an excerpt."""

    def __init__(self, text: str, constants: Mapping[str, ArrayData]) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.k = 0
        self.constants = constants
        self.depth = 0
        self.operators = 0
        self.splats_left = MOST_SPLAT

    @property
    def token(self) -> Token:
        return self.tokens[self.k]

    def error(self, message: str, token: Token | None = None, remedy: str | None = None) -> ParseError:
        return error_at(self.text, (token or self.token).at, message, remedy)

    def next(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.k += 1
        return token

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these marks or words."""
        return self.token.kind in ("mark", "word") and self.token.text in texts

    def take(self, text: str) -> bool:
        """Go past the next token if it is this mark or word."""
        found = self.at(text)
        if found:
            self.k += 1
        return found

    def expect(self, text: str) -> Token:
        if not self.at(text):
            raise self.error(f"expected `{text}`, found {self.token}")
        return self.next()

    def kind(self, kind: str, what: str) -> Token:
        if self.token.kind != kind:
            raise self.error(f"expected {what}, found {self.token}")
        return self.next()

    def nested(self, rule: Callable[[], T]) -> T:
        """Run a rule one level deeper."""
        self.depth += 1
        if self.depth > MOST_NESTING:
            raise self.error(f"nested deeper than {MOST_NESTING} levels")
        result = rule()
        self.depth -= 1
        return result

    def separated(self, close: str, rule: Callable[[], T]) -> list[T]:
        """`rule, rule, …` up to and past `close`."""
        out: list[T] = []
        while not self.take(close):
            if out:
                self.expect(",")
            out.append(rule())
        return out

    # -- types and dims

    def type(self) -> ValueType:
        """`f32[N, 4]` or `list<f32[4]>`."""
        if self.take("list"):
            self.expect("<")
            element = self.tensor_type()
            self.expect(">")
            return ListType(element)
        return self.tensor_type()

    def tensor_type(self) -> TensorType:
        dtype = self.dtype()
        self.expect("[")
        return TensorType(dtype, tuple(self.separated("]", self.dim)))

    def dtype(self) -> DType:
        if self.token.kind != "word" or self.token.text not in BY_SHORT:
            raise self.error(f"expected a type, found {self.token}", remedy=f"dtypes are {', '.join(BY_SHORT)}")
        return BY_SHORT[self.next().text]

    def dim(self) -> DimLike:
        """A sum of products: `2*N+(M+3)//2`."""
        self.operators = 0
        return self.sum()

    def sum(self) -> DimLike:
        value = self.product()
        while self.at("+", "-"):
            token = self.operator()
            other = self.product()
            value = self.bounded(token, value + other if token.text == "+" else value - other)
        return value

    def product(self) -> DimLike:
        value = self.factor()
        while self.at("*", "//"):
            token = self.operator()
            other = self.factor()
            if token.text == "//" and isinstance(other, int) and other == 0:
                raise self.error("division by zero", token)
            if _atoms(value) * _atoms(other) > MOST_ATOMS:
                raise self.error("too large a dimension", token)
            value = self.bounded(token, value * other if token.text == "*" else floordiv(value, other))
        return value

    def operator(self) -> Token:
        self.operators += 1
        if self.operators > MOST_OPERATORS:
            raise self.error(f"a dimension of more than {MOST_OPERATORS} operators")
        return self.next()

    def bounded(self, token: Token, value: DimLike) -> DimLike:
        if _atoms(value) > MOST_ATOMS or _bits(value) > MOST_BITS or _depth(value) > MOST_NESTING:
            raise self.error("too large a dimension", token)
        return value

    def factor(self) -> DimLike:
        if self.token.kind == "int":
            return int(self.next().text)
        if self.at("-"):
            self.operator()
            return -self.nested(self.factor)
        if self.take("("):
            value = self.nested(self.sum)
            self.expect(")")
            return value
        if self.at("max") and self.tokens[self.k + 1].text == "(":
            return self.nested(self.maximum)
        if self.token.kind == "word" and self.token.text not in KEYWORDS and self.token.text not in BY_SHORT:
            name = self.next().text
            note_name(name)
            return Dim.symbol(name)
        raise self.error(f"expected a number or the name of a size, found {self.token}")

    def maximum(self) -> DimLike:
        token = self.operator()
        self.expect("(")
        left = self.sum()
        self.expect(",")
        right = self.sum()
        self.expect(")")
        return self.bounded(token, maximum(left, right))

    # -- attribute values

    def attr(self) -> Any:
        """One attribute value."""
        token = self.token
        if token.kind == "string":
            return self.string()
        if token.kind == "float" or self.at("inf", "nan"):
            return float(self.next().text)
        if self.at("-") and (self.tokens[self.k + 1].kind == "float" or self.tokens[self.k + 1].text in ("inf", "nan")):
            self.next()
            return -float(self.next().text)
        if token.kind == "symbol":
            return self.constant()
        if self.at("("):
            return self.nested(self.tuple_or_dim)
        if token.kind == "word" and (token.text in BY_SHORT or token.text in KEYWORDS):
            return self.word()
        return self.dim()

    def word(self) -> Any:
        match self.token.text:
            case "true" | "false" | "none":
                return {"true": True, "false": False, "none": None}[self.next().text]
            case "list":
                return self.type()
            case "dense":
                return self.dense()
            case "complex":
                return self.complex()
            case text if text in BY_SHORT:
                return self.tensor_type() if self.tokens[self.k + 1].text == "[" else self.dtype()
        return self.dim()

    def tuple_or_dim(self) -> Any:
        """`(1, 2)` is a tuple, `(1)` one of one element, but `(N+1)//2` a dim: an operator follows the parenthesis."""
        start = self.k
        self.expect("(")
        items = tuple(self.separated(")", self.attr))
        if self.token.kind == "mark" and self.token.text in ("+", "-", "*", "//"):
            self.k = start
            return self.dim()
        return items

    def string(self) -> str:
        token = self.kind("string", "a string")
        try:
            text = json.loads(token.text)
        except ValueError as error:
            raise self.error(f"not a string: {error}", token) from None
        assert isinstance(text, str)
        return text

    def complex(self) -> complex:
        self.expect("complex")
        self.expect("(")
        real, imaginary = self.number(), None
        self.expect(",")
        imaginary = self.number()
        self.expect(")")
        return complex(real, imaginary)

    def number(self) -> float:
        sign = -1.0 if self.take("-") else 1.0
        if self.token.kind in ("float", "int") or self.at("inf", "nan"):
            return sign * float(self.next().text)
        raise self.error(f"expected a number, found {self.token}")

    def constant(self) -> ArrayData:
        token = self.next()
        name = token.text[1:]
        if name not in self.constants:
            raise self.error(f"constant `{name}` isn't in the table of constants", token)
        return self.constants[name]

    def dense(self) -> ArrayData:
        """`dense<f32[2], [1.0, 2.0]>` or, all elements the same, `dense<f32[2], 1.0>`."""
        start = self.expect("dense")
        self.expect("<")
        kind = self.tensor_type()
        sizes = [d for d in kind.shape if isinstance(d, int) and 0 <= d < 1 << 63]
        if len(sizes) != kind.rank or kind.rank > 64:
            raise self.error("no type of an array: its sizes must be known", start)
        count = math.prod(sizes)
        self.expect(",")
        if self.at("["):
            elements = self.elements(kind.dtype)
        else:
            elements = self.splat(kind.dtype, count)
        self.expect(">")
        if elements.size != count:
            raise self.error(f"{kind} has {count} elements, but {elements.size} are given", start)
        try:
            shaped = elements.reshape(sizes)
        except (ValueError, OverflowError):  # more axes or larger sizes than NumPy takes
            raise self.error(f"{kind} is too large a type", start) from None
        return ArrayData(shaped)

    def splat(self, dtype: DType, count: int) -> np.ndarray[Any, Any]:
        token = self.token
        one = self.array(dtype, [self.element(dtype)], token)
        if dtype.is_complex or count > self.splats_left:
            raise self.error("too large an array: write its elements", token)
        self.splats_left -= count
        return np.repeat(one, count)

    def elements(self, dtype: DType) -> np.ndarray[Any, Any]:
        token = self.expect("[")
        return self.array(dtype, self.separated("]", lambda: self.element(dtype)), token)

    def element(self, dtype: DType) -> Any:
        """A Python number; bits (`0x…`) come as a string."""
        if self.token.kind == "bits":
            return self.next().text
        if dtype.is_bool:
            if self.at("true", "false"):
                return self.next().text == "true"
            raise self.error(f"expected true or false, found {self.token}")
        if dtype.is_integer:
            sign = -1 if self.take("-") else 1
            return sign * int(self.kind("int", "an integer").text)
        return self.number()

    def array(self, dtype: DType, items: list[Any], token: Token) -> np.ndarray[Any, Any]:
        part = dtype.numpy if not dtype.is_complex else np.dtype(f"f{dtype.itemsize // 2}")
        if dtype.is_complex and len(items) % 2:
            raise self.error("complex elements are pairs of numbers", token)
        plain = [0 if isinstance(x, str) else x for x in items]
        try:
            with np.errstate(over="ignore"):
                out = np.array(plain, np.float64).astype(part) if part.kind == "f" else np.array(plain, part)
            for k, item in enumerate(items):
                if isinstance(item, str):
                    bits_of(out)[k] = int(item, 16)
        except (OverflowError, ValueError):
            raise self.error(f"a number is outside {dtype.name}", token) from None
        return out.view(dtype.numpy)


def _atoms(value: DimLike) -> int:
    """How many symbols and numbers a dim shows when it is printed."""
    if isinstance(value, int):
        return 1
    nested = [part for monomial, _ in value.terms for atom in monomial for part in _parts(atom)]
    return max(1, len(value.terms), sum(1 if isinstance(part, str) else _atoms(part) for part in nested))


def _depth(value: DimLike) -> int:
    """How deep divisions and maxima are nested."""
    if isinstance(value, int):
        return 0
    nested = [part for monomial, _ in value.terms for atom in monomial for part in _parts(atom)]
    return max((1 + _depth(part) for part in nested if isinstance(part, Dim)), default=0)


def _bits(value: DimLike) -> int:
    return value.bit_length() if isinstance(value, int) else max((k.bit_length() for _, k in value.terms), default=0)


def _parts(atom: Atom) -> tuple[str | Dim, ...]:
    return (atom,) if isinstance(atom, str) else (atom[1], atom[2])
