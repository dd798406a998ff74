"""Run the model classes of repositories written for PaddlePaddle: python tools/zoo.py --help

    python tools/zoo.py FOLDER … --peer PYTHON --output zoo.jsonl [--sample 40 --seed 1] [--stages eager,capture]
    python tools/zoo.py FOLDER … --peer PYTHON --output listed.jsonl --list tools/zoo_models.tsv --largest 1e12

FOLDER is a checkout. A class counts that derives from a layer and has `forward`; so does a function with `pretrained`
that makes one. PaddlePaddle (`--peer`) constructs each, with arguments guessed from names, and looks for inputs that
`forward` takes: what it can't run says nothing. vitrify then runs the stages of zoo_stages.py, each in a process with
limits of time and memory; the Python of `--onnxruntime` runs the ONNX files. With `--list` models are those of a file
such as zoo_models.tsv, which gives arguments and inputs (zoo_list.py). Called again, only what is missing runs; the
table at the end counts all in `--output`.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zoo_list

from vitrify.base.table import table

TOOLS = Path(__file__).resolve().parent
NOT_MODELS = ("test", "tests", "deploy", "demo", "setup.py", "docs", "legacy", "static", "tools", "torch", "fluid")
CALLS = 4  # of each class, whose arguments are tried
_UNKNOWN = object()
STAGES = ("construct", "eager", "gradient", "capture", "step", "kernels", "saved", "onnx")
RUNTIME = "runtime"  # the stage of zoo_runtime.py


def classes(root: Path) -> list[dict[str, Any]]:
    """Layers of a folder, and functions that make one: {"root", "file", "name", "calls"} each.

    `calls` are the literal arguments of up to four calls anywhere in the folder, by place or name.
    """
    bases: dict[str, set[str]] = defaultdict(set)
    found: list[tuple[str, str, bool]] = []
    calls: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in sorted(root.rglob("*.py")):
        place = file.relative_to(root)
        if any(part in NOT_MODELS or part.startswith("test_") for part in place.parts) or not file.is_file():
            continue
        try:
            tree = ast.parse(file.read_text(encoding="utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue
        for called, literal in _literal_calls(tree):
            if literal not in calls[called] and len(calls[called]) < CALLS:
                calls[called].append(literal)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases[node.name] |= {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                found.append((str(place), node.name, _has_forward(node)))
            elif isinstance(node, ast.FunctionDef) and "pretrained" in {a.arg for a in node.args.args}:
                found.append((str(place), node.name, not node.name.startswith("_")))
                bases[node.name].add("Layer")
    return [
        {"root": str(root), "file": file, "name": name, "calls": calls[name]}
        for file, name, takes in found
        if takes and _is_layer(name, bases, set())
    ]


def _literal_calls(tree: ast.Module) -> Iterator[tuple[str, dict[str, Any]]]:
    """The last name of each function that a file calls, with the arguments that are numbers, texts, lists of them…"""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        given = [*enumerate(node.args), *((each.arg, each.value) for each in node.keywords if each.arg)]
        literal = {str(key): _literal(value) for key, value in given}
        literal = {key: value for key, value in literal.items() if value is not _UNKNOWN}
        if literal:
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr, literal


def _literal(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return _UNKNOWN
    return value


def _has_forward(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "forward" for each in node.body)


def _is_layer(name: str, bases: dict[str, set[str]], seen: set[str]) -> bool:
    if name in seen:
        return False
    above = bases.get(name, set())
    return "Layer" in above or any(_is_layer(base, bases, seen | {name}) for base in above)


def work(
    python: str, framework: str, jobs: list[dict[str, Any]], options: argparse.Namespace, stages: str = ""
) -> None:
    """Let a worker go through the jobs."""
    listed = options.output.with_suffix(f".{framework}.jobs")
    listed.write_text(json.dumps(jobs))
    command = [python, str(TOOLS / "zoo_worker.py"), framework, str(listed), str(options.output)]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "FLAGS_call_stack_level": "0"}
    environment |= {"ZOO_LARGEST": str(options.largest), "ZOO_SECONDS": str(options.seconds)}
    environment |= {"ZOO_LISTED": "yes"} if options.list else {}
    subprocess.run([*command, *([stages] if stages else [])], env=environment, check=False)


def work_runtime(jobs: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Let onnxruntime run what was exported."""
    listed = options.output.with_suffix(".runtime.jobs")
    listed.write_text(json.dumps(jobs))
    subprocess.run([options.onnxruntime, str(TOOLS / "zoo_runtime.py"), str(listed), str(options.output)], check=False)


def records(output: Path) -> list[dict[str, Any]]:
    """What the workers wrote; of repeated stages the last."""
    lines = output.read_text().splitlines() if output.exists() else []
    last = {tuple(r[k] for k in ("root", "file", "name", "stage")): r for r in map(json.loads, lines)}
    return list(last.values())


def usable(output: Path) -> list[dict[str, str]]:
    """Classes that the peer could run, or vitrify alone."""
    ran = [r for r in records(output) if r["stage"] in ("peer", "alone") and r["ok"]]
    return [{k: r[k] for k in ("root", "file", "name")} for r in ran]


def summary(output: Path) -> str:
    """A line for each repository: classes the peer ran, and how many of them each stage passes."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records(output):
        name = Path(record["root"]).name
        for row in (name, "all"):
            counts[row][record["stage"]] += record["ok"]
            counts[row][record["stage"] + " of"] += 1
    rows = []
    for name, count in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])):
        cells = [f"{count[s]} of {count[s + ' of']}" if count[s + " of"] else "" for s in (*STAGES, RUNTIME)]
        rows.append([name, str(count["peer of"]), str(count["peer"]), *cells])
    return table(["repository", "classes", "peer runs", *STAGES, RUNTIME], rows)


def main() -> None:
    """Collect, let the peer run, run the stages, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--peer", help="a Python with PaddlePaddle")
    parser.add_argument("--onnxruntime", help="a Python with onnxruntime")
    parser.add_argument("--largest", type=float, default=2e6, help="elements of all parameters of a class")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for a stage of a class")
    parser.add_argument("--output", type=Path, default=Path("zoo.jsonl"))
    parser.add_argument("--list", type=Path, help="models with arguments and inputs, such as tools/zoo_models.tsv")
    parser.add_argument("--sample", type=int, help="so many classes of each folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stages", default=",".join(STAGES))
    options = parser.parse_args()
    for folder in options.folders:
        jobs = zoo_list.jobs(options.list, folder.resolve()) if options.list else classes(folder.resolve())
        if options.sample and len(jobs) > options.sample:
            kept = sorted(random.Random(options.seed).sample(range(len(jobs)), options.sample))
            jobs = [jobs[i] for i in kept]
        if options.peer:
            work(options.peer, "paddle", jobs, options, "")
        if options.list:  # what PaddlePaddle can't run is held against vitrify's own eager mode
            ran = [job["name"] for job in usable(options.output) if job["root"] == str(folder.resolve())]
            work(sys.executable, "vitrify", [job for job in jobs if job["name"] not in ran], options, "alone")
        mine = [job for job in usable(options.output) if job["root"] == str(folder.resolve())]
        work(sys.executable, "vitrify", mine, options, options.stages)
        if options.onnxruntime:
            work_runtime(mine, options)
    messages = Counter(
        (r["stage"], r["error"].partition("\n")[0][:110]) for r in records(options.output) if not r["ok"]
    )
    for (stage, message), count in messages.most_common():
        if stage != "peer":
            print(f"{count:4} {stage}: {message}")
    print(summary(options.output))


if __name__ == "__main__":
    main()
