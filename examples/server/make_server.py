"""The digits example as an HTTP server in C: one program that needs neither Python nor other libraries.

    python examples/server/make_server.py --out out/server
    out/server/server 8080
    curl -d "[$(seq -s , 64)]" http://127.0.0.1:8080/predict

It needs scikit-learn and vitrify[native]. The Dockerfile beside this file puts the program into an empty image.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the network is that of digits_native.py

from digits_native import build, trained  # noqa: E402


def make_server(net, folder: Path, target: str = "x86_64-linux") -> Path:
    """The server for a network: a program of Linux without shared libraries."""
    built = build(net, folder, target)
    command = ["cc", "-target", "x86_64-linux-musl", "-static", "-O2", "-s", f"-I{built}"]
    files = [HERE / "server.c", built / "libdigits.a", "-o", folder / "server"]
    subprocess.run([sys.executable, "-m", "ziglang", *command, *map(str, files)], check=True)
    shutil.copy(HERE / "Dockerfile", folder)
    return folder / "server"


def main() -> int:
    """Train the network and make the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("out/server"))
    parser.add_argument("--steps", type=int, default=600, help="training steps")
    options = parser.parse_args()
    net, *_ = trained(options.steps)
    made = make_server(net, options.out, "x86_64-linux-any")
    print(f"{made}: {made.stat().st_size // 1000} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
