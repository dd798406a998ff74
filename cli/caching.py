"""`cache`: the kernels that are kept on disk: shown, made ahead of time, or deleted."""

from __future__ import annotations

import argparse
import time
from typing import Any

from ..base.table import table
from ..dygraph.modes import no_grad
from ..runtime import cache_files, kernel_cache
from .inputs import given
from .outcome import Outcome, UsageError
from .target import read

ACTIONS = ("show", "warm", "clear")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cache`."""
    parser.add_argument("action", choices=ACTIONS, help="show what is kept; warm: compile a target's kernels; clear")


def run(options: argparse.Namespace) -> Outcome:
    """Show, warm or clear the cache."""
    if options.action == "warm":
        return _warm(options)
    if options.target is not None:
        raise UsageError(f"cache {options.action} takes no target")
    return _clear() if options.action == "clear" else show()


def show() -> Outcome:
    """How many kernels are kept, how large they are, and where."""
    kept = kernel_cache.kept()
    data: dict[str, Any] = {
        "directory": str(cache_files.directory()),
        "kernels": len(kept),
        "bytes": sum(size for _, size, _ in kept),
        "limit": cache_files.limit(),
        "problem": cache_files.problem(try_out=False),
        "oldest": min((used for _, _, used in kept), default=None),
        "newest": max((used for _, _, used in kept), default=None),
    }
    rows = [["directory", data["directory"]], ["kernels", f"{data['kernels']:,}"], ["bytes", f"{data['bytes']:,}"]]
    rows.append(["limit", f"{data['limit']:,} bytes; what was used longest ago goes first (VITRIFY_CACHE_LIMIT)"])
    rows += [[f"{word} use", _date(data[word])] for word in ("oldest", "newest") if data[word] is not None]
    rows += [["problem", data["problem"]]] if data["problem"] else []
    return Outcome(data, table(["kernel cache", ""], rows))


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def _clear() -> Outcome:
    count, size = kernel_cache.clear()
    text = f"deleted {count:,} kernels, {size:,} bytes, from {cache_files.directory()}"
    return Outcome({"directory": str(cache_files.directory()), "deleted": count, "bytes": size}, text)


def _warm(options: argparse.Namespace) -> Outcome:
    if options.target is None:
        raise UsageError("cache warm needs a target", remedy="give an artifact's path or MODULE:FUNCTION")
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    before, start = kernel_cache.stats(), time.perf_counter()
    with no_grad():
        target.function(*args, **kwargs)
    after, seconds = kernel_cache.stats(), time.perf_counter() - start
    data = {
        "target": target.text,
        "compiled": after.compiled - before.compiled,
        "from_disk": after.disk - before.disk,
        "seconds": seconds,
    }
    text = f"compiled {data['compiled']} kernels, found {data['from_disk']} on disk, in {seconds:.2f} s"
    return Outcome(data, text)
