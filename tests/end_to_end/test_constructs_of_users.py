"""What users' own objects and everyday Python around tensors do in compiled functions, as in eager mode."""

# ruff: noqa: UP031, UP032
# Texts are formatted in all the ways that users have.

from __future__ import annotations

import collections
import contextlib
import logging
import math
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

from .constructs_support import DOWN, UP, Table

TABLE = Table()
SMALL = np.array([0.5, 0.25, -0.25], np.float32)


@TABLE.row()
def sets_that_grow(x):
    seen = {1, 2}
    if x.sum() > 0:
        seen.add(3)
    else:
        seen.discard(1)
    return x * len(seen), 3 in seen, sum(seen)


@TABLE.row()
def sets_in_unrolled_loops(x):
    found = set()
    for k in range(3):
        if x[0] + k > 1:
            found.add(k)
    return x * len(found), sorted(found)


@TABLE.row()
def deques_that_forget(x):
    last = collections.deque(maxlen=2)
    for v in x:
        last.append(v)
    return list(last)


@TABLE.row()
def deques_at_both_ends(x):
    both = collections.deque()
    for v in x:
        if v > 0:
            both.append(v)
        else:
            both.appendleft(v)
    return list(both)


@TABLE.row(UP, DOWN, SMALL)
def loops_that_only_a_return_ends(x):
    while True:
        if x.sum() > 50:
            return x, "big"
        if x.sum() < -50:
            return x
        x = x * 2 if (x > 0).all() else x * 2 - 1


@TABLE.row()
def shifts_of_numbers(x):
    n = int(x[1])
    return n << 2, 1 << n, n >> 1, n & 1, n | 4, n ^ 2, x * (n << 1)


@TABLE.row()
def lists_of_ranges(x):
    n = int(abs(x[0])) + 1
    return list(range(n)), x * len(list(range(n)))


@TABLE.row()
def lists_sorted_in_place(x):
    parts = [x[0], x[1], x[2]]
    parts.sort(key=lambda v: -v)
    first = list(parts)
    parts.sort(reverse=True)
    return first, parts


class Bag:
    """Keeps what it is called with."""

    def __init__(self):
        self.items = []
        self.total = None

    def __call__(self, v):
        self.items.append(v)
        self.total = v if self.total is None else self.total + v

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, k):
        return self.items[k] if self.items[k] > 0 else -self.items[k]

    def __contains__(self, v):
        return any(v == item for item in self.items)

    def __bool__(self):
        return bool(self.total is not None and self.total > 1)


@TABLE.row()
def own_containers_in_loops(x):
    bag = Bag()
    for v in x:
        if v > 0:
            bag(v)
    return len(bag), [v * 2 for v in bag]


@TABLE.row()
def own_subscripts_and_tests(x):
    bag = Bag()
    bag(x[0])
    bag(x[2])
    if bag:
        y = x * 3
    else:
        y = x - bag[0]
    return y, bag[1], not bag, (2.0 if bag else 1.0) * x, x[0] in bag, x[1] + 7 in bag


@contextlib.contextmanager
def scaled(log, factor):
    log.append("in")
    try:
        yield factor * 2
    finally:
        log.append("out")


@TABLE.row()
def managers_from_generators(x):
    log = []
    with scaled(log, 1) as a, scaled(log, a) as b:
        if x[0] > 0:
            x = x * b
    return x, log


class Clamp:
    def __init__(self, x):
        self.x = x
        self.high = None

    def __enter__(self):
        self.high = self.x.max() if self.x[0] > 0 else self.x.min()
        return self

    def __exit__(self, kind, error, trace):
        self.high = self.high * 2
        return kind is ValueError


@TABLE.row()
def managers_whose_methods_test_tensors(x):
    with Clamp(x) as c:
        y = x + c.high
        if y[1] > 4:
            raise ValueError("too much")
        y = y * 2
    return y, c.high


@TABLE.row()
def comprehensions_with_filters_inside_each_other(x):
    return [[a * b for b in x if b > 0] for a in x if a > 0.6]


@TABLE.row(UP, DOWN)
def slices_by_numbers_of_the_run(x):
    n = int(abs(x[0]))
    return x[:n], x[n - 1 :], x[: int(x[1])].sum(), x[:n].shape[0], x[-int(x.argmin()) - 1 :].sum()


