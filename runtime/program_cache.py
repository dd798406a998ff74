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
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..base.flags import flags
from ..base.target import current_target
from ..ir.core import Program
from ..ir.walk import walk
from ..ops.create import ArrayData, constant
from ..ops.op import OPS, OWN_OPS
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
    operations = list(walk(program.body))
    constants = [o.attrs["data"] for o in operations if o.op is constant]
    size = sum(data.array.nbytes for data in constants if isinstance(data, ArrayData))
    if len(operations) < LEAST or size > MOST_BYTES // 4:
        return False
    return all(OPS.get(op.name) is op and op.name not in OWN_OPS for op in {o.op for o in operations})


@cache
def _package() -> str:
    """A hash of this package's files by name, size and time; nothing where it isn't made of files."""
    files = list(_files(Path(__file__).resolve().parent.parent))
    return hashlib.sha256(repr(files).encode()).hexdigest() if files else ""


def _files(root: Path) -> Iterator[tuple[str, int, int]]:
    for folder in _FOLDERS:
        for place, folders, names in os.walk(root / folder):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                facts = Path(place, name).stat()
                yield f"{place}/{name}", facts.st_size, facts.st_mtime_ns
