"""Executor: runs programs with feeds, in a scope, and hands out what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from ..base.boundary import shorten
from ..base.dtype import entering, leaving
from ..base.errors import KindError, MissingError, ModeError, VitrifyError
from ..dygraph.device import as_place
from ..dygraph.eager import from_array
from ..dygraph.tensor import Tensor
from ..ir.core import Program as IrProgram
from ..ir.core import Value
from ..ops import dispatch
from ..runtime.compiler import compile_program
from ..runtime.options import of_flags
from .build import finished
from .current import default_main_program, state
from .mode_guards import find_variable
from .program import Program
from .ready import Ready, fed
from .scope import Scope, checked
from .variable import Variable

MOST_QUICK = 64  # lists of fetches that a program remembers


@dataclass(slots=True)
class _Quick:
    """A run that was prepared: valid while the program's version and what its names mean stay the same."""

    version: int
    ready: Ready
    kept: list[tuple[Any, Any]]  # the variables, held so that their ids stay theirs, and what they stood for
    names: list[tuple[str, Any]]


class CompiledProgram:
    """A program as `Executor.run` takes it; everything is compiled here, with or without this.

    Errors: KindError for anything but a program.
    """

    def __init__(self, program: Any, build_strategy: Any = None) -> None:
        if not isinstance(program, (Program, CompiledProgram)):
            raise KindError(f"CompiledProgram takes a Program, not a {type(program).__name__}")
        self.program: Any = program
        self.build_strategy = build_strategy

    def with_data_parallel(self, *_: Any, **__: Any) -> CompiledProgram:
        """The same: there is one device."""
        return self


class _Strategy:
    """Settings of Paddle's engine: kept, without effect."""

    def __init__(self) -> None:
        self.__dict__["settings"] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__dict__["settings"].get(name, False)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["settings"][name] = value


class BuildStrategy(_Strategy):
    """Settings of Paddle's graph building: kept, without effect."""

    class ReduceStrategy(Enum):
        """How gradients of several devices are joined."""

        AllReduce = 0
        Reduce = 1

    class GradientScaleStrategy(Enum):
        """By what gradients of several devices are scaled."""

        CoeffNumDevice = 0
        One = 1
        Customized = 2


class ExecutionStrategy(_Strategy):
    """Settings of Paddle's engine: kept, without effect."""


