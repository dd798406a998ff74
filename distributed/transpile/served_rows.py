"""ServedRows: an embedding's table on the parameter servers; a step pulls rows and pushes their gradients."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtype import int64
from ...base.errors import ModeError
from ...dygraph.modes import GradMode, is_recording
from ...dygraph.nn.embedding import Embedding
from ...dygraph.nn.layer import Layer
from ...ops.op import OPS
from .server import PULL_ROWS, PUSH_ROWS


def tables_of(model: Layer, places: Mapping[int, int]) -> dict[int, list[Any]]:
    """The sparse embeddings of a model that an optimizer trains, by their tables' places in its list.

    Errors: ModeError for one with padding_idx or max_norm.
    """
    found: dict[int, list[Any]] = {}
    for layer in model.sublayers(include_self=True):
        if isinstance(layer, Embedding) and layer.sparse and id(layer.weight) in places:
            if layer.padding_idx is not None or layer.max_norm is not None or layer.scale_grad_by_freq:
                raise ModeError("an embedding whose rows are served has no padding_idx, max_norm or scale_grad_by_freq",
                                remedy="make it with sparse=False")  # fmt: skip
            found.setdefault(places[id(layer.weight)], []).append(layer)
    return found


class ServedRows:
    """One table: [rows, width], row i on server i modulo servers. `place`: the table's in the optimizer's list."""

    def __init__(self, place: int, table: Any, layers: Sequence[Any], stage: Any) -> None:
        self.place, self.table, self.layers, self.stage = place, table, layers, stage
        self.shape = tuple(table.shape)
        self.pulled: list[tuple[Any, Any]] = []  # ids and rows of this step

    def hand_over(self) -> None:
        """Let a trainer keep no row, and pull those that a forward reads."""
        self.table._storage.replace(np.zeros((0, self.shape[1]), self.table.dtype.numpy))
        for layer in self.layers:
            layer.register_forward_pre_hook(self._put)
            layer.register_forward_post_hook(self._let_go, always_call=True)

    def pull(self, ids: Any) -> Any:
        """The rows of ids i64[n]: [n, width]. All servers are told all ids; each gives zeros for those it hasn't."""
        count = ids.shape[0]
        for server in self.stage.server_ranks:
            self.stage.say(server, PULL_ROWS, self.place, count)
            self.stage.send(server, ids)
        made: Any = None
        for server in self.stage.server_ranks:
            rows = self.stage.receive(server, (count, self.shape[1]), self.table.dtype)
            made = rows if made is None else made + rows
        return made

    def push(self) -> None:
        """Send the gradients of the rows that were pulled since the last step."""
        for ids, rows in self.pulled:
            if rows.grad is not None:
                for server in self.stage.server_ranks:
                    self.stage.say(server, PUSH_ROWS, self.place, ids.shape[0])
                    self.stage.send(server, ids)
                    self.stage.send(server, rows.grad)
        self.pulled.clear()

    def _put(self, layer: Layer, inputs: Any) -> Any:
        """The hook before forward: the table becomes the rows that are read, and ids become their places."""
        ids, count = inputs[0], math.prod(inputs[0].shape)
        with GradMode(False):
            flat = OPS["cast"](OPS["reshape"](ids, (count,)), int64)
            rows = self.pull(flat).detach()
        if is_recording() and not self.table.stop_gradient:
            rows.stop_gradient = False
            self.pulled.append((flat, rows))
        layer.__dict__["weight"] = rows
        return (OPS["reshape"](OPS["arange"](count), tuple(ids.shape)), *inputs[1:])

    def _let_go(self, layer: Layer, inputs: Any, outputs: Any) -> None:
        """The hook behind forward."""
        layer.__dict__.pop("weight", None)
