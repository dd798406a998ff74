"""The folder of kernels: whose files are executed, how large it grows, and what is left of killed processes."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from vitrify.runtime import cache_files, kernel_cache
from vitrify.runtime.kernel_cache import KernelSource

BODY = "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] * f32({0})\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kernels"
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(place))
    monkeypatch.setattr(cache_files, "_told", set())
    forget(monkeypatch)
    return place


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(kernel_cache, "_CACHE", kernel_cache._Cache())


def scale(factor: float) -> KernelSource:
    return KernelSource("scale", BODY.format(factor), ("f32",), 0)


def forge(folder: Path, victim: KernelSource, other: KernelSource) -> Path:
    """Put the code of another kernel in place of a kernel's, with the checksum that fits."""
    kernel_cache.addresses([victim])
    file = folder / f"{kernel_cache.key(victim)}.o"
    code = other.compile(kernel_cache._symbol(kernel_cache.key(victim)))
    file.write_bytes(b"VITRIFY1" + hashlib.sha256(code).digest() + code)
    return file


def loads(source: KernelSource) -> kernel_cache.Stats:
    kernel_cache.addresses([source])
    return kernel_cache.stats()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners of files")
class TestForged:
    def test_by_somebody_else(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = forge(folder, scale(1.5), scale(9.0))
        if os.geteuid() == 0:
            os.chown(file, 12345, 12345)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 12345)
        forget(monkeypatch)
        with pytest.warns(UserWarning, match=r"aren't used: .* belongs to user .* Remedy: .* VITRIFY_CACHE_DIR"):
            found = loads(scale(1.5))
        assert (found.disk, found.compiled) == (0, 1)

    @pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
    def test_in_a_folder_that_others_can_write(self, folder: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("vitrify.base.trusted._is_private_group", lambda facts, path: False)
        forge(folder, scale(2.5), scale(9.0))
        folder.chmod(mode)
        forget(monkeypatch)
        with pytest.warns(UserWarning, match=f"other users can write it .mode {mode:o}.* Remedy: chmod go-w {folder}"):
            found = loads(scale(2.5))
        assert (found.disk, found.compiled, found.unwritable) == (0, 1, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # said once
            assert loads(scale(3.5)).compiled == 2
        folder.chmod(0o755)
        forget(monkeypatch)
        assert loads(scale(2.5)).disk == 1, "with the folder's rights mended its files are used again"

    def test_by_a_link(self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = forge(folder, scale(4.5), scale(9.0))
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
        forget(monkeypatch)
        found = loads(scale(4.5))
        assert (found.disk, found.compiled) == (0, 1)
        assert not file.is_symlink() and (tmp_path / "elsewhere").exists()


ALONE = """
import numpy as np
import vitrify as vt
f = vt.jit.to_static(lambda x: x * 3.25 + 1)
assert f(vt.to_tensor([1.0])).tolist() == [4.25]
from vitrify.runtime import cache_files
print(cache_files.directory())
"""


@pytest.mark.parametrize("home", ["none", "empty", "relative", "missing", "a file", "not ours"])
def test_no_home_is_no_error(tmp_path: Path, home: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("HOME", "VITRIFY_CACHE_DIR", "XDG_CACHE_HOME")}
    (tmp_path / "file").write_text("")
    environment |= {
        "none": {}, "empty": {"HOME": ""}, "relative": {"HOME": "some/where"}, "missing": {"HOME": "/proc/missing/home"},
        "a file": {"HOME": str(tmp_path / "file")}, "not ours": {"HOME": "/proc"},
    }[home]  # fmt: skip
    environment |= {"TMPDIR": str(tmp_path), "XDG_CACHE_HOME": "not/absolute"}
    code = ALONE
    if home == "none":  # a user that the system doesn't know
        code = "import pwd\ndef getpwuid(uid):\n    raise KeyError(uid)\npwd.getpwuid = getpwuid\n" + code
    (tmp_path / "alone.py").write_text(code)
    done = subprocess.run([sys.executable, "alone.py"], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    if home not in ("a file", "not ours"):
        assert done.stdout.strip().startswith(str(tmp_path / "vitrify-"))


def test_the_oldest_by_use_go_when_the_limit_is_reached(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{k:064x}.o" for k in range(10)]
    for age, name in enumerate(names):
        assert cache_files.write(name, b"x" * 1000)
        os.utime(folder / name, (time.time() - 7200 + age,) * 2)
    cache_files.read(names[0])  # used now
    monkeypatch.setenv("VITRIFY_CACHE_LIMIT", "5000")
    assert cache_files.prune(cache_files.limit()) == 6
    assert [e.name for e in cache_files.entries()] == [names[0], *names[7:]]
    for k in range(10, 40):
        cache_files.write(f"{k:064x}.o", b"y" * 1000)
        assert sum(e.size for e in cache_files.entries()) <= 5000 * 1.04 + 1000
    assert not cache_files.write("aa.o", b"z" * 5001), "larger than all"
    monkeypatch.setenv("VITRIFY_CACHE_LIMIT", "0")
    assert loads(scale(7.5)).unwritable == 1


@pytest.mark.parametrize(
    ("text", "bytes_"), [("", 512 << 20), ("100", 100), ("20k", 20 << 10), ("1.5G", 512 << 20), ("2 GiB", 512 << 20),
                         ("3MB", 3 << 20), ("3MiB", 3 << 20), ("1T", 1 << 40), ("much", 512 << 20)],
)  # fmt: skip
def test_the_limit_as_it_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, bytes_: int) -> None:
    monkeypatch.setenv("VITRIFY_CACHE_LIMIT", text)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert cache_files.limit() == bytes_
    assert bool(told) == (text in ("1.5G", "2 GiB", "much"))


WRITER = """
import sys
from vitrify.runtime import cache_files
for k in range(300):
    cache_files.write(f"{int(sys.argv[1]) * 1000 + k:064x}.o", bytes(500))
    cache_files.read(f"{k:064x}.o")
"""


def test_several_processes_share_the_folder(folder: Path) -> None:
    environment = {**os.environ, "VITRIFY_CACHE_LIMIT": "20000"}
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", WRITER, str(k)], env=environment, stderr=subprocess.PIPE)
        for k in range(3)
    ]
    assert [(p.communicate()[1], p.returncode) for p in running] == [(b"", 0)] * 3
    assert sum(e.size for e in cache_files.entries()) <= 20000 * 1.1
    assert not [f for f in folder.iterdir() if f.name.endswith(".part")]


def test_processes_count_together_what_they_write(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(cache_files, "prune", looks.append)
    monkeypatch.setenv("VITRIFY_CACHE_LIMIT", "320K")
    cache_files.write("ab.o", bytes(100))
    assert looks == [320 << 10]
    write = "import sys; from vitrify.runtime import cache_files; cache_files.write(sys.argv[1], bytes(6000))"
    subprocess.run([sys.executable, "-c", write, "cd.o"], check=True)
    assert (folder / ".written").read_bytes() == b"%d\n" % (320 << 10) + b"." * 24
    cache_files.write("ef.o", bytes(2000))
    assert len(looks) == 1, "8 KiB of 10 that may be written without a look"
    cache_files.write("01.o", bytes(3000))
    assert len(looks) == 2
    cache_files.write("02.o", bytes(10))
    assert len(looks) == 2
    monkeypatch.setenv("VITRIFY_CACHE_LIMIT", "300K")
    cache_files.write("03.o", bytes(10))
    assert looks[2:] == [300 << 10], "a lower limit"
    (folder / ".written").write_bytes(b"....")
    cache_files.write("04.o", bytes(10))
    assert len(looks) == 4, "no limit is noted"
    (folder / ".written").unlink()
    (folder / ".written").symlink_to(folder / "ab.o")
    cache_files.write("05.o", bytes(10))
    assert len(looks) == 5 and (folder / "ab.o").read_bytes() == bytes(100)


KILLED = """
import os, sys, time
from vitrify.runtime import cache_files
def stop(*a, **k):
    print("there", flush=True)
    time.sleep(60)
os.replace = stop
cache_files.write("ab.o", b"half")
"""


def test_unfinished_files_go_with_their_process(folder: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    (part,) = folder.iterdir()
    assert part.name.endswith(".part")
    assert cache_files.sweep() == 0 and part.exists(), "its process lives"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    elsewhere = folder / ".ab.o.deadbeef.1.0000.part"  # of another machine
    elsewhere.write_bytes(b"")
    cache_files.write("cd.o", b"whole")
    assert not part.exists(), "the first write into a folder looks for them"
    assert elsewhere.exists()
    os.utime(elsewhere, (1, 1))
    cache_files.clear()
    assert list(folder.iterdir()) == []
