"""Generators that work along one axis: scans, positions of extremes, orders. `lanes.py` is how they walk many lines."""

from . import order_kernels, scan

__all__ = ["order_kernels", "scan"]
