"""Files that may be trusted: the user's own (or root's), in folders that nobody else can write.

The path is walked from the root, folder by folder, by descriptors that are checked once they are open: what is checked
is what is used, whatever is renamed or linked meanwhile. A folder on the way may be writable by others only where its
sticky bit keeps them from renaming what isn't theirs (/tmp). Systems without POSIX owners have nothing to check.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MOST_LINKS = 40
_POSIX = hasattr(os, "geteuid") and os.open in os.supports_dir_fd
_SEARCH: int = getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))  # needs no right to list the folder
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UntrustedError(OSError):
    """A file or folder that somebody else could have written. `reason` says who could, `remedy` what to do."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        super().__init__(errno.EPERM, reason, path)
        self.path = path
        self.reason = reason
        self.remedy = remedy


@contextmanager
def trusted_folder(path: Path, *, make: bool = False) -> Iterator[int | None]:
    """A descriptor of a folder for `dir_fd`; None on systems without such descriptors.

    make: make what is missing of the path, for the user alone. Errors: UntrustedError where somebody else can write in
    it or could replace it; other OSErrors where it isn't there or can't be made.
    """
    if not _POSIX:
        if make:
            path.mkdir(parents=True, exist_ok=True)
        yield None
        return
    handle = _walk(Path.cwd() / path, make)
    try:
        yield handle
    finally:
        os.close(handle)


def read_trusted(path: Path, folder: int | None) -> tuple[bytes, os.stat_result]:
    """The content of a file in an open folder, and the facts about it.

    Errors: UntrustedError where another user could have written it; other OSErrors where it can't be read.
    """
    if folder is None:
        return path.read_bytes(), path.stat()
    handle = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise UntrustedError(str(path), "it is no regular file", f"delete {path}")
        _check(facts, str(path))
        return file.read(), facts


def _walk(path: Path, make: bool) -> int:
    """A descriptor of the last folder of an absolute path, links followed by hand."""
    pending = [*reversed(path.parts[1:])]
    shown, links = Path("/"), 0
    handle = os.open("/", _SEARCH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _check(os.fstat(handle), "/", anyone=bool(pending), root=True)
        while pending:
            name = pending.pop()
            link = _link(name, handle, shown / name)
            if link is not None:
                links += 1
                if links > _MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
                pending += reversed([part for part in link.split("/") if part not in ("", ".")])
                if not link.startswith("/"):
                    continue
                name, shown = "/", Path("/")
            following = _entered(name, handle, make)
            os.close(handle)
            handle, shown = following, shown / name
            _check(os.fstat(handle), str(shown), anyone=bool(pending), root=name == "/")
        return handle
    except BaseException:  # broad: the descriptor must be closed whatever happened; the error goes on
        os.close(handle)
        raise


def _entered(name: str, folder: int, make: bool) -> int:
    flags = _SEARCH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):  # another process was faster
        os.mkdir(name, 0o700, dir_fd=folder)
    return os.open(name, flags, dir_fd=folder)


def _link(name: str, folder: int, shown: Path) -> str | None:
    """Where a link leads; None for what is none. Errors: UntrustedError for somebody else's link."""
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISLNK(facts.st_mode):
        return None
    _check_owner(facts, str(shown))
    return os.readlink(name, dir_fd=folder)


def _check(facts: os.stat_result, path: str, *, anyone: bool = False, root: bool = False) -> None:
    """anyone: others may write where the sticky bit is set. root: the root folder, whose owner rules anyway."""
    if not root:
        _check_owner(facts, path)
    mode = stat.S_IMODE(facts.st_mode)
    if not mode & _OTHERS or (anyone and mode & stat.S_ISVTX):
        return
    if not mode & stat.S_IWOTH and _is_private_group(facts, path):
        return
    raise UntrustedError(path, f"other users can write it (mode {mode:o})", f"chmod go-w {path}")


def _check_owner(facts: os.stat_result, path: str) -> None:
    if facts.st_uid not in (0, os.geteuid()):
        who = f"it belongs to user {facts.st_uid}, not to you ({os.geteuid()})"
        raise UntrustedError(path, who, "choose a folder of your own")


def _is_private_group(facts: os.stat_result, path: str) -> bool:
    """Whether the group is the user's own, without other members, as many systems give each user one."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(facts.st_gid)
    except KeyError:
        return False
    if hasattr(os, "listxattr"):  # further users in an access list show as the group's rights
        try:
            if "system.posix_acl_access" in os.listxattr(path, follow_symlinks=False):
                return False
        except OSError:
            pass
    own = group.gr_gid == user.pw_gid and group.gr_name == user.pw_name
    return own and set(group.gr_mem) <= {user.pw_name}
