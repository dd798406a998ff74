"""`f"{x}"` -> `vt_rt.run_time_string(f"{vt_rt.shown(x)}")`: what only a run knows is
shown as it is then; `!r` and `!s` become an argument.
"""

from __future__ import annotations

import gast

from ..source.template import place
from .nodes import constant
from .rewriter import Rewriter


def joined(node: gast.JoinedStr, w: Rewriter) -> gast.AST:
    """Rewrite a whole f-string."""
    w.children(node)
    if not any(isinstance(part, gast.FormattedValue) for part in node.values):
        return node
    return place(gast.Call(w.runtime("run_time_string", node), [node], []), node)


def formatted(node: gast.FormattedValue, w: Rewriter) -> gast.AST:
    """Rewrite one part of an f-string."""
    node.value = w.expression(node.value)
    if node.format_spec is not None:
        w.children(node.format_spec)
    if not isinstance(node.value, gast.Constant):
        arguments = [node.value]
        if node.conversion > 0:
            arguments.append(constant(chr(node.conversion), node))
            node.conversion = -1
        node.value = place(gast.Call(w.runtime("shown", node), arguments, []), node)
    return node
