"""Annotations as text: what a stub writes for the objects that annotations evaluate to."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import textwrap
import types
import typing
from collections import abc
from collections.abc import Callable
from typing import Any

ROOT = "vitrify"
NOTE = "Written by `make stubs`; edits here are lost."
LIBRARY = (
    "numpy",
    "ml_dtypes",
    "typing",
    "types",
    "collections",
    "enum",
    "pathlib",
    "os",
    "abc",
    "contextlib",
    "logging",
)

INTERNAL = tuple(  # classes that no user holds: a stub says Any
    f"{ROOT}.{path}" for path in (
        "base.target", "runtime.schedule", "runtime.lower", "runtime.options", "runtime.kernel", "jit.trace",
        "jit.construct_tracer", "jit.call", "jit.function_settings", "ops", "passes", "static.recorder", "testing",
        "compat", "ir.builder",
    )
)  # fmt: skip


class Module:
    """One stub: its path, what it imports and the texts that it defines, by name in the order of their requests."""

    def __init__(self, name: str, stubs: Stubs) -> None:
        self.name, self.stubs = name, stubs
        self.imports: set[str] = set()
        self.defined: dict[str, str] = {}
        self.doc = ""

    def use(self, module: str, name: str) -> str:
        """The text for a name of another module, which is imported under a private name."""
        if module == self.name:
            return name
        own = f"_{name.lstrip('_')}"
        self.imports.add(f"from {module} import {name} as {own}")
        return own

    def text(self) -> str:
        """The whole stub."""
        parts = [f"# {NOTE}\n"]
        if self.doc:
            parts.append(f'"""{escaped(self.doc)}"""\n')
        parts += ["\n".join(sorted(self.imports)) + "\n" if self.imports else "", *self.defined.values()]
        return "\n".join(part.rstrip() + "\n" for part in parts if part)


class Stubs:
    """All stubs, by the paths of their modules; `class_writer` writes a class where an annotation first asks for it."""

    def __init__(self, class_writer: Callable[[Module, type], str]) -> None:
        self.modules: dict[str, Module] = {}
        self.class_writer = class_writer
        self.public: set[str] = set()  # classes of internal modules that a public namespace names
        self.unknown: set[str] = set()  # annotations that couldn't be evaluated

    def module(self, name: str) -> Module:
        """The stub of a module, made at its first request."""
        if name not in self.modules:
            self.modules[name] = Module(name, self)
        return self.modules[name]

    def home(self, cls: type) -> str:
        """The module whose stub defines a class of this library; it is written there now if it wasn't."""
        module = self.module(cls.__module__)
        if cls.__name__ not in module.defined:
            module.defined[cls.__name__] = ""  # first: a class may mention itself
            module.defined[cls.__name__] = self.class_writer(module, cls)
        return module.name


def escaped(text: str) -> str:
    """A docstring as it stands between quotes."""
    return text.replace("\\", "\\\\").replace('"""', '\\"""').strip()


def evaluated(annotation: Any, scope: dict[str, Any]) -> Any:
    """The object that an annotation means; `Any` where it can't be told."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(scope))
    except Exception:  # broad: an annotation is text of any kind, and only its text is wanted
        return Any


def rendered(kind: Any, module: Module, scope: dict[str, Any], any_is: str = "") -> str:
    """An annotation in the words of a stub. any_is: what `Any` stands for, where the op table gives tensors."""
    kind = evaluated(kind, scope)
    if kind is Any:
        return any_is or module.use("typing", "Any")
    if kind is None or kind is type(None):
        return "None"
    if kind is ...:
        return "..."
    if isinstance(kind, list):
        return "[" + ", ".join(rendered(k, module, scope, any_is) for k in kind) + "]"
    origin = typing.get_origin(kind)
    if origin is not None:
        return _generic(kind, origin, module, scope, any_is)
    if isinstance(kind, (typing.TypeVar, typing.ParamSpec)):
        return _variable(kind, module, scope)
    if isinstance(kind, type):
        return class_name(kind, module)
    if getattr(kind, "__module__", "") == "typing":  # Self, NoReturn …
        return module.use("typing", getattr(kind, "_name", None) or kind.__name__)
    module.stubs.unknown.add(repr(kind))
    return module.use("typing", "Any")


def _generic(kind: Any, origin: Any, module: Module, scope: dict[str, Any], any_is: str) -> str:
    arguments = typing.get_args(kind)
    if origin is typing.Literal:
        return f"{module.use('typing', 'Literal')}[{', '.join(repr(a) for a in arguments)}]"
    shown = [rendered(a, module, scope, any_is) for a in arguments]
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(shown))
    if origin is typing.Annotated:
        return shown[0]
    if origin in (typing.ClassVar, typing.Final):
        return shown[0]
    name = class_name(origin, module)
    return f"{name}[{', '.join(shown)}]" if shown else name


def _variable(kind: Any, module: Module, scope: dict[str, Any]) -> str:
    """A type variable, defined once in the stub that uses it."""
    name = f"_{kind.__name__}"
    if name not in module.defined:
        maker = module.use("typing", type(kind).__name__)
        bound = getattr(kind, "__bound__", None)
        module.defined[name] = ""
        more = "" if bound is None else f", bound={rendered(bound, module, scope)}"
        module.defined[name] = f'{name} = {maker}("{name}"{more})'
    return name


def class_name(cls: Any, module: Module) -> str:
    """How a stub names a class."""
    where = cls.__module__
    if where == "builtins":
        return module.use("builtins", cls.__name__) if hasattr(builtins, cls.__name__) else module.use("typing", "Any")
    if cls is abc.Callable:
        return module.use("collections.abc", "Callable")
    if where.startswith(INTERNAL) and cls.__name__ not in module.stubs.public:
        return module.use("typing", "Any")
    if where == ROOT or where.startswith(ROOT + "."):
        return module.use(module.stubs.home(cls), cls.__name__)
    if where.partition(".")[0] in LIBRARY and "<" not in cls.__qualname__ and "." not in cls.__qualname__:
        public = "numpy" if where.startswith("numpy") else where
        return module.use({"_collections_abc": "collections.abc"}.get(public, public), cls.__qualname__)
    return module.use("typing", "Any")


def default(value: Any) -> str:
    """A default value as text: itself where it is short and plain, else `...`."""
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value) if len(repr(value)) < 40 else "..."
    if type(value) is float and value == value and abs(value) != float("inf"):
        return repr(value)
    return "..."


def documented(head: str, doc: str | None, indent: str = "") -> str:
    """A definition's head with its docstring as body."""
    if not doc or not doc.strip():
        return f"{indent}{head} ..."
    text = textwrap.indent(f'"""{escaped(inspect.cleandoc(doc))}"""', indent + "    ", lambda line: bool(line.strip()))
    return f"{indent}{head}\n{text}"


def is_plain_name(name: str) -> bool:
    """Whether a stub can define the name."""
    return name.isidentifier() and not keyword.iskeyword(name)


def tree_of(thing: Any) -> ast.AST | None:
    """The source of a class as a tree; None where there is none."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
