"""What a trace takes and gives: the joint between jit/trace/tracing.py, which makes a `Trace`, and jit/function.py.

`jit.trace.trace(fn, inputs, *, name) -> Trace`: `fn` is the plain function (bound methods: the bound method itself),
`inputs` the arguments with a description in place of each tensor. No facade object appears here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from types import FunctionType
from typing import Any, Literal

from ...base.dtype import DType
from ...base.errors import CaptureError, ShapeError
from ...base.log import log
from ...base.pytree import Tree
from ...dygraph.hooks import hooks_of
from ...dygraph.tensor import Tensor
from ...dygraph.views import form_in_memory
from ...ir.core import Program
from ...ir.walk import walk
from ...ops.types import TensorType
from .gradients.hook_sets import HookSet
from .state.containers import Around
from .state.rollback import MISSING, same

LAYOUT = "memory layout"  # among the facts of a tensor: how its elements lie


class NotWorthIt(CaptureError):
    """With numbers left open, capture took many times the work of the programs that were made for their values."""


class BelowZero(ShapeError):
    """A size of the program is below 0 in this call, which needs a program for its sizes alone."""


@dataclass(slots=True)
class Lessons:
    """What the traces of one call teach each other: the same code with other sizes left open has as many paths.

    from_before: they are those of an earlier call. Where they lead nowhere, all ways are tried. most: operations that
    the attempts may record while numbers are open; None for as many as it takes. done: those of attempts that failed.
    filled: the lines where calls make NumPy arrays that are filled with elements of a run.
    """

    in_steps: bool = False
    tries_few: bool = True
    from_before: bool = False
    most: int | None = None
    done: int = 0
    filled: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def after(cls, earlier: Lessons | None) -> Lessons:
        """For another call of the function: that all other ways take more work is known, and takes most of the time."""
        is_long = earlier is not None and earlier.in_steps and not earlier.tries_few
        return cls(True, False, True) if is_long else cls()

    def allow(self, most: int | None) -> None:
        """What the attempts that follow may do, whatever was done before."""
        self.most, self.done = most, 0

    def left(self) -> int | None:
        """How much of it the next attempt may do."""
        return None if self.most is None else max(self.most - self.done, 0)


@dataclass(frozen=True, slots=True)
class InputLeaf:
    """One tensor among the arguments. Its type is that of the program's feed of the same number.

    example: the tensor (or array) of the call that is traced; None when only an InputSpec is known.
    """

    name: str
    type: TensorType
    stop_gradient: bool = True
    example: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes; -1 for one that is left open."""
        return tuple(d if isinstance(d, int) else -1 for d in self.type.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.type.dtype


@dataclass(frozen=True, slots=True)
class TraceInputs:
    """The arguments of one trace: `unflatten(tree, tensors)` is `(args, kwargs)`; `leaves` are the tensors in order.

    sizes: the sizes of the symbols in the call that is traced (empty when only InputSpecs are known); a comparison
    of sizes that no type decides may be decided by them, and becomes a constraint of the program.
    numbers: which of the Python numbers among the arguments (counted as `numbers_in` does) are filled in at each call.
    varied: those of them that had many values: the code finds them as numbers that only a run knows.
    pinned: leaves whose memory is that of a tensor which the function finds elsewhere: the trace takes them for it.
    same: which containers among the arguments are one object (`containers.same_objects`).
    """

    tree: Tree
    leaves: tuple[InputLeaf, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)
    numbers: frozenset[int] = frozenset()
    pinned: frozenset[int] = frozenset()
    same: tuple[int | None, ...] = ()
    varied: frozenset[int] = frozenset()


@dataclass(slots=True)
class StateTensor:
    """A tensor that the program reads from outside its arguments: one per state entry of the program, in order.

    role: parameter, buffer, moment, rng, constant (a captured tensor), gradient or number. `updated`: the program
    writes it. slot "grad": the array is that of `tensor.grad` at the time of the call, "data": that of the tensor
    itself, "number": the Python number that is at `place` then (`tensor` is as it was when the trace was made),
    "argument": the `.grad` of the argument that `place` names.
    place: where the tensor is found at each call, if the function itself puts another one there. others: further places
    that hold it. is_cut: it is a certain view of another entry's tensor, which the program writes. form: how its
    elements lie in memory, where code depends on that.
    """

    tensor: Tensor
    name: str
    role: str = "parameter"
    updated: bool = False
    slot: Literal["data", "grad", "number", "argument"] = "data"
    place: Assumption | None = None
    is_cut: bool = False
    form: Any = None
    others: tuple[Assumption, ...] = ()


def tensor_of(found: Tensor | StateTensor) -> Tensor:
    """A tensor itself, or the one that stands in the place of a state entry."""
    return found if isinstance(found, Tensor) else found.tensor


@dataclass(frozen=True, slots=True)
class Hole:
    """Fetch `number`, a number of the run, in the steps of a `Cut`."""

    number: int


@dataclass(frozen=True, slots=True)
class Cut:
    """What a view that comes out is cut from, and the kinds and parts of the cuts (see dygraph/views.py).

    base: None where nothing else of that memory comes out; then the one step says how the elements lie.
    """

    base: OutputLeaf | None
    steps: tuple[tuple[str, Any], ...]
    others: tuple[OutputLeaf, ...] = ()  # what it may be cut from on other paths


@dataclass(frozen=True, slots=True)
class OutputLeaf:
    """A tensor in what the function returns (or writes somewhere).

    kind "fetch": a new tensor over fetch `number`; "argument": the tensor given as input leaf `number`, itself;
    "state": the tensor of state entry `number`, itself; "number": fetch `number` as a Python number; "array":
    fetch `number` as a NumPy array, "scalar": as a NumPy scalar. Of containers (see containers.py): "container": that
    of the arguments; "outside": one that the function reached; "new": one that the call makes and that stands in
    several places.
    form: "same", that tensor itself; "twin", a new one with its memory, as of `detach()`; "copy", one with its value.
    apart: a fetch that wants gradients but isn't on the tape: the function detached it before it asked for them.
    cut: of a view, what it is cut from.
    """

    kind: Literal["fetch", "argument", "state", "number", "array", "scalar", "container", "outside", "new"]
    number: int
    stop_gradient: bool = True
    form: Literal["same", "twin", "copy"] = "same"
    apart: bool = False
    view: int = field(default=-1, compare=False)  # while the trace ends: which of the views that come out
    cut: Cut | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class TraceOutputs:
    """A nested Python value: `unflatten(tree, tensors of the leaves)`."""

    tree: Tree
    leaves: tuple[OutputLeaf, ...]

    def mapped(self, fn: Callable[[OutputLeaf], OutputLeaf]) -> TraceOutputs:
        """With other leaves in the places of these."""
        return TraceOutputs(self.tree, tuple([fn(leaf) for leaf in self.leaves]))


@dataclass(frozen=True, slots=True)
class GradWrite:
    """After the call, `.grad` of a tensor (a state entry's, or an argument's) is fetch `fetch`, zero, or None.

    target: ("state", number) or ("argument", number). present: the fetch that says whether it is there at all.
    """

    target: tuple[Literal["state", "argument"], int]
    fetch: int | None = None
    is_zero: bool = False
    present: int | None = None


@dataclass(frozen=True, slots=True)
class StopWrite:
    """After the call, `stop_gradient` of a tensor (input leaf `argument`, or a tensor from outside) is `value`.

    at_end: nothing has used the tensor since, so that the call's own step on the tape gives it no gradient.
    """

    value: bool
    argument: int | None = None
    tensor: Any = None
    at_end: bool = False


class Moved(Enum):
    """Whether a write gives a tensor another place in the graph: one with gradients, or one without."""

    NO = 0
    IN = 1
    OUT = 2


@dataclass(frozen=True, slots=True)
class TensorWrite:
    """After the call, input leaf `argument`, written in place by the function, has the data of fetch `fetch`.

    is_array: it is a NumPy array. moved: it has the fetch's place in the graph, too.
    """

    argument: int
    fetch: int
    is_array: bool = False
    moved: Moved = Moved.NO


@dataclass(frozen=True, slots=True)
class PlaceWrite:
    """After the call, `tensor`, which the function found outside and wrote, has the place in the graph of a fetch."""

    tensor: Any
    fetch: int
    moved: Moved


@dataclass(frozen=True, slots=True)
class AttributeWrite:
    """After the call, `owner.name` (kind "attribute") or `owner[name]` (kind "item") is this value.

    owner: a `Token` for a container among the arguments. name: WHOLE where the whole contents of a container are given.
    appends: the list there (or with the name WHOLE `owner`, a list) gets the items of the value behind its own.
    place: where the container stands in each call that is written in place of `owner`.
    """

    owner: Any
    name: Any
    value: TraceOutputs
    kind: Literal["attribute", "item"] = "attribute"
    appends: bool = False
    place: Assumption | None = None


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the trace read in Python: another value next time means another entry.

    kind "attribute": getattr(owner, name); "item": owner[name] (a module's globals are such an owner); "cell": a
    closure cell's content; "static": what the class `owner` and its bases define under `name`, undescribed; "keys",
    "length", "list", "members", "whole", "array": of a container; "code": a function's code and defaults; "grad":
    whether owner.grad is None; "added": whether owner._grad is, so that a gradient isn't added to one that was cleared
    or is there; "call": owner() (for anything else); "argument": the number `name` among the arguments (only as a
    place); "part": what is at the path `name` inside of the value at the place `owner`. `layered`: the owner is an
    nn.Layer, whose changes move the layers' global epoch, so that it need not be looked at while that stands still.
    """

    kind: Literal[
        "attribute", "item", "cell", "static", "keys", "length", "list", "members", "whole", "array", "code", "grad",
        "added", "call", "argument", "part",
    ]  # fmt: skip
    owner: Any
    name: Any
    value: Any
    layered: bool = False


VARIED: Any = type("Varied", (), {"__repr__": lambda self: "varied"})()  # a number that had many values


class Told(Flag):
    """In the place of the number of an assumption: what Python code is told of it, and a program is for.

    RESIDUE: what it leaves when the code divides it. CONDITION: whether conditions on it hold.
    """

    RESIDUE = auto()
    CONDITION = auto()


@dataclass(frozen=True, slots=True)
class TensorIdentity:
    """What a program takes for granted of the identity of tensors.

    matters: it is for calls in which the same arguments are one tensor, or one that the function finds elsewhere: it
    computes gradients of them, or code asks. outside: tensors that code asks for. numbered: arguments whose `id()` it
    takes, so that each is the very tensor of the first call.
    """

    matters: bool = False
    outside: tuple[Tensor, ...] = ()
    numbered: frozenset[int] = frozenset()


@dataclass(slots=True)
class Trace:
    """A captured function.

    program: feeds are the input leaves, one each and in order; state entries are those of `state`; all fetches that
    outputs and writes name. sources: (name, converted text) of the functions reached, the traced one first.
    """

    program: Program
    inputs: TraceInputs
    outputs: TraceOutputs
    state: list[StateTensor] = field(default_factory=list)
    grad_writes: list[GradWrite] = field(default_factory=list)
    tensor_writes: list[TensorWrite] = field(default_factory=list)
    attribute_writes: list[AttributeWrite] = field(default_factory=list)
    callbacks: dict[str, Callable[..., Any]] = field(default_factory=dict)
    assumptions: list[Assumption] = field(default_factory=list)
    sources: list[tuple[str, str]] = field(default_factory=list)
    new_state: list[tuple[Any, Any, Any]] = field(default_factory=list)  # (owner, key, value) until a call succeeds
    hooks: list[tuple[Any, Any, Any]] = field(default_factory=list)  # changes of hooks of tensors that exist
    functions: list[FunctionType] = field(default_factory=list)  # those reached, as they were written
    gradients: dict[int, GradientWanted] = field(default_factory=dict)  # input leaf -> what must be so of its gradient
    returned: TraceOutputs | None = None  # `outputs` with the caller's own containers, where there are any in it
    outside: list[Any] = field(default_factory=list)  # containers that the function reached, by number
    new: list[TraceOutputs] = field(default_factory=list)  # contents of new containers that stand in several places
    around: Around = field(default_factory=Around)  # which containers among the arguments it takes
    stop_writes: list[StopWrite] = field(default_factory=list)
    place_writes: list[PlaceWrite] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)  # symbols of sizes that a kernel must know: the row
    fixed_numbers: frozenset[int] = frozenset()  # of `inputs.numbers`, those whose values Python code looked at
    of_one_call: bool = False  # another capture has other parameters, random numbers, or what caches took in
    stops: list[tuple[Tensor, bool]] = field(default_factory=list)  # tensors whose `stop_gradient` code asks for
    identity: TensorIdentity = field(default_factory=TensorIdentity)
    grad_mode: bool | None = None  # what `set_grad_enabled` leaves set, where the function leaves it otherwise
    work: int = 0  # operations recorded by the capture, again and again where code was traced more than once
    recorded: bool = True  # whether the tape was on for some operation, so that `stop_gradient` of state matters
    read_in_backward: frozenset[int] | None = None  # arguments that eager mode's gradients read; None: perhaps all


def gradient_of(x: Any) -> str:
    """What kind of `.grad` an argument has: "none", "zero" (that nobody has read) or "tensor"."""
    if not isinstance(x, Tensor) or (x._grad is None and not x._grad_is_zero):
        return "none"
    return "zero" if x._grad_is_zero else "tensor"


ANY_GRADIENT = "none, zero or tensor"


@dataclass(frozen=True, slots=True)
class GradientWanted:
    """What a trace takes for granted of an argument and its gradient.

    kinds: which `.grad` it may have (see gradient_of), as text; "none or zero": it is added to. hooks: those on its
    gradient, where the function computes that. is_leaf: whether no operation has made it; None: either may be. facts:
    attributes that code asks for.
    """

    kinds: str
    hooks: HookSet | None = None
    is_leaf: bool | None = None
    facts: tuple[tuple[str, Any], ...] = ()

    def attributes(self) -> tuple[tuple[str, Any], ...] | None:
        """The attributes that tensors which fit have, each one object, where no others matter; else None."""
        if self.facts or self.hooks or self.kinds not in ("none", ANY_GRADIENT) or self.is_leaf is False:
            return None
        gradient = (("_grad", None), ("_grad_is_zero", False)) if self.kinds == "none" else ()
        return gradient if self.hooks is None else (*gradient, ("_node", None), ("_hooks", None))

    def other_fact(self, x: Any) -> tuple[str, Any] | None:
        """An attribute of a tensor that isn't as the program takes it, with its value."""
        for name, value in self.facts:
            now = form_in_memory(x) if name == LAYOUT else getattr(x, name, MISSING)
            if now != value if name == LAYOUT else not same(now, value):
                return name, now
        return None


def fits_gradient(x: Any, wanted: GradientWanted) -> bool:
    """Whether an argument's `.grad` and hooks are as a trace takes them."""
    if gradient_of(x) not in wanted.kinds or (wanted.facts and wanted.other_fact(x) is not None):
        return False
    if wanted.hooks is None or not isinstance(x, Tensor):
        return True
    if (x._node is None) is not wanted.is_leaf:
        return False
    found = hooks_of(x)
    return HookSet(found.values()) == wanted.hooks if found else not wanted.hooks


def gradient_now(x: Any, wanted: GradientWanted) -> str:
    """In what an argument's gradient differs from what a trace takes it for, in words."""
    if gradient_of(x) not in wanted.kinds or not isinstance(x, Tensor):
        return gradient_of(x)
    if (x._node is None) is not wanted.is_leaf:
        return "that of a leaf" if x._node is None else "that of a computed tensor"
    return f"with {HookSet(hooks_of(x).values())}"


def tell_capture(name: str, made: Trace, seconds: float) -> None:
    """Log that a function became a program: of what inputs, how large, from how many functions."""
    inputs = ", ".join(f"{leaf.name}: {leaf.type}" for leaf in made.inputs.leaves)
    count = sum(1 for _ in walk(made.program.body))
    reached = len({f.__code__ for f in made.functions})
    log("capture", f"{name}({inputs}): {count} operations from {reached} functions in {seconds:.3f} s")


def recorded_fetches(trace: Trace) -> list[int]:
    """The fetches that get a place on the tape."""
    fetches = trace.program.fetches
    return [k for k in wanting_fetches(trace, apart=False) if fetches[k].tensor_type.dtype.is_differentiable]


def wanting_fetches(trace: Trace, apart: bool | None) -> list[int]:
    """The fetches with `stop_gradient=False`; apart: those that are leaves, the others, or both (None)."""
    every = [*trace.outputs.leaves, *(leaf for w in trace.attribute_writes for leaf in w.value.leaves)]
    every += [leaf for outputs in trace.new for leaf in outputs.leaves]
    every += [] if trace.returned is None else trace.returned.leaves  # a list of run-time length is stacked for it anew
    wanting = [leaf for leaf in every if leaf.kind == "fetch" and not leaf.stop_gradient]
    leaves = {leaf.number for leaf in wanting if leaf.apart}
    found = {leaf.number for leaf in wanting if apart is None or (leaf.number in leaves) is apart}
    written = {w.fetch for w in trace.tensor_writes if w.moved is Moved.IN}
    written |= {w.fetch for w in trace.place_writes if w.moved is Moved.IN}
    return sorted(found | written if not apart else found)
