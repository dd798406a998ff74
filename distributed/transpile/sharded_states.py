"""ShardedStates: each rank updates a part of every parameter and keeps the optimizer's states of that part (ZeRO).

Source: Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2020.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError, ModeError
from ...dygraph.conversions import to_tensor
from ...dygraph.optimizer.clip import ClipGradBase, ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from ...dygraph.optimizer.for_stages import (
    forget_states,
    groups_of,
    keep_parts,
    part_of,
    state_types,
    update_parts,
)
from ...ops.dispatch import current
from ...ops.op import OPS
from ...ops.shape import concat
from ...static.op_steps import Updates, forget_state
from ...static.program import Program
from ..exchanges import all_gather_of, all_reduce_of, reduce_scatter_of
from .parts import cut, gathered, joined, part_size, whole_shape
from .stages import Pairs, Stage, Then, TranspiledOptimizer


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Bytes that one rank keeps between steps (parameters, states) and at the most during one (gradients)."""

    parameters: int
    gradients: int
    states: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.parameters + self.gradients + self.states


class ShardedStates(Stage):
    """Keep the optimizer's states of a part of each parameter on each rank; update that part; then gather the parts.

    level 1 ("os"): gradients arrive averaged (by DataParallel, GradAllReduce or another stage), and each rank's part is
    cut out of them. level 2 ("os_g"): a `reduce_scatter` gives each rank its part of the averaged gradient alone. In a
    captured step whole gradients end there; in eager mode they live until `step`. Elements are cut evenly, without
    regard to rows, so the bits are those of training without it, unless a norm is clipped at level 2: its sum is
    taken in another order. level 3 ("p_g_os"): for models whose parameters are parts already (`ShardedParameters`);
    those that are whole are treated as at level 2.
    Errors: ModeError for an optimizer whose update needs whole parameters (Lamb, LBFGS) or a clip of one's own.

    >>> ShardedStates(1).plan([], None).total
    0
    """

    name = "sharding"

    def __init__(self, level: int = 1, group: object = None) -> None:
        super().__init__(group)  # type: ignore[arg-type]
        if level not in (1, 2, 3):
            raise ArgumentError(f"sharding has the levels 1, 2 and 3, not {level}")
        self.level = level
        self.exchanges = level >= 2

    def follows(self, before: Sequence[Stage]) -> None:
        """From level 2 on it exchanges the gradients itself. Errors: ModeError after a stage without parts to give."""
        names = [stage.name for stage in before if stage.exchanges]
        if self.level == 2 and "dgc" in names:
            raise ModeError("dgc and sharding of level 2 don't go together: what travels isn't one rank's part",
                            remedy="shard at level 1")  # fmt: skip
        if self.level == 3 and names:
            raise ModeError(f"{names[0]} and sharding of level 3 don't go together: gradients arrive as parts",
                            remedy="leave the exchange to the sharding, or shard at level 1")  # fmt: skip

    def prepare(self, optimizer: TranspiledOptimizer) -> None:
        """Errors: ModeError for an optimizer whose update can't be cut into parts."""
        inner = optimizer.inner
        if not inner.is_elementwise:
            raise ModeError(f"sharding: {type(inner).__name__} needs whole parameters for its update",
                            remedy="use Adam, AdamW, Momentum or SGD")  # fmt: skip
        for group in groups_of(inner):
            shard_clip(group.clip, self.group)
        if self.level == 3 and current().is_static:
            raise ModeError("sharding of level 3: parameters of a static program stay whole",
                            remedy="use level 2, or train in dynamic mode")  # fmt: skip
        if self.level == 3 and not any(hasattr(p, "whole_shape") for p in inner._parameter_list):
            raise ModeError("sharding of level 3: the optimizer's parameters are whole",
                            remedy="shard the model with ShardedParameters, or use level 2")  # fmt: skip
        if self.level < 3 and any(hasattr(p, "whole_shape") for p in inner._parameter_list):
            raise ModeError(f"sharding of level {self.level}: the optimizer's parameters are parts already",
                            remedy="use level 3")  # fmt: skip

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Update this rank's parts and gather all."""
        inner, me = optimizer.inner, self.group.rank
        exchanged = any(stage.exchanges for stage in optimizer.stages if stage is not self)
        for group in groups_of(inner):
            known = {id(p) for p in group.params}
            mine = [(p, g) for p, g in pairs if id(p) in known]
            whole = self.level == 1 or exchanged
            if whole and group.clip is not None:
                mine = group.clip(mine)
            parts = [(p, g) for p, g in mine if hasattr(p, "whole_shape")]  # level 3: both are parts
            mine = mine if not parts else [(p, g) for p, g in mine if not hasattr(p, "whole_shape")]
            held = len(parts)
            for p, g in mine:
                keep_parts(inner, p, (part_size(math.prod(p.shape), self.group.nranks),))
                rows = cut(g, self.group.nranks)
                part = rows[me] if whole else reduce_scatter_of(rows, "mean", self.group)
                parts.append((part_of(p, cut(p.detach(), self.group.nranks)[me]), part))
            if not whole:
                parts = shard_clip(group.clip, self.group)(parts)
            update_parts(inner, group, parts)
            gathered = [all_gather_of(part.detach(), self.group) for part, _ in parts[held:]]  # they share buckets
            for (p, _), whole_parts in zip(mine, gathered, strict=True):
                p._write(joined(whole_parts, tuple(p.shape)), fresh=True)

    def replaces(self, program: Program, updates: Updates) -> None:
        """Whole states that the optimizer made for a static program are no longer made."""
        inner = getattr(updates.optimizer, "inner", updates.optimizer)
        for tensor in forget_states(inner):
            forget_state(program, updates.startup, tensor)

    # ---- saved states

    def _cut_states(
        self, state: dict[str, Any], optimizer: TranspiledOptimizer, act: Callable[..., Any]
    ) -> dict[str, Any]:
        inner, made = optimizer.inner, dict(state)
        for p in inner._parameter_list:
            types = state_types(inner, p)
            for name in types:
                key = f"{p.name}_{name}_0"
                if key in made and "shape" not in types[name]:
                    made[key] = act(made[key], p)
        return made

    def whole(self, state: dict[str, Any], optimizer: TranspiledOptimizer) -> dict[str, Any]:
        """The states of whole parameters: all ranks gather them."""
        return self._cut_states(state, optimizer, lambda x, p: gathered(x, whole_shape(p), self.group))

    def parts(self, state: dict[str, Any], optimizer: TranspiledOptimizer) -> dict[str, Any]:
        """This rank's parts of whole states."""
        me, ranks = self.group.rank, self.group.nranks
        for p in optimizer.inner._parameter_list:
            keep_parts(optimizer.inner, p, (part_size(math.prod(whole_shape(p)), ranks),))
        return self._cut_states(state, optimizer, lambda x, p: cut(to_tensor(x), ranks)[me])

    # ---- memory

    def plan(self, parameters: Sequence[Any], optimizer: Any) -> MemoryPlan:
        """What each rank keeps of parameters, gradients and states, to the byte."""
        return memory_plan(parameters, optimizer, self.level, self.group.nranks)


