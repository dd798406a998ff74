"""Optimizer: parameter groups, state, learning rate, clipping and decay. Subclasses give the update of one parameter.

`step` is written with ops and in-place writes alone, so that a traced training step holds it like any other code. The
learning rate is a tensor that `step` reads, and accumulators are tensors made in eager mode: program state, both.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any

import numpy as np

from ...base.changes import Counted, CountedTable
from ...base.dtype import DType, float64
from ...base.errors import ArgumentError, KindError, MemberError, MissingError, RateError
from ...base.layer_scope import serving
from ...base.location import Purpose
from ...ops.dispatch import bottom, current
from ...ops.mistakes import of_creation
from ...ops.op import OPS
from .. import storage as cells
from ..backward import filled_like
from ..modes import GradMode
from ..new_tensors import from_array
from ..number import Number
from ..tensor import Tensor
from .accumulator_flags import Flags, expect_update, identity_of, is_there, note_update
from .clip import ClipGradBase
from .fused_update import is_eager
from .lr import LRScheduler
from .rate import as_factor, number, number_here, require_eager, write_rate
from .regularizer import Decay, as_decay
from .saved_state import entries

__all__ = ["Optimizer"]

_answers: ContextVar[dict[int, Any] | None] = ContextVar("answers", default=None)  # in one update, by the question


def asked_once(question: Any, about: Any) -> Any:
    """What a user's function says of a parameter: it is called once per update, whoever wants to know."""
    known = _answers.get()
    if known is None:
        return question(about)
    if id(question) not in known:
        known[id(question)] = question(about)
    return known[id(question)]


class Group(Counted):
    """Parameters with the same settings. `scale` multiplies the learning rate."""

    def __init__(self, params: Iterable[Any], decay: Any, clip: Any, scale: float, options: dict[str, Any]) -> None:
        self.params, self.decay, self.clip, self.scale = tuple(params), decay, clip, scale
        self.options = CountedTable(options)


