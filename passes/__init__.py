"""Program to program: simplification, fusion, memory planning, each pass in a file of its own.

Public as `vt.passes`: `Pass` to derive from; `add`, `added` and `remove` for passes of one's own; `pipeline()`.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from ..base.suggest import no_attribute as _no_attribute
from ..base.suggest import public_names as _public_names

if TYPE_CHECKING:  # at run time these come from `__getattr__`, so that `import vitrify` stays quick
    from .additions import add, added, remove
    from .extensions import rules as user_rules
    from .manager import Pass, PassManager
    from .pipelines import default_pipeline as pipeline

_LATER = {
    "Pass": ("manager", "Pass"),
    "PassManager": ("manager", "PassManager"),
    "add": ("additions", "add"),
    "added": ("additions", "added"),
    "pipeline": ("pipelines", "default_pipeline"),
    "remove": ("additions", "remove"),
    "user_rules": ("extensions", "rules"),
}

__all__ = ["Pass", "PassManager", "add", "added", "pipeline", "remove", "user_rules"]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise _no_attribute(__name__, name, lambda: _public_names(__name__))
    module, own = _LATER[name]
    found = globals()[name] = getattr(_import_module(f".{module}", __name__), own)
    return found
