"""Messages on graphs, segments and sampled neighbours: values of PaddlePaddle 3.3.1, gradients, captured functions."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import geometric, incubate, static

X = np.array([[0, 2, 3], [1, 4, 5], [2, 6, 7]], "float32")
EDGES = np.array([[0, 1, 1, 2, 0], [1, 2, 1, 0, 0]])


def _looped(messages: Any, targets: Any, count: int, how: str) -> Any:
    """The definition, edge by edge."""
    join = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}[how]
    rows = [[m for m, t in zip(messages, targets, strict=True) if t == k] for k in range(count)]
    return np.array([join(row, 0) if row else np.zeros_like(messages[0]) for row in rows])


@pytest.mark.parametrize("how", ["sum", "mean", "max", "min"])
@pytest.mark.parametrize("compiled", [False, True])
def test_messages(how: str, compiled: bool) -> None:
    def fn(x: Any, y: Any, src: Any, dst: Any) -> Any:
        return geometric.send_u_recv(x, src, dst, how), geometric.send_ue_recv(x, y, src, dst, "mul", how, 4)

    x = vt.to_tensor(X, stop_gradient=False)
    y = vt.to_tensor(np.arange(15, dtype="float32").reshape(5, 3) - 3)
    src, dst = (vt.to_tensor(e) for e in EDGES)
    first, second = (vt.to_static(fn) if compiled else fn)(x, y, src, dst)
    np.testing.assert_allclose(first.numpy(), _looped(X[EDGES[0]], EDGES[1], 3, how), rtol=1e-6)
    np.testing.assert_allclose(second.numpy(), _looped(X[EDGES[0]] * y.numpy(), EDGES[1], 4, how), rtol=1e-6)
    first.sum().backward()
    assert x.grad is not None
    if how == "sum":
        assert x.grad.tolist() == [[2.0] * 3, [2.0] * 3, [1.0] * 3]


def test_messages_of_edges() -> None:
    x, y = vt.to_tensor([[1.0], [2.0]]), vt.to_tensor([[3.0], [5.0]])
    src, dst = vt.to_tensor([0, 1, 1]), vt.to_tensor([1, 1, 0])
    for message, wanted in (("add", [6, 7, 5]), ("sub", [-4, -3, -1]), ("mul", [5, 10, 6]), ("div", [0.2, 0.4, 2 / 3])):
        np.testing.assert_allclose(geometric.send_uv(x, y, src, dst, message).numpy()[:, 0], wanted, rtol=1e-6)
    weights = vt.to_tensor([1.0, 2.0, 3.0])  # one number for each edge
    assert geometric.send_ue_recv(x, weights, src, dst, "mul").tolist() == [[6.0], [5.0]]
    for wrong in (lambda: geometric.send_uv(x, y, src, dst, "pow"), lambda: geometric.send_u_recv(x, src, dst, "prod")):
        with pytest.raises(ValueError, match="use one of"):
            wrong()


@pytest.mark.parametrize("compiled", [False, True])
def test_segments(compiled: bool) -> None:
    ids = np.array([0, 0, 2])
    for how in ("sum", "mean", "max", "min"):
        fn = getattr(geometric, f"segment_{how}")
        made = (vt.to_static(lambda d, i, fn=fn: fn(d, i)) if compiled else fn)(vt.to_tensor(X), vt.to_tensor(ids))
        np.testing.assert_allclose(made.numpy(), _looped(X, ids, 3, how), rtol=1e-6)
    assert vt.incubate.segment_sum is geometric.segment_sum


def test_a_graph_with_new_numbers() -> None:
    """The example of PaddlePaddle's documentation."""
    x, neighbors = vt.to_tensor([0, 1, 2]), vt.to_tensor([8, 9, 0, 4, 7, 6, 7])
    src, dst, nodes = geometric.reindex_graph(x, neighbors, vt.to_tensor([2, 3, 2]))
    assert src.tolist() == [3, 4, 0, 5, 6, 7, 6]
    assert (dst.tolist(), nodes.tolist()) == ([0, 0, 1, 1, 1, 2, 2], [0, 1, 2, 8, 9, 4, 7, 6])
    more = vt.to_tensor([0, 2, 3, 5, 1])
    src, dst, nodes = geometric.reindex_heter_graph(
        x, [neighbors, more], [vt.to_tensor([2, 3, 2]), vt.to_tensor([1, 3, 1])]
    )
    assert src.tolist() == [3, 4, 0, 5, 6, 7, 6, 0, 2, 8, 9, 1]
    assert dst.tolist() == [0, 0, 1, 1, 1, 2, 2, 0, 1, 1, 1, 2]
    assert nodes.tolist() == [0, 1, 2, 8, 9, 4, 7, 6, 3, 5]


