"""Names and spellings that PaddlePaddle 3.3 added, which belong to no larger part; figures are PaddlePaddle 3.3.1's."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.amp import auto_cast, get_autocast_cpu_dtype, get_autocast_dtype, is_autocast_enabled
from vitrify.errors import ArgumentError, ShapeError
from vitrify.incubate import autograd, get_rng_state, graph_reindex, register_rng_state_as_index, set_rng_state
from vitrify.nn import functional as F
from vitrify.utils import unique_name
from vitrify.vision.models import VGG
from vitrify.vision.models.vgg import make_layers


@pytest.mark.parametrize("compiled", [False, True])
def test_one_hot_labels_with_smoothing(compiled: bool) -> None:
    scores, target = vt.to_tensor([[1.0, 2, 3], [3, 2, 1]]), vt.to_tensor([[0.0, 1, 0], [1, 0, 0]])

    def loss(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        return F.cross_entropy(x, y, label_smoothing=0.4)

    run = vt.to_static(loss) if compiled else loss
    np.testing.assert_allclose(float(run(scores, target)), 1.1076059, rtol=1e-6)
    np.testing.assert_allclose(float(loss(scores, vt.to_tensor([1, 0]))), 1.1076059, rtol=1e-6)


def test_dropout_of_sequences() -> None:
    vt.seed(1)
    for shape in ([5, 6, 7], [6, 7]):
        found = F.dropout1d(vt.ones(shape), p=0.5).numpy()
        assert set(np.unique(found)) == {0.0, 2.0}
        assert (found == found[..., :1]).all()
    assert F.dropout1d(vt.ones([2, 2]), training=False).tolist() == [[1.0, 1.0]] * 2
    with pytest.raises(ShapeError, match="rank 2 or 3"):
        F.dropout1d(vt.ones([2]))


def test_modes_of_auto_cast() -> None:
    assert not is_autocast_enabled() and get_autocast_dtype() == "float16"
    with auto_cast(dtype="bfloat16"):
        assert is_autocast_enabled("cpu") and get_autocast_dtype("cpu") == get_autocast_cpu_dtype() == "bfloat16"


def test_namespaces_of_names() -> None:
    with unique_name.guard():
        assert [unique_name.generate("fc") for _ in range(2)] == ["fc_0", "fc_1"]
        generator, checker = unique_name.switch()
        assert unique_name.generate("fc") == "fc_0" and not checker("w") and checker("w")
        unique_name.switch(generator, checker)
        assert unique_name.generate("fc") == "fc_2"


def test_random_states_by_number() -> None:
    vt.seed(3)
    begun = get_rng_state()
    first = vt.rand([2]).tolist()
    (number,) = register_rng_state_as_index(begun)
    own = get_rng_state(use_index=True)
    set_rng_state([number], use_index=True)
    assert vt.rand([2]).tolist() == first and get_rng_state(use_index=True) == [number]
    set_rng_state(own, use_index=True)
    second = vt.rand([2]).tolist()
    assert second != first
    set_rng_state([number], use_index=True)
    assert vt.rand([2]).tolist() == second  # it goes on where it was left
    set_rng_state(own, use_index=True)
    set_rng_state(begun)
    assert vt.rand([2]).tolist() == first
    with pytest.raises(ArgumentError, match="number 99"):
        set_rng_state([99], use_index=True)


def test_switches_that_are_kept() -> None:
    autograd.enable_prim()
    assert autograd.utils.prim_enabled()
    autograd.disable_prim()
    assert not autograd.prim_enabled()
    strategy = vt.static.BuildStrategy()
    strategy.reduce_strategy = vt.static.BuildStrategy.ReduceStrategy.Reduce
    assert strategy.reduce_strategy.name == "Reduce"


def test_further_kinds_of_edges() -> None:
    neighbors = vt.to_tensor([8, 9, 0, 4, 7, 6, 7, 0, 2, 3, 5, 1])
    src, dst, nodes = graph_reindex(
        vt.to_tensor([0, 1, 2]), neighbors, vt.to_tensor([2, 3, 2, 1, 3, 1], dtype="int32"), flag_buffer_hashtable=False
    )
    assert src.tolist() == [3, 4, 0, 5, 6, 7, 6, 0, 2, 8, 9, 1]
    assert dst.tolist() == [0, 0, 1, 1, 1, 2, 2, 0, 1, 1, 1, 2]
    assert nodes.tolist() == [0, 1, 2, 8, 9, 4, 7, 6, 3, 5]


def test_layers_of_a_configuration() -> None:
    features = make_layers([2, "M", 4, "M"])
    assert features(vt.rand([1, 3, 8, 8])).shape == [1, 4, 2, 2]
    assert isinstance(VGG(features, num_classes=0, with_pool=False), nn.Layer)
    chain = nn.Sequential(nn.ReLU())
    assert chain.insert(0, nn.Linear(2, 2)) is chain and chain.append(nn.ReLU()) is chain
    optimizer = vt.optimizer.SGD(parameters=chain.parameters())
    chain(vt.ones([1, 2])).sum().backward()
    optimizer.zero_grad(set_to_none=False)
    assert chain[0].weight.grad.tolist() == [[0.0, 0.0]] * 2
    optimizer.zero_grad()
    assert chain[0].weight.grad is None


def test_static_parameters_say_what_they_are() -> None:
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            assert vt.static.create_parameter([2], "float32").is_parameter
    finally:
        vt.disable_static()
