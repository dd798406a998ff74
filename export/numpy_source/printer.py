"""A program as the body of a Python function: one line per operation, `if` and `while` as Python's own.

An operation whose only user stands on the same line of the user's code goes into that user's expression.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ...base.errors import ArgumentError
from ...base.location import Loc
from ...ir.calls import callee_of
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.walk import walk
from ...ops.create import ArrayData
from ...ops.dims import Dim
from ...ops.sizes import plain_names
from ...ops.types import TensorType
from .helpers import Helpers
from .literals import expression, literal, scalar_type
from .specialise import count_of
from .tidy import tidied

WIDTH = 100
FEW = 8  # elements of a constant that is written into the text


Writer: TypeAlias = Callable[["FunctionPrinter", Operation], None]


class FunctionPrinter:
    """Writes one program as statements.

    constants: large arrays, by the name under which the module reads them (`WEIGHTS[name]`).
    """

    counter: ClassVar[str] = "np.arange"  # what counts the iterations of a loop
    holds: ClassVar[str] = "np.all({})"  # whether a flag holds
    writers: ClassVar[dict[str, Writer]] = {}  # of operations that are more than an expression; filled in below

    @staticmethod
    def error(kind: str, message: str) -> str:
        """An error, made by the name of its class."""
        return f"{kind}({message!r})"

    def __init__(self, program: Program, helpers: Helpers, constants: dict[str, np.ndarray[Any, Any]]) -> None:
        self.program = program
        self.helpers = helpers
        self.constants = constants
        self.taken: set[str] = set()
        self.functions: dict[Operation, str] = {}  # their names
        self.texts: dict[Value, ast.expr] = {}
        self.lines: list[str] = []
        self.depth = 1
        self.sizes = _names_in_use(program)
        self.place = ""

    # ---- names

    def name(self, value: Value, stem: str = "") -> str:
        """A new variable for a value."""
        made = self.variable(stem or value.hint or self.stem(value))
        self.texts[value] = ast.Name(made, ast.Load())
        return made

    def stem(self, value: Value) -> str:
        """What a value without a name of its own is called."""
        name = value.producer.op.name if isinstance(value.producer, Operation) else "x"
        return {"if": "chosen", "while": "carried", "for": "carried"}.get(name, name)

    def variable(self, stem: str) -> str:
        """A new variable."""
        made = self.helpers.names.variable(stem, self.taken | self.sizes)
        self.taken.add(made)
        return made

    def text(self, value: Value) -> str:
        """The expression for a value."""
        return ast.unparse(self.texts[value])

    def bind_sizes(self, values: Iterable[Value]) -> None:
        """Assign the sizes that values tell, where the program reads them."""
        told = [v for v in values if not is_list(v)]
        for value in told:
            for axis, dim in enumerate(value.shape):
                known = isinstance(dim, Dim) and str(dim) in self.sizes
                if known and str(dim) not in self.taken:
                    self.taken.add(str(dim))
                    self.write(f"{dim} = {self.text(value)}.shape[{axis}]")

    def retell(self, values: Iterable[Value]) -> None:
        """Assign run-time sizes that values tell, each time they are made."""
        listed = list(values)
        for k, axis, name in plain_names(v.type for v in listed):
            if name in self.sizes:
                self.write(f"{name} = {self.size_of(listed[k], axis)}")

    def size_of(self, value: Value, axis: int) -> str:
        """The size of a value along an axis."""
        return f"np.shape({self.text(value)})[{axis}]"

    # ---- lines

    def write(self, line: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + line if line else "")

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Lines inside belong to the statement before."""
        self.depth += 1
        place, self.place = self.place, ""
        yield
        self.place = place
        self.depth -= 1

    def comment(self, loc: Loc) -> None:
        """The user's line, when it is another than that of the line before."""
        place = f"{loc.short()}: {loc.text()}" if loc.file and loc.text() else ""
        if place and place != self.place:
            self.place = place
            self.write(f"# {textwrap.shorten(place, WIDTH - 4 * self.depth - 2)}")

    # ---- operations

    def block(self, block: Block) -> None:
        """Everything in a block but its terminator."""
        for operation in block.operations[:-1]:
            if not self.deferred(operation):
                self.operation(operation)

    def deferred(self, operation: Operation) -> bool:
        """Put an operation's expression into that of its only user; False where it needs a line of its own."""
        if operation.blocks or len(operation.results) != 1 or not operation.is_pure or operation.name in self.writers:
            return False
        result = operation.results[0]
        scalar = self.scalar(operation)
        if scalar is not None:
            self.texts[result] = scalar
            return True
        uses = list(result.uses)
        if len(uses) != 1 or result.hint:
            return False
        user = uses[0][0]
        if user.parent is not operation.parent or list(plain_names([result.type])):
            return False
        assert user.parent is not None
        if user.is_terminator:
            if operation is not user.parent.operations[-2]:
                return False
            self.comment(operation.loc)
        elif user.loc != operation.loc or user.name in self.writers or not self._follows(operation, user):
            return False
        made = self.made(operation)
        if len(ast.unparse(made)) > WIDTH // 2:
            self.assign(operation, made)
            return True
        self.texts[result] = made
        return True

    @staticmethod
    def _follows(operation: Operation, user: Operation) -> bool:
        """Whether only operations of the same line stand between an operation and its user."""
        assert operation.parent is not None
        listed = operation.parent.operations
        start = listed.index(operation)
        for other in listed[start + 1 : start + 12]:
            if other is user:
                return True
            if other.loc != operation.loc or other.blocks:
                return False
        return False

    def scalar(self, operation: Operation) -> ast.expr | None:
        """A constant without axes as NumPy's scalar."""
        attrs = operation.attrs
        if operation.name == "constant":
            array = attrs["data"].array
        elif operation.name == "full" and attrs["shape"] == ():
            array = np.asarray(attrs["fill_value"], attrs["dtype"].numpy)
        else:
            return None
        if array.ndim or array.dtype.kind not in "biufc":
            return None
        text = literal(array[()])
        return None if text is None else expression(text)

    def made(self, operation: Operation) -> ast.expr:
        """An operation's expression."""
        if operation.name == "constant":
            return self.constant(operation.attrs["data"])
        operands = [self.texts[v] for v in operation.operands]
        holes = [ast.Name(f"operand_{k}", ast.Load()) for k in range(len(operands))]
        kinds = [v.type for v in operation.operands]
        made = self.helpers.expression(operation.op, holes, kinds, operation.attrs)
        counts = [count_of(h.id, made) for h in holes]
        for k, (value, count) in enumerate(zip(operation.operands, counts, strict=True)):
            if count > 1 and not isinstance(operands[k], (ast.Name, ast.Constant)):  # computed once
                name = self.variable(self.stem(value))
                self.comment(operation.loc)
                self.write(f"{name} = {ast.unparse(operands[k])}")
                operands[k] = ast.Name(name, ast.Load())
        filled = _Fill({h.id: text for h, text in zip(holes, operands, strict=True)}).visit(made)
        return tidied(ast.parse(ast.unparse(filled), mode="eval").body)

    def constant(self, data: ArrayData) -> ast.expr:
        """A constant array: in the text when it is small, else among the weights."""
        array = data.array
        if scalar_type(array.dtype) == "np.bfloat16":
            raise ArgumentError("NumPy alone has no bfloat16", remedy="save the model in float32")
        if array.size <= FEW:
            return tidied(expression(str(literal(array))))
        same = (n for n, a in self.constants.items() if a.dtype == array.dtype and a.shape == array.shape)
        found = next((n for n in same if self.constants[n].tobytes() == array.tobytes()), None)
        name = found or f"constant.{len(self.constants)}"
        self.constants[name] = array
        return expression(f"WEIGHTS[{name!r}]")

    def operation(self, operation: Operation) -> None:
        """An operation as statements."""
        writer = self.writers.get(operation.name)
        if writer is not None:
            self.comment(operation.loc)
            writer(self, operation)
            self.retell(operation.results)
            return
        self.assign(operation, self.made(operation))

    def assign(self, operation: Operation, made: ast.expr) -> None:
        """`a, b = expression`, under the user's line."""
        self.comment(operation.loc)
        names = [self.name(r) if r.uses else "_" for r in operation.results]
        self.write(f"{', '.join(names)} = {ast.unparse(made)}")
        self.retell([r for r in operation.results if r.uses])

    def hand_over(self, names: list[str], values: list[Value]) -> None:
        """`a, b = x, y`; nothing where each is itself already."""
        pairs = [(n, self.text(v)) for n, v in zip(names, values, strict=True) if n != self.text(v)]
        if pairs:
            self.write(f"{', '.join(n for n, _ in pairs)} = {', '.join(t for _, t in pairs)}")


