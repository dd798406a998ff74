"""Names that may be unbound: a marker is bound at the function's start, and reads in doubt are checked.

Python's own "unbound" can't pass through getters, setters and `nonlocal`; `vt_rt.Undefined` can. Deleting a marked
name binds the marker again.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ...base.errors import CaptureError
from ...base.location import Loc
from ..source.template import place, template
from .nodes import assign, constant, load, store
from .rewriter import Rewriter
from .subscript import augmented_item, deletion


@template
def LOAD(rt, text, variable):
    rt.load(text, variable)


@template
def LOAD_FREE(rt, text, variable):
    rt.load_free(text, variable)


@template
def UNDEFINED(rt, text):
    rt.Undefined(text)


@template
def DELETE(rt, text, variable):
    variable = rt.deleted(text, variable)


@template
def SETTER(setter, variable, value, local, outer):
    def setter(value):
        nonlocal local
        global outer
        variable = value
        return value


@template
def HANDLER(variable, caught, body, unbind):
    variable = caught
    try:
        body
    finally:
        unbind


@template
def CAUGHT(rt):
    rt.caught()


@template
def CALL(setter, value):
    setter(value)


def name(node: gast.Name, w: Rewriter) -> gast.expr:
    """A read in doubt is checked."""
    if isinstance(node.ctx, gast.Load) and node in w.facts.loads:
        made = LOAD if w.scope.bit(node.id) & w.scope.bound else LOAD_FREE
        return made.expression(node, rt=w.rt, text=constant(node.id, node), variable=node)
    return node


def subject(node: gast.Match, w: Rewriter) -> gast.AST:
    """Patterns look at a value from the inside, so it is checked first."""
    w.children(node)
    node.subject = place(gast.Call(w.runtime("matched", node.subject), [node.subject], []), node.subject)
    return node


def undefined(variable: str, at: gast.AST, w: Rewriter) -> gast.stmt:
    """`x = vt_rt.Undefined("x")`."""
    text = variable.replace("_", " ") if variable in w.names.generated else variable
    return assign(variable, UNDEFINED.expression(at, rt=w.rt, text=constant(text, at)), at)


def delete(node: gast.Delete, w: Rewriter) -> list[gast.stmt]:
    """`del a, b[i]`, one by one."""
    lines: list[gast.stmt] = []
    for target in node.targets:
        if isinstance(target, gast.Name) and w.facts.is_marked(w.scope, target.id):
            text = constant(target.id, node)
            lines += DELETE.statements(node, rt=w.rt, text=text, variable=target.id)
            continue
        made = deletion(target, w) if isinstance(target, gast.Subscript) else None
        lines.append(made or gast.copy_location(gast.Delete([w.expression(target)]), node))
    return lines


def augmented(node: gast.AugAssign, w: Rewriter) -> list[gast.stmt]:
    """`x += 1`: where `x` is in doubt, it is checked first."""
    check: list[gast.stmt] = []
    if isinstance(node.target, gast.Name) and node.target in w.facts.loads:
        text = constant(node.target.id, node)
        bound = LOAD.expression(node, rt=w.rt, text=text, variable=load(node.target.id, node))
        check = [assign(node.target.id, bound, node)]
    w.children(node)
    return [*check, *(augmented_item(node, w) or [node])]


def annotated(node: gast.AnnAssign, w: Rewriter) -> list[gast.stmt]:
    """`x: int = 1` -> `x = 1`: Python doesn't evaluate it here, and an annotated name can't be nonlocal."""
    if node.value is None:
        return []
    assignment = gast.Assign([w.expression(node.target)], w.expression(node.value))
    return [gast.copy_location(assignment, node)]


def declaration(node: gast.Global | gast.Nonlocal, w: Rewriter) -> list[gast.stmt]:
    """Declarations hold for the whole function, so they move to its start."""
    return []


def walrus(node: gast.NamedExpr, w: Rewriter) -> gast.AST:
    """In a lambda of ours, `(x := v)` would bind the lambda's own `x`: a setter function binds the right one."""
    if not w.position.in_thunk:
        return w.children(node)
    if isinstance(w.scope.node, gast.Lambda):
        raise CaptureError(
            "`:=` under `and`, `or` or `if` in a lambda can't be captured",
            loc=Loc(w.file, node.lineno, node.col_offset),
            remedy="write the lambda as a `def`",
        )
    variable = node.target.id
    if variable not in w.setters:
        w.setters[variable] = w.names.fresh(f"set_{variable}")
    return CALL.expression(node, setter=w.setters[variable], value=w.expression(node.value))


def setter_functions(at: gast.AST, w: Rewriter) -> list[gast.stmt]:
    """The setters that the function needs."""
    lines: list[gast.stmt] = []
    for variable, setter in w.setters.items():
        is_global = w.scope.bit(variable) & w.scope.globals
        local, outer = ((), (variable,)) if is_global else ((variable,), ())
        lines += SETTER.statements(
            at, setter=setter, variable=variable, value=w.names.fresh("value"), local=local, outer=outer
        )
    return lines


def except_clause(node: gast.ExceptHandler, w: Rewriter) -> gast.AST:
    """`except E as e`: a refusal to capture isn't for the handler. Where `e` is also a variable of a construct, bind it
    by assignment.
    """
    made = _bound_by_assignment(node, w)
    made.body = [*CAUGHT.statements(node, rt=w.rt), *made.body]
    return made


def _bound_by_assignment(node: gast.ExceptHandler, w: Rewriter) -> gast.ExceptHandler:
    if node.name is None or not w.facts.is_marked(w.scope, node.name.id):
        w.children(node)
        return node
    variable = node.name.id
    caught = w.names.fresh(variable)
    w.children(node)
    node.name = store(caught, node)
    unbind = [undefined(variable, node, w)]
    node.body = HANDLER.statements(node, variable=variable, caught=load(caught, node), body=node.body, unbind=unbind)
    return node
