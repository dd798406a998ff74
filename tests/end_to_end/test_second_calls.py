"""What one call of a compiled function leaves for the next: nothing but what the plain function leaves."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt

TABLE = np.arange(6.0, dtype=np.float32).reshape(2, 3)


def test_an_array_of_the_module_that_is_reshaped_is_another_one():
    @vt.to_static
    def product(x):
        return x @ vt.to_tensor(TABLE)

    global TABLE
    before = TABLE
    try:
        assert product(vt.ones([4, 2])).shape == [4, 3]
        TABLE = before.reshape(3, 2)
        assert product(vt.ones([4, 3])).shape == [4, 2]
        with pytest.raises(vt.errors.VitrifyError):
            product(vt.ones([4, 2]))
    finally:
        TABLE = before


def test_a_keyword_argument_that_takes_gradients_later_gets_them():
    @vt.to_static
    def square(x):
        return (x * x).sum()

    x = vt.to_tensor([1.0, 2.0])
    for _ in range(3):
        square(x=x)
    x.stop_gradient = False
    square(x=x).backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2.0, 4.0])


def test_what_a_helper_returns_without_an_iteration_is_its_argument():
    def advanced(a, n):
        while n > 0:
            a = a + 1
            n = n - 1
        return a

    def run(x, n):
        b = x * 2
        c = advanced(b, n)
        c += 1
        return b

    compiled = vt.to_static(run)
    for n in (0, 2, 0):
        x, count = vt.ones([3]), vt.to_tensor(n)
        np.testing.assert_array_equal(compiled(x, count).numpy(), run(x, count).numpy())


@pytest.mark.parametrize("place", [-1, -2, 0, 1])
def test_pop_at_a_place_that_is_a_tensor(place):
    def popped(x, n, place):
        items = []
        for i in range(n):
            items.append(x * i)
        taken = items.pop(place)
        total = taken * 100
        for item in items:
            total = total * 3 + item
        return total, len(items)

    compiled = vt.to_static(popped)
    given = vt.ones([2]), vt.to_tensor(4), vt.to_tensor(place)
    (expected, length), (got, count) = popped(*given), compiled(*given)
    np.testing.assert_array_equal(got.numpy(), expected.numpy())
    assert int(count) == length == 3


def test_an_argument_that_a_recursive_call_hands_on_is_kept_over_the_call_before_it():
    def tree(n, a):
        if n < 1:
            return a
        return tree_compiled(n - 1, a * 2) + tree_compiled(n - 2, a)

    def eager(n, a):
        return a if n < 1 else eager(n - 1, a * 2) + eager(n - 2, a)

    tree_compiled = vt.to_static(tree)
    for n in (3, 5):
        got = tree_compiled(vt.to_tensor(n), vt.to_tensor([1.0, 2.0]))
        np.testing.assert_array_equal(got.numpy(), eager(n, vt.to_tensor([1.0, 2.0])).numpy())


def test_a_call_that_was_interrupted_in_a_callback_leaves_no_trace():
    stops = [True]

    class Interrupted(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            if stops[0]:
                raise KeyboardInterrupt
            return x + 1

        @staticmethod
        def backward(ctx, grad):
            return grad

    @vt.to_static
    def run(x, n):
        for _ in range(n):
            x = Interrupted.apply(x * 2)
        return x - 1

    stops[0] = False
    given = vt.to_tensor([1.0]), vt.to_tensor(3)
    before = run(*given).numpy()
    stops[0] = True
    with pytest.raises(KeyboardInterrupt):
        run(vt.to_tensor([7.0]), vt.to_tensor(5))
    stops[0] = False
    np.testing.assert_array_equal(run(*given).numpy(), before)


def test_auto_cast_that_is_switched_off_inside_holds_for_compiled_functions():
    @vt.to_static
    def product(x, w):
        return x @ w

    x = vt.ones([2, 2])
    with vt.amp.auto_cast():
        inside = product(x, x).dtype
        with vt.amp.auto_cast(enable=False):
            assert product(x, x).dtype == vt.float32
        assert product(x, x).dtype == inside != vt.float32


def test_a_loaded_program_sees_that_its_parameters_are_unfrozen(tmp_path):
    net = vt.nn.Linear(2, 1)
    vt.jit.save(vt.to_static(net, input_spec=[vt.InputSpec([None, 2])]), str(tmp_path / "net"))
    loaded = vt.jit.load(str(tmp_path / "net"))
    for parameter in loaded.parameters():
        parameter.stop_gradient = True
    x = vt.ones([3, 2])
    loaded(x)
    for parameter in loaded.parameters():
        parameter.stop_gradient = False
    loaded(x).sum().backward()
    assert all(parameter.grad is not None for parameter in loaded.parameters())


def test_export_leaves_each_layer_in_its_own_mode(tmp_path):
    net = vt.nn.Sequential(vt.nn.Linear(2, 2), vt.nn.BatchNorm1D(2), vt.nn.Dropout(0.5))
    net.train()
    net[1].eval()
    vt.onnx.export(net, str(tmp_path / "net"), input_spec=[vt.InputSpec([None, 2])])
    assert [part.training for part in (net, *net)] == [True, True, False, True]


def test_an_evaluation_with_pruning_after_training_runs_does_not_train():
    vt.enable_static()
    try:
        main, startup = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, startup):
            x = vt.static.data("x", [None, 2])
            loss = vt.static.nn.fc(x, 1).mean()
            vt.optimizer.SGD(0.1).minimize(loss)
        run = vt.static.Executor()
        run.run(startup)
        feed = {"x": np.ones((4, 2), np.float32)}
        losses = [float(run.run(main, feed, [loss])[0]) for _ in range(2)]
        pruned = [float(run.run(main, feed, [loss], use_prune=True)[0]) for _ in range(2)]
    finally:
        vt.disable_static()
    assert losses[1] < losses[0]
    assert pruned[0] == pruned[1] < losses[1]
