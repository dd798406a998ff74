"""Functions of the op table as stubs: rows, functions made of rows, in-place variants, and Tensor's methods of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from stub_classes import TYPES, Overrides, parameters
from stub_render import Module, documented, evaluated, rendered

from vitrify.ops.argument_names import names_of
from vitrify.ops.op import Op

OPERANDS = {  # parameters that take a tensor, or what becomes one
    "x", "y", "a", "b", "input", "other", "label", "logits", "condition", "query", "key", "value", "mask", "index",
    "indices", "updates", "weight", "logit", "vec", "arr", "tensor", "source", "boundaries", "target",
}  # fmt: skip
LISTS = {"inputs", "tensors"}
AXES = {"axis", "dim", "axes", "dims"}
SHAPES = {"shape", "size"}
DTYPES = {"dtype"}
FLAGGED = {  # with one of these set, there are several results
    "lu": ("get_infos",), "max_pool1d": ("return_mask",), "max_pool2d": ("return_mask",),
    "max_pool3d": ("return_mask",),
    "adaptive_max_pool1d": ("return_mask",), "adaptive_max_pool2d": ("return_mask",),
    "adaptive_max_pool3d": ("return_mask",), "fractional_max_pool2d": ("return_mask",),
    "fractional_max_pool3d": ("return_mask",), "nonzero": ("as_tuple",),
    "softmax_with_cross_entropy": ("return_softmax",), "margin_cross_entropy": ("return_softmax",),
    "unique": ("return_index", "return_inverse", "return_counts"),
    "unique_consecutive": ("return_inverse", "return_counts"),
}  # fmt: skip
RESULTS = {  # where the source says Any, and it is no single tensor
    "cummax": 2, "cummin": 2, "eig": 2, "eigh": 2, "frexp": 2, "kthvalue": 2, "lu": 2, "mode": 2, "pca_lowrank": 3,
    "qr": 2, "svd": 3, "svd_lowrank": 3, "tolist": "Any", "shape": 1,
}  # fmt: skip
ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip
OTHER_OPERATORS = (
    "__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__neg__", "__pos__", "__abs__", "__invert__",
)  # fmt: skip


DEFAULTS: dict[str, Any] = {
    "out": None,
    "device": None,
    "requires_grad": False,
    "pin_memory": False,
    "alpha": 1,
    "rounding_mode": None,
    "dtype": None,
    "dim0": None,
    "dim1": None,
}  # of added keywords
Form: TypeAlias = tuple[inspect.Signature, dict[str, str]]  # and what the signature's other names stand for


class Table:
    """Writes the functions of the op table."""

    def __init__(self, overrides: Overrides) -> None:
        self.overrides = overrides

    def function(self, module: Module, name: str, fn: Any, method: bool = False) -> str:
        """A function of tensors, or the method that is it."""
        indent = "    " if method else ""
        doc = fn.doc if type(fn) is Op else inspect.getdoc(fn)
        own = self.overrides.text(f"Tensor.{name}" if method else name, module, doc, indent)
        if own is not None:
            return own
        forms = argument_forms(fn, inspect.signature(fn), method)
        mark = f"{indent}@{module.use('typing', 'overload')}\n" if len(forms) > 1 else ""
        return "\n".join(  # editors show the last one
            self._form(module, name, fn, form, method, None if k else doc, mark)
            for k, form in reversed(list(enumerate(forms)))
        )

    def _form(self, module: Module, name: str, fn: Any, form: Form, method: bool, doc: str | None, mark: str) -> str:
        """One way of calling a function: in its own names, or in others."""
        found, own_names = form
        indent = "    " if method else ""
        scope = {} if type(fn) is Op else getattr(inspect.unwrap(fn), "__globals__", {})
        key = fn.name if type(fn) is Op else getattr(fn, "__name__", name)
        tensor = self.overrides.resolve("Tensor", module)

        def annotation(p: inspect.Parameter) -> str:
            if method and p.name == "self":
                return ""
            return self.parameter(p.replace(name=own_names.get(p.name, p.name)), fn, scope, module)

        flags = FLAGGED.get(key) or FLAGGED.get(name)
        if not flags or not set(flags) <= set(found.parameters):
            result = self.result(key, found.return_annotation, scope, module, tensor)
            return mark + documented(f"def {name}({parameters(found, annotation)}) -> {result}:", doc, indent)
        return self._overloads(module, name, found, annotation, flags, (doc, indent, tensor, key))

    def _overloads(
        self, module: Module, name: str, found: inspect.Signature, annotation: Callable[..., str],
        flags: Iterable[str], rest: tuple[Any, ...],
    ) -> str:  # fmt: skip
        """One form without any flag, one with some."""
        doc, indent, tensor, key = rest
        mark = f"{indent}@{module.use('typing', 'overload')}\n"
        literal, boolean = module.use("typing", "Literal"), module.use("builtins", "bool")
        several = f"{module.use('builtins', 'tuple')}[{tensor}, ...]"
        plain = parameters(found, lambda p: f"{literal}[False]" if p.name in flags else annotation(p))
        any_flag = parameters(found, lambda p: boolean if p.name in flags else annotation(p))
        one = self.result(key, Any, {}, module, tensor)
        first = mark + documented(f"def {name}({plain}) -> {one}:", doc, indent)
        return first + "\n" + mark + documented(f"def {name}({any_flag}) -> {several}:", None, indent)

    def result(self, name: str, annotation: Any, scope: dict[str, Any], module: Module, tensor: str) -> str:
        """What a function gives: a tensor where nothing else is said."""
        told = RESULTS.get(name)
        if told == "Any":
            return module.use("typing", "Any")
        if isinstance(told, int) and told > 1:
            return f"{module.use('builtins', 'tuple')}[{', '.join([tensor] * told)}]"
        if annotation is inspect.Signature.empty:
            return tensor
        return rendered(annotation, module, scope, any_is=tensor)

    def parameter(self, p: inspect.Parameter, fn: Any, scope: dict[str, Any], module: Module) -> str:
        """A parameter's type: operands take what becomes a tensor, the others what their name or default tells."""
        optional = " | None" if p.default is None else ""
        if type(fn) is Op:
            operands = [o.lstrip("*") for o in fn.operands]
            if p.name in operands:
                like = module.use(TYPES, "TensorLike")
                is_list = fn.is_variadic and p.name == operands[-1]
                return f"{module.use('collections.abc', 'Sequence')}[{like}]" if is_list else like
        told = Any if p.annotation is p.empty else evaluated(p.annotation, scope)
        if p.name == "name":
            return f"{module.use('builtins', 'str')} | None"
        if told is not Any:
            return rendered(p.annotation, module, scope)
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            return module.use("typing", "Any")
        for names, kind in ((OPERANDS, "TensorLike"), (AXES, "Axis"), (SHAPES, "Shape"), (DTYPES, "DTypeLike")):
            if p.name in names and (kind != "TensorLike" or p.default in (p.empty, None)):
                return module.use(TYPES, kind) + optional
        if p.name in LISTS and p.default is p.empty:
            return f"{module.use('collections.abc', 'Sequence')}[{module.use(TYPES, 'TensorLike')}]"
        if isinstance(p.default, bool):
            return module.use("builtins", "bool")
        return module.use("typing", "Any")

    def in_place(self, module: Module, name: str, method: bool = False) -> str:
        """`name_`, which writes into its first argument and returns it."""
        tensor, anything = self.overrides.resolve("Tensor", module), module.use("typing", "Any")
        first, indent = ("self", "    ") if method else (f"x: {tensor}", "")
        doc = f"`{name[:-1]}`, written in place."
        return documented(f"def {name}({first}, *args: {anything}, **kwargs: {anything}) -> {tensor}:", doc, indent)

    def operators(self, module: Module) -> str:
        """Tensor's operators."""
        tensor, like = self.overrides.resolve("Tensor", module), module.use(TYPES, "TensorLike")
        lines = []
        for name in ARITHMETIC:
            lines += [f"    def __{side}{name}__(self, other: {like}) -> {tensor}: ..." for side in ("", "r")]
        for name in ("lt", "le", "gt", "ge"):
            lines.append(f"    def __{name}__(self, other: {like}) -> {tensor}: ...")
        for name in ("eq", "ne"):
            lines.append(f"    def __{name}__(self, other: object) -> {tensor}: ...  # type: ignore[override]")
        lines += [f"    def __{name}__(self) -> {tensor}: ..." for name in ("neg", "pos", "abs", "invert")]
        return "\n".join(lines)


