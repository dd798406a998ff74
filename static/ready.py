"""A program compiled for one set of fetches, and the short way of a run into it: what was checked once isn't again."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ..base.dtype import entering
from ..base.errors import ArgumentError, FeedError, MissingError
from ..base.suggest import nearest
from ..dygraph import storage as cells
from ..dygraph.random_generators import default_generator
from ..dygraph.tensor import Tensor
from ..jit.call.caller import feed_of
from ..ops.dims import Dim
from ..ops.types import TensorType
from ..runtime.compiler import compile_program
from ..runtime.options import of_flags
from .build import Built
from .retype import retyped
from .scope import Scope

if TYPE_CHECKING:  # a program shows what runs made of it
    from .program import Program

MAX_SHAPES = 64


class Ready:
    """A compiled program. `run` checks feeds, finds the state's arrays and calls it."""

    def __init__(self, program: Program, built: Built, executable: Any) -> None:
        self.program, self.built, self.executable = program, built, executable
        kinds = [v.tensor_type for v in built.program.feed_values]
        self.feeds = [(n, k.dtype.numpy, k) for n, k in zip(built.feeds, kinds, strict=True)]
        self.counted = [
            e.cell for e in built.state if id(e.cell) in built.updated and isinstance(e.cell.payload, ndarray)
        ]
        self.draws = any(e.cell is default_generator.state._storage for e in built.state)
        self.free: dict[tuple[tuple[int, ...], ...], list[Any]] = {}
        self.variants: dict[tuple[tuple[int, ...], ...], Ready] = {}  # for feeds that aren't checked
        self._held: _Held | None = None

    def run(self, scope: Scope, feed: dict[str, Any]) -> list[Any]:
        """The fetches that the program computes."""
        feeds = []
        for name, dtype, kind in self.feeds:
            x = feed.get(name)
            if type(x) is not ndarray or x.dtype != dtype:
                x = fed(name, feed, kind, checked=self._checks(name), shaped=False)
            feeds.append(feed_of(x))
        if len(feed) != len(feeds):
            _give_others(self.program, feed, scope)
        held = self._state(scope)
        shapes = tuple([x.shape for x in feeds])
        free = self.free.get(shapes)
        if free is None:
            variant = self.variants.get(shapes) or self._variant(shapes)
            if variant is None:
                feeds = [self._squeezed(x, *facts) for x, facts in zip(feeds, self.feeds, strict=True)]
                shapes = tuple([x.shape for x in feeds])
                variant = self.variants.get(shapes) or self._variant(shapes)
            if variant is not None:
                return variant.run(scope, {name: x for (name, *_), x in zip(self.feeds, feeds, strict=True)})
            free = self.free.get(shapes)
            free = self._admit(shapes, feeds, held.arrays) if free is None else free
        if held.ids:
            feeds = [x.copy() if held.is_seen_in(x) else x for x in feeds]
        try:
            bound = free.pop()
        except IndexError:
            bound = self.executable.bind([*feeds, *held.arrays])
        try:
            found: list[Any] = bound.call(feeds, held.arrays)
        finally:
            free.append(bound)
        for cell in self.counted:
            cell.version += 1
        return found

    def _checks(self, name: str) -> bool:
        """Whether what is fed has to be of the declared dtype and shape."""
        return bool(getattr(self.program.vars.get(name), "need_check_feed", True))

    def _squeezed(self, x: Any, name: str, _: Any, kind: TensorType) -> Any:
        """An unchecked feed without axes of size 1 at its end, where it then has the declared rank."""
        rank = len(kind.shape)
        if x.ndim <= rank or self._checks(name) or any(n != 1 for n in x.shape[rank:]):
            return x
        return x.reshape(x.shape[:rank])

    def _variant(self, shapes: Any) -> Ready | None:
        """This program for other shapes than declared, if nobody checks these feeds and its operations take them.

        A checked feed may hold the declared elements on another number of axes, where each result does as well.
        """
        fitting = [_fits(shape, kind) for shape, (_, _, kind) in zip(shapes, self.feeds, strict=True)]
        amiss = [
            (name, shape, kind)
            for shape, fit, (name, _, kind) in zip(shapes, fitting, self.feeds, strict=True)
            if not fit
        ]
        checked = any(self._checks(name) for name, *_ in amiss)
        if not amiss or (checked and not all(_holds_as_many(shape, kind) for _, shape, kind in amiss)):
            return None
        kinds = [TensorType(k.dtype, s) for s, (_, _, k) in zip(shapes, self.feeds, strict=True)]
        made = retyped(self.built.program, kinds, same_elements=checked)
        if made is None:
            return None
        if len(self.variants) >= MAX_SHAPES:
            self.variants.clear()
        built = Built(made, self.built.feeds, self.built.state, self.built.updated)
        executable = compile_program(made, callbacks=self.program.recorder.callbacks, options=of_flags())
        self.variants[shapes] = Ready(self.program, built, executable)
        return self.variants[shapes]

    def _admit(self, shapes: Any, feeds: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
        """Make room for runs with these shapes, which are checked here once."""
        for x, (name, _, kind) in zip(feeds, self.feeds, strict=True):
            _check_shape(name, x, kind)
        self.executable.check_arrays(feeds, arrays)
        if len(self.free) >= MAX_SHAPES:
            self.free.clear()
        return self.free.setdefault(shapes, [])

    def _state(self, scope: Scope) -> _Held:
        held = self._held
        seeded = self.draws and self.program.random_seed
        if held is not None and not seeded and held.is_current(scope):
            return held
        arrays = tuple([_state_array(self.program, scope, entry, self.built) for entry in self.built.state])
        held = _Held(scope, arrays, self.built)
        self._held = None if seeded else held
        return held


class _Held:
    """The arrays of the state in a scope, as long as nobody gives the scope or a cell another array."""

    def __init__(self, scope: Scope, arrays: tuple[Any, ...], built: Built) -> None:
        self.scope, self.arrays = scope, arrays
        self.changes, self.epoch = scope.changes, cells.counters.epoch
        written = [k for k, e in enumerate(built.state) if id(e.cell) in built.updated]
        self.updated = [_cell(scope, built.state[k]) for k in written]
        self.written = [arrays[k] for k in written]
        self.ids = {id(a) for a in self.written}
        self.views = any(a.base is not None for a in self.written)

    def is_current(self, scope: Scope) -> bool:
        """Whether these are the arrays of the state still."""
        if scope is not self.scope or self.changes != scope.changes or self.epoch != cells.counters.epoch:
            return False
        for cell in self.updated:  # noqa: SIM110  a generator costs more, on the path of every run
            if cell.shared:
                return False
        return True

    def is_seen_in(self, x: Any) -> bool:
        """Whether a feed shares memory with what the program writes."""
        if id(x) in self.ids:
            return True
        return (self.views or x.base is not None) and any(np.may_share_memory(x, a) for a in self.written)


def _cell(scope: Scope, entry: Any) -> Any:
    own = isinstance(entry.cell.payload, ndarray)
    return entry.cell if own else scope.tensors[entry.tensor.name]._storage


def fed(name: str, feed: dict[str, Any], kind: TensorType, *, checked: bool = True, shaped: bool = True) -> Any:
    """A feed as an array of the program's dtype and shape. Errors: ArgumentError, a FeedError for one that isn't there.

    checked: False where any dtype is converted, and any shape passes. shaped: False where only the shape isn't checked.
    """
    if name not in feed:
        close = nearest(name, feed)
        meant = "" if close is None else f"; {close!r} is no feed of the program, did you mean {name!r}?"
        raise FeedError(f"the feed {name} is missing: {kind}{meant}", remedy=f"pass feed={{{name!r}: array, ...}}")
    given = feed[name]
    array = np.asarray(given._copied()) if isinstance(given, Tensor) else entering(np.asarray(given))
    if array.dtype != kind.dtype.numpy:
        loose = isinstance(given, (int, float, list, tuple, bool))
        if checked and not loose:
            raise ArgumentError(
                f"the feed {name} has the dtype {array.dtype}, the program expects {kind.dtype.name}",
                remedy=f"feed array.astype({kind.dtype.name!r})",
            )
        array = array.astype(kind.dtype.numpy)
    if checked and shaped:
        _check_shape(name, array, kind)
    return array


def _fits(shape: Sequence[int], kind: TensorType) -> bool:
    return len(shape) == len(kind.shape) and all(
        isinstance(d, Dim) or d == n for d, n in zip(kind.shape, shape, strict=True)
    )


def _holds_as_many(shape: Sequence[int], kind: TensorType) -> bool:
    """Whether an array of this shape holds the declared number of elements on another number of axes."""
    return (
        len(shape) != len(kind.shape)
        and not any(isinstance(d, Dim) for d in kind.shape)
        and prod(shape) == prod(kind.shape)
    )


def _check_shape(name: str, array: Any, kind: TensorType) -> None:
    if not _fits(array.shape, kind):
        wanted = [-1 if isinstance(d, Dim) else d for d in kind.shape]
        raise ArgumentError(
            f"the feed {name} has the shape {list(array.shape)}, the program expects {wanted}",
            remedy="feed an array of that shape; -1 stands for any size",
        )


def _give_others(program: Program, feed: dict[str, Any], scope: Scope) -> None:
    """What is fed by the name of a parameter, or of other state, is its value from now on; unknown names: a warning."""
    for name, value in feed.items():
        if name in program.recorder.program.feeds:
            continue
        variable = program.vars.get(name)
        if variable is None:
            known = ", ".join(program.recorder.program.feeds) or "none"
            warnings.warn(f"the program has no feed {name}: the value isn't used (it has {known})", stacklevel=5)
        elif getattr(variable, "persistable", False):
            scope.assign(variable, value)


def _state_array(program: Program, scope: Scope, entry: Any, built: Built) -> Any:
    x, cell = entry.tensor, entry.cell
    payload = cell.payload
    if isinstance(payload, ndarray):
        if cell is default_generator.state._storage and program.random_seed:
            return program.seeded_state()
        if id(cell) in built.updated:
            cell.own()
        named: Any = program.vars.get(x.name)
        if named is x:  # a rate of an optimizer is found in the scope, too
            scope.tensors.setdefault(x.name, named)
        return cell.payload
    found = scope.tensors.get(x.name)
    first = id(cell) in program.recorder.initialised
    if found is None or tuple(found.shape) != tuple(payload.shape) or (first and found.dtype is not payload.dtype):
        if not first:
            if found is not None:
                raise ArgumentError(
                    f"{x.name} has the shape {list(found.shape)} in the scope, "
                    f"the program expects {list(payload.shape)}"
                )
            raise MissingError(f"{x.name} has no value in this scope", remedy="run the startup program first")
        found = scope.set(x.name, np.zeros(payload.shape, payload.dtype.numpy))
    if id(cell) in built.updated:
        found._storage.own()
    return found._storage.payload
