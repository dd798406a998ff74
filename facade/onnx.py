"""ONNX models: `export` writes one, `load` reads one as a layer."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.interchange.export import export
from vitrify.interchange.load import load

__all__ = ["export", "load"]

_tell_unknown_names(__name__)
