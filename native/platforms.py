"""Where a library may run: for each platform the CPU that kernels are made for, and how its files are called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..base.errors import ArgumentError
from ..base.suggest import one_of
from ..base.target import TARGETS, Core, GemmLimits, Target

# No library has OpenBLAS: every product that fills a tile gets a kernel.
_EVERY_GEMM = GemmLimits(
    rows=8, rows_transposed=8, most_rows=1 << 40, most_rows_transposed=1 << 40, depth=1, columns=32, work=1,
    weights=1 << 40, waste=float(1 << 20),
)  # fmt: skip


@dataclass(frozen=True)
class Platform:
    """One platform. linker: what the C compiler calls it; shared: the name of a library, with {} for the model's.

    options: of the C compiler, for the same CPU as the kernels'. link_options: those that the linker needs, too; zig
    makes a C library anew for each CPU that it is told of, which takes a minute.
    """

    name: str
    target: Target
    linker: str
    shared: str = "lib{}.so"
    options: tuple[str, ...] = ()
    link_options: tuple[str, ...] = ()
    emulator: tuple[str, ...] = ()  # the command that runs its programs elsewhere
    runs_on: str = ""  # what its programs need, where nothing here runs them
    variants: tuple[tuple[str, str], ...] = ()  # the suffix and the name of platforms that one library chooses from

    @property
    def parts(self) -> dict[str, Platform]:
        """The platforms that a library has code for, by the suffix of their functions' names."""
        return {suffix: PLATFORMS[name] for suffix, name in self.variants} or {"": self}

    @property
    def static_linker(self) -> str:
        """What the C compiler calls the same platform with a C library that can be part of a program."""
        return self.linker.partition(".")[0].replace("-gnu", "-musl")

    @property
    def is_web(self) -> bool:
        """Whether its libraries are modules of WebAssembly."""
        return self.target.architecture == "wasm32"


def _target(name: str, kind: Target, triple: str, **changes: Any) -> Target:
    """A kind of CPU on a platform."""
    architecture = triple.split("-")[0]
    return replace(kind, name=name, architecture=architecture, triple=triple, gemm=_EVERY_GEMM, blas=False, **changes)


def _x86(name: str, kind: str, cpu: str, **options: Any) -> Platform:
    target = _target(name, TARGETS[kind], "x86_64-unknown-linux-gnu")
    return Platform(name, target, "x86_64-linux-gnu.2.17", options=(f"-mcpu={cpu}",), **options)


_X86_LEVELS = (("_v2", "x86_64-linux-v2"), ("_v3", "x86_64-linux"), ("_v4", "x86_64-linux-v4"))
_CORTEX_A9, _SIMD128 = ("-mcpu=cortex_a9",), ("-mcpu=generic+simd128+bulk_memory",)
_NARROW = replace(TARGETS["neon"], core=Core(16, 16, multiply_adds=1, loads=1))  # 128 bits, fewer registers
PLATFORMS = {
    platform.name: platform
    for platform in (
        _x86("x86_64-linux", "avx2", "x86_64_v3"),
        _x86("x86_64-linux-v2", "sse4", "x86_64_v2"),
        _x86("x86_64-linux-v4", "avx512", "x86_64_v4"),
        _x86("x86_64-linux-any", "sse4", "x86_64_v2", variants=_X86_LEVELS),
        Platform(
            "aarch64-linux", _target("aarch64-linux", TARGETS["neon"], "aarch64-unknown-linux-gnu"),
            "aarch64-linux-gnu.2.17", emulator=("qemu-aarch64",),
        ),
        Platform(
            "riscv64-linux",
            _target(
                "riscv64-linux", _NARROW, "riscv64-unknown-linux-gnu", cpu="generic-rv64",
                features="+m,+a,+f,+d,+c,+v", abi="lp64d",
            ),
            "riscv64-linux-gnu.2.27", options=("-mcpu=generic_rv64+m+a+f+d+c+v",),
            emulator=("qemu-riscv64", "-cpu", "rv64,v=true,vlen=128"),
        ),
        Platform(
            "armv7-linux",
            _target(
                "armv7-linux", _NARROW, "armv7-unknown-linux-gnueabihf", cpu="cortex-a9", features="+neon,+vfp3",
                pointer_bytes=4,
            ),
            "arm-linux-gnueabihf.2.17", options=_CORTEX_A9, link_options=_CORTEX_A9, emulator=("qemu-arm",),
        ),
        Platform(
            "aarch64-macos", _target("aarch64-macos", TARGETS["neon"], "aarch64-apple-macosx11.0.0"),
            "aarch64-macos.11.0", "lib{}.dylib", runs_on="a Mac",
        ),
        Platform(
            "x86_64-macos", _target("x86_64-macos", TARGETS["avx2"], "x86_64-apple-macosx11.0.0"),
            "x86_64-macos.11.0", "lib{}.dylib", options=("-mcpu=x86_64_v3",), runs_on="a Mac",
        ),
        Platform(
            "x86_64-windows", _target("x86_64-windows", TARGETS["avx2"], "x86_64-pc-windows-gnu"),
            "x86_64-windows-gnu", "{}.dll", options=("-mcpu=x86_64_v3",), runs_on="Windows",
        ),
        Platform(
            "wasm32",
            _target(
                "wasm32", _NARROW, "wasm32-unknown-wasi", cpu="generic", features="+simd128,+bulk-memory",
                pointer_bytes=4,
            ),
            "wasm32-wasi", "{}.wasm", options=_SIMD128, link_options=_SIMD128, emulator=("wasmtime",),
        ),
    )
}  # fmt: skip


def platform_of(name: str) -> Platform:
    """The platform of that name. ArgumentError with the names there are."""
    if name not in PLATFORMS:
        raise ArgumentError(f"there is no platform {name!r} to build for", remedy=one_of(name, list(PLATFORMS)))
    return PLATFORMS[name]
