"""Generators of kernel text, one module per kind of loop nest. Importing this package registers the custom ones."""

from . import incomplete_gamma, scatter, window
from .contraction import attention_kernels, byte_kernel, conv_filters, conv_tiled, matmul_kernel, winograd_kernels
from .lines import alignment_kernel, fourier_kernel, order_kernels, scan
from .matrices import factors, small_matrices

__all__ = [
    "alignment_kernel",
    "attention_kernels",
    "byte_kernel",
    "conv_filters",
    "conv_tiled",
    "factors",
    "fourier_kernel",
    "incomplete_gamma",
    "matmul_kernel",
    "order_kernels",
    "scan",
    "scatter",
    "small_matrices",
    "window",
    "winograd_kernels",
]
