"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import conv, index, scan, window

__all__ = ["conv", "index", "scan", "window"]
