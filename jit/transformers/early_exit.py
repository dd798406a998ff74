"""`return`, `break`, `continue` and loop `else` -> structured code.

One transformer for the three, because the code after an `if` that jumps is moved the same way for all of them:

    if c:                    if c:                      for x in xs:            did_break = False
        return a                 return_value = a           if p(x):            for x in xs:
    b()                 ->   else:                              break      ->       if p(x):
    return d                     b()                        f(x)                        did_break = True
                                 return_value = d                                   else:
                             return return_value                                        f(x)

Code is moved into the other branch where a branch always jumps, so most jumps need no flag. Where only part of a
branch jumps, a flag is set and the rest is guarded by `if not flag`. A `for` with exits gets its test from
`EarlyExits.loop_tests`; a `while` has it in front of its own test.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import gast

from ...base.errors import CaptureError
from ...base.location import Loc
from ..analysis.exits import (
    LOOPS,
    TRIES,
    Jump,
    always_exits,
    blocks,
    bound_in,
    is_endless,
    is_exhaustive,
    is_suspendable,
    jumps,
    jumps_of,
    own_nodes,
)
from ..source.names import Names
from ..source.template import place as put
from ..source.template import template
from . import match_case
from .nodes import assign, both, constant, load, none_of


@template
def RETURNED(rt, value):
    rt.returned(value)


@template
def NOT_RETURNED(rt, value):
    rt.not_returned(value)


@dataclass(slots=True)
class _Loop:
    """Flags of the loop around a block."""

    did_break: str
    did_continue: str
    continues_by_flag: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: what its end means, and the loop around it."""

    at_function_end: bool  # falling off the block returns None
    at_loop_end: bool  # falling off the block goes to the next round
    loop: _Loop | None

    def not_last(self) -> _Place:
        return replace(self, at_function_end=False, at_loop_end=False)


class EarlyExits:
    """Removes the jumps of a function and of those inside it; `loop_tests` says when a `for` goes on."""

    def __init__(self, names: Names, file: str, rt: str = "vt_rt") -> None:
        self.rt = rt
        self.loop_tests: dict[gast.For, gast.expr] = {}
        self.unreached: dict[gast.AST, set[str]] = {}  # by function: names bound in code that was dropped
        self._names = names
        self._file = file

    def apply(self, function: gast.FunctionDef) -> None:
        """Rewrite the body of `function` in place."""
        walk = _Function(self, self._names, self._file)
        walk.apply(function)
        if dropped := walk.dropped_names():
            self.unreached[function] = dropped

    def apply_between(self, function: gast.FunctionDef, kept: Container[gast.AST]) -> None:
        """Rewrite what stands between and in the statements `kept`, which keep their jumps."""
        walk = _Function(self, self._names, self._file)
        function.body = walk.pieces(function.body, kept)
        if dropped := walk.dropped_names():
            self.unreached[function] = dropped


