"""One step of a recurrent network: SimpleRNNCell, LSTMCell, GRUCell. The weights' rows are the gates', as in Paddle.

A step is split in two: `project`, the part of the input, which may be computed for all times at once, and `advance`.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops.create import full_ as full
from ...ops.infer import show_shape
from ...ops.op import OPS
from ...ops.rearrange import split
from ...ops.transcendental import sigmoid, tanh
from . import functional as F
from .initializer import Constant, Uniform
from .layer import Layer
from .linear_layers import positive

__all__ = ["GRUCell", "LSTMCell", "RNNCellBase", "SimpleRNNCell"]


WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def make_weights(
    cell: Layer, gates: int, input_size: int, hidden_size: int, attrs: tuple[Any, Any, Any, Any], proj_size: int = 0
) -> None:
    """Make the four parameters of a cell (five with a projection). attr False: ones (of a bias zeros), not trained."""
    rows, limit = gates * hidden_size, hidden_size**-0.5
    shapes = ([rows, input_size], [rows, proj_size or hidden_size], [rows], [rows])
    for name, shape, attr in zip(WEIGHTS, shapes, attrs, strict=True):
        is_bias = name.startswith("bias")
        fixed = attr is False
        start = Constant(0.0 if is_bias else 1.0) if fixed else Uniform(-limit, limit)
        made: Any = cell.create_parameter(shape, None if fixed else attr, None, is_bias, start)
        made.stop_gradient = fixed or made.stop_gradient
        setattr(cell, name, made)
    if proj_size:
        last = cell.create_parameter([hidden_size, proj_size], attrs[1], None, False, Uniform(-limit, limit))
        cell.weight_ho = last


def project(x: Any, weight: Any, bias: Any) -> Any:
    """x @ weightᵀ + bias."""
    y = OPS["matmul"](x, weight, False, True)
    return y if bias is None else y + bias


def simple_step(inner: Any, state: Any, weight: Any, bias: Any, activation: Any) -> Any:
    """The next hidden state of a plain recurrent network."""
    return activation(inner + project(state, weight, bias))


def lstm_step(
    inner: Any, state: Any, weight: Any, bias: Any, projection: Any = None, gate: Any = sigmoid, activation: Any = tanh
) -> tuple[Any, Any]:
    """The next (hidden, cell); gates in the order input, forget, cell, output. projection: of the hidden state."""
    hidden, cell = state
    i, f, g, o = split(inner + project(hidden, weight, bias), 4, 1)
    new = gate(f) * cell + gate(i) * activation(g)
    shown = gate(o) * activation(new)
    return (shown if projection is None else OPS["matmul"](shown, projection)), new


def gru_step(inner: Any, state: Any, weight: Any, bias: Any, gate: Any = sigmoid, activation: Any = tanh) -> Any:
    """The next hidden state; gates in the order reset, update, candidate."""
    xr, xz, xc = split(inner, 3, 1)
    hr, hz, hc = split(project(state, weight, bias), 3, 1)
    z = gate(xz + hz)
    candidate = activation(xc + gate(xr + hr) * hc)
    return (state - candidate) * z + candidate


def activation_of(name: str) -> Any:
    """The function of a plain recurrent network by its name. Errors: ArgumentError unless "tanh" or "relu"."""
    if name not in ("tanh", "relu"):
        raise ArgumentError(f'activation must be "tanh" or "relu", not {name!r}')
    return tanh if name == "tanh" else F.relu


def checked_projection(proj_size: int, hidden_size: int) -> int:
    """ArgumentError unless proj_size is 0 (none) or below hidden_size."""
    if not hasattr(proj_size, "__index__") or not 0 <= proj_size < max(hidden_size, 1):
        raise ArgumentError(f"proj_size must be from 0 to below hidden_size = {hidden_size}, not {proj_size!r}")
    return proj_size


class RNNCellBase(Layer):
    """Base of cells: `forward(inputs [n, in], states=None)` gives (outputs [n, hidden], new states).

    A cell of one's own defines `forward`, and `state_shape` or the states that it starts from; `state_dtype`, if it has
    one, is the states' dtype.
    """

    @property
    def state_shape(self) -> Any:
        """The sizes of a state without its batch; a tuple of them for several states."""
        raise NotImplementedError(f"{type(self).__name__} has no state_shape: define it, or pass the states")

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: float = 0.0, batch_dim_idx: int = 0
    ) -> Any:
        """States of `init_value` for a batch of the size of axis `batch_dim_idx` of `batch_ref`.

        shape: sizes without the batch, or a tuple or list of these; default: state_shape.
        """
        while isinstance(batch_ref, (list, tuple)):  # states in parts: each tells the size of the batch
            batch_ref = batch_ref[0]
        wanted = self.state_shape if shape is None else shape
        if isinstance(wanted, (list, tuple)) and any(isinstance(part, (list, tuple)) for part in wanted):
            return tuple(self.get_initial_states(batch_ref, part, dtype, init_value, batch_dim_idx) for part in wanted)
        sizes = [wanted] if isinstance(wanted, int) else [d for d in wanted if d != -1]
        kind = (
            dtype
            or getattr(self, "state_dtype", None)
            or (batch_ref.dtype if batch_ref.dtype.is_floating else self._dtype)
        )
        return full([batch_ref.shape[batch_dim_idx], *sizes], init_value, kind)


class GatedCell(RNNCellBase):
    """A cell over weight_ih, weight_hh and biases of `gates` gates. A step is `advance` after a projection of the
    inputs, which can be computed for all times at once.
    """

    gates = 1
    proj_size = 0

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(input_size=input_size, hidden_size=hidden_size)
        self.input_size, self.hidden_size = input_size, hidden_size
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        make_weights(self, self.gates, input_size, hidden_size, attrs, self.proj_size)
        self._gate_activation, self._activation = sigmoid, tanh

    @property
    def state_shape(self) -> Any:
        """The sizes of a state without its batch; a tuple of them for several states."""
        return (self.hidden_size,)

    def project(self, inputs: Any) -> Any:
        """The inputs' part of a step, for inputs [..., in]."""
        size = inputs.shape[-1] if inputs.ndim else None
        if isinstance(size, int) and size != self.input_size:
            raise ShapeError(
                f"{type(self).__name__} takes inputs [..., {self.input_size}], got {show_shape(inputs.shape)}"
            )
        return project(inputs, self.weight_ih, self.bias_ih)

    def advance(self, inner: Any, states: Any) -> Any:
        """The new states from a projected input and the old states."""
        raise NotImplementedError

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        states = self.get_initial_states(inputs) if states is None else states
        new = self.advance(self.project(inputs), states)
        return (new[0] if isinstance(new, tuple) else new), new

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(GatedCell):
    """activation(x · weight_ihᵀ + bias_ih + h · weight_hhᵀ + bias_hh), with tanh or relu."""

    def __init__(
        self, input_size: int, hidden_size: int, activation: str = "tanh", weight_ih_attr: Any = None,
        weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        chosen = activation_of(activation)
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr, name)
        self._activation_fn = chosen

    @property
    def activation(self) -> str:
        """The name of the function; setting it sets `_activation_fn`."""
        return "tanh" if self._activation_fn is tanh else str(getattr(self._activation_fn, "__name__", "relu"))

    @activation.setter
    def activation(self, name: str) -> None:
        self._activation_fn = activation_of(name)

    def advance(self, inner: Any, states: Any) -> Any:
        return simple_step(inner, states, self.weight_hh, self.bias_hh, self._activation_fn)

    def extra_repr(self) -> str:
        return super().extra_repr() + ("" if self.activation == "tanh" else f", activation={self.activation}")


