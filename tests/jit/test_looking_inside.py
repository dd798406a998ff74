"""What compiled functions show: stages and their differences, kernels with their groups, the memory plan, reasons."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.shown import Shown
from vitrify.ir.parser import parse_program


def loop(x: Any, n: Any) -> Any:
    s = vt.nn.functional.softmax(vt.tanh(x), axis=-1)
    i = vt.zeros([], "int64")
    while i < n:
        s = s * 0.5 + vt.sin(s)
        i = i + 1
    return s.sum()


@pytest.fixture(scope="module")
def called() -> Any:
    """A function with a loop that ran forward and backward."""
    f = vt.to_static(loop)
    x = vt.to_tensor(np.linspace(-1.0, 1.0, 32, dtype="float32").reshape(4, 8), stop_gradient=False)
    f(x, vt.to_tensor(3)).backward()
    return f


def test_every_stage_can_be_asked_for_by_its_name(called: Any) -> None:
    names = called.stages
    assert names[0] == "captured"
    of_program = names[: names.index("linearised")]
    assert of_program[-1].startswith("after sink_updates")
    assert len(set(names)) == len(names)
    for name in names[len(of_program) :]:
        assert called.dump(name).startswith("steps @")
    for name in of_program:
        text = called.dump(name)
        assert str(parse_program(text)) == text
    assert called.dump("after sink_updates") == called.dump()
    assert called.dump("fusion") == called.dump("after fuse")
    assert called.dump("dce.1") != called.dump("dce")
    assert "gradient" in called.dump("captured", backward=True)


def test_a_difference_shows_what_one_pass_did(called: Any) -> None:
    text = called.dump_diff("licm")
    assert text.splitlines()[0].startswith("--- after")
    assert "+++ after licm" in text
    assert any(line.startswith("+") and "constant" in line for line in text.splitlines()[2:])
    every = called.dump_diff()
    assert text in every
    assert "+++ after fuse" in every
    assert called.dump_diff("captured", "captured").endswith("(the same)")
    assert called.dump_diff("captured", "fuse").startswith("--- captured\n+++ after fuse")
    assert "+++ after fuse" in called.dump_diff("fuse", backward=True)


def test_a_function_without_gradients_has_no_backward_text() -> None:
    f = vt.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    with pytest.raises(ValueError, match="has no backward program"):
        f.dump(backward=True)


def test_kernels_know_group_reason_and_lines(called: Any) -> None:
    kernels = called.kernels
    softmax = next(text for name, text in kernels.items() if name.startswith("tanh"))
    assert softmax.startswith("# numerics: ieee\ndef body(")
    assert softmax.reason == "same domain"
    assert "exp" in softmax.group
    assert any("vt.nn.functional.softmax" in line for line in softmax.lines)
    assert all(text.group and text.lines for text in kernels.values())
    shown = str(kernels)
    compile(shown, "kernels", "exec")  # groups and lines are comments
    for name in kernels:
        assert f"# {name}" in shown


def test_the_memory_plan_draws_lifetimes(called: Any) -> None:
    plan = called.memory_plan
    rows = [line for line in str(plan).splitlines() if "█" in line]
    assert len(rows) == len(plan.buffers)
    widths = {len(line.split()[-1]) for line in rows}
    assert len(widths) == 1
    for line, (*_, first, last) in zip(rows, plan.buffers, strict=True):
        bar = line.split()[-1]
        assert (bar[0] == "█") == (first == 0)
        assert bar.strip("·").count("█") == len(bar.strip("·"))
        assert last >= first


def test_the_memory_plan_counts_what_only_a_run_knows() -> None:
    f = vt.to_static(lambda x: x[x > 0] * 2)
    f(vt.to_tensor([1.0, -1.0, 2.0]))
    plan = f.memory_plan
    assert plan.unknown > 0
    assert "whose size only a run knows" in str(plan)


def test_explain_says_where_the_time_went_and_what_is_apart(called: Any) -> None:
    text = called.explain()
    for part in (
        "capture",
        "passes",
        "lower",
        "schedule",
        "kernels",
        "gradient",
        "control flow",
        "`while`",
        "first call",
    ):
        assert part in text
    assert any(a.rule == "control flow" for a in called.unfused)
    assert "test_looking_inside.py" in text


def test_texts_show_as_they_are(called: Any) -> None:
    text = called.dump()
    assert isinstance(text, Shown)
    assert repr(text) == str(text) == text
    assert type(str(text)) is str
    assert repr(called.kernels) == str(called.kernels)
    assert repr(called.memory_plan) == str(called.memory_plan)


@pytest.mark.skipif(importlib.util.find_spec("rich") is None, reason="needs rich")
def test_rich_colours_texts(called: Any) -> None:
    from rich.console import Console

    console = Console(width=200, force_terminal=True, color_system="truecolor")
    for shown in (called.code, called.dump(), called.dump_diff(), called.kernels, called.explain()):
        with console.capture() as capture:
            console.print(shown)
        coloured = capture.get()
        assert "\x1b[" in coloured or getattr(shown, "kind", "") == "table"
        plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert str(shown).splitlines()[0].rstrip() in plain
