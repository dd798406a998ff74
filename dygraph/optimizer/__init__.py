"""Optimisers, learning-rate schedules (`lr`), gradient clipping and weight decay."""

from __future__ import annotations

from . import lr
from .adam import Adam, Adamax, AdamW
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from .optimizer import Optimizer
from .others import Adadelta, Adagrad, Lamb, RMSProp
from .regularizer import L1Decay, L2Decay
from .sgd import SGD, Momentum

__all__ = [
    "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "ClipGradByGlobalNorm", "ClipGradByNorm",
    "ClipGradByValue", "L1Decay", "L2Decay", "Lamb", "Momentum", "Optimizer", "RMSProp", "lr",
]  # fmt: skip
