"""Lists from outside that a function appends to, and whose end it reads, or that it extends by `+=`: one program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .appended_lists_support import Base, lists_of, plain

log: list[Any] = []


class Last(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return self.losses[-1] * 2


class Several(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        self.losses.extend([x.max(), x.min()])
        return self.losses[-1] + self.losses[-3] * self.losses[-2]


class Extended(Base):
    def step(self, x: Any) -> Any:
        self.losses += [x.sum(), 1]
        return x


class ExtendedByMore(Base):
    def step(self, x: Any) -> Any:
        self.losses += [float(x.sum() * self.w.max()), x.shape[0] + 1, (x, "a")]
        self.losses += (x, x * 2)
        return self.losses[-1]


class InMethod(Base):
    def last(self) -> Any:
        return self.losses[-1]

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return self.last() + x


class OfGlobal(Base):
    def step(self, x: Any) -> Any:
        global log
        log += [x.sum()]
        return log[-1]


def agree(make: Any, programs: int) -> None:
    eager, compiled = make(), make()
    static = vt.jit.to_static(compiled.step)
    for k in range(6):
        x = vt.to_tensor(np.arange(4, dtype="float32") + k)
        assert plain(eager.step(x)) == plain(static(x)), k
        assert lists_of(eager) == lists_of(compiled), k
    assert static.get_traced_count() == programs, static.explain()


@pytest.mark.parametrize("make", [Last, Several, Extended, ExtendedByMore, InMethod, OfGlobal])
def test_one_program_for_all_lengths(make: Any) -> None:
    log.clear()
    agree(make, 1)


class Before(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [vt.ones([])]

    def step(self, x: Any) -> Any:
        y = self.losses[-1]
        self.losses.append(x.sum())
        return y + self.losses[-1]


class TooFar(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [vt.ones([])]

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return self.losses[-2]


class FromStart(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return self.losses[0]


class Replaced(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        self.losses[-1] += 1
        return self.losses[-1]


class Otherwise(Base):
    def step(self, x: Any) -> Any:
        kept = self.losses
        kept += [x.sum()]
        return x * len(kept)


class StoredElsewhere(Base):
    def step(self, x: Any) -> Any:
        self.other = self.losses + [x.sum()]
        self.losses += [x.sum()]
        return x * len(self.other)


class FromAFunctionAsItIs(Base):
    def step(self, x: Any) -> Any:
        before = unseen(self)
        self.losses.append(x.sum())
        return x * before


class ByProperty(Base):
    @property
    def last(self) -> Any:
        return self.losses[-1] if self.history["n"] else 0.0

    def step(self, x: Any) -> Any:
        y = self.last
        self.losses.append(x.sum())
        self.history["n"] = [1]
        return x * y


class ByKey(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [vt.ones([])]

    def key(self, k: int) -> float:
        return k * float(self.losses[-1])

    def step(self, x: Any) -> Any:
        first = sorted([3, 1, 2], key=self.key)[0]
        self.losses.append(-x.sum())
        return x * first


class ByRepr(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [1]

    def __repr__(self) -> str:
        return f"{self.losses[-1]}"

    def step(self, x: Any) -> Any:
        y = x * int(repr(self))
        self.losses.append(len(self.losses))
        return y


class ByGenerator(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [1]

    def ends(self) -> Any:
        yield self.losses[-1]
        yield 2

    def step(self, x: Any) -> Any:
        y = x * sum(self.ends())
        z = next(self.ends())
        self.losses.append(self.losses[-1] + 1)
        return y + z


class ByComprehension(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [1]

    def step(self, x: Any) -> Any:
        y = [x * self.losses[-1] for _ in range(2)]
        z = (lambda: self.losses[-1])()
        self.losses += [z + 1]
        return y[0] + y[1] + z


class OnOnePath(Base):
    def __init__(self) -> None:
        super().__init__()
        self.losses = [vt.ones([])]

    def step(self, x: Any) -> Any:
        if x.sum() > 10:
            self.losses.append(x.sum())
        return self.losses[-1] + x


class OnOnePathThenAll(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        if x.sum() > 10:
            self.losses += [x.max()]
        return self.losses[-1] + x


@vt.jit.not_to_static
def unseen(owner: Any) -> Any:
    return float(owner.losses[-1]) if owner.losses else 3.0


@pytest.mark.parametrize(
    "make",
    [Before, TooFar, FromStart, Replaced, Otherwise, StoredElsewhere, FromAFunctionAsItIs, ByProperty, ByKey, ByRepr,
     ByGenerator, ByComprehension, OnOnePath, OnOnePathThenAll],
)  # fmt: skip
def test_what_was_there_before_counts(make: Any) -> None:
    eager, compiled = make(), make()
    static = vt.jit.to_static(compiled.step)
    for k in range(5):
        x = vt.to_tensor(np.arange(4, dtype="float32") + k)
        assert plain(eager.step(x)) == plain(static(x)), k
        assert lists_of(eager) == lists_of(compiled), k