class LSTMCell(GatedCell):
    """Long short-term memory; states are (hidden, cell). Source: Hochreiter, Schmidhuber, 1997.

    proj_size: the hidden state is mapped to this size by weight_ho [hidden_size, proj_size]; 0: it isn't.

    >>> h, (h_, c) = LSTMCell(3, 4)(full([2, 3], 0.0))
    >>> h.shape, c.shape
    ([2, 4], [2, 4])
    """

    gates = 4

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, proj_size: int = 0, name: str | None = None,
    ) -> None:  # fmt: skip
        self.proj_size = checked_projection(proj_size, hidden_size)
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr, name)
        self.proj_size = proj_size

    @property
    def state_shape(self) -> Any:
        """The sizes of both states without their batch."""
        return ((self.proj_size or self.hidden_size,), (self.hidden_size,))

    def advance(self, inner: Any, states: Any) -> Any:
        projection = self.weight_ho if self.proj_size else None
        gate, activation = self._gate_activation, self._activation
        return lstm_step(inner, states, self.weight_hh, self.bias_hh, projection, gate, activation)


class GRUCell(GatedCell):
    """Gated recurrent unit: h = (h - candidate) * z + candidate. Source: Cho et al., 2014."""

    gates = 3

    def advance(self, inner: Any, states: Any) -> Any:
        return gru_step(inner, states, self.weight_hh, self.bias_hh, self._gate_activation, self._activation)
