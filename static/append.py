"""`block.append_op`: ops by their names, Paddle's old operator names included."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..dygraph.tensor import Tensor
from ..ir.core import Value
from ..ops.op import FUNCTIONS, OPS

# old name -> (function, attributes under another name, attributes to leave out)
OLD: dict[str, tuple[str, dict[str, str]]] = {
    "elementwise_add": ("add", {"axis": ""}), "elementwise_sub": ("subtract", {"axis": ""}),
    "elementwise_mul": ("multiply", {"axis": ""}), "elementwise_div": ("divide", {"axis": ""}),
    "elementwise_max": ("maximum", {"axis": ""}), "elementwise_min": ("minimum", {"axis": ""}),
    "elementwise_pow": ("pow", {"axis": ""}),
    "matmul_v2": ("matmul", {"trans_x": "transpose_x", "trans_y": "transpose_y"}),
    "mul": ("matmul", {"x_num_col_dims": "", "y_num_col_dims": ""}),
    "reduce_sum": ("sum", {"dim": "axis", "keep_dim": "keepdim", "reduce_all": ""}),
    "reduce_mean": ("mean", {"dim": "axis", "keep_dim": "keepdim", "reduce_all": ""}),
    "reduce_max": ("max", {"dim": "axis", "keep_dim": "keepdim", "reduce_all": ""}),
    "reshape2": ("reshape", {}), "transpose2": ("transpose", {"axis": "perm"}),
    "sum": ("add_n", {"use_mkldnn": ""}), "cast": ("cast", {"out_dtype": "dtype", "in_dtype": ""}),
    "unsqueeze2": ("unsqueeze", {"axes": "axis"}), "squeeze2": ("squeeze", {"axes": "axis"}),
    "fill_any_like": ("full_like", {"value": "fill_value"}), "top_k_v2": ("topk", {}), "arg_max": ("argmax", {}),
    "fill_constant": ("full", {"value": "fill_value"}),
    "lookup_table_v2": ("embedding", {}), "assign": ("assign", {}),
}  # fmt: skip


def append(kind: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, Any]) -> list[Any]:
    """Call the op; what `outputs` holds takes its results."""
    name, renamed = OLD.get(kind, (kind, {}))
    function = FUNCTIONS.get(name) or OPS.get(name) or _functional(name)
    if function is None:
        raise ArgumentError(
            f"append_op: there is no op {kind!r}", remedy="use the functions of vt and vt.nn.functional"
        )
    arguments = [_one(v) for v in inputs.values() if v is not None and not (isinstance(v, (list, tuple)) and not v)]
    known = {renamed.get(k, k): v for k, v in attrs.items() if renamed.get(k, k) and k != "op_role"}
    made = function(*arguments, **known)
    results = list(made) if isinstance(made, (tuple, list)) else [made]
    targets = [x for v in outputs.values() for x in (v if isinstance(v, (list, tuple)) else [v])]
    for target, result in zip(targets, results, strict=False):
        give(target, result)
    return results


def _functional(name: str) -> Any:
    found = getattr(import_module(f"{__name__.partition('.')[0]}.nn").functional, name, None)
    return found if callable(found) else None


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def give(target: Any, result: Tensor, recorder: Any = None) -> None:
    """Let a variable stand for `result` from here on; a persistable one keeps it after the run.

    Errors: ShapeError where both shapes are known and differ.
    """
    recorder = recorder or target.recorder
    payload = target._storage.payload
    if not getattr(target, "awaits", False) and len(payload.shape) != len(result._storage.payload.shape):
        raise ShapeError(f"{target.name} has the shape {list(target.shape)}, its new value {list(result.shape)}")
    if isinstance(payload, Value) or getattr(target, "awaits", False):
        target._write(result) if len(recorder.blocks) > 1 else _replace(target, recorder.value_of(result), result)
        return
    recorder.note_writes()
    recorder.lift(target)
    if len(recorder.blocks) > 1:
        target._write(result)
    else:
        recorder.note_write(target._storage, recorder.value_of(result))


def _replace(target: Any, value: Value, result: Tensor) -> None:
    target._storage.payload = value
    target._dtype = result.dtype
    target.__dict__["_stop"] = result.stop_gradient
    if getattr(target, "recorder", None) is not None:
        target.recorder.owner.register(target)
