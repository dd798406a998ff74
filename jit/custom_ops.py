"""`register_op`: an op of the user's own, a row of the table like any other, tried before it counts."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, as_dtype
from ..base.errors import ArgumentError, GradientError, KindError
from ..ops import functions
from ..ops.families import Samples, elementwise
from ..ops.lowering import Scalar
from ..ops.op import NONDIFFERENTIABLE, OPS, OWN_OPS, Op, row
from .debug.slopes import wrong_slope

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
Array = np.ndarray[Any, Any]


def register_op(
    name: str, scalar: str | None = None, *, grad: Callable[..., Any] | None, operands: str = "x",
    eager: Callable[..., Any] | None = None, infer: Callable[..., Any] | None = None,
    attrs: dict[str, Any] | None = None,
    dtypes: Sequence[Any] = FLOATS, low: float = -2.0, high: float = 2.0, doc: str = "", replace: bool = False,
) -> Op:  # fmt: skip
    """Add an op of your own to the table; returns it, to be called on tensors: eager, captured or in static programs.

    scalar: one element of the result as an expression of the operands' elements `{0}`, `{1}`, …, for elementwise ops:
    operators, `a if c else b`, `abs`, `min`, `max`, `math.exp` and the like (erf, sigmoid, rsqrt, too), attributes as
    `{name}`. It is compiled into kernels and fuses with its neighbours. Without it, `eager` (of NumPy arrays)
    and `infer` (from the operands' types to the result's) are the op, which runs on NumPy inside programs.
    grad: a function `(g, y, *operands, **attrs)` to the operands' gradients, written with tensors' operators and
    vitrify's functions; broadcasting is seen to. None: the op has no gradient. operands: their names. eager: with
    `scalar`, NumPy's form of it (None: made from the expression). low, high: where the op is tried.
    Before it counts, the op is tried on random operands: `scalar` against `eager`, `grad` against finite differences.
    Saved programs name the op; load them after it is registered.
    Errors: ArgumentError for a name that is taken (replace=True takes it over), or an expression that can't be; the two
    forms differing; GradientError for a wrong gradient.

    >>> swish = register_op("swish_twice", "{0} / (1.0 + math.exp(-2.0 * {0}))", grad=lambda g, y, x: g * (
    ...     y / x + 2.0 * y * (1.0 - y / x)), low=0.1)
    >>> from vitrify.dygraph.conversions import to_tensor
    >>> round(float(swish(to_tensor(1.0))), 4)
    0.8808
    >>> unregister_op("swish_twice")
    """
    _check_name(name, replace)
    rule = NONDIFFERENTIABLE if grad is None else _several(grad)
    kinds = [as_dtype(d) for d in dtypes]
    if scalar is not None and not set(kinds) <= set(FLOATS):
        raise ArgumentError(f"{name}: a scalar expression is of float32 and float64", remedy="give eager and infer")
    doc = doc or f"An op of the user's own: {scalar or getattr(eager, '__name__', '')}."
    before = OPS.pop(name, None)
    try:
        if scalar is not None:
            template, run = _vectorised(scalar, operands.split(), attrs or {})
            made = elementwise(
                name, doc, eager=eager or run, vjp=rule, scalar=Scalar(template), operands=operands, attrs=attrs,
                dtypes=kinds, samples=Samples(low, high), method=False, public=False,
            )  # fmt: skip
            _try(made, run if eager is not None else None)
        elif eager is None or infer is None:
            raise ArgumentError(f"{name}: an op needs a scalar expression, or eager and infer")
        else:
            made = row(name, doc, operands, infer=infer, eager=eager, vjp=rule, attrs=attrs or {}, method=False,
                       public=False)  # fmt: skip
    except BaseException:  # broad: whatever is wrong with it, the table is as before
        OPS.pop(name, None)
        if before is not None:
            OPS[name] = before
        raise
    OWN_OPS[name] = made
    return made


def unregister_op(name: str) -> None:
    """Take an op of your own out of the table. Programs that have it stay as they are.

    Errors: ArgumentError for an op that isn't your own.
    """
    if name not in OWN_OPS:
        raise ArgumentError(f"{name!r} is no op that register_op made")
    del OWN_OPS[name], OPS[name]


def _check_name(name: str, replace: bool) -> None:
    if not isinstance(name, str):
        raise KindError(f"the name of an op is a str, not {type(name).__name__}")
    if not _NAME.match(name):
        raise ArgumentError(f"{name!r} can't name an op", remedy="use small letters, digits and underscores")
    if name in OWN_OPS and replace:
        return
    if name in OPS or name in functions():
        raise ArgumentError(
            f"there is an op {name!r} already",
            remedy="pass replace=True" if name in OWN_OPS else "choose a name of your own",
        )


def _several(grad: Callable[..., Any]) -> Callable[..., Any]:
    """A gradient rule that gives a tuple, also where the user's gives one gradient."""

    def vjp(g: Any, y: Any, *xs: Any, **attrs: Any) -> tuple[Any, ...]:
        made = grad(g, y, *xs, **attrs)
        found = tuple(made) if isinstance(made, (tuple, list)) else (made,)
        if len(found) != len(xs):
            raise GradientError(f"the gradient gives {len(found)} gradients for {len(xs)} operands")
        return found

    return vjp


