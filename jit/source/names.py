"""Fresh names for generated functions and variables: never one that the user's function uses."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType


def names_in(code: CodeType) -> Iterator[str]:
    """Every identifier that a code object, or one nested in it, uses as a variable."""
    yield code.co_name
    yield from code.co_varnames
    yield from code.co_names
    yield from code.co_freevars
    yield from code.co_cellvars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


class Names:
    """The names taken so far, and those that were made up."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._counts: dict[str, int] = {}
        self.generated: set[str] = set()

    def fresh(self, stem: str) -> str:
        """`stem_1`, `stem_2`, …: the next one that is free."""
        while True:
            number = self._counts.get(stem, 0) + 1
            self._counts[stem] = number
            if self._take(name := f"{stem}_{number}"):
                return name

    def plain(self, stem: str) -> str:
        """`stem` itself where it is free, else a numbered one."""
        return stem if self._take(stem) else self.fresh(stem)

    def _take(self, name: str) -> bool:
        if name in self._taken:
            return False
        self._taken.add(name)
        self.generated.add(name)
        return True
