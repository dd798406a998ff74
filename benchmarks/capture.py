"""How long a capture takes, and Python's share of a call that hits: `python benchmarks/capture.py`.

Goals: a function of 300 lines in at most 0.5 s; at most 5 µs besides the machine for 3 tensors and 60 parameters.
"""

from __future__ import annotations

import linecache
import time
import timeit
from collections.abc import Callable
from typing import Any

import vitrify as vt


def long_function(iterations: int = 100) -> Any:
    """A function of about three lines per iteration, every tenth a branch under a condition on a tensor."""
    lines = ["def long(x, y, z):"]
    for k in range(iterations):
        if k % 10:
            lines += [f"    x = x * {1 + k * 0.001} + y", f"    y = y - x / {k + 2.0}", "    z = (x + y).tanh()"]
        else:
            lines += [f"    if x.sum() > {k}.0:", "        x = x - 1.0", "    else:", "        y = y + z"]
    text = "\n".join([*lines, "    return x, y, z", ""])
    linecache.cache["<long>"] = (len(text), None, text.splitlines(True), "<long>")
    space: dict[str, Any] = {}
    exec(compile(text, "<long>", "exec"), space)
    return space["long"]


def seconds_to_capture(function: Any) -> float:
    """The time from `to_static` to the program, conversion included where it is the first."""
    spec = [vt.InputSpec([4], "float32")] * 3
    start = time.perf_counter()
    _ = vt.to_static(function, input_spec=spec).program
    return time.perf_counter() - start


def microseconds(*calls: Callable[[], Any]) -> list[float]:
    """The best average of each call, measured in turn, so that a busy machine disturbs all alike."""
    best = [float("inf")] * len(calls)
    for _ in range(100):
        for k, call in enumerate(calls):
            best[k] = min(best[k], timeit.timeit(call, number=200) / 200 * 1e6)
    return best


class Deep(vt.nn.Layer):
    """Thirty linear layers: sixty parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = vt.nn.LayerList([vt.nn.Linear(4, 4) for _ in range(30)])
        self.scale = 1.5

    def forward(self, x: Any, y: Any, z: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x * self.scale + y + z


def share_of_a_hit() -> list[float]:
    """The whole call and the machine's part of it, in microseconds."""
    net = vt.to_static(Deep())
    net.eval()
    given = [vt.ones([2, 4]) for _ in range(3)]
    with vt.no_grad():
        net(*given)
        call = net.forward
        entry = call.program_cache[-1]
        bound = next(iter(entry.runner.free.values()))[0]
        feeds, state = [t._storage.payload for t in given], entry.runner.state.arrays()
        return microseconds(lambda: call(*given), lambda: bound.call(feeds, state))


def main() -> None:
    """Print the figures."""
    vt.to_static(lambda x: x + 1)(vt.ones([2]))  # loads the rewriting half
    function = long_function()
    print(f"capture of {function.__code__.co_name}(), {len(linecache.getlines('<long>'))} lines: ", end="")
    print(f"{seconds_to_capture(function):.3f} s, again {seconds_to_capture(function):.3f} s")
    whole, machine = share_of_a_hit()
    print(f"a hit with 3 tensors and 60 parameters: {whole:.2f} µs, of it Python {whole - machine:.2f} µs")


if __name__ == "__main__":
    main()
