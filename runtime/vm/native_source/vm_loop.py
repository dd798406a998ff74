"""The VM's loop: fetch a row, do what its opcode says, go on; see runtime/vm/virtual_machine.py."""

from .byte_lists import bytes_of, cut, extend, peek, poke, pop, push, repeat, reserve, trim
from .layout import MOST, ROW_WORDS, HeaderWord, KernelRow, ListWord, Opcode, PatchRow, Status, TeamWord
from .primitives import at, call_kernel, copy_bytes, fill_bytes, helper, load, load_u8, store
from .routes import exchange
from .thread_team import spread, worker
from .unclocked import after_step, before_steps, header_of


@helper
def patch(header: int) -> None:
    """Write the addresses of the arguments where instructions expect them."""
    rows = load(at(header, HeaderWord.PATCHES))
    arguments = load(at(header, HeaderWord.ARGUMENTS))
    kinds = load(at(header, HeaderWord.KINDS))
    data_offset = load(at(header, HeaderWord.DATA_OFFSET))
    for k in range(load(at(header, HeaderWord.PATCH_COUNT))):
        row = at(rows, PatchRow.COUNT * k)
        which = load(at(row, PatchRow.ARGUMENT))
        base = load(at(arguments, which))
        is_array = 1
        if kinds != 0:
            is_array = load(at(kinds, which))
        if is_array != 0:
            base = load(base + data_offset)
        store(load(at(row, PatchRow.DESTINATION)), base + load(at(row, PatchRow.OFFSET)))


@helper
def multiplied(a: int, b: int) -> int:
    """The product of two sizes; MOST for more than that, so that it never wraps."""
    if a > 0 and b > 0 and a > MOST // b:
        return MOST
    return a * b


