"""`incubate.asp`: weights of layers and programs made n:m sparse, and optimisers that keep them so.

A weight belongs to the layer that its name begins with: `linear_0.w_0` to `linear`. Masks stand beside the weights, in
eager mode as tensors, in static programs as persistable variables named `<weight>.asp_mask`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..base.errors import ArgumentError, AssertedError, KindError, StateError
from ..dygraph.assignment import assign
from ..dygraph.eager import from_array
from ..dygraph.modes import GradMode
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Tensor
from ..static import Program, default_main_program, global_scope, in_dynamic_mode, program_guard
from .sparse_patterns import CheckMethod, MaskAlgo, check_sparsity, create_mask

Prune = Callable[[Any, int, int, MaskAlgo, str], tuple[Any, Any]]
_ALGORITHMS = {
    "mask_1d": MaskAlgo.MASK_1D, "mask_2d_greedy": MaskAlgo.MASK_2D_GREEDY, "mask_2d_best": MaskAlgo.MASK_2D_BEST,
}  # fmt: skip
_WEIGHT, _MASK = "w_", "asp_mask"


@dataclass
class _Pruned:
    """What is known of one program; eager layers belong to the main program in force."""

    masks: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Tensor] = field(default_factory=dict)
    excluded: list[str] = field(default_factory=list)


_pruned: WeakKeyDictionary[Program, _Pruned] = WeakKeyDictionary()


def _of(program: Program | None) -> _Pruned:
    return _pruned.setdefault(default_main_program() if program is None else program, _Pruned())


def prune_weight(weight: Any, m: int, n: int, algorithm: MaskAlgo, name: str) -> tuple[Any, Any]:
    """The weight with zeros, and its mask: sparse along the inputs. Weights with fewer than `m` of them stay."""
    narrow = (weight.ndim == 2 and weight.shape[0] < m) or (weight.ndim == 4 and weight.shape[1] < m)
    if narrow:
        return weight.copy(), np.ones_like(weight)
    mask = create_mask(weight.T, algorithm, n, m).T
    found = weight * mask
    if not check_sparsity(found.T, CheckMethod.get_checking_method(algorithm), n, m):
        raise AssertedError(f"the weight {name} isn't {n}:{m} sparse after pruning")
    return found, mask


_layers: dict[str, Prune] = dict.fromkeys(("fc", "linear", "conv2d"), prune_weight)


def add_supported_layer(layer: Layer | type[Layer] | str, pruning_func: Prune | None = None) -> None:
    """Let weights of a layer be pruned, too. layer: an instance, a class, or what the weights' names begin with.

    pruning_func: from (weight, m, n, algorithm, name) to the pruned weight and its mask.
    Errors: KindError for another object.
    """
    if isinstance(layer, str):
        name = layer
    elif isinstance(layer, Layer) or (isinstance(layer, type) and issubclass(layer, Layer)):
        kind = layer if isinstance(layer, type) else type(layer)
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
    else:
        raise KindError(f"add_supported_layer takes a layer, its class or a name, not {layer!r}")
    _layers[name] = prune_weight if pruning_func is None else pruning_func


def set_excluded_layers(param_names: Iterable[str], main_program: Program | None = None) -> None:
    """Leave weights alone whose names contain one of these. main_program: default the one in force."""
    _of(main_program).excluded += param_names


def reset_excluded_layers(main_program: Program | None = None) -> None:
    """Exclude no weights of a program any more; without one, of all programs."""
    for known in list(_pruned.values()) if main_program is None else [_of(main_program)]:
        known.excluded.clear()


def _pruning_of(program: Program | None, name: str) -> Prune | None:
    """How a weight is pruned; None for parameters that aren't."""
    before, dot, after = name.partition(".")
    if _MASK in name.split(".") or any(part in name for part in _of(program).excluded):
        return None
    if name in _layers:
        return _layers[name]
    if not dot or _WEIGHT not in after.partition(".")[0]:
        return None
    return _layers.get(before, _layers.get(before.rpartition("_")[0]))


class ASPHelper:
    """Questions that programs ask about weights."""

    @staticmethod
    def _is_supported_layer(main_program: Program, param_name: str) -> bool:
        return _pruning_of(main_program, param_name) is not None

    @staticmethod
    def _get_mask_name(param_name: str) -> str:
        return f"{param_name}.{_MASK}"


