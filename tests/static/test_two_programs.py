"""Random numbers of the main program beside parameters of the startup program, and rates fetched by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.nn import functional as F


def layers(kind: str) -> Any:
    """A network in which numbers are drawn right before a parameter is made."""
    x = static.data("x", [2, 3])
    if kind == "branch":
        return static.nn.cond(
            x.sum() > 0, lambda: static.nn.fc(F.dropout(x) + vt.rand([2, 3]), 4), lambda: vt.rand([2, 4])
        )
    noise = vt.uniform([2, 3])
    return static.nn.fc(static.nn.fc(x, 3) + noise, 4)


@pytest.mark.parametrize("kind", ["plain", "branch"])
def test_numbers_drawn_before_a_parameter_is_made(kind: str) -> None:
    out = layers(kind)
    runner = static.Executor()
    runner.run(static.default_startup_program())
    made = [runner.run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[out])[0] for _ in range(2)]
    assert made[0].shape == (2, 4) and not np.array_equal(*made)


def test_one_program_after_another_draws() -> None:
    first, second = static.Program(), static.Program()
    with static.program_guard(first):
        a = vt.rand([4])
        with static.program_guard(second):
            b = vt.rand([4])
    runner = static.Executor()
    for program, out in ((first, a), (second, b)):
        assert runner.run(program, fetch_list=[out])[0].shape == (4,)


def test_a_scheduled_rate_is_fetched_by_name() -> None:
    loss = vt.mean(static.data("x", [3, 4]))
    scheduler = vt.optimizer.lr.ExponentialDecay(0.5, 0.5)
    optimizer = vt.optimizer.Adam(scheduler)
    optimizer.minimize(loss)
    name = optimizer._global_learning_rate().name
    other = vt.optimizer.SGD(scheduler)
    other.minimize(loss)
    assert name in [v.name for v in static.default_main_program().list_vars()]
    assert other._global_learning_rate().name != name
    runner = static.Executor()
    runner.run(static.default_startup_program())
    rates = []
    for program in (static.default_main_program(), static.default_main_program().clone()):
        rates.append(float(runner.run(program, feed={"x": np.ones((3, 4), "float32")}, fetch_list=name)[0]))
        scheduler.step()
    assert rates == [0.5, 0.25]


def test_a_parameter_of_a_block_takes_a_level_of_detail() -> None:
    made = (
        static.default_main_program()
        .global_block()
        .create_parameter(
            dtype="float32", shape=[2, 3], lod_level=0, name="weight", initializer=vt.nn.initializer.Constant(2.0)
        )
    )
    runner = static.Executor()
    runner.run(static.default_startup_program())
    np.testing.assert_array_equal(runner.run(fetch_list=[made])[0], np.full((2, 3), 2.0, "float32"))


class TestUncheckedFeeds:
    """`need_check_feed` off: another dtype is converted, another shape gets a program of its own."""

    def test_other_ranks_and_dtypes(self) -> None:
        a, b = static.data("a", [-1, 1]), static.data("b", [4, 3])
        for x in (a, b):
            x.desc.set_need_check_feed(False)
        out = F.relu(a - 2.0).sum() + vt.matmul(a, vt.ones([1, 2])).max() * b.mean()
        runner = static.Executor()
        numbers = np.arange(6.0).reshape(6, 1)
        wanted = np.maximum(numbers - 2, 0).sum() + 5
        for _ in range(2):
            for given in (np.ones((4, 3)), np.ones(7), np.ones((2, 2, 2))):
                made = runner.run(feed={"a": numbers, "b": given}, fetch_list=[out])[0]
                np.testing.assert_allclose(made, wanted, rtol=1e-6)

    def test_what_is_about_the_rank_is_refused(self) -> None:
        a = static.data("a", [-1, 3])
        a.desc.set_need_check_feed(False)
        out = a.transpose([1, 0])
        with pytest.raises(ValueError, match="the feed a has the shape"):
            static.Executor().run(feed={"a": np.ones(3, "float32")}, fetch_list=[out])

    def test_axes_of_size_one_at_the_end_are_dropped(self) -> None:
        a = static.data("a", [-1, 3])
        a.desc.set_need_check_feed(False)
        out, runner = a.transpose([1, 0]), static.Executor()
        numbers = np.arange(6.0, dtype="float32").reshape(2, 3)
        for given in (numbers[:, :, None], numbers, numbers[:1, :, None, None]):
            made = runner.run(feed={"a": given}, fetch_list=[out])[0]
            np.testing.assert_array_equal(made, given.reshape(given.shape[:2]).T)

    def test_control_flow_keeps_its_types(self) -> None:
        a = static.data("a", [-1, 3])
        a.desc.set_need_check_feed(False)
        out = static.nn.cond(a.sum() > 0, lambda: a * 2, lambda: a)
        with pytest.raises(ValueError, match="the feed a has the shape"):
            static.Executor().run(feed={"a": np.ones(3, "float32")}, fetch_list=[out])

    def test_checked_feeds_are_checked(self) -> None:
        out = static.data("a", [-1, 3]) * 2
        with pytest.raises(ValueError, match="float64"):
            static.Executor().run(feed={"a": np.ones((2, 3))}, fetch_list=[out])


def test_the_condition_of_a_loop_is_a_bool() -> None:
    x = static.data("x", [1])
    with pytest.raises(TypeError, match="must be a bool"):
        static.nn.while_loop(lambda x: x + 1, lambda x: [x], [x])


class TestPersistableFeeds:
    """A feed that is persistable stays in the scope: what gradient checkers of Paddle's kind work with."""

    def test_fed_once(self) -> None:
        x = static.data("x", [2, 3], "float64")
        x.persistable, x.stop_gradient = True, False
        y = x * x
        runner = static.Executor()
        runner.run(feed={"x": np.full((2, 3), 2.0)})
        assert runner.run(fetch_list=[y])[0].tolist() == [[4.0] * 3] * 2
        held = static.global_scope().find_var("x").get_tensor()
        held._set_double_element(4, 5.0)
        assert held._get_double_element(4) == 5.0
        assert runner.run(fetch_list=[y])[0].tolist() == [[4.0] * 3, [4.0, 25.0, 4.0]]

    def test_a_parameter_that_is_fed_has_the_value(self) -> None:
        made = vt.create_parameter([2], "float32", name="p")
        out, runner = made * 2, static.Executor()
        runner.run(static.default_startup_program())
        runner.run(feed={"p": np.array([3.0, 4.0])})
        assert runner.run(fetch_list=[out])[0].tolist() == [6.0, 8.0]

    def test_gradients_in_a_copy_with_weights_from_the_scope(self) -> None:
        x = static.data("x", [3], "float64")
        x.persistable, x.stop_gradient = True, False
        y = x * x
        y.name = "y"
        twin = static.default_main_program().clone()
        block = twin.global_block()
        weight = block.create_var(name="w", shape=[3], dtype="float64", persistable=True)
        (grad,) = static.gradients(block.var(y.name), block.var("x"), weight)
        static.global_scope().var("w").get_tensor().set(np.array([0.0, 1.0, 0.0]))
        runner = static.Executor()
        runner.run(feed={"x": np.array([1.0, 2.0, 3.0])})
        assert runner.run(twin, fetch_list=[grad])[0].tolist() == [0.0, 4.0, 0.0]


