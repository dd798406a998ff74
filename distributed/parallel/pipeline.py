"""Training in stages: each rank runs its part of the model on one part of the batch after the other.

Sources: Huang et al., GPipe, 2019 (FThenB); Narayanan et al., PipeDream, 2019 (1F1B).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError, ModeError
from ...base.flags import flags
from ...dygraph.grad import backward as run_backward
from ...dygraph.modes import GradMode
from ...dygraph.nn.layer import Layer
from ...ops.create import zeros
from ..data_parallel import average_gradients, synchronise
from ..exchanges import broadcast
from .between_stages import Link
from .pipeline_layers import PipelineLayer
from .schedules import FORWARD, order
from .spread_models import agree_on_finite, synchronise_whole
from .topology import HybridCommunicateGroup


class PipelineParallel(Layer):
    """A PipelineLayer in training: `train_batch` runs a batch through all stages, and updates the parameters.

    strategy.pipeline_configs: accumulate_steps parts of micro_batch_size rows make a batch; schedule_mode "1F1B" or
    "FThenB". The loss is the mean of the parts' losses, and so are the gradients, also over ranks with other batches.
    `most_live`: the most parts whose activations this stage held at once, in the last batch.
    Errors: ArgumentError for a model that is no PipelineLayer.
    """

    def __init__(self, layers: PipelineLayer, hcg: HybridCommunicateGroup, strategy: Any) -> None:
        super().__init__()
        if not isinstance(layers, PipelineLayer):
            raise ArgumentError(f"a pipeline needs a PipelineLayer, not a {type(layers).__name__}")
        configs = strategy.pipeline_configs
        self._layers, self._grid = layers, hcg
        self.accumulate_steps = int(configs["accumulate_steps"])
        self.micro_batch_size = int(configs["micro_batch_size"])
        self.schedule = configs["schedule_mode"]
        self.num_stages, self.stage_id = hcg.get_pipe_parallel_world_size(), hcg.stage_id
        self.most_live = 0
        order(self.schedule, 0, 1, 1).__next__()  # an unknown schedule is an error here
        self._ahead = None if hcg.is_last_stage else Link(hcg.get_rank_from_stage(self.stage_id + 1))
        self._behind = None if hcg.is_first_stage else Link(hcg.get_rank_from_stage(self.stage_id - 1))
        synchronise_whole(layers, hcg.get_model_parallel_group())
        if hcg.batch_group().nranks > 1:
            synchronise(layers, hcg.batch_group())

    def is_pipeline_first_stage(self) -> bool:
        """Whether this rank takes the inputs."""
        return self._behind is None

    def is_pipeline_last_stage(self) -> bool:
        """Whether this rank takes the labels, and computes the loss."""
        return self._ahead is None

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Errors: ModeError: one rank alone has no result."""
        raise ModeError("a pipeline runs whole batches", remedy="call train_batch or eval_batch")

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """This stage's state, under the names of the whole model."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Set this stage's state."""
        return self._layers.set_state_dict(*args, **kwargs)

    load_dict = set_dict = set_state_dict

    def train_batch(self, data: Any, optimizer: Any, lr_scheduler: Any = None, scaler: Any = None) -> Any:
        """One step with a batch: the loss, [], the same on all stages.

        data: (inputs, labels), each a tensor or a tuple of them, of accumulate_steps * micro_batch_size rows; the first
        stage reads the inputs, the last one the labels. Errors: ArgumentError for another number of rows.
        """
        self.train()
        total = self.forward_backward_pipeline(data, scaler)
        self._layers.add_tied_gradients()
        own = [p for p in self._layers.parameters() if not getattr(p, "exchanged_by_optimizer", False)]
        average_gradients(own, self._grid.batch_group())
        if scaler is None:
            optimizer.step()
        else:
            agree_on_finite(scaler, self._grid)
            scaler.step(optimizer)
            scaler.update()
        optimizer.clear_grad()
        if lr_scheduler is not None:
            lr_scheduler.step()
        return self._shared_loss(total)

    def forward_backward_pipeline(self, data: Any, scaler: Any = None) -> Any:
        """Add up the gradients of a batch; the last stage's mean loss, None on others."""
        parts = self._parts(data)
        live: dict[int, tuple[list[Any], list[Any]]] = {}
        self.most_live, total = 0, None
        for kind, k in order(self.schedule, self.stage_id, self.num_stages, self.accumulate_steps):
            if kind == FORWARD:
                inputs, outputs = self._forward(parts[k], first=k == 0)
                if self.is_pipeline_last_stage():
                    loss = outputs[0] / self.accumulate_steps
                    total = loss.detach() if total is None else total + loss.detach()
                    outputs = [loss if scaler is None else scaler.scale(loss)]
                live[k] = inputs, outputs
                self.most_live = max(self.most_live, len(live))
            else:
                self._backward(*live.pop(k))
        self._end()
        return total

    def eval_batch(self, data: Any, compute_loss: bool = False, **_: Any) -> Any:
        """Run a batch without gradients: the mean loss, [], or the last stage's list of what it made of each part."""
        self.eval()
        found: list[Any] = []
        parts = self._parts(data)
        with GradMode(False):
            for k in range(self.accumulate_steps):
                made = self._forward(parts[k], first=k == 0, compute_loss=compute_loss)[1]
                if self.is_pipeline_last_stage():
                    found.append(made[0] if len(made) == 1 else tuple(made))
            self._end()
        if not compute_loss:
            return found
        return self._shared_loss(sum(found) / self.accumulate_steps if found else None)

    # ---- parts of a batch

    def _parts(self, data: Any) -> list[tuple[Any, Any]]:
        """The inputs and labels of each part; None where this stage doesn't read them."""
        inputs, labels = data if isinstance(data, (tuple, list)) and len(data) == 2 else (data, None)
        first = self._cut(inputs) if self.is_pipeline_first_stage() else [None] * self.accumulate_steps
        last = self._cut(labels) if self.is_pipeline_last_stage() else [None] * self.accumulate_steps
        return list(zip(first, last, strict=True))

    def _cut(self, given: Any) -> list[Any]:
        if given is None:
            return [None] * self.accumulate_steps
        if isinstance(given, (tuple, list)):
            return [tuple(part) for part in zip(*(self._cut(x) for x in given), strict=True)]
        size, rows = self.micro_batch_size, given.shape[0]
        if rows != size * self.accumulate_steps:
            raise ArgumentError(
                f"a batch of {rows} rows isn't {self.accumulate_steps} parts of {size}",
                remedy="set pipeline_configs: accumulate_steps and micro_batch_size",
            )
        return [given[k * size : (k + 1) * size] for k in range(self.accumulate_steps)]

    def _forward(self, part: tuple[Any, Any], first: bool, compute_loss: bool = True) -> tuple[list[Any], list[Any]]:
        """This stage with one part: its inputs from the stage before, and what it made of them."""
        given, label = part
        inputs: list[Any] = []
        if self._behind is not None:
            inputs = self._behind.take(first)
            given = inputs[0] if len(inputs) == 1 else tuple(inputs)
        made = self._layers(given)
        if self._ahead is None:
            if not compute_loss:
                return inputs, list(made) if isinstance(made, (tuple, list)) else [made]
            if self._layers._loss_fn is None:
                raise ArgumentError("the PipelineLayer has no loss_fn", remedy="give one")
            return inputs, [self._layers._loss_fn(made, label)]
        outputs = list(made) if isinstance(made, (tuple, list)) else [made]
        self._ahead.send(outputs, first)
        return inputs, outputs

    def _backward(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        trained = [y for y in outputs if not y.stop_gradient]
        if self._ahead is None:
            run_backward(trained, [None])
        else:
            run_backward(trained, self._ahead.take_like(trained))
        if self._behind is not None:
            wanted = [x for x in inputs if not x.stop_gradient]
            self._behind.send([zeros(x.shape, x.dtype) if x.grad is None else x.grad for x in wanted])

    def _end(self) -> None:
        for link in (self._ahead, self._behind):
            if link is not None:
                link.end()

    def _shared_loss(self, loss: Any) -> Any:
        """The last stage's loss, for all stages."""
        group = self._grid.get_pipe_parallel_group()
        if group.nranks == 1:
            return loss
        kind = flags.default_dtype
        found = zeros([], kind) if loss is None else loss.detach().astype(kind).reshape([])
        broadcast(found, group.ranks[-1], group)
        return found
