"""Classes and functions of the source as stubs: signatures, docstrings, attributes that `__init__` sets."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import enum
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Any

from stub_render import Module, class_name, default, documented, evaluated, is_plain_name, rendered, tree_of

from vitrify import Parameter
from vitrify.nn import Layer

HERE = Path(__file__).parent
SILENT = {  # methods that a checker needn't know, or that would make it accept any name
    "__getattr__", "__getattribute__", "__repr__", "__str__", "__hash__", "__reduce__", "__reduce_ex__",
    "__init_subclass__",
    "__deepcopy__", "__copy__", "__class__", "__weakref__", "__dict__", "__module__", "__doc__", "__slots__",
    "__post_init__",
    "__set_name__", "__subclasshook__", "__match_args__", "__replace__", "__annotate_func__", "__static_attributes__",
    "__firstlineno__", "__parameters__", "__orig_bases__", "__abstractmethods__", "__setattr__", "__delattr__",
}  # fmt: skip
TYPES = "vitrify._stub_types"
OTHER_RESULTS = {  # layers whose `forward` gives no single tensor, or not always
    "Identity", "LayerDict", "LayerList", "ParameterDict", "ParameterList", "MultiHeadAttention", "RNNCellBase", "GRU",
    "LSTM", "RNN", "BiRNN", "SimpleRNN", "Layer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder",
    "TransformerDecoderLayer", "GoogLeNet", "PyLayer",
}  # fmt: skip


class Overrides:
    """The definitions of `stub_overrides.pyi` by qualified name, with names resolved for the stub that takes them."""

    def __init__(self, library: dict[str, type]) -> None:
        self.classes = library
        self.helpers = set(_defined(ast.parse((HERE / "stub_types.pyi").read_text())))
        self.bases: dict[str, list[ast.expr]] = {}
        self.nodes: dict[str, list[ast.FunctionDef]] = {}
        for node in ast.parse((HERE / "stub_overrides.pyi").read_text()).body:
            if isinstance(node, ast.ClassDef):
                self.bases[node.name] = node.bases
                for inner in node.body:
                    assert isinstance(inner, ast.FunctionDef)
                    self.nodes.setdefault(f"{node.name}.{inner.name}", []).append(inner)
            elif isinstance(node, ast.FunctionDef):
                self.nodes.setdefault(node.name, []).append(node)

    def text(self, name: str, module: Module, doc: str | None, indent: str = "") -> str | None:
        """The definitions for a name; the first has the docstring. None where there are none."""
        nodes = self.nodes.get(name)
        if nodes is None:
            return None
        parts = []
        for node in nodes:
            made = self._resolved(node, module)
            marks = "".join(f"{indent}@{ast.unparse(d)}\n" for d in made.decorator_list)
            head = f"def {made.name}({ast.unparse(made.args)}) -> {ast.unparse(made.returns)}:"
            parts.append(marks + documented(head, doc if node is nodes[0] else None, indent))
        return "\n".join(parts)

    def class_bases(self, name: str, module: Module) -> list[str]:
        """Bases beside those of the source."""
        return [ast.unparse(self._resolved(base, module)) for base in self.bases.get(name, [])]

    def _resolved(self, node: Any, module: Module) -> Any:
        overrides = self

        class Names(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> ast.expr:
                return ast.parse(overrides.resolve(name.id, module), mode="eval").body

        return Names().visit(ast.parse(ast.unparse(node)).body[0] if isinstance(node, ast.stmt) else node)

    def resolve(self, name: str, module: Module) -> str:
        """How a stub spells a name of the overrides."""
        if name in self.helpers:
            return module.use(TYPES, name)
        if name in self.classes:
            return class_name(self.classes[name], module)
        for source in (collections.abc, typing):
            if name in source.__all__:
                return module.use(source.__name__, name)
        if name == "ndarray":
            return module.use("numpy", name)
        return module.use("builtins", name) if hasattr(builtins, name) and name != "property" else name


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield ast.unparse(target)


class Writer:
    """Writes definitions; `overrides` come before what the source says."""

    def __init__(self, overrides: Overrides) -> None:
        self.overrides = overrides

    # ---- functions

    def function(self, module: Module, name: str, fn: Any, indent: str = "", qualified: str = "") -> str:
        """A function, with the overloads of its source."""
        own = self.overrides.text(qualified or name, module, inspect.getdoc(fn), indent)
        if own is not None:
            return own
        overloads = typing.get_overloads(fn) if isinstance(fn, types.FunctionType) else []
        if not overloads:
            return self._definition(module, name, fn, inspect.getdoc(fn), indent)
        mark = f"{indent}@{module.use('typing', 'overload')}\n"
        docs = [inspect.getdoc(fn), *[None] * (len(overloads) - 1)]
        return "\n".join(
            mark + self._definition(module, name, one, doc, indent) for one, doc in zip(overloads, docs, strict=True)
        )

    def _definition(self, module: Module, name: str, fn: Any, doc: str | None, indent: str) -> str:
        inner = inspect.unwrap(fn)
        scope = getattr(inner, "__globals__", {})
        try:
            found = inspect.signature(fn)
        except (TypeError, ValueError):
            anything = module.use("typing", "Any")
            return documented(f"def {name}(self, *args: {anything}, **kwargs: {anything}) -> {anything}:", doc, indent)
        shown = parameters(found, lambda p: "" if p.annotation is p.empty else rendered(p.annotation, module, scope))
        returned = found.return_annotation
        if name in ("__init__",):
            result = "None"
        elif returned is inspect.Signature.empty:
            result = module.use("typing", "Any")
        elif name == "__exit__" and evaluated(returned, scope) is bool:
            result = "None"  # a checker would take the block for one that may swallow errors
        else:
            is_forward = name == "forward" and fn.__qualname__.partition(".")[0] not in OTHER_RESULTS
            result = rendered(returned, module, scope, self.overrides.resolve("Tensor", module) if is_forward else "")
        prefix = "async def" if inspect.iscoroutinefunction(fn) else "def"
        return documented(f"{prefix} {name}({shown}) -> {result}:", doc, indent)

    # ---- classes

    def class_(self, module: Module, cls: type, skip: Set[str] = frozenset()) -> str:
        """A class with its public members, without those that the caller writes itself."""
        scope = dict(vars(sys.modules.get(cls.__module__, builtins)))
        bases = [b for b in getattr(cls, "__orig_bases__", cls.__bases__) if b is not object]
        shown = [rendered(b, module, scope) for b in bases if typing.get_origin(b) is not typing.Protocol]
        shown = [b for b in shown if b != "_Any"] + self.overrides.class_bases(cls.__name__, module)
        lines = [*self._attributes(module, cls, scope), *self._members(module, cls, skip)]
        head = f"class {cls.__name__}({', '.join(dict.fromkeys(shown))}):" if shown else f"class {cls.__name__}:"
        doc = cls.__doc__ if not (cls.__doc__ or "").startswith(f"{cls.__name__}(") else None
        body = documented(head, doc)
        if not lines:
            return body
        return "\n".join([body.removesuffix(" ..."), *lines])

    def _attributes(self, module: Module, cls: type, scope: dict[str, Any]) -> Iterator[str]:
        """Annotated names of the class, and what its `__init__` gives every instance."""
        known = dict(inspect.get_annotations(cls))
        if issubclass(cls, enum.Enum):
            yield from (f"    {n} = {m.value!r}" for n, m in cls.__members__.items() if is_plain_name(n))
            return
        for name, annotation in known.items():
            if is_plain_name(name) and not name.startswith("_") and not isinstance(vars(cls).get(name), property):
                yield f"    {name}: {rendered(annotation, module, scope)}"
        for name, kind in set_attributes(cls).items():
            if name not in known and not hasattr(cls, name):
                shown = rendered(kind, module, scope) if isinstance(kind, str) else class_name(kind, module)
                yield f"    {name}: {shown}"

    def _members(self, module: Module, cls: type, skip: Set[str]) -> Iterator[str]:
        own = {n.partition(".")[2] for n in self.overrides.nodes if n.partition(".")[0] == cls.__name__}
        members = {n: m for n, m in vars(cls).items() if (n not in SILENT and n not in skip) or n in own}
        for name in [*members, *sorted(own - set(members))]:
            if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
                continue
            if not is_plain_name(name) or (issubclass(cls, enum.Enum) and name in (*cls.__members__, "__new__")):
                continue
            text = self.member(module, cls, name, members.get(name, getattr(cls, name, None)))
            if text:
                yield text

    def member(self, module: Module, cls: type, name: str, thing: Any) -> str:
        """One member of a class, or nothing."""
        full = f"{cls.__name__}.{name}"
        own = self.overrides.text(full, module, inspect.getdoc(thing), "    ")
        if own is not None:
            return own
        if name == "forward" and cls is Layer:  # a variable: a compiled function may take its place
            return f"    forward: {module.use('typing', 'Any')}"
        if isinstance(thing, (property, functools.cached_property)):
            return self._property(module, name, thing)
        for kind in (staticmethod, classmethod):
            if isinstance(thing, kind):
                text = self.function(module, name, thing.__func__, "    ", full)
                return f"    @{kind.__name__}\n{text}"
        if isinstance(thing, types.FunctionType):
            return self.function(module, name, thing, "    ", full)
        if (
            name.startswith("__")
            or name in inspect.get_annotations(cls)
            or isinstance(thing, types.MemberDescriptorType)
        ):
            return ""
        return f"    {name}: {class_name(type(thing), module) if thing is not None else module.use('typing', 'Any')}"

    def _property(self, module: Module, name: str, thing: Any) -> str:
        getter = thing.fget if isinstance(thing, property) else thing.func
        text = f"    @property\n{self.function(module, name, getter, '    ', '?')}"
        if isinstance(thing, property) and thing.fset is not None:
            anything = module.use("typing", "Any")
            text += f"\n    @{name}.setter\n    def {name}(self, value: {anything}) -> None: ..."
        return text


def parameters(found: inspect.Signature, annotation: Callable[[inspect.Parameter], str]) -> str:
    """A signature's parameters as text, with its markers for kinds."""
    parts: list[str] = []
    last: Any = None
    for p in found.parameters.values():
        if last is p.POSITIONAL_ONLY and p.kind is not p.POSITIONAL_ONLY:
            parts.append("/")
        if p.kind is p.KEYWORD_ONLY and last not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            parts.append("*")
        kind = annotation(p)
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        text = f"{stars}{p.name}" + (f": {kind}" if kind else "")
        if p.default is not p.empty:
            text += f" = {default(p.default)}" if kind else f"={default(p.default)}"
        parts.append(text)
        last = p.kind
    return ", ".join([*parts, "/"] if last is inspect.Parameter.POSITIONAL_ONLY else parts)


