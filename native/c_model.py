"""The C file of a model and its header: what checks arguments, and the function that runs the steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..ops.dims import Dim
from .c_sizes import c_product, c_size, symbol
from .c_text import c_text
from .plan import ALIGNMENT, LibraryPlan, Port

RUNTIME = Path(__file__).parent / "runtime.c"
HEADER = Path(__file__).parent / "model.h"
FUNCTIONS = ("memory", "create", "run", "reset", "state", "last_error")
CODES = (
    ("OK", "the outputs are there"),
    ("NULL", "a pointer is null"),
    ("SHAPE", "an input's or output's shape isn't the model's"),
    ("LIMIT", "a size or a list is larger than the library was built for"),
    ("CHECK", "a check of the program failed; the outputs aren't complete"),
    ("OVERLAP", "an output overlaps an input or another output"),
    ("ALIGN", "an array isn't aligned to its elements"),
)


def header_text(plan: LibraryPlan, prefix: str, description: str) -> str:
    """The header of a model."""
    upper = prefix.upper()
    codes = "\n".join(f"    {upper}_{name} = {k}, /* {what} */" for k, (name, what) in enumerate(CODES))
    ports = "\n".join(
        f" *   {kind} {k}: {port.name}, {port.type}"
        for kind, group in (("input", plan.inputs), ("output", plan.outputs))
        for k, port in enumerate(group)
    )
    for k, (name, array, _) in enumerate(plan.state):
        ports += f"\n *   state {k}: {name}, {array.dtype}{list(array.shape)}"
    limits = "".join(f" *   {name} is at most {most}\n" for name, most in plan.limits.items())
    parts = {
        "DESCRIPTION": description, "PORTS": ports, "LIMITS": limits, "CODES": codes, "INPUTS": len(plan.inputs),
        "OUTPUTS": len(plan.outputs), "STATES": len(plan.state), "UPPER": upper, "PREFIX": prefix,
    }  # fmt: skip
    text = HEADER.read_text()
    for name, part in parts.items():
        text = text.replace(f"@{name}@", str(part))
    return text


def model_text(
    plan: LibraryPlan, prefix: str, steps: Sequence[str], symbols: Mapping[str, str], constants: Mapping[int, int]
) -> str:
    """The C file. steps: what runs the program; symbols: the linker's name of each kernel by its name there."""
    body = [f"    {line}" for line in steps]
    lines = [
        f'#include "{prefix}.h"',
        "#include <string.h>",
        "",
        '#define HIDDEN __attribute__((visibility("hidden")))',
        RUNTIME.read_text(),
        "VT_PRODUCT(vt_product_f32, float)" if any("vt_product_f32" in line for line in body) else "",
        "VT_PRODUCT(vt_product_f64, double)" if any("vt_product_f64" in line for line in body) else "",
        f"extern HIDDEN const unsigned char {prefix}_weights[];" if constants else "",
        *(f"#define {local} {name}" for local, name in symbols.items()),
        *(f"extern HIDDEN void {local}(int64_t, int64_t, int64_t, int64_t);" for local in symbols),
        "",
        f"struct {prefix}_model {{",
        "    const char *error;",
        "    unsigned char *arena;",
        "};",
        "",
        f"static int fail({prefix}_model *model, int code, const char *text) {{",
        "    model->error = text;",
        "    return code;",
        "}",
        "",
        *_memory(plan, prefix, constants),
        *_checks(plan, prefix),
        *_run(plan, prefix, body),
    ]
    return "\n".join(lines) + "\n"


