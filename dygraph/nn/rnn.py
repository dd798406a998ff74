"""Recurrent networks over whole sequences: RNN (of any cell), SimpleRNN, LSTM, GRU. Loops over time in Python.

Inputs are [n, time, in] (`time_major`: [time, n, in]); the input's part of all steps is one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.errors import ArgumentError, CaptureError, ShapeError
from ...ops.create import zeros
from ...ops.infer import axis_index, show_shape
from ...ops.op import OPS
from ...ops.rearrange import stack, unbind
from . import functional as F
from .cell import (
    GRUCell,
    LSTMCell,
    RNNCellBase,
    SimpleRNNCell,
    checked_projection,
    gru_step,
    lstm_step,
    project,
    rnn_weights,
    simple_step,
)  # fmt: skip
from .layer import Layer
from .linear import positive

__all__ = ["GRU", "LSTM", "RNN", "BiRNN", "SimpleRNN"]


def run(steps: list[Any], advance: Any, state: Any, lengths: Any, reverse: bool) -> tuple[list[Any], Any]:
    """The output of every time and the last state. Beyond a sequence's length the state stays and outputs are 0."""
    outputs: list[Any] = [None] * len(steps)
    for t in range(len(steps) - 1, -1, -1) if reverse else range(len(steps)):
        new = advance(steps[t], state)
        out = new[0] if isinstance(new, tuple) else new
        if lengths is not None:
            inside = OPS["reshape"](lengths > t, (-1, 1))
            out = OPS["where"](inside, out, 0.0)
            new = _chosen(inside, new, state)
        outputs[t], state = out, new
    return outputs, state


def _chosen(inside: Any, new: Any, old: Any) -> Any:
    if isinstance(new, tuple):
        return tuple(OPS["where"](inside, a, b) for a, b in zip(new, old, strict=True))
    return OPS["where"](inside, new, old)


def _times(x: Any, time_major: bool, what: str) -> Any:
    """x as [time, n, …]; its number of times must be known."""
    if x.ndim != 3:
        raise ShapeError(f"{what} needs [n, time, in], got {show_shape(x.shape)}")
    x = x if time_major else OPS["transpose"](x, (1, 0, 2))
    if not isinstance(x.shape[0], int):
        raise CaptureError(
            f"{what} loops over time in Python, but the number of times {x.shape[0]} is known only at run time",
            remedy="fix it in the InputSpec, or write the loop over a cell in the captured function",
        )
    if not x.shape[0]:
        raise ShapeError(f"{what} needs at least one time, got {show_shape(x.shape)}")
    return x


class RNN(Layer):
    """A cell applied along time: (outputs [n, time, hidden], last states)."""

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> tuple[Any, Any]:
        x = _times(inputs, self.time_major, "RNN")
        cell = self.cell
        state = cell.get_initial_states(x[0]) if initial_states is None else initial_states
        steps = unbind(cell.project(x) if isinstance(cell, RNNCellBase) else x, 0)

        def advance(step: Any, old: Any) -> Any:
            return cell.advance(step, old) if isinstance(cell, RNNCellBase) else cell(step, old)[1]

        outputs, state = run(steps, advance, state, sequence_length, self.is_reverse)
        return stack(outputs, 0 if self.time_major else 1), state


class BiRNN(Layer):
    """Two cells, along time and against it: (outputs [n, time, 2 hidden], (states forward, states backward))."""

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        sizes = [getattr(cell, "input_size", None) for cell in (cell_fw, cell_bw)]
        if sizes[0] != sizes[1]:
            raise ArgumentError(f"BiRNN needs cells for inputs of one size, not {sizes[0]} and {sizes[1]}")
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major
        self.__dict__["_runners"] = (RNN(cell_fw, False, time_major), RNN(cell_bw, True, time_major))

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> tuple[Any, Any]:
        given = (None, None) if initial_states is None else initial_states
        if len(given) != 2:
            raise ArgumentError(f"BiRNN needs two initial states, not {len(given)}")
        (first, last), (second, back) = (
            runner(inputs, state, sequence_length) for runner, state in zip(self._runners, given, strict=True)
        )
        return OPS["concat"]([first, second], axis=2), (last, back)


