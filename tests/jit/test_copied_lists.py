"""Copies of lists that a compiled function makes longer where a tensor decides."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .appended_lists_support import plain


@dataclasses.dataclass
class Record:
    rows: list[Any] = dataclasses.field(default_factory=list)
    count: int = 0


def of_an_if(x: Any) -> Any:
    record = Record()
    if x.sum() > 0:
        record.rows.append(x)
    made = dataclasses.asdict(record)
    record.rows.append(x + 1)
    made["rows"].append(x * 5)
    return made, record.rows, dataclasses.replace(record, count=3).rows


def of_several_ifs(x: Any) -> Any:
    rows = []
    for k in range(4):
        if x[k] > 0:
            rows.append(x[k])
    deep, flat = copy.deepcopy(rows), copy.copy(rows)
    rows.append(x[0])
    return rows, deep, flat, len(deep)


def of_a_loop(x: Any) -> Any:
    record = Record()
    for row in x:
        if row > 0:
            record.rows.append({"a": row, "b": [row, row + 1]})
            record.count += 1
    return dataclasses.asdict(record)


def as_tuple(x: Any) -> Any:
    record = Record()
    for row in x:
        if row > 0:
            record.rows.append(row)
    return dataclasses.astuple(record)


@pytest.mark.parametrize("fn", [of_an_if, of_several_ifs, of_a_loop, as_tuple])
def test_a_copy_has_elements_of_its_own(fn: Any) -> None:
    static = vt.jit.to_static(fn)
    for sign in (1.0, -1.0):
        x = vt.to_tensor(np.array([1.0, 2.5, -1.0, 0.5], "float32") * sign)
        assert plain(fn(x)) == plain(static(x))