def _memory(plan: LibraryPlan, prefix: str, constants: Mapping[int, int]) -> Iterator[str]:
    """All functions but `run`."""
    whole = f"sizeof({prefix}_model) + {plan.bytes + 2 * ALIGNMENT}"
    yield f"size_t {prefix}_memory(void) {{ return {whole}; }}"
    yield ""
    yield f"{prefix}_model *{prefix}_create(void *arena, size_t size) {{"
    yield f"    if (arena == NULL || size < {prefix}_memory()) return NULL;"
    yield f"    {prefix}_model *model = ({prefix}_model *)(((uintptr_t)arena + 15) / 16 * 16);"
    yield '    model->error = "";'
    yield f"    uintptr_t start = (uintptr_t)(model + 1) + {ALIGNMENT - 1};"
    yield f"    model->arena = (unsigned char *)(start / {ALIGNMENT} * {ALIGNMENT});"
    yield f"    {prefix}_reset(model);"
    yield "    return model;"
    yield "}"
    yield ""
    yield f"void {prefix}_reset({prefix}_model *model) {{"
    yield "    if (model == NULL) return;"
    for name, array, place in plan.state:
        source = constants[id(array)]
        yield f"    memcpy(model->arena + {place}, {prefix}_weights + {source}, {array.nbytes}); /* {name} */"
    yield "}"
    yield ""
    yield f"void *{prefix}_state({prefix}_model *model, int number, size_t *bytes) {{"
    yield f"    static const size_t sizes[] = {{{_list(array.nbytes for _, array, _ in plan.state)}}};"
    yield f"    static const size_t places[] = {{{_list(place for _, _, place in plan.state)}}};"
    yield f"    if (model == NULL || number < 0 || number >= {len(plan.state)}) return NULL;"
    yield "    if (bytes != NULL) *bytes = sizes[number];"
    yield "    return model->arena + places[number];"
    yield "}"
    yield ""
    yield f"const char *{prefix}_last_error(const {prefix}_model *model) {{"
    yield '    return model == NULL ? "the model is null" : model->error;'
    yield "}"
    yield ""


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers)) or "0"


def _checks(plan: LibraryPlan, prefix: str) -> Iterator[str]:
    """The function that looks at shapes, and finds the open sizes in them."""
    upper = prefix.upper()
    sizes = [f"int64_t *{symbol(name)}" for name in plan.limits]
    ports = [f"const {prefix}_tensor *inputs", f"const {prefix}_tensor *outputs"]
    yield f"static int check({', '.join([f'{prefix}_model *model', *ports, *sizes])}) {{"
    yield f"    if (inputs == NULL && {len(plan.inputs)} || outputs == NULL && {len(plan.outputs)})"
    yield f'        return fail(model, {upper}_NULL, "the inputs or outputs are null");'
    for group, found in (("inputs", plan.inputs), ("outputs", plan.outputs)):
        for k, port in enumerate(found):
            yield from _null_checks(port, f"{group}[{k}]", upper)
    for name, (k, axis) in _homes(plan).items():
        yield f"    *{symbol(name)} = inputs[{k}].shape[{axis}];"
        yield f"    if (*{symbol(name)} < 0 || *{symbol(name)} > {plan.limits[name]})"
        yield f'        return fail(model, {upper}_LIMIT, "{name} isn\'t from 0 to {plan.limits[name]}");'
    for name in plan.limits:
        yield f"    const int64_t {symbol(name)}_ = *{symbol(name)};"
        yield f"#define {symbol(name)} {symbol(name)}_"
    for relation, size in plan.program.constraints:
        text = c_text(f"the sizes don't fit the model: {size} {relation} 0 doesn't hold")
        yield f'    if (!({c_size(size)} {relation} 0)) return fail(model, {upper}_SHAPE, "{text}");'
    for group, found in (("inputs", plan.inputs), ("outputs", plan.outputs)):
        for k, port in enumerate(found):
            yield from _shape_checks(port, f"{group}[{k}]", upper)
    yield from _overlap_checks(plan, upper)
    yield from _plan_checks(plan, upper)
    for name in plan.limits:
        yield f"#undef {symbol(name)}"
    yield f"    return {upper}_OK;"
    yield "}"
    yield ""


def _homes(plan: LibraryPlan) -> dict[str, tuple[int, int]]:
    """The input and axis that show each open size."""
    homes: dict[str, tuple[int, int]] = {}
    for k, port in enumerate(plan.inputs):
        for axis, size in enumerate(port.type.shape):
            if isinstance(size, Dim) and str(size) in plan.limits:
                homes.setdefault(str(size), (k, axis))
    return homes


