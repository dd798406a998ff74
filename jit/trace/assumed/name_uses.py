"""What code does with the values that it loads by name: whether it only appends to them.

`self.losses.append(x)` loads `losses` and asks it for `append` at once, so that code learns nothing of the list;
`self.losses += [x]` stores the same list under the same name again. Whether it is None tells nothing of a list.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterable, Sequence
from typing import Any

APPENDED, READ = ("append", None), ("read", None)
TESTED = ("tested", None)  # whether it has items, and perhaps stored again: `self.losses = self.losses or []`
ANY_KEY: Any = object()  # of a dict, by a key that only a run knows

Use = tuple[str, Any]  # "append", "read"; of an item of a dict: "item append", "item read" (or stored) and its key

_ADDING = frozenset({"append", "extend"})
_SILENT = frozenset({"CACHE", "NOP", "EXTENDED_ARG", "PRECALL", "PUSH_NULL", "KW_NAMES"})
_LOADING = (
    "LOAD_ATTR", "LOAD_METHOD", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_SUPER_ATTR",
    "LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS", "IMPORT_FROM",
)  # fmt: skip
_METHODS = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_IN_KEYS = frozenset({
    "LOAD_ATTR", "LOAD_METHOD", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CONST", "LOAD_FAST", "LOAD_FAST_CHECK",
    "LOAD_FAST_BORROW", "LOAD_SMALL_INT", "FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE",
    "BUILD_STRING", "BUILD_TUPLE", "BINARY_OP", "BINARY_SUBSCR", "UNARY_NEGATIVE", "CALL",
})  # fmt: skip

_IN_ITEMS = _IN_KEYS | {"BUILD_LIST", "LIST_EXTEND", "LIST_APPEND", "UNARY_NOT", "UNARY_INVERT", "COMPARE_OP", "SWAP"}
_OWNERS = frozenset({"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"})
_MOST_JUMPS, _MOST_OF_A_STORE = 4, 6  # of an expression whose value is stored again, and instructions of the store
_STORING = {
    "LOAD_ATTR": "STORE_ATTR", "LOAD_GLOBAL": "STORE_GLOBAL", "LOAD_NAME": "STORE_NAME", "LOAD_DEREF": "STORE_DEREF",
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def uses_in(code: types.CodeType) -> dict[str, frozenset[Use]]:
    """For each name that a code object, or one inside it, loads: what is done with the value."""
    found: dict[str, set[Use]] = {}
    steps = [i for i in dis.get_instructions(code) if i.opname not in _SILENT]
    for k, step in enumerate(steps):
        if step.opname in _LOADING and isinstance(step.argval, str):
            adds = _is_extended(step, steps[k + 1 :])
            use = APPENDED if adds else _tested(step, steps, k + 1) or _use(steps[k + 1 :])
            found.setdefault(step.argval, set()).add(use)
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return merged([{n: frozenset(u) for n, u in found.items()}, *map(uses_in, inner)])


def merged(found: Iterable[dict[str, frozenset[Use]]]) -> dict[str, frozenset[Use]]:
    """The uses of several pieces of code."""
    every: dict[str, frozenset[Use]] = {}
    for uses in found:
        for name, more in uses.items():
            every[name] = every.get(name, frozenset()) | more
    return every


def _use(rest: Sequence[dis.Instruction]) -> Use:
    """What the instructions after a load do with it."""
    if _adds(rest):
        return APPENDED
    if rest and rest[0].opname in _METHODS and rest[0].argval == "setdefault":
        return _default(rest)
    height = 1  # of the stack, from the value on
    for k, step in enumerate(rest):
        if height == 2 and step.opname == "BINARY_SUBSCR":
            key = rest[0].argval if k == 1 and rest[0].opname == "LOAD_CONST" else ANY_KEY
            return ("item append" if _adds(rest[k + 1 :]) else "item read"), key
        if height == 2 and (step.opname == "STORE_SUBSCR" or _is_counted(rest[k:])):  # `d["n"] = …`, `d["n"] += 1`
            return "item read", rest[0].argval if k == 1 and rest[0].opname == "LOAD_CONST" else ANY_KEY
        before, height = height, height + _effect(step)
        takes_two = step.opname in ("BINARY_OP", "BINARY_SUBSCR") and before < 3
        if step.opname not in _IN_KEYS or height < 2 or takes_two or (k == 0 and step.opname in _METHODS):
            break
    return READ


def _tested(load: dis.Instruction, steps: Sequence[dis.Instruction], k: int) -> Use | None:
    """Of a value that is only compared with None, or asked whether it has items, and perhaps stored again as it is."""
    names = [step.opname for step in steps[k : k + 3]] + [""] * 3
    if _is_jump(names[0], "NONE") or (names[:2] == ["LOAD_CONST", "IS_OP"] and steps[k].argval is None):
        return APPENDED
    if names[0] == "UNARY_NOT" or _is_jump(names[names[0] == "TO_BOOL"], "TRUE", "FALSE"):
        return TESTED
    for _ in range(_MOST_JUMPS):
        rest = steps[k : k + 3]
        copies = 1 + (len(rest) > 1 and rest[1].opname == "TO_BOOL") if rest and rest[0].opname == "COPY" else 0
        jump = rest[copies] if copies < len(rest) else None
        if jump is None or not (
            jump.opname == ("POP_JUMP_IF_TRUE" if copies else "JUMP_IF_TRUE_OR_POP")
            or (jump.opname == "JUMP_FORWARD" and not copies)
        ):
            break
        k = next((n for n in range(k, len(steps)) if steps[n].offset >= jump.argval), len(steps))
    return TESTED if _is_stored(load, steps[k : k + _MOST_OF_A_STORE]) else None


def _is_jump(name: str, *ends: str) -> bool:
    return name.startswith("POP_JUMP") and name.endswith(ends)


def _is_stored(load: dis.Instruction, rest: Sequence[dis.Instruction]) -> bool:
    """Whether a value goes where values of its name stand."""
    store = _STORING.get(load.opname)
    for k, step in enumerate(rest):
        if step.opname == store and step.argval == load.argval:
            return True
        is_owner = step.opname in _OWNERS if k == 0 else step.opname == "LOAD_ATTR"
        if not is_owner or store != "STORE_ATTR":
            return False
    return False


def _is_counted(rest: Sequence[dis.Instruction]) -> bool:
    """Whether an item is read and stored again: the dict and the key are on the stack twice."""
    return [(s.opname, s.arg) for s in rest[:2]] == [("COPY", 2)] * 2 and rest[2].opname == "BINARY_SUBSCR"


def _is_extended(load: dis.Instruction, rest: Sequence[dis.Instruction]) -> bool:
    """Whether something is added to the value in place, which is stored again under its name: `self.losses += [x]`."""
    height = 1
    for k, step in enumerate(rest):
        if height == 2 and step.opname == "BINARY_OP" and step.argrepr == "+=":
            stores = [s for s in rest[k + 1 : k + 3] if s.opname != "SWAP"][:1]
            store = _STORING.get(load.opname)
            return bool(stores) and stores[0].opname == store and stores[0].argval == load.argval
        before, height = height, height + _effect(step)
        takes_two = step.opname in ("BINARY_OP", "BINARY_SUBSCR") and before < 3
        if step.opname not in _IN_ITEMS or height < 2 or takes_two:
            return False
    return False


def _effect(step: dis.Instruction) -> int:
    """How much higher the stack is after an instruction; a callable's place beside it isn't counted."""
    if step.opname == "CALL":
        return -(step.arg or 0)
    if step.opname in ("LOAD_GLOBAL", "LOAD_ATTR"):
        return 1 if step.opname == "LOAD_GLOBAL" else 0
    return 0 if step.opname == "LOAD_METHOD" else dis.stack_effect(step.opcode, step.arg)


def _default(rest: Sequence[dis.Instruction]) -> Use:
    """Of `x.setdefault(key, [])`: an item, which is made if need be."""
    height, keys = 1, 0
    for k, step in enumerate(rest[1:], 1):
        if step.opname == "CALL" and step.arg == height - 1 == 2 and rest[k - 1].opname == "BUILD_LIST":
            key = rest[1].argval if keys == 1 and rest[1].opname == "LOAD_CONST" else ANY_KEY
            return ("item append", key) if _adds(rest[k + 1 :]) else ("item read", key)
        before, height, keys = height, height + _effect(step), keys + 1
        is_empty = step.opname == "BUILD_LIST" and not step.arg
        if is_empty:
            keys -= 1
        takes_two = step.opname in ("BINARY_OP", "BINARY_SUBSCR") and before < 3
        if not (step.opname in _IN_KEYS or is_empty) or height < 2 or takes_two:
            break
    return READ


def _adds(rest: Sequence[dis.Instruction]) -> bool:
    """Whether the value before is asked for `append`, or what also only adds to it."""
    return bool(rest) and rest[0].opname in _METHODS and rest[0].argval in _ADDING
