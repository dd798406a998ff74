"""Whether a process that goes on and on keeps its size: calls with changing shapes, then programs made and forgotten.

    python tools/long_run.py                                  # 10^6 calls, 10^5 programs
    python tools/long_run.py --calls 20000 --programs 200     # a short version, as the test does

Prints resident memory, open files and threads as it goes, and the slope of memory over the second half.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import vitrify as vt


@dataclass
class Record:
    """What the process held, at some counts of what it did."""

    what: str
    counts: list[int] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MB
    files: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def note(self, count: int) -> None:
        """Measure now."""
        gc.collect()
        self.counts.append(count)
        self.memory.append(resident())
        self.files.append(sum(1 for _ in Path("/proc/self/fd").iterdir()))
        self.threads.append(threading.active_count())

    @property
    def slope(self) -> float:
        """Bytes of resident memory per call or program over the second half."""
        half = len(self.counts) // 2
        counts, memory = np.array(self.counts[half:], float), np.array(self.memory[half:]) * 1e6
        return float(np.polyfit(counts, memory, 1)[0]) if len(counts) > 1 else float("nan")

    def __str__(self) -> str:
        half = len(self.counts) // 2
        start, middle, end = (f"{m:.1f} MB" for m in (self.memory[0], self.memory[half], self.memory[-1]))
        return (
            f"{self.counts[-1]} {self.what} in {self.seconds:.0f} s: resident {start} at {self.counts[0]}, "
            f"{middle} at {self.counts[half]}, {end} at the end; {self.slope:.2f} bytes each over the second half; "
            f"open files {self.files[0]} -> {self.files[-1]}, threads {self.threads[0]} -> {self.threads[-1]}"
        )


def resident() -> float:
    """Resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@vt.to_static
def changing(x: vt.Tensor) -> vt.Tensor:
    """What the calls run: a reduction, a chain and a branch, with gradients."""
    y = vt.tanh(x * 0.5) + x.mean()
    if y.sum() > 0:
        y = y * 2.0
    return vt.nn.functional.softmax(y, axis=-1).max()


def calls(count: int, marks: int = 20) -> Record:
    """Calls of one function with sizes that change; every tenth one goes backward too."""
    record, start = Record("calls"), time.monotonic()
    arrays = [np.linspace(-1, 1, 3 * n, dtype=np.float32).reshape(n, 3) for n in range(1, 101)]
    for number in range(1, count + 1):
        x = vt.to_tensor(arrays[number * 37 % 100], stop_gradient=number % 10 != 0)
        made = changing(x)
        if number % 10 == 0:
            made.backward()
        if number % max(count // marks, 1) == 0:
            record.note(number)
    record.seconds = time.monotonic() - start
    return record


def programs(count: int, marks: int = 20) -> Record:
    """Functions captured, compiled, called and dropped; a bounded number of different kernels."""
    record, start = Record("programs"), time.monotonic()
    x = vt.to_tensor(np.linspace(0, 1, 12, dtype=np.float32))
    for number in range(1, count + 1):
        factor = float(number % 50)

        def once(x: vt.Tensor, factor: float = factor) -> vt.Tensor:
            return vt.tanh(x * factor).sum() + factor

        vt.to_static(once)(x)
        if number % max(count // marks, 1) == 0:
            record.note(number)
    record.seconds = time.monotonic() - start
    return record


def main() -> int:
    """The command line; 1 where memory grows or something is left open."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10**6)
    parser.add_argument("--programs", type=int, default=10**5)
    parser.add_argument("--call-slope", type=float, default=2.0, help="bytes per call that are still flat")
    parser.add_argument("--program-slope", type=float, default=200.0, help="bytes per program that are still flat")
    given = parser.parse_args()
    bad = False
    for record, limit in ((calls(given.calls), given.call_slope), (programs(given.programs), given.program_slope)):
        print(record, flush=True)
        bad |= record.slope > limit or record.files[-1] > record.files[0] or record.threads[-1] > record.threads[0]
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
