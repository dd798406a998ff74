"""`fleet.utils.fs`: files and folders through one interface, so that a program can keep its data elsewhere."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, NoReturn

from ..base.errors import AssertedError, VitrifyError

__all__ = ["FS", "ExecuteError", "FSFileExistsError", "FSFileNotExistsError", "FSTimeOut", "LocalFS"]


class ExecuteError(VitrifyError):
    """A command of a file system that failed."""


class FSFileExistsError(VitrifyError, FileExistsError):
    """A file or folder that is there already."""


class FSFileNotExistsError(VitrifyError, FileNotFoundError):
    """A file or folder that isn't there."""


class FSTimeOut(VitrifyError, TimeoutError):
    """A command of a file system that took too long."""


class MissingCallError(VitrifyError, NotImplementedError):
    """A call that this kind of file system doesn't have."""


class FS:
    """The calls of a file system. Each class has those of its kind; the others raise a NotImplementedError.

    >>> FS().is_file("a.txt")
    Traceback (most recent call last):
        ...
    vitrify.distributed.file_systems.MissingCallError: FS has no is_file()
    """

    def _missing(self, call: str) -> NoReturn:
        raise MissingCallError(f"{type(self).__name__} has no {call}()")

    def ls_dir(self, fs_path: Any) -> Any:
        """The names of the folders and of the files in a folder."""
        self._missing("ls_dir")

    def list_dirs(self, fs_path: Any) -> Any:
        """The names of the folders in a folder."""
        self._missing("list_dirs")

    def is_file(self, fs_path: Any) -> Any:
        """Whether the path is a file."""
        self._missing("is_file")

    def is_dir(self, fs_path: Any) -> Any:
        """Whether the path is a folder."""
        self._missing("is_dir")

    def is_exist(self, fs_path: Any) -> Any:
        """Whether there is anything."""
        self._missing("is_exist")

    def mkdirs(self, fs_path: Any) -> Any:
        """Make a folder, with those above it."""
        self._missing("mkdirs")

    def touch(self, fs_path: Any, exist_ok: bool = True) -> Any:
        """Make an empty file."""
        self._missing("touch")

    def delete(self, fs_path: Any) -> Any:
        """Remove a file, or a folder with all in it."""
        self._missing("delete")

    def rename(self, fs_src_path: Any, fs_dst_path: Any) -> Any:
        """Give a file or a folder another path."""
        self._missing("rename")

    def mv(self, fs_src_path: Any, fs_dst_path: Any, overwrite: bool = False, test_exists: bool = False) -> Any:
        """Give a file or a folder another path that is free, or is freed."""
        self._missing("mv")

    def upload(self, local_path: Any, fs_path: Any) -> Any:
        """Copy a file from this machine."""
        self._missing("upload")

    def upload_dir(self, local_dir: Any, dest_dir: Any) -> Any:
        """Copy a folder from this machine."""
        self._missing("upload_dir")

    def download(self, fs_path: Any, local_path: Any) -> Any:
        """Copy a file or a folder to this machine."""
        self._missing("download")

    def cat(self, fs_path: Any = None) -> Any:
        """The text of a file."""
        self._missing("cat")

    def need_upload_download(self) -> Any:
        """Whether files must be copied before this machine can read them."""
        self._missing("need_upload_download")


class LocalFS(FS):
    """The file system of this machine.

    >>> import tempfile
    >>> files = LocalFS()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files.mkdirs(f"{folder}/runs/first")
    ...     files.touch(f"{folder}/runs/log.txt")
    ...     files.ls_dir(f"{folder}/runs")
    (['first'], ['log.txt'])
    """

    def ls_dir(self, fs_path: str) -> tuple[list[str], list[str]]:
        """The names of the folders and of the files in a folder; none of either where there is no such folder."""
        if not self.is_exist(fs_path):
            return [], []
        entries = sorted(Path(fs_path).iterdir())
        return [e.name for e in entries if e.is_dir()], [e.name for e in entries if not e.is_dir()]

    def list_dirs(self, fs_path: str) -> list[str]:
        """The names of the folders in a folder."""
        return self.ls_dir(fs_path)[0]

    def is_file(self, fs_path: str) -> bool:
        """Whether the path is a file."""
        return Path(fs_path).is_file()

    def is_dir(self, fs_path: str) -> bool:
        """Whether the path is a folder."""
        return Path(fs_path).is_dir()

    def is_exist(self, fs_path: str) -> bool:
        """Whether there is a file or a folder."""
        return Path(fs_path).exists()

    def mkdirs(self, fs_path: str) -> None:
        """Make a folder, with those above it; nothing where it is there. Errors: AssertedError where a file is."""
        if self.is_file(fs_path):
            raise AssertedError(f"{fs_path} is already a file")
        Path(fs_path).mkdir(parents=True, exist_ok=True)

    def touch(self, fs_path: str, exist_ok: bool = True) -> None:
        """Make an empty file; leave one that is there. Errors: FSFileExistsError for that with `exist_ok=False`."""
        if self.is_exist(fs_path):
            if not exist_ok:
                raise FSFileExistsError(f"{fs_path} exists already")
            return
        Path(fs_path).touch()

    def delete(self, fs_path: str) -> None:
        """Remove a file, or a folder with all in it; nothing where there is neither."""
        if self.is_dir(fs_path) and not Path(fs_path).is_symlink():
            shutil.rmtree(fs_path)
        elif os.path.lexists(fs_path):
            Path(fs_path).unlink()

    def rename(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or a folder another path, as the operating system does it."""
        Path(fs_src_path).rename(fs_dst_path)

    def mv(self, src_path: str, dst_path: str, overwrite: bool = False, test_exists: bool = False) -> None:
        """Give a file or a folder another path; `overwrite` first removes what is there.

        Errors: FSFileNotExistsError without a source, FSFileExistsError where the target is taken.
        """
        if not self.is_exist(src_path):
            raise FSFileNotExistsError(f"there is no {src_path}")
        if overwrite and self.is_exist(dst_path):
            self.delete(dst_path)
        if self.is_exist(dst_path):
            raise FSFileExistsError(f"{dst_path} exists already")
        self.rename(src_path, dst_path)

    def need_upload_download(self) -> bool:
        """False: the files are here."""
        return False
