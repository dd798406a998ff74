"""Which argument led to another program: call signatures are compared part by part, and a function that keeps getting
programs is reported once, with the argument that changed most often and what to do about it.
"""

from __future__ import annotations

import enum
import warnings
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import KindError
from ...dygraph.places import loc_of, user_place
from .signature import Leaf, ObjectIdentity

LIMIT = 8
RECENT = 8  # keys that a new one is compared with
_limit: list[int | None] = [LIMIT]


class RecompileWarning(UserWarning):
    """A compiled function keeps getting programs: an argument changes in a way that asks for another one each time."""


class InputSpecWarning(UserWarning):
    """A compiled function is called with a tensor that its input_spec doesn't describe: the call has a program of its
    own.
    """


@dataclass(frozen=True, slots=True)
class Change:
    """What of a call differs from an earlier one. kind: a key of `FIXES`."""

    name: str
    kind: str
    text: str


FIXES = {
    "string": "strings are part of a program. Choose among few values, or keep the string out of the compiled function",
    "value": "values that aren't tensors are part of a program. Choose among few values, or pass a tensor",
    "number": "the code looks at the number, so each value has a program. Pass a tensor: vt.to_tensor(number)",
    "type": "pass values of one type in every call",
    "object": "a program is for one object. Make it once and pass the same object in every call",
    "shape": "shapes of tensors outside are part of a program. Pass the tensor as an argument, whose sizes stay open, "
    "or write into one of a fixed shape",
    "dtype": "cast to one dtype before the call",
    "rank": "reshape to one number of axes before the call",
    "gradient": "set stop_gradient alike before every call",
    "same": "pass tensors that are distinct in every call, or the same in every call",
    "length": "a list that grows gets a program for each length. Keep a tensor that grows along an axis",
    "keys": "pass a dict with the same keys in every call",
    "known": "an operation is faster where it knows the size, so the first sizes have a program each and later ones "
    "share one. Bring inputs to few sizes, or leave the size open: to_static(input_spec=[InputSpec([None, ...])])",
    "size": "leave the size open: to_static(input_spec=[InputSpec([None, ...])])",
    "state": "what a function reads from outside is part of its program. Keep what changes in a tensor, or pass it",
    "spec": "leave open in the input_spec what varies, or bring tensors to its sizes and dtypes before the call",
    "mode": "call it in one mode: train() or eval(), with or without no_grad, under one amp setting",
}


def get_recompile_limit() -> int | None:
    """From how many programs of one function on it warns."""
    return _limit[0]


def set_recompile_limit(programs: int | None) -> int | None:
    """From how many programs of one function on it warns, naming the argument that changed; None: never.

    Returns the limit until now. Errors: KindError for anything but a positive int or None.

    >>> set_recompile_limit(16)
    8
    >>> set_recompile_limit(8)
    16
    """
    if programs is not None and (not isinstance(programs, int) or isinstance(programs, bool) or programs < 1):
        raise KindError(f"the limit is a positive int or None, not {programs!r}", remedy="the default is 8")
    before, _limit[0] = _limit[0], programs
    return before


def changed(now: Any, before: Any, names: Sequence[str]) -> list[Change]:
    """What differs between the keys of two calls. names: of the positional arguments."""
    (args, kwargs, same), *modes = now
    (old_args, old_kwargs, old_same), *old_modes = before
    found: list[Change] = []
    for k, (part, old) in enumerate(zip(args, old_args, strict=False)):
        found += _differ(names[k] if k < len(names) else f"argument{k}", part, old)
    if len(args) != len(old_args):
        longer = names[min(len(args), len(old_args)) :]
        found.append(Change(longer[0] if longer else "the arguments", "length",
                            f"the call has {len(args)} positional arguments, not {len(old_args)}"))  # fmt: skip
    found += _keywords(dict(kwargs), dict(old_kwargs))
    if same != old_same and not found:
        found.append(Change("the containers", "same", "other containers among the arguments are the same object"))
    labels = ("gradients are recorded", "the default dtype", "the amp setting", "train or eval mode")
    for label, mode, old in zip(labels, modes[:-1], old_modes[:-1], strict=True):
        if mode != old:
            found.append(Change(label, "mode", f"{label}: was {old!r}, now {mode!r}"))
    if (misfits := modes[-1]) != old_modes[-1]:
        others = [n for n in (*misfits, *old_modes[-1]) if n not in misfits or n not in old_modes[-1]]
        for name in dict.fromkeys(others):
            fits = "doesn't fit its input_spec" if name in misfits else "fits its input_spec again"
            found.append(Change(name, "spec", f"{name} {fits}"))
    return found


def _keywords(now: dict[str, Any], before: dict[str, Any]) -> Iterator[Change]:
    for name in {**before, **now}:
        if name not in before:
            yield Change(name, "keys", f"{name} is passed now")
        elif name not in now:
            yield Change(name, "keys", f"{name} isn't passed any more")
        else:
            yield from _differ(name, now[name], before[name])


