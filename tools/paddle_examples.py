"""Run the examples in PaddlePaddle's own docstrings, with PaddlePaddle and with `import paddle` meaning vitrify.

    python tools/paddle_examples.py --peer PYTHON --output FOLDER           # PYTHON has PaddlePaddle
    python tools/paddle_examples.py --output FOLDER --only 'paddle.nn.*'    # a choice, by vitrify alone; again

An example counts where PaddlePaddle runs it without an error. Compared is what both print: words, and numbers within a
tolerance. Where a second run of PaddlePaddle with another seed prints other numbers, only the words count.
The examples are read from the installed package and stay in FOLDER.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import io
import json
import os
import re
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

SECONDS = 20  # that an example may take
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|\binf\b|\bnan\b)")
ELSEWHERE = re.compile(r"REQUIRES\(env:\s*(GPU|XPU|DISTRIBUTED|CUSTOM)|set_device\(.gpu")


# ---- in PaddlePaddle's interpreter: which examples there are


def gather() -> dict[str, str]:
    """Examples by name, of all public functions, classes and methods."""
    import doctest
    import inspect
    import pkgutil

    paddle = import_module("paddle")
    found: dict[str, str] = {}  # names by text
    modules = {"paddle": paddle}
    for info in pkgutil.walk_packages(paddle.__path__, "paddle."):
        if not re.search(r"\._|\.(base|fluid|pir|tests?|cinn|jit\.sot|distributed|tensorrt|libs)\b", info.name):
            with contextlib.suppress(Exception):  # broad: a module that this machine can't import has no examples here
                modules[info.name] = import_module(info.name)

    def note(name: str, what: Any) -> None:
        text = inspect.getdoc(what) or ""
        if ">>>" in text and len(name) < len(found.get(text, name + " ")):
            found[text] = name

    for path, module in sorted(modules.items(), key=lambda item: item[0].count(".")):
        for name in sorted(getattr(module, "__all__", None) or vars(module)):
            what = getattr(module, name, None)
            if (
                name.startswith("_")
                or not callable(what)
                or not str(getattr(what, "__module__", "")).startswith("paddle")
            ):
                continue
            note(f"{path}.{name}", what)
            if inspect.isclass(what):
                for method, function in sorted(vars(what).items()):
                    if not method.startswith("_"):
                        note(f"{path}.{name}.{method}", function)
    examples = {}
    for text, name in found.items():
        for k, block in enumerate(re.split(r"\.\. code-(?:block|example)::", text)):
            with contextlib.suppress(ValueError):
                source = "".join(e.source for e in doctest.DocTestParser().get_examples(block))
                if source and not ELSEWHERE.search(block) and not re.search(r"\bpip\b.*\binstall\b", source):
                    examples[f"{name}#{k}"] = source
    return examples


# ---- in both interpreters: one child per example


def outcome(source: str, seed: int) -> dict[str, str]:
    """What an example prints, or its error."""
    paddle = import_module("paddle")
    out = io.StringIO()
    try:
        paddle.seed(seed)
        with contextlib.redirect_stdout(out):
            exec(compile(shown(source), "<example>", "exec"), {"__name__": "__main__"})
    except BaseException as error:  # broad: whatever an example raises is its outcome
        where = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(where) if f.filename == "<example>"), 0)
        return {"error": f"{type(error).__name__}: {error}"[:600], "line": str(line), "printed": out.getvalue()}
    return {"printed": out.getvalue()}


def shown(source: str) -> Any:
    """The example's tree; expressions that stand alone print their value, as the prompt does."""
    import ast
    import linecache

    linecache.cache["<example>"] = len(source), None, source.splitlines(True), "<example>"
    tree = ast.parse(source)
    for k, line in enumerate(tree.body):
        if isinstance(line, ast.Expr):
            call = ast.parse("(lambda made: made is None or print(repr(made)))(0)").body[0]
            call.value.args = [line.value]  # type: ignore[attr-defined]
            tree.body[k] = ast.fix_missing_locations(ast.copy_location(call, line))
    return tree


def serve(seed: int) -> None:
    """Names and sources as JSON lines on stdin; outcomes on stdout. Each runs in a forked child with a time limit."""
    import signal

    lines = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import_module("paddle")  # the children have it

    for line in sys.stdin:
        name, source = json.loads(line)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            os.chdir(os.environ["EXAMPLES_FOLDER"])
            with os.fdopen(write, "w") as pipe:
                pipe.write(json.dumps(outcome(source, seed)))
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        _, status = os.waitpid(child, 0)
        made = json.loads(text) if text else {"error": f"the process ended with status {status}"}
        lines.write(json.dumps([name, made]) + "\n")
        lines.flush()