def test_new_numbers_in_programs() -> None:
    given = {"x": [5, 3, 7], "n": [8, 5, 9, 3, 8], "c": [2, 1, 2]}
    arrays = {name: np.array(values) for name, values in given.items()}
    wanted = geometric.reindex_graph(*(vt.to_tensor(a) for a in arrays.values()))
    assert [w.tolist() for w in wanted] == [[3, 0, 4, 1, 3], [0, 0, 1, 2, 2], [5, 3, 7, 8, 9]]
    compiled = vt.to_static(lambda x, n, c: geometric.reindex_graph(x, n, c))
    for found, w in zip(compiled(*(vt.to_tensor(a) for a in arrays.values())), wanted, strict=True):
        assert found.tolist() == w.tolist()
    vt.enable_static()
    try:
        with static.program_guard(static.Program()):
            made = geometric.reindex_graph(*(static.data(name, list(a.shape), "int64") for name, a in arrays.items()))
            results = static.Executor().run(feed=arrays, fetch_list=list(made))
    finally:
        vt.disable_static()
    for found, w in zip(results, wanted, strict=True):
        assert found.tolist() == w.tolist()
    nothing = vt.zeros([0], "int64")
    with pytest.raises(ValueError, match="without nodes"):
        geometric.reindex_graph(nothing, nothing, nothing)


def test_sampled_neighbours() -> None:
    row = vt.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
    colptr = vt.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13])
    nodes, edges = vt.to_tensor([0, 8, 1, 2]), vt.to_tensor(list(range(13)))
    every, counts = geometric.sample_neighbors(row, colptr, nodes)
    assert (every.tolist(), counts.tolist()) == ([3, 7, 9, 7, 0, 9, 1], [2, 2, 2, 1])
    vt.seed(5)
    some, counts, chosen = geometric.sample_neighbors(row, colptr, nodes, 1, edges, True)
    assert counts.tolist() == [1, 1, 1, 1] and some.tolist() == row.numpy()[chosen.numpy()].tolist()
    vt.seed(5)
    assert geometric.sample_neighbors(row, colptr, nodes, 1)[0].tolist() == some.tolist()
    weights = vt.to_tensor([0.0] * 12 + [1.0])
    assert geometric.weighted_sample_neighbors(row, colptr, weights, vt.to_tensor([8]), 1)[0].tolist() == [7]
    with pytest.raises(ValueError, match="eids"):
        geometric.sample_neighbors(row, colptr, nodes, 1, return_eids=True)


GRAPH = {
    "row": np.array([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7]),
    "ends": np.array([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13]),
    "nodes": np.array([0, 8, 7, 2]),
    "numbers": np.arange(13) + 100,
    "weights": np.array([0.0, 1.0] * 6 + [1.0]),
}
SAMPLERS = {
    "few": lambda row, ends, nodes, numbers, w: geometric.sample_neighbors(row, ends, nodes, 1, numbers, True),
    "all": lambda row, ends, nodes, numbers, w: geometric.sample_neighbors(row, ends, nodes, -1, numbers, True),
    "weighted": lambda row, ends, nodes, numbers, w: geometric.weighted_sample_neighbors(row, ends, w, nodes, 1, numbers, True),
    "far": lambda row, ends, nodes, numbers, w: incubate.graph_khop_sampler(row, ends, nodes, [2, 1, 1], numbers, True),
}  # fmt: skip


