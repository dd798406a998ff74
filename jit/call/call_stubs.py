"""The shortest path of a call: one Python function, written for its entry and for the way in which the call is written.

It is for calls whose arguments are tensors, given by position. Everything that it compares is a variable of its own;
where nothing is recorded for gradients it enters the VM itself and makes the results' tensors, without another
call of Python in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from numpy import empty, ndarray

from ...base.changes import layer_epoch
from ...base.dtype import bool_, float32, float64, int64
from ...base.flags import flags
from ...base.pytree import Tree, maker_of
from ...dygraph import storage as cells
from ...dygraph.modes import MODE_VARIABLES, amp_policy, is_recording
from ...dygraph.new_tensors import FRESH_NAMES, fresh_lines
from ...dygraph.tensor import Tensor
from ...ops.dispatch import stack
from ...runtime.vm.calls.call_words import Given, Result
from ...runtime.vm.calls.made_later import MadeLater
from ...runtime.vm.calls.native_call import (
    ArgumentPart,
    CallFacts,
    NativeCall,
    StateFacts,
    TensorLayout,
    make_native_call,
    mapping,
    sequence,
)
from ..trace.state.containers import is_token
from ..trace.traced import Assumption, OutputLeaf, StateTensor, TraceOutputs
from .caller import MISS, Runner, is_plain_view
from .guards import Guards, look
from .signature import Leaf, same_tensors
from .state_arrays import StateArrays

CachedCall = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def make_call_stub(
    runner: Runner,
    guards: Guards,
    leaf_types: Sequence[Leaf],
    shapes: tuple[tuple[int, ...], ...],
    recording: bool,
    same: Any,
) -> CachedCall:
    """The function for calls with tensors of these types, in the modes that are on now.

    shapes: those that are tried first. same: which tensors must be the same one (`same_tensors`); None if any may be.
    """
    known: dict[str, Any] = {
        "ndarray": ndarray, "MISS": MISS, "flags": flags, "default": flags.default_dtype, "amp_policy": amp_policy,
        "policy": amp_policy(), "is_recording": is_recording, "recording": recording, "free_of": runner.free.get,
        "usual": runner.free[shapes],
    }  # fmt: skip
    for k, (kind, shape) in enumerate(zip(leaf_types, shapes, strict=True)):
        known |= {f"kind{k}": kind.kind, f"dtype{k}": kind.dtype, f"stop{k}": kind.stop_gradient, f"shape{k}": shape}
    count = len(leaf_types)
    lines = _arguments(count)
    lines += _guards(guards, known)
    if same is not None:
        lines += _identities(same, known)
    lines += _enter_program(runner, count, known) if _is_plain_run(runner) else _run(runner, count, known)
    text = "\n  ".join(["def cached(given, named):", *lines])
    names = ", ".join(sorted(known))
    space: dict[str, Any] = {}
    exec(_code(f"def make({names}):\n {text}\n return cached"), space)
    made: CachedCall = space["make"](**known)
    parts = enumerate(zip(leaf_types, shapes, strict=True))
    leaves = [tensor_part(kind, shape, k, runner) for k, (kind, shape) in parts]
    native = make_native(runner, guards, (sequence(leaves), mapping((), ())), leaves, shapes, same=same)
    made.native = native  # type: ignore[attr-defined]
    return made


def native_call(cached: CachedCall) -> NativeCall:
    """Native code for the sizes that a function of `make_call_stub` tries first; it gives MISS where it can't be."""
    return getattr(cached, "native", None) or missed


