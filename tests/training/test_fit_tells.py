"""What `fit` says and returns: progress, history, tables, and trainings that are resumed exactly."""

from __future__ import annotations

import csv
import random
import sys
import types
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base import events
from vitrify.callbacks import Callback, CSVLogger, EarlyStopping, ModelCheckpoint, TensorBoard, VisualDL
from vitrify.hapi.callbacks import config_callbacks
from vitrify.hapi.progressbar import ProgressBar
from vitrify.io import TensorDataset
from vitrify.training.progress import Bar, compiling

RNG = np.random.default_rng(3)
X = RNG.standard_normal((72, 4)).astype(np.float32)
CLASSES = (X[:, 0] > X[:, 1]).astype(np.int64)[:, None]
DATA = TensorDataset([X, CLASSES])


def made(metrics: Any = None, **options: Any) -> vt.Model:
    vt.seed(5)
    network = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 2))
    model = vt.Model(network)
    schedule = vt.optimizer.lr.StepDecay(0.05, step_size=3)
    optimizer = vt.optimizer.Adam(schedule, parameters=model.parameters())
    model.prepare(optimizer, nn.CrossEntropyLoss(), metrics, **options)
    return model


def weights(model: vt.Model) -> list[Any]:
    return [p.numpy().copy() for p in model.parameters()]


def loader() -> vt.io.DataLoader:
    return vt.io.DataLoader(DATA, batch_size=16, shuffle=True, generator=11)


def test_lines_show_the_last_step_and_the_result_of_the_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    model = made(vt.metric.Accuracy())
    history = model.fit(DATA, DATA, batch_size=16, epochs=1, log_freq=2, verbose=2)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" - ")[0] for line in lines] == [
        "Epoch 1/1", "step 2/5", "step 4/5", "step 5/5", "Eval begin...", "step 2/5", "step 4/5", "step 5/5", "Eval samples: 72",
    ]  # fmt: skip
    assert f"loss: {history['eval_loss'][0]:.4f} - acc: {history['eval_acc'][0]:.4f}" in lines[-2]
    assert "ms/step" in lines[3]


