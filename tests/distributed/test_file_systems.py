"""`fleet.utils.fs`: what its calls do with files that are there and that aren't."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from vitrify.distributed import fleet
from vitrify.distributed.fleet.utils.fs import FS, FSFileExistsError, FSFileNotExistsError, LocalFS


def test_folders_and_files_are_made_listed_and_removed(tmp_path: Path) -> None:
    files = fleet.utils.LocalFS()
    files.mkdirs(f"{tmp_path}/a/b")
    files.mkdirs(f"{tmp_path}/a/b")
    files.touch(f"{tmp_path}/a/x")
    files.touch(f"{tmp_path}/a/x")
    assert files.ls_dir(f"{tmp_path}/a") == (["b"], ["x"])
    assert files.list_dirs(f"{tmp_path}/a") == ["b"]
    assert files.ls_dir(f"{tmp_path}/none") == ([], [])
    assert files.is_dir(f"{tmp_path}/a") and files.is_file(f"{tmp_path}/a/x") and not files.is_exist(f"{tmp_path}/b")
    with pytest.raises(FSFileExistsError, match="exists already"):
        files.touch(f"{tmp_path}/a/x", exist_ok=False)
    with pytest.raises(AssertionError, match="is already a file"):
        files.mkdirs(f"{tmp_path}/a/x")
    for path in ("a", "a", "none"):
        files.delete(f"{tmp_path}/{path}")
    assert list(tmp_path.iterdir()) == []
    assert files.need_upload_download() is False


def test_moves_keep_what_is_there_unless_told(tmp_path: Path) -> None:
    files = LocalFS()
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.mkdir()
    with pytest.raises(FSFileNotExistsError, match="there is no"):
        files.mv(str(tmp_path / "none"), str(two))
    with pytest.raises(FSFileExistsError, match="exists already"):
        files.mv(str(one), str(two))
    assert one.read_text() == "1" and two.is_dir()
    files.mv(str(one), str(two), overwrite=True)
    assert two.read_text() == "1" and not one.exists()


def test_a_link_to_a_folder_goes_and_the_folder_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / "link").symlink_to(kept, target_is_directory=True)
    LocalFS().delete(str(tmp_path / "link"))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_calls_that_a_kind_lacks_say_so() -> None:
    for name, call in inspect.getmembers(FS(), inspect.ismethod):
        if not name.startswith("_"):
            arguments = [None] * (len(inspect.getfullargspec(call).args) - 1)
            with pytest.raises(NotImplementedError, match=f"FS has no {name}"):
                call(*arguments)
    with pytest.raises(NotImplementedError, match="LocalFS has no upload"):
        LocalFS().upload("a", "b")
