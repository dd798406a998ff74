"""The example beside a library: a C program that reads inputs from files, runs the model and prints its outputs."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.dtype import DType
from .c_sizes import c_product, c_size, symbol
from .c_text import c_text
from .plan import LibraryPlan, Port

C_TYPES = {
    "f32": "float", "f64": "double", "i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "i32": "int32_t",
    "i64": "int64_t", "bool": "uint8_t",
}  # fmt: skip


def c_type(dtype: DType) -> str:
    """The C type of elements."""
    return C_TYPES.get(dtype.short, "unsigned char")


def example_text(plan: LibraryPlan, prefix: str, beside: bool = False) -> str:
    """A program that runs the model, by default once and for the largest sizes, and prints all its outputs."""
    upper = prefix.upper()
    lines = [
        "/* Usage: example [-n RUNS] [SIZE=NUMBER ...] [FILE ...]",
        " * A file has the elements of one input; inputs without a file are zeros. Open sizes are their limits. */",
        f'#include "{prefix}.h"',
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "#include <string.h>",
        "",
        "int main(int count, char **words) {",
        *_arguments(plan),
        *_arrays(plan, prefix),
        f"    const int64_t dims[] = {{{', '.join(map(symbol, plan.limits)) or '0'}}};",
        f"    size_t size = {prefix}_memory(dims);",
        f"    {prefix}_model *model = {prefix}_create(malloc(size), size);",
        f"    int code = {upper}_OK;",
        *(_weights(prefix) if beside else ()),
        f"    for (int run = 0; run < runs && code == {upper}_OK; run++) code = {prefix}_run(model, inputs, outputs);",
        f"    if (code != {upper}_OK) {{",
        f'        fprintf(stderr, "error %d: %s\\n", code, {prefix}_last_error(model));',
        "        return 1;",
        "    }",
    ]
    for k, port in enumerate(plan.outputs):
        count = c_product(port.type.shape)
        lines.append(f'    printf("{c_text(port.name)}:");')
        lines.append(f'    for (int64_t k = 0; k < {count}; k++) printf(" %.17g", (double)output{k}[k]);')
        lines.append('    printf("\\n");')
    return "\n".join([*lines, "    return 0;", "}", ""])


def _weights(prefix: str) -> Iterator[str]:
    """Weights from the file in the working directory, for platforms that map files and others."""
    yield f'    FILE *weights = fopen("{prefix}.safetensors", "rb");'
    yield "    if (weights == NULL || fseek(weights, 0, SEEK_END) != 0) return 3;"
    yield "    size_t length = (size_t)ftell(weights);"
    yield "    unsigned char *content = malloc(length + 64);"
    yield "    content += 64 - (uintptr_t)content % 64;"
    yield "    rewind(weights);"
    yield "    if (fread(content, 1, length, weights) != length) return 3;"
    yield f"    code = {prefix}_attach(model, content, length); /* {prefix}_map maps a file instead of reading it */"


def _arguments(plan: LibraryPlan) -> Iterator[str]:
    """What the words of the command say: runs, open sizes, files."""
    most = max(1, len(plan.inputs))
    yield f"    const char *files[{most}] = {{NULL}};"
    yield "    int runs = 1, given = 0;"
    for name, limit in plan.limits.items():
        yield f"    int64_t {symbol(name)} = {limit};"
    yield "    for (int k = 1; k < count; k++) {"
    yield '        if (strcmp(words[k], "-n") == 0 && k + 1 < count) runs = atoi(words[++k]);'
    for name in plan.limits:
        yield f'        else if (strncmp(words[k], "{name}=", {len(name) + 1}) == 0)'
        yield f"            {symbol(name)} = atoll(words[k] + {len(name) + 1});"
    yield f"        else if (given < {most}) files[given++] = words[k];"
    yield "    }"


def _arrays(plan: LibraryPlan, prefix: str) -> Iterator[str]:
    """The arrays, and what files say of them."""
    for group, found in (("input", plan.inputs), ("output", plan.outputs)):
        for k, port in enumerate(found):
            yield from _array(f"{group}{k}", port)
    for group, found in (("input", plan.inputs), ("output", plan.outputs)):
        entries = ", ".join(f"{{{group}{k}, {group}{k}_shape}}" for k in range(len(found)))
        yield f"    const {prefix}_tensor {group}s[] = {{{entries or '{0}'}}};"
    for k, port in enumerate(plan.inputs):
        size = c_product([*port.type.shape, port.type.dtype.itemsize])
        yield f"    if (files[{k}] != NULL) {{"
        yield f'        FILE *file = fopen(files[{k}], "rb");'
        yield f"        if (file == NULL || fread(input{k}, 1, {size}, file) != {size}) return 2;"
        yield "        fclose(file);"
        yield "    }"


def _array(name: str, port: Port) -> Iterator[str]:
    shape = ", ".join(map(c_size, port.type.shape)) or "1"
    size = c_product([*port.type.shape, port.type.dtype.itemsize])
    yield f"    const int64_t {name}_shape[] = {{{shape}}}; /* {port.name}: {port.type} */"
    yield f"    {c_type(port.type.dtype)} *{name} = calloc({size} + 1, 1);"
