"""Operations as lines over tensors: a call of the row, or Python's operator for it. It writes no function of its own.

Lists are Python's: `append` in forward; gradients read them from the end without changing them, so that one can be
asked for more than once.
"""

from __future__ import annotations

import ast
import builtins
import copy
import keyword
import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from ..base.dtype import DType, of_array
from ..base.errors import ArgumentError
from ..ir.core import Operation, Program, Value, is_list
from ..ops import functions
from ..ops.create import ArrayData
from ..ops.op import Op
from ..ops.sizes import plain_names
from ..ops.types import ListType, TensorType
from .numpy_source.helpers import Helpers, attribute_text, fresh, has_dims, identifier
from .numpy_source.literals import expression, literal
from .numpy_source.printer import WIDTH, FunctionPrinter, Writer

MOST_WRITTEN = 64  # elements of a constant that stands in the text
RESERVED = {*vars(builtins), *keyword.kwlist, "vt", "rows", "np", "CONSTANTS", "CALLBACKS", "call_python", "backward"}
_OPERATORS: dict[str, type[ast.AST]] = {
    "add": ast.Add, "subtract": ast.Sub, "multiply": ast.Mult, "divide": ast.Div, "matmul": ast.MatMult,
    "neg": ast.USub, "less_than": ast.Lt, "less_equal": ast.LtE, "greater_than": ast.Gt, "greater_equal": ast.GtE,
    "equal": ast.Eq, "not_equal": ast.NotEq,
}  # fmt: skip


class TensorPrinter(FunctionPrinter):
    """Writes operations as calls of rows over tensors."""

    counter: ClassVar[str] = "vt.arange"
    holds: ClassVar[str] = "{}"
    writers: ClassVar[dict[str, Writer]] = {}

    def __init__(self, program: Program) -> None:
        super().__init__(program, Helpers(), {})
        self.known = functions()
        self.early: set[Operation] = set()  # operations of the body that stand in the outer function
        self.outer: set[str] = set()  # run-time sizes that the enclosing function assigned
        self.told: set[str] = set()

    @staticmethod
    def error(kind: str, message: str) -> str:
        """An error, made by the name of its class: Python's, or one of the package's."""
        return f"{kind if hasattr(builtins, kind) else f'vt.errors.{kind}'}({message!r})"

    def variable(self, stem: str) -> str:
        """A new variable."""
        made = fresh(identifier(stem), self.taken | self.sizes | RESERVED)
        self.taken.add(made)
        return made

    def stem(self, value: Value) -> str:
        """What a value without a name of its own is called."""
        return "kept" if is_list(value) else super().stem(value)

    def hand_over(self, names: list[str], values: list[Value]) -> None:
        """`a, b = x, y`; where that is too long, a line for each."""
        start = len(self.lines)
        super().hand_over(names, values)
        if len(self.lines) == start or len(self.lines[-1]) <= WIDTH:
            return
        assignment = ast.parse(self.lines.pop().strip()).body[0]
        assert isinstance(assignment, ast.Assign)
        target, value = assignment.targets[0], assignment.value
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            self.write(ast.unparse(assignment))
        elif _one_by_one(target.elts, value.elts):
            for name, part in zip(target.elts, value.elts, strict=True):
                self.write(f"{ast.unparse(name)} = {ast.unparse(part)}")
        else:
            following = [self.variable(f"next_{ast.unparse(name)}") for name in target.elts]
            for made, part in zip(following, value.elts, strict=True):
                self.write(f"{made} = {ast.unparse(part)}")
            for name, made in zip(target.elts, following, strict=True):
                self.write(f"{ast.unparse(name)} = {made}")

    def size_of(self, value: Value, axis: int) -> str:
        """The size of a tensor along an axis."""
        return f"{self.text(value)}.shape[{axis}]"

    def retell(self, values: Iterable[Value]) -> None:
        """Assign run-time sizes that values tell, unless the enclosing function knows them."""
        listed = list(values)
        for k, axis, name in plain_names(v.type for v in listed):
            if name in self.sizes and name not in self.outer:
                self.told.add(name)
                self.write(f"{name} = {self.size_of(listed[k], axis)}")

    # ---- operations

    def deferred(self, operation: Operation) -> bool:
        """As for every function; but nothing moves from the function into the gradient's."""
        users = [user for user, _ in operation.result.uses] if len(operation.results) == 1 else []
        if operation in self.early and users and users[0] not in self.early and _number_of(operation) is None:
            return False
        return super().deferred(operation)

    def scalar(self, operation: Operation) -> ast.expr | None:
        """A constant without axes."""
        if operation.name == "dim_value":
            return expression(f"vt.to_tensor({operation.attrs['dim']}, dtype='int64')")
        found = _number_of(operation)
        if found is None:
            return None
        return expression(f"vt.full([], {found}, '{operation.result.dtype.name}')")

    def made(self, operation: Operation) -> ast.expr:
        """An operation's expression: an operator, a function of this package, or else its row."""
        op, attrs = operation.op, {k: v for k, v in operation.attrs.items() if k != "defines"}
        if operation.name == "constant":
            return self.constant(attrs["data"])
        kind = _OPERATORS.get(op.name)
        if kind is not None and not any(attrs.values()):
            return _operator(kind, self.operator_texts(operation))
        texts = [copy.deepcopy(self.texts[v]) for v in operation.operands]
        fixed = len(op.operands) - op.is_variadic
        given = [*texts[:fixed], *([ast.List(texts[fixed:], ast.Load())] if op.is_variadic else [])]
        words = [ast.keyword(k, _attribute(v)) for k, v in attrs.items() if not _is_default(op, k, v)]
        return ast.Call(expression(self.spelled(op)), given, words)

    def spelled(self, op: Op) -> str:
        """`vt.tanh` where that name means the row itself, else `rows.name`."""
        return f"vt.{op.name}" if self.known.get(op.name) is op else f"rows.{op.name}"

    def operator_texts(self, operation: Operation) -> list[ast.expr]:
        """The operands; a number as Python's own beside a tensor of its dtype."""
        texts = [copy.deepcopy(self.texts[v]) for v in operation.operands]
        numbers = [None if v.operation is None else _number_of(v.operation) for v in operation.operands]
        kind = operation.operands[0].dtype
        plain = kind.is_floating or (kind.is_integer and operation.name != "divide")
        if plain and sum(n is not None for n in numbers) == 1:
            k = next(k for k, n in enumerate(numbers) if n is not None)
            texts[k] = expression(str(numbers[k]))
        return texts

    def constant(self, data: ArrayData) -> ast.expr:
        """A constant array: in the text when it is small."""
        array = data.array
        kind = of_array(array).name
        if array.size <= MOST_WRITTEN and array.dtype.kind in "biuf" and np.isfinite(array).all() and array.size:
            return expression(f"vt.to_tensor({literal(array.tolist())}, dtype='{kind}')")
        same = (n for n, a in self.constants.items() if a.dtype == array.dtype and a.shape == array.shape)
        found = next((n for n in same if self.constants[n].tobytes() == array.tobytes()), None)
        name = found or f"constant{len(self.constants)}"
        self.constants[name] = array
        return expression(f"vt.to_tensor(CONSTANTS[{name!r}], dtype='{kind}')")


