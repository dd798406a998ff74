"""Control flow of programs built by hand: cond, case, switch_case, while_loop; Print and Assert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtype import int64
from ..base.errors import ArgumentError, CaptureError, KindError
from ..base.location import caller_loc
from ..base.pytree import flatten
from ..dygraph.tensor import Tensor
from ..jit.converters.if_else import if_exp
from ..jit.converters.regions.markers import Poison, Undefined
from ..jit.converters.while_loop import while_loop as traced_while
from ..jit.trace.tracer import active
from ..ops.dims import deciding
from ..ops.dispatch import current
from ..ops.op import OPS
from .recorder import Recorder


def _flag(pred: Any, who: str) -> Any:
    if not isinstance(pred, (Tensor, bool, np.bool_)):
        raise KindError(f"{who}: the condition must be a bool tensor, not a {type(pred).__name__}")
    return pred


def _known(flag: Any) -> bool | None:
    """What a condition computed from constants is; None for one that only a run knows."""
    recorder = current()
    if not isinstance(recorder, Recorder) or not isinstance(flag, Tensor):
        return None
    array = recorder.known(flag)
    return None if array is None or array.size != 1 else bool(array)


def plain(value: Any, who: str) -> Any:
    """The value, unless the branches of static mode gave it two kinds. Errors: CaptureError."""
    for leaf in flatten(value, lambda x: isinstance(x, Undefined))[0]:
        if isinstance(leaf, Poison) and leaf.decision is not None and leaf.decision.is_open():
            leaf.fail()  # in a captured function: what follows is traced once per path
        if isinstance(leaf, Undefined):
            message = leaf.message if isinstance(leaf, Poison) else "only one of the branches returns a value"
            raise CaptureError(
                f"Incompatible return values of true_fn and false_fn in {who}: {message}", loc=caller_loc()
            )
    return value


def deciding_sizes() -> Any:
    """A context in which questions about sizes are answered by the program that is being recorded."""
    from contextlib import nullcontext

    recorder = current()
    return deciding(recorder.decide) if isinstance(recorder, Recorder) else nullcontext()


def cond(
    pred: Any, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None,
    name: str | None = None, return_names: Any = None,
) -> Any:  # fmt: skip
    """`true_fn()` if `pred` (a bool tensor of one element) else `false_fn()`; both return values of the same structure.

    Errors: KindError for what can't be called; as `if` in captured functions.
    """
    if name is not None and not isinstance(name, str):
        raise KindError(f"cond: name must be a str, not a {type(name).__name__}")
    for function, text in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if function is not None and not callable(function):
            raise KindError(f"cond: {text} must be callable, not a {type(function).__name__}")
    then, other = true_fn or (lambda: None), false_fn or (lambda: None)
    flag = _flag(pred, "cond")
    if active() is None:
        return then() if bool(flag) else other()
    known = _known(flag)
    if known is not None:
        return then() if known else other()
    with deciding_sizes():
        return plain(if_exp(flag, then, other), "cond")


def case(
    pred_fn_pairs: Sequence[tuple[Any, Callable[[], Any]]], default: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The function of the first pair whose condition holds; `default` (or the last pair's) if none does.

    Errors: KindError, ArgumentError for pairs that aren't (bool tensor, function).
    """
    if not isinstance(pred_fn_pairs, (list, tuple)):
        raise KindError(f"case: pred_fn_pairs must be a list or tuple, not a {type(pred_fn_pairs).__name__}")
    pairs = list(pred_fn_pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise KindError(f"case: each pair must be a tuple (condition, function), not {pair!r}")
        if not isinstance(pair[0], (Tensor, bool)):
            raise KindError(f"case: the condition must be a bool tensor, not a {type(pair[0]).__name__}")
        if not callable(pair[1]):
            raise KindError(f"case: {pair[1]!r} can't be called")
    if default is not None and not callable(default):
        raise KindError(f"case: default must be callable, not a {type(default).__name__}")
    if default is None:
        if not pairs:
            raise ArgumentError("case needs at least one pair, or a default")
        default = pairs.pop()[1]
    last = default
    for flag, function in reversed(pairs):
        last = _either(flag, function, last)
    return last()


def _either(flag: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: cond(flag, then, other)


def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str | None = None
) -> Any:
    """The function with the number `branch_index` (an int tensor of one element); `default` for any other number.

    branch_fns: functions, a dict number -> function, or pairs. Without a default the largest number's function is it.
    Errors: KindError, ArgumentError for other kinds and for numbers given twice.
    """
    if not isinstance(branch_index, Tensor):
        raise KindError(f"switch_case: branch_index must be a tensor, not a {type(branch_index).__name__}")
    if not branch_index.dtype.is_integer:
        raise KindError(f"switch_case: branch_index must be an integer tensor, not {branch_index.dtype.name}")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise KindError(f"switch_case: branch_fns must be a list, tuple or dict, not a {type(branch_fns).__name__}")
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if pairs and callable(pairs[0]):
        pairs = list(enumerate(pairs))
    numbers = set()
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise KindError(f"switch_case: each branch must be a function or a pair (number, function), not {pair!r}")
        number, function = pair
        if not isinstance(number, int) or isinstance(number, bool):
            raise KindError(f"switch_case: a branch's number must be an int, not a {type(number).__name__}")
        if number in numbers:
            raise ArgumentError(f"switch_case: the number {number} stands there twice")
        if not callable(function):
            raise KindError(f"switch_case: {function!r} can't be called")
        numbers.add(number)
    if default is not None and not callable(default):
        raise KindError(f"switch_case: default must be callable, not a {type(default).__name__}")
    pairs.sort(key=lambda pair: pair[0])
    last = pairs.pop()[1] if default is None else default
    index = branch_index if branch_index.dtype is int64 else OPS["cast"](branch_index, int64)
    for number, function in reversed(pairs):
        last = _either(OPS["equal"](index, number), function, last)
    return last()


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Sequence[Any], is_test: bool = False,
    name: str | None = None,
) -> list[Any]:  # fmt: skip
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds; the last ones, as a list.

    Errors: KindError, ArgumentError for other kinds, and for a body that returns another number of values; as `while`
    in captured functions.
    """
    if not callable(cond) or not callable(body):
        raise KindError("while_loop: cond and body must be callable")
    if not isinstance(loop_vars, (list, tuple)):
        raise KindError(f"while_loop: loop_vars must be a list or tuple, not a {type(loop_vars).__name__}")
    if not loop_vars:
        raise ArgumentError("while_loop: loop_vars is empty")
    state = list(loop_vars)

    def iteration() -> None:
        made = body(*state)
        made = [made] if not isinstance(made, (list, tuple)) else list(made)
        if len(made) != len(state):
            raise ArgumentError(f"while_loop: body returns {len(made)} values for {len(state)} loop_vars")
        state[:] = made

    if active() is None:
        while _flag(cond(*state), "while_loop"):
            iteration()
        return state
    names = tuple(f"loop_vars[{k}]" for k in range(len(state)))

    def test() -> Any:
        flag = _flag(cond(*state), "while_loop")
        if isinstance(flag, Tensor) and any(d != 1 for d in flag._storage.payload.shape):
            raise KindError(f"while_loop: the condition must be one bool, not of shape {list(flag.shape)}")
        if isinstance(flag, Tensor) and not flag.dtype.is_bool:
            raise KindError(f"while_loop: the condition must be a bool, not of dtype {flag.dtype.name}")
        return flag

    def put(values: tuple[Any, ...]) -> None:
        state[:] = values

    with deciding_sizes():
        traced_while(test, iteration, lambda: tuple(state), put, names, names)
    return state


def Assert(cond: Any, data: Any = None, summarize: int = 20, name: str | None = None) -> None:
    """An error at run time unless `cond` (a bool tensor of one element) holds; the message shows `data`."""
    _flag(cond, "Assert")
    if active() is None:
        if not bool(cond):
            raise ValueError("Assert failed" + _shown(data, summarize))
        return
    recorder: Any = current()
    with deciding_sizes():
        flag = recorder.flag(cond)
    recorder.builder.check(flag, "Assert failed", "ValueError")


def _shown(data: Any, count: int) -> str:
    return "".join(f"\n  {x.numpy().ravel()[:count]}" for x in data or () if isinstance(x, Tensor))


def Print(
    input: Any, first_n: int = -1, message: str | None = None, summarize: int = 20, print_tensor_name: bool = True,
    print_tensor_type: bool = True, print_tensor_shape: bool = True, print_tensor_layout: bool = True,
    print_tensor_lod: bool = True, print_phase: str = "both",
) -> Any:  # fmt: skip
    """Print the tensor when the program gets there; returns it. first_n: at most so many times (-1: always).

    Errors: KindError for anything but a tensor.
    """
    if not isinstance(input, Tensor):
        raise KindError(f"Print: input must be a variable, not a {type(input).__name__}")
    shown = {"left": first_n}
    name = input.name

    def show(array: Any) -> list[Any]:
        if shown["left"] != 0:
            shown["left"] -= 1
            lines = [message] if message else []
            lines += [f"Variable: {name}"] if print_tensor_name else []
            lines += [f"  - shape: {list(array.shape)}"] if print_tensor_shape else []
            lines += [f"  - dtype: {array.dtype}"] if print_tensor_type else []
            flat = array.ravel()
            lines.append(f"  - data: {flat if summarize < 0 else flat[:summarize]}")
            print("\n".join(lines))
        return []

    if active() is None:
        show(input.numpy())
        return input
    recorder: Any = current()
    key = recorder.callback_name("Print")
    recorder.callbacks[key] = show
    recorder.builder.callback(key, [recorder.value_of(input)], [])
    return input