# ---- the expression


def _vectorised(template: str, operands: Sequence[str], attrs: dict[str, Any]) -> tuple[str, Callable[..., Array]]:
    """The template as kernels take it, and the same over whole arrays."""
    names = {str(k): f"_operand{k}" for k in range(len(operands))} | {a: f"_attr_{a}" for a in attrs} | {"T": "_cast"}
    try:
        text = template.format(*[names[str(k)] for k in range(len(operands))], **{k: v for k, v in names.items()
                                                                                  if not k.isdigit()})  # fmt: skip
        tree = ast.parse(text, mode="eval")
    except (KeyError, IndexError) as error:
        known = ", ".join("{" + k + "}" for k in names)
        raise ArgumentError(f"{template!r} has {{{error.args[0]}}}; there are {known}") from None
    except SyntaxError as error:
        raise ArgumentError(f"{template!r} isn't an expression: {error.msg}") from None
    _check_expression(tree, template, set(names.values()))
    over_arrays = _Arrays().visit(tree).body

    def run(*xs: Array, **given: Any) -> Array:
        dtype = xs[0].dtype
        space: dict[str, Any] = {f"_operand{k}": x for k, x in enumerate(xs)}
        space |= {f"_attr_{k}": dtype.type(v) if isinstance(v, float) else v for k, v in given.items()}
        space |= _SPACE | {"_cast": dtype.type}
        return np.asarray(_evaluated(over_arrays, space)).astype(dtype, copy=False)

    return _kernel_text(text, names), run


def _kernel_text(text: str, names: dict[str, str]) -> str:
    """The expression as kernels take it: functions of the prelude, and numbers of the operands' type, not float64."""
    made = ast.unparse(_InKernels().visit(ast.parse(text, mode="eval")))
    for short, long in sorted(names.items(), key=lambda item: -len(item[1])):
        made = re.sub(rf"\b{long}\b", "{" + short + "}", made)
    return re.sub(r"\b_typed_(\w+)\b", r"\1_{t}", made)


