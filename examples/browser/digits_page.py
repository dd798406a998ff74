"""The digits example in a browser: one HTML page with the network as WebAssembly. Draw a digit, see the prediction.

    python examples/browser/digits_page.py --out out/digits.html

In a notebook, the page is the value of a cell:

    import sys; sys.path[:0] = ["examples", "examples/browser"]
    from digits_page import page
    page()

It needs scikit-learn and vitrify[native].
"""

import argparse
import base64
import sys
import tempfile
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the network is that of digits_native.py

from digits_native import build, trained  # noqa: E402


class Page(str):
    """The text of a page. A notebook shows it in a frame of its own."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" width="100%" height="460" style="border:0"></iframe>'


def page(net=None, steps: int = 300) -> Page:
    """The page for a network; by default a freshly trained one."""
    if net is None:
        net, *_ = trained(steps)
    with tempfile.TemporaryDirectory() as scratch:
        module = (build(net, Path(scratch), "wasm32", most=1) / "digits.wasm").read_bytes()
    text = (HERE / "page.html").read_text()
    text = text.replace("@SIZE@", str(round(len(module) / 1000)))
    return Page(text.replace("@MODULE@", base64.b64encode(module).decode()))


def main() -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("out/digits.html"))
    parser.add_argument("--steps", type=int, default=600, help="training steps")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(page(steps=options.steps))
    print(f"{options.out}: {options.out.stat().st_size // 1000} KB; open it in a browser")
    return 0


if __name__ == "__main__":
    sys.exit(main())
