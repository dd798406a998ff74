"""What stages of distributed training ask of an optimizer: its groups, states, and updates of parts of parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...base.dtype import float64
from ..tensor import Tensor
from .optimizer import Group, Optimizer
from .rate import write_rate
from .saved_state import owners_of

_SETTINGS = ("optimize_attr", "regularizer", "need_clip")


def groups_of(optimizer: Optimizer) -> Sequence[Group]:
    """The groups of parameters with equal settings."""
    return optimizer._groups


def own_state(optimizer: Optimizer) -> dict[str, Any]:
    """What the optimizer itself has, parts of states among it."""
    return optimizer._own_state()


def set_own_state(optimizer: Optimizer, state: dict[str, Any]) -> None:
    """Set what `own_state` gave."""
    optimizer._set_own_state(state)


def in_own_names(optimizer: Optimizer, state: Mapping[str, Any]) -> dict[str, Any]:
    """A state with the names of the optimizer's parameters, where it has others': by their order.

    Errors: StateError for another number of parameters.
    """
    owners = owners_of(optimizer, state)
    types = {owner: optimizer._accumulator_types(p) | optimizer._further_types for owner, p in owners.items()}

    def renamed(key: str) -> str:
        for owner, p in owners.items():
            if key.startswith(f"{owner}_") and key.endswith("_0") and key[len(owner) + 1 : -2] in types[owner]:
                return f"{p.name}{key[len(owner) :]}"
        return key

    found = {renamed(key): value for key, value in state.items()}
    if "parameter_names" in found:
        found["parameter_names"] = [p.name for p in optimizer._parameter_list]
    return found


def stand_around(optimizer: Optimizer, staged: Any) -> None:
    """Let `state_dict` and `set_state_dict` of the optimizer be those of what stands around it."""
    optimizer._staged = staged


def change_clips(optimizer: Optimizer, change: Callable[[Any], Any]) -> None:
    """Let the groups of parameters, and those that come later, have the clips that `change` makes of theirs."""
    for group in optimizer._groups:
        group.clip = change(group.clip)
    optimizer._grad_clip = change(optimizer._grad_clip)


def keep(optimizer: Optimizer, name: str, param: Any, settings: Mapping[str, Any]) -> Any:
    """A tensor called `name` that a stage keeps for a parameter among the optimizer's states."""
    optimizer._further_types[name] = dict(settings)
    return optimizer._accumulator(name, param, **settings)


def kept_of(optimizer: Optimizer, name: str) -> list[tuple[Any, Any]]:
    """[(parameter, tensor)] of what is kept under a name."""
    table = optimizer._accumulators.get(name, {})
    return [(p, table[id(p)]) for p in optimizer._parameter_list if id(p) in table]


def forget_states(optimizer: Optimizer) -> list[Any]:
    """Let the optimizer make its own states anew; those that it had. What stages keep stays."""
    gone: list[Any] = []
    for name, table in optimizer._accumulators.items():
        if name not in optimizer._further_types:
            gone += table.values()
            table.clear()
    optimizer._updated.clear()
    return gone


def state_types(optimizer: Optimizer, param: Any) -> dict[str, dict[str, Any]]:
    """The names of a parameter's states, and what differs from its shape and dtype."""
    return optimizer._accumulator_types(param)


def keep_parts(optimizer: Optimizer, param: Any, shape: tuple[int, ...]) -> None:
    """States of this parameter have the shape of a part of it from here on."""
    optimizer._part_shapes[id(param)] = shape


def part_of(param: Any, part: Any) -> Any:
    """A part of a parameter, which an optimizer takes for the parameter: with its name and settings."""
    part._name, part.part_of = param.name, param
    for name in _SETTINGS:
        if hasattr(param, name):
            setattr(part, name, getattr(param, name))
    return part


def update_parts(optimizer: Optimizer, group: Group, pairs: list[tuple[Any, Any]]) -> None:
    """Update parts of a group's parameters with parts of their gradients, which are clipped already."""
    clip, group.clip = group.clip, None
    try:
        optimizer._update_group(group, pairs)
    finally:
        group.clip = clip


def rate_of(optimizer: Optimizer) -> Any:
    """The learning rate, f64[]: what a step reads."""
    return optimizer._rate(float64, 1.0)


def for_tensors(optimizer: Optimizer, arrays: Mapping[int, Any]) -> Optimizer:
    """The same optimizer, without states, for eager tensors in place of its parameters: arrays, by the ids of these."""
    made: Optimizer = type(optimizer).__new__(type(optimizer))
    made.__dict__.update(optimizer.__dict__)
    made._accumulators, made._further_types, made._part_shapes, made._updated = {}, {}, {}, {}
    made._groups = tuple(
        Group([_eager(p, arrays[id(p)]) for p in g.params], g.decay, g.clip, g.scale, g.options)
        for g in optimizer._groups
    )
    return made


def _eager(p: Any, array: Any) -> Tensor:
    tensor = Tensor(array, stop_gradient=p.stop_gradient)
    tensor._name = p.name
    for name in _SETTINGS:
        if hasattr(p, name):
            setattr(tensor, name, getattr(p, name))
    return tensor


def set_rate(optimizer: Optimizer, rate: float) -> None:
    """Update with this rate, also where a scheduler gave it."""
    write_rate(optimizer._lr_tensor, rate)
    optimizer._learning_rate = rate


@contextmanager
def row_states(optimizer: Optimizer, tables: Sequence[tuple[Any, Any]]) -> Iterator[list[Any]]:
    """Rows of tables, [(parameter, places of rows)], which an optimizer takes for the parameters inside the block.

    Behind it they, and their states, are written back. States of other shapes (counts of steps) stay a table's own.
    """
    parts, swapped = [], []
    for p, rows in tables:
        for name, how in state_types(optimizer, p).items():
            optimizer._accumulator(name, p, **how)
        for table in optimizer._accumulators.values():
            state = table.get(id(p))
            if state is not None and tuple(state.shape) == tuple(p.shape):
                swapped.append((table, p, rows, state))
                table[id(p)] = Tensor(state._copied()[rows])
        parts.append(part_of(p, Tensor(p._copied()[rows])))
    try:
        yield parts
        for (p, rows), part in zip(tables, parts, strict=True):
            p._storage.own()[rows] = part._copied()
        for table, p, rows, state in swapped:
            state._storage.own()[rows] = table[id(p)]._copied()
    finally:
        for table, p, _, state in swapped:
            table[id(p)] = state
