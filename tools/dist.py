"""Build the source distribution and the wheel, and try the wheel in clean environments outside the checkout.

Use: python tools/dist.py [python3.11 python3.12 …]   (default: this interpreter; files appear in dist/)

The wheel is built from the source distribution, so that this is known to be whole.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TRIAL = """
import numpy as np, vitrify as vt
net = vt.nn.Linear(4, 2)
optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())
@vt.to_static
def step(x):
    loss = (net(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss
losses = [float(step(vt.ones([8, 4]))) for _ in range(5)]
assert losses[-1] < losses[0], losses
vt.jit.save(net, "net.vt", input_spec=[vt.InputSpec([None, 4])])
np.testing.assert_allclose(vt.jit.load("net.vt")(vt.ones([3, 4])).numpy(), net(vt.ones([3, 4])).numpy(), rtol=1e-6)
assert "site-packages" in vt.__file__, vt.__file__
print("vitrify", vt.__version__, "trains, compiles, saves and loads")
"""


TESTS = ("jit/test_if_else.py", "jit/test_while_loop.py", "training/test_metrics.py", "dygraph/test_pickles.py")


def build() -> Path:
    """The source distribution, then the wheel of it; returns the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    code = "import sys; sys.path.insert(0, 'tools'); import build_backend; build_backend.build_sdist(sys.argv[1])"
    run([sys.executable, "-c", code, str(DIST)], ROOT)
    source = next(DIST.glob("*.tar.gz"))
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(DIST), str(source)], ROOT)
    return next(DIST.glob("*.whl"))


def trial(python: str, wheel: Path) -> None:
    """Install the wheel into a new environment, then check it, look at it and run a small program."""
    with tempfile.TemporaryDirectory() as folder:
        run([python, "-m", "venv", "env"], folder)
        own = str(Path(folder) / "env" / "bin" / "python")
        run([own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)], folder)
        run([own, "-m", "pip", "check"], folder)
        run([own, "-c", "import vitrify"], folder)
        run([str(Path(own).parent / "vitrify"), "doctor"], folder)
        script = Path(folder) / "trial.py"
        script.write_text(TRIAL)
        run([own, str(script)], folder)
        tests(own, Path(folder))


def tests(python: str, folder: Path) -> None:
    """Run some of the tests on the installed package, copied to where no checkout is near."""
    chosen = [f"tests/{name}" for name in TESTS]
    shutil.copytree(ROOT / "tests", folder / "tests")
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pytest>=8", "hypothesis"], folder)
    run([python, "-m", "pytest", "--quiet", "--import-mode=importlib", "-p", "no:cacheprovider", *chosen], folder)


def run(command: list[str], folder: str | Path) -> None:
    """Run a command; its failure ends this one."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environ)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)[:200]}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


def main() -> int:
    """Build, then try with each interpreter."""
    wheel = build()
    for file in sorted(DIST.iterdir()):
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")
    for python in sys.argv[1:] or [sys.executable]:
        trial(python, wheel)
        print(f"{python}: installed, doctor finds nothing wrong, the program and tests run")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
