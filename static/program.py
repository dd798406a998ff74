"""Program, Block, Operator: views over a recorder's program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.dtype import LOW_FLOATS, as_dtype, float32
from ..base.errors import ArgumentError, KindError, ModeError
from ..base.flags import flags
from ..dygraph.eager import from_array
from ..dygraph.random_generators import Generator, default_generator
from ..dygraph.storage import Storage
from ..dygraph.tensor import Parameter, Tensor
from ..ir.core import Operation, Value
from ..ir.printer import print_program
from ..jit.trace.tracer import Lifted
from ..ops.infer import show_shape
from ..ops.op import OPS
from .append import append
from .build import finished
from .clone import copy_recorder
from .creation import create_parameter
from .current import current_startup, recording, state, switch_main_program, switch_startup_program
from .inner_blocks import inner_view, places
from .op_steps import as_initializer, grouped, titles
from .operator_views import Operator
from .program_subject import subject_of
from .recorder import Recorder, ValueInScope
from .scope import Scope, global_scope
from .variable import Persistable, Variable


class Program:
    """A program that grows with each op called under its `program_guard`.

    `random_seed`: other than 0, every run draws the same random numbers. Setting it for the default main program while
    ops run at once seeds these, too.

    >>> Program().num_blocks
    1
    """

    serve: Callable[[Scope], None] | None = None  # what an Executor calls to run a parameter server's program
    ends: Callable[[], None] | None = None  # what an Executor that has run it calls when it is closed
    pipeline_stage: int | None = None  # which stage of a pipeline it is
    sums_up = False  # whether `static.auc` counts over all runs in it
    _seed_of_new = 0  # what `global_seed` set

    def __init__(self) -> None:
        self.recorder = Recorder(self, "main")
        self._random_seed = Program._seed_of_new
        self.vars: dict[str, Any] = {}
        self.keeps_feeds = False  # whether any of its feeds is persistable
        self.readers: list[Any] = []  # loaders whose `next_feed()` gives what isn't fed (`from_generator`)
        self.startup: Program | None = None
        self.origin: Program | None = None  # the program that this one is a copy of
        self.default_fetches: list[Any] = []  # what a run without a fetch_list hands out
        self._lr_schedulers: list[Any] = []
        self.cache: dict[Any, Any] = {}
        self.quick: dict[Any, Any] = {}
        self._seeded: Generator | None = None

    @property
    def random_seed(self) -> int:
        """The seed of every run; 0 for none."""
        return self._random_seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ArgumentError(f"random_seed must be an int, not {seed!r}")
        self._random_seed = seed
        if seed and not state.static and self is state.main:
            default_generator.manual_seed(seed)

    def global_seed(self, seed: int = 0) -> None:
        """Set the seed of this program and of those that are made from now on; 0 for none."""
        self.random_seed = seed
        Program._seed_of_new = seed

    # ---- what is in it

    def global_block(self) -> Block:
        """The outermost block."""
        return Block(self)

    def current_block(self) -> Block:
        """The outermost block: inner ones are open only while `cond` or `while_loop` runs their functions."""
        return Block(self)

    def block(self, index: int) -> Block:
        """The block of a number: 0 is the outermost, the others are those of `blocks`. Errors: ArgumentError."""
        found = self.blocks
        if not 0 <= index < len(found):
            raise ArgumentError(f"there is no block {index}: the program has {len(found)}")
        return found[index]

    @property
    def blocks(self) -> list[Block]:
        """The outermost block, then those inside control flow, each behind the one around it."""
        self.recorder.note_writes()
        inner = [_InnerBlock(self, place) for place in places(self.recorder.program.body)[1:]]
        return [Block(self), *inner]

    @property
    def num_blocks(self) -> int:
        """How many blocks there are: 1 without control flow."""
        self.recorder.note_writes()
        return len(places(self.recorder.program.body))

    @property
    def version(self) -> int:
        """Grows with every change."""
        recorder = self.recorder
        recorder.note_writes()
        return len(recorder.program.body.operations) + 1_000_003 * len(recorder.writes)

    def list_vars(self) -> Iterator[Any]:
        """All variables that have a name."""
        return iter(list(self.vars.values()))

    def all_parameters(self) -> list[Any]:
        """The parameters."""
        return [v for v in self.vars.values() if isinstance(v, Parameter)]

    def persistables(self) -> list[Any]:
        """Variables that keep their values between runs, those of optimisers and layers included."""
        self.recorder.note_writes()
        found = {v.name: v for v in self.vars.values() if getattr(v, "persistable", False)}
        for entry in self.recorder.lifted.values():
            found.setdefault(entry.tensor.name, entry.tensor)
        return list(found.values())

    def register(self, variable: Any) -> None:
        """Make a variable known by its name."""
        self.vars[variable.name] = variable

    def add_persistable(self, variable: Any, values: Callable[[], Tensor] | None, described: Any = None) -> None:
        """Make a persistable variable known here and in the startup program, which makes its first value.

        described: the kind and the attributes of the operator that makes it.
        """
        known = self.vars.get(variable.name)
        if known is not None and tuple(known.shape) != tuple(variable.shape):
            raise ArgumentError(f"there is a variable {variable.name} of another shape, {list(known.shape)}")
        self.vars[variable.name] = variable
        if values is not None:
            startup = current_startup()
            if isinstance(variable, Parameter) and startup.recorder.makes(variable.name, variable.shape):
                return  # a parameter that is shared by its name has one first value
            startup.vars[variable.name] = variable
            with recording(startup), as_initializer(startup.recorder, described, variable.name):
                startup.recorder.initialise(variable, _simple(values(), variable))

    def adopt_state(self, name: str, value: Value, *, rng: bool = False) -> None:
        """A persistable variable for a state entry that the program has already, or the stream of random numbers."""
        if rng:  # `vt.seed` decides what a loaded program draws, too
            drawn = default_generator.state
            self.recorder.lifted[id(drawn._storage)] = Lifted(value, drawn._storage, drawn, drawn._storage.payload)
            return
        kind = value.tensor_type
        made = Persistable.__new__(Persistable)
        cell = Storage(ValueInScope(kind.shape, kind.dtype))
        made.__dict__.update(_storage=cell, _dtype=kind.dtype, _stop=True, _name=name, recorder=self.recorder)
        self.recorder.lifted[id(cell)] = Lifted(value, cell, made, cell.payload)
        self.vars[name] = made

    def add_global(
        self, name: str, start: Any, *, trainable: bool = False, shape: Sequence[int] | None = None, dtype: Any = None
    ) -> Any:
        """A persistable variable outside of any layer. `start`: an array, or None where a user will set it."""
        kind = as_dtype(dtype or str(np.asarray(start).dtype))
        made = Persistable.__new__(Persistable)
        sizes = tuple(np.asarray(start).shape if shape is None else shape)
        made.__dict__.update(
            _storage=Storage(ValueInScope(sizes, kind)), _dtype=kind, _stop=not trainable, _name=name,
            recorder=self.recorder,
        )  # fmt: skip
        values = None
        if start is not None:
            filled = np.broadcast_to(np.asarray(start, kind.numpy), sizes)

            def values() -> Tensor:
                return from_array(np.array(filled, kind.numpy))

        self.add_persistable(made, values)
        return made

    # ---- text

    @property
    def desc(self) -> Program:
        """Itself: what Paddle's description holds is here."""
        return self

    def serialize_to_string(self) -> bytes:
        """Its text as bytes, with the names that variables were given or asked for; `parse_from_string` takes it."""
        shown = [(v._storage.payload, name) for name, v in self.vars.items() if isinstance(v._storage.payload, Value)]
        before = [value.hint for value, _ in shown]
        try:
            for value, name in shown:
                value.hint = name
            return self.to_string().encode()
        finally:
            for (value, _), hint in zip(shown, before, strict=True):
                value.hint = hint

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """The program as text: what is forward, whose gradient an operation belongs to, which parameter it updates.

        with_details: also which line of yours made each operation.
        """
        made, recorder = finished(self, clean=False).program, self.recorder
        lines = titles(recorder.program.body.operations, made.body.operations, recorder.roles)
        return print_program(made, locs=with_details, titles=lines)

    def __str__(self) -> str:
        return self.to_string()

    def _repr_html_(self) -> str:
        return finished(self, clean=False).program._repr_html_()

    def _as_subject(self) -> Any:
        """What `vt.report` shows."""
        return subject_of(self)

    __repr__ = object.__repr__

    @staticmethod
    def parse_from_string(text: str | bytes) -> Any:
        """The program of a text made by `to_string`, as an ir.Program, ready for `Executor.run`."""
        from ..ir.parser import parse_program

        return parse_program(text.decode() if isinstance(text, bytes) else text)

    # ---- copies

    def clone(self, for_test: bool = False) -> Program:
        """A copy with the same names, so that parameters are shared through the scope.

        for_test: without gradients and updates, and with dropout and batch norm as in testing. Errors: ModeError for a
        stage of a pipeline, which has no other program for testing.
        """
        if for_test and self.pipeline_stage is not None:
            raise ModeError("clone(for_test=True) of a stage of a pipeline isn't there",
                            remedy="clone the program before minimize")  # fmt: skip
        copy = Program()
        copy.pipeline_stage = self.pipeline_stage
        copy.random_seed, copy.startup, copy.origin = self.random_seed, self.startup, self
        copy.readers = list(self.readers)
        copy_recorder(self.recorder, copy.recorder, for_test=for_test)
        mapping = copy.recorder.counterparts
        for name, variable in self.vars.items():
            payload = variable._storage.payload
            if not isinstance(payload, Value):
                copy.vars[name] = variable
            elif payload in mapping:
                made = copy.recorder.variable(mapping[payload], variable.stop_gradient)
                made.is_data, made.need_check_feed = variable.is_data, variable.need_check_feed
                made.persistable = variable.persistable
                made._name = name
                copy.vars[name] = made
        return copy

    # ---- state

    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """Values of persistable variables by name. mode: "param", "opt" (all others) or "all"."""
        if mode not in ("all", "param", "opt"):
            raise ArgumentError(f"state_dict: mode must be 'all', 'param' or 'opt', not {mode!r}")
        place = scope or global_scope()
        wanted = {"all": (True, False), "param": (True,), "opt": (False,)}[mode]
        return {v.name: place.value_of(v) for v in self.persistables() if isinstance(v, Parameter) in wanted}

    def set_state_dict(self, state_dict: dict[str, Any], scope: Any = None) -> None:
        """Set persistable variables by name; names that the program lacks are passed over with a warning."""
        import warnings

        if not isinstance(state_dict, dict):
            raise KindError(f"set_state_dict needs a dict, not a {type(state_dict).__name__}")
        place = scope or global_scope()
        known = {v.name: v for v in self.persistables()}
        for name, value in state_dict.items():
            variable = known.get(name)
            if variable is None:
                warnings.warn(f"the program has no variable {name}", stacklevel=2)
                continue
            place.assign(variable, value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Program:
        return self.clone()

    def seeded_state(self) -> Any:
        """The random generator's state for a run with `random_seed`."""
        return np.array([self.random_seed, 0], np.int64)


class Block:
    """A view of a program's outermost block."""

    idx = 0
    parent_idx = -1
    forward_block_idx = -1

    def __init__(self, program: Program) -> None:
        self.program = program

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Block) and other.program is self.program

    def __hash__(self) -> int:
        return hash(id(self.program))

    @property
    def ops(self) -> list[Operator]:
        """Its operations, in order; an operation's gradient is one (`reduce_mean_grad`), an update, too (`sgd`)."""
        return [Operator(self, made, step) for step, made in grouped(self.operations, self.program.recorder)]

    def view_of(self, operation: Operation) -> Operator:
        """A view of one operation."""
        return Operator(self, [operation])

    @property
    def operations(self) -> list[Operation]:
        """The operations behind the views."""
        found: list[Operation] = self.program.recorder.program.body.operations
        return found

    @property
    def vars(self) -> dict[str, Any]:
        """Its variables by name."""
        return self.program.vars

    def var(self, name: str) -> Any:
        """The variable of a name. Errors: ArgumentError (a ValueError)."""
        if not isinstance(name, str):
            raise KindError(f"a variable's name is a str, not a {type(name).__name__}")
        found = self.program.vars.get(name)
        if found is None:
            raise ArgumentError(f"there is no variable {name} in this block")
        return found

    def has_var(self, name: str) -> bool:
        """Whether there is a variable of that name."""
        return name in self.program.vars

    _find_var_recursive = vars_get = lambda self, name: self.program.vars.get(name)
    _var_recursive = var

    def all_parameters(self) -> list[Any]:
        """The program's parameters."""
        return self.program.all_parameters()

    def create_var(
        self, name: str | None = None, shape: Sequence[Any] | None = None, dtype: Any = None,
        persistable: bool = False, stop_gradient: bool = False, **_: Any,
    ) -> Any:  # fmt: skip
        """A variable made beforehand: the output of `py_func` or `append_op`, or a persistable one.

        Errors: ArgumentError for a shape that isn't known where it must be.
        """
        key = name or unique_name.generate("_generated_var")
        known = self.program.vars.get(key)
        if known is not None and (shape is None or list(known.shape) == [-1 if d is None else d for d in shape]):
            return known
        if known is not None:
            raise ArgumentError(f"the variable {key} has the shape {show_shape(known.shape)}, not {list(shape or ())}")
        kind = as_dtype(dtype) if dtype is not None else flags.default_dtype
        if persistable:
            return self.program.add_global(key, None, shape=tuple(shape or ()), dtype=kind)
        made = Declared.__new__(Declared)
        sizes = tuple(-1 if d is None else d for d in shape or ())
        made.__dict__.update(
            _storage=Storage(ValueInScope(sizes, kind)), _dtype=kind, _stop=stop_gradient, _name=key,
            recorder=self.program.recorder, declared=shape is not None,
        )  # fmt: skip
        self.program.register(made)
        return made

    def create_parameter(
        self, shape: Sequence[int], dtype: Any, name: str | None = None, initializer: Any = None,
        trainable: bool = True, lod_level: int = 0, **settings: Any,
    ) -> Any:  # fmt: skip
        """A parameter of this program, whose operations make its first value by `initializer`, if one is given.

        Without one the startup program makes the first value. settings: `attr`, `is_bias` and `default_initializer` of
        `static.create_parameter`.
        """
        before, startup = switch_main_program(self.program), current_startup()
        if initializer is not None:
            settings["default_initializer"] = initializer
            switch_startup_program(self.program)
        try:
            made = create_parameter(shape, dtype, name, **settings)
        finally:
            switch_main_program(before)
            switch_startup_program(startup)
        made.trainable = trainable
        return made

    def append_op(
        self, type: str, inputs: dict[str, Any] | None = None, outputs: dict[str, Any] | None = None,
        attrs: dict[str, Any] | None = None, **_: Any,
    ) -> Operator:  # fmt: skip
        """Call an op by its name: its inputs in order, `attrs` by name; `outputs` take its results.

        Errors: ArgumentError for an op that isn't there.
        """
        with recording(self.program):
            append(type, inputs or {}, outputs or {}, attrs or {})
        return self.ops[-1]


_InnerBlock = inner_view(Block)


class Declared(Variable):
    """A variable of known name, type and shape: an operation or a feed will give it its value."""

    awaits = True
    declared = True  # with its shape


def _simple(values: Tensor, like: Any) -> Any:
    """An array whose elements are equal as a `full`; any other array as a constant of the program."""
    array = values._storage.payload
    if not isinstance(array, np.ndarray):
        return values
    recorder = current_startup().recorder
    first = array.flat[0].item() if array.size else 0
    if (array == first).all():
        return OPS["full"](tuple(array.shape), first, like._dtype)
    if like._dtype in LOW_FLOATS:
        wide = recorder.builder.constant(array.astype(np.float32), float32)
        return OPS["cast"](recorder.variable(wide, True), like._dtype)
    return recorder.variable(recorder.builder.constant(array, like._dtype), True)
