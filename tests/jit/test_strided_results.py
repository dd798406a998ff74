"""Results that eager mode leaves as strided views of memory which the caller doesn't have are reshaped as there."""

import numpy as np
import pytest

import vitrify as vt

WAYS = {
    "transposed": lambda x: (x * 2).T,
    "a column": lambda x: (x * 2)[:, -1],
    "columns": lambda x: (x * 2)[:, 1:3],
    "columns from a size": lambda x: (x * 2)[:, x.shape[1] - 2 :],
    "columns from a number of the run": lambda x: (x * 2)[:, int(x[0, 0]) :],
    "rows": lambda x: (x + 1)[1:],
    "each other row": lambda x: (x * 2)[::2],
    "axes in another order": lambda x: (x + 1).reshape([1, *x.shape]).transpose([2, 0, 1]),
    "the diagonal": lambda x: vt.diagonal(x * 2),
    "expanded": lambda x: (x * 2).expand([2, *x.shape]),
    "pieces": lambda x: vt.split(x * 2, [1, -1], axis=1),
    "in containers": lambda x: {"a": (x * 2).T, "b": [x.sum()]},
    "two of one memory": lambda x: (lambda y: (y.T, y[0]))(x * 2),
    "transposed twice": lambda x: (x * 2).T[:2].T,
    "detached": lambda x: (x * 2).T.detach(),
    "copied": lambda x: (x * 2).T.clone(),
    "picked": lambda x: x[x > 1].reshape([-1, 1]).T,
}


def tensors_in(result):
    """The tensors of a result, in order."""
    if isinstance(result, dict):
        result = list(result.values())
    parts = result if isinstance(result, (list, tuple)) else [result]
    return [t for part in parts for t in (tensors_in(part) if isinstance(part, (list, tuple)) else [part])]


def written(tensors):
    """What writes through reshaped names do to tensors."""
    shown = []
    for t in tensors:
        whole, cut = t.reshape([-1]), t.detach().reshape([-1])
        with vt.no_grad():
            whole[-1] = 50.0
            cut[0] = 100.0
            t.reshape([1, *t.shape])[0] += 1
        shown.append((t.is_contiguous(), t.tolist(), whole.tolist(), cut.tolist()))
    return shown


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("wants_gradients", [False, True])
def test_writes_through_another_form_go_as_in_eager_mode(way, wants_gradients):
    def run(fn):
        shown = []
        for rows, columns in ((3, 4), (3, 4), (4, 4), (4, 6)):
            x = vt.to_tensor(np.arange(rows * columns, dtype="float32").reshape(rows, columns) / 3)
            x.stop_gradient = not wants_gradients
            tensors = tensors_in(fn(x))
            shown.append(written(tensors))
            if wants_gradients:
                sum(t.sum() for t in tensors if not t.stop_gradient or way != "detached").backward()
                shown.append(None if x.grad is None else x.grad.tolist())
        return shown

    if wants_gradients and way == "detached":
        pytest.skip("nothing to differentiate")
    assert run(vt.to_static(WAYS[way])) == run(WAYS[way])


def test_a_state_that_is_replaced_by_a_strided_result():
    def run(mode):
        class Memory:
            rows = vt.ones([2, 3])

        memory = Memory()

        @mode
        def turn(x):
            memory.rows = (memory.rows + x).T
            line = memory.rows.reshape([-1])
            line[0] = 9.0
            return line

        shown = []
        for k in range(4):
            line = turn(vt.to_tensor(float(k)))
            line[1] = 7.0
            memory.rows.reshape([-1])[2] = 5.0
            shown.append((line.tolist(), memory.rows.tolist(), memory.rows.is_contiguous()))
        return shown

    assert run(vt.to_static) == run(lambda fn: fn)


def test_a_strided_result_is_an_argument_and_is_reshaped_in_place():
    def run(mode):
        twice = mode(lambda x: (x * 2).T)
        line = mode(lambda y: y.reshape([-1]))
        shown = []
        for _ in range(2):
            y = twice(vt.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
            z = line(y)
            z[1] = 8.0
            shown.append((y.tolist(), z.tolist()))
            y.reshape_([4])
            w = y.reshape([2, 2])
            w[0] = 6.0
            shown.append((y.tolist(), y.is_contiguous()))
        return shown

    assert run(vt.to_static) == run(lambda fn: fn)


def test_how_a_result_lies_in_each_call_of_one_program():
    def run(mode):
        turn = mode(lambda x: ((x * 2).T, (x + 1)[:, ::2]))
        shown = []
        for shape in ((3, 4), (3, 4), (4, 1), (4, 1), (1, 4), (1, 4), (5, 2), (5, 2), (1, 1), (1, 1)):
            for y in turn(vt.ones(shape)):
                shown.append((y.is_contiguous(), y.strides, y.tolist()))
        return shown

    assert run(vt.to_static) == run(lambda fn: fn)
