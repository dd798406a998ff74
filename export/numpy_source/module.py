"""A saved model as a folder that runs with NumPy alone: model.py, weights.npz, selftest.npz."""

from __future__ import annotations

import ast
import io
import itertools
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import DTypeError, VitrifyError
from ...base.files import place_folder
from ...ir.core import Operation, Program, Value
from ...ir.interpret import Run, bind_sizes, check_constraints
from ...ir.walk import clone_program, walk
from ...ops.dims import Dim, concrete
from ...ops.types import TensorType
from ...passes.algebra.cse import CommonSubexpressions
from ...passes.algebra.dce import DeadCode
from ...runtime.artifact import Artifact, Method
from .helpers import Helpers, identifier
from .literals import scalar_type
from .printer import FunctionPrinter
from .signature import built, numbers, parameters, paths

MODULE, WEIGHTS, SELFTEST = "model.py", "weights.npz", "selftest.npz"
_INDENT = "    "
MOST_STEPS = 100_000  # operations of the examples of one method
Array = np.ndarray[Any, Any]

_HEAD = '''"""{title}

Python and NumPy are all it needs. `import model` and call {calls};
`python model.py` runs the stored examples.
"""

from __future__ import annotations

{imports}

import numpy as np

Array = np.ndarray[Any, Any]
FOLDER = Path(__file__).resolve().parent
with np.load(FOLDER / "weights.npz") as _file:
    WEIGHTS: dict[str, Array] = dict(_file)  # parameters, buffers and large constants; methods may update them
'''

_AS_INPUT = '''def as_input(name: str, value: Any, dtype: Any, shape: tuple[int | None, ...]) -> Array:
    """An argument as an array; TypeError or ValueError where it isn't what the model was saved for."""
    array = np.asarray(value)
    if array.dtype != dtype:
        raise TypeError(f"{name} must be {np.dtype(dtype)}, not {array.dtype}")
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape)):
        raise ValueError(f"{name} must have the shape {list(shape)}, not {list(array.shape)}")
    return array
'''

_CALL_PYTHON = '''CALLBACKS: dict[str, Callable[..., Any]] = {}  # fill in: functions from arrays to arrays, by name


def call_python(name: str, count: int, *arrays: Any) -> tuple[Array, ...]:
    """The results of a Python function that the model calls."""
    if name not in CALLBACKS:
        raise RuntimeError(f"the model calls {name}, which isn't part of it: set CALLBACKS[{name!r}]")
    made = CALLBACKS[name](*(np.array(a) for a in arrays))
    found = tuple(made) if isinstance(made, (tuple, list)) else (made,)
    if len(found) != count:
        raise RuntimeError(f"{name} returned {len(found)} results, the model expects {count}")
    return tuple(np.asarray(a) for a in found)
'''

_SELF_TEST = '''def compare(method: str, made: Any, stored: dict[str, Array]) -> None:
    """AssertionError where results differ from the stored ones by more than rounding."""
    found = list(leaves(made))
    expected = [stored[f"{{method}}.out.{{k}}"] for k in range(len(found))]
    for k, (a, b) in enumerate(zip(found, expected)):
        close = np.asarray(a).shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
        assert close, f"{{method}}: result {{k}} isn't the stored one"


def leaves(value: Any) -> Iterator[Any]:
    """The arrays and numbers in nested results."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, (np.ndarray, np.generic, int, float, complex)):
        yield value


def self_test() -> None:
    """Run the stored examples."""
    with np.load(FOLDER / "selftest.npz") as file:
        stored = dict(file)
    kept = dict(WEIGHTS)
{calls}

if __name__ == "__main__":
    self_test()
    print("ok")
'''


def save_python(
    artifact: Artifact,
    path: str | os.PathLike[str],
    callbacks: Mapping[str, Callable[..., Any]] | None = None,
    *,
    version: str = "",
) -> Path:
    """Write a folder with model.py, its weights and examples; it appears whole or not at all. Returns its path.

    callbacks: what the programs call, for the examples' results.
    Errors: ArgumentError for operations that NumPy alone can't run, DTypeError for bfloat16.
    """
    examples, calls = _examples(artifact, callbacks or {})
    text, arrays = source_of_artifact(artifact, calls, version)
    parts = {MODULE: text.encode(), WEIGHTS: _npz(arrays), SELFTEST: _npz(examples)}
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    place_folder(target, parts, MODULE)
    return target


