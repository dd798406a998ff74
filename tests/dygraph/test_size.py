"""`Tensor.shape` is a Size: a list that equals lists and tuples, adds up with them and counts the elements."""

from __future__ import annotations

import copy
import enum
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def test_it_is_a_list() -> None:
    shape = vt.ones([2, 3]).shape
    assert type(shape) is vt.Size
    assert isinstance(shape, list)
    assert (shape == [2, 3], shape == [2, 3], shape == (2, 3), shape == (2, 3)) == (True, True, True, True)
    assert (shape != [2, 4], shape != (2, 3), shape == 6) == (True, False, False)
    assert repr(shape) == str(shape) == f"{shape}" == "[2, 3]"
    with pytest.raises(TypeError, match="unhashable"):
        hash(shape)


def test_parts_and_sums_are_sizes() -> None:
    shape = vt.ones([2, 3]).shape
    made = [shape[1:], shape + [1], shape + (1,), [1] + shape, (1,) + shape, shape * 2, 2 * shape, shape[::-1]]
    assert made == [[3], [2, 3, 1], [2, 3, 1], [1, 2, 3], [1, 2, 3], [2, 3] * 2, [2, 3] * 2, [3, 2]]
    assert {type(part) for part in made} == {vt.Size}
    assert type(shape[0]) is int
    with pytest.raises(TypeError):
        shape + 1


def test_it_counts_elements() -> None:
    assert (vt.ones([2, 3]).shape.numel(), vt.Size([]).numel(), vt.Size((4, 0)).numel()) == (6, 1, 0)


def test_it_is_copied_and_pickled() -> None:
    shape = vt.ones([2, 3]).shape
    for made in (copy.copy(shape), copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
        assert type(made) is vt.Size
        assert made == shape


def test_a_change_of_it_is_no_change_of_the_tensor() -> None:
    x = vt.ones([2, 3])
    shape = x.shape
    shape.append(1)
    shape[0] = 5
    assert (shape, x.shape) == ([5, 3, 1], [2, 3])


def _sized(x: Any, twice: Any) -> Any:
    shape = x.shape
    count = shape.numel()
    if count > 6:
        shape = shape + (1,)
    if twice:
        shape.append(1)
    first = [1] + x.shape[1:]
    return x.reshape(shape), x.reshape([x.shape.numel()]) * count, vt.zeros(first), len(shape)


@pytest.mark.parametrize("rows", [2, 5, 6])
def test_programs_compute_with_it(rows: int) -> None:
    compiled = vt.to_static(_sized)
    for n in (rows, rows + 1):
        x = vt.arange(n * 3).reshape([n, 3])
        for twice in (True, False):
            mine, eager = compiled(x, twice), _sized(x, twice)
            for a, b in zip(mine[:3], eager[:3], strict=True):
                assert a.shape == b.shape
                assert np.array_equal(a.numpy(), b.numpy())
            assert mine[3] == eager[3]


def test_sizes_left_open() -> None:
    compiled = vt.to_static(
        lambda x: x.reshape([x.shape.numel()]) * x.shape.numel(), input_spec=[vt.InputSpec([None, 3])]
    )
    for n in (2, 7):
        assert compiled(vt.ones([n, 3])).tolist() == [3.0 * n] * (3 * n)


def test_calls_with_it_are_remembered() -> None:
    x, y = vt.ones([6]), vt.ones([2, 3])
    for _ in range(3):
        assert vt.reshape(x, y.shape).shape == [2, 3]
        assert vt.zeros(y.shape).shape == [2, 3]


def test_it_prints_its_name_where_paddle_means_this_package() -> None:
    code = (
        "import paddle; x = paddle.ones([2, 3]); print(x.shape, repr(x.shape[1:]), type(x.shape) is paddle.Size);"
        "paddle.enable_static(); print(paddle.static.data('v', [-1, 3]).shape)"
    )
    run = subprocess.run(
        [sys.executable, "-c", "import vitrify.as_paddle;" + code], capture_output=True, text=True, check=True
    )
    assert run.stdout == "paddle.Size([2, 3]) paddle.Size([3]) True\npaddle.Size([-1, 3])\n"


def test_dtypes_and_tensors_print_as_paddles() -> None:
    code = "import paddle; x = paddle.ones([1], 'int64'); print(x.dtype, [x.dtype], x)"
    run = subprocess.run(
        [sys.executable, "-c", "import vitrify.as_paddle;" + code], capture_output=True, text=True, check=True
    )
    assert run.stdout == (
        "paddle.int64 [paddle.int64] "
        "Tensor(shape=[1], dtype=int64, place=Place(cpu), stop_gradient=True,\n       [1])\n"
    )


def test_the_number_of_elements_can_be_called() -> None:
    x = vt.ones([2, 3])
    assert (x.size, x.size + 1, repr(x.size), x.size(), x.size(-1)) == (6, 7, "6", [2, 3], 3)
    assert type(x.size()) is vt.Size
    assert isinstance(x.size, int)
    assert type(copy.deepcopy(x.size)) is type(pickle.loads(pickle.dumps(x.size))) is int
    for _ in range(3):
        assert vt.reshape(x, [x.size]).shape == [6]
        assert vt.zeros([x.size]).shape == [6]


@pytest.mark.parametrize("rows", [None, 2])
def test_it_can_be_called_in_programs(rows: Any) -> None:
    def sized(x: Any) -> Any:
        return x.reshape([x.size]) * x.size(0), vt.zeros(x.size()) + x.size, x.size

    compiled = vt.to_static(sized, input_spec=[vt.InputSpec([rows, 3])])
    for n in (2, 2 if rows else 5):
        mine, eager = compiled(vt.ones([n, 3])), sized(vt.ones([n, 3]))
        assert mine[0].tolist() == eager[0].tolist()
        assert mine[1].tolist() == eager[1].tolist()
        assert mine[2] == eager[2]


class Level(enum.IntEnum):
    HIGH = 3


class Metres(float):
    pass


@pytest.mark.parametrize("wrap", [lambda fn: fn, vt.to_static])
def test_numbers_of_derived_classes_become_tensors(wrap: Any) -> None:
    fn = wrap(lambda x: (vt.to_tensor(x.size), vt.to_tensor(Level.HIGH), vt.to_tensor(Metres(1.5)), x + x.size))
    size, level, metres, added = fn(vt.ones([2, 3]))
    assert [size.item(), level.item(), metres.item()] == [6, 3, 1.5]
    assert [size.dtype, level.dtype, metres.dtype, added.dtype] == ["int64", "int64", "float32", "float32"]
    assert added.tolist() == [[7.0] * 3] * 2
