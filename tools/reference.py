"""Write docs/reference: a page per public namespace, from the op table and docstrings, and the coverage table.

Use: python tools/reference.py [--check]   (--check writes nothing; status 1 where a page is out of date)
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from vitrify import Tensor
from vitrify.dygraph.methods import in_place_functions
from vitrify.ops.argument_names import NONE, names_of
from vitrify.ops.lowering import HOST
from vitrify.ops.op import OPS, Op

sys.path.insert(0, str(Path(__file__).parent))
import coverage_table

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NAMESPACES = (
    "vitrify", "linalg", "fft", "signal", "nn", "nn.functional", "nn.initializer", "nn.utils", "optimizer",
    "optimizer.lr", "autograd", "jit", "static", "static.nn", "distributed", "amp", "io", "metric", "callbacks",
    "distribution", "regularizer", "vision.datasets", "vision.models", "vision.transforms", "interop", "inference",
    "native", "onnx", "profiler", "errors", "audio.functional", "audio.features", "text", "sparse", "sparse.nn",
    "sparse.nn.functional",
)  # fmt: skip
FILLED = {"callbacks": "vitrify.training.callbacks"}  # Paddle's modules without a list of their own
NOTE = "Written by `make reference` from the op table and the docstrings; edits here are lost.\n"


def pages() -> dict[str, str]:
    """File name -> text, for every page of the reference."""
    made = {f"{shown(name)}.md": page(name) for name in NAMESPACES}
    made["Tensor.md"] = tensor_page()
    made["coverage.md"] = coverage_table.page(NOTE)
    made["README.md"] = index(made)
    return made


def shown(namespace: str) -> str:
    """The namespace as its user writes it."""
    return "vt" if namespace == "vitrify" else f"vt.{namespace}"


def module_of(namespace: str) -> ModuleType:
    """The module of a namespace."""
    found = importlib.import_module("vitrify")
    for part in namespace.split(".") if namespace != "vitrify" else ():
        found = getattr(found, part)
    return importlib.import_module(FILLED.get(namespace, found.__name__))


def public(namespace: str) -> list[str]:
    """The public names of a namespace that aren't modules, sorted."""
    module = module_of(namespace)
    listed = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    return sorted(n for n in listed if not n.startswith("_") and not inspect.ismodule(getattr(module, n)))


def page(namespace: str) -> str:
    """One namespace: functions, then classes, then values; in-place variants only by name."""
    module = module_of(namespace)
    things = {name: getattr(module, name) for name in public(namespace)}
    in_place = set(in_place_functions()) if namespace == "vitrify" else set()
    classes = {n: t for n, t in things.items() if inspect.isclass(t)}
    functions = {n: t for n, t in things.items() if callable(t) and n not in classes and n not in in_place}
    values = [n for n, t in things.items() if not callable(t)]
    parts = [f"# {shown(namespace)}\n", NOTE]
    for title, group in (("Functions", functions), ("Classes", classes)):
        if group:
            parts += [f"\n## {title}\n", *(entry(f"{shown(namespace)}.{n}", t) for n, t in group.items())]
    if in_place:
        names = ", ".join(f"`{n}`" for n in sorted(in_place))
        parts += ["\n## In place\n", f"Each writes what its namesake without the last `_` gives into `x`: {names}.\n"]
    if values:
        parts += ["\n## Values\n", ", ".join(f"`{shown(namespace)}.{n}`" for n in values) + ".\n"]
    return "\n".join(parts)


def row_of(thing: Any) -> Any:
    """What the op table has in the place of a function that gives views; others as they are."""
    return vars(thing).get("row", thing) if inspect.isfunction(thing) and not isinstance(thing, Op) else thing


def entry(name: str, thing: Any) -> str:
    """One object: its signature, its documentation, and a class's own methods."""
    thing = row_of(thing)
    own = thing.name if isinstance(thing, Op) else getattr(thing, "__name__", name)
    short = name.rpartition(".")[2]
    alias = own in OPS and own != short and short not in OPS and isinstance(thing, Op)
    parts = [f"### `{name}{signature(thing)}`\n"]
    if alias:
        return f"{parts[0]}\nAnother name of `{own}`.\n"
    parts.append(markdown(thing.doc if isinstance(thing, Op) else inspect.getdoc(thing) or ""))
    names = thing.names if isinstance(thing, Op) else names_of(thing) if inspect.isfunction(thing) else NONE
    if names.others:
        parts.append(f"Takes also: {names}.\n")
    if isinstance(thing, Op):
        parts.append(facts(thing))
    if thing is Tensor:
        parts.append("Its methods: [vt.Tensor](Tensor.md).\n")
    elif inspect.isclass(thing):
        parts += [f"* `.{n}{signature(m)}`: {first_line(m)}" for n, m in own_methods(thing)]
        parts.append("") if parts[-1].startswith("*") else None
    return "\n".join(part for part in parts)


