"""Generators for matrices: systems, determinants and their gradients, products, factors; small ones, and LAPACK's."""

from . import cofactors, factored_kernels, factors, small_matrices

__all__ = ["cofactors", "factored_kernels", "factors", "small_matrices"]
