"""Lists from outside that a compiled function appends to on some paths only: one program for all their lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .appended_lists_support import Base, lists_of, plain


class Best(Base):
    def __init__(self) -> None:
        super().__init__()
        self.best = vt.to_tensor(1e9)

    def step(self, x: Any) -> Any:
        loss = (x * self.w).sum()
        if loss < self.best:
            self.losses.append(loss)
            self.best = loss.detach()
        return loss


class Each(Base):
    def step(self, x: Any) -> Any:
        y = x.sum()
        if y > 3:
            self.history["loss"].append(y)
        elif y > -3:
            self.history["n"].append(1)
            self.history["loss"].append(y + 1)
        else:
            self.losses.append(x)
        return y


class Unlike(Base):
    """The items are of no kind that a list of run-time length can hold."""

    def step(self, x: Any) -> Any:
        y = x.sum()
        if y > 0:
            self.losses.append("large")
            self.losses.append((y, {"x": x}))
        else:
            self.losses.append("small")
        return y


class Nested(Base):
    def step(self, x: Any) -> Any:
        for k in range(3):
            if x[k] > 0:
                if x[k] > 2:
                    self.losses.append(x[k])
                self.losses.append(x[k + 1])
        self.losses.append(x.mean())
        return x


class Helped(Base):
    def keep(self, y: Any) -> None:
        if y > 0:
            self.losses.append(y)

    def step(self, x: Any) -> Any:
        self.keep(x.sum())
        self.keep(-x.sum())
        return x * 2


class Early(Base):
    def step(self, x: Any) -> Any:
        if x.sum() < 0:
            return x
        self.losses.append(x.sum())
        return x * 2


class Ternary(Base):
    def step(self, x: Any) -> Any:
        self.losses.append(x.sum()) if x.sum() > 0 else None
        return x


APPENDED = [Best, Each, Unlike, Nested, Helped, Early, Ternary]
VALUES = [1.0, -2.0, 5.0, 0.25, -7.0, -8.0, 3.0, 1.0]


def run(make: Any, *, before: int = 0, between: Any = None, calls: int = len(VALUES)) -> Any:
    """Calls that take all paths, eagerly and compiled; the compiled function."""
    eager, compiled = make(), make()
    for owner in (eager, compiled):
        owner.losses.extend(vt.to_tensor(float(k)) for k in range(before))
    static = vt.jit.to_static(compiled.step)
    for number, value in enumerate(VALUES[:calls]):
        x = vt.to_tensor(np.array([value, 1.0, value * 2, -value], "float32"))
        assert plain(eager.step(x)) == plain(static(x)), number
        assert lists_of(eager) == lists_of(compiled), number
        if between is not None:
            between(eager, number)
            between(compiled, number)
    return static


@pytest.mark.parametrize("make", APPENDED)
@pytest.mark.parametrize("before", [0, 3])
def test_a_list_appended_to_under_a_condition_needs_one_program(make: Any, before: int) -> None:
    static = run(make, before=before)
    assert static.get_traced_count() == 1, static.explain()


def test_what_the_caller_does_to_the_list_between_calls_stays() -> None:
    def between(owner: Any, number: int) -> None:
        if number == 2:
            owner.losses[:] = [vt.to_tensor([9.0, 9.0])]
        if number == 4:
            owner.losses.insert(0, "mine")

    assert run(Best, between=between).get_traced_count() == 1


class Read(Base):
    def step(self, x: Any) -> Any:
        if x.sum() > 0:
            self.losses.append(x.sum())
        return x * len(self.losses)


def test_a_list_that_the_function_reads_counts() -> None:
    assert run(Read, calls=5).get_traced_count() > 1


class Loop(Base):
    def step(self, x: Any) -> Any:
        for row in x:
            if row > 0:
                self.losses.append(row)
        return x


def test_a_loop_of_the_program_appends() -> None:
    run(Loop)


class Dropped(Base):
    def step(self, x: Any) -> Any:
        if x.sum() > 0:
            self.losses.append(x.sum())
        else:
            self.losses.pop()
        return x


def test_a_path_that_drops_an_item_writes_the_whole_list() -> None:
    assert run(Dropped, before=9, calls=5).get_traced_count() > 1


def test_gradients_reach_what_was_appended() -> None:
    box = Best()
    box.w.stop_gradient = False
    static = vt.jit.to_static(box.step)
    for value in (3.0, 2.0, 1.0):
        static(vt.full([4], value))
    assert len(box.losses) == 3
    assert [not x.stop_gradient for x in box.losses] == [True] * 3
    box.losses[1].backward()
    assert box.w.grad is not None
    assert box.w.grad.tolist() == [2.0] * 4


class _Held:
    def __init__(self) -> None:
        self.xs: Any = [7, 8]
        self.ys: Any = [9]
        self.d: dict[str, Any] = {"a": [1]}


def _by_another_list(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.xs = [1]
    else:
        st.xs.append(2)
    st.xs = [3]


def _by_that_of_another_attribute(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.xs = None
    else:
        st.xs.extend([2, 3])
    st.xs = st.ys


def _exchanged(st: Any, x: Any) -> None:
    st.xs.append(x.sum())
    st.xs, st.ys = st.ys, st.xs


def _in_a_loop(st: Any, x: Any) -> None:
    for k in range(3):
        if x.sum() > 2:
            st.xs = [k]
        else:
            st.xs += [k]
        x = x - 1
    st.xs = [x]


def _of_a_dict(st: Any, x: Any) -> None:
    st.d["a"].append(1)
    if x.sum() > 2:
        st.d["a"] = []
    else:
        st.d["a"].append(2)
    st.d["a"] = [3]


def _reset(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.xs = []
    st.xs.append(x)


def _reset_or_appended(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.xs = []
    else:
        st.xs.append(x.sum())


def _reset_behind(st: Any, x: Any) -> None:
    st.xs.append(x)
    if x.sum() > 2:
        st.xs = []


def _reset_elsewhere(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.d["a"] = []
    st.d["a"].append(1)
    st.ys = st.d["a"]


REPLACED = [
    _by_another_list, _by_that_of_another_attribute, _exchanged, _in_a_loop, _of_a_dict,
    _reset, _reset_or_appended, _reset_behind, _reset_elsewhere,
]  # fmt: skip


@pytest.mark.parametrize("step", REPLACED)
def test_a_list_that_is_replaced_after_an_append_keeps_what_was_appended(step: Any) -> None:
    told = []
    for run in (step, vt.to_static(step)):
        st, log = _Held(), []
        first = [st.xs, st.ys, st.d["a"]]
        for value in (1.0, 3.0, 1.0, 1.0, 3.0, 0.5):
            before = [st.xs, st.ys, st.d["a"]]
            run(st, vt.to_tensor([value]))
            log.append(repr((st.xs, st.ys, st.d, before, first, st.xs is st.ys)))
        told.append(log)
    assert told[0] == told[1]
