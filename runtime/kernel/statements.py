"""The statements of kernels. Expressions are in ops/kernel_expressions.py.

Each statement knows the operation that it comes from (`origin`), for who reads the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias, TypeVar, Union, cast

from ...ir.core import Operation
from ...ops.kernel_expressions import CallExpr, Expr, Literal, Load, Name, replaced, walk


class LoopKind(Enum):
    """How the iterations of a loop run."""

    SERIAL = "serial"
    PARALLEL = "parallel"  # over the kernel's range, which threads share
    BLOCK = "block"  # over the elements of a block that stays in registers: all of it becomes vectors


@dataclass(eq=False, slots=True)
class Let:
    """`name = value`: a local number, new or changed."""

    name: Name
    value: Expr
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class Store:
    """`pointer[index] = value`."""

    target: Load
    value: Expr
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class Local:
    """A small array on the stack, not initialised. element: short name of its type."""

    name: Name
    element: str
    size: int
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class Do:
    """A call for what it does to memory."""

    call: CallExpr
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class For:
    """`for variable in range(start, stop, step)`."""

    variable: Name
    start: Expr
    stop: Expr
    step: Expr
    body: list[Statement] = field(default_factory=list)
    kind: LoopKind = LoopKind.SERIAL
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class WhileLoop:
    """`while test`."""

    test: Expr
    body: list[Statement] = field(default_factory=list)
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class If:
    """`if test`, and what is done otherwise."""

    test: Expr
    body: list[Statement] = field(default_factory=list)
    otherwise: list[Statement] = field(default_factory=list)
    origin: Operation | None = None


class Exit(Enum):
    """Where control goes."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


@dataclass(eq=False, slots=True)
class Leave:
    """`break`, `continue` or `return`."""

    where: Exit
    origin: Operation | None = None


@dataclass(eq=False, slots=True)
class Remark:
    """A comment for who reads the kernel."""

    text: str
    origin: Operation | None = None


Statement: TypeAlias = Union[Let, Store, Local, Do, For, WhileLoop, If, Leave, Remark]


Found = TypeVar("Found")


class Body(list["Statement"]):
    """The statements of a finished kernel, which aren't changed any more, and what was found out about them.

    Kernels of equal operations have one body: what is asked of it is worked out once for all of them.
    """

    __slots__ = ("_facts",)

    def __init__(self, statements: Sequence[Statement]) -> None:
        super().__init__(statements)
        self._facts: dict[Hashable, Any] = {}

    def fact(self, question: Hashable, find: Callable[[], Found]) -> Found:
        """The answer to a question about these statements, found when it is asked for the first time."""
        if question not in self._facts:
            self._facts[question] = find()
        return cast(Found, self._facts[question])


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, each before those inside it."""
    waiting = [*reversed(body)]
    while waiting:
        statement = waiting.pop()
        yield statement
        for inner in reversed(blocks_of(statement)):
            waiting.extend(reversed(inner))


def blocks_of(statement: Statement) -> tuple[list[Statement], ...]:
    """The blocks of a statement that has some."""
    if isinstance(statement, For | WhileLoop):
        return (statement.body,)
    return (statement.body, statement.otherwise) if isinstance(statement, If) else ()


def expressions_of(statement: Statement) -> tuple[Expr, ...]:
    """The expressions of a statement itself, not of those inside it, in the order of its text."""
    match statement:
        case Let(name=name, value=value):
            return name, value
        case Store(target=target, value=value):
            return target, value
        case Local(name=name, size=size):
            return name, Literal(size)
        case Do(call=call):
            return (call,)
        case For(variable=variable, start=start, stop=stop, step=step):
            return variable, start, stop, step
        case WhileLoop(test=test) | If(test=test):
            return (test,)
    return ()


def nodes(body: Sequence[Statement]) -> Iterator[Expr]:
    """All expressions of a body, each before its parts."""
    for statement in statements(body):
        for expression in expressions_of(statement):
            yield from walk(expression)


def rewritten(body: Sequence[Statement], instead: Callable[[Expr], Expr | None]) -> list[Statement]:
    """A copy of a body with expressions replaced, as `replaced` does; names that are assigned to among them."""
    return [_rewritten(statement, instead) for statement in body]


def _rewritten(statement: Statement, instead: Callable[[Expr], Expr | None]) -> Statement:
    def new(expression: Expr) -> Expr:
        return replaced(expression, instead)

    origin = statement.origin
    match statement:
        case Let(name=name, value=value):
            return Let(_name(new(name)), new(value), origin)
        case Store(target=target, value=value):
            return Store(_load(new(target)), new(value), origin)
        case Local(name=name, element=element, size=size):
            return Local(_name(new(name)), element, size, origin)
        case Do(call=call):
            return Do(_call(new(call)), origin)
        case For(variable=variable, start=start, stop=stop, step=step, body=inner, kind=kind):
            ends = new(start), new(stop), new(step)
            return For(_name(new(variable)), *ends, rewritten(inner, instead), kind, origin)
        case WhileLoop(test=test, body=inner):
            return WhileLoop(new(test), rewritten(inner, instead), origin)
        case If(test=test, body=inner, otherwise=otherwise):
            return If(new(test), rewritten(inner, instead), rewritten(otherwise, instead), origin)
    return replace(statement)


def _name(made: Expr) -> Name:
    assert isinstance(made, Name), made
    return made


def _load(made: Expr) -> Load:
    assert isinstance(made, Load), made
    return made


def _call(made: Expr) -> CallExpr:
    assert isinstance(made, CallExpr), made
    return made


def assigned(body: Sequence[Statement]) -> dict[str, None]:
    """The names of all locals, in the order in which they appear."""
    found: dict[str, None] = {}
    for statement in statements(body):
        match statement:
            case Let(name=name) | Local(name=name) | For(variable=name):
                found[name.name] = None
    return found
