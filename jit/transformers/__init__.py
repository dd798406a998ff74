"""Syntax rewrites, one file per construct. They only rewrite; what a construct means is decided by jit/converters.

The order, and its reasons:

1. `early_exit` (with `match_case` in it): afterwards the code is structured, so that the analyses need no control
   flow graph and the rules below know three constructs only.
2. the analyses (jit/analysis), once, for all functions of the tree; nothing moves between nodes' keys afterwards.
3. `RULES`, in one walk: they don't see each other's results, so their order doesn't matter; one walk is what
   keeps a conversion in the low milliseconds.
"""

from __future__ import annotations

import ast
from typing import Literal

from ..analysis import Removed, Step, facts_of
from ..source.names import Names
from .assert_statement import assert_statement
from .call import call
from .compare_chain import compare_chain
from .comprehension import comprehension
from .early_exit import EarlyExits
from .f_string import formatted, joined
from .for_loop import for_loop
from .functions import anonymous, body, class_body, function, suspendable
from .generator import kept_by_python, push_form
from .if_else import if_else
from .if_expression import if_expression
from .logical import boolean, negation
from .percent import percent
from .rewriter import Position, Rewriter, Rule
from .steps import in_steps as in_steps_of
from .subscript import assignment, source, subscript
from .tail_calls import as_loop
from .variables import annotated, augmented, declaration, delete, except_clause, name, subject, walrus
from .while_loop import while_loop
from .with_statement import with_statement

Form = Literal["plain", "push", "pull"]
RULES: dict[type, Rule] = {
    ast.If: if_else,
    Step: if_else,
    ast.While: while_loop,
    ast.Match: subject,
    ast.For: for_loop,
    ast.BoolOp: boolean,
    ast.UnaryOp: negation,
    ast.IfExp: if_expression,
    ast.Compare: compare_chain,
    ast.With: with_statement,
    ast.Assert: assert_statement,
    ast.Call: call,
    ast.FormattedValue: formatted,
    ast.JoinedStr: joined,
    ast.BinOp: percent,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.Name: name,
    ast.Subscript: subscript,
    ast.Assign: assignment,
    ast.comprehension: source,
    ast.Delete: delete,
    ast.AugAssign: augmented,
    ast.AnnAssign: annotated,
    ast.NamedExpr: walrus,
    ast.ExceptHandler: except_clause,
    ast.Global: declaration,
    ast.Nonlocal: declaration,
    ast.FunctionDef: function,
    ast.AsyncFunctionDef: suspendable,
    ast.Lambda: anonymous,
    ast.ClassDef: class_body,
}


def transform(
    tree: ast.FunctionDef | ast.Lambda,
    names: Names,
    *,
    rt: str,
    file: str,
    class_name: str | None = None,
    form: Form = "plain",
    emit: str = "",
    in_steps: bool = False,
    tail_calls: bool = False,
) -> ast.FunctionDef | ast.Lambda:
    """Rewrite a function in place: control flow and calls become calls of the run-time `rt`.

    form: of a generator function (see generator.py); emit: the name of what its pushed form calls. in_steps,
    tail_calls: see steps.py and tail_calls.py.
    """
    exits = EarlyExits(names, file, rt)
    kept: set[ast.AST] = set()
    if isinstance(tree, ast.FunctionDef):
        tree.decorator_list = []  # they were applied already
        if tail_calls and form == "plain":
            as_loop(tree, names, file)
        if form == "push":
            push_form(tree, emit, names)
        if form == "pull":
            kept = kept_by_python(tree, file)
            exits.apply_between(tree, kept)
        else:
            exits.apply(tree)
            if in_steps:
                in_steps_of(tree, rt, names)
    removed = Removed(exits.loop_tests, exits.unreached)
    facts = facts_of(tree, removed, names.generated, has_jumps=form == "pull")
    position = Position(facts.scopes[tree], class_name=class_name)
    rewriter = Rewriter(RULES, facts, names, rt, file, exits.loop_tests, position, kept)
    if isinstance(tree, ast.FunctionDef):
        body(tree, rewriter)
    else:
        tree.body = rewriter.expression(tree.body)
    return tree


__all__ = ["RULES", "Form", "transform"]
