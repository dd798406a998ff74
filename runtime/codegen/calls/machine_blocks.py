"""Blocks of machine code that native calls are written with: words of memory, checks, loops, Python's C interface."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from llvmlite import ir

from ...vm.calls.call_words import ITEMS


class MachineBlocks:
    """Writes a function of three words: blocks of checks, each of which may leave for the end.

    leave: the block for calls that aren't made, `broken` for those that failed, with an exception.
    counts_are_words: an object's count of references is its first word, whatever is in it.
    """

    words: type[IntEnum]  # of the block: numbers, addresses, and functions of Python's C interface by their names

    def __init__(self, symbol: str, data_offset: int, counts_are_words: bool) -> None:
        self.word, self.data_offset, self.counts_are_words = ir.IntType(64), data_offset, counts_are_words
        self.int = ir.IntType(32)
        self.module = ir.Module()
        self.function = ir.Function(self.module, ir.FunctionType(self.word, [self.word] * 3), symbol)
        self.build = ir.IRBuilder(self.function.append_basic_block())
        self.leave = self.function.append_basic_block("leave")  # the call isn't made
        self.broken = self.function.append_basic_block("broken")  # it failed: there is an exception
        self.block: Any = None  # the address of the words that the function knows things by

    def words_of(self, held: Any) -> Any:
        """The address of the words of an array that is the first item of a tuple."""
        return self.load(self.load(held, ITEMS), self.data_offset)

    def hold(self, value: Any) -> Any:
        """Count an object once more."""
        if self.counts_are_words:
            self.store(self.build.add(self.load(value), self.word(1)), value)
        else:
            self.python("Py_IncRef", value)
        return value

    def release(self, value: Any) -> None:
        """Count an object, which isn't 0, once less."""
        if not self.counts_are_words:
            self.python("Py_DecRef", value)
            return
        left = self.build.sub(self.load(value), self.word(1))
        self.store(left, value)
        last, after = self.function.append_basic_block(), self.function.append_basic_block()
        self.build.cbranch(self.build.icmp_unsigned("==", left, self.word(0)), last, after)
        self.build.position_at_end(last)
        self.python("_Py_Dealloc", value)
        self.build.branch(after)
        self.build.position_at_end(after)

    def load(self, at: Any, offset: Any = 0) -> Any:
        return self.build.load(self.pointer(at, offset))

    def load_int(self, at: Any, offset: Any) -> Any:
        """Four bytes, as a word."""
        return self.build.sext(self.build.load(self.pointer(at, offset, self.int)), self.word)

    def store(self, value: Any, at: Any, offset: Any = 0) -> None:
        self.build.store(value, self.pointer(at, offset))

    def pointer(self, at: Any, offset: Any, kind: Any = None) -> Any:
        offset = offset if isinstance(offset, ir.Value) else self.word(offset)
        return self.build.inttoptr(self.build.add(at, offset), (kind or self.word).as_pointer())

    def known(self, word: IntEnum) -> Any:
        return self.load(self.block, 8 * word)

    def get(self, table: Any, k: Any) -> Any:
        return self.build.load(self.build.gep(table, [k]))

    def put(self, value: Any, table: Any, k: Any) -> None:
        self.build.store(value, self.build.gep(table, [k]))

    def call(self, function: Any, *given: Any) -> Any:
        kind = ir.FunctionType(self.word, [x.type for x in given])
        return self.build.call(self.build.inttoptr(function, kind.as_pointer()), given)

    def python(self, name: str, *given: Any) -> Any:
        """A call of Python's C interface whose result is a pointer, or isn't looked at."""
        return self.call(self.known(self.words[name]), *given)

    def truth(self, name: str, *given: Any) -> Any:
        """A call of Python's C interface whose result is an int: the low half counts."""
        return self.build.trunc(self.python(name, *given), self.int)

    def need_equal(self, a: Any, b: Any, otherwise: Any = None) -> None:
        """Go on where two words are equal."""
        b = b if isinstance(b, ir.Value) else a.type(b)
        self.need(self.build.icmp_unsigned("==", a, b), otherwise)

    def need_some(self, a: Any, otherwise: Any = None) -> None:
        """Go on where a word isn't 0."""
        self.need(self.build.icmp_unsigned("!=", a, a.type(0)), otherwise)

    def need(self, condition: Any, otherwise: Any = None) -> None:
        on = self.function.append_basic_block()
        self.build.cbranch(condition, on, otherwise or self.leave).set_weights((1000, 1))
        self.build.position_at_end(on)

    def when(self, word: Any, body: Callable[[], None]) -> None:
        """What happens where a word isn't 0."""
        inside, after = self.function.append_basic_block(), self.function.append_basic_block()
        self.build.cbranch(self.build.icmp_unsigned("!=", word, word.type(0)), inside, after)
        self.build.position_at_end(inside)
        body()
        self.build.branch(after)
        self.build.position_at_end(after)

    def choose(self, kind: Any, cases: dict[int, Callable[[], None]]) -> None:
        """One of some cases by a word; each goes on behind all of them."""
        after = self.function.append_basic_block()
        switch = self.build.switch(kind, self.leave)
        for number, body in cases.items():
            inside = self.function.append_basic_block()
            switch.add_case(self.word(number), inside)
            self.build.position_at_end(inside)
            body()
            self.build.branch(after)
        self.build.position_at_end(after)

    def times(self, count: Any, body: Callable[[Any], None]) -> None:
        """A loop over 0 <= k < count."""
        before, head, inside, after = self.build.block, *(self.function.append_basic_block() for _ in range(3))
        self.build.branch(head)
        self.build.position_at_end(head)
        k = self.build.phi(self.word)
        k.add_incoming(self.word(0), before)
        self.build.cbranch(self.build.icmp_signed("<", k, count), inside, after)
        self.build.position_at_end(inside)
        body(k)
        k.add_incoming(self.build.add(k, self.word(1)), self.build.block)
        self.build.branch(head)
        self.build.position_at_end(after)

    def row(self, table: Any, k: Any, words: int) -> Any:
        return self.build.add(table, self.build.mul(k, self.word(8 * words)))

    def need_object(self, value: Any) -> None:
        """Go on where a call of Python's C interface gave an object; else there is an exception, which is forgotten."""
        failed = self.function.append_basic_block()
        self.need_some(value, failed)
        self.forget_error(failed)

    def forget_error(self, failed: Any) -> None:
        here = self.build.block
        self.build.position_at_end(failed)
        self.python("PyErr_Clear")
        self.build.branch(self.leave)
        self.build.position_at_end(here)
