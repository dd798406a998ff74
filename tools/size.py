"""Print lines of Python per folder, and the change against a git revision (default: HEAD).

Use: python tools/size.py [REVISION]
"""

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BESIDES = ("tests", "examples", "benchmarks", "tools")


def folders() -> list[str]:
    """The source folders, as packaged, and the folders beside them."""
    mapping = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    return [*mapping.values(), *BESIDES]


def git(*args: str) -> str | None:
    """What git prints, or None where there is no git, no repository or no such revision."""
    try:
        done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def lines_now() -> Counter[str]:
    """Lines per top-level folder in the working tree."""
    return Counter(
        {
            folder: sum(len(file.read_text().splitlines()) for file in (ROOT / folder).rglob("*.py"))
            for folder in folders()
        }
    )


def lines_added(revision: str) -> Counter[str] | None:
    """Added minus removed lines per folder since `revision`; files git doesn't know yet count as added."""
    changed = git("diff", "--numstat", "--no-renames", revision, "--", "*.py")
    if changed is None:
        return None
    delta: Counter[str] = Counter()
    for row in changed.splitlines():
        plus, minus, path = row.split("\t")
        delta[path.split("/")[0]] += int(plus) - int(minus)
    for path in (git("ls-files", "--others", "--exclude-standard", "--", "*.py") or "").splitlines():
        delta[path.split("/")[0]] += len((ROOT / path).read_text().splitlines())
    return delta


def main() -> None:
    """Print the table."""
    now, delta = lines_now(), lines_added(sys.argv[1] if len(sys.argv) > 1 else "HEAD")
    library = [folder for folder in now if folder not in BESIDES]
    rows = [(folder, now[folder], delta[folder] if delta is not None else None) for folder in now]
    rows.append(
        ("library", sum(now[f] for f in library), sum(delta[f] for f in library) if delta is not None else None)
    )
    print(f"{'folder':<12} {'lines':>7} {'delta':>7}")
    for folder, lines, change in rows:
        print(f"{folder:<12} {lines:>7} {'' if change is None else format(change, '+d'):>7}")


if __name__ == "__main__":
    main()
