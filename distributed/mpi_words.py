"""What the ranks of a group tell each other before arrays travel: what each asks for, and in the odd case why not.

A row is a number and then the bytes of a small array. The number has a checksum of the request, one of the program that
runs for the first time, and whether the rank waits for this exchange alone.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base.dtype import of_array
from ..base.errors import VitrifyError
from ..base.location import Loc
from ..ops.exchange import Request, combined, disagreement
from ..ops.exchange_outline import Outline, compared
from .mpi_calls import Steps, bytes_of

Array = Any
INLINE = 256  # up to so many bytes travel with what the ranks ask for
_WORD = 8  # bytes of a number
PROGRAM = 33  # a checksum of the program is in the bits from here on, that of the request in those before
REQUEST = (1 << PROGRAM) - 2
ENDED = "has ended"


@dataclass(slots=True)
class Channel:
    """The communicators of one group: one for arrays, one for what the ranks ask for."""

    arrays: Any
    words: Any
    group: tuple[int, ...]
    times: Array = field(default_factory=lambda: np.zeros(1, np.int64))  # native code counts here, too
    own: Array = field(init=False)  # for native code: what this rank says, and what all do
    asked: Array = field(init=False)

    def __post_init__(self) -> None:
        self.own = np.zeros(1 + INLINE // _WORD, np.int64)
        self.asked = np.zeros((self.ranks, self.own.size), np.int64)

    @property
    def count(self) -> int:
        """How often this rank has said what it asks for."""
        return int(self.times[0])

    @property
    def ranks(self) -> int:
        """How many ranks it joins."""
        return len(self.group)


def disagreement_of(channel: Channel, signature: str, where: Loc) -> Generator[Any, None, VitrifyError]:
    """The error of ranks that don't all ask for the same: each tells the others what, and where."""
    texts = yield from texts_of(channel.words, json.dumps([signature, where.file, where.line]))
    said = [json.loads(text) for text in texts]
    places = [Loc(file, line) for _, file, line in said]
    return disagreement(channel.group, [text for text, _, _ in said], places).at(where)


def same_programs(channel: Channel, outline: Outline | None, where: Loc) -> Generator[Any, None, None]:
    """Errors: ExchangeError where the programs of the ranks exchange different things."""
    texts = yield from texts_of(channel.words, "" if outline is None else outline.text)
    error = compared(channel.group, [Outline.parse(text) if text else None for text in texts])
    if error is not None:
        raise error.at(where)


def ended(channel: Channel, text: str) -> Steps:
    """Say "has ended" until all ranks do; those that still exchange look who isn't there. Then the texts of all."""
    while True:
        own, asked = rows(channel, zlib.crc32(ENDED.encode()) << 1)
        yield channel.words.Iallgather(bytes_of(own), bytes_of(asked))
        if is_agreed(asked):
            return (yield from texts_of(channel.words, text))
        yield from texts_of(channel.words, json.dumps([ENDED, "", 0]))


def rows(channel: Channel, number: int, array: Array | None = None) -> tuple[Array, Array]:
    """What this rank says, its number and then the bytes of its array, and room for what all say: equally long rows."""
    channel.times[0] += 1
    own = np.empty(1 + INLINE // _WORD, np.int64)
    own[0] = number
    if array is not None:
        own.view(np.uint8)[_WORD : _WORD + array.nbytes] = bytes_of(array)
    return own, np.empty((channel.ranks, own.size), np.int64)


def is_agreed(asked: Array) -> bool:
    """Whether all ranks ask for the same; the last bit, and those from PROGRAM on, say something else."""
    first, *others = (asked[:, 0] & REQUEST).tolist()
    return all(number == first for number in others)


def inlined(asked: Array, request: Request, array: Array) -> Array:
    """The result of an exchange whose arrays came with what the ranks ask for."""
    found = asked.view(np.uint8)[:, _WORD : _WORD + array.nbytes].copy()
    everyone = found.reshape(-1).view(array.dtype).reshape(len(asked), *array.shape)
    return everyone if request.name == "all_gather" else combined(request.reduction, list(everyone))


def texts_of(comm: Any, text: str) -> Generator[Any, None, list[str]]:
    """The texts of all ranks."""
    own = np.frombuffer(text.encode(), np.uint8)
    lengths = np.empty(comm.Get_size(), np.int64)
    yield comm.Iallgather(np.array([own.size], np.int64), lengths)
    found = np.empty(int(lengths.sum()), np.uint8)
    yield comm.Iallgatherv(own, [found, lengths.tolist()])
    ends = np.cumsum(lengths).tolist()
    return [found[end - size : end].tobytes().decode() for end, size in zip(ends, lengths.tolist(), strict=True)]


def kind_of(array: Array) -> str:
    """The dtype and shape of an array, as the user reads them."""
    return f"{of_array(array).short}{list(array.shape)}"
