"""One identity per module: after everything is imported, no source file is loaded under two names."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PROGRAM = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps({n: m.__file__ for n, m in list(sys.modules.items()) if getattr(m, "__file__", None)}))
"""


def test_no_source_file_is_loaded_under_two_names(root: Path, sources: list[Path], module_names: list[str]) -> None:
    # In a process of its own, from the root: there a bare `import ops` would find the folder.
    command = [sys.executable, "-c", PROGRAM, *module_names]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = defaultdict(list)
    for name, file in json.loads(done.stdout.splitlines()[-1]).items():
        names[Path(file).resolve()].append(name)
    wrong = {str(file): names[file] for file in sources if len(names[file]) > 1}
    assert wrong == {}
    assert any(names[file] for file in sources)


def test_importing_the_package_is_silent(root: Path) -> None:
    command = [sys.executable, "-c", "import vitrify"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
