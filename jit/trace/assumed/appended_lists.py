"""Lists outside of a function that it only appends to: `history.append(loss.item())`.

Their length and items are no part of the program, which adds its items behind those that are there. Whether the
function reads such a list shows in its code, and in that of the getters and operators it may use: each mention of a
name that leads to the list is followed by `.append` or `.extend`.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterator
from typing import Any

from ..reachable import asked_names, is_bound, is_plain_class, loaded_globals, raw_attributes
from ..state.containers import decision_in, parts_of
from ..state.dynamic_lists import is_run_time_sized
from ..tracer import Tracer

_ADDING = ("append", "extend")
_READERS = frozenset(
    {"deepcopy", "copy", "asdict", "astuple", "replace", "dumps", "dump", "pickle"}
)  # of all attributes


def new_items(tracer: Tracer, owner: Any, key: Any, after: Any) -> list[Any] | None:
    """What a function put behind the items of a list that it doesn't read; None for any other change."""
    kept = tracer.objects.kept.get(id(owner))
    if key is not None or type(owner) is not list or kept is None or id(owner) in tracer.arguments:
        return None
    before = kept.copy
    if is_run_time_sized(before) or is_run_time_sized(after) or decision_in(owner) is not None:
        return None
    if len(after) < len(before) or any(a is not b for a, b in zip(before, after, strict=False)):
        return None
    functions = [*(c.original for c in tracer.functions.values()), *tracer.plain_functions.values()]
    names = _names_of(tracer, owner, functions)
    codes = [*(fn.__code__ for fn in functions), *_implicit(tracer)]
    if not names or not all(_only_adds(code, names) for code in codes):
        return None
    return list(after[len(before) :])


def _names_of(tracer: Tracer, owner: list[Any], functions: list[types.FunctionType]) -> frozenset[str]:
    """The variables and attributes that hold a list; nothing where it is held otherwise, too."""
    found: set[str] = set()
    for fn in functions:
        if any(part is owner for part in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values())):
            return frozenset()
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            if is_bound(cell) and cell.cell_contents is owner:
                found.add(name)
        found.update(n for n in loaded_globals(fn.__code__) if fn.__globals__.get(n) is owner)
    for kept in tracer.objects.kept.values():
        for key, part in kept.copy.items() if isinstance(kept.copy, dict) else enumerate(kept.copy):
            if part is owner and isinstance(kept.owner, types.CellType):
                continue  # a variable of a function: above
            if part is owner and isinstance(key, str) and (kept.only is not None or not isinstance(kept.owner, dict)):
                found.add(key)
            elif part is owner or (isinstance(part, tuple) and any(inner is owner for inner in _inside(part))):
                return frozenset()
    return frozenset(found)


def _inside(value: Any) -> Iterator[Any]:
    for part in parts_of(value):
        yield part
        if isinstance(part, tuple):
            yield from _inside(part)


def _implicit(tracer: Tracer) -> Iterator[types.CodeType]:
    """The code of getters, operators and the like, which run without being called by name."""
    kinds = {k.owner if isinstance(k.owner, type) else type(k.owner) for k in tracer.objects.kept.values()}
    for kind in filter(is_plain_class, kinds):
        for name, value in raw_attributes(kind).items():
            fn = getattr(value, "fget", None) or getattr(value, "func", None) or value
            is_implicit = fn is not value or (name.startswith("__") and name.endswith("__"))
            if is_implicit and isinstance(fn, types.FunctionType):
                yield fn.__code__


@functools.lru_cache(maxsize=4096)
def _only_adds(code: types.CodeType, names: frozenset[str]) -> bool:
    """Whether a code object, and those within it, mention these names only to append to what they hold."""
    asked = asked_names(code)
    if asked is None or asked & names or _READERS & set(code.co_names):
        return False
    instructions = list(dis.get_instructions(code))
    for at, after in zip(instructions, [*instructions[1:], None], strict=True):
        mentioned = at.argval if isinstance(at.argval, tuple) else (at.argval,)
        if at.opname == "LOAD_CLOSURE" or at.opcode not in _NAMING or not any(
            isinstance(name, str) and name in names for name in mentioned
        ):  # fmt: skip
            continue
        if at.opname == "STORE_ATTR" and code.co_name == "__init__":
            continue  # of another object: this one is there already
        if len(mentioned) > 1 or not at.opname.startswith("LOAD_"):
            return False
        if after is None or after.argval not in _ADDING or after.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
            return False
    return all(_only_adds(c, names) for c in code.co_consts if isinstance(c, types.CodeType))


_NAMING = frozenset({*dis.hasname, *dis.hasfree, *dis.haslocal})
