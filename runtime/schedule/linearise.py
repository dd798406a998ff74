"""An optimised program to steps: chooses kernels, gives values buffers, writes results straight to where they belong.

A value that a loop carries, a branch yields, a state entry takes or the program hands out is computed in its final
place whenever nothing still reads what was there; otherwise it is copied there at the end of its block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...base import dtype as dt
from ...base.errors import KernelError
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.dynamic_sizes import known_symbols
from ...ops.dims import product, same_dim
from ...ops.lowering import Library
from ...ops.op import OPS
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from ...passes.autodiff.reverse import inputs_of
from ...passes.fusion.custom_gemm import custom_gemm_of, is_gemv
from ...passes.fusion.fusion_facts import alias_offset, is_free, is_native
from ..kernel.kernel_call import BAD_INDEX, STATUS, Kernel
from ..lower.loops.loop_parts import LoopParts
from ..lower.matrices.small_matrices import is_small_product, product_kernel
from ..lower.scatter import interleave_kernel, is_interleaved, piece_kernel
from .function_calls import constant_word
from .growing.pieces import joined_pieces
from .growing.row_steps import RowLists
from .growing.run_sizes import names_in
from .operations import (
    is_compiled,
    is_filled,
    kernels_of_parts,
    list_starts,
    matmul_steps,
    needs_exact,
    rows_of,
    uses_library,
)
from .program_steps import (
    CONSTANT,
    FEED,
    FETCH,
    STATE,
    WORD,
    AddStep,
    Buffer,
    CheckStep,
    CopyStep,
    EmittedLoop,
    FallbackStep,
    GemmStep,
    HandOverStep,
    HoldStep,
    HostCallStep,
    InterpretedStep,
    JumpStep,
    KernelStep,
    Label,
    ListStep,
    ProgramStep,
    SetStep,
    Steps,
    same_place,
)
from .time_tiling import spread, tiling_parts


def linearise(program: Program) -> Steps:
    """The steps of a program that has been through the pipeline; those of the schedule (pipeline.py) come next."""
    return _Lineariser(program).run()


class _Lineariser(RowLists):
    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.lists: dict[Value, int] = {}
        self.loops: dict[Operation, EmittedLoop] = {}

    def run(self) -> Steps:
        program = self.program
        feeds = [
            Buffer(v.tensor_type, FEED, k, hint=n)
            for k, (v, n) in enumerate(zip(program.feed_values, program.feeds, strict=True))
        ]
        state = [
            Buffer(v.tensor_type, STATE, k, hint=e.name)
            for k, (v, e) in enumerate(zip(program.state_values, program.state, strict=True))
        ]
        self.buffer.update(zip(program.feed_values, feeds, strict=True))
        self.buffer.update(zip(program.state_values, state, strict=True))
        native = [v for v in program.fetches if not self._is_elsewhere(v) and not self._is_handed(v)]
        self.learn(program.body.args)
        told = self.feed_words()
        fetches = [Buffer(v.tensor_type, FETCH, k, hint=v.hint) for k, v in enumerate(native)]
        updates = [o for o in program.body.operations if o.name == "update"]
        for operation in updates:
            entry, made = operation.operands
            self.set_destination(made, self.buffer[entry], program.body, entry)
        for value, fetch in zip(native, fetches, strict=True):
            self.set_destination(value, fetch, program.body, None)
        self._block(program.body)
        self._finish(updates, native, fetches)
        handed = [(k, self._handed(v)) for k, v in enumerate(program.fetches) if self._is_handed(v)]
        self._note_words()
        entries = [loop.entry for loop in self.loops.values()]
        entries += [step for step in self.steps if isinstance(step, FallbackStep)]
        return Steps(
            joined_pieces(self.steps, entries), feeds, state, fetches, self.list_count, known_symbols(program),
            program.constraints,
            [(k, v) for k, v in enumerate(program.feed_values) if self._is_elsewhere(v) or runtime_names(v.type)],
            [(k, v) for k, v in enumerate(program.fetches) if self._is_elsewhere(v)], self.listed, told, program.name,
            words=self.words, handed=handed, loops=self.loops, is_exact=needs_exact(program),
        )  # fmt: skip

    def _is_elsewhere(self, value: Value) -> bool:
        """Whether a value is in the table of the call, or in a list of the VM."""
        return self.host.has(value) or value in self.listed

    def _is_handed(self, value: Value) -> bool:
        """Whether a result lies in memory of the VM whose size only a run knows."""
        return not self._is_elsewhere(value) and bool(runtime_names(value.type))

    def _handed(self, value: Value) -> Buffer:
        made = self._materialised(value)
        self._add(HandOverStep(value.operation, made))
        return made

    def _note_words(self) -> None:
        """Say of each step which numbers it needs because only a run knows its sizes."""
        for step in self.steps if self.words else ():
            own = {name for name, _ in step.told} if isinstance(step, InterpretedStep) else set()
            step.words = [self.words[name] for name in sorted(names_in(step) - own)]

    def _finish(self, updates: list[Operation], native: list[Value], fetches: list[Buffer]) -> None:
        """Copies that remain at the end: fetches first (they may read old state), then state, as if all at once."""
        pairs = [(f, self._materialised(v, f)) for v, f in zip(native, fetches, strict=True)]
        pairs += [(self.buffer[o.operands[0]], self._materialised(o.operands[1])) for o in updates]
        self._copy_together(pairs)

    # -- blocks ------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        for operation in reversed(block.operations):
            if operation.name == "concat" and is_native(operation) and not self.host.holds_one(operation):
                self._direct_pieces(operation, block)
        for operation in block.operations[:-1]:
            self._operation(operation)

    def _direct_pieces(self, operation: Operation, block: Block) -> None:
        """Have the operands of a concat along the leading axis computed where they belong in its result.

        Not where only a run knows how large it is, or whether they fit: it knows when all operands are there.
        """
        if runtime_names(operation.result.type) or self.host.native.get(operation):
            return
        target = self.destinations.setdefault(operation.result, Buffer(operation.result.tensor_type, hint="concat"))
        occupant = self.occupants.get(operation.result)
        for value, piece in self._pieces(operation, target):
            if same_dim(rows_of(operation), 1):
                self.set_destination(value, piece, block, occupant)

    def _pieces(self, operation: Operation, target: Buffer) -> Iterator[tuple[Value, Buffer]]:
        """The operands of a concat with the place of their first row in the result."""
        axis, start = operation.attrs["axis"], 0 * operation.result.tensor_type.size
        for value in operation.operands:
            yield value, Buffer(value.tensor_type, parent=target, offset=start)
            start = start + product(value.tensor_type.shape[axis:])

    def _concat(self, operation: Operation) -> None:
        if not is_native(operation):
            self._host_call(operation)
            return
        if is_interleaved(operation):
            self._call(operation, interleave_kernel(operation))
            return
        for value, piece in self._pieces(operation, self._place(operation.result)):
            source = self._materialised(value)
            if same_dim(rows_of(operation), 1):
                if not same_place(source, piece):
                    self._add(CopyStep(operation, piece, source))
            else:
                self._add(KernelStep(operation, piece_kernel(operation, value), [piece, source]))

    def _operation(self, operation: Operation) -> None:
        if operation in self.host.operations:
            self._host(operation, inputs_of(operation))
            return
        if self.host.is_of_rows(operation):
            self._row_operation(operation)
            return
        if self.host.native.get(operation):
            self._with_fallback(operation)
            return
        self._native_operation(operation)

    def _with_fallback(self, operation: Operation) -> None:
        """The steps of an operation, for sizes that they are for. Its jumps are no control flow of the program's."""
        for result in operation.results:
            self._place(result)
        otherwise, end = Label(), Label()
        for name, least, most in self.host.native[operation]:
            enough = Label()
            if most is not None:
                self._add(JumpStep(None, otherwise, left=self.words[name], right=constant_word(most + 1)))
            self._add(JumpStep(None, enough, left=self.words[name], right=constant_word(least)))
            self._add(JumpStep(None, otherwise))
            self._add(enough)
        self._native_operation(operation)
        self._add(JumpStep(None, end))
        self._add(otherwise)
        self._host(operation, inputs_of(operation), FallbackStep)
        self._add(end)

    def _native_operation(self, operation: Operation) -> None:
        handler = _CONTROL.get(operation.name)
        if handler is not None:
            handler(self, operation)
            return
        if is_free(operation) or operation.name == "constant":
            return  # materialised where memory is needed
        offset = alias_offset(operation)
        if offset is not None and operation.operands[0] in self.buffer and operation.result not in self.destinations:
            parent = self.buffer[operation.operands[0]]
            self.buffer[operation.result] = Buffer(
                operation.result.tensor_type, parent=parent, offset=offset, hint=operation.result.hint
            )
            return
        lowering = operation.op.lowering
        if isinstance(lowering, Library):
            self._library(operation)
        elif operation.name != "group" and not is_compiled(operation):
            self._host_call(operation)
        elif parts := kernels_of_parts(operation):
            tables = [Buffer(s.scratch, hint="parts") for s in parts[0].slots if s.value is None and s.scratch]
            for kernel in parts:
                self._call(operation, kernel, tables)
        else:
            self._call(operation, self.kernel(operation))

    def _call(self, operation: Operation, kernel: Kernel, tables: Sequence[Buffer] = ()) -> None:
        """The step of a kernel. tables: what it leaves for the next one, or is left by the one before, in order."""
        if kernel.checks:
            status = Buffer(WORD, hint="status")
            self._add(SetStep(operation, status, 1))
        buffers, left = [], iter(tables)
        for slot in kernel.slots:
            if slot.role == STATUS:
                buffers.append(status)
            elif slot.role == "scratch":
                assert slot.scratch is not None
                buffers.append(Buffer(slot.scratch, hint="scratch"))
            elif slot.value is None:
                buffers.append(next(left))
            else:
                buffers.append((self._place if slot.role == "out" else self._materialised)(slot.value))
        for result, base in kernel.bases.items():
            target, made = self._place(result), base.operation
            if made is not None and made.name == "full" and is_native(made) and base not in self.buffer:
                self._add(KernelStep(made, self.kernel(made), [target]))
                continue
            source = self._materialised(base)
            if not same_place(target, source):
                self._add(CopyStep(operation, target, source))
        self._add(KernelStep(operation, kernel, buffers))
        if kernel.checks:
            slots = list(zip(kernel.slots, buffers, strict=True)) if kernel.failure == BAD_INDEX else []
            read = [(s.value, b) for s, b in slots if s.role == "in" and s.value is not None]
            written = [(s.value, b) for s, b in slots if s.role == "out" and s.value is not None]
            self._add(CheckStep(operation, status, *kernel.failure, read, written))

    def _materialised(self, value: Value, place: Buffer | None = None) -> Buffer:
        """The buffer that holds a value, computing free values on demand, in `place` if need be."""
        if value in self.buffer:
            return self.buffer[value]
        operation = value.operation
        assert operation is not None, value
        if operation.name == "constant":
            made = Buffer(value.tensor_type, CONSTANT, data=operation.attrs["data"].array, hint="constant")
            self.buffer[value] = made
            return made
        if not is_native(operation):
            self._host_call(operation)
            return self.buffer[value]
        # Not remembered: the place of first need may be a branch that isn't taken later.
        kernel = self.kernel(operation)
        target = place or Buffer(value.tensor_type, hint=value.hint or operation.name)
        inputs = {s.value: self._materialised(s.value) for s in kernel.slots if s.role == "in" and s.value is not None}
        buffers = [target if s.role == "out" else inputs[s.value] for s in kernel.slots]  # type: ignore[index]
        self._add(KernelStep(operation, kernel, buffers))
        return target

    def _library(self, operation: Operation) -> None:
        if operation.results[0].dtype not in (dt.float32, dt.float64):
            if custom_gemm_of(operation) is not None:
                self._call(operation, self.kernel(operation))
            elif is_small_product(operation):
                self._call(operation, product_kernel(operation))
            else:
                self._host_call(operation)
            return
        if is_gemv(operation):
            self._call(operation, self.kernel(operation))
            return
        *base, x, y = operation.operands
        if is_small_product(operation) and uses_library(operation):
            self._call(operation, product_kernel(operation))
            return
        attrs, a, b, out = operation.attrs, self._materialised(x), self._materialised(y), self._place(operation.result)
        if not base:
            for step in matmul_steps(operation, self.kernel, a, b, out):
                self._add(step)
            return
        source = self._materialised(base[0])
        if not same_place(source, out):
            self._add(CopyStep(operation, out, source))
        flags = attrs["transpose_x"], attrs["transpose_y"]
        self._add(GemmStep(operation, a, b, out, *flags, attrs["alpha"], attrs["beta"]))

    def _host_call(self, operation: Operation) -> None:
        inputs = [self._materialised(v) for v in operation.operands]
        self._add(HostCallStep(operation, inputs, [self._place(r) for r in operation.results]))

    # -- control flow ------------------------------------------------------------------------------

    def _if(self, operation: Operation) -> None:
        condition = self._materialised(operation.operands[0])
        results = [r for r in operation.results if not self._is_list(r)]
        for result in results:
            self.buffer[result] = self.destinations.get(result) or Buffer(result.tensor_type, hint=result.hint)
        self._join_lists(operation)
        otherwise, end = Label(operation), Label(operation)
        self._add(JumpStep(operation, otherwise, zero=condition))
        self._branch(operation, operation.blocks[0])
        self._add(JumpStep(operation, end))
        self._add(otherwise)
        self._branch(operation, operation.blocks[1])
        self._add(end)
        self.learn(operation.results)

    def _is_list(self, value: Value) -> bool:
        """Whether a list of the VM holds a value: a list, or an array as its rows."""
        return is_list(value) or value in self.listed

    def _join_lists(self, operation: Operation) -> None:
        """Lists that either branch makes for one result share a number: only one of them exists at a time."""
        for k, result in enumerate(operation.results):
            if is_list(result):
                starts = [s for block in operation.blocks for s in list_starts(block.yields[k])]
                known = [self.lists[s] for s in starts if s in self.lists]
                number = known[0] if known else self._new_list()
                for start in starts:
                    self.lists.setdefault(start, number)

    def _branch(self, operation: Operation, block: Block) -> None:
        pairs = list(zip(operation.results, block.yields, strict=True))
        for result, value in pairs:
            if not self._is_list(result):
                self.set_destination(value, self.buffer[result], block, self.occupants.get(result))
        self._block(block)
        self.move_rows([(r, v) for r, v in pairs if r in self.listed], operation)
        self._copy_together([(self.buffer[r], self._materialised(v)) for r, v in pairs if not self._is_list(r)])
        for result, value in pairs:
            if is_list(result) and self.lists.setdefault(result, self.lists[value]) != self.lists[value]:
                raise KernelError("the branches of an if yield different lists", loc=operation.loc)

    def _enter_loop(self, loop: Operation, args: Sequence[Value]) -> None:
        """Give loop-carried values their buffers and fill them, but for arrays that the loop itself fills."""
        initial, results = loop.operands[len(loop.operands) - len(args) :], loop.results
        pairs = []
        self.move_rows([(a, v) for v, a in zip(initial, args, strict=True) if a in self.listed], loop)
        for value, arg, result in zip(initial, args, results, strict=True):
            if is_list(value):
                self.lists[arg] = self.lists[result] = self.lists[value]
                continue
            if arg in self.listed:
                continue
            buffer = self.destinations.get(result) or Buffer(arg.tensor_type, hint=arg.hint or result.hint)
            if is_filled(loop, arg):
                self._add(HoldStep(loop, buffer))
            else:
                pairs.append((buffer, self._materialised(value)))
            self.buffer[arg] = self.buffer[result] = buffer
        self._copy_together(pairs)

    def _start(self, operation: Operation) -> tuple[Label, Label]:
        self._add(start := Label(operation))
        return start, Label(operation, closes=start)

    def _loop_body(self, body: Block, args: Sequence[Value]) -> None:
        pairs = [(a, v) for a, v in zip(args, body.yields, strict=True) if not self._is_list(a)]
        for arg, value in pairs:
            self.set_destination(value, self.buffer[arg], body, arg)
        self.learn(args)
        self._block(body)
        assert isinstance(body.parent, Operation)
        self.move_rows([(a, v) for a, v in zip(args, body.yields, strict=True) if a in self.listed], body.parent)
        self._copy_together([(self.buffer[a], self._materialised(v)) for a, v in pairs])

    def _loop(self, operation: Operation) -> None:
        """A loop, with a note of what passes over it need."""
        parts = tiling_parts(operation)
        outside, preparation = ([], []) if isinstance(parts, str) else self._outside(parts)
        first = len(self.steps)
        start, end, count = (self._while if operation.name == "while" else self._for)(operation)
        self.learn(operation.results)
        args = operation.blocks[-1].args[operation.name == "for" :]
        carried = [self.buffer[arg] for arg in args if not self._is_list(arg)]
        note = self.loops[operation] = EmittedLoop(self.steps[first], start, end, carried, count)
        if isinstance(parts, str):
            note.refusal = parts
        else:
            note.parts, note.outside, note.preparation = parts, outside, preparation

    def _outside(self, parts: LoopParts) -> tuple[list[Buffer], list[ProgramStep]]:
        """What a loop over elements reads from outside, and the steps that make it, which the program doesn't have."""
        steps, self.steps = self.steps, []
        outside = [self._in_shape(parts, v) for v in (*parts.read, *parts.alone)]
        preparation, self.steps = self.steps, steps
        return outside, preparation

    def _in_shape(self, parts: LoopParts, value: Value) -> Buffer:
        """A number from outside a loop, or an array in the shape of those that the loop carries."""
        made = spread(parts, value)
        return self._materialised(value) if made is None else self._extra(made)

    def _extra(self, operation: Operation) -> Buffer:
        """The result of an operation that the program doesn't have."""
        self._operation(operation)
        made = self._materialised(operation.result)
        operation.drop_operands()
        return made

    def _while(self, operation: Operation) -> tuple[Label, Label, None]:
        condition, body = operation.blocks
        self._enter_loop(operation, body.args)
        for value, arg in zip(body.args, condition.args, strict=True):
            if is_list(value):
                self.lists[arg] = self.lists[value]
            elif value not in self.listed:
                self.buffer[arg] = self.buffer[value]
        start, end = self._start(operation)
        self.learn(condition.args)
        self._block(condition)
        self._add(JumpStep(operation, end, zero=self._materialised(condition.yields[0])))
        self._loop_body(body, body.args)
        self._add(JumpStep(operation, start))
        self._add(end)
        return start, end, None

    def _for(self, operation: Operation) -> tuple[Label, Label, Buffer]:
        (body,) = operation.blocks
        count = self._count(operation.operands[0])
        self._enter_loop(operation, body.args[1:])
        counter = Buffer(WORD, hint="iteration")
        self.buffer[body.args[0]] = counter
        self._add(SetStep(operation, counter, 0))
        start, end = self._start(operation)
        self._add(JumpStep(operation, end, left=counter, right=count))
        self._loop_body(body, body.args[1:])
        self._add(AddStep(operation, counter, 1))
        self._add(JumpStep(operation, start))
        self._add(end)
        return start, end, count

    def _count(self, value: Value) -> Buffer:
        """A loop's count as the VM compares it: an int64."""
        if value.dtype is dt.int64:
            return self._materialised(value)
        return self._extra(Operation(OPS["cast"], [value], {"dtype": dt.int64}, [TensorType(dt.int64, value.shape)]))

    def _list_new(self, operation: Operation) -> None:
        if operation.result not in self.lists:
            self.lists[operation.result] = self._new_list()
        self._add(ListStep(operation, "clear", self.lists[operation.result]))

    def _list_push(self, operation: Operation) -> None:
        items, value = operation.operands
        number = self.lists[operation.result] = self.lists[items]
        self._add(ListStep(operation, "push", number, self._materialised(value)))

    def _list_pop(self, operation: Operation) -> None:
        items, value = operation.results
        number = self.lists[items] = self.lists[operation.operands[0]]
        self._add(ListStep(operation, "pop", number, self._place(value)))

    def _check(self, operation: Operation) -> None:
        attrs = operation.attrs
        self._add(CheckStep(operation, self._materialised(operation.operands[0]), attrs["error"], attrs["message"]))


_CONTROL: dict[str, Callable[[_Lineariser, Operation], None]] = {
    "if": _Lineariser._if, "while": _Lineariser._loop, "for": _Lineariser._loop, "list_new": _Lineariser._list_new,
    "list_push": _Lineariser._list_push, "list_pop": _Lineariser._list_pop, "check": _Lineariser._check,
    "function": _Lineariser._function, "call": _Lineariser._call_function,
    "callback": _Lineariser._host_call, "concat": _Lineariser._concat, "update": lambda self, operation: None,
}  # fmt: skip
