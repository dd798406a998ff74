"""Compiled programs on disk: another process that captures the same program neither optimises nor lowers it again.

A file is named by the hash of all that its content depends on: the captured program with its places in code, the
options, this package's own files, the target, the versions of Python and NumPy. So it is never stale. The programs of
which nothing is kept are small, hold large constants, or went through passes, rules or operations of the user's own.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..base.flags import flags
from ..base.target import current_target
from ..ir.core import Program
from ..ir.walk import walk
from ..ops.create import ArrayData, constant
from ..ops.op import OPS, OWN_OPS, Op
from ..passes.extensions import added_passes, rules
from . import cache_files, program_file
from .options import CompileOptions

LEAST = 150  # operations: fewer are compiled in the time that a file takes
MOST_BYTES = 8 << 20  # of a file
_MAGIC = b"VITRIFYP"
_FOLDERS = ("base", "ir", "ops", "passes", "runtime")
_log = logging.getLogger("vitrify.cache")


T = TypeVar("T")


def kept(make: Callable[[], T], program: Program, options: CompileOptions, *facts: Any) -> T:
    """What `make` gives: data that depends on the program and these facts, with a repr that shows them. Made once."""
    file = file_of(program, options, *facts)
    found = None if file is None else find(file)
    if found is not None:
        return found[0]  # type: ignore[no-any-return]
    made = make()
    if file is not None:
        put(file, made)
    return made


def file_of(program: Program, options: CompileOptions, *more: Any) -> str | None:
    """The name of the file for a program and more facts; None where nothing is kept of it."""
    if flags.verify or flags.checked or flags.dump_dir is not None or rules() or added_passes:
        return None
    package = _package()
    if not package or cache_files.limit() == 0 or not _is_kept(program):
        return None
    facts = (package, sys.version, np.__version__, current_target(), options.numerics, options.schedule, more)
    digest = hashlib.sha256(repr(facts).encode())
    try:
        digest.update(program_file.fingerprint(program))
    except program_file.PicklingError as error:
        _log.debug("%s isn't kept: %s", program.name, error)
        return None
    return f"{digest.hexdigest()}.program"


def find(name: str) -> Any:
    """What was put there under this name, None where there is nothing."""
    content = cache_files.read(name)
    head = len(_MAGIC) + 32
    if content is None or content[:head] != _head(name, content[head:]):
        return None
    try:
        return program_file.from_bytes(content[head:])
    except program_file.UnpicklingError as error:
        _log.debug("%s isn't used: %s", name, error)  # it is compiled again
        return None


def put(name: str, *parts: Any) -> None:
    """Keep parts of a compiled program, unless they are too large."""
    try:
        data = program_file.to_bytes(*parts)
    except program_file.PicklingError as error:
        _log.debug("%s isn't kept: %s", name, error)
        return
    if len(data) <= MOST_BYTES:
        cache_files.write(name, _head(name, data) + data)


def _head(name: str, data: bytes) -> bytes:
    """What a file begins with. The name is part of the checksum: a file that was renamed isn't taken for another."""
    return _MAGIC + hashlib.sha256(name.encode() + data).digest()


def _is_kept(program: Program) -> bool:
    """Whether a program is worth a file, and consists of this package's own operations."""
    count = size = 0
    rows: set[Op] = set()
    add = rows.add
    for operation in walk(program.body):
        count += 1
        op = operation.op
        add(op)
        if op is constant:
            data = operation.attrs["data"]
            size += data.array.nbytes if isinstance(data, ArrayData) else 0
    if count < LEAST or size > MOST_BYTES // 4:
        return False
    return all(OPS.get(op.name) is op and op.name not in OWN_OPS for op in rows)


@cache
def _package() -> str:
    """A hash of this package's files by name, size and time; nothing where it isn't made of files."""
    root = Path(__file__).resolve().parent.parent
    files = [facts for folder in _FOLDERS for facts in _files(str(root / folder))]
    return hashlib.sha256(repr(files).encode()).hexdigest() if files else ""


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=attrgetter("name"))
    except FileNotFoundError:  # this package lies in an archive
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            facts = entry.stat()
            yield entry.path, facts.st_size, facts.st_mtime_ns
        elif entry.name != "__pycache__":
            yield from _files(entry.path)