# ---- here


def run(python: str, examples: dict[str, str], folder: Path, options: list[str]) -> dict[str, dict[str, str]]:
    """Outcomes of all examples in an interpreter."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    process = subprocess.run(
        [python, "-W", "ignore", __file__, *options],
        input="".join(json.dumps(item) + "\n" for item in examples.items()),
        stdout=subprocess.PIPE, stderr=(folder / "messages.txt").open("a"), text=True, check=False,
        env=os.environ | {"EXAMPLES_FOLDER": str(work), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    return dict(map(json.loads, process.stdout.splitlines()))


def numbers_of(text: str) -> list[float]:
    """The numbers in a text, in order."""
    return [float(n) for n in NUMBER.findall(text)]


def words_of(text: str) -> list[str]:
    """All but numbers and ways of writing: addresses, modules of classes, brackets of complex numbers."""
    text = re.sub(r"<(?:\w+\.)*(\w+) object at 0x[0-9a-f]+>", r"<\1>", text)
    return re.findall(r"\w+|[^\w\s()+]", NUMBER.sub(" # ", text))


def close(mine: list[float], theirs: list[float]) -> bool:
    """Whether two lists of printed numbers are the same within 1e-3 of each or 1e-5 of the largest."""
    finite = [abs(t) for t in theirs if t == t and abs(t) != float("inf")]
    bound = 1e-5 * max([1.0, *finite])
    return len(mine) == len(theirs) and all(
        a == b or (a != a and b != b) or abs(a - b) <= max(bound, 1e-3 * abs(b))
        for a, b in zip(mine, theirs, strict=True)
    )


def verdict(mine: dict[str, str], theirs: dict[str, str], again: dict[str, str]) -> str:
    """One of right, error, words and numbers; "" where the example doesn't count."""
    if "error" in theirs or "error" in again:
        return ""
    if "error" in mine:
        return "error"
    if words_of(mine["printed"]) != words_of(theirs["printed"]):
        return "words"
    fixed = close(numbers_of(again["printed"]), numbers_of(theirs["printed"]))
    return "numbers" if fixed and not close(numbers_of(mine["printed"]), numbers_of(theirs["printed"])) else "right"


def peers_outcomes(peer: str, folder: Path, options: list[str]) -> None:
    """Gather the examples and run them in PaddlePaddle twice; the files in the folder are what is left."""
    subprocess.run([peer, "-W", "ignore", __file__, "--gather", *options], check=True)
    examples = json.loads((folder / "examples.json").read_text())
    peers = [run(peer, examples, folder, [*options, "--serve", str(seed)]) for seed in (1, 2)]
    (folder / "peers.json").write_text(json.dumps(peers))


def compare(folder: Path, only: str, options: list[str]) -> Iterator[str]:
    """Run the chosen examples by vitrify: what is not right in full, and a count at the end."""
    examples, (first, again) = (json.loads((folder / f"{n}.json").read_text()) for n in ("examples", "peers"))
    chosen = {k: v for k, v in examples.items() if fnmatch.fnmatchcase(k, only) and k in first and k in again}
    os.environ["VITRIFY_AS_PADDLE"] = "1"
    mine = run(sys.executable, chosen, folder, [*options, "--serve", "1"])
    found: Counter[str] = Counter()
    for k, source in chosen.items():
        made = verdict(mine[k], first[k], again[k])
        found[made] += 1
        if made not in ("right", ""):
            error = f"{mine[k]['error']}, line {mine[k].get('line', '?')}\n" if "error" in mine[k] else ""
            yield f"==== {k}: {made}\n{error}-- source\n{source}"
            yield f"-- vitrify\n{mine[k].get('printed', '')}\n-- PaddlePaddle\n{first[k]['printed']}"
    uncounted = found.pop("", 0)
    yield f"{dict(found)}; {uncounted} that PaddlePaddle doesn't run here"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="an interpreter with PaddlePaddle; without it, what a former run left is used")
    parser.add_argument("--output", type=Path, required=True, help="folder of examples and outcomes")
    parser.add_argument("--only", default="*", help="pattern of names")
    parser.add_argument("--gather", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    folder = args.output
    if args.gather:
        (folder / "examples.json").write_text(json.dumps(gather()))
    elif args.serve is not None:
        if "VITRIFY_AS_PADDLE" in os.environ:
            import_module("vitrify.as_paddle")
        serve(args.serve)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--output", str(folder)]
        if args.peer:
            peers_outcomes(args.peer, folder, options)
        for text in compare(folder, args.only, options):
            print(text)


if __name__ == "__main__":
    main()
