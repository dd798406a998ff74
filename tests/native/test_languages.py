"""Programs of other languages over a library print what Python gives; the documentation has all of C's interface."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vitrify as vt
from vitrify.native.c_model import CODES, FUNCTIONS, HEADER

from .conftest import Built
from .models import EXAMPLES

pytestmark = [
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif((platform.machine(), sys.platform) != ("x86_64", "linux"), reason="libraries are for x86-64"),
]
DEPLOY = EXAMPLES.parent / "docs" / "deploy.md"


@pytest.mark.parametrize("language", ["c++", "rustc", "go", "node"])
def test_a_program_prints_what_python_gives(language: str, built: Built, tmp_path: Path) -> None:
    tool = shutil.which(language)
    if tool is None:
        pytest.skip(f"{language} isn't installed")
    folder, model = built("mlp", "wasm32" if language == "node" else "x86_64-linux")
    file = str(EXAMPLES / "native" / f"main.{ {'c++': 'cpp', 'rustc': 'rs', 'go': 'go', 'node': 'mjs'}[language] }")
    library, made, environment = str(folder / "libmlp.a"), str(tmp_path / "main"), dict(os.environ)
    if language == "c++":
        options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{folder}"]
        subprocess.run([tool, *options, file, library, "-lm", "-lpthread", "-o", made], check=True)
    elif language == "rustc":
        subprocess.run([tool, "-D", "warnings", file, "-L", str(folder), "-l", "static=mlp", "-o", made], check=True)
    elif language == "go":
        environment |= {
            "CGO_CFLAGS": f"-I{folder}",
            "CGO_LDFLAGS": f"{library} -lm",
            "GOCACHE": str(tmp_path / "cache"),
        }
        subprocess.run([tool, "build", "-o", made, file], check=True, env=environment)
    command = [tool, file, str(folder / "mlp.wasm")] if language == "node" else [made]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    x = np.arange(64, dtype="float32")[None] / 64
    wanted = model(vt.to_tensor(x)).numpy()[0]
    np.testing.assert_allclose(np.array(printed[0].split(), "float32"), wanted, rtol=2e-5, atol=2e-6)
    if language == "c++":
        assert re.fullmatch(r"error 1: \S+ is null", printed[1])


def test_the_documentation_has_all_of_the_interface() -> None:
    text = DEPLOY.read_text()
    assert [name for name in FUNCTIONS if f"NAME_{name}(" not in text] == []
    assert [name for name, _ in CODES if f"`NAME_{name}`" not in text and name != "OK"] == []
    declared = set(re.findall(r"@PREFIX@_(\w+)\(", HEADER.read_text()))
    assert declared == {*FUNCTIONS}, "the library exports what the header declares"
    for language in ("main.cpp", "main.rs", "main.go", "main.mjs"):
        assert f"examples/native/{language}" in text
