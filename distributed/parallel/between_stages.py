"""What travels between the stages of a pipeline: activations forward, their gradients backward.

Before the first part of a batch a stage tells the next one what the tensors are like: their number, dtypes and shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtype import ALL
from ...base.errors import ArgumentError
from ...dygraph.conversions import to_tensor
from ...ops.create import zeros
from ..exchanges import isend, recv
from ..tasks import Task

_LENGTH, _MOST_AXES = 64, 8


def _described(tensors: Sequence[Any]) -> Any:
    words = [len(tensors)]
    for x in tensors:
        if x.ndim > _MOST_AXES:
            raise ArgumentError(f"a tensor between stages has at most {_MOST_AXES} axes, not {x.ndim}")
        words += [ALL.index(x.dtype), int(not x.stop_gradient), x.ndim, *x.shape]
    if len(words) > _LENGTH:
        raise ArgumentError(f"{len(tensors)} tensors are too many between two stages of a pipeline",
                            remedy="join some of them")  # fmt: skip
    return to_tensor(np.array([*words, *[0] * (_LENGTH - len(words))], np.int64))


class Link:
    """One direction of one border of a stage. peer: the rank at the other side."""

    def __init__(self, peer: int) -> None:
        self.peer, self.tasks = peer, list[Task]()
        self._like: list[tuple[Any, bool, list[int]]] | None = None

    def send(self, tensors: Sequence[Any], first: bool = False) -> None:
        """Give tensors to the other side, and go on."""
        if first:
            self.tasks.append(isend(_described(tensors), self.peer))
        self.tasks += [isend(x.detach(), self.peer) for x in tensors]

    def take(self, first: bool = False) -> list[Any]:
        """Wait for tensors of the other side; those that want a gradient are leaves."""
        if first:
            self._like = self._received()
        assert self._like is not None
        found = []
        for dtype, trained, shape in self._like:
            x = zeros(shape, dtype)
            recv(x, self.peer)
            x.stop_gradient = not trained
            found.append(x)
        return found

    def take_like(self, tensors: Sequence[Any]) -> list[Any]:
        """Wait for a tensor like each of these."""
        found = [zeros(x.shape, x.dtype) for x in tensors]
        for x in found:
            recv(x, self.peer)
        return found

    def _received(self) -> list[tuple[Any, bool, list[int]]]:
        header = zeros([_LENGTH], "int64")
        recv(header, self.peer)
        words = header.tolist()
        found, at = [], 1
        for _ in range(words[0]):
            dtype, trained, axes = words[at : at + 3]
            found.append((ALL[dtype], bool(trained), words[at + 3 : at + 3 + axes]))
            at += 3 + axes
        return found

    def end(self) -> None:
        """Wait until all that was sent has arrived."""
        for task in self.tasks:
            task.wait()
        self.tasks.clear()
