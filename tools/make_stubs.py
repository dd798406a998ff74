"""Write the stubs of the public names, for type checkers and editors: from the op table, the facade and the source.

Use: python tools/make_stubs.py [--check]   (--check writes nothing; status 1 where a stub is out of date)
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import reference
from stub_classes import Overrides, Writer
from stub_render import NOTE, ROOT, Module, Stubs, class_name, is_plain_name
from stub_table import ARITHMETIC, OTHER_OPERATORS, Table

import vitrify
from vitrify.compat.tables import MODULES
from vitrify.dygraph.methods import in_place_functions
from vitrify.ops import functions, methods
from vitrify.ops.op import Op

FOLDER = Path(__file__).resolve().parent.parent / "stubs" / "vitrify-stubs"
HERE = Path(__file__).parent
# Modules beside the namespaces of the reference that documents and examples import from: their names are Any.
FURTHER = ("ops", "base.target", "ir.walk", "data.mnist_reader", "testing.fuzz", "passes.manager", "passes.rewrite")
ANYTHING = f"# {NOTE}\n\nfrom typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n"


class Generator:
    """Makes all stubs."""

    def __init__(self) -> None:
        library = {"Tensor": vitrify.Tensor, "Layer": vitrify.nn.Layer, "StaticFunction": vitrify.jit.StaticFunction}
        self.overrides = Overrides(library)
        self.writer, self.table = Writer(self.overrides), Table(self.overrides)
        self.stubs = Stubs(self.class_)
        self.mentioned: set[str] = set()  # modules that others name
        self.of_table = {id(fn) for fn in (functions() | methods()).values()}

    def class_(self, module: Module, cls: type) -> str:
        """A class; a Tensor with the methods that the op table gives it."""
        if cls is not vitrify.Tensor:
            return self.writer.class_(module, cls)
        from_table = {n: fn for n, fn in methods().items() if n not in self.own_methods()}
        in_place = [n for n in in_place_functions() if n not in self.own_methods()]
        operators = {f"__{side}{name}__" for name in ARITHMETIC for side in ("", "r", "i")} | set(OTHER_OPERATORS)
        text = self.writer.class_(module, cls, skip={*from_table, *in_place, *operators})
        parts = [self.table.function(module, n, fn, method=True) for n, fn in sorted(from_table.items())]
        parts += [self.table.in_place(module, n, method=True) for n in in_place]
        return "\n".join([text, *parts, self.table.operators(module)])

    def own_methods(self) -> set[str]:
        """Names that the class defines or that have overrides: the table's functions come after them."""
        from vitrify.dygraph.methods import KEPT, _by_hand

        return {*KEPT, *_by_hand, *(n.partition(".")[2] for n in self.overrides.nodes if n.startswith("Tensor."))}

    def namespace(self, path: str) -> None:
        """The stub of a public module."""
        source = importlib.import_module(f"{ROOT}.{path}") if path else vitrify
        module = self.stubs.module(source.__name__)
        module.doc = inspect.getdoc(source) or ""
        listed = reference.FILLED.get(path)
        names = getattr(importlib.import_module(listed) if listed else source, "__all__", None)
        if names is None:
            names = [n for n, t in vars(source).items() if not n.startswith("_") and not inspect.ismodule(t)]
        for name in sorted({*names}):
            self.name(module, name, getattr(source, name))

    def name(self, module: Module, name: str, thing: Any) -> None:
        """One public name of a module."""
        if not is_plain_name(name) or name in module.defined:
            return
        thing = reference.row_of(thing)
        if inspect.ismodule(thing):
            if thing.__name__.startswith(ROOT + "."):
                parent, _, last = thing.__name__.rpartition(".")
                self.mentioned.add(thing.__name__)
                module.imports.add(f"from {parent} import {last} as {name}")
            return
        if id(thing) in self.of_table or type(thing) is Op:
            module.defined[name] = self.table.function(module, name, thing)
        elif name in in_place_functions() and module.name == ROOT:
            module.defined[name] = self.table.in_place(module, name)
        elif isinstance(thing, type) and thing.__module__.startswith(ROOT):
            self.stubs.public.add(thing.__name__)
            home = self.stubs.home(thing)
            if home != module.name:
                module.imports.add(f"from {home} import {thing.__name__} as {name}")
            elif name != thing.__name__:
                module.defined[name] = f"{name} = {thing.__name__}"
        elif isinstance(thing, types.FunctionType):
            self._function(module, name, thing)
        else:
            module.defined[name] = f"{name}: {class_name(type(thing), module)}"

    def _function(self, module: Module, name: str, fn: types.FunctionType) -> None:
        """A function that is none of the op table's: it takes its place where it is defined."""
        if self.gives_tensors(fn):
            module.defined[name] = self.table.function(module, name, fn)
            return
        module.defined[name] = self.writer.function(module, name, fn)

    def gives_tensors(self, fn: types.FunctionType) -> bool:
        """Whether a function is one of tensors, whose `Any` means one."""
        rooms = ("vitrify.ops", "vitrify.dygraph.nn.", "vitrify.dygraph.draws", "vitrify.dygraph.random_generators")
        return fn.__module__.startswith(rooms) and not fn.__module__.endswith(("parameter_utils", "initializer"))


