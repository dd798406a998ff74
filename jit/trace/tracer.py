"""The tracing interpreter: ops on Tensors whose payload is a program's value are recorded, and taped as usual.

A Tensor with an array as payload comes from outside (a parameter, a buffer, a closure's tensor): on its first use it is
*lifted* to a state entry of the program, which is read through its cell at each call and never baked in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, MappingProxyType
from typing import Any

import numpy as np

from ...base.dtype import DType, bool_
from ...base.errors import ArgumentError
from ...base.layer_scope import in_layer, remember
from ...base.location import UNKNOWN, CallerLocs, Loc, Purpose, caller_loc
from ...dygraph.elements import escaped
from ...dygraph.given_array import GivenArray
from ...dygraph.modes import is_recording
from ...dygraph.number import KINDS, Number, number_over
from ...dygraph.storage import Storage, is_view, root_of
from ...dygraph.tape import record
from ...dygraph.tensor import Tensor, wrap
from ...ir.builder import Builder
from ...ir.core import Block, Program, Value
from ...ops import LIBRARY
from ...ops.attribute_kinds import with_numbers
from ...ops.dims import Dim, product
from ...ops.dispatch import bottom, current, innermost
from ...ops.interpreter import Interpreter
from ...ops.op import OPS, Op
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from ..convert import PLAIN
from .alike_updates import AlikeUpdates
from .arrays.made_arrays import MadeArrays
from .arrays.traced_arrays import array_of, as_array, as_view, listed, refused
from .assumed.asked_tensors import AskedTensors
from .assumed.identity import AskedIdentity, AskedTuples
from .assumed.questions import Question
from .block_results import BlockResults
from .drawn_apart import DrawnApart
from .entrances import Entrances
from .gradients.alike_rules import AlikeRules
from .gradients.freed_graphs import FreedGraphs
from .gradients.gradient_hooks import unwatch, watch
from .gradients.hook_guards import MetHooks
from .gradients.met_layers import MetLayers
from .gradients.partial_gradients import PartialGradients, RenewedGradients
from .gradients.traced_rates import SchedulerReads, TracedRates
from .recursive_calls import Recursion
from .rolling import Rolling
from .size_questions import SizeQuestions
from .state.aliases import Aliases
from .state.changing_numbers import NumberConditions
from .state.chosen_tensors import ChosenTensors
from .state.escapes import is_computed, with_origins
from .state.joined_containers import Joints
from .state.rollback import Objects
from .state.standard_objects import StandardObjects
from .state.taped_memory import DetachedState, UntapedWrites, runs_now
from .state.traced_numbers import as_attribute, check_operands, is_numbers, item_of, known_text, stacked, weakly
from .state.write_log import Log

MOST_READ = 64  # elements of a concrete tensor that Python code may look at: they are guarded


@dataclass(slots=True)
class Lifted:
    """A concrete tensor's cell as a state entry."""

    value: Value
    cell: Storage
    tensor: Tensor
    array: Any
    runs: Sequence[Any] = ()  # of the code around, in which `tensor` was met


