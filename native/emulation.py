"""Runs a library of any platform on this machine: its example is linked, then run by qemu or wasmtime, or as it is."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import KernelError, MissingDependencyError
from .linker import check_compiler, link_program
from .loader import open_sizes, shape_of
from .platforms import Platform, platform_of

Array = np.ndarray[Any, Any]


def missing_emulator(target: str) -> str | None:
    """What isn't installed that would run programs of a platform here; None if nothing is missing."""
    chosen = platform_of(target)
    if chosen.runs_on:
        return chosen.runs_on
    if chosen.is_web:
        return None if importlib.util.find_spec("wasmtime") else "wasmtime"
    if not chosen.emulator:
        return None if platform.machine() == "x86_64" else "an x86-64 machine"
    return None if shutil.which(chosen.emulator[0]) else chosen.emulator[0]


def emulate(folder: str | os.PathLike[str], *arrays: Array, runs: int = 1) -> list[Array]:
    """The outputs of a library for any platform, run on this machine. It tests libraries: it is slow.

    arrays: one for each input, of the manifest's dtypes. runs: how often the model runs on them; the last run's outputs
    are returned.
    Errors: MissingDependencyError names what isn't installed: Debian's package qemu-user, or PyPI's wasmtime.
    """
    place = Path(folder)
    manifest = json.loads((place / "manifest.json").read_text())
    chosen = platform_of(manifest["target"])
    missing = missing_emulator(chosen.name)
    if missing:
        raise MissingDependencyError(
            f"running a library of {chosen.name} needs {missing}, which isn't here",
            remedy="apt install qemu-user, or pip install wasmtime for wasm32",
        )
    check_compiler()
    inputs = manifest["inputs"]
    sizes = open_sizes(inputs, arrays)
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "example"
        link_program(chosen, place, manifest["name"], program)
        words = ["-n", str(runs), *(f"{name}={size}" for name, size in sizes.items())]
        if manifest["weights_file"]:
            shutil.copy(place / manifest["weights_file"], scratch)
        files = []
        for k, (one, array) in enumerate(zip(inputs, arrays, strict=True)):
            files.append(f"{k}.bin")
            (program.parent / files[-1]).write_bytes(np.asarray(array, one["dtype"]).tobytes())
        printed = _web(program, [*words, *files]) if chosen.is_web else _plain(chosen, program, [*words, *files])
    lines = [line.rpartition(":")[2].split() for line in printed.splitlines()]
    return [
        np.array(line, np.float64).astype(one["dtype"]).reshape(shape_of(one["shape"], sizes))
        for line, one in zip(lines, manifest["outputs"], strict=True)
    ]


def _plain(chosen: Platform, program: Path, words: list[str]) -> str:
    """What a program of Linux prints."""
    done = subprocess.run([*chosen.emulator, str(program), *words], cwd=program.parent, capture_output=True, text=True)
    if done.returncode:
        raise KernelError(f"the example ended with {done.returncode} under {chosen.name}: {done.stderr[-500:]}")
    return done.stdout


def _web(program: Path, words: list[str]) -> str:
    """What a program of WASI prints."""
    wasmtime = importlib.import_module("wasmtime")
    engine = wasmtime.Engine()
    linker, store, settings = wasmtime.Linker(engine), wasmtime.Store(engine), wasmtime.WasiConfig()
    linker.define_wasi()
    settings.argv = ["example", *words]
    settings.preopen_dir(str(program.parent), ".")
    printed, failed = program.with_name("printed"), program.with_name("failed")
    settings.stdout_file, settings.stderr_file = str(printed), str(failed)
    store.set_wasi(settings)
    module = wasmtime.Module.from_file(engine, str(program))
    ending = wasmtime.ExitTrap  # how a program of WASI ends
    try:
        linker.instantiate(store, module).exports(store)["_start"](store)
    except ending as end:
        if end.code:
            raise KernelError(f"the example ended with {end.code} under wasmtime: {failed.read_text()[-500:]}") from end
    finally:
        store.close()
    return printed.read_text()
