"""ONNX models: `export` writes one, `load` reads one as a layer."""

from vitrify.interchange.export import export

__all__ = ["export"]
