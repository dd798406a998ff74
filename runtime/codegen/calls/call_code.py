"""The machine code of native calls (vm/calls/native_call.py): checks, the VM, the tensors of the results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir

from ...vm.calls.call_words import ITEMS, SIZE, CallWord, FetchWord, NumberWord, Result, ResultWord, SameWord
from ...vm.native_source.layout import HeaderWord, ListWord
from .arguments import ArgumentChecks


class CallWriter(ArgumentChecks):
    """Writes the function of all native calls."""

    def text(self) -> str:
        """The LLVM of the function."""
        self.check_modes()
        self.when(self.known(CallWord.HOLD), self.check_in_python)
        for k in range(2):  # the arguments, the keywords: who calls holds them
            self.put(self.load(self.arguments, 8 * k), self.values, self.word(k))
        self.times(self.known(CallWord.GIVEN_COUNT), self.check_value)
        self.times(self.known(CallWord.FETCH_COUNT), self._output)
        self._surroundings()
        self._run()
        self.times(self.known(CallWord.LATER_COUNT), self._later)
        self.when(self.build.load(self.taken), self._give_binding)
        self.times(self.known(CallWord.LATER_COUNT), self._tensor_later)
        self._results()
        self._left()
        return str(self.module)

    def _surroundings(self) -> None:
        """What must be as it was beside the arguments: looked at last, as collecting garbage may run any code."""
        free = self.known(CallWord.FREE)
        size = self.load(free, SIZE)
        self.need(self.build.icmp_signed(">", size, self.word(0)))
        last = self.load(self.row(self.load(free, ITEMS), size, 1), -8)
        self.need_equal(last, self.known(CallWord.BOUND))
        self.need_equal(self.load(self.known(CallWord.DIVERTED)), 0)
        pairs = self.known(CallWord.PAIRS)

        def pair(k: Any) -> None:
            two = self.row(pairs, k, 2)
            self.need_equal(self.load(self.load(two)), self.load(self.load(two, 8)))

        self.times(self.known(CallWord.PAIR_COUNT), pair)
        self.when(self.known(CallWord.STATE), self._state)
        self.when(self.known(CallWord.SAME), self._same)

    def _same(self) -> None:
        """The same ones of the arguments are one array, and one object, as in the call that the program is for."""
        groups, words = self.known(CallWord.SAME), SameWord.WORDS

        def alike(k: Any, j: Any) -> None:
            for table, word in ((self.arrays, SameWord.ARRAY), (self.owners, SameWord.OBJECT)):
                wanted = [self.load(self.row(groups, at, words), 8 * word) for at in (j, k)]
                is_one = self.build.icmp_unsigned("==", self.get(table, j), self.get(table, k))
                self.need_equal(is_one, self.build.icmp_unsigned("==", *wanted))

        self.times(self.known(CallWord.FEED_COUNT), lambda k: self.times(k, partial(alike, k)))

    def _state(self) -> None:
        """The arrays of the state: those that are written are no arguments; the VM gets them if it hasn't got them."""
        state = self.load(self.known(CallWord.STATE))
        self.need_equal(self.load(state, SIZE), self.known(CallWord.STATE_COUNT))
        written = self.known(CallWord.WRITTEN)

        def is_apart(k: Any) -> None:
            array = self.load(self.row(state, self.load(self.row(written, k, 1)), 1), ITEMS)
            count = self.known(CallWord.FEED_COUNT)
            self.times(count, lambda j: self.need(self.build.icmp_unsigned("!=", self.get(self.arrays, j), array)))

        self.times(self.known(CallWord.WRITTEN_COUNT), is_apart)
        to = self.known(CallWord.DESTINATION)

        def copy() -> None:
            self.times(
                self.known(CallWord.STATE_COUNT),
                lambda k: self.store(self.load(self.row(state, k, 1), ITEMS), self.row(to, k, 1)),
            )
            self.times(self.known(CallWord.TAKEN_COUNT), number)

        def number(k: Any) -> None:
            row = self.row(self.known(CallWord.TAKEN), k, NumberWord.WORDS)
            memory = self.load(row, 8 * NumberWord.MEMORY)

            def write() -> None:
                self.store(self.get(self.numbers, self.load(row, 8 * NumberWord.NUMBER)), memory)

            self.when(memory, write)
            self.store(self.load(row, 8 * NumberWord.ARRAY), self.row(to, self.load(row, 8 * NumberWord.PLACE), 1))

        self.when(self.known(CallWord.COPIED), copy)

    # ---- the run

    def _output(self, k: Any) -> None:
        """An array for what the program makes, and a tensor over it."""
        row = self.row(self.known(CallWord.FETCHES), k, FetchWord.WORDS)
        self.put(self.own(self._array(row)), self.outputs, k)
        self._tensor(row, k, self.leave)

    def _tensor(self, row: Any, k: Any, otherwise: Any) -> None:
        """A tensor over the array of a result, where one is wanted; otherwise: where that fails."""
        array, dtype = self.get(self.outputs, k), self.load(row, 8 * FetchWord.DTYPE)

        def tensor() -> None:
            made = self.own(self._new(CallWord.TENSOR, otherwise))
            self.put(made, self.tensors, k)
            cell = self._new(CallWord.STORAGE, otherwise)
            self.store(self.hold(array), cell, self.known(CallWord.PAYLOAD))
            fields = self.known(CallWord.FIELDS)

            def field(j: Any) -> None:
                pair = self.row(fields, j, 2)
                self.store(self.hold(self.load(pair, 8)), cell, self.load(pair))

            self.times(self.known(CallWord.FIELD_COUNT), field)
            first = self.truth("PyObject_SetAttr", made, self.known(CallWord.STORAGE_NAME), cell)
            self.release(cell)
            second = self.truth("PyObject_SetAttr", made, self.known(CallWord.DTYPE_NAME), dtype)
            self._need_made(self.build.icmp_unsigned("==", self.build.or_(first, second), self.int(0)), otherwise)

        self.when(dtype, tensor)

    def _later(self, k: Any) -> None:
        """An array for what the run has left in a list. The run counts: what fails is raised."""
        k = self.build.add(k, self.known(CallWord.FETCH_COUNT))
        row = self.row(self.known(CallWord.FETCHES), k, FetchWord.WORDS)
        told, sizes = self.load(row, 8 * FetchWord.TOLD), self.load(row, 8 * FetchWord.SIZES)
        self.build.store(self.load(told), self.cell)

        def size(axis: Any) -> None:
            found = self.load(self.load(self.row(told, axis, 1), 8))
            self.store(found, self.row(sizes, axis, 1))
            self.build.store(self.build.mul(self.build.load(self.cell), found), self.cell)

        self.times(self.load(row, 8 * FetchWord.RANK), size)
        count = self.build.load(self.cell)
        small, large, ready = (self.function.append_basic_block() for _ in range(3))
        is_small = self.build.icmp_unsigned("<", count, self.known(CallWord.WORTH_IT))
        self.build.cbranch(is_small, small, large)
        self.build.position_at_end(small)
        copied = self._new_array(row)
        self.need_some(copied, self.lost)
        source, target = (
            self.load(self.load(row, 8 * FetchWord.LIST), 8 * ListWord.DATA),
            self.load(copied, self.data_offset),
        )
        byte = ir.IntType(8)
        self.times(
            count,
            lambda j: self.build.store(self.build.load(self.pointer(source, j, byte)), self.pointer(target, j, byte)),
        )
        from_small = self.build.block
        self.build.branch(ready)
        self.build.position_at_end(large)
        taken = self.python("PyObject_CallNoArgs", self.load(row, 8 * FetchWord.TAKE))
        self.need_some(taken, self.lost)
        from_large = self.build.block
        self.build.branch(ready)
        self.build.position_at_end(ready)
        array = self.build.phi(self.word)
        array.add_incoming(copied, from_small)
        array.add_incoming(taken, from_large)
        self.put(self.own(array), self.outputs, k)

    def _tensor_later(self, k: Any) -> None:
        """A tensor over such an array, made when nothing is left in the binding: to make objects may run any code."""
        k = self.build.add(k, self.known(CallWord.FETCH_COUNT))
        row = self.row(self.known(CallWord.FETCHES), k, FetchWord.WORDS)
        self._tensor(row, k, self.broken)

    def _need_made(self, condition: Any, otherwise: Any) -> None:
        """Go on where Python has made something; before the run its exception is forgotten."""
        if otherwise is self.broken:
            self.need(condition, otherwise)
            return
        failed = self.function.append_basic_block()
        self.need(condition, failed)
        self.forget_error(failed)

    def _new(self, kind: CallWord, otherwise: Any) -> Any:
        """A new object, as `object.__new__` makes it."""
        made = self.python("OBJECT_NEW", self.known(kind), self.known(CallWord.NO_ARGUMENTS), self.word(0))
        self._need_made(self.build.icmp_unsigned("!=", made, self.word(0)), otherwise)
        return made

    def _new_array(self, row: Any) -> Any:
        """A new array of a result's type and sizes; 0 with an exception."""
        null, element = self.word(0), self.load(row, 8 * FetchWord.ELEMENT)
        self.hold(element)  # the new array takes it
        sizes = self.load(row, 8 * FetchWord.RANK), self.load(row, 8 * FetchWord.SIZES)
        return self.python("NEW_ARRAY", self.known(CallWord.NDARRAY), element, *sizes, null, null, null, null)

    def _array(self, row: Any) -> Any:
        """An array for a result, of the pool or new; where all of the pool are in use, Python may make more of them."""
        build, pool = self.build, self.load(row, 8 * FetchWord.POOL)
        pooled, head, look, after, take, none, fresh, ready = (self.function.append_basic_block() for _ in range(8))
        element = self.load(row, 8 * FetchWord.ELEMENT)
        build.cbranch(build.icmp_unsigned("==", pool, self.word(0)), fresh, pooled)

        build.position_at_end(pooled)
        count, items = self.load(pool, SIZE), self.load(pool, ITEMS)
        build.branch(head)
        build.position_at_end(head)
        k = build.phi(self.word)
        build.cbranch(build.icmp_signed("<", k, count), look, none)
        build.position_at_end(look)
        item = self.load(self.row(items, k, 1))
        holders = build.load(self.pointer(item, 0, self.int))
        build.cbranch(build.icmp_unsigned("==", holders, holders.type(1)), take, after)
        build.position_at_end(after)
        k.add_incoming(self.word(0), pooled)
        k.add_incoming(build.add(k, self.word(1)), after)
        build.branch(head)
        build.position_at_end(take)
        self.hold(item)
        build.branch(ready)
        build.position_at_end(none)
        build.cbranch(build.icmp_unsigned("==", element, self.word(0)), self.leave, fresh)

        build.position_at_end(fresh)
        made = self._new_array(row)
        self.need_object(made)
        from_fresh = build.block
        build.branch(ready)

        build.position_at_end(ready)
        out = build.phi(self.word)
        out.add_incoming(item, take)
        out.add_incoming(made, from_fresh)
        return out

    def _run(self) -> None:
        """Write the arguments and run the program from its beginning; Python goes on where it doesn't end at once."""
        to, feeds = self.known(CallWord.DESTINATION), self.known(CallWord.FEED_COUNT)
        to = self.row(to, self.known(CallWord.STATE_COUNT), 1)
        self.times(feeds, lambda k: self.store(self.get(self.arrays, k), self.row(to, k, 1)))
        to = self.row(to, feeds, 1)
        fetches = self.known(CallWord.FETCH_COUNT)
        self.times(fetches, lambda k: self.store(self.get(self.outputs, k), self.row(to, k, 1)))
        header = self.known(CallWord.HEADER)
        self.store(self.word(0), header, 8 * HeaderWord.PC)
        build, machine = self.build, self.known(CallWord.VM)
        self.build.store(self.word(0), self.taken)
        self.when(build.or_(self.known(CallWord.LOUD), self.known(CallWord.LATER_COUNT)), self._take_binding)
        quiet, loud, ended, stopped, done = (self.function.append_basic_block() for _ in range(5))
        is_quiet = build.icmp_unsigned("==", self.known(CallWord.LOUD), self.word(0))
        build.cbranch(is_quiet, quiet, loud)
        build.position_at_end(quiet)
        short = self.call(machine, header)
        build.branch(ended)
        build.position_at_end(loud)
        thread = self.python("PyEval_SaveThread")
        long = self.call(machine, header)
        self.python("PyEval_RestoreThread", thread)
        build.branch(ended)
        build.position_at_end(ended)
        status = build.phi(self.word)
        status.add_incoming(short, quiet)
        status.add_incoming(long, loud)
        build.cbranch(build.icmp_unsigned("==", status, self.word(0)), done, stopped).set_weights((1000, 1))

        build.position_at_end(stopped)
        is_there = build.icmp_unsigned("==", build.load(self.taken), self.word(0))
        self.when(build.zext(is_there, self.int), self._take_binding)
        resumed = self._resume(status)
        self.need_some(resumed, self.lost)
        self.release(resumed)
        build.branch(done)
        build.position_at_end(done)

    def _take_binding(self) -> None:
        """Nobody else gets the binding while the lock isn't held or results are in it; the list has it last."""
        free = self.known(CallWord.FREE)
        self.python("PySequence_DelItem", free, self.build.sub(self.load(free, SIZE), self.word(1)))
        self.build.store(self.word(1), self.taken)

    def _give_binding(self) -> None:
        self.python("PyList_Append", self.known(CallWord.FREE), self.known(CallWord.BOUND))

    def _resume(self, status: Any) -> Any:
        """What Python gives that goes on with the run: an object, or 0 with an exception."""
        two = self.python("PyTuple_New", self.word(2))
        self.push(two)
        self._item(two, self.word(0), self.python("PyLong_FromLongLong", status))
        self._item(two, self.word(1), self._arrays_of_call())
        made = self.python("PyObject_CallObject", self.known(CallWord.RESUME), two)
        self.drop()
        return made

    def _arrays_of_call(self) -> Any:
        """A new tuple of the arguments' arrays and those of the results."""
        feeds, fetches = self.known(CallWord.FEED_COUNT), self.known(CallWord.FETCH_COUNT)
        made = self.python("PyTuple_New", self.build.add(feeds, fetches))
        self.need_some(made, self.broken)
        self.times(feeds, lambda k: self._item(made, k, self.hold(self.get(self.arrays, k))))
        self.times(fetches, lambda k: self._item(made, self.build.add(feeds, k), self.hold(self.get(self.outputs, k))))
        return made

    def _item(self, made: Any, k: Any, item: Any) -> None:
        """Put an item, which isn't counted, into a new tuple."""
        self.store(item, self.row(made, k, 1), ITEMS)

    # ---- results

    def _results(self) -> None:
        """What follows a run, and what is returned: the last on the stack."""
        self.when(self.known(CallWord.WROTE), lambda: self._follow("PyObject_CallNoArgs", CallWord.WROTE))
        self.times(self.known(CallWord.RESULT_COUNT), self._result)
        self.when(self.known(CallWord.WRITE), self._write)
        self.let_go()
        self.build.ret(self.get(self.stack, self.word(0)))

    def _follow(self, name: str, function: CallWord, *given: Any) -> None:
        found = self.python(name, self.known(function), *given)
        self.need_some(found, self.broken)
        self.release(found)

    def _write(self) -> None:
        """Have Python record the call, and put tensors where the function wrote them."""
        count, three = self.known(CallWord.MADE_COUNT), self.python("PyTuple_New", self.word(3))
        self.push(three)
        tensors = self.python("PyList_New", count)
        self.need_some(tensors, self.broken)
        self._item(three, self.word(0), tensors)
        items = self.load(tensors, ITEMS)
        self.times(count, lambda k: self.store(self.hold(self.get(self.tensors, k)), self.row(items, k, 1)))
        feeds = self.known(CallWord.FEED_COUNT)
        given = self.python("PyTuple_New", feeds)
        self.need_some(given, self.broken)
        self._item(three, self.word(1), given)
        self.times(feeds, lambda k: self._item(given, k, self.hold(self.get(self.owners, k))))
        self._item(three, self.word(2), self._arrays_of_call())
        self._follow("PyObject_CallObject", CallWord.WRITE, three)
        self.drop()

    def _result(self, number: Any) -> None:
        """One step towards what is returned: a part, or a container of the last parts."""
        row = self.row(self.known(CallWord.RESULTS), number, ResultWord.WORDS)
        which = self.load(row, 8 * ResultWord.WHICH)

        def element(kind: Any) -> Any:
            return self.build.load(self.pointer(self.load(self.get(self.outputs, which), self.data_offset), 0, kind))

        def take(made: Any, store: Callable[[Any, Any], None]) -> None:
            """Move the last parts into a new container, then that onto the stack."""
            self.need_some(made, self.broken)
            first = self.build.sub(self.build.load(self.depth), which)
            self.times(which, lambda k: store(k, self.get(self.stack, self.build.add(first, k))))
            self.build.store(first, self.depth)
            self.push(made)

        def of_tuple() -> None:
            made = self.python("PyTuple_New", which)
            take(made, lambda k, part: self._item(made, k, part))

        def of_call() -> None:
            of_tuple()
            parts = self.get(self.stack, self.build.sub(self.build.load(self.depth), self.word(1)))
            made = self.python("PyObject_CallObject", self.load(self.load(row, 8 * ResultWord.KEYS)), parts)
            self.need_some(made, self.broken)
            self.drop()
            self.push(made)

        def of_list() -> None:
            made = self.python("PyList_New", which)
            take(made, lambda k, part: self.store(part, self.row(self.load(made, ITEMS), k, 1)))

        def of_dict() -> None:
            made, keys = self.python("PyDict_New"), self.load(row, 8 * ResultWord.KEYS)

            def store(k: Any, part: Any) -> None:
                self.python("PyDict_SetItem", made, self.load(self.row(keys, k, 1)), part)
                self.release(part)

            take(made, store)

        double, byte = ir.DoubleType(), ir.IntType(8)
        self.choose(self.load(row, 8 * ResultWord.KIND), {
            Result.TENSOR: lambda: self.push(self.hold(self.get(self.tensors, which))),
            Result.ARRAY: lambda: self.push(self.hold(self.get(self.outputs, which))),
            Result.FLOAT64: lambda: self.push(self.python("PyFloat_FromDouble", element(double))),
            Result.FLOAT32: lambda: self.push(
                self.python("PyFloat_FromDouble", self.build.fpext(element(ir.FloatType()), double))),
            Result.INT64: lambda: self.push(self.python("PyLong_FromLongLong", element(self.word))),
            Result.BOOL: lambda: self.push(self.python("PyBool_FromLong", self.build.zext(element(byte), self.word))),
            Result.OBJECT: lambda: self.push(self.hold(which)),
            Result.VALUE: lambda: self.push(self.hold(self.get(self.values, which))),
            Result.TUPLE: of_tuple, Result.LIST: of_list, Result.DICT: of_dict, Result.CALLED: of_call,
        })  # fmt: skip

    def _left(self) -> None:
        """What says that the call wasn't made, or that it failed."""
        self.build.position_at_end(self.leave)
        self.let_go()
        self.build.ret(self.hold(self.known(CallWord.MISS)))
        self.build.position_at_end(self.lost)
        self._give_binding()
        self.build.branch(self.broken)
        self.build.position_at_end(self.broken)
        depth = self.build.load(self.depth)
        self.times(depth, lambda k: self.release(self.get(self.stack, k)))
        self.let_go()
        self.build.ret(self.word(0))