class Executor:
    """Runs programs. place: the CPU.

    >>> from .mode_guards import data, disable_static, enable_static, program_guard
    >>> enable_static()
    >>> main = Program()
    >>> with program_guard(main):
    ...     y = data("x", [None, 2]) * 2.0
    >>> Executor().run(main, feed={"x": np.ones((1, 2), "float32")}, fetch_list=[y])
    [array([[2., 2.]], dtype=float32)]
    >>> disable_static()
    """

    def __init__(self, place: Any = None) -> None:
        self.place = as_place(place)
        self._closed = False
        self._ends: Callable[[], None] | None = None

    def close(self) -> None:
        """Release it: `run` is an error afterwards. Parameter servers wait no more for the programs that it ran."""
        self._closed = True
        if self._ends is not None:
            ends, self._ends = self._ends, None
            ends()

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        return_merged: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run the program once; the values of `fetch_list` (variables or names), as arrays or tensors.

        program: default the main program. feed: arrays by name. use_prune: no updates of state, only what the fetches
        need. It is compiled at the first run and after each change.
        Errors: ModeError (a RuntimeError) after `close`; KindError for a feed or fetches of another kind; ArgumentError
        for feeds that are missing or don't fit; MissingError for a fetch that isn't there, or state without a value.
        """
        if self._closed:
            raise ModeError("this Executor is closed", remedy="make a new one")
        if isinstance(program, CompiledProgram):
            program = program.program
        program = default_main_program() if program is None else program
        if isinstance(program, IrProgram):
            return _run_text(program, feed or {}, fetch_list)
        if not isinstance(program, Program):
            raise KindError(f"Executor.run needs a Program, not a {type(program).__name__}")
        if program.ends is not None:
            self._ends = program.ends
        if feed is not None and not isinstance(feed, dict):
            if isinstance(feed, (list, tuple)) and len(feed) == 1 and isinstance(feed[0], dict):
                feed = feed[0]
            else:
                raise KindError(f"feed must be a dict of arrays by name, not a {type(feed).__name__}")
        place = checked(scope)
        if program.serve is not None:
            program.serve(place)
            return []
        state.main.recorder.note_writes()
        stack = dispatch.stack.get()
        dispatch.stack.set(())  # callbacks run eagerly
        try:
            return self._run(program, feed or {}, fetch_list, place, return_numpy, use_prune)
        except VitrifyError as error:
            shorten(error)
            raise
        finally:
            dispatch.stack.set(stack)

    def _run(
        self, program: Program, feed: dict[str, Any], given: Any, scope: Scope, as_arrays: bool, prune: bool
    ) -> list[Any]:
        for reader in program.readers:
            if any(name not in feed for name in reader.names):
                feed = reader.next_feed() | feed
        if program.keeps_feeds:
            feed = feed | _kept(program, feed, scope)
        quick = _remembered(program, given, prune)
        if quick is not None:
            made = quick.run(scope, feed)
            return [leaving(a) for a in made] if as_arrays else [from_array(np.asarray(a)) for a in made]
        nothing = given is None or (isinstance(given, list | tuple) and not given)
        fetches, pruned = _fetches(program, program.default_fetches if nothing else given)
        prune = prune or pruned
        values = [fetch_value(program, name, x) for name, x in fetches]
        key = (program.version, tuple(id(v) if isinstance(v, Value) else v.name for v in values), prune)
        ready = program.cache.get(key)
        if ready is None:
            ready = _compile(program, fetches, values, prune)
            program.cache[key] = ready
        if all(isinstance(v, Value) for v in values):
            _remember(program, given, prune, ready)
        computed = iter(ready.run(scope, feed))
        found = [next(computed) if isinstance(v, Value) else np.array(scope.value_of(v)._copied()) for v in values]
        return [leaving(a) for a in found] if as_arrays else [from_array(np.asarray(a)) for a in found]

    def train_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Sequence[str] | None = None,
        print_period: int = 100,
    ) -> None:
        """Run a program once for each batch of a `distributed.QueueDataset` or `InMemoryDataset`, one after the other.

        fetch_list: what is printed every `print_period` batches, with the texts of `fetch_info` before it.
        thread, debug: without effect. Errors: ModeError without a data set; those of `run`, and of the data set.
        """
        self._run_over(dataset, program, scope, fetch_list, fetch_info, print_period, prune=False)

    def infer_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Sequence[str] | None = None,
        print_period: int = 100,
    ) -> None:
        """The same without updates of state."""
        self._run_over(dataset, program, scope, fetch_list, fetch_info, print_period, prune=True)

    def _run_over(
        self, dataset: Any, program: Any, scope: Any, fetches: Any, texts: Any, period: int, prune: bool
    ) -> None:
        if not hasattr(dataset, "feeds"):
            raise ModeError("no data set was given", remedy="make a distributed.QueueDataset or InMemoryDataset")
        inner = program.program if isinstance(program, CompiledProgram) else program
        inner = default_main_program() if inner is None else inner
        wanted = list(fetches or ())
        texts = list(texts or [x if isinstance(x, str) else x.name for x in wanted])
        for count, feed in enumerate(dataset.feeds(), 1):
            known = {name: array for name, array in feed.items() if name in inner.recorder.program.feeds}
            values = self.run(inner, known, wanted, scope=scope, use_prune=prune)
            if wanted and count % period == 0:
                print(f"batch {count}:", *(f"{text}: {value}" for text, value in zip(texts, values, strict=True)))


def _kept(program: Program, feed: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """The feeds that are persistable or declared: those that aren't fed are taken from the scope.

    Persistable ones that are fed go there.
    """
    found = {}
    for name in program.recorder.program.feeds:
        variable = program.vars.get(name)
        persistable = getattr(variable, "persistable", False)
        if not persistable and not getattr(variable, "awaits", False):
            continue
        if name in feed and not persistable:
            continue
        if name in feed:
            given = feed[name]
            scope.set(name, given._copied() if isinstance(given, Tensor) else entering(np.asarray(given)))
        if name in scope.tensors:
            found[name] = scope.tensors[name]._copied()
    return found


def _fetches(program: Program, given: Any) -> tuple[list[tuple[str, Any]], bool]:
    if given is None:
        return [], False
    items = list(given) if isinstance(given, (list, tuple)) else [given]
    pruned = False
    found: list[tuple[str, Any]] = []
    for item in items:
        if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], list):  # what minimize returned
            continue
        if isinstance(item, str):
            found.append((item, None))
        elif isinstance(item, Tensor):
            found.append((item.name, item))
        elif isinstance(item, (list, tuple)):
            inner, _ = _fetches(program, item)
            found += inner
        elif item is None:
            raise KindError("fetch_list holds None", remedy="leave out gradients that don't exist")
        else:
            raise KindError(f"fetch_list takes variables or their names, not a {type(item).__name__}")
    return found, pruned


def fetch_value(program: Program, name: str, x: Any) -> Any:
    """The value to fetch, or the persistable variable that no operation touches."""
    recorder = program.recorder
    recorder.note_writes()
    if x is None:
        x = find_variable(program, name)
    if getattr(x, "stage", None) is not None:
        raise MissingError(f"stage {x.stage} of the pipeline computes {name}", remedy="fetch it on that stage's rank")
    payload = x._storage.payload
    if isinstance(payload, Value):
        mapped = recorder.counterparts.get(payload, payload)
        if _is_in(recorder, mapped):
            return mapped
        x = find_variable(program, name)
        payload = x._storage.payload
        if isinstance(payload, Value):
            return payload
    now = recorder.current.get(id(x._storage))
    if now is not None:
        return now
    if id(x._storage) in recorder.lifted:
        return recorder.lifted[id(x._storage)].value
    if getattr(x, "declared", None) is not None:
        raise MissingError(f"no operation gives {name} a value")
    return x


def _is_in(recorder: Any, value: Value) -> bool:
    block = value.block
    while block.parent_block is not None:
        block = block.parent_block
    return block is recorder.program.body


def _compile(program: Program, fetches: Sequence[tuple[str, Any]], values: Sequence[Any], prune: bool) -> Ready:
    wanted = [v for v in values if isinstance(v, Value)]
    names = [n for (n, _), v in zip(fetches, values, strict=True) if isinstance(v, Value)]
    built = finished(program, wanted, names, prune)
    executable = compile_program(built.program, callbacks=program.recorder.callbacks, options=of_flags())
    return Ready(program, built, executable)


def _quick_key(given: Any, prune: bool) -> Any:
    """What a list of variables and names is remembered by; None for fetches of other forms."""
    if type(given) is not list:
        return None
    return (prune, *[x if type(x) is str else id(x) for x in given])


def _remembered(program: Program, given: Any, prune: bool) -> Ready | None:
    """The prepared run for these fetches, if the program is as it was then."""
    quick: _Quick | None = program.quick.get(_quick_key(given, prune))
    if quick is None or quick.version != program.version:
        return None
    for name, variable in quick.names:
        if program.vars.get(name) is not variable:
            return None
    for variable, payload in quick.kept:
        if variable._storage.payload is not payload:
            return None
    return quick.ready


def _remember(program: Program, given: Any, prune: bool, ready: Ready) -> None:
    key = _quick_key(given, prune)
    if key is None:
        return
    names = [(x, program.vars.get(x)) for x in given or () if isinstance(x, str)]
    if any(v is None for _, v in names) or not all(isinstance(x, (str, Variable)) for x in given):
        return
    if len(program.quick) >= MOST_QUICK:
        program.quick.clear()
    variables = [program.vars[x] if isinstance(x, str) else x for x in given]
    kept = [(v, v._storage.payload) for v in variables]
    program.quick[key] = _Quick(program.version, ready, kept, names)


def _run_text(program: IrProgram, feed: dict[str, Any], fetch_list: Any) -> list[Any]:
    """Run a parsed program; its fetches in their order, or those named."""
    executable = compile_program(program, options=of_flags())
    kinds = [v.tensor_type for v in program.feed_values]
    arrays = [fed(name, feed, kind) for name, kind in zip(program.feeds, kinds, strict=True)]
    made = executable.run(arrays, [])
    if not fetch_list:
        return list(made)
    by_name = dict(zip(program.fetch_names, made, strict=False))
    names = [x if isinstance(x, str) else x.name for x in fetch_list]
    missing = [n for n in names if n not in by_name]
    if missing:
        raise MissingError(
            f"the program has no fetch {missing[0]}", remedy=f"it has {', '.join(by_name) or 'no names'}"
        )
    return [by_name[n] for n in names]
