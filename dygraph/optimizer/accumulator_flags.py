"""Which accumulators are there: a capture makes them for all runs, but an update under a condition may never have run.

A flag for each set of parameters that are updated together is state like the accumulators: whoever updates them sets
it. Accumulators are there unless none of the flags about their parameter is set. There are no flags about most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...base.dtype import bool_
from ...ops.dispatch import current
from ...ops.op import OPS
from ..new_tensors import from_array
from ..storage import held
from ..tensor import Tensor

Flags = dict[frozenset[int], Tensor]  # by the identities of parameters


def identity_of(param: Any) -> int:
    """The key of a parameter's accumulators; a part of it has the same."""
    return id(getattr(param, "part_of", param))


def is_there(flags: Mapping[frozenset[int], Tensor], param: Any) -> bool:
    """Whether an update has made the accumulators of a parameter, if there are any."""
    about = _about(flags, identity_of(param))
    return not about or any(bool(flag) for flag in about)


def note_update(optimizer: Any, params: Iterable[Any]) -> None:
    """Parameters are updated from here on: by this run, where a program is made."""
    flags: Flags = optimizer._updated
    may_be_skipped = current().is_conditional()
    if (flags or may_be_skipped) and not current().is_static:
        flag = _flag(optimizer, params, may_be_skipped)
        if flag is not None:
            flag._write(OPS["full"]([], True, bool_), fresh=True)


def expect_update(optimizer: Any, params: Iterable[Any]) -> None:
    """Parameters are updated further on, by a step that may be taken back: `note_update` is called then, too."""
    if not current().is_static:
        _flag(optimizer, params, True)


def _flag(optimizer: Any, params: Iterable[Any], may_be_skipped: bool) -> Tensor | None:
    """The flag of those parameters of which it isn't certain that their accumulators are there; None without any."""
    flags: Flags = optimizer._updated
    unsure = frozenset(identity_of(p) for p in params if _is_unsure(optimizer, p, may_be_skipped))
    if not unsure:
        return None
    if unsure not in flags:
        made = flags[unsure] = from_array(np.zeros([], np.bool_), bool_)
        made.name, made.persistable = f"{optimizer.type}_updated_{len(flags) - 1}", True
    return flags[unsure]


def _is_unsure(optimizer: Any, param: Any, may_be_skipped: bool) -> bool:
    about = _about(optimizer._updated, identity_of(param))
    if about:  # once set it stays so: what a flag is before the run need not be guarded
        return not any(isinstance(array := held(flag), np.ndarray) and bool(array) for flag in about)
    return may_be_skipped and any(x is None for x in optimizer._kept(param, False))


def _about(flags: Mapping[frozenset[int], Tensor], key: int) -> list[Tensor]:
    return [flag for params, flag in flags.items() if key in params] if flags else []
