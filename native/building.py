"""`build`: a function, layer or artifact as a C library with a header, for one platform."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from ..base.errors import ArgumentError, KindError
from ..base.files import place_file
from ..base.target import using_target
from ..ir.core import Program
from ..jit.serialize.load import load as load_artifact
from ..jit.serialize.save import captured_forward, evaluating
from ..ops.types import TensorType
from ..runtime.codegen.target_machine import emit_object, target_machine
from ..runtime.kernel_cache import object_code
from . import loader
from .c_choice import choice_text
from .c_example import example_text
from .c_model import CPP_HEADER, FUNCTIONS, HEADER, header_text, model_text
from .c_steps import StepWriter
from .c_weights import weights_file
from .linker import check_compiler, compile_c, link_archive, link_shared
from .plan import ALIGNMENT, Constants, LibraryPlan, Port, plan_library
from .platforms import Platform, platform_of

MOST_ITEMS = 256
_ESCAPED = [f"\\{byte:02x}" for byte in range(256)]


def build(
    model: Any, input_spec: Any, path: str | os.PathLike[str], target: str = "x86_64-linux", *,
    name: str | None = None, limits: Mapping[str, int] | None = None, list_items: int = MOST_ITEMS,
    callbacks: Mapping[str, str] | None = None, weights: str = "inside",
) -> Path:  # fmt: skip
    """Write a C library of a layer, function, program or artifact, in inference mode, to the folder `path`.

    model: an artifact is given by its path, or loaded. input_spec: InputSpecs or example tensors, as for
    `jit.save`; None for a program or an artifact, which has its own.

    The folder gets lib<name>.so, lib<name>.a, <name>.h, <name>.hpp (C++), main.c (an example), <name>.py (calls it with
    NumPy alone) and manifest.json. name: of the model, in front of all C names; by default the folder's. limits: the
    largest value of each open size. list_items: how many items a list of the program may have. callbacks:
    {"name": "c"} for each Python operator of the program that a function of the host's stands for; <name>_bind tells
    which. weights: "inside" the library, or "beside" it as <name>.safetensors, which <name>_map maps from disk.
    Errors: ArgumentError for an unknown target, a bad name, missing limits, and for what runs in Python, with the
    user's line; MissingDependencyError without the extra `native`. Nothing is written then.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise KindError(f"native.build writes to a path, not to a {type(path).__name__}")
    folder = Path(path)
    chosen = _c_name(folder.name if name is None else name)
    platform = platform_of(target)
    _check_callbacks(callbacks or {})
    if weights not in ("inside", "beside"):
        raise ArgumentError(f"weights is {weights!r}", remedy='"inside" the library, or "beside" it')
    check_compiler()
    program, arrays, names = captured(model, input_spec)
    with tempfile.TemporaryDirectory() as scratch:
        made = _Build(chosen, platform, Path(scratch), weights == "beside")
        for part in platform.parts.values():
            with using_target(part.target):
                made.add(plan_library(program, arrays, names, dict(limits or {}), list_items, list(callbacks or {})))
        for plan, (suffix, part) in zip(made.plans, platform.parts.items(), strict=True):
            with using_target(part.target):
                made.part(plan, part, suffix)
        with using_target(platform.target):
            made.write()
        folder.mkdir(parents=True, exist_ok=True)
        for file in made.files:
            place_file(folder / file.name, file.read_bytes())
    return folder


def _c_name(name: str) -> str:
    """A prefix for C names. Errors: ArgumentError."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise ArgumentError(f"{name!r} can't begin names of C", remedy="give name=, of letters, digits and _")
    return name


def _check_callbacks(callbacks: Mapping[str, str]) -> None:
    """Errors: ArgumentError for what isn't a binding."""
    for name, kind in callbacks.items():
        if kind != "c":
            raise ArgumentError(
                f"the callback {name} is bound to {kind!r}", remedy='"c" is all there is: a function that C binds'
            )


def captured(model: Any, input_spec: Any) -> tuple[Program, Mapping[str, Any], Sequence[str]]:
    """The program, its weights and the names of its outputs."""
    if isinstance(model, Program):
        if model.state:
            raise ArgumentError(
                f"{model.name} has state, whose values a program doesn't hold", remedy="build the layer"
            )
        return model, {}, [f"output_{k}" for k in range(len(model.fetches))]
    layer = load_artifact(model) if isinstance(model, (str, os.PathLike)) else model
    with evaluating(layer):
        captured = captured_forward(layer, input_spec, {})
    return captured.program, captured.weights, captured.output_names