class _Function:
    def __init__(self, owner: EarlyExits, names: Names, file: str) -> None:
        self._owner = owner
        self._names = names
        self._file = file
        self._did_return = ""
        self._return_value = ""
        self._returns_by_flag = False
        self._unreached: list[gast.stmt] = []
        self._here: gast.stmt = gast.Pass()  # the last statement met, for code that stands for none

    def apply(self, function: gast.FunctionDef) -> None:
        body = function.body
        self._here = body[0]
        *before, last = body
        if not jumps_of(before) & Jump.RETURN and (isinstance(last, gast.Return) or not jumps(last)):
            end: list[gast.stmt] = [last] if isinstance(last, gast.Return) else []
            function.body = self._block(before if end else body, _Place(False, False, None)) + end
            return
        self._return_value = self._names.plain("return_value")
        self._did_return = self._names.plain("did_return")
        lines = self._block(body, _Place(True, False, None))
        start = [assign(self._did_return, constant(False, body[0]), body[0])] if self._returns_by_flag else []
        function.body = [*_docstring(body), *start, *lines[len(_docstring(body)) :], self._final(last)]

    def pieces(self, statements: Sequence[gast.stmt], kept: Container[gast.AST]) -> list[gast.stmt]:
        """Statements one by one, those in `kept` from the inside."""
        made: list[gast.stmt] = []
        for statement in statements:
            if statement in kept:
                for block in blocks(statement):
                    block[:] = self.pieces(block, kept)
                made.append(statement)
            else:
                self._here = statement
                made += self._block([statement], _Place(False, False, None))
        return made

    def dropped_names(self) -> set[str]:
        """Names bound in code that is never reached: they are local all the same."""
        return {name for statement in self._unreached for name in bound_in(statement)}

    def _final(self, at: gast.stmt) -> gast.stmt:
        value: gast.expr = load(self._return_value, at)
        if self._returns_by_flag:  # which the analyses don't connect with the value
            value = RETURNED.expression(at, rt=self._owner.rt, value=value)
        return put(gast.Return(value), at)

    # blocks

    def _block(self, statements: Sequence[gast.stmt], place: _Place) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for index, statement in enumerate(statements):
            rest = list(statements[index + 1 :])
            if rest and always_exits([statement]):
                self._unreached, rest = [*self._unreached, *rest], []
            if isinstance(statement, gast.Match):
                classes, statement = match_case.with_open_classes(statement, self._names, self._owner.rt)
                done += classes
                if chain := match_case.as_if(statement, self._names, self._owner.rt):
                    return done + self._block([*chain, *rest], place)
            if isinstance(statement, LOOPS):
                return done + self._loop(statement, rest, place)
            if not (kinds := jumps(statement)):
                done.append(self._untouched(statement))
                if not rest:
                    break
            elif isinstance(statement, gast.Return | gast.Break | gast.Continue):
                return done + self._jump(statement, place)
            else:
                return done + self._compound(statement, kinds, rest, place)
        return done + self._fall_off(statements, place)

    def _fall_off(self, statements: Sequence[gast.stmt], place: _Place) -> list[gast.stmt]:
        if not place.at_function_end or always_exits(statements):
            return []
        at = statements[-1] if statements else self._here
        return [assign(self._return_value, constant(None, at), at)]

    def _untouched(self, statement: gast.stmt) -> gast.stmt:
        """No jump leaves `statement`, but loops and functions inside it have their own."""
        if isinstance(statement, gast.FunctionDef):
            if not is_suspendable(statement):
                self._owner.apply(statement)
        elif isinstance(statement, gast.ClassDef):
            statement.body = [
                self._untouched(part) if isinstance(part, gast.FunctionDef) else part for part in statement.body
            ]
        elif not isinstance(statement, gast.AsyncFunctionDef):
            inner = _Place(False, False, None)
            for block in blocks(statement):
                block[:] = self._block(block, inner)
        return statement

    def _jump(self, statement: gast.Return | gast.Break | gast.Continue, place: _Place) -> list[gast.stmt]:
        match statement:
            case gast.Return(value=value):
                value = value or constant(None, statement)
                lines = [assign(self._return_value, value, statement)]
                return lines if place.at_function_end else [*lines, self._raise_flag(self._return_flag(), statement)]
            case gast.Break():
                return [self._raise_flag(_loop_of(place).did_break, statement)]
            case gast.Continue():
                if place.at_loop_end:
                    return [put(gast.Pass(), statement)]
                _loop_of(place).continues_by_flag = True
                return [self._raise_flag(_loop_of(place).did_continue, statement)]

    def _return_flag(self) -> str:
        self._returns_by_flag = True
        return self._did_return

    def _raise_flag(self, flag: str, at: gast.stmt) -> gast.stmt:
        return assign(flag, constant(True, at), at)

    # compound statements

    def _compound(self, statement: gast.stmt, kinds: Jump, rest: list[gast.stmt], place: _Place) -> list[gast.stmt]:
        self._here = statement
        if isinstance(statement, gast.If):
            if always_exits(statement.body):
                statement.orelse, rest = [*statement.orelse, *rest], []
            elif always_exits(statement.orelse):
                statement.body, rest = [*statement.body, *rest], []
        inner = place.not_last() if rest else place
        lines = self._inside(statement, kinds, inner)
        if not rest:
            return lines
        flags = self._flags(kinds, place)
        return lines + self._guarded(flags, self._block(rest, place), rest[0])

    def _flags(self, kinds: Jump, place: _Place) -> list[str]:
        flags = []
        if Jump.BREAK in kinds:
            flags.append(_loop_of(place).did_break)
        if Jump.CONTINUE in kinds:
            _loop_of(place).continues_by_flag = True
            flags.append(_loop_of(place).did_continue)
        if Jump.RETURN in kinds:
            flags.append(self._return_flag())
        return flags

    def _guarded(self, flags: list[str], lines: list[gast.stmt], at: gast.stmt) -> list[gast.stmt]:
        if not lines or not flags:
            return lines
        return [gast.copy_location(gast.If(none_of(flags, at), lines, []), at)]

    def _inside(self, statement: gast.stmt, kinds: Jump, place: _Place) -> list[gast.stmt]:
        match statement:
            case gast.If():
                statement.body = self._block(statement.body, place)
                statement.orelse = self._block(statement.orelse, place)
                return [statement]
            case gast.With() | gast.AsyncWith():
                lines = self._return_none_unless(False, kinds, place, statement)  # an exception may be swallowed
                risky = _is_risky(statement.body)
                statement.body = self._block(statement.body, place)
                return [*lines, *(self._cancel_if_swallowed(statement, kinds, place) if risky else [statement])]
            case gast.Match():
                lines = self._return_none_unless(is_exhaustive(statement), kinds, place, statement)
                for case in statement.cases:
                    case.body = self._block(case.body, place)
                return [*lines, statement]
            case gast.Try() | gast.TryStar():
                return self._try(statement, place)
        raise AssertionError(f"{type(statement).__name__} holds no jump")

    def _cancel_if_swallowed(self, node: gast.With | gast.AsyncWith, kinds: Jump, place: _Place) -> list[gast.stmt]:
        """A jump in the body was overtaken by an exception, which the `with` swallows: then it didn't happen."""
        completed = self._names.fresh("completed")
        before = assign(completed, constant(False, node), node)
        node.body.append(assign(completed, constant(True, node), node))
        undo = [assign(flag, constant(False, node), node) for flag in self._flags(kinds, place)]
        if place.at_function_end and Jump.RETURN in kinds:
            undo.append(assign(self._return_value, constant(None, node), node))
        return [before, node, *self._guarded([completed], undo, node)]

    def _return_none_unless(self, covered: bool, kinds: Jump, place: _Place, at: gast.stmt) -> list[gast.stmt]:
        if covered or not place.at_function_end or Jump.RETURN not in kinds:
            return []
        return [assign(self._return_value, constant(None, at), at)]

    def _try(self, node: gast.Try | gast.TryStar, place: _Place) -> list[gast.stmt]:
        if jumps_of(node.finalbody):
            raise CaptureError(
                "a jump out of `finally` can't be captured: it would swallow the exception under way",
                loc=Loc(self._file, node.finalbody[0].lineno),
                remedy="move the `return`, `break` or `continue` behind the `try` statement",
            )
        kinds = jumps_of(node.body)
        risky = _is_risky(node.body)
        node.body = self._block(node.body, place.not_last() if node.orelse else place)
        flags = self._flags(kinds, place) if node.orelse or risky else []
        for handler in node.handlers:
            # The jump in the body may have been overtaken by an exception in `__exit__` or `finally`.
            reset = [assign(flag, constant(False, handler), handler) for flag in flags if risky]
            handler.body = reset + self._block(handler.body, place)
        if node.orelse:
            node.orelse = self._guarded(flags, self._block(node.orelse, place), node.orelse[0])
        node.finalbody = self._block(node.finalbody, _Place(False, False, None))
        return [node]

    # loops

    def _loop(self, node: gast.For | gast.While, rest: list[gast.stmt], place: _Place) -> list[gast.stmt]:
        kinds = jumps_of(node.body)
        loop = _Loop(self._names.fresh("did_break"), self._names.fresh("did_continue"))
        endless = is_endless(node) and Jump.BREAK not in kinds
        node.body = self._block(node.body, _Place(False, True, loop))
        if loop.continues_by_flag:
            node.body.insert(0, assign(loop.did_continue, constant(False, node), node))
        breaks = [loop.did_break] if Jump.BREAK in kinds else []
        lines = [assign(flag, constant(False, node), node) for flag in breaks]
        returns = [self._return_flag()] if Jump.RETURN in kinds else []
        self._set_test(node, breaks + returns)
        if returns:  # an iteration begins only where none has returned: no tensor of an earlier one is read there
            value = NOT_RETURNED.expression(node, rt=self._owner.rt, value=load(self._return_value, node))
            flags = [assign(flag, constant(False, node), node) for flag in returns]
            node.body[:0] = [assign(self._return_value, value, node), *flags]
        orelse, node.orelse = node.orelse, []
        if orelse and breaks:
            orelse = self._guarded(breaks, orelse, orelse[0])
        lines.append(node)
        if endless:  # what follows is never reached
            self._unreached += orelse
            return lines
        self._here = node
        after = self._block([*orelse, *rest], place)
        return lines + self._guarded(returns, after, (orelse or rest or [node])[0])

    def _set_test(self, node: gast.For | gast.While, flags: list[str]) -> None:
        if not flags:
            return
        test = none_of(flags, node)
        if isinstance(node, gast.While):
            node.test = both(test, node.test, node)
        else:
            self._owner.loop_tests[node] = test


def _is_risky(block: list[gast.stmt]) -> bool:
    """Whether a jump in the block passes an `__exit__` or a `finally`, which may raise."""
    inside = own_nodes(gast.Module(block, []))
    return any(isinstance(part, (gast.With, gast.AsyncWith, *TRIES)) and jumps(part) for part in inside)


def _loop_of(place: _Place) -> _Loop:
    assert place.loop is not None, "the compiler refuses a jump outside a loop"
    return place.loop


def _docstring(body: Sequence[gast.stmt]) -> list[gast.stmt]:
    first = body[0]
    return [first] if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) else []
