"""Files that are written while the program goes on."""

from __future__ import annotations

import os
import threading
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from ..base.errors import ArgumentError, KindError, VitrifyError
from ..dygraph.serialize import save, write_file
from ..dygraph.tensor import Tensor
from ..ops.dispatch import current

_ERRORS: list[Exception] = []
_writing: list[threading.Thread] = []


def async_save(
    obj: Any, path: str | os.PathLike[str] | BinaryIO, protocol: int = 4, sync_other_task: bool = False, **configs: Any
) -> None:
    """As `save`, of a tensor or a dict, but the file is written while the program goes on: the values at the call.

    `clear_async_save_task_queue` waits for it; with `sync_other_task` this call waits for the files before.
    Errors: ArgumentError in static mode; KindError for another object; those of `save`, but for a path where nothing
    can be written.
    """
    if current().is_static:
        raise ArgumentError("async_save isn't for static mode", remedy="use save")
    if configs:
        warnings.warn(f"async_save takes no {', '.join(configs)}: it has no effect", UserWarning, stacklevel=2)
    if not isinstance(obj, dict | Tensor):
        raise KindError(f"async_save takes a tensor or a dict, not a {type(obj).__name__}", remedy="use save")
    if sync_other_task:
        clear_async_save_task_queue()
    data = BytesIO()
    save(obj, data)
    task = threading.Thread(target=_write, args=(path, data.getvalue()))
    _writing.append(task)
    task.start()


def _write(path: Any, data: bytes) -> None:
    try:
        path.write(data) if hasattr(path, "write") else write_file(Path(path), data)
    except (OSError, ValueError, VitrifyError) as error:  # told to who waits
        _ERRORS.append(error)


def clear_async_save_task_queue() -> None:
    """Wait until all files of `async_save` are written. Errors: that of a file that couldn't be."""
    while _writing:
        _writing.pop().join()
    if _ERRORS:
        first = _ERRORS[0]
        _ERRORS.clear()
        raise first
