"""Reverse-mode differentiation of programs with structured control flow."""

from .block_vjps import vjp_block_values, vjp_operation
from .reverse import inputs_of

__all__ = ["inputs_of", "vjp_block_values", "vjp_operation"]