class Optimizer(Counted):
    """Base of optimisers.

    parameters: a list of parameters, or of dicts {"params": [...], "learning_rate": factor, "weight_decay": ...,
    "grad_clip": ...} and options of the subclass. weight_decay: a number (L2), L1Decay or L2Decay, unless the parameter
    has a regularizer. Order: clip, decay, update. Parameters without a gradient are skipped.
    Errors: MissingError (an AttributeError) without parameters; KindError (a TypeError) for other kinds of arguments.
    """

    _given_options: Mapping[str, Any] = {}  # further ones of a subclass, which groups of parameters may set
    is_elementwise = True  # whether parts of a parameter can be updated each by itself
    read_by_runs = frozenset({"_learning_rate"})
    _staged: Any = None  # what stands around it and knows whole states, where ranks have parts of them

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        of_creation(cls)

    def __init__(
        self, learning_rate: float | LRScheduler = 0.001, parameters: Any = None, weight_decay: Any = None,
        grad_clip: ClipGradBase | None = None, name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        require_eager(f"{type(self).__name__} was made", "make the optimizer once, outside: its step() can be captured")
        if grad_clip is not None and not isinstance(grad_clip, ClipGradBase):
            raise KindError(f"grad_clip must be a ClipGradBy…, not a {type(grad_clip).__name__}")
        if learning_rate is None:
            raise ArgumentError(f"{type(self).__name__} needs a learning_rate", remedy="give a number or a scheduler")
        self._name, self._options = name, CountedTable(options | dict(self._given_options))
        self._groups: tuple[Group, ...] = ()
        self._decay, self._clip = self._checked_decay(weight_decay), grad_clip
        self._accumulators: dict[str, dict[int, Tensor]] = {}
        self._updated: Flags = {}  # of accumulators that may not be there yet (see accumulator_flags.py)
        self._further_types: dict[str, dict[str, Any]] = {}  # accumulators that a transpiler keeps beside these
        self._part_shapes: dict[int, tuple[int, ...]] = {}  # of parameters of which this rank updates a part
        static = parameters is None and current().is_static
        for settings in [] if static else _as_groups(parameters):  # static programs know their parameters
            self._add_group(settings)
        wide = static or any(p.dtype is float64 for p in self._parameter_list)
        self._learning_rate: float | LRScheduler = 0.0
        self._lr_tensor: Tensor = bottom().constant(np.zeros([], "float64" if wide else "float32"), None)
        self._lr_tensor.name, self._lr_tensor.persistable = "learning_rate", True
        if isinstance(learning_rate, LRScheduler):
            self.set_lr_scheduler(learning_rate)
        else:
            self.set_lr(learning_rate)

    def _checked_decay(self, decay: Any) -> Any:
        """What the groups keep as their weight decay."""
        return as_decay(decay)

    def _add_group(self, settings: dict[str, Any]) -> None:
        rest = dict(settings)
        params = _checked_params(rest.pop("params"))
        known = {id(p) for p in self._parameter_list}
        for p in params:
            if id(p) in known:
                raise ArgumentError(f"parameter {p.name} is given to the optimiser twice")
            known.add(id(p))
        decay = self._checked_decay(rest.pop("weight_decay")) if "weight_decay" in rest else self._decay
        clip = rest.pop("grad_clip", self._clip)
        scale = number("learning_rate of a group", rest.pop("learning_rate", 1.0))
        unknown = sorted(set(rest) - set(self._options))
        if unknown:
            raise ArgumentError(f"{type(self).__name__} has no option {', '.join(unknown)} for a parameter group")
        self._groups = (*self._groups, Group(params, decay, clip, scale, self._options | rest))

    @property
    def _parameter_list(self) -> list[Any]:
        return [p for group in self._groups for p in group.params]

    @property
    def _grad_clip(self) -> Any:
        """The clip of all groups that have none of their own; another one can be set, as in PaddlePaddle."""
        return self._clip

    @_grad_clip.setter
    def _grad_clip(self, clip: ClipGradBase | None) -> None:
        for group in self._groups:
            if group.clip is self._clip:
                group.clip = clip
        self._clip = clip

    @property
    def regularization(self) -> Decay | None:
        """The weight decay of all groups that have none of their own; another one can be set, as in PaddlePaddle."""
        return self._decay if isinstance(self._decay, Decay) else None

    @regularization.setter
    def regularization(self, decay: Any) -> None:
        decay = self._checked_decay(decay)
        for group in self._groups:
            if group.decay is self._decay:
                group.decay = decay
        self._decay = decay

    def get_lr(self) -> float:
        """The learning rate now."""
        rate = current().rate_of(self.get_lr)
        if rate is not NotImplemented:
            return rate  # type: ignore[no-any-return]
        rate = self._learning_rate
        return rate() if isinstance(rate, LRScheduler) else rate

    def _global_learning_rate(self, program: Any = None) -> Tensor:
        """The tensor that holds the learning rate; a static program can fetch it."""
        return self._lr_tensor

    def set_lr(self, value: float) -> None:
        """Set the learning rate; inside a captured function each call does. Errors: RateError (a RuntimeError) while a
        scheduler sets it.
        """
        if isinstance(self._learning_rate, LRScheduler):
            raise RateError("the learning rate is set by a scheduler", remedy="use set_lr_scheduler()")
        rate = number_here("learning_rate", value)
        if current().set_rate(self, rate):
            return
        require_eager("the learning rate was changed")
        self._learning_rate = rate
        write_rate(self._lr_tensor, rate)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Let another scheduler set the learning rate."""
        if not isinstance(scheduler, LRScheduler):
            raise KindError(f"set_lr_scheduler needs an LRScheduler, not a {type(scheduler).__name__}")
        if isinstance(self._learning_rate, LRScheduler):
            self._learning_rate.unbind(self._lr_tensor)
        scheduler.bind(self._lr_tensor)
        self._learning_rate = scheduler

    @property
    def _param_groups(self) -> list[Any]:
        """The parameters, or the groups as they were given."""
        return self._parameter_list if len(self._groups) == 1 else [{"params": g.params} for g in self._groups]

    def append_regularization_ops(
        self, parameters_and_grads: Iterable[tuple[Any, Any]], regularization: Any = None
    ) -> list[tuple[Any, Any]]:
        """The pairs with weight decay (the parameter's own, else `regularization`) in the gradients."""
        usual = as_decay(regularization)
        return [
            (p, g if g is None or (decay := getattr(p, "regularizer", None) or usual) is None else decay.add_to(g, p))
            for p, g in parameters_and_grads
        ]

    # ---- the step

    def step(self) -> None:
        """Update every parameter that has a gradient."""
        with GradMode(False):
            for group in self._groups:
                pairs = [(p, g) for p in group.params if (g := gradient_of(p)) is not None]
                self._update_group(group, pairs)

    def _update_group(self, group: Group, pairs: list[tuple[Any, Any]]) -> None:
        conditional = {id(p): how[1] for p, g in pairs if (how := getattr(g, "__conditional__", None)) is not None}
        if conditional:
            pairs = [(p, g.__conditional__[0] if id(p) in conditional else g) for p, g in pairs]
        if group.clip is not None:
            pairs = group.clip(pairs)
        note_update(self, (p for p, _ in pairs if id(p) not in conditional))
        rates: dict[Any, tuple[Any, float, Any]] = {}  # as a tensor and, in eager mode, as a number
        for p, g in pairs:
            factor: Any = group.scale * self._rate_factor(p)  # a number that runs read, perhaps
            key = (p.dtype, id(factor) if type(factor) is Number else factor)
            if key not in rates:
                rate = self._rate(p.dtype, factor)
                rates[key] = rate, float(rate.numpy()) if is_eager(rate) else 0.0, factor
            decay = getattr(p, "regularizer", None) or (group.decay if isinstance(group.decay, Decay) else None)
            g = g if decay is None else decay.add_to(g, p)
            if id(p) in conditional:  # a captured function, only some of whose paths give it a gradient
                conditional[id(p)](functools.partial(self._update_alone, p, g, rates[key][0], group))
                continue
            if not (is_eager(p, g) and self._update_arrays(p, g, rates[key][1], group)):
                self._update_one(p, g, rates[key][0], group)

    def _expect_update(self, params: Iterable[Any]) -> None:
        """These parameters are updated by a step that may be taken back."""
        expect_update(self, params)

    def _update_alone(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        """Update a parameter that only some runs update."""
        note_update(self, [param])
        self._update_one(param, grad, rate, group)

    def _update_one(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        """`_update`, whose operations know what they are for."""
        with serving(Purpose("update", type(self).__name__, None, param.name)):
            if "_update_facts" not in vars(type(self)):  # a user's class may override any part of an update
                self._update(param, grad, rate, group)
                return
            token = _answers.set({})
            try:
                current().update_alike(
                    lambda: (self, group, self._update_facts(param, group)),
                    functools.partial(self._update, param, grad, rate, group),
                    (param, grad, rate),
                    functools.partial(self._kept, param),
                )
            finally:
                _answers.reset(token)

    def _update_facts(self, param: Any, group: Group) -> Any:
        """What the operations of `_update` depend on besides its group's settings and the kinds of its tensors.

        A class with a method of its own says so that its `_update` reads no other tensors than those that it is given
        and the parameter's accumulators, decides nothing by shapes, and writes no attributes: it is traced once for
        parameters alike.
        """
        raise NotImplementedError

    def _kept(self, param: Any, makes: bool) -> list[Any]:
        """The accumulators of a parameter; `makes`: those that there aren't are made."""
        types_ = self._accumulator_types(param)
        if makes:
            return [self._accumulator(name, param, **settings) for name, settings in types_.items()]
        key = identity_of(param)
        return [self._accumulators.get(name, {}).get(key) for name in types_]

    def _rate(self, dtype: DType, factor: Any) -> Any:
        rate: Any = self._lr_tensor
        rate = rate if rate.dtype is dtype else OPS["cast"](rate, dtype)
        return rate if type(factor) is not Number and factor == 1.0 else rate * factor

    def _rate_factor(self, param: Any) -> Any:
        return as_factor(getattr(param, "optimize_attr", {}).get("learning_rate", 1.0))

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        """Update one parameter; `rate` is a 0-d tensor of its dtype."""
        raise NotImplementedError

    def _update_arrays(self, param: Any, grad: Any, rate: float, group: Group) -> bool:
        """The same in eager mode, in place on NumPy arrays; False: this optimiser has no such form."""
        return False

    @property
    def _dtype(self) -> Any:
        """The dtype of the first parameter, as PaddlePaddle's optimisers know it; None without parameters."""
        return self._parameter_list[0].dtype if self._parameter_list else None

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Make the gradients of all parameters zero (at no cost), or None."""
        for p in self._parameter_list:
            if not p.stop_gradient:
                p.clear_grad(set_to_zero)

    clear_gradients = clear_grad

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, or make them zero."""
        self.clear_grad(set_to_zero=not set_to_none)

    def backward(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> list[tuple[Any, Any]]:  # fmt: skip
        """Compute the gradients of `loss`; the parameters that have one, with it."""
        if current().is_static:
            chosen = parameters if parameters is not None else self._parameter_list or None
            return current().append_backward(loss, chosen, no_grad_set)  # type: ignore[no-any-return]
        loss.backward()
        chosen = self._parameter_list if parameters is None else list(parameters)
        return [(p, g) for p in chosen if (g := gradient_of(p)) is not None]

    def apply_gradients(self, params_grads: Iterable[tuple[Any, Any]]) -> Any:
        """Clip, decay and update with these gradients instead of `.grad`."""
        if current().is_static:
            return current().apply_gradients(self, list(params_grads))
        self._apply_gradients(params_grads)
        return []  # the operations of a static program

    def _apply_gradients(self, params_grads: Iterable[tuple[Any, Any]]) -> None:
        given = {id(p): g for p, g in params_grads if g is not None}
        unknown = set(given) - {id(p) for p in self._parameter_list}
        if unknown:
            raise ArgumentError(f"apply_gradients got {len(unknown)} parameters that aren't the optimiser's")
        with GradMode(False):
            for group in self._groups:
                self._update_group(group, [(p, given[id(p)]) for p in group.params if id(p) in given])

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """Update with the gradients that are there (call `loss.backward()` first): ([], [(parameter, gradient)])."""
        if current().is_static:
            given = (loss, startup_program, parameters, no_grad_set)
            return current().minimize(self, *given)  # type: ignore[no-any-return]
        if not isinstance(loss, Tensor):
            raise MemberError(f"minimize needs a loss Tensor, not a {type(loss).__name__}")
        pairs = [(p, g) for p in self._parameter_list if (g := gradient_of(p)) is not None]
        if parameters is None and no_grad_set is None:
            self.step()
        else:
            chosen = {id(p) for p in (self._parameter_list if parameters is None else parameters)}
            blocked = {p if isinstance(p, str) else p.name for p in no_grad_set or ()}
            pairs = [(p, g) for p, g in pairs if id(p) in chosen and p.name not in blocked]
            self.apply_gradients(pairs)
        return [], pairs

    # ---- state

    def _accumulator(self, name: str, param: Any, fill: float = 0.0, *, shape: Any = None, dtype: Any = None) -> Any:
        """The tensor called `name` of a parameter, of its shape and dtype unless given; made on the first call.

        It is made in eager mode even while a function is captured, so that it outlives the trace.
        """
        table, key = self._accumulators.setdefault(name, {}), identity_of(param)
        found = table.get(key)
        if found is None:
            kind = dtype or param.dtype
            size = self._state_shape(param) if shape is None else shape
            # memory of zeros isn't touched before the first update
            start = np.full(size, fill, kind.numpy) if fill else np.zeros(size, kind.numpy)
            if current().is_static:  # the startup program makes it
                table[key] = current().make_accumulator(f"{param.name}_{name}_0", start)
                return table[key]
            found = table[key] = from_array(start, kind)
            found.name, found.persistable = f"{param.name}_{name}_0", True
        return found

    def _state_shape(self, param: Any) -> tuple[int, ...]:
        """The shape of accumulators that are like the parameter."""
        return self._part_shapes.get(id(param), tuple(param.shape))

    @property
    def type(self) -> str:
        """The kind of optimiser, as Paddle spells it: "adam", "momentum", ..."""
        return type(self).__name__.lower()

    def get_opti_var_name_list(self) -> list[str]:
        """The names of the accumulators that there are."""
        gone = {id(p) for p in self._parameter_list if not is_there(self._updated, p)}
        return [x.name for table in self._accumulators.values() for key, x in table.items() if key not in gone]

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: the accumulators by the places of their parameters, whose identities differ there."""
        places = {id(p): k for k, p in enumerate(self._parameter_list) if is_there(self._updated, p)}
        tables = {
            name: {places[key]: x for key, x in table.items() if key in places}
            for name, table in self._accumulators.items()
        }
        return {**self.__dict__, "_accumulators": tables, "_updated": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _updated={})
        params = self._parameter_list
        tables = self._accumulators
        self._accumulators = {name: {id(params[k]): x for k, x in table.items()} for name, table in tables.items()}
        if isinstance(self._learning_rate, LRScheduler):
            self._learning_rate.bind(self._lr_tensor)

    def state_dict(self) -> dict[str, Any]:
        """Accumulators, themselves, as `<parameter>_<accumulator>_0`, the scheduler's state, the parameters' names.

        Where ranks have parts of the accumulators, those are whole ones, and every rank has to call it.
        """
        found: dict[str, Any] = self._own_state() if self._staged is None else self._staged.state_dict()
        return found

    def _own_state(self) -> dict[str, Any]:
        state: dict[str, Any] = {}
        for p in self._parameter_list:
            there = is_there(self._updated, p)
            for name, table in self._accumulators.items():
                if there and id(p) in table:
                    state[f"{p.name}_{name}_0"] = table[id(p)]
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        state["parameter_names"] = [p.name for p in self._parameter_list]
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Copy the state of an optimiser of the same kind in, by the parameters' names, or by their order when the
        names differ; also what PaddlePaddle has saved (`.pdopt`). Errors: StateError, before anything is changed.
        """
        if self._staged is None:
            self._set_own_state(state_dict)
        else:
            self._staged.set_state_dict(state_dict)

    def _set_own_state(self, state_dict: dict[str, Any]) -> None:
        found = list(entries(self, state_dict))
        if isinstance(self._learning_rate, LRScheduler) and "LR_Scheduler" in state_dict:
            self._learning_rate.set_state_dict(state_dict["LR_Scheduler"])
        for name, param, value in found:
            settings = (self._accumulator_types(param) | self._further_types).get(name, {})
            self._accumulator(name, param, **settings).set_value(value)
        note_update(self, {id(param): param for _, param, _ in found}.values())

    set_dict = set_state_dict

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        """Names of a parameter's accumulators, and what differs from its shape and dtype."""
        return {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(learning_rate={self.get_lr()}, parameters={len(self._parameter_list)})"


def _as_groups(parameters: Any) -> list[dict[str, Any]]:
    if parameters is None:
        raise MissingError("an optimiser needs its parameters", remedy="pass parameters=model.parameters()")
    if isinstance(parameters, Tensor):
        raise KindError("parameters must be a list of Parameters, not a single one", remedy="pass [parameter]")
    if isinstance(parameters, (str, dict)) or not hasattr(parameters, "__iter__"):
        raise KindError(
            f"parameters must be a list of Parameters or of dicts, not a {type(parameters).__name__}",
            remedy="call it: parameters=model.parameters()" if callable(parameters) else "pass model.parameters()",
        )
    items = list(parameters)
    if not items:
        raise ArgumentError("the list of parameters is empty")
    if not any(isinstance(item, dict) for item in items):
        return [{"params": items}]
    for item in items:
        if not isinstance(item, dict) or "params" not in item:
            raise KindError("a list of parameter groups must hold dicts with an entry 'params' only")
    return items


def _checked_params(params: Any) -> list[Any]:
    chosen = [params] if isinstance(params, Tensor) else list(params)
    for p in chosen:
        if not isinstance(p, Tensor):
            raise KindError(f"parameters must be Tensors, not a {type(p).__name__}")
        if not p.is_leaf:
            raise ArgumentError(f"{p.name} is the result of an operation; only leaf tensors can be optimised")
    return chosen


def gradient_of(param: Any) -> Any:
    """The gradient, None without one. A zero that nobody has read yet is made here, and not kept in `.grad`."""
    if param.stop_gradient:
        return None
    if cells.on_grad_read is not None:  # a program is for parameters that have one, or have none
        cells.on_grad_read(param)
    return filled_like(param, 0) if param._grad_is_zero else param._grad
