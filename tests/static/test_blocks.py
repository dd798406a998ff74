"""Control flow built in `with` blocks, arrays of tensors, conditions and indices that are known while building."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.static.nn.control_flow import ConditionalBlock, Switch, While


def run(*fetches: Any, **feed: Any) -> list[Any]:
    exe = static.Executor(vt.CPUPlace())
    exe.run(static.default_startup_program())
    return exe.run(feed=feed, fetch_list=list(fetches))


@pytest.mark.parametrize("turns", [0, 1, 7])
def test_a_while_block_carries_what_it_gives(turns: int) -> None:
    end = static.data("end", [1], "int64")
    count, total = vt.zeros([1], "int64"), vt.ones([2], "float32")
    step = total * 3.0  # made outside, not given another value
    more = vt.less_than(count, end)
    loop = While(more)
    with loop.block():
        inside = total + step
        vt.assign(inside, output=total)
        vt.increment(count)
        vt.assign(vt.less_than(count, end), more)
    after = total * 2.0
    found = run(count, total, after, end=np.array([turns]))
    assert found[0] == [turns]
    np.testing.assert_array_equal(found[1], [1 + 3 * turns] * 2)
    np.testing.assert_array_equal(found[2], found[1] * 2)


def test_a_while_block_in_a_while_block_and_a_persistable_variable() -> None:
    runs = static.create_global_var([1], 0, "int64", persistable=True, name="runs")
    i, n = vt.zeros([1], "int64"), vt.full([1], 3, "int64")
    more = vt.less_than(i, n)
    outer = While(more)
    with outer.block():
        j = vt.zeros([1], "int64")
        again = vt.less_than(j, i)
        inner = While(again)
        with inner.block():
            vt.assign(runs + 1, output=runs)
            vt.increment(j)
            vt.assign(vt.less_than(j, i), again)
        vt.increment(i)
        vt.assign(vt.less_than(i, n), more)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    assert [int(exe.run(fetch_list=[runs])[0][0]) for _ in range(2)] == [3, 6]
    assert np.array(static.global_scope().find_var("runs").get_tensor()).tolist() == [6]


def test_gradients_go_through_a_while_block() -> None:
    x = static.data("x", [2])
    x.stop_gradient = False
    y = x * 1.0
    i = vt.zeros([1], "int64")
    more = vt.less_than(i, vt.full([1], 3, "int64"))
    loop = While(more)
    with loop.block():
        vt.assign(y * x, output=y)
        vt.increment(i)
        vt.assign(vt.less_than(i, vt.full([1], 3, "int64")), more)
    (grad,) = static.gradients(vt.sum(y), x)
    a = np.array([2.0, 3.0], "float32")
    np.testing.assert_allclose(run(y, grad, x=a), [a**4, 4 * a**3], rtol=1e-6)


@pytest.mark.parametrize(("value", "expected"), [(-3.0, 0.0), (0.5, 10.0), (4.0, 4.0)])
def test_switch_takes_the_first_case_that_holds(value: float, expected: float) -> None:
    x = static.data("x", [1])
    y = static.create_global_var([1], -1.0, "float32", persistable=True)
    with Switch() as switch:
        with switch.case(x < 0.0):
            vt.assign(vt.zeros([1]), y)
        with switch.case(x < 1.0):
            vt.assign(vt.full([1], 10.0), y)
        with switch.default():
            vt.assign(x, y)
    assert run(y, x=np.array([value], "float32"))[0] == [expected]


@pytest.mark.parametrize(("value", "expected"), [(0.5, 6.0), (-1.0, 5.0), (3.0, 5.0)])
def test_a_conditional_block_runs_if_all_hold(value: float, expected: float) -> None:
    x = static.data("x", [1])
    y = vt.full([1], 5.0)
    branch = ConditionalBlock([x > 0.0, x < 1.0])
    with branch.block():
        vt.increment(y)
    assert run(y, x=np.array([value], "float32"))[0] == [expected]


def _while(condition: Any, body: Callable[[], Any]) -> None:
    loop = While(condition)
    with loop.block():
        body()


def _default_first() -> None:
    with Switch() as switch, switch.default():
        pass


def _closed() -> None:
    with Switch().case(vt.full([1], True, "bool")):
        pass


@pytest.mark.parametrize(
    ("build", "error", "text"),
    [
        (lambda: While(3), TypeError, "must be a variable"),
        (lambda: While(vt.ones([1])), TypeError, "must be bool"),
        (lambda: While(vt.full([2], True, "bool")), TypeError, "one bool"),
        (lambda: _while(vt.full([1], True, "bool"), lambda: None), ValueError, "never gives"),
        (lambda: ConditionalBlock(vt.full([1], True, "bool")), TypeError, "a list of variables"),
        (_default_first, ValueError, "no case before the default"),
        (_closed, ValueError, "outside of `with`"),
    ],
)
def test_what_blocks_refuse(build: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        build()


def test_a_loop_keeps_types() -> None:
    more, x = vt.full([1], True, "bool"), vt.ones([2])
    loop = While(more)
    with pytest.raises(Exception, match=r"f32\[2\] before the loop and f32\[4\] at its end"), loop.block():
        x._write(vt.concat([x, x]))
        vt.assign(vt.logical_not(more), more)


def test_blocks_belong_to_static_programs() -> None:
    vt.disable_static()
    with pytest.raises(RuntimeError, match="builds static programs"):
        Switch()


def test_arrays_in_static_and_eager_mode() -> None:
    for fetch in (lambda xs: run(*xs), lambda xs: [x.numpy() if isinstance(x, vt.Tensor) else x for x in xs]):
        array = vt.tensor.create_array("float32")
        assert vt.is_tensor(array) is not vt.in_dynamic_mode()
        i = vt.zeros([1], "int64")
        vt.tensor.array_write(vt.full([2], 3.0), i, array)
        vt.increment(i)
        vt.tensor.array_write(vt.full([2], 4.0), i, array=array)
        vt.tensor.array_write(vt.full([2], 5.0), vt.zeros([1], "int64"), array=array)
        found = fetch([vt.tensor.array_length(array), vt.tensor.array_read(array, i), array[0]])
        assert np.ravel(found[0]) == [2]
        np.testing.assert_array_equal(found[1], [4.0, 4.0])
        np.testing.assert_array_equal(found[2], [5.0, 5.0])
        vt.disable_static()


def test_what_arrays_refuse() -> None:
    array = vt.tensor.create_array("float32", initialized_list=[vt.ones([1])])
    index = static.data("i", [1], "int64")
    for call, error in (
        (lambda: vt.tensor.array_read(array, vt.full([1], 3, "int64")), IndexError),
        (lambda: vt.tensor.array_write(vt.ones([1]), vt.full([1], 3, "int64"), array), IndexError),
        (lambda: vt.tensor.array_read(array, index), ValueError),
        (lambda: vt.tensor.array_read(array, vt.ones([2], "int64")), ValueError),
        (lambda: vt.tensor.array_read(array, "0"), TypeError),
        (lambda: vt.tensor.array_read((), 0), TypeError),
        (lambda: vt.tensor.array_length("array"), TypeError),
        (lambda: vt.tensor.create_array("float32", [1]), TypeError),
        (lambda: vt.tensor.create_array("float32", 1), TypeError),
    ):
        with pytest.raises(error):
            call()


def test_branches_of_other_shapes_where_the_condition_is_constant() -> None:
    x, y = vt.full([1], 0.3), vt.full([1], 0.1)
    kinds = {1: lambda: vt.full([1, 2], 1.0), 2: lambda: vt.full([2, 2], 2, "int32")}
    chosen = static.nn.case([(x < y, kinds[1]), (x > y, kinds[2])], default=lambda: vt.full([3], 3, "int32"))
    numbered = static.nn.switch_case(vt.full([1], 1, "int32"), kinds, default=lambda: vt.full([3], 3, "int32"))
    found = run(chosen, numbered)
    np.testing.assert_array_equal(found[0], np.full([2, 2], 2))
    np.testing.assert_array_equal(found[1], np.full([1, 2], 1.0))


def test_branches_of_other_kinds_are_refused_at_once_where_only_a_run_knows() -> None:
    x = static.data("x", [1])
    with pytest.raises(Exception, match=r"f32\[2\] on one path and a tensor i64\[2\] on the other"):
        static.nn.cond(x > 0.0, lambda: vt.ones([2]), lambda: vt.ones([2], "int64"))
