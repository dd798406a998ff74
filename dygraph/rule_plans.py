"""Gradient rules of eager mode as plans: a rule's ops run as a flat list of kernels, without one call of an op each.

As with functions (plans.py) the second call with operands of the same types makes the plan; it leaves out gradients
that nobody asks for. Where gradients are recorded themselves, the rule runs as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, Union

from ..base.errors import VitrifyError
from ..base.flags import flags
from ..ops.dispatch import _bottom, _stack
from .eager import EAGER, _fresh, _wrap
from .plans import EagerPlan, known
from .tape import NodeKind, OpNode, UnreadOperand, set_rule_runner

RuleMaker: TypeAlias = Callable[[OpNode, list[Any], tuple[bool, ...]], Union[EagerPlan, None]]

_maker: list[RuleMaker] = []
_interpreters = _stack.get


def set_rule_maker(make: RuleMaker) -> None:
    """Install what makes plans of gradient rules."""
    _maker[:] = [make]


def _run(node: OpNode, grads: tuple[Any, ...]) -> Any:
    if _bottom[0] is not EAGER or _interpreters() or not _maker:
        return NotImplemented
    kind = node.kind
    if kind.rules is not None and not kind.many:
        found = _by_known_rule(node, kind, grads[0])
        if found is not None:
            return found
    arrays = [None if type(x) is UnreadOperand else x._storage.payload for x in node.operands]
    if node.results is None:
        arrays += [None] * len(kind.specs)
    else:
        arrays += [x._storage.payload for x in node.results]
    usual = True
    for g, spec in zip(grads, kind.specs, strict=True):
        if g is not None:
            array = g._storage.payload
            arrays.append(array)
            if g._dtype is not spec.dtype or array.shape != spec.shape:  # a hook may give other numbers
                usual = False
    arrived = tuple([g is not None for g in grads])
    wanted = tuple([edge is not None for edge in node.edges])
    if usual and kind.rules is not None:
        key: Any = (arrived, wanted, flags.default_dtype.name) if kind.many else (wanted, flags.default_dtype.name)
        plan = kind.rules.get(key)
        if plan is None and (plan := _known(node, grads, arrived, wanted)) is not None:
            kind.rules[key] = plan
    else:
        plan = _known(node, grads, arrived, wanted)
    return NotImplemented if plan is None else _by_plan(plan, node, grads, arrays)


def _by_known_rule(node: OpNode, kind: NodeKind, g: Any) -> Any:
    """Gradients of an op of one result whose plan is known; None where it isn't."""
    spec, array = kind.specs[0], g._storage.payload
    edges = node.edges
    wanted = (edges[0] is not None,) if len(edges) == 1 else tuple([edge is not None for edge in edges])
    plan = kind.rules.get((wanted, flags.default_dtype.name))  # type: ignore[union-attr]
    if plan is None or g._dtype is not spec.dtype or array.shape != spec.shape:  # a hook may give other numbers
        return None
    arrays = [None if type(x) is UnreadOperand else x._storage.payload for x in node.operands]
    arrays.append(None if node.results is None else node.results[0]._storage.payload)
    arrays.append(array)
    return _by_plan(plan, node, (g,), arrays)


def _by_plan(plan: EagerPlan, node: OpNode, grads: tuple[Any, ...], arrays: list[Any]) -> Any:
    try:
        made = plan.forward(*arrays)
    except (ValueError, TypeError, IndexError, ArithmeticError, VitrifyError):
        return NotImplemented  # the rule itself says what is wrong
    wanted = node.edges
    found: list[Any] = [None] * len(wanted)
    for number, array, dtype in zip(plan.gradients, made, plan.dtypes, strict=True):
        for g in grads:
            if g is not None and g._storage.payload is array:
                found[number] = g
                break
        else:
            if array.base is None:
                found[number] = _fresh(array, dtype)
            else:
                real = [x for x in _operands(node, grads) if type(x) is not UnreadOperand]
                found[number] = _wrap(array, real, [x._storage.payload for x in real])
    return found


def _operands(node: OpNode, grads: tuple[Any, ...]) -> list[Any]:
    """What the rule may read: the op's operands and results, then the gradients that arrived."""
    return [*node.operands, *(node.results or node.specs), *[g for g in grads if g is not None]]


def _known(
    node: OpNode, grads: tuple[Any, ...], arrived: tuple[bool, ...], wanted: tuple[bool, ...]
) -> EagerPlan | None:  # fmt: skip
    operands = _operands(node, grads)
    parts: list[Any] = [node.op, flags.default_dtype.name, wanted, arrived]
    for x in operands:
        if type(x) is UnreadOperand:
            parts += x.dtype.name, x.shape
        else:
            parts += x._dtype.name, x._storage.payload.shape
    for name, value in node.attrs.items():
        kind = type(value)
        parts += name, kind, repr(value) if kind is float else value
    try:
        return known(tuple(parts), lambda: _maker[0](node, operands, arrived))
    except TypeError:  # an attribute that can't be hashed
        return None


set_rule_runner(_run)
