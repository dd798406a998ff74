"""A network's batch is open from its first call, where that makes no other program."""

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.jit.compiling import Compiling
from vitrify.ops.dims import Dim

_trace = Compiling._trace


def batch(count, width=4, seed=0):
    return vt.to_tensor(np.random.default_rng(seed + count).standard_normal((count, width), np.float32))


def leading(function):
    """The leading sizes of the last program's arguments."""
    return [leaf.type.shape[0] for leaf in function.concrete_trace().inputs.leaves]


class Loops(nn.Layer):
    """Unrolls a loop over its rows."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        total = vt.zeros([3])
        for k in range(x.shape[0]):
            total = total * 0.5 + self.linear(x[k])
        return total


class Decides(nn.Layer):
    """Does something else with large batches."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        if x.shape[0] > 4:
            return self.linear(x) * 2
        return self.linear(x).tanh()


class Pins(nn.Layer):
    """Adds a table with as many rows as its first batch."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)
        self.register_buffer("table", vt.arange(15, dtype="float32").reshape([5, 3]))

    def forward(self, x):
        return self.linear(x) + self.table


class Chooses(nn.Layer):
    """Takes one of two ways by what is in the batch."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        y = self.linear(x)
        return y * 2 if (y.sum(1) > 0).all() else y.tanh() / x.shape[0]


class Recurrent(nn.Layer):
    """A loop in the program: as long as a tensor says."""

    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)

    def forward(self, x):
        steps = vt.zeros([], "int64")
        while steps < 3:
            x = F.relu(self.cell(x))
            steps = steps + 1
        return x


def agrees(layer, counts):
    """Compiled as eager, for several batches."""
    compiled = vt.to_static(lambda x: layer(x))
    for count in counts:
        np.testing.assert_allclose(compiled(batch(count)).numpy(), layer(batch(count)).numpy(), rtol=2e-6, atol=2e-6)
    return compiled


def test_another_batch_runs_the_same_program():
    layer = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 2))
    compiled = agrees(layer, [6, 3, 17, 2])
    assert compiled.get_traced_count() == 1
    assert isinstance(leading(compiled)[0], Dim)


def test_a_training_step_of_any_batch():
    vt.seed(3)
    nets = [
        nn.Sequential(nn.Linear(4, 8, bias_attr=False), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 3)) for _ in range(2)
    ]
    nets[1].set_state_dict(nets[0].state_dict())
    made = []
    for net in nets:
        optimizer = vt.optimizer.Adam(1e-2, parameters=net.parameters())

        def step(x, y, net=net, optimizer=optimizer):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        made.append(step)
    compiled = vt.to_static(made[1])
    for count in (8, 5, 12):
        x, y = batch(count), vt.arange(count) % 3
        np.testing.assert_allclose(compiled(x, y).numpy(), made[0](x, y).numpy(), rtol=1e-5)
    assert compiled.get_traced_count() == 1
    for a, b in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-6)


def test_a_network_that_its_function_does_not_name():
    nets = {"a": [nn.Linear(4, 2)]}
    compiled = vt.to_static(lambda x: nets["a"][0](x) + 1)
    for count in (3, 7):
        np.testing.assert_allclose(compiled(batch(count)).numpy(), nets["a"][0](batch(count)).numpy() + 1, rtol=1e-6)
    assert compiled.get_traced_count() == 1


def test_a_network_of_an_object_that_a_number_of_rows_scales():
    class Trainer:
        """Names no network in its method. A batch of one row would have no unbiased variance."""

        def __init__(self):
            vt.seed(2)
            self.net = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1D(3), nn.Linear(3, 1))

        def step(self, x):
            y = self.net(x)
            return y * 2 if y.sum() > 0 else y

    ours, eager = Trainer(), Trainer()
    compiled = vt.to_static(ours.step)
    for count in (5, 3, 8):
        found, wanted = compiled(batch(count)), eager.step(batch(count))
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(ours.net[1]._variance.numpy(), eager.net[1]._variance.numpy(), rtol=1e-5, atol=1e-6)
    assert compiled.get_traced_count() == 1


def test_functions_without_parameters_know_their_sizes():
    compiled = vt.to_static(lambda x: x * 2)
    compiled(batch(6))
    assert leading(compiled) == [6]


def test_a_batch_of_one_is_known():
    compiled = agrees(nn.Linear(4, 2), [1, 5, 6])
    assert compiled.get_traced_count() == 2


@pytest.mark.parametrize(
    ("kind", "counts"), [(Loops, (5, 3, 5)), (Decides, (3, 6, 2, 9)), (Recurrent, (4, 2)), (Chooses, (5, 2, 9))]
)
def test_code_that_depends_on_the_batch(kind, counts):
    agrees(kind(), counts)


def test_an_unrolled_loop_stays_one():
    compiled = agrees(Loops(), [5])
    assert leading(compiled) == [5]
    assert not any(o.blocks for o in compiled.concrete_trace().program.body.operations)


def test_a_pinned_size_stays_known():
    assert leading(agrees(Pins(), [5])) == [5]


def test_a_loop_of_the_program_does_not_stand_in_the_way():
    compiled = agrees(Recurrent(), [4, 9])
    assert compiled.get_traced_count() == 1


@pytest.mark.parametrize(("kind", "traces"), [(Recurrent, 2), (Loops, 2), (Decides, 1), (Chooses, 1)])
def test_a_first_call_traces_no_program_twice(kind, traces, monkeypatch):
    made = []
    monkeypatch.setattr(Compiling, "_trace", lambda *args: made.append(_trace(*args)) or made[-1])
    layer = kind()
    compiled = vt.to_static(layer)
    np.testing.assert_allclose(compiled(batch(3)).numpy(), layer(batch(3)).numpy(), rtol=2e-6, atol=2e-6)
    assert len(made) == traces


def test_sizes_that_were_equal_by_chance():
    layer = nn.Linear(4, 2)
    compiled = vt.to_static(lambda x, z: layer(x).sum() + z.sum())
    for a, b in ((4, 4), (4, 6), (3, 3), (2, 5)):
        wanted = (layer(batch(a)).sum() + batch(b, 3).sum()).numpy()
        np.testing.assert_allclose(compiled(batch(a), batch(b, 3)).numpy(), wanted, rtol=1e-5)
    assert compiled.get_traced_count() == 2


def test_effects_happen_once(capsys):
    layer, seen = Recurrent(), []

    @vt.to_static
    def run(x):
        print("called")
        seen.append(1)
        return layer(x)

    run(batch(3))
    assert capsys.readouterr().out == "called\n"
    assert seen == [1]


def test_a_saved_network_takes_any_batch(tmp_path):
    layer = vt.to_static(nn.Linear(4, 2))
    layer(batch(3))
    vt.jit.save(layer, str(tmp_path / "net"))
    loaded = vt.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(batch(8)).numpy(), layer(batch(8)).numpy(), rtol=1e-6)


def test_a_size_used_as_a_number_leaves_axes_one_loop():
    def scaled(x):
        y = x * 2.0 / x.shape[0]
        return y.sum([0, 2, 3]), y

    compiled = vt.to_static(scaled, input_spec=[vt.static.InputSpec([None, 8, 16, 16], "float32")])
    for count in (3, 5):
        x = vt.rand([count, 8, 16, 16])
        for made, wanted in zip(compiled(x), scaled(x), strict=True):
            np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=1e-5)
    assert "range(256)" in str(compiled.kernels)
