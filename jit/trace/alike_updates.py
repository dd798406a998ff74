"""Updates of many parameters by one rule: its operations are traced once per kind of parameter, and copied for others.

A network has hundreds of parameters, and the update of one is some twenty operations. The rule's Python code runs for
the first parameter of a kind; for the next ones its operations are recorded again with other operands, types, places
and writes, as that code would record them. Whatever else a run of the code does isn't copied: such a rule is traced
each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...base.dtype import DType
from ...base.location import Loc
from ...dygraph.modes import is_recording
from ...dygraph.tensor import Parameter, Tensor, wrap
from ...ir.core import Operation, Value
from ...ops.dispatch import current
from ...ops.effects import Effect
from ...ops.failing import may_fail
from ...ops.types import Shape, TensorType, ValueType, require_possible

if TYPE_CHECKING:
    from .tracer import Tracer

Source = tuple[int, int]  # of an operand: (number of an operation, of its result), or (-1, number of a given tensor)
_GIVEN = -1


@dataclass(slots=True)
class Copied:
    """What the update of one parameter recorded. Tensors are numbered: the given ones, then the kept ones."""

    operations: list[Operation]
    sources: list[list[Source]]
    kept: list[Any]  # what is to be known of each kept tensor
    lifts: list[int]  # tensors that became state, in that order
    writes: list[tuple[int, Source, int]]  # tensor, its new value, by how much its version grew
    noted: list[Source]  # values that gradients go on from, to the parameter
    reached: list[Source]
    first: Shape  # of the parameter
    depends: bool  # whether operations depend on that shape; else they take any
    read: list[int]  # tensors whose values are read, in order of their first use
    types: dict[TensorType, list[list[ValueType]]] = field(default_factory=dict)  # of results, by the parameter's


class AlikeUpdates:
    """What the updates of one trace recorded, by kind."""

    def __init__(self) -> None:
        self._found: dict[Any, Copied | None] = {}

    def run(
        self, tracer: Tracer, facts: Callable[[], Any], update: Callable[[], None], given: Sequence[Any],
        kept: Callable[[bool], list[Any]],
    ) -> None:  # fmt: skip
        """See `Interpreter.update_alike`."""
        if not _can_copy(tracer, given):
            update()
            return
        key = facts(), tuple(_kind(tracer, x, given[0]) for x in given)
        if key not in self._found:
            self._found[key] = _recorded(tracer, update, given, kept)
            return
        known = self._found[key]
        if known is None or (known.depends and list(known.first) != given[0].shape):
            update()
            return
        more = kept(True)
        if [_kind(tracer, x, given[0]) for x in more] != known.kept or not _are_apart([*given, *more]):
            update()
            return
        _copy(tracer, known, [*given, *more])


def _can_copy(tracer: Tracer, given: Sequence[Any]) -> bool:
    """Whether nothing but the operations and writes of an update is to be seen to here."""
    builder = tracer.builder
    return (
        current() is tracer
        and not is_recording()
        and len(tracer.blocks) == 1
        and builder.before is None
        and builder.block not in builder.recorded
        and all(type(x) in (Tensor, Parameter) for x in given)
        and all(type(d) is int for x in given for d in x.shape)
        and _are_apart(given)
        and not any(tracer.untaped.holds(x) or id(x._storage) in tracer.logs[-1].storages for x in given)
    )


def _are_apart(tensors: Sequence[Any]) -> bool:
    return len({id(x._storage) for x in tensors}) == len(tensors)


def _value(tracer: Tracer, x: Any) -> Value | None:
    """The value of a tensor, None for one from outside that nothing has read."""
    payload = x._storage.payload
    if isinstance(payload, Value):
        return payload
    entry = tracer.lifted.get(id(x._storage))
    return None if entry is None else tracer.value_of(x)


def _kind(tracer: Tracer, x: Any, param: Any) -> Any:
    """What the operations on a tensor depend on. Shapes are told as far as they differ from the parameter's."""
    value = _value(tracer, x)
    is_written = tracer.untaped.holds(x) or id(x._storage) in tracer.logs[-1].storages
    shape = None if x.shape == param.shape else tuple(x.shape)
    return type(x), x.dtype, shape, x.stop_gradient, value is None, value in tracer.reached, is_written


