"""How a tensor lies on a grid of ranks: `ProcessMesh`, `Shard`, `Replicate`, `Partial`, and what is marked so.

A mark says what a run on several ranks may keep where. Here every rank keeps whole values: results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, AssertedError, OtherModeError
from ..dygraph.conversions import to_tensor
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Parameter, Tensor
from ..ops.op import OPS
from ..static.mode_guards import in_dynamic_mode
from .exchanges import ReduceOp


class Placement:
    """How a tensor lies along one dimension of a mesh."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether the ranks have pieces along an axis, or along axis `dim`."""
        return False

    def is_replicated(self) -> bool:
        """Whether the ranks have the same value."""
        return False

    def is_partial(self) -> bool:
        """Whether the value is made of what all ranks have."""
        return False


@dataclass(frozen=True)
class Shard(Placement):
    """Each rank has a piece along axis `dim`.

    >>> Shard(1), Shard(1).is_shard(0)
    (Shard(dim=1), False)
    """

    dim: int

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether the axis is `dim`; without it True."""
        return dim is None or dim == self.dim

    def get_dim(self) -> int:
        """The axis."""
        return self.dim


@dataclass(frozen=True)
class Replicate(Placement):
    """Each rank has the whole value."""

    def is_replicated(self) -> bool:
        """True."""
        return True


@dataclass(frozen=True)
class Partial(Placement):
    """The value is the sum (or what else `reduce_type` says) of those that the ranks have."""

    kind: Any = ReduceOp.SUM

    def is_partial(self) -> bool:
        """True."""
        return True

    def reduce_type(self) -> Any:
        """How the values of the ranks become one."""
        return self.kind


class ProcessMesh:
    """A grid of ranks, whose dimensions have names.

    mesh: a list or array of different rank numbers. dim_names: one for each dimension, by default d0, d1, …
    Errors: ArgumentError (a ValueError) for a mesh or names that are no lists; AssertedError (an AssertionError) for
    numbers that aren't ranks or stand twice, and for names that don't fit.

    >>> mesh = ProcessMesh([[0, 1], [2, 3]], ["rows", "columns"])
    >>> mesh.shape, mesh.process_ids, mesh["columns"].process_ids, mesh[1]
    ([2, 2], [0, 1, 2, 3], [0, 1], shape [2], process_ids [2, 3], dim_names ['columns'])
    """

    def __init__(
        self, mesh: Any = None, dim_names: list[str] | None = None, shape: Any = None, process_ids: Any = None
    ) -> None:
        if mesh is None and process_ids is not None:
            mesh = np.reshape(np.asarray(process_ids), shape)
        if not isinstance(mesh, (list, np.ndarray)):
            raise ArgumentError(f"the mesh must be a list or an array, not a {type(mesh).__name__}")
        if dim_names is not None and not isinstance(dim_names, list):
            raise ArgumentError(f"dim_names must be a list, not a {type(dim_names).__name__}")
        self.mesh = np.array(mesh)
        names = [f"d{k}" for k in range(self.mesh.ndim)] if dim_names is None else list(dim_names)
        if self.mesh.dtype.kind not in "iu" or self.mesh.size == 0 or self.mesh.min() < 0:
            raise AssertedError("a mesh holds numbers of ranks: ints of at least 0")
        if len(set(self.process_ids)) != self.mesh.size:
            raise AssertedError("each rank stands once in a mesh")
        if len(names) != self.mesh.ndim or len(set(names)) != len(names):
            raise AssertedError(f"{self.mesh.ndim} dimensions need as many different names, not {names}")
        self.dim_names = names

    @property
    def shape(self) -> list[int]:
        """The sizes of the dimensions."""
        return list(self.mesh.shape)

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self.mesh.ndim

    @property
    def process_ids(self) -> list[int]:
        """The ranks, row by row."""
        return [int(rank) for rank in self.mesh.ravel()]

    def __getitem__(self, index: Any) -> ProcessMesh:
        if isinstance(index, str):
            return self._along(index)
        parts = index if isinstance(index, tuple) else (index,)
        found = self.mesh[index]
        kept = [name for name, part in zip(self.dim_names, parts, strict=False) if isinstance(part, slice)]
        return ProcessMesh(np.atleast_1d(found), [*kept, *self.dim_names[len(parts) :]] if np.ndim(found) else None)

    def _along(self, name: str) -> ProcessMesh:
        """The ranks along a dimension, through the first rank of the others."""
        axis = self._axis(name)
        return ProcessMesh(np.moveaxis(self.mesh, axis, 0).reshape(self.shape[axis], -1)[:, 0], [name])

    def _axis(self, dim: str | int) -> int:
        if isinstance(dim, int):
            return dim
        if dim not in self.dim_names:
            raise AssertedError(f"the mesh has no dimension {dim!r}, but {', '.join(self.dim_names)}")
        return self.dim_names.index(dim)

    def get_dim_size(self, dim: str | int) -> int:
        """The size of a dimension, by its name or number."""
        return self.shape[self._axis(dim)]

    def get_mesh_with_dim(self, dim_name: str, index: Any = None) -> ProcessMesh:
        """The mesh with a dimension first; with `index` the part there, without that dimension."""
        axis = self._axis(dim_name)
        names = [dim_name, *(name for name in self.dim_names if name != dim_name)]
        found = np.moveaxis(self.mesh, axis, 0)
        if index is None:
            return ProcessMesh(found, names)
        return ProcessMesh(np.atleast_1d(found[index]), names[1:] or names)

    def get_rank_by_dim_and_process_id(self, dim: str | int, process_id: int) -> int:
        """Where a rank stands along a dimension; -1 if it isn't in the mesh."""
        places = np.argwhere(self.mesh == process_id)
        return int(places[0][self._axis(dim)]) if len(places) else -1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProcessMesh):
            return NotImplemented
        return self.shape == other.shape and self.process_ids == other.process_ids

    def __hash__(self) -> int:
        return hash((tuple(self.shape), tuple(self.process_ids)))

    def __repr__(self) -> str:
        return f"shape {self.shape}, process_ids {self.process_ids}, dim_names {self.dim_names}"


