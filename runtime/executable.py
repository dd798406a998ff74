"""The call path: arrays in, the VM, callbacks served, arrays out; errors at the user's line."""

from __future__ import annotations

import struct
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..base.causes import raise_linked
from ..base.errors import (
    CallbackError,
    GuardError,
    KernelError,
    MemoryLimitError,
    ShapeError,
    VerifyError,
    VitrifyError,
)
from ..base.memory import WORTH_IT, aligned_empty
from ..ir.concrete import check_concrete
from ..ir.core import Operation, Program, Value
from ..ir.dynamic_sizes import known_symbols, learn
from ..ir.exchanges import outlines_of
from ..ir.interpret import bind_sizes, check_callback_results, check_constraints, error_of_check
from ..ir.walk import map_attrs
from ..ops.collective import request_of
from ..ops.dims import Dim, concrete
from ..ops.exchange import RunningAt, transport
from ..ops.exchange_outline import Outline
from ..ops.types import TensorType
from .allocations import took
from .failures import bad_index, led_to, left_of, placed
from .schedule.growing.handed_over import HandedOver
from .schedule.growing.native_pieces import NativePieces
from .schedule.host import Place, run_step
from .schedule.program_steps import (
    CheckStep,
    FallbackStep,
    HostCallStep,
    InterpretedStep,
    KernelStep,
    Label,
    PieceStep,
    RowStep,
    Steps,
)
from .vm.binding import Binding, is_resizable
from .vm.entry_stub import ELSEWHERE, argument, make_entry_stub
from .vm.native_source.layout import Status
from .vm.undoing import undoes
from .vm.virtual_machine import run
from .vm.watchdog import watch

Array = np.ndarray[Any, Any]
Fit = Callable[[Mapping[str, int]], tuple[Steps, Mapping[int, int]]]  # steps and kernels for these sizes
MAX_BINDINGS = 64
MOST_RESIZED = 8
MOST_KEPT = 1 << 20  # bytes of a list that the next call finds again; of more the memory goes back
POOLED_BYTES = WORTH_IT  # smaller outputs are cheaper from the allocator
DONE = int(Status.DONE)  # comparing with the enum itself costs 0.1 µs
empty = np.empty


