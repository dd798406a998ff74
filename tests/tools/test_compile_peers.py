"""Compile times beside torch and jax: what is printed, what is refused, and that all compile the same networks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from vitrify.vision.models import mobilenet_v3

SUITE = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def tool(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(SUITE / "compile_peers.py")


def figures(cold: float, results: Any = ((1.0, 2.0), (1.0, 1.5)) * 2) -> dict[str, Any]:
    times = {"cold": (cold, 2 * cold), "batch": (1.0, 1.0), "second": (1.0, 1.0), "batch 2": (1.0, 1.0)}
    return {**times, "again": (9.0, 9.0), "results": results}


def test_ratios_above_the_goal_of_a_peer_have_a_star(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = {"vitrify": [figures(t) for t in (1.0, 3.0, 2.0)], "torch": [figures(8.0)], "jax": [figures(1.0)]}
    tool.print_network("gpt_step", rounds, False)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["gpt_step", "vitrify", "torch", "ratio", "jax", "ratio"]
    assert lines[1] == ["cold", "2.00", "8.00", "0.25", "1.00", "2.00*"]
    assert lines[2] == ["batch", "1.00", "1.00", "1.00*", "1.00", "1.00"]
    assert lines[5] == ["again", "9.00", "9.00", "1.00", "9.00", "1.00"]


def test_figures_are_of_the_clock_or_of_processors(tool: ModuleType) -> None:
    assert tool.of([figures(1.0), figures(2.0)], "cold", False) == 1.5
    assert tool.of([figures(1.0), figures(2.0)], "cold", True) == 3.0


def test_a_round_that_failed_leaves_no_figure(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = {"vitrify": [figures(1.0)], "torch": [figures(8.0), {"error": "no g++"}]}
    assert tool.of(rounds["torch"], "cold", False) is None
    tool.print_network("gpt_step", rounds, False)
    tool.print_means({"gpt_step": rounds}, ["torch"], False)
    text = capsys.readouterr().out
    assert text.splitlines()[1].split() == ["cold", "1.00", "failed"]
    assert text.splitlines()[-1] == "  torch: no g++"


@pytest.mark.parametrize(
    ("name", "second", "refused"),
    [("resnet50", 1.5001, False), ("resnet50", 1.51, True), ("gpt_step", 1.51, False), ("gpt_step", 1.7, True),
     ("mobilenet_v3_small_step", 1.7, False)],
)  # fmt: skip
def test_other_results_than_vitrifys_are_errors(tool: ModuleType, name: str, second: float, refused: bool) -> None:
    theirs = figures(1.0, (((1.0, 2.0), (1.0, second)) * 2))
    assert tool.differences(name, figures(1.0), theirs) == [0.0, pytest.approx((second - 1.5) / 1.5)]
    assert ("error" in theirs) is refused


def test_all_caches_lie_in_the_folder_of_a_round(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    found = tool.environment("/folder")
    places = ("VITRIFY_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR")
    assert [found[name] for name in places] == ["/folder/vitrify", "/folder/torch", "/folder/jax"]
    assert found["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] == "0"
    assert "OPENBLAS_CORETYPE" not in found


def test_processor_time_has_that_of_processes_that_ended(tool: ModuleType) -> None:
    before = tool.processor_time()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
    assert tool.processor_time() - before >= 0.25


def test_peers_make_the_blocks_of_vitrifys_networks(tool: ModuleType, load_file: Callable[[Path], ModuleType]) -> None:
    inputs = load_file(SUITE / "compile_inputs.py")
    swish = mobilenet_v3.nn.Hardswish
    ours = [(side, middle, result, int(squeezes), int(act is swish), stride)
            for side, middle, result, squeezes, act, stride in mobilenet_v3.SMALL]  # fmt: skip
    assert ours == inputs.MOBILES
    assert list(tool.GOALS) == ["torch", "jax"]
    assert load_file(SUITE / "compile_functions.py").NETWORKS.keys() == inputs.BATCHES.keys()
