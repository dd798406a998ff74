"""The short paths of calls (one tensor in, one out; few guards): everything that may change between calls is seen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph.nn.epoch import layer_epoch
from vitrify.runtime.vm import virtual_machine


def _plain(x: vt.Tensor) -> vt.Tensor:
    return x * 2 + 1


def _warm(function: Callable[..., vt.Tensor], *given: vt.Tensor) -> None:
    for _ in range(3):
        function(*given)


ARGUMENTS: dict[str, Callable[[], vt.Tensor]] = {
    "same": lambda: vt.to_tensor([1.0, 2.0]),
    "other size": lambda: vt.to_tensor([1.0, 2.0, 3.0]),
    "other rank": lambda: vt.to_tensor([[1.0, 2.0]]),
    "other dtype": lambda: vt.to_tensor([1, 2]),
    "wants a gradient": lambda: vt.to_tensor([1.0, 2.0], stop_gradient=False),
    "parameter": lambda: vt.create_parameter([2], "float32"),
    "a view": lambda: vt.to_tensor([[1.0, 2.0], [3.0, 4.0]])[:, 0],
}


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_arguments_of_other_kinds_are_not_taken_for_the_same(kind: str) -> None:
    compiled = vt.to_static(_plain)
    _warm(compiled, vt.to_tensor([5.0, 6.0]))
    given = ARGUMENTS[kind]()
    for _ in range(3):
        found, wanted = compiled(given), _plain(given)
        assert (found.dtype, found.stop_gradient) == (wanted.dtype, wanted.stop_gradient)
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


def test_results_are_tensors_of_their_own() -> None:
    compiled = vt.to_static(_plain)
    x = vt.to_tensor([1.0, 2.0])
    _warm(compiled, x)
    first, second = compiled(x), compiled(x)
    first[0] = 9.0
    np.testing.assert_array_equal(second.numpy(), [3.0, 5.0])
    assert second.inplace_version == 0


def test_a_function_whose_code_or_defaults_change_is_traced_again() -> None:
    def scaled(x: vt.Tensor, factor: float = 2.0) -> vt.Tensor:
        return x * factor

    compiled = vt.to_static(scaled)
    x = vt.to_tensor([1.0])
    _warm(compiled, x)
    scaled.__defaults__ = (3.0,)
    compiled(x)
    assert compiled.get_traced_count() == 2
    scaled.__code__ = (lambda x, factor=2.0: x + 10.0).__code__
    assert compiled(x).item() == 11.0


def test_modes_of_layers_and_weights_are_seen() -> None:
    net = vt.nn.Sequential(vt.nn.Linear(3, 3), vt.nn.Dropout(0.999999))
    net.eval()
    compiled = vt.to_static(net)
    x = vt.ones([1, 3])
    with vt.no_grad():
        _warm(compiled, x)
        wanted = net[0](x).numpy()
        np.testing.assert_allclose(compiled(x).numpy(), wanted, rtol=1e-6)
        vt.nn.Linear(2, 2)  # another layer moves the epoch: looked at again, and the entry is kept
        before = layer_epoch.value
        np.testing.assert_allclose(compiled(x).numpy(), wanted, rtol=1e-6)
        net[0].weight.set_value(vt.zeros([3, 3]))
        np.testing.assert_allclose(compiled(x).numpy(), net[0].bias.numpy()[None], rtol=1e-6)
        assert layer_epoch.value == before
        net.train()
        assert not compiled(x).numpy().any()
        net.eval()
        np.testing.assert_allclose(compiled(x).numpy(), net[0].bias.numpy()[None], rtol=1e-6)


def test_recording_again_after_no_grad_gives_gradients() -> None:
    net = vt.nn.Linear(2, 1)
    compiled = vt.to_static(net)
    x = vt.ones([1, 2])
    with vt.no_grad():
        _warm(compiled, x)
        assert compiled(x).stop_gradient
    compiled(x).sum().backward()
    np.testing.assert_array_equal(net.weight.grad.numpy(), [[1.0], [1.0]])


def test_blocks_without_gradients_nest_and_are_reused() -> None:
    block = vt.no_grad()
    with block:
        with block, vt.enable_grad():
            assert vt.is_grad_enabled()
        assert not vt.is_grad_enabled()
    assert vt.is_grad_enabled()
    with pytest.raises(ValueError, match="through"), block:
        raise ValueError("through")
    assert vt.is_grad_enabled()

    @vt.no_grad()
    def inside() -> bool:
        return vt.is_grad_enabled()

    assert not inside() and not vt.no_grad(vt.is_grad_enabled)()


def test_many_threads_call_one_function_at_once() -> None:
    compiled = vt.to_static(_plain)
    _warm(compiled, vt.zeros([4]))

    def call(number: int) -> bool:
        given = vt.full([4], float(number))
        return all(bool((compiled(given).numpy() == 2 * number + 1).all()) for _ in range(50))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(16)))


def test_a_substitute_for_the_vm_gets_every_call() -> None:
    compiled = vt.to_static(_plain)
    x = vt.to_tensor([1.0])
    _warm(compiled, x)
    headers: list[int] = []

    def noting(header: int) -> int:
        headers.append(header)
        return virtual_machine.plainly(header)

    virtual_machine.enter_by(noting)
    try:
        assert compiled(x).item() == 3.0
    finally:
        virtual_machine.enter_by(None)
    assert compiled(x).item() == 3.0
    assert len(headers) == 1


@pytest.mark.parametrize("place", ["pre", "post"])
def test_hooks_that_are_registered_or_removed_later_are_seen(place: str) -> None:
    class Doubled(vt.nn.Layer):
        def forward(self, x: vt.Tensor) -> vt.Tensor:
            return x * 2.0

    inner = Doubled()
    compiled, x = vt.to_static(lambda x: inner(x) + 0.0), vt.to_tensor([1.0, 2.0])
    _warm(compiled, x)
    if place == "pre":
        handle = inner.register_forward_pre_hook(lambda layer, given: (given[0] + 10.0,))
        wanted = [22.0, 24.0]
    else:
        handle = inner.register_forward_post_hook(lambda layer, given, made: made + 100.0)
        wanted = [102.0, 104.0]
    np.testing.assert_array_equal(compiled(x).numpy(), wanted)
    handle.remove()
    np.testing.assert_array_equal(compiled(x).numpy(), [2.0, 4.0])
