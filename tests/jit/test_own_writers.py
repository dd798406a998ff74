"""`print(file=...)` and loggers whose own objects share state with the compiled function."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


class Log:
    def __init__(self) -> None:
        self.step, self.lines, self.buf = 0, 0, []  # type: ignore[var-annotated]

    def write(self, s: str) -> None:
        self.buf.append((self.step, s))


class Counting(Log):
    def write(self, s: str) -> None:
        self.lines += 1


def calls(mode: Callable[[Any], Any], log: Log, turn: Callable[[Log, Any], Any]) -> Any:
    fn = mode(lambda x: turn(log, x))
    return [fn(vt.to_tensor([v])) for v in (0.0, 2.0, 3.0)], log.buf, log.lines, log.step


def reads_what_is_written(log: Log, x: Any) -> Any:
    print("a", 1, sep="-", file=log)
    return len(log.buf)


def writes_too(log: Log, x: Any) -> Any:
    log.write("direct")
    print("x", end="", file=log)
    return log.buf[-1]


def moves_on(log: Log, x: Any) -> Any:
    log.step += 1
    print("loss", x.sum().item(), file=log)
    return log.step


def under_a_condition(log: Log, x: Any) -> Any:
    print("begin", file=log)
    if x.sum() > 1:
        print("large", file=log)
    log.step += 1
    return log.step


def counts_lines(log: Log, x: Any) -> Any:
    print("x", file=log)
    return log.lines


@pytest.mark.parametrize(
    ("kind", "turn"),
    [
        (Log, reads_what_is_written),
        (Log, writes_too),
        (Log, moves_on),
        (Log, under_a_condition),
        (Counting, counts_lines),
    ],
)
def test_writers_of_the_user(kind: type[Log], turn: Any) -> None:
    assert calls(vt.to_static, kind(), turn) == calls(lambda fn: fn, kind(), turn)


def reads_beside_a_loss(log: Log, x: Any) -> Any:
    print("loss", x.sum().item(), file=log)
    return len(log.buf)


def writes_beside_a_loss(log: Log, x: Any) -> Any:
    log.buf.append("begin")
    print("loss", x.sum().item(), file=log)


def counts_beside_a_loss(log: Log, x: Any) -> Any:
    print("loss", x.sum().item(), file=log)
    return log.lines


def moves_a_counter(log: Log, x: Any) -> Any:
    log.step += 1
    print("loss", x.sum().item(), file=log)


@pytest.mark.parametrize(
    ("kind", "turn"),
    [
        (Log, reads_beside_a_loss),
        (Log, writes_beside_a_loss),
        (Counting, counts_beside_a_loss),
        (Counting, moves_a_counter),
    ],
)
def test_texts_of_a_run_and_shared_state_are_refused(kind: type[Log], turn: Any) -> None:
    with pytest.raises(CaptureError, match="what `print` writes to shares an object"):
        calls(vt.to_static, kind(), turn)


def test_a_handler_that_shares_a_list_is_refused() -> None:
    records: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    logger = logging.getLogger("vitrify-tests.shared")
    logger.handlers, logger.propagate = [Handler()], False
    logger.setLevel(logging.INFO)

    @vt.to_static
    def alone(x: Any) -> None:
        logger.info("loss %.1f", x.sum().item())

    @vt.to_static
    def shared(x: Any) -> None:
        records.append("begin")
        logger.info("loss %.1f", x.sum().item())

    alone(vt.ones([2]))
    assert records == ["loss 2.0"]
    with pytest.raises(CaptureError, match="a handler or filter of a logger shares"):
        shared(vt.ones([2]))