def facts(op: Op) -> str:
    """What else a row knows: gradients, and how compiled programs run it."""
    gradient = "has gradients" if op.is_differentiable else "no gradients"
    runs = "NumPy inside compiled programs" if op.lowering is HOST else "a kernel in compiled programs"
    return f"Row of the op table: {gradient}; {runs}.\n"


def signature(thing: Any) -> str:
    """Names and defaults, without types."""
    if isinstance(thing, Op):
        return "(" + thing.signature.partition("(")[2]
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [p.replace(annotation=p.empty) for n, p in found.parameters.items() if n != "self"]
    text = str(found.replace(parameters=parameters, return_annotation=found.empty))
    return re.sub(r"<([\w.]+ )?([\w.]+)[^<>]* at 0x[0-9a-f]+>", r"\2", text)


def own_methods(cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The documented public methods that a class itself defines."""
    for name, method in sorted(vars(cls).items()):
        if inspect.isfunction(method) and not name.startswith("_") and first_line(method):
            yield name, method


def first_line(thing: Any) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((thing.__doc__ or "").strip().partition("\n\n")[0].split())


def markdown(text: str) -> str:
    """A docstring as Markdown: its examples become code blocks."""
    lines, inside = [], False
    for line in textwrap.dedent(text).strip().splitlines():
        starts = line.lstrip().startswith(">>> ")
        if starts and not inside:
            lines.append("```python")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line.rstrip())
    return "\n".join([*lines, "```"] if inside else lines) + "\n"


PLAIN = {
    "persistable": "Whether it is kept beyond one run of a program, as parameters are.",
    "dynamic_dims": "The axes whose sizes `jit.marker.dynamic_dims` declared to vary.",
    "placements": "How it is marked to lie on the ranks of `process_mesh`; None without a mark.",
    "process_mesh": "The grid of ranks that it is marked to lie on; None without a mark.",
}  # attributes of tensors that have no docstring; others without one aren't public


def tensor_page() -> str:
    """Methods and attributes of tensors; in-place variants and namesakes of functions by name only."""
    import vitrify

    methods: list[str] = []
    same: list[str] = []
    in_place: list[str] = []
    for name in sorted(n for n in dir(Tensor) if not n.startswith("_")):
        thing = inspect.getattr_static(Tensor, name)
        if name.endswith("_") and hasattr(Tensor, name[:-1]):
            in_place.append(f"`{name}`")
        elif name in vitrify.__all__ and callable(thing):
            same.append(f"`{name}`")
        elif callable(thing):
            methods.append(f"* `.{name}{signature(thing)}`: {first_line(thing)}")
        elif name in PLAIN or hasattr(thing, "__get__"):
            methods.append(f"* `.{name}`: {PLAIN.get(name) or first_line(thing)}")
    return "\n".join(
        [
            "# vt.Tensor\n", NOTE, markdown(inspect.getdoc(Tensor) or ""), "## Methods and attributes\n", *methods,
            "\n## Functions of `vt` with the tensor as first argument\n", ", ".join(same) + ".\n",
            "## In place\n", ", ".join(in_place) + ".\n",
        ]
    )  # fmt: skip


def index(made: dict[str, str]) -> str:
    """The list of pages."""
    rows = [f"* [{name.removesuffix('.md')}]({name})" for name in sorted(made) if name != "coverage.md"]
    table = "* [coverage](coverage.md): PaddlePaddle's names, and which of them are here"
    return "\n".join(["# Reference\n", NOTE, *rows, table, ""])


def outdated(made: dict[str, str]) -> list[str]:
    """The pages whose file is missing, different, or of no namespace any more."""
    changed = [n for n, text in made.items() if not (FOLDER / n).is_file() or (FOLDER / n).read_text() != text]
    return sorted([*changed, *(file.name for file in FOLDER.glob("*.md") if file.name not in made)])


def main() -> int:
    """Write the pages, or only say which differ."""
    made = pages()
    stale = outdated(made)
    if "--check" in sys.argv[1:]:
        print("\n".join(stale) or "up to date")
        return int(bool(stale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in made:
            (FOLDER / name).write_text(made[name])
        else:
            (FOLDER / name).unlink()
    print(f"{len(made)} pages, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
