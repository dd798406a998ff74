"""Lists that a call writes into and then replaces, as a trimmed history is: `self.log.append(y); self.log = self.log[-3:]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

from .appended_lists_support import plain

held: list[Any] = []  # that other code keeps


class Holder:
    """An object of the user's."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.other: list[Any] = []
        self.old: Any = None
        self.table: dict[str, Any] = {"a": [], "b": []}


many_programs = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")

Step = Callable[[Any, Any], Any]
Between = Callable[[Any, int], None]


def t(*values: float) -> Any:
    return vt.to_tensor(np.array(values, "float32"))


def trim(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.log = o.log[-3:]
    return x


def trim_and_read(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.log = o.log[-3:]
    return vt.stack(o.log).sum(), o.log[0]


def numbers(o: Any, x: Any) -> Any:
    o.log.append(float(x.sum()))
    o.log = o.log[-3:]
    return sum(o.log) / len(o.log)


def at_the_front(o: Any, x: Any) -> Any:
    o.log.insert(0, x * 2)
    o.log = o.log[:3]
    return o.log[-1]


def written_item(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.log[0] = x
    o.log = list(o.log[-3:])
    return o.log[0]


def in_place(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.log = o.log[-3:]
    o.log[0].add_(1)
    return o.log[0]


def if_too_long(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    if len(o.log) > 3:
        o.log = o.log[1:]
    return x


def item(o: Any, x: Any) -> Any:
    o.table["a"].append(x * 2)
    o.table["a"] = o.table["a"][-3:]
    return x


def two(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.other.append(x * 3)
    count = len(o.other)
    o.log, o.other = o.other[-2:], o.log[-2:]
    return count


def mapping(o: Any, x: Any) -> Any:
    o.table["a"] = x
    o.table["n"] = len(o.table)
    o.table = dict(o.table)
    return x


def counts_another(o: Any, x: Any) -> Any:
    before = len(o.table["b"])
    o.log.append(x)
    after = len(o.table["b"])
    o.log = o.log[-3:]
    return before, after


def keeps_the_old(o: Any, x: Any) -> Any:
    o.log.append(x * 2)
    o.old = o.log
    o.log = o.log[-3:]
    return o.old


def nothing(o: Any, k: int) -> None:
    pass


def holds(o: Any, k: int) -> None:
    if k % 3 == 1:
        held.append(o.log)


def appends(o: Any, k: int) -> None:
    o.log.append(t(9, k))


def shares(o: Any, k: int) -> None:
    if k == 4:
        o.other = o.log
    if k == 6:
        o.other = list(o.log)
    if k == 7:
        o.table["b"] = o.log


def writes(o: Any, k: int) -> None:
    for x in (*o.log, *o.other):
        if isinstance(x, vt.Tensor):
            x.add_(1)


def clears(o: Any, k: int) -> None:
    if k == 4:
        o.log.clear()
    if k == 6:
        o.log = []


def repeats(o: Any, k: int) -> None:
    if k in (4, 5) and o.log:
        o.log[-1] = o.log[0]


def _run(make: Callable[[], Any], step: Step, between: Between, is_compiled: bool) -> tuple[list[Any], int]:
    o = make()
    held.clear()
    fn = vt.to_static(lambda x: step(o, x)) if is_compiled else lambda x: step(o, x)
    seen, results = [], []
    for k in range(9):
        results.append(fn(t(k, 1)))
        between(o, k)
        same = [r is x for r in results for x in (*o.log, o.log, o.old) if not isinstance(r, float)]
        seen.append((plain(results), same, plain([o.log, o.other, o.old, o.table, held])))
    return seen, fn.get_traced_count() if is_compiled else 0  # type: ignore[attr-defined]


def agree(step: Step, between: Between = nothing, make: Callable[[], Any] = Holder) -> int:
    eager, _ = _run(make, step, between, False)
    compiled, count = _run(make, step, between, True)
    assert compiled == eager
    return count


@pytest.mark.parametrize(
    ("step", "programs"),
    [(trim, 4), (trim_and_read, 4), (numbers, 5), (at_the_front, 4), (written_item, 4), (in_place, 4),
     (if_too_long, 4), (item, 4), (two, 3)],
)  # fmt: skip
def test_one_program_once_the_list_is_full(step: Step, programs: int) -> None:
    assert agree(step) == programs


def test_a_dict() -> None:
    def make() -> Any:
        o = Holder()
        o.table = {}
        return o

    assert agree(mapping, make=make) == 3


@many_programs
@pytest.mark.parametrize("between", [holds, appends, shares, writes, clears, repeats])
@pytest.mark.parametrize("step", [trim, trim_and_read, at_the_front, in_place, two, counts_another, keeps_the_old])
def test_whatever_other_code_does(step: Step, between: Between) -> None:
    agree(step, between)


@many_programs
def test_a_list_that_also_stands_elsewhere() -> None:
    def share(o: Any, k: int) -> None:
        o.table["b"] = o.log if k % 2 else list(o.log)

    agree(counts_another, share)


def of_layer() -> Any:
    net = nn.Linear(2, 2)
    net.log, net.other, net.old, net.table = [], [], None, {}
    return net


def joined(o: Any, x: Any) -> Any:
    o.log = (o.log + [x])[-3:]
    return x + len(o.log)


@many_programs
@pytest.mark.parametrize("step", [trim, joined])
@pytest.mark.parametrize("between", [nothing, appends, clears, holds])
def test_a_list_of_a_layer_that_other_code_writes_into(step: Step, between: Between) -> None:
    agree(step, between, of_layer)
