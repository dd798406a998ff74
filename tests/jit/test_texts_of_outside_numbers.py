"""Functions of C code that need Python's number take those of tensors from outside: there is a program for each."""

from __future__ import annotations

from typing import Any

import vitrify as vt


def test_bin_and_hex_of_a_tensor_from_outside_follow_it() -> None:
    n, kept = vt.to_tensor(5), {"n": vt.to_tensor(3)}

    def shown(x: Any) -> Any:
        return x + len(bin(int(n))), bin(int(n)), hex(n.item()), oct(int(kept["n"]))

    compiled = vt.jit.to_static(shown)
    for _ in range(3):
        for found, expected in zip(compiled(vt.ones([1])), shown(vt.ones([1])), strict=True):
            assert found == expected
        n.set_value(n * 2)
        kept["n"] = kept["n"] * 3
    assert compiled.get_traced_count() == 3
