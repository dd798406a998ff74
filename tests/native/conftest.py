"""Libraries that tests share: each model is built once for a platform, whichever process of pytest-xdist is first."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt

from .models import CASES, LARGE

Built = Callable[..., tuple[Path, Any]]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """`built(name, target, **options)`: the folder of a library, which nobody changes, and the model anew."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "libraries"
    root.mkdir(exist_ok=True)

    def build(name: str, target: str = "x86_64-linux", **options: Any) -> tuple[Path, Any]:
        case = (CASES | LARGE)[name]
        extras = "".join(f"-{value}" for value in options.values())
        folder = root / f"{name}-{target}{extras}"
        if not folder.exists():
            own = root / f"{folder.name}-{os.getpid()}"
            vt.native.build(case.model(), case.spec, own, target, name=name, limits=case.limits, **options)
            try:
                own.rename(folder)
            except OSError:  # another process was as fast
                assert folder.exists()
        return folder, case.model()

    return build


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of every model take the large ones, too, where all platforms are asked for."""
    if "model_name" in metafunc.fixturenames:
        large = LARGE if metafunc.config.getoption("--all-platforms") else {}
        metafunc.parametrize("model_name", [*CASES, *large])
