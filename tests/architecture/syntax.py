"""Syntax trees of source files, parsed once for all tests of this room. They belong to every test: read them only."""

from __future__ import annotations

import ast
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """The tree of a text; one that was parsed before comes back."""
    return ast.parse(text)


@cache
def nodes(text: str) -> list[ast.AST]:
    """All nodes of a text, in the order of `ast.walk`."""
    return list(ast.walk(parsed(text)))


def forget() -> None:
    """Let the trees go: a gigabyte of objects is a burden to every later collection of garbage."""
    parsed.cache_clear()
    nodes.cache_clear()