def _null_checks(port: Port, place: str, upper: str) -> Iterator[str]:
    yield f'    if ({place}.data == NULL) return fail(model, {upper}_NULL, "{c_text(port.name)} is null");'
    yield f"    if ((uintptr_t){place}.data % {port.type.dtype.itemsize} != 0)"
    yield f'        return fail(model, {upper}_ALIGN, "{c_text(port.name)} isn\'t aligned to its elements");'
    if any(isinstance(size, Dim) for size in port.type.shape):
        yield f'    if ({place}.shape == NULL) return fail(model, {upper}_NULL, "{c_text(port.name)} has no shape");'


def _shape_checks(port: Port, place: str, upper: str) -> Iterator[str]:
    tests = [f"{place}.shape[{k}] != {c_size(size)}" for k, size in enumerate(port.type.shape)]
    if tests:
        text = c_text(f"the shape of {port.name} isn't that of {port.type}")
        yield f"    if ({place}.shape != NULL && ({' || '.join(tests)}))"
        yield f'        return fail(model, {upper}_SHAPE, "{text}");'


def _overlap_checks(plan: LibraryPlan, upper: str) -> Iterator[str]:
    def place(group: str, k: int, port: Port) -> str:
        return f"{group}[{k}].data, {_bytes(port)}"

    for k, port in enumerate(plan.outputs):
        others = [("inputs", j, other) for j, other in enumerate(plan.inputs)]
        others += [("outputs", j, other) for j, other in enumerate(plan.outputs[:k])]
        for group, j, other in others:
            text = c_text(f"{port.name} overlaps {other.name}")
            yield f"    if (vt_overlap({place('outputs', k, port)}, {place(group, j, other)}))"
            yield f'        return fail(model, {upper}_OVERLAP, "{text}");'


def _plan_checks(plan: LibraryPlan, upper: str) -> Iterator[str]:
    """That no buffer is larger than it was planned, which a size may be somewhere between none and its limit."""
    open_sizes = {(c_size(b.bytes), room) for b, (_, room) in plan.places.items() if isinstance(b.bytes, Dim)}
    failure = f'return fail(model, {upper}_LIMIT, "these sizes need more memory than was planned");'
    for text, room in sorted(open_sizes):
        yield f"    if ({text} > {room}) {failure}"


def _run(plan: LibraryPlan, prefix: str, body: Sequence[str]) -> Iterator[str]:
    """`run`: checks, then the steps."""
    names = list(plan.limits)
    yield f"int {prefix}_run({prefix}_model *model, const {prefix}_tensor *inputs, const {prefix}_tensor *outputs) {{"
    yield f"    if (model == NULL) return {prefix.upper()}_NULL;"
    yield '    model->error = "";'
    for name in names:
        yield f"    int64_t {symbol(name)} = 0;"
    yield f"    int wrong = check({', '.join(['model', 'inputs', 'outputs', *(f'&{symbol(n)}' for n in names)])});"
    yield "    if (wrong) return wrong;"
    yield "    unsigned char *const arena = model->arena;"
    for k in range(len(plan.inputs)):
        yield f"    unsigned char *const in{k} = inputs[{k}].data;"
    for k in range(len(plan.outputs)):
        yield f"    unsigned char *const out{k} = outputs[{k}].data;"
    unused = [*(f"in{k}" for k in range(len(plan.inputs))), *(f"out{k}" for k in range(len(plan.outputs)))]
    yield "    " + " ".join(f"(void){name};" for name in ["arena", *unused, *map(symbol, names)])
    for k in range(len(plan.lists)):
        yield f"    int64_t used{k} = 0;"
    yield from body
    yield f"    return {prefix.upper()}_OK;"
    yield "}"


def _bytes(port: Port) -> str:
    return c_product([*port.type.shape, port.type.dtype.itemsize])
