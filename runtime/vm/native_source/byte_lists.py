"""Lists that programs push entries on and pop them off; see ListWord. Their rows are entries of one size, in bytes."""

from .layout import ListWord, TeamWord
from .primitives import at, call_realloc, copy_bytes, helper, load, store


@helper
def has_room(team: int, block: int, needed: int) -> bool:
    """Give a list room for so many bytes; false when memory is out."""
    if needed > load(at(block, ListWord.CAPACITY)):
        capacity = max(2 * load(at(block, ListWord.CAPACITY)), needed, 256)
        moved = call_realloc(load(at(team, TeamWord.REALLOC)), load(at(block, ListWord.DATA)), capacity)
        if moved == 0:
            return False
        store(at(block, ListWord.DATA), moved)
        store(at(block, ListWord.CAPACITY), capacity)
    return True


@helper
def reserve(team: int, block: int, count: int) -> bool:
    """Have a list hold `count` bytes, whatever is in them; false when memory is out.

    There is memory behind every list that was asked, also for nothing: kernels get addresses that exist.
    """
    if count >= 1 << 48 or not has_room(team, block, max(count, 1)):
        return False
    store(at(block, ListWord.USED), count)
    return True


@helper
def push(team: int, block: int, source: int, count: int) -> bool:
    """Append bytes to a list; false when memory is out."""
    used = load(at(block, ListWord.USED))
    if not has_room(team, block, used + count):
        return False
    copy_bytes(load(at(block, ListWord.DATA)) + used, source, count)
    store(at(block, ListWord.USED), used + count)
    return True


@helper
def pop(block: int, target: int, count: int) -> bool:
    """Take the last bytes off a list; false when it has fewer."""
    left = load(at(block, ListWord.USED)) - count
    if left < 0:
        return False
    copy_bytes(target, load(at(block, ListWord.DATA)) + left, count)
    store(at(block, ListWord.USED), left)
    return True


@helper
def bytes_of(count: int, row: int) -> int:
    """How many bytes so many rows are; -1 for a negative number of rows, and for more than any memory holds."""
    if count < 0 or (row > 0 and count > (1 << 48) // row):
        return -1
    return count * row


@helper
def place_of(block: int, index: int, row: int, count: int) -> int:
    """Where `count` bytes from row `index` on lie, negative indices counted from the end; -1 where they don't."""
    used = load(at(block, ListWord.USED))
    if index < 0:
        back = bytes_of(-index, row)
        start = used - back if back >= 0 else -1
    else:
        start = bytes_of(index, row)
    if start < 0 or start + count > used:
        return -1
    return start


@helper
def peek(block: int, index: int, target: int, row: int, count: int) -> bool:
    """Copy `count` bytes of a list from row `index` on; false when it hasn't so many."""
    start = place_of(block, index, row, count)
    if start < 0:
        return False
    copy_bytes(target, load(at(block, ListWord.DATA)) + start, count)
    return True


@helper
def poke(block: int, index: int, source: int, row: int) -> bool:
    """Write row `index` of a list; false when there is none."""
    start = place_of(block, index, row, row)
    if start < 0:
        return False
    copy_bytes(load(at(block, ListWord.DATA)) + start, source, row)
    return True


@helper
def trim(block: int, count: int, row: int) -> bool:
    """Keep the first `count` rows of a list; false when it has fewer."""
    kept = bytes_of(count, row)
    if kept < 0 or kept > load(at(block, ListWord.USED)):
        return False
    store(at(block, ListWord.USED), kept)
    return True


@helper
def extend(team: int, block: int, other: int, start: int, count: int) -> bool:
    """Append bytes of a list, from `start` on, to a list, which may be the same; false when memory is out."""
    used = load(at(block, ListWord.USED))
    if not has_room(team, block, used + count):
        return False
    copy_bytes(load(at(block, ListWord.DATA)) + used, load(at(other, ListWord.DATA)) + start, count)
    store(at(block, ListWord.USED), used + count)
    return True


@helper
def repeat(team: int, block: int, source: int, row: int, count: int) -> bool:
    """Append one row `count` times to a list; false when memory is out."""
    used, more = load(at(block, ListWord.USED)), bytes_of(count, row)
    if more < 0 or not has_room(team, block, used + more):
        return False
    data = load(at(block, ListWord.DATA)) + used
    for k in range(count):
        copy_bytes(data + k * row, source, row)
    store(at(block, ListWord.USED), used + more)
    return True


@helper
def bound(index: int, size: int, otherwise: int) -> int:
    """A bound of a Python slice as a place in 0..size; `otherwise` for one that was left open."""
    if index == 9223372036854775807 or index == -9223372036854775807 - 1:
        return otherwise
    if index < 0:
        return max(index + size, 0)
    return min(index, size)


@helper
def cut(team: int, block: int, other: int, first: int, last: int, row: int) -> bool:
    """Have a list hold the rows first:last of a list, which may be the same; false when memory is out."""
    size = load(at(other, ListWord.USED)) // row
    start = bound(first, size, 0)
    count = max(bound(last, size, size) - start, 0) * row
    if not has_room(team, block, count):
        return False
    copy_bytes(load(at(block, ListWord.DATA)), load(at(other, ListWord.DATA)) + start * row, count)
    store(at(block, ListWord.USED), count)
    return True
