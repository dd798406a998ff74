"""How random functions are captured: `python benchmarks/capture_random.py --seed 8000 --count 90`.

Prints how many are refused, and the processor time of the captures that a function needs for three calls, the longest of
each. Goals: at most 2 % refused, 95 % in less than 10 s. Whether the programs are right is tested elsewhere
(tests/jit/test_random_functions.py, `python -m vitrify.testing.fuzz --kind functions`).
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import vitrify as vt
from vitrify.testing.functions import random_arguments, random_function
from vitrify.testing.fuzz.functions import load_function

ARRAYS = [([3], "float32"), ([3], "float32"), ([4], "int64")]  # x, y and k


def seconds_to_capture(text: str, seed: int, m: int) -> tuple[float, str]:
    """Processor time, and the first line of the error where it is refused."""
    specs: list[Any] = [vt.InputSpec(shape, dtype) for shape, dtype in ARRAYS]
    function = vt.to_static(load_function(text, f"<random {seed}>"), input_spec=[*specs, m])
    start, refused = time.process_time(), ""
    try:
        _ = function.program
    except vt.errors.CaptureError as error:
        refused = str(error).splitlines()[0]
    except (ValueError, LookupError, TypeError, NameError):
        pass  # what the function raises on all paths
    return time.process_time() - start, refused


def main() -> None:
    """Print a line for each function that is refused or slow, then the figures of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--count", type=int, default=90, help="of functions")
    given = parser.parse_args()
    times, refusals = [], 0
    for seed in range(given.seed, given.seed + given.count):
        text = random_function(seed, size=8 + seed % 8)
        numbers = dict.fromkeys(call[3] for call in random_arguments(seed, 3))
        made = [seconds_to_capture(text, seed, m) for m in numbers]
        times.append(max(seconds for seconds, _ in made))
        reason = next((r for _, r in made if r), "")
        refusals += bool(reason)
        if reason or times[-1] > 5:
            print(f"seed {seed}: {times[-1]:.1f} s {reason}")
    times.sort()
    print(f"{refusals} of {len(times)} functions are refused")
    print(f"95 % are captured in {times[math.ceil(0.95 * len(times)) - 1]:.1f} s, the slowest in {times[-1]:.1f} s")


if __name__ == "__main__":
    main()