class _Fill(ast.NodeTransformer):
    """Expressions for the holes of another."""

    def __init__(self, texts: dict[str, ast.expr]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.texts.get(node.id, node))


def _if(printer: FunctionPrinter, operation: Operation) -> None:
    condition = printer.text(operation.operands[0])
    names = [printer.name(r) for r in operation.results]
    for word, block in zip((f"if {condition}:", "else:"), operation.blocks, strict=True):
        start = len(printer.lines)
        printer.write(word)
        with printer.indented():
            body = len(printer.lines)
            printer.block(block)
            printer.hand_over(names, block.yields)
            if len(printer.lines) == body:
                if word == "else:":
                    del printer.lines[start:]
                else:
                    printer.write("pass")


def _carried(printer: FunctionPrinter, operation: Operation, start: list[Value], args: list[Value]) -> list[str]:
    names = [printer.name(r, a.hint or r.hint or printer.stem(r)) for r, a in zip(operation.results, args, strict=True)]
    printer.hand_over(names, start)
    for arg, result in zip(args, operation.results, strict=True):
        printer.texts[arg] = printer.texts[result]
    printer.retell(args)
    return names


def _while(printer: FunctionPrinter, operation: Operation) -> None:
    condition, body = operation.blocks
    names = _carried(printer, operation, operation.operands, body.args)
    for a, b in zip(condition.args, body.args, strict=True):
        printer.texts[a] = printer.texts[b]
    head = len(printer.lines)
    printer.write("while True:")
    with printer.indented():
        first = len(printer.lines)
        printer.block(condition)
        test = condition.yields[0]
        if len(printer.lines) - first <= 2 and _only_test(printer.lines[first:], printer.text(test)):
            simple = printer.lines[-1].partition(" = ")[2]
            del printer.lines[head:]
            printer.depth -= 1
            printer.write(f"while {simple}:")
            printer.depth += 1
        elif len(printer.lines) == first:
            del printer.lines[head:]
            printer.depth -= 1
            printer.write(f"while {printer.text(test)}:")
            printer.depth += 1
        else:
            printer.write(f"if not {printer.text(test)}:")
            printer.write("    break")
        printer.block(body)
        printer.hand_over(names, body.yields)
        printer.retell(body.args)


