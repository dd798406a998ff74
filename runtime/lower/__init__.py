"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import scan, scatter, window
from .contraction import attention_kernels, conv_filters, conv_tiled, winograd_kernels

__all__ = ["attention_kernels", "conv_filters", "conv_tiled", "scan", "scatter", "window", "winograd_kernels"]
