"""Meshes of ranks, placements, and tensors and layers that are marked with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist

MESH = dist.ProcessMesh([[0, 1], [2, 3]], ["x", "y"])


def test_a_mesh_has_parts() -> None:
    assert (MESH.shape, MESH.ndim, MESH.process_ids, MESH.dim_names) == ([2, 2], 2, [0, 1, 2, 3], ["x", "y"])
    assert dist.ProcessMesh(shape=[2, 2], process_ids=[0, 1, 2, 3]) == MESH
    assert hash(MESH) == hash(dist.ProcessMesh(MESH.mesh, ["a", "b"]))
    assert dist.ProcessMesh([0, 1, 2, 3]) != MESH
    parts = [(0, [0, 1], ["y"]), ("x", [0, 2], ["x"]), ((slice(None), 1), [1, 3], ["x"]), ((1, 1), [3], ["d0"])]
    for index, *expected in parts:
        assert (MESH[index].process_ids, MESH[index].dim_names) == tuple(expected)
    assert MESH.get_mesh_with_dim("y").process_ids == [0, 2, 1, 3]
    assert MESH.get_mesh_with_dim("y", 1).process_ids == [1, 3]
    assert MESH.get_dim_size("y") == 2
    assert [MESH.get_rank_by_dim_and_process_id("y", rank) for rank in (1, 2, 9)] == [1, 0, -1]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([0, 0],), AssertionError),
        (([-1, 1],), AssertionError),
        (([0.5],), AssertionError),
        (([],), AssertionError),
        ((3,), ValueError),
        (([0, 1], "x"), ValueError),
        (([0, 1], ["x", "y"]), AssertionError),
        (([[0], [1]], ["x", "x"]), AssertionError),
    ],
)
def test_what_is_no_mesh(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        dist.ProcessMesh(*arguments)


def test_placements_tell_what_they_are() -> None:
    questions: list[Callable[[Any], bool]] = [
        lambda p: p.is_shard(), lambda p: p.is_shard(1), lambda p: p.is_replicated(), lambda p: p.is_partial(),
    ]  # fmt: skip
    told = {p: [q(p) for q in questions] for p in (dist.Shard(0), dist.Shard(1), dist.Replicate(), dist.Partial())}
    assert list(told.values()) == [
        [True, False, False, False], [True, True, False, False], [False, False, True, False], [False, False, False, True],
    ]  # fmt: skip
    assert dist.Shard(2).get_dim() == 2
    assert dist.Partial().reduce_type() == dist.ReduceOp.SUM


def test_marked_tensors_have_their_value_and_gradient() -> None:
    x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    marked = dist.shard_tensor(x, MESH, [dist.Shard(0), dist.Replicate()])
    assert (marked.is_dist(), marked.process_mesh, marked.placements) == (True, MESH, [dist.Shard(0), dist.Replicate()])
    assert (x.is_dist(), x.placements) == (False, None)
    vt.sum(marked * marked).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * x.numpy())
    assert dist.reshard(marked, MESH, [dist.Replicate(), dist.Replicate()]).placements == [dist.Replicate()] * 2
    assert not dist.unshard_dtensor(marked).is_dist()


def test_a_marked_tensor_in_a_captured_function() -> None:
    @vt.to_static
    def doubled(x: Any) -> Any:
        return dist.shard_tensor(x, MESH, [dist.Replicate(), dist.Replicate()]) * 2

    np.testing.assert_array_equal(doubled(vt.ones([2])).numpy(), [2.0, 2.0])


@pytest.mark.parametrize(
    ("mesh", "placements"),
    [
        (None, [dist.Replicate()]),
        (dist.ProcessMesh([0, 1]), [dist.Shard(0), dist.Shard(1)]),
        (dist.ProcessMesh([0, 1]), [dist.Shard(2)]),
        (dist.ProcessMesh([0, 1]), ["x"]),
    ],
)
def test_a_tensor_cannot_lie_so(mesh: Any, placements: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"mesh|placement|axis"):
        dist.shard_tensor(vt.ones([2, 2]), mesh, placements)


def test_a_layer_is_marked() -> None:
    layer = vt.nn.Sequential(vt.nn.Linear(2, 3), vt.nn.BatchNorm1D(3))

    def columns(name: str, inner: Any, mesh: Any) -> None:
        if isinstance(inner, vt.nn.Linear):
            dist.shard_tensor(inner.weight, mesh, [dist.Shard(1), dist.Replicate()])

    expected = layer(vt.ones([4, 2])).numpy()
    marked = dist.shard_layer(layer, MESH, columns, lambda inputs, mesh: inputs, lambda outputs, mesh: outputs + 1.0)
    assert marked is layer
    assert layer[0].weight.placements == [dist.Shard(1), dist.Replicate()]
    rest = [layer[0].bias, *layer[1].parameters(), *layer[1].buffers()]
    assert all(x.placements == [dist.Replicate(), dist.Replicate()] for x in rest)
    np.testing.assert_allclose(layer(vt.ones([4, 2])).numpy(), expected + 1, rtol=1e-6)


def test_a_layer_needs_a_mesh_and_eager_mode() -> None:
    layer = vt.nn.Linear(2, 2)
    for mesh in (None, [dist.Replicate()]):
        with pytest.raises(ValueError, match="process_mesh"):
            dist.shard_layer(layer, mesh)  # type: ignore[arg-type]
    vt.enable_static()
    try:
        with pytest.raises(NotImplementedError, match="only supports dynamic graph mode"):
            dist.shard_layer(layer, MESH)
    finally:
        vt.disable_static()


def test_static_data_in_eager_mode_is_an_assertion() -> None:
    with pytest.raises(AssertionError, match="works in static mode"):
        vt.static.data("x", [2])


def test_results_of_a_marked_layer_are_marked() -> None:
    mesh = dist.ProcessMesh([0])
    seen = []

    def output_fn(outputs: Any, _: Any) -> Any:
        seen.append((outputs.is_dist(), outputs.placements))
        return vt.to_tensor(outputs.numpy())

    layer = dist.shard_layer(vt.nn.Linear(2, 3), mesh, output_fn=output_fn)
    assert layer(vt.ones([1, 2])).shape == [1, 3]
    assert seen == [(True, [dist.Replicate()])]
