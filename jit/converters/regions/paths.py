"""Running a region's code until no decision in it has to be made, and joining the ends of its paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import CodeType
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.frame_marks import asks_for_caller
from ....base.location import Loc, caller_loc
from ....base.pytree import TaggedValue, flatten, mapping_like
from ....dygraph.number import number_over
from ....dygraph.storage import AsCut, root_of
from ....dygraph.tensor import Tensor, wrap
from ....ir.builder import RecordError
from ....ir.core import Block, Value
from ....ops.control import if_, yield_
from ....ops.types import TensorType
from ...trace.gradients.gradient_hooks import insert_watches
from ...trace.state.aliases import link_results
from ...trace.state.containers import WHOLE, Decided, parts_of, refill, repeated_containers
from ...trace.state.rollback import MISSING, Objects, put
from ...trace.tracer import Tracer, loc_of_value
from ..raising import Raised, left_to_the_program, or_raised
from ..stdlib.run_lists.lists import refuse_strays
from .decisions import Choice, Decision, Region, SplitNeeded, count_tail_copy, unswallowed
from .extras import Extra, Grad, Item
from .items_in_doubt import as_pending, content_apart, leave, may_stay, tell_apart
from .markers import Maybe, Poison, Undefined
from .region_state import NO_STATE, Path, StateAccess, attempt, diverged, forget, forget_cuts, objects_of, resolved
from .tagged_unions import Choices, Pending, expanded, told_apart, undecided
from .values import FILL, Build, Merge, Pair


@asks_for_caller
def run_path(
    tracer: Tracer, names: StateAccess, code: Callable[[], Any], functions: Sequence[Callable[..., Any]], block: Block,
    owner: Decision | None = None, *, at_iteration: bool = False, statement: CodeType | None = None,
) -> Path:  # fmt: skip
    """Run `code` with the insertion point in `block`; afterwards everything outside is as it was before.

    Where a decision in it must be made, the block ends in an `if` whose blocks hold what follows on either side.
    """
    region = Region(tracer, block, owner, at_iteration=at_iteration, statement=statement)
    return _Explorer(tracer, names, code, objects_of(tracer, names, functions), region).run(())


def run_whole(tracer: Tracer, code: Callable[[], Any]) -> Any:
    """Run a function to its end. Its results and effects hold a `TaggedValue` where its paths differ in type."""
    region = Region(tracer, tracer.program.body, None, at_top=True)
    if tracer.style.in_steps:
        code = _told_apart(tracer, code)
    tracer.regions.append(region)
    try:
        region.start(())
        returned = unswallowed(tracer, code)
        returned = resolved(expanded(returned) if tracer.style.in_steps or tracer.in_doubt else returned)
        refuse_strays(returned)
        tracer.aliases.check(returned)
        for owner, key, _, after in list(tracer.objects.changes()):
            if tracer.style.in_steps and isinstance(after, Pending):
                put(owner, key, told_apart(after))
            elif isinstance(after, Poison) or not isinstance(after, Undefined):
                resolved(after)  # what is left in a closure is one thing or another: it is asked for later
            tracer.aliases.check(after)
        tracer.joints.end(returned)
        return returned
    except SplitNeeded as split:
        decision = split.decision
        tracer.unwinding = None
    except Exception as error:  # broad: any class that the user's code raises
        if error not in tracer.raised and not left_to_the_program(tracer, error):
            raise
        return None
    finally:
        tracer.regions.pop()
    tracer.logs[0].undo()
    forget_cuts(tracer, 0, ())
    tracer.logs[0] = type(tracer.logs[0])()
    tracer.objects.undo()
    tracer.joints.watched = {}
    explorer = _Explorer(tracer, NO_STATE, or_raised(tracer, code), tracer.objects, region)
    returned = explorer.split(
        (), decision, lambda paths, decision: join_paths(tracer, NO_STATE, decision, paths, explorer.region)
    )
    return None if isinstance(returned, Raised) else returned


def _told_apart(tracer: Tracer, code: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        returned = code()
        tell_apart(tracer, returned)
        return returned

    return run


@asks_for_caller
class _Explorer:
    """Runs a region once, or once per path where it must."""

    def __init__(
        self, tracer: Tracer, names: StateAccess, code: Callable[[], Any], objects: Objects, region: Region
    ) -> None:
        self.tracer = tracer
        self.names = names
        self.code = code
        self.objects = objects
        self.region = region
        if not region.at_top:
            region.objects = objects

    def run(self, forced: tuple[Choice, ...]) -> Path:
        """The end of the region with these decisions made."""
        leaf = forced[-1].block if forced else self.region.root
        done = False
        decision: Decision | None = None
        try:
            try:
                path = attempt(self.tracer, self.names, self.code, self.objects, self.region, forced)
            except SplitNeeded as split:
                if not self._is_here(split.decision, forced):
                    raise
                decision = split.decision
                self.tracer.unwinding = None
            if decision is not None:  # out of the handler: what the code raises again has no context of the first time
                path = self.split(forced, decision, partial(self._joined, forced))
            done = True
        finally:
            if not done:
                forget(leaf)
        path.block = leaf
        return path

    def _joined(self, forced: tuple[Choice, ...], paths: list[Path], decision: Decision) -> Path:
        """The end of the region where two paths of it meet."""

        def join() -> Any:
            return join_paths(self.tracer, self.names, decision, paths, self.region)

        path = attempt(self.tracer, self.names, join, self.objects, self.region, forced, joining=True)
        path.links = min(each.links for each in paths)
        return path

    def split(
        self, forced: tuple[Choice, ...], decision: Decision, join: Callable[[list[Path], Decision], Any]
    ) -> Any:  # fmt: skip
        """What `join` gives for what follows a decision, on both sides.

        An earlier one may turn out to come first: on the way to the ends of the paths, or where they meet.
        """
        leaf = forced[-1].block if forced else self.region.root
        whole, met = False, self.region.met
        while True:
            self._cut(leaf, decision)
            paths: list[Path] = []
            try:
                for side in (0, 1):
                    count_tail_copy(self.tracer, decision, forced)
                    choice = Choice(decision.ordinal, side, Block(), decision.position, whole, decision.loc)
                    paths.append(self.run((*forced, choice)))
                return join(paths, decision)
            except RecordError:  # a backward pass over a loop changes the loop, so that it isn't the same again
                for path in paths:
                    path.discard()
                if whole or not all(o.is_pure for o in leaf.operations):
                    raise
                whole = True
            except SplitNeeded as split:
                for path in paths:
                    path.discard()
                if not self._is_here(split.decision, forced):
                    raise (_untold(split.decision) if self.region.at_top and not forced else split) from None
                self.tracer.unwinding = None
                decision = met[split.decision.ordinal]  # as it was met before all that follows was recorded
            except BaseException:  # broad: these paths won't be part of the program, whatever it is
                for path in paths:
                    path.discard()
                raise

    def _cut(self, leaf: Block, decision: Decision) -> None:
        """Drop what a block holds after a decision. What a backward pass emitted is in no journal; the flag stays."""
        journal, position = self.tracer.builder.journals[leaf], decision.position
        last = leaf.operations.index(journal[position - 1][0]) + 1 if position else 0
        flag = decision.flag.operation
        if flag is not None and flag in leaf.operations:
            last = max(last, leaf.operations.index(flag) + 1)
        for operation in leaf.operations[last:]:
            operation.forget()
            operation.parent = None
        del leaf.operations[last:], journal[position:]

    def _is_here(self, decision: Decision, forced: tuple[Choice, ...]) -> bool:
        return decision.region is self.region and decision.level == len(forced)


def _untold(decision: Decision) -> CaptureError:
    """For a split that no code is there for any more: what no `except` of the user's may see doesn't reach them."""
    return CaptureError(
        "the paths of this `if` leave values that what follows can't tell apart",
        loc=decision.loc,
        remedy="clone() what one path takes from a tensor that is written later, or write that before the `if`",
    )


def join_paths(
    tracer: Tracer, names: StateAccess, decision: Decision, paths: Sequence[Path], inside: Region | None = None
) -> Any:
    """One `if` of two traced paths: joins what they return, their state and effects; returns the joint value.

    inside: the region that ends with it; none for an `if` that code follows.
    """
    merge = Merge(tracer, None, decision=decision if inside is None else inside.owner, joined={})
    merge.contents = [path.contents for path in paths]
    if inside is not None and (inside.at_top or inside.at_iteration):
        merge.tag = number_over(wrap(decision.flag, decision.flag.dtype))
        merge.at_end = inside.at_top
        if inside.at_top:
            merge.several = frozenset(k for p in paths for k in repeated_containers([p.returned, *_written(p)]))
    elif inside is None and tracer.style.in_steps:
        flag = number_over(wrap(decision.flag, decision.flag.dtype))
        merge.unions = Choices(tracer, flag, [path.block for path in paths])
    failed = [k for k, path in enumerate(paths) if isinstance(path.returned, Raised)]
    if len(failed) == 2:
        emit_paths(tracer, decision, merge, paths, inside)
        error = paths[1].returned.error
        tracer.raised.append(error)
        if inside is not None:
            return paths[1].returned
        raise error
    with AsCut():
        variables, returned, extras = _ends(merge, names, paths, failed)
    results = emit_paths(tracer, decision, merge, paths, inside)
    link_results(tracer, results, merge.pairs, merge.decision)
    around = names if inside is None else replace(names, leaves_doubt=False)
    finish(tracer, around, variables, extras, results, merge.decision)
    for path in paths:
        tracer.aliases.mark(path.stale, min(path.links for path in paths))
    value = returned(results)
    tracer.joints.activate()
    return value


def _ends(
    merge: Merge, names: StateAccess, paths: Sequence[Path], failed: Sequence[int]
) -> tuple[list[Build], Build, list[tuple[Any, Build]]]:  # fmt: skip
    """Of two paths, or of the one that goes on, the variables, what they return, and what else they leave."""
    if failed:
        side = 1 - failed[0]
        path = paths[side]
        tag, merge.tag = merge.tag, None
        variables = [_alone(merge, n, v, side) for n, v in zip(names.names, path.values, strict=True)]
        returned = _alone(merge, "the value", path.returned, side)
        extras = [(extra, _alone(merge, extra.name, v, side)) for extra, v in path.extras.values()]
        merge.tag = tag
        return variables, returned, extras
    ends = zip(names.names, paths[0].values, paths[1].values, strict=True)
    variables = [merge.join(n, *_marked(merge, n, *_diverged(paths, a, b))) for n, a, b in ends]
    returned = merge.join("the value", *_diverged(paths, paths[0].returned, paths[1].returned))
    extras = [(extra, _join_item(merge, extra, a, b, paths)) for extra, a, b in union(paths)]
    return variables, returned, extras


def _alone(merge: Merge, name: str, value: Any, side: int) -> Build:
    """The value of the only path that goes on; one of several values stays that."""
    if merge.unions is None or not isinstance(value, Pending):
        return merge.alone(name, value, side)
    build = merge.alone(name, merge.unions.spread(value, side), side)
    return lambda results: undecided(merge.tracer, name, build(results))


def emit_paths(
    tracer: Tracer, decision: Decision, merge: Merge, paths: Sequence[Path], inside: Region | None = None
) -> list[Tensor]:
    """The operation, if there is anything for it to do. Its results are known as what they are on either path."""
    flags = tracer.chosen.exported(tracer, merge.pairs, lambda side, flag: _add_flag(merge, side, flag))
    if not merge.pairs and all(o.is_pure for p in paths for o in p.block.operations):
        for path in paths:
            path.discard()
        return []
    for side, path in enumerate(paths):
        with tracer.inside(path.block):
            tracer.builder.emit(yield_, merge.values(side), {}, [])
        insert_watches(tracer, path.block)
    types, blocks = [p.type for p in merge.pairs], [p.block for p in paths]
    place = None if inside is None else decision.loc  # a region ends outside of the user's code
    operation = tracer.builder.emit(if_, [decision.flag], {}, types, blocks, place)
    results = tracer.results_of(operation, [p.needs_gradient for p in merge.pairs])
    if node := next((x._node for x in results if x._node is not None), None):
        tracer.freed.branches(node, decision.flag, [p.sides for p in merge.pairs if p.needs_gradient])
    gone = [] if inside is None else tracer.blocks[tracer.blocks.index(inside.root) :]
    tracer.chosen.joined(
        partial(_is_behind, tracer, gone), tracer.is_outer, decision.flag, results, merge.pairs, flags, FILL
    )
    return results


def _is_behind(tracer: Tracer, gone: Sequence[Block], payload: Any) -> bool:
    """Whether a tensor from before two paths is one for code behind them. gone: blocks of code that ran for each."""
    is_of_run = isinstance(payload, Value) and payload.operation is not None and payload.block in gone
    return tracer.is_outer(payload) and not is_of_run


def _add_flag(merge: Merge, side: int, flag: Tensor) -> int:
    """Bring a flag out of one path: by it that path's tensors are one thing or another."""
    merge.pairs.append(Pair((FILL, flag) if side else (flag, FILL), TensorType(flag.dtype, ()), needs_gradient=False))
    return len(merge.pairs) - 1


