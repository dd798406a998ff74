"""Generators that work along one axis: scans, positions of extremes, orders, Fourier transforms.

`lanes.py` is how they walk many lines.
"""

from . import fourier_kernel, order_kernels, scan

__all__ = ["fourier_kernel", "order_kernels", "scan"]
