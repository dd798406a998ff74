"""`python -m vitrify.as_paddle`: run a program of PaddlePaddle as it is, or let VITRIFY_AS_PADDLE=1 do so for all."""

from __future__ import annotations

import os
import runpy
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from ..base.errors import VitrifyError
from .outcome import Exit, UsageError, write_error

VARIABLE = "VITRIFY_AS_PADDLE"
START = f"import os; os.environ.get({VARIABLE!r}) == '1' and __import__('vitrify.as_paddle')\n"
USAGE = f"""python -m vitrify.as_paddle SCRIPT [arguments]       run a script; `import paddle` means vitrify
python -m vitrify.as_paddle -m MODULE [arguments]    run a module
python -m vitrify.as_paddle --enable                 from now on {VARIABLE}=1 does this for every program of this Python
python -m vitrify.as_paddle --disable                undo that"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says. An error of the program itself is not caught."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given in (["--enable"], ["--disable"]):
            return _switch(given == ["--enable"])
        if given[:1] in ([], ["-h"], ["--help"]):
            print(USAGE)
            return Exit.DONE if given else Exit.USAGE
        if given[0].startswith("-") and (given[0] != "-m" or len(given) == 1):
            raise UsageError(f"unknown option {given[0]}", remedy=USAGE)
    except VitrifyError as error:
        write_error(error, as_json=False)
        return Exit.USAGE
    os.environ[VARIABLE] = "1"  # for the processes that the program starts
    _run(given)
    return Exit.DONE


def _run(given: list[str]) -> None:
    if given[0] == "-m":
        sys.argv[:] = given[1:]
        sys.path[0] = str(Path.cwd())
        runpy.run_module(given[1], run_name="__main__", alter_sys=True)
        return
    sys.argv[:] = given
    sys.path[0] = str(Path(given[0]).resolve().parent)
    runpy.run_path(given[0], run_name="__main__")


def start_file() -> Path:
    """The file in this Python's site-packages that Python reads when it starts."""
    return Path(sysconfig.get_path("purelib")) / "vitrify_as_paddle.pth"


def _switch(on: bool) -> int:
    file = start_file()
    try:
        if on:
            file.write_text(START, encoding="utf-8")
        else:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}", remedy="use a virtual environment") from error
    print(f"{VARIABLE}=1 {'now lets `import paddle` mean vitrify' if on else 'has no effect at start-up now'} ({file})")
    return Exit.DONE
