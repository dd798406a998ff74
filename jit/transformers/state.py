"""The state of a construct: the variables and attributes it may write, with functions to read and set them all."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import gast

from ..analysis.scopes import Construct
from ..source.gast_trees import text_of
from ..source.template import Hole, place, template
from .nodes import constant, load, store, strings
from .rewriter import Rewriter


@template
def STATE(get_state, set_state, items, targets, values, values_read, local, outer, stores):
    def get_state():
        return items

    def set_state(values):
        nonlocal local
        global outer
        targets = values_read
        stores


@template
def READ_GLOBAL(rt, variable, text):
    rt.variable(lambda: variable, text)


@template
def STORE_GLOBAL(rt, variable, value):
    if rt.is_defined(value):
        variable = value


@template
def READ_ATTRIBUTE(rt, base, name, text):
    rt.attribute(lambda: base, name, text)


@template
def STORE_ATTRIBUTE(rt, base, name, value):
    rt.set_attribute(lambda: base, name, value)


@dataclass(frozen=True, slots=True)
class State:
    """How a construct's state is spelled in the converted function."""

    functions: list[gast.stmt]
    get_state: gast.expr
    set_state: gast.expr
    names: gast.expr
    live: gast.expr
    kept: gast.expr  # names of what is only read
    local: tuple[str, ...]  # to be declared nonlocal in the construct's functions
    outer: tuple[str, ...]  # to be declared global


def state_of(node: Construct, w: Rewriter) -> State:
    """Name the state of `node` and write its getter and setter."""
    scope = w.scope
    written = scope.written(node)
    carried = scope.state(node)
    local = tuple(scope.named(carried & ~scope.globals))
    outer = tuple(scope.named(carried & scope.globals))
    attributes = tuple(_attributes(node, w, written))
    texts = tuple(text_of(attribute) for attribute in attributes)
    get_state, set_state = w.names.fresh("get_state"), w.names.fresh("set_state")
    live = tuple(scope.named(w.facts.live[node] & carried | carried & ~written))  # what is only read stays as it is
    return State(
        _functions(node, w, (get_state, set_state), local, outer, attributes),
        load(get_state, node),
        load(set_state, node),
        strings(local + outer + texts, node),
        strings(live + texts, node),
        strings(scope.named(carried & ~written), node),
        local,
        outer,
    )


def _functions(
    node: Construct,
    w: Rewriter,
    functions: tuple[str, str],
    local: tuple[str, ...],
    outer: tuple[str, ...],
    attributes: tuple[gast.Attribute, ...],
) -> list[gast.stmt]:
    items: list[gast.expr] = [load(name, node) for name in local]
    targets: list[gast.expr] = [store(name, node) for name in local]
    stores: list[gast.stmt] = []
    for name in outer:
        items.append(READ_GLOBAL.expression(node, rt=w.rt, variable=name, text=constant(name, node)))
        targets.append(store(value := w.names.fresh("value"), node))
        stores += STORE_GLOBAL.statements(node, rt=w.rt, variable=name, value=value)
    for attribute in attributes:
        holes: dict[str, Hole] = {
            "rt": w.rt,
            "base": attribute.value,
            "name": constant(_mangled(attribute.attr, w), node),
        }
        text = constant(text_of(attribute), node)
        items.append(READ_ATTRIBUTE.expression(node, **holes, text=text))
        targets.append(store(value := w.names.fresh("value"), node))
        stores += STORE_ATTRIBUTE.statements(node, **holes, value=value)
    values = w.names.fresh("values")
    return STATE.statements(
        node,
        values=values,
        values_read=load(values, node),
        get_state=functions[0],
        set_state=functions[1],
        items=place(gast.Tuple(items, gast.Load()), node),
        targets=place(gast.Tuple(targets, gast.Store()), node),
        local=local,
        outer=outer,
        stores=stores,
    )


def _attributes(node: Construct, w: Rewriter, written: int) -> Iterator[gast.Attribute]:
    """Attributes set in the construct whose object is the same before, in and after it."""
    first, last = w.scope.spans[node]
    found = [attribute for unit in w.scope.units[first:last] for attribute in unit.attributes]
    texts = {text_of(attribute) for attribute in found}
    done: set[str] = set()
    for attribute in found:
        text = text_of(attribute)
        if text not in done and _is_steady(attribute.value, node, w, written, texts):
            done.add(text)
            yield attribute


def _is_steady(base: gast.expr, node: Construct, w: Rewriter, written: int, stored: Iterable[str]) -> bool:
    while isinstance(base, gast.Attribute):
        if text_of(base) in stored:
            return False
        base = base.value
    if not isinstance(base, gast.Name):
        return False
    bit = w.scope.bit(base.id)
    own = bit & w.scope.bound
    defined = not own or bit & w.facts.definitions[w.scope].before[node]
    return bool(defined) and not bit & written


def _mangled(name: str, w: Rewriter) -> str:
    owner = (w.position.class_name or "").lstrip("_")
    return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name
