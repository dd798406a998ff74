"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import attention_kernels, conv_filters, conv_tiled, scan, scatter, window, winograd_kernels

__all__ = ["attention", "conv", "conv_filters", "conv_winograd", "index", "scan", "window"]
