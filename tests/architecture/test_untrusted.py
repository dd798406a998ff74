"""Nothing here unpickles, and code is made from text in named places only: no file can bring code with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import nodes

PICKLERS = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "jsonpickle"}
# Files of the cache on this machine, which are trusted as its machine code is; the reader makes data only.
MAY_PICKLE = "runtime/program_file.py"
# Where text becomes code, and whose text that is.
MAY_EXECUTE = {
    "runtime/codegen/native_backend.py": "kernels that this process wrote itself; an artifact's kernels are never read back",
    "runtime/vm/native.py": "intrinsics with as many arguments as a C function has; the text is this file's own",
    "jit/dy2static/trees.py": "a tree that its caller hands over, to get a function",
    "export/numpy_source/find.py": "templates of the exporter",
    "export/numpy_source/specialise.py": "expressions of the exporter's templates",
    "export/tensor_source.py": "source that the exporter wrote, when its user asks to run it",
    "dygraph/stubs.py": "statements over numbered variables that a stub prints of its own kernels",
    "jit/call/guards.py": "comparisons of assumptions: the text is this file's own and holds their numbers only",
    "jit/call/call_stubs.py": "a call's comparisons: the text is this file's own and holds numbers of arguments only",
    "testing/fuzz/functions.py": "functions that the fuzzer wrote",
}


def calls(text: str) -> Iterator[tuple[int, str]]:
    """(line, what) for each import or call that could run what a file holds."""
    for node in nodes(text):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] in PICKLERS)
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in PICKLERS:
            yield node.lineno, str(node.module)
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in ("exec", "eval", "__import__"):
                yield node.lineno, name
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("loads", "load"):
                owner = node.func.value
                if isinstance(owner, ast.Name) and owner.id in ("np", "numpy") and not _refuses_pickle(node):
                    yield node.lineno, "np.load that may unpickle"
            yield from ((node.lineno, "allow_pickle") for k in node.keywords if _allows_pickle(k))


def _refuses_pickle(node: ast.Call) -> bool:
    """Without the keyword NumPy refuses, too; a positional one can't be told here."""
    return len(node.args) == 1 and not any(_allows_pickle(k) for k in node.keywords)


def _allows_pickle(keyword: ast.keyword) -> bool:
    return keyword.arg == "allow_pickle" and not (
        isinstance(keyword.value, ast.Constant) and keyword.value.value is False
    )


def test_nothing_unpickles_and_few_files_execute(root: Path, sources: list[Path]) -> None:
    wrong, executing = [], set()
    for file in sources:
        name = str(file.relative_to(root))
        for line, what in calls(file.read_text()):
            if what in ("exec", "eval") and name in MAY_EXECUTE:
                executing.add(name)
            elif what in PICKLERS and name == MAY_PICKLE:
                continue
            else:
                wrong.append(f"{name}:{line}: {what}")
    assert not wrong, "\n".join(wrong)
    assert executing == set(MAY_EXECUTE), "entries of MAY_EXECUTE that execute nothing any more"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("import pickle", "pickle"),
        ("from marshal import loads", "marshal"),
        ("def f():\n    import cloudpickle.sub", "cloudpickle.sub"),
        ("np.load(path, None, True)", "np.load that may unpickle"),
        ("np.load(path, allow_pickle=True)", "np.load that may unpickle"),
        ("f(allow_pickle=flag)", "allow_pickle"),
        ("exec(text)", "exec"),
        ("eval(text, {})", "eval"),
    ],
)
def test_the_checker_finds_seeded_faults(text: str, what: str) -> None:
    assert what in [found for _, found in calls(text)]


@pytest.mark.parametrize(
    "text", ["np.load(path)", "np.load(path, allow_pickle=False)", "json.loads(t)", "re.compile(t)"]
)
def test_the_checker_lets_harmless_code_pass(text: str) -> None:
    assert list(calls(text)) == []
