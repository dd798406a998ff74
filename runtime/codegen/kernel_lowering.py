"""Kernels to LLVM without inference: every name in a kernel's tree has one type, which its first assignment tells.

Numba's pipeline reads bytecode, finds basic blocks, puts variables into SSA form, infers types and analyses liveness,
three times the work of what follows. A kernel's tree says all of that. Each expression is lowered as Numba does it: by
the signatures that its typing finds (kept from kernel to kernel) and by its implementations of operators and
intrinsics. Loops and divisions by literals are written here, as Numba's are many times as long, and compile time grows
with what LLVM reads. Variables are places on the stack, which LLVM removes.
"""

# Numba has annotations in part only: calls of its functions count as untyped.
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler import _make_subtarget
from numba.core.errors import NumbaError
from numba.extending import is_jitted

from ...ops.kernel_expressions import (
    Binary,
    CallExpr,
    Comparison,
    Expr,
    Literal,
    Load,
    Logic,
    SizeSymbol,
    Symbol,
    Ternary,
    Unary,
)
from ..kernel.statements import (
    Do,
    Exit,
    For,
    If,
    Leave,
    Let,
    Local,
    Remark,
    Statement,
    Store,
    WhileLoop,
    statements,
)
from .numba_typing import kernel_contexts

_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
I64 = ir.IntType(64)
_FOLDED = {("+", 0): True, ("*", 1): True, ("*", 0): False}  # whether the other operand is left, else 0
_UNARY = {"-": operator.neg, "~": operator.invert, "not": operator.not_}

Typed: TypeAlias = tuple[ir.Value, Any]  # a value and Numba's type of it
Found: TypeAlias = tuple[Any, Callable[..., ir.Value]]  # a call's signature, and what writes the call


class NotTypedError(Exception):
    """The tree alone doesn't tell a type; Numba's inference may."""


@lru_cache(maxsize=2)
def _context(flags: Any) -> _Context:
    return _Context(flags)


class _Context:
    """What is known of calls from kernel to kernel; one for each set of flags."""

    def __init__(self, flags: Any) -> None:
        self.typing, self._shared = kernel_contexts()
        self._shared.refresh()
        self.target = _make_subtarget(self._shared, flags)
        self._calls: dict[tuple[Any, tuple[Any, ...]], Found] = {}
        self._kinds: dict[int, tuple[Any, Any]] = {}  # id of a function -> it, and Numba's type of it

    def call(self, function: Any, arguments: tuple[Any, ...]) -> Found:
        """How a function is called with arguments of these types. Errors: NotTypedError."""
        key = (function, arguments)
        if key not in self._calls:
            kind = self._kind(function)
            signature = self.typing.resolve_function_type(kind, arguments, {})
            if signature is None:
                raise NotTypedError(f"{function} of {arguments}")
            self._calls[key] = signature, self.target.get_function(kind, signature)
        return self._calls[key]

    def _kind(self, function: Any) -> Any:
        """Numba's type of a function."""
        found = self._kinds.get(id(function))
        if found is None:
            if is_jitted(function):
                raise NotTypedError(f"{function} is compiled on first use")
            self.typing.refresh()  # intrinsics of another target may have been made since
            self._shared.refresh()
            found = self._kinds[id(function)] = function, self.typing.resolve_value_type(function)
        return found[1]


def lower_kernel(
    body: Sequence[Statement], kinds: dict[str, Any], names: dict[str, Any], flags: Any,
    make_library: Callable[[Any], Any],
) -> tuple[ir.Module, ir.Function, list[Any]]:  # fmt: skip
    """The module of a kernel, its function, with Numba's calling convention, and what it calls.

    kinds: the parameters' types; names: the kernels' globals. Errors: NotTypedError.
    """
    context = _context(flags)
    target = context.target
    library = make_library(target.codegen())
    module = library.create_ir_module("kernel")
    convention = target.call_conv
    parameters = tuple(kinds.values())
    function = ir.Function(module, convention.get_function_type(types.void, parameters), "kernel_body")
    convention.decorate_function(function, list(kinds), parameters, noalias=True)
    with target.push_code_library(library):
        lowering = _Lowering(context, function, kinds, names)
        try:
            lowering.block(body)
            lowering.leave()
        except NumbaError as error:
            raise NotTypedError(str(error)) from error
    target.post_lowering(module, library)
    return module, function, library.linked


