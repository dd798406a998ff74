"""Gradients of functions that call themselves: the gradient of `f` is a function `f.grad` of its own.

It takes the arguments of `f` and gradients of its results. Its block repeats that of `f`, for the values that gradients
need, and goes through it backwards; where `f` calls itself, `f.grad` does both: it calls `f` for the value and `f.grad`
for the gradient. Floats that the block of `f` reads from outside are arguments of `f.grad`, so that they get theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ...base.errors import GradientError
from ...ir.builder import Builder
from ...ir.calls import callee_of, calls_of
from ...ir.core import Block, Operation, Value
from ...ir.walk import clone_operation, free_values, walk
from ...ops.control import call, function
from ..algebra.dce import drop_dead
from .reverse import (
    Arrived,
    Contributions,
    Gradients,
    Grads,
    Rule,
    carries_gradient,
    either,
    reverse,
    sweep,
    zeroed,
    zeros,
)


@dataclass(slots=True)
class _Open:
    """A function whose gradient is being made. source: the function itself, with its floats as arguments.

    seeds: the results that can have a gradient; targets: the arguments that can.
    """

    source: Operation
    name: str
    seeds: list[int]
    targets: list[int]


_open: ContextVar[tuple[_Open, ...]] = ContextVar("open", default=())  # one inside the other


def vjp_function(
    builder: Builder, operation: Operation, grads: Grads, needed: set[Value], rule: Rule
) -> Contributions:  # fmt: skip
    """Call the gradient function where `f` was called from outside."""
    _refuse_callbacks(operation)
    source, free = _lifted(operation)
    arguments = [*operation.operands, *free]
    made = _Open(
        source, f"{operation.attrs['name']}.grad",
        [k for k, r in enumerate(operation.results) if carries_gradient(r)],
        [k for k, v in enumerate(arguments) if carries_gradient(v)],
    )  # fmt: skip
    with _opened(made):
        block = _backward_block(builder, made, rule)
        given = _given(builder, operation, grads, made)
        kinds = [arguments[k].type for k in made.targets]
        attrs = {"name": made.name, "limit": operation.attrs["limit"]}
        emitted = builder.emit(function, [*arguments, *given], attrs, kinds, [block])
    _close(emitted, source)
    source.forget()
    return _for_those(made, arguments, emitted, needed, either(grads))


def vjp_call(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """A call within the function: the gradient function calls itself."""
    name = operation.attrs["callee"]
    made = next((f for f in reversed(_open.get()) if f.source.attrs["name"] == name), None)
    if made is None:
        raise GradientError(
            f"a gradient is taken inside the function `{name}`, through a call of itself",
            loc=operation.loc,
            remedy="take the gradient outside of the function",
        )
    given = _given(builder, operation, grads, made)
    kinds = [operation.operands[k].type for k in made.targets]
    attrs = {"callee": made.name, "outputs": tuple(kinds)}
    emitted = builder.emit(call, [*operation.operands, *given], attrs, kinds)
    return _for_those(made, operation.operands, emitted, needed, either(grads))


def _given(builder: Builder, operation: Operation, grads: Grads, made: _Open) -> list[Value]:
    found = [(grads[k], operation.results[k]) for k in made.seeds]
    return [zeros(builder, result.type) if arrived is None else zeroed(arrived) for arrived, result in found]


def _for_those(
    made: _Open, arguments: list[Value], emitted: Operation, needed: set[Value], there: Value | None
) -> Contributions:  # fmt: skip
    pairs = zip(made.targets, emitted.results, strict=True)
    return [(arguments[k], Arrived(g, there, there is None)) for k, g in pairs if arguments[k] in needed]


@contextmanager
def _opened(made: _Open) -> Iterator[None]:
    token = _open.set((*_open.get(), made))
    try:
        yield
    finally:
        _open.reset(token)


def _refuse_callbacks(operation: Operation) -> None:
    found = next((o for o in walk(operation.blocks[0]) if o.name == "callback"), None)
    if found is not None:
        raise GradientError(
            f"the gradient of `{operation.attrs['name']}`, which calls itself, runs it again, and with it the Python "
            "code that it calls back",
            loc=found.loc,
            remedy="take print(), PyLayers and other calls of Python out of the function, or write it as a loop",
        )


def _lifted(operation: Operation) -> tuple[Operation, list[Value]]:
    """A copy whose block reads no float from outside but by an argument; and the values that became arguments."""
    made = clone_operation(operation, {})
    (block,) = made.blocks
    free = [v for v in free_values(block) if carries_gradient(v)]
    calls = calls_of(made)
    for value in free:
        arg = block.add_arg(value.type, value.hint)
        for user, k in list(value.uses):
            if user.parent is not None and block.encloses(user.parent):
                user.set_operand(k, arg)
        made.add_operand(value)
        for inner in calls:
            inner.add_operand(arg)
    return made, free


def _backward_block(builder: Builder, made: _Open, rule: Rule) -> Block:
    """The block of the gradient function; where it calls the function itself, such calls aren't closed yet."""
    copy = clone_operation(made.source, {})
    copy.drop_operands()
    (block,) = copy.blocks
    block.parent = None
    results = block.yields[:]
    block.terminator.erase()
    inner = list(block.operations)
    gradients = Gradients()
    with builder.inside(block):
        for k in made.seeds:
            gradients.add(results[k], Arrived(block.add_arg(results[k].type)))
        arguments = [block.args[k] for k in made.targets]
        reverse(builder, inner, gradients, arguments, rule)
        found = [gradients.of.get(v) for v in arguments]
        pairs = zip(found, arguments, strict=True)
        builder.yield_([zeros(builder, v.type) if a is None else zeroed(a) for a, v in pairs])
    sweep(block)
    return block


def _close(emitted: Operation, source: Operation) -> None:
    """Where the gradient function calls the function itself, it runs a copy of it, if it needs the value.

    That such a call may go too deep is no effect here: the function itself has been through the same calls.
    """
    (block,) = emitted.blocks
    drop_dead(block, _unclosed(block, source))
    for operation in _unclosed(block, source):
        made = clone_operation(source, {})
        made.set_operands(operation.operands)
        made.loc = operation.loc
        assert operation.parent is not None
        operation.parent.insert(operation.parent.operations.index(operation), made)
        for old, new in zip(operation.results, made.results, strict=True):
            old.replace_by(new)
        operation.erase()


def _unclosed(block: Block, source: Operation) -> list[Operation]:
    name = source.attrs["name"]
    return [o for o in walk(block) if o.name == "call" and o.attrs["callee"] == name and callee_of(o) is None]
