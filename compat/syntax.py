"""`utils.gast`: Python's own syntax trees, as the helpers of `jit.dy2static` take them."""

from ast import (
    And,
    Assign,
    Call,
    Eq,
    For,
    FunctionDef,
    Gt,
    GtE,
    If,
    In,
    Is,
    IsNot,
    Lt,
    LtE,
    Name,
    NodeTransformer,
    NodeVisitor,
    NotEq,
    NotIn,
    Or,
    While,
    dump,
    parse,
    walk,
)  # fmt: skip

__all__ = [
    "And", "Assign", "Call", "Eq", "For", "FunctionDef", "Gt", "GtE", "If", "In", "Is", "IsNot", "Lt", "LtE", "Name",
    "NodeTransformer", "NodeVisitor", "NotEq", "NotIn", "Or", "While", "dump", "parse", "walk",
]  # fmt: skip