def _written(path: Path) -> list[Any]:
    return [value for _, value in path.extras.values()]


def _diverged(paths: Sequence[Path], a: Any, b: Any) -> tuple[Any, Any]:
    return diverged(a, b, paths[0].written, paths[1].written)


def union(paths: Sequence[Path]) -> list[tuple[Extra, Any, Any]]:
    """What either path wrote, with its value after each path."""
    _whole_dicts(paths)
    _whole_lists(paths)
    keys = dict.fromkeys(k for p in paths for k in p.extras)
    found = []
    for key in keys:
        ends = [p.extras[key] for p in paths if key in p.extras]
        extra = ends[0][0]
        extra.unite(ends)
        a, b = (p.extras[key][1] if key in p.extras else _as_before(p, extra) for p in paths)
        found.append((extra, a, b))
    return found


def _as_before(path: Path, extra: Extra) -> Any:
    """What another path wrote, where this one hasn't; a gradient may have been written in place."""
    before = extra.before
    is_there = isinstance(extra, Grad) and isinstance(before, Tensor)
    written = path.extras.get(("cell", id(before._storage))) if is_there else None
    return before if written is None else written[1]


def _whole_dicts(paths: Sequence[Path]) -> None:
    """Where two paths add keys to a dict in two orders, one path writes the dict as a whole, with its order."""
    added: list[dict[int, list[Any]]] = [{}, {}]
    owners: dict[int, Any] = {}
    for path, keys in zip(paths, added, strict=True):
        for extra, value in path.extras.values():
            if isinstance(extra, Item) and isinstance(extra.owner, dict) and extra.key is not WHOLE:
                if type(extra.before) is Undefined and type(value) is not Undefined:
                    keys.setdefault(id(extra.owner), []).append(extra.key)
                    owners[id(extra.owner)] = extra.owner
    for number, owner in owners.items():
        first, second = (keys.get(number, []) for keys in added)
        union = [*first, *(k for k in second if k not in first)]
        if [k for k in union if k in second] != second and ("item", number, WHOLE) not in paths[1].extras:
            keys_written = [key for key in paths[1].extras if key[:2] == ("item", number)]
            content = _with_items(owner, paths[1], keys_written)
            paths[1].extras["item", number, WHOLE] = Item(owner, WHOLE, owner), content


