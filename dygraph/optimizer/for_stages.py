"""What stages of distributed training ask of an optimizer: its groups, states, and updates of parts of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .optimizer import Group, Optimizer

_SETTINGS = ("optimize_attr", "regularizer", "need_clip")


def groups_of(optimizer: Optimizer) -> list[Group]:
    """The groups of parameters with equal settings."""
    return optimizer._groups


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