def modules() -> dict[str, str]:
    """File below the folder of stubs -> text."""
    made = Generator()
    for namespace in reference.NAMESPACES:
        made.namespace("" if namespace == ROOT else namespace)
    written = {name: module.text() for name, module in made.stubs.modules.items()}
    for name in sorted({*made.mentioned, *(f"{ROOT}.{path}" for path in (*MODULES, *FURTHER))}):
        written.setdefault(name, ANYTHING)
    for name in sorted(written, reverse=True):  # packages between the root and a module
        while "." in name:
            name = name.rpartition(".")[0]
            written.setdefault(name, ANYTHING)
    written["vitrify.vision"] = packaged("vitrify.vision", ("datasets", "models", "transforms"))
    root = written[ROOT]
    direct = sorted(
        n.partition(".")[2] for n in written if n.count(".") == 1 and not n.partition(".")[2].startswith("_")
    )
    missing = [n for n in direct if f"\nfrom {ROOT} import {n} as {n}\n" not in root and hasattr(vitrify, n)]
    written[ROOT] = root + "\n" + "".join(f"from {ROOT} import {n} as {n}\n" for n in missing)
    written[f"{ROOT}._stub_types"] = (HERE / "stub_types.pyi").read_text()
    return {file_of(name, written): text for name, text in written.items()}


def packaged(name: str, inner: tuple[str, ...]) -> str:
    """The stub of a package that only has modules."""
    return f"# {NOTE}\n\n" + "".join(f"from {name} import {module} as {module}\n" for module in inner)


def file_of(name: str, written: dict[str, str]) -> str:
    """Where a module's stub lies."""
    path = name.partition(".")[2].replace(".", "/")
    if not path:
        return "__init__.pyi"
    is_package = any(other.startswith(name + ".") for other in written)
    return f"{path}/__init__.pyi" if is_package else f"{path}.pyi"


def main() -> int:
    """Write the stubs, or only say which differ."""
    made = modules()
    made["py.typed"] = "partial\n"
    there = {str(f.relative_to(FOLDER)): f.read_text() for f in FOLDER.rglob("*") if f.is_file()}
    stale = sorted(n for n in made.keys() | there.keys() if made.get(n) != there.get(n))
    if "--check" in sys.argv[1:]:
        print("\n".join(stale) or "up to date")
        return int(bool(stale))
    for name in stale:
        file = FOLDER / name
        if name in made:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(made[name])
        else:
            file.unlink()
    print(f"{len(stale)} of {len(made)} stubs written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
