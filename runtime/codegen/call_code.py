"""The machine code of native calls (vm/native_call.py): checks, the result's tensor, and the VM between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ..vm.call_words import ITEMS, SIZE, TYPE, CallWord, LeafWord
from ..vm.native_source.layout import HeaderWord


class CallWriter:
    """Writes the function: blocks of checks, each of which may leave for the end."""

    def __init__(self, symbol: str, data_offset: int) -> None:
        self.word, self.data_offset = ir.IntType(64), data_offset
        self.module = ir.Module()
        self.function = ir.Function(self.module, ir.FunctionType(self.word, [self.word] * 3), symbol)
        self.build = ir.IRBuilder(self.function.append_basic_block())
        self.leave = self.function.append_basic_block("leave")  # nothing is held but the arrays that were counted
        me, self.arguments, _ = self.function.args
        self.block = self.load(self.load(me, ITEMS), self.data_offset)  # `self` is a tuple: its first item an array
        self.held = self.build.alloca(self.word)
        self.build.store(self.word(0), self.held)
        self.cell = self.build.alloca(self.word)
        self.arrays = self.build.alloca(self.word, self.known(CallWord.COUNT))

    def load(self, at: Any, offset: Any = 0) -> Any:
        return self.build.load(self._pointer(at, offset))

    def store(self, value: Any, at: Any, offset: Any = 0) -> None:
        self.build.store(value, self._pointer(at, offset))

    def _pointer(self, at: Any, offset: Any, kind: Any = None) -> Any:
        offset = offset if isinstance(offset, ir.Value) else self.word(offset)
        return self.build.inttoptr(self.build.add(at, offset), (kind or self.word).as_pointer())

    def known(self, word: CallWord) -> Any:
        return self.load(self.block, 8 * word)

    def call(self, function: Any, *given: Any) -> Any:
        kind = ir.FunctionType(self.word, [self.word] * len(given))
        return self.build.call(self.build.inttoptr(function, kind.as_pointer()), given)

    def python(self, name: str, *given: Any) -> Any:
        """A call of Python's C interface whose result is a pointer, or isn't looked at."""
        return self.call(self.known(CallWord[name]), *given)

    def need_equal(self, a: Any, b: Any, otherwise: Any = None) -> None:
        """Go on where two words are equal."""
        b = b if isinstance(b, ir.Value) else self.word(b)
        self.need(self.build.icmp_unsigned("==", a, b), otherwise)

    def need(self, condition: Any, otherwise: Any = None) -> None:
        on = self.function.append_basic_block()
        self.build.cbranch(condition, on, otherwise or self.leave).set_weights((1000, 1))
        self.build.position_at_end(on)

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

    def text(self) -> str:
        """The LLVM of the function."""
        given = self.load(self.arguments)
        count = self.known(CallWord.COUNT)
        self.need_equal(self.load(given, SIZE), count)
        self.need_equal(self.load(self.load(self.arguments, 8), SIZE), 0)  # no keywords
        self._variables()
        self.times(count, lambda k: self._argument(self.load(self.row(given, k, 1), ITEMS), k))
        self._made()
        self._left()
        return str(self.module)

    def _variables(self) -> None:
        variables = self.known(CallWord.VARIABLES)

        def variable(k: Any) -> None:
            pair = self.row(variables, k, 2)
            self.store(self.word(0), self.build.ptrtoint(self.cell, self.word))
            into = self.build.ptrtoint(self.cell, self.word)
            self.python("PyContextVar_Get", self.load(pair), self.word(0), into)
            value = self.build.load(self.cell)
            self._need_object(value)
            self.python("Py_DecRef", value)
            self.need_equal(value, self.load(pair, 8))

        self.times(self.known(CallWord.VARIABLE_COUNT), variable)

    def _need_object(self, value: Any) -> None:
        failed = self.function.append_basic_block()
        self.need(self.build.icmp_unsigned("!=", value, self.word(0)), failed)
        self._forget_error(failed)

    def _forget_error(self, failed: Any) -> None:
        here = self.build.block
        self.build.position_at_end(failed)
        self.python("PyErr_Clear")
        self.build.branch(self.leave)
        self.build.position_at_end(here)

    def attribute(self, owner: Any, name: CallWord) -> Any:
        """An attribute's value, which isn't held: its owner holds it, and nobody runs until the array is held."""
        value = self.python("PyObject_GetAttr", owner, self.known(name))
        self._need_object(value)
        self.python("Py_DecRef", value)
        return value

    def _argument(self, x: Any, k: Any) -> None:
        """One argument: its class, dtype, flag and sizes; its array is held and put among the arrays."""
        row = self.row(self.known(CallWord.LEAVES), k, LeafWord.COUNT)
        self.need_equal(self.load(x, TYPE), self.load(row, 8 * LeafWord.KIND))
        self.need_equal(self.attribute(x, CallWord.DTYPE_NAME), self.load(row, 8 * LeafWord.DTYPE))
        self.need_equal(self.attribute(x, CallWord.STOP_NAME), self.load(row, 8 * LeafWord.STOP))
        cell = self.attribute(x, CallWord.STORAGE_NAME)
        self.need_equal(self.load(cell, TYPE), self.known(CallWord.STORAGE))
        array = self.load(cell, self.known(CallWord.PAYLOAD))
        self.need(self.build.icmp_unsigned("!=", array, self.word(0)))
        self.need_equal(self.load(array, TYPE), self.known(CallWord.NDARRAY))
        rank = self.build.load(self._pointer(array, self.data_offset + 8, ir.IntType(32)))
        expected = self.load(row, 8 * LeafWord.RANK)
        self.need_equal(self.build.sext(rank, self.word), expected)
        sizes, wanted = self.load(array, self.data_offset + 16), self.load(row, 8 * LeafWord.SIZES)

        def size(axis: Any) -> None:
            self.need_equal(self.load(self.row(sizes, axis, 1)), self.load(self.row(wanted, axis, 1)))

        self.times(expected, size)
        self.build.store(array, self.build.gep(self.arrays, [k]))
        self.python("Py_IncRef", array)
        self.build.store(self.build.add(k, self.word(1)), self.held)

    def _made(self) -> None:
        """The result's array and tensor, and the run between them."""
        out = self._array()
        cell = self._new(CallWord.STORAGE, out)
        self.store(out, cell, self.known(CallWord.PAYLOAD))  # the cell holds it from here on
        fields = self.known(CallWord.FIELDS)

        def field(k: Any) -> None:
            pair = self.row(fields, k, 2)
            value = self.load(pair, 8)
            self.python("Py_IncRef", value)
            self.store(value, cell, self.load(pair))

        self.times(self.known(CallWord.FIELD_COUNT), field)
        tensor = self._new(CallWord.TENSOR, cell)
        failed, stopped = self.function.append_basic_block(), self.function.append_basic_block()
        first = self.python("PyObject_SetAttr", tensor, self.known(CallWord.STORAGE_NAME), cell)
        self.python("Py_DecRef", cell)
        second = self.python("PyObject_SetAttr", tensor, self.known(CallWord.DTYPE_NAME), self.known(CallWord.DTYPE))
        done = self.build.trunc(self.build.or_(first, second), ir.IntType(32))  # ints: the low half counts
        self.need(self.build.icmp_unsigned("==", done, done.type(0)), failed)
        self._state(stopped)
        self._run(out, stopped)
        self._let_go()
        self.build.ret(tensor)
        self.build.position_at_end(failed)
        self.python("PyErr_Clear")
        self.build.branch(stopped)
        self.build.position_at_end(stopped)
        self.python("Py_DecRef", tensor)
        self.build.branch(self.leave)

    def _array(self) -> Any:
        """An array for the result, of the pool or new."""
        build, pool = self.build, self.known(CallWord.POOL)
        pooled, fresh, head, look, after, take, ready = (self.function.append_basic_block() for _ in range(7))
        build.cbranch(build.icmp_unsigned("==", pool, self.word(0)), fresh, pooled)

        build.position_at_end(pooled)
        count, items = self.load(pool, SIZE), self.load(pool, ITEMS)
        build.branch(head)
        build.position_at_end(head)
        k = build.phi(self.word)
        build.cbranch(build.icmp_signed("<", k, count), look, self.leave)
        build.position_at_end(look)
        item = self.load(self.row(items, k, 1))
        holders = build.load(self._pointer(item, 0, ir.IntType(32)))
        build.cbranch(build.icmp_unsigned("==", holders, holders.type(1)), take, after)
        build.position_at_end(after)
        k.add_incoming(self.word(0), pooled)
        k.add_incoming(build.add(k, self.word(1)), after)
        build.branch(head)
        build.position_at_end(take)
        self.python("Py_IncRef", item)
        build.branch(ready)

        build.position_at_end(fresh)
        null, element = self.word(0), self.known(CallWord.ELEMENT)
        self.python("Py_IncRef", element)  # the new array takes it
        sizes = self.known(CallWord.RANK), self.known(CallWord.SIZES)
        made = self.python("NEW_ARRAY", self.known(CallWord.NDARRAY), element, *sizes, null, null, null, null)
        self._need_object(made)
        from_fresh = build.block
        build.branch(ready)

        build.position_at_end(ready)
        out = build.phi(self.word)
        out.add_incoming(item, take)
        out.add_incoming(made, from_fresh)
        return out

    def _new(self, kind: CallWord, other: Any) -> Any:
        """A new object; where there is no memory for it, `other` is let go and the call isn't made."""
        made = self.python("PyType_GenericAlloc", self.known(kind), self.word(0))
        failed, clear = self.function.append_basic_block(), self.function.append_basic_block()
        self.need(self.build.icmp_unsigned("!=", made, self.word(0)), failed)
        here = self.build.block
        self.build.position_at_end(failed)
        self.python("Py_DecRef", other)
        self.build.branch(clear)
        self.build.position_at_end(here)
        self._forget_error(clear)
        return made

    def _state(self, stopped: Any) -> None:
        """What must be as it was beside the arguments: looked at last, as collecting garbage may run any code."""
        free = self.known(CallWord.FREE)
        size = self.load(free, SIZE)
        self.need(self.build.icmp_signed(">", size, self.word(0)), stopped)
        last = self.load(self.row(self.load(free, ITEMS), size, 1), -8)
        self.need_equal(last, self.known(CallWord.BOUND), stopped)
        self.need_equal(self.load(self.known(CallWord.DIVERTED)), 0, stopped)
        words = self.known(CallWord.WORDS)

        def word(k: Any) -> None:
            pair = self.row(words, k, 2)
            self.need_equal(self.load(self.load(pair)), self.load(pair, 8), stopped)

        self.times(self.known(CallWord.WORD_COUNT), word)

    def _run(self, out: Any, stopped: Any) -> None:
        """Write the arguments and run the program from its beginning; `stopped` where it doesn't end at once."""
        to, count = self.known(CallWord.DESTINATION), self.known(CallWord.COUNT)
        self.times(count, lambda k: self.store(self.build.load(self.build.gep(self.arrays, [k])), self.row(to, k, 1)))
        self.store(out, self.row(to, count, 1))
        header = self.known(CallWord.HEADER)
        self.store(self.word(0), header, 8 * HeaderWord.PC)
        build, machine, null = self.build, self.known(CallWord.VM), self.word(0)
        quiet, loud, ended = (self.function.append_basic_block() for _ in range(3))
        build.cbranch(build.icmp_unsigned("==", self.known(CallWord.LOUD), null), quiet, loud)
        build.position_at_end(quiet)
        short = self.call(machine, header)
        build.branch(ended)
        build.position_at_end(loud)
        free = self.known(CallWord.FREE)
        self.python("PySequence_DelItem", free, build.sub(self.load(free, SIZE), self.word(1)))
        thread = self.python("PyEval_SaveThread")
        long = self.call(machine, header)
        self.python("PyEval_RestoreThread", thread)
        self.python("PyList_Append", free, self.known(CallWord.BOUND))
        build.branch(ended)
        build.position_at_end(ended)
        status = build.phi(self.word)
        status.add_incoming(short, quiet)
        status.add_incoming(long, loud)
        self.need_equal(status, 0, stopped)

    def _let_go(self) -> None:
        self.times(
            self.build.load(self.held),
            lambda k: self.python("Py_DecRef", self.build.load(self.build.gep(self.arrays, [k]))) and None,
        )

    def _left(self) -> None:
        """What says that the call wasn't made."""
        self.build.position_at_end(self.leave)
        self._let_go()
        missed = self.known(CallWord.MISS)
        self.python("Py_IncRef", missed)
        self.build.ret(missed)
