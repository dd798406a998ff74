"""Files and folders that appear whole or not at all, whenever the process ends (a kill, a full disk, an error)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import ArgumentError

_EXCHANGE = 2  # the flag RENAME_EXCHANGE of Linux's renameat2
_HERE = -100  # AT_FDCWD


def place_file(target: Path, data: bytes) -> None:
    """Write a file beside its place, then put it there at once; the folder must exist."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_mask())
        Path(name).replace(target)
    except BaseException:  # broad: the temporary file must go whatever happened; the error goes on
        Path(name).unlink(missing_ok=True)
        raise


def place_folder(target: Path, parts: Mapping[str, bytes], marker: str) -> None:
    """Write a folder of files (names may have one folder in front). A former folder is replaced if it holds `marker`.

    Errors: ArgumentError where something else is in its place.
    """
    if target.exists() and not (target.is_dir() and ((target / marker).exists() or not any(target.iterdir()))):
        raise ArgumentError(f"{target} exists and is no artifact", remedy="choose another path, or remove it first")
    made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        for part, data in parts.items():
            (made / part).parent.mkdir(exist_ok=True)
            with (made / part).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        made.chmod(0o777 & ~_mask())
        if target.exists():
            _exchange(made, target)
        else:
            made.rename(target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _exchange(made: Path, target: Path) -> None:
    """Put `made` where `target` is; where the system can't swap two folders at once, the old one is set aside first."""
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None, use_errno=True)
        if library.renameat2(_HERE, os.fsencode(made), _HERE, os.fsencode(target), _EXCHANGE) == 0:
            return
    old = made.with_suffix(".old")
    target.rename(old)
    try:
        made.rename(target)
    except BaseException:  # broad: put the former folder back, whatever happened
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
