"""A program as a function of tensors: forward and backward executables as one node of the tape.

The backward program is made with the forward one but compiled at its first use. For gradients of gradients the node
runs one joint program (forward and backward in one, which reads arguments only), itself such a function; and so on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...base.dtype import bool_, of_array
from ...base.errors import GradientError
from ...base.events import span
from ...dygraph.modes import is_recording
from ...dygraph.places import loc_of, user_place
from ...dygraph.storage import Storage
from ...dygraph.tape import FunctionNode, check_version, record_function
from ...dygraph.tensor import Tensor, wrap
from ...ir.builder import Builder
from ...ir.core import Program, Value
from ...ir.walk import clone_program
from ...ops.dims import deciding
from ...ops.effects import Effect
from ...ops.sizes import freshened
from ...ops.types import TensorType
from ...passes.algebra.dce import DeadCode
from ...passes.autodiff.block_vjps import vjp_block
from ...passes.autodiff.differentiate import Differentiated, differentiate
from ...passes.autodiff.presence import Dependence
from ...passes.autodiff.reverse import Arrived, by_constraints, inputs_of
from ...passes.autodiff.size_values import fitted
from ...runtime.interpreted import ReferenceExecutable
from ...runtime.options import DEFAULT, CompileOptions
from ...runtime.program_cache import kept
from .array_lists import CALLBACKS, LISTS

Array = np.ndarray[Any, Any]
_BOOL = TensorType(bool_, ())
Callbacks = Mapping[str, Callable[..., Any]]


def compile_lazily(program: Program, callbacks: Callbacks, options: CompileOptions = DEFAULT) -> Any:
    """compile_program, imported at its first use: it loads LLVM. As the options say."""
    if options.numerics == "reference":
        return ReferenceExecutable(program, callbacks)
    if options.compile == "background":
        from ...runtime.background import compile_in_background

        return compile_in_background(program, callbacks, options)
    from ...runtime.compiler import compile_program

    return compile_program(program, callbacks=callbacks, options=options)


def run_unchecked(executable: Any, feeds: Sequence[Array], state: Sequence[Array] = ()) -> list[Array]:
    """Run an executable on arrays that are known to fit."""
    bound = executable.bind([*feeds, *state])
    try:
        return bound.call(feeds, state)  # type: ignore[no-any-return]
    finally:
        executable.release(bound)


def _above(value: Value) -> set[Value]:
    """A value, and those that gradients of it go to."""
    found, waiting = {value}, [value]
    while waiting:
        maker = waiting.pop().operation
        if maker is not None and maker.name != "stop_gradient":
            new = [v for v in inputs_of(maker) if v not in found and _carries_gradients(v)]
            found.update(new)
            waiting += new
    return found


def _carries_gradients(value: Value) -> bool:
    return not isinstance(value.type, TensorType) or value.type.dtype.is_differentiable


class GradientPrograms:
    """A program with the gradients of some of its arguments (`wrt`, numbers over feeds then state)."""

    def __init__(
        self, program: Program, wrt: Sequence[int], callbacks: Callbacks, options: CompileOptions = DEFAULT,
        read: Collection[int] | None = None,
    ) -> None:  # fmt: skip
        """read: the arguments that eager mode's gradients read, too; None: all."""
        self.program = program
        self.wrt = tuple(wrt)
        self.callbacks = callbacks
        self.options = options
        start = time.perf_counter()
        with span("differentiate"):
            self.made: Differentiated = kept(
                lambda: differentiate(program, self.wrt, fuse=options.numerics != "reference"),
                program,
                options,
                "differentiate",
                self.wrt,
            )
        if self.made.lists:
            self.callbacks = {**callbacks, **CALLBACKS}
        every = {Dependence.ALWAYS}
        self.certain = all(not isinstance(link, int) and set(link) == every for link in self.made.links)
        self.seconds = time.perf_counter() - start
        self.forward = compile_lazily(self.made.forward, self.callbacks, options)
        self._backward: Any = None
        self._joint: ProgramFunction | None = None
        self.kept = [r.index for r in self.made.residuals if r.kind == "argument"]
        count, self.feeds = len(program.body.args), len(program.feeds)
        self.lent = frozenset(() if read is None else (k for k in self.kept if k < self.feeds and k not in read))
        self.places = [r.index if r.kind == "argument" else count + r.index for r in self.made.residuals]
        fetched = [r.index for r in self.made.residuals if r.kind == "fetch"]
        self.seen = [k for k in fetched if k < self.made.fetches]  # results that backward reads, too

    @cached_property
    def inner(self) -> dict[int, frozenset[int]]:
        """Numbers of fetches that gradients of others pass through, with those others."""
        made = {k: self.program.fetches[k] for k in self.made.seeds}
        above = {k: _above(value) - {value} for k, value in made.items()}
        found = {k: frozenset(j for j in made if value in above[j]) for k, value in made.items()}
        return {k: others for k, others in found.items() if others}

    @property
    def backward(self) -> Any:
        """The backward executable."""
        if self._backward is None:
            self._backward = compile_lazily(self.made.backward, self.callbacks, self.options)
        return self._backward

    @property
    def joint(self) -> ProgramFunction:
        """Arguments and output gradients -> gradients, for higher orders."""
        if self._joint is None:
            joint = gradient_program(self.program, self.made)
            self._joint = ProgramFunction(joint, self.callbacks, self.options)
        return self._joint

    def record(
        self, label: str, arguments: Sequence[Any], arrays: Sequence[Array], fetched: Sequence[Array],
        results: Sequence[Tensor], recorded: Sequence[int],
    ) -> FunctionNode:  # fmt: skip
        """Record one run. arguments: tensors or arrays in the program's order; results: the new tensors for fetches;
        recorded: those that get their place in the graph here.

        A write in place to a result that backward reads moves it to other memory first.
        """
        made = self.made
        outputs = [results[k] for k in recorded]
        for y in outputs:
            y._stop = False  # nobody has seen it yet: this counts as no change of tensors
        for k in self.seen:
            results[k]._storage.shared = True
        run = _Run(self, arguments, arrays, fetched, recorded)
        return record_function(
            label, [arguments[k] for k in made.gradients], outputs, run.backward, on_release=run.release,
            place=run.place,
        )  # fmt: skip