def _give(variable: Any, array: Any) -> None:
    """Give a tensor, or a variable in the scope in force, a value. A function for one layer may change the shape."""
    if in_dynamic_mode():
        variable.set_value(array)
    else:
        global_scope().set(variable.name, array)


def prune_model(
    model: Program | Layer, n: int = 2, m: int = 4, mask_algo: str = "mask_1d", with_mask: bool = True
) -> dict[str, Any]:
    """Make weights n:m sparse: of a layer, or of a static program in the scope in force. Gives the masks by name.

    mask_algo: `mask_1d`, `mask_2d_greedy` or `mask_2d_best`. with_mask: set the masks of the decorated optimiser, too.
    Errors: KindError for another model; ArgumentError for another algorithm; StateError where masks are missing.
    """
    if mask_algo not in _ALGORITHMS:
        raise ArgumentError(f"mask_algo must be one of {', '.join(_ALGORITHMS)}, not {mask_algo!r}")
    if isinstance(model, Layer) and in_dynamic_mode():
        program, weights = default_main_program(), model.parameters()
    elif isinstance(model, Layer):
        weights = model.parameters()
        program = weights[0].block.program if weights else default_main_program()
    elif isinstance(model, Program):
        program, weights = model, model.all_parameters()
    else:
        raise KindError(f"prune_model takes a layer or a program, not a {type(model).__name__}")
    known, scope = _of(program), global_scope()
    for weight in weights:
        prune = _pruning_of(program, weight.name)
        if prune is None:
            continue
        before = np.array(scope.value_of(weight)._copied())
        after, mask = prune(before, m, n, _ALGORITHMS[mask_algo], weight.name)
        _give(weight, np.asarray(after).astype(before.dtype))
        if with_mask:
            if weight.name not in known.variables:
                raise StateError(
                    f"{weight.name} has no mask", remedy="decorate the optimizer with incubate.asp.decorate first"
                )
            _give(known.variables[weight.name], np.asarray(mask, before.dtype))
        known.masks[weight.name] = mask
    return dict(known.masks)


class SparseOptimizer:
    """An optimiser whose steps end with masks: zeros of pruned weights stay zeros. All else is the optimiser's."""

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def step(self) -> None:
        """A step in eager mode."""
        self._optimizer.step()
        known = _of(None)
        with GradMode(False):
            for weight in self._optimizer._parameter_list:
                mask = known.variables.get(weight.name)
                if mask is not None:
                    weight.set_value(weight * mask)

    def minimize(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> Any:
        """Gradients and a step: in eager mode at once, in static mode as operations of the program."""
        if in_dynamic_mode():
            loss.backward()
            return self.step()
        program = loss.block.program
        made = self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
        known = _of(program)
        with program_guard(program, startup_program):
            for weight, _ in made[1]:
                if _pruning_of(program, weight.name) is None:
                    continue
                if weight.name not in known.variables:
                    start = np.ones([int(d) for d in weight.shape], weight.dtype.numpy)
                    known.variables[weight.name] = program.add_global(ASPHelper._get_mask_name(weight.name), start)
                assign(weight * known.variables[weight.name], weight)
        return made

    def state_dict(self) -> dict[str, Any]:
        """The optimiser's state, and the masks."""
        masks = {ASPHelper._get_mask_name(name): mask for name, mask in _of(None).variables.items()}
        return {**self._optimizer.state_dict(), **masks}

    def set_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Take over a state with masks. Errors: StateError where the mask of a pruned weight is missing."""
        known, rest = _of(None), dict(state_dict)
        for name, mask in known.variables.items():
            given = rest.pop(ASPHelper._get_mask_name(name), None)
            if given is None:
                raise StateError(f"the state has no mask of {name}")
            mask.set_value(given)
            known.masks[name] = mask.numpy()
        return self._optimizer.set_state_dict(rest)


def decorate(optimizer: Any) -> SparseOptimizer:
    """An optimiser that keeps the zeros of `prune_model`. In eager mode its parameters' masks are made at once."""
    if in_dynamic_mode():
        known = _of(None)
        for weight in optimizer._parameter_list:
            if weight.name not in known.variables and _pruning_of(None, weight.name) is not None:
                known.variables[weight.name] = from_array(np.ones(weight.shape, weight.dtype.numpy))
    return SparseOptimizer(optimizer)