@pytest.mark.parametrize("which", SAMPLERS)
def test_sampling_in_compiled_functions_and_programs(which: str) -> None:
    sample, arrays = SAMPLERS[which], tuple(GRAPH.values())
    tensors = [vt.to_tensor(a) for a in arrays]
    compiled = vt.to_static(sample)
    vt.enable_static()
    try:
        with static.program_guard(static.Program()):
            made = sample(*(static.data(name, a.shape, str(a.dtype)) for name, a in GRAPH.items()))
            executor, main = static.Executor(), static.default_main_program()
            runs = [executor.run(main, feed=GRAPH, fetch_list=list(made)) for _ in range(3)]
    finally:
        vt.disable_static()
    for seed in (1, 2):
        vt.seed(seed)
        eager = [x.numpy() for x in sample(*tensors)]
        vt.seed(seed)
        for found, wanted in zip(compiled(*tensors), eager, strict=True):
            np.testing.assert_array_equal(found.numpy(), wanted)
            assert found.numpy().dtype == wanted.dtype
        runs.append(eager)
    row, ends, nodes, _, weights = arrays
    for run in runs:
        edges = run[-1].ravel() - 100
        if which == "far":
            sources, targets, old = run[0].ravel(), run[1].ravel(), run[2]
            assert (row[edges] == old[sources]).all()
            assert all(ends[old[t]] <= e < ends[old[t] + 1] for t, e in zip(targets, edges, strict=True))
            continue
        assert (row[edges] == run[0]).all()
        assert run[1].tolist() == ([2, 2, 0, 1] if which == "all" else [1, 1, 0, 1])
        owners = np.repeat(nodes, run[1])
        assert all(ends[v] <= e < ends[v + 1] for v, e in zip(owners, edges, strict=True))
        if which == "weighted":
            assert (weights[edges[:2]] == 1).all()


def test_sampled_edges_are_drawn_alike() -> None:
    vt.seed(3)
    row, ends, nodes = vt.arange(4), vt.to_tensor([0, 4, 4]), vt.zeros([900], "int64")
    some, counts = geometric.sample_neighbors(row, ends, nodes, 2)
    assert (counts.numpy() == 2).all() and (np.diff(some.numpy().reshape(-1, 2)) > 0).all()
    assert (abs(np.bincount(some.numpy()) - 450) < 75).all()
    chances = vt.to_tensor([1.0, 0.0, 2.0, 1.0])
    some = geometric.weighted_sample_neighbors(row, ends, chances, nodes, 1)[0]
    assert (abs(np.bincount(some.numpy(), minlength=4) - [225, 0, 450, 225]) < 75).all()


def test_sampled_neighbours_in_the_older_order() -> None:
    row, ends, nodes = vt.to_tensor([3, 7, 0, 9, 1, 4]), vt.to_tensor([0, 2, 4, 5, 6]), vt.to_tensor([0, 3, 1])
    made = vt.incubate.graph_sample_neighbors(row, ends, nodes, vt.arange(6), None, -1, True)
    assert [x.tolist() for x in made] == [[3, 7, 4, 0, 9], [2, 1, 2], [0, 1, 5, 2, 3]]
    with pytest.raises(ValueError, match="needs perm_buffer"):
        vt.incubate.graph_sample_neighbors(row, ends, nodes, flag_perm_buffer=True)


def test_neighbours_of_neighbours() -> None:
    row = vt.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
    colptr, nodes = vt.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13]), vt.to_tensor([0, 8, 1, 2])
    sources, targets, old, first = incubate.graph_khop_sampler(row, colptr, nodes, [10])
    assert (sources.shape, targets.shape) == ([7, 1], [7, 1])
    assert sources.flatten().tolist() == [4, 5, 6, 5, 0, 6, 2]  # as PaddlePaddle 3.3.1 has it
    assert targets.flatten().tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert (old.tolist(), first.tolist()) == ([0, 8, 1, 2, 3, 7, 9], [0, 1, 2, 3])

    numbers = vt.arange(13) + 100
    sources, targets, old, _, edges = incubate.graph_khop_sampler(row, colptr, nodes, [10, 10], numbers, True)
    for source, target, edge in zip(sources.flatten(), targets.flatten(), edges.flatten(), strict=True):
        begin, end = colptr[old[target]], colptr[old[target] + 1]
        assert begin <= edge - 100 < end
        assert row[edge - 100] == old[source]
    assert sorted(edges.flatten().tolist()) == [
        100,
        101,
        102,
        103,
        104,
        105,
        111,
        112,
    ]  # 3 has further ones, 7 and 9 none
    few = incubate.graph_khop_sampler(row, colptr, nodes, [1, 1])[1]
    assert len(set(few.flatten().tolist())) == len(few)  # one neighbour each
    with pytest.raises(ValueError, match="sorted_eids"):
        incubate.graph_khop_sampler(row, colptr, nodes, [2], return_eids=True)