def _recorded(
    tracer: Tracer, update: Callable[[], None], given: Sequence[Any], kept: Callable[[bool], list[Any]]
) -> Copied | None:
    """Run an update; what it recorded, None where it did more than can be copied."""
    before = kept(False)
    fresh = [None if x is None else (_kind(tracer, x, given[0]), _value(tracer, x)) for x in before]
    begun = [_value(tracer, x) for x in given]
    versions = {id(x._storage): x._storage.version for x in (*given, *(x for x in before if x is not None))}
    block, place = tracer.builder.block, tracer.places.here()
    first, lifted, asked = len(block.operations), len(tracer.lifted), len(tracer.reads)
    written = set(tracer.logs[-1].storages)
    update()
    operations = block.operations[first:]
    tensors = [*given, *kept(False)]
    if len(tracer.reads) != asked or any(x is None for x in tensors) or not _are_apart(tensors):
        return None
    kinds = []
    for x, known in zip(tensors[len(given) :], fresh, strict=True):
        if known is None:  # made by the update itself
            shape = None if x.shape == given[0].shape else tuple(x.shape)
            known = (type(x), x.dtype, shape, x.stop_gradient, True, False, False), None
        kinds.append(known[0])
        begun.append(known[1])
    numbers = {id(x._storage): k for k, x in enumerate(tensors)}
    lifts = list(tracer.lifted)[lifted:]
    changed = [key for key in tracer.logs[-1].storages if key not in written]
    if not all(key in numbers for key in (*lifts, *changed)):
        return None
    for key in lifts:
        begun[numbers[key]] = tracer.lifted[key].value
    sources = _sources(operations, begun, place)
    if sources is None:
        return None
    by_value = _by_value(operations, begun)
    writes = []
    for key in changed:
        cell = tensors[numbers[key]]._storage
        if cell.payload not in by_value:
            return None
        writes.append((numbers[key], by_value[cell.payload], cell.version - versions.get(key, 0)))
    known_values = [v for v in by_value if v in tracer.edges]
    made = [v for o in operations for v in o.results]
    noted = [v for v in known_values if (edge := tracer.edges[v]) is not None and edge[0] is given[0]]
    if any(v in tracer.edges and v not in noted for v in made):
        return None
    is_free = all(o.op.family == "elementwise" or not o.operands for o in operations)
    given_sources = [*(s for each in sources for s in each), *(by_value[v] for v in noted), *(w[1] for w in writes)]
    return Copied(
        operations, sources, kinds, [numbers[key] for key in lifts], writes, [by_value[v] for v in noted],
        [by_value[v] for v in made if v in tracer.reached], tuple(given[0].shape), not is_free,
        list(dict.fromkeys(k for number, k in given_sources if number == _GIVEN)),
    )  # fmt: skip


def _by_value(operations: Sequence[Operation], begun: Sequence[Value | None]) -> dict[Value, Source]:
    found: dict[Value, Source] = {v: (_GIVEN, k) for k, v in enumerate(begun) if v is not None}
    for k, operation in enumerate(operations):
        found.update({v: (k, n) for n, v in enumerate(operation.results)})
    return found


def _sources(
    operations: Sequence[Operation], begun: Sequence[Value | None], place: Loc
) -> list[list[Source]] | None:  # fmt: skip
    """Where the operands come from. None where operations aren't plain ones, or not all made by the rule itself: those
    of a user's code have places of their own.
    """
    known = _by_value(operations, begun)
    if len({v for v in begun if v is not None}) != sum(v is not None for v in begun):
        return None
    for operation in operations:
        op = operation.op
        is_plain = op.effect is Effect.PURE and not operation.blocks and op.known_axes is None
        is_plain = is_plain and not may_fail(op, [v.tensor_type.shape for v in operation.operands])
        is_scalar = bool(operation.operands) or all(v.tensor_type.shape == () for v in operation.results)
        is_known = all(v in known for v in operation.operands)
        if not (is_plain and is_scalar and is_known and operation.loc is place):
            return None
    return [[known[v] for v in operation.operands] for operation in operations]


def _copy(tracer: Tracer, known: Copied, tensors: Sequence[Any]) -> None:
    """Record an update again, for other tensors."""
    param, place = tensors[0], tracer.places.here()
    for k in known.lifts:
        tracer.value_of(tensors[k])
    made: list[list[Value]] = []
    given: list[Any] = [None] * len(tensors)
    for k in known.read:
        given[k] = tracer.value_of(tensors[k])

    def value_at(source: Source) -> Value:
        number, k = source
        return given[k] if number == _GIVEN else made[number][k]

    types = known.types.get(kind := TensorType(param.dtype, tuple(param.shape)))
    told: list[list[ValueType]] = []
    shaped = _Shaped(known.first, kind.shape)
    append, put = made.append, tracer.builder.place
    for n, (operation, sources) in enumerate(zip(known.operations, known.sources, strict=True)):
        operands = [given[k] if number == _GIVEN else made[number][k] for number, k in sources]
        if types is None:
            told.append(shaped.types(operation, operands) or _types(operation, operands))
        results = told[n] if types is None else types[n]
        append(put(Operation(operation.op, operands, dict(operation.attrs), results, (), place)).results)
    known.types.setdefault(kind, told)
    for source in known.noted:
        tracer.note(value_at(source), param)
    tracer.reached.update([value_at(source) for source in known.reached])
    for k, source, grown in known.writes:
        value, cell = value_at(source), tensors[k]._storage
        tensors[k]._write(wrap(value, value.dtype), fresh=True)
        cell.version += grown - 1


class _Shaped:
    """Types where a parameter has another shape: those of numbers and of arrays of its shape need no rules."""

    def __init__(self, before: Shape, now: Shape) -> None:
        self._before, self._now = before, now
        self._made: dict[DType, TensorType] = {}

    def types(self, operation: Operation, operands: Sequence[Value]) -> list[ValueType] | None:
        """Of the results of an elementwise operation; None for others, and where the parameters are numbers."""
        before, now = self._before, self._now
        if operation.op.family != "elementwise" or not before or not now:
            return None
        for a, b in zip(operation.operands, operands, strict=True):
            shape, other = a.shape, b.shape
            if (shape or other) and not (shape == before and other == now):
                return None
        return [v.type if v.shape == () else self._made.get(v.dtype) or self._type(v.dtype) for v in operation.results]

    def _type(self, dtype: DType) -> TensorType:
        made = self._made[dtype] = TensorType(dtype, self._now)
        require_possible("an update", made)
        return made


def _types(operation: Operation, operands: Sequence[Value]) -> list[ValueType]:
    """The types of the results for other operands."""
    if all(a.type is b.type for a, b in zip(operation.operands, operands, strict=True)):
        return [v.type for v in operation.results]
    found = operation.op.infer(*(v.type for v in operands), **operation.attrs)
    results = list(found) if isinstance(found, tuple) else [found]
    for kind in results:
        require_possible(operation.name, kind)
    return results
