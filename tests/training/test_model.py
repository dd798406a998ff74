"""Model: fit, evaluate, predict, callbacks, files; eager and compiled alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.callbacks import Callback, CSVLogger, EarlyStopping, ReduceLROnPlateau
from vitrify.io import DataLoader, TensorDataset

RNG = np.random.default_rng(3)
X = RNG.standard_normal((64, 4)).astype(np.float32)
Y = (X @ np.array([[1.0], [-2.0], [0.5], [0.0]], np.float32)).argmax(1)
CLASSES = (X[:, 0] > X[:, 1]).astype(np.int64)[:, None]
DATA = TensorDataset([X, CLASSES])


def made(rate: Any = 0.1, metrics: Any = None, **options: Any) -> vt.Model:
    vt.seed(5)
    network = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    model = vt.Model(network)
    optimizer = vt.optimizer.SGD(rate, parameters=model.parameters())
    model.prepare(optimizer, nn.CrossEntropyLoss(), metrics, **options)
    return model


class Log(Callback):
    def __init__(self) -> None:
        self.seen: list[str] = []
        self.losses: list[float] = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.seen.append(f"epoch {epoch}")

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        self.losses.append(logs["loss"][0])

    def on_eval_end(self, logs: Any = None) -> None:
        self.seen.append("eval")


def test_training_learns_eager_and_compiled_alike() -> None:
    losses = []
    for compiled in (False, True):
        model, log = made(metrics=vt.metric.Accuracy(), to_static=compiled), Log()
        model.fit(DATA, DATA, batch_size=16, epochs=3, shuffle=False, verbose=0, callbacks=log)
        assert log.seen == ["epoch 0", "eval", "epoch 1", "eval", "epoch 2", "eval"]
        losses.append(log.losses)
        result = model.evaluate(DATA, batch_size=10, verbose=0)
        assert set(result) == {"loss", "acc"}
        assert result["acc"] > 0.8
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)
    assert losses[0][-1] < losses[0][0]


def test_the_loss_of_an_evaluation_weighs_samples_alike() -> None:
    model = made()
    whole = model.evaluate(DATA, batch_size=64, verbose=0)["loss"][0]
    assert model.evaluate(DATA, batch_size=48, verbose=0)["loss"][0] == pytest.approx(whole, rel=1e-6)
    assert model.network.training is False


def test_predictions() -> None:
    model = made()
    expected = model.network(vt.to_tensor(X)).numpy()
    (stacked,) = model.predict(DATA, batch_size=20, stack_outputs=True, verbose=0)
    np.testing.assert_allclose(stacked, expected, rtol=1e-5, atol=1e-6)
    (parts,) = model.predict(TensorDataset([X]), batch_size=20, verbose=0)
    assert isinstance(parts, tuple)
    assert [part.shape for part in parts] == [(20, 2)] * 3 + [(4, 2)]
    np.testing.assert_allclose(model.predict_batch([X])[0], expected, rtol=1e-5, atol=1e-6)


def test_gradients_of_several_batches_make_one_update() -> None:
    summed, doubled = made(0.05), made(0.05)
    summed.fit(DATA, batch_size=32, epochs=1, shuffle=False, verbose=0, accumulate_grad_batches=2)
    doubled._loss = nn.CrossEntropyLoss(reduction="sum")
    x, y = vt.to_tensor(X), vt.to_tensor(CLASSES)
    loss = doubled._loss(doubled.network(x), y) / 32
    loss.backward()
    doubled._optimizer.step()
    for a, b in zip(summed.parameters(), doubled.parameters(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("epochs", [1, 9])
def test_so_many_steps(epochs: int) -> None:
    log = Log()
    made().fit(DATA, batch_size=16, epochs=epochs, verbose=0, callbacks=[log], num_iters=6)
    assert len(DATA) < 6 * 16 and len(log.losses) == 6


@pytest.mark.parametrize("verbose", [1, 2])
def test_progress(verbose: int, capsys: pytest.CaptureFixture[str]) -> None:
    model = made(metrics=[vt.metric.Accuracy()])
    model.fit(DATA, DATA, batch_size=16, epochs=2, log_freq=2, verbose=verbose)
    model.predict(DATA, batch_size=32, verbose=verbose)
    shown = capsys.readouterr()
    text = shown.out + shown.err
    assert "Epoch 2/2" in text
    assert "Eval samples: 64" in text
    assert "acc: " in text
    assert ("step 4/4 - loss: " in text) == (verbose == 2)


def test_files_bring_a_training_back(tmp_path: Path) -> None:
    def adam() -> vt.Model:
        model = made()
        model.prepare(vt.optimizer.Adam(0.01, parameters=model.parameters()), nn.CrossEntropyLoss())
        return model

    first, second = adam(), adam()
    first.fit(DATA, batch_size=32, epochs=1, shuffle=False, verbose=0, save_dir=tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {
        f"{n}.pd{e}" for n in ("0", "final") for e in ("params", "opt", "state")
    }
    second.load(str(tmp_path / "final"))
    for model in (first, second):
        model.fit(DATA, batch_size=32, epochs=1, shuffle=False, verbose=0)
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    (tmp_path / "final.pdopt").unlink()
    with pytest.raises(vt.errors.ArtifactError, match="reset_optimizer"):
        second.load(str(tmp_path / "final"))
    second.load(str(tmp_path / "final"), reset_optimizer=True)


def test_saving_for_inference(tmp_path: Path) -> None:
    model = made()
    network = vt.Model(model.network, inputs=[vt.static.InputSpec([None, 4], "float32", "x")])
    network.network.eval()
    network.save(str(tmp_path / "net"), training=False)
    loaded = vt.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(vt.to_tensor(X)).numpy(), model.predict_batch(X)[0], rtol=1e-5, atol=1e-6)


def test_early_stopping_and_the_rate_on_a_plateau(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    stop = EarlyStopping("loss", patience=2, min_delta=100.0)
    made().fit(DATA, DATA, batch_size=64, epochs=9, verbose=0, callbacks=[log, stop], save_dir=str(tmp_path))
    assert log.seen.count("eval") == 3
    assert "early stop" in capsys.readouterr().out
    assert (tmp_path / "best_model.pdparams").exists()
    model = made(0.1)
    model.fit(DATA, DATA, batch_size=64, epochs=4, verbose=0, callbacks=ReduceLROnPlateau(patience=1, min_delta=100.0))
    assert model._optimizer.get_lr() == pytest.approx(1e-4)


def test_a_schedule_steps_with_the_training() -> None:
    schedule = vt.optimizer.lr.StepDecay(0.1, step_size=2)
    model = made(schedule)
    model.fit(DATA, batch_size=16, epochs=1, verbose=0)
    assert schedule.last_epoch == 4


def test_figures_in_a_table(tmp_path: Path) -> None:
    made().fit(DATA, batch_size=32, epochs=2, verbose=0, callbacks=[CSVLogger(tmp_path / "log.csv")])
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0].startswith("epoch,loss")
    assert [line.split(",")[0] for line in lines[1:]] == ["0", "1"]


def test_bad_input() -> None:
    with pytest.raises(TypeError, match="needs a Layer"):
        vt.Model(lambda x: x)
    model = vt.Model(nn.Linear(4, 2))
    with pytest.raises(vt.errors.StateError, match="prepare"):
        model.fit(DATA, verbose=0)
    with pytest.raises(TypeError, match="loss"):
        model.prepare(loss=3)
    with pytest.raises(TypeError, match="Metric"):
        model.prepare(metrics=["acc"])
    with pytest.raises(ValueError, match="amp_configs"):
        model.prepare(amp_configs="O2")
    with pytest.raises(TypeError, match="DataLoader"):
        made().fit(3, verbose=0)
    with pytest.raises(TypeError, match="Callback"):
        made().fit(DATA, verbose=0, callbacks=[print])
    with pytest.raises(ValueError, match="input_size"):
        model.summary()


def test_a_loader_is_taken_as_it_is() -> None:
    log = Log()
    made().fit(DataLoader(DATA, batch_size=64), epochs=2, verbose=0, callbacks=log)
    assert len(log.losses) == 2


def test_the_table_of_layers(capsys: pytest.CaptureFixture[str]) -> None:
    network = nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3))
    network.train()
    facts = vt.summary(network, (None, 1, 4, 4))
    assert facts == {"total_params": 47, "trainable_params": 47}
    text = capsys.readouterr().out
    assert "0 (Conv2D)" in text
    assert "[1, 2, 2, 2] float32" in text
    assert "32 B" in text
    assert "activations: 108 B; operations: 112 multiplications with additions" in text
    assert "trainable 47, frozen 0" in text
    assert network.training
    assert vt.Model(network).summary((1, 1, 4, 4))["total_params"] == 47
    assert vt.flops(network, [1, 1, 4, 4]) == 8 * (9 + 1) + 8 + 24
    assert vt.flops(network, [1, 1, 4, 4], custom_ops={nn.ReLU: lambda *_: 1000}) == 80 + 1000 + 24


def test_a_loaded_model_is_counted_from_its_program(tmp_path, capsys):
    network = nn.Sequential(nn.Conv2D(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2))
    vt.jit.save(network, str(tmp_path / "m"), [vt.InputSpec([None, 3, 8, 8])])
    loaded = vt.jit.load(str(tmp_path / "m"))
    for rows in (1, 5):  # as of the network, and the bias of the last layer
        assert vt.flops(loaded, [rows, 3, 8, 8]) == vt.flops(network, [rows, 3, 8, 8]) + 2 * rows
    whole = nn.Sequential(loaded, nn.Linear(2, 3))
    assert vt.flops(whole, [1, 3, 8, 8]) == vt.flops(network, [1, 3, 8, 8]) + 2 + 6
    capsys.readouterr()
    facts = vt.summary(loaded, [1, 3, 8, 8])
    assert facts["total_params"] == vt.summary(network, [1, 3, 8, 8])["total_params"]
    text = capsys.readouterr().out.splitlines()[2]
    assert "(TranslatedLayer)" in text and "4,466" in text and "402" in text


def test_a_loaded_model_with_a_loop_is_not_counted(tmp_path, capsys):
    class Halved(vt.nn.Layer):
        def forward(self, x):
            while x.sum() > 1:
                x = x / 2
            return x

    vt.jit.save(Halved(), str(tmp_path / "m"), [vt.InputSpec([None, 3])])
    loaded = vt.jit.load(str(tmp_path / "m"))
    with pytest.raises(vt.errors.KindError, match="only a run tells"):
        vt.flops(loaded, [1, 3])
    assert vt.flops(loaded, [1, 3], custom_ops={type(loaded): lambda *_: 7}) == 7
    vt.summary(loaded, [1, 3])
    assert "unknown" in capsys.readouterr().out


def test_a_summary_of_a_network_that_takes_a_list(capsys):
    class Added(vt.nn.Layer):
        def __init__(self):
            super().__init__()
            self.line = vt.nn.Linear(2, 3)

        def forward(self, inputs):
            return self.line(inputs[0] + inputs[1])

    assert vt.summary(Added(), input=[vt.ones([1, 2]), vt.ones([1, 2])])["total_params"] == 9
    assert vt.summary(vt.nn.Linear(2, 3), input=[vt.ones([1, 2])])["total_params"] == 9
    assert "line (Linear)" in capsys.readouterr().out


def test_a_summary_takes_input_specs(capsys):
    embedded = nn.Sequential(nn.Embedding(5, 2), nn.Linear(2, 3))
    assert vt.summary(embedded, vt.InputSpec([None, 4], "int64"))["total_params"] == 19
    assert "[1, 4, 3] float32" in capsys.readouterr().out
    assert vt.Model(embedded, inputs=[vt.InputSpec([None, 4], "int64", "x")]).summary()["total_params"] == 19
    two = nn.Bilinear(2, 2, 1)
    assert vt.summary(two, [vt.InputSpec(["n", 2]), vt.InputSpec(["n", 2])])["total_params"] == 5
    assert vt.summary(two, ((1, 2), (1, 2)))["total_params"] == 5
