"""Quantisation of models: configurations, observers, quanters, in training and after it."""

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from .quanters import BaseObserver, BaseQuanter, quanter
from .quantised_models import PTQ, QAT, QuantConfig

__all__ = ["PTQ", "QAT", "BaseObserver", "BaseQuanter", "QuantConfig", "quanter"]

_tell_unknown_names(__name__)