@pytest.mark.parametrize("captured", [False, True])
def test_each_of_several_extremes_gets_the_whole_gradient(captured: bool) -> None:
    x = vt.to_tensor([[1.0, 2.0], [1.0, 3.0], [0.0, 3.0]], stop_gradient=False)
    nodes, segments = vt.to_tensor([0, 0, 0]), vt.to_tensor([0, 0, 1])

    def gradients(x: vt.Tensor) -> list[vt.Tensor]:
        most = vt.geometric.send_u_recv(x, vt.to_tensor([0, 1, 2]), nodes, "max")
        least = vt.geometric.segment_min(x, segments)
        return [vt.grad(most.sum(), x)[0], vt.grad(least.sum(), x)[0]]

    made = (vt.jit.to_static(gradients) if captured else gradients)(x)
    assert made[0].tolist() == [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    assert made[1].tolist() == [[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
@pytest.mark.parametrize("width", [(), (1,), (5,), (32,), (3, 7), (0,)])
def test_rows_of_segments_eager_and_compiled(dtype: str, width: tuple[int, ...]) -> None:
    """Whole rows behind one check each: special values, ids in any order and often the same, counted from the end."""
    rng = np.random.default_rng(0)
    data = rng.integers(-9, 9, (40, *width)).astype(dtype)
    if dtype.startswith("float"):
        data.reshape(-1)[::7] = np.resize([np.nan, np.inf, -np.inf, -0.0, 0.0], data.reshape(-1)[::7].shape)
    ids = rng.integers(0, 9, 40)
    for how in ("sum", "mean", "max", "min"):
        fn = getattr(geometric, f"segment_{how}")
        made = [
            f(vt.to_tensor(data), vt.to_tensor(ids)).numpy() for f in (fn, vt.to_static(lambda d, i, fn=fn: fn(d, i)))
        ]
        np.testing.assert_array_equal(made[0].view(np.uint8), made[1].view(np.uint8))


@pytest.mark.parametrize("how", ["sum", "mean", "max", "min"])
def test_gradients_of_segments_eager_and_compiled(how: str) -> None:
    rng = np.random.default_rng(1)
    data, ids = rng.integers(-3, 3, (30, 6)).astype("float64"), rng.integers(0, 7, 30)
    fn = getattr(geometric, f"segment_{how}")
    found = []
    for f in (fn, vt.to_static(lambda d, i: fn(d, i))):
        x = vt.to_tensor(data, stop_gradient=False)
        made = f(x, vt.to_tensor(ids))
        (made * vt.arange(made.shape[0] * 6).reshape(made.shape).astype("float64")).sum().backward()
        assert x.grad is not None
        found.append(x.grad.numpy())
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("compiled", [False, True])
def test_ids_of_no_row_are_refused(compiled: bool) -> None:
    def fn(d: Any, i: Any) -> Any:
        return geometric.send_u_recv(d, vt.to_tensor([0, 1]), i, "max")

    run = vt.to_static(fn) if compiled else fn
    assert run(vt.to_tensor(X), vt.to_tensor([2, -1])).tolist() == [[0.0] * 3, [0.0] * 3, [1.0, 4.0, 5.0]]
    for wrong in ([0, 3], [-4, 0]):
        with pytest.raises(IndexError, match="outside an axis of 3"):
            run(vt.to_tensor(X), vt.to_tensor(wrong))
    with contextlib.nullcontext() if compiled else pytest.raises(ValueError, match="3 ids for 2 rows"):
        run(vt.to_tensor(X), vt.to_tensor([0, 1, 2]))


def test_segments_of_sizes_that_calls_tell() -> None:
    specs = [vt.static.InputSpec([None, 3], "float32"), vt.static.InputSpec([None], "int64")]
    fn = vt.to_static(lambda d, i: geometric.segment_max(d, i), input_spec=specs)
    for ids in ([0, 0, 2], [1, 0]):
        made = fn(vt.to_tensor(X[: len(ids)]), vt.to_tensor(ids))
        np.testing.assert_array_equal(made.numpy(), _looped(X[: len(ids)], np.array(ids), max(ids) + 1, "max"))
