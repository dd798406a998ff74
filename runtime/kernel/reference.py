"""Kernels run by Python, statement by statement, with NumPy's numbers: what compiled kernels are tested against.

Slow, and strict: an element outside of its array, which machine code would read or overwrite, is an error here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base.errors import KernelError
from ...ops.kernel_expressions import (
    Binary,
    CallExpr,
    Comparison,
    Expr,
    Literal,
    Load,
    Logic,
    Name,
    Pointer,
    SizeSymbol,
    Ternary,
    Unary,
)  # fmt: skip
from .reference_calls import NUMPY, Address, called
from .statements import Do, Exit, For, If, Leave, Let, Local, Remark, Statement, Store, WhileLoop

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def run_kernel(
    body: Sequence[Statement], buffers: Sequence[np.ndarray[Any, Any]], sizes: Sequence[int], lo: int, hi: int
) -> None:
    r"""Run a kernel over lo:hi; results are written into the buffers.

    buffers: one flat array for each pointer, in the types that the kernel's slots name (bools as uint8). sizes: of its
    arguments d0, d1, …. Raises KernelError where an element outside of an array is read or written.

    >>> from vitrify.runtime.kernel.kernel_parser import parse_kernel
    >>> x = np.arange(4, dtype=np.float32)
    >>> text = "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] * f32(2.0)\n"
    >>> run_kernel(parse_kernel(text), [x], [], 1, 3)
    >>> x.tolist()
    [0.0, 2.0, 4.0, 3.0]
    """
    names: dict[str, Any] = {
        **{f"p{k}": Address(buffer) for k, buffer in enumerate(buffers)},
        **{f"d{k}": np.int64(size) for k, size in enumerate(sizes)},
        "lo": np.int64(lo), "hi": np.int64(hi), "inf": np.float64(np.inf), "nan": np.float64(np.nan),
        "back": np.int64(0),
    }  # fmt: skip
    with np.errstate(all="ignore"):
        _Run(names).block(body)


class _Run:
    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def block(self, body: Sequence[Statement]) -> Exit | None:
        """Run statements; gives how the block was left before its end."""
        for statement in body:
            left = self._statement(statement)
            if left is not None:
                return left
        return None

    def _statement(self, statement: Statement) -> Exit | None:
        match statement:
            case Let(name=name, value=value):
                self.names[name.name] = self.value(value)
            case Store(target=target, value=value):
                made = self.value(value)
                self.value(target.pointer).store(self.value(target.index), made)
            case Local(name=name, element=element, size=size):
                self.names[name.name] = Address(_garbage(NUMPY[element], size))
            case Do(call=call):
                self.value(call)
            case If(test=test, body=body, otherwise=otherwise):
                return self.block(body if self.value(test) else otherwise)
            case For() | WhileLoop():
                return self._loop(statement)
            case Leave(where=where):
                return where
            case Remark():
                pass
        return None

    def _loop(self, loop: For | WhileLoop) -> Exit | None:
        for _ in self._iterations(loop):
            left = self.block(loop.body)
            if left in (Exit.BREAK, Exit.RETURN):
                return None if left is Exit.BREAK else left
        return None

    def _iterations(self, loop: For | WhileLoop) -> Iterator[None]:
        if isinstance(loop, For):
            for number in range(*(int(self.value(bound)) for bound in (loop.start, loop.stop, loop.step))):
                self.names[loop.variable.name] = np.int64(number)
                yield
        else:
            while self.value(loop.test):
                yield

    def value(self, expression: Expr) -> Any:
        """What an expression is now."""
        match expression:
            case Pointer() | SizeSymbol() | Name():
                if expression.name not in self.names:
                    raise KernelError(f"`{expression}` has no value yet")
                return self.names[expression.name]
            case Literal(value=value):
                return _literal(value)
            case Load(pointer=pointer, index=index):
                return self.value(pointer).load(self.value(index))
            case CallExpr(function=function, arguments=arguments):
                return called(function, [self.value(argument) for argument in arguments])
            case Binary(operator=sign, left=left, right=right) | Comparison(operator=sign, left=left, right=right):
                return _OPERATORS[sign](self.value(left), self.value(right))
            case Unary(operator=sign, operand=operand):
                made = self.value(operand)
                return np.bool_(not made) if sign == "not" else -made if sign == "-" else ~made
            case Logic(operator=sign, items=items):
                decides = sign == "or"
                return np.bool_(any(bool(self.value(item)) is decides for item in items) is decides)
            case Ternary(test=test, then=then, otherwise=otherwise):
                return self.value(then if self.value(test) else otherwise)
        raise KernelError(f"no expression of kernels: {expression!r}")


def _literal(value: float) -> Any:
    if isinstance(value, bool):
        return np.bool_(value)
    return np.int64(value) if isinstance(value, int) else np.float64(value)


def _garbage(dtype: np.dtype[Any], size: int) -> np.ndarray[Any, Any]:
    """Memory of the stack is not initialised: whoever reads it first gets a number that would be noticed."""
    return np.full(size, np.nan if dtype.kind == "f" else 77, dtype)
