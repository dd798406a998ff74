"""What native calls check of their arguments: a row for each value, the containers before their parts."""

from __future__ import annotations

from typing import Any

from ...vm.call_words import FLOAT, ITEMS, SIZE, TYPE, CallWord, Given, GivenWord
from .blocks import Blocks

_RANK, _SIZES, _DESCR, _FLAGS = 8, 16, 40, 48  # of an array, behind its data
_PLAIN = 0x101  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_EQUALS = 2  # Py_EQ


class ArgumentChecks(Blocks):
    """The modes of a call and its arguments; what is found of these is held until the end."""

    def check_modes(self) -> None:
        variables = self.known(CallWord.VARIABLES)

        def variable(k: Any) -> None:
            pair = self.row(variables, k, 2)
            self.build.store(self.word(0), self.cell)
            self.python("PyContextVar_Get", self.load(pair), self.word(0), self.cell)
            value = self.build.load(self.cell)
            self.need_object(value)
            self.python("Py_DecRef", value)
            self.need_equal(value, self.load(pair, 8))

        self.times(self.known(CallWord.VARIABLE_COUNT), variable)

    def check_in_python(self) -> None:
        """What only Python can compare: before all else, as it may run any code."""
        found = self.python("PyObject_CallNoArgs", self.known(CallWord.HOLD))
        self.need_object(found)
        self.python("Py_DecRef", found)
        self.need_equal(found, self.known(CallWord.TRUE))

    def attribute(self, owner: Any, name: CallWord) -> Any:
        """An attribute's value, which isn't held: its owner holds it, and nobody runs until the array is held."""
        value = self.python("PyObject_GetAttr", owner, self.known(name))
        self.need_object(value)
        self.python("Py_DecRef", value)
        return value

    def check_value(self, number: Any) -> None:
        """One value among the arguments: what it is; its parts get their places, its array is held."""
        row = self.row(self.known(CallWord.GIVEN), number, GivenWord.WORDS)

        def word(which: GivenWord) -> Any:
            return self.load(row, 8 * which)

        value = self.get(self.values, word(GivenWord.PLACE))

        def is_of_class() -> None:
            self.need_equal(self.load(value, TYPE), word(GivenWord.CLASS))

        def is_counted() -> None:
            is_of_class()
            self.need_equal(self.load(value, SIZE), word(GivenWord.COUNT))

        def part(k: Any, item: Any) -> None:
            self.put(item, self.values, self.build.add(word(GivenWord.FIRST), k))
            self.python("Py_IncRef", item)

        def sequence() -> None:
            is_counted()
            self.times(word(GivenWord.COUNT), lambda k: part(k, self.load(self.row(value, k, 1), ITEMS)))

        def of_list() -> None:
            is_counted()
            items = self.load(value, ITEMS)
            self.times(word(GivenWord.COUNT), lambda k: part(k, self.load(self.row(items, k, 1))))

        def of_dict() -> None:
            is_counted()
            self.build.store(self.word(0), self.position)

            def item(k: Any) -> None:
                self.need_some(self.truth("PyDict_Next", value, self.position, self.cell, self.other))
                pair = self.row(word(GivenWord.TABLE), k, 2)
                self._need_same(self.build.load(self.cell), self.load(pair), self.load(pair, 8))
                part(k, self.build.load(self.other))

            self.times(word(GivenWord.COUNT), item)

        def tensor() -> None:
            is_of_class()
            self.need_equal(self.attribute(value, CallWord.DTYPE_NAME), word(GivenWord.DTYPE))
            self.need_equal(self.attribute(value, CallWord.STOP_NAME), word(GivenWord.STOP))
            cell = self.attribute(value, CallWord.STORAGE_NAME)
            self.need_equal(self.load(cell, TYPE), self.known(CallWord.STORAGE))
            array = self.load(cell, self.known(CallWord.PAYLOAD))
            self.need_some(array)
            self.need_equal(self.load(array, TYPE), self.known(CallWord.NDARRAY))
            feed(array)

        def array() -> None:
            is_of_class()
            self.need_equal(self.load(value, self.data_offset + _DESCR), word(GivenWord.DTYPE))
            flags = self.load_int(value, self.data_offset + _FLAGS)
            self.need_equal(self.build.and_(flags, self.word(_PLAIN)), _PLAIN)
            feed(value)

        def feed(array: Any) -> None:
            rank = self.load_int(array, self.data_offset + _RANK)
            self.need_equal(rank, word(GivenWord.COUNT))
            sizes, wanted = self.load(array, self.data_offset + _SIZES), word(GivenWord.TABLE)
            self.times(rank, lambda axis: self.need_equal(self.load(self.row(sizes, axis, 1)),
                                                          self.load(self.row(wanted, axis, 1))))  # fmt: skip
            self.put(array, self.arrays, word(GivenWord.FIRST))
            self.python("Py_IncRef", array)

        def a_float() -> None:
            is_of_class()
            self.put(self.load(value, FLOAT), self.numbers, word(GivenWord.FIRST))

        def an_int() -> None:
            is_of_class()
            found = self.python("PyLong_AsLongLong", value)
            self.put(found, self.numbers, word(GivenWord.FIRST))

            def failed() -> None:
                error = self.function.append_basic_block()
                self.need_equal(self.python("PyErr_Occurred"), 0, error)
                self.forget_error(error)

            self.when(self.build.zext(self.build.icmp_signed("==", found, self.word(-1)), self.int), failed)

        def bits() -> None:
            is_of_class()
            self.need_equal(self.load(value, FLOAT), word(GivenWord.DTYPE))

        self.choose(word(GivenWord.KIND), {
            Given.SEQUENCE: sequence, Given.LIST: of_list, Given.DICT: of_dict, Given.TENSOR: tensor,
            Given.ARRAY: array, Given.FLOAT: a_float, Given.INT: an_int, Given.BITS: bits,
            Given.SAME: lambda: self.need_equal(value, word(GivenWord.DTYPE)),
            Given.EQUAL: lambda: self._need_same(value, word(GivenWord.DTYPE), word(GivenWord.CLASS)),
        })  # fmt: skip

    def _need_same(self, value: Any, known: Any, kind: Any) -> None:
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
