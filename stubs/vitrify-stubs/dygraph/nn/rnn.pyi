# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from vitrify.base.changes import LayerType as _LayerType
from vitrify.dygraph.nn.cell import GatedCell as _GatedCell
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_state import FormerItem as _FormerItem
from vitrify.dygraph.tensor import Tensor as _Tensor

class BiRNN(_Layer):
    """Two cells, along time and against it: (outputs [n, time, 2 hidden], (states forward, states backward))."""
    cell_fw: _Any
    cell_bw: _Any
    time_major: _bool
    def __init__(self, cell_fw: _Any, cell_bw: _Any, time_major: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any, initial_states: _Any = None, sequence_length: _Any = None) -> _tuple[_Any, _Any]:
        """What the layer computes; each subclass defines it."""

class GRU(_Recurrent):
    """Gated recurrent units."""
    cell_kind: _LayerType
    mode: _str

class _Recurrent(_Layer):
    """num_layers times one or two directions of a cell. Parameters: weight_ih_l0, …, bias_hh_l1_reverse, which are
    also those of the cells: each layer is an RNN or BiRNN, the sublayers "0", "1", … (`self[0]`)."""
    cell_kind: _type[_GatedCell]
    input_size: _int
    hidden_size: _int
    num_layers: _int
    num_directions: _Any
    time_major: _bool
    dropout: _float
    state_components: _Any
    states: _int
    proj_size: _int
    mode: _str
    def __init__(self, input_size: _int, hidden_size: _int, num_layers: _int = 1, direction: _str = 'forward', time_major: _bool = False, dropout: _float = 0.0, weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def named_cells(self) -> _list[_tuple[_int, _str, _str]]:
        """For each cell: its layer, its name as a sublayer, and what its weights' names end with here."""
    def former_state(self) -> _tuple[_FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
    def __len__(self) -> _int: ...
    def __getitem__(self, layer: _int) -> _Any:
        """One layer as an RNN (or BiRNN) over cells that share its parameters."""
    def __iter__(self) -> _Iterator[_Any]: ...
    def forward(self, inputs: _Any, initial_states: _Any = None, sequence_length: _Any = None) -> _tuple[_Tensor, _Tensor]:
        """(outputs [n, time, directions * hidden], last states [layers * directions, n, hidden])."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class LSTM(_Recurrent):
    """Long short-term memory; states are (hidden, cell). proj_size: hidden states are mapped to this size.

    >>> y, (h, c) = LSTM(3, 4, num_layers=2)(zeros([2, 5, 3]))
    >>> y.shape, h.shape
    ([2, 5, 4], [2, 2, 4])"""
    cell_kind: _LayerType
    states: _int
    mode: _str
    def __init__(self, input_size: _int, hidden_size: _int, num_layers: _int = 1, direction: _str = 'forward', time_major: _bool = False, dropout: _float = 0.0, weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, proj_size: _int = 0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RNN(_Layer):
    """A cell applied along time: (outputs [n, time, hidden], last states).

    A cell of one's own: `cell(step [n, in], states, **kwargs)` gives (outputs, new states), either of them a tensor or
    a nested structure of tensors; without initial states it needs `get_initial_states(batch_ref, batch_dim_idx=0)`.
    Behind `sequence_length` the states stay and the outputs are what the cell gives, as in Paddle."""
    cell: _Any
    is_reverse: _bool
    time_major: _bool
    def __init__(self, cell: _Any, is_reverse: _bool = False, time_major: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any, initial_states: _Any = None, sequence_length: _Any = None, **kwargs: _Any) -> _tuple[_Any, _Any]:
        """What the layer computes; each subclass defines it."""

class SimpleRNN(_Recurrent):
    """Plain recurrent network with tanh or relu."""
    def __init__(self, input_size: _int, hidden_size: _int, num_layers: _int = 1, direction: _str = 'forward', time_major: _bool = False, dropout: _float = 0.0, activation: _str = 'tanh', weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def activation(self) -> _str:
        """The name of the function: the end of `mode`, which is what counts."""
    @activation.setter
    def activation(self, value: _Any) -> None: ...
