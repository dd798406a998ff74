"""Files and folders are there whole or not at all, also when the process is killed while it writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vitrify.base import files
from vitrify.base.files import place_file, place_folder

WRITER = """
import sys
from pathlib import Path
from vitrify.base.files import place_file, place_folder
folder, k = Path(sys.argv[1]), 0
while True:
    k += 1
    data = str(k).encode() * 20000
    place_folder(folder / "model", {"a": data, "parts/b": data}, "a")
    place_file(folder / "file", data)
    print(k, flush=True)
"""


def test_a_killed_writer_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    for wait in (0.0, 0.01, 0.037, 0.052):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()  # it has written once
        time.sleep(wait)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        a, b = (tmp_path / "model" / "a").read_bytes(), (tmp_path / "model" / "parts" / "b").read_bytes()
        assert a == b and len(a) % 20000 == 0
        assert len((tmp_path / "file").read_bytes()) % 20000 == 0


@pytest.mark.parametrize("swaps", [True, False])
def test_a_folder_is_replaced_and_its_former_files_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swaps: bool
) -> None:
    if not swaps:  # a system without an exchange of two names
        monkeypatch.setattr(files.ctypes, "CDLL", lambda *_, **__: object())
    place_folder(tmp_path / "m", {"a": b"1", "b": b"2"}, "a")
    place_folder(tmp_path / "m", {"a": b"3"}, "a")
    assert {p.name: p.read_bytes() for p in (tmp_path / "m").iterdir()} == {"a": b"3"}
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_what_is_no_artifact_stays(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match="is no artifact"):
        place_folder(tmp_path / "m", {"a": b"1"}, "a")
    assert (tmp_path / "m" / "letter.txt").read_text() == "dear"


def test_an_error_while_writing_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place_file(tmp_path / "f", b"old")
    place_folder(tmp_path / "m", {"a": b"old"}, "a")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        place_file(tmp_path / "f", b"new")
    with pytest.raises(OSError, match="disk full"):
        place_folder(tmp_path / "m", {"a": b"new"}, "a")
    assert (tmp_path / "f").read_bytes() == b"old" and (tmp_path / "m" / "a").read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f", "m"]


def test_what_a_killed_writer_left_goes_at_the_next_attempt(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = files._here()
    dead = [tmp_path / f".{name}.{here}.{gone.pid}.00.part" for name in ("model", "other")]
    alive = tmp_path / f".model.{here}.{os.getpid()}.00.part"
    old = tmp_path / ".model.abc123.part"
    for folder in (dead[0], old):
        folder.mkdir()
        (folder / "a").write_text("half")
    os.utime(old, (1, 1))
    dead[1].write_text("another target's")
    alive.write_text("")
    place_folder(tmp_path / "model", {"a": b"whole"}, "a")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["model", dead[1].name, alive.name])
    place_file(tmp_path / "other", b"whole")
    assert not dead[1].exists()
