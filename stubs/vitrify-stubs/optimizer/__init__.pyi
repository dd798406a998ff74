# Written by `make stubs`; edits here are lost.

"""Optimisers; `lr` holds the learning-rate schedules."""

from vitrify.dygraph.optimizer import lr as lr
from vitrify.dygraph.optimizer.adam import Adam as Adam
from vitrify.dygraph.optimizer.adam import AdamW as AdamW
from vitrify.dygraph.optimizer.adam import Adamax as Adamax
from vitrify.dygraph.optimizer.adam_variants import NAdam as NAdam
from vitrify.dygraph.optimizer.adam_variants import RAdam as RAdam
from vitrify.dygraph.optimizer.clip import ClipGradByGlobalNorm as ClipGradByGlobalNorm
from vitrify.dygraph.optimizer.clip import ClipGradByNorm as ClipGradByNorm
from vitrify.dygraph.optimizer.clip import ClipGradByValue as ClipGradByValue
from vitrify.dygraph.optimizer.lbfgs import LBFGS as LBFGS
from vitrify.dygraph.optimizer.optimizer import Optimizer as Optimizer
from vitrify.dygraph.optimizer.others import ASGD as ASGD
from vitrify.dygraph.optimizer.others import Adadelta as Adadelta
from vitrify.dygraph.optimizer.others import Adagrad as Adagrad
from vitrify.dygraph.optimizer.others import Lamb as Lamb
from vitrify.dygraph.optimizer.others import RMSProp as RMSProp
from vitrify.dygraph.optimizer.others import Rprop as Rprop
from vitrify.dygraph.optimizer.regularizer import L1Decay as L1Decay
from vitrify.dygraph.optimizer.regularizer import L2Decay as L2Decay
from vitrify.dygraph.optimizer.sgd import Momentum as Momentum
from vitrify.dygraph.optimizer.sgd import SGD as SGD
