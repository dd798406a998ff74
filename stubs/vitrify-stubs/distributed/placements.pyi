# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from typing import Any as _Any

class Partial(Placement):
    """The value is the sum (or what else `reduce_type` says) of those that the ranks have."""
    kind: _Any
    def is_partial(self) -> _bool:
        """True."""
    def reduce_type(self) -> _Any:
        """How the values of the ranks become one."""
    def __init__(self, kind: _Any = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Placement:
    """How a tensor lies along one dimension of a mesh."""
    def is_shard(self, dim: _int | None = None) -> _bool:
        """Whether the ranks have pieces along an axis, or along axis `dim`."""
    def is_replicated(self) -> _bool:
        """Whether the ranks have the same value."""
    def is_partial(self) -> _bool:
        """Whether the value is made of what all ranks have."""

class ProcessMesh:
    """A grid of ranks, whose dimensions have names.

    mesh: a list or array of different rank numbers. dim_names: one for each dimension, by default d0, d1, …
    Errors: ArgumentError (a ValueError) for a mesh or names that are no lists; AssertedError (an AssertionError) for
    numbers that aren't ranks or stand twice, and for names that don't fit.

    >>> mesh = ProcessMesh([[0, 1], [2, 3]], ["rows", "columns"])
    >>> mesh.shape, mesh.process_ids, mesh["columns"].process_ids, mesh[1]
    ([2, 2], [0, 1, 2, 3], [0, 1], shape [2], process_ids [2, 3], dim_names ['columns'])"""
    mesh: _Any
    dim_names: _Any
    def __init__(self, mesh: _Any = None, dim_names: _list[_str] | None = None, shape: _Any = None, process_ids: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def shape(self) -> _list[_int]:
        """The sizes of the dimensions."""
    @property
    def ndim(self) -> _int:
        """How many dimensions there are."""
    @property
    def process_ids(self) -> _list[_int]:
        """The ranks, row by row."""
    def __getitem__(self, index: _Any) -> ProcessMesh: ...
    def get_dim_size(self, dim: _str | _int) -> _int:
        """The size of a dimension, by its name or number."""
    def get_mesh_with_dim(self, dim_name: _str, index: _Any = None) -> ProcessMesh:
        """The mesh with a dimension first; with `index` the part there, without that dimension."""
    def get_rank_by_dim_and_process_id(self, dim: _str | _int, process_id: _int) -> _int:
        """Where a rank stands along a dimension; -1 if it isn't in the mesh."""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""

class Replicate(Placement):
    """Each rank has the whole value."""
    def is_replicated(self) -> _bool:
        """True."""
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Shard(Placement):
    """Each rank has a piece along axis `dim`.

    >>> Shard(1), Shard(1).is_shard(0)
    (Shard(dim=1), False)"""
    dim: _int
    def is_shard(self, dim: _int | None = None) -> _bool:
        """Whether the axis is `dim`; without it True."""
    def get_dim(self) -> _int:
        """The axis."""
    def __init__(self, dim: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
