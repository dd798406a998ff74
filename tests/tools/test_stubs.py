"""The stubs are current, and type checkers and editors find with them what a user needs: from a wheel and editable."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = Path(__file__).parent / "user_project"
WRONG = {
    ("bad.py", number)
    for number, line in enumerate((PROJECT / "bad.py").read_text().splitlines(), 1)
    if line.endswith("# wrong")
}
COMPLETIONS = [
    ("t = vt.to_tensor([1.0])\nt.su", "sum"), ("vt.matm", "matmul"), ("F.rel", "relu"), ("nn.Lin", "Linear"),
    ("(vt.ones([2]) + 1).me", "mean"), ("F.relu(vt.ones([2])).resha", "reshape"), ("vt.callbacks.Earl", "EarlyStopping"),
    ("vt.jit.veri", "verify"), ("vt.optimizer.lr.Cos", "CosineAnnealingDecay"),
]  # fmt: skip


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(folder: Path) -> tuple[Path, Path]:
    """An interpreter with this one's packages, without vitrify; and the folder of its own packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next(folder.glob("lib/python*/site-packages"))
    packages = site / "packages"  # links to the packages alone: an editable vitrify's files of paths stay out
    packages.mkdir()
    numpy = Path(importlib.import_module("numpy").__file__ or "").parent
    (packages / "numpy").symlink_to(numpy)
    (site / "packages.pth").write_text(f"{packages}\n")
    return folder / "bin" / "python", site


@pytest.fixture(scope="module")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that sees the stubs by the file of paths that an editable install leaves."""
    folder = tmp_path_factory.mktemp("editable")
    python, site = environment(folder / "env")
    backend = tool("build_backend")
    wheel = folder / "toy.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("toy-1.dist-info/RECORD", "toy-1.dist-info/RECORD,,\n")
    backend.add(wheel, backend.FILE, f"{backend.STUBS}\n".encode())
    with zipfile.ZipFile(wheel) as archive:
        assert backend.FILE in archive.read("toy-1.dist-info/RECORD").decode()
        archive.extractall(site)
    return python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with a wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    python, site = environment(folder / "env")
    build(folder)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        archive.extractall(site)
    return python


def build(folder: Path) -> None:
    import setuptools

    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip(f"wheels need setuptools 77, here is {setuptools.__version__}")
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    source = folder / "source"
    for name in {Path(f).parts[0] for f in table.values()} | {"tools"}:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    code = "import sys; sys.path.insert(0, 'tools'); import build_backend; build_backend.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=source, check=True, capture_output=True)


def mypy(python: Path, folder: Path) -> set[tuple[str, int]]:
    command = [sys.executable, "-m", "mypy", "--python-executable", str(python), "--cache-dir", str(folder / "cache")]
    environ = {k: v for k, v in os.environ.items() if k != "MYPYPATH"}
    done = subprocess.run(
        [*command, "--output", "json", "good.py", "bad.py"], cwd=folder, capture_output=True, text=True, env=environ
    )
    assert done.returncode == 1, done.stdout + done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert {e["file"] for e in found if e["severity"] == "error"} == {"bad.py"}, done.stdout
    return {(e["file"], e["line"]) for e in found if e["severity"] == "error"}


def pyright(python: Path, folder: Path) -> set[tuple[str, int]]:
    if shutil.which("pyright", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("pyright isn't installed")
    command = [str(Path(sys.executable).parent / "pyright"), "--pythonpath", str(python), "--outputjson"]
    done = subprocess.run([*command, "good.py", "bad.py"], cwd=folder, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip(f"pyright doesn't start: {done.stderr[-200:]}")
    errors = [e for e in found if e["severity"] == "error"]
    assert not [e for e in errors if e["file"].endswith("good.py")], done.stdout
    return {(Path(e["file"]).name, e["range"]["start"]["line"] + 1) for e in errors}


def test_the_stubs_are_current() -> None:
    done = subprocess.run(
        [sys.executable, "tools/make_stubs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "up to date", done.stdout + done.stderr + "run `make stubs`"


@pytest.mark.slow
@pytest.mark.parametrize("installed", ["editable", "wheel"])
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_checkers_find_the_mistakes_and_no_others(
    installed: str, checker: Callable[..., set[tuple[str, int]]], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    python = request.getfixturevalue(installed)
    for name in ("good.py", "bad.py"):
        shutil.copy(PROJECT / name, tmp_path / name)
    assert checker(python, tmp_path) == WRONG


@pytest.mark.slow
@pytest.mark.needs("jedi")
@pytest.mark.parametrize("installed", ["editable", "wheel"])
def test_editors_complete_and_tell_what_a_name_is(installed: str, request: pytest.FixtureRequest) -> None:
    import jedi

    python = request.getfixturevalue(installed)
    known = jedi.create_environment(str(python), safe=False)
    head = "import vitrify as vt\nimport vitrify.nn.functional as F\nfrom vitrify import nn\n"
    for code, name in COMPLETIONS:
        found = [c.name for c in jedi.Script(head + code, environment=known).complete()]
        assert name in found, code
    told = jedi.Script(head + "vt.matmul", environment=known).help(4, 5)
    assert "matrix" in told[0].docstring().lower()