def _only_test(lines: list[str], test: str) -> bool:
    """Whether lines are (a comment and) the assignment of a loop's test."""
    rest = [line.strip() for line in lines if not line.strip().startswith("#")]
    return len(rest) == 1 and rest[0].startswith(f"{test} = ")


def _for(printer: FunctionPrinter, operation: Operation) -> None:
    (body,) = operation.blocks
    iteration, *args = body.args
    count = printer.text(operation.operands[0])
    names = _carried(printer, operation, operation.operands[1:], args)
    printer.write(f"for {printer.name(iteration, iteration.hint or 'iteration')} in {printer.counter}({count}):")
    with printer.indented():
        start = len(printer.lines)
        printer.block(body)
        printer.hand_over(names, body.yields)
        printer.retell(args)
        if len(printer.lines) == start:
            printer.write("pass")


def _function(printer: FunctionPrinter, operation: Operation) -> None:
    """A function inside the function, which calls itself."""
    (block,) = operation.blocks
    made = printer.functions[operation] = printer.variable(operation.attrs["name"])
    printer.write(f"def {made}({', '.join(printer.name(a) for a in block.args)}):")
    with printer.indented():
        printer.block(block)
        printer.write(f"return ({''.join(f'{printer.text(v)}, ' for v in block.yields)})")
    _called(printer, operation, made)


def _call(printer: FunctionPrinter, operation: Operation) -> None:
    function = callee_of(operation)
    assert function is not None
    _called(printer, operation, printer.functions[function])


