"""The library and its pages use the field's words: code, comments, docstrings and messages hold no former word.

The words, with where each was used, are in docs/glossary.md. Words that are ordinary English besides (`want`, `finish`,
`fold`, `line`, `pick`) can't be told by a pattern; their former identifiers are listed.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

BANNED = {  # the former word, as a pattern over lower-case words (`turn_x`, `TurnCount` read `turn x`, `turn count`)
    r"turn(s|ed|ing)?": "iteration, trip count; transpose",
    r"upright": "hoist transposes",
    r"steer(s|ed|ing)?": "control kernel",
    r"(generate|emit|write) advance|advance (kernels?|text)": "body kernel",
    r"whole loops?": "loop kernel, loop outlining",
    r"(un)?settle(s|d|ment)?|settling": "converge, resolve, finalise",
    r"twin(s|ned)?": "alias; in-place variant; copy",
    r"parted": "diverged; split",
    r"is late|late (grads?|numbers?|sized?)|is grown|grown (lists?|tensors?)": "run-time sized; conditional",
    r"wish(es|ed)?|want (updates?|holders?)": "destination passing",
    r"doors?": "entry stub",
    r"brief(ly)?": "short-running",
    r"patrol(s|led|ling)?": "interrupt watchdog",
    r"trap(s|ped|ping)?": "host call",
    r"the machine s (steps?|tables?|loop|instructions?)|(?<!virtual )machine (instructions?|tables?|steps?|texts?|loop)": "VM",
    r"(ship|enter|second) machine|machine (traps?|runs|reads|copies|walks)": "VM",
    r"attend(s|ed|ing)?": "match attention",
    r"spel(l|ls|led|t|ling) out": "decompose, write out",
    r"postpone(s|d)?": "sink",
    r"unif(y|ies|ied)": "kernel abstraction",
    r"own products?|products? of (our own|the library)|has kernel|join products?": "microkernel, GEMM, epilogue",
    r"conv finish|finished convolutions?|done to (its|the) sums?": "epilogue",
    r"gather calls?": "batched launch, horizontal fusion",
    r"make (hot|direct)|hot (call|entry|text)s?|direct (call|text)s?": "inline cache, call stub",
    r"(attend|collect|contract|defer|finish|pick|pieces|postpone|rows|scalars|upright) pass": "the pass's name",
}  # fmt: skip

CLASSES = {  # former names of classes
    "Attend": "MatchAttention", "Collect": "MergeSums", "Contract": "FoldIntoBeta", "Defer": "SinkReductions",
    "Either": "TaggedValue", "Finish": "ConvEpilogue", "Forms": "TaggedUnion", "LateGrad": "ConditionalGrad",
    "Pick": "GatherPushdown", "Pieces": "SplitReductions", "Postpone": "SinkUpdates",
    "Scalars": "RematerialiseScalars", "SpellOut": "Decompose", "Twins": "Aliases", "Upright": "HoistTransposes",
    "Wishes": "Destinations",
}  # fmt: skip

FORMER_WORD = re.compile(rf"(?<!\w)({'|'.join(BANNED)})(?!\w)")
FORMER_CLASS = re.compile(rf"\b({'|'.join(CLASSES)})\b")
UNIT = "a turn is a unit of angle"
SAVED = "the grammar of saved programs"
EXCEPTIONS = [  # (the files whose path starts so, the pattern of what stays, why)
    ("", r"in turn", "English: one after the other"),
    ("", r"turn(s|ed|ing)?(?! (of|in|at|and|is|was|that) )( \S+){0,7}? (into|on|off|out)", "English: become, switch, prove"),
    ("jit/debug/replay.py", r"turns?", "public names of vt.jit.replay"),
    ("runtime/observe/cost.py", r"turns", "the public name Cost.turns"),
    ("ops/arrange.py", r"quarter turns", UNIT),
    ("runtime/codegen/prelude/philox_bits.py", r"turns?", UNIT),
    ("runtime/codegen/prelude/trigonometry.py", r"turns cos", UNIT),
    ("runtime/codegen/prelude/integers.py", r"traps", "what a CPU does"),
    ("native/emulation.py", r"trap", "wasmtime's name of an exception"),
    ("jit/converters/stdlib/surroundings.py", r"traps", "an attribute of contexts of the module decimal"),
    ("runtime/codegen/", r"unify types|unified", "Numba's word"),
    ("jit/marker.py", r"unified", "Paddle's name"),
    ("docs/limitations.md", r"attend to", "what a query does to keys"),
    ("jit/trace/traced.py", r'"twin"', SAVED),
    ("jit/trace/ending.py", r'"twin"', SAVED),
    ("jit/trace/state/view_outputs.py", r'"twin"', SAVED),
    ("jit/trace/inlining.py", r'"twin"', SAVED),
    ("jit/serialize/load.py", r'"twin"', SAVED),
    ("jit/serialize/save.py", r'"twin"', SAVED),
]  # fmt: skip


def words_of(text: str) -> str:
    """The text in lower case on one line, with identifiers taken apart into words."""
    text = re.sub(r"\n\s*#", "\n", text)
    return re.sub(r"\s+", " ", re.sub(r"_|'(?=s\b)|(?<=[a-z0-9])(?=[A-Z])", " ", text)).lower()


def prose_of(page: str) -> str:
    """A page of Markdown without its code and the targets of its links."""
    page = re.sub(r"^ *```.*?^ *```", "", page, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", page)


def pages(root: Path) -> list[Path]:
    """The pages for readers. Decisions keep the words of their day; references repeat docstrings."""
    found = [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").glob("*.md")]
    found += [*(root / "docs/guide").glob("*.md"), *(root / "docs/design").glob("*.md")]
    return [page for page in found if page.name != "glossary.md"]


def former_words(text: str, path: str = "") -> Iterator[str]:
    """Each use of a former word with the words around it and the field's."""
    words = words_of(text)
    if not FORMER_WORD.search(words):
        return
    for prefix, pattern, _ in EXCEPTIONS:
        if path.startswith(prefix):
            words = re.sub(rf"(?<!\w){pattern}(?!\w)", "…", words)
    for pattern, term in BANNED.items():
        for found in re.finditer(rf"(?<!\w)({pattern})(?!\w)", words):
            yield f"{path}: …{words[max(found.start() - 25, 0) : found.end() + 25]}…: {term}"


