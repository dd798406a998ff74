"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import conv, conv_filters, index, scan, window

__all__ = ["conv", "conv_filters", "index", "scan", "window"]
