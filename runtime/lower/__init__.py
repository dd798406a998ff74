"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import attention, conv, conv_filters, conv_winograd, index, scan, window

__all__ = ["attention", "conv", "conv_filters", "conv_winograd", "index", "scan", "window"]
