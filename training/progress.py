"""Progress on the terminal: a bar per epoch, or lines; what compiles before a step is said."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import KindError
from ..base.events import watch
from .callback import Callback, Logs

WIDTH = 24  # of the bar, in characters
OFTEN = 0.1  # seconds between two pictures of a bar


class Bar:
    """A line that is written over: steps done of all, figures. On anything but a terminal only its last state shows."""

    def __init__(self, total: int | None, first: int = 0) -> None:
        self.total, self.done, self.text = total, first, ""
        self.start, self.shown, self.first = time.perf_counter(), 0.0, first
        self.is_live = sys.stdout.isatty()

    def step(self, done: int, text: str) -> None:
        """One more step is done."""
        self.done, self.text = done, text
        now = time.perf_counter()
        if self.is_live and (now - self.shown > OFTEN or done == self.total):
            self.shown = now
            self.write(self.line())

    def line(self) -> str:
        """The bar as text."""
        spent = time.perf_counter() - self.start
        took = f"{1e3 * spent / max(self.done - self.first, 1):.0f} ms/step"
        if self.total:
            filled = round(WIDTH * self.done / self.total)
            return f"{self.done}/{self.total} [{'=' * filled}{'.' * (WIDTH - filled)}] {took} - {self.text}"
        return f"{self.done} steps, {took} - {self.text}"

    def write(self, text: str) -> None:
        """Show a text in the place of the last one."""
        width = shutil.get_terminal_size().columns - 1
        sys.stdout.write("\r" + text[:width].ljust(width))
        sys.stdout.flush()

    def close(self, text: str) -> None:
        """The last state, with a line break."""
        self.text = text or self.text
        if self.is_live:
            self.write(self.line())
            sys.stdout.write("\n")
        else:
            print(self.line())


class ProgressBar:
    """Progress of loops of one's own: `update(done, [(name, figure), …])` writes a bar (verbose=1) or a line (2).

    num: how many steps there are, or None. Errors: KindError for a number below 1.

    >>> ProgressBar(4, verbose=2, name="batch").update(2, [("loss", 0.25)])  # doctest: +ELLIPSIS
    batch 2/4 - loss: 0.2500 - ...
    """

    def __init__(
        self, num: int | None = None, width: int = WIDTH, verbose: int = 1, start: bool = True, file: Any = None,
        name: str = "step",
    ) -> None:  # fmt: skip
        if isinstance(num, int) and num <= 0:
            raise KindError(f"num must be None or a number above 0, not {num}")
        self._num, self._width, self._verbose, self.file, self.name = num, width, verbose, file, name
        self._start = time.perf_counter()

    def start(self) -> None:
        """Begin to measure the time anew."""
        self._start = time.perf_counter()

    def update(self, current_num: float, values: Any = ()) -> None:
        """So many steps are done; values: pairs of a name and a figure, or figures."""
        if not self._verbose:
            return
        took = (time.perf_counter() - self._start) / current_num if current_num else 0.0
        parts = [f"{self.name} {current_num}" + (f"/{self._num}" if self._num else "")]
        parts += [f"{name}: {_figures(value)}" for name, value in values]
        parts.append(f"{1e3 * took:.0f} ms/{self.name}")
        file = sys.stdout if self.file is None else self.file
        if self._verbose != 1 or self._num is None:
            file.write(" - ".join(parts) + "\n")
        else:
            filled = min(round(self._width * current_num / self._num), self._width)
            parts[0] += f" [{'=' * filled}{'.' * (self._width - filled)}]"
            file.write("\r" + " - ".join(parts) + ("\n" if current_num >= self._num else ""))
        file.flush()


def _figures(value: Any) -> str:
    numbers = value if isinstance(value, list | tuple) else np.ravel(value)
    return " ".join(str(n) if isinstance(n, str) else f"{float(n):.4f}" for n in numbers)


class ProgBarLogger(Callback):
    """Progress on the terminal: a bar per epoch (verbose=1), or a line per `log_freq` steps and for the last one (2).

    While kernels compile it says so, with their number.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        self.log_freq, self.verbose = log_freq, verbose
        self._bar: Bar | None = None
        self._steps: int | None = None
        self._last = self._told = 0
        self._compiling = contextlib.ExitStack()
        self._start = 0.0

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """Say which epoch."""
        if self.verbose:
            print(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self._begin("steps", self.params.get("first_step", 0))

    def on_eval_begin(self, logs: Logs | None = None) -> None:
        """Start the evaluation's progress."""
        if self.verbose:
            print("Eval begin...")
        self._begin("eval_steps")

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        """Start the predictions' progress."""
        if self.verbose:
            print("Predict begin...")
        self._begin("predict_steps")

    def on_train_batch_end(self, step: int, logs: Logs | None = None) -> None:
        """Show a step."""
        self._last = step + 1
        if self._bar is not None:
            self._bar.step(self._last, shown(logs))
        elif self.verbose and self._last % self.log_freq == 0:
            self._line(logs)

    on_eval_batch_end = on_predict_batch_end = on_train_batch_end

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """Show the epoch's last figures."""
        self._end(logs)

    def on_eval_end(self, logs: Logs | None = None) -> None:
        """Show the evaluation's result: the mean loss over all samples, and the metrics."""
        self._told = -1  # the last line had the loss of one batch
        self._end(logs)
        if self.verbose:
            print(f"Eval samples: {(logs or {}).get('samples', '?')}")

    def on_predict_end(self, logs: Logs | None = None) -> None:
        """Close the progress."""
        self._end(logs)

    def _begin(self, steps: str, first: int = 0) -> None:
        self._steps, self._last, self._told = self.params.get(steps), 0, 0
        self._start = time.perf_counter()
        if self.verbose == 1:
            self._bar = Bar(self._steps, first)
        if self.verbose:
            self._compiling.enter_context(watch(compiling(self._bar)))

    def _line(self, logs: Logs | None) -> None:
        self._told = self._last
        took = 1e3 * (time.perf_counter() - self._start) / max(self._last - self.params.get("first_step", 0), 1)
        print(f"step {self._last}/{self._steps or '?'} - {shown(logs)} - {took:.0f} ms/step")

    def _end(self, logs: Logs | None) -> None:
        self._compiling.close()
        if self._bar is not None:
            self._bar.close(shown(logs))
            self._bar = None
        elif self.verbose and self._last and self._told != self._last:
            self._line(logs)


def compiling(bar: Bar | None) -> Callable[[str, int, int], None]:
    """Says how many kernels of a program are compiled: in the bar, or in lines at most twice a second."""
    last = [0.0, False]

    def told(name: str, done: int, total: int) -> None:
        now = time.perf_counter()
        often = OFTEN if bar is not None else 1.0
        if name != "kernels" or now - last[0] < often:
            return
        first, last[0] = last[0] == 0.0, now
        text = f"compiling ({done} of {total} kernels)"
        if bar is not None and bar.is_live:
            bar.write(f"{bar.done}/{bar.total or '?'} {text}")
        elif not first:  # a program that takes less than a second isn't worth a line
            print(text, flush=True)

    return told


def shown(logs: Logs | None) -> str:
    """Losses and metrics as text."""
    parts = []
    for name, value in (logs or {}).items():
        if name in ("samples", "step", "batch_size"):
            continue
        numbers: Any = value if isinstance(value, (list, tuple)) else [value]
        parts.append(f"{name}: " + " ".join(f"{float(n):.4f}" for n in np.ravel(numbers)))
    return " - ".join(parts)
