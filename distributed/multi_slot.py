"""Lines of slots, the format of Paddle's data sets for training from files: `count value ... count value ...`.

`DataGenerator`s write such lines from a user's samples; `read_line` reads one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..base.errors import DataError

Sample = Sequence[tuple[str, Sequence[Any]]]


class DataGenerator:
    """Makes lines of slots: a subclass gives `generate_sample`, and `generate_batch` where samples depend on others.

    `run_from_stdin` and `run_from_memory` write to standard output, from where a data set with a `pipe_command` reads.
    """

    def __init__(self) -> None:
        self.batch_size_ = 32

    def set_batch(self, batch_size: int) -> None:
        """How many samples `generate_batch` gets at once."""
        self.batch_size_ = batch_size

    def generate_sample(self, line: str | None) -> Callable[[], Iterable[Any]]:
        """A function that gives the samples of a line: sequences of (name of the slot, list of values), or None."""
        raise NotImplementedError(f"{type(self).__name__} has no generate_sample(line)")

    def generate_batch(self, samples: list[Any]) -> Callable[[], Iterable[Any]]:
        """A function that gives the samples to write for a batch: here the same ones."""
        return lambda: iter(samples)

    def run_from_stdin(self) -> None:
        """Write the samples of each line of standard input."""
        self._write(sample for line in sys.stdin for sample in self.generate_sample(line)())

    def run_from_memory(self) -> None:
        """Write the samples of `generate_sample(None)`."""
        self._write(self.generate_sample(None)())

    def _write(self, samples: Iterable[Any]) -> None:
        for batch in _batches((s for s in samples if s is not None), self.batch_size_):
            for sample in self.generate_batch(batch)():
                sys.stdout.write(self._gen_str(sample))

    def _gen_str(self, line: Any) -> str:
        """The text of a sample."""
        raise NotImplementedError("use MultiSlotDataGenerator or MultiSlotStringDataGenerator")


class MultiSlotStringDataGenerator(DataGenerator):
    r"""Writes values that are strings already.

    Errors: DataError (a ValueError) for a sample that is no list of slots.

    >>> MultiSlotStringDataGenerator()._gen_str([("words", ["19", "8"]), ("label", ["1"])])
    '2 19 8 1 1\n'
    """

    def _gen_str(self, line: Any) -> str:
        return " ".join(" ".join([str(len(values)), *values]) for _, values in _slots(line)) + "\n"


class MultiSlotDataGenerator(DataGenerator):
    r"""Writes numbers. All samples have the slots of the first, in its order; a slot with a float holds floats.

    Errors: DataError (a ValueError) for a sample of another form, an empty slot, or a value that is no number.

    >>> MultiSlotDataGenerator()._gen_str([("words", [19, 8]), ("label", [1])])
    '2 19 8 1 1\n'
    """

    def __init__(self) -> None:
        super().__init__()
        self._proto_info: list[tuple[str, str]] | None = None

    def _gen_str(self, line: Any) -> str:
        slots = _slots(line)
        kinds = [(name, _kind_of(name, values)) for name, values in slots]
        before = self._proto_info or kinds
        if [name for name, _ in before] != [name for name, _ in kinds]:
            raise DataError(
                f"this sample has the slots {', '.join(n for n, _ in kinds)}, an earlier one "
                f"{', '.join(n for n, _ in before)}",
                remedy="give all samples the same slots in the same order",
            )
        self._proto_info = [
            (n, "float" if "float" in (a, b) else a) for (n, a), (_, b) in zip(before, kinds, strict=True)
        ]
        return " ".join(" ".join(map(str, [len(values), *values])) for _, values in slots) + "\n"


def _slots(line: Any) -> list[tuple[Any, Any]]:
    slots = list(line) if isinstance(line, (list, tuple, zip)) else None
    if slots is None or not all(isinstance(s, (list, tuple)) and len(s) == 2 for s in slots):
        raise DataError("a sample must be a list of slots, such as [('words', [1926, 8, 17]), ('label', [1])]")
    return [(name, values) for name, values in slots]


def _kind_of(name: Any, values: Any) -> str:
    if not isinstance(name, str):
        raise DataError(f"the name of a slot must be a str, not a {type(name).__name__}")
    if not isinstance(values, list) or not values:
        raise DataError(f"slot {name} must be a list with at least one value", remedy="pad it with 0")
    wrong = next((v for v in values if not isinstance(v, (int, float))), None)
    if wrong is not None:
        raise DataError(f"slot {name} holds {wrong!r}, which is no int or float")
    return "float" if any(isinstance(v, float) for v in values) else "uint64"


def _batches(samples: Iterable[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for sample in samples:
        batch.append(sample)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def read_line(line: str, dtypes: Sequence[Any], texts: int = 0) -> list[np.ndarray]:
    """The values of each slot: one array of the dtype for each of `dtypes`.

    texts: how many slots with a text, such as the sample's id, stand before them. Errors: DataError.

    >>> read_line("2 19 8 1 0.5", ["int64", "float32"])
    [array([19,  8]), array([0.5], dtype=float32)]
    """
    words, at, slots = line.split(), 0, []
    for slot in range(texts + len(dtypes)):
        count = int(words[at]) if at < len(words) and words[at].isdigit() else 0
        values = words[at + 1 : at + 1 + count]
        if not count or len(values) < count:
            raise DataError(f"slot {slot + 1} of {line.strip()[:80]!r} must be a count above 0 and as many values")
        at += 1 + count
        if slot >= texts:
            slots.append(_numbers(values, dtypes[slot - texts], line))
    return slots


def _numbers(values: list[str], dtype: Any, line: str) -> np.ndarray:
    kind = np.dtype(dtype)
    try:
        if kind.kind == "f":
            return np.array([float(v) for v in values], kind)
        return np.array([v - 2**64 if v >= 2**63 else v for v in map(int, values)], kind)  # hashes use all 64 bits
    except (ValueError, OverflowError) as cause:
        raise DataError(f"{line.strip()[:80]!r} holds a value that isn't {kind.name}: {cause}") from cause
