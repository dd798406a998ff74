"""The functions that the call cache keeps: one per kind of call, printed for it, from tensors to tensors.

A stub runs its kernels one after the other, makes the results' tensors and puts the call on the tape if it needs
gradients. It tries nothing that its key has decided. Where a kernel refuses the operands it gives NotImplemented: the
call as it was written says what is wrong. Stubs of equal text share their code; what differs are its variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias, Union

import numpy as np
from numpy import ndarray

from ..base.dtype import DType
from ..base.errors import VitrifyError
from ..ops.kernel_parts import Move, parts_of
from ..ops.op import Op
from ..ops.types import TensorType
from .float_errors import QUIET, enter, leave
from .new_tensors import FRESH_NAMES, fresh, fresh_lines, result
from .places import frame_at, is_user, user_place
from .saved import hooks as saving
from .tape import NodeKind, OpNode, UnreadOperand, next_order, record, record_as, values_read

Run: TypeAlias = Callable[..., tuple[Any, ...]]
Stub: TypeAlias = Callable[..., Any]

MOST_TEXTS = 1024
MOST_KINDS = 1024  # of nodes, by the operands' shapes, of one stub
REFUSALS = (ValueError, TypeError, IndexError, ArithmeticError, MemoryError, VitrifyError)  # of kernels

# What a kernel gives: any array or number; a new contiguous array or a number; a new contiguous array; its operand's
# memory in another shape, which is known.
ANY, NEW_OR_NUMBER, NEW, VIEW = range(4)


def given_by(kernel: Callable[..., Any], made: TensorType | None) -> int:
    """What a kernel is known to give; made: the type of its result, if that is known."""
    parts = parts_of(kernel)
    if len(parts) == 1 and parts[0][0] is Move.VIEW and made is not None:
        return VIEW
    # ufuncs give numbers for arrays without axes, and the order of contiguous operands otherwise
    if not parts or not all(isinstance(what, np.ufunc) for what, _ in parts):
        return ANY
    return NEW if made is not None and made.rank else NEW_OR_NUMBER


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One kernel: the slots of its operands, and that of its result (several: a tuple). gives: ANY or what is known.

    None for the kernel: the operand itself. moves: it only moves elements, so that NumPy has nothing to warn of.
    writes: shapes and dtypes of the results, where the kernel wants new arrays for them behind its operands.
    short: does the same for operands of one shape and few elements.
    """

    kernel: Callable[..., Any] | None
    places: tuple[int, ...]
    to: Union[int, tuple[int, ...]]
    gives: int = ANY
    moves: bool = False
    writes: tuple[tuple[tuple[int, ...], Any], ...] = ()
    short: ShortKernel | None = None


@dataclass(frozen=True, slots=True)
class ShortKernel:
    """An elementwise kernel for any one shape of at most `most` elements; it writes to an array behind the operands.

    repeated: numbers of operands that are single elements.
    """

    run: Callable[..., Any]
    made: np.dtype[Any]
    most: int
    repeated: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KernelList:
    """Kernels one after the other, from `count` arrays (slots 0, 1, ...) to the arrays of the slots `returned`.

    types: of the slots, where they are known.
    """

    count: int
    constants: Mapping[int, Any]
    steps: Sequence[PlanStep]
    returned: Sequence[int]
    types: Mapping[int, TensorType] = field(default_factory=dict)

    def function(self) -> Run:
        """The list as a function of arrays that gives a tuple of arrays.

        >>> steps = [PlanStep(np.multiply, (0, 1), 2, NEW), PlanStep(np.exp, (2,), 3, NEW)]
        >>> run = KernelList(1, {1: np.array(2.0)}, steps, [3]).function()
        >>> run(np.zeros(2))[0].tolist()
        [1.0, 1.0]
        """
        text = _StubText(self)
        names = [f"v{k}" for k in range(self.count)]
        body = [*text.guarded(""), f"return ({''.join(f'{text.names[k]}, ' for k in self.returned)})"]
        return text.compiled(names, body)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a call: its dtype, whether it needs a gradient, and whether it is a Python number."""

    dtype: DType
    tracked: bool = False
    is_number: bool = False


class NodesBy(Enum):
    """What the nodes of a stub's calls have in common, besides a NodeKind that fits all of them."""

    SHAPES = 0  # a kind for each shape of the operands
    CALL = 1  # a kind for each call: sizes of the results depend on data


