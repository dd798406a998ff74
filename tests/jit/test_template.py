"""Templates: filling, positions, and wrong sets of holes."""

from __future__ import annotations

import gast
import pytest

from vitrify.jit.source.gast_trees import text_of
from vitrify.jit.source.names import Names
from vitrify.jit.source.template import TemplateError, template


@template
def GUARD(test, body, names, name, value):
    def name(value):
        nonlocal names
        if test:
            body
        return value


@template
def SUM(a, b):
    a + b


AT = gast.Pass(lineno=7, col_offset=4, end_lineno=9, end_col_offset=8)


def _parse(text: str) -> list[gast.stmt]:
    return gast.parse(text).body


def test_holes_take_expressions_blocks_names_and_declarations():
    test = gast.parse("p", mode="eval").body
    made = GUARD.statements(AT, test=test, body=_parse("q()\nr()"), names=("u", "v"), name="g", value="w")
    assert text_of(made[0]) == "def g(w):\n    nonlocal u, v\n    if p:\n        q()\n        r()\n    return w"


def test_an_empty_declaration_vanishes():
    test = gast.parse("p", mode="eval").body
    made = GUARD.statements(AT, test=test, body=_parse("q()"), names=(), name="g", value="w")
    assert "nonlocal" not in text_of(made[0])


def test_generated_nodes_stand_at_the_start_of_what_they_replace():
    made = SUM.expression(AT, a="x", b="y")
    places = {
        (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) for n in gast.walk(made) if isinstance(n, gast.expr)
    }
    assert places == {(7, 7, 4, 4)}


def test_copies_share_nothing_that_is_written():
    first, second = SUM.expression(AT, a="x", b="y"), SUM.expression(AT, a="x", b="y")
    assert first is not second
    assert first.left is not second.left


def test_a_wrong_set_of_holes_raises():
    with pytest.raises(TemplateError, match=r"SUM has the holes \['a', 'b'\], got \['a', 'c'\]"):
        SUM.expression(AT, a="x", c="y")


def test_a_statement_is_no_expression():
    with pytest.raises(TemplateError, match="not one expression"):
        GUARD.expression(AT, test=gast.Constant(1, None), body=[], names=(), name="g", value="w")


def test_fresh_names_avoid_those_taken():
    names = Names({"then_1", "did_return"})
    assert [names.fresh("then"), names.fresh("then")] == ["then_2", "then_3"]
    assert names.plain("did_return") == "did_return_1"
    assert names.plain("return_value") == "return_value"
