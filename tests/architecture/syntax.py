"""Syntax trees of source files, parsed once for all tests of this room. They belong to every test: read them only."""

from __future__ import annotations

import ast
from functools import cache

from vitrify.base.collection import without_collection


@cache
def parsed(text: str) -> ast.Module:
    """The tree of a text; one that was parsed before comes back."""
    with without_collection(lives_on=True):  # of a million nodes that live on
        return ast.parse(text)


def nodes(text: str) -> list[ast.AST]:
    """All nodes of a text, in the order of `ast.walk`."""
    return every_node(parsed(text))


@cache
def every_node(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree, in the order of `ast.walk`."""
    return list(ast.walk(tree))


def forget() -> None:
    """Let the trees go: a gigabyte of objects is a burden to every later collection of garbage."""
    parsed.cache_clear()
    every_node.cache_clear()
