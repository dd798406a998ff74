"""The API of PaddlePaddle 1.x: old names and signatures over today's functions; static unless asked otherwise.

`data`, `program_guard` and whatever makes a tensor from nothing turn static mode on; `enable_imperative()` and
`dygraph.guard()` choose eager mode.
"""

from typing import Any

from ..compat.engine import create_lod_tensor
from ..compat.finder import lookup
from ..dygraph.device import CPUPlace, CUDAPinnedPlace, CUDAPlace, is_compiled_with_cuda
from ..dygraph.nn import ParamAttr
from ..dygraph.random_generators import seed
from ..dygraph.serialize import load, save
from ..jit import ProgramTranslator
from ..jit import to_static as declarative
from ..static import (
    BuildStrategy,
    CompiledProgram,
    ExecutionStrategy,
    Executor,
    InferenceTranspiler,
    Program,
    Scope,
    Variable,
    WeightNormParamAttr,
    append_backward,
    cpu_places,
    default_main_program,
    default_startup_program,
    global_scope,
    gradients,
    memory_optimize,
    name_scope,
    scope_guard,
)
from . import clip, dygraph, initializer, io, layers, optimizer, regularizer
from .inputs import embedding, one_hot
from .mode import (
    data,
    disable_imperative,
    enable_imperative,
    in_dygraph_mode,
    program_guard,
)

enable_dygraph, disable_dygraph = enable_imperative, disable_imperative

__all__ = [
    "BuildStrategy",
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "CompiledProgram",
    "ExecutionStrategy",
    "Executor",
    "InferenceTranspiler",
    "ParamAttr",
    "Program",
    "ProgramTranslator",
    "Scope",
    "Variable",
    "WeightNormParamAttr",
    "append_backward",
    "clip",
    "cpu_places",
    "create_lod_tensor",
    "data",
    "declarative",
    "default_main_program",
    "default_startup_program",
    "disable_dygraph",
    "disable_imperative",
    "dygraph",
    "embedding",
    "enable_dygraph",
    "enable_imperative",
    "global_scope",
    "gradients",
    "in_dygraph_mode",
    "initializer",
    "io",
    "is_compiled_with_cuda",
    "layers",
    "load",
    "memory_optimize",
    "name_scope",
    "one_hot",
    "optimizer",
    "program_guard",
    "regularizer",
    "save",
    "scope_guard",
    "seed",
]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return lookup("base", name)  # core, framework, unique_name, backward, ...
