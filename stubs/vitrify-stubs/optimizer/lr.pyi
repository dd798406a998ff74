# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.dygraph.optimizer.lr import CosineAnnealingDecay as CosineAnnealingDecay
from vitrify.dygraph.optimizer.lr import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from vitrify.dygraph.optimizer.lr import CyclicLR as CyclicLR
from vitrify.dygraph.optimizer.lr import ExponentialDecay as ExponentialDecay
from vitrify.dygraph.optimizer.lr import InverseTimeDecay as InverseTimeDecay
from vitrify.dygraph.optimizer.lr import LRScheduler as LRScheduler
from vitrify.dygraph.optimizer.lr import LambdaDecay as LambdaDecay
from vitrify.dygraph.optimizer.lr import LinearLR as LinearLR
from vitrify.dygraph.optimizer.lr import LinearWarmup as LinearWarmup
from vitrify.dygraph.optimizer.lr import MultiStepDecay as MultiStepDecay
from vitrify.dygraph.optimizer.lr import MultiplicativeDecay as MultiplicativeDecay
from vitrify.dygraph.optimizer.lr import NaturalExpDecay as NaturalExpDecay
from vitrify.dygraph.optimizer.lr import NoamDecay as NoamDecay
from vitrify.dygraph.optimizer.lr import OneCycleLR as OneCycleLR
from vitrify.dygraph.optimizer.lr import PiecewiseDecay as PiecewiseDecay
from vitrify.dygraph.optimizer.lr import PolynomialDecay as PolynomialDecay
from vitrify.dygraph.optimizer.lr import ReduceOnPlateau as ReduceOnPlateau
from vitrify.dygraph.optimizer.lr import StepDecay as StepDecay
