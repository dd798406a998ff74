"""Program -> text. One grammar for every op (see parser.py); no op prints itself.

Values are named by their hint, made unique, or else by position. `parse_program` reads an equal program back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..ops.create import ArrayData
from ..ops.types import ValueType
from .literals import Constants, show_attr, show_string

if TYPE_CHECKING:  # core.py prints with this module
    from .core import Block, Operation, Program, Value

BLOCK_WORDS = {"if": "else"}  # the word between two blocks; `do` elsewhere. It carries no meaning.
_WORD = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"[\w.]+")


def print_program(
    program: Program, *, locs: bool = False, constants: dict[str, ArrayData] | None = None,
    titles: Mapping[Operation, str] | None = None,
) -> str:  # fmt: skip
    """The text of a program; with `locs`, each operation carries its place as a comment. titles: comments above some.

    Arrays of more than 16 elements go to the side table `constants` (`@const0`), which grows; without one they are
    written in full, so that the text is complete in itself.
    """
    return "\n".join(Printer(program, locs, constants, titles).lines()) + "\n"


def print_operation(program: Program, operation: Operation) -> str:
    """The first line of one operation as it stands in the program's text, for messages."""
    printer = Printer(program, False, {})
    names = [printer.names.get(r, "%?") for r in operation.results]
    return f"{', '.join(names)}{' = ' if names else ''}{printer.call(operation)}"


def value_names(program: Program) -> dict[Value, str]:
    """The printed name (`%x`) of every value of a program."""
    names: dict[Value, str] = {}
    taken: dict[str, int] = {}
    preferred = [*program.feeds, *(entry.name for entry in program.state)]
    for k, value in enumerate(defined_values(program.body)):
        hint = value.hint or (preferred[k] if k < min(len(preferred), len(program.body.args)) else "")
        names[value] = _unique(_clean(hint), taken) if hint else ""
    position = 0
    for value, name in names.items():
        if not name:
            names[value] = str(position)
            position += 1
    return {value: f"%{name}" for value, name in names.items()}


def defined_values(block: Block) -> Iterator[Value]:
    """Values in the order in which the text defines them."""
    yield from block.args
    for operation in block.operations:
        yield from operation.results
        for inner in operation.blocks:
            yield from defined_values(inner)


def _clean(hint: str) -> str:
    name = re.sub(r"[^\w.@]", "_", hint)
    return f"_{name}" if name.isdigit() else name


def _unique(name: str, taken: dict[str, int]) -> str:
    """`name`, or `name_1`, `name_2`, …; `taken` holds each name with the last number tried for it."""
    found = name
    while found in taken:
        taken[name] += 1
        found = f"{name}_{taken[name]}"
    taken[found] = 0
    return found


class Printer:
    """The text of one program, a line at a time."""

    def __init__(
        self, program: Program, locs: bool, constants: dict[str, ArrayData] | None,
        titles: Mapping[Operation, str] | None = None,
    ) -> None:  # fmt: skip
        self.titles = titles or {}
        self.program = program
        self.locs = locs
        self.constants = Constants(constants)
        self.names = value_names(program)

    def lines(self) -> Iterator[str]:
        yield self.header()
        yield from self.block(self.program.body, "  ")
        yield "}"

    def header(self) -> str:
        program = self.program
        feeds = [self.argument(v, n) for v, n in zip(program.feed_values, program.feeds, strict=False)]
        text = f"program {_name_or_string(program.name)}({', '.join(feeds)})"
        if program.state:
            entries = [
                f"{self.typed(v)} {_word_or_string(e.kind)}{self.outer_name(v, e.name)}"
                for v, e in zip(program.state_values, program.state, strict=False)
            ]
            text += f" state({', '.join(entries)})"
        text += self.fetches()
        if program.constraints:
            text += " where " + ", ".join(f"{dim} {relation} 0" for relation, dim in program.constraints)
        return text + " {"

    def fetches(self) -> str:
        operations = self.program.body.operations
        if not operations or not operations[-1].is_terminator:
            return ""
        names = [f" {show_string(name)}" for name in self.program.fetch_names]
        kinds = [str(v.type) for v in self.program.fetches]
        names += [""] * (len(kinds) - len(names))
        shown = [f"{kind}{name}" for kind, name in zip(kinds, names, strict=False)]
        return f" -> {shown[0]}" if len(shown) == 1 else f" -> ({', '.join(shown)})"

    def argument(self, value: Value, name: str) -> str:
        return self.typed(value) + self.outer_name(value, name)

    def outer_name(self, value: Value, name: str) -> str:
        """The feed's or entry's name, where it isn't the value's."""
        return "" if self.names[value] == f"%{name}" else f" {show_string(name)}"

    def typed(self, value: Value) -> str:
        return f"{self.names[value]}: {value.type}"

    def block(self, block: Block, indent: str) -> Iterator[str]:
        for operation in block.operations:
            if operation in self.titles:
                yield f"{indent}// {self.titles[operation]}"
            yield from self.operation(operation, indent)

    def operation(self, operation: Operation, indent: str) -> Iterator[str]:
        head = f"{', '.join(self.names[r] for r in operation.results)} = " if operation.results else ""
        line = indent + head + self.call(operation) + _types([r.type for r in operation.results])
        place = f"  // {operation.loc.short()}" if self.locs and operation.loc.file else ""
        if not operation.blocks:
            yield line + place
            return
        for block in operation.blocks:
            yield f"{line}{self.block_args(block)} {{{place}"
            yield from self.block(block, indent + "  ")
            line, place = f"{indent}}} {BLOCK_WORDS.get(operation.name, 'do')}", ""
        yield f"{indent}}}"

    def call(self, operation: Operation) -> str:
        """Op name, operands and attributes."""
        operands = ", ".join(self.names.get(v, "%?") for v in operation.operands)
        attrs = ", ".join(f"{k} = {show_attr(v, self.constants)}" for k, v in sorted(operation.attrs.items()))
        return f"{operation.name}{' ' if operands else ''}{operands}{f' {{{attrs}}}' if attrs else ''}"

    def block_args(self, block: Block) -> str:
        return f" ({', '.join(self.typed(v) for v in block.args)})" if block.args else ""


def _types(kinds: Sequence[ValueType]) -> str:
    return f" : {', '.join(map(str, kinds))}" if kinds else ""


def _word_or_string(text: str) -> str:
    return text if _WORD.fullmatch(text) else show_string(text)


def _name_or_string(text: str) -> str:
    return f"@{text}" if _NAME.fullmatch(text) else show_string(text)
