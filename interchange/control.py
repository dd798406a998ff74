"""Blocks and control flow as ONNX: `if` is If, `while` and `for` are Loop, lists are sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError
from ..ir.core import Block, Operation, Value
from ..ops.control import call, check
from ..ops.effects import Effect
from ..ops.types import TensorType
from .emit import form_of
from .writer import Writer

Rule = Callable[[Writer, Operation], Sequence[str]]
_FLAG, _ITERATION = TensorType(dt.bool_, ()), TensorType(dt.int64, ())


def write_block(w: Writer, block: Block) -> list[str]:
    """Write the operations of a block whose arguments have names; the names of what it yields."""
    for operation in block.operations[:-1]:
        _write(w, operation)
    return [w.names[v] for v in block.terminator.operands]


def missing(blocks: Sequence[Operation]) -> list[Operation]:
    """Of these operations, those that have no ONNX form."""
    return [o for o in blocks if o.name not in _RULES and not _is_left_out(o) and form_of(o) is None]


def _is_left_out(o: Operation) -> bool:
    """Whether it is a call of Python without results, such as `print`: a model computes its outputs without it."""
    return o.name == "callback" and not o.results


def _only_checks(o: Operation) -> bool:
    """Whether it is a branch or loop without results: what it holds is checks, updates and calls, all left out."""
    return bool(o.blocks) and not o.results


def _write(w: Writer, operation: Operation) -> None:
    outer, w.operation = w.operation, operation
    if _is_left_out(operation) or _only_checks(operation):
        names: Sequence[str] = []
    elif operation.name in _RULES:
        names = _RULES[operation.name](w, operation)
    else:
        emit = form_of(operation)
        assert emit is not None, operation.name
        made = emit(w, operation, *(w.names[v] for v in operation.operands))
        names = [made] if isinstance(made, str) else list(made)
    for value, name in zip(operation.results, names, strict=True):
        w.learn(value, name)
    w.operation = outer


def as_condition(w: Writer, value: Value, name: str) -> str:
    """A flag as ONNX wants it: without axes."""
    return name if not value.shape else w.node("Reshape", name, w.constant(np.zeros(0, np.int64)))


def _branch(w: Writer, title: str, block: Block) -> object:
    def write() -> list[tuple[str, object]]:
        return list(zip(write_block(w, block), [v.type for v in block.yields], strict=True))

    return w.graph(title, [], write)


def _if(w: Writer, o: Operation) -> list[str]:
    asked = as_condition(w, o.operands[0], w.names[o.operands[0]])
    then, other = (_branch(w, t, b) for t, b in zip(("then", "else"), o.blocks, strict=True))
    return w.several("If", [asked], len(o.results), then_branch=then, else_branch=other)


def _loop(
    w: Writer,
    o: Operation,
    count: str,
    keeps_going: str,
    carried: Sequence[Value],
    body: Block,
    condition: Block | None,
) -> list[str]:
    """A Loop. `condition`, a block over the carried values, is written at the end of the body again."""
    iteration, flag = w.fresh("iteration"), w.fresh("keeps_going")
    kept = body.args if condition is not None else body.args[1:]
    names = [w.fresh(arg.hint or "carried") for arg in kept]
    inputs = [w.info(iteration, _ITERATION), w.info(flag, _FLAG)]
    inputs += [w.info(name, arg.type, loose=True) for name, arg in zip(names, kept, strict=True)]

    def write() -> list[tuple[str, object]]:
        for arg, name in zip(kept, names, strict=True):
            w.learn_argument(arg, name)
        if condition is None:
            w.learn(body.args[0], iteration)
        following = write_block(w, body)
        again = flag if condition is None else _asked(w, condition, following)
        return [(again, _FLAG), *zip(following, [v.type for v in body.yields], strict=True)]

    nested = w.graph("body", inputs, write)
    return w.several("Loop", [count, keeps_going, *(w.names[v] for v in carried)], len(carried), body=nested)


def _asked(w: Writer, condition: Block, names: Sequence[str]) -> str:
    """The condition block on values of these names."""
    with w.own_sizes():
        for arg, name in zip(condition.args, names, strict=True):
            w.learn_argument(arg, name)
        (found,) = write_block(w, condition)
    return as_condition(w, condition.yields[0], found)


def _while(w: Writer, o: Operation) -> list[str]:
    condition, body = o.blocks
    first = _asked(w, condition, [w.names[v] for v in o.operands])
    return _loop(w, o, "", first, o.operands, body, condition)


def _for(w: Writer, o: Operation) -> list[str]:
    count, *carried = o.operands
    return _loop(w, o, as_condition(w, count, w.names[count]), "", carried, o.blocks[0], None)


def _bind_size(w: Writer, o: Operation) -> list[str]:
    (name,) = o.attrs["defines"]
    given = w.names[o.operands[0]]
    w.learn_size(str(name), given)
    return [given] * len(o.results)


def _nothing(w: Writer, o: Operation) -> list[str]:
    """Checks and updates of state: a model computes its outputs and nothing else."""
    return []


def _list_new(w: Writer, o: Operation) -> list[str]:
    return [w.node("SequenceEmpty", dtype=w.element_type(o.attrs["element"].dtype))]


def _list_push(w: Writer, o: Operation) -> list[str]:
    return [w.node("SequenceInsert", *(w.names[v] for v in o.operands))]


def _list_pop(w: Writer, o: Operation) -> list[str]:
    items, last = w.names[o.operands[0]], w.constant(np.int64(-1))
    return [w.node("SequenceErase", items, last), w.node("SequenceAt", items, last)]


_RULES: dict[str, Rule] = {
    "bind_size": _bind_size,
    "check": _nothing,
    "for": _for,
    "if": _if,
    "list_new": _list_new,
    "list_pop": _list_pop,
    "list_push": _list_push,
    "update": _nothing,
    "while": _while,
}


def refuse(operations: Sequence[Operation]) -> None:
    """ArgumentError that names all operations without an ONNX form and their lines; it shows the first."""
    lacking = missing(operations)
    if not lacking:
        return
    names = sorted({_shown(o) + _place(o, lacking[0]) for o in lacking})
    callback = any(o.op.effect is Effect.CALLBACK and o.op not in (check, call) for o in lacking)
    remedy = "write it with other operations, or keep it outside of what you export"
    if callback:
        remedy = "ONNX can't call back into Python: write the PyLayer or py_func with vitrify's operations"
    elif any(o.op.effect is Effect.COLLECTIVE for o in lacking):
        remedy = "an ONNX model runs in one process: export a function without exchanges between ranks"
    elif any(o.op is call for o in lacking):
        remedy = "ONNX has no functions that call themselves: write the function as a loop"
    raise ArgumentError(f"ONNX has no form for {', '.join(names)}", loc=lacking[0].loc, remedy=remedy)


def _place(o: Operation, first: Operation) -> str:
    """The line of an operation that isn't at the first one's line, which the error shows anyway."""
    here, shown = o.loc, first.loc
    if here is None or not here.file or (shown is not None and (here.file, here.line) == (shown.file, shown.line)):
        return ""
    return f" (line {here.line})"


def _shown(o: Operation) -> str:
    return f"{o.name} ({o.attrs['callee']})" if o.name == "callback" else o.name
