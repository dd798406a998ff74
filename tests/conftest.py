"""Settings and fixtures of all tests: seeds, golden files, skips for optional libraries."""

from __future__ import annotations

import gc
import importlib.util
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from .kept_codes import caches, keep_codes, prune

# Tests keep kernels apart from the user's, and more of them: all tests need more than the usual cache holds.
os.environ.setdefault("VITRIFY_CACHE_DIR", str(caches() / "test-kernels"))
os.environ.setdefault("VITRIFY_CACHE_LIMIT", "4G")
# Several processes test already: one more that compiles saves no time, and costs what it takes to start.
os.environ.setdefault("VITRIFY_COMPILE_PROCESSES", "0")
CODES = Path(os.environ["VITRIFY_CACHE_DIR"]).with_name("test-codes")

EMULATED = pytest.StashKey[list[int]]()  # kernels and calls of them


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files with what the code gives now")
    parser.addoption(
        "--emulate", metavar="TARGET", help="run kernels for another CPU under qemu (docs/guide/targets.md)"
    )
    parser.addoption("--all-platforms", action="store_true", help="each model's library on each platform (make native)")


@pytest.fixture(scope="session", autouse=True)
def _emulated(request: pytest.FixtureRequest) -> Iterator[None]:
    """With --emulate, the kernels of all tests are compiled for that target, and qemu runs them."""
    name = request.config.getoption("--emulate")
    if name is None:
        yield
        return
    from vitrify.testing.emulation import emulated  # no other run of tests needs the whole package at once

    with emulated(name) as emulator:
        yield
        request.config.stash[EMULATED] = [len(emulator.kernels), emulator.calls]
    if hasattr(request.config, "workeroutput"):
        request.config.workeroutput["emulated"] = request.config.stash[EMULATED]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up what the processes of pytest-xdist have run."""
    counts = node.config.stash.get(EMULATED, [0, 0])
    more = getattr(node, "workeroutput", {}).get("emulated", [0, 0])  # a process that crashed has no output
    node.config.stash[EMULATED] = [a + b for a, b in zip(counts, more, strict=True)]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many kernels ran under qemu."""
    name = config.getoption("--emulate")
    if name is not None:
        kernels, calls = config.stash.get(EMULATED, [0, 0])
        terminalreporter.write_line(f"{kernels} kernels for {name} were emulated, {calls} calls of them")


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Every test begins with the same random state."""
    random.seed(20261120)
    np.random.seed(20261120)


@pytest.fixture(autouse=True)
def _kept_codes() -> None:
    keep_codes(CODES)


@pytest.fixture(autouse=True)
def _plain_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages don't begin with PaddlePaddle's kinds, nor dtypes and shapes with its name, whatever a test before did."""
    errors = sys.modules.get("vitrify.base.errors")
    if errors is not None:
        monkeypatch.setattr(errors.VitrifyError, "says_paddle_kind", False)
        monkeypatch.setattr(sys.modules["vitrify.base.dtype"].DType, "package", "vitrify")
        monkeypatch.setattr(sys.modules["vitrify.base.dtype"].DType, "arrays_hold_bits", False)
        monkeypatch.setattr(sys.modules["vitrify.base.size"].Size, "shown_as", "")


@pytest.fixture(autouse=True)
def _own_programs() -> Iterator[None]:
    """What a test leaves in the default programs, or in static mode, isn't there for the next one."""
    yield
    programs = sys.modules.get("vitrify.static.current")
    if programs is None or programs.state.main is None:
        return
    if programs.state.static:
        sys.modules["vitrify.static.mode_guards"].disable_static()
    for held, switch in (("main", programs.switch_main_program), ("startup", programs.switch_startup_program)):
        program = getattr(programs.state, held)
        if program.vars:
            switch(type(program)())


@pytest.fixture
def others_set_aside() -> None:
    """`gc.collect()` looks at what the test makes alone, not at what all tests before it have left."""
    gc.freeze()


def pytest_collection_finish() -> None:
    """The tests themselves are millions of objects that live on: the collector looks at them no more."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def load_file() -> Callable[[Path], ModuleType]:
    """`load_file(path)`: a Python file outside of the package (a tool) as a module, under a name of its own."""

    def load(path: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"tool_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`golden(path, text)`: the file holds exactly this text; `--update-golden` writes it instead."""
    update = bool(request.config.getoption("--update-golden"))

    def check(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return
        assert path.exists(), f"{path} is missing; make it with: pytest --update-golden"
        assert text == path.read_text(), f"{path} differs; if the change is wanted: pytest --update-golden"

    return check


@pytest.fixture
def torch() -> object:
    """The torch module; the test is skipped where it isn't installed."""
    return pytest.importorskip("torch", reason="torch isn't installed")


@pytest.fixture
def jax() -> object:
    """The jax module; the test is skipped where it isn't installed."""
    return pytest.importorskip("jax", reason="jax isn't installed")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What the tests keep doesn't grow for ever."""
    if not hasattr(session.config, "workerinput"):
        prune(CODES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`@pytest.mark.needs("graphviz")` skips a test where the library isn't installed."""
    for item in items:
        for mark in item.iter_markers("needs"):
            missing = [name for name in mark.args if importlib.util.find_spec(name) is None]
            if missing:
                item.add_marker(pytest.mark.skip(reason=f"{', '.join(missing)} isn't installed"))