@TABLE.row()
def defaults_that_change(x):
    def gather(v, found=[], *, seen=set()):  # noqa: B006 (they are made anew with the function)
        found.append(v)
        seen.add(len(found))
        return found, seen

    if x[0] > 0:
        gather(x)
    found, seen = gather(x * 2)
    return len(found), sorted(seen), found[-1]


@TABLE.names()
def test_compiled_does_what_eager_does(name: str) -> None:
    TABLE.check(name)


def _shown(fn: Any, data: Any, capsys: Any, caplog: Any) -> Any:
    caplog.clear()
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.INFO):
        warnings.simplefilter("always")
        made = fn(vt.to_tensor(data))
    lines = capsys.readouterr().out
    return (
        made.numpy(),
        lines,
        [(r.levelname, r.getMessage()) for r in caplog.records],
        [str(w.message) for w in caught],
    )


def _tells(x):
    log = logging.getLogger("of the user")
    log.info("sum %s", "known")
    if x.sum() > 0:
        warnings.warn(f"positive: {x[0].item():.2f}", stacklevel=1)
        log.warning("first %.1f of %d", x[0].item(), x.shape[0])
        sys.stdout.write("written\n")
    else:
        logging.info("below")
        print("%.1f|%s|%5d|%%" % (x[0].item(), "a", int(x[1])), "{:>6.2f}".format(x[2].item()), sep=";")
    return x


def _enters(x):
    @contextlib.contextmanager
    def told(name):
        print("in", name)
        yield
        print("out", name)

    with told("first"):
        if x[0] > 0:
            with told("second"):
                x = x * 2
    return x


@pytest.mark.parametrize("fn", [_tells, _enters])
def test_what_is_shown_is_shown_in_each_run(fn: Any, capsys: Any, caplog: Any) -> None:
    compiled = vt.to_static(fn)
    for data in (UP, DOWN, UP, DOWN):
        expected, found = _shown(fn, data, capsys, caplog), _shown(compiled, data, capsys, caplog)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[1:] == expected[1:]


def test_a_warning_names_the_users_line() -> None:
    compiled = vt.to_static(_tells)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(vt.to_tensor(UP))
    (warning,) = caught
    assert warning.filename == __file__ and warning.category is UserWarning


def _compares(x):
    return x if f"{x[0].item()}" == "1.0" else -x


def _measures(x):
    return x * len(str(x[0].item()))


def _raises_the_case(x):
    print(str(x[0].item()).upper())
    return x


def _looks_up(x):
    return {"1.0": x}.get(f"{x[0].item()}", -x)


def _looks_inside(x):
    return x if "1" in str(x[0].item()) else -x


def _shows_quoted(x):
    print(repr(f"{x[0].item()}"))
    return x


@pytest.mark.parametrize("fn", [_compares, _measures, _raises_the_case, _looks_up, _looks_inside])
def test_what_a_late_text_says_can_not_be_asked(fn: Any) -> None:
    with pytest.raises(CaptureError, match="isn't known during compilation"):
        vt.to_static(fn)(vt.to_tensor(UP))


def test_a_late_text_of_a_number_is_shown_in_quotes(capsys: Any) -> None:
    vt.to_static(_shows_quoted)(vt.to_tensor(UP))
    compiled = capsys.readouterr().out
    _shows_quoted(vt.to_tensor(UP))
    assert compiled == capsys.readouterr().out


def test_the_learning_rate_is_that_of_the_run() -> None:
    def train(compiles: bool) -> list[float]:
        weight = vt.to_tensor(UP, stop_gradient=False)
        schedule = vt.optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5)
        opt = vt.optimizer.SGD(schedule, parameters=[weight])

        def step(x):
            before = opt.get_lr()
            (weight * x).sum().backward()
            opt.step()
            opt.clear_grad()
            if x[0] > 0:
                schedule.step()
            return before, opt.get_lr(), schedule() * x

        run = vt.to_static(step) if compiles else step
        rates = []
        for k in range(6):
            before, after, scaled = run(vt.to_tensor(UP if k % 3 else DOWN))
            rates += [float(before), float(after), *scaled.tolist()]
            schedule.step()
        return rates

    expected, found = train(False), train(True)
    assert all(math.isclose(a, b, rel_tol=1e-6) for a, b in zip(expected, found, strict=True)), (expected, found)


def test_a_dtype_that_comes_out_is_the_dtype() -> None:
    def fn(x):
        y = x * 2 if x.sum() > 5 else x
        return y, y.dtype

    assert vt.to_static(fn)(vt.to_tensor(UP))[1] is vt.float32
