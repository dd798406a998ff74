"""Tensors as text, in Paddle's manner."""

from __future__ import annotations

from collections.abc import Callable
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
    if tensor.dtype is bfloat16:
        payload = payload.astype(np.float32)
    return _laid_out(payload, column + 1, *_writer(_corners(payload)), payload.size > _options["threshold"])


def _laid_out(array: Any, column: int, write: Callable[[Any], str], width: int, cut: bool) -> str:
    """The elements of an array in brackets, from a column of the text on; in the middle of long axes `...`, if cut."""
    if array.ndim == 0:
        return write(array[()])
    edge, last = _options["edgeitems"], array.ndim == 1
    gap = cut and len(array) > 2 * edge
    parts = [*array[:edge], *array[len(array) - edge :]] if gap else array
    texts = [write(x) if last else _laid_out(x, column + 1, write, width, cut) for x in parts]
    if gap:
        texts.insert(edge, "...")
    if not last:
        return f"[{(',' + chr(10) * (array.ndim - 1) + ' ' * column).join(texts)}]"
    count = max(1, (_options["linewidth"] + 1 - column) // (width + 2))
    lines = [", ".join(texts[begin : begin + count]) for begin in range(0, len(texts), count)]
    return f"[{(',' + chr(10) + ' ' * column).join(lines)}]"


def _corners(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements that are shown of an array: of a large one, those at the ends of each axis."""
    if array.size <= _options["threshold"]:
        return array
    edge = _options["edgeitems"]
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            array = np.take(array, [*range(edge), *range(size - edge, size)], axis)
    return array


def _writer(shown: np.ndarray[Any, Any]) -> tuple[Callable[[Any], str], int]:
    """What writes an element as wide as the widest that is shown, with room for signs where some are negative; and
    that width.
    """
    write: Callable[[Any], str] = str
    if shown.dtype.kind in "fc":
        write = _float_writer(shown) if shown.dtype.kind == "f" else _complex_writer()
    width = max((len(write(x)) for x in shown.ravel()), default=0)
    signed = shown.dtype.kind in "ifc" and bool((shown.real < 0).any())

    def padded(x: Any) -> str:
        text = write(x)
        return (f" {text}" if signed and text[0] != "-" and len(text) < width else text).ljust(width)

    return padded, width


def _float_writer(shown: np.ndarray[Any, Any]) -> Callable[[Any], str]:
    """Whole numbers as `2.`, others with all decimals; with an exponent where decimals would show none of a number."""
    precision, size = _options["precision"], np.abs(shown[np.isfinite(shown) & (shown != 0)].astype(np.float64))
    exponents = _options["suppress"] is False
    if _options["suppress"] is None and size.size:
        exponents = bool(size.min() < 0.5 * 10.0**-precision or size.max() >= 1e16)
    form = f".{precision}{'e' if exponents else 'f'}"

    def write(x: Any) -> str:
        if not np.isfinite(x):
            return f"{x}" if exponents or np.isnan(x) else f"{x}."
        return f"{x:.0f}." if not exponents and x == np.floor(x) else format(float(x), form)

    return write


def _complex_writer() -> Callable[[Any], str]:
    form = f".{_options['precision']}{'e' if _options['suppress'] is False else 'f'}"
    return lambda x: f"({x.real:{form}}{x.imag:+{form}}j)"


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
