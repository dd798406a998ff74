"""Beam search as it is written down: candidates that share what they were made from, sorted by a run's scores, and cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F


def by_rows(x: Any) -> Any:
    beams: list[Any] = [((), 0.0)]
    for row in x:
        top, places = vt.topk(F.log_softmax(row, -1), 2)
        candidates = []
        for taken, score in beams:
            for t, i in zip(top, places, strict=True):
                candidates.append((taken + (i,), score + t))
        candidates.sort(key=lambda c: c[1], reverse=True)
        beams = candidates[:2]
    return [(list(taken), score) for taken, score in beams]


def by_number(x: Any) -> Any:
    beams: list[Any] = [((), 0.0)]
    for k in range(x.shape[0]):
        candidates = []
        for taken, score in beams:
            for t in x[k]:
                candidates.append(((*taken, t), score + t))
        beams = sorted(candidates, key=lambda c: -c[1])[:2]
    return beams


def one_line(x: Any) -> Any:
    taken, candidates = x[0] * 2, []
    for t in x:
        candidates.append(((taken, t), taken - t))
    return sorted(candidates, key=lambda c: c[1])[:2]


@pytest.mark.parametrize(("fn", "shape"), [(by_rows, (1, 4)), (by_rows, (3, 4)), (by_number, (4, 3)), (one_line, (4,))])
def test_the_beams_are_those_of_eager_mode(fn: Callable[..., Any], shape: tuple[int, ...]) -> None:
    compiled = vt.to_static(fn)
    for seed in range(3):
        x = vt.to_tensor(np.random.default_rng(seed).random(shape).astype("float32"))
        assert repr(compiled(x)) == repr(fn(x))


def test_names_decide_an_order_before_a_run_does() -> None:
    def logged(x: Any) -> Any:
        logs = {"loss": x.mean().item(), "acc": x.max().item(), "b": x.min()}
        return dict(sorted(logs.items())), [name for name, _ in sorted(logs.items(), reverse=True)]

    x = vt.to_tensor([1.0, 2.0])
    assert repr(vt.to_static(logged)(x)) == repr(logged(x))


def test_texts_of_numbers_are_quoted_in_a_dict(capsys: Any) -> None:
    def shown(xs: Any) -> None:
        for k, x in enumerate(xs):
            postfix = {"loss": f"{x.mean().item():.2f}", "n": f"at {x.sum():.1e}"}
            print(f"{k} {postfix}")

    xs = [vt.ones([2]), vt.ones([3]) * 1.5]
    shown(xs)
    eager = capsys.readouterr().out
    vt.to_static(shown)(xs)
    assert (
        capsys.readouterr().out
        == eager
        == "0 {'loss': '1.00', 'n': 'at 2.0e+00'}\n1 {'loss': '1.50', 'n': 'at 4.5e+00'}\n"
    )
