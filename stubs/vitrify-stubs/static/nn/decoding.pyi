# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any

class BeamSearchDecoder(StepDecoder):
    """The `beam_size` likeliest sequences that a cell generates.

    cell: called with inputs [batch * beam, ...] and states, returns outputs and states. embedding_fn makes inputs of
    tokens int64[batch, beam]; output_fn makes scores [batch, beam, vocabulary] of the cell's outputs.

    >>> import vitrify as vt
    >>> cell = vt.nn.GRUCell(4, 4)
    >>> decoder = vt.nn.BeamSearchDecoder(cell, 0, 1, 2, vt.nn.Embedding(6, 4), vt.nn.Linear(4, 6))
    >>> ids, states = vt.nn.dynamic_decode(decoder, vt.zeros([3, 4]), max_step_num=5)
    >>> ids.shape[::2]
    [3, 2]"""
    cell: _Any
    embedding_fn: _Any
    output_fn: _Any
    start_token: _int
    end_token: _int
    beam_size: _int
    OutputWrapper: _type
    StateWrapper: _type
    def __init__(self, cell: _Any, start_token: _int, end_token: _int, beam_size: _int, embedding_fn: _Any = None, output_fn: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @staticmethod
    def tile_beam_merge_with_batch(x: _Any, beam_size: _int) -> _Any:
        """[batch, ...] as [batch * beam_size, ...], each row `beam_size` times.

        >>> import vitrify as vt
        >>> BeamSearchDecoder.tile_beam_merge_with_batch(vt.to_tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]"""
    def initialize(self, inits: _Any) -> _tuple[_Any, _Any, _Any]:
        """Inputs of start tokens; states of which only a sample's first beam can be chosen; nothing has ended."""
    def step(self, time: _Any, inputs: _Any, states: _Any, **kwargs: _Any) -> _tuple[_Any, _Any, _Any, _Any]:
        """Scores and tokens of the best beams, and which beam each goes on from."""
    def finalize(self, outputs: _Any, final_states: _Any, sequence_lengths: _Any) -> _tuple[_Any, _Any]:
        """Tokens int64[time, batch, beam], followed back from the last step."""
    @property
    def tracks_own_finished(self) -> _bool:
        """True: beams change places."""

class StepDecoder:
    """What `dynamic_decode` calls: subclasses say how decoding begins, what a step is, and how it ends.

    `initialize(inits)` returns (inputs, states, finished), `step(time, inputs, states)` returns (outputs, states, next
    inputs, finished); `finalize(outputs, states, lengths)` may be left out.

    >>> StepDecoder().tracks_own_finished
    False"""
    is_state: _bool
    def initialize(self, inits: _Any) -> _tuple[_Any, _Any, _Any]:
        """First inputs, first states, and a bool tensor that says which sequences have ended."""
    def step(self, time: _Any, inputs: _Any, states: _Any, **kwargs: _Any) -> _tuple[_Any, _Any, _Any, _Any]:
        """Outputs, states, inputs of the next step, and which sequences have ended."""
    def finalize(self, outputs: _Any, final_states: _Any, sequence_lengths: _Any) -> _tuple[_Any, _Any]:
        """Outputs and states of the whole decoding, from the outputs of all steps, stacked on axis 0."""
    @property
    def tracks_own_finished(self) -> _bool:
        """Whether `finished` of a step is all there is to know: sequences that change places know it themselves."""
