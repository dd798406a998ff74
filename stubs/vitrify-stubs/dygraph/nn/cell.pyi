# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class GatedCell(RNNCellBase):
    """A cell over weight_ih, weight_hh and biases of `gates` gates. A step is `advance` after a projection of the
    inputs, which can be computed for all times at once."""
    input_size: _int
    hidden_size: _int
    gates: _int
    proj_size: _int
    def __init__(self, input_size: _int, hidden_size: _int, weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def state_shape(self) -> _Any:
        """The sizes of a state without its batch; a tuple of them for several states."""
    def project(self, inputs: _Any) -> _Any:
        """The inputs' part of a step, for inputs [..., in]."""
    def advance(self, inner: _Any, states: _Any) -> _Any:
        """The new states from a projected input and the old states."""
    def forward(self, inputs: _Any, states: _Any = None) -> _tuple[_Tensor, _Tensor]:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class RNNCellBase(_Layer):
    """Base of cells: `forward(inputs [n, in], states=None)` gives (outputs [n, hidden], new states).

    A cell of one's own defines `forward`, and `state_shape` or the states that it starts from; `state_dtype`, if it has
    one, is the states' dtype."""
    @property
    def state_shape(self) -> _Any:
        """The sizes of a state without its batch; a tuple of them for several states."""
    def get_initial_states(self, batch_ref: _Any, shape: _Any = None, dtype: _Any = None, init_value: _float = 0.0, batch_dim_idx: _int = 0) -> _Any:
        """States of `init_value` for a batch of the size of axis `batch_dim_idx` of `batch_ref`.

        shape: sizes without the batch, or a tuple or list of these; default: state_shape."""

class GRUCell(GatedCell):
    """Gated recurrent unit: h = (h - candidate) * z + candidate. Source: Cho et al., 2014."""
    gates: _int
    def advance(self, inner: _Any, states: _Any) -> _Any:
        """The new states from a projected input and the old states."""

class LSTMCell(GatedCell):
    """Long short-term memory; states are (hidden, cell). Source: Hochreiter, Schmidhuber, 1997.

    proj_size: the hidden state is mapped to this size by weight_ho [hidden_size, proj_size]; 0: it isn't.

    >>> h, (h_, c) = LSTMCell(3, 4)(full([2, 3], 0.0))
    >>> h.shape, c.shape
    ([2, 4], [2, 4])"""
    gates: _int
    def __init__(self, input_size: _int, hidden_size: _int, weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, proj_size: _int = 0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def state_shape(self) -> _Any:
        """The sizes of both states without their batch."""
    def advance(self, inner: _Any, states: _Any) -> _Any:
        """The new states from a projected input and the old states."""

class SimpleRNNCell(GatedCell):
    """activation(x · weight_ihᵀ + bias_ih + h · weight_hhᵀ + bias_hh), with tanh or relu."""
    def __init__(self, input_size: _int, hidden_size: _int, activation: _str = 'tanh', weight_ih_attr: _Any = None, weight_hh_attr: _Any = None, bias_ih_attr: _Any = None, bias_hh_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def activation(self) -> _str:
        """The name of the function; setting it sets `_activation_fn`."""
    @activation.setter
    def activation(self, value: _Any) -> None: ...
    def advance(self, inner: _Any, states: _Any) -> _Any:
        """The new states from a projected input and the old states."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""