def argument_forms(fn: Any, found: inspect.Signature, method: bool) -> list[Form]:
    """Signatures of a function: in its own names, and in those that it takes beside them, with the added keywords."""
    names = fn.names if type(fn) is Op else names_of(fn)
    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [inspect.Parameter(n, keyword, default=DEFAULTS[n]) for n in names.added]
    listed = list(found.parameters.values())
    before = [p for p in listed if p.kind is not p.VAR_KEYWORD]
    found = found.replace(parameters=[*before, *added, *listed[len(before) :]])
    forms = [(found, {})]
    for k in range(max(map(list(names.own.values()).count, names.own.values()), default=0)):
        new = {}  # the k-th other name of each parameter
        for own in dict.fromkeys(names.own.values()):
            others = [other for other, meant in names.own.items() if meant == own]
            new[own] = others[min(k, len(others) - 1)]
        if not method or set(new) - {listed[0].name}:
            renamed = [p.replace(name=new.get(p.name, p.name)) for p in found.parameters.values()]
            forms.append((found.replace(parameters=renamed), {other: own for own, other in new.items()}))
    return [(_with_self(form), own) for form, own in forms] if method else forms


def _with_self(found: inspect.Signature) -> inspect.Signature:
    """The signature of the method whose `self` is the first parameter."""
    first, *rest = found.parameters.values()
    if first.kind is first.VAR_POSITIONAL:
        rest = [first, *rest]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return found.replace(parameters=[own, *rest])
