"""The programs of a compiled function: families of calls with one structure, entries with one program each.

Sizes are static at first, but a network's leading ones (jit/batch_axes.py). A size that differs in a later call becomes
a symbol, once and for all; sizes that were equal to each other in all calls seen share one. Where a kernel must know
it, there is a program for each (known_sizes.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...base.table import table
from ...ir.input_spec import InputSpec, Symbols
from ...ops.dims import Dim, evaluate
from ...ops.types import TensorType
from ..inspect.program_view import ProgramView
from ..trace.traced import Assumption, Trace, fits_gradient, gradient_now
from .caller import Runner
from .guards import Guards
from .known_sizes import KnownSizes, Shapes
from .recompiles import Change
from .signature import Leaf


class _Free:
    """Marks a number that is filled in at each call."""

    def __repr__(self) -> str:
        return "any number"


FREE: Any = _Free()
MOST_ENTRIES = 64
MANY_VALUES = 3  # of a number, each with a program: from then on code finds it as one that only a run knows
LEAST_WORK = 1_000  # operations that a capture with open numbers may always record
MOST_TIMES = 6  # how many times the work of all programs so far it may take beyond that
MOST_OWNERS = 12  # instances whose guards are listed


def same_number(a: Any, b: Any) -> bool:
    """Whether two numbers are the same for Python: NaN equals NaN, 0.0 differs from -0.0, 1 from 1.0."""
    return a is b or (type(a) is type(b) and (a == b or a != a) and repr(a) == repr(b))


@dataclass(slots=True, eq=False)
class CacheEntry:
    """One program, why it was made, and how often it ran."""

    number: int
    trace: Trace
    runner: Runner
    guards: Guards
    reason: str
    seconds: float
    recording: bool = True
    slow_hits: int = 0
    cached_calls: dict[Any, Any] = field(default_factory=dict)
    numbers: tuple[Any, ...] = ()  # of the arguments: the value that the program is for, or FREE
    shown: str = ""  # the arguments, for `explain`

    @property
    def program(self) -> Any:
        """The captured program."""
        return self.trace.program

    @property
    def train_program(self) -> ProgramView:
        """The captured program under Paddle's names; it is the same in inference."""
        return ProgramView(self.trace.program)

    infer_program = train_program

    def takes(self, numbers: Sequence[Any]) -> bool:
        """Whether the program is one for these numbers among the arguments."""
        return all(a is FREE or same_number(a, b) for a, b in zip(self.numbers, numbers, strict=True))

    def other_gradients(self, leaves: Sequence[Any]) -> list[int]:
        """The arguments whose `.grad` isn't what the program takes it for (nothing, zero, or a tensor)."""
        wanted = self.trace.gradients.items()
        return [k for k, kind in wanted if not fits_gradient(leaves[k] if k < len(leaves) else None, kind)]

    def sizes_for(self, shapes: Shapes) -> dict[str, int] | None:
        """The symbols' sizes for a call with these shapes; None where the program is not for them."""
        sizes: dict[str, int] = {}
        for leaf, shape in zip(self.trace.inputs.leaves, shapes, strict=True):
            for dim, size in zip(leaf.type.shape, shape, strict=True):
                if isinstance(dim, int):
                    if dim != size:
                        return None
                elif sizes.setdefault(str(dim), size) != size:
                    return None
        return sizes if self.assumptions_hold(sizes) else None

    def assumptions_hold(self, sizes: dict[str, int]) -> bool:
        """Whether what the trace assumed of the sizes is so."""
        for relation, dim in self.program.constraints:
            if not dim.symbols() <= sizes.keys():
                continue
            try:
                value = evaluate(dim, sizes)
            except ZeroDivisionError:  # it is assumed of a number of sizes that isn't 0
                return False
            if (value != 0) if relation == "==" else (value < 0):
                return False
        return True


