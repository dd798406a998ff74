"""A function of the op table with what is known put in: attributes, dtypes, closures. What is left is plain NumPy.

A row says what its op means as a Python function over NumPy arrays. Here its source is read, what can be computed
now is computed (`dtype.numpy` becomes `np.float32`, tests of dtypes disappear with the branch not taken), and names of
this package become names of helpers that `helpers.py` writes out in turn.
"""

from __future__ import annotations

import ast
import copy
import inspect
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...base import dtype as dt
from ...base.dtype import DType
from ...base.errors import ArgumentError, VitrifyError
from ...ops.dims import floordiv, maximum, product
from ...ops.infer import assume_at_least
from .find import PACKAGE, Source, is_ours, names_of, path_of, peeled, source_of
from .literals import expression, literal

UNKNOWN: Any = object()
SIZES = {floordiv: "//", assume_at_least: ">=", maximum: "max", product: "math.prod"}  # in a run all sizes are numbers
_FOLDED = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.Slice)
_PURE = (len, int, float, bool, max, min, tuple, sum, abs, np.dtype, np.result_type)


class Namer(Protocol):
    """Who gives names to what a specialised function calls and reads."""

    def function(self, fn: types.FunctionType, values: Mapping[str, Any]) -> str:
        """The name of a helper: `fn` with some parameters known."""

    def constant(self, fn: types.FunctionType, name: str, value: Any) -> str | None:
        """The name of a constant that `fn` reads under `name`; None where it can't be written."""


@dataclass
class Facts:
    """What is known of a function's parameters.

    values: what they are; dtypes: of the arrays in them; texts: expressions that stand for them; spread: of `**rest`.
    """

    values: dict[str, Any] = field(default_factory=dict)
    dtypes: dict[str, np.dtype[Any]] = field(default_factory=dict)
    texts: dict[str, ast.expr] = field(default_factory=dict)
    spread: dict[str, dict[str, ast.expr]] = field(default_factory=dict)


