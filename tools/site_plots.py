"""Plots of the recorded figures: the tables of the benchmark pages, drawn by Matplotlib for light and dark pages.

A page says where a plot goes: `<!-- plot: ratios -->`. The tables stay the only place where figures are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = re.compile(r"([\d,.]+) ?(us|µs|ms|s)\b")
MARK = re.compile(r"<!-- plot: (\w+) -->")
INK = {"light": "#333333", "dark": "#d5d7dc"}
COLORS = ("#009688", "#d97706", "#7c6bd6", "#8b929c")  # legible on white and on slate


@dataclass(frozen=True)
class Table:
    """A table of a page: its header, and the cells of its rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str, number: int = 0) -> list[str]:
        """The cells below a header; of equal headers the one with this number."""
        places = [k for k, title in enumerate(self.header) if title == name]
        return [row[places[number]] for row in self.rows]


def tables(text: str) -> list[Table]:
    r"""All tables of a Markdown text.

    >>> tables("| a | b |\n|---|--:|\n| 1 | 2 ms |\n")[0].column("b")
    ['2 ms']
    """
    found = []
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        lines = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in block.splitlines()]
        width = len(lines[0])
        found.append(Table(lines[0], tuple((*line, *[""] * (width - len(line))) for line in lines[2:])))
    return found


def table_with(text: str, *headers: str) -> Table:
    """The first table that has these columns. Errors: LookupError where there is none."""
    for table in tables(text):
        if set(headers) <= set(table.header):
            return table
    raise LookupError(f"no table has the columns {', '.join(headers)}")


def number(cell: str) -> float:
    """The number at the start of a cell (`≤ 0.8`, `12.5`), a time in seconds; NaN for an empty cell.

    >>> number("≤ 1.5 s"), number("713.31 ms"), number("0.85")
    (1.5, 0.71331, 0.85)
    """
    if (time := TIME.search(cell)) is not None:
        return float(time[1].replace(",", "")) * UNITS[time[2]]
    plain = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    return float(plain[0].replace(",", "")) if plain else float("nan")


# ---- the plots


def ratios(plt: Any, text: str) -> Any:
    """Time by that of the fastest peer, for every workload, with the goal."""
    table = table_with(text, "workload", "ratio", "goal")
    names = table.column("workload")
    figure, axes = bars(plt, names, 0.24)
    places = range(len(names))
    axes.vlines([number(x) for x in table.column("goal")], [k - 0.4 for k in places], [k + 0.4 for k in places],
                colors=COLORS[3], linewidth=2, label="goal, one thread")  # fmt: skip
    for k, threads in enumerate(("one thread", "two threads")):
        values = [number(x) for x in table.column("ratio", k)]
        axes.plot(values, places, "oD"[k], color=COLORS[k], label=threads, markersize=6 - k)
    return scaled(figure, axes, "vitrify's time / the fastest peer's (below 1 is faster)", [0.05, 0.1, 0.2, 0.5, 1, 2])


def eager(plt: Any, text: str) -> Any:
    """Calls in eager mode, by torch's time, without and with the tape."""
    table = table_with(text, "call", "vitrify us", "ratio")
    taped = ["tape" in row for row in table.column("")]
    values = [number(x) for x in table.column("ratio")]
    calls = table.column("call")
    names = list(dict.fromkeys(calls))
    figure, axes = bars(plt, names, 0.22)
    for k, (label, wanted) in enumerate((("without gradients", False), ("with the tape", True))):
        pairs = [(v, names.index(c)) for v, c, t in zip(values, calls, taped, strict=True) if t == wanted]
        axes.plot(*zip(*pairs, strict=True), "oD"[k], color=COLORS[k], label=label, markersize=6 - k)
    return scaled(figure, axes, "vitrify's time / torch's (below 1 is faster)", [0.2, 0.5, 1, 2])


def fresh(plt: Any, text: str) -> Any:
    """Ten programs that nothing was tuned for, in milliseconds."""
    table = table_with(text, "program", "vitrify, ms")
    names = table.column("program")
    figure, axes = bars(plt, names, 0.32)
    for k, system in enumerate(("vitrify, ms", "jax", "torch", "NumPy")):
        values = [number(x) for x in table.column(system)]
        axes.plot(values, range(len(names)), "oDs^"[k], color=COLORS[k], label=system.partition(",")[0])
    return scaled(figure, axes, "milliseconds", [0.03, 0.1, 0.3, 1, 3, 10, 30])


def compiling(plt: Any, text: str) -> Any:
    """Times of compiling, loading and importing, beside their goals."""
    table = table_with(text, "time or memory", "vitrify")
    kept = [k for k, cell in enumerate(table.column("goal")) if cell]
    names = [table.column("time or memory")[k] for k in kept]
    figure, axes = bars(plt, names, 0.3)
    goals, values = ([number(table.column(c)[k]) for k in kept] for c in ("goal", "vitrify"))
    axes.barh(range(len(names)), values, color=COLORS[0], height=0.55, label="measured")
    for k, goal in enumerate(goals):
        axes.vlines(goal, k - 0.4, k + 0.4, colors=COLORS[1], linewidth=2, label="goal" if not k else None)
    axes.set_xlabel("seconds, in fresh processes")
    axes.legend(loc="lower right", frameon=False)
    return figure


