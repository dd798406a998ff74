# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.dygraph.optimizer.regularizer import Decay as WeightDecayRegularizer
from vitrify.dygraph.optimizer.regularizer import L1Decay as L1Decay
from vitrify.dygraph.optimizer.regularizer import L2Decay as L2Decay
