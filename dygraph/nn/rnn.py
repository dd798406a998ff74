"""Recurrent networks over whole sequences: RNN (of any cell), SimpleRNN, LSTM, GRU.

The loop over time is Python's where the number of times is known, and the program's where only a run knows it.
Inputs are [n, time, in] (`time_major`: [time, n, in]); the input's part of all steps is one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...base.dtype import int64
from ...base.errors import ArgumentError, ShapeError
from ...base.pytree import flatten, map_leaves, unflatten
from ...ops.create import zeros
from ...ops.dims import assume_equal
from ...ops.dispatch import current
from ...ops.infer import axis_index, show_shape
from ...ops.op import OPS
from ...ops.rearrange import stack, unbind
from ..tensor import Tensor
from . import functional as F
from .cell import (
    WEIGHTS,
    GatedCell,
    GRUCell,
    LSTMCell,
    SimpleRNNCell,
    activation_of,
    checked_projection,
    gru_step,
    lstm_step,
    project,
    simple_step,
)  # fmt: skip
from .layer import Layer
from .layer_state import FormerItem
from .linear_layers import positive

__all__ = ["GRU", "LSTM", "RNN", "BiRNN", "SimpleRNN"]


def run(
    x: Any, advance: Any, state: Any, lengths: Any, reverse: bool, *, is_ours: bool = False, pads: bool = True
) -> tuple[Any, Any]:
    """The outputs of all times of x [time, …], stacked, and the last state. `advance(step, state)` gives the output
    of a time and its new state: tensors, or nested structures of them.

    Beyond a sequence's length the state stays, and outputs are 0 or (without `pads`) what the cell gives. A number of
    times that only a run knows makes a loop of the program; so does, while a function is captured, a long known one of
    cells of ours (`is_ours`).
    """
    if not isinstance(x.shape[0], int) or (is_ours and current().rolls(x.shape[0])):
        return _run_in_program(x, advance, state, lengths, reverse, pads)
    outputs: list[Any] = [None] * x.shape[0]
    steps = unbind(x, 0)
    for t in range(len(steps) - 1, -1, -1) if reverse else range(len(steps)):
        outputs[t], state = _masked(advance(steps[t], state), state, lengths, t, pads)
    leaves = [flatten(out, _is_tensor) for out in outputs]
    stacked = [stack(list(at_all_times), 0) for at_all_times in zip(*(each for each, _ in leaves), strict=True)]
    return unflatten(leaves[0][1], iter(stacked)), state


def _run_in_program(x: Any, advance: Any, state: Any, lengths: Any, reverse: bool, pads: bool) -> tuple[Any, Any]:
    """`run` as a loop of the program being recorded. The first time is the one before the loop: its outputs tell how
    much space to make for those of all times.
    """
    times = x.shape[0]
    program = current()
    first = program.constant(times - 1 if reverse else 0, int64)
    out, state = _masked(advance(x[first], state), state, lengths, first, pads)
    leaves, tree = flatten(out, _is_tensor)
    buffers = [_written(zeros([times, *leaf.shape], leaf.dtype), first, leaf) for leaf in leaves]

    def iteration(k: Any, carried: Any) -> Any:
        buffers, state = carried
        t = first - 1 - k if reverse else k + 1
        out, state = _masked(advance(x[t], state), state, lengths, t, pads)
        leaves = flatten(out, _is_tensor)[0]
        return [_written(buffer, t, leaf) for buffer, leaf in zip(buffers, leaves, strict=True)], state

    buffers, state = program.repeat(times - 1, iteration, (buffers, state))
    return unflatten(tree, iter(buffers)), state


def _written(buffer: Any, t: Any, leaf: Any) -> Any:
    return OPS["select_update"](buffer, leaf, t, axis=0)


def _masked(made: tuple[Any, Any], old: Any, lengths: Any, t: Any, pads: bool) -> tuple[Any, Any]:
    """A time's output and new state, where the sequences go on at t; zeros (`pads`) and the old state where not."""
    if lengths is None:
        return made
    out, new = made
    inside = OPS["greater_than"](lengths, t if isinstance(t, int) else OPS["cast"](t, lengths.dtype))
    olds, _ = flatten(old, _is_tensor)
    news, tree = flatten(new, _is_tensor)
    kept = [OPS["where"](_beside(inside, a), a, b) for a, b in zip(news, olds, strict=True)]
    if pads:
        out = map_leaves(lambda y: OPS["where"](_beside(inside, y), y, 0.0), out, _is_tensor)
    return out, unflatten(tree, iter(kept))


