"""Which files and folders are trusted, whoever owns them, however links lead to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vitrify.base.trusted import UntrustedError, read_trusted, trusted_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners of files")


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a path somebody else's; where only root could, make us somebody else."""
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)


def read(path: Path) -> bytes:
    with trusted_folder(path.parent) as folder:
        return read_trusted(path, folder)[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "a" / "b" / "file"
    place.parent.mkdir(parents=True)
    for folder in (place.parent, place.parent.parent):
        folder.chmod(0o755)
    place.write_bytes(b"hello")
    place.chmod(0o644)
    return place


def test_a_file_of_ones_own_is_read_through_relative_paths_and_links_too(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read(file) == b"hello"
    monkeypatch.chdir(file.parent)
    assert read(Path("file")) == read(Path("../b/file")) == b"hello"
    (file.parents[2] / "away").symlink_to(file.parent)
    (file.parents[2] / "near").symlink_to("a/../a/./b")
    assert read(file.parents[2] / "away" / "file") == read(file.parents[2] / "near" / "file") == b"hello"


@pytest.mark.parametrize("which", [0, 1, 2], ids=["file", "folder", "parent"])
@pytest.mark.parametrize("mode", [0o666, 0o777])
def test_what_everybody_may_write_is_refused(file: Path, which: int, mode: int) -> None:
    path = [file, *file.parents][which]
    path.chmod(mode | 0o111)
    with pytest.raises(UntrustedError) as caught:
        read(file)
    assert (caught.value.path, caught.value.remedy) == (str(path), f"chmod go-w {path}")
    assert "other users can write it (mode 777)" in caught.value.reason


@pytest.mark.parametrize("which", [0, 1, 2], ids=["file", "folder", "parent"])
def test_what_belongs_to_somebody_else_is_refused(file: Path, which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away([file, *file.parents][which], monkeypatch)
    with pytest.raises(UntrustedError, match="belongs to user"):
        read(file)


def test_a_sticky_folder_is_trusted_on_the_way_only(file: Path) -> None:
    file.parents[1].chmod(0o1777)
    assert read(file) == b"hello"
    file.parent.chmod(0o1777)
    with pytest.raises(UntrustedError, match="other users can write"):
        read(file)


def test_a_link_in_place_of_the_file_is_refused(file: Path) -> None:
    file.rename(file.with_name("other"))
    file.symlink_to("other")
    with pytest.raises(OSError):
        read(file)


def test_a_link_of_somebody_else_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = file.parents[2] / "link"
    link.symlink_to(file.parent)
    give_away(link, monkeypatch)
    with pytest.raises(UntrustedError, match="belongs to user"):
        read(link / "file")


def test_links_in_a_circle_and_pipes_do_not_hang(file: Path) -> None:
    (file.parent / "x").symlink_to("y")
    (file.parent / "y").symlink_to("x")
    with pytest.raises(OSError, match="symbolic links"):
        read(file.parent / "x" / "file")
    os.mkfifo(file.parent / "pipe", 0o600)
    with pytest.raises(UntrustedError, match="no regular file"):
        read(file.parent / "pipe")


def test_missing_folders_are_made_for_the_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with trusted_folder(tmp_path / "one" / "two", make=True):
            pass
    finally:
        os.umask(before)
    assert [(tmp_path / p).stat().st_mode & 0o777 for p in ("one", "one/two")] == [0o700, 0o700]
    with pytest.raises(FileNotFoundError), trusted_folder(tmp_path / "missing"):
        pass


def test_a_folder_that_is_swapped_after_the_check_changes_nothing(file: Path) -> None:
    with trusted_folder(file.parent) as folder:
        file.parent.rename(file.parents[1] / "old")
        (file.parents[1] / "b").mkdir()
        (file.parents[1] / "b" / "file").write_bytes(b"forged")
        assert read_trusted(file, folder)[0] == b"hello"


def test_no_descriptor_stays_open(file: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(20):
        read(file)
        file.chmod(0o666)
        with pytest.raises(UntrustedError):
            read(file)
        file.chmod(0o600)
        with pytest.raises(OSError):
            read(file.parent / "none" / "file")
    assert len(list(Path("/dev/fd").iterdir())) == before
