"""The short paths of calls (one tensor in, one out; few guards): everything that may change between calls is seen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.changes import layer_epoch
from vitrify.jit.call import guards
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


class _Recurrent(vt.nn.Layer):
    """A layer that replaces its own state at each call."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = vt.nn.Linear(2, 2)
        self.drop = vt.nn.Dropout(1.0)
        self.factor, self.calls = 1.0, 0
        self.register_buffer("state", vt.zeros([2]))

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        self.state = self.drop(vt.tanh(self.lin(x) * self.factor + self.state)) + 1
        self.calls += 1
        return self.state


def _changes() -> dict[str, Callable[[_Recurrent], object]]:
    return {
        "nothing": lambda net: None,
        "an attribute": lambda net: setattr(net, "factor", 3.0),
        "training": lambda net: net.eval(),
        "a sublayer": lambda net: setattr(net, "lin", vt.nn.Linear(2, 2, bias_attr=False)),
        "a hook": lambda net: net.lin.register_forward_post_hook(lambda layer, given, made: made * 2),
        "the state": lambda net: setattr(net, "state", vt.to_tensor([5.0, 6.0])),
        "the state's sizes": lambda net: setattr(net, "state", vt.ones([1, 2])),
        "the state's dtype": lambda net: setattr(net, "state", vt.ones([2], "float64")),
        "the state in place": lambda net: net.state.fill_(0.5),
        "the counter": lambda net: setattr(net, "calls", 7),
        "the counter's type": lambda net: setattr(net, "calls", 7.5),
        "the state is another's, too": lambda net: setattr(net.lin, "bias2", net.state),
    }


@pytest.mark.parametrize("change", _changes())
def test_a_layer_that_writes_its_state_sees_changes_between_calls(change: str) -> None:
    eager, x = _Recurrent(), vt.to_tensor([1.0, 2.0])
    net = _Recurrent()
    net.set_state_dict(eager.state_dict())
    net.forward = vt.to_static(net.forward)
    with vt.no_grad():
        for _ in range(4):
            net(x), eager(x)
        vt.seed(3)
        _changes()[change](eager)
        vt.seed(3)
        _changes()[change](net)
        for _ in range(3):
            found, wanted = net(x), eager(x)
            assert (found.dtype, found.shape, net.calls) == (wanted.dtype, wanted.shape, eager.calls)
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)
            assert net.state is found


def test_writes_of_its_own_make_a_program_look_at_no_layer_again(monkeypatch: pytest.MonkeyPatch) -> None:
    net, other, x = _Recurrent(), _Recurrent(), vt.to_tensor([1.0, 2.0])
    compiled = vt.to_static(net.forward)
    with vt.no_grad():
        for _ in range(4):
            compiled(x)
        looked: list[str] = []
        usual = guards.look
        monkeypatch.setattr(guards, "look", lambda assumed: looked.append(assumed.kind) or usual(assumed))
        compiled(x), compiled(x)
        each = len(looked) // 2  # what it writes itself
        other.factor = 2.0
        compiled(x)
        assert len(looked) > 3 * each + 9  # some layer changed
        looked.clear()
        compiled(x)
        assert len(looked) == each < 6


def test_writes_to_an_object_leave_other_functions_layers_alone() -> None:
    class Counter:
        def __init__(self) -> None:
            self.total = vt.zeros([2])

        @vt.to_static
        def add(self, x: vt.Tensor) -> vt.Tensor:
            self.total = self.total + x
            return self.total

    counter, x = Counter(), vt.to_tensor([1.0, 2.0])
    counter.add(x), counter.add(x)
    before = layer_epoch.value
    kept = counter.add(x)
    assert layer_epoch.value == before
    assert counter.add(x) is counter.total
    np.testing.assert_array_equal(kept.numpy(), [3.0, 6.0])
    np.testing.assert_array_equal(counter.total.numpy(), [4.0, 8.0])