def shard_tensor(
    data: Any, mesh: ProcessMesh, placements: Sequence[Placement], dtype: Any = None, place: Any = None,
    stop_gradient: bool | None = None,
) -> Any:  # fmt: skip
    """A tensor of the same value that is marked to lie on `mesh` so: `is_dist()`, `process_mesh` and `placements` tell.

    Parameters stay themselves. Results of operations aren't marked. Every rank keeps the whole value.
    Errors: ArgumentError for another count of placements than the mesh has dimensions, or an axis that isn't there.

    >>> mesh = ProcessMesh([0, 1], ["x"])
    >>> x = shard_tensor([[1.0, 2.0], [3.0, 4.0]], mesh, [Shard(0)])
    >>> x.is_dist(), x.placements, x.tolist()
    (True, [Shard(dim=0)], [[1.0, 2.0], [3.0, 4.0]])
    """
    marked = data if isinstance(data, Tensor) and dtype is None else to_tensor(data, dtype)
    _check(marked, mesh, placements)
    if not isinstance(marked, Parameter):
        marked = OPS["assign"](marked)
    if stop_gradient is not None:
        marked.stop_gradient = stop_gradient
    marked.process_mesh, marked.placements = mesh, list(placements)
    return marked


def reshard(dist_tensor: Any, mesh: ProcessMesh, placements: Sequence[Placement]) -> Any:
    """The same value marked to lie otherwise."""
    return shard_tensor(dist_tensor, mesh, placements)


def unshard_dtensor(dist_tensor: Any) -> Any:
    """The same value without a mark.

    >>> unshard_dtensor(shard_tensor([1.0], ProcessMesh([0]), [Replicate()])).is_dist()
    False
    """
    return OPS["assign"](dist_tensor)


def _check(x: Tensor, mesh: Any, placements: Sequence[Any]) -> None:
    if not isinstance(mesh, ProcessMesh):
        raise ArgumentError(f"mesh must be a ProcessMesh, not a {type(mesh).__name__}")
    if len(placements) > mesh.ndim and not all(isinstance(p, Replicate) for p in placements):
        raise ArgumentError(f"a mesh of {mesh.ndim} dimensions takes as many placements, not {len(placements)}")
    for placement in placements:
        if not isinstance(placement, Placement):
            raise ArgumentError(f"{placement!r} is no placement", remedy="use Shard, Replicate or Partial")
        if isinstance(placement, Shard) and not -x.ndim <= placement.dim < x.ndim:
            raise ArgumentError(f"a tensor of {x.ndim} axes can't be split along axis {placement.dim}")


def shard_layer(
    layer: Layer, process_mesh: ProcessMesh, shard_fn: Callable[[str, Layer, ProcessMesh], None] | None = None,
    input_fn: Callable[[Any, ProcessMesh], Any] | None = None,
    output_fn: Callable[[Any, ProcessMesh], Any] | None = None,
) -> Layer:  # fmt: skip
    """Mark a layer's parameters and buffers: `shard_fn(name, layer, mesh)` is called for each inner layer; what it
    leaves is marked as replicated. `input_fn` and `output_fn` get what each call takes and gives.

    Errors: ArgumentError (a ValueError) without a mesh; OtherModeError (a NotImplementedError) in static mode.
    """
    if process_mesh is None:
        raise ArgumentError("The argument `process_mesh` cannot be empty")
    if not isinstance(process_mesh, ProcessMesh):
        raise ArgumentError("The argument `process_mesh` is not `dist.ProcessMesh` type")
    if not in_dynamic_mode():
        raise OtherModeError("`paddle.distributed.shard_layer` only supports dynamic graph mode.")
    for name, inner in layer.named_sublayers(include_self=True):
        if shard_fn is not None:
            shard_fn(name, inner, process_mesh)
        for own in _own_tensors(inner):
            if not own.is_dist():
                own.process_mesh, own.placements = process_mesh, [Replicate() for _ in process_mesh.shape]
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, process_mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, __, outputs: output_fn(_marked(outputs, process_mesh), process_mesh))
    return layer


def _marked(outputs: Any, mesh: ProcessMesh) -> Any:
    """Results with a mark: what operations make of marked tensors is whole on each rank."""
    for made in outputs if isinstance(outputs, (list, tuple)) else [outputs]:
        if isinstance(made, Tensor) and not made.is_dist():
            made.process_mesh, made.placements = mesh, [Replicate() for _ in mesh.shape]
    return outputs


def _own_tensors(layer: Layer) -> Iterator[Any]:
    yield from layer.parameters(include_sublayers=False)
    yield from layer.buffers(include_sublayers=False)
