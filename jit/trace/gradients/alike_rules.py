"""Gradients of many operations by one rule: it is traced once per kind of operation, and copied for others.

A network has hundreds of operations of few kinds: its layers are alike. The gradient rule of an op runs for the first
operation of a kind. For the next ones, whose attributes, and the types and gradients of whose tensors, are the same,
its operations are recorded again with other operands and places, as that code would record them. Whatever else a run
of the rule does isn't copied: such a rule is traced each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any

from ....base.dtype import DType
from ....base.flags import flags
from ....base.location import Loc
from ....dygraph.modes import is_recording
from ....dygraph.tape import OpNode, UnreadOperand
from ....dygraph.tensor import Parameter, Tensor, wrap
from ....ir.core import Operation, Value
from ....ops.dims import Dim
from ....ops.dispatch import current
from ....ops.effects import Effect
from ....ops.failing import may_fail
from ....ops.op import Op
from ....ops.sizes import any_issued, runtime_names
from ....ops.types import ValueType

if TYPE_CHECKING:
    from ..tracer import Tracer

_TEXTS_ASIDE = (bool, int, str, NoneType, DType, Dim)
_FRESH = {"_storage", "_dtype"}  # all that a tensor has that an operation has just made


@dataclass(slots=True)
class Recorded:
    """What a rule recorded. Values are numbered: those of the tensors that it was given, then those that it made."""

    operations: list[tuple[Op, dict[str, Any], list[ValueType], list[int]]]  # with the numbers of their operands
    read: list[int]  # tensors whose values operations take
    noted: list[int]  # those from which gradients go on
    plain: list[int]  # values to which no gradient goes
    reached: list[int]  # values made that gradients of the program connect to others
    sizes: list[int]  # tensors whose sizes were asked
    results: list[int | None]  # the rule's: numbers of `tensors`
    tensors: list[int]  # that came out: a tensor given, or one over a value made
    errors: list[type[BaseException]]  # that data make operations raise


class AlikeRules:
    """What the gradient rules of one trace recorded, by kind."""

    def __init__(self) -> None:
        self._found: dict[Any, Recorded | None] = {}

    def run(
        self, tracer: Tracer, node: OpNode, grads: Sequence[Any], ys: Sequence[Any], operands: Sequence[Any]
    ) -> Sequence[Any]:
        """See `Interpreter.by_rule`."""
        builder = tracer.builder
        given = [*grads, *ys, *operands]
        is_plain = (
            current() is tracer
            and not is_recording()
            and len(tracer.blocks) == 1
            and builder.before is None
            and builder.block not in builder.recorded
        )
        values: list[Value | None] = []
        kinds = _kinds(tracer, given, values) if is_plain else None
        facts = None if kinds is None else _facts(node.attrs)
        if kinds is None or facts is None:
            return node.by_rule(tuple(grads), ys, tuple(operands))
        wanted = tuple([e is not None for e in node.edges]) if node.op.selective else ()
        key = node.op, facts, wanted, len(grads), len(ys), flags.default_dtype, *kinds
        if key not in self._found:
            results, self._found[key] = _recorded(tracer, node, grads, ys, operands, given, values)
            return results
        known = self._found[key]
        if known is None or any(tracer.hands_over(error) for error in known.errors):
            return node.by_rule(tuple(grads), ys, tuple(operands))
        return _copy(tracer, known, given, values)


def _errors(operations: Sequence[Operation]) -> Iterator[type[BaseException]]:
    """Those that data may make them raise."""
    for o in operations:
        if o.op.failures and may_fail(o.op, [v.tensor_type.shape for v in o.operands]):
            yield from (f.error for f in o.op.failures)


def _kinds(tracer: Tracer, given: Sequence[Any], values: list[Value | None]) -> list[Any] | None:
    """What a rule depends on in the tensors that it is given, as a part of a key; None where some one isn't like most.

    values: theirs are added, None for what isn't a tensor.
    """
    found: list[Any] = []
    body, untaped, reached = tracer.program.body, tracer.untaped, tracer.reached
    first: dict[int, int] = {}  # which tensors, and which values, are the same
    for k, x in enumerate(given):
        kind = type(x)
        if kind is UnreadOperand:
            values.append(None)
            found += x.dtype, tuple(x.shape)
            continue
        if x is None:
            values.append(None)
            found.append(None)
            continue
        if (kind is not Tensor and kind is not Parameter) or x.is_literal or x.is_element or untaped.holds(x):
            return None
        value = x._storage.payload
        if type(value) is not Value:
            entry = tracer.lifted.get(id(x._storage))
            if entry is None or entry.tensor is not x or entry.array is not value:
                return None
            value = entry.value
        elif value.block is not body:
            return None
        values.append(value)
        same = first.setdefault(id(x), k), first.setdefault(id(value), k)
        found += kind, x._dtype, value.type, x._stop, value in reached, same
    return found


def _facts(attrs: dict[str, Any]) -> Any:
    """Attributes as a part of a key, equal where they are the same to the last bit; None for further kinds of them."""
    if not attrs:
        return ()
    try:
        return tuple([(name, _fact(value)) for name, value in attrs.items()])
    except TypeError:
        return None


def _fact(value: Any) -> Any:
    kind = type(value)
    if kind is tuple or kind is list:
        return kind, tuple([_fact(part) for part in value])
    if kind is float or kind is complex:
        return kind, repr(value)
    if kind in _TEXTS_ASIDE:
        return kind, value
    raise TypeError(f"an attribute may be anything: {kind.__name__}")


def _recorded(
    tracer: Tracer, node: OpNode, grads: Sequence[Any], ys: Sequence[Any], operands: Sequence[Any],
    given: Sequence[Any], values: Sequence[Value | None],
) -> tuple[Sequence[Any], Recorded | None]:  # fmt: skip
    """Run a rule; what it gives, and what it recorded: None where it did more than can be copied."""
    block, place = tracer.builder.block, tracer.places.here()

    def extent() -> tuple[int, ...]:
        log = tracer.logs[-1]
        return len(tracer.reads), len(tracer.lifted), len(log.storages), len(tracer.callbacks), len(tracer.edges)

    first, placed, begun = len(block.operations), tracer.builder.placed, extent()
    results, sizes = _asked_sizes(tracer, given, partial(node.by_rule, tuple(grads), ys, tuple(operands)))
    operations = block.operations[first:]
    if extent() != begun or tracer.builder.placed - placed != len(operations):
        return results, None
    numbers: dict[Value, int] = {}
    for k, v in enumerate(values):
        if v is not None:
            numbers.setdefault(v, k)
    known = _operations(operations, numbers, len(given), place)
    if known is None:
        return results, None
    made = [v for o in operations for v in o.results]
    found = Recorded(
        known, [], [], [], [numbers[v] for v in made if v in tracer.reached],
        sizes, [], [], list(dict.fromkeys(_errors(operations))),
    )  # fmt: skip
    taken = {v: o for o in operations if o.op.is_differentiable for v in o.operands}
    for k, (x, v) in enumerate(zip(given, values, strict=True)):
        if v is None or v not in taken:
            continue
        found.read.append(k)
        if not x._stop:
            found.noted.append(k)
        elif v not in tracer.reached:
            found.plain.append(k)
    found.read += [numbers[v] for o in operations for v in o.operands if numbers[v] < len(given) and v not in taken]
    found.plain += [numbers[v] for v in made if v in tracer.detached.plain]
    return results, found if _take_results(found, results, given, numbers) else None


def _asked_sizes(tracer: Tracer, given: Sequence[Any], run: Callable[[], Any]) -> tuple[Any, list[int]]:
    """What a function gives, and of which tensors from outside it asked the sizes, whoever else did before."""
    keys = [id(x._storage) if type(x) in (Tensor, Parameter) else 0 for x in given]
    asked = tracer.asked.sizes
    if all(type(x._storage.payload) is Value for x, key in zip(given, keys, strict=True) if key):
        return run(), []
    before = dict(asked)
    for key in keys:
        asked.pop(key, None)
    try:
        made = run()
        return made, [k for k, key in enumerate(keys) if key in asked]
    finally:
        now = before | asked
        asked.clear()
        asked.update(now)


def _operations(
    operations: Sequence[Operation], numbers: dict[Value, int], count: int, place: Loc
) -> list[tuple[Op, dict[str, Any], list[ValueType], list[int]]] | None:
    """The operations with the numbers of their operands, where all are plain ones made by the rule itself.

    numbers: of the values; those that are made are added, from `count` on.
    """
    known = []
    for operation in operations:
        is_plain = operation.op.effect is Effect.PURE and not operation.blocks and operation.loc is place
        if not is_plain or not all(v in numbers for v in operation.operands):
            return None
        if any_issued() and any(
            runtime_names(v.type) for v in operation.results
        ):  # each call of some ops gives sizes of new names
            return None
        kinds = [v.type for v in operation.results]
        known.append((operation.op, operation.attrs, kinds, [numbers[v] for v in operation.operands]))
        for v in operation.results:
            numbers[v] = count
            count += 1
    return known


def _take_results(found: Recorded, results: Sequence[Any], given: Sequence[Any], numbers: dict[Value, int]) -> bool:
    """Note which tensors a rule gives; whether these can be made again."""
    places = {id(x): k for k, x in reversed(list(enumerate(given))) if x is not None}
    tensors: dict[int, int] = {}
    for x in results:
        if x is None:
            found.results.append(None)
            continue
        if id(x) not in tensors:
            number = places.get(id(x))
            if number is None:
                number = numbers.get(x._storage.payload) if type(x) is Tensor and vars(x).keys() == _FRESH else None
                if number is None or number < len(given):
                    return False
            tensors[id(x)] = len(found.tensors)
            found.tensors.append(number)
        found.results.append(tensors[id(x)])
    return True


def _copy(tracer: Tracer, known: Recorded, given: Sequence[Any], begun: Sequence[Value | None]) -> list[Any]:
    """Record what a rule did again, for other tensors; what it gives."""
    for k in known.read:
        tracer.value_of(given[k])
    for k in known.noted:
        tracer.note(begun[k], given[k])  # type: ignore[arg-type]
    for k in known.sizes:
        tracer.asked.sizes[id(given[k]._storage)] = given[k]
    values: list[Any] = list(begun)
    place, put = tracer.places.here(), tracer.builder.place
    for op, attrs, kinds, sources in known.operations:
        values += put(Operation(op, [values[k] for k in sources], dict(attrs), kinds, (), place)).results
    tracer.reached.update([values[k] for k in known.reached])
    tracer.detached.plain.update([values[k] for k in known.plain])
    count = len(given)
    tensors = [given[k] if k < count else wrap(values[k], values[k].dtype) for k in known.tensors]
    return [None if k is None else tensors[k] for k in known.results]
