"""Lists that programs push entries on and pop them off; see ListWord."""

from .layout import ListWord, TeamWord
from .primitives import at, call_realloc, copy_bytes, helper, load, store


@helper
def push(team: int, block: int, source: int, count: int) -> bool:
    """Append bytes to a list; false when memory is out."""
    used = load(at(block, ListWord.USED))
    needed = used + count
    if needed > load(at(block, ListWord.CAPACITY)):
        capacity = max(2 * load(at(block, ListWord.CAPACITY)), needed, 256)
        moved = call_realloc(load(at(team, TeamWord.REALLOC)), load(at(block, ListWord.DATA)), capacity)
        if moved == 0:
            return False
        store(at(block, ListWord.DATA), moved)
        store(at(block, ListWord.CAPACITY), capacity)
    copy_bytes(load(at(block, ListWord.DATA)) + used, source, count)
    store(at(block, ListWord.USED), needed)
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
def peek(block: int, index: int, target: int, count: int) -> bool:
    """Copy entry `index` of a list whose entries have `count` bytes; false when there is none."""
    if index < 0 or (index + 1) * count > load(at(block, ListWord.USED)):
        return False
    copy_bytes(target, load(at(block, ListWord.DATA)) + index * count, count)
    return True