def test_a_bar_needs_no_other_package(capsys: pytest.CaptureFixture[str]) -> None:
    made().fit(DATA, batch_size=16, epochs=2, verbose=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Epoch 1/2"
    assert lines[1].startswith("5/5 [========================] ")
    assert "ms/step - loss: " in lines[1]


def test_compiling_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([1.0, 1.2, 2.5])
    monkeypatch.setattr("vitrify.training.progress.time.perf_counter", lambda: next(times))
    with events.watch(compiling(None)):
        for done in (1, 5, 12):
            events.progress("kernels", done, 31)
    assert capsys.readouterr().out == "compiling (12 of 31 kernels)\n"
    monkeypatch.undo()
    bar = Bar(8)
    bar.is_live = True
    with events.watch(compiling(bar)):
        events.progress("kernels", 12, 31)
    assert capsys.readouterr().out.strip() == "0/8 compiling (12 of 31 kernels)"


def test_a_compiled_step_tells_its_kernels() -> None:
    told: list[tuple[str, int, int]] = []
    with events.watch(lambda *what: told.append(what)):
        vt.to_static(lambda x: (x * 2).sum())(vt.ones([3]))
    assert told[-1][0] == "kernels"
    assert told[-1][1] == told[-1][2] > 0
    count = len(told)
    events.progress("kernels", 1, 1)
    assert len(told) == count


def test_the_history_has_all_figures(tmp_path: Path) -> None:
    history = made(vt.metric.Accuracy()).fit(DATA, DATA, batch_size=16, epochs=3, eval_freq=2, verbose=0)
    assert list(history) == ["loss", "acc", "lr", "eval_loss", "eval_acc"]
    assert [len(history[name]) for name in history] == [3] * 5
    assert np.isnan(history["eval_loss"]).tolist() == [False, True, False]
    assert len(history.steps["loss"]) == 15
    assert history.steps["lr"][:2] == [0.05, 0.05]
    assert history["lr"][0] > history["lr"][-1]
    assert history.epoch == [0, 1, 2]
    assert str(history).splitlines()[0].split() == ["epoch", "loss", "acc", "lr", "eval_loss", "eval_acc"]
    text = history.plot(tmp_path / "curves.svg")
    assert (tmp_path / "curves.svg").read_text() == text == history._repr_html_()
    assert [title in text for title in (">loss<", ">acc<", ">eval_acc<", ">learning rate<")] == [True] * 4


def test_epochs_are_numbered_from_the_first() -> None:
    assert made().fit(DATA, batch_size=72, epochs=5, initial_epoch=3, verbose=0).epoch == [3, 4]


@pytest.mark.parametrize("stop", ["epoch", "step"])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_resumed_training_is_the_one_that_did_not_stop(stop: str, compiled: bool, tmp_path: Path) -> None:
    whole = made(to_static=compiled)
    expected = whole.fit(loader(), DATA, epochs=4, verbose=0)

    class Breaks(Callback):
        def on_train_batch_end(self, step: int, logs: Any = None) -> None:
            self.count = getattr(self, "count", 0) + 1
            if stop == "step" and self.count == 2 * 5 + 4:
                raise InterruptedError

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            if stop == "epoch" and epoch == 2:
                raise InterruptedError

    first = made(to_static=compiled)
    save = ModelCheckpoint(save_dir=tmp_path, save_steps=3)
    with pytest.raises(InterruptedError):
        first.fit(loader(), DATA, epochs=4, verbose=0, callbacks=[save, Breaks()])
    second = made(to_static=compiled)
    vt.seed(99)
    path = tmp_path / ("1" if stop == "epoch" else "last")
    again = second.fit(loader(), DATA, epochs=4, verbose=0, resume=path)
    for a, b in zip(weights(whole), weights(second), strict=True):
        np.testing.assert_array_equal(a, b)
    assert again.history["eval_loss"] == expected.history["eval_loss"]
    assert again.steps == expected.steps


class Noted(vt.io.Dataset):
    """Samples that note which they are, and that draw from NumPy and Python, as transforms do."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, float]] = []

    def __getitem__(self, k: int) -> Any:
        self.seen.append((k, np.random.random() + random.random()))
        return X[k], CLASSES[k]

    def __len__(self) -> int:
        return 12


ORDERS: dict[str, Any] = {
    "data set": lambda data: data,
    "NumPy's generator": lambda data: vt.io.DataLoader(
        data, batch_size=4, shuffle=True, generator=np.random.Generator(np.random.MT19937(3))
    ),
    "subset": lambda data: vt.io.DataLoader(
        data, batch_sampler=vt.io.BatchSampler(sampler=vt.io.SubsetRandomSampler(range(12)), batch_size=4)
    ),
    "weighted": lambda data: vt.io.DataLoader(
        data, batch_sampler=vt.io.BatchSampler(sampler=vt.io.WeightedRandomSampler([1.0] * 12, 12), batch_size=4)
    ),
    "distributed": lambda data: vt.io.DataLoader(
        data, batch_sampler=vt.io.DistributedBatchSampler(data, 4, 1, 0, shuffle=True)
    ),
    "iterator": lambda data: vt.io.DataLoader(
        data, batch_sampler=vt.io.BatchSampler(sampler=vt.io.RandomSampler(data, generator=cycle(range(12))), batch_size=4)
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", ["0", "last"])
@pytest.mark.parametrize("kind", ORDERS)
def test_the_order_of_samples_is_resumed(kind: str, path: str, tmp_path: Path) -> None:
    """With the same loader for training and evaluation, which moves the orders on between epochs."""
    passed = 2 * 12 if path == "0" else 2 * 12 + 2 * 4  # `last` is written at the second step of an epoch

    def run(seed: int, epochs: int, **options: Any) -> list[tuple[int, float]]:
        data = Noted()
        taken = ORDERS[kind](data)
        model = made()
        vt.seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        model.fit(taken, taken, epochs=epochs, batch_size=4, verbose=0, **options)
        return data.seen

    whole = run(1, 3)

    class Breaks(Callback):
        def on_train_batch_end(self, step: int, logs: Any = None) -> None:
            self.count = getattr(self, "count", 0) + 1
            if self.count == 3 + 3:
                raise InterruptedError

    save = ModelCheckpoint(save_dir=tmp_path, save_steps=2)
    with pytest.raises(InterruptedError):
        run(1, 3, callbacks=[save, Breaks()])
    again = run(2, 3, resume=tmp_path / path)
    assert again[len(again) - len(whole) + passed :] == whole[passed:]


def test_a_checkpoint_of_an_older_version_is_refused(tmp_path: Path) -> None:
    made().fit(DATA, batch_size=36, verbose=0, save_dir=tmp_path)
    state = vt.load(str(tmp_path / "0.pdstate"))
    vt.save(state | {"random": vt.get_rng_state()}, str(tmp_path / "0.pdstate"))
    with pytest.raises(vt.errors.ArtifactError, match="older version"):
        made().fit(DATA, batch_size=36, verbose=0, resume=tmp_path / "0")


def test_patience_is_resumed(tmp_path: Path) -> None:
    def stop() -> EarlyStopping:
        return EarlyStopping("loss", patience=3, min_delta=100.0, verbose=0)

    made().fit(DATA, DATA, batch_size=36, epochs=2, verbose=0, callbacks=stop(), save_dir=tmp_path)
    again = made().fit(DATA, DATA, batch_size=36, epochs=9, verbose=0, callbacks=stop(), resume=tmp_path / "1")
    assert again.epoch == [0, 1, 2, 3]


def test_a_checkpoint_without_a_position_is_refused(tmp_path: Path) -> None:
    model = made()
    model.save(str(tmp_path / "plain"))
    with pytest.raises(vt.errors.ArtifactError, match=r"plain\.pdstate is missing"):
        model.fit(DATA, batch_size=36, verbose=0, resume=tmp_path / "plain")


def test_the_best_state_is_kept(tmp_path: Path) -> None:
    model = made()
    best = ModelCheckpoint(save_dir=tmp_path, monitor="loss", save_best_only=True)
    history = model.fit(loader(), DATA, epochs=4, verbose=0, callbacks=best)
    assert {p.name for p in tmp_path.iterdir()} == {"best.pdparams", "best.pdopt", "best.pdstate"}
    model.load(str(tmp_path / "best"))
    assert model.evaluate(DATA, batch_size=16, verbose=0)["loss"] == pytest.approx([min(history["eval_loss"])])
    with pytest.raises(ValueError, match="needs a figure"):
        ModelCheckpoint(save_best_only=True)


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_table_has_the_evaluations(tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    history = made(vt.metric.Accuracy()).fit(
        DATA, DATA, batch_size=36, epochs=3, eval_freq=2, verbose=0, callbacks=CSVLogger(file), save_dir=tmp_path
    )
    rows = read(file)
    assert list(rows[0]) == ["epoch", "loss", "acc", "lr", "eval_loss", "eval_acc"]
    assert [float(row["eval_acc"] or "nan") for row in rows] == pytest.approx(history["eval_acc"], nan_ok=True)
    made(vt.metric.Accuracy()).fit(
        DATA, batch_size=36, epochs=4, verbose=0, callbacks=CSVLogger(file, append=True), resume=tmp_path / "2"
    )
    assert [row["epoch"] for row in read(file)] == ["0", "1", "2", "3"]


@pytest.mark.needs("tensorboard")
def test_tensorboard_reads_what_was_written(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    made().fit(DATA, DATA, batch_size=36, epochs=2, verbose=0, callbacks=TensorBoard(tmp_path))
    found = EventAccumulator(str(tmp_path))
    found.Reload()
    assert set(found.Tags()["tensors"] + found.Tags()["scalars"]) >= {"train/loss", "train/lr", "eval/loss"}


def test_visualdl_gets_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, int]] = []

    class LogWriter:
        def __init__(self, logdir: str) -> None:
            assert logdir == str(tmp_path)

        def add_scalar(self, tag: str, value: float, step: int) -> None:
            assert isinstance(value, float)
            written.append((tag, step))

        def close(self) -> None:
            written.append(("closed", 0))

    module = types.ModuleType("visualdl")
    module.LogWriter = LogWriter  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "visualdl", module)
    made().fit(DATA, DATA, batch_size=36, epochs=1, verbose=0, callbacks=VisualDL(tmp_path, log_freq=2))
    assert written == [("train/loss", 2), ("train/lr", 2), ("eval/loss", 2), ("closed", 0)]
    monkeypatch.setitem(sys.modules, "visualdl", None)
    with pytest.raises(ImportError, match="pip install visualdl"):
        made().fit(DATA, batch_size=36, verbose=0, callbacks=VisualDL(tmp_path))


def test_a_pair_of_arrays_is_a_data_set() -> None:
    a = made()
    a.fit((X, CLASSES), batch_size=24, shuffle=False, verbose=0)
    b = made()
    b.fit(DATA, batch_size=24, shuffle=False, verbose=0)
    for x, y in zip(weights(a), weights(b), strict=True):
        np.testing.assert_array_equal(x, y)
    with pytest.raises(TypeError, match=r"fit\(\(inputs, labels\)\)"):
        a.fit(X, CLASSES, verbose=0)


def test_the_rest_of_an_epoch_is_an_update() -> None:
    model = made()
    model.fit(DATA, batch_size=16, epochs=1, shuffle=False, verbose=0, accumulate_grad_batches=3)
    assert all(p.grad is None or not p.grad.numpy().any() for p in model.parameters())


@pytest.mark.parametrize("mode", ["train", "eval"])
def test_loops_of_ones_own_call_what_fit_calls(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []

    class Noting(Callback):
        def __getattribute__(self, name: str) -> Any:
            return (
                (lambda *args: seen.append((name, *args))) if name.startswith("on_") else super().__getattribute__(name)
            )

    called = config_callbacks(Noting(), made(), epochs=1, steps=1, verbose=2, save_dir=tmp_path, mode=mode)
    kinds = [type(c).__name__ for c in called.callbacks]
    training = mode == "train"
    assert kinds == ["ProgBarLogger", "Noting", *(["LRScheduler", "ModelCheckpoint"] if training else [])]
    called.on_begin(mode)
    if training:
        called.on_epoch_begin(0)
    called.on_batch_begin(mode, 0)
    called.on_batch_end(mode, 0, {"loss": 0.5})
    if training:
        called.on_epoch_end(0, {"loss": 0.5})
    called.on_end(mode, {"loss": 0.5})
    batch = [(f"on_{mode}_batch_begin", 0, None), (f"on_{mode}_batch_end", 0, {"loss": 0.5})]
    epoch = [("on_epoch_begin", 0, None), *batch, ("on_epoch_end", 0, {"loss": 0.5})]
    assert seen == [(f"on_{mode}_begin", None), *(epoch if training else batch), (f"on_{mode}_end", {"loss": 0.5})]
    assert "loss: 0.5000" in capsys.readouterr().out and (tmp_path / "final.pdparams").exists() == training


def test_progress_of_loops_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    bar = ProgressBar(4, width=4)
    bar.start()
    for step in (0, 2, 4):
        bar.update(step, [["loss", [0.5, np.float32(0.25)]], ("state", "good")])
    text = capsys.readouterr().out
    assert "step 2/4 [==..] - loss: 0.5000 0.2500 - state: good - " in text and text.endswith(" ms/step\n")
    ProgressBar(verbose=2, name="batch").update(1, [("loss", np.array([1.0]))])
    assert capsys.readouterr().out.startswith("batch 1 - loss: 1.0000 - ")
    ProgressBar(verbose=0).update(1)
    assert capsys.readouterr().out == ""
    with pytest.raises(TypeError, match="above 0, not -1"):
        ProgressBar(-1)
