"""Readers, Paddle's older form of a data set: functions without arguments that give an iterator of samples.

Decorators make one reader from others. New code uses `Dataset` and `DataLoader`.
"""

from __future__ import annotations

import queue
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain as _chained
from itertools import islice, zip_longest
from typing import Any

from ..base.drawing import drawing
from ..base.errors import ArgumentError, DataError

Reader = Callable[[], Iterator[Any]]
_END = object()


class ComposeNotAligned(DataError):
    """Composed readers gave different numbers of samples."""


def batch(reader: Reader, batch_size: int, drop_last: bool = False) -> Reader:
    """A reader of lists of `batch_size` samples; the last list may be shorter, or is dropped with `drop_last`.

    Errors: ArgumentError (a ValueError) unless `batch_size` is a positive integer.

    >>> list(batch(lambda: iter(range(5)), 2)())
    [[0, 1], [2, 3], [4]]
    >>> list(batch(lambda: iter(range(5)), 2, drop_last=True)())
    [[0, 1], [2, 3]]
    """
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size <= 0:
        raise ArgumentError(f"batch: batch_size must be a positive integer, got {batch_size!r}")

    def batches() -> Iterator[list[Any]]:
        samples = iter(reader())
        while group := list(islice(samples, batch_size)):
            if len(group) == batch_size or not drop_last:
                yield group

    return batches


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """A reader of `func(a, b, …)` for the samples a, b, … of the readers, as long as the shortest of them.

    >>> list(map_readers(lambda a, b: a * b, lambda: iter([1, 2, 3]), lambda: iter([4, 5, 6]))())
    [4, 10, 18]
    """
    return lambda: map(func, *(reader() for reader in readers))


def chain(*readers: Reader) -> Reader:
    """A reader of all samples of the first reader, then of the second, and so on.

    >>> list(chain(lambda: iter("ab"), lambda: iter("c"))())
    ['a', 'b', 'c']
    """
    return lambda: _chained.from_iterable(reader() for reader in readers)


def compose(*readers: Reader, check_alignment: bool = True) -> Reader:
    """A reader of tuples: the readers' samples side by side, those that are tuples spliced in.

    Errors: ComposeNotAligned (a ValueError), while reading, if one reader ends before another; without
    `check_alignment` the surplus is dropped.

    >>> list(compose(lambda: iter([(1, 2)]), lambda: iter([3]))())
    [(1, 2, 3)]
    """

    def composed() -> Iterator[tuple[Any, ...]]:
        streams = [reader() for reader in readers]
        for samples in zip_longest(*streams, fillvalue=_END) if check_alignment else zip(*streams, strict=False):
            ended = [k for k, sample in enumerate(samples) if sample is _END]
            if ended:
                raise ComposeNotAligned(f"compose: the reader at {ended[0]} ended before the others")
            yield tuple(_chained.from_iterable(s if isinstance(s, tuple) else (s,) for s in samples))

    return composed


def shuffle(reader: Reader, buf_size: int) -> Reader:
    """A reader that collects `buf_size` samples at a time and gives them in random order (Python's `random`).

    With 0 or 1 the order stays.

    >>> sorted(shuffle(lambda: iter(range(5)), 3)())
    [0, 1, 2, 3, 4]
    """

    def shuffled() -> Iterator[Any]:
        samples = iter(reader())
        while group := list(islice(samples, max(buf_size, 1))):
            drawing(random).shuffle(group)
            yield from group

    return shuffled


def firstn(reader: Reader, n: int) -> Reader:
    """A reader of the first `n` samples.

    >>> list(firstn(lambda: iter("abc"), 2)())
    ['a', 'b']
    """
    return lambda: islice(reader(), n)


def cache(reader: Reader) -> Reader:
    """A reader that reads `reader` once, now, and gives the samples from memory.

    >>> numbers = iter(range(2))
    >>> kept = cache(lambda: numbers)
    >>> list(kept()), list(kept())
    ([0, 1], [0, 1])
    """
    samples = tuple(reader())
    return lambda: iter(samples)


_IN_A_THREAD = "the reader in a thread"  # perhaps; nobody here would see it


def buffered(reader: Reader, size: int) -> Reader:
    """A reader whose samples are read ahead by a thread, at most `size` of them. What the reader raises comes through.

    >>> list(buffered(lambda: iter(range(3)), 2)())
    [0, 1, 2]
    """
    return _read_ahead([reader], size)


def xmap_readers(
    mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False
) -> Reader:
    """A reader of `mapper(sample)`, which `process_num` threads compute, at most `buffer_size` samples ahead.

    order: kept; the samples come in their order in any case. What the mapper raises comes through.

    >>> list(xmap_readers(lambda k: k * k, lambda: iter(range(4)), 2, 3)())
    [0, 1, 4, 9]
    """

    def mapped() -> Iterator[Any]:
        drawing(_IN_A_THREAD)
        with ThreadPoolExecutor(max(process_num, 1)) as threads:
            waiting: deque[Future[Any]] = deque()
            for sample in reader():
                waiting.append(threads.submit(mapper, sample))
                if len(waiting) > max(buffer_size, 1):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    return mapped


def multiprocess_reader(readers: Sequence[Reader], use_pipe: bool = True, queue_size: int = 1000) -> Reader:
    """A reader of the samples of several, each read by a thread of its own, in the order in which they come.

    At most `queue_size` samples are read ahead; `use_pipe` has no effect. What a reader raises comes through.
    Errors: ArgumentError without readers, and for a sample that is None.

    >>> sorted(multiprocess_reader([lambda: iter([1, 3]), lambda: iter([2])])())
    [1, 2, 3]
    """
    if not isinstance(readers, (list, tuple)) or not readers:
        raise ArgumentError("multiprocess_reader needs a list of readers")

    return _read_ahead([_without_none(reader) for reader in readers], queue_size)


def _without_none(reader: Reader) -> Reader:
    def checked() -> Iterator[Any]:
        for sample in reader():
            if sample is None:
                raise ArgumentError("multiprocess_reader: a sample is None")
            yield sample

    return checked


def _read_ahead(readers: Sequence[Reader], size: int) -> Reader:
    """A reader of what threads, one for each of `readers`, read ahead, at most `size` samples."""

    def ahead() -> Iterator[Any]:
        drawing(_IN_A_THREAD)
        waiting: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue(max(size, 1))
        stopped = threading.Event()

        def hand_over(sample: Any, error: BaseException | None = None) -> None:
            while not stopped.is_set():
                try:
                    waiting.put((sample, error), timeout=0.1)
                except queue.Full:
                    continue
                return

        def read(reader: Reader) -> None:
            try:
                for sample in reader():
                    hand_over(sample)
                    if stopped.is_set():
                        return
            except BaseException as error:  # broad: whatever it is, the thread that reads on has to see it
                hand_over(_END, error)
            hand_over(_END)

        threads = [threading.Thread(target=read, args=(reader,), daemon=True) for reader in readers]
        for thread in threads:
            thread.start()
        try:
            running = len(threads)
            while running:
                sample, error = waiting.get()
                if error is not None:
                    raise error
                if sample is _END:
                    running -= 1
                else:
                    yield sample
        finally:
            stopped.set()
            for thread in threads:
                thread.join()

    return ahead
