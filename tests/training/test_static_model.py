"""A Model in static mode computes what it computes in eager mode, by programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.static import InputSpec

rng = np.random.default_rng(0)
ROWS = rng.random((16, 4)).astype(np.float32)
LABELS = (ROWS.sum(1) > 2).astype(np.int64)[:, None]
WEIGHTS = np.linspace(-1, 1, 8, dtype=np.float32).reshape(4, 2)


def made(path: Path | None = None) -> tuple[list[Any], vt.Model]:
    """What a model gives before, while and after it is trained on batches; with a path it is saved and read."""
    network = nn.Linear(4, 2, weight_attr=nn.initializer.Assign(WEIGHTS))
    model = vt.Model(network, [InputSpec([None, 4], "float32", "rows")], [InputSpec([None, 1], "int64", "labels")])
    model.prepare(vt.optimizer.Adam(0.05, parameters=model.parameters()), nn.CrossEntropyLoss(), vt.metric.Accuracy())
    found = [model.predict_batch([ROWS])[0]]
    found += [model.train_batch([ROWS], [LABELS])[0][0] for _ in range(3)]
    losses, accuracy = model.eval_batch([ROWS], [LABELS])
    found += [losses[0], np.asarray(accuracy)]
    if path is not None:
        model.save(str(path))
        model.load(str(path))
    model.fit((ROWS, LABELS), batch_size=8, epochs=1, verbose=0, shuffle=False)
    figures = model.evaluate((ROWS, LABELS), batch_size=8, verbose=0)
    return [*found, figures["loss"], *model.predict((ROWS, LABELS), batch_size=8, stack_outputs=True, verbose=0)], model


def test_programs_give_what_eager_mode_gives(tmp_path: Path) -> None:
    eager, _ = made()
    vt.enable_static()
    try:
        static, model = made(tmp_path / "m")
        with pytest.raises(ValueError, match="isn't there in static mode"):
            model.train_batch([ROWS], [LABELS], update=False)
    finally:
        vt.disable_static()
    for one, other in zip(eager, static, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_static_mode_needs_the_specs() -> None:
    vt.enable_static()
    try:
        with pytest.raises(ValueError, match="needs the InputSpecs"):
            vt.Model(nn.Linear(2, 2))
    finally:
        vt.disable_static()


def test_a_resumed_training_is_the_one_that_did_not_stop(tmp_path: Path) -> None:
    """Its weights' first values are drawn before the random numbers go on, dropout's and the order of samples."""

    def model() -> vt.Model:
        network = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        taken = vt.Model(network, [InputSpec([None, 4], "float32", "a")], [InputSpec([None, 1], "int64", "b")])
        taken.prepare(vt.optimizer.SGD(0.5, parameters=taken.parameters()), nn.CrossEntropyLoss())
        return taken

    vt.enable_static()
    try:
        options: dict[str, Any] = {"batch_size": 8, "epochs": 3, "verbose": 0}
        whole = model().fit((ROWS, LABELS), save_dir=tmp_path, **options)
        vt.seed(77)
        np.random.seed(77)
        again = model().fit((ROWS, LABELS), resume=tmp_path / "0", **options)
    finally:
        vt.disable_static()
    assert len(set(whole.steps["loss"])) == 6
    assert again.steps["loss"] == whole.steps["loss"]
