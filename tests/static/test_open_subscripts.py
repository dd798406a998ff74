"""Axes whose size only a run knows, in static programs: subscripts, and feeds of another rank than declared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.errors import AxisError, ShapeError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def test_ints_pick_elements_of_open_axes() -> None:
    with vt.static.program_guard(vt.static.Program()):
        x = vt.static.data("x", [None, 3, None])
        x.stop_gradient = False
        made = [x[0], x[:, :, -1], x[-1, :, 1], x[0, 1, 2]]
        (slope,) = vt.static.gradients(x[:, 0, -1].sum(), x)
        found = vt.static.Executor().run(feed={"x": X}, fetch_list=[*made, slope])
    for got, expected in zip(found, [X[0], X[:, :, -1], X[-1, :, 1], X[0, 1, 2]], strict=False):
        np.testing.assert_array_equal(got, expected)
    assert found[-1].sum() == found[-1][:, 0, -1].sum() == 2


def test_an_index_outside_is_an_error_of_the_run() -> None:
    with vt.static.program_guard(vt.static.Program()):
        picked = vt.static.data("x", [None, None])[:, 2]
        with pytest.raises(AxisError):
            vt.static.Executor().run(feed={"x": X[:, 0, :2]}, fetch_list=[picked])


def test_unchecked_feeds_of_another_rank_are_reshaped_by_their_elements() -> None:
    with vt.static.program_guard(vt.static.Program()):
        states = vt.static.data("states", [-1, 1])
        states.desc.set_need_check_feed(False)
        made = vt.reshape(states, [2, -1, 4]) * 2
        fed = X.reshape(1, 6, 4)
        (found,) = vt.static.Executor().run(feed={"states": fed}, fetch_list=[made])
        np.testing.assert_array_equal(found, X.reshape(2, 3, 4) * 2)


def test_a_rate_is_found_in_the_scope_and_files_by_any_of_their_names(tmp_path: Path) -> None:
    main, startup = vt.static.Program(), vt.static.Program()
    with vt.static.program_guard(main, startup), vt.static.scope_guard(vt.static.Scope()):
        loss = vt.nn.Linear(4, 1)(vt.static.data("rows", [2, 4])).mean()
        vt.optimizer.Momentum(0.25).minimize(loss)
        runner = vt.static.Executor()
        runner.run(startup)
        runner.run(main, feed={"rows": X[:, 0]}, fetch_list=[loss])
        scope = vt.static.global_scope()
        values = {v.name: np.array(scope.find_var(v.name).get_tensor()) for v in main.list_vars() if v.persistable}
        assert 0.25 in [value for name, value in values.items() if name.startswith("learning_rate")]
        vt.static.save(main, str(tmp_path / "m"))
        for ending in ("", ".pdparams", ".pdopt", ".pdmodel"):
            assert vt.static.load_program_state(str(tmp_path / "m") + ending).keys() == values.keys()
            vt.static.load(main, str(tmp_path / "m") + ending)


def test_bounds_and_counts_that_are_fed() -> None:
    """A tensor of all bounds of a slice, and how many elements `topk` gives."""
    x = static.data("x", [4, 5])
    bounds = [static.data(name, [2], "int32") for name in ("s", "e")]
    k = static.data("k", [1], "int32")
    results = [vt.slice(x, [0, 1], *bounds), *vt.topk(x, k)]
    a = np.arange(20, dtype="float32").reshape(4, 5)
    exe = static.Executor()
    fed = {"x": a, "s": np.array([1, -3], "int32"), "e": np.array([3, 5], "int32")}
    for count in (1, 3):
        part, found, places = exe.run(feed=fed | {"k": np.array([count], "int32")}, fetch_list=results)
        np.testing.assert_array_equal(part, a[1:3, -3:5])
        np.testing.assert_array_equal(found, a[:, ::-1][:, :count])
        np.testing.assert_array_equal(places, np.tile(np.arange(4, 4 - count, -1), (4, 1)))
    for count in (0, 6):
        with pytest.raises(ValueError, match="k must be from 1 to 5"):
            exe.run(feed=fed | {"k": np.array([count], "int32")}, fetch_list=results)


def test_a_fed_size_may_be_left_to_the_run() -> None:
    program = static.Program()
    with static.program_guard(program):
        x, sizes = static.data("x", [4, 6], "float32"), static.data("sizes", [2], "int64")
        made = [vt.reshape(x, sizes), vt.unflatten(x, 1, sizes), vt.expand(x[:, :1], [4, sizes[0]])]
    feed = {"x": np.arange(24, dtype="float32").reshape(4, 6), "sizes": np.array([-1, 3])}
    shapes = [part.shape for part in static.Executor().run(program, feed=feed, fetch_list=made)]
    assert shapes == [(8, 3), (4, 2, 3), (4, 1)]


def test_repeats_for_an_open_axis_are_counted_in_the_run() -> None:
    with static.program_guard(static.Program()):
        x, repeats = static.data("x", [-1, 2], "float32"), static.data("r", [3], "int64")
        made = vt.repeat_interleave(x, repeats, axis=0)
        run = static.Executor().run
        rows, counts = np.float32([[1, 2], [3, 4], [5, 6]]), np.int64([2, 0, 1])
        (found,) = run(feed={"x": rows, "r": counts}, fetch_list=[made])
        assert found.tolist() == [[1, 2], [1, 2], [5, 6]]
        with pytest.raises(ShapeError, match=r"\[3\] repeats for axis 0"):
            run(feed={"x": rows[:2], "r": counts}, fetch_list=[made])


def test_repeats_for_as_many_elements_as_data_say() -> None:
    vt.disable_static()

    @vt.to_static
    def repeated(x: vt.Tensor, repeats: vt.Tensor) -> vt.Tensor:
        return vt.repeat_interleave(x[x > 3], repeats, 0)

    counts = vt.to_tensor([1, 2, 0])
    assert repeated(vt.to_tensor([1.0, 5, 6, 7]), counts).tolist() == [5.0, 6.0, 6.0]
    for wrong in ([1.0, 1, 1], [5.0, 5], [5.0, 5, 5, 5]):
        with pytest.raises(ShapeError, match=r"\[3\] repeats for axis 0"):
            repeated(vt.to_tensor(wrong), counts)