def _one_by_one(names: list[ast.expr], values: list[ast.expr]) -> bool:
    """Whether assignments one after the other are the same as all at once: none reads what an earlier one changed."""
    changed: set[str] = set()
    for name, value in zip(names, values, strict=True):
        if any(isinstance(n, ast.Name) and n.id in changed for n in ast.walk(value)):
            return False
        changed.add(ast.unparse(name))
    return True


def _number_of(operation: Operation) -> str | None:
    """The text of a constant without axes; None for other operations."""
    if operation.name == "constant":
        value = operation.attrs["data"].array
    elif operation.name == "full" and operation.attrs["shape"] == ():
        value = np.asarray(operation.attrs["fill_value"], operation.attrs["dtype"].numpy)
    else:
        return None
    if value.ndim or value.dtype.kind not in "biuf":
        return None
    return _number(value[()])


def _number(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        plain = float(value)
        if not math.isfinite(plain):
            return f"float('{plain}')"
        return str(value) if isinstance(value, np.floating) else repr(value)
    return repr(value.item() if isinstance(value, np.generic) else value)


def _is_default(op: Op, key: str, value: Any) -> bool:
    if key not in op.attrs:
        return False
    default = op.attrs[key]
    return type(default) is type(value) and bool(default == value)


def _attribute(value: Any) -> ast.expr:
    """An attribute as an expression; symbolic sizes are variables."""
    match value:
        case DType():
            return expression(f"vt.{value.name}")
        case float() | np.floating():
            return expression(_number(value))
        case tuple() if not has_dims(value):
            return ast.Tuple([_attribute(v) for v in value], ast.Load())
        case ArrayData():
            raise ArgumentError("an attribute is an array")
        case TensorType() | ListType():
            raise ArgumentError("an attribute is a type")
    return attribute_text(value)


def _operator(kind: type[ast.AST], operands: list[ast.expr]) -> ast.expr:
    made: Any = kind()
    if isinstance(made, ast.unaryop):
        return ast.UnaryOp(made, operands[0])
    left, right = operands
    return ast.Compare(left, [made], [right]) if isinstance(made, ast.cmpop) else ast.BinOp(left, made, right)


def _callback(printer: FunctionPrinter, operation: Operation) -> None:
    names = [printer.name(r) if r.uses else "_" for r in operation.results]
    args = "".join(f", {printer.text(v)}" for v in operation.operands)
    called = f"call_python({operation.attrs['callee']!r}{args})"
    printer.write(f"[{', '.join(names)}] = {called}" if names else called)


def _list_push(printer: FunctionPrinter, operation: Operation) -> None:
    items, value = operation.operands
    printer.write(f"{printer.text(items)}.append({printer.text(value)})")
    printer.texts[operation.results[0]] = printer.texts[items]


def _list_new(printer: FunctionPrinter, operation: Operation) -> None:
    (made,) = operation.results
    if len(made.uses) == 1 and next(iter(made.uses))[0].name in ("while", "for"):
        printer.texts[made] = ast.List([], ast.Load())  # it begins with the loop
    else:
        printer.write(f"{printer.name(made)} = []")


def _list_pop(printer: FunctionPrinter, operation: Operation) -> None:
    """Without changing the list: a gradient can be asked for more than once."""
    items = printer.text(operation.operands[0])
    rest, last = operation.results
    printer.texts[rest] = printer.texts[operation.operands[0]]
    printer.write(f"{items}, {printer.name(last, last.hint or 'last')} = {items}[:-1], {items}[-1]")


def _assign_state(printer: FunctionPrinter, operation: Operation) -> None:
    """Nothing here: the function writes its state at the end."""


TensorPrinter.writers = FunctionPrinter.writers | {
    "callback": _callback, "list_push": _list_push, "list_new": _list_new, "list_pop": _list_pop,
    "update": _assign_state,
}  # fmt: skip
