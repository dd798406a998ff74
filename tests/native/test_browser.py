"""The digits example as a page: what is drawn in a headless Chromium is what is predicted, as Python predicts."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from ..viz.browser import Browser, program
from .models import EXAMPLES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("ziglang", "sklearn"),
    pytest.mark.skipif(program() is None, reason="Chromium isn't installed"),
]
MOST_BYTES = 400_000
STROKES = {
    0: [[(128 + 50 * np.cos(a), 128 + 80 * np.sin(a)) for a in np.linspace(-1.6, 4.7, 30)]],
    1: [[(90, 80), (130, 45), (130, 215)]],
    4: [[(110, 45), (75, 140), (180, 140)], [(150, 95), (150, 220)]],
    7: [[(75, 50), (180, 50), (115, 215)], [(90, 130), (175, 130)]],
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any, Any, Browser]]:
    """The trained network, images that it hasn't seen, the page and a browser that shows it."""
    folders = [str(EXAMPLES), str(EXAMPLES / "browser")]
    sys.path[:0] = folders
    try:
        net, images, _ = importlib.import_module("digits_native").trained(300)
        page = importlib.import_module("digits_page").page(net)
    finally:
        for folder in folders:
            sys.path.remove(folder)
    file = tmp_path_factory.mktemp("page") / "digits.html"
    file.write_text(page)
    executable = program()
    assert executable is not None
    browser = Browser(executable)
    browser.open(file, width=700, height=460)
    browser.wait("document.body.dataset.ready === 'yes'")
    yield net, images, page, browser
    browser.close()


def test_it_is_one_small_file_that_asks_for_nothing(shown: tuple[Any, Any, Any, Browser]) -> None:
    _, _, page, browser = shown
    assert len(page.encode()) <= MOST_BYTES
    assert [url for url in browser.requests if not url.startswith("file:")] == []
    assert browser.errors == []


def test_it_predicts_what_python_predicts(shown: tuple[Any, Any, Any, Browser]) -> None:
    net, images, _, browser = shown
    found = np.array([browser.js(f"digits.model({json.dumps(x.ravel().tolist())})") for x in images[:20]], "float32")
    wanted = np.concatenate([net(vt.to_tensor(images[k : k + 1])).numpy() for k in range(20)])
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("digit", STROKES)
def test_what_is_drawn_is_seen(digit: int, shown: tuple[Any, Any, Any, Browser]) -> None:
    browser = shown[-1]
    browser.click("document.getElementById('clear')")
    for stroke in STROKES[digit]:
        for x, y in stroke:
            browser.js(f"digits.line({float(x)}, {float(y)})")
        browser.js("digits.lift()")
    browser.js("digits.predict()")
    assert browser.js("document.getElementById('answer').textContent") == str(digit)


def test_a_mouse_draws(shown: tuple[Any, Any, Any, Browser]) -> None:
    browser = shown[-1]
    browser.click("document.getElementById('clear')")
    browser.drag("document.getElementById('paper')", 20, 90)
    assert browser.js("digits.predict(), document.getElementById('answer').textContent") != ""
    assert browser.js("document.querySelector('.bar.best span').textContent") in "0123456789"


def test_a_notebook_shows_it_in_a_frame(shown: tuple[Any, Any, Any, Browser], tmp_path: Path) -> None:
    _, _, page, browser = shown
    (tmp_path / "cell.html").write_text(page._repr_html_())
    browser.open(tmp_path / "cell.html", width=700, height=500)
    browser.wait("document.querySelector('iframe').contentDocument.body.dataset.ready === 'yes'")
    assert "Draw a digit" in browser.js("document.querySelector('iframe').contentDocument.body.textContent")
