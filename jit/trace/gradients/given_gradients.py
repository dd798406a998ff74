"""Which gradients a PyLayer's `backward` gives, as far as its source tells without running it.

Where the word `None` stands nowhere in it, or only as an entry of the tuple that it returns, each entry is None in
every run or in none. Anything else is left to the runs.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Sequence
from typing import Any

from ..reachable import plain_of


def gradients_given(cls: Any, count: int, slots: Sequence[int | None]) -> tuple[bool, ...] | None:
    """For each of `count` tensors among the arguments, whether `backward` gives it a gradient; None: a run decides.

    slots: for each argument, the number of the tensor that it is (see dygraph/pylayer.py).
    """
    function = _source_of(cls)
    if function is None:
        return None
    returned = [node.value for node in _own_nodes(function) if isinstance(node, ast.Return)]
    nones = sum(_is_none(node) for node in ast.walk(function))
    if not nones and all(value is not None for value in returned):
        return (True,) * count
    if len(returned) != 1 or not isinstance(returned[0], (ast.Tuple, ast.List)):
        return None
    entries = returned[0].elts
    if any(isinstance(e, ast.Starred) for e in entries) or nones != sum(map(_is_none, entries)):
        return None
    there = [not _is_none(e) for e in entries]
    if len(there) == count:
        return tuple(there)
    if len(there) == len(slots):
        return tuple(there[slots.index(k)] for k in range(count))
    return None


def _source_of(cls: Any) -> ast.FunctionDef | None:
    """The syntax tree of `backward`; None where there is no source, or the end may be reached without a `return`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(plain_of(inspect.unwrap(cls.backward)))))
    except (OSError, TypeError, SyntaxError):
        return None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef) or not isinstance(function.body[-1], ast.Return):
        return None
    return function


def _own_nodes(function: ast.FunctionDef) -> list[ast.AST]:
    """The nodes that don't belong to a function inside."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
