"""Run test files written for PaddlePaddle, with `import paddle` meaning vitrify and with PaddlePaddle itself.

    python tools/paddle_tests.py FOLDER --groups dygraph_to_static autograd --sample 20 --peer PYTHON

FOLDER holds one folder a group, with `test_*.py` files. Each file runs in a process of its own with a time limit.
`--peer` names a Python that has PaddlePaddle: only tests that pass there count. Results are kept in `--output`;
a further call adds to them, and with `--again` runs the files with failures again. `paddle_tests_left_out.tsv` beside
this file lists tests that say nothing about vitrify, with reasons; `paddle_refusals.tsv` has the rules for refusals.
Printed are the reasons of failures, and a table.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from paddle_op_test import NO_FUNCTION, SIGNATURES
from paddle_refusals import COMPUTED, REFUSALS
from paddle_tests_record import WHOLE

from vitrify.base.table import table

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
TOOLS = Path(__file__).resolve().parent
# a file's tests share helpers with files of these folders
HELPERS = ("", "legacy_test", "dygraph_to_static", "sot")

# "file.py::test" patterns with reasons, tab-separated
LEFT_OUT = TOOLS / "paddle_tests_left_out.tsv"

# what errors say of names that only PaddlePaddle's own developers use
INSIDE = (
    "the inside of Paddle's compiler", "'_pir_ops'", "module 'vitrify.base.core'", "module 'vitrify.pir",
    "module 'paddle.pir", "module 'paddle.jit.sot", "module 'paddle.base.proto", "module 'paddle.decomposition",
    "module 'paddle.base.default_scope_funcs",
    "module 'paddle.autograd.ir_backward", "cannot import name 'IrGraph'", "cannot import name 'primapi'",
    "has no attribute 'primapi'", "cannot import name 'PassVersionChecker'",
    "'OpcodeExecutorCache' object has no attribute", "from 'vitrify.pir.",
    "module 'paddle.distributed.auto_parallel.static",
)  # fmt: skip

# kernels that optimizers call inside, which no program does
INSIDE += tuple(
    f"there is no op '{name}_'"
    for name in (
        "sgd", "momentum", "adam", "adamw", "adamax", "adagrad", "adadelta", "asgd", "lamb", "nadam", "radam", "rprop",
        "rmsprop", "merged_adam",
    )
)  # fmt: skip

Results = dict[str, tuple[str, str]]


@cache
def left_out() -> list[tuple[str, str]]:
    """Patterns of tests that say nothing about vitrify, with reasons."""
    with LEFT_OUT.open(encoding="utf-8", newline="") as file:
        return [(row[0], row[1]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def run_file(python: str, file: Path, root: Path, ours: bool, seconds: float, signatures: Path) -> Results:
    """The outcome and the message of each test in a file; `signatures` holds what operators' arguments are."""
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch, "record")
        command = [python, "-m", "pytest", *(["-p", "vitrify.as_paddle"] if ours else []), str(file), "-q"]
        for plugin in ("paddle_tests_record", "paddle_op_test", "paddle_refusals", "no:cacheprovider"):
            command += ["-p", plugin]
        command += ["--rootdir", scratch]
        above = [folder for folder in file.parents if folder.is_relative_to(root)]  # the nearest helper comes first
        children = [str(TOOLS / "children")] if ours else []  # whose sitecustomize serves processes that tests start
        path = os.pathsep.join([*children, str(TOOLS), *map(str, above), *(str(root / name) for name in HELPERS)])
        environment = {**os.environ, "PYTHONPATH": path, "PADDLE_TESTS_RECORD": str(record), "PYTHONWARNINGS": "ignore"}
        environment[SIGNATURES], environment[REFUSALS] = str(signatures), str(refusals_of(signatures))
        try:
            done = subprocess.run(
                command, cwd=scratch, env=environment, timeout=seconds, capture_output=True, text=True, check=False
            )
            ending = f"ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-160:]}"
        except subprocess.TimeoutExpired:
            ending = f"not reached in {seconds:g} seconds"
        return {WHOLE: (FAILED, ending), **read_record(record)}


def refusals_of(signatures: Path) -> Path:
    """The file with what PaddlePaddle says in the errors that a file's tests expect, beside that of signatures."""
    return signatures.with_suffix(".refusals")


def read_record(record: Path) -> Results:
    """Outcomes by test; what failed stays failed."""
    found: Results = {}
    for line in record.read_text().splitlines() if record.exists() else ():
        name, outcome, message = json.loads(line)
        if found.get(name, (PASSED,))[0] != FAILED:
            found[name] = (outcome, message)
    return found