class Tracer(SizeQuestions, BlockResults, TracedRates, Interpreter):
    """Records one program. Active (see ops/dispatch.py) while the user's function runs."""

    def __init__(
        self,
        name: str,
        hints: Mapping[str, int] | None = None,
        call: Callable[..., Any] = lambda fn, *a, **k: fn(*a, **k),
    ) -> None:
        self._call = call
        self.program = Program(name)
        self.places, self.arrays = CallerLocs(), MadeArrays()
        self.builder = Builder(self.program.body, locate=self.places.here)
        self.blocks: list[Block] = [self.program.body]  # from the outermost to the one being filled
        self.hints = hints
        self.logs: list[Log] = [Log()]
        self.entrances = Entrances(self)  # of functions that something other than converted code calls
        self.objects = Objects(met=self.entrances.meet, is_made=partial(is_computed, self))
        self.lifted: dict[int, Lifted] = {}
        self.adopted: dict[int, Value] = {}  # arrays of lifted cells, where they went into another cell
        self.edges: dict[Value, Any] = {}  # values that need gradients -> where these go
        self.emitted: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = {}
        self.reached: set[Value] = set()  # values that gradients of the program connect to one in `edges`
        self.callbacks: dict[str, Callable[..., Any]] = {}
        self.functions, self.plain_functions = dict[int, Any](), dict[int, Any]()  # that ran: converted; as they are
        self.kept: list[Any] = []  # objects whose identity is a key
        self.strings: list[tuple[Tensor, str, Loc]] = []  # tensors in f-strings: tensor, format, place
        self.aliases, self.joints, self.chosen = Aliases(), Joints(self), ChosenTensors()  # alike on some paths
        self.parts_containers = False  # whether containers of two paths stay two
        self.in_doubt: dict[int, Any] = {}  # objects that may have items in doubt (see converters/regions)
        self.compound: CodeType | None = None  # the code of a statement that is traced, if it ends with its last branch
        self.tables: dict[int, bool] = {}  # containers of layers and optimisers; whether numbers in them are guarded
        self.written: set[tuple[int, Any]] = set()  # items and attributes that the function sets: (owner, key)
        self.reads: list[tuple[Any, Any]] = []  # concrete tensors whose elements Python code looked at
        self.standard, self.met_hooks, self.layers = StandardObjects(), MetHooks(), MetLayers()
        self.arguments: dict[int, int] = {}  # containers among the arguments, made for the trace, by identity: numbers
        self.regions: list[Any] = []  # code that can run again, from the outermost (see converters/decisions.py)
        self.refusals: list[BaseException] = []  # of elements that Python code wanted to see
        self.raised: list[BaseException] = []  # errors that the program raises on every path that is left
        self.consumers: tuple[Any, ...] = ()  # loops over the generators that run (see converters/generators.py)
        self.unwinding: BaseException | None = None  # on its way to a region; no handler of the user's may end it
        self.watched: dict[Value, Any] = {}  # values with hooks on their gradients: the table of these
        self.hooked: dict[int, tuple[Any, Any, bool]] = {}  # tables of hooks, as they were; whether of outer tensors
        self.named_sizes: dict[Value, tuple[Dim, Block, Any]] = {}  # values that are sizes: name, where it is told
        self.depth, self.tail_copies = 0, 0  # of functions that run; pieces of code traced more than once
        self.split_before: set[Any] = set()  # decisions that statements had to make (see converters/regions)
        self.style = PLAIN  # how functions are converted
        self.catching: list[Callable[[type[BaseException]], bool]] = []  # what managers that are entered may swallow
        self.escaping: set[CodeType] = set()  # statements that raise what code around them handles
        self.recursion, self.detached = Recursion(), DetachedState()  # of the functions that are running
        self.recursed, self.grew = False, False  # a call of a function in itself didn't end; a list has a run's length
        # whether paths that leave a tensor in two sizes join to one that only a run knows; stayed apart for that alone
        self.joins_sizes, self.diverged_sizes = False, False
        self.partial, self.freed, self.renewed = PartialGradients(self.value_of), FreedGraphs(), RenewedGradients()
        self.grads_met: dict[int, Tensor] = {}  # tensors of whose `.grad` it matters whether it is None before the call
        self.rolling, self.scheduler_reads, self.apart = Rolling(), SchedulerReads(), DrawnApart(self)
        self.parameters: list[tuple[Tensor, Loc]] = []  # that the function makes: each call has its own
        self.untaped, self.alike_updates = UntapedWrites(self.lifted), AlikeUpdates()
        self.ends_read, self.uneven, self.alike_rules, self.conditions = set(), set(), AlikeRules(), NumberConditions()
        self.known_symbols, self.counts, self.totals = {}, {}, dict[Value, Any]()  # see SizeQuestions, and sum()
        self.asked, self.tuples, self.identity, self.split_flags = AskedTensors(), AskedTuples(), AskedIdentity(), {}
        self.fixed: set[int] = set()  # numbers among the arguments whose values Python code looked at

    # ---- the interpreter's hooks

    split_flags: dict[Loc, list[Value]]  # conditions after which code was traced more than once, by their lines
    uneven: set[tuple[int, int]]  # decisions after which elements of two sizes stand in a list
    ends_read: set[int]  # lists from outside, by identity, of which code has read items from before the call
    unrolls, branched = False, False  # loops of known length are a piece of code each; second sides of `if`s split, too
    is_trace = wraps_layers = True
    recorded = False  # whether the tape was on for some operation
    pushes_zips, pulled_zips = False, False  # zip() of generators: one ran whole; they were asked in turn
    repeated_copies = 0  # pieces of code traced more than once, again for other paths of code around
    tries_few = False  # whether to give up early where much is traced more than once
    most_work: int | None = None  # operations to record before it isn't worth it to leave numbers open
    examples: Mapping[Value, Any] = MappingProxyType({})  # the arguments of the call that is captured
    found_twice: frozenset[int] = frozenset()  # tensors that stand in several places outside
    given: frozenset[int] = frozenset()  # containers among the arguments that are the caller's very own, by identity
    appended: Mapping[int, Any] = MappingProxyType({})  # lists only appended to: see assumed/appended_lists.py
    replaced: frozenset[int] = frozenset()  # cells whose tensors the function puts others in the place of (attempts.py)
    open_numbers: Sequence[Any] = ()  # places of numbers outside of the arguments that are filled in at each call
    replaced_outside: Mapping[Any, Any] = MappingProxyType({})  # where other code replaces tensors

    def call(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the user's, converted."""
        return self._call(fn, *args, **kwargs)

    def rolls(self, times: int) -> bool:
        """Whether a recurrent layer over so many steps becomes a loop (see rolling.py)."""
        return self.rolling.takes(times)

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        if attrs and any(isinstance(v, Tensor) for v in attrs.values()):
            attrs = {k: as_attribute(self, v) for k, v in attrs.items()}
        if op.name in LIBRARY:
            attrs = with_numbers(op, attrs)
        if op.known_axes is not None:
            self.note_known(op, args[0], attrs)
        if op.failures:
            self.may_fail(op, args, attrs)
        values = [self.value_of(x) for x in args]
        tracked = False
        if op.is_differentiable:
            self.recorded = self.recorded or is_recording()
            for k, x in enumerate(args):
                if not x._stop:
                    tracked = True
                    if self.untaped:
                        values[k] = self.untaped.value_of(self, x, values[k])
                    self.note(values[k], x)
                elif values[k] in self.reached:
                    values[k] = self.without_gradient(values[k])
                else:
                    self.detached.plain.add(values[k])
        plain = is_numbers(op, args)
        if plain or (op.name == "divide" and values[0] in self.totals):
            check_operands(self, op, args)
        made = self.equal.sized(self, op, values, self.built(op, tuple(values), attrs))
        many = isinstance(made, tuple)
        results = [wrap(v, v.dtype) for v in (made if many else (made,))]
        if plain and results[0].dtype in KINDS:
            return number_over(results[0])
        if op.is_differentiable and not self.reached.isdisjoint(values):
            self.reached.update(made if many else (made,))
        result: Any = as_array(op, args, tuple(results) if many else results[0])
        result = as_view(self.builder, op, args, values, attrs, result)
        if tracked and is_recording():
            record(op, args, result, attrs)
            remember(results[0]._node, self.gradient_of(made[0] if many else made))
            for y in results:
                self.note(y._storage.payload, y)
        return result

    def gradient_of(self, value: Value) -> Purpose | None:
        """What the operations of a value's gradient are for."""
        maker = value.operation
        return None if maker is None else Purpose("gradient", maker.name, maker.loc)

    def constant(self, data: Any, dtype: DType | None) -> Any:
        if type(data) is Number:
            return weakly(self, data, dtype)
        if isinstance(data, Tensor):
            data = data.detach() if isinstance(data, GivenArray) else data
            if isinstance(data._storage.payload, np.ndarray):
                self.adopted[id(data._storage.payload)] = self.value_of(data)
            return data if dtype is None or data._dtype is dtype else OPS["cast"](data, dtype)
        if isinstance(data, (list, tuple)) and (whole := stacked(self, data, dtype)) is not None:
            return whole
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
        if isinstance(array, np.ndarray) and array.size <= MOST_READ and id(x._storage) not in self.replaced:
            self.note_number(x, array)
            return array
        if isinstance(array, np.ndarray) and id(x._storage) in self.replaced:
            x = wrap(self.value_of(x), x.dtype)
        if kind == "item" and (bool(runtime_names(x.shape)) or all(d == 1 for d in x.shape)):
            return item_of(self.only_element(x))
        if kind == "numpy":
            return array_of(self, x)
        if kind == "tolist" and all(type(d) is int for d in x.shape) and x.size <= MOST_READ:
            return listed(x)
        told = self.told_by_sizes(x)
        if told is not None:
            return told
        self.refusals.append(with_origins(self, refused(x, kind), [x]))
        raise self.refusals[-1]

    def note_number(self, x: Tensor, array: Any) -> None:
        """What a number, or a small tensor from outside, is in this call decides what the program does."""
        if type(x) is Number and isinstance(x.origin, int):
            self.fixed.add(x.origin)
        else:
            self.reads.append((x, array.tolist()))

    def note_hashed(self, number: Number) -> None:
        """It is a key from here on, until code is captured again that comes before."""
        for region in self.regions:
            region.hashed.append(number)

    def watch_gradient(self, x: Tensor, table: Any) -> None:
        """`x` gets a hook on its gradient, in `table` (see gradient_hooks.py)."""
        watch(self, x, table)

    def changes_hooks(self, table: Any) -> None:
        """A hook on a gradient is about to be removed."""
        unwatch(self, table)

    def gradient_arrives(self, target: Any, is_added: bool) -> None:
        """Which hooks wait there is part of the program (see hook_guards.py)."""
        self.met_hooks.arrive(target, is_added, self.hooked)

    def walked(self, steps: Sequence[Any], frees: bool) -> None:
        """A second pass through a step is an error if the first freed it (see freed_graphs.py)."""
        self.freed.walk(self, steps, frees)

    def require(self, condition: Tensor, message: str, error: str) -> None:
        """The run ends with the error of that name unless the condition holds."""
        self.check(self.value_of(condition), message, error)

    def check(self, good: Value, message: str, error: str) -> None:
        """The same, of a flag; where code around goes on behind the error, ConstructTracer traces either outcome."""
        self.builder.check(good, message, error)

    def may_raise(self, bad: Callable[[], Any], message: str, kind: type[Exception]) -> bool:
        """An error that a later operation raises otherwise; whether code around goes on behind it."""
        return False

    def surely(self, is_sure: bool = True) -> AbstractContextManager[None]:
        """Operations don't fail here: what makes them fail has been asked."""
        return nullcontext()

    def hands_over(self, error: type[BaseException]) -> bool:
        """Whether a handler around gets such an error of an operation: ConstructTracer knows."""
        return False

    def may_fail(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> None:
        """Where code around goes on behind an error of an operation's, ConstructTracer traces either outcome."""

    def reads_labels(self, picked: Tensor, loss: str) -> None:
        """What a run says of an index outside its axis: it is a label."""
        operation = self.value_of(picked).operation
        if operation is not None:
            operation.loc = replace(operation.loc, labels_of=loss)

    def string_of(self, x: Tensor, spec: str) -> str:
        """What stands for a tensor in a string (see converters/stdlib/strings.py)."""
        if "\x00" in spec:  # a width or precision that is itself a number in a text
            spec = known_text(spec, [number for number, *_ in self.strings])
        self.standard.settings.note_text(len(self.strings), x)
        self.strings.append((x, spec, caller_loc()))
        return f"\x00{len(self.strings) - 1}\x00"

    def only_element(self, x: Tensor) -> Tensor:
        """A tensor whose size only a run knows, as one without axes; the run ends unless it has one element."""
        if not runtime_names(x.shape):
            return x
        with self.builder.active():
            good = OPS["equal"](product(x.shape), 1)
        self.check(good, "a tensor of several elements, or of none, isn't one number", "ArgumentError")
        with self.surely():
            return OPS["reshape"](x, ())  # type: ignore[no-any-return]

    def one_line(self, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """The user's line is looked for once."""
        return self.places.one_line(run, *args, **kwargs)

    def by_rule(self, node: Any, grads: tuple[Any, ...], ys: Any, operands: tuple[Any, ...]) -> Any:
        """A gradient, as a copy of what a step like this one recorded (see alike_rules.py)."""
        return self.places.one_line(self.alike_rules.run, self, node, grads, ys, operands)

    def in_modes(self, call: Callable[[bool], Any]) -> Any:
        """A function that behaves otherwise in training."""
        return self.places.one_line(call, True)

    # ---- values

    def value_of(self, x: Tensor) -> Value:
        """The program's value that a tensor stands for; a concrete tensor is lifted."""
        return self.detached.of_leaf(self, x, self.elements_of(x))

    def elements_of(self, x: Tensor) -> Value:
        """The same for all tensors that share the memory, wherever their gradients go."""
        try:
            payload = x._storage.payload
        except AttributeError:
            raise escaped(x, "an operation") from None
        self.aliases.read(root_of(x._storage))
        if not isinstance(payload, Value):
            return self.lift(x)
        if isinstance(x, GivenArray) and x.base is not None:
            payload = x.now(self.value_of)
        made = payload.producer
        block = made if isinstance(made, Block) else made.parent  # None: of code that was given up
        if block not in self.blocks:
            error = escaped(x, "an operation")
            inside = block is not None and block is not self.program.body and self.is_ours(payload)
            if inside:
                error.message = f"a tensor ({payload.type}) made in a branch or loop is used outside of it"
                error.remedy = "assign it to a variable of the function, or return it"
            raise error.at(caller_loc())
        return payload  # type: ignore[no-any-return]

    def without_gradient(self, value: Value) -> Value:
        """The value, which gradients don't go through."""
        made: Value = self.builder.apply(OPS["stop_gradient"], (value,), {})
        return made

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
            found = self.lifted[id(cell)] = Lifted(value, cell, x, cell.payload, runs_now(self))
            known = self.detached.known.get(id(cell))
            if known is None:
                return value
            self.reached.add(value)
            found.tensor = x if known.owner is None else known.owner
        if found.array is not cell.payload and not is_view(cell):  # another cell's array was written into this one
            return self.adopted[id(cell.payload)]
        if found.tensor is x or x.stop_gradient:
            return found.value
        return found.value if self.detached.represents(self, found, x) else self.detached.leaf(self, found, x)

    def flag(self, condition: Tensor) -> Value:
        """A one-element tensor as a bool without axes."""
        condition = self.only_element(condition)
        if any(d != 1 for d in condition.shape):
            raise ArgumentError(
                f"a tensor of shape [{', '.join(map(str, condition.shape))}] isn't one truth value",
                loc=caller_loc(),
                remedy="reduce it with any() or all()",
            )
        value = self.value_of(condition)
        with self.builder.active():
            if value.dtype is not bool_:
                value = OPS["not_equal"](value, self.builder.constant(0, value.dtype))
            flag: Value = value if not value.shape else OPS["reshape"](value, ())
            return flag

    # ---- blocks and operations with blocks

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Record into `block` for a while."""
        self.blocks.append(block)
        try:
            with self.builder.inside(block), self.standard.settings.left_alone():
                yield block
        finally:
            self.blocks.pop()

    @contextmanager
    def recording_nothing(self) -> Iterator[None]:
        """Forget what the user's code records for a while: what comes after the program's end is none of it."""
        with self.inside(Block()) as block:
            yield
        for operation in reversed(block.operations):
            operation.forget()

    def is_outer(self, payload: Any) -> bool:
        """Whether a payload is concrete or made in a block that is open."""
        return not isinstance(payload, Value) or payload.block in self.blocks

    def forward_of(self, layer: Any) -> Callable[..., Any]:
        """The `forward` that a layer's call runs: the converted one."""
        self.objects.add([layer])
        return in_layer(layer, lambda *args, **kwargs: self.call(layer.forward, *args, **kwargs))

    def run_where(self, flag: Value, update: Callable[[], None]) -> None:
        """Record `update()` so that a run does it only where `flag` holds: ConstructTracer can."""
        raise NotImplementedError("a plain tracer has no branches")

    def is_conditional(self) -> bool:
        """Whether a branch or loop is recorded."""
        return len(self.blocks) > 1

    def update_alike(
        self, facts: Callable[[], Any], update: Callable[[], None], given: Sequence[Any],
        kept: Callable[[bool], list[Any]],
    ) -> None:  # fmt: skip
        """The update of a parameter, as a copy of what that of another one recorded (see alike_updates.py)."""
        self.alike_updates.run(self, facts, update, given, kept)

    def ask(self, fn: Callable[[], Any]) -> Any:
        """The answer becomes an assumption of the program."""
        found = (question := Question(fn, (), {}))()
        self.reads.append((question, found))
        return found

    def made_parameter(self, parameter: Tensor) -> None:
        """The program is one for this call: the next one's parameters have other first values."""
        self.parameters.append((parameter, caller_loc()))

    def drawn_apart(self, state: Any) -> Any:
        """The program is one for this call: the next one draws other numbers (see drawn_apart.py)."""
        return self.apart.state_of(state)

    def callback_name(self, stem: str) -> str:
        """A callback name that isn't taken."""
        name, k = stem, 1
        while name in self.callbacks:
            k += 1
            name = f"{stem}.{k}"
        return name


def active() -> Tracer | None:
    """The tracer that is running, if one is; `auto_cast` may stand before it."""
    found: Any = innermost(current())
    return found if found.is_trace else None  # a Tracer: `isinstance` asks what abstract classes take, at each read


def loc_of_value(value: Any) -> Loc:
    """Where a tensor's value was made; unknown for arguments and Python values."""
    payload = value._storage.payload if isinstance(value, Tensor) else None
    operation = payload.operation if isinstance(payload, Value) else None
    return operation.loc if operation is not None else UNKNOWN