class _InKernels(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return node if isinstance(node.value, bool) else _call("_cast", node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _call("select", node.test, node.body, node.orelse)  # both are computed: it vectorises

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _call("_typed_pow", node.left, node.right) if isinstance(node.op, ast.Pow) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr in _NUMBERS:
            return _call("_cast", ast.Constant(_NUMBERS[node.attr]))
        return ast.Name(f"_typed_{_PRELUDE.get(node.attr, node.attr)}", ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"_typed_{_PRELUDE[node.id]}", ast.Load()) if node.id in _PRELUDE else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "_cast":
            return node
        return self.generic_visit(node)


_PRELUDE = {"abs": "abs", "fabs": "abs", "min": "minimum", "max": "maximum"}  # where kernels have another name
_NUMBERS = {"pi": math.pi, "e": math.e}
_FUNCTIONS = (
    "exp", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "floor", "ceil", "pow", "erf", "sigmoid", "sign",
)  # fmt: skip
_SPACE = {
    "math": SimpleNamespace(**{name: OPS[name].eager for name in _FUNCTIONS}, fabs=np.abs, **_NUMBERS),
    "_where": np.where, "_and": np.logical_and, "_or": np.logical_or, "_not": np.logical_not, "abs": np.abs,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip
_ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.IfExp, ast.Compare, ast.Call, ast.Name, ast.Attribute,
    ast.Constant, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip


def _check_expression(tree: ast.AST, template: str, names: set[str]) -> None:
    for node in ast.walk(tree):
        wrong: ast.AST | None = None if isinstance(node, _ALLOWED) else node
        if isinstance(node, ast.Name) and node.id not in {*names, "math", "abs", "min", "max"}:
            wrong = node
        if isinstance(node, ast.Attribute) and (
            not isinstance(node.value, ast.Name) or node.value.id != "math" or not hasattr(_SPACE["math"], node.attr)
        ):
            wrong = node
        if isinstance(node, ast.Constant) and type(node.value) not in (int, float, bool):
            wrong = node
        if wrong is not None:
            shown = ast.unparse(wrong) if isinstance(wrong, ast.expr) else type(wrong).__name__
            raise ArgumentError(
                f"{shown!r} can't stand in the scalar expression {template!r}",
                remedy="use {0}, operators, `a if c else b`, abs, min, max and functions of math",
            )


class _Arrays(ast.NodeTransformer):
    """Python's choices between numbers as NumPy's between elements."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _call("_where", node.test, node.body, node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        made = node.values[0]
        for value in node.values[1:]:
            made = _call("_and" if isinstance(node.op, ast.And) else "_or", made, value)
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("_not", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        left, made = node.left, None
        for op, right in zip(node.ops, node.comparators, strict=True):
            part: ast.expr = ast.Compare(left, [op], [right])
            made, left = part if made is None else _call("_and", made, part), right
        assert made is not None
        return made


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip


def _evaluated(node: ast.AST, space: dict[str, Any]) -> Any:
    """The value of an expression over arrays; nothing of it is executed as Python."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return space[node.id]
    if isinstance(node, ast.Attribute):
        return getattr(space["math"], node.attr)
    if isinstance(node, ast.Call):
        return _evaluated(node.func, space)(*[_evaluated(a, space) for a in node.args])
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_evaluated(node.left, space), _evaluated(node.right, space))
    if isinstance(node, ast.UnaryOp):
        return _OPERATORS[type(node.op)](_evaluated(node.operand, space))
    assert isinstance(node, ast.Compare)
    return _OPERATORS[type(node.ops[0])](_evaluated(node.left, space), _evaluated(node.comparators[0], space))


# ---- the trial


def _try(op: Op, by_scalar: Callable[..., Array] | None) -> None:
    """Errors: ArgumentError where the two forms differ, GradientError where the gradient is wrong."""
    attrs = dict(op.attrs)
    for sample in op.samples():
        arrays = [np.asarray(a) for a in sample.args]
        with np.errstate(all="ignore"):
            expected = np.asarray(op.eager(*arrays, **attrs))
            found = expected if by_scalar is None else by_scalar(*arrays, **attrs)
        if expected.shape != np.broadcast_shapes(*[a.shape for a in arrays]):
            raise ArgumentError(f"{op.name}: eager gives shape {list(expected.shape)} for {[a.shape for a in arrays]}")
        fine = np.isclose(found, expected, rtol=1e-3, atol=1e-5, equal_nan=True)
        if not fine.all():
            k = tuple(np.argwhere(~fine)[0])
            at = ", ".join(repr(np.broadcast_to(a, expected.shape)[k].item()) for a in arrays)
            raise ArgumentError(
                f"{op.name}({at}) is {expected[k].item()!r} by eager and {found[k].item()!r} by the scalar expression"
            )
        slope = wrong_slope(op, arrays, attrs, strict=True) if sample.smooth and op.is_differentiable else None
        if slope is not None:
            raise GradientError(f"{op.name}: {slope}", remedy="look at grad")
