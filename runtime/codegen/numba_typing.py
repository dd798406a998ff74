"""Numba's typing and lowering for kernels alone: what their texts can't say is never loaded, nothing is found twice.

Numba's own contexts know arrays, dates, random generators and SciPy's BLAS, which take half a second to import, and try
every rule of NumPy for each `a + b`. Kernels have numbers, pointers, ranges and intrinsics. `min` and `max`, which are
functions of Python to Numba, compiled on first use, are intrinsics here. A kernel that says more (`a ** b` of integers,
in a row of a user's own) is compiled with Numba's contexts. Leans on Numba's internals: tried with 0.61.2 and 0.68.1.
"""

# Numba has annotations in part only: calls of its functions count as untyped.
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import operator
from functools import lru_cache
from importlib import import_module
from typing import Any

from numba.core import cpu, fastmathpass, types
from numba.core.imputils import builtin_registry
from numba.core.typing import templates
from numba.core.typing.context import Context
from numba.cpython import mathimpl
from numba.extending import intrinsic

# Their result's type doesn't depend on a literal's value.
_OPERATORS = frozenset(
    getattr(operator, name)
    for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift", "neg", "pos",
        "invert", "not_", "lt", "le", "gt", "ge", "eq", "ne", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod",
        "iand", "ior", "ixor",
    )
)  # fmt: skip
_IMPLEMENTATIONS = ("builtins", "numbers", "rangeobj", "tupleobj", "iterators")


@lru_cache(maxsize=1)
def kernel_contexts() -> tuple[Any, Any]:
    """The typing context and the target context of kernels."""
    typing = _Typing()
    typing.target = _Target(typing, "cpu")
    return typing, typing.target


class _Typing(Context):  # type: ignore[misc, unused-ignore]
    """Types of Python's operators on numbers and pointers, and of intrinsics."""

    def __init__(self) -> None:
        self.found: dict[tuple[Any, ...], Any] = {}
        self.target: Any = None
        super().__init__()

    def load_additional_registries(self) -> None:
        """None: no lists, no files, nothing of NumPy's."""

    def install_registry(self, registry: Any) -> None:
        """Take in what Numba has registered, but for attributes of its own classes."""
        loader = self._registries.setdefault(registry, None) or templates.RegistryLoader(registry)
        self._registries[registry] = loader
        for template in loader.new_registrations("functions"):
            if _is_for_cpus(template):
                self.insert_function(template(self))
        for template in loader.new_registrations("attributes"):
            if _is_for_cpus(template) and not issubclass(template, templates._OverloadAttributeTemplate):
                self.insert_attributes(template(self))
        for value, kind in loader.new_registrations("globals"):
            known = self._lookup_global(value)
            if known is None:
                self.insert_global(value, kind)
            else:
                self._remove_global(value)
                self._insert_global(value, known.augment(kind))

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call; those found are kept, as kernels say the same things over and over."""
        if kws:
            return super().resolve_function_type(func, args, kws)
        if getattr(func, "typing_key", None) in _OPERATORS:
            args = tuple(types.unliteral(a) for a in args)
        key = (func, tuple(args))
        signature = self.found.get(key)
        if signature is None:
            template = _intrinsic_of(func)
            if template is None:
                signature = super().resolve_function_type(func, args, kws)
            else:
                signature = self._resolve_intrinsic(func, template, tuple(args))
            if signature is not None:
                self.found[key] = signature
        return signature

    def _resolve_intrinsic(self, func: Any, template: Any, args: tuple[Any, ...]) -> Any:
        plain = tuple(types.unliteral(a) for a in args)
        for given in (args, plain) if template.prefer_literal else (plain, args):
            made = template._definition_func(self, *given)
            if made is not None:
                signature, implementation = made
                func._impl_keys[signature.args] = implementation
                self.target.insert_func_defn([(implementation, implementation, signature.args)])
                return signature
        return None


class _Target(cpu.CPUContext):  # type: ignore[misc, unused-ignore]
    """How those are lowered. Kernels allocate nothing, so Numba's runtime isn't linked to them."""

    def load_additional_registries(self) -> None:
        """What `refresh` takes in; the modules are imported once."""
        for name in _IMPLEMENTATIONS:
            import_module(f"numba.cpython.{name}")

    def refresh(self) -> None:
        """Take in what has been registered since."""
        self.load_additional_registries()
        self.install_registry(mathimpl.registry)
        self.install_registry(builtin_registry)

    def post_lowering(self, module: Any, library: Any) -> None:
        """Give the instructions their flags of fast arithmetic; Numba would link its runtime here."""
        if self.fastmath:
            fastmathpass.rewrite_module(module, self.fastmath)


def _is_for_cpus(template: Any) -> bool:
    return (getattr(template, "metadata", None) or {}).get("target") in (None, "generic", "cpu")


def _intrinsic_of(func: Any) -> Any:
    found = getattr(func, "templates", None)
    return found[0] if found and len(found) == 1 and issubclass(found[0], templates._IntrinsicTemplate) else None


def extremes() -> dict[str, Any]:
    """`min` and `max` of two integers, for a kernel's globals."""
    return {"min": _extreme("<"), "max": _extreme(">")}


def wrapping() -> dict[str, Any]:
    """`add`, `subtract` and `multiply` of two int64 that wrap around, for a kernel's globals.

    Numba's operators tell LLVM that nothing overflows, which is so for indices. Of a user's numbers LLVM must not
    conclude that a square is positive.
    """
    return {
        f"wrapping_{name}": _wrapping(code) for name, code in (("add", "add"), ("subtract", "sub"), ("multiply", "mul"))
    }


def _wrapping(instruction: str) -> Any:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def arithmetic(typing: Any, a: Any, b: Any) -> Any:
        """The sum, difference or product modulo 2**64."""
        if not isinstance(a, types.Integer) or not isinstance(b, types.Integer):
            return None

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            return getattr(build, instruction)(*values)

        return types.int64(types.int64, types.int64), generate

    return arithmetic


def _extreme(relation: str) -> Any:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def extreme(typing: Any, a: Any, b: Any) -> Any:
        """The smaller, or the larger, of two integers."""
        unified = typing.unify_types(a, b)
        if not isinstance(unified, types.Integer):
            return None
        kind: Any = unified

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            compare = build.icmp_signed if kind.signed else build.icmp_unsigned
            return build.select(compare(relation, *values), *values)

        return kind(kind, kind), generate

    return extreme
