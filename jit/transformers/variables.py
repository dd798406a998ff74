"""Names that may be unbound: a marker is bound at the function's start, and reads in doubt are checked.

Python's own "unbound" can't pass through getters, setters and `nonlocal`; `vt_rt.Undefined` can. Deleting a marked
name binds the marker again.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import ast

from ...base.errors import CaptureError
from ...base.location import Loc
from ..source.template import place, template
from .nodes import assign, constant, load
from .rewriter import Rewriter
from .subscript import augmented_item, deletion


@template
def LOAD(rt, text, variable):
    rt.load(text, variable)


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


def name(node: ast.Name, w: Rewriter) -> ast.expr:
    """A read in doubt is checked."""
    if isinstance(node.ctx, ast.Load) and node in w.facts.loads:
        return LOAD.expression(node, rt=w.rt, text=constant(node.id, node), variable=node)
    return node


def subject(node: ast.Match, w: Rewriter) -> ast.AST:
    """Patterns look at a value from the inside, so it is checked first."""
    w.children(node)
    node.subject = place(ast.Call(w.runtime("matched", node.subject), [node.subject], []), node.subject)
    return node


def undefined(variable: str, at: ast.AST, w: Rewriter) -> ast.stmt:
    """`x = vt_rt.Undefined("x")`."""
    text = variable.replace("_", " ") if variable in w.names.generated else variable
    return assign(variable, UNDEFINED.expression(at, rt=w.rt, text=constant(text, at)), at)


def delete(node: ast.Delete, w: Rewriter) -> list[ast.stmt]:
    """`del a, b[i]`, one by one."""
    lines: list[ast.stmt] = []
    for target in node.targets:
        if isinstance(target, ast.Name) and w.facts.is_marked(w.scope, target.id):
            text = constant(target.id, node)
            lines += DELETE.statements(node, rt=w.rt, text=text, variable=target.id)
            continue
        made = deletion(target, w) if isinstance(target, ast.Subscript) else None
        lines.append(made or ast.copy_location(ast.Delete([w.expression(target)]), node))
    return lines


def augmented(node: ast.AugAssign, w: Rewriter) -> list[ast.stmt]:
    """`x += 1`: where `x` is in doubt, it is checked first."""
    check: list[ast.stmt] = []
    if isinstance(node.target, ast.Name) and node.target in w.facts.loads:
        text = constant(node.target.id, node)
        bound = LOAD.expression(node, rt=w.rt, text=text, variable=load(node.target.id, node))
        check = [assign(node.target.id, bound, node)]
    w.children(node)
    return [*check, *(augmented_item(node, w) or [node])]


def annotated(node: ast.AnnAssign, w: Rewriter) -> list[ast.stmt]:
    """`x: int = 1` -> `x = 1`: Python doesn't evaluate it here, and an annotated name can't be nonlocal."""
    if node.value is None:
        return []
    assignment = ast.Assign([w.expression(node.target)], w.expression(node.value))
    return [ast.copy_location(assignment, node)]


def declaration(node: ast.Global | ast.Nonlocal, w: Rewriter) -> list[ast.stmt]:
    """Declarations hold for the whole function, so they move to its start."""
    return []


def walrus(node: ast.NamedExpr, w: Rewriter) -> ast.AST:
    """In a lambda of ours, `(x := v)` would bind the lambda's own `x`: a setter function binds the right one."""
    if not w.position.in_thunk:
        return w.children(node)
    if isinstance(w.scope.node, ast.Lambda):
        raise CaptureError(
            "`:=` under `and`, `or` or `if` in a lambda can't be captured",
            loc=Loc(w.file, node.lineno, node.col_offset),
            remedy="write the lambda as a `def`",
        )
    variable = node.target.id
    if variable not in w.setters:
        w.setters[variable] = w.names.fresh(f"set_{variable}")
    return CALL.expression(node, setter=w.setters[variable], value=w.expression(node.value))


def setter_functions(at: ast.AST, w: Rewriter) -> list[ast.stmt]:
    """The setters that the function needs."""
    lines: list[ast.stmt] = []
    for variable, setter in w.setters.items():
        is_global = w.scope.bit(variable) & w.scope.globals
        local, outer = ((), (variable,)) if is_global else ((variable,), ())
        lines += SETTER.statements(
            at, setter=setter, variable=variable, value=w.names.fresh("value"), local=local, outer=outer
        )
    return lines


def except_clause(node: ast.ExceptHandler, w: Rewriter) -> ast.AST:
    """`except E as e`: a refusal to capture isn't for the handler. Where `e` is also a variable of a construct, bind it
    by assignment.
    """
    made = _bound_by_assignment(node, w)
    made.body = [*CAUGHT.statements(node, rt=w.rt), *made.body]
    return made


def _bound_by_assignment(node: ast.ExceptHandler, w: Rewriter) -> ast.ExceptHandler:
    if not node.name or not w.facts.is_marked(w.scope, node.name):
        w.children(node)
        return node
    caught, variable = w.names.fresh(node.name), node.name
    w.children(node)
    node.name = caught
    unbind = [undefined(variable, node, w)]
    node.body = HANDLER.statements(node, variable=variable, caught=load(caught, node), body=node.body, unbind=unbind)
    return node
