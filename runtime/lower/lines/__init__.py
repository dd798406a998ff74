"""Generators that work along one axis: scans, positions of extremes, orders, Fourier transforms, alignments.

`lanes.py` is how they walk many lines.
"""

from . import alignment_kernel, fourier_kernel, membership, order_kernels, scan, selection

__all__ = ["alignment_kernel", "fourier_kernel", "membership", "order_kernels", "scan", "selection"]
