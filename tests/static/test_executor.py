"""What a run remembers of the runs before it, and when it must not."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static


def affine() -> tuple[Any, Any, Any]:
    """A main program y = x w + b, its startup program run, and y."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 2])
        y = static.nn.fc(x, 2)
    static.Executor().run(startup)
    return main, x, y


X = np.array([[1.0, 2.0]], "float32")


def test_an_operation_added_after_a_run_is_seen() -> None:
    main, _, y = affine()
    executor = static.Executor()
    (before,) = executor.run(main, feed={"x": X}, fetch_list=[y])
    with static.program_guard(main):
        z = y * 2.0
    assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=[y])[0], before)
    assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=[z])[0], before * 2)


def test_a_variable_that_was_given_another_value_is_fetched_anew() -> None:
    main, _, y = affine()
    executor = static.Executor()
    with static.program_guard(main):
        doubled = y * 2.0
        out = main.global_block().create_var(name="out", shape=[-1, 2], dtype="float32")
        vt.assign(y, out)
    (first,) = executor.run(main, feed={"x": X}, fetch_list=["out"])
    assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=["out"])[0], first)
    with static.program_guard(main):
        vt.assign(doubled, out)
    assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=["out"])[0], first * 2)
    assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=[out])[0], first * 2)


def test_a_variable_that_was_given_another_shape_or_dtype() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [3])
        wider, whole = vt.zeros([1]), vt.zeros([3], "int32")
        vt.assign(np.ones([2, 5], "float32"), output=wider)
        vt.assign(x, output=whole)
        halved = whole * 0.5
    assert (wider.shape, whole.dtype) == ([2, 5], "float32")
    made = static.Executor().run(main, feed={"x": np.full(3, 2.5, "float32")}, fetch_list=[wider, whole, halved])
    np.testing.assert_array_equal(made[0], np.ones([2, 5]))
    assert [m.tolist() for m in made[1:]] == [[2.5] * 3, [1.25] * 3]


def test_another_scope_and_values_set_in_one_are_seen() -> None:
    main, _, y = affine()
    executor = static.Executor()
    executor.run(main, feed={"x": X}, fetch_list=[y])
    other = static.Scope()
    with pytest.raises(AttributeError, match="has no value in this scope"):
        executor.run(main, feed={"x": X}, fetch_list=[y], scope=other)
    weight, bias = (p.name for p in main.all_parameters())
    for scope, factor in ((other, 3.0), (static.global_scope(), 5.0)):
        scope.var(weight).get_tensor().set(np.eye(2, dtype="float32") * factor)
        scope.var(bias).get_tensor().set(np.zeros(2, "float32"))
        assert np.array_equal(executor.run(main, feed={"x": X}, fetch_list=[y], scope=scope)[0], X * factor)
    static.global_scope().erase([weight])
    with pytest.raises(AttributeError, match="has no value in this scope"):
        executor.run(main, feed={"x": X}, fetch_list=[y])


def test_feeds_are_checked_at_every_run() -> None:
    main, _, y = affine()
    executor = static.Executor()
    executor.run(main, feed={"x": X}, fetch_list=[y])
    for feed, part in (
        ({}, "the feed x is missing"),
        ({"x": X.astype("float64")}, "has the dtype float64"),
        ({"x": X[0]}, r"has the shape \[2\]"),
        ({"x": np.zeros((2, 3), "float32")}, r"has the shape \[2, 3\]"),
    ):
        with pytest.raises(ValueError, match=part):
            executor.run(main, feed=feed, fetch_list=[y])
    for _ in range(2):  # at each run, also on the short way
        with pytest.warns(UserWarning, match=r"has no feed z: .*it has x"):
            executor.run(main, feed={"x": X, "z": X}, fetch_list=[y])
    wide = np.arange(8, dtype="float32").reshape(2, 4)
    expected = executor.run(main, feed={"x": wide[:, ::2].copy()}, fetch_list=[y])[0]
    assert np.array_equal(executor.run(main, feed={"x": wide[:, ::2]}, fetch_list=[y])[0], expected)  # not contiguous
    assert np.array_equal(executor.run(main, feed={"x": wide[:, ::2].tolist()}, fetch_list=[y])[0], expected)


def test_a_feed_that_is_the_memory_of_the_state_is_read_as_it_was() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [2])
        held = main.global_block().create_var(name="held", shape=[2], dtype="float32", persistable=True)
        vt.assign(x + 1.0, held)
        y = x * 10.0
    executor = static.Executor()
    executor.run(startup)
    static.global_scope().var("held").get_tensor().set(np.array([1.0, 2.0], "float32"))
    memory = static.global_scope().tensor_of("held")._storage.payload
    for _ in range(2):
        before = memory.copy()
        (found,) = executor.run(main, feed={"x": memory}, fetch_list=[y])
        assert np.array_equal(found, before * 10) and np.array_equal(memory, before + 1)


