"""Which library reads sound files: Python's `wave` alone."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from .wave_files import get_current_backend, list_available_backends, set_backend

__all__ = ["get_current_backend", "list_available_backends", "set_backend"]
__path__: list[str] = []  # so that the modules of compat/file_table.py below it can be imported

_tell_unknown_names(__name__)