class _Build:
    """One build, in a folder that goes away. Call `add`, then `part`, for each set of instructions, then `write`."""

    def __init__(self, name: str, platform: Platform, folder: Path, beside: bool) -> None:
        self.name, self.platform, self.folder = name, platform, folder
        self.files: list[Path] = []
        self.plans: list[LibraryPlan] = []
        self.constants = Constants(f"{name}_weights", beside)
        self.objects: dict[str, Path] = {}  # by name, as two parts may call the same kernel

    def add(self, plan: LibraryPlan) -> None:
        """A plan, whose constants lie with those of the other ones."""
        if not self.plans:
            description = f"{plan.name}, made by vitrify for {self.platform.name}."
            for ending, source in ((".h", HEADER), (".hpp", CPP_HEADER)):
                text = header_text(plan, self.name, description, self.constants.beside, source)
                self.text(f"{self.name}{ending}", text)
        self.plans.append(plan)
        self.constants.add(plan)

    def part(self, plan: LibraryPlan, platform: Platform, suffix: str = "") -> None:
        """The code of one platform, which is the current target. suffix: behind the names of its functions."""
        name = self.name
        writer = StepWriter(plan, name, self.constants)
        steps = list(writer.lines())
        codes = {local: object_code(kernel) for kernel, local in writer.kernels.items()}
        symbols = {local: symbol for local, (symbol, _) in codes.items()}
        for symbol, code in dict(codes.values()).items():
            self.objects[symbol] = self.object(symbol, code)
        renamed = {f"{name}_{function}": f"{name}{suffix}_{function}" for function in FUNCTIONS} if suffix else {}
        self.compile(f"{name}{suffix}", model_text(plan, name, steps, symbols, self.constants), platform, renamed)

    def compile(self, file: str, text: str, platform: Platform, renamed: Mapping[str, str]) -> None:
        """An object file of C. renamed: names in it; functions that are renamed aren't seen outside of the library."""
        source, made = self.folder / f"{file}.c", self.folder / f"{file}.o"
        source.write_text(text)
        names = [f"-D{old}={new}" for old, new in renamed.items()]
        compile_c(platform, source, made, self.folder, [*names, f"-D{self.name.upper()}_API="] if names else [])
        self.objects[file] = made

    def write(self) -> None:
        """All files."""
        plan, name = self.plans[0], self.name
        if self.platform.variants:
            self.compile(name, choice_text(name), self.platform, {})
        if self.constants.beside:
            self.text(f"{name}.safetensors", weights_file(self.constants))
        elif self.constants.content:
            self.objects[self.constants.symbol] = self.weights(bytes(self.constants.content))
        shared, archive = self.folder / self.platform.shared.format(name), self.folder / f"lib{name}.a"
        objects = list(self.objects.values())
        link_shared(self.platform, objects, shared, [f"{name}_{function}" for function in FUNCTIONS])
        link_archive(objects, archive)
        self.files += [shared, archive]
        self.text("main.c", example_text(plan, name, self.constants.beside))
        self.text(f"{name}.py", Path(loader.__file__).read_text())
        self.text("manifest.json", json.dumps(self.manifest(shared.name), indent=1) + "\n")

    def manifest(self, library: str) -> dict[str, Any]:
        """What whoever calls the library without its header has to know."""

        def types(kind: TensorType) -> dict[str, Any]:
            shape = [size if isinstance(size, int) else str(size) for size in kind.shape]
            return {"dtype": kind.dtype.name, "shape": shape}

        def port(one: Port) -> dict[str, Any]:
            return {"name": one.name} | types(one.type)

        plan, platform = self.plans[0], self.platform
        return {
            "format": loader.FORMAT, "name": self.name, "program": plan.name, "library": library,
            "target": platform.name, "cpu": platform.target.cpu, "features": platform.target.features,
            "limits": plan.limits,
            "inputs": [port(one) for one in plan.inputs], "outputs": [port(one) for one in plan.outputs],
            "state": [{"name": n, "dtype": str(a.dtype), "shape": list(a.shape)} for n, a, _ in plan.state],
            "callbacks": [
                {"name": one.name, "inputs": [types(t) for t in one.inputs], "outputs": [types(t) for t in one.outputs]}
                for one in plan.callbacks
            ],
            "memory": max(one.bytes for one in self.plans), "weights": len(self.constants.content),
            "weights_file": f"{self.name}.safetensors" if self.constants.beside else None,
            "made_by": f"vitrify {_version()}, LLVM {llvm.llvm_version_info[0]}",
        }  # fmt: skip

    def text(self, name: str, content: str | bytes) -> None:
        """One file of the result."""
        file = self.folder / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        self.files.append(file)

    def object(self, symbol: str, code: bytes) -> Path:
        """An object file of a kernel."""
        file = self.folder / f"{symbol}.o"
        file.write_bytes(code)
        return file

    def weights(self, content: bytes) -> Path:
        """An object file of the constants."""
        text = "".join(map(_ESCAPED.__getitem__, content))
        module = llvm.parse_assembly(
            f'@{self.name}_weights = hidden constant [{len(content)} x i8] c"{text}", align {ALIGNMENT}'
        )
        machine = target_machine()
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        file = self.folder / f"{self.name}_weights.o"
        file.write_bytes(emit_object(module))
        return file


def _version() -> str:
    try:
        return metadata.version("vitrify")
    except metadata.PackageNotFoundError:
        return ""