class Specialiser(ast.NodeTransformer):
    """Rewrites the body of one function."""

    def __init__(self, fn: types.FunctionType, facts: Facts, namer: Namer, depth: int = 0) -> None:
        self.fn = fn
        self.facts = facts
        self.namer = namer
        self.depth = depth
        self.node: Source = copy.deepcopy(source_of(fn))
        self.known = names_of(fn)
        bound = {n.id for n in ast.walk(self.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.bound = bound | {n.arg for n in ast.walk(self.node) if isinstance(n, ast.arg)}
        for name in bound:
            facts.dtypes.pop(name, None)
            if name in facts.values or name in facts.texts:
                raise ArgumentError(f"{fn.__qualname__} assigns its parameter {name!r}")

    # ---- what is known

    def value(self, node: ast.expr) -> Any:
        """What an expression evaluates to, if that can be said now; else UNKNOWN."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._name(node.id)
            case ast.Attribute(value=ast.Name(id=name), attr="dtype") if name in self.facts.dtypes:
                return self.facts.dtypes[name]
            case ast.Attribute():
                base = self.value(node.value)
                return UNKNOWN if base is UNKNOWN else getattr(base, node.attr, UNKNOWN)
            case ast.IfExp():
                test = self.value(node.test)
                return UNKNOWN if test is UNKNOWN else self.value(node.body if test else node.orelse)
            case ast.BoolOp():
                return self._bool(node)
            case ast.Call():
                return self._called(node)
        return self._computed(node) if isinstance(node, _FOLDED) else UNKNOWN

    def _name(self, name: str) -> Any:
        if name in self.facts.values:
            return self.facts.values[name]
        return UNKNOWN if name in self.bound else self.known.get(name, UNKNOWN)

    def _bool(self, node: ast.BoolOp) -> Any:
        found: Any = UNKNOWN
        for part in node.values:
            found = self.value(part)
            if found is UNKNOWN or bool(found) is isinstance(node.op, ast.Or):
                return found
        return found

    def _computed(self, node: ast.expr) -> Any:
        children = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
        values = [self.value(c) for c in children]
        if any(v is UNKNOWN for v in values):
            return UNKNOWN
        made = copy.copy(node)
        names = {id(c): f"v{k}" for k, c in enumerate(children)}
        for key, old in ast.iter_fields(node):
            if isinstance(old, list):
                setattr(made, key, [ast.Name(names[id(c)], ast.Load()) if id(c) in names else c for c in old])
            elif id(old) in names:
                setattr(made, key, ast.Name(names[id(old)], ast.Load()))
        if isinstance(made, ast.Slice):
            return slice(*(v for v in (self._part(node, k) for k in ("lower", "upper", "step"))))
        code = compile(ast.fix_missing_locations(ast.Expression(made)), "", "eval")
        try:
            return eval(code, {f"v{k}": v for k, v in enumerate(values)})
        except Exception:  # broad: whatever it is, it will be raised when the generated code runs
            return UNKNOWN

    def _part(self, node: ast.expr, key: str) -> Any:
        part = getattr(node, key)
        return None if part is None else self.value(part)

    def _called(self, node: ast.Call) -> Any:
        fn = self.value(node.func)
        if fn is isinstance and len(node.args) == 2:  # what the generated code handles is never of our classes
            kind = self.value(node.args[1])
            return False if isinstance(kind, type) and kind.__module__.partition(".")[0] == PACKAGE else UNKNOWN
        if fn is dt.of_array and len(node.args) == 1:
            found = self._dtype_of(node.args[0])
            return UNKNOWN if found is None else dt.as_dtype(found)
        if not (is_ours(fn) or any(fn is p for p in _PURE)) or not (node.args or node.keywords):
            return UNKNOWN
        given = [self.value(a) for a in node.args]
        named = {str(k.arg): self.value(k.value) for k in node.keywords}
        if any(v is UNKNOWN or isinstance(v, types.FunctionType) for v in (*given, *named.values())):
            return UNKNOWN
        if any(k.arg is None for k in node.keywords):
            return UNKNOWN
        try:
            return fn(*given, **named)
        except Exception:  # broad: whatever it is, it will be raised when the generated code runs
            return UNKNOWN

    def _dtype_of(self, node: ast.expr) -> np.dtype[Any] | None:
        return self.facts.dtypes.get(node.id) if isinstance(node, ast.Name) else None

    # ---- rewriting

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node: by its value where that is known and can be written down."""
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            value = self.value(node)
            if value is not UNKNOWN:
                made = self._written(node, value)
                if made is not None:
                    return made
        return super().visit(node)

    def _written(self, node: ast.expr, value: Any) -> ast.expr | None:
        if isinstance(node, (ast.Constant, ast.Slice)):
            return None
        if isinstance(node, ast.Subscript) and isinstance(value, type):
            return None
        value = peeled(value)
        path = path_of(value)
        if path is not None:
            return expression(path)
        if is_ours(value):
            return ast.Name(self.namer.function(value, {}), ast.Load())
        if (
            isinstance(node, ast.Name)
            and node.id not in self.facts.values
            and node.id not in self.fn.__code__.co_freevars
        ):
            name = self.namer.constant(self.fn, node.id, value)
            return None if name is None else ast.Name(name, ast.Load())
        text = literal(value)
        return None if text is None else expression(text)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A parameter's text; what is of this package and neither data nor a function can't be written."""
        if node.id in self.facts.texts and isinstance(node.ctx, ast.Load):
            return copy.deepcopy(self.facts.texts[node.id])
        if self._name(node.id) is not UNKNOWN and isinstance(node.ctx, ast.Load):
            raise ArgumentError(f"{self.fn.__qualname__} uses {node.id}, which is no plain data")
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """The branch that is taken, where that is known."""
        test = self.value(node.test)
        return self.generic_visit(node) if test is UNKNOWN else self.visit(node.body if test else node.orelse)

    def visit_If(self, node: ast.If) -> Any:
        """The statements of the branch that is taken, where that is known."""
        test = self.value(node.test)
        if test is UNKNOWN:
            return self.generic_visit(node)
        made: list[ast.stmt] = []
        for statement in node.body if test else node.orelse:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Without the leading parts that decide nothing."""
        rest = list(node.values)
        while len(rest) > 1 and self.value(rest[0]) is not UNKNOWN:  # decided: the others are looked at
            rest.pop(0)
        visited = [self.visit(v) for v in rest]
        return visited[0] if len(visited) == 1 else ast.BoolOp(node.op, visited)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Annotations are for readers: only those that a reader without this package understands are kept."""
        node.annotation = plain_annotation(node.annotation)
        node.target = self.visit(node.target)
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Calls of small functions of this package in place; of others as helpers; of errors without remedies."""
        fn = self.value(node.func)
        if isinstance(fn, type) and issubclass(fn, VitrifyError):
            node.keywords = []
        node.keywords = [k for word in node.keywords for k in self._spread(word)]
        fn = peeled(fn)
        if fn in SIZES:
            return self._size(SIZES[fn], [self.visit(a) for a in node.args])
        if is_ours(fn):
            inlined = self._inlined(fn, node)
            return self._helper_call(fn, node) if inlined is None else inlined
        return self.generic_visit(node)

    @staticmethod
    def _size(spelling: str, args: list[ast.expr]) -> ast.expr:
        if spelling == "//":
            return ast.BinOp(args[0], ast.FloorDiv(), args[1])
        if spelling == ">=":
            return ast.Compare(args[0], [ast.GtE()], [args[1]])
        return ast.Call(expression(spelling), args, [])

    def _spread(self, word: ast.keyword) -> list[ast.keyword]:
        name = word.value.id if word.arg is None and isinstance(word.value, ast.Name) else None
        if name is None or name not in self.facts.spread:
            return [word]
        return [ast.keyword(k, _written(v)) for k, v in self.facts.spread[name].items()]

    def visit_Written(self, node: Written) -> ast.expr:
        """What is written already stays."""
        return copy.deepcopy(node.value)

    def _inlined(self, fn: types.FunctionType, node: ast.Call) -> ast.expr | None:
        definition = source_of(fn)
        body = single_expression(definition)
        if body is None or self.depth > 4 or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        try:
            bound = inspect.signature(fn).bind(*node.args, **{str(k.arg): k.value for k in node.keywords})
        except TypeError:
            return None
        facts = Facts()
        for name, parameter in inspect.signature(fn).parameters.items():
            given = bound.arguments.get(name)
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                return None
            if given is None:
                facts.values[name] = parameter.default
                continue
            value = self.value(given)
            if value is not UNKNOWN:
                facts.values[name] = value
                continue
            kind = self._dtype_of(given)
            if kind is not None:
                facts.dtypes[name] = kind
            text = self.visit(copy.deepcopy(given))
            if not isinstance(text, (ast.Name, ast.Constant)) and count_of(name, body) > 1:
                return None
            facts.texts[name] = text
        inner = Specialiser(fn, facts, self.namer, self.depth + 1)
        made = single_expression(inner.node)
        assert made is not None
        found: ast.expr = inner.visit(made)
        return found

    def _helper_call(self, fn: types.FunctionType, node: ast.Call) -> ast.expr:
        names = list(inspect.signature(fn).parameters)
        values: dict[str, Any] = {}
        args: list[ast.expr] = []
        for k, arg in enumerate(node.args):
            value = self.value(arg)
            if _must_be_known(value) and k < len(names):
                values[names[k]] = value
            else:
                args.append(self.visit(arg))
        keywords: list[ast.keyword] = []
        for word in node.keywords:
            value = self.value(word.value)
            if word.arg is not None and _must_be_known(value):
                values[word.arg] = value
            else:
                keywords.append(ast.keyword(word.arg, self.visit(word.value)))
        return ast.Call(ast.Name(self.namer.function(fn, values), ast.Load()), args, keywords)


class Written(ast.expr):
    """An expression that is in its final form."""

    _fields = ("value",)
    value: ast.expr


def _written(value: ast.expr) -> Written:
    made = Written()
    made.value = value
    return made


def _must_be_known(value: Any) -> bool:
    """Whether a value can't be handed over in a file without this package: it is put into a copy of the function."""
    if value is UNKNOWN:
        return False
    return isinstance(value, (DType, types.FunctionType)) or (literal(value) is None and path_of(value) is None)


def single_expression(node: Source) -> ast.expr | None:
    """What a function returns, if that is all it does."""
    if isinstance(node, ast.Lambda):
        return node.body
    body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def count_of(name: str, node: ast.AST) -> int:
    """How often a name is read; more than once inside a comprehension."""
    return sum(
        (1 + isinstance(node, (ast.GeneratorExp, ast.ListComp))) * (isinstance(n, ast.Name) and n.id == name)
        for n in ast.walk(node)
    )


_PLAIN = {"Any", "int", "float", "bool", "str", "tuple", "list", "dict", "None", "complex", "slice"}


def plain_annotation(node: ast.expr) -> ast.expr:
    """An annotation of built-in types; `Any` instead of everything else."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    attributes = any(isinstance(n, ast.Attribute) for n in ast.walk(node))
    return node if names <= _PLAIN and not attributes else ast.Name("Any", ast.Load())


def parameters_of(args: ast.arguments, dropped: Sequence[str]) -> ast.arguments:
    """The parameters of a helper: without those that are known, with plain annotations."""
    made = copy.deepcopy(args)
    positional = [*made.posonlyargs, *made.args]
    defaults = dict(
        zip([a.arg for a in positional[len(positional) - len(made.defaults) :]], made.defaults, strict=True)
    )
    made.posonlyargs = []
    made.args = [a for a in positional if a.arg not in dropped]
    made.defaults = [defaults[a.arg] for a in made.args if a.arg in defaults]
    pairs = [(a, d) for a, d in zip(made.kwonlyargs, made.kw_defaults, strict=True) if a.arg not in dropped]
    made.kwonlyargs, made.kw_defaults = [a for a, _ in pairs], [d for _, d in pairs]
    for arg in (*made.args, *made.kwonlyargs, made.vararg, made.kwarg):
        if arg is not None:
            arg.annotation = ast.Name("Any", ast.Load()) if arg.annotation is None else plain_annotation(arg.annotation)
    return made
