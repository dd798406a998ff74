"""One statement as a region of its own, in functions that have too many paths.

Paths that end a statement with values of different types split that statement only. What they leave is carried on as
one value or another, with the flag that tells which (`TaggedValue`); the next statement that looks at it is traced for
either. What the paths leave in objects, which Python sees, split the code around.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....base import dtype as dt
from ....base.errors import CaptureError
from ....base.pytree import map_leaves
from ....dygraph.number import number_over
from ....dygraph.storage import AsCut
from ....ir.core import Block
from ....ops.dims import Dim
from ....ops.sizes import freshened, runtime_names
from ...trace.reachable import roots_of
from ...trace.state.aliases import link_results
from ...trace.state.containers import WHOLE, is_container, reaches
from ...trace.tracer import Tracer, active
from ..handlers import handled
from ..raising import Raised, or_raised
from .decisions import Decision
from .extras import Extra, Item
from .items_in_doubt import as_pending, close_items, leave, leave_content, look, may_stay, open_items
from .paths import emit_paths, run_path
from .region_state import Path, StateAccess, with_consumers
from .same_values import same_value
from .tagged_unions import Pending, TaggedUnion, holds_union, plain, undecided
from .values import Build, Merge


class _Escaped(BaseException):
    """A statement ends with an exception that code around it handles. No handler in the statement may see this."""


def step(
    code: Callable[[], None],
    header: Callable[[], Any] | None,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
    kept: tuple[str, ...],
) -> None:
    """Run one statement, or trace it as a region.

    header: what the statement's own code reads, without the statements in it; None for one without such. kept:
    variables that it only reads.
    """
    tracer = active()
    if tracer is None:
        code()
        return
    state, functions = with_consumers(tracer, StateAccess(get_state, set_state, names, live), (code,))
    inner = _Statement(tracer, code, header)
    entered = _entered(tracer, state, inner.run, [k < len(names) and n in kept for k, n in enumerate(state.names)])
    path = _path(tracer, state, entered, functions, code)
    if path is None:
        look(tracer, inner.roots)
        inner.traced()
    else:
        _leave(tracer, state, path)


class _Statement:
    """The code of one statement, and what is reached by the part of it that isn't made of statements."""

    def __init__(self, tracer: Tracer, code: Callable[[], None], header: Callable[[], Any] | None) -> None:
        self.tracer = tracer
        self.code = code
        self.is_compound = header is not None
        self.roots = roots_of((code if header is None else header,)) if tracer.in_doubt else ()

    def run(self) -> None:
        """As a region: items that it looks at are decided."""
        opened = open_items(self.tracer, self.roots)
        try:
            self.traced()
        finally:
            close_items(self.tracer, opened)

    def traced(self) -> None:
        """Run it."""
        around, self.tracer.compound = self.tracer.compound, self.code.__code__ if self.is_compound else None
        try:
            self.code()
        finally:
            self.tracer.compound = around


def _path(
    tracer: Tracer, names: StateAccess, run: Callable[[], Any], functions: Sequence[Callable[..., Any]],
    code: Callable[[], None],
) -> Path | None:  # fmt: skip
    """The statement as a path; None where it may raise what code around it handles: Python must see that."""
    of = code.__code__
    if not handled(broadly=True, depth=3):
        return run_path(tracer, names, or_raised(tracer, run), functions, Block(), at_iteration=True, statement=of)
    if of in tracer.escaping:
        return None
    try:
        return run_path(tracer, names, _escaping(run), functions, Block(), at_iteration=True, statement=of)
    except _Escaped:
        tracer.escaping.add(of)
        return None


