"""Making failing cases small: statements are left out of scripts, operations and results of programs."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...base.errors import VitrifyError
from ...ir.core import Program, Value, is_list
from ...ir.interpret import interpret
from ...ir.verifier import verify
from ...ir.walk import clone_program
from ...passes.algebra.dce import DeadCode
from .callbacks import CALLBACKS

Array = np.ndarray[Any, Any]
Case = tuple[Program, list[Array], list[Array]]


# ---- scripts


def shrink_text(text: str, fails: Callable[[str], bool], *, most: int = 300) -> str:
    """The text with as few statements as keep it failing. `fails` is asked at most `most` times.

    >>> shrink_text("a = 1; b = 2; c = 3", lambda text: "c = 3" in text)
    'c = 3'
    """
    asked = 0
    tree = ast.parse(text)
    best = text
    again = True
    while again and asked < most:
        again = False
        for smaller in _smaller_trees(tree):
            candidate = ast.unparse(ast.fix_missing_locations(smaller))
            asked += 1
            if len(candidate) < len(best) and fails(candidate):
                tree, best, again = ast.parse(candidate), candidate, True
                break
            if asked >= most:
                break
    return best


def _smaller_trees(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies of the tree with one statement left out, or replaced by its body; large ones first."""
    places = [(path, len(list(ast.walk(node)))) for path, node in _statements(tree, ())]
    for path, _ in sorted(places, key=lambda item: -item[1]):
        for keep in (False, True):
            made = copy.deepcopy(tree)
            owner: Any = made
            for name, k in path[:-1]:
                owner = getattr(owner, name)[k]
            name, k = path[-1]
            body = getattr(owner, name)
            inner = getattr(body[k], "body", None)
            if keep and (not isinstance(inner, list) or isinstance(body[k], ast.FunctionDef | ast.ClassDef)):
                continue
            body[k : k + 1] = inner if keep else []
            if not body and name == "body" and not isinstance(owner, ast.Module):
                body.append(ast.Pass())
            yield made


def _statements(
    node: ast.AST, path: tuple[tuple[str, int], ...]
) -> Iterator[tuple[tuple[tuple[str, int], ...], ast.AST]]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for k, inner in enumerate(getattr(node, name, None) or ()):
            if isinstance(inner, ast.stmt):
                yield (*path, (name, k)), inner
            yield from _statements(inner, (*path, (name, k)))


# ---- programs


def shrink_program(case: Case, fails: Callable[[Program, list[Array], list[Array]], bool], *, most: int = 200) -> Case:
    """The case with as few operations and results as keep it failing. `fails` is asked at most `most` times."""
    asked = 0
    again = True
    while again and asked < most:
        again = False
        for smaller in _smaller_cases(case):
            asked += 1
            if fails(*smaller):
                case, again = smaller, True
                break
            if asked >= most:
                break
    return case


def _smaller_cases(case: Case) -> Iterator[Case]:
    """Fewer results, then fewer state updates, then operations replaced by feeds that hold their results."""
    program = case[0]
    for k in range(len(program.fetches)):
        if len(program.fetches) > 1:
            yield from _edited(case, partial(_drop_fetch, k))
    for k in range(sum(o.name == "update" for o in program.body.operations)):
        yield from _edited(case, partial(_drop_update, k))
    values = _values(case)
    for k, operation in reversed(list(enumerate(program.body.operations))):
        if operation.results and operation.name != "constant" and all(r in values for r in operation.results):
            yield from _cut(case, k, [values[r] for r in operation.results])


def _edited(case: Case, edit: Callable[[Program], None]) -> Iterator[Case]:
    made = clone_program(case[0])
    edit(made)
    yield from _tidied((made, list(case[1]), list(case[2])))


def _drop_fetch(k: int, program: Program) -> None:
    end = program.body.terminator
    end.set_operands([v for n, v in enumerate(end.operands) if n != k])
    program.fetch_names = []


def _drop_update(k: int, program: Program) -> None:
    [o for o in program.body.operations if o.name == "update"][k].erase()


def _cut(case: Case, k: int, arrays: Sequence[Array]) -> Iterator[Case]:
    """Operation k's results as feeds of the program."""
    made, feeds = clone_program(case[0]), list(case[1])
    operation = made.body.operations[k]
    for n, (result, array) in enumerate(zip(operation.results, arrays, strict=True)):
        value = made.add_feed(f"cut{len(feeds)}_{n}", result.tensor_type)
        feeds.append(np.asarray(array))
        result.replace_by(value)
    operation.erase()
    yield from _tidied((made, feeds, list(case[2])))


def _tidied(case: Case) -> Iterator[Case]:
    """The case without dead operations and unread feeds, if it is a valid program that runs."""
    program, feeds, state = case
    try:
        DeadCode().run(program)
        unread = [k for k, v in enumerate(program.feed_values) if not v.uses]
        program = _without_feeds(program, unread)
        feeds = [a for k, a in enumerate(feeds) if k not in unread]
        verify(program)
        interpret(program, feeds, state, CALLBACKS)
    except (VitrifyError, ValueError, KeyError):
        return
    yield program, feeds, state


def _without_feeds(program: Program, unread: Sequence[int]) -> Program:
    """The program without some feeds, unless a size is known from them alone."""
    before = set(program.symbols)
    args, names = list(program.body.args), list(program.feeds)
    program.body.set_args([a for k, a in enumerate(args) if k not in unread])
    program.feeds = [n for k, n in enumerate(names) if k not in unread]
    if set(program.symbols) != before:
        raise ValueError("a symbol would have no source")
    return program


def _values(case: Case) -> dict[Value, Array]:
    """What each value of the program's body is in a run."""
    program, feeds, state = case
    made = clone_program(program)
    pairs = [
        (a, b)
        for one, other in zip(program.body.operations, made.body.operations, strict=True)
        for a, b in zip(one.results, other.results, strict=True)
    ]
    wanted = [(a, b) for a, b in pairs if not is_list(a)]
    end = made.body.terminator
    for _, value in wanted:
        end.add_operand(value)
    made.fetch_names = []
    fetched, _ = interpret(made, feeds, state, CALLBACKS)
    return {a: array for (a, _), array in zip(wanted, fetched[len(program.fetches) :], strict=True)}