def test_threads_share_a_program() -> None:
    main, _, y = affine()
    executor = static.Executor()
    feeds = [np.full((k % 3 + 1, 2), k, "float32") for k in range(12)]
    expected = [executor.run(main, feed={"x": x}, fetch_list=[y])[0] for x in feeds]
    wrong: list[int] = []

    def work() -> None:
        for _ in range(30):
            for k, x in enumerate(feeds):
                if not np.array_equal(executor.run(main, feed={"x": x}, fetch_list=[y])[0], expected[k]):
                    wrong.append(k)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_fixed_seed_draws_the_same_numbers_each_time() -> None:
    main, startup = static.Program(), static.Program()
    main.random_seed = 7
    with static.program_guard(main, startup):
        y = vt.uniform([4])
    executor = static.Executor()
    first, second = (executor.run(main, fetch_list=[y])[0] for _ in range(2))
    assert np.array_equal(first, second)
    main.random_seed = 0
    assert not np.array_equal(executor.run(main, fetch_list=[y])[0], executor.run(main, fetch_list=[y])[0])


def test_tensors_with_values_are_printed_in_static_mode() -> None:
    held = static.global_scope().set("held", np.array([1.5, 2.0], "float32"))
    one = static.global_scope().set("one", np.array(0.25, "float32"))
    assert "[1.50000000, 2.        ]" in str(held) and "[1.50000000, 2.        ]" in f"{held}" and f"{one:.1f}" == "0.2"
    with pytest.raises(RuntimeError, match="has a value only while a program runs"):
        f"{static.data('x', []):.2f}"


def test_a_pruned_run_does_not_train_whatever_ran_before() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        loss = static.nn.fc(static.data("x", [None, 2]), 1).mean()
        vt.optimizer.SGD(0.5).minimize(loss)
    executor = static.Executor()
    executor.run(startup)

    def run(prune: bool) -> float:
        (found,) = executor.run(main, feed={"x": X}, fetch_list=[loss], use_prune=prune)
        return float(found)

    run(False)
    rested = run(True)
    assert run(True) == rested
    assert run(False) == rested
    assert run(False) != rested


def test_a_compiled_program_is_made_of_a_program() -> None:
    with pytest.raises(TypeError, match="takes a Program, not a str"):
        vt.static.CompiledProgram("program")


def test_scopes_find_names_in_those_they_belong_to_and_keep_ints() -> None:
    scope = static.Scope()
    scope.var("a").get_tensor().set(np.ones(2, "float32"))
    inner = scope.new_scope()
    assert np.array(inner.find_var("a").get_tensor()).tolist() == [1, 1]
    inner.var("b")
    assert scope.find_var("b") is None
    assert (inner.size(), scope.size(), inner.local_var_names()) == (1, 1, ["b"])
    count = scope.var("count")
    assert not count.is_int()
    with pytest.raises(AttributeError, match="count has no int"):
        count.get_int()
    count.set_int(3)
    assert count.is_int() and inner.find_var("count").get_int() == 3
    scope.erase(["count"])
    assert inner.find_var("count") is None


def test_a_feed_is_declared_again() -> None:
    with static.program_guard(static.Program()):
        main = static.default_main_program()
        x = static.data("x", [2, 3])
        executor = static.Executor()
        (found,) = executor.run(main, {"x": np.ones((2, 3), "float32")}, [x])
        assert found.shape == (2, 3)
        again = static.data("x", [2], "int64")
        assert again is x and list(x.shape) == [2] and x.dtype == vt.int64
        assert executor.run(main, {"x": np.array([1, 2])}, [x])[0].tolist() == [1, 2]
        y = x + 1
        assert executor.run(main, {"x": np.array([1, 2])}, [y, x])[0].tolist() == [2, 3]
        assert static.data("x", [2], "int64") is x
        with pytest.raises(ValueError, match="x is declared already"):
            static.data("x", [3], "int64")


def test_rows_in_a_scope() -> None:
    rows = static.Scope().var("grad").get_selected_rows()
    assert (rows.rows(), rows.height(), rows.numel()) == ([], 0, 0)
    rows.set_rows([0, 4])
    rows.set_height(10)
    rows.get_tensor().set(np.ones([2, 3], "float32"))
    rows.sync_index()
    assert (rows.rows(), rows.height(), rows.numel()) == ([0, 4], 10, 6)
    place = static.Scope()
    assert place.var("a").get_selected_rows() is place.find_var("a").get_selected_rows()


def test_an_empty_input_of_sparse_embedding_is_refused() -> None:
    with static.program_guard(static.Program()):
        empty = static.data("x", [0], "int64")
        with pytest.raises(ValueError, match="no elements"):
            static.nn.sparse_embedding(empty, [4, 2])
