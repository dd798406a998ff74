"""Lists that a dataclass holds, or an object with methods that Python calls: appending to them makes no program per length."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .appended_lists_support import plain


@dataclasses.dataclass
class History:
    losses: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Frozen:
    losses: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Slots:
    losses: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(order=True)
class Ordered:
    losses: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Outer:
    inner: History = dataclasses.field(default_factory=History)

    @property
    def losses(self) -> list[Any]:
        return self.inner.losses


class Compared:
    def __init__(self) -> None:
        self.losses: list[Any] = []

    def __eq__(self, other: Any) -> bool:
        return len(self.losses) == len(other.losses)

    def __hash__(self) -> int:
        return len(self.losses)

    def __repr__(self) -> str:
        return f"{len(self.losses)} losses"


class Holder:
    def __init__(self, kind: Any) -> None:
        self.history, self.other = kind(), kind()


Step = Callable[[Holder, Any], Any]


def appends(o: Holder, x: Any) -> Any:
    o.history.losses.append(float(x.sum()))


def returns(o: Holder, x: Any) -> Any:
    o.history.losses.append(x * 2)
    return o.history


def inside(o: Holder, x: Any) -> Any:
    o.history.inner.losses.append(x.mean())
    return o.history


def copies(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    return copy.copy(o.history).losses is o.history.losses


def _run(kind: Any, step: Step, is_compiled: bool) -> tuple[list[Any], int]:
    o = Holder(kind)
    fn = (lambda x: step(o, x)) if not is_compiled else vt.to_static(lambda x: step(o, x))
    seen = []
    for k in range(6):
        result = fn(vt.to_tensor(np.array([k, 1], "float32")))
        is_it = result is o.history
        seen.append((is_it, None if is_it else plain(result), plain(o.history.losses), plain(o.other.losses)))
        if k == 3:
            o.other.losses.append(7.0)
    return seen, fn.get_traced_count() if is_compiled else 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [History, Frozen, Slots, Ordered, Compared])
@pytest.mark.parametrize("step", [appends, returns])
def test_no_program_for_each_length(kind: Any, step: Step) -> None:
    eager, _ = _run(kind, step, False)
    compiled, count = _run(kind, step, True)
    assert (compiled, count) == (eager, 1)


def test_a_dataclass_in_a_dataclass() -> None:
    eager, _ = _run(Outer, inside, False)
    compiled, count = _run(Outer, inside, True)
    assert (compiled, count) == (eager, 1)


def equal(o: Holder, x: Any) -> Any:
    o.history.losses.append(float(x.sum()))
    return o.history == o.other


def among(o: Holder, x: Any) -> Any:
    o.history.losses.append(float(x.sum()))
    return o.history in [o.other]


def in_tuples(o: Holder, x: Any) -> Any:
    o.history.losses.append(float(x.sum()))
    return (1, o.history) == (1, o.other), [o.other].count(o.history)


def shown(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    return repr(o.history)


def hashed(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    return hash(o.history) if isinstance(o.history, Compared) else 0


def matched(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    match o.history:
        case History(losses):
            return len(losses)
    return None


def largest(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    return max(o.history, o.other) is o.history if isinstance(o.history, Ordered) else None


def as_dict(o: Holder, x: Any) -> Any:
    o.history.losses.append(1)
    return dataclasses.asdict(o.history) if dataclasses.is_dataclass(o.history) else None


@pytest.mark.parametrize("kind", [History, Compared, Ordered])
@pytest.mark.parametrize("step", [equal, among, in_tuples, shown, hashed, matched, largest, as_dict, copies])
def test_what_python_reads_by_the_methods_is_read(kind: Any, step: Step) -> None:
    eager, _ = _run(kind, step, False)
    compiled, _ = _run(kind, step, True)
    assert compiled == eager
