"""The tracing interpreter: ops on Tensors whose payload is a program's value are recorded, and taped as usual.

A Tensor with an array as payload comes from outside (a parameter, a buffer, a closure's tensor): on its first use it is
*lifted* to a state entry of the program, which is read through its cell at each call and never baked in.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dtype import DType, bool_, int64
from ..base.errors import ArgumentError, CaptureError
from ..base.location import UNKNOWN, Loc, caller_loc, is_library_file
from ..base.pytree import map_leaves
from ..base.scope import in_layer, remember
from ..dygraph.elements import escaped
from ..dygraph.given_array import GivenArray
from ..dygraph.modes import is_recording
from ..dygraph.number import KINDS, Number, number_over
from ..dygraph.run_array import RunArray
from ..dygraph.storage import Storage
from ..dygraph.tape import edge_of, record, record_function
from ..dygraph.tensor import Tensor, wrap
from ..ir.builder import Builder
from ..ir.core import Block, Operation, Program, Value
from ..ir.walk import operations_after
from ..ops.dims import Dim, assume_equal
from ..ops.dispatch import bottom, current
from ..ops.op import FUNCTIONS, OPS, Op
from ..ops.sizes import runtime_names, solved
from ..ops.types import TensorType
from ..passes.autodiff.control import vjp_operation
from ..passes.autodiff.reverse import Gradients, emitting, inputs_of, reverse, sides_that_use
from .arrays import array_of, as_array, as_view, listed, refused
from .capture import Log, Objects
from .convert import PLAIN
from .known import asker, at_large, known_size, size_of
from .numbers import as_python, check_division, is_numbers, item_of, weakly
from .quiet_writes import QuietWrites
from .rolling import Rolling
from .scheduling import rate_of, step_scheduler
from .watching import watch

MOST_READ = 64  # elements of a concrete tensor that Python code may look at: they are guarded


@dataclass(slots=True)
class Lifted:
    """A concrete tensor's cell as a state entry."""

    value: Value
    cell: Storage
    tensor: Tensor
    array: Any


