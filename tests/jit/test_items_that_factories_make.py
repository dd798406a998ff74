"""Items that a defaultdict makes by a factory of the user's, in a call: meters of training loops."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import vitrify as vt


class Meter:
    def __init__(self) -> None:
        self.total, self.count = 0.0, 0

    def update(self, value: Any, n: int = 1) -> None:
        self.total += value * n
        self.count += n


class Logger:
    def __init__(self) -> None:
        self.meters: defaultdict[str, Meter] = defaultdict(Meter)
        self.seen: defaultdict[str, Any] = defaultdict(lambda: [0])

    def update(self, **values: Any) -> None:
        for name, value in values.items():
            self.meters[name].update(value.item() if isinstance(value, vt.Tensor) else value)
            self.seen[name][0] += 1


def told(logger: Logger) -> Any:
    meters = {k: (float(m.total), m.count) for k, m in logger.meters.items()}
    return meters, {k: [int(n) for n in v] for k, v in logger.seen.items()}


def test_meters_are_those_of_eager_mode() -> None:
    loggers = [Logger(), Logger()]

    def step(logger: Logger, x: Any, name: str) -> Any:
        logger.update(loss=x.mean(), lr=0.5)
        logger.update(**{name: x.max()})
        return x * 2

    compiled = vt.to_static(step)
    for k, name in enumerate(["a", "a", "b", "a"]):
        x = vt.to_tensor([1.0, 2.0]) * k
        for logger, fn in zip(loggers, (step, compiled), strict=True):
            assert fn(logger, x, name).tolist() == (x * 2).tolist()
        assert told(loggers[0]) == told(loggers[1])


def test_a_key_that_is_a_text() -> None:
    results = []
    for compiles in (False, True):
        meters: defaultdict[str, Meter] = defaultdict(Meter)

        def step(x: Any, meters: Any = meters) -> Any:
            meters["loss"].update(x.mean().item())
            meters["steps"].update(1)
            return x

        fn = vt.to_static(step) if compiles else step
        for k in range(4):
            fn(vt.ones([2]) * k)
        results.append({k: (float(m.total), m.count) for k, m in meters.items()})
    assert results[0] == results[1]
