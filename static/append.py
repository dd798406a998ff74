"""`block.append_op`: operators of Paddle's old programs, and ops by their names.

An operator whose inputs have Paddle's slots (`X`, `Filter`, ...) is read as in a `.pdmodel` file, by the same row:
attributes mean what they mean there, and one that changes the result and isn't known is refused.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, ShapeError
from ..dygraph.tensor import Tensor
from ..ir.core import Value
from ..jit.paddle_models.paddle_call import OperatorCall
from ..jit.paddle_models.paddle_model import ModelStep
from ..jit.paddle_models.rows import rows_of
from ..jit.paddle_models.rows.paddle_row import Row
from ..ops.dims import deciding
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS


def append(kind: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, Any]) -> list[Any]:
    """Call the op; what `outputs` holds takes its results."""
    if "sub_block" in attrs:
        raise ArgumentError(f"append_op: {kind} has a block of its own", remedy="use static.nn.cond or while_loop")
    row = rows_of("old").get(kind)
    if row is not None and inputs.keys() <= {slot.rstrip("*") for slots in row.inputs for slot in slots.split("|")}:
        return _append_row(row, kind, inputs, outputs, attrs)
    function = FUNCTIONS.get(kind) or OPS.get(kind) or _functional(kind)
    if function is None:
        raise ArgumentError(
            f"append_op: there is no op {kind!r}", remedy="use the functions of vt and vt.nn.functional"
        )
    arguments = [_one(v) for v in inputs.values() if v is not None and not (isinstance(v, (list, tuple)) and not v)]
    made = function(*arguments, **{name: value for name, value in attrs.items() if name != "op_role"})
    results = list(made) if isinstance(made, (tuple, list)) else [made]
    targets = [x for v in outputs.values() for x in (v if isinstance(v, (list, tuple)) else [v])]
    for target, result in zip(targets, results, strict=False):
        give(target, result)
    return results


def _append_row(
    row: Row, kind: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, Any]
) -> list[Any]:
    """Read the operator as one of a `.pdmodel` file. Errors: ArgumentError."""
    recorder: Any = current()
    slots = {name: _listed(given) for name, given in inputs.items()}
    tensors = [x for given in slots.values() for x in given]
    settings = {name: as_dtype(v) if name.endswith("dtype") and isinstance(v, str) else v for name, v in attrs.items()}
    step = ModelStep(kind, {name: [x.name for x in given] for name, given in slots.items()}, {}, settings)
    recorder.note_writes()
    call = OperatorCall(
        SimpleNamespace(tracer=recorder, constant=recorder.builder.constant), step,
        [_input(slots, slot, recorder) for slot in row.inputs],
    )  # fmt: skip
    with deciding(recorder.decide), recorder.builder.active():
        made = row.read(call)
    call.finish()
    stop = all(x.stop_gradient for x in tensors)
    results = []
    for slot, part in zip(row.outputs, made if isinstance(made, tuple) else (made,), strict=False):
        found = [recorder.variable(v, stop or not v.dtype.is_differentiable) for v in _listed(part)]
        results += found
        for target, result in zip(_listed(outputs.get(slot)), found, strict=False):
            give(target, result)
    return results


def _input(slots: dict[str, list[Any]], names: str, recorder: Any) -> Any:
    """The values of the first slot of `A|B*` that holds some; a list where it has a star."""
    for name in names.split("|"):
        given = slots.get(name.rstrip("*"))
        if given:
            values = [recorder.value_of(x) for x in given]
            return values if name.endswith("*") or len(values) > 1 else values[0]
    return None


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _functional(name: str) -> Any:
    found = getattr(import_module(f"{__name__.partition('.')[0]}.nn").functional, name, None)
    return found if callable(found) else None


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def give(target: Any, result: Tensor, recorder: Any = None) -> None:
    """Let a variable stand for `result` from here on; a persistable one keeps it after the run.

    Errors: ShapeError where a persistable one, or one of a block, has another rank.
    """
    recorder = recorder or target.recorder
    payload = target._storage.payload
    if is_renamed(target, recorder):
        _replace(target, recorder.value_of(result), result)
        return
    awaits = getattr(target, "awaits", False)
    if not awaits and len(payload.shape) != len(result._storage.payload.shape):
        raise ShapeError(f"{target.name} has the shape {list(target.shape)}, its new value {list(result.shape)}")
    if isinstance(payload, Value) or awaits:
        target._write(result)
        return
    recorder.note_writes()
    recorder.lift(target)
    if len(recorder.blocks) > 1:
        target._write(result)
    else:
        recorder.note_write(target._storage, recorder.value_of(result))


def is_renamed(target: Any, recorder: Any) -> bool:
    """Whether a new value takes over the variable's name, of whatever shape and dtype: outside of blocks."""
    stands_for_value = isinstance(target._storage.payload, Value) or getattr(target, "awaits", False)
    return stands_for_value and len(recorder.blocks) == 1


def _replace(target: Any, value: Value, result: Tensor) -> None:
    target._storage.payload = value
    target._dtype = result.dtype
    target.__dict__["_stop"] = result.stop_gradient
    if getattr(target, "recorder", None) is not None:
        target.recorder.owner.register(target)
