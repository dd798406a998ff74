"""Keys whose `__hash__` changes objects: what the library asks for at the end of a capture isn't recorded."""

from __future__ import annotations

from typing import Any

import vitrify as vt


class Base:
    def __init__(self) -> None:
        self.n = {"hash": 0}


class Watching(Base):
    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)


class Counting(Base):
    def __hash__(self) -> int:
        self.n["hash"] += 1
        return 1


def test_a_hash_that_counts_its_calls() -> None:
    watching, counting = Watching(), Counting()
    table = {counting: 1}

    def chosen(a: Any, b: Any, d: Any, x: Any) -> Any:
        return x if isinstance(b, Base) and isinstance(a, Base) else -x

    compiled = vt.to_static(lambda x: chosen(watching, counting, table, x))
    for k in range(4):
        assert compiled(vt.full([2], k)).tolist() == [k, k]
