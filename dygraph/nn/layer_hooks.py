"""Calling a layer that has hooks: pre-hooks, forward, post-hooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError
from ...ops.dispatch import current


@dataclass(frozen=True)
class LayerHook:
    """A hook and how it wants to be called."""

    fn: Callable[..., Any]
    with_kwargs: bool = False
    always_call: bool = False

    def __call__(self, layer: Any, inputs: Any, kwargs: dict[str, Any], *outputs: Any) -> Any:
        args = (layer, inputs, kwargs, *outputs) if self.with_kwargs else (layer, inputs, *outputs)
        return current().call(self.fn, *args)


def call_with_hooks(layer: Any, forward: Callable[..., Any], inputs: Any, kwargs: dict[str, Any]) -> Any:
    """The result of `forward` between the layer's pre-hooks and post-hooks, each in its order."""
    waiting = list(layer._forward_post_hooks.values())
    try:
        for hook in list(layer._forward_pre_hooks.values()):
            inputs, kwargs = _changed(hook, hook(layer, inputs, kwargs), inputs, kwargs)
        outputs = forward(*inputs, **kwargs)
        while waiting:
            new = waiting.pop(0)(layer, inputs, kwargs, outputs)
            outputs = outputs if new is None else new
    except BaseException:  # broad: hooks with always_call run whatever happened; the error goes on
        for hook in waiting:
            if hook.always_call:
                hook(layer, inputs, kwargs, None)
        raise
    return outputs


def _changed(hook: LayerHook, new: Any, inputs: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    if new is None:
        return inputs, kwargs
    if not hook.with_kwargs:
        return (new if isinstance(new, tuple) else (new,)), kwargs
    if not isinstance(new, tuple) or len(new) != 2 or not isinstance(new[1], dict):
        raise ArgumentError("a forward pre-hook with kwargs must return None or (inputs, kwargs)")
    return (new[0] if isinstance(new[0], tuple) else (new[0],)), new[1]