def shares(plt: Any, text: str) -> Any:
    """Of each sweep, the ratio below which a share of its cases lies."""
    figure, axes = plt.subplots(figsize=(7.6, 3.6), layout="constrained")
    found = [t for t in tables(text) if t.header[0].startswith("share of")]
    for k, table in enumerate(found):
        places = [number(title) for title in table.header[1:]]
        kind = table.header[0].removeprefix("share of ").partition(",")[0]
        for j, row in enumerate(table.rows):
            values = [number(cell) for cell in row[1:]]
            axes.plot(
                places,
                values,
                "-o",
                color=COLORS[k],
                alpha=1.0 - 0.3 * j,
                markersize=4,
                label=f"{kind}, threads {row[0]}",
            )
    axes.set_yscale("log")
    axes.set_yticks([0.1, 0.2, 0.5, 1, 2, 4], ["0.1", "0.2", "0.5", "1", "2", "4"])
    axes.minorticks_off()
    axes.axhline(1.0, color=COLORS[3], linewidth=1, linestyle="--")
    axes.set_xlabel("share of the cases, %")
    axes.set_ylabel("time / the fastest peer's")
    framed(axes)
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    return figure


def roofline(plt: Any, text: str) -> Any:
    """Speed of the workloads by operations per byte, below what memory and products allow."""
    limits = table_with(text, "limit", "measured")
    memory, cache, product = (number(cell) for cell in limits.column("measured"))
    table = table_with(text, "work of", "operations per byte", "GFLOP/s")
    figure, axes = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
    ends = [number(cell) for cell in table.column("operations per byte")]
    xs = [min(ends) / 2, *sorted({product / memory, product / cache}), max(ends) * 2]
    for k, (speed, label) in enumerate(((memory, "memory"), (cache, "second cache"))):
        axes.plot(
            xs,
            [min(product, speed * x) for x in xs],
            color=COLORS[3],
            linestyle="-" if not k else "--",
            label=f"limit of {label}",
        )
    axes.plot(ends, [number(cell) for cell in table.column("GFLOP/s")], "o", color=COLORS[0], label="workloads")
    for name, x, y in zip(table.column("work of"), ends, table.column("GFLOP/s"), strict=True):
        axes.annotate(name, (x, number(y)), xytext=(4, -3), textcoords="offset points", fontsize=7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("GFLOP/s, one thread")
    framed(axes)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    return figure


def framed(axes: Any) -> None:
    """A light grid, and no frame on the right and on top."""
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def bars(plt: Any, names: Sequence[str], height: float) -> tuple[Any, Any]:
    """Axes with a row for each name, the first on top."""
    figure, axes = plt.subplots(figsize=(7.6, 1.0 + height * len(names)), layout="constrained")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def scaled(figure: Any, axes: Any, label: str, ticks: Sequence[float]) -> Any:
    """Give axes a logarithmic scale, a line at 1 where that means "as fast", and a legend above."""
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks], minor=False)
    axes.minorticks_off()
    if "/" in label:
        axes.axvline(1.0, color=COLORS[3], linewidth=1, linestyle="--")
    axes.set_xlabel(label)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return figure


PLOTS: dict[str, tuple[str, Callable[[Any, str], Any], str]] = {
    "ratios": ("benchmarks.md", ratios, "Ratios to the fastest peer, for every workload, with one and two threads"),
    "shares": ("benchmarks-sweeps.md", shares, "Ratios to the fastest peer by share of the cases, for each sweep"),
    "roofline": ("benchmarks-sweeps.md", roofline, "Speed of the workloads beside the limits of memory and products"),
    "compiling": ("benchmarks.md", compiling, "Times of compiling and importing, beside their goals"),
    "eager": ("benchmarks-eager.md", eager, "Ratios of eager calls to torch's"),
    "fresh": ("benchmarks-operations.md", fresh, "Times of ten fresh programs, of vitrify and three peers"),
}


def write(source: Path) -> list[str]:
    """Draw every plot that a laid-out page asks for, and put it there; their names."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    drawn = []
    for page in sorted(source.glob("benchmarks*.md")):
        text = page.read_text(encoding="utf-8")
        for name in MARK.findall(text):
            for scheme in INK:
                draw(mpl, plt, name, text, scheme, source / "plots")
            images = "\n".join(f"![{PLOTS[name][2]}](plots/{name}-{scheme}.svg#only-{scheme})" for scheme in INK)
            text = text.replace(f"<!-- plot: {name} -->", images)
            drawn.append(name)
        page.write_text(text, encoding="utf-8")
    return drawn


def draw(mpl: Any, plt: Any, name: str, text: str, scheme: str, folder: Path) -> None:
    """One plot as an SVG file: its texts stay text, and the same figures give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    ink = INK[scheme]
    style = {
        "svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif", "font.size": 9.5,
        "text.color": ink, "axes.labelcolor": ink, "axes.edgecolor": ink, "xtick.color": ink, "ytick.color": ink,
    }  # fmt: skip
    with mpl.rc_context(style):
        figure = PLOTS[name][1](plt, text)
        figure.savefig(folder / f"{name}-{scheme}.svg", transparent=True, metadata={"Date": None})
        plt.close(figure)
