"""Lines of slots: what generators write and what is read back, and samples of another form."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from vitrify.base.errors import DataError
from vitrify.distributed.multi_slot import (
    DataGenerator,
    MultiSlotDataGenerator,
    MultiSlotStringDataGenerator,
    read_line,
)


def generator_of(kind: type[DataGenerator], samples: list[Any]) -> DataGenerator:
    class Given(kind):  # type: ignore[misc, valid-type]
        def generate_sample(self, line: str | None) -> Callable[[], Iterator[Any]]:
            return lambda: iter(samples)

    return Given()


def test_samples_are_written_and_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    samples = [[("ids", [3, 2**64 - 1]), ("score", [0.5])], None, zip(["ids", "score"], [[7], [2]], strict=True)]
    generator_of(MultiSlotDataGenerator, samples).run_from_memory()
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["2 3 18446744073709551615 1 0.5", "1 7 1 2"]
    ids, score = read_line(lines[0], ["int64", "float32"])
    assert ids.tolist() == [3, -1]  # a hash keeps its 64 bits
    assert score.tolist() == [0.5]


def test_texts_before_the_slots_are_passed_over() -> None:
    assert [x.tolist() for x in read_line("1 id7 2 4 5 1 6", ["int64", "int64"], texts=1)] == [[4, 5], [6]]


def test_a_batch_can_be_changed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Padded(MultiSlotStringDataGenerator):
        def generate_sample(self, line: str | None) -> Callable[[], Iterator[Any]]:
            return lambda: iter([[("words", str(line).split())]])

        def generate_batch(self, samples: list[Any]) -> Callable[[], Iterator[Any]]:
            longest = max(len(words) for ((_, words),) in samples)
            return lambda: ([("words", words + ["0"] * (longest - len(words)))] for ((_, words),) in samples)

    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n2 3\n4\n"))
    made = Padded()
    made.set_batch(2)
    made.run_from_stdin()
    assert capsys.readouterr().out.splitlines() == ["2 1 0", "2 2 3", "1 4"]


@pytest.mark.parametrize(
    ("samples", "text"),
    [
        (["words"], "must be a list of slots"),
        ([[(1, [1])]], "must be a str"),
        ([[("a", "1")]], "at least one value"),
        ([[("a", [])]], "at least one value"),
        ([[("a", ["1"])]], "no int or float"),
        ([[("a", [1])], [("b", [1])]], "an earlier one"),
    ],
)
def test_samples_of_another_form_are_told(samples: list[Any], text: str) -> None:
    with pytest.raises(DataError, match=text):
        generator_of(MultiSlotDataGenerator, samples).run_from_memory()


@pytest.mark.parametrize("line", ["2 1", "0 1 1", "x", "1 1.5", ""])
def test_lines_of_another_form_are_told(line: str) -> None:
    with pytest.raises(DataError):
        read_line(line, ["int64"])
