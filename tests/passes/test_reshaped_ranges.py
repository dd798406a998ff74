"""A range of open sizes in another shape, beside what has that shape: its elements are those of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

FORMS: dict[str, Any] = {
    "product": lambda r, x: r * x.astype("int64"),
    "sum": lambda r, x: r + x.astype("int64"),
    "where": lambda r, x: vt.where(x > 0.5, r, -r),
    "equal": lambda r, x: (r == x.astype("int64")).astype("int64"),
    "reduced": lambda r, x: (r * x.astype("int64")).sum(1),
}


@pytest.mark.parametrize("form", FORMS)
def test_elements_of_all_rows(form: str) -> None:
    def ranged(x: Any) -> Any:
        h, w = x.shape
        return FORMS[form](vt.arange(1, h * w + 1).reshape([h, w]), x)

    compiled = vt.to_static(ranged)
    for h, w in ((4, 4), (3, 6), (2, 3), (5, 1)):
        x = vt.to_tensor((np.arange(h * w).reshape(h, w) % 2).astype("float32"))
        assert compiled(x).tolist() == ranged(x).tolist()
