"""Features of sounds: spectrograms, mel bands, cepstral coefficients, and the windows and matrices that they take."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from . import features, functional

__all__ = ["features", "functional"]

_tell_unknown_names(__name__)
