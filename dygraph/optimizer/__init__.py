"""Optimisers, learning-rate schedules (`lr`), gradient clipping and weight decay."""

from __future__ import annotations

from . import lr
from .adam import Adam, Adamax, AdamW
from .adam_variants import NAdam, RAdam
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .others import ASGD, Adadelta, Adagrad, Lamb, RMSProp, Rprop
from .regularizer import L1Decay, L2Decay
from .sgd import SGD, Momentum

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "ClipGradByGlobalNorm",
    "ClipGradByNorm", "ClipGradByValue", "L1Decay", "L2Decay", "Lamb", "Momentum", "NAdam", "Optimizer", "RAdam",
    "RMSProp", "Rprop", "lr",
]  # fmt: skip
