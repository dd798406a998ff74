"""Syntax rewrites, one file per construct. They only rewrite; what a construct means is decided by jit/converters.

The order, and its reasons:

1. `early_exit` (with `match_case` in it): afterwards the code is structured, so that the analyses need no control
   flow graph and the rules below know three constructs only. `lambda_names`, since it removes variables.
2. the analyses (jit/analysis), once, for all functions of the tree; nothing moves between nodes' keys afterwards.
3. `RULES`, in one walk: they don't see each other's results, so their order doesn't matter; one walk is what
   keeps a conversion in the low milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import gast

from ..analysis import Removed, Step, facts_of
from ..source.names import Names
from .assert_statement import assert_statement
from .call import LastCall, call, statement
from .class_of import class_of
from .compare_chain import compare_chain
from .comprehension import comprehension
from .early_exit import EarlyExits
from .f_string import formatted, joined
from .for_loop import for_loop
from .functions import anonymous, body, class_body, function, suspendable
from .generator import kept_by_python, push_form
from .if_else import if_else
from .if_expression import if_expression
from .lambda_names import names_in_dicts
from .logical import boolean, negation
from .percent import percent
from .rewriter import Position, Rewriter, Rule
from .steps import in_steps as in_steps_of
from .steps import step
from .subscript import assignment, source, subscript
from .tail_calls import as_loop
from .variables import annotated, augmented, declaration, delete, except_clause, name, subject, walrus
from .while_loop import while_loop
from .with_statement import with_statement

Form = Literal["plain", "push", "pull"]


@dataclass(frozen=True, slots=True)
class Style:
    """How functions are converted where the usual way led nowhere.

    in_steps: each statement is a region (transformers/steps.py). tail_calls: functions that end by calling themselves
    are loops (transformers/tail_calls.py). orders: `a < b` of names may be an order of tuples, as it is of `(a, b)`.
    """

    in_steps: bool = False
    tail_calls: bool = False
    orders: bool = False


PLAIN = Style()


RULES: dict[type, Rule] = {
    gast.If: if_else,
    Step: step,
    gast.While: while_loop,
    gast.Match: subject,
    gast.For: for_loop,
    gast.BoolOp: boolean,
    gast.UnaryOp: negation,
    gast.IfExp: if_expression,
    gast.Compare: compare_chain,
    gast.With: with_statement,
    gast.Assert: assert_statement,
    gast.Call: call,
    LastCall: call,
    gast.Expr: statement,
    gast.FormattedValue: formatted,
    gast.JoinedStr: joined,
    gast.BinOp: percent,
    gast.Attribute: class_of,
    gast.ListComp: comprehension,
    gast.SetComp: comprehension,
    gast.DictComp: comprehension,
    gast.GeneratorExp: comprehension,
    gast.Name: name,
    gast.Subscript: subscript,
    gast.Assign: assignment,
    gast.comprehension: source,
    gast.Delete: delete,
    gast.AugAssign: augmented,
    gast.AnnAssign: annotated,
    gast.NamedExpr: walrus,
    gast.ExceptHandler: except_clause,
    gast.Global: declaration,
    gast.Nonlocal: declaration,
    gast.FunctionDef: function,
    gast.AsyncFunctionDef: suspendable,
    gast.Lambda: anonymous,
    gast.ClassDef: class_body,
}


def transform(
    tree: gast.FunctionDef | gast.Lambda,
    names: Names,
    *,
    rt: str,
    file: str,
    class_name: str | None = None,
    form: Form = "plain",
    emit: str = "",
    style: Style = PLAIN,
) -> gast.FunctionDef | gast.Lambda:
    """Rewrite a function in place: control flow and calls become calls of the run-time `rt`.

    form: of a generator function (see generator.py); emit: the name of what its pushed form calls.
    """
    exits = EarlyExits(names, file, rt)
    kept: set[gast.AST] = set()
    if isinstance(tree, gast.FunctionDef):
        tree.decorator_list = []  # they were applied already
        if style.tail_calls and form == "plain":
            as_loop(tree, names, file)
        if form == "push":
            push_form(tree, emit, names)
        if form == "pull":
            kept = kept_by_python(tree, file)
            exits.apply_between(tree, kept)
        else:
            exits.apply(tree)
            if style.in_steps:
                in_steps_of(tree, rt, names)
    names_in_dicts(tree, rt, names)
    removed = Removed(exits.loop_tests, exits.unreached)
    facts = facts_of(tree, removed, names.generated, has_jumps=form == "pull")
    position = Position(facts.scopes[tree], class_name=class_name)
    rewriter = Rewriter(RULES, facts, names, rt, file, exits.loop_tests, position, kept)
    rewriter.orders = style.orders
    if isinstance(tree, gast.FunctionDef):
        body(tree, rewriter)
    else:
        tree.body = rewriter.expression(tree.body)
    return tree


__all__ = ["PLAIN", "RULES", "Form", "Style", "transform"]