def set_attributes(cls: type) -> dict[str, Any]:
    """Public attributes that `__init__` sets, with the annotation of the parameter that each is, or what makes them."""
    init = vars(cls).get("__init__")
    tree = tree_of(init) if isinstance(init, types.FunctionType) else None
    if not isinstance(tree, ast.FunctionDef):
        return {}
    arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    known = {a.arg: ast.unparse(a.annotation) for a in arguments if a.annotation is not None}
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            pairs = [(node.target, None)]
        elif isinstance(node, ast.Assign):
            pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
        else:
            continue
        for target, value in pairs:
            is_own = isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
            if is_own and not target.attr.startswith("_"):
                told = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else _kind_of(value, known)
                found.setdefault(target.attr, told)
    return found


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[Any, Any]]:
    if isinstance(target, ast.Tuple):
        values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else [None] * 99
        return list(zip(target.elts, values, strict=False))
    return [(target, value)]


def _kind_of(value: ast.expr | None, known: dict[str, str]) -> Any:
    if isinstance(value, ast.Name):
        return known.get(value.id, "Any")
    if isinstance(value, ast.Call):
        called = ast.unparse(value.func)
        if called == "self.create_parameter":
            return Parameter
        if called[:1].isupper() and called.isidentifier():
            return called
        return {"int": "int", "float": "float", "bool": "bool", "str": "str"}.get(called, "Any")
    if isinstance(value, ast.Constant) and value.value is not None:
        return type(value.value).__name__
    return "Any"
