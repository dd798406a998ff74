"""What `fit` returns: the figures of each epoch and step, as lists and as a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..base.table import table
from .callback import Callback, Logs
from .loggers import scalars

WIDTH, HEIGHT, LEFT, TOP, GAP = 420, 220, 52, 26, 20
COLORS = ("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2")


class History(Callback):
    """The figures of a training by name, one per epoch: `history["loss"]`, `history["eval_acc"]`, `history["lr"]`.

    `history.steps` has those of each step. `history.plot("curves.svg")` draws all; in a notebook it shows by itself.
    """

    def __init__(self) -> None:
        self.epoch: list[int] = []
        self.history: dict[str, list[float]] = {}
        self.steps: dict[str, list[float]] = {}

    def __getitem__(self, name: str) -> list[float]:
        return self.history[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.history)

    def __len__(self) -> int:
        return len(self.epoch)

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Note the step's figures."""
        for name, value in (scalars(logs) | self._rate()).items():
            self.steps.setdefault(name, []).append(value)

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Note the epoch's figures."""
        self.epoch.append(epoch)
        self._note(scalars(logs) | self._rate())

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Note those of the evaluation."""
        self._note({f"eval_{name}": value for name, value in scalars(logs).items()})

    def _rate(self) -> dict[str, float]:
        optimizer = getattr(self.model, "_optimizer", None)
        return {} if optimizer is None else {"lr": float(optimizer.get_lr())}

    def _note(self, figures: dict[str, float]) -> None:
        """A value for the last epoch; epochs without one (no evaluation) have NaN."""
        for name, value in figures.items():
            values = self.history.setdefault(name, [])
            values += [float("nan")] * (len(self.epoch) - 1 - len(values))
            values.append(value)

    def state_dict(self) -> dict[str, Any]:
        """All figures."""
        return {"epoch": self.epoch, "history": self.history, "steps": self.steps}

    def set_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from `state_dict`."""
        self.epoch = [int(x) for x in state["epoch"]]
        self.history = {name: list(values) for name, values in state["history"].items()}
        self.steps = {name: list(values) for name, values in state["steps"].items()}

    # ---- to look at

    def __repr__(self) -> str:
        names = list(self.history)
        columns = [values + [float("nan")] * (len(self.epoch) - len(values)) for values in self.history.values()]
        rows = [[e, *(f"{column[k]:.4g}" for column in columns)] for k, e in enumerate(self.epoch)]
        return table(["epoch", *names], rows, right=range(len(names) + 1))

    def _repr_html_(self) -> str:
        return self.plot()

    def plot(self, file: str | Path | None = None) -> str:
        """The figures over the epochs as SVG, `eval_…` beside its namesake; the learning rate over the steps."""
        groups: dict[str, list[tuple[str, list[float]]]] = {}
        for name, values in self.history.items():
            if name != "lr":
                groups.setdefault(name.removeprefix("eval_"), []).append((name, values))
        panels = [(title, "epoch", lines) for title, lines in groups.items()]
        if "lr" in self.steps:
            panels.append(("learning rate", "step", [("lr", self.steps["lr"])]))
        parts = [panel(k, title, axis, lines) for k, (title, axis, lines) in enumerate(panels)]
        height = len(panels) * (HEIGHT + GAP)
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'font-family="sans-serif" font-size="11">{"".join(parts)}</svg>'
        )
        if file is not None:
            Path(file).write_text(text)
        return text


def panel(number: int, title: str, axis: str, lines: Sequence[tuple[str, Sequence[float]]]) -> str:
    """One chart: a title, two axes with their ends, and a line per series."""
    top, bottom, right = TOP, HEIGHT - 24, WIDTH - 12
    finite = [v for _, values in lines for v in values if v == v and abs(v) != float("inf")]
    least, most = (min(finite), max(finite)) if finite else (0.0, 1.0)
    span = (most - least) or abs(most) or 1.0
    count = max(max((len(values) for _, values in lines), default=1) - 1, 1)

    def place(k: int, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * k / count, bottom - (bottom - top) * (value - least) / span

    made = [
        f'<g transform="translate(0 {number * (HEIGHT + GAP)})" fill="#777" stroke-width="1">',
        f'<text x="{LEFT}" y="14" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{LEFT} {top}V{bottom}H{right}" fill="none" stroke="#999"/>',
        f'<text x="{LEFT - 6}" y="{top + 8}" text-anchor="end">{most:.3g}</text>',
        f'<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">{least:.3g}</text>',
        f'<text x="{right}" y="{HEIGHT - 8}" text-anchor="end">{axis} {count + 1}</text>',
    ]
    for k, (name, values) in enumerate(lines):
        color = COLORS[k % len(COLORS)]
        points = [place(i, v) for i, v in enumerate(values) if v == v and abs(v) != float("inf")]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        made.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="1.6"/>' if points else "")
        if len(points) == 1:
            made.append(f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="2.5" fill="{color}"/>')
        made.append(f'<text x="{right - 4}" y="{14 + 13 * k}" text-anchor="end" fill="{color}">{escape(name)}</text>')
    return "".join([*made, "</g>"])
