"""Layers are what PaddlePaddle's are: state, attributes that forward reads, results, gradients, what setting them does.

The facts in paddle_layers.jsonl were made by tools/paddle_layers.py. paddle_layers_differences.tsv lists where ours
differ on purpose: what ("state", "result", "read NAME", "poke NAME"), patterns of cases, the reason.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import warnings
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt

HERE = Path(__file__).parent
TOOL = Path(__file__).parents[3] / "tools" / "paddle_layers.py"


@cache
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("paddle_layers", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def bench() -> Any:
    return tool().Bench(vt)


FACTS = [json.loads(line) for line in (HERE / "paddle_layers.jsonl").read_text().splitlines()]
CASES = {case.text: case for case in tool().cases()}
NAMES = [fact["case"] for fact in FACTS]
DIFFERENCES = [
    line.split("\t") for line in (HERE / "paddle_layers_differences.tsv").read_text().splitlines() if line[:1] != "#"
]


def faults(fact: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a layer differs from PaddlePaddle's: (what, both sides)."""
    case = CASES[fact["case"]]
    layer = bench().made(case)
    state = [[key, list(item.shape), item.dtype.name] for key, item in layer.state_dict().items()]
    if state != fact["state"]:
        yield "state", f"{state}, not {fact['state']}"
    for name, value in fact["reads"].items():
        found = tool().shown(getattr(layer, name)) if hasattr(layer, name) else "nothing"
        if name not in tool().INSIDE and found != value:
            yield f"read {name}", f"{found!r}, not {value!r}"
    yield from _different("result", fact["result"], lambda: bench().result(case, layer, gradients=True))
    for name, value, wanted in fact["pokes"]:
        yield from _different(f"poke {name}", wanted, lambda n=name, v=value: bench().poked(case, n, v))


def _different(what: str, wanted: Any, made: Any) -> Iterator[tuple[str, str]]:
    try:
        found = made()
    except (vt.errors.VitrifyError, KeyError) as error:
        found = f"{type(error).__name__}: {error}"
    if isinstance(found, str) or not tool().agree(found, wanted):
        yield what, f"{found}, not {wanted}"


def is_meant(what: str, case: str) -> bool:
    return any(fnmatchcase(what, kind) and fnmatchcase(case, name) for kind, name, _ in DIFFERENCES)


@pytest.mark.parametrize("fact", FACTS, ids=NAMES)
def test_a_layer_is_what_paddles_is(fact: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = [(what, text) for what, text in faults(fact) if not is_meant(what, fact["case"])]
    assert not found


def test_every_difference_that_is_listed_is_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = [
            (what, fact["case"])
            for fact in FACTS
            if any(fnmatchcase(fact["case"], name) for _, name, _ in DIFFERENCES)
            for what, _ in faults(fact)
        ]
    for kind, name, reason in DIFFERENCES:
        assert any(fnmatchcase(what, kind) and fnmatchcase(case, name) for what, case in found), (kind, name, reason)


def first_pokes() -> list[tuple[str, str, Any, Any]]:
    """One poke for each attribute of each kind of layer."""
    seen: set[tuple[str, str]] = set()
    chosen = []
    for fact in FACTS:
        kind = fact["case"].removeprefix("eval ").partition("(")[0]
        for name, value, wanted in fact["pokes"]:
            if (kind, name) not in seen and not is_meant(f"poke {name}", fact["case"]) and wanted != fact["result"]:
                seen.add((kind, name))
                chosen.append((fact["case"], name, value, wanted))
    return chosen


@pytest.mark.parametrize(("text", "name", "value", "wanted"), first_pokes(), ids=lambda v: str(v)[:40])
def test_a_compiled_layer_sees_an_attribute_that_was_set(text: str, name: str, value: Any, wanted: Any) -> None:
    case = CASES[text]
    layer = bench().made(case)
    compiled = vt.jit.to_static(layer, numerics="reference")
    kept = {key: item.numpy().copy() for key, item in layer.state_dict().items()}
    bench().outputs(compiled, case)
    for key, item in layer.state_dict().items():
        item.set_value(kept[key])
    setattr(layer, name, value)
    assert tool().agree(bench().result(case, compiled), wanted)


def test_a_loss_over_alignments_is_computed_again_with_gradients() -> None:
    """The second call takes the eager plan: it used to be refused, as the second result has no second gradient."""
    x = vt.to_tensor([[[0.1, 0.5, -0.2]], [[0.3, 0.1, 0.9]]], stop_gradient=False)
    label, times, length = vt.to_tensor([[1]]), vt.to_tensor([2]), vt.to_tensor([1])
    losses = [vt.nn.functional.ctc_loss(x, label, times, length) for _ in range(3)]
    assert len({float(loss) for loss in losses}) == 1
    losses[2].backward()
    assert x.grad is not None


@pytest.mark.parametrize("zero_infinity", [False, True])
def test_labels_that_cannot_be_aligned_cost_nothing(zero_infinity: bool) -> None:
    x = vt.to_tensor([[[0.1, 0.5, -0.2]]], stop_gradient=False)
    layer = vt.nn.CTCLoss(reduction="sum", zero_infinity=zero_infinity)
    loss = layer(x, vt.to_tensor([[1, 2]]), vt.to_tensor([1]), vt.to_tensor([2]))
    loss.backward()
    assert float(loss) == 0.0
    assert x.grad.tolist() == [[[0.0, 0.0, 0.0]]]
