"""`doctor`: what this installation has to work with, and what is wrong with it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
from importlib import metadata
from typing import Any

import llvmlite.binding as llvm

from ..base.errors import ArgumentError
from ..base.table import table
from ..base.target import current_target, host_target
from ..runtime import cache_files, kernel_cache
from ..runtime.vm import blas, shipped, virtual_machine
from ..runtime.vm.team import get_num_threads
from .outcome import Exit, Outcome

NEEDED = ("numpy", "llvmlite", "ml_dtypes", "safetensors", "scipy-openblas32")
OPTIONAL = {
    "rich": "tables in colour (extra `notebook`)",
    "resvg-py": "pictures as PNG (extra `draw`)",
    "mpi4py": "several processes (extra `mpi`)",
    "mpich": "starts and connects them (extra `mpi`)",
    "onnx": "ONNX models (extra `onnx`)",
    "shtab": "shell completion (extra `cli`)",
    "ziglang": "models as C libraries (extra `native`)",
    "fastapi": "models behind HTTP (extra `serve`)",
    "uvicorn": "answers the requests (extra `serve`)",
    "scikit-learn": "the data of the demo (extra `demo`)",
    "tqdm": "progress bars of the demo (extra `demo`)",
}
PEERS = ("torch", "jax", "onnxruntime", "tensorflow", "paddlepaddle", "scipy")
SHOWN_FEATURES = ("sse4.2", "avx", "avx2", "fma", "avx512f", "avx512bw", "avx512vnni", "amx-tile", "neon", "sve")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`doctor` has no options of its own."""


def run(options: argparse.Namespace) -> Outcome:
    """Look at everything; the exit code is 1 when something is wrong."""
    problems = [*_missing(), *_cache_problems()]
    if not blas.available():
        problems.append("OpenBLAS can't be loaded: matrix products fail (pip install scipy-openblas32)")
    is_shipped = shipped.read(virtual_machine.source().name) is not None
    if not is_shipped and importlib.util.find_spec("numba") is None:
        problems.append("nothing can make the virtual machine's code for this platform: pip install numba")
    target = host_target()
    try:
        target = current_target()
    except ArgumentError as error:
        problems.append(f"{error.message}: {error.remedy}")
    features = llvm.get_host_cpu_features()
    data: dict[str, Any] = {
        "vitrify": version("vitrify"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "executable": sys.executable,
        "packages": {name: version(name) for name in NEEDED},
        "optional": {name: version(name) for name in OPTIONAL},
        "peers": {name: version(name) for name in PEERS},
        "cpu": {
            "name": llvm.get_host_cpu_name(),
            "triple": llvm.get_process_triple(),
            "target": target.name,
            "vector_bytes": target.core.vector_bytes,
            "caches": [target.caches.first, target.caches.second],
            "features": [name for name in SHOWN_FEATURES if features.get(name)],
        },
        "threads": {"used": get_num_threads(), "available": _available(), "cores": os.cpu_count()},
        "blas": {"openblas": blas.available()},
        "machine": {"shipped": is_shipped},
        "cache": {"directory": str(cache_files.directory()), "kernels": len(kernel_cache.kept())},
        "environment": {k: v for k, v in sorted(os.environ.items()) if k.startswith("VITRIFY_")},
        "problems": problems,
    }
    return Outcome(data, _text(data), Exit.FOUND if problems else Exit.DONE)


def version(package: str) -> str | None:
    """The installed version of a distribution; None where it is absent."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _available() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _missing() -> list[str]:
    modules = {name: name.replace("-", "_") for name in NEEDED}
    return [
        f"{name} isn't installed: pip install {name}"
        for name, module in modules.items()
        if importlib.util.find_spec(module) is None
    ]


def _cache_problems() -> list[str]:
    problem = cache_files.problem()
    return [] if problem is None else [problem]


def _text(data: dict[str, Any]) -> str:
    cpu, threads = data["cpu"], data["threads"]
    rows = [
        ["vitrify", data["vitrify"] or "not installed as a package"],
        ["python", f"{data['python']}, {data['executable']}"],
        ["platform", data["platform"]],
        ["target", f"{cpu['target']} (VITRIFY_TARGET)"],
        ["cpu", f"{cpu['name']}, vectors of {8 * cpu['vector_bytes']} bits: {', '.join(cpu['features'])}"],
        ["threads", f"{threads['used']} used, {threads['available']} available, {threads['cores']} in the machine"],
        ["matrix products", "OpenBLAS" if data["blas"]["openblas"] else "none"],
        ["virtual machine", "shipped" if data["machine"]["shipped"] else "compiled by Numba at the first call"],
        ["kernel cache", f"{data['cache']['kernels']:,} kernels in {data['cache']['directory']}"],
    ]
    rows += [[name, found or "missing"] for name, found in data["packages"].items()]
    rows += [[name, found or f"absent: {OPTIONAL[name]}"] for name, found in data["optional"].items()]
    rows += [[name, found] for name, found in data["peers"].items() if found]
    rows += [[name, value] for name, value in data["environment"].items()]
    lines = [table(["what", "found"], rows)]
    lines += [f"problem: {text}" for text in data["problems"]] or ["nothing is wrong"]
    return "\n".join(lines)
