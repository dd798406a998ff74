"""Generators for matrices of small known sizes: systems, determinants, products, factors."""

from . import factors, small_matrices

__all__ = ["factors", "small_matrices"]
