"""Bytecode of vitrify: pip compiles what it installs, thus the peers; an editable install is compiled here."""

import subprocess

_CODE = """
import compileall, pathlib, re, vitrify
root = pathlib.Path(vitrify.__file__).parents[1]
compileall.compile_dir(root, quiet=2, rx=re.compile(r"/([.][^/]*|tests|build|docs)/"))
"""


def write(python):
    """Compile the vitrify that an interpreter imports; processes that write no bytecode read it."""
    subprocess.run([python, "-c", _CODE], check=False, stdout=subprocess.DEVNULL)
