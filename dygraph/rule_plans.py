"""Gradient rules of eager mode as plans: a rule's ops run as a flat list of kernels, without one call of an op each.

As with functions (plans.py) the second call with operands of the same types makes the plan; it leaves out gradients
that nobody asks for. Where gradients are recorded themselves, the rule runs as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, Union

from ..base.errors import VitrifyError
from ..base.flags import flags
from ..ops.dispatch import _stack, bottom
from .eager import EAGER, _wrap
from .plans import Plan, known
from .tape import OpNode, Placeholder, set_rule_runner

RuleMaker: TypeAlias = Callable[[OpNode, list[Any], tuple[bool, ...]], Union[Plan, None]]

_maker: list[RuleMaker] = []


def set_rule_maker(make: RuleMaker) -> None:
    """Install what makes plans of gradient rules."""
    _maker[:] = [make]


def _run(node: OpNode, grads: tuple[Any, ...]) -> Any:
    if bottom() is not EAGER or _stack.get() or not _maker:
        return NotImplemented
    operands = [*node.operands, *(node.results or node.specs), *[g for g in grads if g is not None]]
    parts: list[Any] = [node.op, flags.default_dtype.name]
    arrays: list[Any] = []
    for x in operands:
        if type(x) is Placeholder:
            parts += x.dtype.name, x.shape
            arrays.append(None)
        else:
            array = x._storage.payload
            parts += x._dtype.name, array.shape
            arrays.append(array)
    wanted = tuple([edge is not None for edge in node.edges])
    arrived = tuple([g is not None for g in grads])
    parts += wanted, arrived
    for name, value in node.attrs.items():
        kind = type(value)
        parts += name, kind, repr(value) if kind is float else value
    try:
        plan = known(tuple(parts), lambda: _maker[0](node, operands, arrived))
    except TypeError:  # an attribute that can't be hashed
        return NotImplemented
    if plan is None:
        return NotImplemented
    try:
        slots = plan.forward.run(arrays)
    except (ValueError, TypeError, IndexError, ArithmeticError, VitrifyError):
        return NotImplemented  # the rule itself says what is wrong
    real = tuple([x for x in operands if type(x) is not Placeholder])
    owned = [a for a in arrays if a is not None]
    found: list[Any] = [None] * len(wanted)
    count = len(arrays)
    for number, slot in zip(plan.gradients, plan.forward.outputs, strict=True):
        found[number] = operands[slot] if slot < count else _wrap(slots[slot], real, owned)
    return found


set_rule_runner(_run)
