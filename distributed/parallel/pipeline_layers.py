"""A model as a list of layers that is cut into stages, one for each rank of a pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError, KindError, ModeError
from ...dygraph.checkpointing import recompute
from ...dygraph.nn.container import LayerDict
from ...dygraph.nn.layer import Layer
from ...ops.dispatch import current
from ..exchanges import all_reduce_of, broadcast
from ..group import Group, new_group
from .topology import CommunicateTopology, HybridCommunicateGroup, get_hybrid_communicate_group


class LayerDesc:
    """How to make a layer: its class and arguments, for the stage that needs it.

    >>> from vitrify.nn import Linear
    >>> LayerDesc(Linear, 2, 3).build_layer().weight.shape
    [2, 3]
    """

    def __init__(self, layer_func: Any, *inputs: Any, **kwargs: Any) -> None:
        if not (isinstance(layer_func, type) and issubclass(layer_func, Layer)):
            raise KindError(f"LayerDesc needs a class of layers, not {layer_func!r}",
                            remedy="functions and layers stand in the list of a PipelineLayer as they are")  # fmt: skip
        self.layer_func, self.inputs, self.kwargs = layer_func, inputs, kwargs

    def build_layer(self) -> Layer:
        """The layer."""
        made: Layer = self.layer_func(*self.inputs, **self.kwargs)
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.layer_func.__name__})"


class SharedLayerDesc(LayerDesc):
    """A layer that stands in several places of the list, under one key: they have the same parameters.

    forward_func(layer, x) is what this place computes with it; default: layer(x). Where the places are on several
    stages, the gradients of shared_weight_attr are added up.
    """

    def __init__(
        self, key: str, layer_func: Any, forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: str | Sequence[str] = "weight", *inputs: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(layer_func, *inputs, **kwargs)
        self.layer_name, self.forward_func = key, forward_func
        self.shared_weight_attr = [shared_weight_attr] if isinstance(shared_weight_attr, str) else [*shared_weight_attr]


def segments(layers: Sequence[Any], stages: int, method: str | Sequence[int] = "uniform") -> list[int]:
    """Where each stage begins in a list of layers, and its end.

    "uniform": as many layers each, the last stages one more; "layer:Name": as many each of the layers whose class's
    name holds Name; or the numbers themselves. Errors: ArgumentError.

    >>> segments("abcde", 2)
    [0, 2, 5]
    """
    count = len(layers)
    if count < stages:
        raise ArgumentError(f"PipelineLayer: {count} layer(s) can't be cut into {stages} stages")
    if not isinstance(method, str):
        ends = [int(k) for k in method]
        ends += [count] * (len(ends) == stages)
        if len(ends) != stages + 1 or ends[0] != 0 or ends[-1] != count or ends != sorted(ends):
            raise ArgumentError(f"PipelineLayer: seg_method {list(method)} doesn't cut {count} layers "
                                f"into {stages} stages")  # fmt: skip
        return ends
    if method == "uniform":
        each, more = divmod(count, stages)
        return [k * each + max(0, k - (stages - more)) for k in range(stages)] + [count]
    if not method.startswith("layer:"):
        raise ArgumentError(f"PipelineLayer: there is no seg_method {method!r}",
                            remedy='use "uniform", "layer:Name" or a list of numbers')  # fmt: skip
    pattern = re.compile(method.partition(":")[2], re.IGNORECASE)
    found = [k for k, layer in enumerate(layers) if pattern.search(_name(layer))]
    if not found or len(found) % stages:
        raise ArgumentError(f"PipelineLayer: {len(found)} layer(s) match {method!r}, which {stages} stages can't share")
    each = len(found) // stages
    return [0, *(found[k * each - 1] + 1 for k in range(1, stages)), count]


def _name(layer: Any) -> str:
    if isinstance(layer, LayerDesc):
        return str(layer.layer_func.__name__)
    return type(layer).__name__ if isinstance(layer, Layer) else str(getattr(layer, "__name__", ""))


@dataclass(frozen=True, slots=True)
class Tied:
    """A parameter that several stages have, and the ranks of these."""

    parameter: Any
    group: Group


class PipelineLayer(Layer):
    """A model as a list of layers, of which each rank of the pipeline keeps one stage.

    layers: LayerDesc, SharedLayerDesc, layers, and functions. num_stages: default is the pp_degree of `fleet.init`.
    seg_method: see `segments`. recompute_interval: activations of so many layers at a time are computed again in
    backward. Every rank makes all layers, one after the other, and keeps its own: so a seed gives the same
    model for any number of stages.
    Errors: ArgumentError where the stages don't fit the grid; ModeError for interleaved stages.
    `run_function`: this stage's layers.

    >>> from vitrify import nn, ones
    >>> PipelineLayer([LayerDesc(nn.Linear, 2, 3), nn.functional.relu], num_stages=1)(ones([1, 2])).shape
    [1, 3]
    """

    run_function: list[Callable[..., Any]]
    _all: list[Any]

    def __init__(
        self, layers: Sequence[Any], num_stages: int | None = None, topology: CommunicateTopology | None = None,
        loss_fn: Any = None, seg_method: str | Sequence[int] = "uniform", recompute_interval: int = 0,
        recompute_ctx: Any = None, num_virtual_pipeline_stages: int | None = None, **_: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_virtual_pipeline_stages not in (None, 0, 1):
            raise ModeError("PipelineLayer: interleaved stages aren't there", remedy="leave them out")
        self._grid = get_hybrid_communicate_group() if topology is None else HybridCommunicateGroup(topology)
        found = self._grid.get_pipe_parallel_world_size()
        if num_stages not in (None, found):
            raise ArgumentError(f"PipelineLayer: {num_stages} stages don't fit a pipeline of {found} rank(s)",
                                remedy="set hybrid_configs['pp_degree'] for fleet.init")  # fmt: skip
        self._loss_fn, self._recompute = loss_fn, recompute_interval
        object.__setattr__(self, "_all", list(layers))
        self.segment_parts = segments(self._all, found, seg_method)
        self.shared_layers = LayerDict()
        object.__setattr__(self, "run_function", self._made())  # its layers are registered by their places
        self.tied = self._ties()

    def get_stage_from_index(self, layer_idx: int) -> int:
        """The stage of a layer of the list."""
        return max(k for k, start in enumerate(self.segment_parts[:-1]) if start <= layer_idx)

    def _made(self) -> list[Callable[..., Any]]:
        """This stage's layers, as functions."""
        own: list[Callable[..., Any]] = []
        common: dict[str, Layer] = {}
        for k, item in enumerate(self._all):
            mine = self.get_stage_from_index(k) == self._grid.stage_id
            if isinstance(item, SharedLayerDesc):
                layer = common.get(item.layer_name) or item.build_layer()
                common[item.layer_name] = layer
                if mine:
                    self.shared_layers[item.layer_name] = layer
                    own.append(layer if item.forward_func is None else _Bound(item.forward_func, layer))
                continue
            made = item.build_layer() if isinstance(item, LayerDesc) else item
            if not callable(made):
                raise KindError(f"PipelineLayer: layer {k} is a {type(made).__name__}, which can't be called")
            if mine:
                own.append(made)
                if isinstance(made, Layer):
                    self.add_sublayer(str(k), made)
        return own

    def _ties(self) -> list[Tied]:
        """Parameters that other stages have as well; they become those of the first of these."""
        places: dict[str, set[int]] = {}
        names: dict[str, list[str]] = {}
        for k, item in enumerate(self._all):
            if isinstance(item, SharedLayerDesc):
                places.setdefault(item.layer_name, set()).add(self.get_stage_from_index(k))
                known = names.setdefault(item.layer_name, [])
                known += [name for name in item.shared_weight_attr if name not in known]
        found = []
        for key, stages in places.items():
            if len(stages) > 1 and self._grid.stage_id in stages:
                ranks = [self._grid.get_rank_from_stage(stage) for stage in sorted(stages)]
                for name in names[key]:
                    tied = Tied(getattr(self.shared_layers[key], name), new_group(ranks))
                    broadcast(tied.parameter, ranks[0], tied.group)
                    tied.parameter.counts_elsewhere = self._grid.stage_id != min(stages)
                    found.append(tied)
        return found

    def add_tied_gradients(self) -> None:
        """Add up the gradients of parameters over the stages that have them."""
        for tied in self.tied:
            if tied.parameter.grad is not None:
                tied.parameter.grad = all_reduce_of(tied.parameter.grad, "sum", tied.group)

    allreduce_shared_weight_gradients = add_tied_gradients

    def forward(self, input: Any) -> Any:
        """What this stage makes of its input: a tensor or a tuple of them."""
        every = self._recompute
        if every < 1 or not self.training or current().is_static:
            return self._run(0, len(self.run_function), input)
        for start in range(0, len(self.run_function), every):
            end = min(start + every, len(self.run_function))
            input = recompute(lambda x, a=start, b=end: self._run(a, b, x), input)
        return input

    def _run(self, start: int, end: int, x: Any) -> Any:
        for layer in self.run_function[start:end]:
            x = layer(x)
        return x


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a place of a shared layer computes."""

    fn: Callable[..., Any]
    layer: Layer

    def __call__(self, x: Any) -> Any:
        return self.fn(self.layer, x)
