"""The machine code with which a call of a compiled function begins (vm/calls/call_entry.py)."""

from __future__ import annotations

from ...vm.calls.call_words import ITEMS, TYPE, EntryWord
from .machine_blocks import MachineBlocks

_DEFINITION, _SELF = 16, 24  # of a function in C: its PyMethodDef, what it is bound to
_FUNCTION = 8  # of a PyMethodDef


class EntryWriter(MachineBlocks):
    """Writes the function (object, arguments, keywords or 0) that stands in a class for `__call__`.

    first, known: where objects have their native call, and the tuple with the words of `EntryWord`.
    """

    words = EntryWord

    def text(self, first: int, known: int) -> str:
        """The LLVM of the function."""
        me, arguments, named = self.function.args
        build = self.build
        held, unmade = self.load(me, known), self.function.append_basic_block()
        self.need_some(held, unmade)
        self.block = self.words_of(held)
        two = build.alloca(self.word, 2)
        self.put(arguments, two, self.word(0))
        nothing = build.icmp_unsigned("==", named, self.word(0))
        self.put(build.select(nothing, self.known(EntryWord.NO_KEYWORDS), named), two, self.word(1))
        native = self.load(me, first)
        self.need_some(native)
        self.need_equal(self.load(native, TYPE), self.known(EntryWord.FUNCTIONS))
        self.need_equal(self.load(native, _DEFINITION), self.known(EntryWord.DEFINITION))
        self.hold(native)  # another thread may give the object another one
        code = self.load(self.known(EntryWord.DEFINITION), _FUNCTION)
        made = self.call(code, self.load(native, _SELF), build.ptrtoint(two, self.word), self.word(2))
        self.release(native)
        self.need_some(made, self.broken)
        missed, done = self.function.append_basic_block(), self.function.append_basic_block()
        build.cbranch(build.icmp_unsigned("==", made, self.known(EntryWord.MISS)), missed, done).set_weights((1, 9))
        build.position_at_end(done)
        build.ret(made)
        build.position_at_end(missed)
        self.release(made)
        build.branch(self.leave)
        build.position_at_end(self.leave)
        build.ret(self.call(self.known(EntryWord.USUAL), me, arguments, named))
        build.position_at_end(self.broken)
        self._raise(me, arguments, self.get(two, self.word(1)))
        build.position_at_end(unmade)
        build.ret(self.word(0))
        return str(self.module)

    def _raise(self, *given: object) -> None:
        """Let Python show the exception in the user's terms, and raise it."""
        build = self.build
        three = [build.alloca(self.word) for _ in range(3)]
        for name in ("PyErr_Fetch", "PyErr_NormalizeException"):
            self.python(name, *three)
        kind, error, trace = (build.load(place) for place in three)

        def tell() -> None:
            self.python("PyException_SetTraceback", error, trace)
            self.release(trace)

        self.when(trace, tell)
        self.release(kind)
        made = self.python("PyTuple_New", self.word(4))
        last = self.function.append_basic_block()
        self.need_some(made, last)
        for k, item in enumerate((*given, error)):
            self.store(item if k == 3 else self.hold(item), made, ITEMS + 8 * k)
        self.python("PyObject_CallObject", self.known(EntryWord.SHOW), made)
        self.release(made)
        build.branch(last)
        build.position_at_end(last)
        build.ret(self.word(0))
