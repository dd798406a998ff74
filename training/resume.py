"""Where a training stands, so that it can be resumed exactly: epoch, step, random states, what callbacks count.

The state is plain: numbers, strings, lists and dicts, in the project's own file format.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..base.errors import ArtifactError
from ..data.loader import DataLoader
from ..dygraph.random_generators import get_rng_state
from ..dygraph.serialize import load, save
from .callback import CallbackList

ENDING = ".pdstate"


class Position:
    """How far a training has come: batches of `epoch` that are done, and the order of its samples."""

    def __init__(self, epoch: int, calls: CallbackList) -> None:
        self.epoch, self.step, self.calls = epoch, 0, calls
        self.order: str | None = None  # the state of the sampler's generator before the epoch, as JSON

    def begin_epoch(self, loader: DataLoader) -> None:
        """Note in which order the epoch takes its samples."""
        self.order = order_of(loader)

    def end_epoch(self, loader: DataLoader) -> None:
        """Note that the epoch is over: the next one begins with the present order."""
        self.epoch, self.step, self.order = self.epoch + 1, 0, order_of(loader)

    def save(self, path: str) -> None:
        """Write `path.pdstate`."""
        state = {
            "epoch": self.epoch, "step": self.step, "order": self.order, "random": get_rng_state(),
            "callbacks": [[type(c).__name__, json.dumps(c.state_dict())] for c in self.calls.callbacks],
        }  # fmt: skip
        save(state, path + ENDING)

    def load(self, path: str, loader: DataLoader, calls: CallbackList) -> list[Any]:
        """Go to where `path.pdstate` was written; returns the random state, to be set once passed batches are skipped.

        Errors: ArtifactError where there is no such file.
        """
        file = path + ENDING
        if not Path(file).is_file():
            raise ArtifactError(f"{file} is missing", remedy="resume from a checkpoint that `fit` saved")
        state = load(file)
        self.epoch, self.step, self.order = state["epoch"], state["step"], state["order"]
        set_order(loader, self.order)
        left = [(name, json.loads(text)) for name, text in state["callbacks"]]
        for callback in calls.callbacks:
            found = next((entry for entry in left if entry[0] == type(callback).__name__), None)
            if found is not None:
                left.remove(found)
                if found[1]:
                    callback.set_state_dict(found[1])
        return list(state["random"])


def generator_of(loader: DataLoader) -> Any:
    """NumPy's generator that shuffles a loader's samples; None where none does."""
    batches = loader.batch_sampler
    return getattr(getattr(batches, "sampler", None), "generator", None) or getattr(batches, "generator", None)


def order_of(loader: DataLoader) -> str | None:
    """The state of a loader's shuffling."""
    generator = generator_of(loader)
    return None if generator is None else json.dumps(generator.bit_generator.state)


def set_order(loader: DataLoader, order: str | None) -> None:
    """Set the state of a loader's shuffling."""
    generator = generator_of(loader)
    if generator is not None and order is not None:
        generator.bit_generator.state = json.loads(order)
