"""From C and object files to a library, by zig, whose package holds a C compiler and linker for all platforms."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..base.errors import KernelError, MissingDependencyError
from .platforms import Platform


def check_compiler() -> None:
    """MissingDependencyError where zig isn't installed."""
    if importlib.util.find_spec("ziglang") is None:
        raise MissingDependencyError(
            "building a library needs a C compiler and linker, the package ziglang, which isn't installed",
            remedy="pip install vitrify[native]",
        )


def compile_c(platform: Platform, source: Path, made: Path, include: Path, more: Sequence[str] = ()) -> None:
    """An object file of a C file; more: options."""
    flags = ["-c", "-O3", "-ffp-contract=off", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fno-math-errno"]
    # Undefined behaviour is checked for in zig's own builds, with code that isn't in a library.
    _zig(
        "cc",
        platform,
        [*platform.options, *flags, *more, "-fno-sanitize=undefined", f"-I{include}", str(source), "-o", str(made)],
    )


def link_shared(platform: Platform, objects: Sequence[Path], made: Path, functions: Sequence[str]) -> None:
    """A library that shows these functions and nothing else; of WebAssembly, also where free memory begins."""
    kind = ["-shared"]
    if platform.is_web:
        kind = ["-mexec-model=reactor", *(f"-Wl,--export={name}" for name in (*functions, "__heap_base"))]
    _zig(
        "cc", platform, [*platform.link_options, *kind, "-s", "-Wl,--gc-sections", *map(str, objects), "-o", str(made)]
    )


def link_archive(objects: Sequence[Path], made: Path) -> None:
    """A static library."""
    made.unlink(missing_ok=True)
    _run(["ar", "rcs", str(made), *map(str, objects)])


def link_program(platform: Platform, folder: Path, name: str, made: Path) -> None:
    """The example of a library's folder as a program that needs no other library."""
    files = [str(folder / "main.c"), str(folder / f"lib{name}.a")]
    options = [*platform.link_options, "-static", "-O1", f"-I{folder}"]
    _run(["cc", "-target", platform.static_linker, *options, *files, "-o", str(made)])


def _zig(tool: str, platform: Platform, arguments: Sequence[str]) -> None:
    _run([tool, "-target", platform.linker, *arguments])


def _run(command: Sequence[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "ziglang", *command], capture_output=True, text=True)
    if done.returncode:
        raise KernelError(
            f"the C compiler refused what was generated:\n{done.stderr[-2000:]}",
            remedy="this is a fault of vitrify: please report it",
        )
