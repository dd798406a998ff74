"""Objects that compiled code prints, logs or raises are shown as they are at that point of the code.

PYTEST_DONT_REWRITE: an assertion of the compiled code has its own message.
"""

from __future__ import annotations

import io
import logging
from collections import Counter, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt

log = logging.getLogger("shown objects")
log.propagate = False


class Meter:
    """A running average."""

    def __init__(self) -> None:
        self.sum = 0.0
        self.n = 0
        self.seen: list[Any] = []

    def update(self, value: float, n: int) -> None:
        self.sum += value * n
        self.n += n
        self.seen.append(n)

    def __str__(self) -> str:
        return f"avg {self.sum / max(self.n, 1):.3f} of {self.n} {self.seen}"

    def __repr__(self) -> str:
        return f"M{self.n}"


class Slotted:
    """The same with slots, and a reference to itself."""

    __slots__ = ("me", "n", "seen", "sum")

    def __init__(self) -> None:
        self.n = 0
        self.me = self

    def update(self, value: float, n: int) -> None:
        self.n += n

    def __repr__(self) -> str:
        return f"S{self.n} {self.me.n}"


class Log(list[Any]):
    """A list with an attribute."""

    n = 0

    def update(self, value: float, n: int) -> None:
        self.append(n)
        self.n += n

    def __str__(self) -> str:
        return f"{self.n} {list(self)}"


class Broken(Exception):
    """An error with an attribute."""

    def __init__(self, meter: Any) -> None:
        super().__init__("broken", meter)
        self.meter = meter


def printed(m: Any, x: Any, out: Any) -> None:
    print(m, [m], {"a": (m,)}, sep=" | ", file=out)


def logged(m: Any, x: Any, out: Any) -> None:
    log.warning(m)
    log.warning("%s %r %s", m, m, [m])
    log.error("of %(a)s", {"a": m})


def nested(m: Any, x: Any, out: Any) -> None:
    holder = SimpleNamespace(m=m, k=len(m.seen) if hasattr(m, "seen") and isinstance(m, Meter) else 0)
    print(holder, file=out)
    holder.k = 100


def in_between(m: Any, x: Any, out: Any) -> None:
    print(m, file=out)
    m.update(1.0, 1)
    print(m, file=out)


def collections(m: Any, x: Any, out: Any) -> None:
    q, c = deque([m.n], 3), Counter({"a": m.n})
    print(q, c, file=out)
    q.append(7)
    c["a"] += 1
    print(q, c, file=out)


def run(decorate: Callable[[Any], Any], make: Any, shows: Any) -> Any:
    m, out = make(), io.StringIO()
    log.handlers = [logging.StreamHandler(out)]

    def f(x: Any) -> Any:
        m.update(float(x.mean()), x.shape[0])
        shows(m, x, out)
        return x

    compiled, seen = decorate(f), []
    for k in (2, 3, 4, 5):
        compiled(vt.arange(k, dtype="float32"))
        seen.append(out.getvalue())
    return seen


@pytest.mark.parametrize("shows", [printed, logged, nested, in_between])
@pytest.mark.parametrize("make", [Meter, Slotted, Log])
def test_an_object_is_shown_with_the_writes_of_the_call(make: Any, shows: Any) -> None:
    assert run(vt.to_static, make, shows) == run(lambda f: f, make, shows)


def test_containers_of_the_library() -> None:
    assert run(vt.to_static, Meter, collections) == run(lambda f: f, Meter, collections)


def raises(m: Any, x: Any) -> None:
    raise ValueError(m)


def raises_several(m: Any, x: Any) -> None:
    raise ValueError("bad", [m], float(x.sum()))


def raises_on_a_path(m: Any, x: Any) -> None:
    if x.sum() > 0:
        raise ValueError("bad", m)


def raises_its_own(m: Any, x: Any) -> None:
    if x.sum() > 0:
        raise Broken(m)


def asserts(m: Any, x: Any) -> None:
    assert x.sum() < 0, m


@pytest.mark.parametrize("fails", [raises, raises_several, raises_on_a_path, raises_its_own, asserts])
def test_an_error_holds_the_object_as_it_was_then(fails: Any) -> None:
    def run(decorate: Callable[[Any], Any]) -> Any:
        m, seen = Meter(), []

        def f(x: Any) -> Any:
            m.update(float(x.mean()), x.shape[0])
            fails(m, x)
            return x

        compiled = decorate(f)
        for k in (2, 3, 4):
            m.sum, m.n, m.seen = 0.0, 0, []  # a call that fails leaves all as it was, but for eager mode
            with pytest.raises((ValueError, Broken, AssertionError), match=r"avg|bad|broken") as error:
                compiled(vt.arange(k, dtype="float32"))
            seen.append((type(error.value), str(error.value), repr(error.value.args)))
            seen.append(str(getattr(error.value, "meter", None)))
        return seen

    assert run(vt.to_static) == run(lambda f: f)