class _Lowering:
    """One kernel on its way to LLVM."""

    def __init__(self, context: _Context, function: ir.Function, kinds: dict[str, Any], names: dict[str, Any]) -> None:
        self.context, self.target, self.names = context, context.target, names
        self.entry = function.append_basic_block("entry")
        self.build = ir.IRBuilder(self.entry)
        values = self.target.call_conv.decode_arguments(self.build, tuple(kinds.values()), function)
        self.parameters: dict[str, Typed] = {
            name: (value, kind) for (name, kind), value in zip(kinds.items(), values, strict=True)
        }  # fmt: skip
        self.variables: dict[str, Typed] = {}  # places on the stack
        self.loops: list[tuple[ir.Block, ir.Block]] = []  # where `continue` and `break` go
        self.function = function
        first = self.new_block()
        self.build.branch(first)
        self.begin(first)

    def new_block(self) -> ir.Block:
        """A block to jump to, without a place yet."""
        return ir.Block(parent=self.function)

    def begin(self, block: ir.Block) -> None:
        """Write to a block from now on. Blocks stand in the order of the text, which some of LLVM's passes follow."""
        self.function.blocks.append(block)
        self.build.position_at_end(block)

    # ---- statements

    def block(self, body: Sequence[Statement]) -> None:
        """One statement after the other."""
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """A statement."""
        match statement:
            case Let(name, value):
                self.assign(name.name, *self.value(value))
            case Store(target, value):
                self.store(target, value)
            case Local(name, element, size):
                self.assign(name.name, *self.value(CallExpr(f"local_{element}", (Literal(size),))))
            case Do(call):
                self.value(call)
            case For():
                self.loop(statement)
            case WhileLoop(test, body):
                self.while_loop(test, body)
            case If(test, body, otherwise):
                self.choice(test, body, otherwise)
            case Leave(where):
                self.jump(where)
            case Remark():
                pass

    def assign(self, name: str, value: ir.Value, kind: Any) -> None:
        """A variable's next value. Errors: NotTypedError for another type than before."""
        kind = types.unliteral(kind)
        if name in self.parameters:
            raise NotTypedError(f"the parameter {name} is assigned")
        if name not in self.variables:
            place = cgutils.alloca_once(self.build, self.target.get_value_type(kind), name=name)
            self.variables[name] = place, kind
        place, known = self.variables[name]
        if known != kind:
            raise NotTypedError(f"{name} is {known}, and {kind} later")
        self.build.store(value, place)

    def store(self, target: Load, value: Expr) -> None:
        """`pointer[index] = value`."""
        typed = [self.value(target.pointer), self.value(target.index), self.value(value)]
        self.called(operator.setitem, typed)

    def loop(self, loop: For) -> None:
        """`for variable in range(start, stop, step)`. Errors: NotTypedError for a step that is no literal or size."""
        step = _literal(loop.step)
        if not step and not _is_size(loop.step):
            raise NotTypedError(f"a loop with the step {loop.step}")
        start, stop = self.index(loop.start), self.index(loop.stop)
        if _is_once(loop):
            self.assign(loop.variable.name, start, types.int64)
            self.block(loop.body)
            return
        counter = cgutils.alloca_once(self.build, I64, name=f"{loop.variable.name}_next")
        self.build.store(start, counter)
        head, inside, after = (self.new_block() for _ in range(3))
        self.build.branch(head)
        self.begin(head)
        number = self.build.load(counter)
        downwards = step is not None and step < 0
        self.build.cbranch(self.build.icmp_signed(">" if downwards else "<", number, stop), inside, after)
        self.begin(inside)
        self.build.store(self.build.add(number, self.index(loop.step), flags=("nsw",)), counter)
        self.assign(loop.variable.name, number, types.int64)
        self.repeated(loop.body, head, after)

    def index(self, value: Expr) -> ir.Value:
        """A bound of a range. Errors: NotTypedError if it isn't an integer of 64 bits at most."""
        given, kind = self.value(value)
        if not (isinstance(kind, types.Integer) and getattr(kind, "signed", False)):
            raise NotTypedError(f"{value} is {kind} and bounds a range")
        return self.target.cast(self.build, given, kind, types.int64)

    def while_loop(self, test: Expr, body: Sequence[Statement]) -> None:
        """`while test`."""
        head, inside, after = (self.new_block() for _ in range(3))
        self.build.branch(head)
        self.begin(head)
        self.branch(test, inside, after)
        self.begin(inside)
        self.repeated(body, head, after)

    def repeated(self, body: Sequence[Statement], head: ir.Block, after: ir.Block) -> None:
        """A loop's body, from where it begins back to its head; then what follows the loop."""
        self.loops.append((head, after))
        self.block(body)
        self.loops.pop()
        self.build.branch(head)
        self.begin(after)

    def choice(self, test: Expr, body: Sequence[Statement], otherwise: Sequence[Statement]) -> None:
        """`if`."""
        then, after = self.new_block(), self.new_block()
        other = self.new_block() if otherwise else after
        self.branch(test, then, other)
        for place, part in ((then, body), (other, otherwise)):
            if place is not after:
                self.begin(place)
                self.block(part)
                self.build.branch(after)
        self.begin(after)

    def jump(self, where: Exit) -> None:
        """`break`, `continue` or `return`. What follows is never reached."""
        if where is Exit.RETURN:
            self.leave()
        else:
            self.build.branch(self.loops[-1][where is Exit.BREAK])
        self.begin(self.new_block())

    def leave(self) -> None:
        """The end of the function."""
        convention = self.target.call_conv
        convention.return_value(self.build, ir.Constant(self.build.function.args[0].type.pointee, None))

    # ---- expressions

    def value(self, value: Expr) -> Typed:
        """An expression's value and type."""
        match value:
            case Symbol(name=name):
                return self.named(name)
            case Literal(value=number):
                return self.constant(number)
            case Unary(operator="-", operand=Literal(value=number)):
                return self.constant(-number)
            case Unary(operator="not", operand=operand):
                return self.build.not_(self.truth(operand)), types.boolean
            case Unary(operator=symbol, operand=operand):
                return self.called(_UNARY[symbol], [self.value(operand)])
            case Binary(operator="//" | "%" as symbol, left=left, right=right) if (_literal(right) or 0) > 0:
                return self.divided(symbol, left, right)
            case Binary(operator="+" | "*" as symbol, left=left, right=right):
                return self.folded(symbol, left, right)
            case Binary(operator=symbol, left=left, right=right) | Comparison(operator=symbol, left=left, right=right):
                return self.called(_operator(symbol), [self.value(left), self.value(right)])
            case Load(pointer=pointer, index=index):
                return self.called(operator.getitem, [self.value(pointer), self.value(index)])
            case CallExpr(function=function, arguments=arguments):
                return self.call(function, [self.value(a) for a in arguments])
            case Logic(operator=symbol, items=items):
                return self.logic(symbol, items)
            case Ternary(test=test, then=then, otherwise=otherwise):
                return self.ternary(test, then, otherwise)
        raise NotTypedError(f"{value}")

    def divided(self, symbol: str, left: Expr, right: Expr) -> Typed:
        """`left // right` or `left % right` by a literal above 0. LLVM's own round towards 0, Python's downwards."""
        value, kind = self.value(left)
        if types.unliteral(kind) != types.int64:
            return self.called(_operator(symbol), [(value, kind), self.value(right)])
        number = self.target.cast(self.build, value, kind, types.int64)
        divisor = ir.Constant(I64, _literal(right))
        rest = self.build.srem(number, divisor)
        is_below = self.build.icmp_signed("<", rest, ir.Constant(I64, 0))
        if symbol == "%":
            return self.build.select(is_below, self.build.add(rest, divisor), rest), types.int64
        quotient = self.build.sdiv(number, divisor)
        return self.build.add(quotient, self.build.sext(is_below, I64)), types.int64

    def folded(self, symbol: str, left: Expr, right: Expr) -> Typed:
        """`left + right` or `left * right`; with a 0 or a 1 at once what LLVM would find."""
        first, second = self.value(left), self.value(right)
        for (given, kind), number in ((first, _literal(right)), (second, _literal(left))):
            if kind == types.int64 and number is not None and (symbol, number) in _FOLDED:
                return (given, kind) if _FOLDED[symbol, number] else (ir.Constant(I64, 0), types.int64)
        return self.called(_operator(symbol), [first, second])

    def named(self, name: str) -> Typed:
        """What a name stands for."""
        if name in self.variables:
            place, kind = self.variables[name]
            return self.build.load(place), kind
        if name in self.parameters:
            return self.parameters[name]
        known = self.names.get(name)
        if type(known) in (int, float):
            return self.constant(known)
        raise NotTypedError(f"{name} has no value yet")

    def constant(self, number: Any) -> Typed:
        """A literal."""
        kind = types.float64 if type(number) is float else types.literal(number)
        return self.target.get_constant_generic(self.build, kind, number), kind

    def call(self, name: str, typed: list[Typed]) -> Typed:
        """A conversion, or a call of an intrinsic."""
        function = abs if name == "abs" else self.names.get(name)
        if isinstance(function, types.Number | types.Boolean) and len(typed) == 1:
            ((given, kind),) = typed
            return self.target.cast(self.build, given, types.unliteral(kind), function), function
        if function is None:
            raise NotTypedError(f"{name} is not known")
        return self.called(function, typed)

    def called(self, function: Any, typed: list[Typed]) -> Typed:
        """A call by Numba's implementation, its arguments converted to what that takes."""
        signature, write = self.context.call(function, tuple([kind for _, kind in typed]))
        values = [
            self.target.cast(self.build, given, kind, wanted)
            for (given, kind), wanted in zip(typed, signature.args, strict=True)
        ]  # fmt: skip
        return write(self.build, values), signature.return_type

    def branch(self, test: Expr, then: ir.Block, otherwise: ir.Block) -> None:
        """Go on with one of two blocks; later parts of `and` and `or` are computed only if they decide."""
        match test:
            case Unary(operator="not", operand=operand):
                self.branch(operand, otherwise, then)
            case Logic(operator=symbol, items=[*items, last]):
                for item in items:
                    following = self.new_block()
                    self.branch(item, *((following, otherwise) if symbol == "and" else (then, following)))
                    self.begin(following)
                self.branch(last, then, otherwise)
            case _:
                self.build.cbranch(self.truth(test), then, otherwise)

    def truth(self, test: Expr) -> ir.Value:
        """A condition as one bit."""
        value, kind = self.value(test)
        return value if kind == types.boolean else self.target.is_true(self.build, kind, value)

    def logic(self, symbol: str, items: Sequence[Expr]) -> Typed:
        """`a and b`, or `or`, of conditions: later ones are computed only if the earlier ones don't decide."""
        after = self.new_block()
        arrivals: list[tuple[ir.Value, ir.Block]] = []
        for item in items:
            value, kind = self.value(item)
            if kind != types.boolean:
                raise NotTypedError(f"{item} is {kind}")
            arrivals.append((value, self.build.block))
            if item is not items[-1]:
                following = self.new_block()
                self.build.cbranch(value, *((following, after) if symbol == "and" else (after, following)))
                self.begin(following)
        return self.joined(after, arrivals), types.boolean

    def ternary(self, test: Expr, then: Expr, otherwise: Expr) -> Typed:
        """`then if test else otherwise`. Errors: NotTypedError for parts of two types."""
        first, second, after = (self.new_block() for _ in range(3))
        self.branch(test, first, second)
        arrivals, kinds = [], []
        for place, part in ((first, then), (second, otherwise)):
            self.begin(place)
            value, kind = self.value(part)
            kinds.append(types.unliteral(kind))
            arrivals.append((value, self.build.block))
        if kinds[0] != kinds[1]:
            raise NotTypedError(f"{then} is {kinds[0]}, {otherwise} {kinds[1]}")
        self.build.position_at_end(arrivals[0][1])
        self.build.branch(after)
        self.build.position_at_end(arrivals[1][1])
        return self.joined(after, arrivals), kinds[0]

    def joined(self, after: ir.Block, arrivals: list[tuple[ir.Value, ir.Block]]) -> ir.Value:
        """The value that arrives at `after` from one of several blocks, the last of which is being written."""
        self.build.branch(after)
        self.begin(after)
        made = self.build.phi(arrivals[0][0].type)
        for value, block in arrivals:
            made.add_incoming(value, block)
        return made


def _literal(value: Expr) -> int | None:
    """The integer that an expression is written as."""
    match value:
        case Literal(value=int() as number):
            return number
        case Unary(operator="-", operand=Literal(value=int() as number)):
            return -number
    return None


def _is_size(value: Expr) -> bool:
    """Whether an expression is one of the kernel's sizes, which are above 0 where they are steps."""
    return isinstance(value, SizeSymbol)


def _is_once(loop: For) -> bool:
    """Whether a loop is known to run once, from its start to its end: then it needs no blocks of its own."""
    start, stop = _literal(loop.start), _literal(loop.stop)
    is_one = start is not None and stop is not None and start < stop <= start + (_literal(loop.step) or 0)
    return is_one and not any(isinstance(s, Leave) and s.where is not Exit.RETURN for s in statements(loop.body))


def _operator(symbol: str) -> Callable[..., Any]:
    if symbol not in _OPERATORS:
        raise NotTypedError(f"`{symbol}` of numbers")
    return _OPERATORS[symbol]
