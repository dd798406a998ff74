"""vitrify: write eager array programs in Python, run them as one compiled program.

import vitrify as vt
"""

from importlib import import_module as _import_module
from math import e, inf, nan, pi
from os import environ as _environ
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from vitrify import amp, autograd, distribution, errors, fft, interop, linalg, nn, optimizer, signal
from vitrify import base as _base
from vitrify import jit as jit
from vitrify.base.dtype import DType as dtype  # noqa: N813 - Paddle's name
from vitrify.base.dtype import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from vitrify.base.dtype import bool_ as bool
from vitrify.base.flags import get_default_dtype, set_default_dtype
from vitrify.base.limits import finfo, iinfo
from vitrify.base.size import Size
from vitrify.base.suggest import no_attribute as _no_attribute
from vitrify.compat import install as _install_compat
from vitrify.compat.as_paddle import install as _install_as_paddle
from vitrify.compat.dygraph import create_parameter
from vitrify.compat.engine import LazyGuard, check_shape, disable_signal_handler, get_flags, set_flags
from vitrify.compat.kernels import LegacyOps as _LegacyOps
from vitrify.compat.kernels import Ops as _Ops
from vitrify.dygraph.assignment import assign, increment
from vitrify.dygraph.conversions import asarray, from_dlpack, from_numpy, is_tensor, to_dlpack, to_tensor
from vitrify.dygraph.device import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    CustomPlace,
    XPUPlace,
    get_cuda_rng_state,
    get_cudnn_version,
    get_default_device,
    get_device,
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_custom_device,
    is_compiled_with_distribute,
    is_compiled_with_ipu,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
    set_cuda_rng_state,
    set_default_device,
    set_device,
)
from vitrify.dygraph.draws import (
    binomial,
    log_normal,
    multinomial,
    poisson,
    rand_like,
    randn_like,
    standard_gamma,
)
from vitrify.dygraph.grad import grad
from vitrify.dygraph.methods import in_place_functions as _in_place_functions
from vitrify.dygraph.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from vitrify.dygraph.nn import ParamAttr
from vitrify.dygraph.printing import set_printoptions
from vitrify.dygraph.random_generators import (
    Generator,
    bernoulli,
    gaussian,
    get_rng_state,
    normal,
    rand,
    randint,
    randint_like,
    randn,
    randperm,
    seed,
    set_rng_state,
    standard_normal,
    uniform,
)
from vitrify.dygraph.serialize import load, save
from vitrify.dygraph.tensor import Parameter, Tensor
from vitrify.dygraph.view_functions import VIEWING as _VIEWING
from vitrify.jit import ignore_module, not_to_static, to_static
from vitrify.ops import functions as _functions
from vitrify.runtime.vm.team import get_num_threads, set_num_threads

if _TYPE_CHECKING:  # at run time these come from `__getattr__`, so that `import vitrify` stays quick
    from vitrify import audio, distributed, fluid, inference, io, native, onnx, profiler, static, text, vision
    from vitrify.audio.window_functions import (
        bartlett_window,
        blackman_window,
        hamming_window,
        hann_window,
        kaiser_window,
    )
    from vitrify.data.readers import batch
    from vitrify.distributed import DataParallel
    from vitrify.ir.core import Program
    from vitrify.ir.input_spec import InputSpec
    from vitrify.jit import save_inference_model
    from vitrify.jit.custom_ops import register_op
    from vitrify.jit.inspect.budget import assert_budget
    from vitrify.passes.rewrite import rewrite
    from vitrify.static import disable_static, enable_static, in_dynamic_mode
    from vitrify.training import Model, flops, summary
    from vitrify.viz.draw import draw
    from vitrify.viz.report import report

__version__ = "0.2.0"
newaxis = None
_C_ops = _Ops()
_legacy_C_ops = _LegacyOps()  # noqa: N816 - Paddle's name
if _environ.get("VITRIFY_AS_PADDLE") == "1":
    _install_as_paddle()
_install_compat(
    extend=[
        _base,
        amp,
        autograd,
        distribution,
        nn,
        nn.functional,
        nn.initializer,
        nn.quant,
        nn.utils,
        optimizer,
        optimizer.lr,
        jit.api,
    ]
)