def _escaping(code: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        try:
            return code()
        except CaptureError:
            raise
        except Exception as error:  # broad: any class that the user's code raises
            raise _Escaped from error

    return run


def _leave(tracer: Tracer, names: StateAccess, path: Path) -> None:
    """Go on behind a statement."""
    merge = Merge(tracer, None, joined={})
    always = Decision(None, tracer.value_of(tracer.constant(True, dt.bool_)))
    if isinstance(path.returned, Raised):
        emit_paths(tracer, always, merge, [path, Path(Block(), ())])
        tracer.raised.append(path.returned.error)
        raise path.returned.error
    before = names.get_state()
    with AsCut():
        variables = [
            _constant(b) if same_value(v, b) else _build(tracer, merge, n, v, path.block)
            for n, v, b in zip(names.names, path.values, before, strict=True)
        ]
        extras = [(extra, _build_extra(tracer, merge, extra, v, path.block)) for extra, v in path.extras.values()]
    results = emit_paths(tracer, always, merge, [path, Path(Block(), ())])
    link_results(tracer, results, merge.pairs)
    tracer.aliases.mark(path.stale)
    for extra, build in extras:
        value = build(results)
        if may_stay(extra):
            value = as_pending(tracer, extra.name, value)
            if isinstance(value, Pending):
                leave(tracer, extra, value)
                continue
        if isinstance(extra, Item) and _is_filled(extra, value):
            leave_content(tracer, extra, value)
            continue
        if isinstance(value, Pending):
            value.fail()
        extra.put(value)
    if names.names:
        values = names.dropped([build(results) for build in variables])
        names.set_state(values)
    tracer.joints.activate()


def _constant(value: Any) -> Build:
    return lambda _: value


def _build(tracer: Tracer, merge: Merge, name: str, value: Any, block: Block) -> Build:
    """A variable after the statement: where it is one of several things, which, and the leaves of all."""
    first = len(merge.pairs)
    if not holds_union(value):
        if reaches(value, _is_run_time_size):
            with tracer.inside(block):
                value = map_leaves(lambda x: _carried_size(tracer, x), value, _may_be_size)
        return merge.alone(name, value, 0)
    with tracer.inside(block):
        known = plain(value)
    if reaches(known, is_container):  # taken apart and put together it would be another object
        one = merge.alone(name, known, 0)
        return lambda results: undecided(tracer, name, one(results))
    union = TaggedUnion(tracer, name, value)
    with tracer.inside(block):
        union.learn(value)
        union.add(merge, value, 0)
    for pair in merge.pairs[first:]:
        pair.type = freshened(pair.type)  # names of sizes that the block tells
    count = len(union.leaf_types)
    return lambda results: union.value(results[first : first + count])


def _carried_size(tracer: Tracer, x: Any) -> Any:
    return number_over(tracer.constant(x, dt.int64)) if isinstance(x, Dim) else x


def _may_be_size(x: object) -> bool:
    """A size that only a run knows, or an object without such, which stays that object."""
    return _is_run_time_size(x) or (is_container(x) and not reaches(x, _is_run_time_size))


def _build_extra(tracer: Tracer, merge: Merge, extra: Extra, value: Any, block: Block) -> Build:
    """Like `_build`; of a list or dict that is filled anew, each item for itself."""
    if not (isinstance(extra, Item) and _is_filled(extra, value) and holds_union(value)):
        return _build(tracer, merge, extra.name, value, block)
    if isinstance(value, dict):
        builds = {k: _build(tracer, merge, f"{extra.name}[{k!r}]", v, block) for k, v in value.items()}
        return lambda results: {k: build(results) for k, build in builds.items()}
    parts = [_build(tracer, merge, f"{extra.name}[{k}]", v, block) for k, v in enumerate(value)]
    return lambda results: [build(results) for build in parts]


def _is_filled(extra: Item, value: Any) -> bool:
    return extra.key is WHOLE and type(value) is type(extra.owner) and type(value) in (list, dict)


def _is_run_time_size(x: object) -> bool:
    return isinstance(x, Dim) and bool(runtime_names(x))


def _entered(
    tracer: Tracer, names: StateAccess, code: Callable[[], Any], kept: Sequence[bool]
) -> Callable[[], Any]:  # fmt: skip
    """`code` with the variables that are one thing or another decided anew; it leaves those that it didn't change.

    kept: which it only reads.
    """

    def run() -> Any:
        before = names.get_state()
        inside = tuple(
            undecided(tracer, n, plain(v)) if isinstance(v, Pending) and "." not in n else v
            for n, v in zip(names.names, before, strict=True)
        )
        if all(x is y for x, y in zip(before, inside, strict=True)):
            return code()
        names.set_state(inside)
        returned = code()
        after = names.get_state()
        ends = zip(before, inside, after, kept, strict=True)
        names.set_state(tuple(b if x is not b and (stays or y is x) else y for b, x, y, stays in ends))
        return returned

    return run