@helper
def set_extent(row: int, extent: int, work: int, parts: int, chunk: int, pair: int) -> None:
    """Write into a KERNEL row how far its range goes, and in how many chunks."""
    most = max(work // chunk, 2 if work >= pair else 1)
    store(at(row, KernelRow.HI), extent)
    store(at(row, KernelRow.CHUNKS), max(1, min(extent, min(most, parts))))


@helper
def leave(header: int, pc: int, status: int, detail: int) -> int:
    """Note where to go on, and return to Python."""
    store(at(header, HeaderWord.PC), pc)
    store(at(header, HeaderWord.DETAIL), detail)
    return status


def vm(task: int) -> int:
    """Run the table from the row where the header says. A task is a header; for the clocked VM it is notes."""
    header = header_of(task)
    code = load(at(header, HeaderWord.CODE))
    team = load(at(header, HeaderWord.TEAM))
    pc = load(at(header, HeaderWord.PC))
    if pc < 0:  # WORKER_PC; one comparison with 0 serves this and the next line
        worker(team)
        return Status.DONE
    if pc == 0:
        patch(header)
    moment = before_steps(task)
    while True:
        row = at(code, ROW_WORDS * pc)
        opcode = load(row)
        a = load(at(row, 1))
        b = load(at(row, 2))
        c = load(at(row, 3))
        target = pc + 1
        if opcode == Opcode.KERNEL:
            chunks = load(at(row, KernelRow.CHUNKS))
            if chunks <= 1:
                call_kernel(a, b, c, load(at(row, KernelRow.LO)), load(at(row, KernelRow.HI)))
            elif not spread(team, row, chunks):
                return leave(header, pc, Status.START_TEAM, 0)
        elif opcode == Opcode.GEMM32 or opcode == Opcode.GEMM64:
            if load(at(team, TeamWord.SGEMM)) == 0:
                return leave(header, pc, Status.NO_BLAS, 0)
            if not spread(team, row, b):
                return leave(header, pc, Status.START_TEAM, 0)
        elif opcode == Opcode.COPY:
            copy_bytes(a, b, c)
        elif opcode == Opcode.FILL:
            fill_bytes(a, b, c)
        elif opcode == Opcode.JUMP:
            target = a
        elif opcode == Opcode.JUMP_IF_ZERO:
            if load_u8(a) == 0:
                target = b
        elif opcode == Opcode.JUMP_IF_GE:
            if load(a) >= load(b):
                target = c
        elif opcode == Opcode.SET:
            store(a, b)
        elif opcode == Opcode.ADD:
            store(a, load(a) + b)
        elif opcode == Opcode.PUSH:
            if not push(team, a, b, c):
                return leave(header, pc, Status.OUT_OF_MEMORY, 0)
        elif opcode == Opcode.POP:
            if not pop(a, b, c):
                return leave(header, pc, Status.LIST_RANGE, 0)
        elif opcode == Opcode.PEEK:
            if not peek(a, load(b), c, load(at(row, 4)), load(at(row, 5))):
                return leave(header, pc, Status.LIST_RANGE, load(b))
        elif opcode == Opcode.POKE:
            if not poke(a, load(b), c, load(at(row, 4))):
                return leave(header, pc, Status.LIST_RANGE, load(b))
        elif opcode == Opcode.EXTEND:
            start = 0
            if c != 0:
                start = bytes_of(load(c), load(at(row, 5)))
            count = load(at(b, ListWord.USED)) - start
            if load(at(row, 4)) != 0:
                count = bytes_of(load(load(at(row, 4))), load(at(row, 5)))
            if start < 0 or count < 0 or start + count > load(at(b, ListWord.USED)):
                return leave(header, pc, Status.LIST_RANGE, 0)
            if not extend(team, a, b, start, count):
                return leave(header, pc, Status.OUT_OF_MEMORY, 0)
        elif opcode == Opcode.REPEAT:
            if load(b) < 0:
                return leave(header, pc, Status.LIST_RANGE, load(b))
            if not repeat(team, a, c, load(at(row, 4)), load(b)):
                return leave(header, pc, Status.OUT_OF_MEMORY, 0)
        elif opcode == Opcode.TRIM:
            if not trim(a, load(b), c):
                return leave(header, pc, Status.LIST_RANGE, load(b))
        elif opcode == Opcode.EXPECT:
            if load(b) * c != load(at(a, ListWord.USED)):
                return leave(header, pc, Status.LIST_RANGE, load(b))
        elif opcode == Opcode.CUT:
            if not cut(team, a, b, load(c), load(load(at(row, 4))), load(at(row, 5))):
                return leave(header, pc, Status.OUT_OF_MEMORY, 0)
        elif opcode == Opcode.LENGTH:
            store(b, load(at(a, ListWord.USED)) // c)
        elif opcode == Opcode.CLEAR:
            store(at(a, ListWord.USED), 0)
        elif opcode == Opcode.HOST_CALL:
            return leave(header, target, Status.HOST_CALL, a)
        elif opcode == Opcode.EXCHANGE:
            if not exchange(a, b, c):
                return leave(header, target, Status.HOST_CALL, load(at(row, 4)))
        elif opcode == Opcode.MULTIPLY:
            store(a, multiplied(load(b), load(c)))
        elif opcode == Opcode.SUM:
            store(a, load(b) + load(c))
        elif opcode == Opcode.DIVIDE:
            store(a, load(b) // load(c))
        elif opcode == Opcode.MAXIMUM:
            store(a, max(load(b), load(c)))
        elif opcode == Opcode.RESERVE:
            if load(b) < 0 or load(c) < 0:
                return leave(header, pc, Status.LIST_RANGE, load(c))
            if not reserve(team, a, load(b)):
                return leave(header, pc, Status.OUT_OF_MEMORY, 0)
        elif opcode == Opcode.EXTENT:
            set_extent(a, load(b), load(c), load(at(row, 4)), load(at(row, 5)), load(at(row, 6)))
        elif opcode == Opcode.CHECK:
            if load_u8(a) == 0:
                return leave(header, target, Status.CHECK_FAILED, b)
        elif opcode == Opcode.END:
            return leave(header, 0, Status.DONE, 0)
        else:
            return leave(header, pc, Status.BAD_OPCODE, opcode)
        if target <= pc and load(at(header, HeaderWord.INTERRUPT)) != 0:
            return leave(header, target, Status.INTERRUPTED, 0)
        moment = after_step(task, pc, moment)
        pc = target