def source_of_artifact(artifact: Artifact, calls: str = "", version: str = "") -> tuple[str, dict[str, Array]]:
    """The text of model.py and the arrays that it reads."""
    for name, array in artifact.weights.items():
        if array.dtype.kind not in "biufc":
            raise DTypeError(f"{name} is {array.dtype}, which NumPy alone doesn't have", remedy="save it in float32")
    helpers = Helpers()
    helpers.names.helpers |= {"WEIGHTS", "FOLDER", "Array", "Path", "as_input", "call_python", "compare", "leaves"}
    helpers.names.helpers |= {"CALLBACKS", "self_test", "Callable", "Iterator", *artifact.methods}
    arrays = dict(artifact.weights)
    classes: dict[str, list[str]] = {}
    bodies = [_method(name, m, helpers, arrays, classes) for name, m in artifact.methods.items()]
    definitions = [f"{n} = namedtuple({n!r}, {fields!r})\n" for n, fields in classes.items()]
    calling = (
        [_CALL_PYTHON]
        if any(o.name == "callback" for m in artifact.methods.values() for o in walk(m.program.body))
        else []
    )
    shown = ", ".join(f"`{n}`" for n in artifact.methods)
    body = [_AS_INPUT, *calling, *helpers.definitions.values(), *definitions, *bodies, _SELF_TEST.format(calls=calls)]
    text = "\n\n".join(part.strip("\n") + "\n" for part in body)
    title = f"A model saved by vitrify{f' {version}' if version else ''}."
    head = _HEAD.format(title=title, calls=shown, imports=_imports(text))
    return f"{head}\n\n{text}", arrays


def assembled(helpers: Helpers, body: str) -> str:
    """Imports, helpers, then `body`: a module without weights."""
    parts = [f"{text}\n" for text in helpers.definitions.values()]
    text = "\n\n".join([*parts, body])
    return f"from __future__ import annotations\n\n{_imports(text)}\n\nimport numpy as np\n\n\n{text}"


def _imports(text: str) -> str:
    lines = [
        f"import {name}" for name in ("functools", "itertools", "math", "operator") if re.search(rf"\b{name}\.", text)
    ]
    if "namedtuple(" in text:
        lines.append("from collections import namedtuple")
    used = [name for name in ("Callable", "Iterator") if re.search(rf"\b{name}\b", text)]
    if used:
        lines.append(f"from collections.abc import {', '.join(used)}")
    return "\n".join([*lines, "from pathlib import Path", "from typing import Any"])


# ---- methods


def _method(
    name: str, method: Method, helpers: Helpers, arrays: dict[str, Array], classes: dict[str, list[str]]
) -> str:
    program = clone_program(method.program)
    CommonSubexpressions().run(program)
    DeadCode().run(program)
    printer = FunctionPrinter(program, helpers, arrays)
    leaves = [str(leaf["name"]) for leaf in method.inputs["leaves"]]
    listed = parameters(method.inputs["tree"], leaves)
    names = [printer.variable(n) for n, _ in listed]
    values = iter(program.feed_values)
    for parameter, (_, tree) in zip(names, listed, strict=True):
        for place in paths(tree, parameter):
            value = next(values)
            variable = parameter if place == parameter else printer.variable(value.hint or identifier(place))
            _argument(printer, variable, place, value)
    printer.bind_sizes(program.feed_values)
    for relation, dim in program.constraints:
        printer.write(f"if not {dim} {relation} 0:")
        printer.write(f"    raise ValueError('the model was saved for sizes with {dim} {relation} 0')")
    for entry, value in zip(program.state, program.state_values, strict=True):
        if value.uses:
            printer.write(f"{printer.name(value, entry.name)} = WEIGHTS[{entry.name!r}]")
    printer.block(program.body)
    results = built(method.outputs["tree"], iter([_output(printer, o) for o in method.outputs["leaves"]]), classes)
    printer.write(f"return {results}")
    given = ", ".join(
        f"{n}: {'Any' if tree['kind'] != 'leaf' else 'Array'}" for n, (_, tree) in zip(names, listed, strict=True)
    )
    types = ", ".join(f"{leaf['name']}: {leaf['type']}" for leaf in method.inputs["leaves"])
    fetched = ", ".join(str(v.type) for v in program.fetches)
    head = [
        '@np.errstate(all="ignore")',
        f"def {name}({given}) -> Any:",
        f'{_INDENT}"""{types or "nothing"} -> {fetched or "nothing"}."""',
    ]
    return "\n".join([*head, *printer.lines])


def _argument(printer: FunctionPrinter, variable: str, place: str, value: Value) -> None:
    kind = value.tensor_type
    shape = ", ".join("None" if isinstance(d, Dim) else str(d) for d in kind.shape)
    shape = f"({shape},)" if kind.rank == 1 else f"({shape})"
    printer.write(
        f"{variable} = as_input({value.hint or variable!r}, {place}, {scalar_type(kind.dtype.numpy)}, {shape})"
    )
    printer.texts[value] = ast.Name(variable, ast.Load())
    for axis, dim in enumerate(kind.shape):
        others = [(v, k) for v in printer.program.feed_values for k, d in enumerate(v.shape) if d == dim]
        first, place_of_first = others[0]
        if isinstance(dim, Dim) and (first is not value or place_of_first != axis):
            printer.write(f"if {variable}.shape[{axis}] != {printer.text(first)}.shape[{place_of_first}]:")
            printer.write(f"    raise ValueError('{variable} must have the size {dim} on axis {axis}')")