def memory_plan(parameters: Sequence[Any], optimizer: Any, level: int, ranks: int) -> MemoryPlan:
    """Bytes of one rank of `ranks`. level: 0 nothing is sharded, 1 states, 2 gradients, too, 3 parameters, too.

    >>> from vitrify.nn import Linear
    >>> from vitrify.optimizer import Adam
    >>> net = Linear(10, 10)
    >>> memory_plan(net.parameters(), Adam(parameters=net.parameters()), 1, 4)
    MemoryPlan(parameters=440, gradients=440, states=256)
    """
    inner = getattr(optimizer, "inner", optimizer)
    kept, arriving, states = 0, 0, 0
    some = any(hasattr(p, "whole_shape") for p in parameters)  # then the others stay whole
    for p in parameters:
        size = math.prod(whole_shape(p))
        each = part_size(size, ranks)
        kept += p.dtype.itemsize * (each if level >= 3 and (hasattr(p, "whole_shape") or not some) else size)
        if not p.stop_gradient:
            arriving += p.dtype.itemsize * (each if level >= 2 else size)
            for how in state_types(inner, p).values():
                wide = how.get("dtype", p.dtype).itemsize
                states += wide * (math.prod(how["shape"]) if "shape" in how else each if level >= 1 else size)
    return MemoryPlan(kept, arriving, states)


def shard_clip(clip: Any, group: Any) -> Callable[[Pairs], Pairs]:
    """A clip of parts that does what `clip` does to whole gradients. Errors: ModeError for a kind of one's own."""
    if clip is None:
        return lambda pairs: pairs
    if isinstance(clip, ClipGradByValue):
        return clip
    if isinstance(clip, (ClipGradByGlobalNorm, ClipGradByNorm)):
        return _ShardClip(clip, group)
    raise ModeError(f"sharding can't clip parts of gradients with a {type(clip).__name__}",
                    remedy="use ClipGradByGlobalNorm, ClipGradByNorm or ClipGradByValue")  # fmt: skip


class _ShardClip(ClipGradBase):
    """Norms of whole gradients from the squares of all ranks' parts."""

    def __init__(self, clip: ClipGradByGlobalNorm | ClipGradByNorm, group: Any) -> None:
        self.clip, self.group = clip, group

    def _clip(self, grads: list[Any]) -> list[Any]:
        if not grads:
            return grads
        widest = max((g.dtype for g in grads), key=lambda dtype: dtype.itemsize)
        squares = [OPS["cast"](OPS["sum"](g * g), widest) for g in grads]
        line = concat([OPS["reshape"](s, (1,)) for s in squares])
        every = all_reduce_of(line, "sum", self.group)
        if isinstance(self.clip, ClipGradByGlobalNorm):
            every = OPS["broadcast_to"](OPS["sum"](every), (len(grads),))
        top = self.clip.clip_norm
        factors = top / OPS["maximum"](OPS["sqrt"](every), top)
        return [g * OPS["cast"](factors[k], g.dtype) for k, g in enumerate(grads)]
