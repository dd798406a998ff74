"""Who takes part: this rank, how many there are, and groups of some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError, KindError
from ..ops.dispatch import current
from ..ops.exchange import transport


def _here() -> tuple[int, int, str]:
    now = transport()
    return now.rank, now.size, now.name


def here() -> tuple[int, int, str]:
    """This rank, how many there are, and the transport's name. A captured program takes them for granted."""
    found: tuple[int, int, str] = current().ask(_here)
    return found


class Group:
    """A group of ranks. `ranks`: their numbers in the whole run; `rank`: this one's place, -1 outside of it."""

    def __init__(self, ranks: Sequence[int], number: int = 0, name: str = "_default_pg") -> None:
        self.ranks = tuple(ranks)
        self.id, self.name = number, name

    @property
    def nranks(self) -> int:
        """How many ranks it has."""
        return len(self.ranks)

    world_size = nranks

    @property
    def rank(self) -> int:
        """The place of this rank in it; -1 for others."""
        return self.get_group_rank(here()[0])

    def is_member(self) -> bool:
        """Whether this rank belongs to it."""
        return here()[0] in self.ranks

    def get_group_rank(self, rank: int) -> int:
        """The place of a rank in the group; -1 for others."""
        return self.ranks.index(rank) if rank in self.ranks else -1

    @property
    def process_group(self) -> Group:
        """The group itself."""
        return self

    def __repr__(self) -> str:
        return f"Group(ranks={list(self.ranks)})"


def world() -> Group:
    """The group of all ranks."""
    return Group(range(here()[1]))


def new_group(ranks: Sequence[int] | None = None, backend: Any = None, **_: Any) -> Group:
    """A group of these ranks (default: all), in ascending order. Nothing is exchanged: ranks outside need not call it.

    Errors: ArgumentError for numbers that aren't ranks.

    >>> new_group([0]).nranks
    1
    """
    size = here()[1]
    chosen = range(size) if ranks is None else sorted({int(rank) for rank in ranks})
    for rank in chosen:
        if not 0 <= rank < size:
            raise ArgumentError(f"new_group: there is no rank {rank} in a run of {size}", remedy=_remedy(size))
    if not chosen:
        raise ArgumentError("new_group needs at least one rank")
    number = 0 if len(chosen) == size else 1 + sum(1 << k for k in chosen)
    return Group(chosen, number, "_default_pg" if not number else f"group_{'_'.join(map(str, chosen))}")


def get_group(id: int = 0) -> Group:
    """The group of all ranks. Errors: ArgumentError for another number: keep what `new_group` gave."""
    if id != 0:
        raise ArgumentError(f"get_group({id}): keep what new_group gave; only the group of all ranks has a number")
    return world()


def get_rank(group: Group | None = None) -> int:
    """The number of this rank, 0 if there is only one; its place in a group, -1 outside of it.

    >>> get_rank(), get_world_size()
    (0, 1)
    """
    return here()[0] if group is None else chosen_group(group).rank


def get_world_size(group: Group | None = None) -> int:
    """How many ranks there are, in a group or in all."""
    return here()[1] if group is None else chosen_group(group).nranks


def chosen_group(group: Any) -> Group:
    """The group that an argument means; None: all ranks. Errors: KindError for another object."""
    if group is None:
        return world()
    if not isinstance(group, Group):
        raise KindError(f"group must be what new_group gave, not a {type(group).__name__}")
    return group


def member(group: Any, what: str) -> Group:
    """The group of an exchange. Errors: ArgumentError where this rank isn't in it."""
    found = chosen_group(group)
    if not found.is_member():
        raise ArgumentError(f"{what}: rank {here()[0]} isn't in {found}",
                            remedy="only the group's ranks exchange: ask group.is_member()")  # fmt: skip
    return found


def place_of(rank: Any, group: Group, what: str) -> int:
    """The place in the group of a rank that takes a role. Errors: ArgumentError for one that isn't in it."""
    place = group.get_group_rank(int(rank))
    if place < 0:
        shown = f"a run of {here()[1]}" if group.nranks == here()[1] else repr(group)
        raise ArgumentError(f"{what}: there is no rank {rank} in {shown}", remedy=_remedy(here()[1]))
    return place


def attrs_of(group: Group) -> dict[str, Any]:
    """How the rows of `ops/collective.py` are told of a group; all ranks go by an empty one."""
    whole = group.nranks == here()[1]
    return {"group": () if whole else group.ranks, "ranks": group.nranks}


def _remedy(size: int) -> str | None:
    start = "start several: `vitrify launch -n 2 train.py`, or run_ranks(fn, ranks=2) in one process"
    return start if size == 1 else None


def is_initialized() -> bool:
    """Whether ranks exchange with others: after `init_parallel_env`, or in `run_ranks`."""
    return here()[2] != "one process"


def get_backend(group: Any = None) -> str:
    """What carries exchanges: "MPI", "SIMULATOR", or "GLOO", as on every CPU build, where there is one rank."""
    return {"mpi": "MPI", "simulator": "SIMULATOR"}.get(here()[2], "GLOO")


class ParallelMode:
    """The ways of parallel training, as numbers."""

    DATA_PARALLEL, TENSOR_PARALLEL, PIPELINE_PARALLEL, SHARDING_PARALLEL, SEGMENT_PARALLEL = range(5)
