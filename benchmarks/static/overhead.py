"""What `Executor.run` costs over the program itself: the median of a call less that of the executable alone.

python benchmarks/static/overhead.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import static


def median_us(call: Callable[[], Any], calls: int = 400, rounds: int = 15) -> float:
    """Microseconds of one call, the median over rounds of the fastest third."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        found.append((time.perf_counter() - start) / calls * 1e6)
    return float(np.median(sorted(found)[: max(rounds // 3, 1)]))


def forward(layers: int) -> tuple[Any, Any, Any]:
    """A program of small layers, its feed and its fetch."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = h = static.data("x", [None, 8])
        for _ in range(layers):
            h = static.nn.fc(h, 8, activation="tanh")
    static.Executor().run(startup)
    return main, {x.name: np.ones((2, 8), "float32")}, [h]


def training(layers: int) -> tuple[Any, Any, Any]:
    """The same with a loss and its updates."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = h = static.data("x", [None, 8])
        for _ in range(layers):
            h = static.nn.fc(h, 8, activation="tanh")
        loss = vt.mean(h * h)
        vt.optimizer.SGD(0.01).minimize(loss)
    static.Executor().run(startup)
    return main, {x.name: np.ones((2, 8), "float32")}, [loss]


def bare(program: Any, feed: Any) -> Callable[[], Any]:
    """The compiled program alone, on its arrays."""
    (ready,) = program.cache.values()
    arrays = ready._state(static.global_scope()).arrays
    feeds = [feed[name] for name in ready.built.feeds]
    bound = ready.executable.bind([*feeds, *arrays])
    return lambda: bound.call(feeds, arrays)


def main() -> None:
    """Print the table."""
    vt.enable_static()
    executor = static.Executor()
    print(f"{'program':24} {'run':>9} {'alone':>9} {'over it':>9}")
    for name, make, layers in (("forward, 1 layer", forward, 1), ("forward, 8 layers", forward, 8),
                               ("training, 2 layers", training, 2)):  # fmt: skip
        program, feed, fetch = make(layers)
        executor.run(program, feed=feed, fetch_list=fetch)
        whole = median_us(lambda p=program, f=feed, y=fetch: executor.run(p, feed=f, fetch_list=y))  # type: ignore[misc]
        alone = median_us(bare(program, feed))
        print(f"{name:24} {whole:7.1f}us {alone:7.1f}us {whole - alone:7.1f}us")


if __name__ == "__main__":
    main()
