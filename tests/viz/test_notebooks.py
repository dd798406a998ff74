"""What notebooks show: well-formed HTML that nothing in a program's texts can break."""

from __future__ import annotations

import html
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import vitrify as vt
from vitrify.base.html import MOST_LINES, code, folded, grid
from vitrify.jit.debug.results import Difference

EVIL = "<script>alert(1)</script>&\"'"


def evil(x: Any) -> Any:
    note = "<script>alert(1)</script>"
    return vt.exp(x) + len(note)


def parsed(text: str) -> ElementTree.Element:
    """The tree of a piece of HTML, which must be well-formed XML too and hold no script."""
    tree = ElementTree.fromstring(f"<div>{text.replace('<details open>', '<details>')}</div>")
    assert not list(tree.iter("script"))
    return tree


@pytest.fixture(scope="module")
def fn() -> Any:
    made = vt.jit.to_static(evil)
    made(vt.ones([3]))
    return made


@pytest.mark.parametrize("name", ["program", "main_program", "code", "kernels", "memory_plan"])
def test_views_of_a_function(fn: Any, name: str) -> None:
    text = "".join(parsed(getattr(fn, name)._repr_html_()).itertext())
    assert {
        "program": "exp %x",
        "main_program": "exp %x",
        "code": "vt.exp",
        "kernels": "exp_f32",
        "memory_plan": "peak",
    }[name] in text


def test_a_function_shows_its_parts(fn: Any) -> None:
    tree = parsed(fn._repr_html_())
    titles = ["".join(s.itertext()) for s in tree.iter("summary")]
    parts = ["programs", "time in seconds", "captured program", "after the passes", "kernels"]
    assert [t for t in titles if t in parts] == parts
    assert "first call with this signature" in "".join(tree.itertext())


def test_a_function_that_was_not_called() -> None:
    assert "not called yet" in vt.jit.to_static(evil)._repr_html_()


def test_certificates_and_static_programs(fn: Any) -> None:
    assert "<script>alert(1)</script>" in "".join(parsed(fn.certificate()._repr_html_()).itertext())
    assert "program @main" in "".join(parsed(vt.static.Program()._repr_html_()).itertext())


def test_misses_and_neighbours_are_tables() -> None:
    fn = vt.to_static(lambda x: vt.exp(x).sum() + vt.cumsum(x).max())
    for size in (3, 5):
        fn(vt.ones([size]))
    head, *body = [["".join(c.itertext()) for c in row] for row in parsed(fn.misses._repr_html_()).iter("tr")]
    assert head == ["number", "reason", "seconds"]
    assert [row[1] for row in body] == ["first call with this signature", fn.misses[1].reason]
    assert repr(fn.misses).splitlines()[0].split() == head
    assert "own loop nest" in "".join(parsed(fn.unfused._repr_html_()).itertext())
    assert parsed(vt.to_static(evil).misses._repr_html_()).findtext("p") == "none"


def test_an_explanation_is_folded_by_part(fn: Any) -> None:
    text = fn.explain()
    tree = parsed(text._repr_html_())
    assert "time in seconds" in [s.text for s in tree.iter("summary")]
    shown = "".join(tree.itertext())
    assert all(part.partition("\n")[2] in shown for part in text.parts)
    assert pickle.loads(pickle.dumps(text)).parts == text.parts


def test_a_verification_shows_its_stages_and_what_differs(fn: Any) -> None:
    good = vt.jit.verify(fn, vt.ones([3]))
    tree = parsed(good._repr_html_())
    assert tree.findtext("p") == "evil: nothing differs"
    assert "evil: kernels" in [cell.text for cell in tree.iter("td")]
    bad = replace(good, difference=Difference("evil: kernels", "exp<b>", None, None))
    assert "evil: kernels: exp<b>" in "".join(parsed(bad._repr_html_()).itertext())


def test_a_model_says_what_it_trains() -> None:
    model = vt.Model(vt.nn.Linear(3, 4))
    assert repr(model) == "<Model of Linear: 16 parameters>"
    optimizer = vt.optimizer.Adam(parameters=model.parameters())
    model.prepare(optimizer, vt.nn.CrossEntropyLoss(), vt.metric.Accuracy(), to_static=True)
    assert repr(model) == "<Model of Linear: 16 parameters, Adam, CrossEntropyLoss, Accuracy, compiled steps>"
    assert "in_features=3" in "".join(parsed(model._repr_html_()).itertext())


@pytest.mark.parametrize("kind", ["", "ir", "python", "diff"])
def test_texts_come_out_as_they_went_in(kind: str) -> None:
    for text in (EVIL, "%a = exp %b : f32[2]  // <b>", "x = '<i>'  # \"</pre>\"", "+ <a>\n- <b>\n  c", ""):
        assert "".join(parsed(code(text, kind)).itertext()) == text


def test_long_texts_are_cut() -> None:
    text = "".join(parsed(code("\n".join(map(str, range(MOST_LINES + 7))))).itertext())
    assert text.endswith("… 7 more lines")


def test_tables_and_folds_escape() -> None:
    tree = parsed(folded(EVIL, grid([EVIL], [[EVIL], [1]]), open=True))
    assert "".join(tree.itertext()) == EVIL * 3 + "1"


def test_a_picture_and_a_page_show_themselves(tmp_path: Path) -> None:
    fn = vt.to_static(lambda x: (x * 2).sum())
    fn(vt.ones([3]))
    picture = vt.draw(fn)
    assert isinstance(picture, str)
    assert picture._repr_svg_().startswith("<svg")
    assert repr(picture).startswith("<SVG picture, ")
    assert vt.draw(fn, format="dot").startswith("digraph")
    page = vt.report(fn, tmp_path / "page.html")
    assert page == str(tmp_path / "page.html")
    link, document = re.fullmatch(r'<a href="([^"]*)".*srcdoc="([^"]*)".*', page._repr_html_(), re.S).groups()  # type: ignore[union-attr,attr-defined]
    assert link == str(page)
    assert html.unescape(document) == (tmp_path / "page.html").read_text()