def test_a_created_parameter_is_known_by_its_name() -> None:
    made = vt.create_parameter([2, 3], "float32", name="weight")
    block = static.default_main_program().clone().global_block()
    assert made.name == "weight" and block.has_var("weight")
    assert made.shape == (2, 3) and made.shape == [2, 3]
    assert vt.create_parameter([2], "float32", name="a", attr=vt.ParamAttr(name="b")).name == "b"


def test_a_startup_program_makes_values_of_another_dtype_under_known_names() -> None:
    runner = static.Executor()
    for dtype in ("float32", "float64"):
        main, startup = static.Program(), static.Program()
        with vt.utils.unique_name.guard(), static.program_guard(main, startup):
            out = static.nn.fc(static.data("x", [2, 3], dtype), 4)
        runner.run(startup)
        assert runner.run(main, feed={"x": np.ones((2, 3), dtype)}, fetch_list=[out])[0].dtype == dtype


class TestFeedsOfAnotherRank:
    """A checked feed may hold the declared elements on another number of axes, as long as all results do."""

    @pytest.mark.parametrize(("declared", "given"), [((3, 1), (3,)), ((3,), (3, 1)), ((2, 3), (6,)), ((1,), ())])
    def test_elementwise_programs_take_them(self, declared: tuple[int, ...], given: tuple[int, ...]) -> None:
        a, b = static.data("a", declared), static.data("b", declared)
        runner = static.Executor()
        numbers = np.arange(1.0, 1.0 + np.prod(given, dtype=int), dtype="float32").reshape(given)
        for fed in (numbers, numbers.reshape(declared), numbers):
            made = runner.run(feed={"a": fed, "b": fed}, fetch_list=[F.relu(a - 2.0) * b])[0]
            np.testing.assert_array_equal(made, np.maximum(fed - 2, 0) * fed)

    def test_results_that_would_hold_other_elements_are_refused(self) -> None:
        a, b = static.data("a", [3, 1]), static.data("b", [3])
        runner = static.Executor()
        for out in (a + b, a.sum(0), vt.concat([a, a], 1)):
            with pytest.raises(ValueError, match="the feed a has the shape"):
                runner.run(feed={"a": np.ones(3, "float32"), "b": np.ones(3, "float32")}, fetch_list=[out])

    def test_an_axis_that_may_have_been_named_is_refused(self) -> None:
        out = static.data("a", [3]).sum(0)
        with pytest.raises(ValueError, match="the feed a has the shape"):
            static.Executor().run(feed={"a": np.ones((3, 1), "float32")}, fetch_list=[out])