def _differ(name: str, now: Any, before: Any) -> Iterator[Change]:
    """The changes of one argument."""
    if now == before and type(now) is type(before):
        return
    if isinstance(now, Leaf) and isinstance(before, Leaf):
        yield from _leaves(name, now, before)
    elif isinstance(now, ObjectIdentity) and isinstance(before, ObjectIdentity):
        kinds = [_kind(x) for x in (before, now)]
        another = f"is another {type(now.value).__name__}" if kinds[0] == kinds[1] else None
        yield Change(name, "object", f"{name} {another or f'was {kinds[0]}, now {kinds[1]}'}")
    elif _is_container(now) and _is_container(before) and now[0] is before[0]:
        yield from _containers(name, now, before)
    elif _is_plain(now) and _is_plain(before) and now[0] is before[0]:
        kind = "string" if now[0] in (str, bytes) else "value"
        yield Change(name, kind, f"{name} was {before[1]!r:.40}, now {now[1]!r:.40}")
    else:
        yield Change(name, "type", f"{name} was {_kind(before)}, now {_kind(now)}")


def _leaves(name: str, now: Leaf, before: Leaf) -> Iterator[Change]:
    if now.dtype is not before.dtype:
        yield Change(name, "dtype", f"{name} was {before.dtype.name}, now {now.dtype.name}")
    if now.rank != before.rank:
        yield Change(name, "rank", f"{name} had {_axes(before.rank)}, now {now.rank}")
    if now.kind is not before.kind:
        yield Change(name, "type", f"{name} was a {before.kind.__name__}, now a {now.kind.__name__}")
    if now.stop_gradient != before.stop_gradient:
        yield Change(name, "gradient", f"{name}.stop_gradient was {before.stop_gradient}, now {now.stop_gradient}")
    if now.same_as != before.same_as:
        yield Change(name, "same", f"{name} is {'the same tensor as' if now.same_as is not None else 'apart from'} "
                                   "another argument now")  # fmt: skip


def _containers(name: str, now: Any, before: Any) -> Iterator[Change]:
    if now[2:] != before[2:]:
        yield Change(name, "object", f"{name} has another default_factory")
    items, old_items = now[1], before[1]
    if all(key is None for key, _ in (*items, *old_items)):
        if len(items) != len(old_items):
            yield Change(name, "length", f"{name} had {_items(len(old_items))}, now {len(items)}")
            return
        for k, ((_, part), (_, old)) in enumerate(zip(items, old_items, strict=True)):
            yield from _differ(f"{name}[{k}]", part, old)
        return
    if [key for key, _ in items] != [key for key, _ in old_items]:
        yield Change(name, "keys", f"{name} has other keys, or in another order")
        return
    for (key, part), (_, old) in zip(items, old_items, strict=True):
        yield from _differ(f"{name}[{key!r}]", part, old)


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


def _axes(count: int) -> str:
    return f"{count} {'axis' if count == 1 else 'axes'}"


def _is_plain(part: Any) -> bool:
    return isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], type) and not _is_container(part)


def _is_container(part: Any) -> bool:
    """Whether a part of a key is (class, items, …)."""
    return isinstance(part, tuple) and len(part) > 1 and isinstance(part[1], tuple) and part[0] not in (str, bytes)


def _kind(part: Any) -> str:
    if isinstance(part, Leaf):
        return f"a {part.kind.__name__}"
    if isinstance(part, ObjectIdentity):
        return str(part.value) if isinstance(part.value, enum.Enum) else f"a {type(part.value).__name__}"
    if isinstance(part, type):
        return f"a number ({part.__name__})"
    if isinstance(part, tuple) and part and part[0] is type(None):
        return "None"
    if _is_plain(part):
        return f"{part[1]!r:.40}"
    return f"a {part[0].__name__}" if isinstance(part, tuple) and isinstance(part[0], type) else "of another kind"


def nearest(key: Any, others: Iterable[Any], names: Sequence[str]) -> list[Change]:
    """The changes from that of the last few keys which differs least; nothing where there are none."""
    last = deque(others, maxlen=RECENT)
    return min((changed(key, other, names) for other in reversed(last)), key=len, default=[])


def plain_values(key: Any, names: Sequence[str]) -> dict[str, str]:
    """The strings, bools and other values that are part of a call's key, as text, by the argument's name."""
    listed = [*zip(names, key[0], strict=False), *key[1]]
    return {name: f"{part[1]!r:.40}" for name, part in listed if _is_plain(part) and part[0] is not type(None)}


def warn_of_misfit(function: str, name: str, text: str) -> None:
    """Warn, where the call is written, of an argument that isn't as the input_spec says; text: how it differs."""
    place = loc_of(user_place())
    warnings.warn_explicit(
        f"argument {name} of {function}: input_spec expects {text}: such calls get a program of their own. "
        "Leave open what varies: None for a size, no dtype",
        InputSpecWarning,
        place.file,
        place.line,
    )


def warn_of_many(function: str, changes: Sequence[Sequence[Change]], stacklevel: int) -> None:
    """Warn where a function has just got as many programs as the limit says. changes: of each program so far."""
    if _limit[0] is None or len(changes) != _limit[0]:
        return
    blamed = Counter((c.name, c.kind) for program in changes for c in program)
    if not blamed:
        return
    (name, kind), count = blamed.most_common(1)[0]
    last = next(c for program in reversed(changes) for c in program if (c.name, c.kind) == (name, kind))
    times = f"changed {count} times" if count > 1 else "changed"
    warnings.warn(
        f"{function} has {len(changes)} programs, and each was compiled anew. "
        f"{name} {times}; the last time {last.text}. What to do: {FIXES[kind]}. "
        f"`{function}.explain()` lists all programs. vt.jit.set_recompile_limit(n) moves this warning; None stops it",
        RecompileWarning,
        stacklevel=stacklevel,
    )
