"""StaticFunction: a function that runs as a compiled program. It joins the rewriting half and the tracing half.

A call tries the closures of the entries used last (caller.py); if none takes it, the entry is looked up by the call's
structure, sizes and assumptions (cache.py), or the function is traced again.
"""

from __future__ import annotations

import copy
import functools
import time
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..base.bound_methods import BOUND, BoundMethods
from ..base.causes import raise_linked
from ..base.collection import without_collection
from ..base.errors import ArgumentError, CaptureError, ModeError
from ..base.flags import flags
from ..base.log import log, wanted
from ..base.pytree import flatten
from ..dygraph import storage as cells
from ..dygraph.modes import amp_policy, is_recording
from ..ir.input_spec import InputSpec
from ..ops.dispatch import current, interpreters
from ..runtime.vm.calls.call_entry import NativelyCalled, call_natively_first
from .call.cache import FREE, CacheEntry, Family
from .call.call_stubs import missed, native_call
from .call.caller import MISS, feed_of
from .call.eager_calls import EagerCalls
from .call.guards import Guards
from .call.inline_cache import make_cached_call
from .call.known_sizes import Shapes
from .call.recompiles import Change, nearest, plain_values, warn_of_many, warn_of_misfit
from .call.signature import (
    Call,
    Signature,
    array_of,
    as_spec,
    checked_spec,
    is_spec,
    map_numbers,
    match_specs,
    spec_names,
    unique_names,
)  # fmt: skip
from .call.train_mode import TrainingMode
from .compiling import Compiling, tracing_lock
from .function_settings import PLAIN, Settings
from .inspect.certificate import Certificate, certify, lines_run
from .inspect.function_views import ConcreteProgram, ProgramCache, SpecProgram, Views, concrete
from .pickled import pickled
from .switches import is_enabled, on_switch
from .trace.gradients.gradient_hooks import change_hooks
from .trace.state.rollback import drop
from .trace.traced import InputLeaf, Trace, TraceInputs
from .tracebacks import in_user_terms

MOST_FAMILIES = 256  # call signatures: structures of arguments, modes
MOST_BOUND = 4  # methods of instances that can't keep them (slots), which live on so long
_alive: weakref.WeakSet[StaticFunction] = weakref.WeakSet()


