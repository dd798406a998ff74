"""The native half of the thread team: claiming chunks of an instruction, waiting, waking; see runtime/vm/team.py."""

from .layout import KernelRow, Opcode, TeamWord
from .primitives import (
    at,
    atomic_add,
    atomic_exchange,
    atomic_load,
    atomic_store,
    call_i,
    call_kernel,
    call_p,
    call_void,
    compare_and_swap,
    helper,
    load,
    pause,
)
from .products import multiply, part

# The job word: a sequence, then NEXT_CHUNK and the chunk count of HALF_WORD each.
HALF_WORD = 0xFFFF
NEXT_CHUNK = 0x10000
NEXT_CHUNK_SHIFT = 16
SEQUENCE_SHIFT = 32


@helper
def has_work(team: int) -> bool:
    """Whether the job has a chunk that nobody has claimed."""
    word = atomic_load(at(team, TeamWord.JOB))
    return ((word >> NEXT_CHUNK_SHIFT) & HALF_WORD) < (word & HALF_WORD)


@helper
def run_chunk(team: int, row: int, chunk: int, chunks: int) -> None:
    """One chunk of a KERNEL, a GEMM32 or a GEMM64."""
    opcode = load(row)
    if opcode == Opcode.KERNEL:
        lo, hi = part(load(at(row, KernelRow.LO)), load(at(row, KernelRow.HI)), chunk, chunks, 64)
        if lo < hi:
            function, buffers = load(at(row, KernelRow.FUNCTION)), load(at(row, KernelRow.BUFFERS))
            call_kernel(function, buffers, load(at(row, KernelRow.DIMS)), lo, hi)
    else:
        multiply(team, opcode == Opcode.GEMM32, load(at(row, 1)), chunk, chunks)


@helper
def work(team: int) -> None:
    """Claim and run chunks until none is left."""
    while True:
        word = atomic_load(at(team, TeamWord.JOB))
        chunk = (word >> NEXT_CHUNK_SHIFT) & HALF_WORD
        chunks = word & HALF_WORD
        if chunk >= chunks:
            return
        # Valid if the swap succeeds: then this job still has a chunk to do, so its master has not gone on.
        row = atomic_load(at(team, TeamWord.ROW))
        if compare_and_swap(at(team, TeamWord.JOB), word, word + NEXT_CHUNK):
            run_chunk(team, row, chunk, chunks)
            atomic_add(at(team, TeamWord.DONE), 1)


# ---- workers


@helper
def withdraw(team: int) -> bool:
    """Take back the promise to sleep; false when a post for it is on its way."""
    while True:
        sleepers = atomic_load(at(team, TeamWord.SLEEPERS))
        if sleepers <= 0:
            return False
        if compare_and_swap(at(team, TeamWord.SLEEPERS), sleepers, sleepers - 1):
            return True


@helper
def rouse(team: int) -> bool:
    """Whether a worker has a reason to be awake."""
    return has_work(team) or atomic_load(at(team, TeamWord.STOP)) != 0


@helper
def sleep(team: int) -> None:
    """Wait for a post, or a moment where there are no semaphores."""
    semaphore = load(at(team, TeamWord.SEMAPHORE))
    if semaphore == 0:
        call_i(load(at(team, TeamWord.NAP)), load(at(team, TeamWord.NAP_LENGTH)))
        return
    atomic_add(at(team, TeamWord.SLEEPERS), 1)
    # The master publishes first and looks for sleepers second; this is the other order, so one sees the other.
    if rouse(team) and withdraw(team):
        return
    while call_p(load(at(team, TeamWord.WAIT)), semaphore) != 0:
        pass  # a signal came


@helper
def worker(team: int) -> None:
    """What each worker does until it is told to stop."""
    while atomic_load(at(team, TeamWord.STOP)) == 0:
        work(team)
        spins = 0
        while spins < load(at(team, TeamWord.SPINS)) and not rouse(team):
            pause()
            spins += 1
        if not rouse(team):
            sleep(team)


# ---- their master: the thread that runs a program


@helper
def wake(team: int, count: int) -> None:
    """Post for as many sleeping workers as there are chunks for."""
    called = 0
    while True:
        sleepers = atomic_load(at(team, TeamWord.SLEEPERS))
        called = min(sleepers, count)
        if called <= 0:
            return
        if compare_and_swap(at(team, TeamWord.SLEEPERS), sleepers, sleepers - called):
            break
    for _ in range(called):
        call_p(load(at(team, TeamWord.POST)), load(at(team, TeamWord.SEMAPHORE)))


@helper
def split(team: int, row: int, chunks: int) -> bool:
    """Run an instruction on the team; false when another thread has the team."""
    if not compare_and_swap(at(team, TeamWord.BUSY), 0, 1):
        return False
    sequence = ((atomic_load(at(team, TeamWord.JOB)) >> SEQUENCE_SHIFT) + 1) & 0xFFFFFFFF
    atomic_store(at(team, TeamWord.ROW), row)
    atomic_store(at(team, TeamWord.DONE), 0)
    atomic_exchange(at(team, TeamWord.JOB), (sequence << SEQUENCE_SHIFT) | chunks)
    wake(team, chunks - 1)
    work(team)
    spins = 0
    while atomic_load(at(team, TeamWord.DONE)) < chunks:
        spins += 1
        if spins < 2000:
            pause()
        else:
            call_void(load(at(team, TeamWord.YIELD)))
    atomic_store(at(team, TeamWord.BUSY), 0)
    return True


@helper
def spread(team: int, row: int, wanted: int) -> bool:
    """Run an instruction in as many chunks as asked for, or alone; false when the team has to be started first."""
    chunks = min(wanted, HALF_WORD)
    if chunks > 1 and load(at(team, TeamWord.THREADS)) > 1:
        if load(at(team, TeamWord.WORKERS)) == 0:
            return False
        if split(team, row, chunks):
            return True
    for chunk in range(chunks):  # the same pieces as with a team: the result doesn't depend on who is free
        run_chunk(team, row, chunk, chunks)
    return True
