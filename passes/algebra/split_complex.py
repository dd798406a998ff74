"""Complex numbers become pairs of real tensors, for which there are kernels; rows without a rule keep them whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir.builder import ahead_of, behind
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.complex_parts import PART_CONDITIONS, PART_RULES, pairs_of_parts, parts_of_pairs
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass

Parts = tuple[Any, Any]


@dataclass(frozen=True)
class SplitComplex(Pass):
    """Compute with the parts of complex numbers (ops/complex_parts.py). `as_real` and `as_complex`, which cost nothing,
    stand where whole numbers are needed: arguments, results, and operations that NumPy runs.
    """

    name = "split_complex"

    def run(self, program: Program) -> bool:
        parts: dict[Value, Parts] = {}
        found = [o for o in walk(program.body) if _has_rule(o) and _is_complex(o)]
        for operation in found:
            given = [_parts(v, parts) if _holds_complex(v) else v for v in operation.operands]
            with ahead_of(operation).active():
                made = PART_RULES[operation.name](operation.attrs, *given)
                whole = OPS["as_complex"](pairs_of_parts(*made)) if isinstance(made, tuple) else made
            if isinstance(made, tuple):
                parts[whole] = made
            operation.result.replace_by(whole)
            operation.erase()
        return bool(found)


def _holds_complex(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.dtype.is_complex


def _has_rule(operation: Operation) -> bool:
    if operation.name not in PART_RULES:
        return False
    condition = PART_CONDITIONS.get(operation.name)
    return condition is None or condition(operation.attrs, operation.operands[0].tensor_type)


def _is_complex(operation: Operation) -> bool:
    if operation.name in ("as_complex", "as_real"):
        return False
    return any(map(_holds_complex, (*operation.operands, *operation.results)))


def _parts(value: Value, known: dict[Value, Parts]) -> Parts:
    """The parts of a complex value: known, or read from memory where the value is made."""
    if value not in known:
        made = value.operation
        builder = behind(made) if made is not None else ahead_of(value.block.operations[0])
        with builder.active():
            if made is not None and made.name == "constant":
                array = made.attrs["data"].array
                known[value] = builder.constant(array.real), builder.constant(array.imag)
            elif made is not None and made.name == "as_complex":
                known[value] = parts_of_pairs(made.operands[0])
            else:
                known[value] = parts_of_pairs(OPS["as_real"](value))
    return known[value]
