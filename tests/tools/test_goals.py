"""The verdicts of `make bench`: held, missed and not measured are never mixed up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "goals.py"


@pytest.fixture(scope="module")
def goals(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(FILE)


def results(**times: Any) -> dict[str, Any]:
    entries = {peer: t if isinstance(t, dict) else {"t": t} for peer, t in times.items()}
    return {"steady": {"dispatch": {"1": entries}}, "skipped": {}, "memory": {}, "compile": {}}


def row(goals: ModuleType, found: dict[str, Any], most: float | None = 1.0) -> Any:
    return goals.ratio_row(found, "dispatch", "1", most)


@pytest.mark.parametrize(
    ("times", "ratio", "verdict"),
    [
        ({"vitrify": 1e-6, "jax": 2e-6, "torch_compile": 4e-6}, "0.5", "held"),
        ({"vitrify": 3e-6, "jax": 2e-6, "torch_compile": 4e-6}, "1.5", "missed"),
        ({"vitrify": 1e-6, "torch_compile": 4e-6, "numpy": 1e-7}, "0.25", "held"),
        ({"vitrify": 1e-6, "numpy": 2e-6}, "-", "not measured: no peer is here"),
        ({"vitrify": {"t": 1e-6, "wrong": True}, "jax": 2e-6}, "-", "not measured: wrong result"),
        ({"vitrify": {"error": "ShapeError: x"}, "jax": 2e-6}, "-", "not measured: failed: ShapeError: x"),
        ({"jax": 2e-6}, "-", "not measured: no vitrify workload"),
        ({"vitrify": 3e-6, "jax": {"t": 1e-6, "wrong": True}, "torch_compile": 4e-6}, "0.75", "held"),
    ],
)
def test_a_ratio_is_judged_by_the_best_right_peer(
    goals: ModuleType, times: dict[str, Any], ratio: str, verdict: str
) -> None:
    found = row(goals, results(**times))
    assert (found.ratio, found.verdict) == (ratio, verdict)


def test_a_workload_without_a_goal_gets_no_verdict(goals: ModuleType) -> None:
    assert row(goals, results(vitrify=1e-6, jax=2e-6), most=None).verdict == ""


def test_a_skipped_vitrify_is_said(goals: ModuleType) -> None:
    found = results(jax=2e-6) | {"skipped": {"vitrify": "ImportError"}}
    assert row(goals, found).verdict == "not measured: vitrify was skipped"


@pytest.mark.parametrize(("value", "verdict"), [(0.5, "held"), (2.5, "missed"), (None, "not measured")])
def test_a_limit_is_judged_in_seconds(goals: ModuleType, value: float | None, verdict: str) -> None:
    found = {"compile": {"mlp_train": {"vitrify": {"cold": value}}}}
    assert goals.limit_row(found, goals.LIMITS[0]).verdict == verdict


def test_the_table_is_printed(goals: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    found = results(vitrify=1e-6, jax=2e-6) | {"skipped": {"ort": "ModuleNotFoundError: No module named 'onnxruntime'"}}
    found["memory"] = {"vitrify": {"delta": 2**23}, "jax": {"delta": 2**22}}
    goals.show(found)
    printed = capsys.readouterr().out
    assert "dispatch, 1 thread" in printed
    assert "held" in printed
    assert "skipped ort" in printed
    assert "tower, peak of one call" in printed


def test_the_table_goes_between_its_marks(goals: ModuleType, tmp_path: Path) -> None:
    found = results(vitrify={"t": 1e-6, "spread": 0.05}, jax=2e-6)
    found |= {
        "started": "today",
        "versions": {"jax": "1", "numpy": "2"},
        "work": {"dispatch": {"bytes": 64, "flops": 16}},
    }
    found["machine"] = {"1": {"triad_48M": 20.0, "triad_L2_768K": 64.0, "sgemm_openblas_numpy": 100.0}}
    document = tmp_path / "benchmarks.md"
    document.write_text(f"Before\n{goals.MARKS[0]}\nstale text\n{goals.MARKS[1]}\nAfter\n")
    goals.write(found, str(document))
    text = document.read_text()
    assert text.startswith("Before\n")
    assert text.endswith("\nAfter\n")
    assert "stale text" not in text
    assert "| dispatch | 1.0 us | jax 2.0 us | 0.5 | ≤ 1 | held |" in text
    assert "numpy" not in text  # a yardstick


def test_every_goal_names_a_workload_of_the_suite(goals: ModuleType) -> None:
    text = (FILE.parent / "workloads.py").read_text()
    names = {goal.workload.partition("_b")[0].partition("_f")[0].partition("_train")[0] for goal in goals.RATIOS}
    assert all(name in text for name in names)
    assert len({goal.workload for goal in goals.RATIOS}) == len(goals.RATIOS) == 29
