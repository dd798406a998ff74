"""Eager mode: Tensor, tape, layers and optimisers, line by line."""

from . import eager, methods, operators, random, sampling
