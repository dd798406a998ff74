"""Lists that a compiled function appends to, and whose contents some code of its can learn: their length is guarded."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt

from .appended_lists_support import Base, lists_of, plain


class Reads(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(self.losses)


class ReadsInMethod(Base):
    def count(self) -> int:
        return len(self.losses)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * self.count()


class ReadsInRepr(Base):
    def __repr__(self) -> str:
        return f"{len(self.losses)}"

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * int(repr(self))


class ReadsInKey(Base):
    def key(self, k: int) -> int:
        return k * (1 if len(self.losses) % 2 else -1)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * sorted([3, 1, 2], key=self.key)[0]


class ReadsAlias(Base):
    def __init__(self) -> None:
        super().__init__()
        self.other = self.losses

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(self.other)


class ReadsInTuple(Base):
    def __init__(self) -> None:
        super().__init__()
        self.all = (self.losses, 1)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(self.all[0])


class ReadsInOther(Base):
    def __init__(self) -> None:
        super().__init__()
        self.box = SimpleNamespace(items=self.losses)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(self.box.items)


class ReadsByMethod(Base):
    def __init__(self) -> None:
        super().__init__()
        self.count = self.losses.__len__

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * self.count()


class ReadsByPartial(Base):
    def __init__(self) -> None:
        super().__init__()
        self.count = functools.partial(len, self.losses)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * self.count()


class ReadsByString(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(getattr(self, "losses"))  # noqa: B009


class ReadsVars(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * len(vars(self)["losses"])


class ReadsDefault(Base):
    def __init__(self) -> None:
        super().__init__()

        def count(items: Any = self.losses) -> int:
            return len(items)

        self.count = count

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x * self.count()


class ReadsItem(Base):
    def step(self, x: Any) -> Any:
        self.history["loss"].append(x.sum())
        return x * len(self.history["loss"])


class ReadsValues(Base):
    def step(self, x: Any) -> Any:
        self.history["loss"].append(x.sum())
        return x * sum([len(v) for v in self.history.values()])


class ReadsLast(Base):
    def step(self, x: Any) -> Any:
        if self.losses:
            x = x + self.losses[-1]
        self.losses.append(x)
        return x


class ReadsPattern(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        match self:
            case ReadsPattern(losses=found):
                return x * len(found)


class ReadsReturned(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return self.losses


@pytest.mark.parametrize(
    "made",
    [
        Reads, ReadsInMethod, ReadsInRepr, ReadsInKey, ReadsAlias, ReadsInTuple, ReadsInOther, ReadsByMethod,
        ReadsByPartial, ReadsByString, ReadsVars, ReadsDefault, ReadsItem, ReadsValues, ReadsLast, ReadsPattern,
        ReadsReturned,
    ],
)  # fmt: skip
def test_lists_that_are_read_are_guarded(made: Any) -> None:
    eager, compiled = made(), made()
    static = vt.jit.to_static(compiled.step)
    for k in range(3):
        x = vt.full([4], float(k) + 1)
        assert plain(eager.step(x)) == plain(static(x))
        assert lists_of(eager) == lists_of(compiled)
