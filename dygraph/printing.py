"""Tensors as text, in Paddle's manner."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import bfloat16
from ..base.size import teller
from ..ops.dispatch import current
from ..ops.infer import show_shape

AS_STR = "!s"
_options: dict[str, Any] = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "suppress": None}


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Set how tensors print; what isn't named stays. sci_mode: with an exponent (True), or never (False).

    >>> set_printoptions(precision=8)
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options.update({k: v for k, v in given.items() if v is not None})
    if sci_mode is not None:
        _options["suppress"] = not sci_mode


def get_printoptions() -> dict[str, Any]:
    """How tensors print now."""
    return dict(_options)


def put_printoptions(options: dict[str, Any]) -> None:
    """Let tensors print as when `get_printoptions` gave these."""
    _options.update(options)


def show_tensor(tensor: Any) -> str:
    """`Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,` and the elements below."""
    kind = "Parameter containing:\n" if hasattr(tensor, "trainable") else ""
    facts = f"dtype={tensor.dtype.name}, place={tensor.place}, stop_gradient={tensor.stop_gradient}"
    if not isinstance(tensor._storage.payload, np.ndarray):
        tell = teller.get()
        if tell is not None:
            return tell(tensor)
        return f"{kind}Tensor(shape={show_shape(tensor.shape)}, {facts}, traced)"
    return f"{kind}Tensor(shape={list(tensor.shape)}, {facts},\n       {show_elements(tensor, 7)})"


def show_elements(tensor: Any, column: int) -> str:
    """The elements of a tensor from a column of the text on; `traced` where they aren't known yet."""
    payload = tensor._storage.payload
    if not isinstance(payload, np.ndarray):
        return "traced"
    if tensor.dtype is bfloat16:  # whole ones would print as integers
        payload = payload.astype(np.float32)
    return np.array2string(
        payload,
        separator=", ",
        prefix=" " * column,
        precision=_options["precision"],
        threshold=_options["threshold"],
        edgeitems=_options["edgeitems"],
        max_line_width=_options["linewidth"],
        suppress_small=_options["suppress"],
        formatter={"float_kind": _scientific} if _options["suppress"] is False else None,
    )


def _scientific(number: Any) -> str:
    return f"{number:.{_options['precision']}e}"


def format_tensor(tensor: Any, spec: str) -> str:
    """f"{tensor:.3f}" for one element; without a spec its number if it has no axes, else the printed form.

    spec: AS_STR for `str(tensor)`, which is always the printed form.
    """
    text = current().string_of(tensor, spec)
    if text is not NotImplemented:  # a tracer's: the value isn't known yet
        return text  # type: ignore[no-any-return]
    if spec == AS_STR or (not spec and np.ndim(tensor._storage.payload)):
        return repr(tensor)
    return format(tensor.item(), spec)