def _called(printer: FunctionPrinter, operation: Operation, made: str) -> None:
    names = "".join(f"{printer.name(r)}, " for r in operation.results)
    called = f"{made}({', '.join(printer.text(v) for v in operation.operands)})"
    printer.write(f"({names}) = {called}" if names else called)


def _update(printer: FunctionPrinter, operation: Operation) -> None:
    state, value = operation.operands
    name = printer.program.state[state.index - len(printer.program.feeds)].name
    printer.write(f"WEIGHTS[{name!r}] = np.array({printer.text(value)})")


def _callback(printer: FunctionPrinter, operation: Operation) -> None:
    callee = operation.attrs["callee"]
    hidden = operation.attrs["form"] != "array"
    if hidden and operation.results[-1].uses:
        raise ArgumentError(
            f"{callee} is a PyLayer whose gradient the program takes, which needs its Python class",
            remedy="save the model as an artifact, without format='python'",
        )
    results = operation.results[: len(operation.results) - hidden]
    names = [printer.name(r) for r in results]
    args = ", ".join(printer.text(v) for v in operation.operands)
    called = f"call_python({callee!r}, {len(names)}{', ' if args else ''}{args})"
    printer.write(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {called}" if names else called)


def _check(printer: FunctionPrinter, operation: Operation) -> None:
    printer.write(f"if not {printer.holds.format(printer.text(operation.operands[0]))}:")
    raised = printer.error(operation.attrs["error"], operation.attrs["message"])
    links = operation.attrs.get("links", ())
    if not links:
        printer.write(f"    raise {raised}")
        return
    made = ", ".join([raised, *(printer.error(kind, message) for kind, message in operation.attrs["causes"])])
    printer.write(f"    errors = [{made}]")
    for k, (cause, context, suppressed) in enumerate(links):
        if cause >= 0:
            printer.write(f"    errors[{k}].__cause__ = errors[{cause}]")
        if context >= 0:
            printer.write(f"    errors[{k}].__context__ = errors[{context}]")
        printer.write(f"    errors[{k}].__suppress_context__ = {suppressed}")
    printer.write("    raise errors[0]")


def _bind_size(printer: FunctionPrinter, operation: Operation) -> None:
    (size,) = operation.attrs["defines"]
    printer.texts[operation.results[0]] = printer.texts[operation.operands[0]]
    printer.write(f"{size} = int({printer.text(operation.operands[0])})")


def _list_new(printer: FunctionPrinter, operation: Operation) -> None:
    printer.write(f"{printer.name(operation.results[0])} = ()")


def _list_push(printer: FunctionPrinter, operation: Operation) -> None:
    items, value = (printer.text(v) for v in operation.operands)
    printer.write(f"{printer.name(operation.results[0])} = (*{items}, {value})")


def _list_pop(printer: FunctionPrinter, operation: Operation) -> None:
    items = printer.text(operation.operands[0])
    rest, last = (printer.name(r) for r in operation.results)
    printer.write(f"{rest}, {last} = {items}[:-1], {items}[-1]")


def _group(printer: FunctionPrinter, operation: Operation) -> None:
    (block,) = operation.blocks
    for arg, value in zip(block.args, operation.operands, strict=True):
        printer.texts[arg] = printer.texts[value]
    printer.block(block)
    for result, value in zip(operation.results, block.yields, strict=True):
        printer.texts[result] = printer.texts[value]


FunctionPrinter.writers = {
    "if": _if, "while": _while, "for": _for, "function": _function, "call": _call,
    "update": _update, "callback": _callback, "check": _check,
    "bind_size": _bind_size, "list_new": _list_new, "list_push": _list_push, "list_pop": _list_pop, "group": _group,
}  # fmt: skip


def _names_in_use(program: Program) -> set[str]:
    """Symbols that attributes or constraints mention: the text needs their values."""
    found: set[str] = set()
    for operation in walk(program.body):
        _collect([v for k, v in operation.attrs.items() if k not in ("defines", "outputs", "element")], found)
    for _, dim in program.constraints:
        _collect(dim, found)
    return found


def _collect(thing: Any, found: set[str]) -> None:
    if isinstance(thing, Dim):
        found |= thing.symbols()
    elif isinstance(thing, TensorType):
        _collect(thing.shape, found)
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            _collect(part, found)
