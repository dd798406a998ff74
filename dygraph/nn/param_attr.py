"""What a parameter is made from: ParamAttr, and the rules for the `weight_attr` and `bias_attr` of layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...base import unique_name
from ...base.changes import CountedTable
from ...base.dtype import as_dtype
from ...base.errors import ArgumentError, DTypeError, KindError
from ...ops.dispatch import current
from ..tensor import Parameter
from .initializer import Constant, Initializer, XavierUniform, global_initializers


@dataclass
class ParamAttr:
    """Settings of a parameter: `Linear(3, 4, weight_attr=ParamAttr(learning_rate=0.1, initializer=...))`.

    learning_rate: a factor on the optimiser's; regularizer: instead of the optimiser's weight decay; trainable=False:
    the parameter stays as it is; need_clip=False: gradient clipping leaves it out.

    >>> ParamAttr(name="w").trainable
    True
    """

    name: str | None = None
    initializer: Initializer | None = None
    learning_rate: float = 1.0
    regularizer: Any = None
    trainable: bool = True
    do_model_average: bool = True
    need_clip: bool = True

    def __post_init__(self) -> None:
        if self.initializer is not None and not callable(self.initializer):
            raise KindError(f"ParamAttr: initializer must be an Initializer, not a {type(self.initializer).__name__}")

    @staticmethod
    def _to_attr(arg: Any) -> Any:
        """What an argument of a layer stands for, as PaddlePaddle's layers ask: False stays, lists give lists."""
        if isinstance(arg, (list, tuple)):
            return [ParamAttr._to_attr(each) for each in arg]
        return False if arg is False else as_attr(arg)


WeightAttr = ParamAttr


def as_attr(attr: Any) -> ParamAttr | None:
    """A ParamAttr from None or True (defaults), False (no parameter: None), a name, or an initializer."""
    if attr is False:
        return None
    if attr is None or attr is True:
        return ParamAttr()
    if isinstance(attr, ParamAttr):
        return attr
    if isinstance(attr, str):
        return ParamAttr(name=attr)
    if isinstance(attr, Initializer):
        return ParamAttr(initializer=attr)
    raise KindError(
        f"a parameter's attr must be a ParamAttr, a name, an Initializer, None or False, not a {type(attr).__name__}"
    )


def make_parameter(shape: Any, attr: Any, dtype: Any, is_bias: bool, default: Any, key: str) -> Parameter | None:
    """A parameter with its first values, named by its attr or as the next of `key`; None for attr=False."""
    settings = as_attr(attr)
    if settings is None:
        return None
    weight_init, bias_init = global_initializers()
    chosen = settings.initializer or (bias_init if is_bias else weight_init) or default
    chosen = chosen or (Constant(0.0) if is_bias else XavierUniform())
    kind = as_dtype(dtype)
    if not kind.is_floating and not (settings.initializer or default):
        raise DTypeError(f"a parameter needs a float dtype, not {kind.name}", remedy="give an initializer for it")
    sizes = checked_shape(shape)
    facts = {
        "_stop": not (settings.trainable and kind.is_differentiable),
        "_name": settings.name or unique_name.generate(key),
        "optimize_attr": CountedTable(learning_rate=settings.learning_rate), "regularizer": settings.regularizer,
        "need_clip": settings.need_clip,
    }  # fmt: skip
    if current().is_static:  # the startup program makes the values
        make = chosen._make if chosen.draws_in_program else chosen.values
        described = chosen.described(sizes, kind) if isinstance(chosen, Initializer) else None
        return current().make_parameter(  # type: ignore[no-any-return]
            sizes, kind, lambda: make(sizes, kind), facts, described
        )
    made: Parameter = Parameter.__new__(Parameter)
    made.__dict__.update(facts, _storage=chosen.values(sizes, kind)._storage, _dtype=kind)
    current().made_parameter(made)
    return made


def checked_shape(shape: Any) -> list[int]:
    """Sizes of a parameter: ints, none negative."""
    sizes = list(shape) if isinstance(shape, Sequence) or hasattr(shape, "__iter__") else [shape]
    if not all(hasattr(d, "__index__") and int(d) >= 0 for d in sizes):
        raise ArgumentError(f"the shape of a parameter must be ints of at least 0, not {shape!r}")
    return [int(d) for d in sizes]
