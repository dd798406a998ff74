"""Calls of functions that call themselves until a tensor's value ends it -> a `function` of the program, and `call`s.

The function's code is recorded once, over arguments of the block. Where it calls itself with the same Python values and
with tensors of the same types, the program calls the block again. What such a call gives is what the paths without one
give: they are recorded first, then all paths, until the results are what was supposed. A call with other Python values
is a function of its own, inside this one; recursion that Python's values end is written out that way, as always.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from ...base.errors import CaptureError
from ...base.frame_marks import fails_for_caller
from ...base.location import Loc, caller_loc
from ...base.pytree import flatten, unflatten
from ...dygraph.number import Number, number_over
from ...dygraph.tensor import Tensor
from ...ir.core import Block, Value
from ...ir.walk import walk
from ...ops.control import call as call_row
from ...ops.control import function as function_row
from ...ops.control import yield_
from ...ops.op import OPS
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from ..call.signature import own_signature
from ..trace.gradients.gradient_hooks import insert_watches
from ..trace.reachable import plain_of
from ..trace.recursive_calls import MANY, Opened, Recurses, Shape, TensorSignature, key_of, same_tree
from ..trace.tracer import Tracer
from .raising import Raised, or_raised
from .regions.extras import Cell
from .regions.markers import Poison, Undefined
from .regions.paths import run_path
from .regions.region_state import NO_STATE, Path

MOST_ROUNDS = 8
MOST_KINDS = 4  # functions inside each other that differ in the types of their arguments only
Run = Callable[..., Any]


@fails_for_caller
def run_function(tracer: Tracer, fn: FunctionType, run: Run, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`run(*args, **kwargs)`, the converted form of `fn`: as it is, or as a function of the program."""
    key = key_of(fn)
    if key not in tracer.recursion.functions:
        if tracer.recursion.running.get(key, 0) >= MANY and _conditions_around(tracer) >= MANY:
            _end_deep_calls(tracer, fn, args, kwargs)
        with tracer.recursion.entered(key):
            return run(*args, **kwargs)
    args, kwargs = _bound(fn, args, kwargs)
    leaves, given = _shape_of(tracer, (args, kwargs))
    opened = next((o for o in reversed(tracer.recursion.open) if o.fn is fn and o.arguments.takes(given)), None)
    if opened is not None:
        return _call(tracer, opened, leaves, given)
    _refuse_kinds(tracer, fn, given)
    tracer.recursion.compare(fn, given)
    with tracer.recursion.entered(key):
        return _Function(tracer, fn, run, leaves, given).run(args, kwargs)


def _conditions_around(tracer: Tracer) -> int:
    """On how many sides of conditions code runs: of those that what follows is traced once for, or around it."""
    return sum(len(region.forced) + (region.owner is not None) for region in tracer.regions)


