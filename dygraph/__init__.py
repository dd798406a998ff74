"""Eager mode: Tensor, tape, layers and optimisers, line by line."""

from . import draws, eager, methods, operators, random_generators, subscripts