_FEW_BYTES = 1 << 16  # of an array that is copied; of more, a write goes to other memory


def _lent(x: Any, array: Array) -> Array:
    """An argument's array as backward is to find it: the caller may fill the argument with the next batch before that.

    Arrays of NumPy's count no writes; of a tensor eager mode's gradients don't read the elements.
    """
    if not isinstance(x, Tensor) or array.nbytes <= _FEW_BYTES:
        return array.copy()
    x._storage.share()
    return array


class _Run:
    """What one forward run keeps for backward."""

    __slots__ = ("arguments", "numbers", "pair", "place", "residuals", "specs", "versions")

    @property
    def inner(self) -> dict[int, frozenset[int]]:
        """The places of results from which others were computed, with those of the others."""
        places = {number: slot for slot, number in enumerate(self.numbers)}
        found = ((k, others) for k, others in self.pair.inner.items() if k in places)
        return {places[k]: frozenset(places[j] for j in others if j in places) for k, others in found}

    def __init__(
        self,
        pair: GradientPrograms,
        arguments: Sequence[Any],
        arrays: Sequence[Array],
        fetched: Sequence[Array],
        numbers: Sequence[int],
    ) -> None:
        self.pair = pair
        self.numbers = numbers
        feeds, lent = pair.feeds, dict[int, Array]()
        for k in pair.kept:
            if k < feeds and (not isinstance(x := arguments[k], Tensor) or (k in pair.lent and x._stop)):
                lent[k] = _lent(x, arrays[k])
        every = [*arrays, *fetched]
        self.residuals = [lent[k] if k in lent else every[k] for k in pair.places]
        self.arguments: Sequence[Any] = [lent.get(k, x) for k, x in enumerate(arguments)] if lent else arguments
        self.versions: list[tuple[Storage, int, int]] = [
            (cell := arguments[k]._storage, cell.version, k) for k in pair.kept if k not in lent
        ]
        self.specs = [(fetched[k].shape, fetched[k].dtype) for k in pair.made.seeds]
        self.place = user_place()

    def release(self) -> None:
        self.drop_lists()
        self.residuals, self.versions, self.arguments = [], [], ()

    def drop_lists(self) -> None:
        """Forget what the loops of this run have kept in Python."""
        if self.residuals and self.pair.made.lists:
            LISTS.drop(self.residuals[k] for k in self.pair.made.lists)

    __del__ = drop_lists

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        """One gradient (or None) per output -> one per entry of `gradients`."""
        pair = self.pair
        if is_recording():
            return self._recorded(grads)
        self._require_unwritten(None)
        given = dict(zip(self.numbers, grads, strict=True))
        seeds = []
        for number, (shape, dtype) in zip(pair.made.seeds, self.specs, strict=True):
            g = given.get(number)
            seeds.append(np.zeros(shape, dtype) if g is None else g._storage.payload)
        seeds += pair.made.told(given.get(number) is not None for number in pair.made.seeds)
        found = run_unchecked(pair.backward, [*self.residuals, *seeds])
        made = [wrap(a, _dtype_of(pair, k)) for k, a in zip(pair.made.gradients, found, strict=False)]
        return made if pair.certain and None not in grads else self._reached(made, given, found)

    def _require_unwritten(self, read: Collection[int] | None) -> None:
        """GradientError where an argument that is read was written since; read: their numbers, None: all of them."""
        program = self.pair.program
        for cell, version, k in self.versions:
            if read is None or k in read:
                check_version(cell, version, f"argument {_argument_name(program, k)} of {program.name}", self.place)

    def _reached(self, made: Sequence[Any], given: Mapping[int, Any], found: Sequence[Any]) -> list[Any]:
        """The gradients, None for those of arguments on which nothing depends that a gradient arrived for."""
        arrived = [given.get(number) is not None for number in self.pair.made.seeds]
        return [
            g if _is_there(link, arrived, found) else None for g, link in zip(made, self.pair.made.links, strict=True)
        ]

    def _recorded(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        """The same under create_graph: by the joint program, which is on the tape itself."""
        pair = self.pair
        given = dict(zip(self.numbers, grads, strict=True))
        feeds = len(pair.program.feeds)
        seeds = []
        for number, (shape, dtype) in zip(pair.made.seeds, self.specs, strict=True):
            g = given.get(number)
            seeds.append(as_tensor(np.zeros(shape, dtype)) if g is None else g)
        known = [as_tensor(a) for a in self.arguments]
        seeds += map(as_tensor, pair.made.told(given.get(number) is not None for number in pair.made.seeds))
        joint, between, updated = pair.joint, len(seeds), _updated(pair.program)
        read = {k if k < feeds else k - between for k in joint.read if not feeds <= k < feeds + between}
        for k in sorted(read & updated):
            raise GradientError(
                f"a second derivative of {pair.program.name} needs {_argument_name(pair.program, k)} "
                "as it was before the call changed it",
                loc=loc_of(self.place),
                remedy="use eval() mode, or differentiate twice in eager mode",
            )
        self._require_unwritten(read)
        found = joint.apply([*known[:feeds], *seeds, *known[feeds:]])
        return self._reached(found[: len(pair.made.gradients)], given, [x._storage.payload for x in found])


def _is_there(link: tuple[Dependence, ...] | int, arrived: Sequence[bool], found: Sequence[Any]) -> bool:
    """Whether a run has a gradient. link: see `Differentiated`; found: the fetches of the backward program."""
    if isinstance(link, int):
        return bool(found[link])
    return any(a and dependence is Dependence.ALWAYS for a, dependence in zip(arrived, link, strict=True))


class ProgramFunction:
    """A program without side effects that is applied to tensors."""

    def __init__(self, program: Program, callbacks: Callbacks, options: CompileOptions = DEFAULT) -> None:
        self.program = program
        self.callbacks = callbacks
        self.options = options
        self.read = [k for k, v in enumerate(program.body.args) if v.uses]
        self._plain: Any = None
        self._pairs: dict[tuple[int, ...], GradientPrograms] = {}

    def apply(self, arguments: Sequence[Tensor]) -> list[Tensor]:
        """Run on tensors (feeds, then state); recorded when gradients are wanted."""
        count = len(self.program.feeds)
        arrays = [x._storage.payload for x in arguments]
        wrt = tuple(k for k, x in enumerate(arguments) if not x.stop_gradient and x.dtype.is_differentiable)
        if not (wrt and is_recording()):
            if self._plain is None:
                self._plain = compile_lazily(self.program, self.callbacks, self.options)
            return [as_tensor(a) for a in self._plain.run(arrays[:count], tuple(arrays[count:]))]
        pair = self._pairs.get(wrt)
        if pair is None:
            pair = self._pairs[wrt] = GradientPrograms(self.program, wrt, self.callbacks, self.options)
        fetched = pair.forward.run(arrays[:count], tuple(arrays[count:]))
        made = [as_tensor(a) for a in fetched[: pair.made.fetches]]
        if pair.made.gradients:
            pair.record(self.program.name, arguments, arrays, fetched, made, pair.made.seeds)
        return made


def gradient_program(program: Program, made: Differentiated) -> Program:
    """One program that does what forward and backward do: from arguments and output gradients to gradients.

    Its arguments: feeds, then what the backward program takes besides residuals, then state; its fetches are those of
    the backward program.
    """
    joint = clone_program(program)
    joint.name = f"{program.name}.gradient"
    arguments = [joint.body.args[k] for k in made.gradients]
    outputs = [joint.fetches[k] for k in made.seeds]
    end = joint.body.terminator.loc
    joint.body.terminator.erase()
    for operation in [o for o in joint.body.operations if o.op.effect is Effect.STATE]:
        operation.erase()
    builder = Builder(joint.body)
    builder.loc = end
    with deciding(by_constraints(program.constraints)), builder.active():
        fed = [
            joint.add_feed(_free_name(joint, f"gradient{k}"), freshened(v.tensor_type)) for k, v in enumerate(outputs)
        ]
        told = [joint.add_feed(_free_name(joint, f"there{k}"), _BOOL) if made.asks else None for k in made.seeds]
        given = [Arrived(fitted(g, v.type), flag) for g, v, flag in zip(fed, outputs, told, strict=True)]
        grads = vjp_block(builder, outputs, given, arguments, block=joint.body)
        flags = [
            builder.constant(True, bool_) if a is None or a.there is None else a.there
            for a, link in zip(grads, made.links, strict=True) if isinstance(link, int)
        ]  # fmt: skip
    builder.return_([*(a.gradient for a in grads if a is not None), *flags])
    joint.fetch_names = []
    DeadCode().run(joint)
    return joint


def _free_name(program: Program, name: str) -> str:
    """The name, or one like it that no argument has: gradients of gradients have seeds of the same kind."""
    taken, made, k = {*program.feeds, *(entry.name for entry in program.state)}, name, 1
    while made in taken:
        k += 1
        made = f"{name}_{k}"
    return made


def as_tensor(value: Any) -> Tensor:
    """A tensor over an array; a tensor itself."""
    if isinstance(value, Tensor):
        return value
    return wrap(value, of_array(value))


def _updated(program: Program) -> set[int]:
    """Numbers of the arguments that a program writes."""
    return {o.operands[0].index for o in program.body.operations if o.op.effect is Effect.STATE}


def _dtype_of(pair: GradientPrograms, argument: int) -> Any:
    return pair.program.body.args[argument].tensor_type.dtype


def _argument_name(program: Program, k: int) -> str:
    return [*program.feeds, *(entry.name for entry in program.state)][k]
