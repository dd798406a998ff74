"""Comprehensions and generator expressions -> nested lambdas that hand each element on, loop by loop.

    [f(v) for v in xs if v > 0]  ->  vt_rt.gathered("list", lambda first, emit: vt_rt.each(first, lambda v:
                                         vt_rt.when(v > 0, lambda: emit(f(v))), emit), xs)

A generator expression keeps its own form beside that: whoever asks for single elements runs it as Python does.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import copy
from collections.abc import Sequence

import gast

from ..source.template import place, template
from .nodes import constant, load
from .rewriter import Rewriter

_KINDS: dict[type, str] = {gast.ListComp: "list", gast.SetComp: "set", gast.DictComp: "dict"}
_PATTERNS = (gast.Name, gast.Tuple, gast.List, gast.Starred, gast.expr_context)
Comprehension = gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp


@template
def GATHERED(rt, kind, first, emit, inner, iterable):
    rt.gathered(kind, lambda first, emit: inner, iterable)


@template
def GENERATED(rt, first, emit, inner, pulled, iterable):
    rt.generated(lambda first, emit: inner, lambda first: pulled, iterable)


@template
def EACH(rt, iterable, body, emit):
    rt.each(iterable, body, emit)


@template
def WHEN(rt, test, inner):
    rt.when(test, lambda: inner)


@template
def EMIT(emit, element):
    emit(element)


@template
def ONE_VARIABLE(rt, emit, names, inner):
    rt.one_variable(emit, lambda: names) or inner


@template
def PARTS(rt, value, before, after):
    rt.parts(value, before, after)


def comprehension(node: Comprehension, w: Rewriter) -> gast.AST:
    """Rewrite one comprehension; those with `async`, or with targets that aren't variables, stay as they are."""
    if not _is_plain(node) or (isinstance(w.scope.node, gast.Lambda) and _has_walrus(node)):
        return w.children(node)
    iterable = w.expression(node.generators[0].iter)
    first, emit = w.names.fresh("first"), w.names.fresh("emit")
    if not isinstance(node, gast.GeneratorExp):
        kind = constant(_KINDS[type(node)], node)
        inner = _handed_on(node, node.generators, w, load(first, node), emit)
        return GATHERED.expression(node, rt=w.rt, kind=kind, first=first, emit=emit, inner=inner, iterable=iterable)
    pulled = _copied(node, w)
    inner = _handed_on(node, node.generators, w, load(first, node), emit)
    with w.at(in_thunk=True):
        pulled.generators[0].iter = load(first, node)
        w.children(pulled)
    return GENERATED.expression(
        node, rt=w.rt, first=first, emit=emit, inner=inner, pulled=pulled, iterable=iterable
    )  # fmt: skip


def _is_plain(node: Comprehension) -> bool:
    return not any(g.is_async for g in node.generators) and all(
        isinstance(part, _PATTERNS) for g in node.generators for part in gast.walk(g.target)
    )


def _has_walrus(node: gast.AST) -> bool:
    return any(isinstance(part, gast.NamedExpr) for part in gast.walk(node))


def _copied(node: gast.GeneratorExp, w: Rewriter) -> gast.GeneratorExp:
    """A copy about whose parts the facts are known too."""
    made = copy.deepcopy(node)
    for old, new in zip(gast.walk(node), gast.walk(made), strict=True):
        w.facts.know_copy(old, new)
    return made


def _handed_on(
    node: Comprehension, loops: Sequence[gast.comprehension], w: Rewriter, iterable: gast.expr, emit: str
) -> gast.expr:
    loop, *more = loops
    if more:
        inner = _handed_on(node, more, w, w.thunk(more[0].iter), emit)
    elif isinstance(node, gast.DictComp):
        pair = place(gast.Tuple([w.thunk(node.key), w.thunk(node.value)], gast.Load()), node.key)
        inner = EMIT.expression(node.key, emit=emit, element=pair)
    else:
        inner = EMIT.expression(node.elt, emit=emit, element=_element(node, w))
    for test in reversed(loop.ifs):
        inner = WHEN.expression(test, rt=w.rt, test=w.thunk(test), inner=inner)
    kept = sorted(_targets(loop) & _read_later(node))
    if kept:
        names = place(gast.Tuple([load(name, loop.target) for name in kept], gast.Load()), loop.target)
        inner = ONE_VARIABLE.expression(loop.target, rt=w.rt, emit=emit, names=names, inner=inner)
    return EACH.expression(loop.target, rt=w.rt, iterable=iterable, body=_taking(loop.target, inner, w), emit=emit)


def _element(node: gast.ListComp | gast.SetComp | gast.GeneratorExp, w: Rewriter) -> gast.expr:
    """The element that is handed on; `xs[i]` of a list comprehension may stay one of several."""
    is_part = isinstance(node, gast.ListComp) and isinstance(node.elt, gast.Subscript)
    made = w.thunk(node.elt)
    if is_part and isinstance(made, gast.Call) and isinstance(made.func, gast.Attribute) and made.func.attr == "item":
        made.func = w.runtime("element", made)
    return made


def _targets(loop: gast.comprehension) -> set[str]:
    return _names_in(loop.target)


def _names_in(target: gast.AST) -> set[str]:
    return {part.id for part in gast.walk(target) if isinstance(part, gast.Name)}


def _read_later(node: Comprehension) -> set[str]:
    """Names inside functions and generators that a comprehension makes, which may be read in a later round."""
    made = [p for p in gast.walk(node) if p is not node and isinstance(p, (gast.Lambda, gast.GeneratorExp))]
    return {part.id for function in made for part in gast.walk(function) if isinstance(part, gast.Name)}


def _taking(
    target: gast.expr, inner: gast.expr, w: Rewriter, taken: frozenset[str] = frozenset()
) -> gast.expr:  # fmt: skip
    """`lambda target: inner`, also for targets that unpack. taken: names that are bound again behind it."""
    if isinstance(target, gast.Name):
        return _function(target, [target.id], inner)
    assert isinstance(target, (gast.Tuple, gast.List))
    item = w.names.fresh("item")
    names: list[str] = []
    star: int | None = None
    for k, part in enumerate(target.elts):
        if isinstance(part, gast.Starred):
            star, part = k, part.value
        again = taken.union(*map(_names_in, target.elts[k + 1 :]))
        if isinstance(part, gast.Name):  # `for _, a, _ in …`: the last one counts
            names.append(w.names.fresh("part") if part.id in again else part.id)
            continue
        names.append(w.names.fresh("part"))
        inner = _called(part, _taking(part, inner, w, again), load(names[-1], part))
    before = len(names) if star is None else star
    after = None if star is None else len(names) - star - 1
    parts = PARTS.expression(
        target, rt=w.rt, value=item, before=constant(before, target), after=constant(after, target)
    )  # fmt: skip
    unpacking = _called(target, _function(target, names, inner), place(gast.Starred(parts, gast.Load()), target))
    return _function(target, [item], unpacking)


def _called(at: gast.AST, function: gast.expr, argument: gast.expr) -> gast.expr:
    return place(gast.Call(function, [argument], []), at)


def _function(at: gast.AST, names: Sequence[str], inner: gast.expr) -> gast.expr:
    parameters = [place(gast.Name(name, gast.Param(), None, None), at) for name in names]
    return place(gast.Lambda(gast.arguments(parameters, [], None, [], [], None, []), inner), at)
