"""Names of Paddle's older programs: loaders over generators, modules of nn.utils and nn.clip, small attributes."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static
from vitrify.base.errors import ArgumentError, AssertedError, KindError, ModeError


def samples() -> Any:
    return ((np.full([2], k, "float32"), k) for k in range(5))


def batches() -> Any:
    return ([np.full([3, 2], k, "float32"), np.array([k] * 3)] for k in range(2))


def loader(**options: Any) -> Any:
    from vitrify.base.io import DataLoader

    return DataLoader.from_generator(capacity=4, **options)


def test_a_loader_takes_generators_of_three_forms() -> None:
    by_batch = [[x.tolist() for x in fields] for fields in loader().set_batch_generator(batches)]
    assert by_batch == [[[[0.0, 0.0]] * 3, [0, 0, 0]], [[[1.0, 1.0]] * 3, [1, 1, 1]]]
    by_sample = [fields[1].tolist() for fields in loader().set_sample_generator(samples, batch_size=2)]
    assert by_sample == [[0, 1], [2, 3]]
    rest = loader().set_sample_generator(samples, 2, drop_last=False)
    assert [fields[1].tolist() for fields in rest()] == [[0, 1], [2, 3], [4]]
    lists = loader().set_sample_list_generator(lambda: iter([list(samples())]))
    assert [list(x.shape) for x in next(iter(lists))] == [[5, 2], [5]]


def test_a_loader_gives_feeds_in_static_mode() -> None:
    vt.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            x, k = static.data("x", [None, 2]), static.data("k", [None], "int64")
            total = x.sum() + k.sum().astype("float32")
            feeds = loader(feed_list=[x, k]).set_batch_generator(batches)
            found = [static.Executor().run(feed=feed, fetch_list=[total])[0].item() for feed in feeds]
            listed = loader(feed_list=[x, k], return_list=True).set_batch_generator(batches)
            assert [len(fields) for fields in listed] == [2, 2]
    finally:
        vt.disable_static()
    assert found == [0.0, 9.0]


def test_runs_of_a_program_take_batches_of_its_loader() -> None:
    eof: Any = importlib.import_module("vitrify.base.core").EOFException
    main, startup = static.Program(), static.Program()
    vt.enable_static()
    try:
        with static.program_guard(main, startup):
            x, k = static.data("x", [None, 2]), static.data("k", [None], "int64")
            total = x.sum() + k.sum().astype("float32")
            feeding = loader(feed_list=[x, k], iterable=False).set_batch_generator(batches)
            run, found = static.Executor(), []
            run.run(startup)
            with pytest.raises(ModeError, match=r"call start\(\)"):
                run.run(main, fetch_list=[total])
            for _ in range(2):
                feeding.start()
                with pytest.raises(ModeError, match="has been started"):
                    feeding.start()
                with pytest.raises(eof, match="no more batches"):
                    while True:
                        found.append(run.run(main, fetch_list=[total])[0].item())
                feeding.reset()
            feeding.start()
            fed = {"x": np.ones([1, 2], "float32"), "k": np.array([3])}
            assert run.run(main, feed=fed, fetch_list=[total])[0] == 5.0  # no batch was taken
            test = main.clone(for_test=True)
            assert run.run(test, fetch_list=[test.global_block().var(total.name)])[0] == 0.0
    finally:
        vt.disable_static()
    assert found == [0.0, 9.0, 0.0, 9.0]


def test_what_a_loader_refuses() -> None:
    with pytest.raises(ModeError, match="iterable=False"):
        loader(iterable=False)
    for walk in (loader().start, loader().reset):
        with pytest.raises(ModeError, match="iterable=False"):
            walk()
    keep = importlib.import_module("vitrify.base.reader").keep_data_loader_order
    assert keep() is True and keep(False) is None
    with pytest.raises(KindError, match="True or False"):
        keep(1)
    with pytest.raises(ArgumentError, match="no generator"):
        next(iter(loader()))
    with pytest.raises(ArgumentError, match="batch_size"):
        loader().set_sample_generator(samples, 0)


def test_modules_of_functions_leave_the_functions_in_reach() -> None:
    import vitrify.nn.utils.clip_grad_norm_
    from vitrify.nn.clip import clip_by_norm
    from vitrify.nn.utils.clip_grad_norm_ import clip_grad_norm_
    from vitrify.nn.utils.clip_grad_value_ import clip_grad_value_

    for clip in (clip_grad_norm_, vitrify.nn.utils.clip_grad_norm_, nn.utils.clip_grad_norm_):
        p = vt.create_parameter([2], "float32")
        (p * vt.to_tensor([3.0, 4.0])).sum().backward()
        assert float(clip([p], 1.0)) == pytest.approx(5.0)
        np.testing.assert_allclose(p.grad.numpy(), [0.6, 0.8], rtol=1e-5)
    clip_grad_value_([p], 0.7)
    np.testing.assert_allclose(p.grad.numpy(), [0.6, 0.7], rtol=1e-5)
    np.testing.assert_allclose(clip_by_norm(vt.to_tensor([3.0, 4.0]), 1.0).numpy(), [0.6, 0.8], rtol=1e-6)
    with pytest.raises(ArgumentError, match="clip_by_norm"):
        clip_by_norm(vt.ones([2]), -1.0)


def test_small_attributes() -> None:
    from vitrify.nn.clip import _allow_pure_fp16_global_norm_clip as switch

    p = vt.create_parameter([2], "float32")
    made = vt.optimizer.Momentum(0.1, parameters=[p])
    p.sum().backward()
    assert p._grad_ivar().tolist() == [1.0, 1.0]
    made.step()
    assert made.type == "momentum"
    assert made.get_opti_var_name_list() == [f"{p.name}_velocity_0"]
    assert switch() is False
    assert switch(True) is True
    switch(False)
    with pytest.raises(ArgumentError, match="pairs"):
        nn.LayerDict().update([("a", nn.ReLU(), 1)])


def test_gradients_made_for_more_gradients_need_gradients() -> None:
    x = vt.ones([2])
    x.stop_gradient = False
    for wanted in (True, False):
        (dx,) = vt.grad([x], [x], create_graph=wanted, retain_graph=True)
        assert dx.stop_gradient is not wanted
    for wrong in (None, 1, [1]):
        with pytest.raises(AssertedError, match="must be tensors"):
            vt.grad(wrong, x)
        with pytest.raises(AssertionError, match="must be tensors"):
            vt.grad(x, wrong)


def test_layers_of_static_nn_make_tensors_in_eager_mode() -> None:
    x = vt.to_tensor(np.random.default_rng(0).random([2, 4, 3, 3]), dtype="float32", stop_gradient=False)
    y = static.nn.group_norm(x, groups=2)
    np.testing.assert_allclose(y.numpy(), nn.functional.group_norm(x, 2).numpy(), rtol=1e-6)
    assert vt.grad([y], [x], create_graph=True)[0].shape == [2, 4, 3, 3]
    assert static.nn.fc(vt.ones([2, 3]), 4).shape == [2, 4]


def test_adam_takes_its_betas_from_variables() -> None:
    values = []
    vt.enable_static()
    try:
        for variable in (False, True):
            with static.program_guard(static.Program(), static.Program()):
                x = static.data("x", [2, 3])
                weight = static.create_parameter([3, 1], "float32", default_initializer=nn.initializer.Constant(1.0))
                betas: list[Any] = [0.85, 0.95]
                if variable:
                    betas = [static.create_global_var([1], b, "float32", persistable=True) for b in betas]
                vt.optimizer.Adam(0.1, *betas).minimize((x @ weight).sum())
                executor = static.Executor()
                executor.run(static.default_startup_program())
                for k in range(3):
                    fed = {"x": np.full([2, 3], k + 1.0, "float32")}
                    (now,) = executor.run(feed=fed, fetch_list=[weight])
                values.append(now)
    finally:
        vt.disable_static()
    np.testing.assert_allclose(values[0], values[1], rtol=1e-5)
    assert values[1].shape == (3, 1)


def test_incubate_layers() -> None:
    from vitrify.incubate.layers.nn import batch_fc, partial_concat, partial_sum, rank_attention, shuffle_batch

    a, b = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(2, 3)
    pair = [vt.to_tensor(a), vt.to_tensor(b)]
    assert partial_concat(pair, 1, 1).tolist() == np.concatenate([a[:, 1:2], b[:, 1:2]], 1).tolist()
    assert partial_concat(pair, -2).tolist() == np.concatenate([a[:, 1:], b[:, 1:]], 1).tolist()
    assert partial_sum(pair, 0, 2).tolist() == (a + b)[:, :2].tolist()
    shuffled = shuffle_batch(vt.to_tensor(a)).numpy()
    assert sorted(map(tuple, shuffled)) == sorted(map(tuple, a))
    x = vt.ones([2, 5, 3])
    made = batch_fc(x, [2, 3, 4], vt.ParamAttr(initializer=nn.initializer.Constant(2.0)), [2, 4], None, act="relu")
    np.testing.assert_allclose(made.numpy(), np.full([2, 5, 4], 6.0))
    with pytest.raises(ModeError, match="rank_attention"):
        rank_attention(x)
    with pytest.raises(ArgumentError, match="outside of 3 columns"):
        partial_sum(pair, 3)


def test_rows_of_an_open_batch_are_shuffled_in_static_mode() -> None:
    from vitrify.framework import LayerHelper
    from vitrify.incubate.layers import shuffle_batch
    from vitrify.static.helper import LayerHelper as Helper

    assert LayerHelper is Helper
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            out = shuffle_batch(vt.static.data("x", [-1, 2], "float32"))
            rows = np.arange(12, dtype="float32").reshape(6, 2)
            (got,) = vt.static.Executor().run(feed={"x": rows}, fetch_list=[out])
    finally:
        vt.disable_static()
    assert sorted(map(tuple, got)) == sorted(map(tuple, rows))


def test_options_of_groups_and_initial_values() -> None:
    p, q = vt.create_parameter([2], "float32"), vt.create_parameter([2], "float32")
    for x in (p, q):
        x.set_value(vt.to_tensor([1.0, 3.0]))
    made = vt.optimizer.Lamb(0.1, 0.9, parameters=[{"params": [p]}, {"params": [q], "lamb_weight_decay": 0.0}])
    ((p + q) * vt.to_tensor([1.0, 2.0])).sum().backward()
    made.step()
    assert not np.allclose(p.numpy(), q.numpy())
    weight = nn.Linear(2, 2, weight_attr=vt.ParamAttr(initializer=nn.initializer.Assign([1.0, 2.0]))).weight
    assert weight.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    with pytest.raises(ValueError, match="random_seed must be an int"):
        static.Program().random_seed = "x"  # type: ignore[assignment]


def test_metrics_at_their_edges() -> None:
    from vitrify.hapi.model import to_list

    scores, labels = np.array([0.5, 0.6, 0.1, 0.2]), np.array([0, 1, 1, 0])
    precision, recall = vt.metric.Precision(), vt.metric.Recall()
    for metric in (precision, recall):
        metric.update(scores, labels)
    assert precision.accumulate() == 0.5
    assert recall.accumulate() == 0.5
    assert [to_list(v) for v in (None, (1, 2), [3], 4)] == [None, [1, 2], [3], [4]]
    vt.enable_static()
    try:
        with static.program_guard(static.Program()):
            pred, label = static.data("pred", [None, 3]), static.data("label", [None, 1], "int64")
            accuracy = vt.metric.Accuracy(topk=(1, 2))
            right = accuracy.compute(pred, label)
            fed = {"pred": np.eye(3, dtype="float32")[[0, 1]], "label": np.array([[0], [0]])}
            (found,) = static.Executor().run(feed=fed, fetch_list=[right])
    finally:
        vt.disable_static()
    assert found.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert accuracy.update(found) == [0.5, 1.0]
    assert accuracy.count == [2, 2]


@pytest.mark.parametrize("direction", ["forward", "bidirect"])
@pytest.mark.parametrize("kind", [nn.SimpleRNN, nn.GRU, nn.LSTM])
def test_recurrent_networks_are_lists_of_layers(kind: Any, direction: str) -> None:
    net = kind(3, 4, num_layers=2, direction=direction)
    x = vt.to_tensor(np.random.default_rng(0).random([2, 5, 3]), dtype="float32")
    y = x
    for layer in net:
        y, _ = layer(y)
    np.testing.assert_allclose(y.numpy(), net(x)[0].numpy(), rtol=1e-5, atol=1e-6)
    assert (len(net), len(list(net))) == (2, 2)
    cell = net[-1].cell if direction == "forward" else net[-1].cell_bw
    own = "weight_ih_l1" if direction == "forward" else "weight_ih_l1_reverse"
    assert cell.weight_ih is getattr(net, own)
    assert [name for name, _ in cell.named_parameters()] == ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    with pytest.raises(IndexError):
        net[2]


def test_modules_of_static_nn() -> None:
    assert static.nn.common.fc is static.nn.fc
    assert static.nn.control_flow.cond is static.nn.cond
    assert static.nn.sequence_lod.sequence_mask(vt.to_tensor([1, 2]), maxlen=2).tolist() == [[1, 0], [1, 1]]


def test_initial_values_of_a_seeded_program() -> None:
    pin = vt.framework.random._manual_program_seed
    try:
        pin(7)
        first, second, other = vt.nn.Linear(2, 3), vt.nn.Linear(2, 3), vt.nn.Linear(2, 4)
        np.testing.assert_array_equal(first.weight.numpy(), second.weight.numpy())
        assert other.weight.shape == [2, 4]
        assert not np.array_equal(vt.rand([4]).numpy(), vt.rand([4]).numpy())
    finally:
        pin(0)
    assert not np.array_equal(vt.nn.Linear(2, 3).weight.numpy(), vt.nn.Linear(2, 3).weight.numpy())


def test_a_static_program_begins_with_the_same_values_of_a_seeded_program() -> None:
    pin = vt.framework.random._manual_program_seed
    try:
        pin(7)
        eager = [layer.weight.numpy() for layer in (vt.nn.Linear(2, 3), vt.nn.Linear(3, 4))]
        vt.enable_static()
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            made = [vt.nn.Linear(2, 3).weight, vt.nn.Linear(3, 4).weight]
            for _ in range(2):
                found = static.Executor().run(startup, fetch_list=made)
                for given, expected in zip(found, eager, strict=True):
                    np.testing.assert_array_equal(given, expected)
    finally:
        vt.disable_static()
        pin(0)


def test_names_count_from_0_in_a_guard_of_eager_mode() -> None:
    guard = vt.base.dygraph.guard
    names = []
    for _ in range(2):
        with guard():
            names.append(vt.nn.Linear(1, 1).weight.name)
    assert names == ["linear_0.w_0"] * 2


def test_parameters_have_a_block_and_are_made_of_tensors() -> None:
    given = vt.to_tensor([1.0, 2.0], dtype="float64")
    made = vt.base.framework.EagerParamBase.from_tensor(given, trainable=False, name="of_a_tensor")
    assert (made.dtype, made.trainable, made.name) == (vt.float64, False, "of_a_tensor")
    assert isinstance(made, vt.framework.io.EagerParamBase) and not isinstance(given, vt.framework.io.EagerParamBase)
    assert type(made.block) is type(vt.static.default_main_program().global_block())
    vt.nn.initializer.Constant(3.0)(made, made.block)
    assert (made.tolist(), given.tolist()) == ([3.0, 3.0], [1.0, 2.0])


def test_a_modules_dict_has_its_public_names() -> None:
    names = vt.nn.layer.activation.__dict__
    assert names["ReLU"] is vt.nn.ReLU
    assert {"Sigmoid", "GELU", "PReLU"} <= set(names)
    assert dict(zip([name.lower() for name in names], names, strict=True))["relu"] == "ReLU"


def test_ops_by_name_are_a_module() -> None:
    from vitrify import _C_ops, _legacy_C_ops

    module = importlib.import_module("vitrify._C_ops")
    assert module.relu(vt.to_tensor([-1.0, 1.0])).tolist() == [0.0, 1.0]
    assert _C_ops.relu(vt.to_tensor([-1.0])).tolist() == [0.0]
    assert _legacy_C_ops.elementwise_add(vt.ones([1]), vt.ones([1]), "axis", -1).tolist() == [2.0]
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = module.nothing_like_it


def test_loaders_modules() -> None:
    assert importlib.import_module("vitrify.io.dataloader").BatchSampler is vt.io.BatchSampler
    loader = importlib.import_module("vitrify.io.reader").DataLoader.from_generator(capacity=2)
    assert [x.tolist() for (x,) in loader.set_batch_generator(lambda: ([[k]] for k in range(2)))] == [[0], [1]]


def test_what_an_image_is() -> None:
    functional = vt.vision.transforms.functional
    assert functional._is_tensor_image(vt.ones([1, 2, 2]))
    assert functional._is_numpy_image(np.ones((2, 2)))
    assert not functional._is_numpy_image(np.ones(2))


def test_feeds_of_samples() -> None:
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            x, y = vt.static.data("x", [None, 2]), vt.static.data("y", [-1, 1], "int64")
            total = (x * y.astype("float32")).sum()
            feeder = vt.base.DataFeeder([x, "y"], place=vt.CPUPlace())
            feeds = [feeder.feed([([1, 2], 0), ([3, 4], 1)]), feeder.feed([(np.ones((5, 2)), np.ones((5, 1)))])]
            assert [(f["x"].shape, f["y"].shape, f["y"].dtype) for f in feeds] == [
                ((2, 2), (2, 1), np.int64), ((5, 2), (5, 1), np.int64),
            ]  # fmt: skip
            run = vt.static.Executor().run
            assert [float(run(feed=f, fetch_list=[total])[0]) for f in feeds] == [7.0, 10.0]
            with pytest.raises(ArgumentError, match="1 entries for 2 variables"):
                feeder.feed([([1, 2],)])
            with pytest.raises(TypeError, match="not a list"):
                vt.base.DataFeeder([[x]])
    finally:
        vt.disable_static()


def test_modules_of_fluid_that_base_kept_are_found_by_their_older_names() -> None:
    older: Any = importlib.import_module("vitrify.fluid.framework")
    assert older.in_dygraph_mode()
    assert older.EagerParamBase is importlib.import_module("vitrify.base.framework").EagerParamBase
    for name, inside in (("unique_name", "guard"), ("layer_helper", "LayerHelper"), ("executor", "Executor")):
        assert hasattr(importlib.import_module(f"vitrify.fluid.{name}"), inside)
