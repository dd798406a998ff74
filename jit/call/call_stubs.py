"""The shortest path of a call: one Python function, written for its entry and for the way in which the call is written.

It is for calls whose arguments are tensors, given by position. Everything that it compares is a variable of its own;
where nothing is recorded for gradients it enters the VM itself and makes the results' tensors, without another
call of Python in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from numpy import empty, ndarray

from ...base.flags import flags
from ...dygraph import storage as cells
from ...dygraph.modes import MODE_VARIABLES, amp_policy, is_recording
from ...dygraph.new_tensors import FRESH_NAMES, fresh_lines
from ...dygraph.nn.epoch import layer_epoch
from ...dygraph.tensor import Tensor
from ...ops.dispatch import stack
from ...runtime.vm.native_call import CallFacts, NativeCall, TensorLayout, make_native_call
from ..trace.traced import TraceOutputs
from .caller import MISS, Runner
from .guards import Guards
from .signature import Leaf, same_tensors

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
    if same is None:
        made.native = _native(runner, guards, leaf_types, shapes)  # type: ignore[attr-defined]
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


def _native(
    runner: Runner, guards: Guards, leaf_types: Sequence[Leaf], shapes: tuple[tuple[int, ...], ...]
) -> NativeCall | None:
    simple = guards.simple() if guards else (None, False)
    if simple is None or simple[1] or guards.has_lists or not _is_plain_run(runner) or not leaf_types:
        return None
    if runner.state.state or runner.writes or len(runner.dtypes) != 1 or _shown(runner.trace.outputs) != "t0":
        return None
    words: list[tuple[Any, str]] = [(flags, "default_dtype")]
    if simple[0] is not None:
        words += [(simple[0][0], name) for name in ("__code__", "__defaults__", "__kwdefaults__")]
        if any(getattr(*pair) is not known for pair, known in zip(words[1:], simple[0][1:], strict=True)):
            return None
    leaves = [(t.kind, t.dtype, t.stop_gradient, shape) for t, shape in zip(leaf_types, shapes, strict=True)]
    variables = (stack, *MODE_VARIABLES)
    facts = CallFacts(leaves, words, variables, runner.free[shapes], runner.dtypes[0], MISS)
    return make_native_call(facts, _LAYOUT)


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
    plain = runner.pair is None and not runner.gradients and not runner.trace.inputs.pinned
    plain = plain and not (runner.wanting or (runner.tensor_writes and runner.state.state))
    plain = plain and not (runner.trace.outside or runner.new or runner.trace.returned)
    return plain and getattr(type(runner.executable), "enters_vm", False) and _shown(runner.trace.outputs) is not None


def _shown(outputs: TraceOutputs) -> str | None:
    """The results in the user's structure, spelled with `t0`, `t1`, ...; None where it isn't simple."""
    tree, leaves = outputs.tree, outputs.leaves
    if tree.kind == "const":
        return "constant"
    if any(leaf.kind != "fetch" for leaf in leaves):
        return None
    names = [f"t{leaf.number}" for leaf in leaves]
    if tree.kind == "leaf":
        return names[0]
    if tree.kind in ("tuple", "list") and all(c.kind == "leaf" for c in tree.children):
        inner = "".join(f"{name}, " for name in names)
        return f"({inner})" if tree.kind == "tuple" else f"[{inner}]"
    return None


def _enter_program(runner: Runner, count: int, known: dict[str, Any]) -> list[str]:
    state, results = runner.state, len(runner.dtypes)
    known |= {**FRESH_NAMES, "bind": runner.executable.bind}
    known |= {f"made{k}": dtype for k, dtype in enumerate(runner.dtypes)}
    feeds, lines = _each("a{k}", count), []
    arrays = "nothing"
    known["nothing"] = ()
    if state.state:
        known |= {"state": state, "cells": cells}
        still = "state.fixed_until == cells.epoch"
        if state.updated or any(entry.slot != "data" for entry in state.state):
            still += " and state.untouched_since == cells.touched"
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
    shown = _shown(runner.trace.outputs)
    if shown == "constant":
        known["constant"] = runner.trace.outputs.tree.data
    if runner.writes:
        known["write"] = runner.write
        lines += [f"write([{_each('t{k}', results)}], given)"]
    return [*lines, f"return {shown}"]
