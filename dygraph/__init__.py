"""Eager mode: Tensor, tape, layers and optimisers, line by line."""

from . import draws, eager, engine_methods, further_attributes, methods, operators, random_generators, subscripts