def missed(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What stands for native code where there is none."""
    return MISS


_LAYOUT = TensorLayout(
    Tensor,
    cells.Storage,
    ("_dtype", "_stop", "_storage"),
    "payload",
    (("version", 0), ("place", None), ("shared", False)),
)
_NUMBERS = {float64: Result.FLOAT64, float32: Result.FLOAT32, int64: Result.INT64, bool_: Result.BOOL}
_CONTAINERS = {
    "tuple": Result.TUPLE, "list": Result.LIST, "dict": Result.DICT, "namedtuple": Result.CALLED
}  # fmt: skip


def tensor_part(leaf: Leaf, shape: tuple[int, ...], number: int, runner: Runner) -> ArgumentPart:
    """What native code compares an argument with that is a tensor or an array."""
    if leaf.kind is ndarray:
        return ArgumentPart(Given.ARRAY, ndarray, leaf.dtype.numpy, shape=shape, number=number)
    facts = runner.attributes_of.get(number) or ()
    return ArgumentPart(Given.TENSOR, leaf.kind, leaf.dtype, leaf.stop_gradient, shape, number, facts=facts)


def make_native(
    runner: Runner, guards: Guards, given: tuple[ArgumentPart, ArgumentPart], leaves: Sequence[ArgumentPart],
    shapes: tuple[tuple[int, ...], ...], *, free: Sequence[int] = (), same: Sequence[int | None] | None = None,
) -> NativeCall | None:  # fmt: skip
    """Native code for calls with these arguments; None where there can't be any.

    given: those by position, those by keyword. leaves: which of them are the tensors and arrays. free: which of the
    numbers among them the program takes. same: as in `make_call_stub`.
    """
    follows = runner.pair is not None or bool(runner.wanting) or runner.writes or bool(runner.views)
    apart = not (runner.arrays or any(is_token(w.owner) for w in runner.trace.attribute_writes))
    if not (apart and _is_run(runner) and runner.free[shapes]):
        return None
    bound = runner.free[shapes][-1]
    known, state = guards.for_native_code(), runner.state
    if known is None or any(_is_looked_up(entry, free) for entry in state.state):
        return None
    numbers = [(free.index(e.place.name), k) for k, e in state.numbers if e.place and e.place.kind == "argument"]
    elsewhere = [(k, e.place, empty((), e.tensor._dtype.numpy)) for k, e in state.numbers if e.place]
    elsewhere = [found for found in elsewhere if found[1].kind != "argument"]
    rows = _result_rows(runner.trace.outputs, runner, leaves, shapes)
    if rows is None:
        return None
    copied = bool(state.numbers or state.looked_up)
    if bound.made is None or (runner.pair is not None and copied):
        return None
    if follows and any(isinstance(made, MadeLater) for made in bound.made):
        return None
    pairs = [*known.pairs]
    facts = None
    if state.state:
        pairs.append(((cells.counters, "epoch"), (state, "taken_until")))
        if state.updated or any(entry.slot == "grad" for entry in state.state):
            pairs.append(((cells.counters, "touched"), (state, "untouched_since")))
        written = [k for k, entry in enumerate(state.state) if entry.updated]
        looked_up = [(k, array) for k, _, array in elsewhere]
        facts = StateFacts((state, "taken"), len(state.state), written, numbers, looked_up, copied)
    tensors = {which for kind, which, _ in rows if kind is Result.TENSOR}
    dtypes = [dtype if follows or k in tensors else None for k, dtype in enumerate(runner.dtypes)]
    dtypes += [None] * (len(bound.made) - len(dtypes))  # what is kept for the gradient
    made = CallFacts(
        *given, (stack, *MODE_VARIABLES), runner.free[shapes], dtypes, rows, MISS,
        words=[(flags, "default_dtype"), *known.words], pairs=pairs, hold=_all_hold(known.rest, state, elsewhere),
        state=facts, wrote=state.wrote if state.updated else None, made=len(runner.dtypes), same=same,
        write=_after_run(runner, bound) if follows else None,
    )  # fmt: skip
    return make_native_call(made, _LAYOUT)


def _after_run(runner: Runner, bound: Any) -> Callable[[list[Any], tuple[Any, ...], tuple[Any, ...]], None]:
    if len(runner.views) == 1 and not (runner.pair or runner.wanting or runner.writes or runner.state.looked_up):
        return runner.views[0]

    def follow(made: list[Any], given: tuple[Any, ...], arrays: tuple[Any, ...]) -> None:
        runner.after_run(made, given, arrays, bound.state or ())
        if runner.state.looked_up:
            bound.state = None  # native code has written others than these

    return follow


def _all_hold(
    rest: Callable[[], bool] | None, state: StateArrays, elsewhere: Sequence[tuple[int, Assumption, Any]]
) -> Callable[[], bool] | None:
    """Whether assumptions hold that native code can't look at, and tensors are where the program finds them; numbers
    from `elsewhere`, which only Python finds, are written to their arrays.
    """
    conditions = [] if rest is None else [rest]
    if state.looked_up:
        conditions.append(state.in_place)
    if not elsewhere:
        return conditions[0] if len(conditions) == 1 else (lambda: all(c() for c in conditions)) if conditions else None

    def hold() -> bool:
        for condition in conditions:
            if not condition():
                return False
        for _, place, array in elsewhere:
            array[()] = look(place)
        return True

    return hold


def _is_looked_up(entry: StateTensor, numbers: Sequence[int]) -> bool:
    """Whether only Python can take something of the state: no tensor, nor a number, nor one of these arguments."""
    place = entry.place
    if place is None or entry.slot == "data":
        return False
    return entry.slot != "number" or (place.kind == "argument" and place.name not in numbers)


def _result_rows(
    outputs: TraceOutputs, runner: Runner, arguments: Sequence[ArgumentPart], shapes: tuple[tuple[int, ...], ...]
) -> list[tuple[Result, Any, tuple[Any, ...]]] | None:
    """The results for native code, the parts of a container before it; None where they aren't so simple."""
    rows: list[tuple[Result, Any, tuple[Any, ...]]] = []
    fetched = [leaf.number for leaf in outputs.leaves if leaf.kind in ("fetch", "array")]
    made = runner.free[shapes][-1].made
    wanting = {*runner.recorded, *runner.wanting}

    def of_leaf(leaf: OutputLeaf) -> tuple[Result, Any] | None:
        if (
            leaf.form != "same"
            or not (leaf.cut is None or is_plain_view(leaf))
            or (leaf.kind == "fetch" and leaf.stop_gradient and leaf.number in wanting)
        ):
            return None
        match leaf.kind:
            case "fetch":
                return Result.TENSOR, leaf.number
            case "number":
                kind = _NUMBERS.get(runner.dtypes[leaf.number])
                return None if kind is None else (kind, leaf.number)
            case "array":
                own = made is not None and _is_new(made[leaf.number]) and fetched.count(leaf.number) == 1
                return (Result.ARRAY, leaf.number) if own else None
            case "argument":
                return Result.VALUE, arguments[leaf.number]
            case "state" if (entry := runner.trace.state[leaf.number]).slot == "data" and entry.place is None:
                return Result.OBJECT, entry.tensor
        return None

    def visit(tree: Tree, leaves: Iterator[OutputLeaf]) -> bool:
        if tree.kind == "const":
            rows.append((Result.OBJECT, tree.data, ()))
        elif tree.kind == "leaf":
            row = of_leaf(next(leaves))
            if row is None:
                return False
            rows.append((*row, ()))
        elif tree.kind not in _CONTAINERS or (tree.kind == "list" and tree.data is not None):
            return False
        else:
            if not all(visit(child, leaves) for child in tree.children):
                return False
            keys = (maker_of(tree.data),) if tree.kind == "namedtuple" else tree.data if tree.kind == "dict" else ()
            rows.append((_CONTAINERS[tree.kind], len(tree.children), keys))
        return True

    return rows if visit(outputs.tree, iter(outputs.leaves)) else None


def _is_new(made: Any) -> bool:
    """Whether a result's array is made for it."""
    return isinstance(made, MadeLater) or made[2] is None


@lru_cache(maxsize=256)
def _code(text: str) -> CodeType:
    return compile(text, f"{__file__}:call", "exec")  # a file of this package: no line of the user's


def _each(pattern: str, count: int, between: str = ", ") -> str:
    return between.join(pattern.format(k=k) for k in range(count))


def _arguments(count: int) -> list[str]:
    """The arguments: their number, types, flags, sizes, and the modes that a program depends on."""
    lines = [f"if named or len(given) != {count}: return MISS"]
    if count:
        lines += [f"{_each('x{k}', count)}, = given"]
    for k in range(count):
        lines += [f"if type(x{k}) is not kind{k} or x{k}._dtype is not dtype{k} or x{k}._stop is not stop{k}:"]
        lines += [" return MISS", f"a{k} = x{k}._storage.payload"]
    if count:
        lines += [f"if {_each('type(a{k}) is not ndarray', count, ' or ')}: return MISS"]
        lines += [f"if {_each('a{k}.shape == shape{k}', count, ' and ')}: free = usual", "else:"]
        lines += [f" free = free_of(({_each('a{k}.shape', count)},))", " if free is None: return MISS"]
    else:
        lines += ["free = usual"]
    lines += ["if is_recording() is not recording or flags.default_dtype is not default: return MISS"]
    return [*lines, "if amp_policy() is not policy: return MISS"]


def _guards(guards: Guards, known: dict[str, Any]) -> list[str]:
    """The assumptions: inlined where they are few."""
    if not guards:
        return []
    simple = guards.simple()
    if simple is None:
        known["hold"] = guards.hold
        return ["if not hold(): return MISS"]
    function, layered = simple
    lines = []
    if function is not None:
        known |= dict(zip(("fn", "code", "defaults", "keywords"), function, strict=True))
        lines += ["if fn.__code__ is not code or fn.__defaults__ is not defaults: return MISS"]
        lines += ["if fn.__kwdefaults__ is not keywords: return MISS"]
    if guards.has_lists:
        known["hold_lists"] = guards.hold_lists
        lines += ["if not hold_lists(): return MISS"]
    if layered:
        known |= {"layers": layer_epoch, "guards": guards}
        lines += ["if layers.value != guards.epoch and not guards.hold_layers(): return MISS"]
    return lines


def _identities(same: Sequence[int | None], known: dict[str, Any]) -> list[str]:
    """Which arguments are the same tensor."""
    if len(same) > 4:
        known |= {"same": same, "same_tensors": same_tensors}
        return ["if same_tensors(given) != same: return MISS"]
    first = [n if n is not None and n >= 0 else k for k, n in enumerate(same)]
    cells = [k if n is None else n if n >= 0 else ~n for k, n in enumerate(same)]
    cells = [cells[k] for k in first]
    pairs = [(j, k) for k in range(len(first)) for j in range(k)]
    wrong = [_differs(j, k, first, cells) for j, k in pairs]
    return [f"if {' or '.join(wrong)}: return MISS"]


def _differs(j: int, k: int, first: Sequence[int], cells: Sequence[int]) -> str:
    """That two arguments aren't the same tensor, share no memory, or only share memory, though those seen first did."""
    if first[j] == first[k]:
        return f"x{j} is not x{k}"
    if cells[j] == cells[k]:
        return f"x{j}._storage is not x{k}._storage or x{j} is x{k}"
    return f"a{j} is a{k}"  # tensors that share memory have the same array


def _run(runner: Runner, count: int, known: dict[str, Any]) -> list[str]:
    known["run"] = runner.run
    return [f"return run(given, [{_each('a{k}', count)}], free)"]


def _is_plain_run(runner: Runner) -> bool:
    """Whether a call of the entry is nothing but a run of the VM, tensors of its results, and writes of these."""
    follows = runner.pair is not None or runner.wanting or runner.gradients
    return _is_run(runner) and not follows and _shown(runner, {}) is not None


def _is_run(runner: Runner) -> bool:
    """Whether a call of the entry is nothing but a run of the VM, and what follows from its results."""
    plain = not (runner.may_meet or (runner.tensor_writes and runner.state.state))
    plain = plain and None not in runner.attributes_of.values()
    plain = plain and not (runner.trace.outside or runner.new or runner.trace.returned)
    return plain and getattr(type(runner.executable), "enters_vm", False)


def _shown(runner: Runner, known: dict[str, Any]) -> str | None:
    """The results in the user's structure, spelled with arguments `x0`, arrays `b0`, tensors `t0`, and with constants
    that are added to `known`; None where it isn't simple.
    """
    leaves = iter(runner.trace.outputs.leaves)

    def constant(value: Any) -> str:
        known[name := f"constant{len(known)}"] = value
        return name

    def of_leaf(leaf: OutputLeaf) -> str | None:
        if leaf.form != "same" or leaf.cut is not None:
            return None
        match leaf.kind:
            case "fetch":
                return f"t{leaf.number}"
            case "number":
                return f"b{leaf.number}.item()"
            case "array":
                return f"b{leaf.number}.copy()"
            case "scalar":
                return f"b{leaf.number}[()]"
            case "argument":
                return f"x{leaf.number}"
            case "state" if (entry := runner.trace.state[leaf.number]).slot == "data" and entry.place is None:
                return constant(entry.tensor)
        return None

    def visit(tree: Tree) -> str | None:
        if tree.kind == "const":
            return constant(tree.data)
        if tree.kind == "leaf":
            return of_leaf(next(leaves))
        if tree.kind not in _CONTAINERS or (tree.kind == "list" and tree.data is not None):
            return None
        parts = [visit(child) for child in tree.children]
        if None in parts:
            return None
        if tree.kind == "dict":
            return f"{{{', '.join(f'{constant(k)}: {v}' for k, v in zip(tree.data, parts, strict=True))}}}"
        inner = "".join(f"{part}, " for part in parts)
        if tree.kind == "namedtuple":
            return f"{constant(maker_of(tree.data))}({inner})"
        return f"({inner})" if tree.kind == "tuple" else f"[{inner}]"

    return visit(runner.trace.outputs.tree)


def _enter_program(runner: Runner, count: int, known: dict[str, Any]) -> list[str]:
    state, results = runner.state, len(runner.dtypes)
    known |= {**FRESH_NAMES, "bind": runner.executable.bind}
    known |= {f"made{k}": dtype for k, dtype in enumerate(runner.dtypes)}
    feeds, lines = _each("a{k}", count), []
    arrays = "nothing"
    known["nothing"] = ()
    if state.state:
        known |= {"state": state, "cells": cells}
        still = "state.fixed_until == cells.counters.epoch"
        if state.updated or any(entry.slot != "data" for entry in state.state):
            still += " and state.untouched_since == cells.counters.touched"
        lines += [f"arrays = state.fixed if {still} else state.arrays((), given)"]
        lines += ["if arrays is None: return MISS"]
        arrays = "arrays"
    if state.updated:
        lines += ["written = state.ids"] * bool(count)
        lines += [f"if id(a{k}) in written: return MISS" for k in range(count)]
    lines += ["try: bound = free.pop()", f"except IndexError: bound = bind([{feeds}{', ' * bool(count)}*{arrays}])"]
    call = f"bound.call([{feeds}], {arrays})"
    if results != 1:
        lines += ["try:", f" {_each('b{k}', results)}{',' * bool(results)}{' = ' * bool(results)}{call}"]
    else:
        known["empty"] = empty
        lines += ["try:", " kind = bound.result", f" if kind is None: (b0,) = {call}", " else:"]
        lines += [f"  if {arrays} is not bound.state: bound.set_state({arrays})", "  shape, dtype = kind"]
        lines += ["  b0 = empty(shape, dtype)", f"  status = bound.entry_stub({feeds}{', ' * bool(count)}b0)"]
        lines += [f"  if status: bound.serve(status, [*{arrays}, {feeds}{', ' * bool(count)}b0])"]
    lines += ["finally: free.append(bound)"]
    if state.updated:
        lines += ["state.wrote()"]
    for k in range(results):
        lines += fresh_lines(f"t{k}", f"b{k}", f"made{k}")
    shown = _shown(runner, known)
    if runner.trace.tensor_writes:
        known["write_arguments"] = runner.write_arguments
        lines += [f"write_arguments([{_each('t{k}', results)}], given)"]
    if runner.writes:
        known["write"] = runner.write
        lines += [f"write([{_each('t{k}', results)}], given)"]
    return [*lines, f"return {shown}"]