class Tracer:
    """Records one program. Active (see ops/dispatch.py) while the user's function runs."""

    def __init__(
        self,
        name: str,
        hints: Mapping[str, int] | None = None,
        call: Callable[..., Any] = lambda fn, *a, **k: fn(*a, **k),
    ) -> None:
        self.call = call
        self.program = Program(name)
        self.builder = Builder(self.program.body, locate=locate)
        self.blocks: list[Block] = [self.program.body]  # from the outermost to the one being filled
        self.hints = hints
        self.logs: list[Log] = [Log()]
        self.objects = Objects()
        self.lifted: dict[int, Lifted] = {}
        self.adopted: dict[int, Value] = {}  # arrays of lifted cells, where they went into another cell
        self.edges: dict[Value, Any] = {}  # values that need gradients -> where these go
        self.reached: set[Value] = set()  # values that gradients of the program connect to one in `edges`
        self.callbacks: dict[str, Callable[..., Any]] = {}
        self.functions: dict[int, Any] = {}  # converted functions that ran
        self.plain_functions: dict[int, Any] = {}  # the user's functions that ran as they are
        self.kept: list[Any] = []  # objects whose identity is a key
        self.layers: list[Any] = []  # PyLayers met, with what a trial run told about them (see pylayer.py)
        self.texts: list[tuple[Tensor, str, Loc]] = []  # tensors in f-strings: tensor, format, place
        self.twins: weakref.WeakKeyDictionary[Storage, tuple[list[weakref.ref[Storage]], Any]]
        self.twins = weakref.WeakKeyDictionary()  # tensors that are others on some paths -> those, and the decision
        self.tables: dict[int, bool] = {}  # containers of layers and optimisers; whether numbers in them are guarded
        self.written: set[tuple[int, Any]] = set()  # items and attributes that the function sets: (owner, key)
        self.reads: list[tuple[Any, Any]] = []  # concrete tensors whose elements Python code looked at
        self.arguments: dict[int, int] = {}  # containers among the arguments, made for the trace, by identity: numbers
        self.regions: list[Any] = []  # code that can run again, from the outermost (see converters/decisions.py)
        self.raised: list[BaseException] = []  # errors that the program raises on every path that is left
        self.consumers: tuple[Any, ...] = ()  # loops over the generators that run (see converters/generators.py)
        self.unwinding: BaseException | None = None  # on its way to a region; no handler of the user's may end it
        self.watched: dict[Value, Any] = {}  # values with hooks on their gradients: the table of these
        self.named_sizes: dict[Value, tuple[Dim, Block]] = {}  # values that are sizes: the name, and where it is told
        self.depth = 0  # of the converted functions that are running
        self.tails = 0  # pieces of code traced more than once
        self.style = PLAIN  # how functions are converted
        self.recursed = False  # whether a call of a function in itself didn't end
        self.joins_sizes = False  # whether paths that leave a tensor in two sizes join to one that only a run knows
        self.parted_sizes = False  # whether paths stayed apart for their sizes alone
        self.late_grads: weakref.WeakKeyDictionary[Storage, Tensor] = weakref.WeakKeyDictionary()  # -> when it is there
        self.grads_met: dict[int, Tensor] = {}  # tensors of whose `.grad` it matters whether it is None before the call
        self.grew = False  # whether any list has had a length that only a run knows
        self.rolling = Rolling()
        self.quiet = QuietWrites()
        self.fixed: set[int] = set()  # numbers among the arguments whose values Python code looked at

    # ---- the interpreter protocol

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        if any(type(v) is Number for v in attrs.values()):
            attrs = {k: as_python(v) for k, v in attrs.items()}
        values = [self.value_of(x) for x in args]
        tracked = False
        if op.is_differentiable:
            for k, x in enumerate(args):
                if not x.stop_gradient:
                    tracked = True
                    if self.quiet:
                        values[k] = self.quiet.value_of(self, x, values[k])
                    self.note(values[k], x)
                elif values[k] in self.reached:
                    values[k] = self.builder.apply(OPS["stop_gradient"], (values[k],), {})
        plain = is_numbers(op, args)
        if plain:
            check_division(self, op, args)
        made = self.builder.apply(op, tuple(values), attrs)
        many = isinstance(made, tuple)
        results = [wrap(v, v.dtype) for v in (made if many else (made,))]
        if plain and results[0].dtype in KINDS:
            return number_over(results[0])
        if op.is_differentiable and any(v in self.reached for v in values):
            self.reached.update(made if many else (made,))
        result: Any = as_array(op, args, tuple(results) if many else results[0])
        result = as_view(self.builder, op, args, values, attrs, result)
        if self.late_grads and op.name == "add" and all(x._storage in self.late_grads for x in args):
            self.late_grads[result._storage] = OPS["logical_or"](*[self.late_grads[x._storage] for x in args])
        if tracked and is_recording():
            record(op, args, result, attrs)
            remember(results[0]._node)
            for y in results:
                self.note(y._storage.payload, y)
        return result

    def constant(self, data: Any, dtype: DType | None) -> Any:
        if type(data) is Number:
            return weakly(self, data, dtype)
        if isinstance(data, Tensor):
            data = data.detach() if type(data) in (RunArray, GivenArray) else data
            if isinstance(data._storage.payload, np.ndarray):
                self.adopted[id(data._storage.payload)] = self.value_of(data)
            return data if dtype is None or data._dtype is dtype else OPS["cast"](data, dtype)
        if isinstance(data, (list, tuple)) and _holds_value(data):
            parts = [self.constant(item, dtype) for item in data]
            return FUNCTIONS["stack"](parts)
        if not isinstance(data, Dim):
            data = bottom().constant(data, dtype)._storage.payload
        value = self.builder.constant(data, dtype)
        made = wrap(value, value.dtype)
        if not value.shape:
            made.is_literal = True
        return made

    def concretize(self, x: Tensor, kind: str) -> Any:
        """The Python value of a traced tensor doesn't exist: an error, but for `.item()`, which stays a tensor."""
        array = x._storage.payload
        if isinstance(array, np.ndarray) and array.size <= MOST_READ:
            if type(x) is Number and isinstance(x.origin, int):
                self.fixed.add(x.origin)
            else:
                self.reads.append((x, array.tolist()))
            return array
        if kind == "item" and all(d == 1 for d in x.shape):
            return item_of(x)
        if kind == "numpy":
            return array_of(self, x)
        if kind == "tolist" and all(type(d) is int for d in x.shape) and x.size <= MOST_READ:
            return listed(x)
        raise refused(x, kind)

    def watch_gradient(self, x: Tensor, table: Any) -> None:
        """`x` gets a hook on its gradient, in `table` (see watching.py)."""
        watch(self, x, table)

    def known_size(self, x: Tensor) -> int | Dim | None:
        """The size that a tensor with one element stands for; None for others."""
        payload = x._storage.payload
        return known_size(payload) if isinstance(payload, Value) else None

    def size_of(self, x: Tensor) -> int | Dim:
        """An integer tensor with one element as a size (see known.py)."""
        return size_of(self, self.value_of(x))

    def require(self, condition: Tensor, message: str, error: str) -> None:
        """The run ends with the error of that name unless the condition holds."""
        self.builder.check(self.value_of(condition), message, error)

    def text(self, x: Tensor, spec: str) -> str:
        """What stands for a tensor in a text (see converters/text.py)."""
        self.texts.append((x, spec, caller_loc()))
        return f"\x00{len(self.texts) - 1}\x00"

    # ---- values

    def value_of(self, x: Tensor) -> Value:
        """The program's value that a tensor stands for; a concrete tensor is lifted."""
        try:
            payload = x._storage.payload
        except AttributeError:
            raise escaped(x, "an operation") from None
        if not isinstance(payload, Value):
            return self.lift(x)
        if type(x) is GivenArray and x.base is not None:
            payload = x.now(self.value_of)
        if payload.block not in self.blocks:
            error = escaped(x, "an operation")
            inside = payload.block is not self.program.body and self.is_ours(payload)
            if inside:
                error.message = f"a tensor ({payload.type}) made in a branch or loop is used outside of it"
                error.remedy = "assign it to a variable of the function, or return it"
            raise error.at(caller_loc())
        return payload  # type: ignore[no-any-return]

    def is_ours(self, value: Value) -> bool:
        block: Block | None = value.block
        while block is not None and block.parent is not self.program:
            if block in self.blocks:
                return True
            block = block.parent_block
        return block is self.program.body

    def lift(self, x: Tensor) -> Value:
        """The state entry for a concrete tensor's cell."""
        cell = x._storage
        found = self.lifted.get(id(cell))
        if found is None:
            kind = TensorType(x._dtype, cell.payload.shape)
            value = self.program.add_state(f"state{len(self.lifted)}", kind, "other")
            self.lifted[id(cell)] = Lifted(value, cell, x, cell.payload)
            return value
        if found.array is not cell.payload:  # another cell's array was written into this one
            return self.adopted[id(cell.payload)]
        if found.tensor.stop_gradient and not x.stop_gradient:
            found.tensor = x  # a better representative than a detached twin
        return found.value

    def note(self, value: Value, x: Tensor) -> None:
        """`value` is that of `x`, which needs a gradient."""
        if x.dtype.is_differentiable:
            self.edges[value] = edge_of(x)
            self.reached.add(value)

    def flag(self, test: Tensor) -> Value:
        """A one-element tensor as a bool without axes."""
        if any(d != 1 for d in test.shape):
            raise ArgumentError(
                f"a tensor of shape [{', '.join(map(str, test.shape))}] isn't one truth value",
                loc=caller_loc(),
                remedy="reduce it with any() or all()",
            )
        value = self.value_of(test)
        with self.builder.active():
            if value.dtype is not bool_:
                value = OPS["not_equal"](value, self.builder.constant(0, value.dtype))
            flag: Value = value if not value.shape else OPS["reshape"](value, ())
            return flag

    def decide(self, relation: str, difference: Dim) -> bool:
        """Answer a question about sizes from the example's sizes, and guard the answer."""
        if runtime_names(difference):
            late: bool = self._late(relation, difference)  # a tensor, where user code asks: its tests are captured
            return late
        if self.hints is None or not difference.symbols() <= set(self.hints):
            assumed = self._assume(relation, difference)
            if assumed is None:
                return self._asked(relation, difference)  # type: ignore[no-any-return]  # user code: as above
            answer, value = assumed
        else:
            size = difference.evaluate(self.hints)
            assert isinstance(size, int)
            value = size
            answer = value == 0 if relation == "==" else value >= 0
        guard: tuple[str, Any] = (relation, difference)
        if not answer:  # what doesn't hold is put as what does
            guard = (">=", difference - 1) if value > 0 else (">=", -difference - 1)
        if guard not in [c for c in self.program.constraints if _same_guard(c, guard)]:
            self.program.constraints.append(guard)
        return answer

    def _late(self, relation: str, difference: Dim) -> Any:
        """A question about a size that only a run knows: user code gets a tensor; the type rules take sizes as fitting,
        which the run checks.
        """
        by = asker()
        if by is assume_equal.__code__ and relation == "==":
            return True
        if is_library_file(by.co_filename) or by.co_filename == "<string>":  # the latter: dataclasses
            return relation == ">=" and at_large(difference) >= 0
        return self._asked(relation, difference)

    def sizes_agree(self, a: Any, b: Any) -> bool:
        """Whether two paths leave an axis with one size; not assumed for sizes that an InputSpec leaves open."""
        difference = a - b
        if isinstance(difference, int):
            return difference == 0
        if self.hints is not None and difference.symbols() <= set(self.hints):
            return self.decide("==", difference)
        known = difference.evaluate(solved(self.program.constraints))
        return isinstance(known, int) and known == 0

    def _asked(self, relation: str, difference: Dim) -> Any:
        """The question as a tensor."""
        op = OPS["equal" if relation == "==" else "greater_equal"]
        return op(self.constant(difference, None), self.constant(0, int64))

    def _assume(self, relation: str, difference: Dim) -> tuple[bool, int] | None:
        """Answer for sizes that only an InputSpec describes: a row's type rule takes them as fitting and large.

        None where user code asks: the program answers.
        """
        by = asker()
        known = difference.evaluate(solved(self.program.constraints))
        if isinstance(known, int):  # what was assumed before decides
            return known == 0 if relation == "==" else known >= 0, known
        if by is assume_equal.__code__ or is_library_file(by.co_filename):
            if relation == "==" and by is assume_equal.__code__:
                return True, 0
            value = at_large(difference)
            return value == 0 if relation == "==" else value >= 0, value
        return None

    def check_twins(self, x: Tensor) -> None:
        """An in-place write to what is, on one path, a tensor that exists besides: that one would have to change."""
        others, decision = self.twins.get(x._storage, ((), None))
        if any(ref() is not None for ref in others):
            if decision is not None and decision.is_open():
                decision.split()
            raise CaptureError(
                "this writes in place to a variable that is, on one path of a branch, another tensor still in use",
                loc=caller_loc(),
                remedy="clone() it before the write, or make a new tensor: `y = y + 1`",
            )

    # ---- blocks and operations with blocks

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Record into `block` for a while."""
        self.blocks.append(block)
        try:
            with self.builder.inside(block):
                yield block
        finally:
            self.blocks.pop()

    @property
    def keeps_graph(self) -> bool:
        """Backward passes inside branches and loops leave the graph around them whole: it is traced more than once."""
        return len(self.blocks) > 1

    def is_outer(self, payload: Any) -> bool:
        """Whether a payload is concrete or made in a block that is open."""
        return not isinstance(payload, Value) or payload.block in self.blocks

    def results_of(self, operation: Operation, kept: Sequence[bool]) -> list[Tensor]:
        """The results of an operation with blocks as tensors, on the tape where `kept` says they need gradients."""
        own = operation.results[: len(kept)]  # a backward pass may have added others, if its code runs again
        results = [wrap(v, v.dtype) for v in own]
        sources = [v for v in inputs_of(operation) if v in self.edges]
        if any(v in self.reached for v in inputs_of(operation)):
            self.reached.update(v for v in own if v.tensor_type.dtype.is_differentiable)
        if not sources or not any(kept) or not is_recording():
            return results
        differentiable = [y for y, keep in zip(results, kept, strict=True) if keep]
        self._record([operation], sources, [self.edges[v] for v in sources], differentiable)
        return results

    def _record(
        self, operations: list[Operation], sources: list[Value], edges: list[Any], outputs: list[Tensor]
    ) -> None:  # fmt: skip
        """One node for several operations that lead from `sources` to `outputs`; its backward differentiates them."""
        values = [self.value_of(y) for y in outputs]

        def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
            given = [(v, g) for v, g in zip(values, grads, strict=True) if g is not None]
            builder, found, last = self.builder, list[Any](), next(reversed(self.builder.block.operations), None)
            with emitting(builder, lambda: found):
                gradients = Gradients()
                for value, g in given:
                    gradients.add(value, self.value_of(g))
                reverse(builder, operations, gradients, sources, lambda *of: vjp_operation(*of).items())
                found += [gradients.get(v) for v in sources]
            results = [None if v is None else wrap(v, v.dtype) for v in found]
            self._mark_late(operations, sources, results, [v for v, _ in given])
            if is_recording():  # create_graph: what was emitted can be differentiated again
                emitted = [*operations, *operations_after(builder.block, last)]
                more = [self.value_of(g) for _, g in given]
                ends = [*edges, *(edge_of(g) for _, g in given)]
                self._record(emitted, [*sources, *more], ends, [y for y in results if y is not None])
            return results

        record_function(operations[0].name, [wrap(v, v.dtype) for v in sources], outputs, backward, edges=edges)
        for y, value in zip(outputs, values, strict=True):
            if not y.stop_gradient:
                self.note(value, y)

    def _mark_late(
        self, operations: list[Operation], sources: list[Value], results: list[Any], given: list[Value]
    ) -> None:
        """Note which gradients of an `if` eager code would have on one path only."""
        if len(operations) > 1 or operations[0].name != "if":
            return
        condition = operations[0].operands[0]
        for source, result in zip(sources, results, strict=True):
            sides = sides_that_use(operations[0], given, source)
            if result is not None and len(sides) == 1:
                flag = wrap(condition, condition.dtype)
                self.late_grads[result._storage] = OPS["logical_not"](flag) if sides[0] else flag

    def carried(self, value: Value, needs_gradient: bool) -> Tensor:
        """A loop's argument as a tensor; gradients taken inside the loop end at it."""
        made = wrap(value, value.dtype)
        if needs_gradient and value.dtype.is_differentiable:

            def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
                raise CaptureError(
                    "backward() inside a captured loop reaches a value from an earlier turn",
                    loc=caller_loc(),
                    remedy="detach() the value that the loop carries, or call backward() after the loop",
                )

            record_function("carried", [], [made], backward)
            self.note(value, made)
        return made

    def forward_of(self, layer: Any) -> Callable[..., Any]:
        """The `forward` that a layer's call runs: the converted one."""
        self.objects.add([layer])
        return in_layer(layer, lambda *args, **kwargs: self.call(layer.forward, *args, **kwargs))

    def repeat(self, count: Any, step: Callable[[Any, Any], Any], state: Any) -> Any:
        """`state = step(turn, state)` for `count` turns, a number that only a run knows, as a loop of the program."""
        from .converters.for_loop import repeated  # it needs this module

        return repeated(self, count, step, state)

    def step_scheduler(self, scheduler: Any, rates: Sequence[Tensor], given: Any, named: Any) -> None:
        """A learning-rate scheduler moves on (see scheduling.py)."""
        step_scheduler(self, scheduler, rates, given, named)

    def rate_of(self, read: Callable[[], float]) -> Any:
        """The learning rate that `read` finds when the program gets here."""
        return rate_of(self, read)

    def callback_name(self, stem: str) -> str:
        """A callback name that isn't taken."""
        name, k = stem, 1
        while name in self.callbacks:
            k += 1
            name = f"{stem}.{k}"
        return name

    def py_layer(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A PyLayer becomes a callback (see pylayer.py)."""
        from .pylayer import trace_layer  # it needs this module

        return trace_layer(self, cls, *map_leaves(as_python, (args, kwargs), lambda v: type(v) is Number))


def locate() -> Loc:
    """The user's place, for a new operation."""
    return caller_loc(2)


def active() -> Tracer | None:
    """The tracer that is running, if one is."""
    found = current()
    return found if isinstance(found, Tracer) else None


def _holds_value(data: Any) -> bool:
    return any(isinstance(x, (Tensor, Dim)) or (isinstance(x, (list, tuple)) and _holds_value(x)) for x in data)


def _same_guard(a: tuple[str, Dim], b: tuple[str, Any]) -> bool:
    return a[0] == b[0] and isinstance(b[1], Dim) and a[1].terms == b[1].terms


def loc_of_value(value: Any) -> Loc:
    """Where a tensor's value was made; unknown for arguments and Python values."""
    payload = value._storage.payload if isinstance(value, Tensor) else None
    operation = payload.operation if isinstance(payload, Value) else None
    return operation.loc if operation is not None else UNKNOWN