_LATER = dict.fromkeys(
    ("bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"), "audio.window_functions"
) | {
    "DataParallel": "distributed",
    "core": "base",
    "InputSpec": "ir.input_spec",
    "Model": "training",
    "assert_budget": "jit.inspect.budget",
    "async_save": "compat.background_saving",
    "batch": "data.readers",
    "clear_async_save_task_queue": "compat.background_saving",
    "disable_static": "static",
    "enable_static": "static",
    "in_dynamic_mode": "static",
    "flops": "training",
    "summary": "training",
    "Program": "ir.core",
    "draw": "viz.draw",
    "register_op": "jit.custom_ops",
    "report": "viz.report",
    "rewrite": "passes.rewrite",
    "save_inference_model": "jit",
}

_FOLDERS = frozenset(
    {
        "audio",
        "distributed",
        "fluid",
        "inference",
        "io",
        "ir",
        "native",
        "onnx",
        "passes",
        "profiler",
        "static",
        "text",
        "vision",
    }
)

# Paddle's modules that compat/tables.py fills
_NAMESPACES = frozenset(
    {
        "callbacks",
        "cuda",
        "dataset",
        "device",
        "framework",
        "geometric",
        "hapi",
        "hub",
        "incubate",
        "metric",
        "pir",
        "pir_utils",
        "quantization",
        "random",
        "reader",
        "regularizer",
        "sparse",
        "tensor",
        "utils",
        "version",
    }
)

# further names of dtypes, as Paddle has them; not in `__all__`, where they would hide Python's own
_DTYPES = {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64", "short": "int16",
    "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip

_OPS: dict[str, _Any] = {
    name: fn for name, fn in (_functions() | _VIEWING | _in_place_functions()).items() if name not in globals()
}
globals().update(_OPS)  # every public row and composite of the op table is a function of this module

__all__ = [
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "CustomPlace",
    "DataParallel",
    "Generator",
    "InputSpec",
    "LazyGuard",
    "Model",
    "ParamAttr",
    "Parameter",
    "Program",
    "Size",
    "Tensor",
    "XPUPlace",
    "__version__",
    "amp",
    "asarray",
    "assert_budget",
    "assign",
    "async_save",
    "audio",
    "autograd",
    "bartlett_window",
    "batch",
    "bernoulli",
    "bfloat16",
    "binomial",
    "blackman_window",
    "bool",
    "check_shape",
    "complex64",
    "complex128",
    "create_parameter",
    "disable_signal_handler",
    "disable_static",
    "distribution",
    "draw",
    "dtype",
    "e",
    "enable_grad",
    "enable_static",
    "errors",
    "fft",
    "finfo",
    "float16",
    "float32",
    "float64",
    "flops",
    "fluid",
    "from_dlpack",
    "from_numpy",
    "gaussian",
    "get_cuda_rng_state",
    "get_cudnn_version",
    "get_default_device",
    "get_default_dtype",
    "get_device",
    "get_flags",
    "get_num_threads",
    "get_rng_state",
    "grad",
    "hamming_window",
    "hann_window",
    "ignore_module",
    "iinfo",
    "in_dynamic_mode",
    "increment",
    "inf",
    "inference",
    "int8",
    "int16",
    "int32",
    "int64",
    "interop",
    "io",
    "is_compiled_with_cinn",
    "is_compiled_with_cuda",
    "is_compiled_with_custom_device",
    "is_compiled_with_distribute",
    "is_compiled_with_ipu",
    "is_compiled_with_rocm",
    "is_compiled_with_xpu",
    "is_grad_enabled",
    "is_tensor",
    "jit",
    "kaiser_window",
    "linalg",
    "load",
    "log_normal",
    "multinomial",
    "nan",
    "native",
    "newaxis",
    "nn",
    "no_grad",
    "normal",
    "not_to_static",
    "onnx",
    "optimizer",
    "pi",
    "poisson",
    "profiler",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "register_op",
    "report",
    "rewrite",
    "save",
    "save_inference_model",
    "seed",
    "set_cuda_rng_state",
    "set_default_device",
    "set_default_dtype",
    "set_device",
    "set_flags",
    "set_grad_enabled",
    "set_num_threads",
    "set_printoptions",
    "set_rng_state",
    "signal",
    "standard_gamma",
    "standard_normal",
    "static",
    "summary",
    "text",
    "to_dlpack",
    "to_static",
    "to_tensor",
    "uint8",
    "uniform",
    "vision",
]  # fmt: skip
__all__ += sorted(_OPS)


def __getattr__(name: str) -> _Any:
    if name in _FOLDERS or name in _NAMESPACES:
        return _import_module(f"{__name__}.{name}")
    if name in _DTYPES:
        return globals()[_DTYPES[name]]
    module = _LATER.get(name)
    if module is None:
        raise _no_attribute(__name__, name, lambda: __all__)
    found = globals()[name] = getattr(_import_module(f"{__name__}.{module}"), name)
    return found
