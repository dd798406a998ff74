"""A program for `vitrify launch` in which rank 1 fails, as the first argument says; the second is a folder for notes."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

import vitrify as vt
from vitrify import distributed as dist
from vitrify.errors import ExchangeError


def fail(how: str) -> None:
    """What rank 1 does in its third step."""
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "crashed":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "raises":
        raise KeyError("lost")
    elif how == "out of memory":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (64 << 20), resource.RLIM_INFINITY))
        vt.zeros([1 << 28]) + 1.0
    elif how == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif how == "ends":
        sys.exit(0)
    elif how in ("hangs", "hangs in a small exchange"):
        time.sleep(600)


def main() -> None:
    """Train until rank 1 fails; the other ranks write down the error they get, and when."""
    how, notes = sys.argv[1], Path(sys.argv[2])
    limit = 1.0 if how in ("hangs", "hangs in a small exchange", "stopped") else None
    dist.init_parallel_env(timeout=limit)
    rank = dist.get_rank()
    vt.seed(0)
    net = vt.DataParallel(vt.nn.Linear(40, 40))
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

    @vt.to_static
    def captured(x: Any) -> None:
        net(x).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    def small(x: Any) -> None:
        dist.all_reduce(x)

    group = dist.new_group([1, 2])

    def between_some(x: Any) -> None:
        """Rank 0 hears of rank 1 by messages, rank 2 in a group."""
        if rank == 0:
            dist.recv(x, 1)
        if rank == 1:
            dist.send(x, 0)
        if group.is_member():
            dist.all_reduce(x, group=group)

    step = between_some if how == "ends" else small if "small" in how else captured
    try:
        for k in range(5):
            if rank == 1 and k == 3:
                (notes / "failed").write_text(str(time.time()))
                fail(how)
            step(vt.ones([2, 40])[:, :40] if step is captured else vt.ones([2]))
    except ExchangeError as error:
        (notes / f"rank-{rank}").write_text(f"{type(error).__name__}: {error}")
        raise


if __name__ == "__main__":
    main()
