"""Python functions to programs: conversion, tracing, cache, guards. The public names are `vt.jit`.

What makes and runs programs is loaded when it is first needed, so that `import vitrify` stays quick.
"""

from importlib import import_module as _import_module
from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING, Any

from ..base.log import set_log
from ..base.suggest import no_attribute as _no_attribute
from ..base.suggest import public_names as _public_names
from ..dygraph.anomaly import on_check as _on_check
from ..dygraph.call_cache import EAGER as _EAGER
from ..dygraph.call_cache import Makers as _Makers
from ..runtime.allocations import Allocations, allocations
from . import marker
from .api import to_static
from .code_logs import set_code_level, set_verbosity
from .switches import enable_to_static, ignore_module, not_to_static

if TYPE_CHECKING:  # at run time these come from `__getattr__`
    from .call.recompiles import InputSpecWarning, RecompileWarning, set_recompile_limit
    from .debug.callbacks import check_callbacks
    from .debug.programs import verify_program
    from .debug.replay import record, recording, replay
    from .debug.verify import verify
    from .dy2static.program_translator import ProgramTranslator
    from .function import StaticFunction
    from .inspect.function_views import ConcreteProgram
    from .serialize.load import TranslatedLayer, load
    from .serialize.save import save, save_inference_model

_LATER = {
    "ConcreteProgram": "inspect.function_views",
    "InputSpecWarning": "call.recompiles",
    "RecompileWarning": "call.recompiles",
    "set_recompile_limit": "call.recompiles",
    "ProgramTranslator": "dy2static.program_translator",
    "StaticFunction": "function",
    "TranslatedLayer": "serialize.load",
    "load": "serialize.load",
    "save": "serialize.save",
    "save_inference_model": "serialize.save",
    "check_callbacks": "debug.callbacks",
    "record": "debug.replay",
    "recording": "debug.replay",
    "replay": "debug.replay",
    "verify": "debug.verify",
    "verify_program": "debug.programs",
}

__all__ = [
    "Allocations",
    "ConcreteProgram",
    "InputSpecWarning",
    "ProgramTranslator",
    "RecompileWarning",
    "StaticFunction",
    "TranslatedLayer",
    "allocations",
    "check_callbacks",
    "enable_to_static",
    "ignore_module",
    "load",
    "marker",
    "not_to_static",
    "record",
    "recording",
    "replay",
    "save",
    "save_inference_model",
    "set_code_level",
    "set_log",
    "set_recompile_limit",
    "set_verbosity",
    "to_static",
    "verify",
    "verify_program",
]


def __getattr__(name: str) -> Any:
    if name in ("dy2static", "translated_layer", "sot"):
        return _import_module(f".{name}", __name__)
    module = _LATER.get(name)
    if module is None:
        raise _no_attribute(__name__, name, lambda: _public_names(__name__))
    found = globals()[name] = getattr(_import_module(f".{module}", __name__), name)
    return found


def _plan(*call: Any) -> Any:
    from .call.compiled_plans import make

    return make(*call)


def _rule_plan(*call: Any) -> Any:
    from .call.compiled_plans import make_rule

    return make_rule(*call)


def _native(kernels: Any) -> Any:
    if _find_spec("llvmlite") is None:  # eager mode goes without
        return kernels
    from .call.native_kernels import native

    return native(kernels)


def _short(*call: Any) -> Any:
    if _find_spec("llvmlite") is None:
        return None
    from .call.native_kernels import short

    return short(*call)


_EAGER.makers[:] = [_Makers(_plan, _rule_plan, _native, _short)]


def _check_programs(enabled: bool) -> None:
    from ..runtime.checked import check_programs

    check_programs(enabled)


_on_check(_check_programs)