@dataclass(slots=True, eq=False)
class Family:
    """Calls of one structure: what is known about their sizes, and their entries."""

    leaf_types: list[Leaf]
    names: list[str]
    specs: list[InputSpec | None]
    dynamic: set[tuple[int, int]] = field(default_factory=set)
    declared: set[tuple[int, int]] = field(default_factory=set)  # those that the caller declared dynamic
    known: KnownSizes = field(default_factory=KnownSizes)
    seen: list[Shapes] = field(default_factory=list)
    entries: list[CacheEntry] = field(default_factory=list)
    static_only: bool = False
    number_names: Sequence[str] = ()
    others: Sequence[Change] = ()  # how its calls differ from those of the family that is nearest
    plain: dict[str, str] = field(default_factory=dict)  # arguments that are part of the structure, as text
    free: set[int] = field(default_factory=set)  # numbers that differed between calls: filled in at each call
    bound: set[int] = field(default_factory=set)  # numbers for which that failed
    closed: set[int] = field(default_factory=set)  # those for which it failed as numbers that only a run knows
    work: int = 0  # operations that captures of its programs recorded
    given_up: dict[Any, int] = field(default_factory=dict)  # numbers and places not worth leaving open: at what work
    sized: set[tuple[int, int]] = field(default_factory=set)  # axes whose sizes the code keeps: a program for each

    def find(self, shapes: Shapes, numbers: Sequence[Any] = (), leaves: Sequence[Any] = ()) -> CacheEntry | None:
        """The entry for a call with these shapes, numbers and tensors whose guards hold."""
        for entry in self.entries:
            if (
                entry.takes(numbers)
                and entry.trace.around.take(getattr(leaves, "containers", ()))
                and not entry.other_gradients(leaves)
                and entry.sizes_for(shapes) is not None
                and entry.guards.hold()
                and entry.runner.takes_state(numbers, leaves)
            ):
                return entry
        return None

    def learn(self, shapes: Shapes, numbers: Sequence[Any] = (), leaves: Sequence[Any] = ()) -> list[Change]:
        """Take a new call's sizes and numbers in; why no entry was at hand. Nothing: it is the first call."""
        found: list[Change] = []
        if not self.entries:
            found += self.others
        else:
            if not self.static_only:
                found += self._new_symbols(shapes)
                found += self.known.changes(shapes, self.names)
            found += self._new_numbers(numbers)
            found += self._changed_assumptions()
            nearest = min(self.entries, key=lambda e: len(e.other_gradients(leaves)))
            for k in nearest.other_gradients(leaves):
                wanted = nearest.trace.gradients[k]
                fact = wanted.other_fact(leaves[k])
                name = f"{self.names[k]}.{'grad' if fact is None else fact[0]}"
                now = gradient_now(leaves[k], wanted) if fact is None else f"{fact[1]!r:.40}"
                found.append(Change(name, "state", f"{name} is now {now}"))
            found = found or self._why_not(shapes)
        if shapes not in self.seen:
            self.seen = [*self.seen[-7:], shapes]
        return found

    def declare(self, leaves: Sequence[Any]) -> None:
        """Take in the axes that the caller declared dynamic."""
        self.declared |= {(k, d) for k, x in enumerate(leaves) for d in getattr(x, "dynamic_dims", ())}
        self.dynamic |= self.declared

    def add(self, entry: CacheEntry, shapes: Shapes) -> None:
        """Put an entry before the others; behind them where sizes are open that they know."""
        leaves = entry.trace.inputs.leaves
        self.work += entry.trace.work
        if len(self.entries) >= MOST_ENTRIES:
            self.entries.remove(min(self.entries, key=lambda e: e.number))
        is_open = any(isinstance(leaves[k].type.shape[axis], Dim) for k, axis in self.known.places)
        self.entries.insert(len(self.entries) if is_open else 0, entry)
        if not is_open:
            self.known.serve(shapes)

    def worth(self, work: int = 0) -> int:
        """How many operations a capture with open numbers may record: then a program for each value costs less.

        It grows with the programs, so that a number of many values is left open in the end. work: what the capture
        recorded in which they were bound, where no program was made of it.
        """
        return max(LEAST_WORK, MOST_TIMES * (self.work + work))

    def give_up(self, keys: Iterable[Any]) -> None:
        """Bind these numbers (by their places among the arguments) and places until there are many more programs."""
        self.given_up.update(dict.fromkeys(keys, self.worth()))

    def has_given_up(self, key: Any) -> bool:
        """Whether a number or place stays bound for now."""
        return key in self.given_up and self.worth() < 2 * self.given_up[key]

    def open_numbers(self) -> set[int]:
        """The numbers among the arguments that a program takes anew at each call."""
        return {k for k in (self.free - self.bound) | self.varied_numbers() if not self.has_given_up(k)}

    def varied_numbers(self) -> frozenset[int]:
        """The numbers among the arguments for whose values there are many programs by now."""
        numbers = [k for k in self.free - self.closed if not self.has_given_up(k)]
        made = {k: [e.numbers[k] for e in self.entries] for k in numbers}
        return frozenset(k for k, values in made.items() if FREE not in values and len(set(values)) >= MANY_VALUES)

    def close_varied(self) -> bool:
        """Code can't do without the values of the numbers that had many; whether there are such."""
        varied = self.varied_numbers()
        self.closed |= varied
        self.bound |= varied
        return bool(varied)

    def asks_again(self, trace: Trace) -> bool:
        """Whether kernels of a trace must know sizes that it leaves open, and there is room for such a program."""
        types = [leaf.type for leaf in trace.inputs.leaves]
        given = {(k, axis) for k, s in enumerate(self.specs) if s is not None for axis in range(types[k].rank)}
        return self.known.learn(trace.known, types, self.declared | given)

    def bind(self, sizes: Collection[str], shapes: Shapes) -> bool:
        """Leave the axes of these symbols closed from now on, but those that a spec opens; whether there are any."""
        before = len(self.sized)
        types, _ = self.types(shapes) if sizes else ((), {})
        for k, kind in enumerate(types):
            for axis, size in enumerate(kind.shape):
                if self.specs[k] is None and isinstance(size, Dim) and size.symbols() & set(sizes):
                    self.sized.add((k, axis))
        return len(self.sized) > before

    def first(self) -> str:
        """Why a first program was made."""
        return "first call with this signature" if self.names else "first call"

    def arguments(self, entry: CacheEntry) -> str:
        """What calls a program is for: tensors with their types, other arguments with their values."""
        tensors = [f"{leaf.name}: {leaf.type}" for leaf in entry.trace.inputs.leaves]
        numbers = zip(self.number_names, entry.numbers, strict=False)
        values = {name: repr(value) for name, value in numbers} | self.plain
        return ", ".join([*tensors, *(f"{name}={value}" for name, value in values.items())])

    def _new_symbols(self, shapes: Shapes) -> list[Change]:
        found = []
        for k, (name, spec) in enumerate(zip(self.names, self.specs, strict=True)):
            if spec is not None:
                continue
            for axis, size in enumerate(shapes[k]):
                other = next((s[k][axis] for s in self.seen if s[k][axis] != size), None)
                if other is not None and (k, axis) not in self.dynamic:
                    self.dynamic.add((k, axis))
                    text = f"axis {axis} of {name} was {other}, now {size}: its size became a symbol"
                    found.append(Change(name, "size", text))
        return found

    def _new_numbers(self, numbers: Sequence[Any]) -> list[Change]:
        found = []
        for k, (name, value) in enumerate(zip(self.number_names, numbers, strict=True)):
            known = [e.numbers[k] for e in self.entries]
            if any(n is FREE or same_number(n, value) for n in known):
                continue
            text = f"{name} was {known[0]!r}, now {value!r}"
            if k not in self.bound:
                text += ": filled in at each call" if k not in self.free else ", and the code looks at it"
                self.free.add(k)
            found.append(Change(name, "number", text))
        return found

    def broken_assumptions(self) -> tuple[list[tuple[Assumption, Any]], list[tuple[Assumption, Any]]]:
        """Assumptions that don't hold, with what there is now: of the entries closest to the present, and of all."""
        found = [e.guards.broken_assumptions() for e in self.entries]
        fewest = min(map(len, found), default=0)
        closest = [broken for of_entry in found if len(of_entry) == fewest for broken in of_entry]
        return closest, [broken for of_entry in found for broken in of_entry]

    def _changed_assumptions(self) -> list[Change]:
        broken = min((e.guards.broken() for e in self.entries), key=len)
        found = [Change(text.partition(" was ")[0], "state", text) for text in broken[:3]]
        if len(broken) > 3:
            found.append(Change("other state", "state", f"{len(broken) - 3} more assumptions changed"))
        return found

    def _why_not(self, shapes: Shapes) -> list[Change]:
        entry = self.entries[0]
        misfits = [Change(name, "shape", text) for name, text in entry.runner.state.misfits()]
        if misfits:
            return misfits
        shown = ", ".join(f"{n}{list(s)}" for n, s in zip(self.names, shapes, strict=True))
        text = f"the assumptions about sizes of #{entry.number} don't hold for {shown}"
        return [Change(self.names[0] if self.names else "the arguments", "size", text)]

    def has_ones(self, shapes: Shapes) -> bool:
        """Whether a size that a spec leaves open is 1 in this call."""
        specs = zip(self.specs, shapes, strict=True)
        return any(n == 1 and s != 1 for spec, shape in specs if spec for s, n in zip(spec.shape, shape, strict=True))

    def types(self, shapes: Shapes | None, *, static: bool = False) -> tuple[list[TensorType], dict[str, int]]:
        """The feeds' types for a trace of this call, and the sizes of their symbols."""
        symbols = Symbols(s for spec in self.specs if spec for s in spec.shape if isinstance(s, str))
        groups: dict[Any, Dim] = {}
        sizes: dict[str, int] = {}
        types = []
        known = set(self.known.places) if shapes is not None and self.known.take(shapes) else set()
        for k, (kind, spec) in enumerate(zip(self.leaf_types, self.specs, strict=True)):
            if spec is not None:
                made = spec.to_type(symbols)
                if static and shapes is not None:  # a size of 1 may have to broadcast
                    made = TensorType(
                        made.dtype, tuple(1 if n == 1 else d for d, n in zip(made.shape, shapes[k], strict=True))
                    )
                is_given = spec.dtype_given or shapes is None
                types.append(made if is_given else TensorType(kind.dtype, made.shape))
            else:
                assert shapes is not None
                types.append(
                    TensorType(
                        kind.dtype,
                        tuple(
                            self._dim(k, a, shapes, symbols, groups, static or (k, a) in known)
                            for a in range(kind.rank)
                        ),
                    )
                )
            if shapes is not None:
                sizes.update((str(d), n) for d, n in zip(types[-1].shape, shapes[k], strict=True) if isinstance(d, Dim))
        return types, sizes

    def _dim(self, k: int, axis: int, shapes: Shapes, symbols: Symbols, groups: dict[Any, Dim], static: bool) -> Any:
        size = shapes[k][axis]
        if static or (k, axis) not in self.dynamic or (k, axis) in self.sized:
            return size
        group = (size, *[s[k][axis] for s in self.seen])
        if group not in groups:
            groups[group] = symbols.fresh()
        return groups[group]


