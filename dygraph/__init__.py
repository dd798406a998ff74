"""Eager mode: Tensor, tape, layers and optimisers, line by line."""

from . import (
    draws,
    eager,
    engine_methods,
    further_attributes,
    methods,
    numpy_numbers,
    operators,
    random_generators,
    subscripts,
)
