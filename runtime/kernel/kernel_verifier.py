"""Checks that statements are a kernel: names are defined, memory is used as memory, loops and exits fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.errors import KernelError
from ...ops.kernel_expressions import Expr, Load, Name, Pointer, SizeSymbol, Symbol, walk
from .statements import Do, Exit, For, If, Leave, Let, Local, LoopKind, Remark, Statement, Store, WhileLoop, statements

CONSTANTS = frozenset({"lo", "hi", "inf", "nan", "back"})  # what every kernel has


def verify_kernel(body: Sequence[Statement], pointers: int, sizes: int) -> None:
    """Raise KernelError, with the statement, where a kernel with so many arguments can't be right.

    Names must be defined on some way before they are read; a buffer is read only by its elements or as the argument of
    a call; loops over the kernel's range don't stand inside each other; block loops have literal sizes.
    """
    _Verifier(pointers, sizes).block(body, set(CONSTANTS), in_loop=False)
    for loop in _parallel_loops(body):
        if any(_parallel_loops(loop.body)):
            raise _wrong(loop, "a parallel loop stands inside it")


class _Verifier:
    def __init__(self, pointers: int, sizes: int) -> None:
        self.pointers, self.sizes = pointers, sizes
        self.arrays: set[str] = set()

    def block(self, body: Sequence[Statement], known: set[str], *, in_loop: bool) -> None:
        """Check the statements in order; `known` grows by the names that they define."""
        for statement in body:
            match statement:
                case Let(name=name, value=value):
                    self._reads(value, known, statement)
                    if name.name in self.arrays:
                        raise _wrong(statement, f"`{name}` is an array")
                    known.add(name.name)
                case Store(target=target, value=value):
                    self._reads(value, known, statement)
                    self._reads(target, known, statement)
                case Local(name=name, size=size):
                    if name.name in known or size < 1:
                        raise _wrong(statement, f"`{name}` has {size} elements, or is defined twice")
                    known.add(name.name)
                    self.arrays.add(name.name)
                case Do(call=call):
                    self._reads(call, known, statement)
                case For() | WhileLoop() | If():
                    self._nested(statement, known, in_loop=in_loop)
                case Leave(where=where):
                    if not in_loop and where is not Exit.RETURN:
                        raise _wrong(statement, f"`{where.value}` outside of a loop")
                case Remark():
                    pass

    def _nested(self, statement: For | WhileLoop | If, known: set[str], *, in_loop: bool) -> None:
        match statement:
            case For(variable=variable, start=start, stop=stop, step=step, body=body, kind=kind):
                for bound in (start, stop, step):
                    self._reads(bound, known, statement)
                if kind is LoopKind.BLOCK and not str(stop).isdigit():
                    raise _wrong(statement, "a block has a literal size")
                known.add(variable.name)
                self.block(body, known, in_loop=True)
            case WhileLoop(test=test, body=body):
                self._reads(test, known, statement)
                self.block(body, known, in_loop=True)
            case If(test=test, body=body, otherwise=otherwise):
                self._reads(test, known, statement)
                for branch in (body, otherwise):
                    self.block(branch, known, in_loop=in_loop)

    def _reads(self, expression: Expr, known: set[str], statement: Statement) -> None:
        for part in walk(expression):
            match part:
                case Pointer(number=number):
                    if number >= self.pointers:
                        raise _wrong(statement, f"there is no buffer `{part}`")
                case SizeSymbol(number=number):
                    if number >= self.sizes:
                        raise _wrong(statement, f"there is no size `{part}`")
                case Name(name=name):
                    if name not in known:
                        raise _wrong(statement, f"`{name}` is read before it is defined")
                case Load(pointer=pointer):
                    if not isinstance(pointer, Symbol):
                        raise _wrong(statement, f"`{pointer}` is no memory")


def _parallel_loops(body: Sequence[Statement]) -> Iterator[For]:
    return (s for s in statements(body) if isinstance(s, For) and s.kind is LoopKind.PARALLEL)


def _wrong(statement: Statement, reason: str) -> KernelError:
    what = type(statement).__name__
    where = "" if statement.origin is None else f" of `{statement.origin.name}`"
    return KernelError(f"a kernel's statement {what}{where} is wrong: {reason}")