def test_an_object_that_the_call_leaves_alone_is_itself() -> None:
    m = Meter()

    @vt.to_static
    def f(x: Any) -> Any:
        if x.sum() > 0:
            raise ValueError(m)
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="avg") as error:
            f(vt.ones([2]))
        assert error.value.args[0] is m


def test_what_is_shown_before_an_error_that_ends_every_call(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        print("before", x.shape[0])
        raise ValueError(f"never {x.sum().item()}")

    def run(fn: Any) -> Any:
        seen = []
        for k in (2, 3, 4):
            with pytest.raises(ValueError, match="never") as error:
                fn(vt.ones([k]))
            seen.append((str(error.value), capsys.readouterr().out))
        return seen

    assert run(vt.to_static(f)) == run(f)


def test_exceptions_whose_text_only_a_run_knows_are_logged_and_printed(capsys: Any) -> None:
    class Failed(Exception):
        def __init__(self, limit: float, total: Any) -> None:
            super().__init__(limit, total)
            self.total = total

        def __str__(self) -> str:
            return f"{self.total} is over {self.args[0]}"

    told: list[str] = []
    log = logging.getLogger("vitrify.test_exceptions_late")
    log.propagate = False
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    log.addHandler(handler)

    def step(x: Any, limit: float) -> Any:
        try:
            if x.sum() > limit:
                raise ValueError(f"{float(x.sum()):.2f} > {limit}")
            if x.max() > limit:
                raise KeyError(f"{float(x.max()):.2f}")
            if x.sum() * 2 > limit:
                raise Failed(limit, float(x.sum()))
        except (ValueError, KeyError, Failed) as error:
            log.error("failed: %s", error)
            log.error(error)
            print("failed:", error)
            raise
        return x

    found = []
    for fn in (step, vt.to_static(step)):
        for numbers, limit in (([1.0, 2.0], 9.0), ([1.0, 2.0], 2.5), ([3.0, -2.0], 2.0), ([1.0, 1.0], 3.0)):
            try:
                fn(vt.to_tensor(numbers), limit)
            except (ValueError, KeyError, Failed) as error:
                told.append(f"{type(error).__name__} {error}")
        found.append((list(told), capsys.readouterr().out))
        told.clear()
    log.removeHandler(handler)
    assert found[0] == found[1]
    assert found[0][0][0] == "failed: 3.00 > 2.5"


class Reading:
    """An object whose texts format what only a run knows."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.parts = [Sign(x)]

    def __repr__(self) -> str:
        return f"R({float(self.x.sum()):.1f})"

    def __format__(self, spec: str) -> str:
        return f"<{float(self.x.mean()):{spec or '.1f'}}>"


class Sign:
    """One whose text a condition decides."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __str__(self) -> str:
        if self.x.sum() > 1.0:
            return "much"
        return "little"


TEXTS: dict[str, Callable[[Any], str]] = {
    "f-string": lambda x: f"{Reading(x)} {Reading(x):.3f} {Reading(x)!r} {Reading(x)!s}",
    "format": lambda x: "{:.2f} {} {!r} {a}".format(Reading(x), Reading(x), Reading(x), a=Reading(x)),  # noqa: UP032
    "attributes": lambda x: "{0.parts[0]} {0.x.ndim}".format(Reading(x)),
    "percent": lambda x: "%s %r" % (Reading(x), Reading(x)),  # noqa: UP031
    "percent, one": lambda x: "%s" % Reading(x),  # noqa: UP031
    "percent, named": lambda x: "%(a)s %(k)d" % {"a": Reading(x), "k": 3},  # noqa: UP031
    "decided": lambda x: f"{Sign(x)} {Sign(x)}",
    "decided, percent": lambda x: "%s" % Sign(x),  # noqa: UP031
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_the_users_own_run_in_converted_form(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    def fn(x: Any) -> Any:
        print(TEXTS[name](x))
        return x

    shown = []
    for call in (fn, vt.to_static(fn)):
        for v in (1.0, 0.25):
            call(vt.full([2], v))
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert len(shown[0].split("\n")) == 3


def test_a_text_that_counts_is_seen_by_the_code_behind(capsys: pytest.CaptureFixture[str]) -> None:
    class Counted:
        n = 0

        def __str__(self) -> str:
            self.n += 1
            return f"C{self.n}"

    def fn(x: Any, counted: Any) -> Any:
        print(counted, counted)
        return x, counted.n

    found = []
    for run in (fn, vt.to_static(fn)):
        counted = Counted()
        found.append(([run(vt.ones([1]), counted)[1] for _ in range(3)], counted.n, capsys.readouterr().out))
    assert found[0] == found[1]
