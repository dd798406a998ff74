"""Where a library may run: for each platform the CPU that kernels are made for, and how its files are called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..base.errors import ArgumentError
from ..base.suggest import one_of
from ..base.target import TARGETS, GemmLimits, Target

# No library has OpenBLAS: every product that fills a tile gets a kernel.
_EVERY_GEMM = GemmLimits(
    rows=8, rows_transposed=8, most_rows=1 << 40, most_rows_transposed=1 << 40, depth=1, columns=32, work=1,
    weights=1 << 40, waste=float(1 << 20),
)  # fmt: skip


@dataclass(frozen=True)
class Platform:
    """One platform. linker: what the C compiler calls it; shared: the name of a library, with {} for the model's.

    options: of the C compiler, for the same CPU as the kernels'.
    """

    name: str
    target: Target
    linker: str
    shared: str = "lib{}.so"
    options: tuple[str, ...] = ()
    emulator: str = ""  # the program that runs its code elsewhere

    @property
    def is_web(self) -> bool:
        """Whether its libraries are modules of WebAssembly."""
        return self.target.architecture == "wasm32"


def _target(name: str, kind: Target, triple: str, **changes: Any) -> Target:
    """A kind of CPU on a platform."""
    architecture = triple.split("-")[0]
    return replace(kind, name=name, architecture=architecture, triple=triple, gemm=_EVERY_GEMM, **changes)


def _x86(name: str, kind: str, cpu: str) -> Platform:
    target = _target(name, TARGETS[kind], "x86_64-unknown-linux-gnu")
    return Platform(name, target, "x86_64-linux-gnu.2.17", options=(f"-mcpu={cpu}",))


PLATFORMS = {
    platform.name: platform
    for platform in (
        _x86("x86_64-linux", "avx2", "x86_64_v3"),
        _x86("x86_64-linux-v2", "sse4", "x86_64_v2"),
        _x86("x86_64-linux-v4", "avx512", "x86_64_v4"),
        Platform(
            "aarch64-linux", _target("aarch64-linux", TARGETS["neon"], "aarch64-unknown-linux-gnu"),
            "aarch64-linux-gnu.2.17", emulator="qemu-aarch64",
        ),
    )
}  # fmt: skip


def platform_of(name: str) -> Platform:
    """The platform of that name. ArgumentError with the names there are."""
    if name not in PLATFORMS:
        raise ArgumentError(f"there is no platform {name!r} to build for", remedy=one_of(name, list(PLATFORMS)))
    return PLATFORMS[name]
