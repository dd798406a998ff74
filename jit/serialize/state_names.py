"""Names of state entries for the parameters of other frameworks' models."""

from __future__ import annotations

import re


class StateNames:
    """Hands out names of letters, digits and dots that nothing else has.

    >>> names = StateNames()
    >>> names.plain("layer1.0.weight"), names.plain("onnx::Add_3"), names.plain("layer1.0")
    ('layer1.0.weight', 'onnx__Add_3', 'layer1_0')
    """

    def __init__(self) -> None:
        self._names: set[str] = set()

    def plain(self, name: str) -> str:
        """`name`, or something like it: `layer1.0.weight` stays, `onnx::Add_3` doesn't."""
        stem = re.sub(r"\.{2,}", ".", re.sub(r"[^\w.]", "_", name)).strip(".") or "value"
        if self._clashes(stem):
            stem = stem.replace(".", "_")
        found, k = stem, 0
        while self._clashes(found):
            k += 1
            found = f"{stem}_{k}"
        self._names.add(found)
        return found

    def identifier(self, name: str) -> str:
        """As `plain`, without dots and digits in front: for what Python code names."""
        found = self.plain(name).replace(".", "_")
        return f"_{found}" if found[0].isdigit() else found

    def _clashes(self, name: str) -> bool:
        """Whether it is taken, or a folder where another is a file."""
        parts = name.split(".")
        return (
            name in self._names
            or any(".".join(parts[:k]) in self._names for k in range(1, len(parts)))
            or any(taken.startswith(f"{name}.") for taken in self._names)
        )
