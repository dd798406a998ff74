"""`incubate.jit.inference`: a layer or a function compiled for prediction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from ..base.errors import KindError
from ..dygraph.modes import no_grad
from ..dygraph.nn.layer import Layer
from ..jit import to_static


def inference(function: Any = None, cache_static_model: bool = False, **settings: Any) -> Any:
    """Compile a layer's `forward`, or a function, for prediction: its results have no gradients.

    A layer is changed and given back. Without `function`: a decorator. `settings` of PaddlePaddle's engine (precision,
    TensorRT, where models are kept) have no effect. Errors: KindError for what can't be called.

    >>> from vitrify import ones
    >>> double = inference(lambda x: x * 2)
    >>> double(ones([2])).tolist()
    [2.0, 2.0]
    """
    if function is None:
        return partial(inference, cache_static_model=cache_static_model, **settings)
    if isinstance(function, Layer):
        function.forward = inference(function.forward)  # type: ignore[method-assign]
        return function
    if not callable(function):
        raise KindError(f"inference takes a layer or a function, not a {type(function).__name__}")
    if is_for_inference(function):
        return function
    return _predicting(to_static(function), function)


def _predicting(compiled: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def predict(*args: Any, **kwargs: Any) -> Any:
        with no_grad():
            return compiled(*args, **kwargs)

    predict.__for_inference__ = True  # type: ignore[attr-defined]
    return predict


def is_for_inference(function: Any) -> bool:
    """Whether `inference` made this function or this layer's `forward`.

    >>> is_for_inference(abs)
    False
    """
    return hasattr(getattr(function, "forward", function), "__for_inference__")
