# Written by `make stubs`; edits here are lost.

"""Sequences of tags: the best path of a conditional random field, and data sets of text in local files."""

from builtins import bool as _bool
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.text.viterbi import ViterbiDecoder as ViterbiDecoder

def viterbi_decode(potentials: _Any, transition_params: _Any, lengths: _Any, include_bos_eos_tag: _bool = True, name: _str | None = None) -> _tuple[_Any, _Any]:
    """The score and the tags of each sequence's best path: (f[batch], i64[batch, longest length]).

    A path's score is the sum of its potentials [batch, steps, tags] and of transition_params [tags, tags] from each tag
    to the next. lengths [batch]: steps that count; tags after them are 0. include_bos_eos_tag: the last tag stands
    before the first step, the one before it after the last, and their transitions count.

    >>> from vitrify import to_tensor
    >>> potentials = to_tensor([[[0.0, 2.0], [3.0, 0.0]]])
    >>> score, path = viterbi_decode(potentials, to_tensor([[0.0, 0.0], [0.0, 0.0]]), to_tensor([2]), False)
    >>> score.tolist(), path.tolist()
    ([5.0], [[1, 0]])"""