class _StubText:
    """The statements of a function, and the objects that they name."""

    def __init__(self, kernels: KernelList) -> None:
        self.kernels = kernels
        self.known: dict[str, Any] = {f"c{k}": array for k, array in kernels.constants.items()}
        self.names = {k: f"v{k}" for k in range(kernels.count)} | {k: f"c{k}" for k in kernels.constants}
        self.gives: dict[str, int] = {}  # what is known of the arrays that kernels gave
        self.views: dict[str, str] = {}  # arrays that are other arrays' memory
        self.checked: set[str] = set()  # arrays whose types were looked at
        self.shared: set[str] = set()  # arrays that several results have
        self.moves = all(step.moves for step in kernels.steps)

    def steps(self) -> list[str]:
        """One line for each kernel, and one where its result may have to be made contiguous."""
        lines = []
        for number, step in enumerate(self.kernels.steps):
            operands = ", ".join(self.names[k] for k in step.places)
            if step.kernel is None:
                assert type(step.to) is int
                self.names[step.to] = operands
                continue
            call = self._call(f"k{number}", step.kernel, [self.names[k] for k in step.places])
            slots: tuple[int, ...] = (step.to,) if type(step.to) is int else step.to  # type: ignore[assignment]
            made = [f"v{slot}" for slot in slots]
            self.names |= dict(zip(slots, made, strict=True))
            self.gives |= dict.fromkeys(made, step.gives)
            if step.gives == VIEW:
                self.views[made[0]] = operands
                self.known[f"shape{number}"] = tuple(self.kernels.types[slots[0]].shape)
                lines.append(f"{made[0]} = {operands}.reshape(shape{number})")
                continue
            if step.writes:
                lines += self._new_arrays(number, made, step)
                continue
            lines.append(f"{', '.join(made)}{'' if type(step.to) is int else ','} = {call}")
            if step.gives == ANY:
                lines += [f"if type({v}) is not ndarray or not {v}.flags.c_contiguous: {v} = plain({v})" for v in made]
            elif step.gives == NEW_OR_NUMBER:
                lines += [f"if type({v}) is not ndarray: {v} = asarray({v})" for v in made]
        return lines

    def _call(self, name: str, kernel: Any, operands: list[str]) -> str:
        """The call of a kernel; of NumPy's own function where the kernel is nothing else."""
        parts = parts_of(kernel)
        if len(parts) == 1 and isinstance(parts[0][0], np.ufunc):
            kernel, given = parts[0]
            self.known |= {f"{name}_{j}": x for j, x in enumerate(given) if not isinstance(x, int)}
            operands = [operands[x] if isinstance(x, int) else f"{name}_{j}" for j, x in enumerate(given)]
        self.known[name] = kernel
        return f"{name}({', '.join(operands)})"

    def root(self, array: str) -> str:
        """The array whose memory an array has."""
        while array in self.views:
            array = self.views[array]
        return array

    def note_shared(self) -> None:
        """Find out which arrays are the memory of several that the list returns."""
        roots = [self.root(self.names[slot]) for slot in self.kernels.returned]
        self.shared = {root for root in roots if roots.count(root) > 1}

    def _new_arrays(self, number: int, made: Sequence[str], step: PlanStep) -> list[str]:
        """Arrays for the results of a native function, and its call. It trusts in its operands' types."""
        lines = []
        for slot in step.places:
            array, kind = self.names[slot], self.kernels.types[slot]
            if self.gives.get(array) == ANY and array not in self.checked:
                self.known |= {f"size{slot}": tuple(kind.shape), f"type{slot}": kind.dtype.numpy}
                wrong = f"{array}.shape != size{slot} or {array}.dtype != type{slot}"
                lines.append(f"if {wrong}: raise TypeError('a kernel gave another type than its op says')")
                self.checked.add(array)
        for k, (array, (shape, dtype)) in enumerate(zip(made, step.writes, strict=True)):
            self.known |= {f"shape{number}_{k}": shape, f"kind{number}_{k}": dtype}
            lines.append(f"{array} = empty(shape{number}_{k}, kind{number}_{k})")
        return [*lines, f"k{number}({', '.join([*(self.names[k] for k in step.places), *made])})"]

    def guarded(self, refused: str, first: Sequence[str] = ()) -> list[str]:
        """The kernels without NumPy's warnings, after the statements `first`; refused: the statement for refusals."""
        if len(self.kernels.steps) == 1 and (short := self.kernels.steps[0].short) is not None:
            return self._short(short, refused, first)
        body = [*first, *self.steps()] or ["pass"]
        lines = ["try:", *_indented(body)] if refused or not self.moves else body
        self.note_shared()
        if refused:
            lines += ["except REFUSALS:", f" {refused}"]
        return lines if self.moves else ["token = enter(QUIET)", *lines, "finally:", " leave(token)"]

    def _short(self, short: ShortKernel, refused: str, first: Sequence[str]) -> list[str]:
        """The kernel for few elements of one shape, or else the general one."""
        (step,) = self.kernels.steps
        rest = replace(self.kernels, steps=[replace(step, short=None)])
        names = [self.names[k] for k in step.places]
        whole = [name for k, name in enumerate(names) if k not in short.repeated]
        general = _StubText(rest)
        otherwise = general.guarded(refused)
        self.names, self.gives, self.known = general.names, general.gives, {**self.known, **general.known}
        self.known |= {"short": short.run, "made": short.made}
        same = "".join(f" and {name}.shape == shape" for name in whole[1:])
        assert type(step.to) is int
        made = self.names[step.to]
        return [
            *(["try:", *_indented(first), "except REFUSALS:", f" {refused}"] if first else []),
            f"shape = {whole[0]}.shape",
            f"if 0 < {whole[0]}.size <= {short.most}{same}:",
            f" {made} = empty(shape, made)",
            f" short({', '.join([*names, made])})",
            "else:",
            *_indented(otherwise),
        ]

    def compiled(self, parameters: Sequence[str], body: Sequence[str]) -> Any:
        """The function of these parameters."""
        names, lines = ", ".join(sorted(self.known)), "\n".join(_indented(_indented(body)))
        text = f"def make({names}):\n def stub({', '.join(parameters)}):\n{lines}\n return stub"
        return _maker(text)(**self.known)