class Executable:
    """A compiled program. `run(feeds, state)` is one call; several threads may call at once."""

    enters_vm = True  # what `bind` gives is a Bound

    def __init__(
        self,
        program: Program,
        steps: Steps,
        kernels: Mapping[int, int],
        callbacks: Mapping[str, Callable[..., Any]],
        report: Any,
        fit: Fit | None = None,
        *,
        pieces: NativePieces,
    ) -> None:
        self.program = program
        self.steps = steps
        self.kernels = kernels
        self.callbacks = callbacks
        self.report = report
        self.fit = fit
        self.pieces = pieces
        self._bindings: dict[tuple[int, ...], list[Bound]] = {}
        self._symbol_places = _symbol_places(program)

    @cached_property
    def outlines(self) -> Mapping[tuple[int, ...], Outline]:
        """What the program exchanges, by group. The steps tell whether there is anything: they are there already."""
        returns = any(isinstance(step, (HostCallStep, InterpretedStep)) for step in self.steps.steps)
        return outlines_of(self.program) if returns else {}

    def bind(self, arrays: Sequence[Array]) -> Bound:
        """A free binding for the sizes of these arrays (feeds, then state); give it back with `release`."""
        return self._free(self.key_of(arrays))

    def key_of(self, arrays: Sequence[Array]) -> tuple[int, ...]:
        """The sizes of the program's symbols, from arrays that fit (feeds, then state)."""
        return tuple([arrays[a].shape[k] for a, k in self._symbol_places])

    def bind_shapes(self, shapes: Sequence[tuple[int, ...]]) -> Bound:
        """As `bind`, for arrays of these shapes."""
        return self._free(tuple([shapes[a][k] for a, k in self._symbol_places]))

    def _free(self, key: tuple[int, ...]) -> Bound:
        free = self._bindings.get(key)
        if free:
            try:
                return free.pop()
            except IndexError:  # another thread was faster
                pass
        return self._make(key)

    @cached_property
    def _most_bindings(self) -> int:
        """For so many combinations of sizes there are bindings; fewer where one takes another's sizes quickly."""
        return MOST_RESIZED if self.fit is None and is_resizable(self.steps) else MAX_BINDINGS

    def _make(self, key: tuple[int, ...]) -> Bound:
        sizes = dict(zip(self.steps.symbols, key, strict=True))
        check_constraints(self.program, sizes)
        if self.program.foreign:
            check_concrete(self.program, sizes)
        if key not in self._bindings:
            spare = self._bindings.pop(next(iter(self._bindings)), []) if self._is_full() else []
            self._bindings[key] = []
            if spare and self._most_bindings is MOST_RESIZED and spare[-1].resize(key, sizes):
                return spare.pop()
        steps, kernels = (self.steps, self.kernels) if self.fit is None else self.fit(sizes)
        return Bound(self, key, Binding(steps, kernels, sizes))

    def _is_full(self) -> bool:
        return len(self._bindings) >= self._most_bindings

    def release(self, bound: Bound) -> None:
        """Give a binding back for the next call."""
        self._bindings.setdefault(bound.key, []).append(bound)

    def run(self, feeds: Sequence[Array], state: Sequence[Array] = ()) -> list[Array]:
        """One call; state arrays are updated in place.

        Errors: GuardError for arrays that don't fit the program, and for state that can't be written in place.
        """
        feeds = [np.asarray(a, order="C") for a in feeds]
        self.check_arrays(feeds, state)
        feeds = [a.copy() if any(np.may_share_memory(a, s) for s in state) else a for a in feeds]
        bound = self.bind([*feeds, *state])
        try:
            return bound.call(feeds, state)
        finally:
            self.release(bound)

    def run_fitting(self, feeds: Sequence[Array], key: tuple[int, ...]) -> list[Array]:
        """One call of a program without state on arrays that are known to fit, whose sizes are `key`."""
        bound = self._free(key)
        try:
            return bound.call(feeds, ())
        finally:
            self.release(bound)

    def check_arrays(self, feeds: Sequence[Array], state: Sequence[Array]) -> None:
        """GuardError unless number, dtypes, ranks and sizes fit the program, and the arrays are plain memory."""
        bind_sizes(self.program, [*feeds, *state])
        for entry, array in zip(self.program.state, state, strict=True):
            if not (isinstance(array, np.ndarray) and array.flags.c_contiguous and array.flags.writeable):
                raise GuardError(f"the state {entry.name} must be a contiguous array that can be written")

    @property
    def plan_sizes(self) -> list[Bound]:
        """Bindings at hand, for reports."""
        return [b for free in self._bindings.values() for b in free]

    @property
    def host_steps(self) -> list[str]:
        """Operations that Python runs because of sizes that only a run knows: name, user's line, reason; each once."""
        kinds = FallbackStep, PieceStep
        steps = [s for s in self.steps.steps if isinstance(s, InterpretedStep) and not isinstance(s, kinds)]
        lines = [f"{s.operation.name} ({s.operation.loc.short()}): {s.reason}" for s in steps if s.operation]
        return list(dict.fromkeys(lines))

    @property
    def kernel_texts(self) -> list[tuple[str, str]]:
        """Name and source of each different kernel."""
        out: dict[str, tuple[str, str]] = {}
        for step in self.steps.steps:
            if isinstance(step, KernelStep):
                out.setdefault(step.kernel.source.identity, (step.kernel.source.name, step.kernel.source.text))
        return list(out.values())


