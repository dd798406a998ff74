"""Where a training stands, so that it can be resumed exactly: epoch, step, random states, what callbacks count.

The state is plain: numbers, strings, lists and dicts, in the project's own file format.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArtifactError
from ..data.loader import DataLoader
from ..dygraph.modes import outside_static
from ..dygraph.random_generators import get_rng_state, set_rng_state
from ..dygraph.serialize import load, save
from .callback import CallbackList

ENDING = ".pdstate"


class Position:
    """How far a training has come: batches of `epoch` that are done, and the order of its samples."""

    def __init__(self, epoch: int, calls: CallbackList) -> None:
        self.epoch, self.step, self.calls = epoch, 0, calls
        self.order: dict[str, Any] = {}  # what the order of the epoch's samples comes from, as it was before them
        self.between: DataLoader | None = None  # that of the training, between two epochs

    def begin_epoch(self, loader: DataLoader) -> None:
        """Note in which order the epoch takes its samples."""
        self.order, self.between = order_of(loader), None

    def end_epoch(self, loader: DataLoader) -> None:
        """Note that the epoch is over: the next one begins with the order at that time, behind an evaluation."""
        self.epoch, self.step, self.between = self.epoch + 1, 0, loader

    def save(self, path: str) -> None:
        """Write `path.pdstate`."""
        if self.between is not None:
            self.order = order_of(self.between)
        state = {
            "epoch": self.epoch, "step": self.step, "order": _text(self.order), "random": _text(random_states()),
            "callbacks": [[type(c).__name__, json.dumps(c.state_dict())] for c in self.calls.callbacks],
        }  # fmt: skip
        save(state, path + ENDING)

    def load(self, path: str, loader: DataLoader, calls: CallbackList) -> dict[str, Any]:
        """Go to where `path.pdstate` was written; returns the random states, to be set once passed batches are skipped.

        Errors: ArtifactError where there is no such file, or where an older version wrote it.
        """
        file = path + ENDING
        if not Path(file).is_file():
            raise ArtifactError(f"{file} is missing", remedy="resume from a checkpoint that `fit` saved")
        state = load(file)
        if not isinstance(state["random"], str):
            raise ArtifactError(
                f"{file} is of an older version, which didn't keep the order of samples",
                remedy="use `load`, and `fit` with `initial_epoch`",
            )
        self.epoch, self.step, self.order = state["epoch"], state["step"], json.loads(state["order"])
        set_order(loader, self.order)
        left = [(name, json.loads(text)) for name, text in state["callbacks"]]
        for callback in calls.callbacks:
            found = next((entry for entry in left if entry[0] == type(callback).__name__), None)
            if found is not None:
                left.remove(found)
                if found[1]:
                    callback.set_state_dict(found[1])
        states: dict[str, Any] = json.loads(state["random"]) if self.step else self.order["random"]
        return states


def _text(states: dict[str, Any]) -> str:
    """States of generators as JSON; arrays become lists, which the generators take, too."""
    return json.dumps(states, default=lambda array: array.tolist())


def random_states() -> dict[str, Any]:
    """The states of what a process draws from: ours, and the global ones of NumPy and Python, which samplers without
    a generator, data sets and transforms use.
    """
    with outside_static():
        ours = [state.numpy() for state in get_rng_state()]
    return {"vitrify": ours, "numpy": np.random.get_state(legacy=False), "python": random.getstate()}


def set_random_states(states: dict[str, Any]) -> None:
    """Go back to what `random_states` gave, also by way of JSON."""
    set_rng_state([np.asarray(state, np.int64) for state in states["vitrify"]])
    np.random.set_state(states["numpy"])
    version, words, rest = states["python"]
    random.setstate((version, tuple(words), rest))


def generator_of(loader: DataLoader) -> Any:
    """NumPy's generator that shuffles a loader's samples; None where none does."""
    batches = loader.batch_sampler
    found = getattr(getattr(batches, "sampler", None), "generator", None) or getattr(batches, "generator", None)
    return found if hasattr(found, "bit_generator") else None


def order_of(loader: DataLoader) -> dict[str, Any]:
    """What the order of a loader's next walk comes from: generators, and how many walks there were."""
    generator = generator_of(loader)
    return {
        "generator": None if generator is None else generator.bit_generator.state,
        "epoch": getattr(loader.batch_sampler, "epoch", None),
        "walks": loader.walks,
        "random": random_states(),
    }


def set_order(loader: DataLoader, order: dict[str, Any]) -> None:
    """Let a loader's next walk be in the order that `order_of` tells."""
    generator, set_epoch = generator_of(loader), getattr(loader.batch_sampler, "set_epoch", None)
    if generator is not None and order["generator"] is not None:
        generator.bit_generator.state = order["generator"]
    if order["epoch"] is not None and set_epoch is not None:
        set_epoch(order["epoch"])
    loader.walks = order["walks"]
    set_random_states(order["random"])
