"""Lists of loops that call back into Python, kept outside of the programs: the backward program reads them by handles.

Lists can't leave a program, and a loop that calls the user's code must not run twice. So each list becomes an int64,
the handle of a list in Python, and each of its operations a callback (LIST_NEW, …), in the forward and the backward
program. A reader, made once per backward run, takes elements from the end and leaves the list whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.dtype import int64
from ...base.errors import GradientError
from ...ir.builder import Builder, ahead_of
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.walk import walk
from ...ops.effects import Effect
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from .residuals import CarriedLoop, needs_of

LIST_NEW, LIST_PUSH, LIST_READ, LIST_POP = (f"list.{name}" for name in ("new", "push", "read", "pop"))
HANDLE = TensorType(int64, ())


def keep_lists(forward: Program, backward: Program) -> list[Value]:
    """Make the lists that backward reads of loops with callbacks into kept ones; the handles that backward reads.

    Errors: GradientError for elements whose size only a run knows.
    """
    seeds = [v for v in needs_of(forward.body, backward.body) if is_list(v) and _calls_back(v.operation)]
    if not seeds:
        return []
    lists = _connected(seeds)
    for operation in dict.fromkeys(o for v in lists for o in _operations(v)):
        _replace(operation)
    for value in lists:
        value.type = HANDLE
    read = [v for v in needs_of(forward.body, backward.body) if v in set(lists)]
    for value in read:
        _read(value, backward.body)
    return read


def _calls_back(operation: Operation | None) -> bool:
    blocks = [] if operation is None else operation.blocks
    inner = [o for block in blocks for o in walk(block)]
    return any(o.op.effect is Effect.CALLBACK and o.name == "callback" for o in inner)


def _connected(seeds: Iterable[Value]) -> list[Value]:
    """All values that stand for the same lists as these, in nested blocks and in both programs."""
    found: dict[Value, None] = {}
    stack = list(seeds)
    while stack:
        value = stack.pop()
        if value in found or not is_list(value):
            continue
        if any(runtime_names(d) for d in value.type.element.shape):  # type: ignore[union-attr]
            raise GradientError(
                "the gradient of this loop keeps values whose size only a run knows, beside Python callbacks",
                loc=value.operation.loc if value.operation is not None else None,
                remedy="call backward() inside the compiled function",
            )
        found[value] = None
        stack += _before(value)
        stack += _after(value)
    return list(found)


def _before(value: Value) -> Iterator[Value]:
    """What a list value has come from."""
    operation = value.operation
    if operation is None:
        yield from _carried(value.block.parent, value.index - _skipped(value.block))
    elif operation.name in ("list_push", "list_pop"):
        yield operation.operands[0]
    elif operation.name == "if":
        yield from (block.yields[value.index] for block in operation.blocks)
    elif operation.blocks:
        yield from _carried(operation, value.index)


def _after(value: Value) -> Iterator[Value]:
    """What a list value goes on as."""
    for user, k in value.uses:
        if user.name in ("list_push", "list_pop"):
            yield user.results[0]
        elif user.is_terminator and isinstance(user.parent, Block):
            owner = user.parent.parent
            if isinstance(owner, Operation) and owner.name == "if":
                yield owner.results[k]
            else:
                yield from _carried(owner, k)
        elif user.blocks:
            yield from _carried(user, k - CarriedLoop(user).skip)


def _carried(operation: object, k: int) -> Iterator[Value]:
    """Everything that the k-th carried value of a loop is."""
    assert isinstance(operation, Operation)
    loop = CarriedLoop(operation)
    yield from (loop.inits[k], loop.yields[k], loop.results[k])
    yield from (block.args[k + _skipped(block)] for block in operation.blocks)


def _skipped(block: Block) -> int:
    """How many arguments of a loop's block stand before the carried ones."""
    return 1 if isinstance(block.parent, Operation) and block.parent.name == "for" else 0


def _operations(value: Value) -> Iterator[Operation]:
    if value.operation is not None and value.operation.name == "list_new":
        yield value.operation
    yield from (user for user, _ in value.uses if user.name in ("list_push", "list_pop"))


def _replace(operation: Operation) -> None:
    """A callback in the place of an operation on a list."""
    builder = ahead_of(operation)
    made = {
        "list_new": lambda: builder.callback(LIST_NEW, [], [HANDLE]),
        "list_push": lambda: builder.callback(LIST_PUSH, operation.operands, [HANDLE]),
        "list_pop": lambda: builder.callback(LIST_POP, operation.operands, [HANDLE, operation.results[1].tensor_type]),
    }[operation.name]()
    for old, new in zip(operation.results, made, strict=True):
        old.replace_by(new)
    operation.erase()


def _read(value: Value, body: Block) -> None:
    """Let the backward program read a list by a reader of its own."""
    builder = Builder(body, before=body.operations[0])
    builder.loc = body.terminator.loc
    users = [(user, k) for user, k in value.uses if user.parent is not None and body.encloses(user.parent)]
    (reader,) = builder.callback(LIST_READ, [value], [HANDLE])
    for user, k in users:
        user.set_operand(k, reader)
