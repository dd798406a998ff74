"""Rows with nested blocks and rows that speak to the outside: loops, functions, lists, callbacks, checks.

Their results' types come from their blocks or attributes; the interpreters of ir/ and runtime/ carry them out.
Gradients of block rows are written in passes/autodiff/block_vjps.py.
"""

from __future__ import annotations

from typing import Any

from ..base import dtype as dt
from ..base.errors import DTypeError, ShapeError
from .effects import Effect
from .lowering import Point
from .op import NONDIFFERENTIABLE, REQUIRED, Op, row
from .types import ListType, TensorType


def _no_eager(*_: Any, **__: Any) -> Any:
    raise TypeError("a block row has no NumPy kernel of its own; interpreters run its blocks")


def _control(name: str, doc: str, operands: str, **fields: Any) -> Op:
    defaults: dict[str, Any] = {
        "infer": lambda *_, **__: (),
        "eager": _no_eager,
        "vjp": NONDIFFERENTIABLE,
        "family": "control",
    }
    return row(name, doc, operands, method=False, public=False, **(defaults | fields))


if_ = _control("if", "Run one of two blocks; both yield values of the same types.", "condition")
while_ = _control(
    "while", "Run the second block while the first yields true; both take the carried values.", "*carried"
)
for_ = _control(
    "for", "Run the block `count` times; it takes the iteration (int64) and the carried values.", "count *carried"
)
yield_ = _control(
    "yield", "End a nested block and hand its values to the enclosing operation.", "*values", effect=Effect.TERMINATOR
)
return_ = _control("return", "End a program and hand out its fetches.", "*values", effect=Effect.TERMINATOR)


def _infer_update(state: TensorType, value: TensorType) -> tuple[()]:
    if state.dtype is not value.dtype or len(state.shape) != len(value.shape):
        raise ShapeError(f"state of type {state} can't take a value of type {value}")
    return ()


update = _control("update", "Give a state entry its next value; stands at the end of the body.", "state value",
                  infer=_infer_update, effect=Effect.STATE)  # fmt: skip


def _infer_callback(*_: Any, outputs: tuple[TensorType, ...], **__: Any) -> tuple[TensorType, ...]:
    return outputs


callback = _control(
    "callback", "Call the Python function registered as `callee` with the operands; results have the declared types.",
    "*inputs", infer=_infer_callback, effect=Effect.CALLBACK,
    attrs={"callee": REQUIRED, "outputs": REQUIRED, "gradient": None, "form": "array"},
)  # fmt: skip


def _infer_check(condition: TensorType, **_: Any) -> tuple[()]:
    if condition.dtype is not dt.bool_:
        raise DTypeError(f"check needs a bool, not {condition}")
    return ()


check = _control(
    "check", "Raise the error `error` with `message` at run time unless the (one-element) condition is true.",
    "condition", infer=_infer_check, effect=Effect.CALLBACK,
    attrs={"message": "", "error": "AssertionError", "causes": (), "links": ()},
)  # fmt: skip

bind_size = _control(
    "bind_size", "Say what a run-time size is: the program's name for it in `defines`, its value (int64) as operand.",
    "value", infer=lambda value, *, defines: TensorType(dt.int64, ()), attrs={"defines": REQUIRED},
)  # fmt: skip

function = _control(
    "function", "Run the block on the arguments; a `call` in it runs it again, at most `limit` deep.", "*arguments",
    attrs={"name": REQUIRED, "limit": 1000},
)  # fmt: skip


def _infer_call(*_: Any, callee: str, outputs: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
    return outputs


call = _control(
    "call", "Run the block of the `function` around it that is called `callee` once more, on other arguments.",
    "*arguments", infer=_infer_call, effect=Effect.CALLBACK, attrs={"callee": REQUIRED, "outputs": REQUIRED},
)  # fmt: skip

list_new = _control("list_new", "An empty list of tensors of one type.", "", attrs={"element": REQUIRED},
                    infer=lambda *, element: ListType(element))  # fmt: skip


def _infer_push(items: ListType, value: TensorType) -> ListType:
    if items.element.dtype is not value.dtype or len(items.element.shape) != len(value.shape):
        raise ShapeError(f"a {items} can't take a {value}")
    return items


list_push = _control("list_push", "The list with one more tensor at its end (the old value is used up).", "items value",
                     infer=_infer_push)  # fmt: skip
list_pop = _control("list_pop", "The list without its last tensor, and that tensor (the old is used up).", "items",
                    infer=lambda items: (items, items.element))  # fmt: skip

# How recomputation keeps its copies apart from the originals: a copy reads its operands `after` a certain moment.
after = _control(
    "after", "The operand as it is, but not before `moment` has been computed: ties recomputation to its place.",
    "x moment", infer=lambda x, moment: x, eager=lambda x, moment: x,
    lowering=Point(lambda ctx, index: ctx.load(0, index), alias=lambda inputs, attrs: 0),
)  # fmt: skip

group = _control("group", "Run the block once; made by fusion: everything inside becomes one kernel.", "*inputs",
                 attrs={"domain": (), "axes": None, "reason": ""})  # fmt: skip
