"""ONNX models: `export` writes one, `load` reads one as a layer."""

from vitrify.interchange.export import export
from vitrify.interchange.load import load

__all__ = ["export", "load"]
