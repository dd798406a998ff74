"""Files and folders that appear whole or not at all, whenever the process ends (a kill, a full disk, an error)."""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import platform
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, TypeAlias, Union

from .errors import ArgumentError
from .suggest import hint

Piece: TypeAlias = Union[bytes, memoryview]
Content: TypeAlias = Union[Piece, Sequence[Piece]]
_EXCHANGE = 2  # the flag RENAME_EXCHANGE of Linux's renameat2
_HERE = -100  # AT_FDCWD
_OLD = 86400.0  # seconds after which an unfinished file is nobody's any more, whoever began it


def part_name(name: str) -> str:
    """The name of an unfinished file or folder that is to become `name`: it says which process writes it, and where."""
    return f".{name}.{_here()}.{os.getpid()}.{secrets.token_hex(4)}.part"


def is_left_behind(path: Path) -> bool:
    """Whether a path is an unfinished file whose process is gone: one of this machine, or older than a day."""
    parts = path.name.split(".")
    if parts[0] or parts[-1] != "part":
        return False
    try:
        if time.time() - path.lstat().st_mtime > _OLD:
            return True
    except OSError:
        return False
    return len(parts) >= 6 and parts[-4] == _here() and parts[-3].isdigit() and not _is_running(int(parts[-3]))


def sweep_parts(target: Path) -> None:
    """Delete what killed processes left of earlier attempts to write `target`."""
    with contextlib.suppress(OSError):
        for path in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
            if is_left_behind(path):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


@cache
def _here() -> str:
    """This machine and its processes' numbers: containers that share a disk have numbers of their own."""
    try:
        numbers = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        numbers = ""
    return f"{zlib.crc32(f'{platform.node()} {numbers}'.encode()):08x}"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's
        pass
    return True


def pieces_of(content: Content) -> Sequence[Piece]:
    """A file's content piece by piece."""
    return [content] if isinstance(content, (bytes, memoryview)) else content


def place_file(target: Path, content: Content | Callable[[IO[bytes]], None]) -> None:
    """Write a file beside its place, then put it there at once; the folder must exist.

    content: bytes, pieces that follow each other (so that nobody has to join large arrays first), or who writes it.
    """
    sweep_parts(target)
    part = target.parent / part_name(target.name)
    try:
        with part.open("xb") as file:
            if callable(content):
                content(file)
            else:
                file.writelines(pieces_of(content))
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:  # broad: the temporary file must go whatever happened; the error goes on
        part.unlink(missing_ok=True)
        raise


def place_folder(target: Path, parts: Mapping[str, Content], marker: str) -> None:
    """Write a folder of files (names may have one folder in front). A former folder is replaced if it holds `marker`.

    Errors: ArgumentError where something else is in its place.
    """
    made = new_folder(target, marker)
    try:
        made.mkdir(0o700)
        for part, content in parts.items():
            (made / part).parent.mkdir(exist_ok=True)
            with (made / part).open("wb") as file:
                file.writelines(pieces_of(content))
                file.flush()
                os.fsync(file.fileno())
        put_folder(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def new_folder(target: Path, marker: str) -> Path:
    """The path of an unfinished folder that is to become `target`; nothing is made. A former one must hold `marker`.

    Errors: ArgumentError where something else is in its place.
    """
    if target.exists() and not (target.is_dir() and ((target / marker).exists() or not any(target.iterdir()))):
        raise ArgumentError(f"{target} exists and is no artifact", remedy="choose another path, or remove it first")
    sweep_parts(target)
    return target.parent / part_name(target.name)


def put_folder(made: Path, target: Path) -> None:
    """Put a finished folder where it belongs. A former one is in its place then, or gone."""
    made.chmod(0o777 & ~_mask())
    if target.exists():
        _exchange(made, target)
    else:
        made.rename(target)


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


def near_file(path: Any) -> str:
    """The remedy for a file that isn't there: a similar name in its folder, or the lowest folder that exists."""
    wanted = Path(path)
    folder = next((p for p in wanted.parents if p.is_dir()), Path())
    if folder != wanted.parent:
        return f"the folder {wanted.parent} doesn't exist: give the path of a file that does"
    close = hint(wanted.name, [p.name for p in folder.iterdir()])
    return close or f"give the path of a file that exists; the current folder is {Path.cwd()}"
