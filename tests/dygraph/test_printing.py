"""Tensors as text."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import vitrify as vt
from vitrify.dygraph.printing import get_printoptions, put_printoptions


def test_a_tensor_without_axes_is_its_number_in_a_text() -> None:
    loss, count, flag, row = vt.to_tensor(1.5), vt.to_tensor(3), vt.to_tensor(True), vt.to_tensor([1.0, 2.0])

    def texts(loss: Any, count: Any, flag: Any, row: Any) -> None:
        late, old = "{}", "%s"
        print(f"loss {loss} of {count}, {flag}", late.format(loss), f"{loss:.3f}", f"{row}")
        print(loss, str(loss), f"{loss!s}", f"{count!r}", old % loss, [count])

    for fn in (texts, vt.to_static(texts)):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            fn(loss, count, flag, row)
        first, rest = out.getvalue().split("\n", 1)
        assert first.startswith("loss 1.5 of 3, True 1.5 1.500 Tensor(shape=[2]")
        assert rest.count("Tensor(shape=[], dtype=") == 6


def test_printed_with_an_exponent() -> None:
    before = get_printoptions()
    try:
        vt.set_printoptions(precision=2, sci_mode=True)
        assert "[1.50e+00, 2.00e-04]" in str(vt.to_tensor([1.5, 2e-4]))
        vt.set_printoptions(sci_mode=False)
        assert "e-04" not in str(vt.to_tensor([1.5, 2e-4]))
    finally:
        put_printoptions(before)
