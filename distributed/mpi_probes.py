"""What has come from other ranks, asked in the form of MPI's requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import ExchangeError

Array = Any


@dataclass(frozen=True, slots=True)
class Probe:
    """Asks whether a message has come, in the form of an MPI request."""

    mpi: Any
    comm: Any
    peer: int | None
    tag: int
    status: Any

    def Test(self) -> bool:
        """Whether it has come."""
        return bool(self.comm.Iprobe(self.peer, self.tag, self.status))

    def taken(self) -> Array:
        """Its bytes, once it has come."""
        found = np.empty(self.status.Get_count(self.mpi.BYTE), np.uint8)
        self.comm.Recv(found, self.peer, self.tag)
        return found


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Two in the form of MPI requests, of which one has to be complete."""

    first: Any
    second: Any

    def Test(self) -> bool:
        """Whether one is."""
        return bool(self.first.Test()) or bool(self.second.Test())


def text_of(probe: Probe) -> str:
    """What a message says."""
    return bytes(probe.taken()).decode()


def unlike(sender: int, sent: str, receiver: int, wanted: str) -> ExchangeError:
    """The error of a message that doesn't fit what the receiver waits for."""
    return ExchangeError(f"rank {sender} sends {sent}, rank {receiver} receives {wanted}",
                         remedy="receive into a tensor of the same dtype and shape")  # fmt: skip
