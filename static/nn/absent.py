"""What Paddle's `static.nn` has and this one hasn't: why, and what to use instead."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import MissingError, MissingNameError
from ...base.suggest import is_being_imported, no_attribute

_LEVELS = "pad the sequences to one length and give the lengths or a mask as another feed"
_ABSENT = {
    **{
        f"sequence_{name}": ("works on tensors with levels of detail (LoD)", _LEVELS)
        for name in (
            "conv", "softmax", "pool", "concat", "first_step", "last_step", "slice", "expand", "expand_as", "pad",
            "unpad", "reshape", "scatter", "enumerate", "reverse",
        )
    },
    "StaticRNN": ("is a recurrence of Paddle 1.x", "use nn.LSTM, nn.GRU or nn.RNN, or while_loop"),
    "data_norm": ("has statistics that parameter servers update", "use batch_norm"),
    "deform_conv2d": ("isn't there yet", "use py_func for it"),
    "continuous_value_model": ("belongs to parameter servers", "compute the columns by operations"),
    "multi_box_head": ("belongs to Paddle 1.x's detection library", "build it from conv2d"),
}  # fmt: skip


def missing(module: str, name: str, known: Sequence[str]) -> MissingError | MissingNameError:
    """The error for a name that a module hasn't."""
    reason = _ABSENT.get(name)
    if reason is not None:
        kind = MissingNameError if is_being_imported() else MissingError
        return kind(f"static.nn.{name} {reason[0]}; it isn't part of vitrify", remedy=reason[1])
    return no_attribute(module, name, lambda: known)
