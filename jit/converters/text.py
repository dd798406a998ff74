"""Texts made from tensors while capturing (f-strings, `format`, `str`): a token stands for each tensor.

`print` fills the tokens in when the program runs; messages of errors name the tensor's type; elsewhere it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...base.errors import CaptureError
from ...dygraph.printing import format_tensor
from ...dygraph.tensor import Tensor
from ...ops.dims import Dim
from ...ops.types import TensorType
from ..tracer import Tracer, active

TOKEN = re.compile("\x00([0-9]+)\x00")


def holds_tensors(x: object) -> bool:
    """Whether a value is a text made from tensors."""
    return isinstance(x, str) and "\x00" in x and TOKEN.search(x) is not None


class Shown:
    """A size in an f-string, whose text is known when the program runs."""

    def __init__(self, tracer: Tracer, size: Dim) -> None:
        self.tracer = tracer
        self.size = size

    def __format__(self, spec: str) -> str:
        return self.tracer.text(self.tracer.constant(self.size, None), spec or "d")

    def __str__(self) -> str:
        return format(self, "")

    __repr__ = __str__


def shown(x: Any) -> Any:
    """What an f-string formats for `x`."""
    tracer = active()
    return x if tracer is None or not isinstance(x, Dim) else Shown(tracer, x)


def tensors_in(tracer: Tracer, text: str) -> list[Tensor]:
    """The tensors whose values the text needs, in order."""
    return [tracer.texts[int(k)][0] for k in TOKEN.findall(text)]


def filler(tracer: Tracer, text: str) -> Callable[[list[Tensor]], str]:
    """A function from the tensors, now with values, to the text."""
    specs = [tracer.texts[int(k)][1] for k in TOKEN.findall(text)]
    plain = [tracer.texts[int(k)][0].weak for k in TOKEN.findall(text)]
    parts = TOKEN.split(text)[::2]

    def fill(values: list[Tensor]) -> str:
        shown = [
            format(x.item(), spec) if is_number else format_tensor(x, spec)
            for x, spec, is_number in zip(values, specs, plain, strict=True)
        ]
        return "".join(a + b for a, b in zip(parts, [*shown, ""], strict=True))

    return fill


def without_values(tracer: Tracer, text: str) -> str:
    """The text with the tensors' types, for messages that are made while capturing."""

    def kind(found: re.Match[str]) -> str:
        x = tracer.texts[int(found[1])][0]
        return str(TensorType(x.dtype, tuple(x.shape)))

    return TOKEN.sub(kind, text)


def refuse(tracer: Tracer, text: str) -> None:
    """The error for a text that would leave the function."""
    _, _, loc = tracer.texts[int(TOKEN.findall(text)[0])]
    raise CaptureError(
        "a text made from a tensor's value leaves the captured function",
        loc=loc,
        remedy="return the tensor and format it outside; print() shows it when the program runs",
    )
