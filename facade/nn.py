"""Layers, containers, losses; `functional` and `initializer`."""

import sys as _sys
import types as _types
from collections.abc import Iterable as _Iterable
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from vitrify.dygraph.nn import *  # noqa: F403 - the folder's own list of public names
from vitrify.dygraph.nn import __all__ as _layers
from vitrify.dygraph.nn import functional as _functional
from vitrify.dygraph.nn import initializer as _initializer
from vitrify.dygraph.nn import parameter_utils as _utils
from vitrify.dygraph.nn import quant as _quant
from vitrify.dygraph.nn import stochastic as _stochastic

if _TYPE_CHECKING:  # at run time compat/tables.py finds them: they bring the whole tracer
    from vitrify.static.nn.decoding import BeamSearchDecoder, dynamic_decode

__all__ = [*_layers, "BeamSearchDecoder", "dynamic_decode"]


def _module(name: str, found: _Any, names: _Iterable[str]) -> _Any:
    """`found`'s public names as a module of this package, so that `import vitrify.nn.functional as F` finds it."""
    made = _types.ModuleType(f"{__name__}.{name}", found.__doc__)
    vars(made).update({k: getattr(found, k) for k in names}, __all__=list(names))
    _sys.modules[made.__name__] = made
    return made


functional = _module("functional", _functional, _functional.__all__)
initializer = _module("initializer", _initializer, _initializer.__all__)
quant = _module("quant", _quant, _quant.__all__)
utils = _module("utils", _utils, _utils.__all__)
functional.flash_attention = _module(
    "functional.flash_attention", _stochastic, ("flash_attention", "scaled_dot_product_attention")
)
