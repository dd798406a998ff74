"""`check`: which of the PaddlePaddle names that a project uses are here, differ or are absent."""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError
from ..compat.presence import PAGE, verdict
from ..compat.usage import sources, uses_in
from .outcome import Exit, Outcome, TargetError

_STATES = ("absent", "different", "here")
_SHOWN_PLACES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to look, and how much to print."""
    parser.add_argument("path", type=Path, help="a Python file, or a folder with Python files")
    parser.add_argument("--all-lines", action="store_true", help="print every line of a name, not the first three")


def run(options: argparse.Namespace) -> Outcome:
    """Read every source; the exit code is 1 when a name is absent or a file can't be read."""
    try:
        files = list(sources(options.path))
    except ArgumentError as error:
        raise TargetError(error) from error
    places: dict[str, list[dict[str, Any]]] = defaultdict(list)
    unread: dict[str, str] = {}
    for file in files:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python's own remarks on the texts of others
                uses = uses_in(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError, RecursionError, OSError) as error:
            unread[str(file)] = f"{type(error).__name__}: {error}"
            continue
        for use in uses:
            found = verdict(use.name)
            places[found.name].append({"file": str(file), "line": use.line, "optional": use.optional})
    names = [_entry(name, found) for name, found in places.items()]
    names.sort(key=lambda entry: (_STATES.index(entry["state"]), -len(entry["places"]), entry["name"]))
    counts = {state: sum(entry["state"] == state for entry in names) for state in _STATES}
    data = {"path": str(options.path), "files": len(files), "counts": counts, "names": names, "unread": unread}
    needed = any(entry["state"] == "absent" and not entry["optional"] for entry in names)
    most = None if options.all_lines else _SHOWN_PLACES
    return Outcome(data, _text(data, most), Exit.FOUND if needed or unread else Exit.DONE)


def _entry(name: str, places: list[dict[str, Any]]) -> dict[str, Any]:
    found = verdict(name)
    return {
        "name": name,
        "state": found.state,
        "reason": found.reason,
        "nearest": found.nearest,
        "optional": all(place["optional"] for place in places),
        "places": places,
    }


def _text(data: dict[str, Any], most: int | None) -> str:
    lines = []
    for entry in data["names"]:
        said = [f"({entry['reason']})"] if entry["reason"] else []
        said += [f"nearest: {entry['nearest']}"] if entry["nearest"] else []
        said += ["(only tried)"] if entry["optional"] and entry["state"] == "absent" else []
        lines.append(" ".join([f"{entry['state']:<10}{entry['name']}", *said]))
        shown = entry["places"][:most]
        lines += [f"          {place['file']}:{place['line']}" for place in shown]
        if len(shown) < len(entry["places"]):
            lines.append(f"          and {len(entry['places']) - len(shown):,} more")
    lines += [f"not read  {file}: {why}" for file, why in data["unread"].items()]
    counts = data["counts"]
    lines.append(
        f"{len(data['names']):,} names of PaddlePaddle in {data['files']:,} files: {counts['here']:,} here, "
        f"{counts['different']:,} different, {counts['absent']:,} absent"
    )
    if counts["absent"] or counts["different"]:
        lines.append(f"{PAGE} lists PaddlePaddle's names; methods of tensors are not checked")
    return "\n".join(lines)
