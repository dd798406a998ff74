"""Static mode: programs built by calls, run by an Executor; the same IR that `to_static` makes."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..dygraph.device import cpu_places, cuda_places
from ..ir.input_spec import InputSpec
from ..ops.indexing import setitem
from . import nn as nn
from .average import ExponentialMovingAverage
from .cond_while import Assert, Print
from .creation import WeightNormParamAttr, create_global_var, create_parameter
from .current import default_main_program, default_startup_program, switch_main_program, switch_startup_program
from .executor import BuildStrategy, CompiledProgram, ExecutionStrategy, Executor
from .gradient_ops import append_backward, gradients, gradients_with_optimizer
from .io import (
    deserialize_persistables,
    deserialize_program,
    load,
    load_from_file,
    load_inference_model,
    load_program_state,
    normalize_program,
    save,
    save_inference_model,
    save_to_file,
    serialize_persistables,
    serialize_program,
    set_program_state,
)
from .metrics import accuracy, auc
from .mode_guards import (
    data,
    device_guard,
    disable_static,
    enable_static,
    in_dynamic_mode,
    name_scope,
    program_guard,
)
from .operator_views import Operator
from .program import Block, Program
from .py_func import py_func
from .scope import Scope, global_scope, scope_guard
from .transpile import InferenceTranspiler, MemoryTranspiler, Transpiler, memory_optimize
from .variable import AnyVariable as Variable

__all__ = [
    "Assert",
    "Block",
    "BuildStrategy",
    "CompiledProgram",
    "ExecutionStrategy",
    "Executor",
    "ExponentialMovingAverage",
    "InferenceTranspiler",
    "InputSpec",
    "MemoryTranspiler",
    "Operator",
    "Print",
    "Program",
    "Scope",
    "Transpiler",
    "Variable",
    "WeightNormParamAttr",
    "accuracy",
    "append_backward",
    "auc",
    "cpu_places",
    "create_global_var",
    "create_parameter",
    "cuda_places",
    "data",
    "default_main_program",
    "default_startup_program",
    "deserialize_persistables",
    "deserialize_program",
    "device_guard",
    "disable_static",
    "enable_static",
    "global_scope",
    "gradients",
    "gradients_with_optimizer",
    "in_dynamic_mode",
    "load",
    "load_from_file",
    "load_inference_model",
    "load_program_state",
    "memory_optimize",
    "name_scope",
    "nn",
    "normalize_program",
    "program_guard",
    "py_func",
    "save",
    "save_inference_model",
    "save_to_file",
    "scope_guard",
    "serialize_persistables",
    "serialize_program",
    "set_program_state",
    "setitem",
    "switch_main_program",
    "switch_startup_program",
]

_tell_unknown_names(__name__, later=("amp",))  # of compat/tables.py
