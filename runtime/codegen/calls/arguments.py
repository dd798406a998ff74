"""What native calls check of their arguments: a row for each value, the containers before their parts."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...vm.calls.call_words import FLOAT, ITEMS, SIZE, TYPE, CallWord, Given, GivenWord
from .machine_blocks import MachineBlocks

_RANK, _SIZES, _DESCR, _FLAGS = 8, 16, 40, 48  # of an array, behind its data
_PLAIN = 0x101  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_EQUALS = 2  # Py_EQ


class ArgumentChecks(MachineBlocks):
    """The modes of a call and its arguments; what these may lose meanwhile is held until the end."""

    words = CallWord

    def __init__(self, symbol: str, data_offset: int, counts_are_words: bool) -> None:
        super().__init__(symbol, data_offset, counts_are_words)
        self.lost = self.function.append_basic_block("lost")  # it failed, and the binding isn't in the list
        me, self.arguments, _ = self.function.args
        self.block = self.words_of(me)
        self.cell, self.other, self.position = (self.build.alloca(self.word) for _ in range(3))
        self.depth = self.build.alloca(self.word)  # of the stack of results
        self.build.store(self.word(0), self.depth)
        self.numbers = self.build.alloca(self.word, self.known(CallWord.NUMBER_COUNT))
        self.stack = self.build.alloca(self.word, self.build.add(self.known(CallWord.RESULT_COUNT), self.word(1)))
        made = self.build.add(self.known(CallWord.FETCH_COUNT), self.known(CallWord.LATER_COUNT))
        sizes = [self.known(CallWord.VALUES), self.known(CallWord.FEED_COUNT), made, made]
        self.values, self.arrays, self.outputs, self.tensors = [self.build.alloca(self.word, n) for n in sizes]
        self.owners = self.build.alloca(self.word, sizes[1])  # of the arrays: tensors, or themselves
        self.owned = self.build.alloca(self.word, reduce(self.build.add, sizes))  # objects to let go at the end
        self.owned_count, self.taken = self.build.alloca(self.word), self.build.alloca(self.word)
        self.build.store(self.word(0), self.owned_count)

    def push(self, value: Any) -> None:
        """Put a new object onto the stack of results; 0: the call has failed."""
        self.need_some(value, self.broken)
        depth = self.build.load(self.depth)
        self.put(value, self.stack, depth)
        self.build.store(self.build.add(depth, self.word(1)), self.depth)

    def drop(self) -> None:
        """Let the last of the stack go."""
        depth = self.build.sub(self.build.load(self.depth), self.word(1))
        self.build.store(depth, self.depth)
        self.release(self.get(self.stack, depth))

    def own(self, value: Any) -> Any:
        """Let an object go, which is counted already, when the call ends."""
        count = self.build.load(self.owned_count)
        self.put(value, self.owned, count)
        self.build.store(self.build.add(count, self.word(1)), self.owned_count)
        return value

    def let_go(self) -> None:
        """Let all go that is owned."""
        self.times(self.build.load(self.owned_count), lambda k: self.release(self.get(self.owned, k)))

    def check_modes(self) -> None:
        variables = self.known(CallWord.VARIABLES)

        def variable(k: Any) -> None:
            pair = self.row(variables, k, 2)
            self.build.store(self.word(0), self.cell)
            self.python("PyContextVar_Get", self.load(pair), self.word(0), self.cell)
            value = self.build.load(self.cell)
            self.need_object(value)
            self.release(value)
            self.need_equal(value, self.load(pair, 8))

        self.times(self.known(CallWord.VARIABLE_COUNT), variable)

    def check_in_python(self) -> None:
        """What only Python can compare: before all else, as it may run any code."""
        found = self.python("PyObject_CallNoArgs", self.known(CallWord.HOLD))
        self.need_object(found)
        self.release(found)
        self.need_equal(found, self.known(CallWord.TRUE))

    def attribute(self, owner: Any, name: Any) -> Any:
        """An attribute's value, which isn't held: its owner holds it, and nobody runs until the array is held."""
        value = self.python("PyObject_GetAttr", owner, name)
        self.need_object(value)
        self.release(value)
        return value

    def check_value(self, number: Any) -> None:
        """One value among the arguments: what it is; its parts get their places, its array is held."""
        row = self.row(self.known(CallWord.GIVEN), number, GivenWord.WORDS)
        value = _Value(self, row, self.get(self.values, self.load(row, 8 * GivenWord.PLACE)))
        self.choose(value.word(GivenWord.KIND), {
            Given.SEQUENCE: value.check_tuple, Given.LIST: value.check_list, Given.DICT: value.check_dict,
            Given.TENSOR: value.check_tensor, Given.ARRAY: value.check_array, Given.FLOAT: value.take_float,
            Given.INT: value.take_int, Given.BITS: value.check_bits, Given.SAME: value.check_identity,
            Given.EQUAL: value.check_equal,
        })  # fmt: skip

    def need_same(self, value: Any, known: Any, kind: Any) -> None:
        """Go on where two values are one object, or equal and of this class (of numbers or strings; 0: of none)."""
        other, failed = self.function.append_basic_block(), self.function.append_basic_block()
        after = self.function.append_basic_block()
        self.build.cbranch(self.build.icmp_unsigned("==", value, known), after, other)
        self.build.position_at_end(other)
        self.need_equal(self.load(value, TYPE), kind)
        found = self.truth("PyObject_RichCompareBool", value, known, self.int(_EQUALS))
        self.need(self.build.icmp_signed(">=", found, found.type(0)), failed)
        self.forget_error(failed)
        self.need_some(found)
        self.build.branch(after)
        self.build.position_at_end(after)


class _Value:
    """Writes the checks of one value by its row."""

    def __init__(self, writer: ArgumentChecks, row: Any, value: Any) -> None:
        self.write, self.row, self.value = writer, row, value

    def word(self, which: GivenWord) -> Any:
        return self.write.load(self.row, 8 * which)

    def check_class(self) -> None:
        self.write.need_equal(self.write.load(self.value, TYPE), self.word(GivenWord.CLASS))

    def _check_count(self) -> None:
        self.check_class()
        self.write.need_equal(self.write.load(self.value, SIZE), self.word(GivenWord.COUNT))

    def _place(self, k: Any, item: Any, *, owned: bool = True) -> None:
        """Put a part in its place; owned: its container may lose it meanwhile."""
        at = self.write.build.add(self.word(GivenWord.FIRST), k)
        if owned:
            self.write.own(self.write.hold(item))
        self.write.put(item, self.write.values, at)

    def check_tuple(self) -> None:
        self._check_count()
        write, value = self.write, self.value
        write.times(
            self.word(GivenWord.COUNT),
            lambda k: self._place(k, write.load(write.row(value, k, 1), ITEMS), owned=False),
        )

    def check_list(self) -> None:
        self._check_count()
        write, items = self.write, self.write.load(self.value, ITEMS)
        write.times(self.word(GivenWord.COUNT), lambda k: self._place(k, write.load(write.row(items, k, 1))))

    def check_dict(self) -> None:
        self._check_count()
        write = self.write
        write.build.store(write.word(0), write.position)

        def item(k: Any) -> None:
            write.need_some(write.truth("PyDict_Next", self.value, write.position, write.cell, write.other))
            pair = write.row(self.word(GivenWord.TABLE), k, 2)
            write.need_same(write.build.load(write.cell), write.load(pair), write.load(pair, 8))
            self._place(k, write.build.load(write.other))

        write.times(self.word(GivenWord.COUNT), item)

    def check_tensor(self) -> None:
        self.check_class()
        write, value = self.write, self.value
        write.need_equal(write.attribute(value, write.known(CallWord.DTYPE_NAME)), self.word(GivenWord.DTYPE))
        write.need_equal(write.attribute(value, write.known(CallWord.STOP_NAME)), self.word(GivenWord.STOP))
        facts = self.word(GivenWord.FACTS)

        def fact(k: Any) -> None:
            pair = write.row(facts, k, 2)
            write.need_equal(write.attribute(value, write.load(pair)), write.load(pair, 8))

        write.times(self.word(GivenWord.FACT_COUNT), fact)
        cell = write.attribute(value, write.known(CallWord.STORAGE_NAME))
        write.need_equal(write.load(cell, TYPE), write.known(CallWord.STORAGE))
        array = write.load(cell, write.known(CallWord.PAYLOAD))
        write.need_some(array)
        write.need_equal(write.load(array, TYPE), write.known(CallWord.NDARRAY))
        self._take_array(array)

    def check_array(self) -> None:
        self.check_class()
        write, at = self.write, self.write.data_offset
        write.need_equal(write.load(self.value, at + _DESCR), self.word(GivenWord.DTYPE))
        plain = write.build.and_(write.load_int(self.value, at + _FLAGS), write.word(_PLAIN))
        write.need_equal(plain, _PLAIN)
        self._take_array(self.value)

    def _take_array(self, array: Any) -> None:
        write, at = self.write, self.write.data_offset
        rank = write.load_int(array, at + _RANK)
        write.need_equal(rank, self.word(GivenWord.COUNT))
        sizes, wanted = write.load(array, at + _SIZES), self.word(GivenWord.TABLE)

        def size(axis: Any) -> None:
            write.need_equal(write.load(write.row(sizes, axis, 1)), write.load(write.row(wanted, axis, 1)))

        write.times(rank, size)
        number = self.word(GivenWord.FIRST)
        write.put(write.own(write.hold(array)), write.arrays, number)
        write.put(self.value, write.owners, number)

    def take_float(self) -> None:
        self.check_class()
        self.write.put(self.write.load(self.value, FLOAT), self.write.numbers, self.word(GivenWord.FIRST))

    def take_int(self) -> None:
        self.check_class()
        write = self.write
        found = write.python("PyLong_AsLongLong", self.value)
        write.put(found, write.numbers, self.word(GivenWord.FIRST))

        def failed() -> None:
            error = write.function.append_basic_block()
            write.need_equal(write.python("PyErr_Occurred"), 0, error)
            write.forget_error(error)

        write.when(write.build.zext(write.build.icmp_signed("==", found, write.word(-1)), write.int), failed)

    def check_bits(self) -> None:
        self.check_class()
        self.write.need_equal(self.write.load(self.value, FLOAT), self.word(GivenWord.DTYPE))

    def check_identity(self) -> None:
        self.write.need_equal(self.value, self.word(GivenWord.DTYPE))

    def check_equal(self) -> None:
        self.write.need_same(self.value, self.word(GivenWord.DTYPE), self.word(GivenWord.CLASS))
