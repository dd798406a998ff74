"""The folder of the cache: files that are trusted, whole, bounded in size. What killed processes left is deleted.

Object code is executed: only files of the user's own (or root's), in a folder that nobody else can write, are read
(base/trusted.py). Whatever else is there is refused with a warning, once. Trouble with the disk is never an error.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from ..base.files import is_left_behind, part_name
from ..base.trusted import UntrustedError, read_trusted, trusted_folder

DEFAULT_LIMIT = 512 << 20  # bytes
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_KEPT = re.compile(r"[0-9a-f]+\.(o|program)|machine-[0-9a-f]{16}\.json")
_SOURCES = re.compile(r".*\.py")
_FAILED = "failed"  # the folder of sources that didn't compile
_MOST_FAILED = 100
_WRITTEN = ".written"  # the file that counts what was written since the folder was looked through
_PART = 256  # bytes that are counted as one
_SHARE = 0.9  # of the limit that is left after files were deleted: not every write has to look
_LOOK_AFTER = 1 / 32  # of the limit: so much may be written before the folder is looked through again
_FRESH = 3600.0  # seconds in which a further use of a file isn't noted
_log = logging.getLogger("vitrify.cache")
_told: set[str] = set()
_batch = threading.local()


@dataclass(frozen=True, slots=True)
class CacheFile:
    """A file of the cache. used: when it was last loaded or written, in seconds since 1970."""

    name: str
    size: int
    used: float


def directory() -> Path:
    """Where object code is kept: VITRIFY_CACHE_DIR, or the platform's place for caches; without a home, below /tmp."""
    chosen = os.environ.get("VITRIFY_CACHE_DIR")
    return Path(chosen) if chosen else _platform_cache() / "vitrify" / "kernels"


def limit() -> int:
    """The most bytes that the cache may keep: VITRIFY_CACHE_LIMIT (512M unless it says otherwise; 0 keeps nothing)."""
    text = os.environ.get("VITRIFY_CACHE_LIMIT", "").strip().upper().removesuffix("B").removesuffix("I")
    found = re.fullmatch(r"(\d+)([KMGT]?)", text)
    if text and found is None:
        _tell("VITRIFY_CACHE_LIMIT", "VITRIFY_CACHE_LIMIT must be a number of bytes like 500M or 2G: 512M is used")
    return DEFAULT_LIMIT if found is None else int(found[1]) * _UNITS[found[2]]


def read(name: str) -> bytes | None:
    """The content of a file of the cache; None where there is none, or none that can be trusted."""
    known: tuple[Path, int | None] | None = getattr(_batch, "folder", None)
    path = (directory() if known is None else known[0]) / name
    try:
        with contextlib.nullcontext(known[1]) if known else trusted_folder(path.parent) as folder:
            content, facts = read_trusted(path, folder)
            _note_use(path, folder, facts)
            return content
    except UntrustedError as error:
        _refuse(error)
    except FileNotFoundError:
        pass
    except OSError as error:
        _log.debug("%s can't be read: %s", path, error)
    return None


@contextmanager
def at_once() -> Iterator[None]:
    """Inside, this thread's reads look once whether the folder can be trusted: its descriptor stays open."""
    with contextlib.ExitStack() as open_now:
        with contextlib.suppress(OSError):  # each read says what is wrong
            place = directory()
            _batch.folder = place, open_now.enter_context(trusted_folder(place))
        try:
            yield
        finally:
            _batch.folder = None


def has(name: str) -> bool:
    """Whether there is such a file, trusted or not."""
    try:
        return (directory() / name).exists()
    except OSError:  # of a folder that may not be looked into
        return False


def write(name: str, content: bytes) -> bool:
    """Put a file into the cache, whole or not at all; false where nothing can be kept.

    May delete what was used longest ago.
    """
    most = limit()
    if len(content) > most:
        return False
    path = directory() / name
    try:
        with trusted_folder(path.parent, make=True) as folder:
            _place(path, folder, content)
            must_look = _must_look(path.parent, folder, len(content), most)
    except UntrustedError as error:
        _refuse(error)
        return False
    except OSError as error:
        _log.debug("%s can't be written: %s", path, error)
        return False
    if must_look:
        sweep()
        prune(most)
    return True


def entries() -> list[CacheFile]:
    """What is kept: kernels, compiled programs and measurements of the machine."""
    return sorted((CacheFile(*one) for one in _listed(directory(), _KEPT)), key=lambda entry: entry.name)


def clear() -> tuple[int, int]:
    """Delete all that is kept, and what killed processes left; how many kernels that were, and bytes in all."""
    count = size = 0
    for entry in entries():
        if _delete(entry.name):
            count, size = count + entry.name.endswith(".o"), size + entry.size
    for name, bytes_kept, _ in _listed(directory() / _FAILED, _SOURCES):
        size += bytes_kept * _delete(f"{_FAILED}/{name}")
    _delete(_WRITTEN)
    sweep()
    return count, size


def sweep() -> int:
    """Delete unfinished files of processes that are gone; how many."""
    count = 0
    for folder in (directory(), directory() / _FAILED):
        with contextlib.suppress(OSError), os.scandir(folder) as found:
            hidden = [folder / item.name for item in found if item.name.startswith(".")]  # as all unfinished files are
            count += sum(_delete(str(path.relative_to(directory()))) for path in hidden if is_left_behind(path))
    return count


