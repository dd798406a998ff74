"""`f(x)` -> `vt_rt.call(f, x)`: the callee is converted too, or called as it is.

Not so for functions that look at their caller's frame: `super()` gets explicit arguments (`self` would be
missing in a body function), `globals()` and friends stay plain calls, and what would see the wrong local
variables inside a construct is refused. Of the variables of a frame only the user's are shown.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ...base.errors import CaptureError
from ...base.location import Loc
from ..source.template import template
from .nodes import constant
from .rewriter import Rewriter

FRAME_READERS = {"locals": 0, "vars": 0, "dir": 0}  # with at most so many arguments
PLAIN = {*FRAME_READERS, "globals", "super"}


class LastCall(gast.Call):
    """A call that its statement ends with."""


def last_call(node: gast.Call) -> LastCall:
    """The same call, marked."""
    return gast.copy_location(LastCall(node.func, node.args, node.keywords), node)


@template
def SUPER(cls, first):
    super(cls, first)


@template
def LOCALS(rt, names):
    rt.own(locals(), names)


@template
def DIR(rt, names):
    sorted(rt.own(locals(), names))


# what the first argument of `next` is, where code has no other name for it
_ASKING: dict[type[gast.AST], str] = {gast.GeneratorExp: "asked_once", gast.Call: "asked_once_if_alone"}


def call(node: gast.Call, w: Rewriter) -> gast.AST:
    """Rewrite one call; it keeps its own position, so that a traceback underlines it."""
    name = "call"
    if isinstance(node, LastCall):
        node, name = gast.copy_location(gast.Call(node.func, node.args, node.keywords), node), "last_call"
    if isinstance(node.func, gast.Name) and node.func.id in PLAIN and w.scope.owner(node.func.id) is None:
        return _plain(node, node.func.id, w)
    is_next = isinstance(node.func, gast.Name) and node.func.id == "next"
    asks = _ASKING.get(type(node.args[0])) if is_next and node.args else None
    w.children(node)
    if asks is not None:
        node.args[0] = gast.copy_location(gast.Call(w.runtime(asks, node), [node.args[0]], []), node.args[0])
    if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) and node.func.value.id == w.rt:
        return node  # one of ours
    node.args.insert(0, node.func)
    node.func = w.runtime(name, node)
    return node


def statement(node: gast.Expr, w: Rewriter) -> gast.AST:
    """Rewrite a statement: a call in it has no use for what it gives, so it is made for its effect."""
    is_call = isinstance(node.value, gast.Call)
    w.children(node)
    value = node.value
    if is_call and isinstance(value, gast.Call) and value.args and _is_ours(value.func, w, ("call", "last_call")):
        fn = value.args[0]
        value.args[0] = gast.copy_location(gast.Call(w.runtime("unused", fn), [fn], []), fn)
    return node


def _is_ours(fn: gast.AST, w: Rewriter, names: tuple[str, ...]) -> bool:
    if not isinstance(fn, gast.Attribute) or fn.attr not in names:
        return False
    return isinstance(fn.value, gast.Name) and fn.value.id == w.rt


def _plain(node: gast.Call, name: str, w: Rewriter) -> gast.AST:
    if name == "super" and not node.args and (first := _first_parameter(w)):
        return SUPER.expression(node, cls="__class__", first=first)
    in_function_of_ours = w.position.in_block or w.position.in_thunk
    if in_function_of_ours and name in FRAME_READERS and len(node.args) <= FRAME_READERS[name]:
        raise CaptureError(
            f"`{name}()` under control flow can't be captured: it reads the local variables of its caller",
            loc=Loc(w.file, node.lineno, node.col_offset),
            remedy=f"name the variables, or call `{name}()` outside `if`, `while` and `for`",
        )
    if name in FRAME_READERS and len(node.args) <= FRAME_READERS[name]:
        own = [known for known in w.scope.bits if known not in w.names.generated]
        made = DIR if name == "dir" else LOCALS
        return made.expression(node, rt=w.rt, names=constant(" ".join(sorted(own)), node))
    return w.children(node)


def _first_parameter(w: Rewriter) -> str | None:
    args = w.scope.node.args
    parameters = [*args.posonlyargs, *args.args]
    return parameters[0].id if parameters else None
