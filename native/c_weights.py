"""The weights of a library as a safetensors file beside it, and the part of the C file that reads and checks them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .c_text import c_text
from .plan import ALIGNMENT, Constants

SOURCE = Path(__file__).parent / "weights.c"
_KINDS = {
    "float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "int8": "I8", "uint8": "U8",
    "int16": "I16", "int32": "I32", "int64": "I64", "bool": "BOOL",
}  # fmt: skip


def weights_file(constants: Constants) -> bytes:
    """The file: the length of its header; the header, up to where aligned memory begins; the arrays."""
    header = "".join(text for text, _ in _pieces(constants)).encode()
    header += b" " * (-(8 + len(header)) % ALIGNMENT)
    return len(header).to_bytes(8, "little") + header + bytes(constants.content)


def weights_text(constants: Constants, prefix: str) -> Iterator[str]:
    """The functions of C that take the file, and the table that it is compared with."""
    content = weights_file(constants)
    head = int.from_bytes(content[:8], "little")
    yield "static const struct { const char *text, *wrong; } vt_pieces[] = {"
    for text, wrong in _pieces(constants):
        yield f'    {{"{c_text(text)}", "{c_text(wrong)}"}},'
    yield "};"
    yield f"#define VT_HEAD {head}"
    yield f"#define VT_CONTENT {len(constants.content)}"
    yield SOURCE.read_text().replace("NAME", prefix).replace("UPPER", prefix.upper())


def no_weights_text(prefix: str) -> Iterator[str]:
    """The same functions where the weights lie in the library."""
    why = "the weights lie in the library"
    yield f"int {prefix}_attach({prefix}_model *model, const void *file, size_t size) {{"
    yield "    (void)file; (void)size;"
    yield f'    return model == NULL ? {prefix.upper()}_NULL : fail(model, {prefix.upper()}_WEIGHTS, "{why}");'
    yield "}"
    yield ""
    yield f"int {prefix}_map({prefix}_model *model, const char *path) {{"
    yield f"    return {prefix}_attach(model, path, 0);"
    yield "}"
    yield f"void {prefix}_unmap({prefix}_model *model) {{ (void)model; }}"


def _pieces(constants: Constants) -> Iterator[tuple[str, str]]:
    """The header in pieces, and what is wrong with a file that has another one."""
    start = "{"
    names: dict[str, int] = {}
    for name, kind, shape, first, last in constants.entries:
        count = names[name] = names.get(name, -1) + 1
        shown = f"{name}.{count}" if count else name
        entry = {"dtype": _KINDS[kind], "shape": list(shape), "data_offsets": [first, last]}
        text = f"{start}{json.dumps(shown)}:{json.dumps(entry, separators=(',', ':'))}"
        yield text, f"the weights have no {shown} of {_KINDS[kind]}{list(shape)} where the library has it"
        start = ","
    yield "}" if constants.entries else "{}", "the weights hold more than the library was built with"
