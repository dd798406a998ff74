"""Details of training that nobody looks at until a run goes wrong: compiled is eager, and both are what Paddle says."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt


def test_a_bidirectional_recurrence_begins_at_the_end_of_each_sequence():
    vt.seed(0)
    net = vt.nn.LSTM(3, 4, direction="bidirect")
    x = vt.randn([2, 40, 3])
    lengths = vt.to_tensor([40, 7])

    @vt.to_static
    def run(x, lengths):
        return net(x, sequence_length=lengths)[0]

    got, expected = run(x, lengths).numpy(), net(x, sequence_length=lengths)[0].numpy()
    alone = net(x[1:, :7])[0].numpy()
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got[1, :7], alone[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bad", [0, 1])
def test_one_gradient_that_overflowed_stops_the_step(bad):
    parameters = [vt.nn.Linear(2, 2).weight for _ in range(2)]
    optimizer = vt.optimizer.SGD(0.5, parameters=parameters)
    scaler = vt.amp.GradScaler(init_loss_scaling=8.0)
    before = [p.numpy() for p in parameters]
    factors = [1.0, 1.0]
    factors[bad] = float("inf")
    scaler.scale(sum((p * f).sum() for p, f in zip(parameters, factors, strict=True))).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    for p, old in zip(parameters, before, strict=True):
        np.testing.assert_array_equal(p.numpy(), old)


@pytest.mark.parametrize("compiled", [False, True])
def test_decay_leaves_out_the_parameters_that_it_is_told_to(compiled):
    net = vt.nn.Linear(3, 2, bias_attr=vt.ParamAttr(initializer=vt.nn.initializer.Constant(1.0)))
    kept = net.bias.name
    optimizer = vt.optimizer.AdamW(
        0.1, parameters=net.parameters(), weight_decay=0.5, apply_decay_param_fun=lambda name: name != kept
    )

    def step(x):
        (net(x) * 0.0).sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    weight = net.weight.numpy()
    (vt.to_static(step) if compiled else step)(vt.ones([1, 3]))
    np.testing.assert_array_equal(net.bias.numpy(), [1.0, 1.0])
    np.testing.assert_allclose(net.weight.numpy(), weight * 0.95, rtol=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_scheduler_that_is_restored_sets_the_rate_at_once(compiled):
    weight = vt.create_parameter([1], "float32", default_initializer=vt.nn.initializer.Constant(1.0))
    scheduler = vt.optimizer.lr.StepDecay(0.5, step_size=1, gamma=0.1)
    optimizer = vt.optimizer.SGD(scheduler, parameters=[weight])
    start = scheduler.state_dict()

    def step():
        weight.sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = vt.to_static(step) if compiled else step
    run()
    scheduler.step()
    run()
    np.testing.assert_allclose(weight.numpy(), [0.45], rtol=1e-6)
    scheduler.set_state_dict(start)
    run()
    np.testing.assert_allclose(weight.numpy(), [-0.05], atol=1e-6)


def test_workers_begin_anew_after_a_walk_that_was_broken_off():
    class Numbers(vt.io.Dataset):
        def __getitem__(self, index):
            return np.array([index])

        def __len__(self):
            return 24

    loader = vt.io.DataLoader(Numbers(), batch_size=2, num_workers=1, persistent_workers=True)
    for _ in loader:
        break
    seen = [int(v) for batch in loader for v in np.asarray(batch).ravel()]
    assert seen == list(range(24))
