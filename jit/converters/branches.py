"""Two pieces of code under a tensor's test -> one `if` of the program. The constructs with a choice share it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...base.errors import CaptureError
from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ...ir.core import Block, Value
from ...ops.control import if_, yield_
from ..tracer import Tracer
from .raising import Raised, alone, or_raised
from .state import NO_NAMES, Extra, Grad, Item, Names, Path, parted, run_path
from .values import Build, Maybe, Merge, Poison, label, place_of, show


def run_branches(
    tracer: Tracer, flag: Value, then: Callable[[], Any], other: Callable[[], Any],
    names: Names = NO_NAMES, functions: Sequence[Callable[..., Any]] | None = None,
) -> Any:  # fmt: skip
    """Trace both, join their results, state and effects; returns the joint value of what they return."""
    codes = (then, other)
    paths = [run_path(tracer, names, or_raised(tracer, code), functions or codes, Block()) for code in codes]
    merge = Merge(tracer, mismatch)
    failed = [k for k, path in enumerate(paths) if isinstance(path.returned, Raised)]
    if len(failed) == 2:
        raise paths[1].returned.error
    if failed:
        side = 1 - failed[0]
        path = paths[side]
        variables = [alone(merge, n, v, side) for n, v in zip(names.names, path.values, strict=True)]
        returned = alone(merge, "the value", path.returned, side)
        extras = [(extra, alone(merge, extra.name, v, side)) for extra, v in path.extras.values()]
    else:
        ends = zip(names.names, paths[0].values, paths[1].values, strict=True)
        variables = [merge.join(n, *_parted(paths, a, b)) for n, a, b in ends]
        returned = merge.join("the value", *_parted(paths, paths[0].returned, paths[1].returned))
        extras = [(extra, join_extra(merge, extra, a, b)) for extra, a, b in union(paths)]
    if merge.pairs or any(not o.is_pure for p in paths for o in p.block.operations):
        for side, path in enumerate(paths):
            with tracer.inside(path.block):
                tracer.builder.emit(yield_, merge.values(side), {}, [])
        operation = tracer.builder.emit(if_, [flag], {}, [p.type for p in merge.pairs], [p.block for p in paths])
        results = tracer.results_of(operation, [p.needs_gradient for p in merge.pairs])
    else:
        results = []
        for path in paths:
            path.discard()
    for made, pair in zip(results, merge.pairs, strict=True):
        others = [x._storage for x in pair.sides if isinstance(x, Tensor) and tracer.is_outer(x._storage.payload)]
        if others:
            tracer.twins[made._storage] = [weakref.ref(cell) for cell in others]
    finish(names, variables, extras, results)
    return returned(results)


def _parted(paths: Sequence[Path], a: Any, b: Any) -> tuple[Any, Any]:
    return parted(a, b, paths[0].written, paths[1].written)


def union(paths: Sequence[Path]) -> list[tuple[Extra, Any, Any]]:
    """What either path wrote, with its value after each path."""
    keys = dict.fromkeys(k for p in paths for k in p.extras)
    found = []
    for key in keys:
        extra = next(p.extras[key][0] for p in paths if key in p.extras)
        a, b = (p.extras[key][1] if key in p.extras else extra.before for p in paths)
        found.append((extra, a, b))
    return found


def join_extra(merge: Merge, extra: Extra, a: Any, b: Any) -> Build:
    """Join the two values of something other than a variable."""
    if isinstance(extra, Grad):
        a, b = (0.0 if x is None and y is not None else x for x, y in ((a, b), (b, a)))
    return merge.join(extra.name, a, b)


def finish(
    names: Names, variables: Sequence[Build], extras: Sequence[tuple[Extra, Build]], results: Sequence[Tensor]
) -> None:
    """Set the state after an operation with blocks."""
    for extra, build in extras:
        value = build(results)
        if isinstance(extra, Item) and isinstance(value, (Maybe, Poison)):
            raise CaptureError(
                f"{extra.name} is set or changes its length or kind under a tensor's test",
                loc=caller_loc(),
                remedy="give it a value of the same kind before, and on all paths",
            )
        extra.put(value)
    if names.names:
        names.set_state(names.dropped([build(results) for build in variables]))


def mismatch(name: str, a: Any, b: Any) -> NoReturn:
    """The error for tensors that differ in type after the two ways of a branch."""
    raise CaptureError(
        f"{label(name)} is {show(a)} on one path and {show(b)} on the other{place_of(a)}{place_of(b)}",
        loc=caller_loc(),
        remedy="give it the same shape and dtype on both paths",
    )
