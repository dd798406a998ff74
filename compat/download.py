"""`utils.download`: files that are on this machine are found where PaddlePaddle keeps them; nothing is downloaded."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from ..base.errors import DataError, DataNotFoundError

WEIGHTS_HOME = str(Path("~/.cache/paddle/hapi/weights").expanduser())


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
    if not file.is_file():
        raise DataNotFoundError(f"{file} isn't there, and nothing is downloaded", remedy=f"put the file of {url} there")
    if md5sum is not None and hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest() != md5sum:
        raise DataError(f"{file} has another MD5 sum than {md5sum}", remedy="get the file again")
    return str(file)


def md5file(fname: str) -> str:
    """The MD5 of a file's bytes, in hexadecimal."""
    return hashlib.md5(Path(fname).read_bytes(), usedforsecurity=False).hexdigest()
