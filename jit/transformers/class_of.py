"""`x.__class__` -> `vt_rt.class_of(x)`: a number that a call fills in, or a size, is of Python's class."""

from __future__ import annotations

import gast

from ..source.template import place
from .rewriter import Rewriter


def class_of(node: gast.Attribute, w: Rewriter) -> gast.AST:
    """Rewrite a read of this attribute; every other stays."""
    w.children(node)
    if node.attr != "__class__" or not isinstance(node.ctx, gast.Load):
        return node
    return place(gast.Call(w.runtime("class_of", node), [node.value], []), node)
