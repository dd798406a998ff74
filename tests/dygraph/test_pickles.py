"""Tensors, layers, optimizers and compiled functions go through pickle, joblib and pools of processes as plain data."""

from __future__ import annotations

import copy
import io
import multiprocessing
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)  # spawned processes get this path, and find the module by its name
import pickled_parts as parts  # noqa: E402

X = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int64", "uint8", "bool", "complex64")


@pytest.fixture(autouse=True, scope="module")
def found_by_workers() -> Any:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = HERE + (os.pathsep + before if before else "")
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def again(value: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors(dtype: str, protocol: int) -> None:
    x = vt.to_tensor([[0, 1, 3], [4, 5, 6]]).astype(dtype)
    made = again(x, protocol)
    assert type(made) is vt.Tensor
    assert (made.dtype, made.shape, made.stop_gradient) == (x.dtype, [2, 3], True)
    assert made.tolist() == x.tolist()
    made[0] = 1
    assert x[0].tolist() != made[0].tolist()


def test_views_and_empty_tensors() -> None:
    x = vt.arange(12).reshape([3, 4])
    assert again(x.T).tolist() == x.T.tolist()
    assert again(x[1:, ::2]).tolist() == x[1:, ::2].tolist()
    assert again(vt.zeros([0, 3])).shape == [0, 3]
    assert again(vt.to_tensor(2.5)).item() == 2.5


def test_leaves_that_want_gradients() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    made = again(x)
    (made * made).sum().backward()
    assert made.grad is not None
    assert made.grad.tolist() == [2.0, 4.0]
    with pytest.raises(vt.errors.GradientError, match="only leaf tensors are pickled"):
        pickle.dumps(x * 2)
    assert again((x * 2).detach()).tolist() == [2.0, 4.0]
    x.register_hook(lambda g: g)
    with pytest.raises(vt.errors.GradientError, match="hooks"):
        pickle.dumps(x)


class Watching(pickle.Unpickler):
    """Notes which functions and classes a pickle asks for."""

    def __init__(self, file: Any) -> None:
        super().__init__(file)
        self.asked: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.asked.add(f"{module}.{name}")
        return super().find_class(module, name)


def test_a_pickle_has_no_code_but_constructors() -> None:
    reader = Watching(io.BytesIO(pickle.dumps(nn.Linear(2, 2))))
    reader.load()
    assert {name.partition(".")[0] for name in reader.asked} == {"vitrify", "numpy"}
    assert {name for name in reader.asked if name.rpartition(".")[2].islower() and name.startswith("vitrify")} == {
        "vitrify.base.dtype.as_dtype", "vitrify.dygraph.tensor.restored",
    }  # fmt: skip
    with pytest.raises(vt.errors.KindError, match="damaged or foreign"):
        vt.dygraph.tensor.restored(False, np.zeros(2), "float32", True, {})


@pytest.mark.parametrize("way", [again, copy.deepcopy])
def test_layers(way: Any) -> None:
    net = parts.Net()
    net(vt.to_tensor(X))  # moves the statistics
    net.eval()
    made = way(net)
    np.testing.assert_array_equal(made(vt.to_tensor(X)).numpy(), net(vt.to_tensor(X)).numpy())
    assert made.tied is made.fc.weight
    assert made.fc.weight is not net.fc.weight
    assert isinstance(made.fc.weight, vt.Parameter)
    assert not made.training
    if way is again:
        assert [p.name for p in made.parameters()] == [p.name for p in net.parameters()]
    made.fc.weight.set_value(made.fc.weight * 0)
    assert net.fc.weight.abs().sum() > 0


OPTIMIZERS = [
    "SGD",
    "Momentum",
    "Adam",
    "AdamW",
    "Adamax",
    "Adagrad",
    "Adadelta",
    "RMSProp",
    "Lamb",
    "NAdam",
    "RAdam",
    "ASGD",
]


@pytest.mark.parametrize("way", [again, copy.deepcopy])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_go_on_as_the_original(name: str, way: Any) -> None:
    net = nn.Linear(4, 2)
    schedule = vt.optimizer.lr.StepDecay(0.1, step_size=2)
    options = {"batch_num": 2} if name == "ASGD" else {}
    optimizer = getattr(vt.optimizer, name)(learning_rate=schedule, parameters=net.parameters(), **options)

    def train(net: Any, optimizer: Any, steps: int) -> list[Any]:
        for _ in range(steps):
            (net(vt.to_tensor(X)) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()
            optimizer._learning_rate.step()
        return [p.numpy() for p in net.parameters()]

    train(net, optimizer, 3)
    net2, optimizer2 = way((net, optimizer))
    assert optimizer2._parameter_list[0] is net2.weight
    for a, b in zip(train(net, optimizer, 3), train(net2, optimizer2, 3), strict=True):
        np.testing.assert_array_equal(a, b)
    assert optimizer2.get_lr() == optimizer.get_lr()
    assert optimizer2._lr_tensor is not optimizer._lr_tensor


def test_compiled_functions_and_layers() -> None:
    x = vt.to_tensor(X)
    assert again(parts.doubled) is parts.doubled
    for net in (vt.to_static(parts.Net()), parts.Decorated()):
        net.eval()
        expected = net(x).numpy()
        made = again(net)
        np.testing.assert_array_equal(made(x).numpy(), expected)
        assert isinstance(made.forward, vt.jit.StaticFunction)
        assert made.forward._instance is made
    with pytest.raises(vt.errors.KindError, match="can't be pickled: its module has no such name"):
        pickle.dumps(vt.to_static(lambda x: x))


def test_models() -> None:
    model = vt.Model(parts.Net())
    model.prepare(vt.optimizer.Adam(0.1, parameters=model.parameters()), nn.MSELoss())
    model.train_batch([X], [np.zeros((6, 3), "float32")])
    made = again(model)
    for m in (model, made):
        m.train_batch([X], [np.zeros((6, 3), "float32")])
    np.testing.assert_array_equal(made.predict_batch(X)[0], model.predict_batch(X)[0])


@pytest.mark.slow
def test_spawned_pools() -> None:
    net = vt.to_static(parts.Net())
    net.eval()
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        results = pool.starmap(parts.applied, [(net, vt.to_tensor(X[k : k + 2])) for k in range(0, 6, 2)])
    expected = net(vt.to_tensor(X)).numpy()
    np.testing.assert_allclose(np.concatenate([r.numpy() for r in results]), expected, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.needs("sklearn", "joblib")
@pytest.mark.filterwarnings("default")
def test_joblib_and_two_jobs_of_scikit_learn(tmp_path: Path) -> None:
    import joblib
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 4)).astype("float32")
    y = (x[:, 0] > x[:, 1]).astype("int64")
    model = make_pipeline(StandardScaler(), parts.Classifier()).fit(x, y)
    joblib.dump(model, tmp_path / "model.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(x), model.predict(x))
    scores = [cross_val_score(model, x, y, cv=3, n_jobs=jobs) for jobs in (1, 2)]
    np.testing.assert_array_equal(*scores)
    assert scores[0].mean() > 0.9


@pytest.mark.needs("cloudpickle")
def test_what_ray_and_dask_send() -> None:
    import cloudpickle

    net = parts.Net()
    net.eval()

    def task(x: Any) -> Any:
        return net(x)

    made = cloudpickle.loads(cloudpickle.dumps(task))  # both send a function with what it closes over
    np.testing.assert_array_equal(made(vt.to_tensor(X)).numpy(), net(vt.to_tensor(X)).numpy())