def _whole_lists(paths: Sequence[Path]) -> None:
    """Where one path wrote a container as a whole and the other single items of it, both have written all of it."""
    whole = {key[1]: p.extras[key][0] for p in paths for key in p.extras if key[0] == "item" and key[-1] is WHOLE}
    for path in paths:
        for owner, extra in whole.items():
            items = [key for key in path.extras if key[0] == "item" and key[1] == owner and key[2] is not WHOLE]
            if items and ("item", owner, WHOLE) not in path.extras:
                path.extras["item", owner, WHOLE] = extra, _with_items(extra.before, path, items)


def _with_items(before: Any, path: Path, keys: Sequence[Any]) -> Any:
    """A container's content with the items that a path wrote, instead of these; told apart where it may lack one."""
    now: Any = mapping_like(before, before.items()) if isinstance(before, dict) else list(before)
    for key in keys:
        value = path.extras.pop(key)[1]
        if type(value) is Undefined:
            now.pop(key[2], None)
        else:
            now[key[2]] = value
    return content_apart(now) if any(type(v) is TaggedValue for v in parts_of(now)) else now


def join_extra(merge: Merge, extra: Extra, a: Any, b: Any) -> Build:
    """Join the two values of something other than a variable."""
    if isinstance(extra, Grad):
        exact, merge.exact, merge.widens = merge.exact, False, True  # zeros that nobody has read are a number
        build = merge.join(extra.name, a, b)
        merge.exact, merge.widens = exact, False
        return build
    return merge.join(extra.name, *(_nothing(a, b) if merge.tag is not None else (a, b)))


