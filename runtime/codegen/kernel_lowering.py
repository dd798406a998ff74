"""Kernels to LLVM: every name in a kernel's tree has one type, which its first assignment tells.

Operators and conversions are in number_operators.py; what kernels call by name are intrinsics (kernel_types.py).
A variable that one statement assigns, and that is read only where this statement's block goes on, is its value. Others
are places on the stack, which LLVM removes: what it needn't remove costs neither it nor Python time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ...base.errors import KernelError
from ...ops.kernel_expressions import (
    Binary,
    CallExpr,
    Comparison,
    Expr,
    Literal,
    Load,
    Logic,
    Symbol,
    Ternary,
    Unary,
)
from ..kernel import loop_facts as facts
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
from . import number_operators as operators
from .kernel_types import (
    BOOLEAN,
    FLOAT64,
    INT64,
    Boolean,
    FlaggedBuilder,
    Float,
    Integer,
    Intrinsic,
    Kind,
    PointerKind,
    Typed,
    kept_in_one,
    stack_slot,
    unified,
)
from .target_machine import find_places_abreast, interleave, repeat_straight

I64 = ir.IntType(64)
_NOT_KEPT = "captures(none)" if llvm.llvm_version_info >= (21,) else "nocapture"  # of pointers: no copy outlives a call
_FOLDED = {("+", 0): True, ("*", 1): True, ("*", 0): False}  # whether the other operand is left, else 0
_CONVERSIONS: dict[str, Kind] = {"int": INT64, "float": FLOAT64, "bool": BOOLEAN}  # Python's own names for them


def lower_kernel(
    body: Sequence[Statement], kinds: Mapping[str, Kind], names: Mapping[str, Any], module: ir.Module,
    flags: tuple[str, ...] = (),
) -> ir.Function:  # fmt: skip
    """The function of a kernel, `void kernel_body(parameters...)`, in a module. Pointers don't alias.

    kinds: the parameters' types; names: the kernels' globals: intrinsics, types and numbers. flags: LLVM's, of
    arithmetic on floats. Errors: KernelError for what kernels can't say.
    """
    function = ir.Function(
        module, ir.FunctionType(ir.VoidType(), [kind.llvm for kind in kinds.values()]), "kernel_body"
    )
    for argument, (name, kind) in zip(function.args, kinds.items(), strict=True):
        argument.name = f"arg.{name}"
        if isinstance(kind, PointerKind):
            argument.add_attribute(_NOT_KEPT)
            argument.add_attribute("noalias")
    constant = _assigned_once(body)
    wider: dict[str, Kind] = {}
    while True:
        lowering = _Lowering(function, kinds, names, flags)
        lowering.constant, lowering.wider = constant, wider
        try:
            lowering.block(body)
        except _VariableError as met:  # once more, and this variable otherwise
            constant.discard(met.name)
            if met.kind is not None:
                wider[met.name] = met.kind
            function.blocks.clear()
            continue
        lowering.leave()
        return function


def _assigned_once(body: Sequence[Statement]) -> set[str]:
    """The variables that one statement assigns."""
    once: set[str] = set()
    twice: set[str] = set()
    for statement in statements(body):
        if isinstance(statement, Let | Local | For):
            name = (statement.variable if isinstance(statement, For) else statement.name).name
            (twice if name in once else once).add(name)
    return once - twice


class _VariableError(Exception):
    """A variable is read behind the block that assigns it; with a kind, it gets values of several types."""

    def __init__(self, name: str, kind: Kind | None = None) -> None:
        self.name, self.kind = name, kind


class _Lowering:
    """One kernel on its way to LLVM."""

    def __init__(
        self, function: ir.Function, kinds: Mapping[str, Kind], names: Mapping[str, Any], flags: tuple[str, ...]
    ) -> None:
        self.names = names
        self.build = FlaggedBuilder(function.append_basic_block("entry"))
        self.build.flags = flags
        self.parameters: dict[str, Typed] = {
            name: (value, kind) for (name, kind), value in zip(kinds.items(), function.args, strict=True)
        }  # fmt: skip
        self.constant: set[str] = set()  # variables that are values
        self.wider: dict[str, Kind] = {}  # variables of several types, and the type that holds all
        self.values: dict[str, Typed] = {}  # of those whose block goes on
        self.begun: list[list[str]] = [[]]  # which they are, from the outermost block to the one being written
        self.ended: set[str] = set()  # those whose block has ended
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

    def inner_block(self, body: Sequence[Statement]) -> None:
        """Statements that may not run, or run again: what they assign has no value behind them."""
        self.begun.append([])
        self.block(body)
        self.end_block()

    def end_block(self) -> None:
        """Forget the values of a block."""
        for name in self.begun.pop():
            del self.values[name]
            self.ended.add(name)

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

    def assign(self, name: str, value: ir.Value, kind: Kind) -> None:
        """A variable's next value. Errors: KernelError for a type that none has in common with the one before."""
        kind = kind.plain
        if name in self.parameters:
            raise KernelError(f"a kernel assigns its parameter {name}")
        if name in self.constant:
            self.values[name] = value, kind
            self.begun[-1].append(name)
            return
        if name in self.wider:
            value, kind = operators.cast(self.build, value, kind, self.wider[name]), self.wider[name]
        if name not in self.variables:
            self.variables[name] = stack_slot(self.build, kind.llvm, name=name), kind
        place, known = self.variables[name]
        if known != kind:
            common = unified(known, kind)
            if common is None:
                raise KernelError(f"in a kernel {name} is {known}, and {kind} later")
            raise _VariableError(name, common)
        self.build.store(value, place)

    def store(self, target: Load, value: Expr) -> None:
        """`pointer[index] = value`."""
        place, element = self.place(target)
        self.build.store(kept_in_one(self.build, operators.cast(self.build, *self.value(value), element), place), place)

    def place(self, load: Load) -> tuple[ir.Value, Kind]:
        """The address of `pointer[index]`, and the element's type. Errors: KernelError."""
        pointer, kind = self.value(load.pointer)
        if not isinstance(kind, PointerKind):
            raise KernelError(f"`{load}`: {load.pointer} is {kind}, no array")
        place, constant = facts.split_index(load.index)
        index, given = self.value(place)
        if not isinstance(given.plain, Integer | Boolean):
            raise KernelError(f"`{load}`: the index is {given}")
        at = self.build.gep(pointer, [operators.cast(self.build, index, given, INT64)], inbounds=True)
        return self.build.gep(at, [INT64.llvm(constant)], inbounds=True) if constant else at, kind.element

    def loop(self, loop: For) -> None:
        """`for variable in range(start, stop, step)`; the step isn't 0."""
        start, stop, step = self.index(loop.start), self.index(loop.stop), self.index(loop.step)
        if facts.is_once(loop):
            self.assign(loop.variable.name, start, INT64)
            self.block(loop.body)
            return
        counter = stack_slot(self.build, I64, name=f"{loop.variable.name}_next")
        self.build.store(start, counter)
        head, inside, after = (self.new_block() for _ in range(3))
        self.build.branch(head)
        self.begin(head)
        number = self.build.load(counter)
        self.build.cbranch(self.is_before(number, stop, loop.step, step), inside, after)
        self.begin(inside)
        self.build.store(self.build.add(number, step, flags=("nsw",)), counter)
        self.begun.append([])
        self.assign(loop.variable.name, number, INT64)
        first = len(self.function.blocks) - 1
        innermost, scatters = facts.is_innermost(loop), facts.scatters(loop)
        self.build.abreast = innermost and not scatters
        back = self.repeated(loop.body, head, after)
        self.build.abreast = False
        self.end_block()
        if innermost:
            operations = sum(len(block.instructions) for block in self.function.blocks[first:-1])
            if scatters:
                repeat_straight(back, operations)
            else:
                picks = facts.picks(loop)
                interleave(back, operations, picks, facts.iterations(loop))
                if picks:
                    find_places_abreast(self.function)

    def is_before(self, number: ir.Value, stop: ir.Value, said: Expr, step: ir.Value) -> ir.Value:
        """Whether a loop goes on with a number, upwards or downwards; said: the step as the text has it."""
        known = facts.literal(said)
        upwards = self.build.icmp_signed("<", number, stop)
        if facts.is_size(said) or (known is not None and known > 0):
            return upwards
        downwards = self.build.icmp_signed(">", number, stop)
        if known is not None:
            return downwards
        return self.build.select(self.build.icmp_signed(">", step, ir.Constant(I64, 0)), upwards, downwards)

    def index(self, value: Expr) -> ir.Value:
        """A bound of a range. Errors: KernelError if it is no signed integer."""
        given, kind = self.value(value)
        if not (isinstance(kind.plain, Integer) and kind.plain.signed):
            raise KernelError(f"{value} is {kind} and bounds a range")
        return operators.cast(self.build, given, kind, INT64)

    def while_loop(self, test: Expr, body: Sequence[Statement]) -> None:
        """`while test`."""
        head, inside, after = (self.new_block() for _ in range(3))
        self.build.branch(head)
        self.begin(head)
        self.branch(test, inside, after)
        self.begin(inside)
        self.repeated(body, head, after)

    def repeated(self, body: Sequence[Statement], head: ir.Block, after: ir.Block) -> ir.Instruction:
        """A loop's body, from where it begins back to its head, and the jump to it; then what follows the loop."""
        self.loops.append((head, after))
        self.inner_block(body)
        self.loops.pop()
        back = self.build.branch(head)
        self.begin(after)
        return back

    def choice(self, test: Expr, body: Sequence[Statement], otherwise: Sequence[Statement]) -> None:
        """`if`."""
        then, after = self.new_block(), self.new_block()
        other = self.new_block() if otherwise else after
        self.branch(test, then, other)
        for place, part in ((then, body), (other, otherwise)):
            if place is not after:
                self.begin(place)
                self.inner_block(part)
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
        self.build.ret_void()

    # ---- expressions

    def value(self, value: Expr) -> Typed:
        """An expression's value and type."""
        match value:
            case Symbol(name=name):
                return self.named(name)
            case Literal(value=number):
                return operators.literal(number)
            case Unary(operator="-", operand=Literal(value=number)):
                return operators.literal(-number)
            case Unary(operator="not", operand=operand):
                return self.build.not_(self.truth(operand)), BOOLEAN
            case Unary(operator=symbol, operand=operand):
                return operators.unary(self.build, symbol, self.value(operand))
            case Binary(operator="//" | "%" as symbol, left=left, right=right) if (facts.literal(right) or 0) > 0:
                return self.divided(symbol, left, right)
            case Binary(operator="+" | "*" as symbol, left=left, right=right):
                return self.folded(symbol, left, right)
            case Binary(operator=symbol, left=left, right=right) | Comparison(operator=symbol, left=left, right=right):
                return operators.binary(self.build, symbol, self.value(left), self.value(right))
            case Load():
                place, element = self.place(value)
                return self.build.load(place), element
            case CallExpr(function=function, arguments=arguments):
                return self.call(function, [self.value(a) for a in arguments])
            case Logic(operator=symbol, items=items):
                return self.logic(symbol, items)
            case Ternary(test=test, then=then, otherwise=otherwise):
                return self.ternary(test, then, otherwise)
        raise KernelError(f"not an expression of kernels: {value}")

    def divided(self, symbol: str, left: Expr, right: Expr) -> Typed:
        """`left // right` or `left % right` by a literal above 0. LLVM's own round towards 0, Python's downwards."""
        number, kind = self.value(left)
        if kind.plain != INT64:
            return operators.binary(self.build, symbol, (number, kind), self.value(right))
        divisor = ir.Constant(I64, facts.literal(right))
        rest = self.build.srem(number, divisor)
        is_below = self.build.icmp_signed("<", rest, ir.Constant(I64, 0))
        if symbol == "%":
            return self.build.select(is_below, self.build.add(rest, divisor), rest), INT64
        quotient = self.build.sdiv(number, divisor)
        return self.build.add(quotient, self.build.sext(is_below, I64)), INT64

    def folded(self, symbol: str, left: Expr, right: Expr) -> Typed:
        """`left + right` or `left * right`; with a 0 or a 1 at once what LLVM would find."""
        first, second = self.value(left), self.value(right)
        for (given, kind), number in ((first, facts.literal(right)), (second, facts.literal(left))):
            if kind == INT64 and number is not None and (symbol, number) in _FOLDED:
                return (given, kind) if _FOLDED[symbol, number] else (ir.Constant(I64, 0), INT64)
        return operators.binary(self.build, symbol, first, second)

    def named(self, name: str) -> Typed:
        """What a name stands for."""
        if name in self.values:
            return self.values[name]
        if name in self.ended:
            raise _VariableError(name)
        if name in self.variables:
            place, kind = self.variables[name]
            return self.build.load(place), kind
        if name in self.parameters:
            return self.parameters[name]
        known = self.names.get(name)
        if type(known) in (int, float):
            return operators.literal(known)
        raise KernelError(f"in a kernel {name} has no value yet")

    def call(self, name: str, typed: list[Typed]) -> Typed:
        """A conversion, or a call of an intrinsic."""
        if name == "abs":
            return operators.magnitude(self.build, *typed)
        function = self.names.get(name, _CONVERSIONS.get(name))
        if isinstance(function, Integer | Float | Boolean):
            ((given, kind),) = typed
            return operators.cast(self.build, given, kind, function), function
        if not isinstance(function, Intrinsic):
            raise KernelError(f"kernels know no {name}")
        found = function.found(tuple([kind for _, kind in typed]))
        if found is None:
            raise KernelError(f"kernels have no {name} of {', '.join(str(kind) for _, kind in typed)}")
        signature, write = found
        values = [
            operators.cast(self.build, given, kind, wanted)
            for (given, kind), wanted in zip(typed, signature.arguments, strict=True)
        ]  # fmt: skip
        return write(self.build, values), signature.result

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
        return operators.truth(self.build, self.value(test))

    def logic(self, symbol: str, items: Sequence[Expr]) -> Typed:
        """`a and b`, or `or`, of conditions: later ones are computed only if the earlier ones don't decide."""
        after = self.new_block()
        arrivals: list[tuple[ir.Value, ir.Block]] = []
        for item in items:
            value = self.truth(item)
            arrivals.append((value, self.build.block))
            if item is not items[-1]:
                following = self.new_block()
                self.build.cbranch(value, *((following, after) if symbol == "and" else (after, following)))
                self.begin(following)
        return self.joined(after, arrivals), BOOLEAN

    def ternary(self, test: Expr, then: Expr, otherwise: Expr) -> Typed:
        """`then if test else otherwise`, in the type that holds both. Errors: KernelError if there is none."""
        first, second, after = (self.new_block() for _ in range(3))
        self.branch(test, first, second)
        parts: list[tuple[ir.Value, Kind, ir.Block]] = []
        for place, part in ((first, then), (second, otherwise)):
            self.begin(place)
            parts.append((*self.value(part), self.build.block))
        common = unified(parts[0][1], parts[1][1])
        if common is None:
            raise KernelError(f"in a kernel {then} is {parts[0][1]}, {otherwise} {parts[1][1]}")
        arrivals: list[tuple[ir.Value, ir.Block]] = []
        for value, kind, block in parts:
            if arrivals:
                self.build.branch(after)
            self.build.position_at_end(block)
            arrivals.append((operators.cast(self.build, value, kind, common), block))
        return self.joined(after, arrivals), common

    def joined(self, after: ir.Block, arrivals: list[tuple[ir.Value, ir.Block]]) -> ir.Value:
        """The value that arrives at `after` from one of several blocks, the last of which is being written."""
        self.build.branch(after)
        self.begin(after)
        made = self.build.phi(arrivals[0][0].type)
        for value, block in arrivals:
            made.add_incoming(value, block)
        return made
