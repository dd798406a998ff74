"""The half of StaticFunction that traces and compiles: a program for one call, with what its code allows left open."""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..base.causes import raise_linked
from ..base.errors import CaptureError
from ..base.events import span
from ..base.log import wanted
from ..dygraph.number import fits
from .batch_axes import is_network, is_plain, is_same, leaves_nothing, names_network, places_to_open
from .call.cache import MANY_VALUES, Family
from .call.caller import Runner, make_runner, meeting
from .call.guards import place_of
from .call.known_sizes import Place, Shapes
from .call.signature import Call, Signature
from .function_settings import Settings
from .trace.state.containers import same_objects
from .trace.state.escapes import origins_in
from .trace.state.rollback import drop
from .trace.traced import (
    VARIED,
    Assumption,
    BelowZero,
    InputLeaf,
    Lessons,
    NotWorthIt,
    Told,
    Trace,
    TraceInputs,
    tell_capture,
)
from .tracebacks import in_user_terms, refuse_generators

tracing_lock = threading.RLock()  # one trace at a time in the process


_MOST_ROUNDS = 16  # of traces that find further numbers to leave open


class _OwnNumbers(Exception):
    """A call reads numbers at these places and changes them: they are left open from its first program on."""

    def __init__(self, places: dict[Any, Assumption]) -> None:
        self.places = places


