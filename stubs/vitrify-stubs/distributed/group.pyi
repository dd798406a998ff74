# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any

class Group:
    """A group of ranks. `ranks`: their numbers in the whole run; `rank`: this one's place, -1 outside of it."""
    ranks: _Any
    id: _int
    name: _str
    def __init__(self, ranks: _Sequence[_int], number: _int = 0, name: _str = '_default_pg') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def nranks(self) -> _int:
        """How many ranks it has."""
    @property
    def world_size(self) -> _int:
        """How many ranks it has."""
    @property
    def rank(self) -> _int:
        """The place of this rank in it; -1 for others."""
    def is_member(self) -> _bool:
        """Whether this rank belongs to it."""
    def get_group_rank(self, rank: _int) -> _int:
        """The place of a rank in the group; -1 for others."""
    @property
    def process_group(self) -> Group:
        """The group itself."""

class ParallelMode:
    """The ways of parallel training, as numbers."""
    DATA_PARALLEL: _int
    TENSOR_PARALLEL: _int
    PIPELINE_PARALLEL: _int
    SHARDING_PARALLEL: _int
    SEGMENT_PARALLEL: _int
