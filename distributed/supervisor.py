"""Runs one process of `vitrify launch`, and writes down what ended it where the process can't: a signal.

python -I supervisor.py FOLDER COMMAND...

It imports nothing but Python's own library, so it costs little; the process that it watches does all the work. Out of
memory, the system kills the larger one.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

HEARD = 0.5  # seconds that the other ranks get to hear of it; then MPI ends them
_RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID")


def main() -> int:
    """Run the command; its exit code, 1 where a signal ended it."""
    folder = Path(sys.argv[1])
    process = subprocess.Popen(sys.argv[2:], close_fds=False)  # MPI hands its files down

    def end(number: int, frame: FrameType | None) -> None:
        process.kill()

    signal.signal(signal.SIGTERM, end)
    code = process.wait()
    if code >= 0:
        return code
    rank = next((os.environ[name] for name in _RANKS if os.environ.get(name, "").isdigit()), "0")
    name = signal.Signals(-code).name
    hint = ": somebody did, or the system, where memory has run out" if name == "SIGKILL" else ""
    file = folder / f"rank-{rank}.error"
    if not file.exists():
        part = folder / f".rank-{rank}.part"
        part.write_text(f"{time.time():.6f}\nthe process of rank {rank} was ended by {name}{hint}")
        part.replace(file)
    time.sleep(HEARD)
    return 1


if __name__ == "__main__":
    sys.exit(main())