def _beside(flags: Any, x: Any) -> Any:
    """Flags of the batch, with the axes of x."""
    return OPS["reshape"](flags, (-1, *[1] * (x.ndim - 1)))


def _fits(shape: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(shape) == len(wanted) and all(
        assume_equal(a, b) is not False for a, b in zip(shape, wanted, strict=True)
    )


def _is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor)


def _shown(new: Any) -> tuple[Any, Any]:
    """A cell's new state as its output, the hidden part, and the state."""
    return (new[0] if isinstance(new, tuple) else new), new


def _times(x: Any, time_major: bool, what: str) -> Any:
    """x as [time, n, …]."""
    if x.ndim != 3:
        raise ShapeError(
            f"{what} needs {'[time, n, in]' if time_major else '[n, time, in]'}, got {show_shape(x.shape)}",
            remedy=f"give three axes; unsqueeze({1 if time_major else 0}) makes a batch of one sequence",
        )
    x = x if time_major else OPS["transpose"](x, (1, 0, 2))
    if isinstance(x.shape[0], int) and not x.shape[0]:
        raise ShapeError(f"{what} needs at least one time, got {show_shape(x.shape)}")
    return x


class RNN(Layer):
    """A cell applied along time: (outputs [n, time, hidden], last states).

    A cell of one's own: `cell(step [n, in], states, **kwargs)` gives (outputs, new states), either of them a tensor or
    a nested structure of tensors; without initial states it needs `get_initial_states(batch_ref, batch_dim_idx=0)`.
    Behind `sequence_length` the states stay and the outputs are what the cell gives, as in Paddle.
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(
        self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> tuple[Any, Any]:
        return _along(
            self.cell, inputs, initial_states, sequence_length, kwargs, reverse=self.is_reverse,
            time_major=self.time_major,
        )  # fmt: skip


def _along(
    cell: Any, inputs: Any, state: Any, lengths: Any, kwargs: dict[str, Any], *, reverse: bool, time_major: bool
) -> tuple[Any, Any]:
    """A cell applied along time, or against it."""
    x = _times(inputs, time_major, "RNN")
    if state is None:
        state = cell.get_initial_states(batch_ref=inputs, batch_dim_idx=1 if time_major else 0)
    split = isinstance(cell, GatedCell) and type(cell).forward is GatedCell.forward and not kwargs

    def advance(step: Any, old: Any) -> Any:
        return _shown(cell.advance(step, old)) if split else cell(step, old, **kwargs)

    outputs, state = run(cell.project(x) if split else x, advance, state, lengths, reverse, is_ours=split, pads=False)
    if time_major:
        return outputs, state
    return map_leaves(lambda y: OPS["transpose"](y, (1, 0, *range(2, y.ndim))), outputs, _is_tensor), state


class BiRNN(Layer):
    """Two cells, along time and against it: (outputs [n, time, 2 hidden], (states forward, states backward))."""

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        sizes = [getattr(cell, "input_size", None) for cell in (cell_fw, cell_bw)]
        if sizes[0] != sizes[1]:
            raise ArgumentError(f"BiRNN needs cells for inputs of one size, not {sizes[0]} and {sizes[1]}")
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> tuple[Any, Any]:
        given = (None, None) if initial_states is None else initial_states
        if len(given) != 2:
            raise ArgumentError(f"BiRNN needs two initial states, not {len(given)}")
        (first, last), (second, back) = (
            _along(cell, inputs, state, sequence_length, {}, reverse=reverse, time_major=self.time_major)
            for cell, state, reverse in ((self.cell_fw, given[0], False), (self.cell_bw, given[1], True))
        )
        return OPS["concat"]([first, second], axis=2), (last, back)


class _Recurrent(Layer):
    """num_layers times one or two directions of a cell. Parameters: weight_ih_l0, …, bias_hh_l1_reverse, which are
    also those of the cells: each layer is an RNN or BiRNN, the sublayers "0", "1", … (`self[0]`).
    """

    states = 1
    proj_size = 0
    mode = ""
    cell_kind: type[GatedCell] = SimpleRNNCell

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
        self.time_major, self.dropout, self.state_components = time_major, dropout, self.states
        attrs = {
            "weight_ih_attr": weight_ih_attr, "weight_hh_attr": weight_hh_attr, "bias_ih_attr": bias_ih_attr,
            "bias_hh_attr": bias_hh_attr,
        }  # fmt: skip
        settings: dict[str, Any] = attrs | self._settings()
        for k in range(num_layers):
            cells = [self.cell_kind(self._layer_input(k), hidden_size, **settings) for _ in range(self.num_directions)]
            runner = RNN(cells[0], False, time_major) if len(cells) == 1 else BiRNN(cells[0], cells[1], time_major)
            self.add_sublayer(str(k), runner)
            for suffix, cell in zip(("", "_reverse"), cells, strict=False):
                for name in WEIGHTS:
                    if attrs[f"{name}_attr"] is not False or name.startswith("weight"):
                        setattr(self, f"{name}_l{k}{suffix}", getattr(cell, name))

    def _settings(self) -> dict[str, Any]:
        """What the cells are made with besides their sizes and attrs."""
        return {}

    def _cell(self, k: int) -> Any:
        runner: Any = self._sub_layers[str(k // self.num_directions)]
        return runner.cell if self.num_directions == 1 else (runner.cell_fw, runner.cell_bw)[k % 2]

    def _weight(self, k: int, name: str) -> Any:
        """A parameter of a cell: the attribute of this layer, if it has one for it."""
        own = f"{name}_l{k // self.num_directions}{'_reverse' * (k % self.num_directions)}"
        return getattr(self, own) if own in self._parameters or own in self.__dict__ else getattr(self._cell(k), name)

    def named_cells(self) -> list[tuple[int, str, str]]:
        """For each cell: its layer, its name as a sublayer, and what its weights' names end with here."""
        keys = [("cell", "")] if self.num_directions == 1 else [("cell_fw", ""), ("cell_bw", "_reverse")]
        return [(k, f"{k}.{cell}", suffix) for k in range(self.num_layers) for cell, suffix in keys]

    def former_state(self) -> tuple[FormerItem, ...]:
        if not self.proj_size:
            return ()
        return tuple(FormerItem(f"weight_ho_l{k}{suffix}", f"{own}.weight_ho") for k, own, suffix in self.named_cells())

    def __len__(self) -> int:
        return self.num_layers

    def __getitem__(self, layer: int) -> Any:
        """One layer as an RNN (or BiRNN) over cells that share its parameters."""
        return self._sub_layers[str(axis_index(layer, self.num_layers, "layer"))]

    def __iter__(self) -> Iterator[Any]:
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
            if len(parts) != self.states or not all(_fits(p.shape, s) for p, s in zip(parts, shapes, strict=True)):
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
        weight_ih, weight_hh, bias_ih, bias_hh = (self._weight(k, name) for name in WEIGHTS)
        projection = self._cell(k).weight_ho if self.proj_size else None

        def advance(inner: Any, old: Any) -> Any:
            return _shown(self._advance(inner, old, weight_hh, bias_hh, projection))

        return run(
            project(x, weight_ih, bias_ih), advance, state, lengths, reverse, is_ours=True, pads=not self.proj_size
        )

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("num_layers", 1), ("time_major", False), ("dropout", 0)):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text


