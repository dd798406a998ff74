"""`vt.rewrite`: the user's own rules, as text or as functions, tried on random and special inputs before they count."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, NUMBERS, DType, as_dtype, bool_
from ..base.errors import ArgumentError, RuleError, VitrifyError
from ..ir.builder import new_program
from ..ir.interpret import interpret
from ..ops import functions
from ..ops.op import OPS
from ..ops.types import TensorType
from .algebra.rules import Pattern, Rule
from .autodiff import vjp_block_values
from .extensions import drop_rule, is_on, put_rule, switch_rule

_WILD = re.compile(r"\?([A-Za-z_][A-Za-z_0-9]*)")
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "pow",
    ast.FloorDiv: "floor_divide", ast.Mod: "remainder",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "less_than", ast.LtE: "less_equal", ast.Gt: "greater_than", ast.GtE: "greater_equal", ast.Eq: "equal",
    ast.NotEq: "not_equal",
}  # fmt: skip
_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan)
_SHAPES: dict[int, list[Any]] = {1: [((3, 4),), ((),)], 2: [((3, 4), (3, 4)), ((3, 1), (4,)), ((), (2, 3))]}
Array = np.ndarray[Any, Any]
Sides = Callable[..., tuple[Any, Any]]


class UserRule:
    """A rule in force. `enabled` switches it for what is compiled from then on; `remove()` takes it away.

    As a decorator of a function it takes that function's name and docstring.
    """

    def __init__(self, rule: Rule, tolerance: float) -> None:
        self.rule = rule
        self.tolerance = tolerance

    @property
    def name(self) -> str:
        """What dumps, `verify` and `vt.passes.user_rules()` call it."""
        return self.rule.name

    @property
    def enabled(self) -> bool:
        """Whether it applies."""
        return is_on(self.name)

    @enabled.setter
    def enabled(self, on: bool) -> None:
        switch_rule(self.name, on)

    @contextmanager
    def disabled(self) -> Iterator[None]:
        """Leave the rule out inside the block."""
        before, self.enabled = self.enabled, False
        try:
            yield
        finally:
            self.enabled = before

    def remove(self) -> None:
        """Take the rule away."""
        drop_rule(self.name)

    def __call__(self, fn: Callable[..., Any]) -> UserRule:
        drop_rule(self.name)
        old = self.rule
        self.rule = Rule(fn.__name__, inspect.getdoc(fn) or "", old.fn, old.dtypes, old.compiled)
        put_rule(self.rule)
        return self

    def __repr__(self) -> str:
        return f"<rule {self.name}: {', '.join(d.name for d in self.rule.dtypes)}{'' if self.enabled else ', off'}>"


def rewrite(
    before: str | Callable[..., Any] | None = None, after: Callable[..., Any] | None = None, *, name: str | None = None,
    dtypes: Sequence[Any] | None = None, tolerance: float = 0.0, special: bool = True, gradient: bool = True,
) -> Any:  # fmt: skip
    """Add a rule to the pipeline of what is compiled from now on: where a program has `before`, it gets `after`.

    Three ways to write one: text, `"mul(?x, 2) -> add(?x, ?x)"`, with `?x` for any tensor, operators and the names of
    elementwise ops; a function from tensors to the pair (before, after), for which this is a decorator (with
    options, too); two functions. Gives the UserRule.
    The rule is tried first: value, shape and dtype of both sides on random inputs, on broadcast ones, and on zeros of
    both signs, infinities and NaN, to the bit; gradients of both sides. dtypes: those that it is for (None: all numbers
    that both sides take). tolerance: how far floats may differ, in parts of their size. special: whether it must hold
    for special values; gradient: whether the gradients must agree, too.
    Errors: RuleError for a rule that doesn't hold, with an input that shows it; ArgumentError for text that is no rule.

    >>> rule = rewrite("exp(?x) * exp(?y) -> exp(?x + ?y)", name="one_exp", tolerance=1e-4, special=False)
    >>> rule.name, rule.enabled
    ('one_exp', True)
    >>> rule.remove()
    """
    doc = ""
    if before is None:
        return lambda fn: rewrite(fn, name=name, dtypes=dtypes, tolerance=tolerance, special=special, gradient=gradient)
    if isinstance(before, str):
        if after is not None:
            raise ArgumentError("a rule in text has both sides in it", remedy='write "before -> after"')
        sides, doc = _from_text(before), before
        name = name or re.sub(r"\W+", "_", before).strip("_")
    elif after is None:
        sides, doc, name = before, inspect.getdoc(before) or "", name or before.__name__
    else:
        sides = _joined(before, after)
        name = name or getattr(before, "__name__", "rule").replace("<lambda>", "rule")
    chosen = NUMBERS if dtypes is None else tuple(as_dtype(d) for d in dtypes)
    rule = Rule(name, doc, sides, _usable(sides, name, chosen, dtypes is not None))
    _Trial(rule, tolerance, special, gradient).run()
    put_rule(rule)
    return UserRule(rule, tolerance)


def _joined(before: Callable[..., Any], after: Callable[..., Any]) -> Sides:
    given, taken = inspect.signature(before), inspect.signature(after)
    if list(given.parameters) != list(taken.parameters):
        raise ArgumentError(f"the two sides of a rule take the same arguments, not {given} and {taken}")

    def sides(*wild: Any) -> tuple[Any, Any]:
        return before(*wild), after(*wild)

    sides.__dict__["__signature__"] = given
    return sides


# ---- text


def _from_text(text: str) -> Sides:
    """The function of a rule in text."""
    parts = text.split("->")
    if len(parts) != 2:
        raise ArgumentError(
            f"{text!r} isn't a rule", remedy='write "before -> after", as in "mul(?x, 2) -> add(?x, ?x)"'
        )
    names = list(dict.fromkeys(_WILD.findall(parts[0])))
    strange = [n for n in _WILD.findall(parts[1]) if n not in names]
    if strange:
        raise ArgumentError(f"?{strange[0]} stands only behind the arrow of {text!r}")
    trees = []
    for part in parts:
        try:
            trees.append(ast.parse(_WILD.sub(r"_wild_\1", part.strip()), mode="eval").body)
        except SyntaxError as error:
            raise ArgumentError(f"{part.strip()!r} in a rule: {error.msg}") from None
    table = dict(OPS) | functions()
    for tree in trees:
        _check_names(tree, table, text)

    def sides(*wild: Any) -> tuple[Any, Any]:
        known = {f"_wild_{n}": w for n, w in zip(names, wild, strict=True)}
        return _value(trees[0], known, table), _value(trees[1], known, table)

    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names]
    sides.__dict__["__signature__"] = inspect.Signature(parameters)
    return sides


def _check_names(tree: ast.expr, table: dict[str, Any], text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in table):
            shown = ast.unparse(node.func).replace("_wild_", "?")
            raise ArgumentError(f"{text!r}: there is no op {shown!r}", remedy="use the names of vitrify's functions")
        if isinstance(node, ast.Name) and not node.id.startswith("_wild_") and node.id not in table:
            raise ArgumentError(
                f"{text!r}: {node.id!r} is neither ?{node.id} nor an op", remedy="mark tensors with `?`"
            )


def _value(node: ast.expr, known: dict[str, Any], table: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand, known, table)
        return OPS["neg"](inner) if isinstance(inner, Pattern) else -inner
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return OPS[_BINARY[type(node.op)]](_value(node.left, known, table), _value(node.right, known, table))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        left, right = _value(node.left, known, table), _value(node.comparators[0], known, table)
        return OPS[_COMPARE[type(node.ops[0])]](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        args = [_value(a, known, table) for a in node.args]
        named = {k.arg: _value(k.value, known, table) for k in node.keywords if k.arg is not None}
        return table[node.func.id](*args, **named)
    shown = ast.unparse(node).replace("_wild_", "?")
    raise ArgumentError(f"{shown!r} can't stand in a rule", remedy="use ops, + - * / **, numbers and ?names")


def _usable(sides: Sides, name: str, dtypes: Sequence[DType], insist: bool) -> tuple[DType, ...]:
    """Those dtypes for which both sides exist."""
    found, failure = [], None
    for dtype in dtypes:
        try:
            before, after, _ = Rule(name, "", sides, (dtype,))._compile(dtype)
        except VitrifyError as error:
            failure = error
            if insist:
                raise
            continue
        if not isinstance(before, Pattern) or before.op is None:
            raise ArgumentError(f"{name}: what stands before the arrow must be an operation")
        if isinstance(after, Pattern):
            found.append(dtype)
    if not found:
        raise ArgumentError(
            f"{name} fits no dtype" + (f": {failure.message}" if failure else ""),
            remedy="rules are of elementwise ops; write a pass for anything else",
        )
    return tuple(found)


# ---- the trial


class _Trial:
    """Both sides of a rule on inputs of every kind."""

    def __init__(self, rule: Rule, tolerance: float, special: bool, gradient: bool) -> None:
        self.rule = rule
        self.tolerance = tolerance
        self.special = special
        self.gradient = gradient

    def run(self) -> None:
        """Errors: RuleError with a counterexample."""
        for dtype in self.rule.dtypes:
            sides = self.rule.sides(dtype)
            assert sides is not None
            before, after, wild = sides
            if before.dtype is not after.dtype:
                raise self._refused(f"for {dtype.name} it turns {before.dtype.name} into {after.dtype.name}")
            for arrays in self._inputs(wild):
                self._compare(before, after, dict(zip(wild, arrays, strict=True)))
            if self.gradient and dtype in FLOATS:
                self._compare_gradients(sides)

    def _inputs(self, wild: Sequence[Pattern]) -> Iterator[list[Array]]:
        rng = np.random.default_rng(0)
        others: list[Any] = [((3, 4),) * len(wild), ((3, 1), (4,), *[()] * (len(wild) - 2))]
        shapes: list[Any] = _SHAPES.get(len(wild), others)
        for round_ in range(4):
            for sizes in shapes:
                yield [_random(rng, s, w.dtype, 4.0 if round_ else 0.9) for s, w in zip(sizes, wild, strict=True)]
        if self.special and len(wild) <= 3:
            columns = list(zip(*product(*[_edges(w.dtype) for w in wild]), strict=True))
            yield [np.array(c, w.dtype.numpy) for c, w in zip(columns, wild, strict=True)]

    def _compare(self, before: Pattern, after: Pattern, known: dict[Pattern, Array]) -> None:
        with np.errstate(all="ignore"):
            try:
                expected = _evaluate(before, known)
            except (VitrifyError, ValueError):
                return  # the rule's left side doesn't take these at all
            found = (
                np.broadcast_to(_evaluate(after, known), expected.shape) if after in known else _evaluate(after, known)
            )
        if found.shape != expected.shape or found.dtype != expected.dtype:
            raise self._refused(
                f"for {_shown(known)} it turns {expected.dtype}{list(expected.shape)} into "
                f"{found.dtype}{list(found.shape)}"
            )
        wrong = _differs(expected, found, self.tolerance)
        if wrong.any():
            index = tuple(np.argwhere(wrong)[0])
            at = {k: np.broadcast_to(a, expected.shape)[index] for k, a in known.items()}
            raise self._refused(
                f"for {_shown(at)} the left side is {expected[index].item()!r}, the right side {found[index].item()!r}"
            )

    def _compare_gradients(self, sides: tuple[Pattern, Pattern, tuple[Pattern, ...]]) -> None:
        before, after, wild = sides
        if not before.dtype.is_floating:
            return
        rng = np.random.default_rng(1)
        for low in (0.1, -0.9):
            arrays = [_random(rng, (5,), w.dtype, 0.9, low) for w in wild]
            with np.errstate(all="ignore"):
                first, second = (_gradients(side, wild, arrays) for side in (before, after))
            for k, (a, b) in enumerate(zip(first, second, strict=True)):
                fine = np.isclose(a, b, rtol=max(1e-3, 10 * self.tolerance), atol=1e-5, equal_nan=True) | ~np.isfinite(
                    a
                )
                if not fine.all():
                    at = int(np.argwhere(~fine)[0][0])
                    known = {w: x[at] for w, x in zip(wild, arrays, strict=True)}
                    raise self._refused(
                        f"for {_shown(known)} the gradient of {self._names[k]} is {a[at].item()!r} on the left side, "
                        f"{b[at].item()!r} on the right side"
                    )

    @property
    def _names(self) -> list[str]:
        return [f"?{n}" for n in inspect.signature(self.rule.fn).parameters]

    def _refused(self, what: str) -> RuleError:
        names = self._names
        for k, mark in enumerate(_MARKS[: len(names)]):
            what = what.replace(mark, names[k])
        return RuleError(
            f"the rule {self.rule.name} doesn't hold: {what}",
            remedy="if that is meant: restrict its dtypes, allow a tolerance, or leave special values out",
        )


_MARKS = [f"\0{k}\0" for k in range(16)]


def _shown(known: dict[Pattern, Any]) -> str:
    """`?x = 1.0, ?y = nan`; the names are filled in by the error."""
    parts = []
    for k, value in enumerate(known.values()):
        whole = isinstance(value, np.ndarray) and value.ndim
        parts.append(f"{_MARKS[k]} = {f'{value.dtype}{list(value.shape)}' if whole else np.asarray(value).item()!r}")
    return ", ".join(parts)


def _random(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, high: float, low: float | None = None
) -> Array:
    if dtype is bool_:
        return np.asarray(rng.integers(0, 2, shape), np.bool_)
    if dtype.is_integer:
        return np.asarray(rng.integers(-9, 10, shape)).astype(dtype.numpy)
    return np.asarray(rng.uniform(-high if low is None else low, high, shape)).astype(dtype.numpy)


def _edges(dtype: DType) -> list[Any]:
    if dtype is bool_:
        return [False, True]
    if dtype.is_integer:
        limits = np.iinfo(dtype.numpy)
        return [0, 1, 2, 7, limits.max, limits.min] + ([-1, -5] if limits.min < 0 else [])
    return list(_SPECIAL)


def _evaluate(pattern: Pattern, known: dict[Pattern, Array]) -> Array:
    if pattern in known:
        return known[pattern]
    if pattern.op is None:
        return np.asarray(pattern.number)
    return np.asarray(pattern.op.eager(*[_evaluate(a, known) for a in pattern.args], **pattern.attrs))


def _gradients(side: Pattern, wild: Sequence[Pattern], arrays: Sequence[Array]) -> list[Array]:
    """Gradients of the sum of one side with respect to the wildcards; zeros where there is none."""
    program, builder = new_program("side")
    feeds = [
        program.add_feed(f"x{k}", TensorType(w.dtype, a.shape))
        for k, (w, a) in enumerate(zip(wild, arrays, strict=True))
    ]
    known: dict[Pattern, Any] = dict(zip(wild, feeds, strict=True))

    def made(pattern: Pattern) -> Any:
        if pattern in known:
            return known[pattern]
        if pattern.op is None:
            return builder.constant(pattern.number)
        return builder.apply(pattern.op, tuple(made(a) for a in pattern.args), dict(pattern.attrs))

    with builder.active():
        result = made(side)
        seed = OPS["full"](result.shape, 1.0, result.dtype)
        grads = vjp_block_values(builder, [result], [seed], feeds)
    there = [g for g in grads if g is not None]
    builder.return_(there)
    fetched = iter(interpret(program, list(arrays))[0])
    return [np.zeros(a.shape, a.dtype) if g is None else next(fetched) for g, a in zip(grads, arrays, strict=True)]


def _differs(expected: Array, found: Array, tolerance: float) -> Array:
    if expected.dtype.kind != "f":
        return np.asarray(expected != found)
    with np.errstate(all="ignore"):
        if tolerance:
            return np.asarray(~np.isclose(found, expected, rtol=tolerance, atol=tolerance, equal_nan=True))
        same = (expected == found) & (np.signbit(expected) == np.signbit(found))
    return np.asarray(~(same | (np.isnan(expected) & np.isnan(found))))
