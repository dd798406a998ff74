"""Sounds: WAVE files, spectrograms, mel bands, cepstral coefficients, the windows and matrices that they take."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from . import backends, features, functional
from .wave_files import info, load, save

__all__ = ["backends", "features", "functional", "info", "load", "save"]

_tell_unknown_names(__name__)
