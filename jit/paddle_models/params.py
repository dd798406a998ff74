"""A `.pdiparams`: the tensors of a program one after the other, without names, in the order of the names.

Each has a version, the lengths of its sequences, a version again, and a protobuf message with its dtype and shape.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from ...base.errors import ArtifactError
from .paddle_model import dtype_of
from .wire import Wire


class _Reader:
    def __init__(self, where: str, data: bytes) -> None:
        self.where, self.data, self.at = where, data, 0

    def fail(self, what: str) -> NoReturn:
        """ArtifactError that says what is damaged."""
        raise ArtifactError(f"{self.where}: not parameters of PaddlePaddle, or damaged ones ({what})")

    def number(self, form: str) -> int:
        """The next integer."""
        size = struct.calcsize(form)
        (found,) = struct.unpack(form, self.take(size))
        return int(found)

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if size < 0 or self.at + size > len(self.data):
            self.fail(f"it ends after {len(self.data)} bytes")
        self.at += size
        return self.data[self.at - size : self.at]

    def tensor(self) -> Any:
        """The next tensor."""
        if self.number("<I"):
            self.fail("a tensor of another version")
        for _ in range(self.number("<Q")):
            self.take(self.number("<Q"))
        if self.number("<I"):
            self.fail("a tensor of another version")
        kind = Wire(self.where, self.take(self.number("<i")))
        dtype, shape = dtype_of(kind.whole(1, -1), self.where), kind.ints(2)
        size = dtype.itemsize
        for d in shape:
            size *= d
        if any(d < 0 for d in shape):
            self.fail(f"a tensor of shape {shape}")
        return np.frombuffer(self.take(size), dtype.numpy).reshape(shape).copy()


def read_params(where: str, data: bytes, names: Iterable[str]) -> dict[str, Any]:
    """The arrays by name. Errors: ArtifactError for damaged data, and for more or fewer tensors than names."""
    reader = _Reader(where, data)
    found = {name: reader.tensor() for name in sorted(names)}
    if reader.at != len(data):
        reader.fail(f"the program has {len(found)} parameters, the file has more")
    return found
