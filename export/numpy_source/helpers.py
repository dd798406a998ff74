"""The rows of a program's ops as NumPy source: an expression where one does, else a helper function of the module."""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import keyword
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtype import DType
from ...base.errors import ArgumentError, DTypeError
from ...ops.create import ArrayData
from ...ops.dims import Dim
from ...ops.op import OPS, Op
from ...ops.types import ListType, TensorType
from .find import assignment_of, is_ours, path_of, peeled, source_of
from .literals import expression, literal
from .specialise import Facts, Specialiser, parameters_of, plain_annotation, single_expression
from .tidy import tidied

LONGEST = 96  # characters of an expression; a longer one becomes a function
_OPERATORS: dict[Any, tuple[type[ast.AST], int]] = {
    np.add: (ast.Add, 2), np.subtract: (ast.Sub, 2), np.multiply: (ast.Mult, 2), np.divide: (ast.Div, 2),
    np.matmul: (ast.MatMult, 2), np.negative: (ast.USub, 1), np.equal: (ast.Eq, 2), np.not_equal: (ast.NotEq, 2),
    np.less: (ast.Lt, 2), np.less_equal: (ast.LtE, 2), np.greater: (ast.Gt, 2), np.greater_equal: (ast.GtE, 2),
}  # fmt: skip
_RESERVED = {*vars(builtins), *keyword.kwlist, "np", "math", "itertools", "functools", "operator", "Any", "self"}


class Names:
    """Names of one module: helpers, constants and the variables of its functions never collide."""

    def __init__(self) -> None:
        self.helpers: set[str] = set(_RESERVED)
        self.variables: set[str] = set()

    def helper(self, stem: str) -> str:
        """A new name for a function or constant of the module."""
        stem = identifier(stem) if not stem.isidentifier() else stem
        stem = f"{stem}_" if stem in _RESERVED else stem
        name = fresh(stem, self.helpers | self.variables)
        self.helpers.add(name)
        return name

    def variable(self, stem: str, taken: set[str]) -> str:
        """A new name for a variable of a function that has the variables `taken`."""
        stem = identifier(stem)
        if stem in OPS:
            stem = f"{stem}_1" if f"{stem}_1" not in taken | self.helpers else stem
        name = fresh(stem, taken | self.helpers | set(OPS))
        self.variables.add(name)
        return name


def identifier(text: str) -> str:
    """The nearest name that Python takes.

    >>> identifier("fc_0.w_0@GRAD"), identifier("0"), identifier("lambda")
    ('fc_0_w_0_GRAD', 'v0', 'lambda_')
    """
    made = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "v"
    made = f"v{made}" if made[0].isdigit() else made
    return f"{made}_" if keyword.iskeyword(made) else made


def fresh(stem: str, taken: set[str]) -> str:
    """`stem`, or `stem_2`, `stem_3`, …"""
    name, k = stem, 1
    while name in taken:
        k += 1
        name = f"{stem}_{k}"
    return name


