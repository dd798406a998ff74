"""What tensors, devices and the random state have from PyTorch in Paddle 3.3."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DTypeError, KindError


def test_requires_grad_is_the_other_side_of_stop_gradient() -> None:
    x = vt.ones([2])
    assert x.requires_grad is False
    x.requires_grad = True
    assert x.stop_gradient is False
    assert x.requires_grad_(False) is x
    assert x.stop_gradient is True
    assert x.requires_grad_().requires_grad is True


def test_requires_grad_in_a_program() -> None:
    @vt.to_static
    def slope(x):
        x = x * 1
        x = x.detach().requires_grad_()
        (grad,) = vt.grad((x * x).sum(), x)
        return grad

    assert slope(vt.to_tensor([1.0, 3.0])).tolist() == [2.0, 6.0]


def test_where_elements_lie() -> None:
    x = vt.ones([2, 3, 4])
    assert (x.strides, x.stride(), x.get_strides(), x.stride(-1), x.offset) == ([12, 4, 1],) * 3 + (1, 0)
    assert vt.ones([]).stride() == []
    with pytest.raises(vt.errors.AxisError):
        x.stride(3)
    compiled = vt.to_static(lambda x: vt.zeros([2]) + x.stride(0), input_spec=[vt.InputSpec([2, None])])
    assert compiled(vt.ones([2, 5])).tolist() == [5.0, 5.0]


def test_facts() -> None:
    x = vt.ones([2, 3])
    assert (x.device, x.device.type, x.device.index, x.layout, x.is_cuda) == ("cpu", "cpu", None, "NCHW", False)
    assert (x.is_dist(), x.dense_dim(), x.is_same_shape(x), x.is_same_shape(x.T)) == (False, 2, True, False)
    assert x.sparse_dim() == 0
    assert [part.shape for part in x.split_with_sizes([1, 2], 1)] == [[2, 1], [2, 2]]


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint8", "bool", "int64"])
def test_random_whole_numbers(dtype: str) -> None:
    vt.seed(3)
    x = vt.zeros([200]).astype(dtype)
    assert x.random_() is x
    assert x.dtype == dtype
    drawn = x.numpy().astype("float64")
    assert (drawn >= 0).all()
    assert (drawn == np.floor(drawn)).all()
    assert len(set(drawn.tolist())) > (1 if dtype == "bool" else 30)
    if dtype != "bool":
        assert set(x.random_(1, 4).tolist()) == {1, 2, 3}
    with pytest.raises(vt.errors.ArgumentError, match="from_ < to"):
        x.random_(4, 4)


def test_new_tensors() -> None:
    assert vt.asarray([1.0, 2.0], requires_grad=True).requires_grad
    assert vt.from_numpy(np.arange(3)).tolist() == [0, 1, 2]
    assert (vt.range(1, 6, 2).tolist(), vt.range(3, 1, -1).tolist()) == ([1.0, 3.0, 5.0], [3.0, 2.0, 1.0])
    with pytest.raises(vt.errors.KindError, match="takes an array"):
        vt.from_numpy([1])
    with pytest.raises(vt.errors.ArgumentError, match="asarray always copies"):
        vt.asarray([1], copy=False)
    with pytest.raises(vt.errors.ArgumentError, match="no steps of 1 go from 3 to 1"):
        vt.range(3, 1)
    with pytest.raises(vt.errors.ArgumentError, match="step other than 0"):
        vt.range(3, 1, 0)


def test_assign_keeps_the_width_of_pythons_numbers() -> None:
    made = [vt.assign(x).dtype for x in ([1.0, 2], 1.5, [1], True, [[1j]], np.float32([1]))]
    assert made == ["float64", "float64", "int64", "bool", "complex128", "float32"]
    assert vt.assign([vt.ones([]), 2.0]).dtype == "float32"
    with pytest.raises(vt.errors.VitrifyError):
        vt.assign([[1.0], [1.0, 2.0]])


def test_an_output_of_assign_takes_on_what_it_could_not_hold() -> None:
    outputs = [vt.zeros([2], "int32"), vt.zeros([1]), vt.zeros([3, 1]), vt.zeros([2], "float64"), vt.zeros([2])]
    for out, given in zip(outputs, ([2.5], np.array([1 + 2j]), vt.ones([2]), vt.ones([2]), [1, 2]), strict=True):
        assert vt.assign(given, out) is out
    assert [x.dtype for x in outputs] == ["float64", "complex128", "float32", "float64", "float32"]
    assert [x.tolist() for x in outputs] == [[2.5], [1 + 2j], [1.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    x, out = vt.to_tensor([1.5, 2.0], stop_gradient=False), vt.zeros([], "int64")
    vt.assign(x, out)
    (out * out).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]

    @vt.to_static
    def put(x: vt.Tensor, out: vt.Tensor) -> None:
        vt.assign(x, out)

    with pytest.raises(vt.errors.DTypeError, match="in place"):
        put(vt.ones([2]), vt.zeros([2], "int32"))


def test_seeds_and_states() -> None:
    cuda, random, device = vt.cuda, vt.random, vt.device
    cuda.manual_seed(5)
    assert random.initial_seed() == vt.seed(5).initial_seed() == 5
    state = device.get_rng_state()
    first = vt.rand([2]).tolist()
    device.set_rng_state(state)
    assert vt.rand([2]).tolist() == first
    random.manual_seed(6)
    assert random.initial_seed() == 6


def test_devices() -> None:
    cuda, device = vt.cuda, vt.device
    assert (cuda.is_available(), device.is_available(), cuda.device_count(), cuda.is_initialized()) == (
        False, False, 0, False,
    )  # fmt: skip
    assert (cuda.is_bf16_supported(), cuda.is_bf16_supported(False), cuda.is_current_stream_capturing()) == (
        True, False, False,
    )  # fmt: skip
    assert (vt.get_default_device(), vt.get_device(), device.get_device(vt.ones([1]))) == ("cpu", "cpu", -1)
    vt.set_default_device("cpu")
    with device.device("cpu"):
        assert cuda.current_device() == 0
    for refused in (lambda: vt.set_default_device("gpu"), lambda: device.device("gpu"), lambda: cuda.get_rng_state(0)):
        with pytest.raises(vt.errors.ArgumentError, match="there is no device"):
            refused()


def rewritten(x, z):
    y = x * 1
    y.resize_([2, 3])
    after = y + 1
    w = x * 2
    w.set_(z)
    w[0] = 7.0  # both have one memory
    u = x * 3
    u.set_(z, [2], [2], 4)
    y.resize_([1])
    return after, w, u, z, y, (x * 1).set_()


@pytest.mark.parametrize("wrap", [lambda fn: fn, vt.jit.to_static])
def test_tensors_take_other_shapes_and_elements(wrap):
    found = wrap(rewritten)(vt.arange(4, dtype="float32"), vt.arange(5, dtype="float32"))
    assert [t.tolist() for t in found] == [
        [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0]], [7.0, 1.0, 2.0, 3.0, 4.0], [1.0, 3.0], [7.0, 1.0, 2.0, 3.0, 4.0], [0.0], [],
    ]  # fmt: skip


def test_what_resize_and_set_refuse():
    leaf = vt.ones([2])
    leaf.stop_gradient = False
    for wrong, error, text in (
        (lambda: leaf.resize_([3]), ArgumentError, "leaf"),
        (lambda: leaf.set_(vt.ones([3])), ArgumentError, "leaf"),
        (lambda: vt.ones([2]).resize_([-1]), ArgumentError, "at least 0"),
        (lambda: vt.ones([2]).set_([1.0]), KindError, "not a list"),
        (lambda: vt.ones([2]).set_(vt.ones([2], "int64")), DTypeError, "int64"),
    ):
        with pytest.raises(error, match=text):
            wrong()