class StaticFunction(NativelyCalled, Compiling, TrainingMode, EagerCalls, Views):
    """A function compiled as a whole. Made by `to_static`; called like the function itself.

    On a class it is a descriptor: each instance gets a compiled function of its own, kept with the instance.
    """

    def __init__(
        self, function: Callable[..., Any], input_spec: Any = None, settings: Settings = PLAIN, instance: Any = None
    ) -> None:
        self._input_spec = checked_spec(input_spec)
        self._settings = settings
        self._is_method = isinstance(function, types.MethodType)  # given as one: a copy is of a copy of the owner
        if isinstance(function, types.MethodType) and instance is None:
            instance, function = function.__self__, function.__func__
        self._function = function
        self._instance = instance  # the function is kept with it: they go together
        self._signature = Signature(self._original())
        self._named_spec = self._signature.split(self._input_spec or ())[1]
        self._families: dict[Any, Family] = {}
        self._last: CacheEntry | None = None
        self._from_spec: Trace | None = None
        self._from_specs: dict[tuple[str, bool], Trace] = {}  # by the arguments of get_concrete_program
        self._recent: tuple[Any, ...] = ()
        self._first = missed  # native code for calls like the latest one
        self._bound: tuple[StaticFunction, ...] = ()
        self._places = {}
        self._bound_places = set()
        self._closed_places, self._resolved_places = set(), set()
        self._looked_at = Counter()
        self._replaced = {}
        self._traced = 0
        self._changes: list[Sequence[Change]] = []  # why each program was made
        functools.update_wrapper(self, function, updated=())
        if instance is not None and self._signature.told is not None:
            self.__signature__ = self._signature.told  # without `self`, which is bound
        _alive.add(self)

    # ---- calls

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            if (result := self._first(args, kwargs)) is not MISS:
                return result
        except Exception as error:  # broad: whatever it is, the user's frames are shown, not ours
            self._show(args, kwargs, error)
            raise
        if interpreters():  # called while another function is captured: it becomes part of that one
            return self._call_inside_trace(args, kwargs)
        try:
            for cached in self._recent:
                if (result := cached(args, kwargs)) is not MISS:
                    return result
            return self._call_slowly(args, kwargs)
        except Exception as error:  # broad: whatever it is, the user's frames are shown, not ours
            self._show(args, kwargs, error)
            raise

    def _raise(self, args: tuple[Any, ...], kwargs: dict[str, Any], error: BaseException) -> None:
        """Raise what a native call has raised that no code in Python called."""
        try:
            raise_linked(error)
        except Exception as shown:  # broad: as in `__call__`
            self._show(args, kwargs, shown)
            raise  # which adds no frame of ours

    def _show(self, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> None:
        self._note_failure(args, kwargs, error)
        in_user_terms(error)

    def _call_slowly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not is_enabled() or self._gave_up is not None:
            return self._call_eagerly(args, kwargs)
        self._check_spec(self._signature.unknown(kwargs))
        call = self._signature.call(args, kwargs)
        self._check_spec(call.kwargs)
        feeds = [feed_of(array_of(x)) for x in call.leaves]
        try:
            entry = self._entry(call)
        except CaptureError as error:
            if not self._runs_instead(error):
                raise
            return self._call_eagerly(args, kwargs)
        entry.slow_hits += 1
        free = entry.runner.free.get(call.shapes)
        if free is None:
            free = entry.runner.admit(call.shapes, feeds, call.numbers, call.leaves)
        self._remember(entry, call, (args, kwargs))
        if not (entry.trace.new_state or entry.trace.hooks):
            return entry.runner.run(call.leaves, feeds, free, call.numbers)
        try:
            result = entry.runner.run(call.leaves, feeds, free, call.numbers)
        except BaseException:  # broad: whatever ended the first call, it leaves nothing behind
            self._forget(entry)
            raise
        entry.trace.new_state = []
        change_hooks(entry.trace.hooks)
        entry.trace.hooks = []
        return result

    def _forget(self, entry: CacheEntry) -> None:
        """Take an entry back whose first call failed, with the state that capture made for it."""
        drop(entry.trace.new_state)
        for family in self._families.values():
            family.entries = [e for e in family.entries if e is not entry]
        self._recent, self._first, self._last = (), missed, None

    def _remember(self, entry: CacheEntry, call: Call, raw: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
        form = (len(raw[0]), tuple(raw[1]))
        cached = entry.cached_calls.get(form)
        if cached is None:
            order = self._order_of_numbers(call, raw)
            cached = entry.cached_calls[form] = make_cached_call(entry, call, raw, is_recording(), order)
        others = [h for h in self._recent if isinstance(h, types.FunctionType) and h is not cached][:3]
        native = [made for made in map(native_call, others) if made is not missed]
        self._recent, self._last = (*native, cached, *others), entry
        self._first = native_call(cached)
        if self._first is not missed:
            _begin_in_native_code()

    def _order_of_numbers(self, call: Call, raw: tuple[tuple[Any, ...], dict[str, Any]]) -> tuple[int, ...] | None:
        """Where each number of a call stands among those as written."""
        if not call.numbers or not raw[1]:
            return None
        args, kwargs = map_numbers(lambda k, _: k, raw)  # each number is its own place
        return self._signature.call(args, kwargs).numbers

    def _call_inside_trace(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from .runtime import RUNTIME  # loads the rewriting half, which is there: a trace is running

        self._refuse_static_mode("calls of compiled functions are")
        return RUNTIME.call(self._original(), *args, **kwargs)

    def _refuse_static_mode(self, what: str) -> None:
        if current().is_static:
            raise ModeError(
                f"{self._signature.name}: {what} only available in dynamic mode",
                remedy="call disable_static() first, or use the plain function (`dygraph_function`)",
            )

    # ---- entries

    def _check_spec(self, keywords: Iterable[str]) -> None:
        """An input_spec describes parameters by position: there can't be keywords that it has no entry for."""
        others = [] if self._input_spec is None else [k for k in keywords if k not in self._named_spec]
        if others:
            raise ArgumentError(
                f"{self._signature.name} has an input_spec, so it takes no keyword argument {others[0]!r}",
                remedy="pass it by position, or leave the input_spec out",
            )

    def _family(self, call: Call) -> Family:
        specs, misfits = self._specs(call)
        key = (call.key, is_recording(), flags.default_dtype, amp_policy(), self._mode, tuple(misfits))
        family = self._families.get(key)
        if family is None:
            for name, text in misfits.items():
                warn_of_misfit(self._signature.shown, name, text)
            names = unique_names(call.names)
            order = self._signature.names(len(call.args))
            family = Family(call.leaf_types, names, specs, number_names=call.number_names)
            family.others, family.plain = nearest(key, self._families, order), plain_values(call.key, order)
            self._families[key] = family
            if len(self._families) > MOST_FAMILIES:
                del self._families[next(iter(self._families))]
        return family

    def _specs(self, call: Call) -> tuple[list[InputSpec | None], dict[str, str]]:
        """What is declared of each tensor of a call, and by the argument's name how it differs from that."""
        out: list[InputSpec | None] = []
        misfits: dict[str, str] = {}
        names = self._signature.names(len(call.args))
        for given, value, name in zip(self._input_spec or (), call.args, names, strict=False):
            match_specs(given, value, name, out, misfits)
        for name in self._named_spec and call.kwargs:
            match_specs(self._named_spec.get(name), call.kwargs[name], name, out, misfits)
        out += [None] * (len(call.leaves) - len(out))
        return out, misfits

    def _entry(self, call: Call) -> CacheEntry:
        shapes = call.shapes
        family = self._family(call)
        entry = family.find(shapes, call.numbers, call.leaves)
        if entry is not None:
            return entry
        if cells.on_capture is not None:
            cells.on_capture()
        with tracing_lock, without_collection(lives_on=True):
            entry = family.find(shapes, call.numbers, call.leaves)  # another thread may have made it
            return self._make(family, call, shapes) if entry is None else entry

    def _make(self, family: Family, call: Call, shapes: Shapes) -> CacheEntry:
        start = time.perf_counter()
        places = self._new_places(family)
        family.declare(call.leaves)
        changes = family.learn(shapes, call.numbers, call.leaves)
        reason = "; ".join(change.text for change in changes) or family.first()
        (trace, runner), note = self._compiled(family, call, shapes, places)
        self._resolve(trace)
        flagged = [
            (s.tensor if s.place is None else s, s.tensor.stop_gradient)
            for s in (trace.state if trace.recorded or is_recording() else ())
            if s.tensor.dtype.is_differentiable and s.slot != "number"
        ]
        guards = Guards(trace.assumptions, [*flagged, *trace.stops], [f.__code__ for f in trace.functions])
        runner.guarded_by(guards)
        self._traced += 1
        entry = CacheEntry(
            self._traced, trace, runner, guards, reason + note, time.perf_counter() - start, is_recording()
        )
        if "guards" in wanted:
            log("guards", f"{self._signature.name}: program {entry.number}, because: {entry.reason}")
        free = trace.inputs.numbers - trace.fixed_numbers
        entry.numbers = tuple([FREE if k in free else v for k, v in enumerate(call.numbers)])
        entry.shown = family.arguments(entry)
        family.add(entry, shapes)
        self._changes.append(changes)
        warn_of_many(self._signature.shown, self._changes, stacklevel=6)
        return entry

    # ---- attributes of the user's: a counter, a cache. They are the function's own, so that its code finds them

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_function" not in self.__dict__:
            raise AttributeError(name)
        if any(name in vars(base) for base in type(self).__mro__):
            return object.__getattribute__(self, name)  # a property of ours, whose own error it was
        return getattr(self._function, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_own(name):
            object.__setattr__(self, name, value)
        else:
            setattr(self._function, name, value)

    def __delattr__(self, name: str) -> None:
        if self._is_own(name):
            object.__delattr__(self, name)
        else:
            delattr(self._function, name)

    def _is_own(self, name: str) -> bool:
        own = self.__dict__
        return name in own or "_changes" not in own or name.startswith("__") or hasattr(type(self), name)

    # ---- binding to instances

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        try:
            bound = instance.__dict__[BOUND].table[self]
            if bound._instance is instance:  # else it came along with the attributes of another one
                return bound
        except (AttributeError, KeyError):
            pass  # the first look-up, or an instance without a dict
        return self if instance is None else self._bound_to(instance)

    def _bound_to(self, instance: Any) -> StaticFunction:
        for known in self._bound:
            if known._instance is instance:
                return known
        bound = StaticFunction(self._function, self._input_spec, self._settings, instance)
        attributes = getattr(instance, "__dict__", None)
        if isinstance(attributes, dict):
            BoundMethods.of(attributes, instance).table[self] = bound  # it goes with the instance
        else:
            self._bound = (bound, *self._bound[: MOST_BOUND - 1])
        return bound

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        instance = self._instance
        if instance is None:
            return self._function  # as in Paddle: a copy of a function is the function as it was written
        copied = memo.get(id(instance))
        if copied is None:
            copied = copy.deepcopy(instance, memo) if self._is_method else instance
        made = StaticFunction(self._function, self._input_spec, self._settings, copied)
        made._is_method = self._is_method
        return made

    def __reduce__(self) -> Any:
        return pickled(self, self._instance, self._function, (self._input_spec, self._settings))

    def _original(self) -> Any:
        if self._instance is None:
            return self._function
        return types.MethodType(self._function, self._instance)

    @property
    def dygraph_function(self) -> Any:
        """The function as it was written, bound to its instance."""
        return self._original()

    @property
    def __vitrify_inline__(self) -> Any:
        """What a trace captures when it meets this function."""
        return self._original()

    def rollback(self) -> Any:
        """Put the original function back on its instance, and return it."""
        original = self._original()
        if self._instance is not None:
            instance = original.__self__
            attributes = instance.__dict__
            for name in [n for n, v in attributes.items() if v is self]:
                del attributes[name]
            name = self._function.__name__
            if getattr(instance, name, None) is self:  # decorated in the class
                attributes[name] = original
        return original

    # ---- looking inside

    def get_concrete_program(self, *args: Any, **kwargs: Any) -> tuple[ConcreteProgram, CacheEntry | None]:
        """The program for these arguments (tensors, or InputSpecs in their places) and the entry that runs it.

        With InputSpecs there is no entry (None): the program is only shown.
        """
        if any(isinstance(v, InputSpec) for v in flatten((args, kwargs), is_spec)[0]):
            bound = self._signature.bound(args, kwargs)
            key = repr(bound), self.training
            made = self._from_specs.get(key)
            if made is None or not Guards(made.assumptions, made.stops).hold():
                made = self._from_specs[key] = self.concrete_trace(bound)
            return concrete(made), None
        entry = self._entry(self._signature.call(args, kwargs))
        return concrete(entry.trace), entry

    def _entries(self) -> list[CacheEntry]:
        found = [e for f in self._families.values() for e in f.entries]
        return sorted(found, key=lambda e: e.number)

    @property
    def program_cache(self) -> ProgramCache:
        """The entries, oldest first; without any, the programs that specs gave."""
        shown = [*self._from_specs.values(), *([] if self._from_spec is None else [self._from_spec])]
        entries: list[Any] = self._entries() or [SpecProgram(t) for t in shown]
        return ProgramCache(entries)

    def get_traced_count(self) -> int:
        """How often the function was traced."""
        return self._traced

    def concrete_trace(self, input_spec: Any = None) -> Trace:
        """The trace of the last call; without calls, or for another spec, one made from the spec."""
        self._refuse_static_mode("programs of compiled functions are")
        if input_spec is None and self._last is not None:
            return self._last.trace
        spec = checked_spec(input_spec) if input_spec is not None else self._input_spec
        if spec is None:
            if self._signature.parameters:
                raise ArgumentError(
                    f"{self._signature.name} has no program yet", remedy="call it once, or give an input_spec"
                )
            spec = ()
        if input_spec is not None or self._from_spec is None:
            with tracing_lock:
                made = self._trace(self._inputs_of(spec))
            if input_spec is not None:
                return made
            self._from_spec = made
        return self._from_spec

    def _inputs_of(self, spec: Any) -> TraceInputs:
        args, named = self._signature.split(spec)
        self._signature.bound(args, named)  # tells which argument is missing
        leaves, tree = flatten((args, named), is_spec)
        names: list[str] = []
        for name, value in [*zip(self._signature.names(len(args)), args, strict=True), *named.items()]:
            names += spec_names(name, value)
        specs = [as_spec(s, n) for s, n in zip(leaves, names, strict=True)]
        names = unique_names([s.name or n for s, n in zip(specs, names, strict=True)])
        family = Family([], names, list(specs))
        family.leaf_types = [None] * len(specs)  # type: ignore[list-item]
        types_, _ = family.types(None)
        stop = [s.stop_gradient if isinstance(s, InputSpec) else True for s in leaves]
        return TraceInputs(tree, tuple(InputLeaf(n, t, g) for n, t, g in zip(names, types_, stop, strict=True)))

    def certificate(self, *, strict: bool = False) -> Certificate:
        """What became of each statement: in the program, evaluated while capturing (with guarded values), or opaque.

        It is about the program of the last call, or of the input_spec. strict: CaptureError if a statement is opaque.
        """
        inputs = self.concrete_trace().inputs
        with tracing_lock, lines_run() as run:
            made = self._trace(inputs, list(self._places.values()))
        drop(made.new_state)
        found = certify(self._signature.name, made, run)
        return found.check() if strict else found

    def __repr__(self) -> str:
        return f"<StaticFunction {self._signature.name}, {self._traced} program{'' if self._traced == 1 else 's'}>"


def _forget_recent() -> None:
    for function in list(_alive):
        function._recent, function._first = (), missed


on_switch.append(_forget_recent)


@functools.cache
def _begin_in_native_code() -> None:
    """Let calls begin where a native call takes over, not in `__call__`: for the first native call of all."""
    call_natively_first(StaticFunction, MISS, StaticFunction._raise)
