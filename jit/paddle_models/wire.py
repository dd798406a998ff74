"""Protobuf messages without a schema: the fields of a message by number. The caller knows what each number means.

Source: Protocol Buffers, Encoding (protobuf.dev/programming-guides/encoding).
"""

from __future__ import annotations

import struct
from typing import Any, NoReturn

from ...base.errors import ArtifactError

_MOST_FIELDS = 4_000_000  # of one file, in all its messages
_FIXED = {1: 8, 5: 4}  # wire type -> bytes


class Wire:
    """The fields of one message: `wire[number]` is a list of ints and bytes, in the order of the file."""

    def __init__(self, where: str, data: bytes, budget: list[int] | None = None) -> None:
        self.where = where
        self.budget = [_MOST_FIELDS] if budget is None else budget
        self._by_number: dict[int, list[Any]] = {}
        at = 0
        while at < len(data):
            key, at = self._varint(data, at)
            number, kind = key >> 3, key & 7
            self.budget[0] -= 1
            if not number or self.budget[0] < 0:
                self.fail("a field without a number" if not number else "too many fields")
            value, at = self._value(data, at, kind)
            self._by_number.setdefault(number, []).append(value)

    def fail(self, what: str) -> NoReturn:
        """ArtifactError that says what is damaged."""
        raise ArtifactError(f"{self.where}: not a program of PaddlePaddle, or a damaged one ({what})")

    def _varint(self, data: bytes, at: int) -> tuple[int, int]:
        value = 0
        for shift in range(0, 70, 7):
            if at >= len(data):
                break
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (2**64 - 1), at
        return self.fail("a number without an end")

    def _value(self, data: bytes, at: int, kind: int) -> tuple[Any, int]:
        if kind == 0:
            return self._varint(data, at)
        if kind == 2:
            size, at = self._varint(data, at)
        elif kind in _FIXED:
            size = _FIXED[kind]
        else:
            self.fail(f"a field of the wire type {kind}")
        if at + size > len(data):
            self.fail("a field that ends after the file")
        return data[at : at + size], at + size

    # ---- fields

    def all(self, number: int, kind: type) -> list[Any]:
        """All values of a field, which have to be ints or bytes."""
        found = self._by_number.get(number, [])
        if any(type(v) is not kind for v in found):
            self.fail(f"field {number} of another type")
        return found

    def messages(self, number: int) -> list[Wire]:
        """All values of a field that holds messages."""
        return [Wire(self.where, data, self.budget) for data in self.all(number, bytes)]

    def message(self, number: int) -> Wire:
        """The message of a field; an empty one where it is absent."""
        found = self.messages(number)
        return found[-1] if found else Wire(self.where, b"", self.budget)

    def text(self, number: int) -> str:
        """The string of a field; empty where it is absent."""
        found = self.texts(number)
        return found[-1] if found else ""

    def texts(self, number: int) -> list[str]:
        """All strings of a field."""
        try:
            return [data.decode() for data in self.all(number, bytes)]
        except UnicodeDecodeError:
            self.fail(f"field {number} is no UTF-8")

    def ints(self, number: int) -> list[int]:
        """All signed integers of a field, packed or not."""
        found: list[int] = []
        for value in self._by_number.get(number, []):
            if isinstance(value, int):
                found.append(value)
                continue
            at = 0
            while at < len(value):
                one, at = self._varint(value, at)
                found.append(one)
        return [v - 2**64 if v >= 2**63 else v for v in found]

    def whole(self, number: int, default: int = 0) -> int:
        """The signed integer of a field, or its default."""
        found = self.ints(number)
        return found[-1] if found else default

    def floats(self, number: int, form: str = "f") -> list[float]:
        """All floats ("f") or doubles ("d") of a field, packed or not."""
        size = struct.calcsize(form)
        data = b"".join(self.all(number, bytes))
        if len(data) % size:
            self.fail(f"field {number} holds no whole numbers of {size} bytes")
        return [v for (v,) in struct.iter_unpack(f"<{form}", data)]
