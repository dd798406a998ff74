"""Sizes that change between calls as keys of dicts and elements of sets: Python finds them by their numbers."""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


@dataclass(frozen=True)
class Key:
    """Hashed by its fields."""

    rows: Any
    columns: int = 1


def stored(x: Any) -> Any:
    found = {}
    found[x.shape[0]] = 5
    return found.get(2, 0), x.shape[0] in found


def filled(x: Any) -> Any:
    found: dict[Any, int] = {2: 1}
    found.setdefault(x.shape[0], 7)
    found.update({(x.shape[0], 1): 3})
    return found.get(2), found.get((2, 1), 0), len(found)


def cached() -> Callable[[Any], Any]:
    tables = {(2, 1): vt.full([1], 7.0)}

    def table(x: Any) -> Any:
        key = x.shape[0], 1
        if key not in tables:
            return x * 2
        return x * tables[key]

    return table


def handled(x: Any) -> Any:
    try:
        return {(2, 1): x * 5}[x.shape[0], 1]
    except KeyError:
        return x


FORMS: dict[str, Callable[[Any], Any]] = {
    "stored": stored,
    "filled": filled,
    "a table by shapes": cached(),
    "handled": handled,
    "a key": lambda x: {x.shape[0]: 5}.get(2, 0),
    "a tuple as a key": lambda x: {(x.shape[0], 1): 5}.get((2, 1), 0),
    "a tuple that is looked up": lambda x: {(2, 1): 5}.get((x.shape[0], 1), 0),
    "a shape that is looked up": lambda x: {(2,): 5}.get(tuple(x.shape), 0),
    "a tuple in a set": lambda x: (x.shape[0], 1) in {(2, 1), (3, 1)},
    "a set": lambda x: len({x.shape[0], 2, x.ndim}),
    "a set of a list": lambda x: len(set([x.shape[0], 2, 3])),  # noqa: C405
    "a dict of pairs": lambda x: dict(zip([x.shape[0]], [4], strict=True)).get(3, 0),
    "a counter": lambda x: collections.Counter([x.shape[0], 2])[2],
    "a dataclass": lambda x: {Key(x.shape[0]): 5}.get(Key(2), 0),
    "an arithmetic result": lambda x: {x.shape[0] * 2 + 1: 5}.get(5, 0),
    "hash": lambda x: hash(x.shape[0]) == hash(2),
}


def shown(value: Any) -> Any:
    """A result as nested lists."""
    return [shown(v) for v in value] if isinstance(value, tuple) else np.asarray(value).tolist()


@pytest.mark.parametrize("fn", FORMS.values(), ids=FORMS)
def test_as_eager(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for size in (1, 2, 3, 4, 2):
        assert shown(compiled(vt.ones([size]))) == shown(fn(vt.ones([size])))


RUN_TIME: dict[str, Callable[[Any], Any]] = {
    "a key": lambda n: {n: 5}.get(2, 0),
    "a set": lambda n: 2 in {n},
    "a tuple": lambda n: {(2, 1): 5}.get((n, 1), 0),
}


@pytest.mark.parametrize("fn", RUN_TIME.values(), ids=RUN_TIME)
def test_a_size_that_only_a_run_knows_is_refused(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(CaptureError, match="becomes a key of a dict or an element of a set"):
        vt.to_static(lambda x: fn(x[x > 0].shape[0]))(vt.to_tensor([1.0, -1.0]))


def test_a_size_that_an_input_spec_leaves_open_is_refused() -> None:
    compiled = vt.to_static(lambda x: x * {x.shape[0]: 2.0}.get(2, 3.0), input_spec=[vt.InputSpec([None], "float32")])
    with pytest.raises(CaptureError, match="becomes a key of a dict"):
        _ = compiled.concrete_program


def test_programs_of_one_shape_have_one_key() -> None:
    """What the library keeps by shapes is found by their form."""
    compiled = vt.to_static(lambda x, y: (x @ y).sum() + vt.concat([x, x]).sum())
    for size in (2, 3, 4):
        assert compiled(vt.ones([size, 2]), vt.ones([2, size])).item() == 2 * size * size + 4 * size
    assert compiled.get_traced_count() == 2
