"""Every way of calling that native code takes over: other arguments and results than tensors, guards, and state."""

from __future__ import annotations

import gc
import math
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph import storage
from vitrify.jit.call.caller import MISS
from vitrify.runtime.vm import virtual_machine
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")

X, Y = vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([10.0, 20.0, 30.0])
A = np.array([1.0, 2.0, 3.0], np.float32)
WEIGHT = vt.to_tensor([2.0, 2.0, 2.0])
FACTOR = 3.0


def _is_native(compiled: Any) -> bool:
    return bool(compiled._first.__name__ == "native_call")


def _warm(compiled: Any, *given: Any, **named: Any) -> Any:
    for _ in range(3):
        compiled(*given, **named)
    return compiled


def _plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return "tensor", str(value.dtype), value.stop_gradient, value.tolist()
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(v) for v in value)
    return type(value), value


RESULTS: dict[str, Callable[[vt.Tensor], Any]] = {
    "tuple": lambda x: (x + 1.0, x * 2.0),
    "list": lambda x: [x + 1.0, x * 2.0, x - 1.0],
    "dict": lambda x: {"a": x + 1.0, 3: x * 2.0, (1, "b"): None},
    "nested": lambda x: (x + 1.0, [x * 2.0, {"c": (x - 1.0, "text")}], (), [], {}),
    "constants": lambda x: (x + 1.0, None, 3, 2.5, True),
    "float": lambda x: float(x.sum()),
    "double": lambda x: float(x.astype("float64").sum()),
    "int": lambda x: int(x.sum()),
    "bool": lambda x: bool(x.sum() > 2.0),
    "array": lambda x: (x + 1.0).numpy(),
    "arrays": lambda x: [(x + 1.0).numpy(), x * 2.0],
    "dtypes": lambda x: (x > 1.0, x.astype("int32"), x.astype("float64"), x.sum()),
    "argument": lambda x: {"given": x, "made": x + 1.0},
    "argument alone": lambda x: x,
    "state": lambda x: (WEIGHT, x * WEIGHT),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_those_of_eager_mode(name: str) -> None:
    function = RESULTS[name]
    compiled = _warm(vt.to_static(function), X)
    assert _is_native(compiled)
    for x in (X, X * 2.0, X):
        assert _plain(compiled(x)) == _plain(function(x))


def test_what_is_returned_is_this_calls_own() -> None:
    compiled = _warm(vt.to_static(lambda x: ([x + 1.0], (x * 2.0).numpy(), x, (x - 1.0,) * 2)), X)
    assert _is_native(compiled)
    first, second = compiled(X), compiled(X)
    assert first[0] is not second[0]
    assert first[2] is X
    assert second[3][0] is second[3][1]
    first[0].clear()
    first[1][:] = 0.0
    assert second[0][0].tolist() == [2.0, 3.0, 4.0]
    assert second[1].tolist() == compiled(X)[1].tolist() == [2.0, 4.0, 6.0]
    assert second[1].flags.owndata


ARGUMENTS: dict[str, tuple[Callable[..., Any], list[tuple[tuple[Any, ...], dict[str, Any]]]]] = {
    "float": (lambda x, k: x * k, [((X, 2.0), {})]),
    "int": (lambda x, k: x * k, [((X, 2), {})]),
    "bool": (lambda x, k: x * 2.0 if k else x, [((X, True), {}), ((X, False), {})]),
    "string": (lambda x, k: x * 2.0 if k == "two" else x, [((X, "two"), {}), ((X, "tw" + "o"[:1]), {})]),
    "none": (lambda x, k: x if k is None else x + k, [((X, None), {})]),
    "keyword": (lambda x, y: x - y, [((X,), {"y": Y})]),
    "keywords": (lambda x, y, k=1.0: (x - y) * k, [((), {"k": 2.0, "y": Y, "x": X})]),
    "tuple": (lambda t: t[0] - t[1], [(((X, Y),), {})]),
    "list": (lambda t: t[0] - t[1] * t[2], [(([X, Y, 2.0],), {})]),
    "dict": (lambda d: d["a"] - d["b"], [(({"a": X, "b": Y},), {}), (({"a": X, str(b"b", "ascii"): Y},), {})]),
    "nested": (lambda d: d["a"][0] * d["k"], [(({"a": (X, Y), "k": 2.0},), {})]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_of_all_kinds(name: str) -> None:
    function, calls = ARGUMENTS[name]
    compiled = vt.to_static(function)
    for args, kwargs in calls:
        _warm(compiled, *args, **kwargs)
        assert _is_native(compiled)
        assert _plain(compiled(*args, **kwargs)) == _plain(function(*args, **kwargs))
    args, kwargs = calls[0]
    assert _plain(compiled(*args, **kwargs)) == _plain(function(*args, **kwargs))


def test_arrays_are_read_in_native_code() -> None:
    compiled = _warm(vt.to_static(lambda x, y: x + y), A, A + 1.0)
    assert _is_native(compiled)
    assert compiled(A, A * 2.0).tolist() == [3.0, 6.0, 9.0]
    backwards = A[::-1]  # not contiguous: a copy is what the program gets
    assert compiled(backwards, A).tolist() == [4.0, 4.0, 4.0]
    with pytest.raises(TypeError, match=">f4"):
        compiled(A.astype(">f4"), A)
    assert compiled(A.astype("f8"), A).tolist() == [2.0, 4.0, 6.0]
    assert compiled(np.ones(4, "f4"), np.ones(4, "f4")).tolist() == [2.0] * 4


NUMBERS = [2.0, 2, True, -0.0, 0.0, math.nan, math.inf, 1e30, 2**40, -(2**63), 3.5, 0]


def test_numbers_that_the_program_takes() -> None:
    function = lambda x, k: x * k  # noqa: E731
    compiled = vt.to_static(function)
    compiled(X, 2.0)
    _warm(compiled, X, 3.5)
    assert _is_native(compiled)
    for k in [*NUMBERS, 4.5, *NUMBERS]:
        found, wanted = compiled(X, k).numpy(), function(X, k).numpy()
        assert found.dtype == wanted.dtype
        assert found.tobytes() == wanted.tobytes(), k
        assert compiled(X, 3.5).tolist() == [3.5, 7.0, 10.5]


def test_ints_that_the_program_takes() -> None:
    compiled = vt.to_static(lambda x, k: x + k)
    x = vt.to_tensor([1, 2, 3])
    compiled(x, 2)
    _warm(compiled, x, 7)
    assert _is_native(compiled)
    for k in (0, -1, 5, 2**62, -(2**62), True):
        assert compiled(x, k).tolist() == [1 + k, 2 + k, 3 + k]


def test_numbers_that_a_program_is_for_are_compared_by_their_bits() -> None:
    function = lambda x, k: x / k if k == 0 else x * k  # noqa: E731
    compiled = vt.to_static(function)
    for k in [*NUMBERS, *NUMBERS]:
        for _ in range(2):
            assert compiled(X, k).numpy().tobytes() == function(X, k).numpy().tobytes(), k


def test_threads_have_numbers_of_their_own() -> None:
    compiled = vt.to_static(lambda x, k: (x + k, x * k))
    x = vt.ones([70_000])  # so long that the lock is let go
    compiled(x, 0.5)
    _warm(compiled, x, 1.5)
    assert _is_native(compiled)
    wrong = []

    def work(k: float) -> None:
        for _ in range(100):
            first, second = compiled(x, k)
            if first.numpy()[[0, -1]].tolist() != [1.0 + k] * 2 or second.numpy()[[0, -1]].tolist() != [k] * 2:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_containers_are_left_to_python() -> None:
    one = vt.ones([3])
    compiled = _warm(vt.to_static(lambda d, t: d["a"] - d["b"] + t[0]), {"a": X, "b": Y}, (one,))
    assert _is_native(compiled)
    wanted = [-8.0, -17.0, -26.0]
    assert compiled({"b": Y, "a": X}, (one,)).tolist() == wanted
    assert compiled({"a": X, "b": Y, "c": Y}, (one,)).tolist() == wanted
    assert compiled({"a": X, "b": Y}, [one]).tolist() == wanted
    assert compiled({"a": X, "b": Y}, (one, Y)).tolist() == wanted
    with pytest.raises(KeyError):
        compiled({"a": X}, (one,))
    assert compiled({"a": X, "b": Y}, (one,)).tolist() == wanted


def test_a_changed_global_is_seen() -> None:
    compiled = _warm(vt.to_static(lambda x: x * FACTOR), X)
    assert _is_native(compiled)
    globals()["FACTOR"] = 4.0
    try:
        assert compiled(X).tolist() == [4.0, 8.0, 12.0]
    finally:
        globals()["FACTOR"] = 3.0
    assert compiled(X).tolist() == [3.0, 6.0, 9.0]


class Scaled:
    """An object with a number and a tensor."""

    def __init__(self) -> None:
        self.k = 2.0
        self.w = vt.to_tensor([1.0, 1.0, 1.0])

    @vt.to_static
    def scaled(self, x: vt.Tensor) -> vt.Tensor:
        """Both are read."""
        return x * self.k + self.w


def test_changed_attributes_are_seen() -> None:
    owner = Scaled()
    _warm(owner.scaled, X)
    assert _is_native(owner.scaled)
    owner.k = 3.0
    assert owner.scaled(X).tolist() == [4.0, 7.0, 10.0]
    owner.w = vt.to_tensor([0.0, 0.0, 0.0])
    assert owner.scaled(X).tolist() == [3.0, 6.0, 9.0]
    owner.w.set_value(vt.to_tensor([5.0, 5.0, 5.0]))
    assert owner.scaled(X).tolist() == [8.0, 11.0, 14.0]
    del owner.k
    with pytest.raises(AttributeError):
        owner.scaled(X)


class Noisy(vt.nn.Layer):
    """A layer with two modes, a buffer that it writes, and parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = vt.nn.Linear(3, 3)
        self.norm = vt.nn.BatchNorm1D(3)
        self.drop = vt.nn.Dropout(0.5)

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        """All of them."""
        return self.drop(self.norm(self.linear(x)))


def test_layers_and_their_modes() -> None:
    plain = Noisy()
    layer = Noisy()
    layer.set_state_dict(plain.state_dict())
    vt.to_static(layer)
    x = vt.rand([4, 3])
    with vt.no_grad():
        for mode in (True, False, True, False):
            plain.train() if mode else plain.eval()
            layer.train() if mode else layer.eval()
            for _ in range(3):
                vt.seed(3)
                found = layer(x)
                vt.seed(3)
                wanted = plain(x)
                assert np.allclose(found.numpy(), wanted.numpy(), atol=1e-6)
            assert _is_native(layer.forward)
            assert np.allclose(layer.norm._mean.numpy(), plain.norm._mean.numpy(), atol=1e-6)
        hook = layer.linear.register_forward_post_hook(lambda layer, given, made: made * 0.0)
        assert np.allclose(layer(x).numpy(), layer.norm(vt.zeros([4, 3])).numpy())
        hook.remove()
        assert np.allclose(layer(x).numpy(), plain(x).numpy(), atol=1e-6)


def test_state_is_written_once_and_counted() -> None:
    total = vt.zeros([3])

    @vt.to_static
    def add(x: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        total.add_(x)
        return x * 2.0, total.sum()

    _warm(add, X)
    assert _is_native(add)
    before, version = total.tolist(), total.inplace_version
    made, summed = add(X)
    assert total.tolist() == [a + b for a, b in zip(before, X.tolist(), strict=True)]
    assert total.inplace_version == version + 1
    assert made.tolist() == [2.0, 4.0, 6.0]
    assert summed.item() == sum(total.tolist())
    kept = total.snapshot()  # shares the memory until one of them is written
    add(X)
    assert kept.tolist() != total.tolist()
    add(total)  # the argument is the state
    assert total.tolist() == [2.0 * (a + b) for a, b in zip(kept.tolist(), X.tolist(), strict=True)]


def test_a_run_that_fails_writes_as_python_would_and_can_be_called_again() -> None:
    total = vt.zeros([2])

    @vt.to_static
    def checked(x: vt.Tensor, index: vt.Tensor) -> vt.Tensor:
        picked = x[index] * 2.0
        total.add_(picked)
        return picked

    good, bad = vt.to_tensor([0, 1]), vt.to_tensor([0, 9])
    _warm(checked, X, good)
    assert _is_native(checked)
    before, version = total.tolist(), total.inplace_version
    for _ in range(2):
        with pytest.raises(IndexError) as raised:
            checked(X, bad)
        assert __file__ in "".join(map(str, [entry.path for entry in raised.traceback]))
        assert (total.tolist(), total.inplace_version) == (before, version)
    assert checked(X, good).tolist() == [2.0, 4.0]
    assert [len(free) for free in checked._last.runner.free.values()] == [1]


def test_callbacks_run_in_the_middle_and_may_call_the_function_again() -> None:
    seen: list[float] = []

    class Noted(vt.autograd.PyLayer):
        """Tells Python what passes."""

        @staticmethod
        def forward(ctx: Any, x: vt.Tensor) -> vt.Tensor:
            seen.append(float(x.numpy()[0]))
            return outer(x - 1.0)[0] if seen[-1] > 0 else x * 1.0

        @staticmethod
        def backward(ctx: Any, g: vt.Tensor) -> vt.Tensor:
            return g

    @vt.to_static
    def outer(x: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        return Noted.apply(x) + 1.0, x * 2.0

    for _ in range(4):
        seen.clear()
        first, second = outer(vt.full([2], 3.0))
        assert first.tolist() == [4.0, 4.0]
        assert second.tolist() == [6.0, 6.0]
        assert seen == [3.0, 2.0, 1.0, 0.0]


def test_a_training_step() -> None:
    def trained(compile_it: bool) -> tuple[list[float], Any]:
        vt.seed(5)
        net = vt.nn.Linear(3, 1)
        optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

        def step(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        function = vt.to_static(step) if compile_it else step
        x = vt.to_tensor(np.arange(12, dtype="float32").reshape(4, 3) / 12)
        losses = [float(function(x, x.sum(1, keepdim=True))) for _ in range(8)]
        with vt.no_grad():
            net.weight.set_value(net.weight * 0.5)
        losses += [float(function(x, x.sum(1, keepdim=True))) for _ in range(4)]
        return losses, function

    found, step = trained(True)
    wanted, _ = trained(False)
    assert np.allclose(found, wanted, rtol=1e-5)
    assert step._last is not None


def test_a_loaded_program(tmp_path: Path) -> None:
    net = vt.nn.Linear(3, 2)
    net.eval()
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.static.InputSpec([None, 3], "float32")])
    loaded = vt.jit.load(str(tmp_path / "net"))
    x = vt.rand([4, 3])
    with vt.no_grad():
        for _ in range(3):
            loaded(x)
        assert loaded._methods["forward"]._first.__name__ == "native_call"
        assert np.allclose(loaded(x).numpy(), net(x).numpy(), atol=1e-6)
        assert loaded(x[:2]).shape == [2, 2]
        for parameter in loaded.parameters():
            parameter.set_value(parameter * 0.0)
        assert loaded(x).tolist() == [[0.0, 0.0]] * 4
    inner = vt.to_static(lambda x: loaded(x) + 1.0)
    assert inner(x).tolist() == [[1.0, 1.0]] * 4


def test_what_stands_for_the_vm_is_called() -> None:
    compiled = _warm(vt.to_static(lambda x, k: (x + k, x * k)), X, 2.0)
    assert _is_native(compiled)
    seen = []

    def watched(header: int) -> int:
        seen.append(header)
        return virtual_machine.plainly(header)

    virtual_machine.enter_by(watched)
    try:
        assert [t.tolist() for t in compiled(X, 2.0)] == [[3.0, 4.0, 5.0], [2.0, 4.0, 6.0]]
    finally:
        virtual_machine.enter_by(None)
    assert len(seen) == 1


COUNTED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = {
    "nested": (
        lambda d, k: {"r": [d["a"] + k, (d["b"], None)]},
        ({"a": X, "b": Y}, 12345.5),
        ({"a": X, "b": 3}, 12345.5),
    ),
    "numbers": (lambda x, k, s: (float(x.sum()), (x * k).numpy()), (X, 2**40, "text"), (X, 2**40, "other")),
    "arrays": (lambda x, y: [x + y, x - y], (A, A + 1.0), (A, A[:2])),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.usefixtures("others_set_aside")
def test_objects_are_neither_kept_nor_lost(name: str) -> None:
    function, given, other = COUNTED[name]
    compiled = _warm(vt.to_static(function), *given)
    assert _is_native(compiled)
    watched = [X, Y, A, X._storage, X._storage.payload, vt.Tensor, type(X._storage), None, *given, *other, True]

    def miss() -> None:
        compiled._first(other, {})

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(item) for item in watched]

    for _ in range(3):
        compiled(*given)
        miss()
    before = counts()
    for _ in range(100):
        compiled(*given)
        miss()
    assert [abs(a - b) < 5 for a, b in zip(counts(), before, strict=True)] == [True] * len(before)


def test_recorded_calls_are_native_and_their_gradients_are_those_of_eager_mode() -> None:
    net = vt.nn.Linear(3, 2)
    compiled = vt.to_static(lambda x: (vt.tanh(net(x)), x.sum(), (net(x) > 0.0)))
    x = vt.to_tensor([[1.0, 2.0, 3.0]], stop_gradient=False)

    def gradients(function: Callable[..., Any]) -> list[Any]:
        made = function(x)
        assert [y.stop_gradient for y in made] == [False, False, True]
        (made[0].sum() * 2.0 + made[1]).backward()
        parts = [x, net.weight, net.bias]
        found = [np.array(part.grad) for part in parts]
        for part in parts:
            part.clear_grad()
        return found

    wanted = gradients(lambda x: (vt.tanh(net(x)), x.sum(), (net(x) > 0.0)))
    for _ in range(4):
        assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(gradients(compiled), wanted, strict=True))
        assert _is_native(compiled)
    net.bias.stop_gradient = True
    made = compiled(x)
    made[0].sum().backward()
    assert net.bias.grad is None or not np.array(net.bias.grad).any()
    net.bias.stop_gradient = False
    for part in (x, net.weight):
        part.clear_grad()
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(gradients(compiled), wanted, strict=True))
    made = compiled(x)
    with vt.no_grad():
        net.weight.set_value(net.weight * 2.0)
    with pytest.raises(vt.errors.GradientError):
        made[0].sum().backward()


def test_a_recorded_call_counts_as_no_change_of_tensors() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    compiled = _warm(vt.to_static(lambda x: x * x), x)
    before = storage.counters.stops, storage.counters.touched, storage.counters.epoch
    assert not compiled(x).stop_gradient
    assert (storage.counters.stops, storage.counters.touched, storage.counters.epoch) == before
    x.stop_gradient = True
    assert storage.counters.stops == before[0] + 1
    assert compiled(x).stop_gradient


class Filter:
    """An object that the function gives another tensor at each call."""

    def __init__(self) -> None:
        self.v = vt.zeros([3])

    @vt.to_static
    def step(self, x: vt.Tensor) -> vt.Tensor:
        """A moving average."""
        self.v = self.v * 0.5 + x
        return self.v

    def plain(self, x: vt.Tensor) -> vt.Tensor:
        """The same in eager mode."""
        self.v = self.v * 0.5 + x
        return self.v


def test_state_that_the_function_puts_elsewhere() -> None:
    one, two = Filter(), Filter()

    def both(change: Callable[[Filter], Any] = lambda owner: X) -> None:
        found, wanted = one.step(change(one)), two.plain(change(two))
        assert found is one.v
        assert found.tolist() == wanted.tolist()
        assert found.dtype == wanted.dtype

    for _ in range(4):
        both()
    assert _is_native(one.step)

    def replaced(owner: Filter) -> vt.Tensor:
        owner.v = vt.to_tensor([5.0, 6.0, 7.0])
        return X

    def written(owner: Filter) -> vt.Tensor:
        owner.v.set_value(vt.to_tensor([1.0, 1.0, 1.0]))
        owner.v[0] = 4.0
        return X

    def doubled(owner: Filter) -> vt.Tensor:
        owner.v = owner.v.astype("float64")
        return X.astype("float64")

    for change in (replaced, written, lambda owner: owner.v, doubled, replaced, lambda owner: X * 2.0):
        for _ in range(3):
            both(change)
            both()
    kept = one.v
    before = kept.tolist()
    both()
    assert kept.tolist() == before
    del one.v
    with pytest.raises(AttributeError):
        one.step(X)
    one.v = two.v.clone()
    both()


class Recurrent(vt.nn.Layer):
    """A layer with a buffer that it replaces."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = vt.nn.Linear(3, 3)
        self.register_buffer("h", vt.zeros([3]))

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        """One step."""
        self.h = vt.tanh(self.linear(x) + self.h)
        return self.h


def test_buffers_that_a_layer_replaces() -> None:
    one, two = Recurrent(), Recurrent()
    two.set_state_dict(one.state_dict())
    vt.to_static(one)
    with vt.no_grad():
        for k in range(12):
            assert np.allclose(one(X).numpy(), two(X).numpy(), atol=1e-6)
            assert np.allclose(one.h.numpy(), two.h.numpy(), atol=1e-6)
            if k == 4:
                assert _is_native(one.forward)
            if k == 6:
                for layer in (one, two):
                    layer.h = vt.ones([3])
            if k == 8:
                for layer in (one, two):
                    layer.linear.weight.set_value(layer.linear.weight * 0.5)
    vt.nn.Linear(2, 2)  # another layer changes
    with vt.no_grad():
        assert np.allclose(one(X).numpy(), two(X).numpy(), atol=1e-6)


def test_arguments_that_are_written_and_those_that_share_their_memory() -> None:
    def add(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        x.add_(y)
        x.scale_(2.0)
        return x - y

    compiled = vt.to_static(add)
    pairs: dict[str, Callable[[], tuple[vt.Tensor, vt.Tensor]]] = {
        "apart": lambda: (vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 4.0])),
        "one": lambda: (vt.to_tensor([1.0, 2.0]),) * 2,
        "shared": lambda: (x := vt.to_tensor([1.0, 2.0]), x.detach()),
    }
    for name in ("apart", "apart", "apart", "one", "apart", "shared", "apart", "one", "shared", "shared"):
        (x, y), (a, b) = pairs[name](), pairs[name]()
        assert compiled(x, y).tolist() == add(a, b).tolist(), name
        assert (x.tolist(), y.tolist()) == (a.tolist(), b.tolist()), name
        assert x.inplace_version > 0
        assert _is_native(compiled) or name != "apart" or len(compiled._recent) > 1


def test_a_training_step_is_native_and_sees_shared_arguments() -> None:
    net = vt.nn.Linear(3, 3)
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    x, y = vt.rand([2, 3]), vt.rand([2, 3])
    losses = [step(x, y).item() for _ in range(5)]
    assert _is_native(step)
    assert losses == sorted(losses, reverse=True)
    assert np.isfinite(step(x, x).item())
    net.weight.stop_gradient = True
    before = net.weight.numpy().copy()
    step(x, y)
    assert np.array_equal(before, net.weight.numpy())
    net.weight.stop_gradient = False
    step(x, y)
    assert not np.array_equal(before, net.weight.numpy())


def test_calls_of_several_kinds_in_turn_are_native() -> None:
    compiled = vt.to_static(lambda x, k=1.0: x * k)
    one, two = vt.ones([3]), vt.ones([2, 2])
    for _ in range(4):
        for given in ((one,), (two,), (one, 2.0), (two, 2.0)):
            assert compiled(*given).tolist() == (given[0] * (given[1] if len(given) > 1 else 1.0)).tolist()
    native = [path for path in (compiled._first, *compiled._recent) if path.__name__ == "native_call"]
    assert len(native) >= 2
    for given in ((one,), (two,), (one, 2.0), (two, 2.0)):
        found = [made for path in native if (made := path(given, {})) is not MISS]
        assert all(made.tolist() == compiled(*given).tolist() for made in found)
