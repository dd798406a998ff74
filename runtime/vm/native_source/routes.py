"""Exchanges with other ranks: MPI's functions and NumPy's loops, called by address, as a route says (see RouteWord).

What isn't the ordinary case is left to Python: ranks that disagree, that have started something else or don't come.
"""

from .layout import Action, MoveRow, PortWord, RouteStage, RouteWord
from .primitives import (
    at,
    call_bcast,
    call_iallgather,
    call_loop,
    call_test,
    call_together,
    copy_bytes,
    helper,
    load,
    store,
)


@helper
def end_of(route: int, move: int, which: int) -> int:
    """The address of an end of a move."""
    return load(at(route, load(at(move, which)))) + load(at(move, which + 1))


@helper
def join(route: int, parts: int, stride: int, to: int, size: int) -> None:
    """Join the parts of all ranks, from the first to the last, with NumPy's own loop."""
    item = load(at(route, RouteWord.ITEM))
    ranks = load(at(route, RouteWord.RANKS))
    operands, length, strides = at(route, RouteWord.OPERANDS), at(route, RouteWord.LENGTH), at(route, RouteWord.STRIDES)
    store(length, size // item)
    store(strides, item)
    store(at(strides, 1), item)
    store(at(strides, 2), item)
    store(at(operands, 2), to)
    store(operands, parts)
    if ranks == 1:
        copy_bytes(to, parts, size)
    for k in range(1, ranks):
        store(at(operands, 1), parts + k * stride)
        call_loop(load(at(route, RouteWord.JOIN)), operands, length, strides, load(at(route, RouteWord.JOIN_DATA)))
        store(operands, to)
    if load(at(route, RouteWord.DIVIDE)) != 0:
        store(operands, to)
        store(at(operands, 1), load(at(route, RouteWord.DIVISOR)))
        store(at(strides, 1), 0)
        call_loop(load(at(route, RouteWord.DIVIDE)), operands, length, strides, load(at(route, RouteWord.DIVIDE_DATA)))


@helper
def carry(route: int, move: int) -> int:
    """Do one move; MPI's error code."""
    port = load(at(route, RouteWord.PORT))
    action = load(at(move, MoveRow.ACTION))
    source, target = end_of(route, move, MoveRow.FROM), end_of(route, move, MoveRow.TO)
    size, stride = load(at(move, MoveRow.BYTES)), load(at(move, MoveRow.STRIDE))
    byte, arrays = load(at(port, PortWord.BYTE)), load(at(route, RouteWord.ARRAYS))
    if action == Action.COPY:
        copy_bytes(target, source, size)
    elif action == Action.COLLECT:
        for k in range(load(at(route, RouteWord.RANKS))):
            copy_bytes(target + k * size, source + k * stride, size)
    elif action == Action.JOIN:
        join(route, source, stride, target, size)
    elif action == Action.ALLGATHER:
        return call_together(load(at(port, PortWord.ALLGATHER)), source, size, byte, target, size, byte, arrays)
    elif action == Action.ALLTOALL:
        return call_together(load(at(port, PortWord.ALLTOALL)), source, size, byte, target, size, byte, arrays)
    elif action == Action.BCAST:
        return call_bcast(load(at(port, PortWord.BCAST)), target, size, byte, load(at(move, MoveRow.ROOT)), arrays)
    return 0


@helper
def left(route: int, stage: int, error: int) -> bool:
    """Note how far the exchange has come, for Python to go on with."""
    store(at(route, RouteWord.STAGE), stage)
    store(at(route, RouteWord.ERROR), error)
    return False


@helper
def ask(route: int) -> int:
    """Tell the other ranks what this one asks for, and begin to hear what they do; MPI's error code."""
    port, own, row = load(at(route, RouteWord.PORT)), load(at(route, RouteWord.OWN)), load(at(route, RouteWord.ROW))
    times, byte = load(at(route, RouteWord.TIMES)), load(at(port, PortWord.BYTE))
    store(times, load(times) + 1)
    store(own, load(at(route, RouteWord.SAID)))
    copy_bytes(at(own, 1), load(at(route, RouteWord.SOURCE)), load(at(route, RouteWord.INLINE)))
    return call_iallgather(
        load(at(port, PortWord.IALLGATHER)), own, row, byte, load(at(route, RouteWord.ASKED)), row, byte,
        load(at(route, RouteWord.WORDS)), at(route, RouteWord.REQUEST),
    )  # fmt: skip


@helper
def is_agreed(route: int) -> bool:
    """Whether all ranks ask for the same, and wait for nothing else where moves need that."""
    said, asked = load(at(route, RouteWord.SAID)), load(at(route, RouteWord.ASKED))
    row, waits = load(at(route, RouteWord.ROW)), load(at(route, RouteWord.WAITS))
    for k in range(load(at(route, RouteWord.RANKS))):
        word = load(asked + k * row)
        if word >> 1 != said >> 1 or (waits != 0 and word != said):
            return False
    return True


@helper
def exchange(cell: int, source: int, target: int) -> bool:
    """Carry out an exchange; false: Python has to, or has to go on with it."""
    route = load(cell)
    if route == 0:
        return False
    port = load(at(route, RouteWord.PORT))
    if load(at(port, PortWord.OPEN)) == 0 or load(at(port, PortWord.UNDER_WAY)) != 0:
        return False
    store(at(route, RouteWord.SOURCE), source)
    store(at(route, RouteWord.TARGET), target)
    error = ask(route)
    flag, spins = at(route, RouteWord.FLAG), load(at(route, RouteWord.SPINS))
    store(flag, 0)
    while error == 0 and load(flag) == 0:
        if spins == 0:
            return left(route, RouteStage.ASKING, 0)
        spins -= 1
        status = load(at(port, PortWord.STATUS))
        error = call_test(load(at(port, PortWord.TEST)), at(route, RouteWord.REQUEST), flag, status)
    if error != 0:
        return left(route, RouteStage.FAILED, error)
    if not is_agreed(route):
        return left(route, RouteStage.ASKED, 0)
    for k in range(load(at(route, RouteWord.MOVE_COUNT))):
        error = carry(route, at(load(at(route, RouteWord.MOVES)), MoveRow.COUNT * k))
        if error != 0:
            return left(route, RouteStage.FAILED, error)
    return True
