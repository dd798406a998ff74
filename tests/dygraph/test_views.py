"""Parts of a tensor, and its other forms, are views: a write to the one is seen by the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from tests.dygraph.view_programs import Array, Program, function, run

VIEWS: dict[str, Callable[[Any], Any]] = {
    "row": lambda x: x[0], "column": lambda x: x[:, 0], "slice": lambda x: x[1:], "steps": lambda x: x[::-2],
    "whole": lambda x: x[:], "dots": lambda x: x[...], "new axis": lambda x: x[None], "element": lambda x: x[1, 2],
    "number of NumPy": lambda x: x[np.int64(1)], "tensor": lambda x: x[vt.to_tensor(1)],
    "slice by tensors": lambda x: x[vt.to_tensor(0) : vt.to_tensor(2)], "iteration": lambda x: next(iter(x)),
    "vt.slice": lambda x: vt.slice(x, [1], [1], [-1]), "strided_slice": lambda x: vt.strided_slice(x, [0], [2], [-4], [-1]),
    "narrow": lambda x: vt.narrow(x, 0, -2, 2), "unbind": lambda x: vt.unbind(x, 1)[1], "reshape": lambda x: x.reshape([4, 3]),
    "flatten": lambda x: x.flatten(), "view": lambda x: x.view([2, 6]), "view_as": lambda x: x.view_as(vt.ones([4, 3])),
    "unflatten": lambda x: x.unflatten(1, [2, 2]), "ravel": lambda x: vt.ravel(x), "T": lambda x: x.T, "t": lambda x: x.t(),
    "transpose": lambda x: x.transpose([1, 0]), "permute": lambda x: x.permute(1, 0), "mT": lambda x: x.mT,
    "matrix_transpose": lambda x: vt.linalg.matrix_transpose(x), "moveaxis": lambda x: vt.moveaxis(x, 0, 1),
    "swapaxes": lambda x: x.swapaxes(0, -1), "squeeze": lambda x: x[:1].squeeze(0), "unsqueeze": lambda x: x.unsqueeze(-1),
    "atleast_2d of several": lambda x: vt.atleast_2d([1.0], x)[1], "atleast_3d of several": lambda x: vt.atleast_3d(x, 1.0)[0],
    "atleast_3d": lambda x: vt.atleast_3d(x), "diagonal": lambda x: x.diagonal(1), "as_strided": lambda x: x.as_strided([2, 2], [4, 1], 1),
    "unfold": lambda x: x.unfold(1, 2, 1), "detach": lambda x: x.detach(), "data": lambda x: x.data,
    "astype": lambda x: x.astype("float32"), "contiguous": lambda x: x.contiguous(), "flatten layer": lambda x: vt.nn.Flatten(0)(x),
    "unflatten layer": lambda x: vt.nn.Unflatten(1, [2, 2])(x), "by name": lambda x: vt.reshape(shape=[12], x=x),
    "form of a column": lambda x: x[:, 0].reshape([3, 1]), "view of views": lambda x: x[1:].t()[1:, 0],
}  # fmt: skip
COPIES: dict[str, Callable[[Any], Any]] = {
    "list": lambda x: x[[0, 1]], "mask": lambda x: x[x > -1], "split": lambda x: vt.split(x, 3)[0], "chunk": lambda x: x.chunk(3)[0],
    "tensor_split": lambda x: x.tensor_split(3)[0], "hsplit": lambda x: vt.hsplit(x, 2)[0], "unstack": lambda x: vt.unstack(x)[0],
    "expand": lambda x: x.expand([3, 4]), "broadcast_to": lambda x: vt.broadcast_to(x[0], [3, 4]), "clone": lambda x: x.clone(),
    "assign": lambda x: vt.assign(x), "gather": lambda x: vt.gather(x, vt.to_tensor([0])), "flip": lambda x: vt.flip(x, [0]),
    "rot90": lambda x: vt.rot90(x), "crop": lambda x: vt.crop(x, [1, 4], [0, 0]), "tile": lambda x: x.tile([1, 1]),
    "form of a transpose": lambda x: x.t().reshape([12]), "flattened slice": lambda x: x[:, :2].flatten(),
    "line of windows": lambda x: x.unfold(0, 2, 2).reshape([8]), "contiguous transpose": lambda x: x.t().contiguous(), "concat": lambda x: vt.concat([x]), "einsum": lambda x: vt.einsum("ij->ji", x),
}  # fmt: skip


def made() -> Any:
    return vt.arange(12, dtype="float32").reshape([3, 4]).clone()


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_paddle(name: str) -> None:
    for _ in range(3):  # calls that are seen again take another way
        x = made()
        view = VIEWS[name](x)
        view.fill_(99.0)
        assert (x == 99.0).sum().item() == len(
            set(np.asarray(VIEWS[name](vt.arange(12, dtype="float32").reshape([3, 4]))).ravel())
        )
        x.fill_(7.0)
        assert np.all(view.numpy() == 7.0)


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_paddle(name: str) -> None:
    x = made()
    copy = COPIES[name](x)
    before = copy.numpy()
    x.fill_(7.0)
    assert np.array_equal(copy.numpy(), before)
    copy.fill_(99.0)
    assert x.tolist() == [[7.0] * 4] * 3


def test_random_programs_do_what_arrays_do() -> None:
    for seed in range(200):
        program = function(Program(seed, branches=seed % 2 == 1).text())
        array = np.arange(12.0).reshape(3, 4)
        expected = run(program, Array(array.copy()), 2)
        found = run(program, vt.to_tensor(array), 2)
        assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True)), seed


def test_gradients_go_through_writes_to_views() -> None:
    x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    y = x * 2.0
    first, other = y[0], y.t()
    first.tanh_()
    (other * vt.to_tensor([[1.0, 10.0], [2.0, 20.0]])).sum().backward()
    slope = 2 * (1 - np.tanh([2.0, 4.0]) ** 2)
    np.testing.assert_allclose(x.grad.numpy(), [slope * [1.0, 2.0], [20.0, 40.0]], rtol=1e-3)


def test_gradients_of_what_is_written_arrive() -> None:
    h = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    out = vt.zeros([3, 2])
    last = out[2]
    out[0].copy_(h * 3.0)
    last.add_(h)
    assert not out.stop_gradient
    (out.sum() + (last * last).sum()).backward()
    assert h.grad.tolist() == [3.0 + 1.0 + 2.0, 3.0 + 1.0 + 4.0]


def test_second_gradients() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * x
    y[0].scale_(3.0)
    (first,) = vt.grad((y * y).sum(), [x], create_graph=True)
    (second,) = vt.grad(first.sum(), [x])
    assert first.tolist() == [36.0, 32.0]
    assert second.tolist() == [108.0, 48.0]


def test_a_view_of_a_leaf_that_needs_a_gradient_is_written() -> None:
    x = vt.to_tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], stop_gradient=False)
    flat, row = x.reshape([-1]), x[0]
    flat[0] = 100.0
    flat[1:3].scale_(3.0)
    assert x.tolist() == [[100.0, 3.0, 6.0], [3.0, 4.0, 5.0]]
    assert x.is_leaf
    assert row.tolist() == [100.0, 3.0, 6.0]
    (flat * flat).sum().backward()
    assert x.grad.tolist() == [[0.0, 18.0, 36.0], [6.0, 8.0, 10.0]]
    x.clear_grad()
    (x * x + row * row).sum().backward()  # the other view is cut from the leaf as it is now
    assert x.grad.tolist() == [[600.0, 18.0, 36.0], [6.0, 8.0, 10.0]]


def test_a_captured_function_refuses_to_write_a_view_of_a_leaf_that_needs_a_gradient() -> None:
    @vt.jit.to_static
    def doubled(x: vt.Tensor) -> vt.Tensor:
        flat = x.reshape([-1])
        flat[0] = flat[1] * 2.0
        return flat * x.sum()

    with pytest.raises(vt.errors.CaptureError, match="a view of a leaf that needs a gradient"):
        doubled(vt.to_tensor([[1.0, 2.0]], stop_gradient=False))


def test_a_leaf_that_needs_a_gradient_is_written_without_recording() -> None:
    w = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    with vt.no_grad():
        w[0].fill_(0.0)
    w.data[1, 0].fill_(5.0)
    w.detach()[1:, 1].add_(1.0)
    assert w.tolist() == [[0.0, 0.0], [5.0, 5.0]]
    assert w.is_leaf


def test_overwritten_values_are_noticed_by_backward() -> None:
    for write, read in (
        ((lambda y: y), (lambda y: y[0])),
        ((lambda y: y[0]), (lambda y: y)),
        ((lambda y: y[1]), (lambda y: y[0])),
    ):
        x = vt.to_tensor([[1.0], [2.0]], stop_gradient=False)
        y = x * 1.0
        used = read(y)
        z = used * used
        write(y).add_(1.0)
        with pytest.raises(vt.errors.GradientError, match="overwritten in place"):
            z.sum().backward()


def test_a_detached_view_writes_without_a_gradient() -> None:
    x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    y = x * 2.0
    y[0].detach().fill_(0.0)
    y.sum().backward()
    assert y.tolist() == [[0.0, 0.0], [6.0, 8.0]]
    assert x.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_a_new_form_in_place_stays_a_view() -> None:
    x = made()
    row = x[0]
    row.reshape_([2, 2])
    row.fill_(5.0)
    assert x[0].tolist() == [5.0] * 4
    x.transpose_([1, 0])
    x[0].fill_(9.0)
    assert (x.shape, row.tolist()) == ([4, 3], [[9.0, 5.0], [5.0, 5.0]])


def test_views_that_are_gone_leave_nothing() -> None:
    x = vt.zeros([4, 4])
    for k in range(1000):
        x[k % 4].add_(1.0)
    assert len(x._storage.shared.parts) < 64
    assert x.tolist() == [[250.0] * 4] * 4


def test_a_view_keeps_what_is_behind_it() -> None:
    def parts() -> Any:
        x = vt.zeros([4])
        return x[:3], x[1:]

    first, second = parts()
    first.fill_(1.0)
    assert second.tolist() == [1.0, 1.0, 0.0]


def test_dtypes_of_views_stay() -> None:
    x = vt.zeros([2], "int32")
    row = x[:1]
    with pytest.raises(vt.errors.ArgumentError, match="can't change its dtype"):
        x.cast_("float32")
    with pytest.raises(vt.errors.ArgumentError, match="can't change its dtype"):
        row.cast_("float32")


def test_contiguous_views() -> None:
    x = made()
    assert [v.is_contiguous() for v in (x, x[1:], x[:, 0], x.t(), x.t().t(), x[1].unsqueeze(0))] == [
        True, True, False, False, True, True,
    ]  # fmt: skip


def test_optimisers_write_through_views() -> None:
    whole = vt.ones([4])
    part = whole[:2]
    part.stop_gradient = False
    for optimizer in (vt.optimizer.SGD, vt.optimizer.Adam):
        (part * 2.0).sum().backward()
        step = optimizer(0.5, parameters=[part])
        step.step()
        step.clear_grad()
        assert whole[:2].tolist() == part.tolist() != [1.0, 1.0]
    assert whole[2:].tolist() == [1.0, 1.0]


def test_an_operand_of_a_product_with_a_constant_may_be_overwritten() -> None:
    x = vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    y = x * 1
    y[0] = y[1] * 0.5 + 1
    for k in range(1, 3):
        y[k] = y[k - 1] * vt.to_tensor(2.0) + y[k]
    (y * vt.to_tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [0.0, 421.0 / 2 + 210.0, 100.0]


def test_factors_that_both_need_gradients_may_not() -> None:
    x, w = vt.ones([3]), vt.ones([])
    x.stop_gradient = w.stop_gradient = False
    y = x * 1
    y[0] = y[1] * w
    with pytest.raises(vt.errors.GradientError, match="overwritten in place"):
        y[1] = 5.0
        y.sum().backward()


CUTS: dict[str, Callable[[Any], Any]] = {
    "item": lambda x: x[1], "slice": lambda x: x[:, ::2], "reshape": lambda x: x.reshape([4, 3]), "transpose": lambda x: x.t(),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(1), "diagonal": lambda x: x.diagonal(1), "form of a transpose": lambda x: x.t().reshape([2, 6]),
}  # fmt: skip


@pytest.mark.parametrize("name", CUTS)
def test_gradients_of_cuts_that_are_seen_again(name: str) -> None:
    for _ in range(4):  # later calls put a node of their own on the tape
        x = made()
        x.stop_gradient = False
        cut = CUTS[name](x)
        (first,) = vt.grad((cut * cut * cut).sum(), [x], create_graph=True)
        (second,) = vt.grad(first.sum(), [x])
        named = np.zeros((3, 4), "float32")
        CUTS[name](shown := vt.to_tensor(named)).fill_(1.0)
        where = np.ones((3, 4), "float32") if name == "form of a transpose" else shown.numpy()
        np.testing.assert_allclose(first.numpy(), 3 * x.numpy() ** 2 * where, rtol=1e-5)
        np.testing.assert_allclose(second.numpy(), 6 * x.numpy() * where, rtol=1e-5)


def test_views_that_are_gone_are_forgotten() -> None:
    x = made()
    kept = [x[k % 3] for k in range(100)]
    assert len(x._storage.shared.parts) == 100
    del kept
    last = x[0]
    assert len(x._storage.shared.parts) == 1
    x.fill_(3.0)
    assert last.tolist() == [3.0] * 4


def test_a_write_asks_nothing_of_views_that_nobody_has_looked_at_since() -> None:
    x = made()
    kept = [x[k % 3] for k in range(64)]
    x.fill_(1.0)
    sharing = x._storage.shared
    assert (sharing.stale, len(sharing.parts)) == (64, 64)
    for k in range(300):
        assert kept[5].tolist() == [float(k + 1)] * 4
        x.fill_(k + 2.0)
        assert len(sharing.parts) - sharing.stale == 0
    assert len(sharing.parts) <= 2 * 64 + 1
    assert len(sharing.live()) == 64
    assert all(view.tolist() == [301.0] * 4 for view in kept)


def test_views_count_the_writes_of_what_is_behind_them() -> None:
    x = made()
    x.fill_(1.0)
    row, form = x[0], x.t()
    part = row[1:]
    tensors = [x, row, form, part, x.detach()]
    versions = []
    for write in (
        lambda: row.add_(1.0),
        lambda: x.fill_(3.0),
        lambda: part.fill_(4.0),
        lambda: part._bump_inplace_version(),
    ):
        write()
        versions.append([t.inplace_version for t in tensors])
    assert versions == [[n] * 5 for n in (2, 3, 4, 5)]
    assert form[:, 0].inplace_version == 5


def test_a_new_form_of_a_part_follows_what_is_behind_it() -> None:
    x = made()
    x.stop_gradient = False
    y = x * 1.0
    part = y[:, 1:3]
    part.unsqueeze_(0)
    y.scale_(3.0)
    assert np.array_equal(part.numpy(), 3.0 * made()[:, 1:3].unsqueeze(0).numpy())
    part.sum().backward()
    assert x.grad.tolist() == [[0.0, 3.0, 3.0, 0.0]] * 3


def test_views_lose_their_place_in_the_graph_with_what_is_behind_them() -> None:
    x = made()
    x.stop_gradient = False
    y = x * 1.0
    row, alias = y[0], y.detach()
    alias.fill_(2.0)  # not recorded
    assert not row.stop_gradient
    y.fill_(3.0)
    y.add_(row.detach())
    (row * row).sum().backward()
    assert x.grad.tolist() == [[0.0] * 4] * 3


def test_a_write_to_a_part_of_what_isnt_tracked_itself_reaches_the_graph() -> None:
    x = made()
    x.stop_gradient = False
    y = x * 1.0
    with vt.no_grad():
        rows = y[1:]
    rows[0].fill_(5.0)
    rows[1][:2] = 6.0
    y.sum().backward()
    assert x.grad.tolist() == [[1.0] * 4, [0.0] * 4, [0.0, 0.0, 1.0, 1.0]]


WRITES: dict[str, tuple[str, Any, Any]] = {
    "a number": ("float32", (0, slice(1, 3)), 2.5), "an int": ("float32", 1, 2), "a bool": ("bool", (..., 0), True),
    "a tensor": ("float32", slice(None, None, -1), vt.arange(12, dtype="float32").reshape([3, 4])),
    "broadcast": ("float32", (slice(None), None, 1), vt.ones([1, 1, 1])), "a fraction for ints": ("int32", 1, 2.5),
    "another dtype": ("int64", 0, vt.ones([4])), "complex": ("complex64", 2, 1.5), "bfloat16": ("bfloat16", 2, 1.5),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITES)
def test_writes_to_parts(name: str) -> None:
    dtype, key, value = WRITES[name]
    x = made().astype(dtype)
    before, copy, form = x.numpy(), x.clone(), x.t()
    twin = x.snapshot()
    x[key] = value
    expected = before.copy()
    expected[key] = value if isinstance(value, (int, float)) else value.numpy()
    if name == "bfloat16":
        expected = vt.concat([copy[:2], vt.full([1, 4], 1.5, dtype)]).numpy()
    assert np.array_equal(x.numpy(), expected)
    assert np.array_equal(form.numpy(), expected.T)
    assert np.array_equal(twin.numpy(), before)
    assert x.inplace_version == form.inplace_version == 1


@pytest.mark.parametrize("key, value, error", [
    (3, 1.0, vt.errors.AxisError), (0, vt.ones([5]), vt.errors.ShapeError), (0, 300, vt.errors.ArgumentError),
])  # fmt: skip
def test_writes_to_parts_that_arent_there(key: Any, value: Any, error: Any) -> None:
    x = made().astype("uint8")
    with pytest.raises(error):
        x[key] = value
    assert (x.tolist(), x.inplace_version) == (made().astype("uint8").tolist(), 0)


def test_long_chains_of_views() -> None:
    x = y = vt.arange(12.0).reshape([3, 4])
    for _ in range(300):
        y = y.reshape([2, 6]).reshape([3, 4]).t().t()
    assert y.tolist() == x.tolist()
    x.add_(vt.to_tensor(1.0))
    assert x.tolist() == (np.arange(12.0).reshape(3, 4) + 1).tolist()
