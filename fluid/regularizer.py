"""Decay of parameters under its old names."""

from ..dygraph.optimizer.regularizer import L1Decay, L2Decay

L1DecayRegularizer, L2DecayRegularizer = L1Decay, L2Decay

__all__ = ["L1Decay", "L1DecayRegularizer", "L2Decay", "L2DecayRegularizer"]
