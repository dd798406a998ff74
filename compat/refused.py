"""Classes that packages of PaddlePaddle import and annotate with, for parts that are not here: making one fails."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any, NoReturn

from ..base.dtype import as_dtype
from ..base.errors import MissingDependencyError, ModeError


class Refused(type):
    """The type of such classes: there are no instances."""

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise ModeError(f"{cls.__name__} isn't here: {next(base.__doc__ for base in cls.__mro__ if base.__doc__)}")


class Stream(metaclass=Refused):
    """it orders work on a GPU, and vitrify computes on the CPU."""


class Event(metaclass=Refused):
    """it marks a place in the work on a GPU, and vitrify computes on the CPU."""


class ParamStorage(metaclass=Refused):
    """parameters keep arrays of their own."""


class GradStorage(metaclass=Refused):
    """gradients keep arrays of their own."""


class GroupShardedStage2(metaclass=Refused):
    """distributed.sharding.group_sharded_parallel shards gradients."""


class GroupShardedStage3(metaclass=Refused):
    """distributed.sharding.group_sharded_parallel shards parameters."""


class GroupShardedOptimizerStage2(metaclass=Refused):
    """distributed.sharding.group_sharded_parallel shards an optimizer's state."""


class DGCMomentumOptimizer(metaclass=Refused):
    """it compresses gradients among GPUs, and vitrify computes on the CPU."""


class Value(metaclass=Refused):
    """variables of programs are static.Variable."""


class RawProgramOptimizer(metaclass=Refused):
    """distributed.DataParallel adds up the gradients of several ranks."""


class OrthogonalStrategy(metaclass=Refused):
    """distributed.fleet.CommunicateTopology arranges ranks."""


class StrategyGroupBase(metaclass=Refused):
    """distributed.new_group makes groups of ranks."""


class DPGroup(StrategyGroupBase):
    """distributed.new_group makes groups of ranks."""


class MPGroup(StrategyGroupBase):
    """distributed.new_group makes groups of ranks."""


class PPGroup(StrategyGroupBase):
    """distributed.new_group makes groups of ranks."""


class ShardingGroup(StrategyGroupBase):
    """distributed.new_group makes groups of ranks."""


class Type(Enum):
    """Dtypes of parameters that can be trained, as sharded training names them."""

    fp16 = as_dtype("float16")
    bf16 = as_dtype("bfloat16")
    fp32 = as_dtype("float32")


def cpp_operator(*args: Any, **kwargs: Any) -> NoReturn:
    """Stands for `load`, `setup` and the extension classes of `utils.cpp_extension`. Errors: MissingDependencyError."""
    raise MissingDependencyError(
        "operators written in C++ need PaddlePaddle's headers and library",
        remedy="write the operator with functions of vitrify, or with autograd.PyLayer",
    )


def save_for_auto_inference(path_prefix: str, dist_model: Any, cvt2cpu: bool = False) -> NoReturn:
    """Shards for PaddlePaddle's inference over several machines aren't written. Errors: ModeError, always."""
    raise ModeError("there is no inference over several machines here", remedy="use save(model.state_dict(), path)")


class BuildExtension(metaclass=Refused):
    """operators written in C++ need PaddlePaddle's headers; write them with functions, or autograd.PyLayer."""

    @classmethod
    def with_options(cls, **options: Any) -> type[BuildExtension]:
        """A class for `setup(cmdclass=…)`: the same one, as there is nothing to set."""
        return cls


CUDA_HOME: str | None = None  # no CUDA toolkit is looked for
OS_NAME = sys.platform
IS_WINDOWS = OS_NAME.startswith("win")


def find_cuda_home() -> str | None:
    """The folder of a CUDA toolkit: there is none."""
    return CUDA_HOME