class Compiling:
    """Traces a function and compiles what the trace gives."""

    _function: Callable[..., Any]
    _signature: Signature
    _settings: Settings
    _places: dict[Any, Assumption]  # numbers outside the arguments that are filled in at each call
    _bound_places: set[Any]  # those for which that failed
    _closed_places: set[Any]  # those for which it failed as numbers that only a run knows
    _resolved_places: set[Any]  # those for which there is a program that doesn't depend on the value
    _looked_at: Counter[Any]  # how often the number at a place had changed, and there was no program
    _replaced: dict[Any, Assumption]  # where other code replaces tensors: they are looked up at each call
    _lessons: Lessons | None = None  # of the traces of one call, while they go on
    _own_work = 0  # operations that the trace recorded which was given up so
    _looks_on = False  # whether a trace that reads and changes numbers is given up for one with open ones
    _taught: Lessons | None = None  # by the call that was captured last

    @abstractmethod
    def _original(self) -> Any:
        """The function as it was written, bound to its instance."""

    def _new_places(self, family: Family) -> dict[Any, Assumption]:
        """Numbers outside the arguments that changed since the last trace: from now on filled in at each call."""
        if not family.entries:
            return self._places
        # of the rewriting half, which is loaded by then
        from .trace.assumed.number_places import changed_numbers, changed_tensors

        closest, every = family.broken_assumptions()
        for assumed, now in every:  # one program may replace what another looks at
            self._replaced.update((place_of(place), place) for place in changed_tensors(assumed, now))
        changed = {place_of(place): place for assumed, now in closest for place in changed_numbers(assumed, now)}
        for key, place in changed.items():
            self._see(key, place, family)
        return self._places

    def _resolve(self, made: Trace) -> None:
        """Take in for which open places a program doesn't depend on the value."""
        asked = {place_of(a) for a in made.assumptions if a.kind in ("attribute", "item", "cell") and fits(a.value)}
        self._resolved_places |= self._places.keys() - asked

    def _see(self, key: Any, place: Assumption, family: Family) -> None:
        """Take in that the number at a place changed, and no program is for that."""
        self._looked_at[key] += 1
        known = self._places.get(key)
        has_many = self._looked_at[key] >= MANY_VALUES and key not in self._closed_places | self._resolved_places
        if has_many and (known is None or not isinstance(known.value, Told)):
            self._places[key] = replace(place, value=VARIED)
        elif known is None and key not in self._bound_places and not family.has_given_up(key):
            self._places[key] = place

    def _compiled(
        self, family: Family, call: Call, shapes: Shapes, places: dict[Any, Assumption]
    ) -> tuple[tuple[Trace, Runner], str]:
        """Trace and compile; with fewer sizes and numbers left open, where code can't do without their values."""
        self._lessons = Lessons.after(self._taught)
        try:
            made = self._compiled_in_some_way(family, call, shapes, places)
            self._taught = self._lessons
            return made
        finally:
            self._lessons = None

    def _compiled_in_some_way(
        self, family: Family, call: Call, shapes: Shapes, places: dict[Any, Assumption]
    ) -> tuple[tuple[Trace, Runner], str]:
        static, kept = family.static_only, ""
        self._looks_on, self._own_work = True, 0
        rounds = 0
        while True:
            try:
                return self._compile(family, call, shapes, static, family.open_numbers(), places), kept
            except _OwnNumbers as found:
                places.update(found.places)
                rounds += 1
                # objects that other code makes while the function is captured are new ones each time
                self._looks_on = rounds < _MOST_ROUNDS
                continue
            except Exception as error:  # broad: code that needs a number's value can fail with anything
                failure: BaseException = error
            if not isinstance(failure, NotWorthIt) and self._close_varied(family, places):
                continue
            if not self._binds(family, shapes, failure, places):
                break
            kept = f"; a program for each value, because open ones failed: {getattr(failure, 'message', failure)}"
        self._looks_on = False
        words = getattr(failure, "message", failure)
        if places or family.open_numbers():
            try:
                made = self._compile(family, call, shapes, static, set(), {})
            except Exception as error:  # broad: as above
                failure = error
            else:
                self._keep(family, failure, family.open_numbers(), places)
                self._places = {}
                return made, f"; numbers stay as they are, because open ones failed: {words}"
        if static or not (family.dynamic or family.has_ones(shapes)):
            raise_linked(failure)
        try:
            made = self._compile(family, call, shapes, True, set(), {})
        except Exception as error:  # broad: as above
            is_same = type(error) is type(failure) and not isinstance(error, CaptureError)
            raise_linked(error if is_same or type(failure) is BelowZero else failure)  # it names the call's own sizes
        family.static_only = not any(family.specs) and type(failure) is not BelowZero
        return made, f"; sizes stay static, because symbols failed: {words}"

    def _close_varied(self, family: Family, places: dict[Any, Assumption]) -> bool:
        """Have code see the values of numbers that had many values; whether there are such."""
        varied = [key for key, place in places.items() if place.value is VARIED]
        for key in varied:
            self._closed_places.add(key)
            if key in self._bound_places:
                del places[key]
            else:
                places[key] = replace(places[key], value=None)
        return family.close_varied() or bool(varied)

    def _binds(
        self, family: Family, shapes: Shapes, failure: BaseException, places: dict[Any, Assumption]
    ) -> bool:  # fmt: skip
        """Whether there are numbers and sizes which, bound to their values of each call, spare this failure."""
        origins = origins_in(failure)
        if origins is None:
            return False
        numbers = origins.numbers & family.open_numbers()
        keys = {place_of(place) for place in origins.places} & places.keys()
        if not isinstance(failure, NotWorthIt):
            if origins.of_conditions and _tell(places, keys, Told.CONDITION):
                return True
            if _tell(places, {k for k in map(place_of, origins.reduced) if k in keys}, Told.RESIDUE):
                return True
        self._keep(family, failure, numbers, keys)
        for key in keys:
            del places[key]
        return family.bind(origins.sizes, shapes) or bool(numbers or keys)

    def _keep(self, family: Family, failure: BaseException, numbers: Collection[int], keys: Collection[Any]) -> None:
        """Leave these numbers and places as they are: for good, or as long as opening them takes too much work."""
        if isinstance(failure, NotWorthIt):
            family.give_up([*numbers, *keys])
        else:
            family.bound |= set(numbers)
            self._bound_places |= set(keys)

    def _compile(
        self, family: Family, call: Call, shapes: Shapes, static: bool, free: set[int], places: dict[Any, Assumption]
    ) -> tuple[Trace, Runner]:
        listed = list(places.values())
        if self._lessons is not None:
            is_known = family.entries or self._own_work
            self._lessons.allow(family.worth(self._own_work) if is_known and (free or places) else None)
        opened = None if static else self._opened(family, call, free, listed)
        inputs, trace = opened or self._traced_as(family, call, static, free, listed)
        if not static and family.asks_again(trace) and family.known.take(shapes):
            drop(trace.new_state)
            return self._compile(family, call, shapes, static, free, places)
        pinned = meeting(trace, call.leaves) | trace.identity.numbered
        if pinned:
            met = {id(call.leaves[k]) for k in pinned}
            pinned = frozenset(k for k, x in enumerate(call.leaves) if id(x) in met)  # one tensor, maybe several times
            drop(trace.new_state)
            inputs = replace(inputs, pinned=pinned)
            trace = self._trace(inputs, listed, call.leaves.containers)
        try:
            runner = make_runner(trace, self._settings.options())
        except BaseException:  # broad: a program that can't be compiled leaves nothing behind
            drop(trace.new_state)
            raise
        return trace, runner

    def _opened(
        self, family: Family, call: Call, free: set[int], listed: list[Assumption]
    ) -> tuple[TraceInputs, Trace] | None:
        """The first trace of a function; a network's with its leading sizes open, if it is the same otherwise."""
        opening = places_to_open(family, call.shapes)
        if not opening:
            return None
        tries = names_network(self._original())
        first = self._with_open(family, call, opening, free, listed) if tries else None
        if first is not None and is_plain(first[1]):
            return first
        if tries:
            self._take_back(family, opening, first)
        narrow = self._traced_as(family, call, False, free, listed)
        if not is_network(narrow[1]):
            return narrow
        drop(narrow[1].new_state)
        if tries and all(leaves_nothing(made[1]) for made in (first, narrow) if made is not None):
            wide = first  # a further trace would be the same again, or fail again
            family.dynamic |= opening
        else:
            wide = self._with_open(family, call, opening, free, listed)
        if wide is not None and (is_plain(wide[1]) or is_same(narrow[1], wide[1])):
            return wide
        self._take_back(family, opening, wide)
        return self._traced_as(family, call, False, free, listed) if narrow[1].new_state else narrow

    def _with_open(
        self, family: Family, call: Call, opening: set[Place], free: set[int], listed: list[Assumption]
    ) -> tuple[TraceInputs, Trace] | None:
        """A trace with these sizes open; None where the code can't do without their values."""
        family.dynamic |= opening
        try:
            return self._traced_as(family, call, False, free, listed)
        except _OwnNumbers:
            raise
        except Exception:  # broad: code that needs a size's value can fail with anything
            return None

    def _take_back(self, family: Family, opening: set[Place], wide: tuple[TraceInputs, Trace] | None) -> None:
        family.dynamic -= opening
        if wide is not None:
            drop(wide[1].new_state)

    def _traced_as(
        self, family: Family, call: Call, static: bool, free: set[int], listed: list[Assumption]
    ) -> tuple[TraceInputs, Trace]:
        types_, sizes = family.types(call.shapes, static=static)
        leaves = tuple(
            InputLeaf(name, kind, leaf.stop_gradient, example)
            for name, kind, leaf, example in zip(family.names, types_, family.leaf_types, call.leaves, strict=True)
        )
        one = same_objects(call.leaves.containers)
        inputs = TraceInputs(call.tree, leaves, sizes, frozenset(free), same=one, varied=family.varied_numbers())
        made = self._trace(inputs, listed, call.leaves.containers)
        if self._looks_on and not (made.hooks or made.of_one_call):
            self._open_own(family, made)
        return inputs, made

    def _open_own(self, family: Family, made: Trace) -> None:
        """Give a trace up whose own writes break its guards: no other call could use its program.

        Errors: _OwnNumbers, with the places of the numbers to leave open.
        """
        from .trace.assumed.number_places import own_numbers  # of the rewriting half, which is loaded by then

        found = {place_of(place): place for place in own_numbers(made)}
        known = self._bound_places | self._places.keys()
        new = {key: place for key, place in found.items() if key not in known and not family.has_given_up(key)}
        if new:
            drop(made.new_state)
            self._own_work = made.work
            raise _OwnNumbers(new)

    def _trace(self, inputs: TraceInputs, places: Sequence[Assumption] = (), containers: Sequence[Any] = ()) -> Trace:
        from .trace.tracing import trace  # loads the rewriting half at the first trace

        refuse_generators(self._function)
        start = time.perf_counter()
        try:
            with span("capture"):
                name = self._signature.name.rpartition(".")[2]
                made = trace(
                    self._original(), inputs, name=name, places=places, containers=containers, lessons=self._lessons,
                    replaced=self._replaced,
                )  # fmt: skip
        except Exception as error:  # broad: every error of the user's code is shown from the user's side
            in_user_terms(error, self._signature.name)
            raise
        kept = [leaf if k in inputs.pinned else replace(leaf, example=None) for k, leaf in enumerate(inputs.leaves)]
        made.inputs = replace(made.inputs, leaves=tuple(kept))
        if "capture" in wanted:
            tell_capture(self._signature.name, made, time.perf_counter() - start)
        return made


def _tell(places: dict[Any, Assumption], keys: Iterable[Any], what: Told) -> bool:
    """Let Python code be told something of the numbers at these places; whether there is one of which it wasn't."""
    before = {k: v if isinstance(v := places[k].value, Told) else Told(0) for k in keys}
    new = {k: told | what for k, told in before.items() if what not in told}
    places.update({k: replace(places[k], value=told) for k, told in new.items()})
    return bool(new)
