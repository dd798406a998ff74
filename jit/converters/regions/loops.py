"""Code that runs a number of times known only at run time -> one `while` or `for` of the program.

What the loop carries is found by tracing an iteration: what differs after it from what was before it becomes an
argument of the body. This repeats until nothing new differs and the types stay; the last trace is the body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from ....base import dtype as dt
from ....base.errors import CaptureError, LoopStateError
from ....base.location import caller_loc
from ....base.size import is_list
from ....dygraph.number import number_over
from ....dygraph.tensor import Tensor, wrap
from ....ir.builder import results_of
from ....ir.core import Block, Operation, Value
from ....ops.control import for_, while_, yield_
from ....ops.op import OPS
from ....ops.types import TensorType
from ...trace.gradients.gradient_hooks import insert_watches
from ...trace.known_values import known_size
from ...trace.recursive_calls import Recurses
from ...trace.state.aliases import LOOP, Origins, Shared, cells_held, is_seen, link_leaves, repeated_cells
from ...trace.state.chosen_tensors import begin
from ...trace.state.containers import WHOLE, containers_in
from ...trace.state.dynamic_lists import ListSegment, mixed
from ...trace.state.joined_containers import reachable
from ...trace.state.traced_numbers import is_number
from ...trace.tracer import Tracer
from ..handlers import handled
from ..raising import AlwaysRaises, CarriedErrors, Raised, failed_at, or_raised, raised_at, throw
from .branches import run_branches
from .carried.carried_merge import (
    after_loop,
    as_tensor,
    change_of,
    constant,
    or_before,
    shifted,
    shifted_by,
    told_at_once,
)
from .carried.carried_tensors import CarriedTensors, LastElements
from .carried.loop_variable import LoopVariable, appears, join_all, join_starts, needs_gradient, same_types
from .decisions import has_too_many
from .extras import Extra, Grad, Item
from .items_in_doubt import leave, may_stay
from .markers import Poison
from .paths import finish, join_extra, run_path, run_whole
from .region_state import Path, StateAccess, diverged
from .same_values import same_value
from .tagged_unions import MOST_MEMBERS, Pending, TaggedUnion, holds_union, members_of
from .values import Build, Merge, Pair, place_of

MOST_TRIALS = 12  # of an iteration, and one for each variable: a type may pass through all of them, one at a time


class LoopCapture:
    """One loop being captured. `step(iteration, inner)` takes the inner values (flag, index) and returns the next ones.

    runs: there is at least one iteration.
    """

    def __init__(
        self, tracer: Tracer, names: StateAccess, functions: Sequence[Callable[..., Any]],
        step: Callable[[Tensor | None, list[Tensor]], list[Any]], inner: Sequence[Tensor], count: Value | None,
        *, runs: bool = False,
    ) -> None:  # fmt: skip
        self.tracer = tracer
        self.names = names
        self.functions = functions
        self.step = step
        self.inner = list(inner)
        self.count = count
        self.runs = runs
        self.last: LastElements | None = None
        self.begun = 0
        self.trials = self.enough = 0  # iterations traced; those after which numbers handed on have become tensors
        self.gain_axes = False  # such numbers become tensors with axes
        self.keeps_numbers = False  # numbers and tensors with axes stay apart
        self.joined = Shared()
        self.containers: tuple[int, ...] = ()  # that an iteration left, as numbers that are equal for one object
        values = names.dropped(names.get_state())
        self.slots = [LoopVariable(n, v) for n, v in zip(names.names, values, strict=True)]
        self.extras: dict[Any, LoopVariable] = {}
        self.open_sizes: set[str] = set()  # sizes that the iterations change
        self.is_emitted = False  # whether the loop is in the program
        self.mark = LoopVariable("the exception", None)  # None, or which of `errors` has ended the loop
        self.errors = CarriedErrors(tracer, tuple(tracer.blocks))  # raised in an iteration and caught around the loop

    def run(self) -> None:
        """Emit the loop and set the state after it. Sizes that grow under a condition in it are known to a run only.

        So are those of variables that are too many sizes for an iteration to be traced for each.
        """
        tracer = self.tracer
        copies = tracer.tail_copies
        try:
            self._run_exactly()
        except (_SizesDiffer, CaptureError) as error:
            if self.is_emitted or not (isinstance(error, _SizesDiffer) or self._has_too_many_sizes()):
                raise
            self._begin_anew(copies)
            tracer.joins_sizes = True
            try:
                self._run_exactly()
            finally:
                tracer.joins_sizes = False  # it was: else nothing had differed

    def _run_exactly(self) -> None:
        """The same; with numbers apart from tensors with axes where iterations hand them on."""
        copies = self.tracer.tail_copies
        try:
            self._run()
        except _HandedOn:
            self._begin_anew(copies)
            self.keeps_numbers = True
            self._run()

    def _begin_anew(self, copies: int) -> None:
        """Forget the iterations that were tried. copies: the pieces of the program that were traced before them."""
        self.tracer.tail_copies = copies
        self.slots = [LoopVariable(slot.name, slot.before) for slot in self.slots]
        self.extras, self.open_sizes = {}, set()
        self.errors.clear()
        self.mark = LoopVariable(self.mark.name, None)

    def _has_too_many_sizes(self) -> bool:
        """Whether an iteration had too many paths where variables are in one size or another."""
        if self.tracer.joins_sizes or not has_too_many(self.tracer):
            return False
        unions = (slot.union for slot in (*self.slots, *self.extras.values()))
        return any(union is not None and union.differ_in_sizes() for union in unions)

    def _run(self) -> None:
        self.trials, self.enough, self.gain_axes = 0, 0, False
        while self.trials < MOST_TRIALS + len(self.slots) + len(self.extras):
            try:
                block, path, inner = self.trial()
            except AlwaysRaises as error:
                if self.trials > 1 or (ran := self._ran()) is None:  # the first iteration may be another one
                    raise
                flag, fails = self.tracer.flag(ran), partial(throw, error.error)
                run_branches(self.tracer, flag, fails, lambda: None, self.names, self.functions)
                return
            except Recurses:  # what an iteration gives isn't known yet; what comes after the loop without it is
                if self.runs:
                    raise
                return
            try:
                with self.tracer.inside(block):
                    merge = self.converged(path)
                    if merge is not None:
                        self._require_enough()
            except BaseException:  # broad: a split, too, ends an iteration that isn't part of the program
                path.discard()
                raise
            if merge is not None:
                self.emit(block, path, inner, merge)
                return
            path.discard()
        raise LoopStateError("the variables of this loop change their type in every iteration", loc=caller_loc())

    def trial(self) -> tuple[Block, Path, list[Any]]:
        """Trace one iteration from the state as it is known so far."""
        tracer, block, self.begun = self.tracer, Block(), begin()
        self.trials += 1
        iteration = block.add_arg(TensorType(dt.int64, ()), "iteration") if self.count is not None else None
        args = [block.add_arg(TensorType(x.dtype, tuple(x.shape))) for x in self.inner]
        for slot in (*self.slots, *self.extras.values()):
            slot.declare(block)

        def code() -> tuple[Any, ...]:  # no list: two paths' lists may have to stay two
            inner = [tracer.carried(arg, False) for arg in args]
            values = [slot.enter(tracer) for slot in self.slots]
            for slot in self.extras.values():
                slot.enter(tracer)
            self.joined.enter(tracer)
            if values:
                self.names.set_state(tuple(values))
            for slot in self.extras.values():
                if slot.is_carried and slot.extra is not None:
                    self._put(slot.extra, slot)
            tracer.joints.activate(is_statement=True)
            try:
                return (*self.step(None if iteration is None else tracer.carried(iteration, False), inner), None)
            except Exception as error:  # broad: any class that the user's code raises
                loc = raised_at(error) or failed_at(error)
                if loc is None or not self.inner or not handled(broadly=True):
                    raise
                return (False, *inner[1:], self.errors.marked(error))

        self.mark.declare(block)
        path = run_path(tracer, self.names, self._or_raised(code), self.functions, block, at_iteration=True)
        if isinstance(path.returned, Raised):
            path.discard()
            if isinstance(path.returned.error, Recurses):
                raise path.returned.error
            raise AlwaysRaises(path.returned.error, caller_loc()) from path.returned.error
        return block, path, list(path.returned[:-1])

    def _or_raised(self, code: Callable[[], Any]) -> Callable[[], Any]:
        return or_raised(self.tracer, code, may_run=not self.runs)

    def _put(self, extra: Extra, slot: LoopVariable) -> None:
        if isinstance(slot.template, Pending) and self.names.leaves_doubt and may_stay(extra):
            leave(self.tracer, extra, slot.template)
            return
        extra.put(slot.template)
        if slot.union is not None and slot.union.may_lack and isinstance(slot.template, Pending):
            slot.template.fail()  # Python counts what is there

    def converged(self, path: Path) -> Merge | None:
        """The yields of the loop if this trial was the last; else what is carried has been widened."""
        merge = Merge(self.tracer, None, open_sizes=self.open_sizes, exact=False, keeps_numbers=self.keeps_numbers)
        self.tracer.aliases.mark(path.stale)
        again = False
        for key, (extra, value) in path.extras.items():
            if key not in self.extras:
                self.extras[key] = slot = LoopVariable(extra.name, extra.before, extra)
                slot.template = extra.before
                again |= not same_value(extra.before, value)
            elif (known := self.extras[key].extra) is not None:
                known.unite([(extra, value)])
        ends = self._after(path)
        for slot, value in ends:
            again |= self._widen(slot, value, merge)
        if self.errors.has_changed:
            self.mark, self.errors.has_changed = LoopVariable(self.mark.name, None), False
        if self.mark.is_carried or path.returned[-1] is not None:
            again |= self._widen(self.mark, path.returned[-1], merge)
        self._learn_origins(merge)
        return None if self._learn_containers(ends) or again else merge

    def _require_enough(self) -> None:
        """CaptureError where a known number of iterations ends before numbers that they hand on have become tensors.

        _HandedOn where only a run knows the number, and they become tensors with axes.
        """
        count = None if self.count is None else known_size(self.count)
        if isinstance(count, int) and count < self.enough:
            raise CaptureError(
                f"a variable is a number before this loop, and a tensor only after {self.enough} iterations",
                loc=caller_loc(),
                remedy="make it a tensor before the loop",
            )
        if self.gain_axes and not isinstance(count, int):
            raise _HandedOn

    def _learn_containers(self, ends: Sequence[tuple[LoopVariable, Any]]) -> bool:
        """Which containers an iteration left in the loop's variables; whether no traced iteration knows them."""
        left = [x for slot, value in ends if slot.is_carried for x in containers_in([value])]
        reached, first = reachable(self.tracer) if left else (), dict[int, int]()
        found = tuple([id(x) if id(x) in reached else first.setdefault(id(x), k) for k, x in enumerate(left)])
        for slot, value in ends:
            if slot.is_carried:
                slot.sources.append(value)
        known, self.containers = self.containers, found
        return known != found

    def _learn_origins(self, merge: Merge) -> None:
        """Which tensors from before the loop, or from the iteration before, an iteration finds in its variables."""
        slots = [*self.slots, *self.extras.values()]
        shared, ends = self._shared(), list[tuple[Origins, int, Any]]()
        for slot in slots:
            pairs = merge.pairs[slot.start : slot.start + len(slot.leaf_types)] if slot.is_carried else []
            slot.origins.learn(self.tracer, pairs, shared)
            ends += [(slot.origins, k, pair.sides[1]) for k, pair in enumerate(pairs)]
        self.joined.learn(self.tracer.aliases, ends)

    def _shared(self) -> set[int]:
        """Cells of tensors that more than one variable holds before the loop, by identity."""
        own = repeated_cells(slot.before for slot in (*self.slots, *self.extras.values()))
        return own | cells_held(self.names.names, run_whole.__code__)

    def _after(self, path: Path) -> list[tuple[LoopVariable, Any]]:
        found = []
        for slot, value in zip(self.slots, path.values, strict=True):
            _, now = diverged(slot.template, value, {}, path.written)
            if now is not value:
                raise CaptureError(
                    f"`{slot.name}` becomes another variable's tensor, which this loop also writes in place",
                    loc=caller_loc(),
                    remedy="write `x = x + y` in place of the in-place form, or clone() the tensor",
                )
            found.append((slot, value))
        for key, slot in self.extras.items():
            found.append((slot, path.extras[key][1] if key in path.extras else slot.template))
        return found

    def _widen(self, slot: LoopVariable, value: Any, merge: Merge) -> bool:
        if slot.union is not None:
            return self._learn(slot, slot.union, value, merge)
        first, known = len(merge.pairs), len(merge.diverged)
        slot.start = first
        was_in_doubt = isinstance(slot.template, Pending) and value is not slot.template
        if was_in_doubt or holds_union(value) or appears(slot, value):
            return self._take_union(slot, value, merge)
        build = self._join(merge, slot, slot.template, value)
        if len(merge.diverged) > known:
            del merge.pairs[first:], merge.diverged[known:]
            return self._take_union(slot, value, merge)
        if build is None:
            return False
        pairs = merge.pairs[first:]
        if slot.build is not None:
            # what it started from counts too: leaves that didn't change in this iteration may be carried already
            leaf_types = [(p.type, p.needs_gradient) for p in pairs]
            if same_types(leaf_types, slot.leaf_types) and [p.is_number() for p in pairs] == slot.numbers:
                return False
        changed = [p for p in pairs if is_number(p.sides[0]) and not p.is_number()]
        if changed and not isinstance(slot.extra, Grad):
            self.enough = self.trials
            self.gain_axes |= self.trials > 1 and any(p.type.shape for p in changed)
        slot.leaf_types = [(p.type, p.needs_gradient or needs_gradient(slot, k)) for k, p in enumerate(pairs)]
        slot.numbers = [p.is_number() for p in pairs]
        slot.build = shifted(build, first)
        return True

    def _take_union(self, slot: LoopVariable, value: Any, merge: Merge) -> bool:
        """A variable that changes its type: from now on the loop carries a tag that tells which."""
        if isinstance(slot.before, Poison) and not isinstance(slot.before, Pending):
            slot.before.fail()
        if isinstance(slot.extra, Item) and slot.extra.key is WHOLE:
            self.mismatch(slot.name, slot.before, value)
        self.tracer.arrays.carry(slot.before, *members_of(value))
        slot.build, slot.union = None, TaggedUnion(self.tracer, slot.name, slot.before, slot.link)
        slot.union.learn(slot.before)
        return self._learn(slot, slot.union, value, merge) or True

    def _learn(self, slot: LoopVariable, union: TaggedUnion, value: Any, merge: Merge) -> bool:
        changed = union.learn(value)
        grows = union.grow() and slot is not self.mark
        if len(union.members) > MOST_MEMBERS or grows or (changed and union.has_made_objects()):
            if union.differ_in_sizes() and not self.tracer.joins_sizes:
                raise _SizesDiffer
            self.mismatch(slot.name, slot.before, value)
        if not changed:
            union.add(merge, value, 1)
        return changed

    def _join(self, merge: Merge, slot: LoopVariable, a: Any, b: Any) -> Build | None:
        if slot.build is None and same_value(a, b):
            return None
        if slot.build is not None:
            # every leaf of the template stays carried, also where this iteration left it as it was
            return join_all(merge, slot, a, b)
        return join_extra(merge, slot.extra, a, b) if slot.extra is not None else merge.join(slot.name, a, b)

    def emit(self, block: Block, path: Path, inner: list[Any], merge: Merge) -> None:
        """The operation: starts from the values before, yields those after an iteration."""
        tracer = self.tracer
        starts = Merge(tracer, self.mismatch, open_sizes=self.open_sizes, exact=False, keeps_numbers=self.keeps_numbers)
        slots = [*self.slots, *self.extras.values(), self.mark]
        builds: list[Build] = []
        for slot in slots:
            first = len(starts.pairs)
            if slot.union is not None:
                slot.union.add(starts, slot.before, 0)
                builds.append(after_loop(slot.union, first))
                continue
            if slot.build is None:
                builds.append(constant(slot.template))
                continue
            join_starts(starts, slot)
            builds.append(self._behind(slot, slot.build, first, starts.pairs[first:]))
        own = [slot for slot in slots if slot.is_carried]
        leaves, args = [x for s in own for x in s.origins.leaves], [v for s in own for v in s.args]
        ends = [p.sides[1] for p in merge.pairs]
        tensors = CarriedTensors(tracer, [p.sides[0] for p in starts.pairs], leaves, ends, self.begun, args)
        numbers = tensors.declare(block, self.count is not None)
        with tracer.inside(block):
            nexts = [tracer.value_of(as_tensor(tracer, x, y)) for x, y in zip(inner, self.inner, strict=True)]
            tracer.builder.emit(yield_, [*nexts, *merge.values(1), *tensors.next_numbers()], {}, [])
        insert_watches(tracer, block)
        given = [tracer.value_of(x) for x in self.inner] + starts.values(0) + tensors.first_numbers()
        carried = [TensorType(x.dtype, tuple(x.shape)) for x in self.inner]
        carried += [kind for slot in own for kind, _ in slot.leaf_types] + numbers
        self.is_emitted = True
        operation = self._operation(given, carried, block)
        needs = [n for slot in own for _, n in slot.leaf_types]
        needs = [*[False] * len(self.inner), *needs, *[False] * len(numbers)]
        results = tracer.results_of(operation, needs)[len(self.inner) :]
        results, last = results[: len(ends)], results[len(ends) :]
        self._tell_steps(merge, results, given)
        ran = self._ran()
        tensors.learn(results, last, ran)
        begin_as, before = [p.sides[0] for p in starts.pairs], [slot.before for slot in slots]
        told = self.last = LastElements(tracer, begin_as, leaves, ends, results, ran, before)
        told.earlier = [x._storage for x in tensors.earlier(results)]
        if not self.runs:
            shared = self._shared()
            before = [p.sides[0] if is_seen(tracer, p.sides[0], shared) else None for p in starts.pairs]
            link_leaves(tracer, results, before, place=LOOP)
        link_leaves(tracer, results, [p.sides[1] for p in merge.pairs], place=LOOP)
        count = len(self.slots)
        extras = [
            (s.extra, lambda results, b=b: told.told(b(results)))
            for s, b in zip(slots[count:], builds[count:], strict=True)
            if s.extra is not None and s.is_carried
        ]
        finish(tracer, self.names, builds[:count], extras, results)
        tracer.joints.activate(is_statement=True)
        mark = builds[-1](results)
        if isinstance(mark, Poison):
            mark.fail()
        if mark is not None:
            raise self.errors.ended(mark)

    def _operation(self, given: list[Value], carried: list[TensorType], block: Block) -> Operation:
        tracer, leaf_types = self.tracer, results_of(given, carried)
        if self.count is not None:
            return tracer.builder.emit(for_, [self.count, *given], {}, leaf_types, [block])
        condition = Block(carried)
        with tracer.inside(condition):
            tracer.builder.emit(yield_, [condition.args[0]], {}, [])
        return tracer.builder.emit(while_, given, {}, leaf_types, [condition, block])

    def _behind(self, slot: LoopVariable, build: Build, first: int, starts: Sequence[Pair]) -> Build:
        """A variable behind the loop. A number to which iterations give axes is that number where there was none."""
        found = shifted_by(build, first, partial(slot.link, self.tracer))
        if isinstance(slot.extra, Grad) or not any(p.type.shape and is_number(p.sides[0]) for p in starts):
            return found
        return or_before(self.tracer, slot.name, found, slot.before, self._surely_ran)

    def _surely_ran(self) -> Tensor | bool:
        """Whether there was an iteration, as sizes or a run tell."""
        ran = self._ran()
        return True if ran is None else told_at_once(self.tracer, ran)

    def _ran(self) -> Tensor | None:
        """Whether there was an iteration; None where that is known."""
        if self.runs:
            return None
        if self.count is None:
            return number_over(self.inner[0])
        return number_over(OPS["greater_than"](wrap(self.count, self.count.dtype), 0))

    def _tell_steps(self, merge: Merge, results: Sequence[Tensor], given: Sequence[Value]) -> None:
        """Backward passes through the results go through the steps of the iterations."""
        tracer = self.tracer
        if node := next((x._node for x in results if x._node is not None), None):
            slots = [s for s in (*self.slots, *self.extras.values(), self.mark) if s.is_carried]
            args = [arg for s in slots for arg in s.args]
            needs = [n for s in slots for _, n in s.leaf_types]
            runs = given[0] if self.count is None else self.count
            pairs = [(tracer.edges.get(a), p.sides[1]) for a, p, n in zip(args, merge.pairs, needs, strict=True) if n]
            tracer.freed.iterations(node, runs, [(None if e is None else e[0], end) for e, end in pairs])

    def mismatch(self, name: str, a: Any, b: Any) -> NoReturn:
        """The error for a value that changes its type."""
        b = next((x for x in members_of(b) if not same_value(a, x)), b)
        if is_list(b) and any(isinstance(x, ListSegment) for x in b):
            raise mixed([*a, *b] if is_list(a) else b)
        text, remedy = change_of(name, a, b)
        raise LoopStateError(f"{text}{place_of(a)}{place_of(b)}", loc=caller_loc(), remedy=remedy)


class _HandedOn(Exception):
    """Iterations hand on numbers that become tensors with axes after a number of them that only a run knows."""


class _SizesDiffer(Exception):
    """The iterations of a loop leave a variable in ever more sizes."""
