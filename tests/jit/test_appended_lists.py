"""A list outside of a function that it only appends to needs one program, however long it is."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt

HISTORY: list[Any] = []


class Trainer:
    """Keeps what its steps find."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.rows: list[Any] = []

    @property
    def count(self) -> int:
        return len(self.log)

    def note(self, x: Any) -> None:
        self.rows.append(x)


class Plain:
    def __init__(self) -> None:
        self.log: list[Any] = []
        self.rows: list[Any] = []

    def note(self, x: Any) -> None:
        self.rows.append({"x": x, "max": x.max().item()})


def of_a_closure(history: list[Any], t: Any) -> Any:
    def step(x):
        history.append(x.mean().item())
        return x * 2

    return step


def of_an_attribute(history: list[Any], t: Any) -> Any:
    def step(x):
        t.log.append((x.sum(), 3))
        t.log.extend([x, 1])
        t.note(x)
        return x

    return step


def of_a_global(history: list[Any], t: Any) -> Any:
    def step(x):
        HISTORY.append(float(x.sum()))
        return x

    return step


def read_too(history: list[Any], t: Any) -> Any:
    def step(x):
        history.append(x.sum())
        return history[-1] * len(history)

    return step


def read_by_another_name(history: list[Any], t: Any) -> Any:
    other = history

    def step(x):
        history.append(x.sum())
        return sum(other)

    return step


def read_by_a_getter(history: list[Any], t: Any) -> Any:
    kept = Trainer()
    t.log = kept.log

    def step(x):
        kept.log.append(x.sum())
        return x * kept.count

    return step


def on_one_path(history: list[Any], t: Any) -> Any:
    def step(x):
        if x.sum() > 3:
            history.append(x.sum())
        return x

    return step


def given_away(history: list[Any], t: Any) -> Any:
    def step(x):
        history.append(x.sum())
        return x, history

    return step


STABLE = [of_a_closure, of_an_attribute, of_a_global]
OTHERS = [read_too, read_by_another_name, read_by_a_getter, on_one_path, given_away]


def run(make: Any, compiles: bool) -> tuple[list[str], Any]:
    history, t = [], Plain()
    HISTORY.clear()
    step = make(history, t)
    fn = vt.to_static(step) if compiles else step
    found = []
    for k in range(5):
        found.append(str(fn(vt.to_tensor([1.0 * k, 2.0]))))
        if k == 2:
            history.append("from outside")
            del t.log[:1]
        found.append(str((history, t.log, t.rows, HISTORY)))
        if k == 2:
            history.pop()
    return found, fn


@pytest.mark.parametrize("make", [*STABLE, *OTHERS], ids=lambda make: make.__name__)
def test_lists_that_are_appended_to(make: Any) -> None:
    expected, _ = run(make, False)
    found, fn = run(make, True)
    assert found == expected
    if make in STABLE:
        assert fn.get_traced_count() == 1, fn.explain()