class SimpleRNN(_Recurrent):
    """Plain recurrent network with tanh or relu."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward",
        time_major: bool = False, dropout: float = 0.0, activation: str = "tanh", weight_ih_attr: Any = None,
        weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        activation_of(activation)
        self.mode = f"RNN_{activation.upper()}"
        super().__init__(
            input_size, hidden_size, num_layers, direction, time_major, dropout, weight_ih_attr, weight_hh_attr,
            bias_ih_attr, bias_hh_attr, name,
        )  # fmt: skip

    @property
    def activation(self) -> str:
        """The name of the function: the end of `mode`, which is what counts."""
        return self.mode.removeprefix("RNN_").lower()

    @activation.setter
    def activation(self, name: str) -> None:
        activation_of(name)
        self.mode = f"RNN_{name.upper()}"

    def _settings(self) -> dict[str, Any]:
        return {"activation": self.activation}

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        return simple_step(inner, state, weight, bias, activation_of(self.activation))


class LSTM(_Recurrent):
    """Long short-term memory; states are (hidden, cell). proj_size: hidden states are mapped to this size.

    >>> y, (h, c) = LSTM(3, 4, num_layers=2)(zeros([2, 5, 3]))
    >>> y.shape, h.shape
    ([2, 5, 4], [2, 2, 4])
    """

    cell_kind = LSTMCell
    states, mode = 2, "LSTM"

    def _settings(self) -> dict[str, Any]:
        return {"proj_size": self.proj_size}

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

    cell_kind, mode = GRUCell, "GRU"

    def _advance(self, inner: Any, state: Any, weight: Any, bias: Any, projection: Any) -> Any:
        return gru_step(inner, state, weight, bias)
