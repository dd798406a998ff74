"""Gradient rules of eager mode as stubs: a rule's ops run as a flat list of kernels, without one call of an op each.

As with functions (plans.py) the rule is recorded; gradients that nobody asks for are left out. Where gradients are
recorded themselves, the rule runs as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from ..base.dtype import DType
from .stubs import KernelList, Stub, stub_of_rule
from .tape import OpNode


@dataclass(frozen=True, slots=True)
class RulePlan:
    """The kernels of a rule, from its operands, its results and the gradients that arrived, and which they give."""

    kernels: KernelList
    gradients: Mapping[int, DType]  # number of the operand -> dtype


RuleMaker: TypeAlias = Callable[[OpNode, list[Any], tuple[bool, ...]], Union[RulePlan, None]]


def rule_stub(
    make: RuleMaker, native: Callable[[KernelList], KernelList], node: OpNode, grads: tuple[Any, ...]
) -> Stub | None:
    """The stub for steps like `node` when such gradients arrive; None where the rule itself has to run."""
    operands, results = node.operands, node.results or node.specs
    plan = make(
        node, [*operands, *results, *[g for g in grads if g is not None]], tuple([g is not None for g in grads])
    )
    if plan is None:
        return None
    inputs = [f"node.operands[{k}]" for k in range(len(operands))]
    inputs += [f"node.results[{k}]" for k in range(len(results))]
    inputs += [f"grads[{k}]" for k, g in enumerate(grads) if g is not None]
    return stub_of_rule(native(plan.kernels), inputs, len(operands), plan.gradients)
