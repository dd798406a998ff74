"""Probability distributions: draws, densities, entropies, divergences."""

from vitrify.dygraph.distribution import *  # noqa: F403 - the module's own list of public names
from vitrify.dygraph.distribution import __all__ as __all__
