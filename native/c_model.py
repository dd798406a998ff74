"""The C file of a model and its header: what checks arguments, and the function that runs the steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..ops.dims import Dim
from .c_sizes import c_product, c_size, symbol
from .c_text import c_text
from .c_weights import no_weights_text, weights_text
from .plan import ALIGNMENT, Constants, LibraryPlan, Port

RUNTIME = Path(__file__).parent / "runtime.c"
HEADER = Path(__file__).parent / "model.h"
CPP_HEADER = Path(__file__).parent / "model.hpp"
FUNCTIONS = (
    "memory", "create", "run", "reset", "state", "bind", "attach", "map", "unmap", "threads", "last_error",
)  # fmt: skip
CODES = (
    ("OK", "the outputs are there"),
    ("NULL", "a pointer is null"),
    ("SHAPE", "an input's or output's shape isn't the model's"),
    ("LIMIT", "a size or a list is larger than the library was built for"),
    ("CHECK", "a check of the program failed; the outputs aren't complete"),
    ("OVERLAP", "an output overlaps an input or another output"),
    ("ALIGN", "an array isn't aligned to its elements"),
    ("CALLBACK", "a callback isn't bound, or gave an error; the outputs aren't complete"),
    ("WEIGHTS", "there are no weights yet, or not those that the library was built for"),
    ("FILE", "the file of the weights can't be read"),
)


def header_text(plan: LibraryPlan, prefix: str, description: str, beside: bool = False, source: Path = HEADER) -> str:
    """The header of a model, or another file with the same places to fill in."""
    upper = prefix.upper()
    codes = "\n".join(f"    {upper}_{name} = {k}, /* {what} */" for k, (name, what) in enumerate(CODES))
    ports = "\n".join(
        f" *   {kind} {k}: {port.name}, {port.type}"
        for kind, group in (("input", plan.inputs), ("output", plan.outputs))
        for k, port in enumerate(group)
    )
    for k, (name, array, _) in enumerate(plan.state):
        ports += f"\n *   state {k}: {name}, {array.dtype}{list(array.shape)}"
    for k, one in enumerate(plan.callbacks):
        taken, given = ", ".join(map(str, one.inputs)), ", ".join(map(str, one.outputs))
        ports += f"\n *   callback {k}: {one.name}, ({taken}) -> {given}"
    limits = "".join(f" *   dim {k}: {name}, at most {most}\n" for k, (name, most) in enumerate(plan.limits.items()))
    parts = {
        "DESCRIPTION": description, "PORTS": ports, "LIMITS": limits, "CODES": codes, "INPUTS": len(plan.inputs),
        "OUTPUTS": len(plan.outputs), "STATES": len(plan.state), "UPPER": upper, "PREFIX": prefix,
        "WEIGHTS": f"in {prefix}.safetensors, given by {prefix}_map or {prefix}_attach" if beside else "in the library",
    }  # fmt: skip
    text = source.read_text()
    for name, part in parts.items():
        text = text.replace(f"@{name}@", str(part))
    return text


def model_text(
    plan: LibraryPlan, prefix: str, steps: Sequence[str], symbols: Mapping[str, str], constants: Constants
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
        f"extern HIDDEN const unsigned char {constants.symbol}[];" if constants.places and not constants.beside else "",
        *(f"#define {local} {name}" for local, name in symbols.items()),
        *(f"extern HIDDEN void {local}(int64_t, int64_t, int64_t, int64_t);" for local in symbols),
        "",
        f"struct {prefix}_model {{",
        "    const char *error;",
        "    unsigned char *arena;",
        "    const unsigned char *weights;",
        "    void *mapped;",
        "    size_t mapped_size;",
        "    vt_team team;",
        f"    struct {{ {prefix}_callback function; void *user; }} callbacks[{max(1, len(plan.callbacks))}];",
        f"    int64_t room, dims[{len(plan.limits)}], places[{max(1, len(plan.places))}];" if plan.limits else "",
        "};",
        "",
        f"static int fail({prefix}_model *model, int code, const char *text) {{",
        "    model->error = text;",
        "    return code;",
        "}",
        "",
        *_memory(plan, prefix, constants),
        *(weights_text(constants, prefix) if constants.beside else no_weights_text(prefix)),
        *_threads(prefix),
        *_checks(plan, prefix),
        *_run(plan, prefix, body, constants.beside),
    ]
    return "\n".join(lines) + "\n"


def _memory(plan: LibraryPlan, prefix: str, constants: Constants) -> Iterator[str]:
    """All functions but `run`."""
    yield from _layout(plan, prefix)
    yield f"size_t {prefix}_memory(const int64_t *dims) {{"
    yield f"    const size_t more = sizeof({prefix}_model) + {2 * ALIGNMENT};"
    yield from _layout_of_limits(plan) if plan.limits else [f"    (void)dims; return more + {plan.bytes};"]
    yield "}"
    yield ""
    yield f"{prefix}_model *{prefix}_create(void *arena, size_t size) {{"
    yield f"    if (arena == NULL || size < sizeof({prefix}_model) + {2 * ALIGNMENT} + {_least(plan)}) return NULL;"
    yield f"    {prefix}_model *model = ({prefix}_model *)(((uintptr_t)arena + 15) / 16 * 16);"
    yield "    memset(model, 0, sizeof *model);"
    yield '    model->error = "";'
    yield f"    uintptr_t start = (uintptr_t)(model + 1) + {ALIGNMENT - 1};"
    yield f"    model->arena = (unsigned char *)(start / {ALIGNMENT} * {ALIGNMENT});"
    if plan.limits:
        yield "    model->room = (int64_t)((uintptr_t)arena + size - (uintptr_t)model->arena);"
        yield f"    for (int k = 0; k < {len(plan.limits)}; k++) model->dims[k] = -1;"
    yield f"    {prefix}_reset(model);"
    yield "    return model;"
    yield "}"
    yield ""
    yield f"void {prefix}_reset({prefix}_model *model) {{"
    yield "    if (model == NULL) return;"
    if constants.beside:
        yield "    if (model->weights == NULL) return;"
    for name, array, place in plan.state:
        source = constants.places[id(array)]
        yield f"    memcpy(model->arena + {place}, {constants.start} + {source}, {array.nbytes}); /* {name} */"
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
    yield f"int {prefix}_bind({prefix}_model *model, int number, {prefix}_callback function, void *user) {{"
    yield f"    if (model == NULL || number < 0 || number >= {len(plan.callbacks)}) return {prefix.upper()}_NULL;"
    yield "    model->callbacks[number].function = function;"
    yield "    model->callbacks[number].user = user;"
    yield f"    return {prefix.upper()}_OK;"
    yield "}"
    yield ""
    yield f"const char *{prefix}_last_error(const {prefix}_model *model) {{"
    yield '    return model == NULL ? "the model is null" : model->error;'
    yield "}"
    yield ""


def _least(plan: LibraryPlan) -> int:
    """What a model needs for whatever sizes: its state and lists, or all if sizes are fixed."""
    return plan.start if plan.limits else plan.bytes


def _layout(plan: LibraryPlan, prefix: str) -> Iterator[str]:
    """The function that moves buffers together for the sizes of a run; it gives where the last one ends."""
    if not plan.limits:
        return
    numbers = {buffer: k for k, buffer in enumerate(plan.places)}
    yield "static int64_t layout(const int64_t *dims, int64_t *places) {"
    for k, name in enumerate(plan.limits):
        yield f"    const int64_t {symbol(name)} = dims[{k}]; (void){symbol(name)};"
    yield f"    int64_t end = {plan.start}, ends[{max(1, len(numbers))}];"
    yield "    (void)places; (void)ends;"
    for buffer, k in numbers.items():
        yield f"    places[{k}] = {plan.start};"
        for other in plan.below(buffer):
            yield f"    places[{k}] = vt_max(places[{k}], ends[{numbers[other]}]);"
        size = c_size(buffer.bytes)
        yield f"    ends[{k}] = places[{k}] + ({size} + {ALIGNMENT - 1}) / {ALIGNMENT} * {ALIGNMENT};"
        yield f"    end = vt_max(end, ends[{k}]);"
    yield "    return end;"
    yield "}"
    yield ""


def _layout_of_limits(plan: LibraryPlan) -> Iterator[str]:
    """How much memory some sizes need, by default the largest."""
    yield f"    static const int64_t most[] = {{{_list(plan.limits.values())}}};"
    yield f"    int64_t places[{max(1, len(plan.places))}];"
    yield "    if (dims == NULL) dims = most;"
    yield f"    for (int k = 0; k < {len(plan.limits)}; k++)"
    yield "        if (dims[k] < 0 || dims[k] > most[k]) return 0;"
    yield "    return more + (size_t)layout(dims, places);"


def _threads(prefix: str) -> Iterator[str]:
    yield f"void {prefix}_threads({prefix}_model *model, int count, {prefix}_pool pool, void *user) {{"
    yield "    if (model == NULL) return;"
    yield "    model->team = (vt_team){pool == NULL ? 0 : count, pool, user};"
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
    if plan.limits:
        yield from _layout_check(plan, upper)
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


def _layout_check(plan: LibraryPlan, upper: str) -> Iterator[str]:
    """That this run's buffers lie in the arena; they are placed anew where the sizes aren't those of the last run."""
    sizes = ", ".join(map(symbol, plan.limits))
    yield f"    const int64_t dims[] = {{{sizes}}};"
    yield "    if (memcmp(dims, model->dims, sizeof dims) != 0) {"
    yield "        model->dims[0] = -1;"
    yield "        if (layout(dims, model->places) > model->room)"
    yield f'            return fail(model, {upper}_LIMIT, "the arena is too small for these sizes");'
    yield "        memcpy(model->dims, dims, sizeof dims);"
    yield "    }"


def _run(plan: LibraryPlan, prefix: str, body: Sequence[str], beside: bool) -> Iterator[str]:
    """`run`: checks, then the steps."""
    names = list(plan.limits)
    yield f"int {prefix}_run({prefix}_model *model, const {prefix}_tensor *inputs, const {prefix}_tensor *outputs) {{"
    yield f"    if (model == NULL) return {prefix.upper()}_NULL;"
    yield '    model->error = "";'
    if beside:
        text = f"the model has no weights: call {prefix}_map or {prefix}_attach"
        yield f'    if (model->weights == NULL) return fail(model, {prefix.upper()}_WEIGHTS, "{text}");'
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