def former_classes(text: str) -> Iterator[str]:
    """Each use of a former class name in code, with today's."""
    if not FORMER_CLASS.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in CLASSES:
            yield f"line {token.start[0]}: {token.string}: {CLASSES[token.string]}"


def test_the_library_uses_the_words_of_the_field(root: Path, sources: list[Path]) -> None:
    found = []
    for file in sources:
        path = file.relative_to(root).as_posix()
        found += former_words(file.read_text(), path)
    assert found == []


def test_the_pages_use_the_words_of_the_field(root: Path) -> None:
    found = []
    for file in pages(root):
        found += former_words(prose_of(file.read_text()), file.relative_to(root).as_posix())
    assert found == []


def test_no_class_has_its_former_name(root: Path, sources: list[Path]) -> None:
    found = [f"{file.relative_to(root)}: {use}" for file in sources for use in former_classes(file.read_text())]
    assert found == []


def test_each_exception_is_needed(root: Path, sources: list[Path]) -> None:
    texts = {file.relative_to(root).as_posix(): words_of(file.read_text()) for file in (*sources, *pages(root))}
    for prefix, pattern, reason in EXCEPTIONS:
        assert any(re.search(rf"(?<!\w){pattern}(?!\w)", t) for p, t in texts.items() if p.startswith(prefix)), reason


@pytest.mark.parametrize(
    "text",
    [
        "def turn_x(): ...",
        "class TurnCount: ...",
        "x = 1  # after a turn of the loop",
        '"""A loop over many turns: each reads\nthe last."""',
        "raise ValueError(f'{n} turns are too many')",
        "turned = x.T",
        '"""Compile a whole\n    loop as one kernel."""',
        "# the machine's steps,\n# one by one",
        "settled = recorder.settle()",
        "# what isn't\n# settled yet",
        "twin = x.detach()",
        "_patrol = Thread()",
        "def spelled_out(q): ...",
        "from .door import enter",
        "# the attend pass",
        "is_late = True",
    ],
)
def test_a_former_word_is_found(text: str) -> None:
    assert list(former_words(text))


@pytest.mark.parametrize(
    "text",
    [
        "# each of them in turn",
        "# turns the gradients of the results into those of the arguments",
        "# an argument turned out to need gradients",
        "return overturned, outdoors, between, entrapment",
        "# code for this machine, or machine code of another; a virtual machine",
        "# no way to settler's bliss, or to a department",
    ],
)
def test_plain_english_is_no_fault(text: str) -> None:
    assert list(former_words(text)) == []


def test_code_and_links_in_pages_are_no_prose() -> None:
    page = "The `turn` of a [door](0025-doors.md):\n```python\nsettle(x)\n```\nafter"
    assert [use.rpartition(": ")[2] for use in former_words(prose_of(page))] == ["entry stub"]


def test_a_word_is_banned_where_it_is_no_exception() -> None:
    assert not list(former_words("self.turns = {}", "runtime/observe/cost.py"))
    assert list(former_words("self.turns = {}", "runtime/observe/profile.py"))
    assert list(former_words("self.turn = 0", "runtime/observe/cost.py"))


def test_a_former_class_is_found() -> None:
    assert list(former_classes("from .pytree import Either\n")) == ["line 1: Either: TaggedValue"]
    assert list(former_classes("# Either this or that\nx = 'Either'\n")) == []
