"""Calls of objects of the standard library: what they do happens at each call, or they are refused."""

from __future__ import annotations

import array
import contextlib
import csv
import io
import json
import pprint
import queue
import threading
import traceback
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

import vitrify as vt

jobs: queue.Queue[Any] = queue.Queue()
simple: queue.SimpleQueue[Any] = queue.SimpleQueue()
numbers = array.array("i")
data = bytearray()
text, raw = io.StringIO(), io.BytesIO()
event = threading.Event()
told = mock.Mock()


def queues(x: Any, n: int) -> Any:
    jobs.put(n)
    jobs.put(x * n)
    simple.put(n)
    return x


def buffers(x: Any, n: int) -> Any:
    numbers.append(n)
    data.append(1)
    data.extend(b"bc")
    numbers[0] = n + 1
    raw.write(b"abc")
    return x


def writers(x: Any, n: int) -> Any:
    csv.writer(text).writerow([n])
    writer = csv.DictWriter(text, ["a"])
    writer.writeheader()
    writer.writerow({"a": n})
    pprint.pprint([n], stream=text)
    json.dump({"n": n}, text)
    return x


def others(x: Any, n: int) -> Any:
    event.set()
    told(n)
    told.method(n, key=2)
    with contextlib.redirect_stdout(text):
        print("redirected", n)
    return x


def on_one_path(x: Any, n: int) -> Any:
    if x.sum() > 0:
        jobs.put(n)
    else:
        print("less", x, file=text)
    for k in range(3):
        jobs.put(k)
    return x


def reads(x: Any, n: int) -> Any:
    return x * n * jobs.qsize() * len(data) * (numbers[0] if len(numbers) else 1), event.is_set()


def its_own(x: Any, n: int) -> Any:
    stream = io.StringIO()
    csv.writer(stream).writerow([n])
    json.dump([n], stream)
    stream.write("z")
    print("k", file=stream)
    own: queue.Queue[Any] = queue.Queue()
    own.put(n)
    buffer = bytearray()
    buffer.append(n)
    buffer.extend(b"cc")
    with contextlib.redirect_stdout(stream):
        print("redirected", n)
    return x * own.get() * buffer[0] * len(buffer), stream.getvalue()


def its_own_on_one_path(x: Any, n: int) -> Any:
    if x.sum() > 0:
        buffer = bytearray()
        buffer.append(3)
        x = x * buffer[0]
    return x


def state() -> Any:
    items = [v.tolist() if isinstance(v, vt.Tensor) else v for v in jobs.queue]
    read = list(numbers), bytes(data), text.getvalue(), raw.getvalue(), event.is_set(), list(told.mock_calls)
    return items, simple.qsize(), *read


def reset() -> None:
    jobs.queue.clear()
    while simple.qsize():
        simple.get()
    del numbers[:], data[:]
    for stream in (text, raw):
        stream.seek(0)
        stream.truncate()
    event.clear()
    told.reset_mock()


def runs(fn: Callable[..., Any]) -> list[Any]:
    reset()
    found = []
    for n, sign in ((2, 1.0), (3, -1.0), (4, 1.0), (4, -1.0)):
        given = fn(vt.to_tensor([sign]), n)
        given = [
            v.tolist() if isinstance(v, vt.Tensor) else v for v in (given if isinstance(given, tuple) else [given])
        ]
        found.append((given, state()))
    return found


@pytest.mark.parametrize("fn", [queues, buffers, writers, others, on_one_path, reads, its_own, its_own_on_one_path])
def test_as_eager(fn: Callable[..., Any]) -> None:
    assert runs(vt.jit.to_static(fn)) == runs(fn)


def test_reads_are_asked_again() -> None:
    compiled = vt.jit.to_static(reads)
    reset()
    for k in range(3):
        jobs.put(k)
        data.append(k)
        numbers.append(k + 2)
        numbers[0] += 1
        assert compiled(vt.ones([1]), 1)[0].tolist() == reads(vt.ones([1]), 1)[0].tolist()


def taken(x: Any) -> Any:
    return x * jobs.get()


def popped(x: Any) -> Any:
    return x * data.pop()


def used_after(x: Any) -> Any:
    jobs.put(1)
    return x * jobs.qsize()


def read_after(x: Any) -> Any:
    numbers[0] = 3
    return x * numbers[0]


def handled(x: Any) -> Any:
    try:
        raise ValueError("bad")
    except ValueError:
        traceback.print_exc(file=text)
    return x


def changed_on_one_path(x: Any) -> Any:
    buffer = bytearray()
    if x.sum() > 0:
        buffer.append(1)
    return x * len(buffer)


@pytest.mark.parametrize(
    ("fn", "words"),
    [(taken, "Queue.get"), (popped, "bytearray.pop"), (used_after, "a Queue from outside is used after line"),
     (read_after, "array from outside is used after"), (handled, "print_exc"), (changed_on_one_path, "bytearray is used under")],
)  # fmt: skip
def test_what_would_happen_once_is_refused(fn: Callable[..., Any], words: str) -> None:
    reset()
    jobs.put(1)
    data.append(1)
    numbers.append(1)
    with pytest.raises(vt.errors.CaptureError, match=words) as error:
        vt.jit.to_static(fn)(vt.ones([1]))
    assert "test_outside_objects.py" in str(error.value)
    reset()
