"""Results whose sizes only a run knows, as arrays: small ones are copied, large ones take the memory they lie in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ....base.memory import WORTH_IT
from ....ops.dims import Dim
from ....ops.sizes import is_plain
from ...allocations import took
from ...vm.calls.made_later import MadeLater
from ...vm.native_source.layout import ListWord
from ...vm.team import c_library
from ...vm.virtual_machine import GrowableLists, memory_at
from ..program_steps import Buffer, Steps
from .run_sizes import RunSizes

Array = np.ndarray[Any, Any]
ndarray = np.ndarray
_DATA, _CAPACITY = int(ListWord.DATA), int(ListWord.CAPACITY)  # as members of an enum they cost a call each time
_BYTES = np.dtype(np.uint8)


class HandedOver:
    """Takes the results of one binding that lie in lists of the VM."""

    def __init__(self, program: Steps, sizes: RunSizes, lists: GrowableLists) -> None:
        self._sizes = sizes
        self._lists = lists
        self._results = [(k, buffer, self._known(buffer)) for k, buffer in program.handed]
        self._only = self._results[0][2] if len(self._results) == 1 else None

    def put(
        self, outputs: list[Array], arguments: Sequence[Array], others: Sequence[tuple[int, Array]] = ()
    ) -> list[Array]:  # fmt: skip
        """All results in order: `outputs`, and among them `others`, at their places, and those of lists.

        arguments: the arrays of the call, in the VM's order.
        """
        if self._only is not None and not outputs and not others:
            return [self._taken(self._only)]
        found = dict(others)
        taken: set[int] = set()
        for k, buffer, known in self._results:
            if known is None or known.number in taken:
                found[k] = self._sizes.view(buffer, list(arguments)).copy()
                continue
            found[k] = self._taken(known)
            if not known.words[_DATA]:
                taken.add(known.number)
        for k in sorted(found):
            outputs.insert(k, found[k])
        return outputs

    def among(self, others: Sequence[Any]) -> tuple[Any, ...] | None:
        """What native calls know of all results in order: `others` and those of lists; None where Python makes one."""
        found = list(others)
        for k, _, known in self._results:
            if known is None:
                return None
            block = self._lists.address(known.number)
            sizes = tuple([self._sizes.word_of(size) for size in known.sizes])
            found.insert(k, MadeLater(block, sizes, known.dtype, partial(self._taken, known)))
        return tuple(found)

    def _taken(self, known: _Known) -> Array:
        """A copy; or the memory of the list, which is empty then."""
        shape = tuple([size if type(size) is int else size[0] for size in known.shape])
        count = known.itemsize
        for size in shape:
            count *= size
        if count >= WORTH_IT and known.is_alone:
            return self._whole(known, shape, count)
        words = known.words
        place, room = words[_DATA], words[_CAPACITY]
        if known.place != place or known.room != room:
            known.place, known.room, known.memory = place, room, memory_at(place, (room,), _BYTES)
        return ndarray(shape, known.dtype, known.memory).copy()

    def _known(self, buffer: Buffer) -> _Known | None:
        """What is quickly read of a result that begins where a list does; None for others."""
        root, offset = buffer.root()
        number = self._sizes.list_of(root)
        dims = [self._sizes.at_start(dim) for dim in buffer.kind.shape]
        if (
            number is None
            or isinstance(offset, Dim)
            or offset
            or any(isinstance(d, Dim) and not is_plain(d) for d in dims)
        ):
            return None
        shape = [self._sizes.word(str(d)) if isinstance(d, Dim) else d for d in dims]
        others = [b for _, b in self._sizes.program.handed if b is not buffer and b.owner() is root]
        sizes = [str(d) if isinstance(d, Dim) else int(d) for d in dims]
        dtype = buffer.kind.dtype.numpy
        return _Known(number, self._lists.blocks[number].data, shape, sizes, dtype, dtype.itemsize, not others)

    def _whole(self, known: _Known, shape: tuple[int, ...], count: int) -> Array:
        """The memory of a list as an array that gives it back when nobody needs it any more; the list is empty then."""
        block = self._lists.blocks[known.number]
        owner = _Owner(int(block[ListWord.DATA]), shape, known.dtype)
        block[:] = 0
        took(count)
        return np.asarray(owner)


@dataclass(eq=False, slots=True)
class _Known:
    """words: the list's block. shape: ints, and memory that holds one; sizes: ints and names. is_alone: no other
    result lies in the list.

    memory: all of the list, when its memory was last at `place`.
    """

    number: int
    words: memoryview
    shape: list[Any]
    sizes: list[int | str]
    dtype: np.dtype[Any]
    itemsize: int
    is_alone: bool
    place: int = -1
    room: int = -1
    memory: Array | None = None


class _Owner:
    """Memory of the C library's, as NumPy takes it for an array that keeps this object."""

    __slots__ = ("__array_interface__", "_free", "_place")

    def __init__(self, place: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._place = place
        self._free = c_library().free  # the module may be gone by the time that it is needed
        self.__array_interface__ = {"data": (place, False), "shape": shape, "typestr": dtype.str, "version": 3}

    def __del__(self) -> None:
        self._free(self._place)
