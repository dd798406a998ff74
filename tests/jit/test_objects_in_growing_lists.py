"""Objects that stand in a list whose length only a run knows, and elsewhere, too: they stay one, or are refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


@dataclasses.dataclass
class Alarm:
    v: Any
    handled: bool = False


class Monitor:
    def __init__(self) -> None:
        self.alarms: list[Any] = []
        self.last: Any = None

    def feed(self, xs: Any) -> None:
        for y in xs:
            if y > 0:
                self.last = Alarm(y)
                self.alarms.append(self.last)

    def handle(self) -> None:
        self.last.handled = True


def written_later(xs: Any) -> Any:
    found = []
    for y in xs:
        a = Alarm(y)
        if y > 0:
            found.append(a)
        a.handled = True
    return [(a.v, a.handled) for a in found]


def last_written(xs: Any) -> Any:
    found, last = [], Alarm(xs[0])
    for y in xs:
        if y > 0:
            last = Alarm(y)
            found.append(last)
    last.handled = True
    return [(a.v, a.handled) for a in found]


def list_written(xs: Any) -> Any:
    found = []
    for y in xs:
        a = [y]
        if y > 0:
            found.append(a)
        a[0] = y * 3
    return [a[0] for a in found]


def element_written(xs: Any) -> Any:
    found, last = [], Alarm(xs[0])
    for y in xs:
        if y > 0:
            last = Alarm(y)
            found.append(last)
    found[-1].handled = True
    return [(a.v, a.handled) for a in found], last.handled


def asked(xs: Any) -> Any:
    found, last = [], Alarm(xs[0])
    for y in xs:
        if y > 0:
            last = Alarm(y)
            found.append(last)
    return found[-1] is last


def taken(xs: Any) -> Any:
    waiting = []
    for y in xs:
        if y > 0:
            waiting.append(Alarm(y))
    first = waiting.pop()
    first.handled = True
    return first.v, first.handled, [a.handled for a in waiting]


def shown(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.item()
    return [shown(v) for v in value] if isinstance(value, (list, tuple)) else value


def values(*numbers: float) -> Any:
    return [vt.to_tensor(v) for v in numbers]


@pytest.mark.parametrize("fn", [written_later, last_written, list_written, element_written, asked, taken])
def test_a_write_reaches_the_object_in_the_list(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for xs in (values(1.0, 2.0, -1.0), values(-1.0, 2.0, 3.0), values(-1.0, 3.0, -2.0)):
        assert shown(compiled(xs)) == shown(fn(xs))


def test_state_in_two_places_stays_one_object() -> None:
    monitor = Monitor()
    feed, handle = vt.to_static(monitor.feed), vt.to_static(monitor.handle)
    for xs in (values(1.0, 2.0), values(-1.0, -2.0), values(3.0, -1.0)):
        feed(xs)
        assert monitor.last is monitor.alarms[-1]
    handle()
    assert [(a.v.item(), a.handled) for a in monitor.alarms] == [(1.0, False), (2.0, False), (3.0, True)]


def returned(xs: Any) -> Any:
    found, last = [], None
    for y in xs:
        if y > 0:
            last = Alarm(y)
            found.append(last)
    return found, last


def test_results_in_two_places_are_one_object() -> None:
    compiled = vt.to_static(returned)
    for xs in (values(1.0, 2.0), values(2.0, -1.0)):
        found, last = compiled(xs)
        assert found[-1] is last
    assert compiled(values(-1.0, -2.0)) == ([], None)


def written_after_a_loop(t: Any) -> Any:
    found, last = [], Alarm(t[0])
    for y in t:
        if y > 0:
            last = Alarm(y)
            found.append(last)
    last.handled = True
    return [a.handled for a in found]


def test_a_captured_loop_refuses() -> None:
    with pytest.raises(
        CaptureError, match=r"one Alarm stands in another place and in a list whose length, order or index"
    ) as caught:
        vt.to_static(written_after_a_loop)(vt.to_tensor([1.0, 2.0, -1.0] * 20))
    assert "copy.copy" in str(caught.value)


def test_state_of_a_captured_loop_is_refused() -> None:
    monitor = Monitor()
    with pytest.raises(CaptureError, match="both must be one object"):
        vt.to_static(monitor.feed)(vt.to_tensor([1.0, 2.0, -1.0] * 20))