def _guard_lines(guards: Sequence[tuple[str, str]]) -> list[str]:
    """A line for each instance, with its attributes; one for all instances of which the same holds."""
    by_owner: dict[str, list[str]] = {}
    for owner, text in guards:
        by_owner.setdefault(owner, []).append(text)
    alike: dict[str, list[str]] = {}
    for owner, texts in by_owner.items():
        alike.setdefault(", ".join(_counted(texts)), []).append(owner)
    lines = [f"  {_named(owners)}{text}" for text, owners in alike.items()]
    return [*lines[:MOST_OWNERS], *([f"  … and {len(lines) - MOST_OWNERS} more"] if len(lines) > MOST_OWNERS else [])]


def _named(owners: Sequence[str]) -> str:
    """The first of some instances, and how many there are beside it."""
    first, *others = owners
    shown = f" and {len(others)} alike" if others else ""
    return f"{first}{shown}: " if first else ""


def _counted(texts: Sequence[str]) -> list[str]:
    """Each text once, with how many there are: the same is so of many parameters."""
    return [text if count == 1 else f"{text} ({count} times)" for text, count in Counter(texts).items()]


def explain(name: str, families: Sequence[Family]) -> str:
    """A table of all entries: arguments, why each was made, what it cost, what it guards."""
    entries = sorted((e for f in families for e in f.entries), key=lambda e: e.number)
    if not entries:
        return f"{name}: not traced yet"
    rows = [[f"#{e.number}", f"({e.shown})", e.reason, f"{e.seconds:.2f} s", e.slow_hits] for e in entries]
    text = [f"{name}: {len(entries)} program{'s' if len(entries) > 1 else ''}"]
    text.append(table(["", "arguments", "why", "made in", "looked up"], rows, right=[3, 4]))
    for entry in entries:
        guards = [*(("", f"{d} {r} 0") for r, d in entry.program.constraints), *entry.guards.describe()]
        if guards:
            text += [f"#{entry.number} holds while", *_guard_lines(guards)]
    return "\n".join(text)
