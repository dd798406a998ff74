"""An attribute that is a view of another one at first, and that the function replaces."""

from typing import Any

import pytest

import vitrify as vt


class Recurrent:
    def __init__(self) -> None:
        self.table = vt.zeros([2, 2])
        self.now = self.table[0]

    def added(self, v: Any) -> Any:
        self.table[0] += v
        self.now = self.now + 0.5
        return self.now[0]

    def in_place(self, v: Any) -> Any:
        self.table[1] = v
        self.now += v
        return self.now.sum()


@pytest.mark.parametrize("name", ["added", "in_place"])
def test_later_calls_read_what_stands_there(name: str) -> None:
    eager, compiled = Recurrent(), Recurrent()
    fn = vt.to_static(getattr(compiled, name))
    for v in (1.0, 3.0, 5.0, 2.0, 6.0):
        given = vt.to_tensor(v)
        assert float(fn(given)) == float(getattr(eager, name)(given))
        assert compiled.now.tolist() == eager.now.tolist()
        assert compiled.table.tolist() == eager.table.tolist()
