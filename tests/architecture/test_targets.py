"""What differs from one CPU to another is a number of `base/target.py`: which modules name such a thing all the same.

A module is aware of the CPU if it names an instruction set or asks for the machine's own, or if it has a number of its
own whose comment gives caches, registers, vectors, threads, or what is faster, as the reason. Modules that read
`current_target()` aren't: they need no change for another CPU.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from .syntax import nodes, parsed

FOLDERS = {"base", "ops", "passes", "runtime"}
MOST_AWARE = 16  # of those folders: a number that may fall, and doesn't rise
AWARE = {  # and why a number of the target wouldn't do
    "base/target.py": "the place for it",
    "base/memory.py": "one alignment for all targets, as arrays outlive a program (tests/base/test_target.py)",
    "ops/compare.py": "eager mode, which reads no target",
    "ops/conv_kernels.py": "eager mode, which reads no target",
    "ops/philox.py": "eager mode, which reads no target",
    "ops/special.py": "eager mode, which reads no target",
    "ops/attention.py": "what the op takes must not depend on the CPU",
    "ops/conv_winograd.py": "the layout of transformed filters in a program",
    "runtime/codegen/target_machine.py": "which instruction LLVM has for multiplying by powers of two",
    "runtime/codegen/prelude/instructions.py": "the names of instructions that LLVM knows for vectors",
    "runtime/lower/contraction/winograd_kernels.py": "how a row of vectors is cut into tiles of three, two and one",
    "runtime/observe/machine_model.py": "working sets whose bandwidth is measured, the same on all machines",
    "runtime/kernel_cache.py": "whose object code a file holds",
    "runtime/vm/native.py": "how a core is told that it waits",
    "runtime/vm/shipped.py": "which text of the VM fits the machine",
}
_MACHINE = re.compile(
    r"(?<![a-z0-9])(x86|avx[0-9a-z]*|sse\d?|neon|sve|aarch64|arm64|amd64|znver\d|get_host_cpu|get_process_triple)(?![a-z0-9])"
)
_REASON = re.compile(
    r"\b(caches?|L[123]|registers?|vectors?|cores?|(?:one|other|another) thread|threads|cycles?|processors?|cpus?|OpenBLAS"
    r"|fast|faster|quick|quicker|slower|(?<=\d )ms|(?<=\d )[uµ]s)\b"
)


def named_machines(text: str) -> Iterator[str]:
    """Instruction sets that code names: identifiers and strings, but no comments and docstrings."""
    documented = [n for n in nodes(text) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    docstrings = {ast.get_docstring(node, clean=False) for node in documented}
    for node in nodes(text):
        words = [node.id] if isinstance(node, ast.Name) else [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docstrings:
            words = [node.value]
        yield from (found[1] for word in words for found in _MACHINE.finditer(word.lower()))


def tuned_numbers(text: str) -> Iterator[str]:
    """Constants that are numbers and have hardware as the reason in the comment on their line."""
    if not _REASON.search(text):
        return
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    tree = parsed(text)
    for owner in [tree, *(n for n in tree.body if isinstance(n, ast.ClassDef))]:
        for node in owner.body:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
                continue
            numbers = [n for n in ast.walk(node.value) if isinstance(n, ast.Constant) and type(n.value) in (int, float)]
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            reasons = " ".join(comments.get(line, "") for line in range(node.lineno, (node.end_lineno or 0) + 1))
            if numbers and _REASON.search(reasons):
                yield ", ".join(names)


def test_few_modules_know_a_cpu(root: Path, sources: list[Path]) -> None:
    found = {}
    for file in sources:
        path = file.relative_to(root).as_posix()
        text = file.read_text()
        if path.split("/")[0] in FOLDERS and (what := [*named_machines(text), *tuned_numbers(text)]):
            found[path] = what
    assert {path: what for path, what in found.items() if path not in AWARE} == {}, "put it into base/target.py"
    assert [path for path in AWARE if path not in found] == []
    assert len(AWARE) <= MOST_AWARE


def test_machines_and_tuned_numbers_are_found() -> None:
    assert list(named_machines('"""For AVX2."""\nuse("avx2")  # neon')) == ["avx2"]
    assert list(named_machines("llvm.get_host_cpu_name()")) == ["get_host_cpu"]
    assert list(named_machines("classes = asset")) == []
    assert list(tuned_numbers("A, B = 1, 2  # elements that fit the first cache\nC = 3  # words of a row")) == ["A, B"]
    assert list(tuned_numbers("class K:\n    LEAST: int = 4  # below, one thread is as fast\n")) == ["LEAST"]
