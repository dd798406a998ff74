"""Every error that is raised on purpose; each is also the built-in error its reader expects.

>>> issubclass(ShapeError, ValueError)
True
"""

from vitrify.base import errors as _errors
from vitrify.base.errors import *  # noqa: F403 - all of its classes are public
from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names

__all__ = [name for name, kind in vars(_errors).items() if isinstance(kind, type) and issubclass(kind, Exception)]

_tell_unknown_names(__name__)
