"""What was linked for each platform, by inspection: the machine of the file, and the functions that it shows."""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterator

import pytest

from vitrify.native.c_model import FUNCTIONS
from vitrify.native.platforms import PLATFORMS

from .conftest import Built

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="libraries are for x86-64"),
]
NAMES = {f"mlp_{name}" for name in FUNCTIONS}
HERE = {"x86_64-linux", "wasm32"}  # that other tests build, too


def mach_o(content: bytes) -> tuple[int, int, set[str]]:
    """CPU, kind of file, and the defined external symbols, of 64 bits."""
    magic, cpu, _, kind, commands = struct.unpack_from("<IIIII", content)
    assert magic == 0xFEEDFACF
    place, names = 32, set()
    for _ in range(commands):
        command, size = struct.unpack_from("<II", content, place)
        if command == 2:  # LC_SYMTAB
            symbols, count, texts, _ = struct.unpack_from("<IIII", content, place + 8)
            for k in range(count):
                text, flags, section = struct.unpack_from("<IBB", content, symbols + 16 * k)
                if flags & 1 and section:
                    start = texts + text
                    names.add(content[start : content.index(b"\0", start)].decode().removeprefix("_"))
        place += size
    return cpu, kind, names


def portable_executable(content: bytes) -> tuple[int, bool, set[str]]:
    """CPU, whether it is a DLL, and the exported symbols, of 64 bits."""
    assert content[:2] == b"MZ"
    (head,) = struct.unpack_from("<I", content, 0x3C)
    assert content[head : head + 4] == b"PE\0\0"
    machine, sections, options, flags = (
        *struct.unpack_from("<HH", content, head + 4),
        *struct.unpack_from("<HH", content, head + 20),
    )
    exports, _ = struct.unpack_from("<II", content, head + 24 + 112)
    table = [struct.unpack_from("<IIII", content, head + 24 + options + 40 * k + 8) for k in range(sections)]

    def at(address: int) -> int:
        return next(raw + address - start for size, start, _, raw in table if start <= address < start + size)

    count, _, names = struct.unpack_from("<III", content, at(exports) + 24)
    found = [at(place) for place in struct.unpack_from(f"<{count}I", content, at(names))]
    return machine, bool(flags & 0x2000), {content[start : content.index(b"\0", start)].decode() for start in found}


def wasm_exports(content: bytes) -> Iterator[str]:
    """The names that a module exports."""

    def number(place: int) -> tuple[int, int]:
        found = shift = 0
        while True:
            found |= (content[place] & 127) << shift
            place, shift = place + 1, shift + 7
            if content[place - 1] < 128:
                return found, place

    place = 8
    while place < len(content):
        section = content[place]
        size, place = number(place + 1)
        if section == 7:
            count, at = number(place)
            for _ in range(count):
                length, at = number(at)
                yield content[at : at + length].decode()
                _, at = number(at + length + 1)
        place += size


@pytest.mark.parametrize("target", PLATFORMS)
def test_a_library_is_of_its_machine_and_shows_its_functions(
    target: str, built: Built, pytestconfig: pytest.Config
) -> None:
    chosen = PLATFORMS[target]
    if not (pytestconfig.getoption("--all-platforms") or target in HERE):
        pytest.skip("the first library for a platform takes a minute: --all-platforms")
    folder, _ = built("mlp", target)
    content = (folder / chosen.shared.format("mlp")).read_bytes()
    architecture = chosen.target.architecture
    if chosen.is_web:
        assert content[:4] == b"\0asm"
        assert set(wasm_exports(content)) >= {*NAMES, "memory", "__heap_base"}
    elif "macos" in target:
        cpu, kind, names = mach_o(content)
        assert (cpu, kind) == ({"aarch64": 0x0100000C, "x86_64": 0x01000007}[architecture], 6)
        assert names >= NAMES
        assert all(n.startswith(("vitrify_", "_")) for n in names - NAMES), "kernels, which nothing hides there"
    elif "windows" in target:
        assert portable_executable(content) == (0x8664, True, NAMES)
    else:
        assert content[:4] == b"\x7fELF"
        machines = {"x86_64": 62, "aarch64": 183, "armv7": 40, "riscv64": 243}
        assert int.from_bytes(content[18:20], "little") == machines[architecture]
    assert (folder / "libmlp.a").read_bytes()[:8] == b"!<arch>\n"