@lru_cache(maxsize=MOST_TEXTS)
def _maker(text: str) -> Callable[..., Any]:
    """The function that makes stubs of a text."""
    space = dict(_NAMES)
    exec(compile(text, f"{__file__}:stub", "exec"), space)  # a file of this package: no line of the user's
    made: Callable[..., Any] = space["make"]
    return made


def _indented(lines: Sequence[str]) -> list[str]:
    return [f" {line}" for line in lines]


def _listed(names: Sequence[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"


@dataclass(frozen=True, slots=True)
class PlanTape:
    """How calls of a plan are put on the tape: the class of their nodes, what these have in common (plans.py), and the
    operands that need gradients.
    """

    node: type
    call: Any
    owners: Sequence[int]


def stub_of_plan(kernels: KernelList, operands: Sequence[Operand], dtypes: Sequence[DType], kind: type | None,
                 tape: PlanTape | None) -> Stub:  # fmt: skip
    """The stub of a call that runs several kernels. dtypes: of its results, the first arrays that the kernels return.

    kind: of the list of results, None for a single one. tape: None for calls that need no gradient.
    """
    text, xs = _StubText(kernels), [f"x{k}" for k in range(len(operands))]
    body = _payloads(operands, xs, text)
    made = [f"t{k}" for k in range(len(dtypes))]
    pairs = {x: f"v{k}" for k, x in enumerate(xs)}
    for k, (tensor, dtype) in enumerate(zip(made, dtypes, strict=True)):
        body += _tensor(text, tensor, text.names[kernels.returned[k]], dtype, pairs)
    if tape is not None:
        body[:0] = ["if saving: return NotImplemented"]
        body += _plan_recorded(text, tape, xs, made)
    shown = made[0] if kind is None else f"[{', '.join(made)}]" if kind is list else _listed(made)
    return text.compiled(xs, [*body, f"return {shown}"])  # type: ignore[no-any-return]


def _plan_recorded(text: _StubText, tape: PlanTape, xs: Sequence[str], made: Sequence[str]) -> list[str]:
    """The statements that put a call of a plan on the tape, after its results."""
    kernels = text.kernels
    types = [kernels.types[slot] for slot in kernels.returned[: len(made)]]
    text.known |= {"PlanNode": tape.node, "call": tape.call}
    text.known["specs"] = tuple([UnreadOperand(kind.dtype, tuple(kind.shape)) for kind in types])
    kept = _listed([text.names[slot] for slot in kernels.returned[len(made) :]])
    lines = ["node = new(PlanNode)", "node.call = call", f"node.operands = {_listed(xs)}", f"node.arrays = {kept}"]
    lines += [f"near = {_listed([*xs, *made])}", "watched = call.watched"]
    lines += ["if watched is None: watched = call.look(near, node.arrays)"]
    lines += ["cells = node.cells = [near[k]._storage for k in watched] if watched else ()"]
    lines += ["node.versions = [cell.version for cell in cells] if watched else ()"]
    lines += [f"node.edges = {_listed([_EDGE.format(x=xs[k]) for k in tape.owners])}", "node.specs = specs"]
    lines += _begun(3)
    for slot, (tensor, kind) in enumerate(zip(made, types, strict=True)):
        if kind.dtype.category >= 2:
            lines += [f"{tensor}._stop = False", f"{tensor}._node = node", f"{tensor}._slot = {slot}"]
    return lines


def stub_of_rule(kernels: KernelList, inputs: Sequence[str], count: int, wanted: Mapping[int, DType]) -> Stub:
    """The stub of a gradient rule: a function of a step of the tape and the gradients that arrived at its outputs.

    inputs: the expression for each slot, a tensor. count: of the gradients that it gives, one per operand; wanted:
    which of them the kernels return, and their dtypes. The others are None.
    """
    text = _StubText(kernels)
    used = {k for step in kernels.steps for k in step.places} | set(kernels.returned)
    read = [k for k in range(kernels.count) if k in used]
    body = [line for k in read for line in (f"x{k} = {inputs[k]}", f"v{k} = x{k}._storage.payload")]
    body += text.guarded("return NotImplemented")
    pairs = {f"x{k}": f"v{k}" for k in read}
    shown = ["None"] * count
    for (number, dtype), slot in zip(wanted.items(), kernels.returned, strict=True):
        array = text.names[slot]
        same = next((x for x, v in pairs.items() if v == array), None)  # what arrived is handed on as it is
        if same is None:
            body += _tensor(text, f"t{number}", array, dtype, pairs)
        shown[number] = same or f"t{number}"
    return text.compiled(["node", "grads"], [*body, f"return [{', '.join(shown)}]"])  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class OpCall:
    """Calls of one op definition. made: the dtypes of the results, which are a tuple if there may be `several`.

    nodes: what the calls' nodes of the tape have in common.
    """

    op: Op
    attrs: dict[str, Any]
    operands: Sequence[Operand]
    made: Sequence[DType]
    several: bool
    nodes: NodeKind | NodesBy


def stub_of_op(kernels: KernelList, call: OpCall) -> Stub:
    """The stub of calls of one op definition, whose kernel gives what the list returns."""
    text, operands = _StubText(kernels), call.operands
    xs = [f"x{k}" for k in range(len(operands))]
    tracked = call.op.is_differentiable and any(x.tracked for x in operands)
    body = _payloads(operands, xs, text)
    if tracked:
        body[:0] = ["if saving: return NotImplemented"]
        body += [f"x{k} = fresh(v{k}, n{k})" for k, x in enumerate(operands) if x.is_number]
    pairs = {x: f"v{k}" for k, x in enumerate(xs) if tracked or not operands[k].is_number}
    names = [f"t{k}" for k in range(len(call.made))]
    for tensor, slot, dtype in zip(names, kernels.returned, call.made, strict=True):
        body += _tensor(text, tensor, text.names[slot], dtype, pairs)
    shown = _listed(names) if call.several else names[0]
    if tracked:
        body += _recorded(text, call, shown)
    return text.compiled(xs, [*body, f"return {shown}"])  # type: ignore[no-any-return]


def _payloads(operands: Sequence[Operand], xs: Sequence[str], text: _StubText) -> list[str]:
    """The operands' arrays, then the kernels' results."""
    numbers = [k for k, x in enumerate(operands) if x.is_number]
    text.known |= {f"n{k}": operands[k].dtype for k in numbers}
    first = [f"v{k} = array(x{k}, n{k}.numpy)" for k in numbers]  # OverflowError: it doesn't fit
    lines = [f"v{k} = {x}._storage.payload" for k, x in enumerate(xs) if k not in numbers]
    return lines + text.guarded("return NotImplemented", first)


def _tensor(text: _StubText, tensor: str, array: str, dtype: DType, operands: Mapping[str, str]) -> list[str]:
    """The tensor over a kernel's result: made in place where the array is new, or a view of the only operand.

    operands: tensors whose memory it may share, and their arrays.
    """
    text.known[f"d{tensor}"] = dtype
    root = text.root(array)
    for x, v in operands.items():
        if v == root:
            lines = [f"if {x}._storage.shared is not True: {x}._storage.share()"]
            return [*lines, *fresh_lines(tensor, array, f"d{tensor}", "True")]
    if text.gives.get(root, ANY) in (NEW, NEW_OR_NUMBER):
        return fresh_lines(tensor, array, f"d{tensor}", str(root in text.shared))
    lines = [f"if {array}.base is None{''.join(f' and {array} is not {v}' for v in operands.values())}:"]
    lines += _indented(fresh_lines(tensor, array, f"d{tensor}"))
    if len(operands) == 1:
        ((x, v),) = operands.items()
        lines += [f"elif {array}.base is {v} or {array}.base is {v}.base:"]
        lines += [f" if {x}._storage.shared is not True: {x}._storage.share()"]
        lines += _indented(fresh_lines(tensor, array, f"d{tensor}", "True"))
    return [*lines, "else:", f" {tensor} = result({array}, {_listed(list(operands))})"]


def _recorded(text: _StubText, call: OpCall, shown: str) -> list[str]:
    """The statements that put a call of an op on the tape."""
    op, operands, nodes = call.op, call.operands, call.nodes
    xs = [f"x{k}" for k in range(len(operands))]
    inputs = _listed(xs)
    if isinstance(nodes, NodeKind):
        text.known["kind"], lines = nodes, []
        if nodes.many:
            return [f"record_as(kind, {inputs}, {shown})"]
    else:
        text.known |= {"op": op, "attrs": call.attrs}
        if nodes is NodesBy.CALL:
            return [f"record(op, {inputs}, {shown}, attrs)"]
        text.known["kinds"] = {}
        shapes = _listed([f"v{k}.shape" for k in range(len(operands))])
        lines = [f"kind = kinds.get({shapes})"]
        lines += [f"if kind is None: kind = learn(kinds, {shapes}, op, attrs, {inputs}, {shown})"]
    keeps_result, keeps = values_read(op, len(operands))
    pairs = list(zip(xs, keeps, strict=True))
    kept = [x if keep else f"kind.operands[{k}]" for k, (x, keep) in enumerate(pairs)]
    lines += ["node = new(OpNode)", "node.kind = kind"]
    lines += [f"node.operands = {_listed(kept) if any(keeps) else 'kind.operands'}"]
    lines += [f"node.versions = {_listed([f'{x}._storage.version' if keep else '0' for x, keep in pairs])}"]
    lines += [f"node.edges = {_listed([_edge(x, given) for x, given in zip(xs, operands, strict=True)])}"]
    lines += ["node.specs = kind.specs", *_begun(3 if op.operator else 4)]
    if keeps_result:
        lines += ["alias = new(Tensor)", f"alias._storage = {shown}._storage", f"alias._dtype = {shown}._dtype"]
    lines += [f"node.results = {'(alias,)' if keeps_result else 'None'}", "if kind.leads[0]:"]
    return [*lines, f" {shown}._stop = False", f" {shown}._node = node", f" {shown}._slot = 0"]


def _begun(depth: int) -> list[str]:
    """What all nodes begin with. depth: frames of this package above the user's, the stub's own included."""
    rest = ["node.hooks = node.retained = None", "node.released = False"]
    place = [  # `user_place`, whose usual case is here
        "try:",
        f" frame = getframe({depth - 1})",
        " code = frame.f_code",
        f" node.place = (code, frame.f_lasti) if is_user.get(code.co_filename) else user_place({depth})",
        "except ValueError:",
        " node.place = None",
    ]
    return ["node.order = next_order()", *place, *rest]


_EDGE = "({x}, 0) if {x}._node is None else ({x}._node, {x}._slot)"


def _edge(x: str, operand: Operand) -> str:
    return _EDGE.format(x=x) if operand.tracked else "None"


def _learn(
    kinds: dict[Any, NodeKind], shapes: Any, op: Op, attrs: dict[str, Any], operands: Any, made: Any
) -> NodeKind:
    """What the nodes of such a call have in common, kept for the next one of these shapes."""
    kind = NodeKind.of(op, attrs, operands, made, again=True)
    if len(kinds) >= MOST_KINDS:
        kinds.clear()
    kinds[shapes] = kind
    return kind


def _plain(made: Any) -> Any:
    return np.asarray(made, order="C")


_NAMES: dict[str, Any] = {
    **FRESH_NAMES, "ndarray": ndarray, "array": np.array, "asarray": np.asarray, "empty": np.empty, "plain": _plain,
    "QUIET": QUIET, "enter": enter, "leave": leave, "REFUSALS": REFUSALS, "result": result, "fresh": fresh,
    "saving": saving, "learn": _learn, "record": record, "record_as": record_as, "OpNode": OpNode,
    "next_order": next_order, "user_place": user_place, "is_user": is_user, "getframe": frame_at,
}  # fmt: skip