class Helpers:
    """Collects the functions and constants that a module's text needs, callees first."""

    def __init__(self) -> None:
        self.names = Names()
        self.definitions: dict[str, str] = {}  # functions and constants, each behind what it needs
        self._made: dict[Any, str] = {}
        self._stems: list[str] = []

    # ---- what specialised functions ask for

    def function(self, fn: types.FunctionType, values: Mapping[str, Any]) -> str:
        """The name of `fn` as a function of the module, with the parameters in `values` known."""
        stem = f"_{self._stems[-1].strip('_')}" if fn.__name__ in ("<lambda>", "run", "eager") else fn.__name__
        return self._function(fn, values, {}, stem)

    def constant(self, fn: types.FunctionType, name: str, value: Any) -> str | None:
        """The name of a constant of the module, which `fn` reads: data, or what its module computes with NumPy."""
        text = literal(value)
        if text is None:
            source = assignment_of(fn, name)
            if source is None:
                return None
            specialiser = Specialiser(fn, Facts(), self)
            specialiser.bound = set()
            text = ast.unparse(specialiser.visit(copy.deepcopy(source)))
        key = ("constant", name, text)
        if key not in self._made:
            self._made[key] = made = self.names.helper(name)
            self.definitions[made] = f"{made} = {text}"
        return self._made[key]

    # ---- what programs ask for

    def expression(self, op: Op, operands: Sequence[ast.expr], kinds: Sequence[Any], attrs: dict[str, Any]) -> ast.expr:
        """One operation over operand expressions. ArgumentError for a row that can't be written with NumPy alone."""
        try:
            return self._expression(op, operands, kinds, attrs)
        except ArgumentError as error:
            raise ArgumentError(
                f"{op.name} can't be written as NumPy source: {error.message}",
                remedy="save the model as an artifact, without format='python'",
            ) from error

    def _expression(
        self, op: Op, operands: Sequence[ast.expr], kinds: Sequence[Any], attrs: dict[str, Any]
    ) -> ast.expr:
        fn = peeled(op.eager)
        attrs = {k: None if k == "defines" else v for k, v in attrs.items()}  # a run reads sizes off the arrays
        dtypes = [k.dtype.numpy for k in kinds]
        if any(d.kind == "V" or d.name == "bfloat16" for d in dtypes):
            raise DTypeError("NumPy alone has no bfloat16", remedy="save the model in float32")
        path = path_of(fn)
        if path is not None:
            if fn in _OPERATORS and len(operands) == _OPERATORS[fn][1] and not attrs:
                return _operator(_OPERATORS[fn][0], operands)
            words = [ast.keyword(k, attribute_text(v)) for k, v in attrs.items()]
            return ast.Call(expression(path), list(operands), words)
        if not is_ours(fn):
            raise ArgumentError(f"its kernel is {fn!r}")
        self._stems.append(op.name)
        try:
            made = self._inline(fn, operands, dtypes, attrs)
            return self._call(op, fn, operands, dtypes, attrs) if made is None else made
        finally:
            self._stems.pop()

    def _inline(
        self, fn: types.FunctionType, operands: Sequence[ast.expr], dtypes: Sequence[Any], attrs: dict[str, Any]
    ) -> ast.expr | None:
        if single_expression(source_of(fn)) is None:
            return None
        facts = Facts()
        names = [p for p in inspect.signature(fn).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        rest = [p.name for p in inspect.signature(fn).parameters.values() if p.kind is p.VAR_POSITIONAL]
        for parameter, operand, kind in zip(names, operands, dtypes, strict=False):
            facts.texts[parameter.name] = operand
            facts.dtypes[parameter.name] = kind
        if rest:
            facts.texts[rest[0]] = ast.Tuple(list(operands[len(names) :]), ast.Load())
        extra: dict[str, ast.expr] = {}
        for key, value in attrs.items():
            if key not in inspect.signature(fn).parameters:
                extra[key] = attribute_text(value)
            elif has_dims(value):
                facts.texts[key] = attribute_text(value)
            else:
                facts.values[key] = value
        spread = [p.name for p in inspect.signature(fn).parameters.values() if p.kind is p.VAR_KEYWORD]
        if spread:
            facts.spread[spread[0]] = extra
        before = dict(self.definitions), dict(self._made), set(self.names.helpers)
        specialiser = Specialiser(fn, facts, self)
        body = single_expression(specialiser.node)
        assert body is not None
        made: ast.expr = without_asarray(specialiser.visit(body))
        if len(ast.unparse(made)) > LONGEST:
            self.definitions, self._made, self.names.helpers = before
            return None
        return made

    def _call(
        self, op: Op, fn: types.FunctionType, operands: Sequence[ast.expr], dtypes: Sequence[Any],
        attrs: dict[str, Any],
    ) -> ast.expr:  # fmt: skip
        values = {k: v for k, v in attrs.items() if _is_ours_alone(v)}
        names = [p.name for p in inspect.signature(fn).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        name = self._function(fn, values, dict(zip(names, dtypes, strict=False)), op.name)
        words = [ast.keyword(k, attribute_text(v)) for k, v in attrs.items() if k not in values]
        return ast.Call(ast.Name(name, ast.Load()), list(operands), words)

    def _function(self, fn: types.FunctionType, values: Mapping[str, Any], dtypes: Mapping[str, Any], stem: str) -> str:
        key = (fn, tuple(sorted((k, repr(v), id(v)) for k, v in values.items())), tuple(sorted(dtypes.items())))
        if key in self._made:
            return self._made[key]
        self._made[key] = name = self.names.helper(stem)
        self._stems.append(stem)
        try:
            text = self._definition(fn, values, dict(dtypes), name)
        finally:
            self._stems.pop()
        same = ("text", text.replace(name, "?"))
        if same in self._made:  # the same function after all, for another dtype
            self.names.helpers.discard(name)
            self._made[key] = self._made[same]
        else:
            self._made[same] = name
            self.definitions[name] = text
        return self._made[key]

    def _definition(self, fn: types.FunctionType, values: Mapping[str, Any], dtypes: dict[str, Any], name: str) -> str:
        specialiser = Specialiser(fn, Facts(dict(values), dtypes), self)
        node = specialiser.node
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [ast.Return(specialiser.visit(node.body))]
            returns: ast.expr | None = None
        else:
            body, returns = [], node.returns
            for statement in _with_short_docstring(node.body):
                found = specialiser.visit(statement)
                body += found if isinstance(found, list) else [found]
        made = ast.FunctionDef(
            name=name, args=self._parameters(specialiser, node.args, list(values)), body=body, decorator_list=[],
            returns=ast.Name("Any", ast.Load()) if returns is None else plain_annotation(returns),
        )  # fmt: skip
        return ast.unparse(ast.fix_missing_locations(tidied(made)))

    @staticmethod
    def _parameters(specialiser: Specialiser, args: ast.arguments, dropped: list[str]) -> ast.arguments:
        made = parameters_of(args, dropped)
        made.defaults = [specialiser.visit(d) for d in made.defaults]
        made.kw_defaults = [None if d is None else specialiser.visit(d) for d in made.kw_defaults]
        return made


def attribute_text(value: Any) -> ast.expr:
    """An attribute as an expression; symbolic sizes are variables."""
    if isinstance(value, Dim):
        return expression(str(value))
    if isinstance(value, tuple) and has_dims(value):
        return ast.Tuple([attribute_text(v) for v in value], ast.Load())
    text = literal(value.array if isinstance(value, ArrayData) else value)
    if text is None:
        raise ArgumentError(f"an attribute is a {type(value).__name__}")
    return expression(text)


def has_dims(value: Any) -> bool:
    """Whether an attribute holds a size that isn't a number yet."""
    return isinstance(value, Dim) or (isinstance(value, tuple) and any(has_dims(v) for v in value))


def _is_ours_alone(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_is_ours_alone(v) for v in value)
    return isinstance(value, (DType, TensorType, ListType))


def _operator(kind: type[ast.AST], operands: Sequence[ast.expr]) -> ast.expr:
    made: Any = kind()
    if isinstance(made, ast.unaryop):
        return ast.UnaryOp(made, copy.deepcopy(operands[0]))
    left, right = (copy.deepcopy(x) for x in operands)
    return ast.Compare(left, [made], [right]) if isinstance(made, ast.cmpop) else ast.BinOp(left, made, right)


def without_asarray(node: ast.expr) -> ast.expr:
    """An expression without `np.asarray` around it: NumPy's scalars do as well until values leave the program."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.asarray" and len(node.args) == 1:
        return node if node.keywords else node.args[0]
    return node


def _with_short_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        return body
    line = inspect.cleandoc(first.value.value).partition("\n\n")[0]
    return [ast.Expr(ast.Constant(line)), *body[1:]]
