"""What it costs to run a saved LeNet in a process of its own: memory, and the time from import to the first prediction.

    python benchmarks/static/artifact.py

Each way runs in a fresh process, twice: the second has the kernels on disk. Memory is the peak resident size (Linux).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import vitrify as vt
from vitrify import InputSpec

MEASURED = """
import sys, time
import numpy as np
start = time.perf_counter()
{imports}
imported = time.perf_counter()
image = np.ones((1, 1, 28, 28), "float32")
{first}
loaded = time.perf_counter()
peak = next(int(t.split()[1]) for t in open("/proc/self/status") if t.startswith("VmHWM")) / 1024
print(f"import {{imported - start:6.2f}} s   load and first prediction {{loaded - imported:6.3f}} s   peak {{peak:5.0f}} MB")
"""
WAYS = {
    "Predictor": (
        "from vitrify.inference import Config, create_predictor",
        "create_predictor(Config({path!r})).run([image])",
    ),
    "jit.load": ("import vitrify as vt", "vt.jit.load({path!r})(vt.to_tensor(image)).numpy()"),
    "Artifact": (
        "from vitrify.runtime.artifact import load_artifact",
        "load_artifact({path!r}).run([image])",
    ),
    "interpreter": (
        "from vitrify.runtime.artifact import load_artifact",
        "load_artifact({path!r}).run([image], native=False)",
    ),
    "model.py": ("import sys; sys.path.insert(0, {python!r}); import model", "model.forward(image)"),
}


def main() -> None:
    """Save the network and print one line for each way and run."""
    with tempfile.TemporaryDirectory() as folder:
        path, python = str(Path(folder) / "lenet.vt"), str(Path(folder) / "lenet")
        network = vt.vision.models.LeNet()
        network.eval()
        spec = [InputSpec([None, 1, 28, 28], name="image")]
        vt.jit.save(network, path, spec)
        vt.jit.save(network, python, spec, format="python")
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")  # as an installation has it
        for name, (imports, first) in WAYS.items():
            text = MEASURED.format(imports=imports.format(python=python), first=first.format(path=path, python=python))
            for run in ("first", "again"):
                done = subprocess.run(
                    [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=environment
                )
                print(f"{name:12} {run}   {done.stdout.strip()}")


if __name__ == "__main__":
    main()
