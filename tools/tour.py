"""Bring docs/tour.md up to date: run its code, put down what it prints, and make its pictures.

Use: python tools/tour.py [--check] [--screenshots]
--check writes nothing; status 1 where the page is out of date. --screenshots takes those of the report anew, for which
Chromium must be installed; without it they stay as they are.

The blocks of code are one program, in one file `settle.py`. A block marked ```text after one of them holds what it
prints; a number after the mark says how many lines of it are shown. Times differ from run to run: `…` stands for them.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tour.md"
PICTURES = ROOT / "docs" / "tour"
_BLOCK = re.compile(r"^```(?P<mark>python|text)(?P<most> \d+)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CALLERS = re.compile(r"\n {6}(?!settle\.py)\w+\.py:\d+   .*?(?=\n|</title>)")
_TIME = re.compile(r" *\d[\d,]*\.\d+ (s|ms|µs)\b")


def tour(page: str) -> tuple[str, dict[str, bytes]]:
    """The page with the outputs that its code has now, and the pictures that the code draws."""
    blocks = [m for m in _BLOCK.finditer(page) if m["mark"] == "python"]
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        file = Path(folder) / "settle.py"
        file.write_text("".join(m["text"] for m in blocks))
        space: dict[str, Any] = {"__name__": "tour"}
        printed, line = [], 0
        for m in blocks:
            printed.append(_run(m["text"], line, file, space))
            line += m["text"].count("\n")
        outputs = iter(printed)
        latest = ""

        def filled(m: re.Match[str]) -> str:
            nonlocal latest
            if m["mark"] == "python":
                latest = next(outputs)
                return m[0]
            most = m["most"] or ""
            return f"```text{most}\n{_cut(latest, int(most or 1000))}```"

        made = _BLOCK.sub(filled, page)
        return made, {p.name: _without_tool(p) for p in sorted(Path(folder).iterdir()) if p.suffix in (".svg", ".html")}


@contextlib.contextmanager
def _inside(folder: Path) -> Any:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _run(text: str, line: int, file: Path, space: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * line + text, str(file), "exec"), space)
    hidden = _TIME.sub(lambda m: f"… {m[1]}".rjust(len(m[0])), out.getvalue())
    return hidden.replace(f"{file.parent}{os.sep}", "")


def _without_tool(picture: Path) -> bytes:
    """A picture's bytes, without the calls of this tool that led to the program."""
    return _CALLERS.sub("", picture.read_text(encoding="utf-8")).encode()


def _cut(text: str, most: int) -> str:
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    shown = lines[:most] + (["…"] if len(lines) > most else [])
    return "\n".join(shown) + "\n"


def screenshots(report: bytes) -> dict[str, bytes]:
    """Pictures of the report: a line chosen, light; what fusion changed and the graph, dark."""
    sys.path.insert(0, str(ROOT / "tests" / "viz"))
    import browser as driver

    executable = driver.program()
    if executable is None:
        sys.exit("the screenshots need Chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_bytes(report)
        browser = driver.Browser(executable)
        try:
            browser.open(page, width=1280, height=760)
            source = "[...document.querySelectorAll('#source .linked')]"
            browser.click(f"{source}.find(r => r.textContent.includes('change = '))")
            light = browser.picture()
            browser.look(1280, 760, "dark")
            fuse = (
                "[...document.querySelectorAll('#program .stages button')].find(b => b.textContent.startsWith('fuse'))"
            )
            browser.click(fuse)
            browser.key("d")
            browser.click("[...document.querySelectorAll('#vm [role=tab]')].find(t => t.textContent === 'Graph')")
            browser.js("document.querySelector('#program .body').scrollTop = 0")
            return {"report-light.webp": light, "report-dark.webp": browser.picture()}
        finally:
            browser.close()


def main(arguments: list[str]) -> int:
    """Write, or check, the page and its pictures."""
    page = PAGE.read_text(encoding="utf-8")
    made, files = tour(page)
    report = files.pop("report.html")
    if "--check" in arguments:
        stale = [name for name, data in files.items() if (PICTURES / name).read_bytes() != data]
        if made != page:
            sys.stdout.writelines(
                difflib.unified_diff(page.splitlines(True), made.splitlines(True), "docs/tour.md", "now")
            )
            stale.append("docs/tour.md")
        print("out of date: " + ", ".join(stale) if stale else "up to date")
        return int(bool(stale))
    if "--screenshots" in arguments:
        files |= screenshots(report)
    PICTURES.mkdir(exist_ok=True)
    for name, data in files.items():
        (PICTURES / name).write_bytes(data)
    PAGE.write_text(made, encoding="utf-8")
    print(f"docs/tour.md and {len(files)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