def _output(printer: FunctionPrinter, leaf: Mapping[str, Any]) -> str:
    number = leaf["number"]
    if leaf["kind"] == "fetch":
        return f"np.array({printer.text(printer.program.fetches[number])})"
    if leaf["kind"] == "array":
        return f"np.array({printer.text(printer.program.fetches[number])})"
    if leaf["kind"] == "scalar":
        return f"np.asarray({printer.text(printer.program.fetches[number])})[()]"
    if leaf["kind"] == "number":
        return f"np.asarray({printer.text(printer.program.fetches[number])}).item()"
    if leaf["kind"] == "argument":
        return printer.text(printer.program.feed_values[number])
    return f"WEIGHTS[{printer.program.state[number].name!r}]"


# ---- examples


def _examples(artifact: Artifact, callbacks: Mapping[str, Callable[..., Any]]) -> tuple[dict[str, Array], str]:
    """Example inputs and results of each method, and the statements that compare them."""
    stored: dict[str, Array] = {}
    lines: list[str] = []
    for name, method in artifact.methods.items():
        feeds, made = example_of(method.program, artifact.weights, callbacks)
        if feeds is None:
            lines.append(f'print("{name}: no example is stored")')
            continue
        keys = [f"{name}.in.{k}" for k in range(len(feeds))]
        stored |= dict(zip(keys, feeds, strict=True))
        leaves = iter(
            [_stored_output(o, method.program, made, feeds, artifact.weights) for o in method.outputs["leaves"]]
        )
        found = numbers(method.outputs["tree"], leaves)
        stored |= {f"{name}.out.{k}": np.asarray(value) for k, value in enumerate(found)}
        places = iter([f"stored[{key!r}]" for key in keys])
        args = []
        for _, tree in parameters(method.inputs["tree"], [str(leaf["name"]) for leaf in method.inputs["leaves"]]):
            args.append(built(tree, places, {}))
        needed = sorted({str(o.attrs["callee"]) for o in walk(method.program.body) if o.name == "callback"})
        call = f"compare({name!r}, {name}({', '.join(args)}), stored)"
        if needed:
            lines.append(f"if not set({needed!r}) <= set(CALLBACKS):")
            lines.append(
                f'    print("{name}: not tested, as it calls Python functions that aren\'t part of the model")'
            )
            lines.append(f"else:\n        {call}")
        else:
            lines.append(call)
        lines.append("WEIGHTS.update(kept)")
    return stored, "".join(f"{_INDENT}{line}\n" for line in lines)


def _stored_output(
    leaf: Mapping[str, Any], program: Program, fetched: list[Array], feeds: list[Array], weights: Mapping[str, Array]
) -> Array:
    number = leaf["number"]
    if leaf["kind"] in ("fetch", "number", "array", "scalar"):
        return fetched[int(number)]
    return feeds[int(number)] if leaf["kind"] == "argument" else weights[program.state[int(number)].name]


def example_of(
    program: Program, weights: Mapping[str, Array], callbacks: Mapping[str, Callable[..., Any]]
) -> tuple[list[Array] | None, list[Array]]:
    """Inputs on which a program runs, and its results by the reference interpreter; (None, []) if none was found."""
    state = [weights[entry.name] for entry in program.state]
    left = [MOST_STEPS]
    for size, largest in itertools.product((2, 3, 5, 1, 8, 16, 32), (2, 1)):
        sizes = dict.fromkeys(program.symbols, size)
        try:
            check_constraints(program, sizes)
            feeds = [_example(v.tensor_type, sizes, k, largest) for k, v in enumerate(program.feed_values)]
            run = _Bounded(bind_sizes(program, [*feeds, *state]), dict(callbacks), left)
            run.env.update(zip(program.body.args, [*feeds, *state], strict=True))
            with np.errstate(all="ignore"):
                return feeds, run.block(program.body)
        except (VitrifyError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError, RuntimeError):
            if not program.feeds or left[0] < 0:
                break
    return None, []


class _Bounded(Run):
    """A run that gives up on loops that these inputs don't end."""

    def __init__(self, sizes: dict[str, int], callbacks: Mapping[str, Callable[..., Any]], left: list[int]) -> None:
        super().__init__(sizes, callbacks)
        self.left = left

    def operation(self, operation: Operation) -> None:
        """Carry one operation out, if there are any left."""
        self.left[0] -= 1
        if self.left[0] < 0:
            raise RuntimeError("the example takes too long")
        super().operation(operation)


def _example(kind: TensorType, sizes: dict[str, int], seed: int, largest: int) -> Array:
    shape = concrete(kind.shape, sizes)
    numbers = np.random.default_rng(seed).uniform(-1.0, 1.0, shape)
    if kind.dtype.is_floating or kind.dtype.is_complex:
        return np.asarray(numbers).astype(kind.dtype.numpy)
    return np.asarray((numbers > 0) * (largest - 1)).astype(kind.dtype.numpy)


def _npz(arrays: Mapping[str, Array]) -> bytes:
    """An uncompressed npz file, the same bytes for the same arrays."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), data.getvalue())
    return out.getvalue()
