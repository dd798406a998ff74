"""`utils.gast`: Python's own syntax trees, which this package works on (docs/decisions/0006)."""

from ast import (
    Assign,
    Call,
    For,
    FunctionDef,
    If,
    Name,
    NodeTransformer,
    NodeVisitor,
    While,
    dump,
    parse,
    walk,
)  # fmt: skip

__all__ = [
    "Assign", "Call", "For", "FunctionDef", "If", "Name", "NodeTransformer", "NodeVisitor", "While", "dump", "parse",
    "walk",
]  # fmt: skip