def prune(most: int) -> int:
    """Delete what was used longest ago until no more than `most` bytes are kept; how many files.

    Other processes may do so at the same time.
    """
    found = list(_listed(directory(), _KEPT))
    total, count = sum(size for _, size, _ in found), 0
    if total > most:
        for name, size, _ in sorted(found, key=itemgetter(2)):
            if total <= int(most * _SHARE):
                break
            total -= size
            count += _delete(name)
    failed = sorted(_listed(directory() / _FAILED, _SOURCES), key=itemgetter(2), reverse=True)
    for name, _, _ in failed[_MOST_FAILED:]:
        count += _delete(f"{_FAILED}/{name}")
    return count


def problem(*, try_out: bool = True) -> str | None:
    """Why nothing can be kept; None where all is well. try_out: make the folder, and write a file into it."""
    where = directory()
    try:
        with trusted_folder(where, make=try_out) as folder:
            if not try_out:
                return None
            name = part_name("probe")
            os.close(
                os.open(name if folder is not None else where / name, os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
            )
            os.unlink(name if folder is not None else where / name, dir_fd=folder)
    except UntrustedError as error:
        return (
            f"kernels in {where} aren't loaded, because {error.path} can't be trusted: {error.reason}. {_remedy(error)}"
        )
    except OSError as error:
        if not try_out:
            return None
        return f"kernels can't be kept in {where} ({error}): set VITRIFY_CACHE_DIR to a folder that can be written"
    return None


def _must_look(place: Path, folder: int | None, size: int, most: int) -> bool:
    """Count a file that was written; whether the folder is to be looked through now, because it may be too large.

    All processes count together, in a file of the folder: a look at tens of thousands of files takes half a second,
    which each of many short processes would spend. The file holds the limit that was kept to at the last look, and a
    byte for each 256 written since; without it, or with a lower limit, a look is due.
    """
    name = _WRITTEN if folder is not None else str(place / _WRITTEN)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(name, flags, 0o600, dir_fd=folder)
        try:
            os.write(handle, b"." * (size // _PART + 1))
            os.lseek(handle, 0, os.SEEK_SET)
            kept_to, _, _ = os.read(handle, 32).partition(b"\n")
            written = (os.fstat(handle).st_size - len(kept_to) - 1) * _PART
            if kept_to.isdigit() and int(kept_to) <= most and written <= most * _LOOK_AFTER:
                return False
            os.ftruncate(handle, 0)
            os.write(handle, b"%d\n" % most)
        finally:
            os.close(handle)
    except OSError as error:
        _log.debug("%s can't be kept: %s", place / _WRITTEN, error)
    return True


def _listed(folder: Path, names: re.Pattern[str]) -> Iterator[tuple[str, int, float]]:
    """The fields of `CacheFile` for the files of such names. There may be tens of thousands: nothing more is made."""
    try:
        with os.scandir(folder) as found:
            for item in found:
                name = item.name
                if not names.fullmatch(name):
                    continue
                try:
                    facts = item.stat(follow_symlinks=False)
                except OSError:
                    continue  # another process deleted it
                yield name, facts.st_size, facts.st_mtime
    except OSError:
        return


def _delete(name: str) -> bool:
    try:
        (directory() / name).unlink()
    except OSError:
        return False
    return True


def _place(path: Path, folder: int | None, content: bytes) -> None:
    name, target = part_name(path.name), path.name
    if folder is None:
        name, target = str(path.parent / name), str(path)
    handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o644, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, target, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # broad: the unfinished file must go whatever happened; the error goes on
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _note_use(path: Path, folder: int | None, facts: os.stat_result) -> None:
    """Give the file the present time: the oldest ones are deleted first."""
    if time.time() - facts.st_mtime > _FRESH:
        with contextlib.suppress(OSError):  # root's, or a disk that is read-only
            os.utime(path.name if folder is not None else path, dir_fd=folder)


def _refuse(error: UntrustedError) -> None:
    _tell(
        error.path,
        f"kernels kept in {directory()} aren't used: {error.path} can't be trusted, {error.reason}. {_remedy(error)}",
    )


def _remedy(error: UntrustedError) -> str:
    return f"Remedy: {error.remedy}, or set VITRIFY_CACHE_DIR to a folder of your own"


def _tell(about: str, words: str) -> None:
    """Warn once in a process."""
    if about not in _told:
        _told.add(about)
        warnings.warn(words, stacklevel=2)


def _platform_cache() -> Path:
    try:
        home = Path("~").expanduser()
    except RuntimeError:  # HOME isn't set, and the system doesn't know the user
        home = None
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"])
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if sys.platform != "darwin" and chosen.is_absolute():  # the standard says to ignore others
        return chosen
    if home is None or not home.is_absolute() or home == Path("/") or not os.access(home, os.F_OK):
        return Path(tempfile.gettempdir()) / f"vitrify-{os.geteuid() if hasattr(os, 'geteuid') else 'cache'}"
    return home / {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