def sample(files: Sequence[Path], count: int | None, seed: int | None = None) -> list[Path]:
    """Files drawn with a seed; without one every k-th, so that a sample is spread over the names."""
    if not count or count >= len(files):
        return list(files)
    if seed is not None:
        return sorted(random.Random(seed).sample(list(files), count))
    return [files[i * len(files) // count] for i in range(count)]


def run_groups(options: argparse.Namespace) -> dict[str, dict[str, Results]]:
    """Results by file, for `ours` and `peer`; the output file is written after each file."""
    kept: dict[str, dict[str, Results]] = (
        json.loads(options.output.read_text()) if options.output.exists() else {"ours": {}, "peer": {}}
    )
    root = options.folder
    for group in options.groups:
        for file in sample(sorted((root / group).glob(options.pattern)), options.sample, options.seed):
            name = str(file.relative_to(root))
            signatures = options.output.with_suffix("") / f"{name}.signatures"
            signatures.parent.mkdir(parents=True, exist_ok=True)
            if options.peer and not (name in kept["peer"] and refusals_of(signatures).exists()):
                refusals_of(signatures).write_text("")
                kept["peer"][name] = run_file(options.peer, file, root, False, options.seconds, signatures)
            expected = kept["peer"].get(name)
            if expected is not None and not any(o == PASSED for o, _ in expected.values()):
                continue
            if name not in kept["ours"] or (options.again and failures(kept, name)):
                kept["ours"][name] = run_file(sys.executable, file, root, True, options.seconds, signatures)
                options.output.write_text(json.dumps(kept, indent=1))
                bad = failures(kept, name)
                print(f"{name}: {len(bad)} of {len(wanted(kept, name))} fail", flush=True)
    return kept


def wanted(kept: dict[str, dict[str, Results]], name: str) -> list[str]:
    """Tests of a file that count: those that pass with PaddlePaddle; without a peer all that aren't skipped."""
    peer = kept["peer"].get(name)
    ours = kept["ours"].get(name, {})
    if peer is not None:
        count = [test for test, (outcome, _) in peer.items() if outcome == PASSED]
    else:
        count = [test for test, (outcome, _) in ours.items() if outcome != SKIPPED and test != WHOLE]
    return [test for test in count if not says_nothing(name, test, ours)]


def says_nothing(name: str, test: str, ours: Results) -> bool:
    """Whether a test is left out by the list or by a rule of refusals, or needs the inside of PaddlePaddle."""
    if test in ours and COMPUTED in ours[test][1]:  # how a file ended may quote what another of its tests said
        return True
    result = ours.get(test, ours.get(WHOLE))
    if result is not None and any(text in result[1] for text in (NO_FUNCTION, *INSIDE)):
        return True
    return any(fnmatchcase(f"{name}::{test}", pattern) for pattern, _ in left_out())


def failures(kept: dict[str, dict[str, Results]], name: str) -> dict[str, str]:
    """Tests that count and don't pass here, with their messages."""
    ours = kept["ours"].get(name, {})
    whole = ours.get(WHOLE, (FAILED, "not run"))[1]
    return {test: ours.get(test, (FAILED, whole))[1] for test in wanted(kept, name) if _fails(ours.get(test))}


def _fails(result: Sequence[str] | None) -> bool:
    return result is None or result[0] != PASSED


def _below(name: str, group: str) -> bool:
    return Path(group) in Path(name).parents


def summary(kept: dict[str, dict[str, Results]], groups: Sequence[str]) -> str:
    """One line a group: files, tests that count, tests that pass."""
    rows = []
    for group in groups:
        names = [name for name in kept["ours"] if _below(name, group)]
        total = sum(len(wanted(kept, name)) for name in names)
        good = total - sum(len(failures(kept, name)) for name in names)
        rows.append([group, len(names), total, good, f"{100 * good / max(total, 1):.1f} %"])
    return table(["group", "files", "tests", "pass here", ""], rows, right=[1, 2, 3, 4])


def reasons(kept: dict[str, dict[str, Results]], groups: Sequence[str]) -> str:
    """Messages of failures, the most frequent first, with one test of each."""
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for name in kept["ours"]:
        if any(_below(name, group) for group in groups):
            for test, message in failures(kept, name).items():
                head = (message.splitlines() or [""])[0][:110]
                counts[head] += 1
                example.setdefault(head, f"{name}::{test}")
    return table(["tests", "message", "one of them"], [[n, head, example[head]] for head, n in counts.most_common()])


def main() -> None:
    """Run the groups, print the table and the reasons."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=lambda text: Path(text).resolve())
    parser.add_argument("--groups", nargs="+", required=True, help="folders below FOLDER")
    parser.add_argument("--pattern", default="test_*.py", help="`**/test_*.py` takes folders below as well")
    parser.add_argument("--sample", type=int, help="at most so many files of each group, spread over the names")
    parser.add_argument("--seed", type=int, help="draw the sample with this seed instead")
    parser.add_argument("--peer", help="a Python that has PaddlePaddle")
    parser.add_argument("--seconds", type=float, default=90.0, help="limit for one file")
    parser.add_argument("--again", action="store_true", help="run files with failures again")
    parser.add_argument("--output", type=Path, default=Path("paddle_tests.json"))
    options = parser.parse_args()
    options.output = options.output.resolve()  # the tests run in other folders
    kept = run_groups(options)
    print(reasons(kept, options.groups), end="\n\n")
    print(summary(kept, options.groups))


if __name__ == "__main__":
    main()
