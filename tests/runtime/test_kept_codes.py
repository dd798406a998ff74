"""What tests keep of one run for the next: the code is that which would be compiled, whatever file wrote its text."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm

from vitrify.runtime.codegen import llvm_backend

from ..kept_codes import DIGEST, PLAIN, KeptCodes, prune

TEXT = "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] * 2.0\n"
SYMBOLS = [f"vitrify_{letter * 32}" for letter in "ab"]


class Counting:
    """`llvm_backend`, with a count of what is compiled."""

    def __init__(self, **other: Any) -> None:
        self.compiled = 0
        self.__dict__.update({name: getattr(llvm_backend, name) for name in vars(llvm_backend)} | other)
        plain = self.object_code
        while isinstance(plain, KeptCodes):
            plain = plain._compile

        def object_code(text: str, symbol: str, unroll: Any) -> bytes:
            self.compiled += 1
            return plain(text, symbol, unroll)

        self.object_code: Any = object_code


def text_for(symbol: str) -> str:
    return llvm_backend._llvm_of(TEXT, ("f32",), 0, symbol)


def sections(code: bytes) -> dict[bytes, bytes]:
    """All but the tables of names, which are in another order for other symbols."""
    found = {s.name() or b"": bytes(s.data()) for s in llvm.ObjectFileRef.from_data(code).sections()}
    assert any(b"text" in name and data for name, data in found.items())
    return {name: data for name, data in found.items() if name not in (b".strtab", b".symtab")}


def test_a_text_is_compiled_once_and_has_its_own_symbol(tmp_path: Path) -> None:
    backend = Counting()
    kept = KeptCodes(backend, tmp_path)
    for symbol in SYMBOLS * 2:
        code = kept(text_for(symbol), symbol, "early")
        assert sections(code) == sections(Counting().object_code(text_for(symbol), symbol, "early"))
        assert code.count(symbol.encode()) == 1
    assert backend.compiled == 1


def test_another_text_pipeline_or_backend_is_other_code(tmp_path: Path) -> None:
    backend = Counting()
    other_file = tmp_path / "rare.py"
    other_file.write_text("# another way to make code\n")
    KeptCodes(backend, tmp_path / "kept")(text_for(PLAIN), PLAIN, "early")
    compiled = [backend.compiled]
    kept = KeptCodes(backend, tmp_path / "kept")
    for text, unroll in ((text_for(SYMBOLS[0]).replace("2.0", "3.0"), "early"), (text_for(SYMBOLS[0]), "never")):
        kept(text, SYMBOLS[0], unroll)
        compiled.append(backend.compiled)
    changed = Counting(rare=SimpleNamespace(**vars(llvm_backend.rare) | {"__file__": str(other_file)}))
    KeptCodes(changed, tmp_path / "kept")(text_for(SYMBOLS[0]), SYMBOLS[0], "early")
    assert (compiled, changed.compiled) == ([1, 2, 3], 1)


def test_torn_files_and_folders_that_cannot_be_written_are_compiled_for(tmp_path: Path) -> None:
    backend = Counting()
    kept = KeptCodes(backend, tmp_path)
    whole = kept(text_for(SYMBOLS[0]), SYMBOLS[0], "early")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[: DIGEST + 9])
    assert kept(text_for(SYMBOLS[0]), SYMBOLS[0], "early") == whole
    blocked = KeptCodes(backend, file / "below")
    assert blocked(text_for(SYMBOLS[0]), SYMBOLS[0], "early") == whole
    assert backend.compiled == 3


def test_what_was_written_first_goes_first(tmp_path: Path) -> None:
    for age in range(4):
        (tmp_path / str(age)).write_bytes(b"x" * 10)
        os.utime(tmp_path / str(age), (1000 - age, 1000 - age))
    prune(tmp_path, 25)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["0", "1"]
