"""Generators decorated with a gradient mode: what is sent, thrown and closed reaches the function inside, in its mode."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from typing import Any

import pytest

import vitrify as vt
from vitrify.autograd import no_grad

DECORATORS: dict[str, Callable[[Any], Any]] = {
    "no_grad": no_grad,
    "no_grad()": no_grad(),
    "enable_grad": vt.enable_grad(),
    "set_grad_enabled": lambda fn: vt.set_grad_enabled(False)(fn),
}


def talker(log: list[Any]) -> Generator[Any, Any, Any]:
    """Answers what it gets; `log` keeps what happened and the mode at that time."""
    item: Any = "start"
    try:
        while item != "end":
            try:
                item = yield item
                log.append((item, vt.is_grad_enabled()))
            except ValueError as error:
                log.append((repr(error), vt.is_grad_enabled()))
                item = "caught"
    finally:
        log.append(("left", vt.is_grad_enabled()))
    return "returned"


def sends(generator: Any) -> Any:
    yield next(generator)
    yield generator.send(1)
    yield generator.send("end")


def throws(generator: Any) -> Any:
    yield next(generator)
    yield generator.throw(ValueError("thrown"))
    yield generator.send(2)
    yield generator.throw(KeyError("passes"))


def throws_at_first(generator: Any) -> Any:
    yield generator.throw(KeyError("early"))


def throws_a_stop(generator: Any) -> Any:
    yield next(generator)
    yield generator.throw(StopIteration("inner"))


def closes(generator: Any) -> Any:
    yield next(generator)
    generator.close()
    yield "closed"
    yield next(generator)


def forgets(generator: Any) -> Any:
    yield next(generator)
    del generator
    gc.collect()
    yield "forgotten"


def outcome(play: Callable[[Any], Any], fn: Any, log: list[Any]) -> list[Any]:
    found: list[Any] = []
    steps = play(fn(log))
    try:
        found.extend([item, vt.is_grad_enabled()] for item in steps)
    except Exception as error:  # broad: the plain generator's error is the expected one, whatever it is
        found.append((type(error), str(error), getattr(error, "value", None)))
    return found


@pytest.mark.usefixtures("others_set_aside")
@pytest.mark.parametrize("name", DECORATORS)
@pytest.mark.parametrize("play", [sends, throws, throws_at_first, throws_a_stop, closes, forgets])
def test_a_decorated_generator_does_what_the_plain_one_does(play: Callable[[Any], Any], name: str) -> None:
    expected: list[Any] = []
    found: list[Any] = []
    decorated = DECORATORS[name](talker)
    assert outcome(play, decorated, found) == outcome(play, talker, expected)
    assert [what for what, _ in found] == [what for what, _ in expected]
    assert {mode for _, mode in found} <= {name == "enable_grad"}


def test_a_generator_that_goes_on_after_a_close_is_an_error() -> None:
    @no_grad
    def stubborn() -> Any:
        try:
            yield 1
        except GeneratorExit:
            yield 2

    generator = stubborn()
    next(generator)
    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        generator.close()
