"""Functions and layers compiled for prediction; flags of Paddle's engine."""

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError


class Net(vt.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = vt.nn.Linear(3, 3)

    def forward(self, x, twice):
        return self.part(x) * 2 if twice else self.part(x)

    def part(self, x):
        return self.linear(x)


def test_a_layer_is_changed_in_place_and_only_once():
    net, x = Net(), vt.rand([2, 3])
    expected = net(x, True).numpy()
    assert vt.incubate.jit.inference(net) is net
    forward = net.forward
    assert vt.incubate.jit.inference(net).forward is forward
    y = net(x, True)
    assert y.stop_gradient
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-5)


def test_a_method_keeps_its_layer():
    net, x = Net(), vt.rand([2, 3])
    expected = net(x, False).numpy()
    net.part = vt.incubate.jit.inference(net.part)
    np.testing.assert_allclose(net(x, False).numpy(), expected, rtol=1e-5)
    assert net(vt.rand([5, 3]), False).shape == [5, 3]


def test_a_decorator_with_settings():
    @vt.incubate.jit.inference(cache_static_model=True, precision_mode="float32")
    def double(x):
        return x * 2

    assert vt.incubate.jit.inference(double) is double
    assert double(vt.ones([2])).tolist() == [2.0, 2.0]


def test_other_objects_are_refused():
    with pytest.raises(KindError, match="a layer or a function"):
        vt.incubate.jit.inference(3)


def test_flags_of_paddle_have_their_defaults():
    name = "FLAGS_enable_pir_with_pt_in_dy2st"
    assert vt.get_flags(name) == {name: True}
    assert vt.get_flags(["FLAGS_enable_pir_api"]) == {"FLAGS_enable_pir_api": False}
    with pytest.raises(ArgumentError, match="unknown"):
        vt.get_flags("FLAGS_that_nobody_has")


def test_flags_that_a_build_decides_are_shown_only():
    flags = vt.base.core.globals()
    assert flags["FLAGS_free_idle_chunk"] is False and flags["FLAGS_eager_delete_tensor_gb"] == 0.0
    with pytest.raises(ArgumentError, match="when the library is built"):
        flags["FLAGS_free_idle_chunk"] = True
    flags["FLAGS_eager_delete_tensor_gb"] = 2.0
    assert vt.get_flags("FLAGS_eager_delete_tensor_gb") == {"FLAGS_eager_delete_tensor_gb": 2.0}
    vt.set_flags({"FLAGS_eager_delete_tensor_gb": 0.0})


def test_a_text_is_no_probability():
    with pytest.raises(KindError, match="not a str"):
        vt.nn.Dropout("1")


def test_sot_compiles_whole_functions():
    psdb = vt.jit.sot.psdb

    @psdb.check_no_breakgraph
    def f(x, y):
        psdb.breakgraph()
        psdb.assert_true(psdb.in_sot() or vt.in_dynamic_mode())
        return [x + y], {"y": y}

    (total,), rest = vt.jit.sot.symbolic_translate(f)(vt.ones([2]), 3)
    assert total.tolist() == [4.0, 4.0]
    assert rest == {"y": 3}
    with pytest.raises(AssertionError):
        psdb.assert_true(False)


def test_errors_of_sot():
    """A captured function's own errors come as they are, and `InnerError` catches them."""
    from vitrify.jit.sot.utils import BreakGraphError, InnerError, exceptions, try_ast_func

    def take_away(items):
        items.remove(1)
        return items

    assert exceptions.InnerError is InnerError
    assert try_ast_func(take_away) is take_away
    assert issubclass(BreakGraphError, vt.errors.CaptureError)
    with pytest.raises(InnerError, match="not in list"):
        vt.jit.sot.symbolic_translate(take_away)([0, 2])


def test_rows_of_embeddings_are_scaled_in_place():
    from vitrify.nn.functional.input import embedding_renorm_

    weight = vt.to_tensor([[3.0, 4.0], [3.0, 4.0], [0.3, 0.4]])
    assert embedding_renorm_(vt.to_tensor([[1, 2]]), weight, 1.0) is weight
    assert weight.round(4).tolist() == vt.to_tensor([[3.0, 4.0], [0.6, 0.8], [0.3, 0.4]]).tolist()


def test_names_that_public_projects_import():
    from vitrify.nn.layer.conv import _ConvNd
    from vitrify.nn.layer.norm import _BatchNormBase
    from vitrify.reader.decorator import shuffle

    assert isinstance(vt.nn.BatchNorm2D(2), _BatchNormBase)
    assert isinstance(vt.nn.Conv2D(1, 1, 1), _ConvNd)
    assert shuffle is vt.reader.shuffle
    place = vt.base.core.Place()
    place.set_place(vt.CPUPlace())
    assert place == vt.CPUPlace()
