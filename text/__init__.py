"""Sequences of tags: the best path of a conditional random field, and data sets of text in local files."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from .viterbi import ViterbiDecoder, viterbi_decode

__all__ = ["ViterbiDecoder", "viterbi_decode"]

_tell_unknown_names(__name__)
