"""Program text -> Program. One grammar for every op:

    program    "program" @name "(" [arg ","…] ")" ["state" "(" entry, … ")"] ["->" results] ["where" fact, …] block
    arg        %x ":" type ["outer name"]
    entry      %w ":" type kind ["outer name"]
    results    type | "(" type ["fetch name"], … ")"
    fact       dim ("==" | ">=") 0
    block      "{" operation… "}"
    operation  [%r, … "="] op [%operand, …] [attrs] [":" type, …] [region ["else" | "do" region]…]
    attrs      "{" key "=" attr, … "}"
    region     ["(" %x ":" type, … ")"] block
    attr       1 | -0.5 | true | none | "text" | f32 | f32[N, 4] | 2*N+1 | (attr, …)
               | complex(0.0, 1.0) | dense<f32[2], [1.0, 2.0]> | @const0

A name is defined once in a whole text and used only below its definition, in its block or in blocks inside it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from ..ops.create import ArrayData
from ..ops.dims import Dim
from ..ops.op import OPS, Op
from ..ops.types import ListType, ValueType
from .core import Block, Operation, Program, StateEntry, Value
from .cursor import Cursor
from .lexer import Token


def parse_program(text: str, constants: Mapping[str, ArrayData] | None = None) -> Program:
    """The program of a text; ParseError with line, column and excerpt where the text isn't in the grammar.

    The result is well formed as a tree but may break other rules of the IR: ask `verify`.
    """
    return _Parser(text, constants or {}).program()


class _Parser(Cursor):
    """The rules above types and attributes."""

    def __init__(self, text: str, constants: Mapping[str, ArrayData]) -> None:
        super().__init__(text, constants)
        self.scope: dict[str, Value] = {}
        self.visible: list[str] = []
        self.defined: set[str] = set()

    def program(self) -> Program:
        self.expect("program")
        program = Program(self.program_name(), foreign=True)
        self.expect("(")
        program.feeds = self.separated(")", lambda: self.feed(program.body))
        if self.take("state"):
            self.expect("(")
            program.state = self.separated(")", lambda: self.entry(program.body))
        arrow = self.token
        results = self.results() if self.take("->") else None
        if self.take("where"):
            program.constraints = [self.fact()]
            while self.take(","):
                program.constraints.append(self.fact())
        self.block(program.body)
        if self.token.kind != "end":
            raise self.error(f"expected the end of the text, found {self.token}")
        if results is not None:
            self.check_results(program, results, arrow)
        return program

    def program_name(self) -> str:
        if self.token.kind == "string":
            return self.string()
        return self.kind("symbol", "a name like `@main`").text[1:]

    def feed(self, body: Block) -> str:
        value, name = self.argument(body)
        self.require_tensor(value)
        return self.string() if self.token.kind == "string" else name

    def entry(self, body: Block) -> StateEntry:
        value, name = self.argument(body)
        self.require_tensor(value)
        kind = self.string() if self.token.kind == "string" else self.kind("word", "the entry's kind").text
        return StateEntry(self.string() if self.token.kind == "string" else name, kind)

    def require_tensor(self, value: Value) -> None:
        if isinstance(value.type, ListType):
            raise self.error(f"a program's argument can't be a {value.type}", self.tokens[self.k - 1])

    def argument(self, block: Block) -> tuple[Value, str]:
        """`%x: f32[4]`; the new argument of `block` and its printed name."""
        token = self.kind("value", "a value like `%x`")
        self.expect(":")
        value = block.add_arg(self.type())
        self.define(token, value)
        return value, token.text[1:]

    def define(self, token: Token, value: Value) -> None:
        name = token.text[1:]
        if name in self.defined:
            raise self.error(f"{token} is defined twice", token)
        self.defined.add(name)
        self.visible.append(name)
        self.scope[name] = value
        if not (name.isascii() and name.isdigit()):
            value.hint = name

    def results(self) -> list[tuple[ValueType, str | None]]:
        if self.take("("):
            return self.separated(")", self.fetch)
        return [self.fetch()]

    def fetch(self) -> tuple[ValueType, str | None]:
        return self.type(), self.string() if self.token.kind == "string" else None

    def check_results(self, program: Program, results: list[tuple[ValueType, str | None]], arrow: Token) -> None:
        """The declared result types are those of the `return`."""
        operations = program.body.operations
        found = [v.type for v in operations[-1].operands] if operations and operations[-1].is_terminator else []
        declared = [kind for kind, _ in results]
        if found != declared:
            shown = [", ".join(map(str, kinds)) or "nothing" for kinds in (declared, found)]
            raise self.error(f"declared are {shown[0]}, but the program returns {shown[1]}", arrow)
        if any(name is not None for _, name in results):
            program.fetch_names = [name or "" for _, name in results]

    def fact(self) -> tuple[str, Dim]:
        token = self.token
        dim = self.dim()
        if not isinstance(dim, Dim):
            raise self.error("a fact about sizes names a size", token)
        if not self.at("==", ">="):
            raise self.error(f"expected `==` or `>=`, found {self.token}")
        relation = self.next().text
        if self.kind("int", "0").text != "0":
            raise self.error("facts compare with 0", self.tokens[self.k - 1])
        return relation, dim

    # -- blocks and operations

    def block(self, block: Block) -> Block:
        """`{ operations }`; names defined inside go out of scope."""
        mark = len(self.visible)
        self.expect("{")
        while not self.take("}"):
            block.append(self.operation())
        self.leave(mark)
        return block

    def leave(self, mark: int) -> None:
        """Forget the names that became visible after `mark` of them."""
        for name in self.visible[mark:]:
            del self.scope[name]
        del self.visible[mark:]

    def operation(self) -> Operation:
        names = self.result_names()
        op_token = self.kind("word", "an operation")
        op = self.op(op_token)
        operands = self.operands() if self.is_in_line(op_token) else []
        attrs = self.attrs()
        kinds = self.result_types()
        if len(kinds) != len(names):
            raise self.error(f"{len(names)} results are named, but {len(kinds)} types are given", op_token)
        operation = Operation(op, operands, attrs, kinds)
        while self.at("{", "("):
            operation.add_block(self.nested(self.region))
            if not (self.take("else") or self.take("do")):
                break
        for token, value in zip(names, operation.results, strict=True):
            self.define(token, value)
        return operation

    def result_names(self) -> list[Token]:
        names: list[Token] = []
        if self.token.kind != "value":
            return names
        names.append(self.next())
        while self.take(","):
            names.append(self.kind("value", "a value like `%x`"))
        self.expect("=")
        return names

    def op(self, token: Token) -> Op:
        op = OPS.get(token.text)
        if op is None:
            close = difflib.get_close_matches(token.text[:60], OPS, 3)
            guess = f"did you mean {' or '.join(close)}? " if close else ""
            remedy = f"{guess}An op of your own is registered (vt.register_op) before its programs are read"
            raise self.error(f"there is no op {token}", token, remedy)
        return op

    def is_in_line(self, before: Token) -> bool:
        """Whether no line ends between a token and the next one: an operation without operands may end there."""
        return "\n" not in self.text[before.at : self.token.at]

    def operands(self) -> list[Value]:
        out: list[Value] = []
        while self.token.kind == "value":
            token = self.next()
            if token.text[1:] not in self.scope:
                known = "is defined in another block" if token.text[1:] in self.defined else "isn't defined"
                raise self.error(f"{token} {known}", token)
            out.append(self.scope[token.text[1:]])
            if not self.take(","):
                break
            if self.token.kind != "value":
                raise self.error(f"expected a value like `%x`, found {self.token}")
        return out

    def attrs(self) -> dict[str, object]:
        """`{axis = (1), keepdim = true}`; a brace not followed by `key =` begins a block instead."""
        ahead = [t.text for t in self.tokens[self.k : self.k + 3]]
        if not (len(ahead) == 3 and self.at("{") and self.tokens[self.k + 1].kind == "word" and ahead[2] == "="):
            return {}
        self.expect("{")
        out: dict[str, object] = {}
        while not self.take("}"):
            if out:
                self.expect(",")
            token = self.kind("word", "an attribute's name")
            self.expect("=")
            if token.text in out:
                raise self.error(f"{token} is given twice", token)
            out[token.text] = self.attr()
        return out

    def result_types(self) -> list[ValueType]:
        out: list[ValueType] = []
        if self.take(":"):
            out.append(self.type())
            while self.take(","):
                out.append(self.type())
        return out

    def region(self) -> Block:
        block = Block()
        mark = len(self.visible)
        if self.take("("):
            self.separated(")", lambda: self.argument(block))
        self.block(block)
        self.leave(mark)
        return block