class _Recurrent(Layer):
    """num_layers times one or two directions of a cell. Parameters: weight_ih_l0, …, bias_hh_l1_reverse."""

    gates = 1
    states = 1
    proj_size = 0
    cell_kind: type[RNNCellBase] = SimpleRNNCell

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward",
        time_major: bool = False, dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(input_size=input_size, hidden_size=hidden_size, num_layers=num_layers)
        if direction not in ("forward", "bidirect", "bidirectional"):
            raise ArgumentError(f'direction must be "forward" or "bidirect", not {direction!r}')
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.num_directions = 1 if direction == "forward" else 2
        self.time_major, self.dropout = time_major, dropout
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self.__dict__["_weights"] = tuple(
            rnn_weights(
                self, self.gates, self._layer_input(k), hidden_size, attrs, f"_l{k}{'_reverse' * back}", self.proj_size
            )
            for k in range(num_layers)
            for back in range(self.num_directions)
        )

    def _cell(self, k: int) -> RNNCellBase:
        settings = {name: getattr(self, name) for name in ("activation", "proj_size") if name in self.__dict__}
        weights = [getattr(self, name) for name in self._weights[k]]
        size = self._layer_input(k // self.num_directions)
        return self.cell_kind.over(weights, size, self.hidden_size, **settings)

    def __len__(self) -> int:
        return self.num_layers

    def __getitem__(self, layer: int) -> RNN | BiRNN:
        """One layer as an RNN (or BiRNN) over cells that share its parameters."""
        first = axis_index(layer, self.num_layers, "layer") * self.num_directions
        if self.num_directions == 1:
            return RNN(self._cell(first), False, self.time_major)
        return BiRNN(self._cell(first), self._cell(first + 1), self.time_major)

    def __iter__(self) -> Iterator[RNN | BiRNN]:
        return (self[k] for k in range(self.num_layers))

    def _layer_input(self, layer: int) -> int:
        return self.input_size if layer == 0 else (self.proj_size or self.hidden_size) * self.num_directions

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        raise NotImplementedError

    def _initial(self, x: Any, given: Any) -> list[Any]:
        """The first state of each layer and direction."""
        count = self.num_layers * self.num_directions
        sizes = [self.proj_size or self.hidden_size, self.hidden_size]
        shapes = [[count, x.shape[1], sizes[k]] for k in range(self.states)]
        if given is None:
            each = [[zeros(shape[1:], x.dtype)] * count for shape in shapes]
        else:
            parts = list(given) if self.states > 1 else [given[0] if isinstance(given, (tuple, list)) else given]
            if len(parts) != self.states or any(list(p.shape) != s for p, s in zip(parts, shapes, strict=True)):
                found = " and ".join(show_shape(p.shape) for p in parts)
                wanted = " and ".join(map(show_shape, shapes))
                raise ShapeError(f"{type(self).__name__} needs initial states {wanted}, got {found}")
            each = [unbind(p, 0) for p in parts]
        return [tuple(s[k] for s in each) if self.states > 1 else each[0][k] for k in range(count)]

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> tuple[Any, Any]:
        """(outputs [n, time, directions * hidden], last states [layers * directions, n, hidden])."""
        x = _times(inputs, self.time_major, type(self).__name__)
        if isinstance(x.shape[2], int) and x.shape[2] != self.input_size:
            raise ShapeError(
                f"{type(self).__name__} takes inputs [n, time, {self.input_size}], got {show_shape(inputs.shape)}"
            )
        states = self._initial(x, initial_states)
        last: list[Any] = []
        for layer in range(self.num_layers):
            if layer and self.dropout:
                x = F.dropout(x, self.dropout, training=self.training)
            outputs = []
            for back in range(self.num_directions):
                k = layer * self.num_directions + back
                out, state = self._run(x, k, states[k], sequence_length, bool(back))
                outputs.append(out)
                last.append(state)
            x = outputs[0] if len(outputs) == 1 else OPS["concat"](outputs, axis=2)
        y = x if self.time_major else OPS["transpose"](x, (1, 0, 2))
        if self.states == 1:
            return y, stack(last, 0)
        return y, tuple(stack([s[k] for s in last], 0) for k in range(self.states))

    def _run(self, x: Any, k: int, state: Any, lengths: Any, reverse: bool) -> tuple[Any, Any]:
        weight_ih, weight_hh, bias_ih, bias_hh, *rest = (getattr(self, name) for name in self._weights[k])
        projection = rest[0] if rest else None
        steps = unbind(project(x, weight_ih, bias_ih), 0)
        outputs, state = run(
            steps, lambda inner, old: self._advance(inner, old, weight_hh, bias_hh, projection), state, lengths, reverse
        )
        return stack(outputs, 0), state

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}, num_layers={self.num_layers}"
        return text + (", direction=bidirect" if self.num_directions == 2 else "")


class SimpleRNN(_Recurrent):
    """Plain recurrent network with tanh or relu."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward",
        time_major: bool = False, dropout: float = 0.0, activation: str = "tanh", weight_ih_attr: Any = None,
        weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if activation not in ("tanh", "relu"):
            raise ArgumentError(f'activation must be "tanh" or "relu", not {activation!r}')
        super().__init__(
            input_size, hidden_size, num_layers, direction, time_major, dropout, weight_ih_attr, weight_hh_attr,
            bias_ih_attr, bias_hh_attr, name,
        )  # fmt: skip
        self.activation = activation

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        return simple_step(inner, state, weight, bias, self.activation)


class LSTM(_Recurrent):
    """Long short-term memory; states are (hidden, cell). proj_size: hidden states are mapped to this size.

    >>> y, (h, c) = LSTM(3, 4, num_layers=2)(zeros([2, 5, 3]))
    >>> y.shape, h.shape
    ([2, 5, 4], [2, 2, 4])
    """

    cell_kind = LSTMCell
    gates, states = 4, 2

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward",
        time_major: bool = False, dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, proj_size: int = 0, name: str | None = None,
    ) -> None:  # fmt: skip
        self.proj_size = checked_projection(proj_size, hidden_size)
        super().__init__(
            input_size, hidden_size, num_layers, direction, time_major, dropout, weight_ih_attr, weight_hh_attr,
            bias_ih_attr, bias_hh_attr, name,
        )  # fmt: skip
        self.proj_size = proj_size

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        return lstm_step(inner, state, weight, bias, projection)


class GRU(_Recurrent):
    """Gated recurrent units."""

    cell_kind = GRUCell
    gates = 3

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        return gru_step(inner, state, weight, bias)
