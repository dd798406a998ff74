"""`run` and `bench`: call a target on given or example inputs, and time such calls."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..base.table import table
from ..dygraph.modes import no_grad
from ..runtime.vm.team import get_num_threads, set_num_threads
from .inputs import given
from .outcome import Outcome, UsageError
from .target import Target, arrays_of, read

MOST_SHOWN = 16  # elements of an output that is printed whole


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    parser.add_argument("--output", metavar="FILE.npz", help="write the outputs there")


def run(options: argparse.Namespace) -> Outcome:
    """Call the target once and show its outputs."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    with no_grad():
        found = arrays_of(target.function(*args, **kwargs))
    if options.output is not None:
        try:
            np.savez(Path(options.output), **{f"output{name}": array for name, array in found})
        except OSError as error:
            raise UsageError(f"{options.output} can't be written: {error}") from error
    data = {"target": target.text, "inputs": [_facts(a) for _, a in arrays_of((args, kwargs))]}
    data["outputs"] = [_facts(array) for _, array in found]
    rows = [[name, f"{a.dtype}{list(a.shape)}", _shown(a)] for name, a in found]
    return Outcome(data, table(["output", "type", "values"], rows))


def _facts(array: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"dtype": str(array.dtype), "shape": list(array.shape)}
    if array.size <= MOST_SHOWN:
        facts["values"] = array.tolist() if array.dtype.kind in "bif" else [str(v) for v in array.reshape(-1)]
    if array.size and array.dtype.kind in "bif":
        facts |= {"min": float(array.min()), "max": float(array.max()), "mean": float(array.mean())}
    return facts


def _shown(array: Any) -> str:
    if array.size <= MOST_SHOWN:
        return " ".join(str(array).split())
    if array.dtype.kind not in "bif":
        return f"{array.size} elements"
    return f"min {array.min():.6g}, mean {array.mean():.6g}, max {array.max():.6g}"


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `bench`."""
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to measure (default 2)")
    parser.add_argument("--threads", type=int, default=None, help="threads that kernels are split among")
    parser.add_argument("--eager", action="store_true", help="time the function in eager mode, too")


def bench(options: argparse.Namespace) -> Outcome:
    """Time calls of the target, after one that compiles it."""
    if not options.seconds > 0:
        raise UsageError("--seconds must be more than 0")
    before = get_num_threads()
    if options.threads is not None:
        set_num_threads(options.threads)
    try:
        return _bench(options)
    finally:
        set_num_threads(before)


def _bench(options: argparse.Namespace) -> Outcome:
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    with no_grad():
        start = time.perf_counter()
        target.function(*args, **kwargs)
        first = time.perf_counter() - start
        ways = {"compiled": _times(lambda: target.function(*args, **kwargs), options.seconds)}
        if options.eager:
            eager = _eager(target)
            ways["eager"] = _times(lambda: eager(*args, **kwargs), options.seconds)
    data: dict[str, Any] = {"target": target.text, "threads": get_num_threads(), "first_call": first}
    data |= {name: _quantiles(times) for name, times in ways.items()}
    rows = [[name, *(_microseconds(v) for v in list(data[name].values())[:-1]), data[name]["calls"]] for name in ways]
    text = table(["", "min µs", "median µs", "90 % µs", "calls"], rows, right=[1, 2, 3, 4])
    return Outcome(data, f"{text}\nfirst call {first:.3f} s, {get_num_threads()} threads")


def _eager(target: Target) -> Callable[..., Any]:
    return target.compiled().dygraph_function  # type: ignore[no-any-return]


def _times(call: Callable[[], Any], seconds: float) -> list[float]:
    found: list[float] = []
    end = time.perf_counter() + seconds
    while not found or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return found


def _quantiles(times: list[float]) -> dict[str, Any]:
    ordered = sorted(times)
    ninety = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    return {"min": ordered[0], "median": statistics.median(ordered), "p90": ninety, "calls": len(ordered)}


def _microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f}"
