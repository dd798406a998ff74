"""What callbacks of `Model` are told where training ends and an evaluation begins."""

from __future__ import annotations

from typing import Any

import numpy as np

import vitrify as vt
from vitrify import nn


class Notes(vt.callbacks.Callback):
    """Keeps the logs."""

    def __init__(self) -> None:
        super().__init__()
        self.end: Any = None
        self.evaluations: list[Any] = []

    def on_train_end(self, logs: Any = None) -> None:
        self.end = logs

    def on_eval_begin(self, logs: Any = None) -> None:
        self.evaluations.append(logs)


def test_logs_at_the_end_and_before_an_evaluation() -> None:
    net = nn.Linear(2, 2)
    model = vt.Model(net)
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
    model.prepare(optimizer, nn.CrossEntropyLoss(), vt.metric.Accuracy())
    data = vt.io.TensorDataset([np.ones((5, 2), "float32"), np.zeros((5, 1), "int64")])
    notes = Notes()
    model.fit(data, data, batch_size=2, epochs=2, shuffle=False, verbose=0, callbacks=[notes])
    assert sorted(notes.end) == ["acc", "batch_size", "loss", "step"]
    assert (notes.end["acc"], notes.end["step"]) == (1.0, 2)
    assert notes.evaluations == [{"steps": 3, "metrics": ["loss", "acc"]}] * 2
