"""`utils.download`: files that are on this machine are found where PaddlePaddle keeps them; nothing is downloaded."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..base.errors import DataError, DataNotFoundError

DATA_HOME = str(Path("~/.cache/paddle/dataset").expanduser())
WEIGHTS_HOME = str(Path("~/.cache/paddle/hapi/weights").expanduser())


class AbsentDataError(DataNotFoundError, ValueError):
    """A file that isn't there and isn't to be downloaded. PaddlePaddle raises a ValueError."""


def is_url(path: str) -> bool:
    """Whether `path` begins like an address.

    >>> is_url("https://example.org/net.pdparams"), is_url("net.pdparams")
    (True, False)
    """
    return path.startswith(("http://", "https://"))


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The file of these weights in `~/.cache/paddle/hapi/weights`. Errors as of `get_path_from_url`."""
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(url: str, root_dir: str, md5sum: str | None = None, check_exist: bool = True, **_: Any) -> str:
    """The file of an address in a folder, or the folder that it was unpacked to.

    Errors: DataNotFoundError where neither is there; DataError where the MD5 sum differs.
    """
    file = Path(root_dir) / url.rpartition("/")[2]
    for suffix in (".tar.gz", ".tgz", ".tar", ".zip"):
        folder = file.with_name(file.name.removesuffix(suffix))
        if file.name.endswith(suffix) and folder.is_dir():
            return str(folder)
    return _found(file, url, md5sum)


def _found(file: Path, url: str, md5sum: str | None) -> str:
    if not file.is_file():
        raise DataNotFoundError(f"{file} isn't there, and nothing is downloaded", remedy=f"put the file of {url} there")
    if md5sum is not None and hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest() != md5sum:
        raise DataError(f"{file} has another MD5 sum than {md5sum}", remedy="get the file again")
    return str(file)


def download(url: str, module_name: str, md5sum: str | None = None, save_name: str | None = None) -> str:
    """The file of an address in `~/.cache/paddle/dataset/module_name`, as it is.

    Errors: DataNotFoundError where it isn't there; DataError where the MD5 sum differs.
    """
    return _found(Path(DATA_HOME) / module_name / (save_name or url.rpartition("/")[2]), url, md5sum)


def check_exists_and_download(
    path: str | None, url: str, md5: str | None, module_name: str, download: bool = True
) -> str:
    """`path` where there is something, else the file that `download` finds.

    Errors: DataNotFoundError (a ValueError too) where there is nothing.
    """
    if path and Path(path).exists():
        return path
    if not download:
        raise AbsentDataError(f"{path} isn't there, and download is False")
    return _found(Path(DATA_HOME) / module_name / url.rpartition("/")[2], url, md5)


def md5file(fname: str) -> str:
    """The MD5 of a file's bytes, in hexadecimal."""
    return hashlib.md5(Path(fname).read_bytes(), usedforsecurity=False).hexdigest()


def decompress(fname: str) -> str:
    """Unpack a tar or zip file beside itself; the one file or folder in it, or a folder of the archive's name.

    Members that would lie outside fail. Errors: DataError for another kind of file.
    """
    beside = Path(fname).parent
    if tarfile.is_tarfile(fname):
        with tarfile.open(fname) as tar:
            place, target = _places(fname, tar.getnames())
            tar.extractall(beside / place, filter="data")
    elif zipfile.is_zipfile(fname):
        with zipfile.ZipFile(fname) as archive:
            place, target = _places(fname, archive.namelist())
            archive.extractall(beside / place)
    else:
        raise DataError(f"{fname} is neither a tar nor a zip file", remedy="give the path of an archive")
    return str(beside / target)


def _places(fname: str, members: list[str]) -> tuple[str, str]:
    """The folder to unpack to, beside the archive, and what to return."""
    tops = {os.path.normpath(name).partition(os.sep)[0] for name in members} - {os.curdir}
    if len(tops) == 1:
        return "", tops.pop()
    stem = Path(fname).name.partition(".")[0]
    return stem, stem


def unique_endpoints(trainer_endpoints: Iterable[str]) -> set[str]:
    """One address of each machine, the first in order.

    >>> sorted(unique_endpoints(["a:2", "a:1", "b:7"]))
    ['a:1', 'b:7']
    """
    first: dict[str, str] = {}
    for endpoint in sorted(trainer_endpoints):
        first.setdefault(endpoint.partition(":")[0], endpoint)
    return set(first.values())
