# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class ViterbiDecoder(_Layer):
    """`viterbi_decode` with the transitions of a trained model."""
    transitions: _Any
    include_bos_eos_tag: _bool
    def __init__(self, transitions: _Any, include_bos_eos_tag: _bool = True, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, potentials: _Any, lengths: _Any) -> _tuple[_Tensor, _Tensor]:
        """Scores and paths of potentials [batch, steps, tags]."""