def _marked(merge: Merge, name: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Two values of a variable, or of an attribute, which may not be there when a region ends."""
    return _nothing(a, b) if "." in name and merge.tag is not None else (a, b)


def _nothing(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values of something that isn't a variable, each MISSING where there is none."""
    return tuple([MISSING if type(x) is Undefined else x for x in (a, b)])  # type: ignore[return-value]


def _join_item(merge: Merge, extra: Extra, a: Any, b: Any, paths: Sequence[Path]) -> Build:
    """Join an item's two values. One that a path wrote in place stays that very tensor: others may hold it, too."""
    if not isinstance(extra, Item) or a is b:
        return join_extra(merge, extra, a, b)
    written = _written_in_place(a, b, paths[0]) or _written_in_place(b, a, paths[1])
    if written is None:
        return join_extra(merge, extra, a, b)
    if merge.at_end:
        return merge.apart(extra.name, *_nothing(a, b))
    if merge.decision is not None and merge.decision.is_open():
        merge.decision.split()
    raise CaptureError(
        f"{extra.name} is replaced on one path of a branch; on the other the tensor that was there is written in place",
        loc=written,
        remedy="make a new tensor on both paths, as in `d[k] = d[k] + 1`, or write in place before the branch",
    )


def _written_in_place(value: Any, other: Any, path: Path) -> Loc | None:
    """Where a path wrote a tensor from before it that it leaves in an item, and that the other doesn't leave there."""
    there = {id(x) for x in flatten(other, _is_tensor)[0]}
    for x in flatten(value, _is_tensor)[0]:
        if isinstance(x, Tensor) and id(x) not in there and id(root_of(x._storage)) in path.outer:
            found = path.extras.get(("cell", id(root_of(x._storage))))
            return caller_loc() if found is None else loc_of_value(found[1])
    return None


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def finish(
    tracer: Tracer, names: StateAccess, variables: Sequence[Build], extras: Sequence[tuple[Extra, Build]],
    results: Sequence[Tensor], decision: Decision | None = None,
) -> None:  # fmt: skip
    """Set the state after an operation with blocks. Items of two types make the paths diverge at once."""
    for extra, build in extras:
        value = build(results)
        if names.leaves_doubt and may_stay(extra):
            value = as_pending(tracer, extra.name, value)
            if isinstance(value, Pending):
                leave(tracer, extra, value)
                continue
        if isinstance(extra, Item) and isinstance(value, (Maybe, Poison)) and not _may_be_unbound(extra, value):
            _diverge(
                value, decision, f"{extra.name} is set, or changes its length or type, under a condition on a tensor"
            )
        if isinstance(value, TaggedValue) and isinstance(extra, Item) and extra.key is WHOLE:
            refill(extra.owner, {Decided(value): None} if isinstance(extra.owner, dict) else [Decided(value)])
            continue
        extra.put(value)
    if names.names:
        values = names.dropped([build(results) for build in variables])
        if names.leaves_doubt:
            values = tuple(
                as_pending(tracer, n, v) if "." in n else v for n, v in zip(names.names, values, strict=True)
            )
        for name, value in zip(names.names, values, strict=True):
            if "." in name and isinstance(value, Pending) and names.leaves_doubt:
                continue
            if "." in name and isinstance(value, (Maybe, Poison)):
                _diverge(
                    value, decision, f"the attribute `{name}` is set on one path only, or to values of different types"
                )
        names.set_state(values)


def _may_be_unbound(extra: Item, value: Any) -> bool:
    """Whether an item is a variable of converted code that one path binds: what reads it looks whether it is bound."""
    return extra.marks and type(value) is Maybe


def _diverge(value: Maybe | Poison, decision: Decision | None, message: str) -> NoReturn:
    """What follows is traced once per path."""
    if isinstance(value, Poison) and value.decision is not None:
        value.fail()
    Poison(value.name, message, caller_loc(), decision).fail()
