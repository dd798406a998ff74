"""The main job, shortened: examples/digits.py runs as a user runs it, and compiled training is eager training."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import vitrify as vt

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
pytestmark = pytest.mark.needs("sklearn")


def run(script: str, *arguments: object, folder: Path = EXAMPLES) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment.pop("VITRIFY_DATA", None)
    command = [sys.executable, str(folder / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path_factory.mktemp("digits")
    return run("digits.py", "--steps", 60, "--eager-steps", 2, "--out", out), out


def test_the_main_job_ends_well(finished: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, _ = finished
    assert done.returncode == 0, done.stdout + done.stderr
    assert "eager, compiled and reloaded agree" in done.stdout
    found = re.search(r"^accuracy +(0\.\d+)$", done.stdout, re.MULTILINE)
    assert found, done.stdout
    assert float(found[1]) > 0.85, "60 steps learn most of it"


def test_it_says_what_it_found(finished: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    text = finished[0].stdout
    for line in (
        r"^eager +2 steps, loss [\d.]+, [\d.]+ steps/s$", r"^compiling +[\d.]+ s", r"^compiled +60 steps, loss",
        r"^speed +compiled / eager = [\d.]+$", r"^memory +planned peak [\d.]+ MB, sum of intermediates [\d.]+ MB",
    ):  # fmt: skip
        assert re.search(line, text, re.MULTILINE), f"{line} in\n{text}"


def test_the_plan_is_at_most_half_of_the_intermediates(
    finished: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    found = re.search(r"planned peak ([\d.]+) MB, sum of intermediates ([\d.]+) MB", finished[0].stdout)
    assert found
    assert float(found[1]) <= float(found[2]) / 2


def test_it_writes_what_it_names(finished: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, out = finished
    named = re.search(r"^written +(.*)$", done.stdout, re.MULTILINE)
    assert named
    files = [Path(name) for name in named[1].split(", ")]
    assert {f.name for f in files} >= {"digits.vt", "step.svg"}
    assert all(f.exists() and f.stat().st_size for f in files)
    assert (out / "step.svg").read_text().startswith("<svg")
    assert "program @" in (out / "step.fused.ir").read_text()


def test_the_export_needs_its_callback_and_nothing_else(
    finished: tuple[subprocess.CompletedProcess[str], Path], tmp_path: Path
) -> None:
    out = finished[1]
    for name in ("digits_reload.py", "digits_callbacks.py"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    answers = tmp_path / "answers.npy"
    done = run("digits_reload.py", out / "digits.vt", out / "images.npy", answers, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert np.load(answers).shape == (360, 10)
    with pytest.raises(vt.errors.VitrifyError, match="Quantise"):
        vt.jit.load(out / "digits.vt")(vt.zeros([1, 1, 8, 8]))


def test_a_folder_without_the_files_is_named(tmp_path: Path) -> None:
    done = run("digits.py", "--data", tmp_path, "--out", tmp_path / "out")
    assert done.returncode != 0
    assert str(tmp_path) in done.stderr
    assert "images" in done.stderr


# -- the same model, in this process ----------------------------------------------------------------------------------


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """examples/digits.py as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    known = set(sys.modules)
    spec = importlib.util.spec_from_file_location("digits", EXAMPLES / "digits.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "digits", module)
    spec.loader.exec_module(module)
    yield module
    for name in set(sys.modules) - known:
        if name.startswith("digits"):
            sys.modules.pop(name, None)


def train(digits: ModuleType, compiled: bool, steps: int) -> tuple[list[float], dict[str, Any]]:
    """Losses and the final state of the model, from a fixed seed."""
    vt.seed(7)
    images, labels, *_ = digits.load_data(None)
    net = digits.DigitNet(8)
    optimizer = vt.optimizer.Momentum(0.02, parameters=net.parameters())  # Adam would magnify rounding
    step = digits.make_step(net, optimizer)
    run_step = vt.to_static(step) if compiled else step
    source = digits.batches(images, labels, 64, np.random.default_rng(0))
    losses = [float(run_step(*next(source))) for _ in range(steps)]
    return losses, {name: value.numpy() for name, value in net.state_dict().items()}


def test_compiled_training_is_eager_training(digits: ModuleType) -> None:
    """Same seed, same data, dropout included: the same losses, parameters and running averages."""
    eager, left = train(digits, False, 4)
    compiled, right = train(digits, True, 4)
    np.testing.assert_allclose(compiled, eager, rtol=1e-3)
    assert left.keys() == right.keys()
    for name, value in left.items():
        np.testing.assert_allclose(right[name], value, rtol=1e-3, atol=1e-4, err_msg=name)


def test_both_sides_of_the_branch_agree(digits: ModuleType) -> None:
    """A negative image is turned round by the compiled network as by the eager one."""
    vt.seed(7)
    net = digits.DigitNet(8)
    net.eval()
    compiled = vt.to_static(net)
    images = digits.load_data(None)[0][:20]
    with vt.no_grad():
        positive, negative = (compiled(vt.to_tensor(x)).numpy() for x in (images, 1.0 - images))
    np.testing.assert_allclose(negative, positive, atol=0.1)
    assert compiled.forward.get_traced_count() == 1