class Bound:
    """One binding in use by one thread."""

    __slots__ = (
        "__weakref__",
        "_attrs",
        "_handed",
        "_kinds",
        "_made",
        "_pool",
        "_result",
        "_slots",
        "_small",
        "_unsized",
        "binding",
        "entry_stub",
        "executable",
        "header",
        "is_short",
        "key",
        "made",
        "result",
        "sizes",
        "state",
        "table",
    )

    def __init__(self, executable: Executable, key: tuple[int, ...], binding: Binding) -> None:
        self.executable = executable
        self.key = key
        self.binding = binding
        self.header = binding.header
        steps = binding.program
        self._slots = self.header.arguments.data
        self.is_short = binding.is_short_running()
        self.entry_stub = make_entry_stub(self.header, len(steps.state), self.is_short)
        self.state: Sequence[Array] | None = None  # the tuple that stands in the slots before those of the call
        on_host = [step for step in steps.steps if not isinstance(step, FallbackStep)]
        has_sizes = any(isinstance(step, (InterpretedStep, RowStep)) for step in on_host)
        self._unsized = has_sizes or bool(steps.host_fetches or steps.host_feeds)
        self._handed = HandedOver(steps, binding.run_sizes, binding.lists)
        self._take_sizes()
        _alive.add(self)
        self.table: dict[Value, Any] = {}
        if any(isinstance(step, Label) and step.closes is not None for step in steps.steps):
            watch(self.header)

    def _take_sizes(self) -> None:
        self.sizes: dict[str, int] = self.binding.sizes
        self._attrs: dict[Operation, dict[str, Any]] = {}  # of operations that Python runs, for these sizes
        self._kinds = self.binding.fetch_types
        self._pool: list[list[Array]] = [[] for _ in self._kinds]
        self._small = all(_is_small(*kind) for kind in self._kinds)
        is_whole = not (self._unsized or self.binding.program.handed)
        single = len(self._kinds) == 1 and is_whole
        self._result = self._kinds[0] if single and self._small else None
        pools = [None if _is_small(*kind) else pool for kind, pool in zip(self._kinds, self._pool, strict=True)]
        plain = [(*kind, pool) for kind, pool in zip(self._kinds, pools, strict=True)]
        self._made: Any = None if self._unsized else self._handed.among(plain)
        self.result: Any = None  # shape and dtype, where that is all a call needs to make
        self.made: Any = None  # of each result these and the pool, if any, where no other values need places
        self.show_result()

    def resize(self, key: tuple[int, ...], sizes: Mapping[str, int]) -> bool:
        """Become a binding for other sizes, while no call uses it; see `Binding.resize`."""
        if not self.binding.resize(sizes):
            return False
        self.key = key
        self._take_sizes()
        return True

    def call_natively(self, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
        """Run once. The arrays must fit; nothing is checked here. A tuple of state seen before isn't written again."""
        if self.result is None:
            return self._call_unsized(feeds, state) if self._unsized else self._call_with_many(feeds, state)
        if state is not self.state:
            self.set_state(state)
        output = empty(*self.result)
        status = self.entry_stub(*feeds, output)
        if status != DONE:
            self.serve(status, [*state, *feeds, output])
        return [output]

    call = call_natively  # what everybody calls; see `call_by`

    def show_result(self) -> None:
        """Say in `result` whether a caller may use the entry stub itself: not while something stands for `call`."""
        usual = Bound.call is Bound.call_natively
        self.result, self.made = (self._result, self._made) if usual else (None, None)

    def _call_with_many(self, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
        """As `call_natively`, with any number of results of any size."""
        if self._small:
            outputs = [empty(shape, dtype) for shape, dtype in self._kinds]
        else:
            outputs = [self._array(k, shape, dtype) for k, (shape, dtype) in enumerate(self._kinds)]
        if state is not self.state:
            self.set_state(state)
        status = self.entry_stub(*feeds, *outputs)
        if status != DONE:
            self.serve(status, [*state, *feeds, *outputs])
        return self._handed.put(outputs, [*state, *feeds, *outputs]) if self.binding.program.handed else outputs

    def _call_unsized(self, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
        """As `call_natively`, with values in a table whose sizes only this run knows."""
        steps = self.binding.program
        self.table, self.sizes = {}, dict(self.binding.sizes)
        for k, value in steps.host_feeds:
            if value in steps.listed:
                self.binding.write(steps.listed[value], feeds[k])
            else:
                self.table[value] = feeds[k]
            learn([value.type], [feeds[k]], self.sizes)
        for k, value in steps.host_feeds if steps.words else ():  # kernels read as much as the sizes say
            if feeds[k].shape != concrete(value.shape, self.sizes):
                raise ShapeError(
                    f"{self.executable.program.name}: sizes that only a run knows don't fit: an argument is "
                    f"{list(feeds[k].shape)}, not {list(concrete(value.shape, self.sizes))}"
                )
        for name, word in steps.told:
            np.copyto(self.binding.view(word, []), self.sizes[name])
        outputs = [empty(shape, dtype) for shape, dtype in self._kinds]
        try:
            self.set_state(state)
            status = self.entry_stub(*feeds, *outputs)
            if status != DONE:
                self.serve(status, [*state, *feeds, *outputs])
            arguments = [*state, *feeds, *outputs]
            others = [(k, self._fetched(value, steps.listed)) for k, value in steps.host_fetches]
            outputs = self._handed.put(outputs, arguments, others)
        finally:
            self.table = {}
            self.binding.lists.trim(MOST_KEPT)
        return outputs

    def _fetched(self, value: Value, listed: Mapping[Value, int]) -> Array:
        array = self.binding.read(listed[value], value) if value in listed else self.table[value]
        return array.copy() if value in listed else array

    def set_state(self, state: Sequence[Array]) -> None:
        """Write the arrays of the state into their slots; not needed again for the tuple that is in `state` then."""
        struct.pack_into(f"{len(state)}q", self._slots, 0, *map(argument, state))
        self.state = state if type(state) is tuple else None

    def _array(self, k: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        return empty(shape, dtype) if _is_small(shape, dtype) else self._pooled(k, shape, dtype)

    def _pooled(self, k: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An output array: memory of an earlier call's output that nobody holds any more, else fresh memory."""
        pool = self._pool[k]
        for array in pool:
            if sys.getrefcount(array) == 3:  # the pool, the loop variable, the argument
                return array
        made = aligned_empty(shape, dtype)
        took(made.nbytes)
        if len(pool) < 8:
            pool.append(made)
        return made

    @undoes
    def serve(self, status: int, arguments: list[Array]) -> None:
        """Go on after an entry stub gave this, until the program ends; on any error the VM is reset."""
        header, outlines = self.header, self.executable.outlines
        if outlines:
            transport().announce(outlines)
        try:
            if status in (Status.START_TEAM, ELSEWHERE):
                status = run(header.address)
            while status != Status.DONE:
                if status == Status.HOST_CALL:
                    self._host_call(header.detail, arguments)
                elif status == Status.INTERRUPTED:
                    header.interrupt(False)  # Python has handled its signals by now: go on
                elif status == Status.CHECK_FAILED:
                    raise_linked(self._failed(self.binding.checks[header.detail], arguments))
                elif status == Status.LIST_RANGE:
                    raise self._out_of_range(arguments)
                else:
                    raise _failure(status)
                status = run(header.address)
        except BaseException:  # broad: whatever ended the call, the next one must start at the beginning
            header.reset()
            raise
        finally:
            if outlines:
                transport().program_ended()

    def _failed(self, check: CheckStep, arguments: list[Array]) -> BaseException:
        """The exception of a failed check, with the user's line."""
        assert check.operation is not None
        if check.inputs:
            read, made = ([(v, self.binding.view(b, arguments)) for v, b in p] for p in (check.inputs, check.outputs))
            return bad_index(check.operation, left_of(read, made), self.binding.sizes)
        error = led_to(check.operation, error_of_check(check.operation, check.error, check.message))
        if isinstance(error, VitrifyError):
            return error.at(check.operation.loc)
        error.add_note(check.operation.loc.excerpt())
        return error

    def _out_of_range(self, arguments: list[Array]) -> Exception:
        """The error of a step that read a list where it has no rows, with the user's line."""
        step = self.binding.steps_of_rows[self.header.pc]
        if not isinstance(step, RowStep) or step.operation is None:
            return VerifyError("list_pop takes from a list that is empty")
        operation, read = step.operation, self.binding.read
        if step.action in ("peek", "poke") and step.at is not None and operation.name != "slice":
            x, index = operation.operands[0], operation.operands[-1]
            at = self.binding.view(step.at, arguments)
            return bad_index(operation, {x: read(step.number, x), index: at}, self.binding.sizes)
        return ShapeError(
            f"{operation.name}: sizes that only a run knows don't fit: the array has "
            f"{self.binding.rows_of(step)} rows where {operation.results[0].type} is expected",
            loc=operation.loc,
        )

    def _host_call(self, number: int, arguments: list[Array]) -> None:
        step, inputs, outputs = self.binding.host_calls[number]
        if isinstance(step, InterpretedStep):
            place = Place(self.table, self.sizes if self._unsized else dict(self.sizes), self.binding, arguments)
            if isinstance(step, PieceStep):
                self.executable.pieces.run(step, place, self.executable.callbacks)
            else:
                run_step(step, place, self.executable.callbacks)
            return
        assert step.operation is not None
        views = [self.binding.view(b, arguments) for b in inputs]
        targets = [self.binding.view(b, arguments) for b in outputs]
        results = self._run_python(number, step.operation, views)
        for target, result in zip(targets, results, strict=True):
            took(np.asarray(result).nbytes)
            np.copyto(target, result)

    def _run_python(self, number: int, operation: Operation, views: list[Array]) -> Sequence[Array]:
        sizes = self.binding.sizes
        if operation.name == "callback":
            callee = operation.attrs["callee"]
            function = self.executable.callbacks.get(callee)
            if function is None:
                raise CallbackError(f"the program calls {callee!r}, which isn't registered", loc=operation.loc,
                                    remedy="register it before loading the program")  # fmt: skip
            with placed(operation, "" if callee.startswith("raise ") else f"while the program called {callee}"):
                borrows = getattr(function, "borrows", False)  # it copies what it hands on, and changes nothing
                results = function(*(views if borrows else [v.copy() for v in views]))
            return check_callback_results(callee, results, map_attrs(operation.attrs["outputs"], sizes), operation)
        attrs = self._attrs.get(operation)
        if attrs is None:
            attrs = self._attrs[operation] = map_attrs(operation.attrs, sizes)
        with np.errstate(all="ignore"), placed(operation), RunningAt(operation.loc):
            cell = self.binding.cells.get(number)
            if cell is not None:
                made = cell.exchange(request_of(operation.name, views[0] if views else None, **attrs))
                return () if made is None else (made,)
            out = operation.op.eager(*views, **attrs)
        return out if isinstance(out, tuple) else (out,)


_alive: weakref.WeakSet[Bound] = weakref.WeakSet()


def call_by(other: Callable[[Bound, Sequence[Array], Sequence[Array]], list[Array]] | None) -> None:
    """Let `other(bound, feeds, state)` carry out all calls from here on; None: the VM again.

    It costs nothing while nobody asks for it.
    """
    Bound.call = other or Bound.call_natively  # type: ignore[assignment]
    for bound in list(_alive):
        bound.show_result()


def _failure(status: int) -> Exception:
    if status == Status.OUT_OF_MEMORY:
        return MemoryLimitError("a list of the program could not grow: there is no memory left")
    return KernelError(f"the virtual machine stopped: {Status(status).name}")


def _is_small(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    return dtype.itemsize * _count(shape) < POOLED_BYTES


def _count(shape: tuple[int, ...]) -> int:
    total = 1
    for d in shape:
        total *= d
    return total


def _symbol_places(program: Program) -> list[tuple[int, int]]:
    """For each symbol, an argument (feeds, then state) and an axis that show its size."""
    places: dict[str, tuple[int, int]] = {}
    for a, value in enumerate(program.body.args):
        kind = value.type
        if not isinstance(kind, TensorType):
            continue
        for k, dim in enumerate(kind.shape):
            if isinstance(dim, Dim) and str(dim).isidentifier():
                places.setdefault(str(dim), (a, k))
    symbols = known_symbols(program)
    missing = [s for s in symbols if s not in places]
    if missing:
        raise GuardError(f"the size {missing[0]} stands alone in no argument's shape, so a call can't tell it")
    return [places[s] for s in symbols]