def _end_deep_calls(tracer: Tracer, fn: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """RecursionError where a call on sides of many conditions has the Python values of the last one: no value ends it.

    All is traced again for each such condition: Python's own limit would take half a minute to be met.
    """
    _, given = _shape_of(tracer, _bound(fn, args, kwargs))
    key, deep = key_of(fn), tracer.recursion.deep
    depth = tracer.recursion.running[key]
    last = deep.get((key, depth - 1))
    deep[key, depth] = given
    if last is not None and last.takes(given):
        raise RecursionError(f"`{fn.__name__}` calls itself with the same values on sides of {MANY} conditions")


def _bound(fn: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments in one form, however they are given; defaults put in."""
    signature = own_signature(fn)
    assert signature is not None
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # the call itself says what is wrong
        return args, kwargs
    bound.apply_defaults()
    return bound.args, bound.kwargs


def _shape_of(tracer: Tracer, value: Any) -> tuple[list[Any], Shape]:
    leaves, tree = flatten(value, lambda v: isinstance(v, Tensor))
    return leaves, Shape(tree, [_kind_of(x) for x in leaves])


def _kind_of(x: Tensor) -> TensorSignature:
    return TensorSignature(TensorType(x.dtype, tuple(x.shape)), type(x) is Number, not x.stop_gradient)


def _tensor(value: Tensor, kind: TensorSignature) -> Any:
    return number_over(value) if kind.is_number else value


def _operand(tracer: Tracer, x: Tensor) -> Value:
    """The value of an argument; the gradient ends there where the tensor wants none."""
    value = tracer.value_of(x)
    if not x.stop_gradient:
        value = tracer.untaped.value_of(tracer, x, value) if tracer.untaped else value
        tracer.note(value, x)
    elif value in tracer.reached:
        value = tracer.builder.apply(OPS["stop_gradient"], (value,), {})
    return value


# ---- a call within the function


def _call(tracer: Tracer, opened: Opened, leaves: list[Any], given: Shape) -> Any:
    opened.recurses = True
    leaf_types = opened.arguments.leaf_types
    for k, (known, now) in enumerate(zip(leaf_types, given.leaf_types, strict=True)):
        if now.needs_gradient and not known.needs_gradient:
            leaf_types[k], opened.is_stale = now, True
    for x, value in zip(leaves, opened.values, strict=True):
        if type(x) is Number and x._storage.payload is not value:  # written out, it keeps Python's precision
            raise CaptureError(
                f"`{opened.name}` calls itself with another number of Python, which only a run knows",
                loc=caller_loc(),
                remedy="pass it as a tensor, or as a number that doesn't change between calls of the compiled function",
            )
    if opened.result is None:
        raise Recurses(opened, caller_loc())
    operands = [_operand(tracer, x) for x in leaves]
    results = [kind.type for kind in opened.result.leaf_types]
    attrs = {"callee": opened.name, "outputs": tuple(results)}
    made = tracer.builder.emit(call_row, operands, attrs, results)
    found = [
        _tensor(tracer.carried(v, kind.needs_gradient), kind)
        for v, kind in zip(made.results, opened.result.leaf_types, strict=True)
    ]
    return unflatten(opened.result.tree, iter(found))


# ---- the function itself


class _Function:
    """One function of the program being made."""

    def __init__(self, tracer: Tracer, fn: FunctionType, run: Run, leaves: list[Any], given: Shape) -> None:
        self.tracer = tracer
        self.fn = fn
        self.code = run
        self.leaves = leaves
        self.place = caller_loc()
        self.opened = Opened(fn, key_of(fn), self._name(), given)

    def _name(self) -> str:
        taken = {o.name for o in self.tracer.recursion.open}
        name, k = self.fn.__name__, 1
        while name in taken:
            k += 1
            name = f"{self.fn.__name__}_{k}"
        return name

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Record rounds until what calls were supposed to give is what they give."""
        for _ in range(MOST_ROUNDS):
            path = self._recorded()
            if not self.opened.recurses:
                path.discard()
                return self.code(*args, **kwargs)
            try:
                with self._open():
                    leaves, result = _shape_of(self.tracer, path.returned)
                    self._refuse(path, result)
                    known, self.opened.result = self.opened.result, self._widened(result)
                    if known is not None and not self.opened.is_stale and _equal(known, self.opened.result):
                        return self._emit(path, leaves)
            except BaseException:  # broad: whatever it is, the block won't be part of the program
                path.discard()
                raise
            path.discard()
        raise CaptureError(
            f"the result of `{self.fn.__name__}`, which calls itself, has another type at each depth",
            loc=self.place,
            remedy="return values of the same dtypes and structure on all paths",
        )

    @contextmanager
    def _open(self) -> Iterator[None]:
        self.tracer.recursion.open.append(self.opened)
        try:
            yield
        finally:
            self.tracer.recursion.open.pop()

    def _recorded(self) -> Path:
        """Record the function's code over arguments of a new block."""
        tracer, opened, block = self.tracer, self.opened, Block()
        opened.is_stale = False
        opened.values = [
            block.add_arg(kind.type, getattr(x, "_name", "") or "")
            for kind, x in zip(opened.arguments.leaf_types, self.leaves, strict=True)
        ]
        leaf_types = list(opened.arguments.leaf_types)

        def code() -> Any:
            made = [
                _tensor(tracer.carried(v, kind.needs_gradient), kind)
                for v, kind in zip(opened.values, leaf_types, strict=True)
            ]
            before = [x._storage.payload for x in made]
            args, kwargs = unflatten(opened.arguments.tree, iter(made))
            returned = self.code(*args, **kwargs)
            now, tree = flatten((args, kwargs), lambda v: isinstance(v, Tensor))
            kept = same_tree(tree, opened.arguments.tree) and all(a is b for a, b in zip(now, made, strict=True))
            if not kept or any(x._storage.payload is not v for x, v in zip(made, before, strict=True)):
                raise self._refused("changes an argument in place", "make a new value: `x = x + 1`")
            return returned

        with self._open():
            path = run_path(tracer, NO_STATE, or_raised(tracer, code), (self.fn,), block)
        if isinstance(path.returned, Raised):
            error = path.returned.error
            path.discard()
            if isinstance(error, Recurses) and error.opened is self.opened:
                raise self._endless(error.loc)
            raise error
        return path

    def _endless(self, loc: Loc) -> CaptureError:
        return CaptureError(
            f"`{self.fn.__name__}` calls itself on every path, so that no value of a tensor ends it",
            loc=loc,
            remedy="return without a call of itself under an `if`",
        )

    def _refused(self, what: str, remedy: str) -> CaptureError:
        code = plain_of(self.fn).__code__
        return CaptureError(
            f"`{self.fn.__name__}` calls itself until a tensor's value ends it, and {what}",
            loc=Loc(code.co_filename, code.co_firstlineno),
            remedy=f"{remedy}, or write it as a loop",
        )

    def _refuse(self, path: Path, result: Shape) -> None:
        for x in flatten(path.returned, lambda v: isinstance(v, Undefined))[0]:
            if isinstance(x, Poison):
                what = f"its result can't be one value of a program: {x.message}"
                raise self._refused(what, "return values of the same type on all paths")
        for extra, _ in path.extras.values():
            if isinstance(extra, Cell):
                what = f"writes to {extra.name}, or draws random numbers"
                raise self._refused(what, "return what it computes")
            raise self._refused(f"writes to {extra.name}", "return what it computes")
        unsized = [k.type for k in (*result.leaf_types, *self.opened.arguments.leaf_types) if runtime_names(k.type)]
        if unsized:
            raise self._refused(f"takes or gives {unsized[0]}, whose size only a run knows", "keep the shapes fixed")

    def _widened(self, result: Shape) -> Shape:
        """What a call gives: results that needed gradients in the round before do so."""
        known = self.opened.result
        if known is None or not known.takes(result):
            return result
        pairs = zip(known.leaf_types, result.leaf_types, strict=True)
        return Shape(result.tree, [a if a.needs_gradient else b for a, b in pairs])

    def _emit(self, path: Path, leaves: list[Any]) -> Any:
        """The operation; its results as the call from outside gives them."""
        tracer, opened, block = self.tracer, self.opened, path.block
        assert opened.result is not None
        with tracer.inside(block):
            pairs = zip(leaves, opened.result.leaf_types, strict=True)
            yielded = [_operand(tracer, x) for x, _ in pairs]
            tracer.builder.emit(yield_, yielded, {}, [])
        insert_watches(tracer, block)
        operands = [_operand(tracer, x) for x in self.leaves]
        operands = _without_constant_ones(block, opened.name, operands)
        attrs = {"name": opened.name, "limit": sys.getrecursionlimit()}
        results = [kind.type for kind in opened.result.leaf_types]
        made = tracer.builder.emit(function_row, operands, attrs, results, [block], self.place)
        tensors = tracer.results_of(made, [kind.needs_gradient for kind in opened.result.leaf_types])
        found = [_tensor(x, kind) for x, kind in zip(tensors, opened.result.leaf_types, strict=True)]
        return unflatten(opened.result.tree, iter(found))


def _equal(a: Shape, b: Shape) -> bool:
    return a.takes(b) and a.leaf_types == b.leaf_types


def _without_constant_ones(block: Block, name: str, operands: list[Value]) -> list[Value]:
    """Arguments that each call hands on as they are aren't arguments: the block reads what it was called with first."""
    calls = [o for o in walk(block) if o.name == "call" and o.attrs["callee"] == name]
    fixed = [k for k, arg in enumerate(block.args) if all(c.operands[k] is arg for c in calls)]
    for k in fixed:
        for inner in calls:
            inner.operands[k].uses.pop((inner, k), None)
    kept = [k for k in range(len(operands)) if k not in fixed]
    for inner in calls:
        inner.set_operands([inner.operands[k] for k in kept])
    for k in fixed:
        block.args[k].replace_by(operands[k])
    block.set_args([block.args[k] for k in kept])
    return [operands[k] for k in kept]


def _refuse_kinds(tracer: Tracer, fn: FunctionType, given: Shape) -> None:
    """CaptureError where each call has tensors of other types."""
    alike = [o for o in tracer.recursion.open if o.fn is fn and same_tree(o.arguments.tree, given.tree)]
    if len(alike) < MOST_KINDS:
        return
    for first, last in zip(alike[-1].arguments.leaf_types, given.leaf_types, strict=True):
        if not first.takes(last):
            raise CaptureError(
                f"`{fn.__name__}` calls itself with {last.type} where it was called with {first.type}, and so on: the "
                "types of the arguments differ for each depth",
                loc=caller_loc(),
                remedy="keep the shapes and dtypes of the arguments fixed: pass whole arrays and an index",
            )
