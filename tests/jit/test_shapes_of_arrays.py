"""`a.shape` of a NumPy array among the arguments is a tuple in captured code, as NumPy's is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FORMS: dict[str, Callable[[Any], Any]] = {
    "its class": lambda a: isinstance(a.shape, tuple),
    "equal": lambda a: (a.shape == (2, 3), a.shape == [2, 3]),
    "more axes": lambda a: (a.shape + (1,), (4,) + a.shape[1:]),
    "a key": lambda a: {(2, 3): "two rows", (4, 3): "four rows"}.get(a.shape, "others"),
    "a member": lambda a: a.shape in ((2, 3), (4, 5)),
    "given out": lambda a: a.shape,
    "of a part": lambda a: (a[0].shape, a[:, :2].shape, (a * 2).shape),
    "of a copy": lambda a: a.copy().shape,
    "taken apart": lambda a: [n + 1 for n in a.shape],
}


@pytest.mark.parametrize("name", FORMS)
def test_shapes_are_numpys(name: str) -> None:
    form = FORMS[name]
    compiled = vt.to_static(lambda a: form(a))
    for rows in (2, 4, 5, 2):
        a = np.ones((rows, 3), "float32")
        found, wanted = compiled(a), form(a)
        assert found == wanted
        assert type(found) is type(wanted)


def test_a_list_beside_it_is_refused_as_by_numpy() -> None:
    with pytest.raises(TypeError, match="concatenate"):
        vt.to_static(lambda a: a.shape + [1])(np.ones((2, 3)))
