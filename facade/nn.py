"""Layers, containers, losses; `functional` and `initializer`."""

import sys as _sys
import types as _types

from vitrify.dygraph.nn import *  # noqa: F403 - the folder's own list of public names
from vitrify.dygraph.nn import __all__ as __all__
from vitrify.dygraph.nn import functional as _functional

# `import vitrify.nn.functional as F` finds a module of that name; the names are the folder's
functional = _types.ModuleType(f"{__name__}.functional", _functional.__doc__)
vars(functional).update({k: v for k, v in vars(_functional).items() if not k.startswith("_")})
_sys.modules[functional.__name__] = functional
